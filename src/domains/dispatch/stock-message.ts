import type { QueuedMessage } from '../notifications/delivery/delivery.service.js';
import { isQuiet } from '../notifications/preference/quiet-hours.js';
import type { StockCheck } from '../reminders/stock/stock-check.service.js';
import { messageIdOf } from './message-id.js';
import type { Recipient } from './recipient.service.js';
import { groupsOf, namesOf, shortened } from './reminder-message.js';
import { stockWords } from './stock.wording.js';

type StockKind = 'stock_low' | 'stock_expiring';

/** The day that is told of a stock: on which it runs out, or on which a pack expires. */
const dayOf = { stock_low: 'lowOn', stock_expiring: 'expiresOn' } as const;

/**
 * Makes one message of a kind to each member. It names medicines only where the member lets names
 * be shown. Its id is made of the check that found it.
 */
export function stockMessages(
  kind: StockKind,
  checks: readonly StockCheck[],
  recipients: ReadonlyMap<number, Recipient>,
  now: Date,
): QueuedMessage[] {
  const telling = checks.filter((check) => check[dayOf[kind]] !== undefined);
  const groups = groupsOf(telling, ({ reminder }) => reminder.accountId);
  return groups.flatMap((group) => {
    const [{ reminder, stock }] = group;
    const recipient = recipients.get(reminder.accountId);
    if (!recipient) return [];
    const { preference, language, clock } = recipient;
    const medicines = group.map((check) => check.reminder);
    const mayName = preference.lockScreenNames && namesOf(medicines).length > 0;
    const told = group.map((check) => ({
      name: shortened(check.reminder.name.trim()),
      day: check[dayOf[kind]] ?? '',
    }));
    return {
      accountId: recipient.id,
      ...stockWords(kind, language, told, mayName),
      data: JSON.stringify({ type: kind, reminder_ids: medicines.map(({ id }) => id) }),
      messageId: messageIdOf(kind, reminder.id, stock.checkAt.getTime()),
      silent: isQuiet(preference, clock(now.getTime())),
      sendAt: now,
    };
  });
}
