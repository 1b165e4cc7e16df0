import type { RequestContext } from '../../core/context.js';
import { localOf } from '../../platform/moment.js';
import type { DueAlert } from '../reminders/alert/due-alert.service.js';
import { amountsOf } from '../reminders/amount/amount.service.js';
import type { SaidAmount } from '../reminders/amount/amount-words.js';
import { amountFinder } from '../reminders/amount/amounts.js';
import type { Recipient } from './recipient.service.js';

/** How much each dose is that an alert may say, by the id of the alert. */
export type DueAmounts = ReadonlyMap<number, SaidAmount>;

/**
 * Returns how much the doses are that are due, of members who let names be shown, and of medicines
 * whose directions are confirmed: of others no amount is said. One statement, or none where there
 * is nothing to say.
 */
export async function dueAmounts(
  context: RequestContext,
  due: readonly DueAlert[],
  recipients: ReadonlyMap<number, Recipient>,
): Promise<DueAmounts> {
  const shown = due.filter(
    ({ accountId, unit, confirmed }) =>
      unit && confirmed && recipients.get(accountId)?.preference.lockScreenNames,
  );
  const ids = [...new Set(shown.map(({ reminderId }) => reminderId))];
  if (ids.length === 0) return new Map();
  const rows = await amountsOf(context, ids);
  const finders = new Map(ids.map((id, i) => [id, amountFinder(rows[i] ?? [])]));
  return new Map(
    shown.flatMap(({ id, reminderId, plannedAt, localTime, unit }) => {
      const dose = { at: plannedAt.getTime(), local: localOf(localTime) };
      const amount = finders.get(reminderId)?.(dose);
      return amount === undefined ? [] : [[id, { ...amount, unit: unit ?? '' }] as const];
    }),
  );
}
