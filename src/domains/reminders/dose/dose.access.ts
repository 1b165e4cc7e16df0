import type { RootRule } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import { wasDeleted } from '../../../core/transact.js';
import { careRights, lacking } from '../../care/care.service.js';
import { mayAnswerFor } from '../reminder/reminder.access.js';
import { reminderOf } from './occurrence.service.js';

const NOT_FOUND: Refusal = {
  reason: 'OCCURRENCE_NOT_FOUND',
  message: 'There is no such occurrence.',
};

/**
 * The member, and who has the right to answer, answer for an occurrence; for who may not see it, it
 * does not exist.
 */
export const mayAnswerOccurrence: RootRule = async (
  context: RequestContext,
  { input }: { input: { occurrenceId: string } },
) => {
  if (!context.viewer.id)
    return { reason: 'UNAUTHENTICATED', message: 'Sorry, you are not allowed to do that.' };
  const member = await reminderOf(context, input.occurrenceId);
  // The dose that a retry has taken back is gone: whose it was is judged by what is stored of it.
  if (member === undefined) return (await wasDeleted(context)) ? undefined : NOT_FOUND;
  const rights = await careRights(context, member);
  if (!rights.has('see')) return NOT_FOUND;
  return rights.has('answer') ? undefined : lacking('answer');
};

export const mayLogDose: RootRule = (
  context: RequestContext,
  { input }: { input: { reminderId: number } },
) => mayAnswerFor(context, 'medicine', input.reminderId);

export const mayAttend: RootRule = (
  context: RequestContext,
  { input }: { input: { id: number } },
) => mayAnswerFor(context, 'appointment', input.id);
