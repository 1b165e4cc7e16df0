import type { RequestContext } from '../../../core/context.js';
import { prune } from '../../../core/pruning.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isTooLong } from '../../../platform/database/database.js';
import type { Queue } from '../../../platform/jobs/queues.js';
import { SUBJECTS } from '../catalogue/catalogue.js';
import { markLoose, renewCells } from './cells.service.js';
import { isWaiting, renewDoseFacts } from './dose-facts.service.js';
import { oldestDay } from './kept.js';
import { closeMonths } from './month.service.js';
import { BY_WEEKS, markPassed } from './passing.service.js';

/** What waits for the rollups. Rows have numbers, and months their days since 2000. */
export const ROLLUP_QUEUES: readonly Queue[] = [
  {
    name: 'reports: members',
    waiting: `SELECT CASE WHEN retry_at > $1::timestamptz THEN NULL ELSE id END AS since FROM report_due ORDER BY id`,
    isNumbered: true,
  },
  {
    name: 'reports: changes',
    waiting: 'SELECT id AS since FROM report_change ORDER BY id',
    isNumbered: true,
  },
  {
    name: 'reports: months',
    waiting: `SELECT month - date '2000-01-01' AS since FROM report_stale ORDER BY month`,
    isNumbered: true,
  },
];

/**
 * Brings the rollups up to date: what changed, and what was missed by the passing of time. Safe in
 * several processes. Afterwards reports hold what was known when it began; where another process
 * still marks who missed a dose, or makes some of these facts, neither the time is noted nor a
 * month closed. A member who was passed over keeps open the months of doses since what changed
 * alone: their facts are made first.
 * When the database is too slow for facts, the cells of those that were made come before its error is thrown.
 * `patience`: milliseconds after which facts are left to the next time, and three times as many for cells, so that
 * neither waits long for the other; by default none.
 */
export async function renewRollups(
  context: RequestContext,
  stopping?: AbortSignal,
  patience?: number,
): Promise<void> {
  const now = context.now();
  const passing = await markPassed(context, now);
  await markOutdated(context);
  await markUnknown(context);
  const last = await lastDue(context);
  const ends = patience === undefined ? [] : [AbortSignal.timeout(patience)];
  const enough = AbortSignal.any([...ends, ...(stopping ? [stopping] : [])]);
  const tooLong = await renewDoseFacts(context, enough).then(
    () => undefined,
    (error: unknown) => {
      if (!isTooLong(error)) throw error;
      return error;
    },
  );
  // Facts and the months that they make stale come in one transaction: none comes after the cells.
  const left = await leftOf(context, last);
  const renewal = { stopping, patience: patience === undefined ? undefined : 3 * patience };
  const first = await renewCells(context, renewal);
  const hasLoose = await markLoose(context, passing === 'marked');
  const { waiting } = hasLoose ? await renewCells(context, renewal) : first;
  if (tooLong) throw tooLong;
  if (stopping?.aborted || left.due || passing === 'elsewhere') return;
  await noteTime(context, now, waiting);
  await closeMonths(context, left.passedOver, stopping);
}

/** Notes up to when reports are true: all of them, or those of which no month waits. */
async function noteTime(
  context: RequestContext,
  now: Date,
  waiting: readonly string[],
): Promise<void> {
  const others = SUBJECTS.map(({ name }) => name).filter((name) => !waiting.includes(name));
  await context.db.$executeRaw`INSERT INTO report_state (subject, as_of)
    SELECT name, ${now} FROM unnest(${waiting.length > 0 ? others : ['all']}::text[]) AS name
    ON CONFLICT (subject) DO UPDATE SET as_of = greatest(report_state.as_of, excluded.as_of)`;
}

/** Returns the last mark on a member; marks count up. */
async function lastDue(context: RequestContext): Promise<string> {
  const [row] = await context.rows<{ last: string }>(
    Prisma.sql`SELECT coalesce(max(id), 0)::text AS last FROM report_due`,
  );
  return row?.last ?? '0';
}

