import type { RequestContext } from '../../../core/context.js';
import type { DoseEvent } from '../calendar/event.types.js';
import { plannedLocal } from '../calendar/planned-local.service.js';
import { type ReminderRow, remindersById } from '../reminder/reminder.service.js';
import { amountsOf } from './amount.service.js';
import { amountFinder, type Quantity } from './amounts.js';
import { DoseAmount } from './dose-amount.types.js';

/**
 * Returns the planned amount of a dose, in the medicine's dose unit. `at` is in milliseconds since
 * 1970. Undefined when none is set.
 */
export async function plannedAmount(
  context: RequestContext,
  row: ReminderRow,
  at: number,
): Promise<Quantity | undefined> {
  const amounts = (await context.loader(amountsOf).load(row.id)) ?? [];
  if (amounts.length === 0) return undefined;
  return amountFinder(amounts)({ at, local: await plannedLocal(context, row, at) });
}

/** Returns how much a dose on the calendar is, or was when it was taken. */
export async function shownAmount(
  context: RequestContext,
  { reminderId, at, dose }: Pick<DoseEvent, 'reminderId' | 'at' | 'dose'>,
): Promise<DoseAmount | undefined> {
  if (dose)
    return amountWith(dose.amount ? { amount: dose.amount } : undefined, dose.unit, dose.accountId);
  const row = await context.loader(remindersById).load(reminderId);
  return row && amountWith(await plannedAmount(context, row, at), row.doseUnit, row.accountId);
}

function amountWith(
  quantity: Quantity | undefined,
  unit: string | null,
  memberId: number,
): DoseAmount | undefined {
  if (!quantity) return undefined;
  const { amount, upTo: most } = quantity;
  return Object.assign(new DoseAmount(), { amount, most, unit: unit ?? '', memberId });
}
