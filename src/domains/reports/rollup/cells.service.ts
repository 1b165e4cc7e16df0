import type { RequestContext } from '../../../core/context.js';
import { hold, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isOutage } from '../../../platform/database/database.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { SUBJECTS } from '../catalogue/catalogue.js';
import type { Subject } from '../catalogue/subject.js';
import { dayAfter, monthAfter, quarterOf, weekOf } from '../period.js';
import { insertCellsSql } from './cell.sql.js';
import { longerCellsSql } from './longer-cell.sql.js';
import { isClosed, noteMade, type SubjectMonth } from './month.service.js';

/** Milliseconds for which the cells of a month may be made: a large site has millions of facts. */
const LONGEST = 10 * 60_000;

/**
 * Makes the cells of the months whose facts changed again, in order; those of closed months stay.
 * Returns how many months. The error of a month that fails is thrown once the others are made, that
 * of an outage at once.
 */
export async function renewCells(
  context: RequestContext,
  stopping?: AbortSignal,
  show?: (done: number) => void,
): Promise<number> {
  const stale = await context.rows<SubjectMonth>(
    Prisma.sql`SELECT DISTINCT subject, month::text FROM report_stale ORDER BY month DESC, subject`,
  );
  let done = 0;
  const failures: unknown[] = [];
  for (const month of stale) {
    if (stopping?.aborted) break;
    await transact(context, (inner) => renewMonth(inner, month), { timeout: LONGEST }).catch(
      (error: unknown) => {
        if (isOutage(error)) throw error;
        failures.push(error);
      },
    );
    show?.(++done);
    await giveWay();
  }
  if (failures.length > 0) throw failures[0];
  return stale.length;
}

async function renewMonth(inner: RequestContext, { subject, month }: SubjectMonth): Promise<void> {
  // Another process that renews the same subject waits, and then does it again: no change is lost,
  // and months share weeks and quarters.
  await hold(inner, `report:${subject}`);
  await inner.db.$executeRaw`DELETE FROM report_stale
    WHERE subject = ${subject} AND month = ${month}::date`;
  const known = SUBJECTS.find(({ name }) => name === subject);
  if (!known || (await isClosed(inner, { subject, month }))) return;
  await makeCells(inner, known, month);
  await makeLongerCells(inner, known, month);
  await noteMade(inner, { subject, month });
}

/** Makes the cells of a month of a subject again, from its facts. */
async function makeCells(context: RequestContext, subject: Subject, month: string): Promise<void> {
  const { db, site, deps } = context;
  const key = deps.keys.current('report sketch');
  const next = monthAfter(month, 1);
  // Without it the sums of large months would be sorted on disk.
  await db.$executeRaw`SET LOCAL work_mem = '96MB'`;
  await db.$executeRaw`DELETE FROM report_cell
    WHERE subject = ${subject.name} AND date >= ${month}::date AND date < ${next}::date
      AND grid !~ '^(week|quarter)( |$)'`;
  await db.$executeRawUnsafe(
    insertCellsSql(subject),
    site.timeZone,
    context.now(),
    month,
    next,
    key.bytes.toString('hex'),
    key.id,
  );
}

/** Makes the cells of the quarter and the weeks of a month again, of those of months and days. */
async function makeLongerCells(
  { db }: RequestContext,
  subject: Subject,
  month: string,
): Promise<void> {
  const [quarter, monday] = [quarterOf(month), weekOf(month)];
  const spans = [
    ['week', monday, dayAfter(weekOf(dayAfter(monthAfter(month, 1), -1)), 7)],
    ['quarter', quarter, monthAfter(quarter, 3)],
  ] as const;
  for (const [longer, from, to] of spans) {
    await db.$executeRaw`DELETE FROM report_cell WHERE subject = ${subject.name}
      AND date >= ${from}::date AND date < ${to}::date
      AND (grid = ${longer} OR starts_with(grid, ${`${longer} `}))`;
    await db.$executeRawUnsafe(longerCellsSql(subject, longer), from, to);
  }
}
