import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { refuseStale } from '../../../core/row.js';
import { transact } from '../../../core/transact.js';
import type {
  MedicinePack as PackRow,
  Prisma,
  Reminder,
  MedicineStock as StockRow,
} from '../../../generated/prisma/client.js';
import { type Decimal, partsOf, ZERO } from '../../../platform/decimal.js';
import { localText } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import { recordChange } from '../reminder/change.service.js';
import { changedReminder, locked } from '../reminder/reminder.service.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { endsWithSupply } from '../schedule/supply.js';
import { nextCheck } from './check-time.js';
import type { Outlook } from './outlook.js';
import { packsLeft } from './packs.js';
import type {
  MedicinePackInput,
  RefillMedicineStockInput,
  SetMedicineStockInput,
} from './stock.inputs.js';
import { MedicinePack, MedicineStock, SupplyEnd } from './stock.types.js';
import { outlooksOf } from './stock-outlook.service.js';
import { settleSupply } from './supply-end.service.js';

/** Most that may be at hand, and most packs of a medicine. */
const MOST: Decimal = '1000000';
const MOST_PACKS = 20;

type Stock = StockRow & { readonly packs: readonly PackRow[] };

/**
 * Says how much of a medicine is at hand, or forgets it. A stock that nobody has told of has the
 * version 0. Throws REMINDER_NOT_FOUND, CONFLICT, STOCK_INVALID, STOCK_UNKNOWN.
 */
export async function setMedicineStock(
  context: RequestContext,
  input: SetMedicineStockInput,
): Promise<Reminder> {
  return change(context, input.id, async (inner, row, before) => {
    refuseStale('stock', before ?? { version: 0 }, input.version);
    if (input.amount === null) {
      await inner.db.medicineStock.deleteMany({ where: { reminderId: row.id } });
      return;
    }
    const { amount, noticeDays, packs } = input;
    if (amount === undefined && !before)
      throw unknown('Give the amount that is at hand.', 'amount');
    const counted = amount === undefined ? {} : countedNow(inner, row, amount);
    const days = typeof noticeDays === 'number' ? { noticeDays } : {};
    const data = {
      ...counted,
      ...days,
      unit: unitOf(input, row, before),
      version: (before?.version ?? 0) + 1,
    };
    const where = { reminderId: row.id };
    if (before) await inner.db.medicineStock.update({ where, data });
    else
      await inner.db.medicineStock.create({
        data: { ...where, ...data } as Prisma.MedicineStockUncheckedCreateInput,
      });
    if (packs) await replacePacks(inner, row.id, packs, before);
  });
}

/** Returns the columns of a stock that somebody has just counted. */
const countedNow = (inner: RequestContext, { zone }: Reminder, amount: Decimal) => ({
  amount,
  isCertain: true,
  countedAt: inner.now(),
  checkAt: nextCheck(inner.now(), zone),
  lowToldAt: null,
});

/** Throws STOCK_INVALID where nobody has said what is counted. */
function unitOf({ unit }: SetMedicineStockInput, { doseUnit }: Reminder, before?: Stock): string {
  const counted = unit?.trim() || before?.unit || doseUnit;
  if (counted) return counted;
  throw invalid('Say what is counted, such as tablet: the doses have no unit yet.', 'unit');
}

/** Puts packs in the place of those that were known. Of one that stays nobody is notified again. */
async function replacePacks(
  inner: RequestContext,
  reminderId: number,
  packs: readonly MedicinePackInput[],
  before?: Stock,
): Promise<void> {
  if (packs.length > MOST_PACKS) throw tooManyPacks();
  const told = new Map(before?.packs.map(({ expiresOn, toldAt }) => [expiresOn, toldAt]));
  await inner.db.medicinePack.deleteMany({ where: { reminderId } });
  await inner.db.medicinePack.createMany({
    data: packs.map(({ amount, expiresOn }) => {
      return { reminderId, amount, expiresOn, toldAt: told.get(expiresOn) ?? null };
    }),
  });
}

/**
 * Adds to what is at hand of a medicine. A retry with the same Idempotency-Key adds nothing. Throws
 * REMINDER_NOT_FOUND, STOCK_INVALID, STOCK_UNKNOWN where nobody has said how much there was.
 */
