import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField } from '../../../core/marks.js';
import { TimeOfDay, TimeZone } from '../../../core/scalars.js';

@InputType({ description: 'When a member usually takes what is due so many times a day.' })
export class UsualTimesInput {
  @Field(() => [TimeOfDay], {
    description: 'Clock times in order, one for each time a day. At most 24. TIMES_INVALID.',
  })
  times!: string[];
}

@InputType({
  description:
    "A member's own clock times of what the member does every day, in the member's time zone. What " +
    'is absent or null has the usual time.',
})
export class DayTimesInput {
  @Field(() => TimeOfDay, { nullable: true, description: 'Getting up.' })
  waking?: string | null;

  @Field(() => TimeOfDay, { nullable: true, description: 'Breakfast.' })
  breakfast?: string | null;

  @Field(() => TimeOfDay, { nullable: true, description: 'Lunch.' })
  lunch?: string | null;

  @Field(() => TimeOfDay, { nullable: true, description: 'Dinner.' })
  dinner?: string | null;

  @Field(() => TimeOfDay, { nullable: true, description: 'Going to bed; may be after midnight.' })
  bedtime?: string | null;
}

@InputType({ description: 'How a member is reminded. What is absent or null stays.' })
export class UpdateCareSettingsInput {
  @IdField('Account', {
    nullable: true,
    description: 'Whose. Default: own. FORBIDDEN without the right to edit.',
  })
  memberId?: number | null;

  @Field(() => TimeZone, {
    nullable: true,
    description:
      'IANA name of the zone in which the member lives. What is to come moves along: clock ' +
      'times stay clock times (those that were sent, where the start had the offset of this ' +
      'zone); elapsed hours, and what comes once and was given with an offset, stay instants. ' +
      'ZONE_INVALID.',
  })
  timeZone?: string | null;

  @Field(() => [UsualTimesInput], {
    nullable: true,
    description:
      'All usual times of the member, one entry for each number of times a day; for numbers ' +
      'without an entry 08:00, 08:00 20:00 and so on. Reminders whose `timesSource` they are ' +
      'come at them from tomorrow on; what counts elapsed hours and has begun goes on as it ' +
      'was.',
  })
  usualTimes?: UsualTimesInput[] | null;

  @Field(() => DayTimesInput, {
    nullable: true,
    description:
      'All own times of the day of the member; an empty object has the usual ones again. With ' +
      'those that stay usual they are in order from waking to bedtime, within 24 hours, no two ' +
      'together: TIMES_INVALID. What is taken at them ("before breakfast") comes at them from ' +
      'tomorrow on, as with `usualTimes`.',
  })
  dayTimes?: DayTimesInput | null;

  @BasedOn()
  version?: number | null;
}

@InputType({ description: 'A calendar feed to make.' })
export class CreateCalendarFeedInput {
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the feed names medicines and appointments; otherwise it says "Medicine" and ' +
      '"Appointment". Default false.',
  })
  titles?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether events have alarms (VALARM, RFC 5545 3.6.6): at a dose, and before an appointment ' +
      'when the member is reminded of it. They sound beside the pushes of the service, and many ' +
      'programs leave alarms of subscribed calendars out, so do not rely on them. Default false.',
  })
  alarms?: boolean | null;
}
