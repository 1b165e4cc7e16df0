import type { RequestContext } from '../../../core/context.js';
import { Prisma, type ReminderPause } from '../../../generated/prisma/client.js';
import { instantAt, localAt } from '../../../platform/zone.js';
import { FAR } from './paused.js';

const { sql } = Prisma;
const MINUTE = 60_000;

/** Most pauses of a medicine that are not over. */
export const MOST_PAUSES = 10;

/** What plans are changed in: a transaction, and the present. */
export type Planning = Pick<RequestContext, 'db' | 'rows' | 'now'>;

/**
 * Takes what is paused out of the plans of reminders: a plan ends where a pause begins, and counts
 * again where the pause ends. The same again changes nothing. Whoever puts a plan in force calls it
 * before planning alerts. One statement, and five more for the first, second … pause of all.
 */
export async function keepPauses(inner: Planning, ids: readonly number[]): Promise<void> {
  const [{ most = null } = {}] = await inner.rows<{ most: number | null }>(sql`
    SELECT max(place)::int AS most FROM (${standing(inner, ids)}) AS pause`);
  for (let place = 1; place <= (most ?? 0); place++) {
    const pause = sql`(SELECT * FROM (${standing(inner, ids)}) AS p WHERE p.place = ${place}::int)
      AS pause`;
    await cutFormer(inner, pause);
    await cutPresent(inner, pause);
  }
}

/**
 * Returns the pauses of reminders that are not over, as a query: each with its place among them.
 */
const standing = (inner: Planning, ids: readonly number[]) => sql`
  SELECT reminder_id, from_at, COALESCE(until_at, ${FAR.toISOString()}::timestamptz) AS until_at,
    row_number() OVER (PARTITION BY reminder_id ORDER BY from_at, id) AS place
  FROM reminder_pause WHERE reminder_id = ANY(${[...ids]}::int[])
    AND (until_at IS NULL OR until_at > ${inner.now().toISOString()}::timestamptz)`;

/** Returns the pauses of reminders that are not over, in order of time. */
export function pausesAhead(
  context: RequestContext,
  ids: readonly number[],
): Promise<ReminderPause[]> {
  const ahead = { OR: [{ untilAt: null }, { untilAt: { gt: context.now() } }] };
  return context.db.reminderPause.findMany({
    where: { reminderId: { in: [...ids] }, ...ahead },
    orderBy: [{ fromAt: 'asc' }, { id: 'asc' }],
  });
}

/**
 * Puts back what pauses took out of the plans in force that have not begun, so that another zone or
 * other times count before them too. Whoever calls it calls `keepPauses` when the plans are changed,
 * and holds the reminders. Returns whose plans were mended. A statement for the first, second … pause
 * of all, and one more.
 */
export async function liftPauses(
  inner: RequestContext,
  ids: readonly number[],
): Promise<readonly number[]> {
  const now = inner.now();
  const pauses = (await pausesAhead(inner, ids)).filter(({ fromAt }) => fromAt > now).reverse();
  for (let waiting = pauses; waiting.length > 0; ) {
    const last = waiting.filter(
      ({ reminderId }, i) => waiting.findIndex((one) => one.reminderId === reminderId) === i,
    );
    await lift(inner, last);
    waiting = waiting.filter((pause) => !last.includes(pause));
  }
  return [...new Set(pauses.map(({ reminderId }) => reminderId))];
}

/**
 * Joins the plans in force, which begin when a pause of theirs is over, with what was cut off before
 * it. Where nothing was cut off they begin with the pause.
 */
async function lift(inner: RequestContext, pauses: readonly ReminderPause[]): Promise<void> {
  await inner.db.$executeRaw(sql`
    WITH pause AS (SELECT * FROM unnest(
        ${pauses.map(({ reminderId }) => reminderId)}::int[],
        ${pauses.map(({ fromAt }) => fromAt.toISOString())}::text[],
        ${pauses.map(({ untilAt }) => (untilAt ?? FAR).toISOString())}::text[]) AS given(id, from_at, until_at)),
      cut AS (
        DELETE FROM past_plan p USING pause, reminder r
        WHERE r.id = pause.id AND p.reminder_id = r.id
          AND r.plan_from = pause.until_at::timestamptz AND p.to_at = pause.from_at::timestamptz
          AND (p.frequency_type, p.schedule, p.zone, p.start_local, p.times, p.until_at)
            IS NOT DISTINCT FROM (r.frequency_type, r.schedule, r.zone, r.start_local, r.times, r.until_at)
        RETURNING p.reminder_id AS id, p.from_at)
    UPDATE reminder r SET plan_from = CASE WHEN EXISTS (SELECT FROM cut WHERE cut.id = r.id)
      THEN (SELECT cut.from_at FROM cut WHERE cut.id = r.id) ELSE pause.from_at::timestamptz END
    FROM pause WHERE r.id = pause.id AND r.plan_from = pause.until_at::timestamptz`);
}

