import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { transact } from '../../../core/transact.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { type Decimal, partsOf, ZERO } from '../../../platform/decimal.js';
import { isolateAmong } from '../../../platform/jobs/isolate.js';
import { localText } from '../../../platform/moment.js';
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
import { answeredSince, comingDoses } from './stock-outlook.service.js';

const AHEAD = 366 * 24 * 60 * 60_000;

/**
 * Ends a course until the supply is finished, or opens it again, by what is at hand now, in the
 * transaction that changed the stock, a dose or the medicine, which is held. It is over when nothing
 * is at hand, or less than the next dose needs, and the stock is certain; never without a stock. A
 * course that is opened again goes on from this minute: nothing was missed meanwhile. `row`: the
 * medicine as it is stored, where that is known. No statement for a medicine without such an end.
 */
export async function settleSupply(inner: RequestContext, id: number, row?: Ending): Promise<void> {
  if (row && !isConcerned(row)) return;
  const before = await inner.db.reminder.findUnique({ where: { id } });
  if (!before || before.deletedAt || !isConcerned(before)) return;
  if (!endsWithSupply(frequencyIn(before))) {
    // An edit has given it another end.
    await inner.db.reminder.update({ where: { id }, data: { suppliedUntil: null } });
    return;
  }
  const end = await endOfSupply(inner, before);
  if (end && !before.suppliedUntil) await close(inner, before, end);
  if (!end && before.suppliedUntil) await reopen(inner, before);
}

/** What says whether a medicine ends, or has ended, with its supply. */
type Ending = Pick<Reminder, 'suppliedUntil'> & Often;

const isConcerned = (row: Ending) => row.suppliedUntil !== null || endsWithSupply(frequencyIn(row));

/**
 * Does the same for those of some medicines that end with their supply, each in a transaction of its
 * own: what else changes the next dose, such as another amount, is found by the daily look at stocks.
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
  const { next, last } = await aroundNow(inner, row);
  if (!next) return undefined;
  const need = stock.unit === row.doseUnit ? await amountOf(inner, row.id, next) : undefined;
  const isEnough = need === undefined || partsOf(stock.atHand) >= partsOf(need);
  if (stock.atHand !== ZERO && isEnough) return undefined;
  // A dose that is due, and that nothing is left for, is none any more.
  return new Date(Math.max(last, Math.min(now, next.at - 1)));
}

/** Returns the next dose that nobody has answered, and the last instant that somebody has. */
async function aroundNow(
  inner: RequestContext,
  row: Reminder,
): Promise<{ next: Occurrence | undefined; last: number }> {
  const since = inner.now().getTime() - GRACE;
  const answered = (await answeredSince(inner, [row.id], since)).get(row.id) ?? new Set<number>();
  const last = Math.max(row.suppliedUntil?.getTime() ?? Number.NEGATIVE_INFINITY, ...answered);
  const past = await pastPlansAfter(inner, [row.id], new Date(since));
  const span = { from: Math.max(since, last + 1), to: since + AHEAD };
  const [next] = comingDoses({ ...row, untilAt: unsupplied(row) }, past, span, answered);
  return { next, last };
}

/** Returns the end that a medicine has besides that of its supply. */
const unsupplied = (row: Reminder): Date | null =>
  untilOf({ ...row, suppliedUntil: null }, startInForce(row));

async function amountOf(
  inner: RequestContext,
  id: number,
  { local }: Occurrence,
): Promise<Decimal | undefined> {
  const [amounts = []] = await amountsOf(inner, [id]);
  const text = localText(local);
  return amountFinder(amounts)(text.slice(0, 10), text.slice(11, 16));
}

/** Ends a course: nothing of it comes after an instant, by former plans either. */
async function close(inner: RequestContext, row: Reminder, end: Date): Promise<void> {
  const { id } = row;
  const untilAt = supplied(row.untilAt, { suppliedUntil: end });
  const data = { suppliedUntil: end, untilAt, version: { increment: 1 } };
  await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
  const later = { OR: [{ untilAt: null }, { untilAt: { gt: end } }] };
  await inner.db.pastPlan.updateMany({
    where: { reminderId: id, toAt: { gt: end }, ...later },
    data: { untilAt: end },
  });
  await planAnew(inner, [id], end.getTime() + 1);
}

/** Opens a course again: it goes on from now, if it still is one. */
async function reopen(inner: RequestContext, row: Reminder): Promise<void> {
  const untilAt = unsupplied(row);
  const data = { suppliedUntil: null, untilAt, version: { increment: 1 } };
  await inner.db.reminder.update({ where: { id: row.id }, data, select: { id: true } });
  await planEdited(inner, row, { untilAt });
}
