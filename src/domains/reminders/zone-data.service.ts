import { type Deps, type RequestContext, transact } from '../../context.js';
import { Prisma, type Reminder } from '../../generated/prisma/client.js';
import { parseMoment } from '../../platform/moment.js';
import { isZone } from '../../platform/zone.js';
import { moveFeeds } from '../feeds/feed.service.js';
import { FeedKind } from '../feeds/feed.types.js';
import { serviceContext } from '../site/site.service.js';
import { replanOccurrences } from './occurrence.service.js';
import { scheduleOf, startText } from './plan.js';
import { expand } from './schedule/schedule.js';

const BATCH = 500;

/**
 * Governments move their clocks at short notice. When this process knows newer time zone data than that by which occurrences were planned
 * (the IANA version, such as 2026a; recorded with the site), what is planned and comes at another instant now is planned anew: reminders keep
 * their clock time, and starts that were given with an offset keep their instant; whoever watches their calendars hears of it. Answers how many reminders moved. Safe to run in several
 * processes, and again after a crash: the version is recorded when all is done.
 */
export async function followZoneData(deps: Deps, version = process.versions.tz as string): Promise<number> {
  const { database } = deps;
  const site = await database.prisma.site.findUniqueOrThrow({ where: { id: 1 }, select: { zoneData: true } });
  if (site.zoneData && site.zoneData >= version) return 0;
  const moved = site.zoneData ? await replanMoved(deps) : 0;
  await database.prisma.site.updateMany({
    where: { id: 1, OR: [{ zoneData: null }, { zoneData: { lt: version } }] },
    data: { zoneData: version },
  });
  if (moved > 0) deps.log.warn({ reminders: moved, zoneData: version }, 'reminders moved with new time zone data');
  return moved;
}

async function replanMoved(deps: Deps): Promise<number> {
  const context = await serviceContext(deps, 'zone data');
  let moved = 0;
  for (let after = 0; ; ) {
    const last = await transact(context, async (inner) => {
      const ids = await inner.rows<{ id: number }>(Prisma.sql`
        SELECT id FROM reminder WHERE id > ${after}::int AND deleted_at IS NULL AND scheduled AND recognized
        ORDER BY id LIMIT ${BATCH}::int FOR NO KEY UPDATE`);
      const reminders = await inner.db.reminder.findMany({
        where: { id: { in: ids.map(({ id }) => id) } },
        orderBy: { id: 'asc' },
      });
      moved += await replanBatch(inner, reminders);
      return reminders.at(-1)?.id;
    });
    if (last === undefined) return moved;
    after = last;
  }
}

/** A constant number of statements. Answers how many of these reminders moved. */
async function replanBatch(inner: RequestContext, reminders: readonly Reminder[]): Promise<number> {
  const now = inner.now();
  const rows = await inner.db.occurrence.findMany({
    where: { reminderId: { in: reminders.map(({ id }) => id) }, channel: 'push', plannedAt: { gte: now } },
    select: { reminderId: true, plannedAt: true },
  });
  const planned = new Map<number, number[]>();
  for (const { reminderId, plannedAt } of rows)
    planned.set(reminderId, [...(planned.get(reminderId) ?? []), plannedAt.getTime()]);
  // Of a zone that is unknown now nothing can be said: the planner reports it.
  const known = reminders.filter(({ zone }) => /^[+-]/.test(zone) || isZone(zone));
  const kept = known.map((reminder) => ({ ...reminder, startLocal: startOf(reminder) }));
  const restarted = kept.filter(({ startLocal }, i) => startLocal !== known[i]?.startLocal);
  const moved = kept
    // The plan before one that is yet to come in force is left as it is: it ends today.
    .map((reminder) => ({ reminder, from: reminder.planFrom && reminder.planFrom > now ? reminder.planFrom : now }))
    .filter(({ reminder, from }) => !comesAt(reminder, from.getTime(), planned.get(reminder.id) ?? []));
  if (restarted.length > 0) {
    await inner.db.$executeRaw(Prisma.sql`
      UPDATE reminder SET start_local = made.start, version = version + 1
      FROM unnest(${restarted.map(({ id }) => id)}::int[], ${restarted.map(({ startLocal }) => startLocal)}::text[]) AS made(id, start)
      WHERE reminder.id = made.id`);
  }
  await replanOccurrences(
    inner,
    moved.map(({ reminder, from }) => ({ ...reminder, plannedUntil: from })),
  );
  const all = new Map([...restarted, ...moved.map(({ reminder }) => reminder)].map(({ id, accountId }) => [id, accountId]));
  await moveFeeds(inner, FeedKind.CALENDAR, [...new Set(all.values())]);
  return all.size;
}

/** Where a reminder starts by the clocks of its zone: a start that named its instant keeps that. */
function startOf({ follows, startDate, startLocal, zone }: Reminder): string {
  const moment = startDate && !follows ? parseMoment(startDate) : undefined;
  if (moment?.offset === undefined) return startLocal;
  return startText(moment.local - moment.offset * 60_000, zone);
}

/** Whether a reminder comes at the instants that are planned from `from` on, and at no other, as far as it is planned. */
function comesAt(reminder: Reminder, from: number, planned: readonly number[]): boolean {
  const { plannedUntil, leadSeconds } = reminder;
  if (!plannedUntil) return true;
  const ahead = new Set(planned.filter((at) => at >= from));
  const comes = [...expand(scheduleOf(reminder), from, plannedUntil.getTime() + leadSeconds * 1000)].map(({ at }) => at);
  return comes.length === ahead.size && comes.every((at) => ahead.has(at));
}
