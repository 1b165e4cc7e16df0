import type { QueuedMessage } from '../notifications/delivery.service.js';
import type { DueOccurrence } from '../reminders/due-occurrence.service.js';
import { messageIdOf } from './message-id.js';
import { isQuiet } from './quiet-hours.js';
import type { Recipient } from './recipient.service.js';
import { groupsOf, idsOf } from './reminder-message.js';
import { wordingOf } from './wording.js';

/**
 * What carers are told of members' doses that nobody answered for, and of reminders that were too late to send: one message to each carer
 * for each member. All carers of a member are told at once, queued in the member's order: a dose that was missed cannot wait for the first
 * of them to look. Occurrences of members who want nobody told, or have no carers, are in none.
 */
export function noticeMessages(
  missed: readonly DueOccurrence[],
  recipients: ReadonlyMap<number, Recipient>,
  carers: ReadonlyMap<number, readonly number[]>,
  now: Date,
): QueuedMessage[] {
  return groupsOf(missed, ({ accountId }) => accountId).flatMap((group) => {
    const [first] = group;
    const member = recipients.get(first.accountId);
    if (!member?.preference.missedToCarers) return [];
    const count = new Set(idsOf(group).occurrence_ids).size;
    const unsent = group.every((one) => one.unsent);
    return (carers.get(member.id) ?? []).flatMap((id) => {
      const carer = recipients.get(id);
      if (!carer) return [];
      const wording = wordingOf(carer.language);
      return {
        accountId: carer.id,
        ...(unsent ? wording.unsent(member.name, count) : wording.unanswered(member.name, count)),
        data: JSON.stringify({ type: unsent ? 'reminder_unsent' : 'dose_missed', member_id: member.id, ...idsOf(group) }),
        messageId: messageIdOf('missed', first.id, carer.id),
        occurrenceIds: group.map((one) => one.id),
        silent: isQuiet(carer.preference, carer.clock(now.getTime())),
        sendAt: now,
      };
    });
  });
}
