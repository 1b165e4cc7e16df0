import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { transact } from '../../../core/transact.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { type Decimal, partsOf, ZERO } from '../../../platform/decimal.js';
import { isolateAmong } from '../../../platform/jobs/isolate.js';
import { localText } from '../../../platform/moment.js';
import { reopenOccurrence } from '../alert/alert-answer.service.js';
import { supplied, untilOf } from '../alert/end.js';
import { startInForce } from '../alert/start.js';
import { amountsOf } from '../amount/amount.service.js';
import { amountFinder } from '../amount/amounts.js';
import { GRACE } from '../calendar/occurrences.js';
import { recordChange } from '../reminder/change.service.js';
import { locked, pastPlansAfter, remindersById } from '../reminder/reminder.service.js';
import { planAnew, planEdited } from '../reminder/replan.service.js';
import type { Occurrence } from '../schedule/schedule.js';
import { frequencyIn, type Often } from '../schedule/schedule-value.js';
import { endsWithSupply } from '../schedule/supply.js';
import { nextCheck } from './check-time.js';
import { answeredSince, comingDoses } from './stock-outlook.service.js';

const MINUTE = 60_000;
const AHEAD = 366 * 24 * 60 * 60_000;

/**
 * Ends a course until the supply is finished, or opens it again, by what is at hand now, in the
 * transaction that changed the stock, a dose or the medicine, which is held. It is over when
 * nothing is at hand, or less than the next dose needs, and the stock is certain; never without a
 * stock. A course that is opened again goes on from the first dose within the grace time: that one
 * is due again, and nothing was missed meanwhile. `row`: the medicine as it is stored, where that
 * is known. No statement for a medicine without such an end.
 */
export async function settleSupply(inner: RequestContext, id: number, row?: Ending): Promise<void> {
  if (row && !isConcerned(row)) return;
  const before = await inner.db.reminder.findUnique({ where: { id } });
  if (!before || before.deletedAt || !isConcerned(before)) return;
  if (!endsWithSupply(frequencyIn(before))) {
    // An edit has given it another end.
    await inner.db.reminder.update({
      where: { id },
      data: { suppliedUntil: null, ownUntilAt: null },
    });
    return;
  }
  const end = await endOfSupply(inner, before);
  if (end && !before.suppliedUntil) await close(inner, before, end);
  if (!end && before.suppliedUntil) await reopen(inner, before);
}

/** What says whether a medicine ends, or has ended, with its supply. */
type Ending = Pick<Reminder, 'suppliedUntil'> & Often;

/** Returns whether a medicine ends, or has ended, with its supply. */
export const isConcerned = (row: Ending) =>
  row.suppliedUntil !== null || endsWithSupply(frequencyIn(row));

/**
 * Does the same for those of some medicines that end with their supply, each in a transaction of
 * its own: what else changes the next dose, such as another amount, is found by the daily check of
 * stocks. That check has left them to the next hour, so that what fails here is tried again then.
 */
export async function settleSupplies(
  context: RequestContext,
  ids: readonly number[],
  { log }: Pick<Deps, 'log'>,
): Promise<void> {
  const rows = await Promise.all(ids.map((id) => context.loader(remindersById).load(id)));
  const concerned = rows.filter((row) => row && !row.deletedAt && isConcerned(row));
  const items = concerned.flatMap((row) => (row ? [{ id: row.id }] : []));
  await isolateAmong(items, { job: 'end of supplies', log }, async (part) => {
    for (const { id } of part) await transact(context, (inner) => settleOne(inner, id));
  });
}

async function settleOne(inner: RequestContext, id: number): Promise<void> {
  const row = await locked(inner, id, 'NO KEY UPDATE');
  await settleSupply(inner, id, row);
  const checkAt = nextCheck(inner.now(), row.zone);
  await inner.db.medicineStock.updateMany({ where: { reminderId: id }, data: { checkAt } });
  const now = await inner.db.reminder.findUnique({ where: { id }, select: { version: true } });
  if (now?.version !== row.version) await recordChange(inner, row.accountId, 'reminder.write');
}