interface LeftMarks {
  /** Whether there are any that no process has worked off yet. */
  readonly due: boolean;
  /**
   * The first day of doses, by any clock, whose facts members lack who were passed over: they hold up
   * no reports of the others. Null for none.
   */
  readonly passedOver: string | null;
}

/** Returns which marks are left of those up to one. */
async function leftOf(context: RequestContext, last: string): Promise<LeftMarks> {
  const [row] = await context.rows<LeftMarks>(Prisma.sql`
    SELECT coalesce(bool_or(${isWaiting(context)}), false) AS due,
      (min(greatest(from_at, 'epoch')) FILTER (WHERE NOT ${isWaiting(context)})
        - interval '2 days')::date::text AS "passedOver"
    FROM report_due WHERE id <= ${last}::text::bigint`);
  return row as LeftMarks;
}

/**
 * Marks the open months whose cells a process of an earlier version made, or that lack the cells of
 * weeks, which such a process deletes during an upgrade, or buckets.
 */
async function markOutdated(context: RequestContext): Promise<void> {
  await context.db.$executeRaw`INSERT INTO report_stale
    SELECT DISTINCT m.subject, m.month FROM report_month m JOIN report_cell d
      ON d.subject = m.subject AND d.grid = 'day' AND d.date >= m.month
        AND d.date < m.month + interval '1 month'
    WHERE NOT m.closed AND NOT EXISTS (SELECT FROM report_building b
      WHERE b.subject = m.subject AND b.month = m.month) AND (d.eligible IS NULL
      OR d.buckets IS NULL AND m.subject = ANY(${SPREAD}::text[]) OR NOT EXISTS (SELECT FROM report_cell w
      WHERE w.subject = d.subject AND w.grid = 'week'
        AND w.date = date_trunc('week', d.date)::date))`;
}

/**
 * Marks what a process of an earlier version made or forgot during an upgrade: accounts whose open
 * facts say nothing of lateness, and months of cohorts that never had cells, since such a process
 * deletes marks on subjects that it does not know. At most 10,000 facts a run, the oldest of those of
 * open months first, and none while 1,000 marks wait. Where there is nothing this reads the end of an
 * index of such facts, and 60 keys.
 */
async function markUnknown(context: RequestContext): Promise<void> {
  await context.db.$executeRaw`INSERT INTO report_due (account_id, from_at)
    SELECT account_id, min(at) FROM (SELECT account_id, at FROM dose_fact f
      WHERE outcome = 'taken' AND late_minutes IS NULL
        AND day >= coalesce((SELECT min(month) FROM report_month
          WHERE subject = 'dose' AND NOT closed), '-infinity')
        AND NOT EXISTS (SELECT FROM report_month m WHERE m.subject = 'dose' AND m.closed
          AND m.month = date_trunc('month', f.day)::date)
        AND (SELECT count(*) FROM (SELECT FROM report_due LIMIT ${MANY_DUE}::int) due) < ${MANY_DUE}::int
      ORDER BY day, at LIMIT ${UNKNOWN_AT_ONCE}::int) f
    GROUP BY account_id`;
  await context.db.$executeRaw`INSERT INTO report_stale
    SELECT subject, month::date FROM unnest(${BY_WEEKS}::text[]) AS by_week(subject),
      generate_series((SELECT greatest(${oldestDay(context.now())}::timestamp,
          date_trunc('month', min(created_at) AT TIME ZONE 'UTC' - interval '8 days'))
        FROM account HAVING min(created_at) IS NOT NULL),
        ${context.now()}::timestamptz AT TIME ZONE 'UTC', interval '1 month') AS series(month)
    WHERE NOT EXISTS (SELECT FROM report_month m
      WHERE m.subject = by_week.subject AND m.month = series.month::date)
      AND NOT EXISTS (SELECT FROM report_building b
        WHERE b.subject = by_week.subject AND b.month = series.month::date)`;
}

