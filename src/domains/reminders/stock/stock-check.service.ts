import type { RequestContext } from '../../../core/context.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { type Decimal, ZERO } from '../../../platform/decimal.js';
import { localText } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import { remindersById } from '../reminder/reminder.service.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { endsWithSupply } from '../schedule/supply.js';
import { nextCheck } from './check-time.js';
import { type Outlook, type PackAtHand, StockOutlook } from './outlook.js';
import { packsLeft } from './packs.js';
import { exact } from './stock.service.js';
import { outlooksOf } from './stock-outlook.service.js';
import { isConcerned } from './supply-end.service.js';

const { sql } = Prisma;
const DAY = 24 * 60 * 60_000;
/** The longest notice, in days. */
const MOST_NOTICE = 90;
/**
 * Days beyond its notice that a stock must last before the member is notified again without a
 * refill: a dose that is left out, and moves the end by a day, is no reason to.
 */
const MARGIN = 7;

/** A stock whose check is due. */
interface DueStock {
  readonly reminderId: number;
  readonly atHand: Decimal;
  readonly unit: string;
  readonly isCertain: boolean;
  readonly noticeDays: number;
  readonly checkAt: Date;
  readonly lowToldAt: Date | null;
  /** Whether the member is notified of nothing now, being suspended with reminders stopped. */
  readonly isSilent: boolean;
}

/** SQL of the stocks whose check is due: see `Queue`. */
export const WAITING_STOCKS = `
  SELECT look_at AS since FROM medicine_stock WHERE look_at <= $1::timestamptz ORDER BY look_at`;

/** What a scheduled check of a stock finds. */
export interface StockCheck {
  readonly stock: DueStock;
  readonly reminder: Reminder;
  /** The day on which it runs out, to be reported now: YYYY-MM-DD. */
  readonly lowOn?: string;
  /** The first day on which a pack expires, to be reported now: YYYY-MM-DD. */
  readonly expiresOn?: string;
}

interface Found extends StockCheck {
  readonly lasts: boolean;
  readonly expiring: readonly number[];
}

/**
 * Holds stocks whose check is due until the transaction ends; others hold other ones. `among`: only
 * of these medicines. One statement.
 */
export async function holdDueStocks(
  context: RequestContext,
  most: number,
  among?: readonly number[],
): Promise<DueStock[]> {
  return context.rows<DueStock>(sql`
    SELECT reminder_id AS "reminderId", trim_scale(amount)::text AS "atHand", unit,
      is_certain AS "isCertain", notice_days AS "noticeDays", look_at AS "checkAt",
      low_told_at AS "lowToldAt",
      COALESCE((SELECT a.reminders_stopped FROM reminder r JOIN account a ON a.id = r.account_id
        WHERE r.id = reminder_id), false) AS "isSilent"
    FROM medicine_stock WHERE look_at <= ${context.now().toISOString()}::timestamptz
      ${among ? sql`AND reminder_id = ANY(${[...among]}::int[])` : Prisma.empty}
    ORDER BY look_at, reminder_id LIMIT ${most}::int FOR UPDATE SKIP LOCKED`);
}

/**
 * Checks stocks that this transaction holds, writes when the next check is, and returns what is to
 * be told now: of each time that a stock runs out once, of each pack once. A constant number of
 * statements. What is held back while the member is suspended is said after it.
 */
export async function checkStocks(
  context: RequestContext,
  stocks: readonly DueStock[],
): Promise<StockCheck[]> {
  const ids = stocks.map(({ reminderId }) => reminderId);
  const rows = await Promise.all(ids.map((id) => context.loader(remindersById).load(id)));
  const packs = await packsOf(context, stocks);
  // Of a stock that is not certain at most so much is left: a warning that may come late is one.
  const known = stocks.map((stock, i) => ({ ...stock, packs: packs[i] ?? [], isCertain: true }));
  const outlooks = await outlooksOf(context, known, (MOST_NOTICE + MARGIN + 1) * DAY);
  const found = stocks.flatMap((stock, i): Found[] => {
    const reminder = rows[i];
    if (!reminder || reminder.deletedAt) return [];
    return [judged(context, { stock, reminder }, outlooks[i], packs[i] ?? [])];
  });
  await settle(context, ids, found);
  return found.filter(({ lowOn, expiresOn }) => lowOn ?? expiresOn);
}

