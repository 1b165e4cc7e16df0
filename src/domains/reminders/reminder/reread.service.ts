import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { isolateAmong } from '../../../platform/jobs/isolate.js';
import { recordAudit } from '../../audit/audit.service.js';
import { moveFeeds } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import { knownPlan } from '../alert/known-plan.js';
import { planMedicine } from '../alert/plan.js';
import type { Planned } from '../alert/planned.js';
import { startInForce } from '../alert/start.js';
import { moveByHand } from '../amount/moved-amount.service.js';
import { restateRanges, statesRange } from '../amount/ranged-amount.service.js';
import { hasFormerUnit, misstated, restateAmount } from '../amount/stated-amount.service.js';
import { forgetWrong } from '../amount/wrong-dose.service.js';
import type { Frequency } from '../schedule/frequency.js';
import { parseFrequency } from '../schedule/frequency.js';
import {
  dosageIn,
  frequencyIn,
  isConfirmed,
  meantText,
  storedIn,
} from '../schedule/schedule-value.js';
import { hasMarked } from '../schedule/words/misread.js';
import { holdMember, memberOf } from '../setting/member.service.js';
import { settleSupply } from '../stock/supply-end.service.js';
import { concernAbout } from './concern.js';
import { type News, tellOfDirections } from './directions-told.service.js';
import { circumstances } from './member-write.service.js';
import { READING } from './reading.js';
import { locked } from './reminder.service.js';
import { columns } from './reminder-write.service.js';
import { planEdited } from './replan.service.js';

const { sql } = Prisma;
/** Phrases that are read at once: each takes about a millisecond, and others wait meanwhile. */
const BATCH = 50;

/** How many medicines were read again, and what became of them. */
export interface Reread {
  looked: number;
  corrected: number;
  doubted: number;
}
type Outcome = 'same' | 'corrected' | 'doubted';

type Candidate = Pick<
  Reminder,
  'id' | 'accountId' | 'name' | 'frequencyType' | 'schedule' | 'recognized' | 'doseUnit'
>;

/** What the index `reminder_reading` has. */
const BEFORE = sql`reading < ${Prisma.raw(String(READING))} AND kind = 'medicine'
  AND frequency_type <> '' AND deleted_at IS NULL`;

