import { ID, Int, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { type EnumValue, enumType } from '../../core/enum-type.js';

/** The kinds of feeds. */
export const FeedKind = enumType('FeedKind', 'Of what changes are told live.', {
  CALENDAR: ['calendar', "A member's reminders, occurrences and doses."],
  NOTIFICATIONS: ['notifications', "An account's notifications."],
  CONTENT: [
    'content',
    'Posts, pages and healthcare items: what `contentChanges` lists, of all that write. For those who write.',
  ],
});
export type FeedKind = EnumValue<typeof FeedKind>;

@ObjectType({ description: 'What a feed shows has changed: read it again.' })
export class FeedChange {
  /** The account whose feed it is. */
  accountId!: number;

  @Visible(() => FeedKind, { description: 'What changed.' })
  feed!: FeedKind;

  @Visible(() => ID, {
    description:
      'Global id of the account whose feed it is, of CONTENT that of the viewer. It is there ' +
      'without a further read.',
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
