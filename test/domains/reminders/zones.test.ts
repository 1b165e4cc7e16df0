import fc from 'fast-check';
import type { Deps } from '../../../src/core/deps.js';
import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import {
  compareZones,
  NEWS,
} from '../../../src/domains/reminders/setting/zone-comparison.service.js';
import {
  followZoneData,
  zoneDataJob,
} from '../../../src/domains/reminders/setting/zone-data.service.js';
import { zonesOfReminders } from '../../../src/domains/reminders/setting/zones-in-use.service.js';
import type { Database } from '../../../src/platform/database/database.js';
import { makeLog } from '../../../src/platform/log.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { clockTime, useZoneData, zoneEdition } from '../../../src/platform/zone.js';
import { packagedZones, type ZoneData, type ZoneTable } from '../../../src/platform/zone-table.js';
import { postAppointment, postMedicine } from '../../support/factories.js';
import { useService } from '../../support/harness.js';
import { standIn } from '../../support/stand-in.js';

const HOUR = 60 * 60 * 1000;
const ZONE = 'America/Vancouver';

/** Data of which one zone is always so many hours ahead of UTC; the others are as they are. */
function data(version: string, hours: number, zone = ZONE): ZoneData {
  const always: ZoneTable = { from: -8e15, to: 8e15, shifts: [], offsets: [hours * HOUR] };
  const { table } = packagedZones();
  return { version, table: (name) => (name === zone ? always : table(name)) };
}
/** Newer than any Node's, and one release apart. */
const before = data('9998a', -8);
const after = data('9998b', -7);

