import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { CacheId, globalId, Version } from '../../../core/node.js';
import { payloadType } from '../../../core/payload.js';
import { TimeOfDay } from '../../../core/scalars.js';

@ObjectType({ description: 'How the viewer wants to be told.' })
export class NotificationPreference {
  accountId!: number;

  @CacheId('the preference of the viewer')
  get key(): string {
    return globalId('NotificationPreference', this.accountId);
  }

  @Version()
  version: number = 0;

  @Visible(() => TimeOfDay, {
    nullable: true,
    description:
      'When the quiet hours begin, by the clock of `timeZone`; null for none, which is ' +
      'the default. Reminders and notices that are due in them come at their time all the ' +
      'same, without a sound: a medicine hours later would be wrong.',
  })
  quietStart: string | null = null;

  @Visible(() => TimeOfDay, {
    nullable: true,
    description: 'When they end; before `quietStart` it is the next day.',
  })
  quietEnd: string | null = null;

  @Visible(() => Boolean, {
    description: 'Whether the lock screen names the medicine. Default: no.',
  })
  lockScreenNames: boolean = false;

  @Visible(() => Int, {
    nullable: true,
    description:
      'Minutes after which an unanswered reminder of a dose is repeated, until it is taken, ' +
      'skipped or put off, or its two hours of grace end; null: never, the default.',
  })
  renotifyMinutes: number | null = null;

  @Visible(() => Int, { description: 'How often it is repeated at most. Default 0.' })
  renotifyTimes: number = 0;

  @Visible(() => Boolean, {
    description:
      'Whether carers are notified of doses that nobody answered for within two hours, and of ' +
      'reminders that could not be sent, once each. Default: yes.',
  })
  missedToCarers: boolean = true;

  @Visible(() => Int, {
    nullable: true,
    description:
      "Minutes that a carer is given before the next one, in the member's order of carers, is " +
      'told of the same dose, until somebody answers for it; null: all are told at once, the ' +
      'default.',
  })
  carersWaitMinutes: number | null = null;
}

/** What `updateNotificationPreference` returns. */
export const UpdateNotificationPreferencePayload = payloadType<{
  notificationPreference: NotificationPreference;
}>('UpdateNotificationPreference', {
  notificationPreference: {
    type: () => NotificationPreference,
    description: 'How the viewer is told from now on.',
  },
});