/** Returns the last instant of a course whose supply is finished; undefined where it is not. */
async function endOfSupply(inner: RequestContext, row: Reminder): Promise<Date | undefined> {
  const [stock] = await inner.rows<{ atHand: Decimal; unit: string }>(Prisma.sql`
    SELECT trim_scale(amount)::text AS "atHand", unit FROM medicine_stock
    WHERE reminder_id = ${row.id}::int AND is_certain`);
  if (!stock || !row.recognized) return undefined;
  const now = inner.now().getTime();
  const { coming, last } = await aroundNow(inner, row);
  const [next] = coming;
  if (!next) return undefined;
  const need = stock.unit === row.doseUnit ? await amountOf(inner, row.id, next) : undefined;
  const isEnough = need === undefined || partsOf(stock.atHand) >= partsOf(need);
  if (stock.atHand !== ZERO && isEnough) return undefined;
  // A dose that is due, and that nothing is left for, is none any more.
  return new Date(Math.max(last, Math.min(now, next.at - 1)));
}

/**
 * Returns the doses, in order, that nobody has answered, without those that are missed, and the
 * last instant that somebody has.
 */
async function aroundNow(
  inner: RequestContext,
  row: Reminder,
): Promise<{ coming: Iterable<Occurrence>; last: number }> {
  const since = inner.now().getTime() - GRACE;
  const answered = (await answeredSince(inner, [row.id], since)).get(row.id) ?? new Set<number>();
  const last = Math.max(row.suppliedUntil?.getTime() ?? Number.NEGATIVE_INFINITY, ...answered);
  const past = await pastPlansAfter(inner, [row.id], new Date(since));
  // What came as long ago as the grace time is missed.
  const span = { from: Math.max(since, last) + 1, to: since + AHEAD };
  const coming = comingDoses({ ...row, untilAt: unsupplied(row) }, past, span, { answered });
  return { coming, last };
}

/**
 * Returns the end that a medicine has besides that of its supply. That of elapsed hours stays at
 * its instant when the member moves.
 */
function unsupplied(row: Reminder): Date | null {
  const own = row.suppliedUntil ? row.ownUntilAt : row.untilAt;
  return (!row.follows && own) || untilOf({ ...row, suppliedUntil: null }, startInForce(row));
}

async function amountOf(
  inner: RequestContext,
  id: number,
  dose: Occurrence,
): Promise<Decimal | undefined> {
  const [amounts = []] = await amountsOf(inner, [id]);
  // Of a range the least that the next dose needs.
  return amountFinder(amounts)(dose)?.amount;
}

/**
 * Ends a course: nothing of it comes after an instant, by former plans either. The alerts of what
 * was due stay, and have nothing to tell (`UNANSWERED`) until the course is opened again.
 */
async function close(inner: RequestContext, row: Reminder, end: Date): Promise<void> {
  const { id } = row;
  const untilAt = supplied(row.untilAt, { suppliedUntil: end });
  const own = { ownUntilAt: row.untilAt, suppliedUntil: end };
  const data = { ...own, untilAt, version: { increment: 1 } };
  await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
  const later = { OR: [{ untilAt: null }, { untilAt: { gt: end } }] };
  await inner.db.pastPlan.updateMany({
    where: { reminderId: id, toAt: { gt: end }, ...later },
    data: { untilAt: end },
  });
  await planAnew(inner, [id], Math.max(end.getTime(), inner.now().getTime()) + 1);
}

/**
 * Opens a course again, if it still is one. Within the grace time after its end it is as if it had
 * never ended; later it goes on from the first dose that is still due, or from now.
 */
async function reopen(inner: RequestContext, row: Reminder): Promise<void> {
  const { id, suppliedUntil: end } = row;
  const now = inner.now().getTime();
  const untilAt = unsupplied(row);
  const own = { ownUntilAt: null, suppliedUntil: null };
  const data = { ...own, untilAt, version: { increment: 1 } };
  await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
  const isShort = end !== null && end.getTime() >= now - GRACE;
  if (isShort) {
    const where = { reminderId: id, untilAt: end, toAt: { gt: end } };
    await inner.db.pastPlan.updateMany({ where, data: { untilAt } });
  }
  const due = await dueOf(inner, row);
  const since = due[0]?.at ?? now;
  if (isShort) await planAnew(inner, [id], Math.min(since, Math.floor(now / MINUTE) * MINUTE));
  else await planEdited(inner, row, { untilAt }, since);
  for (const { at, local } of due) {
    const of = { reminderId: id, accountId: row.accountId, plannedAt: new Date(at) };
    await reopenOccurrence(inner, { ...of, localTime: localText(local) });
  }
}

/** Returns the doses that are due, in order. */
async function dueOf(inner: RequestContext, row: Reminder): Promise<Occurrence[]> {
  const now = inner.now().getTime();
  const due: Occurrence[] = [];
  for (const dose of (await aroundNow(inner, row)).coming) {
    if (dose.at > now) break;
    due.push(dose);
  }
  return due;
}
