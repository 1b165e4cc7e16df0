import type { QueuedMessage } from '../notifications/delivery/delivery.service.js';
import type { StockLook } from '../reminders/stock/stock-look.service.js';
import { messageIdOf } from './message-id.js';
import { isQuiet } from './quiet-hours.js';
import type { Recipient } from './recipient.service.js';
import { groupsOf, namesOf, shortened } from './reminder-message.js';
import { stockWords } from './stock.wording.js';

type StockKind = 'stock_low' | 'stock_expiring';

/** The day that is told of a stock: on which it runs out, or on which a pack expires. */
const dayOf = { stock_low: 'lowOn', stock_expiring: 'expiresOn' } as const;

/**
 * Makes one message of a kind to each member. It names medicines only where the member lets names be
 * shown. Its id is made of the look that found it.
 */
export function stockMessages(
  kind: StockKind,
  looks: readonly StockLook[],
  recipients: ReadonlyMap<number, Recipient>,
  now: Date,
): QueuedMessage[] {
  const telling = looks.filter((look) => look[dayOf[kind]] !== undefined);
  const groups = groupsOf(telling, ({ reminder }) => reminder.accountId);
  return groups.flatMap((group) => {
    const [{ reminder, stock }] = group;
    const recipient = recipients.get(reminder.accountId);
    if (!recipient) return [];
    const { preference, language, clock } = recipient;
    const medicines = group.map((look) => look.reminder);
    const mayName = preference.lockScreenNames && namesOf(medicines).length > 0;
    const told = group.map((look) => ({
      name: shortened(look.reminder.name.trim()),
      day: look[dayOf[kind]] ?? '',
    }));
    return {
      accountId: recipient.id,
      ...stockWords(kind, language, told, mayName),
      data: JSON.stringify({ type: kind, reminder_ids: medicines.map(({ id }) => id) }),
      messageId: messageIdOf(kind, reminder.id, stock.lookAt.getTime()),
      silent: isQuiet(preference, clock(now.getTime())),
      sendAt: now,
    };
  });
}
