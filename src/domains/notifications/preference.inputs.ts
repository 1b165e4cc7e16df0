import { Field, InputType } from 'type-graphql';
import { RenotifyMinutes, RenotifyTimes, TimeOfDay } from '../../scalars.js';

@InputType({ description: 'A change of how the caller wants to be told. What is absent stays.' })
export class NotificationPreferenceInput {
  @Field(() => TimeOfDay, {
    nullable: true,
    description: 'When the quiet hours begin; null ends them. QUIET_HOURS_INVALID without `quietEnd`.',
  })
  quietStart?: string | null;

  @Field(() => TimeOfDay, { nullable: true, description: 'When they end; another time than `quietStart`.' })
  quietEnd?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the lock screen names the medicine.' })
  lockScreenNames?: boolean | null;

  @Field(() => RenotifyMinutes, {
    nullable: true,
    description: 'Minutes after which an unanswered reminder is repeated; null: never.',
  })
  renotifyMinutes?: number | null;

  @Field(() => RenotifyTimes, { nullable: true, description: 'How often it is repeated at most.' })
  renotifyTimes?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether carers are told of missed doses.' })
  missedToCarers?: boolean | null;
}
