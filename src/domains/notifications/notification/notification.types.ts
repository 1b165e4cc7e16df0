import { JSONObjectResolver } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { Node } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { DateTime } from '../../../core/scalars.js';

@ObjectType({ implements: Node, description: 'Something that the caller was told.' })
export class Notification {
  @Access(anyone)
  @Field(() => Int, { name: 'databaseId', description: 'The number by which REST knows it.' })
  id!: number;

  @Access(anyone)
  @Field({
    description:
      'What it is: `message` from somebody, `test`, `reminder` of a medicine or an ' +
      'appointment, `missed` for carers, `device_suspended` when somebody removed a device ' +
      'without signing in; more may come.',
  })
  kind!: string;

  @Access(anyone)
  @Field({ description: 'Its first line.' })
  title!: string;

  @Access(anyone)
  @Field({ description: 'Its text; may be empty.' })
  body!: string;

  @Access(anyone)
  @Field(() => JSONObjectResolver, {
    nullable: true,
    description:
      'What apps get beside the words: of a message what its sender gave; of reminders and for ' +
      'carers `type` with the ids of occurrences, reminders and, for carers, the member. Null ' +
      'for none.',
  })
  data!: Record<string, unknown> | null;

  @Access(anyone)
  @Field(() => DateTime, { description: 'When it was due, in UTC.' })
  sendAt!: Date;

  @Access(anyone)
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the caller read it, in UTC; null until then.',
  })
  readAt!: Date | null;

  @Access(anyone)
  @Field(() => Int, {
    nullable: true,
    description: 'Id of the account that sent it; null when the service did.',
  })
  createdBy!: number | null;
}

@ObjectType({ description: "A page of the caller's notifications, the newest first." })
export class NotificationConnection extends connectionType(
  Notification,
  'Notification',
  'a notification',
) {
  /** Whether the list contains only unread notifications. */
  unreadOnly!: boolean;

  @Access(anyone)
  @Field(() => Int, {
    description:
      'Version of the feed NOTIFICATIONS of the caller that this shows: give it to `changes` ' +
      'as `since`.',
  })
  version!: number;
}

@ObjectType({ description: 'What was taken in to be sent.' })
export class QueuedPush {
  @Access(anyone)
  @Field(() => Int, {
    nullable: true,
    description:
      'Id of the notification, of the first of several; null when nothing was to be sent.',
  })
  id!: number | null;

  @Access(anyone)
  @Field(() => Int, { description: 'To how many devices it goes, as of now.' })
  queued!: number;

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether this registered a device for the caller.' })
  registered!: boolean;

  @Access(anyone)
  @Rows(1_000)
  @Field(() => [Int], { description: 'Ids of all notifications made, one for each account.' })
  ids!: number[];
}

@ObjectType({ description: 'Notifications that are gone.' })
export class DeletedNotifications {
  @Access(anyone)
  @Rows(100)
  @Field(() => [Int], {
    description:
      "Ids of those that were deleted: of those asked for, the ones that were the caller's.",
  })
  deleted!: number[];
}

@ObjectType({ description: 'Notifications that are read.' })
export class ReadNotifications {
  @Access(anyone)
  @Rows(100)
  @Field(() => [Int], { description: 'Ids of those that were unread until now.' })
  read!: number[];
}
