import fc from 'fast-check';
import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { instantAt } from '../../../src/platform/zone.js';
import { makeCarer, makeMedicine } from '../../support/factories.js';
import { type Caller, errorCode, mutation, useService } from '../../support/harness.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** How many histories of pauses are drawn. */
const RUNS = Number(process.env.CLOSENESS_RUNS ?? 5);
const ZONES = [
  'UTC',
  'America/New_York',
  'Asia/Tokyo',
  'Pacific/Pago_Pago',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
];
/** What may happen to a medicine with pauses: days are counted from the day on which it happens. */
const step = fc.oneof(
  fc.record({ pause: fc.integer({ min: 0, max: 9 }), days: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ move: fc.constantFrom(...ZONES) }),
  fc.record({ usual: fc.constantFrom('07:30', '08:00', '19:00') }),
  fc.record({ resume: fc.constant(true) }),
  fc.record({ wait: fc.integer({ min: 1, max: 40 }) }),
);
type Step = {
  pause?: number;
  days?: number;
  move?: string;
  usual?: string;
  resume?: boolean;
  wait?: number;
};
const PAUSE = 'reminder { status pause { startsAt endsAt } }';

describe('A pause of a medicine', () => {
  const service = useService();
  const ask = (what: string, input: object, as: Caller = 'subscriber') =>
    service().ask(mutation(what, PAUSE), { input }, as);
  const pause = async (input: object) =>
    (await ask('pauseMedicineReminder', input)).data.pauseMedicineReminder.reminder;
  const resume = async (id: number) =>
    (await ask('resumeMedicineReminder', { id })).data.resumeMedicineReminder.reminder;
  const events = async (from: string, to = from): Promise<string[]> => {
    const query =
      'query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { events { startsAt status } } }';
    const { calendar } = await service().data(query, { from, to });
    return calendar.events.map(
      ({ startsAt, status }: Record<string, string>) => `${startsAt?.slice(8, 16)} ${status}`,
    );
  };
  const alerts = async () => {
    const rows = await service().database.prisma.reminderAlert.findMany({
      where: { cause: 'due' },
      orderBy: { plannedAt: 'asc' },
    });
    return rows.map(({ plannedAt, state }) => `${plannedAt.toISOString().slice(8, 13)} ${state}`);
  };
  const settings = (input: object) =>
    service().data(mutation('updateCareSettings', '__typename'), { input });
  /** Jobs run every so many hours until an instant. */
  const until = async (end: string, hours = 1) => {
    for (let now = service().now(); now <= Date.parse(end); now += hours * HOUR) {
      service().at(now);
      await planDue(service().app.deps);
      await handOver(service().app.deps);
    }
  };
  const begin = async () => {
    service().at('2026-03-09T07:00:00Z');
    const id = await makeMedicine(service(), { startDate: '2026-03-09T08:00:00' });
    service().at('2026-03-10T09:00:00Z');
    return id;
  };

  it('lasts until its day: nothing comes, rings or is missed in the meantime', async () => {
    const id = await begin();
    expect(await pause({ id, resumesOn: '2026-03-13' })).toStrictEqual({
      status: 'ACTIVE',
      pause: { startsAt: '2026-03-10T09:00:00.000Z', endsAt: '2026-03-13T00:00:00.000Z' },
    });
    expect(await events('2026-03-09', '2026-03-14')).toStrictEqual([
      '09T08:00 MISSED',
      '10T08:00 DUE',
      '13T08:00 UPCOMING',
      '14T08:00 UPCOMING',
    ]);
    await until('2026-03-12T21:00:00Z', 12);
    service().at('2026-03-13T07:00:00Z');
    await until('2026-03-14T09:00:00Z');
    expect((await alerts()).slice(1, 4)).toStrictEqual([
      '10T08 missed',
      '13T08 sent',
      '14T08 sent',
    ]);
    const { adherence } = await service().data(
      '{ adherence(from: "2026-03-09", to: "2026-03-14") { missed } }',
    );
    expect(adherence.missed).toBe(3);
  });

  it('leaves what came before by a schedule of its own', async () => {
    service().at('2026-04-29T09:00:00Z');
    const made = await service().data(
      mutation('createMedicineReminder', 'reminder { databaseId }'),
      {
        input: {
          name: 'Cholecalciferol',
          startsOn: '2026-04-29',
          schedule: { repeat: { months: { every: 1, days: [31] } }, times: [{ clock: '08:00' }] },
        },
      },
    );
    const id = made.createMedicineReminder.reminder.databaseId;
    service().at('2026-05-02T09:00:00Z');
    await pause({ id, resumesOn: '2026-05-10' });
    expect(await events('2026-04-28', '2026-06-01')).toStrictEqual([
      '30T08:00 MISSED',
      '31T08:00 UPCOMING',
    ]);
  });

  it('lasts until somebody resumes it, and then the medicine comes by its clock times', async () => {
    const id = await begin();
    expect((await pause({ id })).status).toBe('PAUSED');
    await until('2026-03-20T09:00:00Z', 12);
    expect(await events('2026-03-11', '2026-03-25')).toStrictEqual([]);
    expect(await resume(id)).toStrictEqual({ status: 'ACTIVE', pause: null });
    expect(await events('2026-03-11', '2026-03-22')).toStrictEqual([
      '21T08:00 UPCOMING',
      '22T08:00 UPCOMING',
    ]);
    await until('2026-03-21T09:00:00Z');
    expect((await alerts()).filter((line) => line.endsWith('sent'))).toStrictEqual(['21T08 sent']);
  });

  it('that is to come leaves what comes before it, and is taken back', async () => {
    const id = await begin();
    await pause({ id, startsOn: '2026-03-12', resumesOn: '2026-03-14' });
    const paused = ['10T08:00 DUE', '11T08:00 UPCOMING', '14T08:00 UPCOMING', '15T08:00 UPCOMING'];
    expect(await events('2026-03-10', '2026-03-15')).toStrictEqual(paused);
    await pause({ id, startsOn: '2026-03-15', resumesOn: '2026-03-16' });
    expect(await events('2026-03-10', '2026-03-15')).toStrictEqual(paused.slice(0, 3));
    expect((await resume(id)).pause.startsAt).toBe('2026-03-15T00:00:00.000Z');
    expect(await events('2026-03-12', '2026-03-16')).toStrictEqual([
      '12T08:00 UPCOMING',
      '13T08:00 UPCOMING',
      '14T08:00 UPCOMING',
      '16T08:00 UPCOMING',
    ]);
  });

  it('stays when the medicine is edited, and when the member moves', async () => {
    const id = await begin();
    await pause({ id, resumesOn: '2026-03-13' });
    await service().data(mutation('updateMedicineReminder', '__typename'), {
      input: { id, startTime: '10:00' },
    });
    expect(await events('2026-03-11', '2026-03-13')).toStrictEqual(['13T10:00 UPCOMING']);
    await service().data(mutation('updateCareSettings', '__typename'), {
      input: { timeZone: 'Asia/Tokyo' },
    });
    expect(await events('2026-03-11', '2026-03-13')).toStrictEqual(['13T01:00 UPCOMING']);
    await until('2026-03-12T23:00:00Z', 12);
    expect((await alerts()).filter((line) => line > '10T09' && line < '13')).toStrictEqual([]);
  });

  it('that lasts until somebody resumes it stays through moves and edits', async () => {
    const id = await begin();
    await pause({ id });
    for (const timeZone of ['Asia/Tokyo', 'America/Los_Angeles', 'Pacific/Kiritimati', 'UTC']) {
      await service().data(mutation('updateCareSettings', '__typename'), { input: { timeZone } });
      expect(await events('2026-03-11', '2026-03-20')).toStrictEqual([]);
    }
    await service().data(mutation('updateMedicineReminder', '__typename'), {
      input: { id, startTime: '10:00' },
    });
    expect(await events('2026-03-11', '2026-03-20')).toStrictEqual([]);
    await resume(id);
    expect(await events('2026-03-11', '2026-03-11')).toStrictEqual(['11T10:00 UPCOMING']);
  });

  it('that is to come lets a move to another zone count before it too', async () => {
    const id = await begin();
    await pause({ id, startsOn: '2026-03-14', resumesOn: '2026-03-16' });
    await settings({ timeZone: 'America/New_York' });
    const inNewYork = ['11T12:00', '12T12:00', '13T12:00', '16T12:00', '17T12:00'];
    const coming = async () =>
      (await events('2026-03-11', '2026-03-17')).map((event) => event.slice(0, 8));
    expect(await coming()).toStrictEqual(inNewYork);
    await until('2026-03-12T00:00:00Z', 3);
    expect((await alerts()).slice(1, 3)).toStrictEqual(['10T08 missed', '11T12 sent']);
    await resume(id);
    expect(await coming()).toStrictEqual([
      ...inNewYork.slice(0, 3),
      '14T12:00',
      '15T12:00',
      ...inNewYork.slice(3),
    ]);
  });

  it('that is to come, or was taken back, moves with the usual times of the member', async () => {
    service().at('2026-03-09T07:00:00Z');
    const id = await makeMedicine(service(), {
      frequencyType: '2_times_a_day',
      startDate: '2026-03-09',
    });
    const coming = async () =>
      (await events('2026-03-10', '2026-03-13')).map((event) => event.slice(0, 8));
    await pause({ id, startsOn: '2026-03-12', resumesOn: '2026-03-13' });
    await settings({ usualTimes: [{ times: ['09:00', '21:00'] }] });
    const late = ['10T09:00', '10T21:00', '11T09:00', '11T21:00', '13T09:00', '13T21:00'];
    expect(await coming()).toStrictEqual(late);
    await resume(id);
    await settings({ usualTimes: [{ times: ['07:00', '19:00'] }] });
    expect(await coming()).toStrictEqual([
      ...['10T07:00', '10T19:00', '11T07:00', '11T19:00'],
      ...['12T07:00', '12T19:00', '13T07:00', '13T19:00'],
    ]);
  });

  it('ends with the midnight of where the member is, also of hours that elapse', async () => {
    await settings({ timeZone: 'America/New_York' });
    service().at('2026-03-09T11:00:00Z');
    const daily = await makeMedicine(service(), { startDate: '2026-03-09T08:00:00' });
    const hourly = await makeMedicine(service(), {
      name: 'Ibuprofen',
      frequencyType: 'every_6_hours',
      startDate: '2026-03-09T08:00:00',
    });
    service().at('2026-03-10T13:00:00Z');
    for (const id of [daily, hourly]) await pause({ id, resumesOn: '2026-03-13' });
    await settings({ timeZone: 'Asia/Tokyo' });
    expect(await events('2026-03-11', '2026-03-13')).toStrictEqual([
      '12T18:00 UPCOMING',
      '12T23:00 UPCOMING',
      '13T00:00 UPCOMING',
      '13T06:00 UPCOMING',
      '13T12:00 UPCOMING',
    ]);
  });

  it('of a medicine that counts from the last dose ends with its clock time, and at once when it is resumed', async () => {
    service().at('2026-03-10T05:00:00Z');
    const made = await service().data(
      mutation('createMedicineReminder', 'reminder { databaseId }'),
      {
        input: {
          name: 'Paracetamol',
          startsOn: '2026-03-10',
          startTime: '06:00',
          schedule: { repeat: { afterDose: { minutes: 480 } } },
        },
      },
    );
    const id = made.createMedicineReminder.reminder.databaseId;
    const pauseIt = () => pause({ id, startsOn: '2026-03-10', resumesOn: '2026-03-13' });
    const coming = () => events('2026-03-10', '2026-03-14');
    await pauseIt();
    expect(await coming()).toStrictEqual(['13T06:00 UPCOMING']);
    await resume(id);
    expect(await coming(), 'without a dose at its start').toStrictEqual(['10T06:00 UPCOMING']);
    service().at('2026-03-10T07:00:00Z');
    await service().data(mutation('logDose', '__typename'), { input: { reminderId: id } });
    const ahead = async () => (await coming()).filter((event) => event.endsWith('UPCOMING'));
    expect(await ahead()).toStrictEqual(['10T15:00 UPCOMING']);
    await pauseIt();
    expect(await ahead()).toStrictEqual(['13T15:00 UPCOMING']);
    service().at('2026-03-10T18:00:00Z');
    await resume(id);
    expect((await coming()).slice(-1)).toStrictEqual(['10T18:00 DUE']);
    await pause({ id });
    service().at('2026-03-11T20:00:00Z');
    await resume(id);
    expect((await coming()).slice(-1)).toStrictEqual(['11T20:00 DUE']);
  });

  it('of a medicine that counts from the last dose ends with its clock time where the member is', async () => {
    await settings({ timeZone: 'Europe/Berlin' });
    service().at('2026-03-09T18:00:00Z');
    const made = await service().data(
      mutation('createMedicineReminder', 'reminder { databaseId }'),
      { input: { name: 'M', schedule: { repeat: { afterDose: { minutes: 480 } } } } },
    );
    const id = made.createMedicineReminder.reminder.databaseId;
    await service().data(mutation('logDose', '__typename'), { input: { reminderId: id } });
    const ahead = async () =>
      (await events('2026-03-10', '2026-03-14')).filter((event) => event.endsWith('UPCOMING'));
    expect(await ahead()).toStrictEqual(['10T02:00 UPCOMING']);
    await pause({ id, startsOn: '2026-03-09', resumesOn: '2026-03-13' });
    expect(await ahead()).toStrictEqual(['13T02:00 UPCOMING']);
    await settings({ timeZone: 'America/New_York' });
    expect(await ahead()).toStrictEqual(['13T07:00 UPCOMING']);
  });

  it('takes out its days, and nothing else, by the clocks and times of the member, whatever happens', async () => {
    const history = async (steps: readonly Step[]) => {
      await service().clean();
      service().at('2026-03-09T07:00:00Z');
      await settings({ timeZone: 'UTC' });
      const id = await makeMedicine(service(), { startDate: '2026-03-09' });
      let [zone, usual] = ['UTC', '08:00'];
      let pauses: [from: string, to: string][] = [];
      const today = (days = 0) => {
        const date = new Date(service().now()).toLocaleDateString('en-CA', { timeZone: zone });
        return new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
      };
      for (const { pause: from, days = 1, move, usual: time, resume, wait } of steps) {
        if (wait) service().at(service().now() + wait * HOUR);
        await planDue(service().app.deps);
        await handOver(service().app.deps);
        if (from !== undefined) {
          const span: [string, string] = [today(from), today(from + days)];
          const [startsOn, resumesOn] = span;
          const answer = await ask('pauseMedicineReminder', { id, startsOn, resumesOn });
          if (!answer.errors) pauses = [...pauses, span].sort();
        }
        [zone, usual] = [move ?? zone, time ?? usual];
        if (move) await settings({ timeZone: move });
        if (time) await settings({ usualTimes: [{ times: [time] }] });
        if (resume && !errorCode(await ask('resumeMedicineReminder', { id }))) {
          const next = pauses.findIndex(([, to]) => to > today());
          pauses = pauses.filter((_, i) => i !== next);
        }
      }
      const coming = (await events(today(2), today(14))).map((event) => event.slice(0, 8));
      const expected = Array.from({ length: 13 }, (_, i) => today(i + 2))
        .filter((day) => !pauses.some(([from, to]) => from <= day && day < to))
        .map((day) => {
          const at = instantAt(Date.parse(`${day}T${usual}:00Z`), zone);
          return new Date(at).toISOString().slice(8, 16);
        });
      expect(coming).toStrictEqual(expected);
    };
    const steps = fc.array(step, { minLength: 2, maxLength: 8 });
    await fc.assert(fc.asyncProperty(steps, history), { numRuns: RUNS });
  });

  it('is refused where it overlaps another, ends before it begins, or has nothing to pause', async () => {
    const id = await begin();
    const refused = async (input: object, what = 'pauseMedicineReminder') =>
      errorCode(await ask(what, { id, ...input }));
    expect(await refused({}, 'resumeMedicineReminder')).toBe('NOT_PAUSED');
    expect(await refused({ startsOn: '2026-03-09' })).toBe('PAUSE_INVALID');
    expect(await refused({ resumesOn: '2026-03-10' })).toBe('PAUSE_INVALID');
    expect(await refused({ startsOn: '2026-03-12', resumesOn: '2026-03-12' })).toBe(
      'PAUSE_INVALID',
    );
    await pause({ id, startsOn: '2026-03-12', resumesOn: '2026-03-14' });
    expect(await refused({ version: 1, resumesOn: '2026-03-11' })).toBe('CONFLICT');
    for (const input of [
      {},
      { resumesOn: '2026-03-13' },
      { startsOn: '2026-03-13', resumesOn: '2026-03-20' },
      { startsOn: '2026-03-11' },
      { startsOn: '2026-03-12', resumesOn: '2026-03-14' },
    ])
      expect(await refused(input)).toBe('PAUSE_OVERLAPS');
    expect(await refused({ resumesOn: '2026-03-12' })).toBeUndefined();
    const needed = await makeMedicine(service(), { frequencyType: 'as_needed' });
    expect(await refused({ id: needed })).toBe('UNSCHEDULED');
  });

  it('is for the member and who may edit', async () => {
    const id = await begin();
    const { id: carerId } = await service().account('subscriber', 'anna');
    const { id: memberId } = await service().account('subscriber');
    const by = async (as: Caller) => errorCode(await ask('pauseMedicineReminder', { id }, as));
    expect(await by('anonymous')).toBe('UNAUTHENTICATED');
    expect(await by('anna' as Caller)).toBe('REMINDER_NOT_FOUND');
    await makeCarer(service(), { memberId, carerId, right: 'answer' });
    expect(await by('anna' as Caller)).toBe('FORBIDDEN');
  });
});
