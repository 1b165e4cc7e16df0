import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { FAR } from './paused.js';

const { sql } = Prisma;

/** Most pauses of a medicine that are not over. */
export const MOST_PAUSES = 10;

/**
 * Takes what is paused out of the plans of reminders: a plan ends where a pause begins, and counts
 * again where the pause ends. The same again changes nothing. Whoever puts a plan in force calls it
 * before planning alerts. One statement, and five more for the first, second … pause of all.
 */
export async function keepPauses(inner: RequestContext, ids: readonly number[]): Promise<void> {
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
const standing = (inner: RequestContext, ids: readonly number[]) => sql`
  SELECT reminder_id, from_at, COALESCE(until_at, ${FAR.toISOString()}::timestamptz) AS until_at,
    row_number() OVER (PARTITION BY reminder_id ORDER BY from_at, id) AS place
  FROM reminder_pause WHERE reminder_id = ANY(${[...ids]}::int[])
    AND (until_at IS NULL OR until_at > ${inner.now().toISOString()}::timestamptz)`;

const COLUMNS = sql`reminder_id, frequency_type, schedule, zone, start_local, times, until_at, from_at, to_at`;

/** Cuts a pause out of former plans that are still to come. */
async function cutFormer(inner: RequestContext, pause: Prisma.Sql): Promise<void> {
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
async function cutPresent(inner: RequestContext, pause: Prisma.Sql): Promise<void> {
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
