import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { hold, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isOutage } from '../../../platform/database/database.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { SUBJECTS } from '../catalogue/catalogue.js';
import type { FactLog, Subject } from '../catalogue/subject.js';
import { dayAfter, monthAfter, quarterOf, weekOf } from '../period.js';
import { insertCellsSql, tightenCellsSql } from './cell.sql.js';
import { changeCellsSql } from './change.sql.js';
import { deleteLongerSql, longerCellsSql, someLongerCellsSql } from './longer-cell.sql.js';
import {
  forgetLog,
  forgetLogged,
  isClosed,
  isFollowed,
  noteFollowed,
  noteMade,
  noteRest,
  type SubjectMonth,
} from './month.service.js';

/** Milliseconds for which the cells of a month may be made: a large site has millions of facts. */
const LONGEST = 10 * 60_000;
/** Accounts of the log that are counted again in one transaction. */
const ACCOUNTS_AT_ONCE = 200;

/** What names a cell of a subject. */
interface CellName {
  readonly grid: string;
  readonly date: string;
  readonly keys: string[];
}

/**
 * Brings the cells of the months whose facts changed up to date, the last month first; those of closed
 * months stay. A month that is long to make waits until that is a twentieth of the time since it was made last.
 * Returns how many months, and the subjects of those that wait. The error of a month that fails is thrown once
 * the others are made, that of an outage at once.
 */
export async function renewCells(
  context: RequestContext,
  stopping?: AbortSignal,
  show?: (done: number) => void,
): Promise<{ readonly months: number; readonly waiting: readonly string[] }> {
  const stale = await context.rows<SubjectMonth & { waits: boolean }>(Prisma.sql`
    SELECT subject, month::text,
      NOT bool_and(logged) AND coalesce(max(rests_until) > ${context.now()}::timestamptz, false) AS waits
    FROM report_stale LEFT JOIN report_month USING (subject, month)
    GROUP BY subject, month ORDER BY month DESC, subject`);
  let done = 0;
  const failures: unknown[] = [];
  for (const month of stale.filter(({ waits }) => !waits)) {
    if (stopping?.aborted) break;
    await renewMonth(context, month, stopping).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      failures.push(error);
    });
    show?.(++done);
  }
  if (failures.length > 0) throw failures[0];
  const waiting = stale.filter(({ waits }) => waits).map(({ subject }) => subject);
  return { months: stale.length, waiting: [...new Set(waiting)] };
}

/** Brings the cells of a month up to date, in as many transactions as its log needs. */
async function renewMonth(
  context: RequestContext,
  month: SubjectMonth,
  stopping?: AbortSignal,
): Promise<void> {
  let isLeft = true;
  while (isLeft && !stopping?.aborted) {
    isLeft = await transact(context, (inner) => renewSome(inner, month), { timeout: LONGEST });
    await giveWay();
  }
}

/**
 * Makes the cells of a month again, or moves them by what is in its log. Returns whether more of
 * that is left.
 */
async function renewSome(inner: RequestContext, of: SubjectMonth): Promise<boolean> {
  // Another process that renews the same subject waits, and then does it again: no change is lost,
  // and months share weeks and quarters.
  await hold(inner, `report:${of.subject}`);
  const marks = await inner.db.$queryRaw<{ logged: boolean }[]>`DELETE FROM report_stale
    WHERE subject = ${of.subject} AND month = ${of.month}::date RETURNING logged`;
  const subject = SUBJECTS.find(({ name }) => name === of.subject);
  if (!subject || marks.length === 0) return false;
  const { log } = subject;
  if (await isClosed(inner, of)) {
    if (log) await forgetLog(inner, log, of);
    return false;
  }
  const by = makerOf(inner, subject);
  if (log && marks.every(({ logged }) => logged) && (await canFollow(inner, log, of, by)))
    return changeCells(inner, subject, log, of.month);
  const began = performance.now();
  await makeCells(inner, subject, of.month);
  await makeLongerCells(inner, subject, of.month);
  await noteMade(inner, of);
  await noteRest(inner, of, performance.now() - began);
  if (log) await noteFollowed(inner, of, by);
  return false;
}

/**
 * Returns whether the cells of a month can follow its log, and it is the lesser work: of most of the
 * accounts of a month it is all of it once more.
 */