/** Maximum number of facts that mark their members in one run. */
const UNKNOWN_AT_ONCE = 10_000;
/** So many marks on members wait that others can come later. */
const MANY_DUE = 1_000;

/** The subjects whose cells have buckets. */
const SPREAD = SUBJECTS.filter(({ spread }) => spread).map(({ name }) => name);

/** Marks everything to be made again that is not closed. */
export async function markAll(context: RequestContext): Promise<void> {
  await context.db.$executeRaw`INSERT INTO report_due (account_id, from_at)
    SELECT id, '-infinity' FROM account`;
  await context.db.$executeRaw`INSERT INTO report_stale
    SELECT subject, month FROM report_month`;
  await context.db.$executeRaw`UPDATE report_month SET rests_until = NULL`;
  for (const { name, facts } of SUBJECTS)
    await context.db.$executeRawUnsafe(
      `INSERT INTO report_stale WITH asked AS (SELECT $1::text, $2::timestamptz,
          '${oldestDay(context.now())}'::date AS first, ($2::timestamptz + interval '2 days')::date AS last)
        SELECT DISTINCT '${name}', date_trunc('month', day)::date FROM (${facts}) f
        WHERE day >= '${oldestDay(context.now())}'`,
      context.site.timeZone,
      context.now(),
    );
  await context.db.$executeRaw`DELETE FROM report_stale s USING report_month m
    WHERE m.subject = s.subject AND m.month = s.month AND m.closed`;
}

/** How far building is. */
export interface Progress {
  readonly what: 'members' | 'months';
  readonly done: number;
  readonly of: number;
}

/**
 * Makes all facts and cells again. `show` is called after every 10 members and every month. Safe
 * beside the job and at any kill: what is not done stays marked. Returns how much was made.
 */
export async function rebuildRollups(
  context: RequestContext,
  show: (progress: Progress) => void,
): Promise<{ members: number; months: number }> {
  await markAll(context);
  const [members] = await countDue(context);
  await renewDoseFacts(context, undefined, (done) => show({ what: 'members', done, of: members }));
  const [, months] = await countDue(context);
  await renewCells(context, { show: (done) => show({ what: 'months', done, of: months }) });
  return { members, months };
}

async function countDue(context: RequestContext): Promise<[members: number, months: number]> {
  const [row] = await context.rows<{ members: number; months: number }>(Prisma.sql`
    SELECT (SELECT count(DISTINCT account_id)::int FROM report_due) AS members,
      (SELECT count(DISTINCT (subject, month))::int FROM report_stale) AS months`);
  return [row?.members ?? 0, row?.months ?? 0];
}

/** Deletes facts and cells older than five years. Returns how many facts. */
export async function pruneRollups(
  context: RequestContext,
  stopping?: AbortSignal,
): Promise<number> {
  const { db } = context;
  const day = oldestDay(context.now());
  const [ended] = await db.$queryRaw<object[]>`
    SELECT 1 FROM report_month WHERE month < ${day}::date LIMIT 1`;
  // Cells end with their months: without an ended month none is looked for among all cells.
  if (ended) {
    const where = Prisma.sql`date < ${day}::date`;
    const by = Prisma.sql`subject, grid, date`;
    await prune(db, { table: Prisma.sql`report_cell`, where, by }, stopping);
    if (stopping?.aborted) return 0;
    await db.$executeRaw`DELETE FROM report_month WHERE month < ${day}::date`;
  }
  const names = SUBJECTS.map(({ name }) => name);
  const kept = {
    table: Prisma.sql`report_kept`,
    where: Prisma.sql`subject = ANY(${names}::text[])
      AND at < (${day}::date - 1)::timestamp AT TIME ZONE 'UTC'`,
    by: Prisma.sql`subject, at`,
  };
  await prune(db, kept, stopping);
  const facts = {
    table: Prisma.sql`dose_fact`,
    where: Prisma.sql`day < ${day}::date`,
    by: Prisma.sql`day`,
  };
  return prune(db, facts, stopping);
}
