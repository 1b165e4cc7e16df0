import { errorCode, mutation, useService } from '../../support/harness.js';

const HOUR = 60 * 60_000;
const NOW = Date.parse('2026-03-10T05:00:00Z');
const SHOWN =
  'databaseId version frequency endsOn times nextOccurrenceAt status schedule { kind every weekdays monthDays daysOn daysOff minutes mostADay count days rrule fhirTiming words german: words(language: "de") times { clock anchor minutes } }';
const CREATE = `mutation($input: CreateMedicineReminderInput!) { createMedicineReminder(input: $input) { reminder { ${SHOWN} } } }`;
const UPDATE = `mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) { reminder { ${SHOWN} } } }`;
const EVENTS =
  'query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { events { occurrenceId startsAt status } } }';

describe('Schedules', () => {
  const service = useService();
  const create = async (schedule: object, more: object = {}) => {
    const input = { name: 'M', startsOn: '2026-03-10', schedule, ...more };
    const { data, errors } = await service().ask(CREATE, { input });
    return { made: data?.createMedicineReminder?.reminder, errors };
  };
  const events = async (from = '2026-03-10', to = from) =>
    (await service().ask(EVENTS, { from, to })).data.calendar.events as {
      occurrenceId: string;
      startsAt: string;
      status: string;
    }[];
  const starts = async (from: string, to: string) =>
    (await events(from, to)).map(({ startsAt }) => startsAt.slice(5, 16));
  const alerts = async () => {
    const where = { state: 'planned' };
    const rows = await service().database.prisma.reminderAlert.findMany({ where });
    return rows.map(({ dueAt }) => dueAt.toISOString().slice(5, 16)).sort();
  };
  const code = (errors: { extensions: { code: string; problems?: { code: string }[] } }[]) =>
    errors?.[0]?.extensions.problems?.[0]?.code ?? errors?.[0]?.extensions.code;

  beforeEach(() => service().at(NOW));

  it('of weekdays come at their own times every two weeks', async () => {
    const { made } = await create({
      repeat: { weeks: { every: 2, weekdays: ['THURSDAY', 'MONDAY'] } },
      times: [{ clock: '20:30' }, { clock: '08:00' }],
      end: { count: 5 },
    });
    expect(made).toMatchObject({
      frequency: 'every 2 weeks on Monday and Thursday at 08:00 and 20:30, for 5 doses',
      endsOn: '2026-03-26',
      schedule: {
        kind: 'WEEKS',
        every: 2,
        weekdays: ['MONDAY', 'THURSDAY'],
        count: 5,
        rrule: null,
        german: 'alle 2 Wochen am Montag und Donnerstag um 08:00 und 20:30, insgesamt 5 Dosen',
      },
    });
    expect(await starts('2026-03-10', '2026-05-10')).toStrictEqual([
      '03-12T08:00',
      '03-12T20:30',
      '03-23T08:00',
      '03-23T20:30',
      '03-26T08:00',
    ]);
  });

  it('of days of the month come on the last day of a shorter one', async () => {
    await create({ repeat: { months: { days: [31, 15] } }, times: [{ clock: '09:00' }] });
    expect(await starts('2026-03-10', '2026-05-10')).toStrictEqual([
      '03-15T09:00',
      '03-31T09:00',
      '04-15T09:00',
      '04-30T09:00',
    ]);
  });

  it('of a cycle count its days from the first', async () => {
    const { made } = await create({
      repeat: { cycle: { daysOn: 2, daysOff: 3 } },
      times: [{ clock: '09:00' }],
      end: { days: 7 },
    });
    expect(made).toMatchObject({ endsOn: '2026-03-16', schedule: { kind: 'CYCLE', days: 7 } });
    const days = ['03-10T09:00', '03-11T09:00', '03-15T09:00', '03-16T09:00'];
    expect(await starts('2026-03-10', '2026-04-10')).toStrictEqual(days);
  });

  it('after the last dose come again once it was taken', async () => {
    const { made } = await create(
      { repeat: { afterDose: { minutes: 480 } } },
      { startTime: '06:00' },
    );
    expect(made.schedule.words).toBe('8 hours after the last dose');
    expect(await alerts()).toStrictEqual(['03-10T06:00']);
    service().at(NOW + 1.5 * HOUR);
    const [event] = await events();
    const answer = (what: string) =>
      service().ask(
        `mutation($id: ID!) { ${what}(input: { occurrenceId: $id }) { event { status } } }`,
        { id: event?.occurrenceId },
      );
    await answer('takeDose');
    expect(await alerts()).toStrictEqual(['03-10T14:30']);
    const shown = (await events()).map(
      ({ startsAt, status }) => `${startsAt.slice(11, 16)} ${status}`,
    );
    expect(shown).toStrictEqual(['06:00 TAKEN', '14:30 UPCOMING']);
    await answer('undoDose');
    expect(await starts('2026-03-10', '2026-03-12')).toStrictEqual(['03-10T06:00']);
    await answer('takeDose');
    expect(await alerts()).toStrictEqual(['03-10T14:30']);
  });

  describe.each([0, 345])('after the last dose, every eight hours, %i ms past a second,', (ms) => {
    const exactly = (text: string) => new Date(Date.parse(text) + ms).toISOString();
    const at = (text: string) => service().at(exactly(text));
    const EVERY = { repeat: { afterDose: { minutes: 480 } } };
    const begin = async () =>
      (await create(EVERY, { startTime: '06:00' })).made.databaseId as number;
    const shown = async (to?: string) =>
      (await events('2026-03-10', to)).map(
        ({ startsAt, status }) => `${startsAt.slice(8, 16)} ${status}`,
      );
    const act = async (what: string, input: object) => {
      const named = mutation(what, '__typename');
      expect((await service().ask(named, { input })).errors).toBeUndefined();
    };
    const take = async (when: string) => {
      const open = (await events()).find(({ status }) => /DUE|MISSED|UPCOMING/.test(status));
      await act('takeDose', { occurrenceId: open?.occurrenceId, at: exactly(when) });
    };
    const undo = async () => {
      const taken = (await events()).filter(({ status }) => status === 'TAKEN');
      await act('undoDose', { occurrenceId: taken.at(-1)?.occurrenceId });
    };

    it('come at once where the dose before is logged too late', async () => {
      await begin();
      at('2026-03-10T14:10:30Z');
      await take('2026-03-10T06:05:00Z');
      expect(await shown()).toStrictEqual(['10T06:00 TAKEN', '10T14:10 DUE']);
      expect(await alerts()).toStrictEqual(['03-10T14:10']);
    });

    it('are known by the occurrence that was answered before its time', async () => {
      await begin();
      at('2026-03-10T06:00:00Z');
      await take('2026-03-10T06:00:00Z');
      at('2026-03-10T13:50:00Z');
      const [{ occurrenceId } = { occurrenceId: '' }] = (await events()).slice(-1);
      const again = (what: string, more: object = {}, key?: string) =>
        service().ask(
          mutation(what, 'event { status startsAt }'),
          { input: { occurrenceId, ...more } },
          { as: 'subscriber', ...(key && { headers: { 'idempotency-key': key } }) },
        );
      const first = await again('takeDose', {}, 'one');
      expect(first.errors).toBeUndefined();
      expect((await again('takeDose', {}, 'one')).data, 'a retry').toStrictEqual(first.data);
      expect(errorCode(await again('takeDose')), 'another device').toBe('ALREADY_TAKEN');
      expect(errorCode(await again('skipDose'))).toBe('ALREADY_TAKEN');
      expect((await again('takeDose', { force: true })).errors).toBeUndefined();
      const doses = await service().database.prisma.dose.count();
      expect(doses).toBe(3);
    });

    it('stand again when one that was taken early is taken back late', async () => {
      await begin();
      at('2026-03-10T06:00:00Z');
      await take('2026-03-10T06:00:00Z');
      at('2026-03-10T13:30:00Z');
      await take('2026-03-10T13:30:00Z');
      expect((await shown()).slice(-1)).toStrictEqual(['10T21:30 UPCOMING']);
      at('2026-03-10T14:10:00Z');
      await undo();
      expect(await shown()).toStrictEqual(['10T06:00 TAKEN', '10T14:00 DUE']);
      expect(await alerts()).toStrictEqual(['03-10T14:00']);
    });

    it('come at their first time again when a dose out of turn is taken back', async () => {
      const id = await begin();
      await act('logDose', { reminderId: id });
      expect((await shown()).slice(-1)).toStrictEqual(['10T13:00 UPCOMING']);
      await undo();
      expect(await shown()).toStrictEqual(['10T06:00 UPCOMING']);
    });

    it('stay due while an older answer is taken back, or a pause is made for later', async () => {
      const id = await begin();
      for (const clock of ['06:05', '14:10']) {
        at(`2026-03-10T${clock}:00Z`);
        await take(`2026-03-10T${clock}:00Z`);
      }
      at('2026-03-10T22:15:00Z');
      const due = ['10T06:00 TAKEN', '10T14:05 TAKEN', '10T22:10 DUE'];
      await act('pauseMedicineReminder', { id, startsOn: '2026-03-13' });
      expect(await shown()).toStrictEqual(due);
      await act('resumeMedicineReminder', { id });
      expect(await shown()).toStrictEqual(due);
      const [first] = await events();
      await act('undoDose', { occurrenceId: first?.occurrenceId });
      expect(await shown()).toStrictEqual(['10T06:00 MISSED', ...due.slice(1)]);
      expect(await alerts()).toStrictEqual(['03-10T22:10']);
    });

    it('stay planned when an answer is sent again, or an older one is taken back', async () => {
      const id = await begin();
      at('2026-03-10T06:00:00Z');
      await take('2026-03-10T06:00:00Z');
      at('2026-03-10T14:00:20Z');
      const next = (await events()).find(({ status }) => status !== 'TAKEN');
      for (let times = 0; times < 2; times++) {
        await act('skipDose', { occurrenceId: next?.occurrenceId });
        expect(await alerts()).toStrictEqual(['03-10T22:00']);
      }
      await act('pauseMedicineReminder', { id, startsOn: '2026-03-13' });
      expect(await alerts()).toStrictEqual(['03-10T22:00']);
      await act('resumeMedicineReminder', { id });
      const [first] = await events();
      await act('undoDose', { occurrenceId: first?.occurrenceId });
      expect(await alerts()).toStrictEqual(['03-10T22:00']);
    });

    it('come at once again when a pause over them ends early', async () => {
      const id = await begin();
      at('2026-03-10T06:00:00Z');
      await take('2026-03-10T06:00:00Z');
      await act('pauseMedicineReminder', { id, startsOn: '2026-03-10', resumesOn: '2026-03-13' });
      expect((await shown('2026-03-15')).slice(1)).toStrictEqual(['13T14:00 UPCOMING']);
      at('2026-03-10T08:00:00Z');
      await act('resumeMedicineReminder', { id });
      expect(await alerts()).toStrictEqual(['03-10T14:00']);
    });

    it('come at a start that is given, whatever was taken before', async () => {
      const id = await begin();
      at('2026-03-10T06:00:00Z');
      await take('2026-03-10T06:00:00Z');
      const start = { startsOn: '2026-03-11', startTime: '09:00' };
      await act('updateMedicineReminder', { id, ...start, schedule: EVERY });
      expect(await alerts()).toStrictEqual(['03-11T09:00']);
      await act('pauseMedicineReminder', { id, startsOn: '2026-03-13' });
      expect(await alerts()).toStrictEqual(['03-11T09:00']);
    });

    it('come at the clock time of their start where that has passed', async () => {
      at('2026-03-10T07:00:00Z');
      await begin();
      expect(await shown('2026-03-12')).toStrictEqual(['11T06:00 UPCOMING']);
    });

    it('count by the new hours when these are edited, and a daily medicine begins to count', async () => {
      const id = await begin();
      at('2026-03-10T06:00:00Z');
      await take('2026-03-10T06:00:00Z');
      const every = (minutes: number) =>
        act('updateMedicineReminder', { id, schedule: { repeat: { afterDose: { minutes } } } });
      await every(600);
      expect(await alerts()).toStrictEqual(['03-10T16:00']);
      await every(240);
      expect(await alerts()).toStrictEqual(['03-10T10:00']);
      const daily = { repeat: { days: {} }, times: [{ clock: '08:00' }] };
      const { made } = await create(daily, { startsOn: '2026-01-10' });
      await act('updateMedicineReminder', { id: made.databaseId, schedule: EVERY });
      expect(await alerts()).toStrictEqual(['03-10T08:00', '03-10T10:00']);
    });
  });

  it('as needed never ring', async () => {
    const repeat = { asNeeded: { mostADay: 4, leastMinutes: 360 } };
    const { made } = await create({ repeat });
    expect(made).toMatchObject({
      status: 'AS_NEEDED',
      schedule: {
        mostADay: 4,
        minutes: 360,
        words: 'as needed, at most 4 a day, at least 6 hours apart',
      },
    });
    expect(await alerts()).toStrictEqual([]);
  });

  it('by meals come at the times of the day of the member', async () => {
    const { made } = await create({
      repeat: { days: {} },
      times: [
        { anchor: { at: 'BREAKFAST', minutes: -30 } },
        { anchor: { at: 'DINNER', minutes: -30 } },
      ],
    });
    expect(made.times).toStrictEqual(['07:30', '19:30']);
    expect(made.schedule.fhirTiming.repeat).toMatchObject({
      when: ['ACM', 'ACV'],
      offset: 30,
      frequency: 2,
      period: 1,
      periodUnit: 'd',
    });
  });

  it('stay in an edit of something else, and give way to a frequency or an end', async () => {
    const { made } = await create({ repeat: { days: { every: 2 } }, end: { count: 3 } });
    const update = async (change: object) =>
      (await service().ask(UPDATE, { input: { id: made.databaseId, ...change } })).data
        .updateMedicineReminder.reminder;
    expect(await update({ name: 'N' })).toMatchObject({
      endsOn: '2026-03-14',
      schedule: { count: 3 },
    });
    expect(await update({ endsOn: '2026-03-20' })).toMatchObject({
      endsOn: '2026-03-20',
      schedule: { every: 2, count: null },
    });
    const shorter = { repeat: { days: { every: 3 } }, end: { count: 2 } };
    expect(await update({ schedule: shorter })).toMatchObject({ endsOn: '2026-03-13' });
    expect(await update({ frequency: 'daily' })).toMatchObject({
      endsOn: null,
      schedule: { kind: 'DAYS', every: 1, count: null },
    });
  });

  it.each([
    ['two kinds', { repeat: { once: true, days: {} } }],
    ['none', { repeat: {} }],
    ['a cycle of 0', { repeat: { cycle: { daysOn: 21, daysOff: 0 } } }],
    ['a fraction', { repeat: { days: { every: 1.5 } } }],
    ['a negative number', { repeat: { interval: { minutes: -60 } } }],
    [
      'the same time twice',
      { repeat: { days: {} }, times: [{ clock: '08:00' }, { clock: '08:00' }] },
    ],
    [
      'times of an interval',
      { repeat: { interval: { minutes: 480 } }, times: [{ clock: '08:00' }] },
    ],
    ['an unknown rule', { repeat: { rrule: 'FREQ=SECONDLY' } }],
    ['two ends', { repeat: { days: {} }, end: { count: 1, days: 1 } }],
    ['day 0', { repeat: { months: { days: [0] } } }],
  ])('with %s are refused', async (_what, schedule) => {
    const { made, errors } = await create(schedule);
    expect(made).toBeUndefined();
    expect(['SCHEDULE_INVALID', 'BAD_USER_INPUT']).toContain(code(errors));
    expect(await service().database.prisma.reminder.count()).toBe(0);
  });

  it('that never come, or end before they begin, are refused', async () => {
    const monday = { repeat: { weeks: { weekdays: ['MONDAY'] } } };
    const never = await create(monday, { endsOn: '2026-03-12' });
    expect(code(never.errors)).toBe('SCHEDULE_NEVER');
    const backwards = await create(monday, { endsOn: '2026-03-09' });
    expect(code(backwards.errors)).toBe('END_BEFORE_START');
    const both = await create(monday, { frequency: 'daily' });
    expect(code(both.errors)).toBe('SCHEDULE_INVALID');
  });
});
