import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { makeCarer, makeMedicine } from '../../support/factories.js';
import { type Caller, errorCode, mutation, useService } from '../../support/harness.js';

const HOUR = 60 * 60_000;
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
