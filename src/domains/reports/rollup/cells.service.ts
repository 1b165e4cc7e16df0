import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { hold, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isOutage } from '../../../platform/database/database.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { SUBJECTS } from '../catalogue/catalogue.js';
import type { Subject } from '../catalogue/subject.js';
import { dayAfter, monthAfter, quarterOf, weekOf } from '../period.js';
import {
  beginBuilding,
  buildingOf,
  builtBy,
  endBuilding,
  stopBuilding,
  takeOverChanges,
} from './building.service.js';
import { changeCellsSql } from './cell.sql.js';
import { deleteLongerSql, longerCellsSql, someLongerCellsSql } from './longer-cell.sql.js';
import {
  forgetChanges,
  forgetMembers,
  isClosed,
  LONGEST,
  makerOfMonth,
  noteFollowed,
  noteMade,
  noteRest,
  type SubjectMonth,
  settlesBefore,
} from './month.service.js';

/** Accounts that are counted again in one transaction. */
const ACCOUNTS_AT_ONCE = 5_000;
/** Accounts in a month up to which what cells do not know since one went is made again each hour. */
const MOST_HOURLY = 20_000;

/** What names a cell of a subject. */
interface CellName {
  readonly grid: string;
  readonly date: string;
  readonly keys: string[];
}

/** How cells are renewed. */
interface Renewal {
  readonly stopping?: AbortSignal | undefined;
  /** Is called after every month. */
  readonly show?: (done: number) => void;
  /** Milliseconds after which months wait for the next time, by default none. */
  readonly patience?: number | undefined;
  /** Accounts that are counted again in one transaction, by default 5,000. */
  readonly atOnce?: number;
}

/**
 * Brings the cells of the months whose facts changed up to date; those of closed months stay. Months
 * that follow what changes come first, and again after each part of a month that is made whole, the
 * last one first. A month that does not follow what changes, and was long to make, waits until that
 * is a twentieth of the time since. Returns how many months there were, and the subjects of those
 * that are left. The error of a month that fails is thrown once the others are made, that of an
 * outage at once.
 */
export async function renewCells(
  context: RequestContext,
  { stopping, show, patience = Number.POSITIVE_INFINITY, atOnce = ACCOUNTS_AT_ONCE }: Renewal = {},
): Promise<{ readonly months: number; readonly waiting: readonly string[] }> {
  await takeOverChanges(context);
  const all = await staleMonths(context);
  const left = new Map(all.map((month) => [nameOf(month), month]));
  const began = performance.now();
  const failures = new Map<string, unknown>();
  const followed = new Set<string>();
  const isOver = () => stopping?.aborted || performance.now() - began > patience;
  for (let stale = all; !isOver(); stale = await staleMonths(context)) {
    const open = stale.filter((month) => !month.waits && !failures.has(nameOf(month)));
    const next =
      open.find((month) => month.follows && !followed.has(nameOf(month))) ??
      open.find((month) => !month.follows && left.has(nameOf(month)));
    if (!next) break;
    const name = nameOf(next);
    const isLeft = await renewSome(context, next, atOnce).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      failures.set(name, error);
      return false;
    });
    if (!next.follows) followed.clear();
    else if (!isLeft) followed.add(name);
    if (!isLeft && left.delete(name)) show?.(all.length - left.size);
    await giveWay();
  }
  for (const error of failures.values()) throw error;
  return {
    months: all.length,
    waiting: [...new Set([...left.values()].map(({ subject }) => subject))],
  };
}

const nameOf = ({ subject, month }: SubjectMonth) => `${subject} ${month}`;

/** Returns the months whose facts changed, and those that are being made. */
const staleMonths = (context: RequestContext) =>
  context.rows<SubjectMonth & { waits: boolean; follows: boolean }>(Prisma.sql`
    SELECT subject, month::text, bool_or(follows) AS follows, NOT bool_or(proceeds)
      AND coalesce(max(rests_until) > ${context.now()}::timestamptz, false) AS waits
    FROM (SELECT DISTINCT subject, month, false AS proceeds, false AS follows FROM report_stale
      UNION ALL SELECT subject, month, true, false FROM report_building
      UNION ALL SELECT subject, month, is_alone, is_alone FROM (
        SELECT subject, month, NOT EXISTS (SELECT FROM report_stale s
          WHERE s.subject = m.subject AND s.month = m.month) AS is_alone
        FROM report_month m WHERE logged_by IS NOT NULL
          AND EXISTS (SELECT FROM report_change c WHERE c.subject = m.subject AND c.month = m.month)) m) stale
      LEFT JOIN report_month USING (subject, month)
    GROUP BY subject, month ORDER BY bool_or(follows) DESC, month DESC, subject`);

/**
 * Counts some accounts of a month again, in one transaction: those that changed, or all, one part after the
 * other, where cells do not follow what changes. Returns whether more are left.
 */
const renewSome = (context: RequestContext, of: SubjectMonth, atOnce: number): Promise<boolean> =>
  transact(context, (inner) => renewLocked(inner, of, atOnce), { timeout: LONGEST });

