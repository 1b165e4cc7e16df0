import fc from 'fast-check';
import { makeMedicine } from '../../support/factories.js';
import { mutation, useService } from '../../support/harness.js';

const HOUR = 60 * 60_000;
const RUNS = Number(process.env.CLOSENESS_RUNS ?? 3);

interface Event {
  id: string;
  startsAt: string;
  status: string;
}

describe('Doses of one medicine', () => {
  const service = useService();
  const act = (what: string, input: object) =>
    service().data(mutation(what, '__typename'), { input });
  const calendar = async (from: string, to: string): Promise<Event[]> =>
    (
      await service().data(
        'query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { events { id: occurrenceId startsAt status } } }',
        { from, to },
      )
    ).calendar.events;
  const shown = async (from: string, to = from) =>
    (await calendar(from, to)).map(({ startsAt, status }) => `${startsAt.slice(8, 16)} ${status}`);
  const fly = (timeZone: string) => act('updateCareSettings', { timeZone });
  /** Takes all that is due. */
  const take = async (day: string) => {
    for (const { id, status } of await calendar(day, day))
      if (status === 'DUE') await act('takeDose', { occurrenceId: id });
  };
  /** Takes the next dose of a day before its time. */
  const takeEarly = async (day: string) => {
    const next = (await calendar(day, day)).find(({ status }) => status === 'UPCOMING');
    if (next) await act('takeDose', { occurrenceId: next.id });
  };

  it('do not come five times in 24 hours of three a day when the member moves east', async () => {
    service().at('2026-03-10T07:00:00Z');
    await fly('UTC');
    await makeMedicine(service(), { frequencyType: '3_times_a_day', startDate: '2026-03-10' });
    service().at('2026-03-10T13:59:00Z');
    await fly('Asia/Tokyo');
    const events = await calendar('2026-03-10', '2026-03-12');
    const lines = events.map(({ startsAt, status }) => `${startsAt.slice(8, 16)} ${status}`);
    expect(lines.slice(0, 5)).toStrictEqual([
      '10T08:00 MISSED',
      '10T14:00 UPCOMING',
      '10T20:00 WITHHELD',
      '10T23:00 UPCOMING',
      '11T05:00 UPCOMING',
    ]);
    const { body } = await service().rest('GET', '/v1/events', { as: 'subscriber' });
    expect(body.slice(0, 2).map((event: { date_time: string }) => event.date_time)).toStrictEqual([
      '2026-03-10T23:00:00+09:00',
      '2026-03-11T08:00:00+09:00',
    ]);
    const [, , withheld] = events;
    expect(
      (
        await service().ask(mutation('takeDose', '__typename'), {
          input: { occurrenceId: withheld?.id },
        })
      ).errors,
    ).toMatchObject([{ extensions: { code: 'OCCURRENCE_NOT_FOUND' } }]);
    const alerts = await service().database.prisma.reminderAlert.findMany({
      where: { plannedAt: new Date(withheld?.startsAt ?? 0) },
    });
    expect(alerts).toStrictEqual([]);
  });

  it('that are due and unanswered are replaced by an edit, and rung for no more', async () => {
    service().at('2026-03-09T07:00:00Z');
    const id = await makeMedicine(service(), { startDate: '2026-03-09T08:00:00' });
    service().at('2026-03-10T08:30:00Z');
    await act('updateMedicineReminder', { id, startTime: '12:00' });
    expect(await shown('2026-03-09', '2026-03-11')).toStrictEqual([
      '09T08:00 MISSED',
      '10T08:00 WITHHELD',
      '10T12:00 UPCOMING',
      '11T12:00 UPCOMING',
    ]);
  });

  it('that are due stay where the new plan has as many on that day', async () => {
    service().at('2026-03-09T07:00:00Z');
    const id = await makeMedicine(service(), { startDate: '2026-03-09T09:00:00' });
    service().at('2026-03-10T09:30:00Z');
    await act('updateMedicineReminder', { id, frequency: '3_times_a_day' });
    expect(await shown('2026-03-10')).toStrictEqual([
      '10T09:00 DUE',
      '10T14:00 UPCOMING',
      '10T20:00 UPCOMING',
    ]);
  });

  it('that are due stay where an edit has nothing else for the rest of the day', async () => {
    service().at('2026-03-09T07:00:00Z');
    const id = await makeMedicine(service(), { startDate: '2026-03-09T08:00:00' });
    service().at('2026-03-10T08:30:00Z');
    await act('updateMedicineReminder', { id, startTime: '07:00' });
    expect(await shown('2026-03-10', '2026-03-11')).toStrictEqual([
      '10T08:00 DUE',
      '11T07:00 UPCOMING',
    ]);
  });

  it('that were taken are not followed by another one at once after an edit', async () => {
    service().at('2026-03-09T07:00:00Z');
    const id = await makeMedicine(service(), { startDate: '2026-03-09T08:00:00' });
    service().at('2026-03-10T08:30:00Z');
    await take('2026-03-10');
    await act('updateMedicineReminder', { id, startTime: '12:00' });
    expect(await shown('2026-03-10', '2026-03-11')).toStrictEqual([
      '10T08:00 TAKEN',
      '10T12:00 WITHHELD',
      '11T12:00 UPCOMING',
    ]);
    const [{ id: occurrenceId } = { id: '' }] = await calendar('2026-03-10', '2026-03-10');
    await act('undoDose', { occurrenceId });
    expect(await shown('2026-03-10'), 'it is due again').toContain('10T12:00 WITHHELD');
    await act('skipDose', { occurrenceId });
    expect(await shown('2026-03-10')).toStrictEqual(['10T08:00 SKIPPED', '10T12:00 UPCOMING']);
    await act('takeDose', { occurrenceId });
    expect(await shown('2026-03-10'), 'it was taken after all').toStrictEqual([
      '10T08:00 TAKEN',
      '10T12:00 WITHHELD',
    ]);
    await act('undoDose', { occurrenceId });
    await act('skipDose', { occurrenceId });
    await act('undoDose', { occurrenceId });
    expect(await shown('2026-03-10'), 'it is due again').toStrictEqual([
      '10T08:00 DUE',
      '10T12:00 WITHHELD',
    ]);
  });

  it('cost an answer nothing more where a pause is far ahead, and leave its version', async () => {
    service().at('2026-03-09T07:00:00Z');
    const id = await makeMedicine(service(), {
      frequencyType: 'every 2 hours',
      startDate: '2026-03-09T08:00:00',
    });
    const version = async () =>
      (await service().data(`{ medicineReminder(id: ${id}) { version } }`)).medicineReminder
        .version;
    const taking = async (day: string) => {
      service().at(`${day}T08:00:00Z`);
      const due = (await calendar(day, day)).find(({ status }) => status === 'DUE');
      const before = await version();
      const statements = await service().statements(() =>
        act('takeDose', { occurrenceId: due?.id }),
      );
      return [statements, (await version()) - before];
    };
    const without = await taking('2026-03-10');
    await act('pauseMedicineReminder', { id, startsOn: '2036-03-12', resumesOn: '2036-03-20' });
    expect(await taking('2026-03-11')).toStrictEqual(without);
    expect(without[1]).toBe(0);
  });

  it('are not followed by one at once where a missed one is logged late, after an edit', async () => {
    service().at('2026-03-09T07:00:00Z');
    const id = await makeMedicine(service(), { startDate: '2026-03-09T08:00:00' });
    service().at('2026-03-10T11:00:00Z');
    await act('updateMedicineReminder', { id, startTime: '14:00' });
    expect(await shown('2026-03-10')).toStrictEqual(['10T08:00 MISSED', '10T14:00 UPCOMING']);
    const [{ id: occurrenceId } = { id: '' }] = await calendar('2026-03-10', '2026-03-10');
    await act('takeDose', { occurrenceId });
    expect(await shown('2026-03-10')).toStrictEqual(['10T08:00 TAKEN', '10T14:00 WITHHELD']);
  });

  it.each([
    ['at the very minute', '2026-03-10T08:00:00Z'],
    ['before their time', '2026-03-10T07:30:00Z'],
  ])('that were taken %s are not followed by another one after an edit', async (_when, at) => {
    service().at('2026-03-10T07:00:00Z');
    const id = await makeMedicine(service(), { startDate: '2026-03-10T08:00:00' });
    service().at(at);
    const [{ id: occurrenceId } = { id: '' }] = await calendar('2026-03-10', '2026-03-10');
    await act('takeDose', { occurrenceId });
    await act('updateMedicineReminder', { id, startTime: '09:00' });
    expect(await shown('2026-03-10', '2026-03-11')).toStrictEqual([
      '10T08:00 TAKEN',
      '10T09:00 WITHHELD',
      '11T09:00 UPCOMING',
    ]);
  });

  const OFTEN = { daily: 24, '2_times_a_day': 12, '3_times_a_day': 8, '4_times_a_day': 6 };
  type Often = keyof typeof OFTEN;
  const ZONES = ['UTC', 'Asia/Tokyo', 'America/Los_Angeles', 'Europe/Berlin', 'Pacific/Auckland'];
  const hours = fc.integer({ min: 1, max: 30 });
  const step = fc.oneof(
    fc.record({ hours, zone: fc.constantFrom(...ZONES) }),
    fc.record({ hours, time: fc.integer({ min: 0, max: 23 }) }),
    fc.record({ hours, often: fc.constantFrom<Often>(...(Object.keys(OFTEN) as Often[])) }),
    fc.record({ hours, days: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ hours, resume: fc.constant(true) }),
    fc.record({ hours, early: fc.constant(true) }),
  );
  interface Step {
    hours: number;
    zone?: string;
    time?: number;
    often?: Often;
    days?: number;
    resume?: true;
    early?: true;
  }
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);

  it('are never closer than half their interval, whatever moves, edits and pauses there are', async () => {
    const run = async (first: Often, steps: Step[]) => {
      await service().database.prisma.dose.deleteMany();
      await service().database.prisma.reminder.deleteMany();
      const begun = Date.parse('2026-03-10T07:00:00Z');
      service().at(begun);
      await fly('UTC');
      const id = await makeMedicine(service(), { frequencyType: first, startDate: '2026-03-10' });
      let now = begun;
      let least = OFTEN[first];
      for (const { hours: later, zone, time, often, days, resume, early } of steps) {
        now += later * HOUR;
        service().at(now);
        for (const at of [now - 24 * HOUR, now]) await take(day(at));
        if (early) await takeEarly(day(now));
        if (zone) await fly(zone);
        if (time !== undefined)
          await act('updateMedicineReminder', {
            id,
            startTime: `${String(time).padStart(2, '0')}:00`,
          });
        if (often) await act('updateMedicineReminder', { id, frequency: often });
        if (days)
          await service().ask(mutation('pauseMedicineReminder', '__typename'), {
            input: { id, resumesOn: day(now + (days + 1) * 24 * HOUR) },
          });
        if (resume)
          await service().ask(mutation('resumeMedicineReminder', '__typename'), { input: { id } });
        least = Math.min(least, often ? OFTEN[often] : least);
      }
      const events = await calendar(day(begun - 24 * HOUR), day(now + 5 * 24 * HOUR));
      const doses = events.filter(({ status }) => ['TAKEN', 'DUE', 'UPCOMING'].includes(status));
      for (const [i, { startsAt }] of doses.slice(1).entries()) {
        const apart = Date.parse(startsAt) - Date.parse(doses[i]?.startsAt ?? '');
        expect(apart / HOUR, `${doses[i]?.startsAt} ${startsAt}`).toBeGreaterThanOrEqual(least / 2);
      }
    };
    const sequences = fc.array(step as fc.Arbitrary<Step>, { minLength: 1, maxLength: 6 });
    const often = fc.constantFrom<Often>(...(Object.keys(OFTEN) as Often[]));
    const examples: [Often, Step[]][] = [
      [
        'daily',
        [
          { hours: 3, time: 4 },
          { hours: 19, time: 5 },
        ],
      ],
      ['daily', [{ hours: 1, time: 9 }]],
    ];
    await fc.assert(fc.asyncProperty(often, sequences, run), { numRuns: RUNS, examples });
  }, 1e8);
});
