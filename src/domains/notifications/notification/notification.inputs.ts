import { Field, InputType, Int } from 'type-graphql';
import { IdsField, Internal, RestDescription } from '../../../core/marks.js';
import { DateTime, LongText, PushData, PushToken, Text } from '../../../core/scalars.js';

const SEND_AT =
  'When to send it: YYYY-MM-DDTHH:MM[:SS] with or without an offset, or seconds since 1970; at ' +
  'most 366 days ahead, at most 30 minutes ago. Without an offset it is by the clocks by which ' +
  "the caller's reminders come. Default: now. To somebody whose care the caller may see no more " +
  'by then it is not sent. SEND_AT_INVALID.';
const USER_IDS =
  "The accounts, at most 1,000. Default: the caller. Whoever is none of the caller's to reach is " +
  'FORBIDDEN.';

@InputType({
  description:
    'A message for people. PUSH_TOO_LARGE when title, body and data pass 4,096 bytes as JSON, ' +
    'with the id of the message; 3,993 for a browser.',
})
export class SendNotificationInput {
  @Field(() => LongText, { description: 'First line. TITLE_REQUIRED when it is blank.' })
  title!: string;

  @Field(() => LongText, { nullable: true, description: 'Text. Default: none.' })
  body?: string | null;

  @Field(() => PushData, { nullable: true, description: 'What apps get beside the words.' })
  data?: Record<string, unknown> | null;

  @Internal()
  @Field(() => PushToken, {
    nullable: true,
    description:
      'The only device it goes to, by its token. FORBIDDEN unless it is of the caller or of ' +
      'somebody within reach, and of the account that is named, if one is.',
  })
  pushToken?: string | null;

  @IdsField('Account', {
    nullable: true,
    description:
      'The accounts that are told, at most 1,000. Default: the viewer. FORBIDDEN for anybody ' +
      'whom the viewer may not send messages.',
  })
  recipientIds?: number[] | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When to send it, at most 366 days ahead and at most 30 minutes ago. Default: now. It is ' +
      'not sent to somebody whom the viewer may not send messages by then. SEND_AT_INVALID.',
  })
  sendAt?: Date | null;
}

@InputType({
  description: 'A message for people, or, with a token and no title, a device to register.',
})
export class NotifyInput {
  @Field(() => LongText, { nullable: true, description: 'First line.' })
  title?: string | null;

  @Field(() => LongText, { nullable: true, description: 'Text. Default: none.' })
  body?: string | null;

  @Field(() => PushData, { nullable: true, description: 'What apps get beside the words.' })
  data?: Record<string, unknown> | null;

  @Field(() => PushToken, {
    nullable: true,
    description:
      'Without a title: the device to register for the caller. With one: the only device that ' +
      'the message goes to.',
  })
  pushToken?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The account. Default, also for 0: the caller.',
  })
  userId?: number | null;

  @Field(() => [Int], { nullable: true, description: USER_IDS })
  userIds?: number[] | null;

  @Field(() => Text, { nullable: true, description: SEND_AT })
  sendAt?: string | null;
}

@InputType({ description: 'Notifications to delete.' })
export class DeleteNotificationsInput {
  @RestDescription("Their ids, at most 1,000. Those that are not the caller's are passed over.")
  @IdsField('Notification', {
    description:
      'At most 1,000. Those that the viewer was not told and did not plan are passed over.',
  })
  ids!: number[];
}

@InputType({ description: 'Which notifications were read.' })
export class MarkNotificationsReadInput {
  @IdsField('Notification', {
    nullable: true,
    description: "At most 1,000. Those that are not the viewer's are passed over. Default: all.",
  })
  ids?: number[] | null;
}
