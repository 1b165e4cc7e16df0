import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { followZoneData } from '../../../src/domains/reminders/setting/zone-data.service.js';
import { zoneVersion } from '../../../src/platform/zone.js';
import { postAppointment, postMedicine } from '../../support/factories.js';
import { Failures } from '../../support/failures.js';
import { useService } from '../../support/harness.js';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-10T07:30:00Z');

describe('The planning of occurrences', () => {
  const service = useService();
  const B = { edition: 'B', as: 'subscriber' } as const;
  const edit = (id: number, body: object, noun = 'medicine') =>
    service().rest('POST', `/v1/${noun}_reminder/${id}`, { ...B, body });
  const rows = async (where = {}) => {
    const all = await service().database.prisma.reminderAlert.findMany({
      where,
      orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
    });
    return all.map(({ dueAt, state }) => `${dueAt.toISOString().slice(0, 16)} ${state}`);
  };
  const settle = (before: number, state = 'sent') =>
    service().database.prisma.reminderAlert.updateMany({
      where: { dueAt: { lte: new Date(before) } },
      data: { state },
    });
  const plan = () => planDue(service().app.deps);
  /** Puts off what comes next of a reminder. */
  const snooze = async (reminderId: number) => {
    const query = '{ calendar { events { id reminder { databaseId } } } }';
    const { events } = (await service().graphql(query, {}, { as: 'subscriber' })).body.data
      .calendar;
    const { id } = events.find(
      ({ reminder }: { reminder: { databaseId: number } }) => reminder.databaseId === reminderId,
    );
    const { body } = await service().graphql(
      'mutation($id: ID!) { snoozeDose(input: { occurrenceId: $id }) { event { snoozedUntil } } }',
      { id },
      { as: 'subscriber' },
    );
    expect(body.data.snoozeDose.event.snoozedUntil).toBeTruthy();
  };

  it('makes the rows of the next 48 hours at once, with the local time', async () => {
    service().at(NOW);
    await postMedicine(
      service(),
      { frequency_type: '2_times_a_day', start_date: '2026-03-01' },
      { headers: { 'time-zone': 'Europe/Berlin' } },
    );
    expect(await rows()).toStrictEqual([
      '2026-03-10T19:00 planned',
      '2026-03-11T07:00 planned',
      '2026-03-11T19:00 planned',
      '2026-03-12T07:00 planned',
    ]);
    const first = await service().database.prisma.reminderAlert.findFirstOrThrow();
    expect(first.localTime).toBe('2026-03-10T20:00:00');
    expect(first.accountId).toBe((await service().account('subscriber')).id);
    expect(first.cause).toBe('due');
  });

  it('goes on rolling: every occurrence of three weeks is a row before its time, exactly once', async () => {
    service().at(Date.parse('2026-03-20T00:00:00Z'));
    const headers = { 'time-zone': 'Europe/Berlin' };
    await postMedicine(service(), { start_date: '2026-03-01T02:30:00' }, { headers });
    await postMedicine(
      service(),
      { frequency_type: 'every_5_hours', start_date: '2026-03-20T00:00:00' },
      { headers },
    );
    await postMedicine(
      service(),
      { frequency_type: 'FREQ=WEEKLY;BYDAY=SU', start_date: '2026-03-20T08:00:00' },
      { headers },
    );
    for (
      let now = Date.parse('2026-03-20T00:00:00Z');
      now < Date.parse('2026-04-10T00:00:00Z');
      now += 12 * HOUR
    ) {
      service().at(now);
      await Promise.all([plan(), plan()]);
      const due = await service().database.prisma.reminderAlert.count({
        where: { dueAt: { gte: new Date(now), lt: new Date(now + 36 * HOUR) } },
      });
      expect(due, `${due} rows ahead`).toBeGreaterThanOrEqual(1 + 7);
    }
    const all = await service().database.prisma.reminderAlert.findMany({
      where: { dueAt: { lt: new Date('2026-04-10T00:00:00Z') } },
    });
    const each = [1, 2, 3].map((id) => all.filter(({ reminderId }) => reminderId === id));
    expect(each[0]?.length, 'once a day, also on the day whose 02:30 is left out').toBe(21);
    expect(each[1]?.length, 'elapsed hours, from 04:00 UTC on').toBe(Math.ceil((21 * 24 - 4) / 5));
    expect(each[2]?.length).toBe(3);
    expect(
      new Set(all.map(({ reminderId, dueAt }) => `${reminderId} ${dueAt.getTime()}`)).size,
    ).toBe(all.length);
  });

  it('looks at a reminder only when its next occurrence comes near', async () => {
    service().at(NOW);
    await postMedicine(service(), { frequency_type: 'yearly', start_date: '2020-06-01T08:00:00' });
    const row = await service().database.prisma.reminder.findFirstOrThrow();
    const ahead = Date.parse('2026-06-01T08:00:00Z') - (row.planAt?.getTime() ?? 0);
    expect(36 * HOUR < ahead && ahead <= 48 * HOUR, row.planAt?.toISOString()).toBe(true);
    expect(await plan()).toBe(0);
    await postMedicine(service(), { frequency_type: 'once', start_date: '2020-06-01T08:00:00' });
    await postMedicine(service(), { frequency_type: 'as_needed' });
    expect(
      await service().database.prisma.reminder.count({ where: { planAt: null } }),
      'what never comes again is not looked at',
    ).toBe(2);
    expect(await rows()).toStrictEqual([]);
  });

  it('looks at reminders that come at one moment at different times, all of them 36 to 48 hours ahead', async () => {
    service().at(NOW);
    for (let i = 0; i < 40; i++)
      await postMedicine(service(), {
        name: `${i}`,
        frequency_type: 'weekly',
        start_date: '2026-03-20T08:00:00',
      });
    const due = Date.parse('2026-03-20T08:00:00Z');
    const made = [];
    for (let hours = 49; hours >= 36; hours--) {
      service().at(due - hours * HOUR);
      made.push(await plan());
    }
    expect(made[0]).toBe(0);
    expect(made.reduce((sum, count) => sum + count)).toBe(40);
    expect(Math.max(...made), `${made} at each hour`).toBeLessThanOrEqual(10);
  });

  it('makes up for a standstill of a day, and not for more', async () => {
    service().at(NOW);
    await postMedicine(service(), { start_date: '2026-03-01T08:00:00' });
    service().at(NOW + 10 * DAY);
    await plan();
    expect(await rows({ dueAt: { gt: new Date(NOW + 3 * DAY) } })).toStrictEqual([
      '2026-03-19T08:00 planned',
      '2026-03-20T08:00 planned',
      '2026-03-21T08:00 planned',
    ]);
  });

  it('fires for an appointment ahead of its time, at once when that has passed, and not after it began', async () => {
    service().at(NOW);
    await postAppointment(service(), {
      title: 'a',
      date_time: '2026-03-11T10:00:00Z',
      remind_before: '2h',
    });
    await postAppointment(service(), {
      title: 'b',
      date_time: '2026-03-10T08:00:00Z',
      remind_before: '2h',
    });
    await postAppointment(service(), {
      title: 'c',
      date_time: '2026-03-10T07:00:00Z',
      remind_before: '2h',
    });
    await postAppointment(service(), {
      title: 'd',
      date_time: '2026-03-20T10:00:00Z',
      remind_before: '1d',
    });
    await postAppointment(service(), { title: 'e' });
    await postAppointment(service(), {
      title: 'f',
      date_time: new Date(NOW).toISOString(),
      remind_before: '1d',
    });
    expect(await rows()).toStrictEqual([
      '2026-03-10T07:30 planned',
      '2026-03-10T07:30 planned',
      '2026-03-11T08:00 planned',
    ]);
    service().at(Date.parse('2026-03-18T00:00:00Z'));
    await plan();
    expect((await rows()).at(-1)).toBe('2026-03-19T10:00 planned');
  });

  it('is done anew by an edit for what is to come, and leaves what is past or went out', async () => {
    service().at(NOW);
    const { id } = await postMedicine(service(), {
      name: 'x',
      frequency_type: '4_times_a_day',
      start_date: '2026-03-01',
    });
    await service().database.prisma.reminderAlert.updateMany({
      where: { dueAt: new Date('2026-03-10T08:00:00Z') },
      data: { state: 'sent' },
    });
    await service().database.prisma.reminderAlert.updateMany({
      where: { dueAt: new Date('2026-03-10T12:00:00Z') },
      data: { state: 'late' },
    });
    service().at(Date.parse('2026-03-10T11:59:00Z'));
    await edit(id, { frequency_type: 'daily', start_date: '2026-03-01T12:00:00' });
    expect(await rows()).toStrictEqual(
      [
        '2026-03-10T08:00 sent',
        '2026-03-10T12:00 late',
        '2026-03-11T12:00 planned',
        '2026-03-12T11:59 planned',
      ].slice(0, 3),
    );
    const events = await service().rest('GET', '/v1/all_events', {
      ...B,
      query: 'date_from=2026-03-09&date_to=2026-03-11',
    });
    expect(
      events.body.map((event: { date_time: string }) => event.date_time.slice(5, 16)),
      'what came before the edit stays on the calendar',
    ).toStrictEqual([
      '03-09T08:00',
      '03-09T12:00',
      '03-09T16:00',
      '03-09T20:00',
      '03-10T08:00',
      '03-10T12:00',
      '03-11T12:00',
    ]);
  });

  it('is left alone by an edit of words alone', async () => {
    service().at(NOW);
    const { id } = await postMedicine(service(), { start_date: '2026-03-01T08:00:00' });
    const before = await service().database.prisma.reminderAlert.findMany();
    await edit(id, { name: 'y', description: 'z' });
    expect(await service().database.prisma.reminderAlert.findMany()).toStrictEqual(before);
    expect(await service().database.prisma.pastPlan.count()).toBe(0);
  });

  it('ends with the reminder', async () => {
    service().at(NOW);
    const { id } = await postMedicine(service(), { start_date: '2026-03-01T08:00:00' });
    await settle(Date.parse('2026-03-10T08:00:00Z'));
    await service().rest('DELETE', `/v1/medicine_reminder/${id}`, B);
    expect(await rows()).toStrictEqual(['2026-03-10T08:00 sent']);
    service().at(NOW + 3 * DAY);
    expect(await plan()).toBe(0);
  });

  it('follows the account to another zone: what is to come moves, what has come stays, nothing twice and nothing lost', async () => {
    const moves = [
      // Westward at 10:00: the dose of 08:00 was taken; 08:00 comes again in New York that day, and
      // must not fire.
      [
        'Europe/Berlin',
        '2026-03-10T09:00:00Z',
        'America/New_York',
        ['2026-03-10T07:00', '2026-03-11T12:00'],
      ],
      // Eastward at 03:00: 08:00 has passed in Berlin already; the dose of the day keeps its old
      // instant.
      [
        'America/New_York',
        '2026-03-10T07:00:00Z',
        'Europe/Berlin',
        ['2026-03-10T12:00', '2026-03-11T07:00'],
      ],
      // Eastward at 01:00: 08:00 is still to come in Berlin.
      [
        'America/New_York',
        '2026-03-10T05:00:00Z',
        'Europe/Berlin',
        ['2026-03-10T07:00', '2026-03-11T07:00'],
      ],
    ] as const;
    for (const [from, moment, to, expected] of moves) {
      await service().clean();
      service().at(Date.parse('2026-03-09T18:00:00Z'));
      const create = { headers: { 'time-zone': from } };
      await postMedicine(service(), { start_date: '2026-03-01T08:00:00' }, create);
      await postMedicine(
        service(),
        { frequency_type: 'every_12_hours', start_date: '2026-03-09T20:00:00Z' },
        create,
      );
      await settle(Date.parse(moment));
      service().at(Date.parse(moment));
      await postMedicine(
        service(),
        { frequency_type: 'as_needed' },
        { headers: { 'time-zone': to } },
      );
      const daily = await rows({
        reminderId: 1,
        dueAt: { gt: new Date('2026-03-10T00:00:00Z'), lt: new Date('2026-03-12T00:00:00Z') },
      });
      expect(
        daily.map((row) => row.slice(0, 16)),
        `${from} to ${to}`,
      ).toStrictEqual(expected);
      const elapsed = await rows({
        reminderId: 2,
        dueAt: { lt: new Date('2026-03-11T00:00:00Z') },
      });
      expect(
        elapsed.map((row) => row.slice(11, 16)),
        'elapsed time does not move',
      ).toStrictEqual(['20:00', '08:00', '20:00']);
      const events = await service().rest('GET', '/v1/all_events', {
        ...B,
        headers: { 'time-zone': to },
        query: 'date_from=2026-03-09T22:00:00Z&date_to=2026-03-11T22:00:00Z',
      });
      const shown = events.body.filter((event: { reminder_id: number }) => event.reminder_id === 1);
      expect(
        shown.map((event: { date_time: string }) =>
          new Date(event.date_time).toISOString().slice(0, 16),
        ),
        'the calendar says the same',
      ).toStrictEqual(expected);
    }
  });

  it('leaves an appointment that was given with an offset at its instant', async () => {
    service().at(NOW);
    await postAppointment(service(), { date_time: '2026-03-11T15:00:00+01:00' });
    await postAppointment(service(), { date_time: '2026-03-11T15:00:00' });
    await postMedicine(
      service(),
      { frequency_type: 'as_needed' },
      { headers: { 'time-zone': 'America/New_York' } },
    );
    expect(await rows()).toStrictEqual(['2026-03-11T14:00 planned', '2026-03-11T19:00 planned']);
    const { body } = await service().rest('GET', '/v1/appointment_reminder/1', B);
    expect([body.time_zone, body.next_occurrence]).toStrictEqual([
      'America/New_York',
      '2026-03-11T10:00:00-04:00',
    ]);
  });

  it('takes the same statements for one reminder and for many that move', async () => {
    service().at(NOW);
    const move = (zone: string) =>
      service().statements(() =>
        postMedicine(
          service(),
          { frequency_type: 'as_needed' },
          { headers: { 'time-zone': zone } },
        ),
      );
    await postMedicine(service(), { start_date: '2026-03-01' });
    await move('Asia/Tokyo');
    service().at(NOW + DAY);
    const one = await move('Europe/Berlin');
    for (let i = 0; i < 10; i++) await postMedicine(service(), { start_date: '2026-03-01' });
    service().at(NOW + 2 * DAY);
    expect(await move('Asia/Tokyo')).toBe(one);
  });

  it('by several planners at once makes each row once, and takes batches', async () => {
    service().at(NOW);
    await postMedicine(service(), { frequency_type: 'hourly', start_date: '2026-03-01T00:00:00' });
    const { prisma } = service().database;
    const { id: _, ...row } = await prisma.reminder.findFirstOrThrow();
    await prisma.reminder.createMany({ data: Array.from({ length: 449 }, () => row) });
    service().at(NOW + DAY);
    const made = await Promise.all([plan(), plan(), plan()]);
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(
      (await prisma.reminderAlert.count()) - 48,
    );
    const [{ twice } = { twice: -1 }] = await prisma.$queryRawUnsafe<{ twice: number }[]>(
      'SELECT count(*)::int AS twice FROM (SELECT 1 FROM reminder_alert GROUP BY reminder_id, ' +
        'planned_at HAVING count(*) > 1) x',
    );
    expect(twice).toBe(0);
    expect(await prisma.reminder.count({ where: { planAt: { lte: new Date(NOW + DAY) } } })).toBe(
      0,
    );
  });

  it('follows new time zone data: what would come an hour off is planned anew, clock times and named instants stay', async () => {
    const { prisma } = service().database;
    service().at(NOW);
    const headers = { 'time-zone': 'Europe/Berlin' };
    const { id: daily } = await postMedicine(
      service(),
      { start_date: '2026-03-01T20:00:00' },
      { headers },
    );
    const { id: other } = await postMedicine(
      service(),
      { start_date: '2026-03-01T21:00:00' },
      { headers },
    );
    const { id: visit } = await postAppointment(service(), {
      date_time: '2026-06-01T10:00:00+02:00',
    });
    const { id: lost } = await postMedicine(service());
    const expected = await rows({ reminderId: daily });
    expect(await followZoneData(service().app.deps)).toBe(0);
    const { zoneData } = await prisma.site.findFirstOrThrow();
    expect(zoneData).toBe(zoneVersion());

    // As if all this had been planned by other rules.
    await prisma.$executeRaw`UPDATE reminder_alert SET planned_at = planned_at + interval '1 hour', due_at = due_at + interval '1 hour'
      WHERE reminder_id = ${daily}`;
    await prisma.reminder.update({
      where: { id: visit },
      data: { startLocal: '2026-06-01T09:00:00' },
    });
    await snooze(other);
    await prisma.reminder.update({ where: { id: lost }, data: { zone: 'Mars/Olympus' } });
    const snoozed = await rows({ reminderId: other });
    expect(await followZoneData(service().app.deps), 'the version is known').toBe(0);
    await prisma.site.updateMany({ data: { zoneData: '2001a' } });
    const feed = async () =>
      (
        await prisma.feed.findUnique({
          where: { name: `calendar:${(await service().account('subscriber')).id}` },
        })
      )?.version;
    const before = await feed();
    expect(await followZoneData(service().app.deps)).toBe(2);
    expect(await feed(), 'who watches the calendar hears of it').toBe((before ?? 0) + 1);
    expect(await rows({ reminderId: daily })).toStrictEqual(expected);
    expect(await rows({ reminderId: other }), 'what did not move is left alone').toStrictEqual(
      snoozed,
    );
    const { startLocal } = await prisma.reminder.findUniqueOrThrow({ where: { id: visit } });
    expect(startLocal).toBe('2026-06-01T10:00:00');
    expect(await followZoneData(service().app.deps)).toBe(0);
  });

  it('is left by a process with older time zone data to others, and done when none of them has in 12 hours', async () => {
    service().at(NOW);
    await postMedicine(service(), { frequency_type: '2_times_a_day', start_date: '2026-03-01' });
    await followZoneData(service().app.deps);
    const due =
      (await service().database.prisma.reminder.findFirstOrThrow()).planAt?.getTime() ?? 0;
    service().at(due + 12 * HOUR - 1);
    expect(await planDue(service().app.deps, { version: '2001a' })).toBe(0);
    service().at(due + 12 * HOUR);
    const { plannedUntil } = await service().database.prisma.reminder.findFirstOrThrow();
    expect(plannedUntil?.getTime() ?? 0, 'nothing that was due is missing').toBeGreaterThanOrEqual(
      due + 36 * HOUR,
    );
    expect(await planDue(service().app.deps, { version: '2001a' })).toBeGreaterThan(0);
    service().at(due + 2 * DAY);
    expect(await plan(), 'who has the data does it at once').toBeGreaterThan(0);
  });

  it('begins nothing when the process is about to end', async () => {
    service().at(NOW);
    await postMedicine(service(), { frequency_type: '2_times_a_day', start_date: '2026-03-01' });
    service().at(NOW + 2 * DAY);
    expect(await planDue(service().app.deps, { stopping: AbortSignal.abort() })).toBe(0);
    expect(await plan()).toBeGreaterThan(0);
  });

  describe('of a reminder that cannot be planned', () => {
    const failures = new Failures('plan');
    const planned = (reminderId: number) =>
      service().database.prisma.reminderAlert.count({
        where: { reminderId, dueAt: { gt: new Date(NOW + 2 * DAY) } },
      });
    /**
     * As many reminders as two batches are, one of which is in a zone that is unknown since; a day
     * later.
     */
    const spoil = async (zone = 'Mars/Olympus') => {
      service().at(NOW);
      await postMedicine(service(), {
        name: 'Aspirin',
        frequency_type: '2_times_a_day',
        start_date: '2026-03-01',
      });
      const { prisma } = service().database;
      const { id: _, ...row } = await prisma.reminder.findFirstOrThrow();
      await prisma.reminder.createMany({ data: Array.from({ length: 400 }, () => row) });
      await prisma.reminder.update({ where: { id: 123 }, data: { zone } });
      service().at(NOW + DAY);
      await failures.begin();
    };
    const planWith = () => planDue({ ...service().app.deps, log: failures.log });

    it('goes on for all others at once, in the same run', async () => {
      await spoil();
      expect(await planWith()).toBe(400 * 2);
      expect([await planned(122), await planned(123), await planned(124)]).toStrictEqual([2, 0, 2]);
    });

    it('is logged by its id alone, and counted', async () => {
      await spoil();
      await planWith();
      expect(failures.ids()).toStrictEqual([123]);
      expect(failures.text).not.toMatch(/Aspirin|Mars/i);
      expect(await failures.counted()).toBe(1);
    });

    it('comes again after some minutes and not before, and is done when its cause is mended', async () => {
      await spoil();
      await planWith();
      service().at(NOW + DAY + 9 * MINUTE);
      await planWith();
      expect(failures.ids()).toStrictEqual([123]);
      service().at(NOW + DAY + 10 * MINUTE);
      await planWith();
      expect(failures.ids()).toStrictEqual([123, 123]);
      await service().database.prisma.reminder.update({
        where: { id: 123 },
        data: { zone: 'UTC' },
      });
      service().at(NOW + DAY + 20 * MINUTE);
      expect(await planWith()).toBe(2);
      expect(await planned(123)).toBe(2);
    });

    it('goes on whatever is the matter, also with several of them and several planners', async () => {
      await spoil('UTC');
      const { prisma } = service().database;
      await prisma.$executeRawUnsafe(`
        CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.reminder_id % 100 = 7 THEN RAISE 'No row for %.', NEW.reminder_id; END IF; RETURN NEW; END $$`);
      await prisma.$executeRawUnsafe(
        'CREATE TRIGGER spoil BEFORE INSERT ON reminder_alert FOR EACH ROW EXECUTE FUNCTION ' +
          'spoil()',
      );
      try {
        const made = await Promise.all([planWith(), planWith()]);
        expect((made[0] ?? 0) + (made[1] ?? 0)).toBe(397 * 2);
        expect(new Set(failures.ids())).toStrictEqual(new Set([7, 107, 207, 307]));
      } finally {
        await prisma.$executeRawUnsafe('DROP FUNCTION spoil CASCADE');
      }
    });

    it('costs nothing while there is none: the same statements for one as for many', async () => {
      service().at(NOW);
      await postMedicine(service(), { start_date: '2026-03-01' });
      service().at(NOW + DAY);
      const one = await service().statements(plan);
      const { prisma } = service().database;
      const { id: _, ...row } = await prisma.reminder.findFirstOrThrow();
      await prisma.reminder.createMany({ data: Array.from({ length: 50 }, () => row) });
      service().at(NOW + 2 * DAY);
      expect(await service().statements(plan)).toBe(one);
    });
  });
});
