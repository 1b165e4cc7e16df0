import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestContext } from '../../../src/core/context.js';
import { transact } from '../../../src/core/transact.js';
import { occurrenceId } from '../../../src/domains/reminders/alert/occurrence-id.js';
import { setDoseAmounts } from '../../../src/domains/reminders/amount/amount.service.js';
import { attendAppointment } from '../../../src/domains/reminders/dose/attendance.service.js';
import {
  logDose,
  skipDose,
  snoozeDose,
  takeDose,
  undoDose,
} from '../../../src/domains/reminders/dose/dose.service.js';
import {
  createAppointmentReminder,
  createMedicineReminder,
} from '../../../src/domains/reminders/reminder/reminder-create.service.js';
import {
  updateAppointmentReminder,
  updateMedicineReminder,
} from '../../../src/domains/reminders/reminder/reminder-write.service.js';
import { updateCareSettings } from '../../../src/domains/reminders/setting/setting.service.js';
import { setMedicineStock } from '../../../src/domains/reminders/stock/stock.service.js';
import { updateProfile } from '../../../src/domains/settings/own-profile.service.js';
import { useService } from '../../support/harness.js';

const EIGHT = Date.parse('2026-03-10T08:00:00Z');

describe('Two requests about reminders at once', () => {
  const service = useService();
  const context = () => service().context('subscriber');
  // The embedded database runs one transaction at a time.
  const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;
  /**
   * Does the first, begins the second while that is not yet committed, and answers what became of
   * the second.
   */
  const during = async (
    first: (inner: RequestContext) => Promise<unknown>,
    second: (context: RequestContext) => Promise<unknown>,
  ) => {
    const other = await context();
    let result: Promise<unknown> | undefined;
    await transact(await context(), async (inner) => {
      await first(inner);
      result = second(other).then(
        () => undefined,
        (error) => error.refusal?.reason ?? error.message,
      );
      await sleep(300);
    });
    return result;
  };
  const daily = { name: 'Aspirin', frequencyType: 'daily', startDate: '2026-03-01T08:00:00' };
  const medicine = async () => (await createMedicineReminder(await context(), daily)).id;
  const stored = () => service().database.prisma.reminder.findFirstOrThrow();

  onServer('make a reminder that goes along to another zone, or to other usual times', async () => {
    service().at(EIGHT);
    for (const change of [{ timeZone: 'Asia/Tokyo' }, { usualTimes: [{ times: ['09:00'] }] }]) {
      await during(
        (inner) => createMedicineReminder(inner, { ...daily, startDate: '2026-03-01' }),
        (other) => updateCareSettings(other, change),
      );
    }
    const made = await service().database.prisma.reminder.findMany();
    expect(made.map(({ zone, times }) => `${zone} ${times}`)).toStrictEqual([
      'Asia/Tokyo 09:00',
      'Asia/Tokyo 09:00',
    ]);
  });

  onServer('change where a member is without holding what the other waits for', async () => {
    const other = await context();
    let result: Promise<unknown> | undefined;
    await transact(await context(), async (inner) => {
      await updateCareSettings(inner, { usualTimes: [{ times: ['09:00'] }] });
      result = updateProfile(other, { name: 'Anna', timeZone: 'Asia/Tokyo' });
      await sleep(300);
      await inner.db
        .$executeRaw`SELECT 1 FROM account WHERE id = ${inner.viewer.id}::int FOR NO KEY UPDATE NOWAIT`;
    });
    await result;
    const { name, timeZone } = await service().database.prisma.account.findFirstOrThrow({
      where: { name: 'Anna' },
    });
    expect({ name, timeZone }).toStrictEqual({ name: 'Anna', timeZone: 'Asia/Tokyo' });
  });

  onServer(
    'of one member, two hundred of them, are all served, and keep nobody from the database',
    async () => {
      const { id } = await service().account('editor');
      await service().account('subscriber');
      const made = Array.from({ length: 200 }, async () =>
        createMedicineReminder(await context(), daily),
      );
      await Promise.all([
        ...made,
        service().database.prisma.account.findUniqueOrThrow({ where: { id } }),
      ]);
      expect(await service().database.prisma.reminder.count()).toBe(200);
    },
  );

  onServer('leave an appointment unattended that was put at another time', async () => {
    service().at(EIGHT);
    const { id } = await createAppointmentReminder(await context(), {
      dateTime: '2026-03-10T09:00:00',
    });
    const result = await during(
      (inner) => updateAppointmentReminder(inner, { id, dateTime: '2026-03-13T09:00:00' }),
      (other) => attendAppointment(other, { id }),
    );
    expect((await stored()).attendedAt).toBeNull();
    expect(result).toBe('TOO_EARLY');
  });

  onServer('take a dose once that was skipped before', async () => {
    service().at(EIGHT);
    const id = occurrenceId(await medicine(), EIGHT);
    await skipDose(await context(), { occurrenceId: id });
    expect(
      await during(
        (inner) => takeDose(inner, { occurrenceId: id }),
        (other) => takeDose(other, { occurrenceId: id }),
      ),
    ).toBe('ALREADY_TAKEN');
  });

  onServer('take an answer back once', async () => {
    service().at(EIGHT);
    const id = occurrenceId(await medicine(), EIGHT);
    await takeDose(await context(), { occurrenceId: id });
    expect(
      await during(
        (inner) => undoDose(inner, { occurrenceId: id }),
        (other) => undoDose(other, { occurrenceId: id }),
      ),
    ).toBe('NOTHING_LOGGED');
  });

  onServer('log a dose in the unit and the amount that it has by then', async () => {
    service().at(EIGHT);
    const id = await medicine();
    await setDoseAmounts(await context(), { id, unit: 'tablet', steps: [{ amount: '1' }] });
    await setMedicineStock(await context(), { id, amount: '10' });
    for (const log of [
      (other: RequestContext) => takeDose(other, { occurrenceId: occurrenceId(id, EIGHT) }),
      (other: RequestContext) => logDose(other, { reminderId: id }),
    ]) {
      const result = await during(
        (inner) => setDoseAmounts(inner, { id, unit: 'ml', steps: [{ amount: '5' }] }),
        log,
      );
      expect(result).toBeUndefined();
      await setDoseAmounts(await context(), { id, unit: 'tablet', steps: [{ amount: '1' }] });
    }
    const doses = await service().database.prisma.dose.findMany();
    expect(doses.map(({ amount, unit }) => `${amount} ${unit}`)).toStrictEqual(['5 ml', '5 ml']);
    const stock = await service().database.prisma.medicineStock.findFirstOrThrow();
    expect([Number(stock.amount), stock.isCertain]).toStrictEqual([10, false]);
  });

  onServer('put nothing off that comes no more', async () => {
    service().at(EIGHT - 60 * 60_000);
    const medicineId = await medicine();
    const id = occurrenceId(medicineId, EIGHT);
    const result = await during(
      (inner) => updateMedicineReminder(inner, { id: medicineId, endDate: '2026-03-09' }),
      (other) => snoozeDose(other, { occurrenceId: id }),
    );
    const planned = await service().database.prisma.reminderAlert.count({
      where: { state: 'planned', cause: { not: 'carers' } },
    });
    expect({ result, planned }).toStrictEqual({ result: 'OCCURRENCE_NOT_FOUND', planned: 0 });
  });
});
