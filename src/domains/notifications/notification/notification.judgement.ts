import type { RequestContext } from '../../../core/context.js';
import { Judge, refusalsOf } from '../../../core/judgement.js';
import { refuseToken } from '../device/device.service.js';
import type {
  DeleteNotificationsInput,
  NotifyInput,
  SendNotificationInput,
} from './notification.inputs.js';
import { momentOf, refuseFar, refuseTooMany, refuseUntitled } from './notification.service.js';

/** Declares the judgement of a message: TITLE_REQUIRED, TOO_MANY, SEND_AT_INVALID. */
export const JudgeMessage = () =>
  Judge((context: RequestContext, { input }: { input: SendNotificationInput }) => {
    const { title, recipientIds, sendAt } = input;
    return refusalsOf(
      () => refuseUntitled(title),
      () => refuseTooMany(recipientIds ?? [], 'recipientIds'),
      () => sendAt && refuseFar(context, sendAt),
    );
  });

/**
 * Declares the judgement of a message or a device. A token without a title is a device:
 * PUSH_TOKEN_INVALID. The time is judged for signed-in callers, because it is read in their zone.
 */
export const JudgeMessageOrDevice = () =>
  Judge((context: RequestContext, { input }: { input: NotifyInput }) => {
    const { title, pushToken, userIds, sendAt } = input;
    if (pushToken && !title?.trim())
      return refusalsOf(() => refuseToken(context, pushToken, 'pushToken'));
    return refusalsOf(
      () => refuseUntitled(title),
      () => refuseTooMany(userIds ?? [], 'userIds'),
      () => context.viewer.id && momentOf(context, sendAt),
    );
  });

/** Declares the judgement of a list of ids: TOO_MANY. */
export const JudgeIds = () =>
  Judge((_context: RequestContext, { input }: { input: DeleteNotificationsInput }) =>
    refusalsOf(() => refuseTooMany(input.ids ?? [], 'ids')),
  );
