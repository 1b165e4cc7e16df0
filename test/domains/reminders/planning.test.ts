import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planDue } from '../../../src/domains/reminders/occurrence.service.js';
import { type Sending, useService } from '../../support/harness.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-10T07:30:00Z');

describe('The planning of occurrences', () => {
  const service = useService();
  const B = { edition: 'B', as: 'subscriber' } as const;
  const at = (now: number) => {
    service().now = () => now;
  };
  const medicine = async (body: object, more: Sending = {}) =>
    (await service().rest('POST', '/v1/medicine_reminder', { ...B, body, ...more })).body as { id: number };
  const appointment = async (body: object) =>
    (await service().rest('POST', '/v1/appointment_reminder', { ...B, body })).body as { id: number };
  const edit = (id: number, body: object, noun = 'medicine') =>
    service().rest('POST', `/v1/${noun}_reminder/${id}`, { ...B, body });
  const rows = async (where = {}) => {
    const all = await service().database.prisma.occurrence.findMany({ where, orderBy: [{ dueAt: 'asc' }, { id: 'asc' }] });
    return all.map(({ dueAt, state }) => `${dueAt.toISOString().slice(0, 16)} ${state}`);
  };
  const settle = (before: number, state = 'sent') =>
    service().database.prisma.occurrence.updateMany({ where: { dueAt: { lte: new Date(before) } }, data: { state } });
  const plan = () => planDue(service().app.deps);

  it('makes the rows of the next 48 hours at once, with the local time', async () => {
    at(NOW);
    await medicine({ frequency_type: '2_times_a_day', start_date: '2026-03-01' }, { headers: { 'time-zone': 'Europe/Berlin' } });
    assert.deepEqual(await rows(), [
      '2026-03-10T19:00 planned',
      '2026-03-11T07:00 planned',
      '2026-03-11T19:00 planned',
      '2026-03-12T07:00 planned',
    ]);
    const first = await service().database.prisma.occurrence.findFirstOrThrow();
    assert.equal(first.localTime, '2026-03-10T20:00:00');
    assert.equal(first.accountId, (await service().account('subscriber')).id);
    assert.equal(first.channel, 'push');
  });

  it('goes on rolling: every occurrence of three weeks is a row before its time, exactly once', async () => {
    at(Date.parse('2026-03-20T00:00:00Z'));
    const headers = { 'time-zone': 'Europe/Berlin' };
    await medicine({ frequency_type: 'daily', start_date: '2026-03-01T02:30:00' }, { headers });
    await medicine({ frequency_type: 'every_5_hours', start_date: '2026-03-20T00:00:00' }, { headers });
    await medicine({ frequency_type: 'FREQ=WEEKLY;BYDAY=SU', start_date: '2026-03-20T08:00:00' }, { headers });
    for (let now = Date.parse('2026-03-20T00:00:00Z'); now < Date.parse('2026-04-10T00:00:00Z'); now += 12 * HOUR) {
      at(now);
      await Promise.all([plan(), plan()]);
      const due = await service().database.prisma.occurrence.count({
        where: { dueAt: { gte: new Date(now), lt: new Date(now + 36 * HOUR) } },
      });
      assert.ok(due >= 1 + 7, `${due} rows ahead`);
    }
    const all = await service().database.prisma.occurrence.findMany({
      where: { dueAt: { lt: new Date('2026-04-10T00:00:00Z') } },
    });
    const each = [1, 2, 3].map((id) => all.filter(({ reminderId }) => reminderId === id));
    assert.equal(each[0]?.length, 21, 'once a day, also on the day whose 02:30 is left out');
    assert.equal(each[1]?.length, Math.ceil((21 * 24 - 4) / 5), 'elapsed hours, from 04:00 UTC on');
    assert.equal(each[2]?.length, 3);
    assert.equal(new Set(all.map(({ reminderId, dueAt }) => `${reminderId} ${dueAt.getTime()}`)).size, all.length);
  });

  it('looks at a reminder only when its next occurrence comes near', async () => {
    at(NOW);
    await medicine({ frequency_type: 'yearly', start_date: '2020-06-01T08:00:00' });
    const row = await service().database.prisma.reminder.findFirstOrThrow();
    assert.equal(row.planAt?.toISOString(), '2026-05-30T08:00:00.000Z');
    assert.equal(await plan(), 0);
    await medicine({ frequency_type: 'once', start_date: '2020-06-01T08:00:00' });
    await medicine({ frequency_type: 'as_needed' });
    assert.equal(
      await service().database.prisma.reminder.count({ where: { planAt: null } }),
      2,
      'what never comes again is not looked at',
    );
    assert.deepEqual(await rows(), []);
  });

  it('makes up for a standstill of a day, and not for more', async () => {
    at(NOW);
    await medicine({ frequency_type: 'daily', start_date: '2026-03-01T08:00:00' });
    at(NOW + 10 * DAY);
    await plan();
    assert.deepEqual(await rows({ dueAt: { gt: new Date(NOW + 3 * DAY) } }), [
      '2026-03-19T08:00 planned',
      '2026-03-20T08:00 planned',
      '2026-03-21T08:00 planned',
    ]);
  });

  it('fires for an appointment ahead of its time, at once when that has passed, and not after it began', async () => {
    at(NOW);
    await appointment({ title: 'a', date_time: '2026-03-11T10:00:00Z', remind_before: '2h' });
    await appointment({ title: 'b', date_time: '2026-03-10T08:00:00Z', remind_before: '2h' });
    await appointment({ title: 'c', date_time: '2026-03-10T07:00:00Z', remind_before: '2h' });
    await appointment({ title: 'd', date_time: '2026-03-20T10:00:00Z', remind_before: '1d' });
    await appointment({ title: 'e' });
    assert.deepEqual(await rows(), ['2026-03-10T07:30 planned', '2026-03-11T08:00 planned']);
    at(Date.parse('2026-03-18T00:00:00Z'));
    await plan();
    assert.equal((await rows()).at(-1), '2026-03-19T10:00 planned');
  });

  it('is done anew by an edit for what is to come, and leaves what is past or went out', async () => {
    at(NOW);
    const { id } = await medicine({ name: 'x', frequency_type: '4_times_a_day', start_date: '2026-03-01' });
    await service().database.prisma.occurrence.updateMany({
      where: { dueAt: new Date('2026-03-10T08:00:00Z') },
      data: { state: 'sent' },
    });
    await service().database.prisma.occurrence.updateMany({
      where: { dueAt: new Date('2026-03-10T12:00:00Z') },
      data: { state: 'late' },
    });
    at(Date.parse('2026-03-10T11:59:00Z'));
    await edit(id, { frequency_type: 'daily', start_date: '2026-03-01T12:00:00' });
    assert.deepEqual(
      await rows(),
      ['2026-03-10T08:00 sent', '2026-03-10T12:00 late', '2026-03-11T12:00 planned', '2026-03-12T11:59 planned'].slice(0, 3),
    );
    const events = await service().rest('GET', '/v1/all_events', { ...B, query: 'date_from=2026-03-09&date_to=2026-03-11' });
    assert.deepEqual(
      events.body.map((event: { date_time: string }) => event.date_time.slice(5, 16)),
      ['03-09T08:00', '03-09T12:00', '03-09T16:00', '03-09T20:00', '03-10T08:00', '03-10T12:00', '03-11T12:00'],
      'what came before the edit stays on the calendar',
    );
  });

  it('is left alone by an edit of words alone', async () => {
    at(NOW);
    const { id } = await medicine({ frequency_type: 'daily', start_date: '2026-03-01T08:00:00' });
    const before = await service().database.prisma.occurrence.findMany();
    await edit(id, { name: 'y', description: 'z' });
    assert.deepEqual(await service().database.prisma.occurrence.findMany(), before);
    assert.equal(await service().database.prisma.pastPlan.count(), 0);
  });

  it('ends with the reminder', async () => {
    at(NOW);
    const { id } = await medicine({ frequency_type: 'daily', start_date: '2026-03-01T08:00:00' });
    await settle(Date.parse('2026-03-10T08:00:00Z'));
    await service().rest('DELETE', `/v1/medicine_reminder/${id}`, B);
    assert.deepEqual(await rows(), ['2026-03-10T08:00 sent']);
    at(NOW + 3 * DAY);
    assert.equal(await plan(), 0);
  });

  it('follows the account to another zone: what is to come moves, what has come stays, nothing twice and nothing lost', async () => {
    const moves = [
      // Westward at 10:00: the dose of 08:00 was taken; 08:00 comes again in New York that day, and must not fire.
      ['Europe/Berlin', '2026-03-10T09:00:00Z', 'America/New_York', ['2026-03-10T07:00', '2026-03-11T12:00']],
      // Eastward at 03:00: 08:00 has passed in Berlin already; the dose of the day keeps its old instant.
      ['America/New_York', '2026-03-10T07:00:00Z', 'Europe/Berlin', ['2026-03-10T12:00', '2026-03-11T07:00']],
      // Eastward at 01:00: 08:00 is still to come in Berlin.
      ['America/New_York', '2026-03-10T05:00:00Z', 'Europe/Berlin', ['2026-03-10T07:00', '2026-03-11T07:00']],
    ] as const;
    for (const [from, moment, to, expected] of moves) {
      await service().clean();
      at(Date.parse('2026-03-09T18:00:00Z'));
      const create = { headers: { 'time-zone': from } };
      await medicine({ frequency_type: 'daily', start_date: '2026-03-01T08:00:00' }, create);
      await medicine({ frequency_type: 'every_12_hours', start_date: '2026-03-09T20:00:00Z' }, create);
      await settle(Date.parse(moment));
      at(Date.parse(moment));
      await medicine({ frequency_type: 'as_needed' }, { headers: { 'time-zone': to } });
      const daily = await rows({
        reminderId: 1,
        dueAt: { gt: new Date('2026-03-10T00:00:00Z'), lt: new Date('2026-03-12T00:00:00Z') },
      });
      assert.deepEqual(
        daily.map((row) => row.slice(0, 16)),
        expected,
        `${from} to ${to}`,
      );
      const elapsed = await rows({ reminderId: 2, dueAt: { lt: new Date('2026-03-11T00:00:00Z') } });
      assert.deepEqual(
        elapsed.map((row) => row.slice(11, 16)),
        ['20:00', '08:00', '20:00'],
        'elapsed time does not move',
      );
      const events = await service().rest('GET', '/v1/all_events', {
        ...B,
        headers: { 'time-zone': to },
        query: 'date_from=2026-03-09T22:00:00Z&date_to=2026-03-11T22:00:00Z',
      });
      const shown = events.body.filter((event: { reminder_id: number }) => event.reminder_id === 1);
      assert.deepEqual(
        shown.map((event: { date_time: string }) => new Date(event.date_time).toISOString().slice(0, 16)),
        expected,
        'the calendar says the same',
      );
    }
  });

  it('leaves an appointment that was given with an offset at its instant', async () => {
    at(NOW);
    await appointment({ date_time: '2026-03-11T15:00:00+01:00' });
    await appointment({ date_time: '2026-03-11T15:00:00' });
    await medicine({ frequency_type: 'as_needed' }, { headers: { 'time-zone': 'America/New_York' } });
    assert.deepEqual(await rows(), ['2026-03-11T14:00 planned', '2026-03-11T19:00 planned']);
    const { body } = await service().rest('GET', '/v1/appointment_reminder/1', B);
    assert.deepEqual([body.time_zone, body.next_occurrence], ['America/New_York', '2026-03-11T10:00:00-04:00']);
  });

  it('takes the same statements for one reminder and for many that move', async () => {
    at(NOW);
    const move = (zone: string) =>
      service().statements(() => medicine({ frequency_type: 'as_needed' }, { headers: { 'time-zone': zone } }));
    await medicine({ frequency_type: 'daily', start_date: '2026-03-01' });
    await move('Asia/Tokyo');
    at(NOW + DAY);
    const one = await move('Europe/Berlin');
    for (let i = 0; i < 10; i++) await medicine({ frequency_type: 'daily', start_date: '2026-03-01' });
    at(NOW + 2 * DAY);
    assert.equal(await move('Asia/Tokyo'), one);
  });

  it('by several planners at once makes each row once, and takes batches', async () => {
    at(NOW);
    await medicine({ frequency_type: 'hourly', start_date: '2026-03-01T00:00:00' });
    const { prisma } = service().database;
    const { id: _, ...row } = await prisma.reminder.findFirstOrThrow();
    await prisma.reminder.createMany({ data: Array.from({ length: 449 }, () => row) });
    at(NOW + DAY);
    const made = await Promise.all([plan(), plan(), plan()]);
    assert.equal(
      made.reduce((sum, count) => sum + count, 0),
      (await prisma.occurrence.count()) - 48,
    );
    const [{ twice } = { twice: -1 }] = await prisma.$queryRawUnsafe<{ twice: number }[]>(
      'SELECT count(*)::int AS twice FROM (SELECT 1 FROM occurrence GROUP BY reminder_id, planned_at HAVING count(*) > 1) x',
    );
    assert.equal(twice, 0);
    assert.equal(await prisma.reminder.count({ where: { planAt: { lte: new Date(NOW + DAY) } } }), 0);
  });
});
