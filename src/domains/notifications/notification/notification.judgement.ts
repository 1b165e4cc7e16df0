import type { RequestContext } from '../../../core/context.js';
import { Judge, refusalsOf } from '../../../core/judgement.js';
import { refuseSubscription } from '../device/device.service.js';
import type {
  NotificationIdsInput,
  NotifyInput,
  SendNotificationInput,
} from './notification.inputs.js';
import { momentOf, refuseTooMany, refuseUntitled } from './notification.service.js';

/**
 * Judges a message: TITLE_REQUIRED, TOO_MANY, and SEND_AT_INVALID for signed-in callers, because
 * the time is read in their zone.
 */
const message = (
  context: RequestContext,
  { title, userIds, sendAt }: Pick<NotifyInput, 'title' | 'userIds' | 'sendAt'>,
) =>
  refusalsOf(
    () => refuseUntitled(title),
    () => refuseTooMany(userIds ?? [], 'user_ids'),
    () => context.viewer.id && momentOf(context, sendAt),
  );

/** Declares the judgement of a message. */
export const JudgeMessage = () =>
  Judge((context: RequestContext, { input }: { input: SendNotificationInput }) =>
    message(context, input),
  );

/**
 * Declares the judgement of a message or a device. A token without a title is a device:
 * PUSH_TOKEN_INVALID.
 */
export const JudgeMessageOrDevice = () =>
  Judge((context: RequestContext, { input }: { input: NotifyInput }) => {
    const { title, pushToken } = input;
    if (!pushToken || title?.trim()) return message(context, input);
    return refusalsOf(() => refuseSubscription(context, pushToken));
  });

/** Declares the judgement of a list of ids: TOO_MANY. */
export const JudgeIds = () =>
  Judge((_context: RequestContext, { input }: { input: NotificationIdsInput }) =>
    refusalsOf(() => refuseTooMany(input.ids ?? [], 'ids')),
  );
