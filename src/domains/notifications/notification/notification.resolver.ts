import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { type Filter, FilterBy } from '../../../core/filtering.js';
import { InputArg, Internal } from '../../../core/marks.js';
import { type Order, OrderBy } from '../../../core/ordering.js';
import { PageArgs } from '../../../core/paging.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { accountsById } from '../../accounts/account.service.js';
import { Account } from '../../accounts/account.types.js';
import {
  DeleteNotificationsInput,
  MarkNotificationsReadInput,
  NotifyInput,
  SendNotificationInput,
} from './notification.inputs.js';
import { JudgeIds, JudgeMessage, JudgeMessageOrDevice } from './notification.judgement.js';
import { notify, sendNotification, testPush } from './notification.service.js';
import {
  DeleteNotificationsPayload,
  MarkNotificationsReadPayload,
  Notification,
  NotificationConnection,
  NotifyPayload,
  type QueuedPush,
  SendNotificationPayload,
  TestPushPayload,
} from './notification.types.js';
import {
  countNotifications,
  deleteNotifications,
  listNotifications,
  markRead,
  NOTIFICATION_ORDERS,
} from './notification-list.service.js';

/** Root fields of notifications, and the counts of a list. */
@Resolver(() => NotificationConnection)
export class NotificationResolver {
  @Access(signedIn)
  @Rows(20)
  @Query(() => NotificationConnection, {
    description:
      'What the viewer was told, the newest first; 20 unless said otherwise. Kept for 400 days. ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async notifications(
    @Ctx() context: RequestContext,
    @Arg('unread', () => Boolean, {
      nullable: true,
      description: 'Only what is unread. Default: everything.',
    })
    unread: boolean | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(NOTIFICATION_ORDERS) order: Order | null | undefined,
    @FilterBy(NOTIFICATION_ORDERS) filter: Filter | null | undefined,
  ): Promise<NotificationConnection> {
    return listNotifications(context, page, unread === true, order, filter);
  }

  @Access(signedIn)
  @JudgeMessageOrDevice()
  @Internal()
  @Mutation(() => NotifyPayload, {
    description:
      'Sends as `sendNotification` does, or, with a token and no title, registers the device for ' +
      'the caller. TITLE_REQUIRED, PUSH_TOO_LARGE, SEND_AT_INVALID, TOO_MANY, ' +
      'PUSH_TOKEN_INVALID, FORBIDDEN.',
  })
  async notify(
    @Ctx() context: RequestContext,
    @InputArg(NotifyInput) input: NotifyInput,
  ): Promise<QueuedPush> {
    return notify(context, input);
  }

  @Access(signedIn)
  @JudgeMessage()
  @Mutation(() => SendNotificationPayload, {
    description:
      "Sends a message to the caller's devices, to those of others within reach, or to one " +
      'device. TITLE_REQUIRED, PUSH_TOO_LARGE, SEND_AT_INVALID, TOO_MANY, FORBIDDEN.',
  })
  async sendNotification(
    @Ctx() context: RequestContext,
    @InputArg(SendNotificationInput) input: SendNotificationInput,
  ): Promise<QueuedPush> {
    return sendNotification(context, input);
  }

  @Access(signedIn)
  @Mutation(() => TestPushPayload, {
    description: "Sends the caller's devices a message that says that it arrived.",
  })
  async testPush(@Ctx() context: RequestContext): Promise<QueuedPush> {
    return testPush(context);
  }

  @Access(signedIn)
  @Mutation(() => MarkNotificationsReadPayload, {
    description: 'Marks notifications of the viewer as read. TOO_MANY.',
  })
  async markNotificationsRead(
    @Ctx() context: RequestContext,
    @InputArg(MarkNotificationsReadInput) { ids }: MarkNotificationsReadInput,
  ): Promise<{ notifications: Notification[]; unreadCount: number }> {
    const notifications = await markRead(context, ids);
    const { count: unreadCount } = await countNotifications(context, true);
    return { notifications, unreadCount };
  }

  @Access(signedIn)
  @JudgeIds()
  @Mutation(() => DeleteNotificationsPayload, {
    description:
      'Deletes what the viewer was told, and cancels what the viewer planned and is not due ' +
      'yet. TOO_MANY.',
  })
  async deleteNotifications(
    @Ctx() context: RequestContext,
    @InputArg(DeleteNotificationsInput) { ids }: DeleteNotificationsInput,
  ): Promise<DeleteNotificationsPayload> {
    return deleteNotifications(context, ids);
  }

  @Access(anyone)
  @FieldResolver(() => Int, { description: 'How many the list holds.' })
  async totalCount(
    @Ctx() context: RequestContext,
    @Root() { unreadOnly, filter }: NotificationConnection,
  ): Promise<number> {
    return (await countNotifications(context, unreadOnly, filter)).count;
  }

  @Access(anyone)
  @FieldResolver(() => Int, { description: 'How many the viewer has not read.' })
  async unreadCount(@Ctx() context: RequestContext): Promise<number> {
    return (await countNotifications(context, true)).count;
  }
}

/** Resolves who sent a notification. */
@Resolver(() => Notification)
export class SenderResolver {
  @Access(anyone)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'Who sent it; null when the service did, and when that account is gone.',
  })
  async sender(
    @Ctx() context: RequestContext,
    @Root() { createdBy }: Notification,
  ): Promise<Account | undefined> {
    return createdBy === null ? undefined : context.loader(accountsById).load(createdBy);
  }
}

/** Counts what is left after a deletion. */
@Resolver(() => DeleteNotificationsPayload)
export class DeletedNotificationResolver {
  @Access(anyone)
  @FieldResolver(() => Int, {
    description: 'How many notifications the viewer has not read now.',
  })
  async unreadCount(@Ctx() context: RequestContext): Promise<number> {
    return (await countNotifications(context, true)).count;
  }
}

/** The resolvers of this file, for the schema. */
export const NOTIFICATION_RESOLVERS = [
  NotificationResolver,
  SenderResolver,
  DeletedNotificationResolver,
] as const;
