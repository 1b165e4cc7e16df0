import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { monthAfter } from '../period.js';

const DAY = 24 * 60 * 60 * 1000;
/** How long after its end a month takes changes. */
const SETTLES = 14 * DAY;
/** How long a month takes changes at least once it has cells: imports of the past come in parts. */
const IMPORTED = DAY;

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

/** Notes that the cells of a month were made. */
export async function noteMade(
  context: RequestContext,
  { subject, month }: SubjectMonth,
): Promise<void> {
  await context.db.$executeRaw`INSERT INTO report_month (subject, month, made_at)
    VALUES (${subject}, ${month}::date, ${context.now()})
    ON CONFLICT DO NOTHING`;
}

/**
 * Closes the months that ended 14 days ago and have had cells for a day, and forgets the facts that
 * were kept for them alone.
 */
export async function closeMonths(context: RequestContext): Promise<void> {
  const now = context.now().getTime();
  const ended = new Date(now - SETTLES).toISOString().slice(0, 10);
  const closed = await context.db.$executeRaw`UPDATE report_month m SET closed = true
    WHERE NOT m.closed AND m.month + interval '1 month' <= ${ended}::date
      AND m.made_at <= ${new Date(now - IMPORTED)}
      AND NOT EXISTS (SELECT FROM report_stale s
        WHERE s.subject = m.subject AND s.month = m.month)`;
  if (closed > 0)
    await context.db.$executeRaw`DELETE FROM report_kept WHERE report_is_closed(subject, at)`;
}

/** Returns the first day of doses whose month is not closed; undefined when none is closed. */
export async function firstOpenDay(context: RequestContext): Promise<string | undefined> {
  const [row] = await context.rows<{ month: string | null }>(Prisma.sql`
    SELECT max(month)::text AS month FROM report_month WHERE subject = 'dose' AND closed`);
  return row?.month ? monthAfter(row.month, 1) : undefined;
}
