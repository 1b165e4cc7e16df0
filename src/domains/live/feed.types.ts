import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';

/** The kinds of feeds. */
export enum FeedKind {
  CALENDAR = 'calendar',
  NOTIFICATIONS = 'notifications',
}

registerEnumType(FeedKind, {
  name: 'FeedKind',
  description: 'Of what changes are told live.',
  valuesConfig: {
    CALENDAR: { description: "A member's reminders, occurrences and doses." },
    NOTIFICATIONS: { description: "An account's notifications." },
  },
});

@ObjectType({ description: 'What a feed shows has changed: read it again.' })
export class FeedChange {
  @Access(anyone)
  @Field(() => FeedKind, { description: 'What changed.' })
  feed!: FeedKind;

  @Access(anyone)
  @Field(() => Int, { description: 'Whose it is.' })
  memberId!: number;

  @Access(anyone)
  @Field(() => Int, {
    description:
      'Counts the changes. After a reconnect give the last one as `since`: what was missed is ' +
      'told at once.',
  })
  version!: number;
}
