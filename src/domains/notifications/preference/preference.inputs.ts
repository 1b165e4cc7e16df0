import { Field, InputType } from 'type-graphql';
import { BasedOn } from '../../../core/marks.js';
import { RenotifyTimes, TimeOfDay, WaitMinutes } from '../../../core/scalars.js';

@InputType({
  description:
    'How the viewer wants to be told. What is absent or null stays, unless its field says otherwise.',
})
export class UpdateNotificationPreferenceInput {
  @BasedOn()
  version?: number | null;

  @Field(() => TimeOfDay, {
    nullable: true,
    description:
      'When the quiet hours begin; null ends them, with `quietEnd` absent or null too. ' +
      'QUIET_HOURS_INVALID without `quietEnd`.',
  })
  quietStart?: string | null;

  @Field(() => TimeOfDay, {
    nullable: true,
    description: 'When they end; another time than `quietStart`, or null as there.',
  })
  quietEnd?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the lock screen names the medicine.',
  })
  lockScreenNames?: boolean | null;

  @Field(() => WaitMinutes, {
    nullable: true,
    description:
      'Minutes after which an unanswered reminder is repeated; null: never. Without ' +
      '`renotifyTimes`, where that is 0 so far, three times.',
  })
  renotifyMinutes?: number | null;

  @Field(() => RenotifyTimes, { nullable: true, description: 'How often it is repeated at most.' })
  renotifyTimes?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether carers are notified of missed doses.',
  })
  missedToCarers?: boolean | null;

  @Field(() => WaitMinutes, {
    nullable: true,
    description: 'Minutes until the next carer in order is told; null: all are told at once.',
  })
  carersWaitMinutes?: number | null;
}
