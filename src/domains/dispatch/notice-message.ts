import type { QueuedMessage } from '../notifications/delivery/delivery.service.js';
import { isQuiet } from '../notifications/preference/quiet-hours.js';
import type { DueAlert } from '../reminders/alert/due-alert.service.js';
import { messageIdOf } from './message-id.js';
import type { Recipient } from './recipient.service.js';
import { groupsOf, idsOf } from './reminder-message.js';
import { wordingOf } from './wording.js';

/** An alert about a dose that nobody answered, or could not be told of, and the carer to tell. */
export interface Notice {
  readonly of: DueAlert;
  readonly carerId: number;
}

/** Returns one message to each carer for each member, in the order of the notices. */
export function noticeMessages(
  notices: readonly Notice[],
  recipients: ReadonlyMap<number, Recipient>,
  now: Date,
): QueuedMessage[] {
  return groupsOf(notices, ({ of, carerId }) => `${of.accountId} ${carerId}`).flatMap((group) => {
    const [{ of: first, carerId }] = group;
    const member = recipients.get(first.accountId);
    const carer = recipients.get(carerId);
    if (!member || !carer) return [];
    const missed = group.map(({ of }) => of);
    const named = idsOf(missed);
    const count = new Set(named.occurrence_ids).size;
    const unsent = missed.every((one) => one.unsent);
    const wording = wordingOf(carer.language);
    return {
      accountId: carer.id,
      aboutId: member.id,
      ...(unsent ? wording.unsent(member.name, count) : wording.unanswered(member.name, count)),
      // Of several that are unanswered, one may be answered before this is sent.
      ...(!unsent && count > 1 && { plainBody: wording.unanswered(member.name, 1).body }),
      data: JSON.stringify({
        type: unsent ? 'reminder_unsent' : 'dose_missed',
        member_id: member.id,
        ...named,
      }),
      messageId: messageIdOf('missed', first.id, carer.id),
      alertIds: missed.map(({ id }) => id),
      silent: isQuiet(carer.preference, carer.clock(now.getTime())),
      sendAt: now,
    };
  });
}
