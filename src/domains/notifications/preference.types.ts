import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../access.js';

@ObjectType({ description: 'How the caller wants to be told.' })
export class NotificationPreference {
  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'When the quiet hours begin, HH:MM by the clock of the account; null for none, which is the default.',
  })
  quietStart: string | null = null;

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'When they end, HH:MM; before `quietStart` it is the next day.' })
  quietEnd: string | null = null;

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether the lock screen names the medicine. Default: no.' })
  lockScreenNames: boolean = false;

  @Access(anyone)
  @Field(() => Int, {
    nullable: true,
    description: 'Minutes after which an unanswered reminder is repeated; null: never, the default.',
  })
  renotifyMinutes: number | null = null;

  @Access(anyone)
  @Field(() => Int, { description: 'How often it is repeated at most. Default 0.' })
  renotifyTimes: number = 0;

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether carers are told of missed doses. Default: yes.' })
  missedToCarers: boolean = true;
}
