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
 * Of a message: TITLE_REQUIRED, TOO_MANY, and SEND_AT_INVALID for who is signed in, by whose clocks
 * it is read.
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

export const JudgeMessage = () =>
  Judge((context: RequestContext, { input }: { input: SendNotificationInput }) =>
    message(context, input),
  );

/** With a token and no title it is a device, of which PUSH_TOKEN_INVALID may be said. */
export const JudgeMessageOrDevice = () =>
  Judge((context: RequestContext, { input }: { input: NotifyInput }) => {
    const { title, pushToken } = input;
    if (!pushToken || title?.trim()) return message(context, input);
    return refusalsOf(() => refuseSubscription(context, pushToken));
  });

/** TOO_MANY. */
export const JudgeIds = () =>
  Judge((_context: RequestContext, { input }: { input: NotificationIdsInput }) =>
    refusalsOf(() => refuseTooMany(input.ids ?? [], 'ids')),
  );