export async function refillMedicineStock(
  context: RequestContext,
  { id, amount, expiresOn }: RefillMedicineStockInput,
): Promise<Reminder> {
  return change(context, id, async (inner, { zone }, before) => {
    if (!before) throw unknown('Say it by setMedicineStock first.');
    if (expiresOn && expiresOn < localText(localAt(inner.now().getTime(), zone)).slice(0, 10)) {
      throw invalid('A pack that has expired is not to be taken.', 'expiresOn');
    }
    if (partsOf(exact(before.amount)) + partsOf(amount) > partsOf(MOST)) {
      throw invalid(`At most ${Number(MOST).toLocaleString('en')} may be at hand.`, 'amount');
    }
    const where = { reminderId: id };
    const version = { increment: 1 };
    // Where nothing was left, what is there now is known.
    const isCertain = before.isCertain || exact(before.amount) === ZERO;
    const data = { amount: { increment: amount }, isCertain, lowToldAt: null, version };
    await inner.db.medicineStock.update({ where, data });
    if (!expiresOn) return;
    const left = new Set(shownPacks(before).map((pack) => pack.id));
    if (left.size >= MOST_PACKS) throw tooManyPacks();
    await inner.db.medicinePack.deleteMany({ where: { ...where, id: { notIn: [...left] } } });
    await inner.db.medicinePack.create({ data: { ...where, amount, expiresOn } });
  });
}

const invalid = (message: string, param: string) => refuse('STOCK_INVALID', message, { param });
const tooManyPacks = () => invalid(`A medicine has at most ${MOST_PACKS} packs.`, 'packs');
const unknown = (remedy: string, param?: string) =>
  refuse('STOCK_UNKNOWN', `Nobody has said how much is at hand. ${remedy}`, {
    ...(param && { param }),
  });

/** Changes the stock of a medicine, which is held against doses meanwhile, in one transaction. */
async function change(
  context: RequestContext,
  id: number,
  run: (inner: RequestContext, row: Reminder, before: Stock | undefined) => Promise<void>,
): Promise<Reminder> {
  const work = async (inner: RequestContext) => {
    // A dose holds the stock before it refers to the reminder: a stronger lock would be a deadlock.
    const row = await locked(inner, id, 'NO KEY UPDATE');
    await inner.db
      .$executeRaw`SELECT 1 FROM medicine_stock WHERE reminder_id = ${id}::int FOR UPDATE`;
    const before = await inner.db.medicineStock.findUnique({
      where: { reminderId: id },
      include: { packs: true },
    });
    await run(inner, row, before ?? undefined);
    await settleSupply(inner, id, row);
    await recordChange(inner, row.accountId, 'reminder.write');
    return id;
  };
  await transact(context, work, { replayable: true });
  return changedReminder(context, id);
}

/** Returns an amount as it is stored, in its plain form. */
export const exact = (amount: Prisma.Decimal): Decimal => amount.toFixed() as Decimal;

const shownPacks = ({ amount, packs }: Stock) =>
  packsLeft(
    packs.map((pack) => ({ ...pack, amount: exact(pack.amount) })),
    exact(amount),
  );

/** Returns what is at hand of medicines, by their ids, for `context.loader`. Two statements. */
export async function stocksOf(
  context: RequestContext,
  ids: readonly number[],
): Promise<(MedicineStock | undefined)[]> {
  const rows = await context.db.medicineStock.findMany({
    where: { reminderId: { in: [...ids] } },
    include: { packs: true },
  });
  const found = new Map(rows.map((row) => [row.reminderId, shownStock(row)]));
  return ids.map((id) => found.get(id));
}

function shownStock(row: Stock): MedicineStock {
  const { reminderId, unit, isCertain, noticeDays, countedAt, version } = row;
  const packs = shownPacks(row).map(({ amount: held, left, expiresOn }) =>
    Object.assign(new MedicinePack(), { reminderId, held, atHand: left, unit, expiresOn }),
  );
  const atHand = exact(row.amount);
  const shown = { reminderId, atHand, unit, isCertain, noticeDays, countedAt, version, packs };
  return Object.assign(new MedicineStock(), shown);
}

/** For how long what is at hand of medicines lasts, by their ids, for `context.loader`. */
export async function stockOutlooks(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Outlook | undefined)[]> {
  const stocks = await Promise.all(ids.map((id) => context.loader(stocksOf).load(id)));
  const known = stocks.filter((stock) => stock !== undefined);
  const outlooks = await outlooksOf(context, known);
  const found = new Map(known.map(({ reminderId }, i) => [reminderId, outlooks[i]]));
  return ids.map((id) => found.get(id));
}

/** Returns how far a course until the supply is finished has come; null of any other medicine. */
export async function supplyEndOf(
  context: RequestContext,
  row: Reminder,
): Promise<SupplyEnd | null> {
  if (!row.recognized || !endsWithSupply(frequencyIn(row))) return null;
  if (row.suppliedUntil) return SupplyEnd.FINISHED;
  const stock = await context.loader(stocksOf).load(row.id);
  return stock?.isCertain ? SupplyEnd.AT_HAND : SupplyEnd.UNKNOWN;
}
