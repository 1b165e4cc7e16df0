import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { serviceContext } from '../../core/service-context.js';
import { transact } from '../../core/transact.js';
import { isolate, type WorkBatch } from '../../platform/jobs/isolate.js';
import { queueMessages } from '../notifications/delivery/delivery.service.js';
import { checkLater, checkStocks, holdDueStocks } from '../reminders/stock/stock-check.service.js';
import { settleSupplies } from '../reminders/stock/supply-end.service.js';
import { recipientsOf } from './recipient.service.js';
import { stockMessages } from './stock-message.js';

const BATCH = 200;

/**
 * Tells members of stock that runs out and of packs that expire within their notice, a batch a
 * transaction; returns how many stocks were checked. A stock is checked each day at 10:00 by the
 * clocks of its medicine. Several processes share the work, and what was told is written with the
 * message: nobody is notified twice of one end of a stock, and a process that dies has told
 * nothing. Courses until the supply is finished, which are to run out, are checked once more for
 * their end, after each batch.
 */
export async function tellOfStock(deps: Deps, stopping?: AbortSignal): Promise<number> {
  const context = await serviceContext(deps, 'stock');
  let count = 0;
  let ids: number[] = [];
  const run: WorkBatch['run'] = async (holds, among) => {
    const checked = await transact(context, (inner) => tellSome(inner, holds, among));
    ids.push(...checked);
    return checked.length === BATCH;
  };
  const passOver = (id: number) => checkLater(context, id);
  const batch = { job: 'tell of stock', log: deps.log, run, passOver, stopping };
  let isMore = true;
  while (isMore) {
    ids = [];
    try {
      isMore = (await isolate(batch)) && !stopping?.aborted;
    } finally {
      // A dose holds its medicine before the stock: stocks are held here no more.
      await settleSupplies(context, ids, deps);
    }
    count += ids.length;
  }
  return count;
}

/** A constant number of statements. */
async function tellSome(
  context: RequestContext,
  holds: Parameters<WorkBatch['run']>[0],
  among?: readonly number[],
): Promise<number[]> {
  const stocks = await holdDueStocks(context, BATCH, among);
  if (stocks.length === 0) return [];
  holds(stocks.map(({ reminderId }) => [reminderId]));
  const checks = await checkStocks(context, stocks);
  const members = checks.map(({ reminder }) => reminder.accountId);
  const recipients = await recipientsOf(context, members);
  for (const kind of ['stock_low', 'stock_expiring'] as const)
    await queueMessages(context, { kind }, stockMessages(kind, checks, recipients, context.now()));
  return stocks.map(({ reminderId }) => reminderId);
}