describe('New time zone data', () => {
  const service = useService();
  afterEach(async () => {
    useZoneData();
    await service().database.prisma.site.updateMany({ data: { zoneData: null } });
  });
  const medicine = async (body: object, zone = ZONE): Promise<number> => {
    const headers = { 'time-zone': zone };
    const fields = { name: 'Aspirin', ...body };
    return (await postMedicine(service(), fields, { headers })).id;
  };
  const rows = async () => {
    const all = await service().database.prisma.reminderAlert.findMany({
      where: { cause: { not: 'carers' } },
      orderBy: { dueAt: 'asc' },
    });
    return all.map(
      ({ plannedAt, localTime, state }) =>
        `${plannedAt.toISOString().slice(5, 16)} ${localTime.slice(11, 16)} ${state}`,
    );
  };
  const carry = async () => {
    await handOver(service().app.deps);
  };
  /** A medicine at 08:00 in Vancouver, by the data of before; those of after come at an instant. */
  const taken = async (
    from: string,
    then: string,
    { old = before, fresh = after, ...more } = {},
  ) => {
    useZoneData(old);
    service().at(from);
    await followZoneData(service().app.deps);
    await medicine({ frequency_type: 'daily', start_date: '2026-11-01T08:00:00', ...more });
    service().at(then);
    await planDue(service().app.deps);
    await carry();
    useZoneData(fresh);
    return followZoneData(service().app.deps);
  };

  it('move what is to come to the right instant, and leave what has come', async () => {
    expect(await taken('2026-11-20T12:00:00Z', '2026-11-21T16:00:10Z')).toBe(1);
    const expected = [
      '11-20T16:00 08:00 missed',
      '11-21T16:00 08:00 sent',
      '11-22T15:00 08:00 planned',
      '11-23T15:00 08:00 planned',
    ];
    expect((await rows()).slice(0, 4)).toStrictEqual(expected);
    const { body } = await service().rest('GET', '/v1/medicine_reminder', {
      edition: 'B',
      as: 'subscriber',
    });
    expect(body[0].next_occurrence).toBe('2026-11-22T08:00:00-07:00');
    service().at('2026-11-22T15:00:05Z');
    await carry();
    expect((await rows())[2]).toBe('11-22T15:00 08:00 sent');
  });

  it('move what is planned by an abbreviation that is no zone any more', async () => {
    useZoneData(before);
    service().at('2026-11-20T12:00:00Z');
    await followZoneData(service().app.deps);
    await medicine({ frequency_type: 'daily', start_date: '2026-11-01T08:00:00' });
    await service().database.prisma.reminder.updateMany({ data: { zone: 'BST' } });
    expect((await rows())[0]).toBe('11-20T16:00 08:00 planned');
    useZoneData(data('9998b', -7, 'BST'));
    expect(await followZoneData(service().app.deps)).toBe(1);
    expect((await rows())[0]).toBe('11-20T15:00 08:00 planned');
  });

  it('are not undone by a process that has older data', async () => {
    expect(await taken('2026-11-20T12:00:00Z', '2026-11-21T16:00:10Z')).toBe(1);
    const moved = await rows();
    useZoneData(before);
    expect(await followZoneData(service().app.deps)).toBe(0);
    expect(await rows()).toStrictEqual(moved);
  });

  it.each([
    ['', '2026-11-21T16:00:00Z', '11-21T18:00 planned'],
    [', unless it was told of already', '2026-11-21T17:00:00Z', '11-21T17:00 sent'],
  ])('move when an appointment is told of whole days before it%s', async (_what, then, due) => {
    const { table } = packagedZones();
    const shifted: ZoneTable = {
      ...{ from: -8e15, to: 8e15, shifts: [Date.parse('2026-11-22T08:00:00Z')] },
      offsets: [-8 * HOUR, -7 * HOUR],
    };
    useZoneData(before);
    service().at('2026-11-20T12:00:00Z');
    await followZoneData(service().app.deps);
    const fields = { date_time: '2026-11-22T09:00:00-08:00', remind_before: '1d' };
    await postAppointment(service(), fields, { headers: { 'time-zone': ZONE } });
    service().at(then);
    await carry();
    useZoneData({ version: '9998b', table: (name) => (name === ZONE ? shifted : table(name)) });
    expect(await followZoneData(service().app.deps)).toBe(1);
    const alerts = await service().database.prisma.reminderAlert.findMany();
    expect(
      alerts.map(({ dueAt, state }) => `${dueAt.toISOString().slice(5, 16)} ${state}`),
    ).toStrictEqual([due]);
  });

  it('lose no dose of the hour in which they come: what should have come by now comes at once', async () => {
    expect(await taken('2026-11-22T10:00:00Z', '2026-11-22T15:20:00Z')).toBe(1);
    await carry();
    expect((await rows()).slice(0, 2)).toStrictEqual([
      '11-22T15:00 08:00 late',
      '11-23T15:00 08:00 planned',
    ]);
  });

  it('tell no dose twice: what has come does not come again at the hour at which it should have', async () => {
    const back = { old: data('9998a', -7), fresh: data('9998b', -8) };
    expect(await taken('2026-11-22T10:00:00Z', '2026-11-22T15:20:00Z', back)).toBe(1);
    await carry();
    expect((await rows()).slice(0, 2)).toStrictEqual([
      '11-22T15:00 08:00 late',
      '11-23T16:00 08:00 planned',
    ]);
  });

  it('ring for no dose that was answered before its time', async () => {
    useZoneData(before);
    service().at('2026-11-22T15:20:00Z');
    await followZoneData(service().app.deps);
    await medicine({ frequency_type: 'daily', start_date: '2026-11-01T08:00:00' });
    const query = '{ calendar { events { id } } }';
    const [next] = (
      await service().graphql(query, {}, { as: 'subscriber' })
    ).body.data.calendar.events.slice(-60);
    const take = 'mutation($id: ID!) { takeDose(input: { occurrenceId: $id }) { event { id } } }';
    const { body } = await service().graphql(take, { id: next.id }, { as: 'subscriber' });
    expect(body.data.takeDose, JSON.stringify(body)).toBeTruthy();
    useZoneData(after);
    expect(await followZoneData(service().app.deps)).toBe(1);
    expect((await rows()).filter((row) => row.endsWith('planned')).slice(0, 1)).toStrictEqual([
      '11-23T15:00 08:00 planned',
    ]);
  });

  it('move the end of a course with the end of its last day', async () => {
    await taken('2026-11-20T12:00:00Z', '2026-11-21T16:00:10Z', {
      frequency_type: 'every_1_days',
      end_date: '2026-11-23',
    } as object);
    const { untilAt } = await service().database.prisma.reminder.findFirstOrThrow();
    expect(untilAt?.toISOString()).toBe('2026-11-24T06:59:59.999Z');
  });

  it('move reminders in runs of half a minute, and go on where the last one ended', async () => {
    const zones = [ZONE, 'Europe/Berlin', 'Asia/Tokyo'];
    useZoneData(before);
    service().at('2026-11-20T12:00:00Z');
    const { deps } = service().app;
    await followZoneData(deps);
    for (const zone of zones) {
      const id = await medicine({ frequency_type: 'daily', start_date: '2026-11-01T08:00:00' });
      await service().database.prisma.reminder.update({ where: { id }, data: { zone } });
    }
    useZoneData({ version: '9998b', table: (name) => data('9998b', 2, name).table(name) });
    let now = Date.parse('2026-11-20T12:00:00Z');
    const clock = () => {
      now += 4_000;
      return now;
    };
    const run = zoneDataJob({ ...deps, clock });
    const isKnown = async () => {
      const site = await service().database.prisma.site.findUnique({ where: { id: 1 } });
      return site?.zoneData === '9998b';
    };
    let runs = 0;
    for (; !(await isKnown()) && runs < 20; runs++) await run();
    expect(runs).toBeGreaterThan(1);
    expect(runs).toBeLessThan(20);
    const starts = await service().database.prisma.reminderAlert.groupBy({
      by: ['reminderId'],
      _min: { dueAt: true },
      where: { state: 'planned' },
    });
    const times = starts.map(({ _min }) => _min.dueAt?.toISOString().slice(11, 16));
    expect(times).toStrictEqual(['06:00', '06:00', '06:00']);
  });

  describe('of the database', () => {
    let logged: Record<string, unknown>[];
    /** The service on its database, which is said to know the newest release, or not to. */
    const deps = (knows: boolean): Deps => {
      logged = [];
      const { database, ...others } = service().app.deps;
      const query: Database['query'] = async (text, values = [], options) =>
        values[0] === NEWS.zone
          ? ([{ offset: knows ? NEWS.offset : 0 }] as never)
          : database.query(text, values, options);
      const log = makeLog('warn', { write: (line) => void logged.push(JSON.parse(line)) });
      return { ...others, log, database: standIn(database, { query }) };
    };
    const metric = async () =>
      (await registry.metrics())
        .split('\n')
        .filter((line) => line.startsWith('care_zone_data_differs{'))
        .sort();

    it('that agree are no matter for a warning', async () => {
      service().at('2026-11-22T12:00:00Z');
      await medicine({ frequency_type: 'daily' }, 'Europe/Berlin');
      expect(await compareZones(deps(false))).toStrictEqual({
        node: [],
        postgresql: [],
        learned: [],
      });
      expect([logged, await metric()]).toStrictEqual([[], []]);
    });

    it('that differ and are older are named by a warning and a metric, and not used', async () => {
      service().at('2026-11-22T12:00:00Z');
      useZoneData(data(NEWS.version, 3, 'Europe/Berlin'));
      await medicine({ frequency_type: 'daily' }, 'Europe/Berlin');
      const { id } = await service().account('editor');
      await service().database.prisma.account.update({
        where: { id },
        data: { timeZone: 'Asia/Tokyo' },
      });
      const { node, postgresql, learned } = await compareZones(deps(false));
      expect([node, postgresql, learned]).toStrictEqual([['Europe/Berlin'], ['Europe/Berlin'], []]);
      expect(logged[0]?.node).toStrictEqual(['Europe/Berlin']);
      expect(logged[0]?.postgresql).toStrictEqual(['Europe/Berlin']);
      expect(await metric()).toStrictEqual([
        'care_zone_data_differs{zone="Europe/Berlin",source="node"} 1',
        'care_zone_data_differs{zone="Europe/Berlin",source="postgresql"} 1',
      ]);
      expect(clockTime(new Date('2027-07-01T12:00:00Z'), 'Europe/Berlin')).toBe(
        '2027-07-01T15:00:00',
      );
    });

    it('are compared in zones of accounts, settings, reminders and the site', async () => {
      service().at('2026-11-22T12:00:00Z');
      const { prisma } = service().database;
      const id = await medicine({ frequency_type: 'daily' }, 'Asia/Tokyo');
      const { accountId } = await prisma.reminder.findUniqueOrThrow({ where: { id } });
      const zone = 'Europe/Berlin';
      const places: [set: () => Promise<unknown>, reset: () => Promise<unknown>][] = [
        [
          () => prisma.account.update({ where: { id: accountId }, data: { timeZone: zone } }),
          () => prisma.account.update({ where: { id: accountId }, data: { timeZone: null } }),
        ],
        [
          () => prisma.careSetting.update({ where: { accountId }, data: { learnedZone: zone } }),
          () => prisma.careSetting.update({ where: { accountId }, data: { learnedZone: null } }),
        ],
        [
          () => prisma.reminder.update({ where: { id }, data: { zone } }),
          () => prisma.reminder.update({ where: { id }, data: { zone: 'Asia/Tokyo' } }),
        ],
        [
          () => prisma.site.update({ where: { id: 1 }, data: { timeZone: zone } }),
          () => prisma.site.update({ where: { id: 1 }, data: { timeZone: 'UTC' } }),
        ],
      ];
      useZoneData(data(NEWS.version, 3, zone));
      for (const [place, [set, reset]] of places.entries()) {
        expect((await compareZones(deps(false))).postgresql, String(place)).toStrictEqual([]);
        await set();
        const { postgresql } = await compareZones(deps(false));
        await reset();
        expect(postgresql, String(place)).toStrictEqual([zone]);
      }
    });

    it('that differ and are newer are used, and what was planned moves', async () => {
      service().at('2026-11-22T12:00:00Z');
      useZoneData(data(NEWS.version, 3, 'Europe/Berlin'));
      await followZoneData(service().app.deps);
      await medicine(
        { frequency_type: 'daily', start_date: '2026-11-01T08:00:00' },
        'Europe/Berlin',
      );
      expect((await rows())[0]).toBe('11-23T05:00 08:00 planned');
      const run = zoneDataJob(deps(true));
      await run();
      expect((await rows())[0]).toBe('11-23T07:00 08:00 planned');
      expect(
        clockTime(new Date('2027-07-01T12:00:00Z'), 'Europe/Berlin'),
        'shifts are learned',
      ).toBe('2027-07-01T14:00:00');
      expect(logged.map(({ learned }) => learned).filter(Boolean)).toStrictEqual([
        ['Europe/Berlin'],
      ]);
      await run();
      expect(
        logged.filter(({ learned }) => learned),
        'they are compared once a day',
      ).toHaveLength(1);
      const today = () => clockTime(new Date('2026-11-22T13:00:00Z'), 'Europe/Berlin');
      const shown = today();
      const edition = zoneEdition();
      service().at('2026-11-23T12:00:00Z');
      await compareZones(deps(true));
      expect(today(), 'the day after, what has passed is shown as it was').toBe(shown);
      expect(shown).toBe('2026-11-22T14:00:00');
      await compareZones(deps(true));
      expect(zoneEdition(), 'what is as it was forgets nothing').toBe(edition + 1);
    });

    it('that cannot be compared are tried again after a minute, then after twice as long each time', async () => {
      let now = Date.parse('2026-11-22T12:00:00Z');
      let tries = 0;
      const query = () => {
        tries++;
        return Promise.reject(new Error('canceling statement due to statement timeout'));
      };
      const { app } = service();
      const database = standIn(app.deps.database, { query });
      const run = zoneDataJob({ ...app.deps, database, clock: () => now });
      const minutes: number[] = [];
      for (let minute = 0; minute <= 16; now += 60_000, minute++) {
        const before = tries;
        await run().catch(() => undefined);
        if (tries > before) minutes.push(minute);
      }
      expect(minutes).toStrictEqual([0, 1, 3, 7, 15]);
    });
  });

  it('are followed in every zone that anything is planned by, whatever its name', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
        fc.uniqueArray(fc.constantFrom(...NAMES)),
        async (zones, deleted) => {
          const { prisma } = service().database;
          const ids = [];
          for (const zone of [...zones, ...deleted, ...zones]) {
            const id = await medicine({ frequency_type: 'daily' });
            ids.push(id);
            const gone = ids.length > zones.length && ids.length <= zones.length + deleted.length;
            const deletedAt = gone ? new Date(service().now()) : null;
            await prisma.reminder.update({ where: { id }, data: { zone, deletedAt } });
          }
          expect(await zonesOfReminders(service().database)).toStrictEqual([...zones].sort());
          await prisma.reminder.deleteMany({ where: { id: { in: ids } } });
        },
      ),
      { numRuns: 5 },
    );
  });
});

/** Zones as they are stored: names, abbreviations, offsets. */
const NAMES = ['+05:30', '-03:00', 'America/Havana', 'Asia/Tokyo', 'BST', 'Europe/Berlin', 'UTC'];
