import { Field, InputType } from 'type-graphql';
import { OneOf } from '../../../core/marks.js';
import {
  AnchorMinutes,
  Days,
  DoseCount,
  DoseMinutes,
  DosesADay,
  Every,
  LongText,
  MonthDay,
  TimeOfDay,
} from '../../../core/scalars.js';
import { Weekday } from '../../../core/weekday.js';
import { DayAnchor } from './schedule.enums.js';
import type { Anchor } from './schedule-value.js';

const EVERY = 'Every so many';

@InputType({ description: 'Every so many days.' })
export class EveryDaysInput {
  @Field(() => Every, { nullable: true, description: `${EVERY} days. Default 1.` })
  every?: number | null;
}

@InputType({ description: 'Every so many weeks, on weekdays.' })
export class EveryWeeksInput {
  @Field(() => Every, { nullable: true, description: `${EVERY} weeks, 520 at most. Default 1.` })
  every?: number | null;

  @Field(() => [Weekday], {
    nullable: true,
    description: 'On which weekdays; weeks begin on Monday. Default: on that of the first day.',
  })
  weekdays?: Weekday[] | null;
}

@InputType({ description: 'Every so many months, on days of the month.' })
export class EveryMonthsInput {
  @Field(() => Every, { nullable: true, description: `${EVERY} months, 120 at most. Default 1.` })
  every?: number | null;

  @Field(() => [MonthDay], {
    nullable: true,
    description:
      'On which days; -1 is the last. A shorter month has its last day instead of those that it ' +
      'lacks. Default: on that of the first day.',
  })
  days?: number[] | null;
}

@InputType({ description: 'So many days with the medicine, then so many without, in turn.' })
export class CycleInput {
  @Field(() => Days, { description: 'Days with it, from the first day on.' })
  daysOn!: number;

  @Field(() => Days, { description: 'Days without it.' })
  daysOff!: number;
}

@InputType({ description: 'An elapsed time, whatever the clocks show.' })
export class IntervalInput {
  @Field(() => DoseMinutes, { description: 'Minutes from one dose to the next.' })
  minutes!: number;
}

@InputType({ description: 'As needed: it never rings, and what is taken is logged.' })
export class AsNeededInput {
  @Field(() => DosesADay, { nullable: true, description: 'Most doses a day. Default: any.' })
  mostADay?: number | null;

  @Field(() => DoseMinutes, {
    nullable: true,
    description: 'Least minutes from one dose to the next. Default: any.',
  })
  leastMinutes?: number | null;
}

@OneOf()
@InputType({ description: 'How a schedule repeats. SCHEDULE_INVALID unless it is exactly one.' })
export class RepeatInput {
  @Field(() => Boolean, { nullable: true, description: 'Once, at the start. True.' })
  once?: boolean | null;

  @Field(() => EveryDaysInput, { nullable: true, description: 'By days.' })
  days?: EveryDaysInput | null;

  @Field(() => EveryWeeksInput, { nullable: true, description: 'By weeks.' })
  weeks?: EveryWeeksInput | null;

  @Field(() => EveryMonthsInput, { nullable: true, description: 'By months.' })
  months?: EveryMonthsInput | null;

  @Field(() => CycleInput, {
    nullable: true,
    description: "Days on and off, such as 21 and 7, counted by the member's clocks.",
  })
  cycle?: CycleInput | null;

  @Field(() => IntervalInput, { nullable: true, description: 'By elapsed time from the start.' })
  interval?: IntervalInput | null;

  @Field(() => IntervalInput, {
    nullable: true,
    description:
      'By elapsed time from when the last dose was taken, or skipped. The first dose comes at ' +
      'the start; nothing more comes until it is answered.',
  })
  afterDose?: IntervalInput | null;

  @Field(() => AsNeededInput, { nullable: true, description: 'As needed.' })
  asNeeded?: AsNeededInput | null;

  @Field(() => LongText, {
    nullable: true,
    description:
      'An RFC 5545 RRULE, by the clocks of the zone of the reminder. Hours and minutes without BY ' +
      'parts (FREQ=HOURLY, FREQ=MINUTELY) count elapsed time, as from a DTSTART in UTC.',
  })
  rrule?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description:
      'A phrase as people write it, such as "twice a day". What is not understood is kept, and ' +
      'never fires.',
  })
  phrase?: string | null;
}

@InputType({ description: "A time of the member's own day." })
export class AnchorTimeInput {
  @Field(() => DayAnchor, { description: 'What the member does then.' })
  at!: Anchor;

  @Field(() => AnchorMinutes, {
    nullable: true,
    description: 'So many minutes before (negative) or after it. Default 0.',
  })
  minutes?: number | null;
}

@OneOf()
@InputType({ description: 'A time of day. SCHEDULE_INVALID unless it is exactly one.' })
export class DayTimeInput {
  @Field(() => TimeOfDay, { nullable: true, description: 'A clock time.' })
  clock?: string | null;

  @Field(() => AnchorTimeInput, {
    nullable: true,
    description: "A time of the member's own day.",
  })
  anchor?: AnchorTimeInput | null;
}

@OneOf()
@InputType({ description: 'When a schedule ends. SCHEDULE_INVALID unless it is exactly one.' })
export class ScheduleEndInput {
  @Field(() => DoseCount, { nullable: true, description: 'After so many doses.' })
  count?: number | null;

  @Field(() => Days, {
    nullable: true,
    description: 'After so many days, the first one included.',
  })
  days?: number | null;
}

@InputType({
  description:
    'When doses come. They begin on the first day of the reminder (`startsOn`, `startTime`); an ' +
    'end by date is `endsOn` of the reminder.',
})
export class ScheduleInput {
  @Field(() => RepeatInput, { description: 'How it repeats.' })
  repeat!: RepeatInput;

  @Field(() => [DayTimeInput], {
    nullable: true,
    description:
      'At which times of each of its days, 24 at most. Not of what counts elapsed time, comes ' +
      'once, has an RRULE or a phrase. Default: `startTime`, else a usual time of the member.',
  })
  times?: DayTimeInput[] | null;

  @Field(() => ScheduleEndInput, {
    nullable: true,
    description: 'When it ends. Default: with `endsOn` of the reminder, else never.',
  })
  end?: ScheduleEndInput | null;
}
