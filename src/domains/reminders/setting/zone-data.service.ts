import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { serviceContext } from '../../../core/service-context.js';
import { transact } from '../../../core/transact.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { localText, parseMoment } from '../../../platform/moment.js';
import { hasClocks, learnedZones, zoneVersion } from '../../../platform/zone.js';
import { moveFeeds } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import { AlertCause } from '../alert/alert.cause.js';
import { AlertState } from '../alert/alert.state.js';
import { replanAlerts } from '../alert/alert-plan.service.js';
import { isDueByClocks } from '../alert/clock-lead.service.js';
import { planIn } from '../alert/move.js';
import { scheduleOf, startText } from '../alert/planned.js';
import { moveSteps } from '../amount/moved-amount.service.js';
import { pausesAhead } from '../pause/pause-plan.service.js';
import { expand } from '../schedule/schedule.js';
import { compareZones } from './zone-comparison.service.js';
import { zonesOfReminders } from './zones-in-use.service.js';

const BATCH = 500;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Milliseconds of a pass in one run: jobs whose runs do not end count as hanging. */
const LONGEST_RUN = 30_000;
/** No government moves its clocks by more. */
const LARGEST_SHIFT = DAY + HOUR;

/** What a pass over the reminders of zones has done, since many take several runs. */
interface Pass {
  /** Zones that are done, each with the data by which it was looked at. */
  readonly done: Set<string>;
  /** The one that is not, and its last reminder that was looked at. */
  current: string;
  after: number;
}
const newPass = (): Pass => ({ done: new Set(), current: '', after: 0 });

/**
 * Governments move their clocks at short notice. When this process knows newer time zone data than
 * that by which occurrences were planned (`zoneVersion`; recorded with the site), what is planned
 * and comes at another instant now is planned anew: reminders keep their clock time, and starts
 * that were given with an offset keep their instant; whoever watches their calendars hears of it.
 * What should have come by now, but was planned for later, comes at once; what has gone out does
 * not come again. Returns how many reminders moved. Safe to run in several processes, and again
 * after a crash: the version is recorded when all is done, and others then stop. A release says
 * nothing of which zones it changes, so this reads all reminders, in short transactions; after half
 * a minute it ends, and goes on in the next run with the same `pass`.
 */
export async function followZoneData(
  deps: Deps,
  version = zoneVersion(),
  pass: Pass = newPass(),
): Promise<number> {
  const { database } = deps;
  const planned = await plannedBy(deps);
  if (planned && planned >= version) return 0;
  const zones = planned ? await zonesOfReminders(database) : [];
  const isDone = async () => ((await plannedBy(deps)) ?? '') >= version;
  const keyOf = (zone: string) => `${zone} ${version}`;
  const { moved, isWhole } = await replanMoved(deps, zones, pass, { keyOf, isDone });
  if (isWhole)
    await database.db.site.updateMany({
      where: { id: 1, OR: [{ zoneData: null }, { zoneData: { lt: version } }] },
      data: { zoneData: version },
    });
  if (moved > 0)
    deps.log.warn(
      { reminders: moved, zoneData: version },
      'reminders moved with new time zone data',
    );
  return moved;
}

/** Returns the release by which occurrences are planned; null before the first one. */
async function plannedBy({ database }: Deps): Promise<string | null | undefined> {
  const [site] = await database.query<{ zoneData: string | null }>(
    'SELECT zone_data AS "zoneData" FROM site WHERE id = 1',
  );
  return site?.zoneData;
}

/**
 * The rolling job: compares the zones in use with PostgreSQL's at first and then daily, and plans
 * anew what newer data move, whichever they came from. Every process goes by what it learned, and
 * may plan by older data until then: what it planned so is moved when it learns. After a failure it
 * rests for a minute, then twice as long each time, up to an hour.
 */
export function zoneDataJob(deps: Deps): () => Promise<void> {
  let comparedAt = Number.NEGATIVE_INFINITY;
  let followed: Learned = new Map();
  const [byRelease, byLearned] = [newPass(), newPass()];
  const follow = async () => {
    if (Math.abs(deps.clock() - comparedAt) >= DAY) {
      await compareZones(deps);
      comparedAt = deps.clock();
    }
    await followZoneData(deps, zoneVersion(), byRelease);
    const learned: Learned = new Map(
      [...learnedZones()].map(([zone, { shifts, offsets }]) => [
        zone,
        JSON.stringify([shifts, offsets]),
      ]),
    );
    const changed = [...new Set([...learned.keys(), ...followed.keys()])].filter(
      (zone) => learned.get(zone) !== followed.get(zone),
    );
    const keyOf = (zone: string) => `${zone} ${learned.get(zone)}`;
    const { moved: reminders, isWhole } = await replanMoved(deps, changed, byLearned, { keyOf });
    if (reminders > 0)
      deps.log.warn({ reminders }, 'reminders moved with the time zone data of the database');
    if (isWhole) followed = learned;
  };
  return restingAfterFailures(follow, deps.clock);
}

