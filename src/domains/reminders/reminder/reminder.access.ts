import type { RootRule } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import { wasDeleted } from '../../../core/transact.js';
import { type CareRight, careRights, lacking } from '../../care/care.service.js';
import { type ReminderKind, remindersById } from './reminder.service.js';

const NOT_FOUND: Refusal = { reason: 'REMINDER_NOT_FOUND', message: 'Invalid reminder ID.' };
const ANONYMOUS: Refusal = {
  reason: 'UNAUTHENTICATED',
  message: 'Sorry, you are not allowed to do that.',
};

/**
 * Who has a right over the member of a reminder. One that the caller may not see does not exist.
 */
async function judge(
  context: RequestContext,
  kind: ReminderKind | undefined,
  id: number,
  right: CareRight,
): Promise<Refusal | undefined> {
  if (!context.viewer.id) return ANONYMOUS;
  const row = await context.loader(remindersById).load(id);
  if (!row || (kind && row.kind !== kind)) return NOT_FOUND;
  if (row.deletedAt && !(await wasDeleted(context))) return NOT_FOUND;
  const rights = await careRights(context, row.accountId);
  if (!rights.has('see')) return NOT_FOUND;
  return rights.has(right) ? undefined : lacking(right);
}

/** The owner, carers, assigned clinicians, and who broke the glass see a reminder. */
export const maySee =
  (kind: ReminderKind): RootRule =>
  (context: RequestContext, { id }: { id: number }) =>
    judge(context, kind, id, 'see');

/** The same of reminders of any kind. */
export const maySeeAny: RootRule = (context: RequestContext, { id }: { id: number }) =>
  judge(context, undefined, id, 'see');

/**
 * The owner, carers with the right to edit, assigned clinicians, and administrators who broke the
 * glass change it.
 */
export const mayEdit =
  (kind: ReminderKind): RootRule =>
  (context: RequestContext, { input }: { input: { id: number } }) =>
    judge(context, kind, input.id, 'edit');

/** The same, and carers with the right to answer, log what became of it. */
export const mayAnswerFor = (context: RequestContext, kind: ReminderKind, id: number) =>
  judge(context, kind, id, 'answer');
