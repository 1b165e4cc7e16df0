import { Int, InterfaceType, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { type EnumValue, enumType } from '../../../core/enum-type.js';
import { Internal, RestDescription } from '../../../core/marks.js';
import { Node, TextKey } from '../../../core/node.js';
import { ClockZone, DateTime, LocalDate, TimeOfDay } from '../../../core/scalars.js';
import type { Decimal } from '../../../platform/decimal.js';
import { localText } from '../../../platform/moment.js';
import { isoIn, localAt } from '../../../platform/zone.js';
import { doseName, occurrenceId } from '../alert/occurrence-id.js';
import { Reminder } from '../reminder/reminder.types.js';
import { GRACE } from './occurrences.js';

/** How an event stands. */
export const EventStatus = enumType('EventStatus', 'How an event stands.', {
  UPCOMING: ['upcoming', 'Its time has not come.'],
  DUE: ['due', 'Its time has come, and the two hours of grace have not passed.'],
  TAKEN: ['taken', 'The dose was taken.'],
  SKIPPED: ['skipped', 'The dose was skipped on purpose.'],
  REFUSED: ['refused', 'The member refused the dose.'],
  UNNEEDED: [
    'unneeded',
    'The dose was not needed, as on a sick day or by the word of a doctor: it does not count in ' +
      'the adherence.',
  ],
  MISSED: [
    'missed',
    'Two hours after its time nobody had answered for the dose. It can still be taken.',
  ],
  ATTENDED: ['attended', 'The appointment was attended.'],
  PAST: [
    'past',
    'Two hours after the time of an appointment nobody had said that it was attended; or a ' +
      'dose of before its reminder was made, which nobody was reminded of: it counts as ' +
      'neither taken nor missed, and can still be taken.',
  ],
  UNRECOGNIZED: [
    'unrecognized',
    'The frequency was not understood: it shows on its start date, and never fires.',
  ],
  WITHHELD: [
    'withheld',
    'It does not come, since another dose takes its place: an edit replaced it, or after an ' +
      'edit or a move it would come closer than half of the usual interval to another one.',
  ],
});
export type EventStatus = EnumValue<typeof EventStatus>;

const MISSABLE: ReadonlySet<EventStatus> = new Set([
  EventStatus.UPCOMING,
  EventStatus.DUE,
  EventStatus.MISSED,
]);

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
  readonly medicineType: string | null;
  readonly note: string | null;
  /** How much was taken, where somebody had said how much a dose is. */
  readonly amount: Decimal | null;
  readonly unit: string | null;
}

@InterfaceType({
  implements: Node,
  description: "Something on a member's calendar: a dose or an appointment.",
})
export abstract class CalendarEvent {
  constructor(
    private readonly subject: EventSubject,
    /** Milliseconds since 1970. */
    readonly at: number,
    protected readonly standing: EventStatus,
    private readonly zone: string,
    readonly dose?: LoggedDose,
  ) {}

  /** Whether it belongs to no occurrence: as needed, out of turn, or taken once more. */
  get apart(): boolean {
    return this.dose !== undefined && !this.dose.plannedAt;
  }

  /** The same event, standing otherwise. */
  standingAs(standing: EventStatus): CalendarEvent {
    return eventOf(this.subject, this.at, standing, this.zone, this.dose);
  }

  /** Whether nobody answered for this dose. */
  get isOpen(): boolean {
    return this.subject.kind === 'medicine' && this.dose === undefined;
  }

  @RestDescription(
    'Names the occurrence, for `takeDose` and its like. It stays the same as long as the ' +
      'plan does: what comes at another instant, because of an edit, another zone or other ' +
      'usual times, is another occurrence.',
  )
  @Visible(() => String, {
    name: 'occurrenceId',
    description:
      'Names the occurrence, as the data of pushes do. It stays the same as long as the plan ' +
      'does: what comes at another instant, because of an edit, another zone or other usual ' +
      'times, is another occurrence.',
  })
  get id(): string {
    return this.dose && this.apart
      ? doseName(this.dose.id)
      : occurrenceId(this.subject.id, this.at);
  }

  @Visible(() => Reminder, {
    nullable: true,
    description: 'What it is an occurrence of; null when that was deleted.',
  })
  readonly reminder?: Reminder;

  @Internal()
  @Visible({ description: '`medicine` or `appointment`.' })
  get type(): string {
    return this.subject.kind;
  }

  @Internal()
  @Visible(() => Int, {
    description: 'Id of the reminder; of a dose whose reminder is gone for good 0.',
  })
  get reminderId(): number {
    return this.subject.id;
  }

  @Visible({
    description:
      'Name of the medicine or title of the appointment; of what was logged, as it was then.',
  })
  get title(): string {
    return this.dose?.name ?? this.subject.name;
  }

  @RestDescription('More about it, as sent.')
  @Visible(() => String, { nullable: true, description: 'More about it, as somebody wrote it.' })
  get description(): string | null {
    return this.subject.description;
  }

  @Visible(() => DateTime, { description: 'When it comes, in UTC.' })
  get startsAt(): Date {
    return new Date(this.at);
  }

  private get local(): string {
    return localText(localAt(this.at, this.zone));
  }

  @Visible(() => LocalDate, { description: 'On which day it comes, in `timeZone`.' })
  get date(): string {
    return this.local.slice(0, 10);
  }

  @Visible(() => TimeOfDay, { description: 'At which clock time it comes, in `timeZone`.' })
  get time(): string {
    return this.local.slice(11, 16);
  }

  @Visible(() => ClockZone, { description: 'The zone by whose clocks the member lives.' })
  get timeZone(): string {
    return this.zone;
  }

  @Internal()
  @Visible({ description: "When it comes, ISO 8601 with the offset of the member's zone." })
  get dateTime(): string {
    return isoIn(this.at, this.zone);
  }

  @Internal()
  @Visible(() => String, {
    nullable: true,
    description: 'When it ends; null, since neither doses nor appointments are given an end.',
  })
  get endTime(): string | null {
    return null;
  }

  @Visible(() => EventStatus, { description: 'How it stands.' })
  get status(): EventStatus {
    return this.standing;
  }
}

@TextKey()
@ObjectType({ implements: [Node, CalendarEvent], description: 'A dose on the calendar.' })
export class DoseEvent extends CalendarEvent {
  @Visible(() => Boolean, {
    name: 'isUnplanned',
    description:
      'Whether it belongs to no occurrence of a plan: taken as needed, out of turn, or once more.',
  })
  override get apart(): boolean {
    return super.apart;
  }

  @Visible(() => DateTime, {
    nullable: true,
    description:
      'From when on it is missed if nobody answers for it, two hours after its time, in UTC; ' +
      'null when it is answered, or was never to be answered.',
  })
  get missedAt(): Date | null {
    return this.isOpen && MISSABLE.has(this.standing) ? new Date(this.at + GRACE) : null;
  }

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When it was taken or left out, in UTC; null until then.',
  })
  get answeredAt(): Date | null {
    return this.dose?.at ?? null;
  }

  @Visible(() => String, { nullable: true, description: 'What was noted with the answer.' })
  get note(): string | null {
    return this.dose?.note ?? null;
  }
}

@TextKey()
@ObjectType({
  implements: [Node, CalendarEvent],
  description: 'An appointment on the calendar.',
})
export class AppointmentEvent extends CalendarEvent {}

type EventParts = ConstructorParameters<typeof DoseEvent>;

/** Makes an event of the kind of its reminder. */
export const eventOf = (...parts: EventParts): CalendarEvent =>
  parts[0].kind === 'medicine' ? new DoseEvent(...parts) : new AppointmentEvent(...parts);