/** Returns how many medicines were read by an earlier version. One statement. */
export async function rereadable(context: RequestContext): Promise<number> {
  const [row] = await context.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM reminder WHERE ${BEFORE}`,
  );
  return row?.count ?? 0;
}

/**
 * The rolling job: reads the phrases of medicines again that an earlier version understood.
 *
 * - What has one meaning now, and another one than then, is corrected from now on: times, and the
 *   amounts that the phrase stated. What somebody set by hand stays.
 * - What has several meanings now, or none, rings as before and is marked; an amount that was taken
 *   from it is forgotten. So is what `secondLook` finds unusual for its medicine. What was in doubt
 *   already stays so, and nothing is said of it again.
 * - What states a range of amounts gets it, where an earlier version had kept none of it.
 * - Members and carers are notified, unless it has ended, the audit has it, and a stock that fell by a wrong amount
 *   counts as uncertain.
 *
 * What was never understood stays so until somebody sends it again. A medicine a transaction; safe
 * in several processes at once and at any kill. One that fails alone is logged, holds up no other,
 * and is tried again the next time.
 */
export async function rereadPhrases(
  context: RequestContext,
  stopping: AbortSignal,
): Promise<Reread> {
  const { log } = context.deps;
  const done: Reread = { looked: 0, corrected: 0, doubted: 0 };
  for (let last = 0; !stopping.aborted; ) {
    const rows = await context.rows<Candidate>(sql`
      SELECT id, account_id AS "accountId", name, frequency_type AS "frequencyType", schedule,
        recognized, dose_unit AS "doseUnit"
      FROM reminder WHERE ${BEFORE} AND id > ${last}::int ORDER BY id LIMIT ${BATCH}::int`);
    await isolateAmong(rows, { job: 'reading of phrases', log }, async (part) => {
      await markSame(
        context,
        part.filter((row) => !isSuspect(row)),
      );
      for (const row of part.filter(isSuspect)) {
        if (stopping.aborted) break;
        const outcome = await transact(context, (inner) => reread(inner, row));
        if (outcome !== 'same') done[outcome]++;
      }
    });
    done.looked += rows.length;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) break;
  }
  if (done.corrected + done.doubted > 0) log.info({ ...done }, 'phrases read again');
  return done;
}

/** Marks what is read as before, unless somebody has edited it since. One statement. */
async function markSame(context: RequestContext, rows: readonly Candidate[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const texts = rows.map(({ frequencyType }) => frequencyType);
  await transact(context, (inner) =>
    inner.db.$executeRaw(sql`
      UPDATE reminder AS r SET reading = ${READING}::int2
      FROM unnest(${ids}::int[], ${texts}::text[]) AS read(id, text)
      WHERE r.id = read.id AND r.frequency_type = read.text AND ${BEFORE}`),
  );
}

/** Returns whether a phrase reads differently now, or has a number, a unit or a range that was misread. */
function isSuspect(row: Candidate): boolean {
  if (!row.recognized || storedIn(row)) return false;
  if (statesRange(row)) return true;
  if (!isByPhrase(row)) return false;
  if (!isSame(row) || hasMarked(row.frequencyType ?? '') || hasFormerUnit(row)) return true;
  return concernAbout(row) !== undefined;
}

/** Returns whether a plan is what its phrase was read as, and nothing that somebody has chosen. */
const isByPhrase = (row: Candidate): boolean => !dosageIn(row) && !isConfirmed(row);

const isSame = (row: Candidate): boolean =>
  isDeepStrictEqual(timesOf(frequencyIn(row)), timesOf(parseFrequency(row.frequencyType)));

/** Returns a frequency without the amounts of its times. */
function timesOf(frequency: Frequency): unknown {
  const { at, ...rest } = { at: undefined, ...frequency };
  return { ...rest, at: at?.map(({ amount: _, upTo: __, ...time }) => time) };
}

async function reread(inner: RequestContext, { id, accountId }: Candidate): Promise<Outcome> {
  await holdMember(inner, accountId);
  const row = await locked(inner, id);
  if (row.reading >= READING) return 'same';
  if (!isByPhrase(row)) return range(inner, row);
  const wrong = await misstated(inner, row);
  const now = parseFrequency(row.frequencyType);
  // What somebody has confirmed by setting amounts was not unusual with these.
  const concern = row.confirmedAt ? undefined : concernAbout(row);
  const same = isSame(row) && !wrong;
  const certain = same || now.kind !== 'unrecognized';
  const isToldOf = row.doubtedAt !== null && !wrong;
  if (same && (!concern || isToldOf)) return range(inner, row);
  if ((concern || !certain) && isToldOf) return pass(inner, row);
  const settled = concern || !certain ? await doubt(inner, row) : await correct(inner, row);
  if (wrong) await forgetWrong(inner, row, wrong);
  // A stock that fell by wrong amounts ends no course: it is uncertain by now.
  await settleSupply(inner, id);
  return settle(inner, row, settled, concern ? 'unusual' : settled);
}

/** Marks a medicine that stays in doubt: its member and carers know of it. */
async function pass(inner: RequestContext, { id }: Reminder): Promise<'same'> {
  await inner.db.reminder.update({ where: { id }, data: { reading: READING } });
  return 'same';
}

/**
 * Writes what became of a medicine to the audit, and notifies its member and carers, unless it had
 * ended before and still has.
 */
async function settle<T extends Outcome>(
  inner: RequestContext,
  row: Reminder,
  outcome: T,
  news: News,
): Promise<T> {
  const { id, accountId } = row;
  await recordAudit(inner, {
    action: 'reminder.reread',
    subjectId: accountId,
    detail: { reminder_id: id, outcome },
  });
  const now = inner.now().getTime();
  const settled = await inner.db.reminder.findUniqueOrThrow({ where: { id } });
  // Of a phrase with several meanings nobody knows whether it has ended by itself.
  const isOver = news === 'doubted' ? isPastEnd : hasEnded;
  if (!isOver(row, now) || !isOver(settled, now)) await tellOfDirections(inner, row, news);
  await moveFeeds(inner, FeedKind.CALENDAR, [accountId]);
  return outcome;
}

/** Gives a medicine that is read as before the ranges of its amounts, where it has none. */
async function range(inner: RequestContext, row: Reminder): Promise<'corrected' | 'same'> {
  const { id } = row;
  const ends = await restateRanges(inner, await memberOf(inner, row.accountId), row);
  const changed = ends && { updatedAt: inner.now(), version: { increment: 1 } };
  await inner.db.reminder.update({ where: { id }, data: { reading: READING, ...changed } });
  if (!ends) return 'same';
  if (ends.length > 0) await forgetWrong(inner, row, ends);
  await settleSupply(inner, id, row);
  return settle(inner, row, 'corrected', 'ranged');
}

/** Puts what a phrase means now in force. What cannot come in the member's day is in doubt. */
async function correct(inner: RequestContext, row: Reminder): Promise<'corrected' | 'doubted'> {
  const member = await memberOf(inner, row.accountId);
  const changed = { ...row, schedule: meantText(row.frequencyType) };
  const planned = planMedicine(changed, circumstances(inner, member), startInForce(row));
  if (!planned.recognized) return doubt(inner, row);
  const own = { reading: READING, updatedAt: inner.now(), version: { increment: 1 } };
  const data = { ...columns(planned), confirmedAt: null, ...own };
  await inner.db.reminder.update({ where: { id: row.id }, data, select: { id: true } });
  const is = { ...changed, ...planned };
  if (!(await restateAmount(inner, member, is)))
    await moveByHand(inner, { id: row.id, was: row, is });
  if (!isSame(row)) await planEdited(inner, row, planned);
  return 'corrected';
}

async function doubt(inner: RequestContext, row: Reminder): Promise<'doubted'> {
  const own = { reading: READING, updatedAt: inner.now(), version: { increment: 1 } };
  const data = { ...own, doubtedAt: inner.now() };
  await inner.db.reminder.update({ where: { id: row.id }, data, select: { id: true } });
  await restateAmount(inner, await memberOf(inner, row.accountId), row);
  return 'doubted';
}

/** Returns whether the end of a plan is before an instant, in milliseconds since 1970. */
const isPastEnd = ({ untilAt }: Pick<Planned, 'untilAt'>, now: number): boolean =>
  untilAt !== null && untilAt.getTime() < now;

/**
 * Returns whether a plan has nothing to come from an instant on, in milliseconds since 1970. What
 * is taken as needed comes at no time, and has ended when its end is past.
 */
function hasEnded(plan: Planned, now: number): boolean {
  if (isPastEnd(plan, now)) return true;
  const known = knownPlan(plan);
  const isAsNeeded = known.schedule.frequency.kind === 'as_needed';
  return !isAsNeeded && known.next(now, new Set()) === undefined;
}
