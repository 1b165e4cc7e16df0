import { GraphQLJSONObject, GraphQLLocalTime } from 'graphql-scalars';
import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { WEEKDAYS as DAYS, Weekday } from '../../../core/weekday.js';
import type { FhirTiming } from './fhir/fhir-dosage.js';
import { rruleOf } from './rrule-text.js';
import type { Timed } from './saying/say.js';
import { DayAnchor, ScheduleKind } from './schedule.enums.js';
import { type Anchor, type Repeat, type ScheduleValue, WEEKDAYS } from './schedule-value.js';

@ObjectType({ description: 'A time of day: a clock time, or one of the member’s own day.' })
export class DayTime {
  @Visible(() => GraphQLLocalTime, {
    nullable: true,
    description: 'The clock time; null for a time of the member’s day.',
  })
  clock!: string | null;

  @Visible(() => DayAnchor, {
    nullable: true,
    description: 'What the member does then, or else null.',
  })
  anchor!: Anchor | null;

  @Visible(() => Int, { description: 'Minutes before (negative) or after the anchor; else 0.' })
  minutes!: number;
}

type Fields = Partial<Record<'every' | 'on' | 'off' | 'minutes' | 'mostADay' | 'apart', number>>;

/** A schedule in the forms of other programs, made when they are asked for. */
export interface OtherForms {
  timing(): FhirTiming | null;
  dtstart(): string;
  /** Returns a rule of the schedule as it stands beside `dtstart`. */
  rule(rrule: string): string;
}

@ObjectType({ description: 'When doses come.' })
export class Schedule {
  constructor(
    readonly value: ScheduleValue,
    private readonly forms: OtherForms,
    /** Whose words it is said in. */
    readonly memberId: number,
    /** As it is said. */
    readonly timed: Timed,
  ) {}

  private get fields(): Repeat & Fields {
    return this.value.repeat;
  }

  @Visible(() => ScheduleKind, { description: 'How it repeats.' })
  get kind(): Repeat['kind'] {
    return this.fields.kind;
  }

  @Visible(() => Int, { nullable: true, description: 'Every so many days, weeks or months.' })
  get every(): number | null {
    return this.fields.every ?? null;
  }

  @Rows(7)
  @Visible(() => [Weekday], { description: 'Weekdays; none: that of the first day.' })
  get weekdays(): Weekday[] {
    const { repeat } = this.value;
    const days = repeat.kind === 'weeks' ? repeat.weekdays : [];
    return days.map((day) => DAYS[WEEKDAYS.indexOf(day)] as Weekday);
  }

  @Rows(32)
  @Visible(() => [Int], { description: 'Days of the month, -1 the last; none: the first day’s.' })
  get monthDays(): readonly number[] {
    const { repeat } = this.value;
    return repeat.kind === 'months' ? repeat.days : [];
  }

  @Visible(() => Int, { nullable: true, description: 'Of a cycle: days with it.' })
  get daysOn(): number | null {
    return this.fields.on ?? null;
  }

  @Visible(() => Int, { nullable: true, description: 'Of a cycle: days without it.' })
  get daysOff(): number | null {
    return this.fields.off ?? null;
  }

  @Visible(() => Int, {
    nullable: true,
    description: 'Minutes between two doses; as needed the least.',
  })
  get minutes(): number | null {
    return this.fields.minutes ?? this.fields.apart ?? null;
  }

  @Visible(() => Int, { nullable: true, description: 'As needed: most doses a day.' })
  get mostADay(): number | null {
    return this.fields.mostADay ?? null;
  }

  @Rows(24)
  @Visible(() => [DayTime], {
    description: 'Times of each day; none where it has those of its start, or of the rule.',
  })
  get times(): DayTime[] {
    return this.value.times.map((time) =>
      typeof time === 'string'
        ? { clock: time, anchor: null, minutes: 0 }
        : { clock: null, anchor: time.anchor, minutes: time.offset },
    );
  }

  @Visible(() => Int, { nullable: true, description: 'It ends after so many doses.' })
  get count(): number | null {
    return this.value.end?.count ?? null;
  }

  @Visible(() => Int, { nullable: true, description: 'It ends after so many days.' })
  get days(): number | null {
    return this.value.end?.days ?? null;
  }

  @Visible(() => String, {
    nullable: true,
    description:
      'The schedule as an RFC 5545 RRULE that counts from `dtstart`; null where no single rule ' +
      'has the same doses. Its clock times are those of the zone of the reminder. Hours and ' +
      'minutes (FREQ=HOURLY, FREQ=MINUTELY) count elapsed time: their `dtstart` is in UTC.',
  })
  get rrule(): string | null {
    const rrule = rruleOf(this.value);
    return rrule === undefined ? null : this.forms.rule(rrule);
  }

  @Visible(() => String, {
    nullable: true,
    description:
      'The DTSTART property (RFC 5545, 3.8.2.4) that `rrule` counts from: in UTC where it counts ' +
      'elapsed time, whatever the clocks show, else by the clocks of the zone of the reminder, ' +
      'with its TZID. Null without an `rrule`.',
  })
  get dtstart(): string | null {
    return this.rrule === null ? null : this.forms.dtstart();
  }

  @Visible(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'The schedule as a FHIR R4 Timing; null where no single Timing says it, and of what is ' +
      'taken as needed. Its clock times are those of the zone of the reminder.',
    deprecationReason: 'Use fhirDosages of the medicine, which also has amounts and limits.',
  })
  get fhirTiming(): FhirTiming | null {
    return this.forms.timing();
  }
}
