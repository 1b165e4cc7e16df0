import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { isoIn } from '../../../platform/zone.js';
import { doseName, occurrenceId } from '../alert/occurrence-id.js';
import { DoseCounts } from '../dose/adherence.types.js';

/** How an event stands. */
export enum EventStatus {
  UPCOMING = 'upcoming',
  DUE = 'due',
  TAKEN = 'taken',
  SKIPPED = 'skipped',
  MISSED = 'missed',
  ATTENDED = 'attended',
  PAST = 'past',
  UNRECOGNIZED = 'unrecognized',
}

registerEnumType(EventStatus, {
  name: 'EventStatus',
  description: 'How an event stands.',
  valuesConfig: {
    UPCOMING: { description: 'Its time has not come.' },
    DUE: { description: 'Its time has come, and the two hours of grace have not passed.' },
    TAKEN: { description: 'The dose was taken.' },
    SKIPPED: { description: 'The dose was skipped on purpose.' },
    MISSED: {
      description:
        'Two hours after its time nobody had answered for the dose. It can still be taken.',
    },
    ATTENDED: { description: 'The appointment was attended.' },
    PAST: {
      description:
        'Two hours after the time of an appointment nobody had said that it was attended; or a ' +
        'dose of before its reminder was made, which nobody was reminded of: it counts as ' +
        'neither taken nor missed, and can still be taken.',
    },
    UNRECOGNIZED: {
      description: 'The frequency was not understood: it shows on its start date, and never fires.',
    },
  },
});

/** After this an occurrence that nobody answered for is missed. */
export const GRACE = 2 * 60 * 60 * 1000;

const MISSABLE: ReadonlySet<EventStatus> = new Set([
  EventStatus.UPCOMING,
  EventStatus.DUE,
  EventStatus.MISSED,
]);

/** A span of instants in milliseconds: from, included, to, not included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What an event shows of its reminder. */
export interface EventSubject {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  readonly description: string | null;
}

/** What was logged for an event. */
export interface LoggedDose {
  readonly id: number;
  readonly reminderId: number | null;
  readonly accountId: number;
  readonly plannedAt: Date | null;
  readonly extra: boolean;
  readonly answer: string;
  readonly at: Date;
  readonly name: string;
  readonly note: string | null;
}

@ObjectType({ description: "Something on a member's calendar: a dose or an appointment." })
export class CalendarEvent {
  constructor(
    private readonly subject: EventSubject,
    /** Milliseconds since 1970. */
    readonly at: number,
    private readonly standing: EventStatus,
    private readonly zone: string,
    readonly dose?: LoggedDose,
  ) {}

  /** Whether it belongs to no occurrence: as needed, out of turn, or taken once more. */
  get apart(): boolean {
    return this.dose !== undefined && !this.dose.plannedAt;
  }

  /** Whether nobody answered for this dose. */
  get isOpen(): boolean {
    return this.subject.kind === 'medicine' && this.dose === undefined;
  }

  /** An instant as this event shows its own. */
  shown(instant: number): string {
    return isoIn(instant, this.zone);
  }

  @Access(anyone)
  @Field({
    description:
      'Names the occurrence, for `takeDose` and its like. It stays the same as long as the ' +
      'plan does: what comes at another instant, because of an edit, another zone or other ' +
      'usual times, is another occurrence.',
  })
  get id(): string {
    return this.dose && this.apart
      ? doseName(this.dose.id)
      : occurrenceId(this.subject.id, this.at);
  }

  @Access(anyone)
  @Field({ description: '`medicine` or `appointment`.' })
  get type(): string {
    return this.subject.kind;
  }

  @Access(anyone)
  @Field(() => Int, {
    description: 'Id of the reminder; of a dose whose reminder is gone for good 0.',
  })
  get reminderId(): number {
    return this.subject.id;
  }

  @Access(anyone)
  @Field({
    description:
      'Name of the medicine or title of the appointment; of what was logged, as it was then.',
  })
  get title(): string {
    return this.dose?.name ?? this.subject.name;
  }

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'More about it, as sent.' })
  get description(): string | null {
    return this.subject.description;
  }

  @Access(anyone)
  @Field({ description: "When it comes, ISO 8601 with the offset of the member's zone." })
  get dateTime(): string {
    return this.shown(this.at);
  }

  @Access(anyone)
  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description:
      'From when on a dose that nobody answers for is missed, two hours after its time, ISO ' +
      '8601 as `dateTime`; null when it is answered, was never to be answered, and for ' +
      'appointments.',
  })
  get missedAt(): string | null {
    return this.isOpen && MISSABLE.has(this.standing) ? this.shown(this.at + GRACE) : null;
  }

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'When it ends; null, since neither doses nor appointments are given an end.',
  })
  get endTime(): string | null {
    return null;
  }

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: "When it was taken or skipped, ISO 8601 with the offset of the member's zone.",
  })
  get answeredAt(): string | null {
    return this.dose ? this.shown(this.dose.at.getTime()) : null;
  }

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'What was noted with the answer.' })
  get note(): string | null {
    return this.dose?.note ?? null;
  }

  @Access(anyone)
  @Field(() => EventStatus, { description: 'How it stands.' })
  get status(): EventStatus {
    return this.standing;
  }
}

@ObjectType({ description: "A day of a member's calendar." })
export class CalendarDay {
  @Access(anyone)
  @Field({ description: 'The day by the clocks of the member: YYYY-MM-DD.' })
  date!: string;

  @Access(anyone)
  @Rows(10)
  @Field(() => [CalendarEvent], { description: 'What comes on it, in order of time.' })
  events!: CalendarEvent[];

  @Access(anyone)
  @Field(() => DoseCounts, {
    description: 'What became of its doses so far; as-needed doses do not count.',
  })
  doses!: DoseCounts;
}

@ObjectType({ description: "What is on a member's calendar in a range of days, in order of time." })
export class Calendar {
  span!: Span;

  @Access(anyone)
  @Field(() => Int, {
    description:
      'Version of the feed CALENDAR of the member that this shows: give it to `changes` as ' +
      '`since`.',
  })
  version!: number;

  @Access(anyone)
  @Rows(300)
  @Field(() => [CalendarEvent], { description: 'The events.' })
  nodes!: CalendarEvent[];

  @Access(anyone)
  @Field({
    description: 'Zone in which the times are shown: IANA name, or an offset such as +02:00.',
  })
  timeZone!: string;

  @Access(anyone)
  @Field({ description: 'Beginning of the range, ISO 8601.' })
  from!: string;

  @Access(anyone)
  @Field({
    description:
      'End of the range, ISO 8601: the midnight after the last day, not included; where a ' +
      'moment was asked for, that moment, included.',
  })
  to!: string;
}