interface KnownPack extends PackAtHand {
  readonly id: number;
  readonly toldAt: Date | null;
}

/** Returns the packs of each stock of which something is left, the one that expires first in front. */
async function packsOf(
  context: RequestContext,
  stocks: readonly DueStock[],
): Promise<KnownPack[][]> {
  const ids = stocks.map(({ reminderId }) => reminderId);
  const packs = await context.db.medicinePack.findMany({ where: { reminderId: { in: ids } } });
  return stocks.map(({ reminderId, atHand }) => {
    const own = packs.filter((pack) => pack.reminderId === reminderId);
    const held = own.map((pack) => ({ ...pack, amount: exact(pack.amount) }));
    return packsLeft(held, atHand).map((pack) => ({ ...pack, atHand: pack.left }));
  });
}

/** Returns what is to be reported of a stock. */
function judged(
  context: RequestContext,
  { stock, reminder }: Pick<Found, 'stock' | 'reminder'>,
  outlook: Outlook | undefined,
  packs: readonly KnownPack[],
): Found {
  const { atHand, noticeDays, lowToldAt, isSilent } = stock;
  const within = (days: number) =>
    localText(localAt(context.now().getTime(), reminder.zone) + days * DAY).slice(0, DATE);
  const frequency = frequencyIn(reminder);
  const usedUp = frequency.kind === 'as_needed' && atHand === ZERO;
  // What ends with its supply is to run out.
  const runsOut = endsWithSupply(frequency) ? undefined : outlook?.runsOutOn;
  const day = usedUp ? within(0) : runsOut;
  const soon = (on: string) => !isSilent && noticeDays > 0 && on <= within(noticeDays);
  const expiring = packs.filter(({ expiresOn, toldAt }) => !toldAt && soon(expiresOn));
  const first = expiring[0]?.expiresOn;
  return {
    ...{ stock, reminder },
    ...(day && soon(day) && !lowToldAt && { lowOn: day }),
    ...(first && { expiresOn: first }),
    lasts: day ? day > within(noticeDays + MARGIN) : outlook?.outlook === StockOutlook.LASTS,
    expiring: expiring.map(({ id }) => id),
  };
}

const DATE = 'YYYY-MM-DD'.length;

/** Writes when stocks are checked again, never those of deleted medicines, and what was told. */
async function settle(
  context: RequestContext,
  ids: readonly number[],
  found: readonly Found[],
): Promise<void> {
  const now = context.now();
  const made = new Map(
    found.map(({ stock, reminder, lowOn, lasts }) => [
      stock.reminderId,
      { at: lookAfter(now, reminder).toISOString(), change: changeOf({ lowOn, lasts }) },
    ]),
  );
  await context.db.$executeRaw(sql`
    UPDATE medicine_stock s SET look_at = NULLIF(made.at, '')::timestamptz,
      low_told_at = CASE made.change WHEN 'told' THEN ${now.toISOString()}::timestamptz
        WHEN 'lasts' THEN NULL ELSE s.low_told_at END
    FROM unnest(${[...ids]}::int[], ${ids.map((id) => made.get(id)?.at ?? '')}::text[],
      ${ids.map((id) => made.get(id)?.change ?? '')}::text[]) AS made(id, at, change)
    WHERE s.reminder_id = made.id`);
  const expiring = found.flatMap((one) => one.expiring);
  if (expiring.length > 0) {
    const where = { id: { in: expiring } };
    await context.db.medicinePack.updateMany({ where, data: { toldAt: now } });
  }
}

const changeOf = ({ lowOn, lasts }: { lowOn: string | undefined; lasts: boolean }) => {
  if (lowOn) return 'told';
  return lasts ? 'lasts' : '';
};

/** Returns when the next check is: in an hour until the end of a supply is settled. */
const lookAfter = (now: Date, reminder: Reminder) =>
  isConcerned(reminder) ? inAnHour(now) : nextCheck(now, reminder.zone);

const inAnHour = (now: Date) => new Date(now.getTime() + 60 * 60_000);

/** Leaves a stock that could not be checked to the next hour. */
export async function checkLater(context: RequestContext, reminderId: number): Promise<void> {
  const checkAt = inAnHour(context.now());
  await context.db.medicineStock.updateMany({ where: { reminderId }, data: { checkAt } });
}