async function canFollow(
  inner: RequestContext,
  { table }: FactLog,
  { subject, month }: SubjectMonth,
  by: string,
): Promise<boolean> {
  if (!(await isFollowed(inner, { subject, month }, by))) return false;
  const logged = Prisma.sql`SELECT count(DISTINCT account_id) FROM ${Prisma.raw(table)}
    WHERE day >= ${month}::date AND day < ${monthAfter(month, 1)}::date`;
  const [row] = await inner.rows<{ most: boolean }>(Prisma.sql`
    SELECT 2 * (${logged}) > (SELECT count(*) FROM report_member
      WHERE subject = ${subject} AND month = ${month}::date) AS most`);
  return !row?.most;
}

/**
 * Moves the cells of a month by what some of the accounts in its log changed. Returns whether there are
 * more, and the month is stale still.
 */
async function changeCells(
  inner: RequestContext,
  subject: Subject,
  log: FactLog,
  month: string,
): Promise<boolean> {
  const sql = changeCellsSql(subject, log);
  const of = parametersOf(inner, month);
  const cells = await inner.db.$queryRawUnsafe<CellName[]>(sql, ...of, ACCOUNTS_AT_ONCE);
  await joinAgain(inner, subject, cells);
  const left = await inner.db.$executeRawUnsafe(
    `INSERT INTO report_stale (subject, month, logged) SELECT $1::text, $2::date, true
      WHERE EXISTS (SELECT FROM ${log.table} WHERE day >= $2::date AND day < $3::date)`,
    subject.name,
    month,
    monthAfter(month, 1),
  );
  if (left > 0) return true;
  await noteMade(inner, { subject: subject.name, month });
  await noteFollowed(inner, { subject: subject.name, month }, makerOf(inner, subject));
  return false;
}

/** Makes the weeks and quarters of some cells again. */
async function joinAgain(
  { db }: RequestContext,
  subject: Subject,
  cells: readonly CellName[],
): Promise<void> {
  if (cells.length === 0) return;
  const named = JSON.stringify(cells);
  for (const longer of ['week', 'quarter'] as const) {
    await db.$executeRawUnsafe(deleteLongerSql(subject, longer), named);
    await db.$executeRawUnsafe(someLongerCellsSql(subject, longer), named);
  }
}

/**
 * Makes again what cells do not know since an account went: who adds the most, and the least
 * hashes. Each month is read once. `before` is the day before which cells are looked at, by default
 * all are.
 */
export async function tightenCells(context: RequestContext, before = 'infinity'): Promise<void> {
  const loose = await context.rows<SubjectMonth & { grids: string[] }>(Prisma.sql`
    SELECT subject, date_trunc('month', date)::date::text AS month, array_agg(DISTINCT grid) AS grids
    FROM report_loose WHERE date < ${before}::date GROUP BY 1, 2 ORDER BY 2 DESC`);
  for (const { grids, ...of } of loose)
    await transact(context, (inner) => tightenMonth(inner, of, new Set(grids)), {
      timeout: LONGEST,
    });
}

async function tightenMonth(
  inner: RequestContext,
  of: SubjectMonth,
  grids: ReadonlySet<string>,
): Promise<void> {
  await hold(inner, `report:${of.subject}`);
  const subject = SUBJECTS.find(({ name }) => name === of.subject);
  if (!subject || (await isClosed(inner, of))) return;
  const sql = tightenCellsSql(subject, grids);
  const cells = await inner.db.$queryRawUnsafe<CellName[]>(sql, ...parametersOf(inner, of.month));
  await joinAgain(inner, subject, cells);
}

/** Names what makes the cells of a subject: the key of sketches, and grids, counts and bounds. */
function makerOf({ deps }: RequestContext, subject: Subject): string {
  const digest = createHash('sha256').update(insertCellsSql(subject)).digest('hex').slice(0, 16);
  return `${deps.keys.current('report sketch').id} ${digest}`;
}

/** The parameters of statements on the cells of a month: see `insertCellsSql`. */
function parametersOf(context: RequestContext, month: string) {
  const { site, deps } = context;
  const key = deps.keys.current('report sketch');
  const next = monthAfter(month, 1);
  return [site.timeZone, context.now(), month, next, key.bytes.toString('hex'), key.id];
}

/** Makes the cells of a month of a subject again, from its facts. */
async function makeCells(context: RequestContext, subject: Subject, month: string): Promise<void> {
  const { db } = context;
  // Without it the sums of large months would be sorted on disk.
  await db.$executeRaw`SET LOCAL work_mem = '96MB'`;
  await db.$executeRaw`DELETE FROM report_cell
    WHERE subject = ${subject.name} AND date >= ${month}::date AND date < ${monthAfter(month, 1)}::date
      AND grid !~ '^(week|quarter)( |$)'`;
  await forgetLogged(context, { subject: subject.name, month });
  await db.$executeRawUnsafe(insertCellsSql(subject), ...parametersOf(context, month));
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