/** The shifts and offsets of learned zones, as text. */
type Learned = ReadonlyMap<string, string>;

/** Returns work that is left out for some time after it has failed. */
function restingAfterFailures(work: () => Promise<void>, clock: () => number): () => Promise<void> {
  let failures = 0;
  let failedAt = 0;
  return async () => {
    const rest = Math.min(HOUR, MINUTE * 2 ** (failures - 1));
    if (failures > 0 && Math.abs(clock() - failedAt) < rest) return;
    try {
      await work();
      failures = 0;
    } catch (error) {
      failures++;
      failedAt = clock();
      throw error;
    }
  };
}

/**
 * Plans the reminders of zones anew that come at other instants now. Returns how many, and whether
 * the pass is whole. It ends before the next batch once `isDone`, since another process has done the
 * rest, and after half a minute. `keyOf` names a zone with its data.
 */
async function replanMoved(
  deps: Deps,
  zones: readonly string[],
  pass: Pass,
  {
    keyOf,
    isDone = async () => false,
  }: { readonly keyOf: (zone: string) => string; readonly isDone?: () => Promise<boolean> },
): Promise<{ readonly moved: number; readonly isWhole: boolean }> {
  if (zones.length === 0) return { moved: 0, isWhole: true };
  const context = await serviceContext(deps, 'zone data');
  const ends = deps.clock() + LONGEST_RUN;
  let moved = 0;
  for (const zone of zones) {
    const key = keyOf(zone);
    if (pass.done.has(key)) continue;
    if (pass.current !== key) Object.assign(pass, { current: key, after: 0 });
    for (let isLeft = true; isLeft; ) {
      if (await isDone()) return { moved, isWhole: true };
      if (deps.clock() >= ends) return { moved, isWhole: false };
      const batch = await replanNext(context, zone, pass.after);
      moved += batch.moved;
      pass.after = batch.last ?? pass.after;
      isLeft = batch.last !== undefined;
    }
    pass.done.add(key);
  }
  pass.done.clear();
  return { moved, isWhole: true };
}

/** Plans some reminders of a zone behind one anew. `last` is absent where there are no more. */
const replanNext = (context: RequestContext, zone: string, after: number) =>
  transact(context, async (inner) => {
    const ids = await inner.rows<{ id: number }>(Prisma.sql`
      SELECT id FROM reminder
      WHERE zone = ${zone} AND id > ${after}::int AND deleted_at IS NULL AND scheduled
        AND recognized
      ORDER BY id LIMIT ${BATCH}::int FOR NO KEY UPDATE`);
    const reminders = await inner.db.reminder.findMany({
      where: { id: { in: ids.map(({ id }) => id) } },
      orderBy: { id: 'asc' },
    });
    const moved = await replanBatch(inner, reminders);
    return { moved, last: reminders.length < BATCH ? undefined : reminders.at(-1)?.id };
  });

/** A constant number of statements. Returns how many of these reminders moved. */
async function replanBatch(inner: RequestContext, reminders: readonly Reminder[]): Promise<number> {
  const now = inner.now();
  const plans = await plansOf(inner, reminders, now);
  const pauses = await pausesAhead(
    inner,
    reminders.map(({ id }) => id),
  );
  const paused = new Set(
    pauses.filter(({ fromAt }) => fromAt > now).map(({ reminderId }) => reminderId),
  );
  // Of a zone that is unknown now nothing can be said: the planner reports it.
  const known = reminders.filter(({ zone }) => /^[+-]/.test(zone) || hasClocks(zone));
  const kept = known.map((reminder) => ({
    ...reminder,
    startLocal: startOf(reminder),
    untilAt: planIn(reminder, reminder.zone, now.getTime()).untilAt,
  }));
  const restarted = kept.filter(
    ({ startLocal, untilAt }, i) =>
      startLocal !== known[i]?.startLocal || untilAt?.getTime() !== known[i]?.untilAt?.getTime(),
  );
  const moved = kept
    // The plan before one that is yet to come in force is left as it is: it ends today. Before a pause
    // the plan is the same.
    .map((reminder) => ({
      reminder,
      from:
        reminder.planFrom && reminder.planFrom > now && !paused.has(reminder.id)
          ? reminder.planFrom
          : now,
    }))
    .filter(({ reminder, from }) => {
      const plan = plans.get(reminder.id) ?? NONE;
      return (
        !comesAt(reminder, from.getTime(), plan.ahead) ||
        !isDueByClocks(reminder, plan.due, { from: from.getTime(), now: now.getTime() })
      );
    });
  if (restarted.length > 0) await restart(inner, restarted);
  await moveSteps(
    inner,
    kept.map((is, i) => ({ id: is.id, was: known[i] ?? is, is })),
  );
  await replanAlerts(
    inner,
    moved.map(({ reminder, from }) => {
      const { waiting, settled } = plans.get(reminder.id) ?? NONE;
      const overdue = from === now ? overdueOf(reminder, now.getTime(), waiting) : undefined;
      return { ...reminder, plannedUntil: new Date(overdue ?? from), settled };
    }),
  );
  const changed = [...restarted, ...moved.map(({ reminder }) => reminder)];
  const accounts = new Map(changed.map(({ id, accountId }) => [id, accountId]));
  await moveFeeds(inner, FeedKind.CALENDAR, [...new Set(accounts.values())]);
  return accounts.size;
}

