import { tellOfStock } from '../../../src/domains/dispatch/stock-notice.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { makeMedicine } from '../../support/factories.js';
import { Failures } from '../../support/failures.js';
import { mutation, useService } from '../../support/harness.js';
import { HOUR, MINUTE, rounds } from './rounds.js';

const DAY = 24 * HOUR;
/** What nobody has answered, or what does not come, cannot be taken back. */
const UNANSWERED = new Set(['NOTHING_LOGGED', 'OCCURRENCE_NOT_FOUND']);
const FIRST = Date.parse('2026-03-10T00:00:00Z');

describe('A course until the supply is finished', () => {
  const service = useService();
  const { begin, until, round, pushes, deps, logTo, prefer, carer, told } = rounds(service);
  const write = async (what: string, input: object) => {
    const { data, errors } = await service().ask(mutation(what, '__typename'), { input });
    expect(errors).toBeUndefined();
    return data;
  };
  const shown = async (id: number) =>
    (
      await service().data(
        `{ medicineReminder(id: ${id}) { supplyEnd status endsAt scheduleText stock { amount isCertain } } }`,
      )
    ).medicineReminder;
  const events = async (from: string, to = from): Promise<{ id: string; status: string }[]> => {
    const query =
      'query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { events { id: occurrenceId status } } }';
    return (await service().data(query, { from, to })).calendar.events;
  };
  const failures = new Failures('end of supplies');
  const day = (number: number) => new Date(FIRST + number * DAY).toISOString().slice(0, 10);
  /** Three times a day, at 8:00, 14:00 and 20:00, from the first day on. */
  const medicine = async (stock: object | undefined, frequency = 'until finished') => {
    await begin(FIRST);
    const frequencyType = `1 capsule three times a day ${frequency}`;
    const id = await makeMedicine(service(), { frequencyType, startDate: day(0) });
    if (stock) await write('setMedicineStock', { id, unit: 'capsule', ...stock });
    return id;
  };
  /** Takes the doses of some days at their times. */
  const take = async (from: number, to: number) => {
    for (let number = from; number <= to; number++) {
      service().at(FIRST + number * DAY + HOUR);
      const clocks = [8, 14, 20];
      for (const [i, { id }] of (await events(day(number))).entries()) {
        service().at(FIRST + number * DAY + (clocks[i] as number) * HOUR + MINUTE);
        await write('takeDose', { occurrenceId: id });
      }
    }
  };
  /** What rings on a day. */
  const rung = async (number: number) => {
    const from = pushes.length;
    const now = Math.ceil(service().now() / (30 * MINUTE)) * 30 * MINUTE;
    service().at(Math.max(now, FIRST + number * DAY - HOUR));
    await planDue(deps());
    await until(FIRST + (number + 1) * DAY, 30 * MINUTE);
    return [...new Set(pushes.slice(from).map(({ at }) => at))].filter((at) => at.endsWith(':00'));
  };
  const RINGS = expect.arrayContaining(['08:00', '14:00', '20:00']);

  it('ends with the dose that uses it up: of 21 the 22nd does not ring', async () => {
    const id = await medicine({ amount: 21 });
    expect(await shown(id)).toMatchObject({ supplyEnd: 'AT_HAND', status: 'ACTIVE', endsAt: null });
    await take(0, 6);
    expect(await shown(id)).toMatchObject({
      supplyEnd: 'FINISHED',
      status: 'ENDED',
      endsAt: '2026-03-16T20:01:00.000Z',
      stock: { amount: 0, isCertain: true },
    });
    expect(await rung(7)).toStrictEqual([]);
    expect(await events(day(7), day(9)), 'nothing is due, or missed').toStrictEqual([]);
    expect((await events(day(0), day(6))).map(({ status }) => status)).toStrictEqual(
      Array(21).fill('TAKEN'),
    );
  });

  it('says in words what it is, and that it has ended', async () => {
    const id = await medicine({ amount: 3 });
    const text = '1 capsule every day at 08:00, 14:00 and 20:00, until the supply is finished';
    expect((await shown(id)).scheduleText).toBe(text);
    await take(0, 0);
    expect((await shown(id)).scheduleText).toBe(`${text} (the supply is finished)`);
  });

  it('ends where less is left than the next dose needs', async () => {
    const id = await medicine({ amount: 4 });
    const steps = [{ amount: 1, times: [{ time: '08:00', amount: 2 }] }];
    await write('setDoseAmounts', { id, unit: 'capsule', steps });
    await write('setMedicineStock', { id, amount: 5 });
    await take(0, 0);
    expect(await shown(id)).toMatchObject({ supplyEnd: 'FINISHED', stock: { amount: 1 } });
    await write('setDoseAmounts', { id, unit: 'capsule', steps: [{ amount: 1 }] });
    await tellOfStock(deps());
    expect(await shown(id), 'one covers the next dose now').toMatchObject({ supplyEnd: 'AT_HAND' });
    expect(await rung(1)).toStrictEqual(RINGS);
  });

  it('rings on without a stock, and with one that is not certain', async () => {
    const id = await medicine(undefined);
    await take(0, 0);
    expect(await shown(id)).toMatchObject({ supplyEnd: 'UNKNOWN', status: 'ACTIVE' });
    await write('setMedicineStock', { id, unit: 'capsule', amount: 1.5 });
    service().at(FIRST + DAY + 8 * HOUR);
    const [morning, noon] = await events(day(1));
    for (const one of [morning, noon]) {
      // The stock of half a capsule does not cover it: there was more than somebody has counted.
      await write('takeDose', { occurrenceId: one?.id, force: true }).catch(() => undefined);
    }
    const [first] = await service().database.prisma.medicineStock.findMany();
    expect(Number(first?.amount)).toBe(0.5);
    expect(await shown(id), 'half of one is no dose').toMatchObject({ supplyEnd: 'FINISHED' });
    await write('logDose', { reminderId: id });
    expect(await shown(id)).toMatchObject({
      supplyEnd: 'UNKNOWN',
      status: 'ACTIVE',
      stock: { amount: 0, isCertain: false },
    });
    expect(await rung(2)).toStrictEqual(RINGS);
  });

  it('goes on from a refill on, and nothing was missed meanwhile', async () => {
    const id = await medicine({ amount: 3 });
    await take(0, 0);
    service().at(FIRST + 3 * DAY + 10 * HOUR);
    await write('refillMedicineStock', { id, amount: 6 });
    expect(await shown(id)).toMatchObject({ supplyEnd: 'AT_HAND', status: 'ACTIVE', endsAt: null });
    expect(await rung(4)).toStrictEqual(RINGS);
    expect(await events(day(1), day(2))).toStrictEqual([]);
    expect((await events(day(3))).length, 'at 14:00 and 20:00').toBe(2);
    await write('setMedicineStock', { id, amount: 0 });
    expect(await shown(id), 'counted as none').toMatchObject({ supplyEnd: 'FINISHED' });
    expect(await rung(6)).toStrictEqual([]);
    await write('setMedicineStock', { id, amount: null });
    expect(await shown(id), 'forgotten').toMatchObject({ supplyEnd: 'UNKNOWN', status: 'ACTIVE' });
  });

  /** A stock that was counted as none by mistake at a minute, and filled up at another. */
  const mistaken = async (id: number, closed: number, opened: number, step = 5 * MINUTE) => {
    await until(FIRST + closed, step);
    await write('setMedicineStock', { id, amount: 0 });
    await until(FIRST + opened, step);
    await write('refillMedicineStock', { id, amount: 30 });
    await round();
  };
  const ringing = () => told().map((line) => line.split(':').slice(0, 2).join(':'));

  it.each([
    ['rang, and is repeated', 8 * HOUR + 6 * MINUTE, 8 * HOUR + 8 * MINUTE, ['08:00', '08:10']],
    ['should be repeated', 8 * HOUR + 6 * MINUTE, 8 * HOUR + 12 * MINUTE, ['08:00', '08:12']],
    ['did not ring', 7 * HOUR + 50 * MINUTE, 8 * HOUR + 6 * MINUTE, ['08:06', '08:16']],
    ['is too late to ring', 7 * HOUR + 50 * MINUTE, 8 * HOUR + 40 * MINUTE, []],
  ])(
    'has the dose due again that %s, when none was a mistake',
    async (_, closed, opened, rings) => {
      const id = await medicine({ amount: 30 });
      await carer('anna', 'subscriber');
      await prefer({ renotifyMinutes: 10, renotifyTimes: 1 });
      await until(FIRST + 7 * HOUR, 30 * MINUTE);
      const [morning] = await events(day(0));
      await mistaken(id, closed, opened, 2 * MINUTE);
      expect((await events(day(0))).map(({ status }) => status)).toStrictEqual([
        'DUE',
        'UPCOMING',
        'UPCOMING',
      ]);
      await until(FIRST + 10 * HOUR, 2 * MINUTE);
      expect(ringing()).toStrictEqual([...rings.map((at) => `${at} phone`), '10:00 anna']);
      await write('takeDose', { occurrenceId: morning?.id });
      expect((await events(day(0)))[0]).toStrictEqual({ id: morning?.id, status: 'TAKEN' });
    },
  );

  it('does not ring again for a dose that was answered, when none was a mistake', async () => {
    const id = await medicine({ amount: 30 });
    await prefer({ renotifyMinutes: 10, renotifyTimes: 1 });
    await until(FIRST + 8 * HOUR, 30 * MINUTE);
    await write('takeDose', { occurrenceId: (await events(day(0)))[0]?.id });
    await mistaken(id, 8 * HOUR + 5 * MINUTE, 8 * HOUR + 10 * MINUTE);
    await until(FIRST + 13 * HOUR);
    expect(ringing()).toStrictEqual(['08:00 phone']);
    expect((await events(day(0)))[0]).toMatchObject({ status: 'TAKEN' });
  });

  it('keeps the doses of a day whose times change from the next day on, when none was a mistake', async () => {
    const id = await medicine({ amount: 30 });
    await until(FIRST + 7 * HOUR, 30 * MINUTE);
    await write('updateCareSettings', { usualTimes: [{ times: ['07:00', '12:00', '19:00'] }] });
    const before = await events(day(0), day(1));
    await mistaken(id, 7 * HOUR + 50 * MINUTE, 8 * HOUR + 10 * MINUTE);
    const after = await events(day(0), day(1));
    expect(after.map((event) => event.id)).toStrictEqual(before.map((event) => event.id));
    await until(FIRST + 24 * HOUR, 10 * MINUTE);
    expect(ringing()).toStrictEqual(['08:10 phone', '14:00 phone', '20:00 phone']);
  });

  it('has a dose due that is not missed yet when it is filled up after days', async () => {
    const id = await medicine({ amount: 3 });
    await take(0, 0);
    service().at(FIRST + 3 * DAY + 8 * HOUR + 10 * MINUTE);
    await write('refillMedicineStock', { id, amount: 6 });
    expect(await events(day(1), day(2))).toStrictEqual([]);
    const [morning, ...others] = await events(day(3));
    expect(morning).toMatchObject({ status: 'DUE' });
    expect(others).toHaveLength(2);
    await until(FIRST + 3 * DAY + 12 * HOUR);
    expect(ringing()).toStrictEqual(['08:15 phone']);
    service().at(FIRST + 3 * DAY + 9 * HOUR);
    await write('takeDose', { occurrenceId: morning?.id });
  });

  it('goes on when the last dose is taken back', async () => {
    const id = await medicine({ amount: 3 });
    await take(0, 0);
    const last = (await events(day(0))).at(-1);
    await write('undoDose', { occurrenceId: last?.id });
    expect(await shown(id)).toMatchObject({ supplyEnd: 'AT_HAND', stock: { amount: 1 } });
    expect((await events(day(0))).at(-1)).toMatchObject({ id: last?.id, status: 'DUE' });
    expect(await rung(1)).toStrictEqual(RINGS);
  });

  it('goes on when a dose that was taken ahead of its time is taken back', async () => {
    const id = await medicine({ amount: 2 });
    service().at(FIRST + 14 * HOUR + MINUTE);
    const [, noon, night] = await events(day(0));
    await write('takeDose', { occurrenceId: noon?.id });
    await write('takeDose', { occurrenceId: night?.id });
    expect(await shown(id)).toMatchObject({
      supplyEnd: 'FINISHED',
      endsAt: '2026-03-10T20:00:00.000Z',
    });
    await write('undoDose', { occurrenceId: night?.id });
    expect(await shown(id)).toMatchObject({ supplyEnd: 'AT_HAND', endsAt: null });
    expect(await rung(0)).toStrictEqual(['20:00']);
    expect((await events(day(1))).length).toBe(3);
  });

  it('has no dose due that nothing is left for', async () => {
    const id = await medicine({ amount: 1 });
    service().at(FIRST + 8 * HOUR);
    const [morning] = await events(day(0));
    service().at(FIRST + 14 * HOUR + 5 * MINUTE);
    await write('takeDose', { occurrenceId: morning?.id });
    expect(await shown(id)).toMatchObject({ endsAt: '2026-03-10T13:59:59.999Z' });
    expect(await events(day(0))).toStrictEqual([{ id: morning?.id, status: 'TAKEN' }]);
    expect(await rung(0)).toStrictEqual([]);
  });

  it('stays ended when the member moves, has other times, or edits it', async () => {
    const id = await medicine({ amount: 3 });
    await take(0, 0);
    await write('updateMedicineReminder', { id, endsOn: day(20) });
    for (const timeZone of ['Asia/Tokyo', 'America/Los_Angeles']) {
      await write('updateCareSettings', { timeZone });
      expect(await rung(timeZone === 'Asia/Tokyo' ? 1 : 2), timeZone).toStrictEqual([]);
    }
    await write('updateCareSettings', { usualTimes: [{ times: ['07:00', '12:00', '19:00'] }] });
    expect(await rung(4)).toStrictEqual([]);
    expect(await shown(id)).toMatchObject({ supplyEnd: 'FINISHED', status: 'ENDED' });
    await write('refillMedicineStock', { id, amount: 3 });
    expect((await rung(6)).length).toBeGreaterThan(0);
    expect((await shown(id)).endsAt, 'its own end counts').toContain('2026-03-31');
  });

  it('keeps the end that it has besides, where that does not follow a move', async () => {
    await begin(FIRST);
    await write('updateCareSettings', { timeZone: 'Europe/Berlin' });
    const frequencyType = '1 capsule every 8 hours until finished';
    const id = await makeMedicine(service(), { frequencyType, startDate: day(0), endDate: day(9) });
    await write('setMedicineStock', { id, unit: 'capsule', amount: 9 });
    await write('updateCareSettings', { timeZone: 'America/New_York' });
    const { endsAt } = await shown(id);
    expect(endsAt).toContain('2026-03-19T22:59:59');
    await write('setMedicineStock', { id, amount: 0 });
    expect(await shown(id)).toMatchObject({ supplyEnd: 'FINISHED' });
    await write('refillMedicineStock', { id, amount: 9 });
    expect(await shown(id)).toMatchObject({ supplyEnd: 'AT_HAND', endsAt });
    await write('setMedicineStock', { id, amount: 0 });
    await write('updateMedicineReminder', { id, endsOn: day(12) });
    await write('refillMedicineStock', { id, amount: 9 });
    expect((await shown(id)).endsAt, 'an edit').toContain('2026-03-23T03:59:59');
  });

  it('comes again once its directions say something else', async () => {
    const id = await medicine({ amount: 3 });
    await take(0, 0);
    const frequency = '1 capsule three times a day';
    await write('updateMedicineReminder', { id, schedule: { repeat: { phrase: frequency } } });
    expect(await shown(id)).toMatchObject({ supplyEnd: null, status: 'ACTIVE', endsAt: null });
    expect(await rung(1)).toStrictEqual(RINGS);
  });

  it('is not told of as low, since it is to run out', async () => {
    await medicine({ amount: 6, noticeDays: 7 });
    service().at(FIRST + 11 * HOUR);
    expect(await tellOfStock(deps())).toBe(1);
    await until(FIRST + 11.5 * HOUR, 30 * MINUTE);
    expect(pushes.filter(({ data }) => data.type === 'stock_low')).toStrictEqual([]);
  });

  it('is looked at again in an hour where its end could not be settled', async () => {
    const { prisma } = service().database;
    const id = await medicine({ amount: 5 });
    const steps = [{ amount: 2 }];
    const other = await makeMedicine(service(), {
      frequencyType: '1 capsule three times a day until finished',
      startDate: day(0),
    });
    await write('setMedicineStock', { id: other, unit: 'capsule', amount: 1 });
    await write('setMedicineStock', { id, amount: 1 });
    for (const one of [id, other])
      await write('setDoseAmounts', { id: one, unit: 'capsule', steps });
    await failures.begin();
    logTo(failures.log);
    await prisma.$executeRawUnsafe(`
      CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.id = ${id} AND NEW.supplied_until IS NOT NULL THEN RAISE 'No'; END IF;
        RETURN NEW; END $$`);
    await prisma.$executeRawUnsafe(
      'CREATE TRIGGER spoil BEFORE UPDATE ON reminder FOR EACH ROW EXECUTE FUNCTION spoil()',
    );
    try {
      service().at(FIRST + 10 * HOUR);
      await tellOfStock(deps());
    } finally {
      await prisma.$executeRawUnsafe('DROP FUNCTION IF EXISTS spoil CASCADE');
    }
    expect(await shown(other)).toMatchObject({ supplyEnd: 'FINISHED' });
    expect(await shown(id)).toMatchObject({ supplyEnd: 'AT_HAND' });
    service().at(FIRST + 11 * HOUR);
    expect(await tellOfStock(deps()), 'the one that failed').toBe(1);
    expect(await shown(id)).toMatchObject({ supplyEnd: 'FINISHED' });
    service().at(FIRST + 12 * HOUR);
    expect(await tellOfStock(deps())).toBe(0);
  });

  it('ends after its length where one is said', async () => {
    const id = await medicine({ amount: 3 }, 'for 3 days until finished');
    await take(0, 0);
    expect(await shown(id)).toMatchObject({ supplyEnd: null, status: 'ACTIVE' });
    expect(await rung(1)).toStrictEqual(RINGS);
    expect(await rung(3)).toStrictEqual([]);
  });

  it('ends once, and opens again, whatever comes at once', async () => {
    const id = await medicine({ amount: 4 });
    await take(0, 0);
    service().at(FIRST + DAY + 20 * HOUR);
    const send = async (what: string, input: object) => {
      const { errors } = await service().ask(mutation(what, '__typename'), { input });
      return errors?.[0]?.extensions.code as string | undefined;
    };
    const [morning, noon, night] = (await events(day(1))).map((one) => one.id);
    for (let round = 0; round < 3; round++) {
      const done = await Promise.all([
        send('takeDose', { occurrenceId: morning }),
        send('takeDose', { occurrenceId: morning }),
        send('takeDose', { occurrenceId: noon }),
        send('logDose', { reminderId: id }),
        send('setMedicineStock', { id, amount: 1, noticeDays: 90 }),
        send('skipDose', { occurrenceId: night }),
        ...[1, 2, 3].map(() => tellOfStock(deps()).then(() => undefined)),
        send('setDoseAmounts', { id, unit: 'capsule', steps: [{ amount: 1 }] }),
      ]);
      const refusals = new Set(done.filter(Boolean));
      refusals.delete('ALREADY_TAKEN');
      refusals.delete('OCCURRENCE_NOT_FOUND');
      expect([...refusals]).toStrictEqual([]);
      const undone = await Promise.all([
        ...[morning, noon, night].map((one) => send('undoDose', { occurrenceId: one })),
        ...[1, 2, 3].map(() => tellOfStock(deps()).then(() => undefined)),
        send('refillMedicineStock', { id, amount: 2 }),
      ]);
      expect(undone.filter((one) => one && !UNANSWERED.has(one))).toStrictEqual([]);
    }
    await write('setMedicineStock', { id, amount: 1 });
    const left = (await events(day(1))).find(({ status }) => status !== 'TAKEN');
    await write('takeDose', { occurrenceId: left?.id });
    expect(await shown(id)).toMatchObject({ supplyEnd: 'FINISHED', status: 'ENDED' });
    expect(await rung(2)).toStrictEqual([]);
  });

  it('is the same as FHIR, and again from it', async () => {
    const id = await medicine({ amount: 3 });
    for (const version of ['R4', 'R5']) {
      const { fhirDosages } = (
        await service().data(`{ medicineReminder(id: ${id}) { fhirDosages(version: ${version}) } }`)
      ).medicineReminder;
      expect(JSON.stringify(fhirDosages)).toContain(
        '"additionalInstruction":[{"text":"until finished"}]',
      );
      const { text: _, ...untold } = fhirDosages[0];
      for (const dosage of [fhirDosages[0], untold]) {
        const input = { name: 'X', fhirDosage: { version, dosages: [dosage] } };
        const made = await service().data(
          mutation(
            'createMedicineReminder',
            'reminder { supplyEnd scheduleText fhirDosages(version: R4) }',
          ),
          { input },
        );
        const { supplyEnd, scheduleText } = made.createMedicineReminder.reminder;
        expect(supplyEnd).toBe('UNKNOWN');
        expect(scheduleText).toContain('until the supply is finished');
      }
    }
  });
});
