import type { QueuedMessage } from '../notifications/delivery/delivery.service.js';
import { isQuiet } from '../notifications/preference/quiet-hours.js';
import { messageIdOf } from './message-id.js';
import type { Recipient } from './recipient.service.js';
import { wordingOf } from './wording.js';

/** A carer of a member, by the id of the relation. */
interface Relation {
  readonly id: number;
  readonly memberId: number;
  readonly carerId: number;
}

/**
 * Returns one message for each relation: the member has never answered a dose, so it is unknown
 * what was taken, and the carer is not notified of misses until there is an answer.
 */
export function silenceMessages(
  relations: readonly Relation[],
  recipients: ReadonlyMap<number, Recipient>,
  now: Date,
): QueuedMessage[] {
  return relations.flatMap(({ id, memberId, carerId }) => {
    const [member, carer] = [recipients.get(memberId), recipients.get(carerId)];
    if (!member || !carer) return [];
    return {
      accountId: carer.id,
      aboutId: member.id,
      ...wordingOf(carer.language).neverAnswered(member.name),
      data: JSON.stringify({ type: 'no_answers', member_id: member.id }),
      messageId: messageIdOf('no answers', id),
      silent: isQuiet(carer.preference, carer.clock(now.getTime())),
      sendAt: now,
    };
  });
}