/** Writes other starts and ends of reminders. */
async function restart(inner: RequestContext, reminders: readonly Reminder[]): Promise<void> {
  await inner.db.$executeRaw(Prisma.sql`
    UPDATE reminder SET start_local = made.start,
      until_at = NULLIF(made.until, '')::timestamptz, version = version + 1
    FROM unnest(
      ${reminders.map(({ id }) => id)}::int[],
      ${reminders.map(({ startLocal }) => startLocal)}::text[],
      ${reminders.map(({ untilAt }) => untilAt?.toISOString() ?? '')}::text[]
    ) AS made(id, start, until)
    WHERE reminder.id = made.id`);
}

/** The occurrences of a reminder from a day ago on, by the clocks of when they were planned. */
interface Plans {
  /** The instants that are to come. */
  readonly ahead: Set<number>;
  /** When the alerts of instants that are to come are due, in milliseconds, where they wait. */
  readonly due: Map<number, number>;
  /** The local times that are to come and wait for nothing but their time. */
  readonly waiting: Set<string>;
  /** The others: those that have come, or were answered before their time, with their instants. */
  readonly settled: Map<string, number>;
}
const NONE: Plans = { ahead: new Set(), due: new Map(), waiting: new Set(), settled: new Map() };

async function plansOf(
  inner: RequestContext,
  reminders: readonly Reminder[],
  now: Date,
): Promise<Map<number, Plans>> {
  const rows = await inner.db.reminderAlert.findMany({
    where: {
      reminderId: { in: reminders.map(({ id }) => id) },
      cause: { not: AlertCause.CARERS },
      plannedAt: { gte: new Date(now.getTime() - LARGEST_SHIFT) },
    },
    select: {
      ...{ reminderId: true, plannedAt: true, dueAt: true, localTime: true },
      ...{ state: true, cause: true },
    },
  });
  const plans = new Map<number, Plans>();
  for (const { reminderId, plannedAt, dueAt, localTime, state, cause } of rows) {
    const plan = plans.get(reminderId) ?? {
      ahead: new Set(),
      due: new Map(),
      waiting: new Set(),
      settled: new Map(),
    };
    plans.set(reminderId, plan);
    if (plannedAt >= now) plan.ahead.add(plannedAt.getTime());
    const waits = plannedAt >= now && state === AlertState.PLANNED;
    if (waits && cause === AlertCause.DUE) plan.due.set(plannedAt.getTime(), dueAt.getTime());
    if (waits) plan.waiting.add(localTime);
    else plan.settled.set(localTime, plannedAt.getTime());
  }
  // What was put off before its time has rows of both kinds, and waits.
  for (const { waiting, settled } of plans.values())
    for (const local of waiting) settled.delete(local);
  return plans;
}

/**
 * Returns the first instant before now at which a reminder comes that was planned for later;
 * undefined when there is none.
 */
function overdueOf(
  reminder: Reminder,
  now: number,
  waiting: ReadonlySet<string>,
): number | undefined {
  for (const { at, local } of expand(scheduleOf(reminder), now - LARGEST_SHIFT, now))
    if (waiting.has(localText(local))) return at;
  return undefined;
}

/** Where a reminder starts by the clocks of its zone: a start that named its instant keeps that. */
function startOf({ follows, startDate, startLocal, timesSource, zone }: Reminder): string {
  const moment =
    startDate && !follows && timesSource === 'start_date' ? parseMoment(startDate) : undefined;
  if (moment?.offset === undefined) return startLocal;
  return startText(moment.local - moment.offset * 60_000, zone);
}

/**
 * Returns whether a reminder comes at the instants that are planned from `from` on, and at no
 * other, as far as it is planned.
 */
function comesAt(reminder: Reminder, from: number, planned: ReadonlySet<number>): boolean {
  const { plannedUntil, leadSeconds } = reminder;
  if (!plannedUntil) return true;
  const ahead = new Set([...planned].filter((at) => at >= from));
  const comes = [
    ...expand(scheduleOf(reminder), from, plannedUntil.getTime() + leadSeconds * 1000),
  ].map(({ at }) => at);
  return comes.length === ahead.size && comes.every((at) => ahead.has(at));
}
