import { ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Visible } from '../../core/access.js';

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
  /** The account whose feed it is. */
  accountId!: number;

  @Visible(() => FeedKind, { description: 'What changed.' })
  feed!: FeedKind;

  @Visible(() => ID, {
    description: 'Global id of the account whose feed it is. It is there without a further read.',
  })
  memberId!: string;

  @Visible(() => Int, {
    description:
      'Counts the changes. After a reconnect give the last one as `since`: what was missed is ' +
      'told at once. With `ended` it is the last one that was told.',
  })
  version!: number;

  @Visible(() => Boolean, {
    description:
      'Whether this was the last of this feed: the viewer may not see it any more. The other ' +
      'feeds of the stream go on.',
  })
  ended!: boolean;
}
