import { tellOfStock } from '../../../src/domains/dispatch/stock-notice.service.js';
import { makeMedicine } from '../../support/factories.js';
import { mutation, useService } from '../../support/harness.js';
import { rounds } from './rounds.js';

describe('A notice of stock that is on its way', () => {
  const service = useService();
  const { begin, round } = rounds(service);
  const write = async (what: string, input: object) => {
    const { errors } = await service().ask(mutation(what, '__typename'), { input });
    expect(errors).toBeUndefined();
  };
  const DAYS = Date.parse('2026-03-08T12:00:00Z');
  const medicine = async () => {
    const id = await makeMedicine(service(), {
      frequencyType: '2_times_a_day',
      startDate: '2026-03-08',
    });
    await write('setDoseAmounts', { id, unit: 'tablet', steps: [{ amount: 1 }] });
    await write('setMedicineStock', { id, unit: 'tablet', amount: 3, noticeDays: 2 });
    return id;
  };
  /** What a device gets of the notices that are told at 10:00, after a change by the member. */
  const toldAfter = async (change: () => Promise<unknown>) => {
    service().at('2026-03-10T10:00:00Z');
    await tellOfStock(service().app.deps);
    await change();
    const pushes = await round();
    return pushes.filter(({ data }) => String(data.type).startsWith('stock')).length;
  };

  it('arrives, where nothing changed', async () => {
    await begin(DAYS);
    await medicine();
    expect(await toldAfter(async () => undefined)).toBe(1);
  });

  it.each<[string, string, object]>([
    ['was deleted', 'deleteMedicineReminder', {}],
    ['has ended', 'updateMedicineReminder', { endsOn: '2026-03-09' }],
    ['was filled up', 'refillMedicineStock', { amount: 100 }],
  ])('is dropped when its medicine %s', async (_, what, change) => {
    await begin(DAYS);
    const id = await medicine();
    expect(await toldAfter(() => write(what, { id, ...change }))).toBe(0);
  });

  it('waits for a member whose reminders are stopped, and arrives once they are not', async () => {
    await begin(DAYS);
    await medicine();
    const { id } = await service().account('subscriber');
    const stop = (remindersStopped: boolean) =>
      service().database.prisma.account.update({ where: { id }, data: { remindersStopped } });
    await stop(true);
    expect(await toldAfter(async () => undefined)).toBe(0);
    await stop(false);
    const pushes = [];
    for (const day of [11, 12, 13]) {
      service().at(`2026-03-${day}T10:00:00Z`);
      await tellOfStock(service().app.deps);
      pushes.push(...(await round()));
    }
    expect(pushes.filter(({ data }) => data.type === 'stock_low')).toHaveLength(1);
  });

  it('arrives while one of its medicines is taken', async () => {
    await begin(DAYS);
    const id = await medicine();
    await medicine();
    expect(await toldAfter(() => write('deleteMedicineReminder', { id }))).toBe(1);
  });
});