async function renewLocked(
  inner: RequestContext,
  of: SubjectMonth,
  atOnce: number,
): Promise<boolean> {
  // Another process that renews the same subject waits, and then does it again: no change is lost,
  // and months share weeks and quarters.
  await hold(inner, `report:${of.subject}`);
  const subject = SUBJECTS.find(({ name }) => name === of.subject);
  if (!subject || (await isClosed(inner, of))) {
    await forgetStale(inner, of);
    // Marked so by a process of before: these are the accounts that a month which is being made waits for.
    if (of.subject.endsWith('+')) return false;
    await forgetChanges(inner, of);
    await stopBuilding(inner, of);
    return false;
  }
  const by = makerOf(inner, subject);
  const building = await builtBy(inner, of);
  if (building === by) return buildSome(inner, subject, of, atOnce);
  const isStale = await forgetStale(inner, of);
  if (!building && !isStale && (await makerOfMonth(inner, of)) === by)
    return changeSome(inner, subject, of, atOnce);
  await beginBuilding(inner, subject, of, { by, zone: inner.site.timeZone });
  return buildSome(inner, subject, of, atOnce);
}

/** Deletes the marks on a month. Returns whether there were any. */
async function forgetStale({ db }: RequestContext, of: SubjectMonth): Promise<boolean> {
  const marks = await db.$executeRaw`DELETE FROM report_stale
    WHERE subject = ${of.subject} AND month = ${of.month}::date`;
  return marks > 0;
}

/** Moves the cells of a month by what some accounts changed. Returns whether there are more. */
async function changeSome(
  inner: RequestContext,
  subject: Subject,
  of: SubjectMonth,
  atOnce: number,
): Promise<boolean> {
  const { cells, isLeft } = await changeCells(inner, subject, of, atOnce);
  await joinAgain(inner, subject, cells);
  if (isLeft) return true;
  await noteMade(inner, of);
  await noteFollowed(inner, of, makerOf(inner, subject));
  return false;
}

/**
 * Counts some accounts of a month that is being made; nobody sees its cells until all are counted.
 * Returns whether there are more.
 */
async function buildSome(
  inner: RequestContext,
  subject: Subject,
  of: SubjectMonth,
  atOnce: number,
): Promise<boolean> {
  const name = buildingOf(of.subject);
  // Without it the sums of many accounts would be sorted on disk.
  await inner.db.$executeRaw`SET LOCAL work_mem = '96MB'`;
  const { isLeft } = await changeCells(inner, subject, { ...of, subject: name }, atOnce);
  if (isLeft) return true;
  const took = await endBuilding(inner, of);
  await makeLongerCells(inner, subject, of.month);
  await noteMade(inner, of);
  await noteRest(inner, of, took);
  // What is closed soon would keep the facts of all accounts for nothing.
  if (of.month > settlesBefore(inner)) await noteFollowed(inner, of, makerOf(inner, subject));
  else await forgetMembers(inner, of);
  return false;
}

/** Counts some accounts again that changed. Returns the cells that were moved, and whether there are more. */
async function changeCells(
  inner: RequestContext,
  subject: Subject,
  of: SubjectMonth,
  atOnce: number,
): Promise<{ readonly cells: readonly CellName[]; readonly isLeft: boolean }> {
  const cells = await inner.db.$queryRawUnsafe<CellName[]>(
    changeCellsSql(subject),
    ...parametersOf(inner, of.month),
    atOnce,
    of.subject,
  );
  const left = await inner.db.$queryRaw<object[]>`SELECT 1 FROM report_change
    WHERE subject = ${of.subject} AND month = ${of.month}::date LIMIT 1`;
  return { cells, isLeft: left.length > 0 };
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
 * Marks the months to be made again whose cells do not know all since an account went: who adds the
 * most, and the least hashes. Of large months that waits until they are about to be closed. Returns
 * whether there are any.
 */
export async function markLoose(context: RequestContext, isHourly: boolean): Promise<boolean> {
  const marked = await context.db.$executeRaw`WITH marked AS (DELETE FROM report_loose l
      -- Those of a month that is being made become its own when it is.
      WHERE subject NOT LIKE '%+' AND (month <= ${settlesBefore(context)}::date OR ${isHourly}
        AND NOT EXISTS (SELECT FROM report_cell c WHERE c.subject = l.subject AND c.grid = ''
          AND c.date = l.month AND c.keys = '{}' AND c.accounts > ${MOST_HOURLY}::int))
      RETURNING subject, month)
    INSERT INTO report_stale (subject, month) SELECT subject, month FROM marked`;
  return marked > 0;
}

/** Names what makes the cells of a subject: the key of sketches, grids, counts and bounds, the site's zone. */
function makerOf({ deps, site }: RequestContext, subject: Subject): string {
  const made = createHash('sha256').update(changeCellsSql(subject)).update(site.timeZone);
  return `${deps.keys.current('report sketch').id} ${made.digest('hex').slice(0, 16)}`;
}

/** The parameters of statements on the cells of a month: see `changeCellsSql`. */
function parametersOf(context: RequestContext, month: string) {
  const { site, deps } = context;
  const key = deps.keys.current('report sketch');
  const next = monthAfter(month, 1);
  return [site.timeZone, context.now(), month, next, key.bytes.toString('hex'), key.id];
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
