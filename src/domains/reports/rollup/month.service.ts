import type { RequestContext } from '../../../core/context.js';
import { type EndedRows, prune } from '../../../core/pruning.js';
import { hold, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { SHARED_BY } from '../noise.js';
import { monthAfter, monthOf } from '../period.js';

const DAY = 24 * 60 * 60 * 1000;
/** How long after its end a month takes changes. */
export const SETTLES = 14 * DAY;
/** How long a month takes changes at least once it has cells: imports of the past come in parts. */
const IMPORTED = DAY;
/** Milliseconds that one transaction may take: a month of a large site has millions of facts. */
export const LONGEST = 10 * 60_000;

/** A month of a subject. */
export interface SubjectMonth {
  readonly subject: string;
  /** Its first day. */
  readonly month: string;
}

/** Returns whether the cells of a month are never made again. */
export async function isClosed(
  { db }: RequestContext,
  { subject, month }: SubjectMonth,
): Promise<boolean> {
  const [row] = await db.$queryRaw<{ closed: boolean }[]>`SELECT closed FROM report_month
    WHERE subject = ${subject} AND month = ${month}::date`;
  return row?.closed ?? false;
}

/**
 * Notes that the cells of a month were made, and how many accounts are typical of those of twenty
 * eligible ones and more: four in ten of these have fewer.
 */
export async function noteMade(
  context: RequestContext,
  { subject, month }: SubjectMonth,
): Promise<void> {
  await context.db.$executeRaw`INSERT INTO report_month (subject, month, made_at, typical)
    SELECT ${subject}, ${month}::date, ${context.now()}::timestamptz,
      percentile_disc(0.4) WITHIN GROUP (ORDER BY accounts)
    FROM report_cell WHERE subject = ${subject} AND date = ${month}::date
      AND eligible >= ${SHARED_BY}::int AND grid !~ '^(day|week|quarter|weekday|hour)( |$)'
    ON CONFLICT (subject, month) DO UPDATE SET typical = excluded.typical`;
}

/** Milliseconds for which the cells of a month may be made at any time. */
const LONG = 10_000;
/** So many times as long as it took rests a month that took longer. */
const RESTS = 20;

/** Notes until when a month rests that took so many milliseconds to make. */
export async function noteRest(
  context: RequestContext,
  { subject, month }: SubjectMonth,
  took: number,
): Promise<void> {
  const until = took > LONG ? new Date(context.now().getTime() + RESTS * took) : null;
  await context.db.$executeRaw`UPDATE report_month SET rests_until = ${until}::timestamptz
    WHERE subject = ${subject} AND month = ${month}::date`;
}

/** Returns by what the cells of a month were made that follow what changes; null when they do not. */
export async function makerOfMonth(
  { db }: RequestContext,
  { subject, month }: SubjectMonth,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ by: string | null }[]>`SELECT logged_by AS by FROM report_month
    WHERE subject = ${subject} AND month = ${month}::date`;
  return row?.by ?? null;
}

/** Notes that the cells of a month follow what changes from now on; they were made in the same transaction. */
export async function noteFollowed(
  { db }: RequestContext,
  { subject, month }: SubjectMonth,
  by: string,
): Promise<void> {
  await db.$executeRaw`UPDATE report_month SET logged_by = ${by}
    WHERE subject = ${subject} AND month = ${month}::date`;
}

/** Deletes which accounts changed in a month. */
export async function forgetChanges(
  { db }: RequestContext,
  { subject, month }: SubjectMonth,
): Promise<void> {
  await db.$executeRaw`DELETE FROM report_change
    WHERE subject = ${subject} AND month = ${month}::date`;
}

/** Deletes as what accounts are counted in a month; its cells cannot follow what changes any more. */
export async function forgetMembers(
  { db }: RequestContext,
  { subject, month }: SubjectMonth,
): Promise<void> {
  await db.$executeRaw`DELETE FROM report_member
    WHERE subject = ${subject} AND month = ${month}::date`;
  await db.$executeRaw`DELETE FROM report_loose
    WHERE subject = ${subject} AND month = ${month}::date`;
}

/**
 * Closes the months that ended 14 days ago and have had cells for a day, and deletes the facts that
 * closed months alone needed. Months of doses stay open from the day on of which facts lack, if there
 * is one.
 */
