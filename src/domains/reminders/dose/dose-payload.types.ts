import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { CalendarDay } from '../calendar/calendar.types.js';
import { AppointmentEvent, type CalendarEvent, DoseEvent } from '../calendar/event.types.js';
import { MemberHome } from '../calendar/home.types.js';
import { AppointmentReminder } from '../reminder/appointment-reminder.types.js';
import { Adherence } from './adherence.types.js';

/** What became of an answer: whose day it changed, and the event as it stands now. */
export interface Answered {
  readonly memberId: number;
  /** An instant of the day that it changed, in milliseconds. */
  readonly at: number;
  /** Undefined for a dose that is gone. */
  readonly event?: CalendarEvent | undefined;
}

/** What every answer changes. */
@ObjectType()
abstract class AnswerPayload implements Answered {
  readonly memberId!: number;
  readonly at!: number;

  constructor(answered: Answered) {
    Object.assign(this, answered);
  }

  @Visible(() => CalendarDay, {
    nullable: true,
    description: 'The day of the event after it, with its counts. TOO_MANY_EVENTS.',
  })
  readonly day?: CalendarDay;

  @Visible(() => MemberHome, {
    nullable: true,
    description: 'What the member sees first after it. TOO_MANY_EVENTS.',
  })
  readonly memberHome?: MemberHome;

  @Visible(() => Adherence, {
    nullable: true,
    description: 'What became of the doses of today and the six days before it. TOO_MANY_EVENTS.',
  })
  readonly adherence?: Adherence;
}

@ObjectType()
abstract class DosePayload extends AnswerPayload {
  @Visible(() => DoseEvent, { description: 'The dose as it stands now.' })
  readonly event!: DoseEvent;
}

@ObjectType({ description: 'What `takeDose` changed.' })
export class TakeDosePayload extends DosePayload {}

@ObjectType({ description: 'What `skipDose` changed.' })
export class SkipDosePayload extends DosePayload {}

@ObjectType({ description: 'What `snoozeDose` changed.' })
export class SnoozeDosePayload extends DosePayload {}

@ObjectType({ description: 'What `logDose` changed.' })
export class LogDosePayload extends DosePayload {}

@ObjectType({ description: 'What `undoDose` changed.' })
export class UndoDosePayload extends AnswerPayload {
  @Visible(() => DoseEvent, {
    nullable: true,
    description: 'The dose as it stands now; null when it stood on its own, and is gone.',
  })
  readonly event?: DoseEvent;
}

@ObjectType({ description: 'What `attendAppointment` changed.' })
export class AttendAppointmentPayload extends AnswerPayload {
  @Visible(() => AppointmentEvent, {
    description: 'The appointment on the calendar, as it is now.',
  })
  readonly event!: AppointmentEvent;

  @Visible(() => AppointmentReminder, {
    nullable: true,
    description: 'The appointment as it is now.',
  })
  readonly reminder?: AppointmentReminder;
}

/** The payloads of answers. */
export const ANSWER_PAYLOADS = [
  TakeDosePayload,
  SkipDosePayload,
  SnoozeDosePayload,
  LogDosePayload,
  UndoDosePayload,
  AttendAppointmentPayload,
] as const;