/** A reminder that moves from one zone to another. */
export interface PausedMove {
  readonly id: number;
  readonly from: string;
  readonly to: string;
}

/** When a pause was to end, and when it ends where the reminder is now; null without an end. */
export interface MovedEnd {
  readonly was: Date | null;
  readonly is: Date | null;
}

/**
 * Moves the days of pauses with their reminders: each begins and ends when the clocks of the other zone
 * show the time that those of the former one were to show; what they have shown already is this minute.
 * Returns when those of each reminder that has some were to end, and end now.
 */
export async function movePauses(
  inner: RequestContext,
  moves: readonly PausedMove[],
): Promise<ReadonlyMap<number, readonly MovedEnd[]>> {
  const zones = new Map(moves.map((move) => [move.id, move]));
  const now = Math.floor(inner.now().getTime() / MINUTE) * MINUTE;
  const pauses = await pausesAhead(inner, [...zones.keys()]);
  const moved = (reminderId: number, at: Date | null) => {
    const { from, to } = zones.get(reminderId) as PausedMove;
    if (!at || at.getTime() <= now) return at;
    return new Date(Math.max(now, instantAt(localAt(at.getTime(), from), to)));
  };
  if (pauses.length > 0) {
    await inner.db.$executeRaw(sql`
      WITH made AS (SELECT id, r, from_at::timestamptz, NULLIF(until_at, '')::timestamptz AS until_at
        FROM unnest(
          ${pauses.map(({ id }) => id)}::int[],
          ${pauses.map(({ reminderId }) => reminderId)}::int[],
          ${pauses.map(({ reminderId: r, fromAt }) => moved(r, fromAt)?.toISOString())}::text[],
          ${pauses.map(({ reminderId: r, untilAt }) => moved(r, untilAt)?.toISOString() ?? '')}::text[]
        ) AS given(id, r, from_at, until_at)),
      counting AS (
        UPDATE reminder SET plan_from = made.until_at
        FROM made JOIN reminder_pause p ON p.id = made.id
        WHERE reminder.id = made.r AND reminder.plan_from = p.until_at)
      UPDATE reminder_pause p SET from_at = made.from_at, until_at = made.until_at
      FROM made WHERE p.id = made.id`);
  }
  const ends = new Map<number, MovedEnd[]>();
  for (const { reminderId, untilAt } of pauses)
    ends.set(reminderId, [
      ...(ends.get(reminderId) ?? []),
      { was: untilAt, is: moved(reminderId, untilAt) },
    ]);
  return ends;
}

const COLUMNS = sql`reminder_id, frequency_type, schedule, zone, start_local, times, until_at, from_at, to_at`;

/** Cuts a pause out of former plans that are still to come. */
async function cutFormer(inner: Planning, pause: Prisma.Sql): Promise<void> {
  await inner.db.$executeRaw(sql`
    INSERT INTO past_plan (${COLUMNS})
    SELECT p.reminder_id, p.frequency_type, p.schedule, p.zone, p.start_local, p.times, p.until_at,
      pause.until_at, p.to_at
    FROM past_plan p JOIN ${pause} ON pause.reminder_id = p.reminder_id
    WHERE COALESCE(p.from_at, '-infinity') < pause.until_at AND p.to_at > pause.until_at`);
  await inner.db.$executeRaw(sql`
    DELETE FROM past_plan p USING ${pause}
    WHERE pause.reminder_id = p.reminder_id AND p.from_at >= pause.from_at
      AND p.from_at < pause.until_at`);
  await inner.db.$executeRaw(sql`
    UPDATE past_plan p SET to_at = pause.from_at FROM ${pause}
    WHERE pause.reminder_id = p.reminder_id AND p.to_at > pause.from_at
      AND COALESCE(p.from_at, '-infinity') < pause.from_at`);
}

/** Cuts a pause out of the plan in force: what comes before the pause becomes a former plan. */
async function cutPresent(inner: Planning, pause: Prisma.Sql): Promise<void> {
  await inner.db.$executeRaw(sql`
    INSERT INTO past_plan (${COLUMNS})
    SELECT r.id, r.frequency_type, r.schedule, r.zone, r.start_local, r.times, r.until_at,
      r.plan_from,
      pause.from_at
    FROM reminder r JOIN ${pause} ON pause.reminder_id = r.id
    WHERE r.scheduled AND r.recognized AND COALESCE(r.plan_from, '-infinity') < pause.from_at`);
  await inner.db.$executeRaw(sql`
    UPDATE reminder r SET plan_from = pause.until_at FROM ${pause}
    WHERE pause.reminder_id = r.id AND COALESCE(r.plan_from, '-infinity') < pause.until_at`);
}