export async function closeMonths(
  context: RequestContext,
  lacking: string | null,
  stopping?: AbortSignal,
): Promise<void> {
  const isSettled = settled(context, lacking);
  const due = await context.rows<{ subject: string }>(
    Prisma.sql`SELECT DISTINCT subject FROM report_month m WHERE ${isSettled}`,
  );
  const close = async (inner: RequestContext, subject: string) => {
    // Nobody makes cells meanwhile of facts that are about to go.
    await hold(inner, `report:${subject}`);
    const closed = await inner.db.$queryRaw<SubjectMonth[]>`
      UPDATE report_month m SET closed = true WHERE m.subject = ${subject} AND ${isSettled}
      RETURNING subject, month::text`;
    for (const month of closed) {
      await forgetChanges(inner, month);
      await forgetMembers(inner, month);
    }
  };
  for (const { subject } of due)
    await transact(context, (inner) => close(inner, subject), { timeout: LONGEST });
  await forgetFacts(context, stopping);
}

/** The day up to which months are settled that end by it. */
const settledDay = (context: RequestContext) =>
  new Date(context.now().getTime() - SETTLES).toISOString().slice(0, 10);

/** Returns the first day of the last month that is settled: it and those before are closed soon. */
export const settlesBefore = (context: RequestContext) =>
  monthAfter(monthOf(settledDay(context)), -1);

/** Whether a month may be closed. */
function settled(context: RequestContext, lacking: string | null): Prisma.Sql {
  const now = context.now().getTime();
  const ended = settledDay(context);
  return Prisma.sql`NOT m.closed AND m.month + interval '1 month' <= ${ended}::date
    AND m.made_at <= ${new Date(now - IMPORTED)}
    AND (m.subject <> 'dose'
      OR m.month + interval '1 month' <= coalesce(${lacking}::date, 'infinity'))
    AND NOT EXISTS (SELECT FROM report_stale s WHERE s.subject = m.subject AND s.month = m.month)
    AND NOT EXISTS (SELECT FROM report_building b WHERE b.subject = m.subject AND b.month = m.month)
    AND NOT EXISTS (SELECT FROM report_change c WHERE c.subject IN (m.subject, m.subject || '+') AND c.month = m.month)
    AND NOT EXISTS (SELECT FROM report_loose l WHERE l.subject = m.subject AND l.month = m.month)`;
}

/** Deletes facts before the first month that is open, but for its edge. */
async function forgetFacts(context: RequestContext, stopping?: AbortSignal): Promise<void> {
  const closed = await context.rows<{ subject: string }>(
    Prisma.sql`SELECT DISTINCT subject FROM report_month WHERE closed`,
  );
  const kept = (subject: string): EndedRows => ({
    table: Prisma.sql`report_kept`,
    where: Prisma.sql`subject = ${subject}
      AND at < (${firstOpen(subject)} - 1)::timestamp AT TIME ZONE 'UTC'`,
    by: Prisma.sql`subject, at`,
  });
  // Who moves may have a dose of the last days of a closed month on the first of the next one.
  const doses = {
    table: Prisma.sql`dose_fact`,
    where: Prisma.sql`day < ${firstOpen('dose')} - 2`,
    by: Prisma.sql`day`,
  };
  for (const { subject } of closed) {
    await prune(context.db, kept(subject), stopping);
    if (subject === 'dose') await prune(context.db, doses, stopping);
  }
}

/**
 * The first day of the first month of a subject that is not closed, of those that have cells, or
 * facts and soon cells.
 */
const firstOpen = (subject: string) => Prisma.sql`(SELECT least(
  (SELECT min(month) FROM report_month WHERE subject = ${subject} AND NOT closed),
  (SELECT min(month) FROM report_stale WHERE subject = ${subject}),
  (SELECT min(month) FROM report_building WHERE subject = ${subject}),
  (SELECT (max(month) + interval '1 month')::date FROM report_month
    WHERE subject = ${subject} AND closed)))`;

/** Returns the months of doses that are closed, by their first days. */
export async function closedDoseMonths(context: RequestContext): Promise<ReadonlySet<string>> {
  const rows = await context.rows<{ month: string }>(
    Prisma.sql`SELECT month::text FROM report_month WHERE subject = 'dose' AND closed`,
  );
  return new Set(rows.map(({ month }) => month));
}
