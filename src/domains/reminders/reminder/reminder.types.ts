import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { DateTime } from '../../../core/scalars.js';
import { isoIn } from '../../../platform/zone.js';
import { scheduleOf, startAtOf } from '../alert/planned.js';
import { GRACE } from '../calendar/calendar.types.js';
import { occurrences, type PastPlanRow } from '../calendar/occurrences.js';
import { leadStart } from '../schedule/lead.js';
import { clocksOf } from '../schedule/rule.js';
import { nextOccurrence } from '../schedule/schedule.js';
import { clockOf, timesEvery } from '../schedule/times.js';
import type { ReminderRow } from './reminder.service.js';

/**
 * What both kinds of reminders show. The dates are given as they were sent; how they were
 * understood stands beside them.
 */
@ObjectType({ description: 'Something that a member is reminded of.' })
export abstract class Reminded {
  constructor(
    readonly row: ReminderRow,
    protected readonly now: number,
    /** Plans of before by which it may still come. */
    private readonly pending: readonly PastPlanRow[],
  ) {}

  private found: { at: number | undefined } | undefined;

  /** What comes next, in milliseconds since 1970; undefined when nothing does. Looked for once. */
  protected get next(): number | undefined {
    this.found ??= { at: this.findNext() };
    return this.found.at;
  }

  private findNext(): number | undefined {
    const { id, scheduled, recognized, planFrom } = this.row;
    if (!scheduled || !recognized) return undefined;
    const next = nextOccurrence(
      scheduleOf(this.row),
      Math.max(this.now, planFrom?.getTime() ?? this.now),
    )?.at;
    if (this.pending.length === 0) return next;
    const sooner = occurrences(
      this.row,
      { past: new Map([[id, this.pending]]) },
      { from: this.now, to: next ?? Number.POSITIVE_INFINITY },
    );
    return [...sooner].reduce((first, { at }) => Math.min(first ?? at, at), next);
  }

  @Access(anyone)
  @Field(() => Int, { description: 'Id of the reminder.' })
  get id(): number {
    return this.row.id;
  }

  @Access(anyone)
  @Field(() => Int, { description: 'Id of the member who is reminded.' })
  get userId(): number {
    return this.row.accountId;
  }

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'More about it, as sent.' })
  get description(): string | null {
    return this.row.description;
  }

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'When the client made it, as sent.' })
  get createdDate(): string | null {
    return this.row.createdDate;
  }

  @Access(anyone)
  @Field({
    description:
      'Zone by whose clocks it comes: an IANA name, or an offset such as +02:00 where no zone ' +
      'is known.',
  })
  get timeZone(): string {
    return this.row.zone;
  }

  @Access(anyone)
  @Field({
    description:
      'Where the zone or the first instant was taken from: `offset` of the start, `profile`, ' +
      '`header` (Time-Zone), `learned` from an earlier one of these, `site`.',
  })
  get timeZoneSource(): string {
    return this.row.zoneSource;
  }

  @Access(anyone)
  @Field({
    description:
      'Where the clock times were taken from: `start_date`, `usual_times` of the member, ' +
      '`rule`, or `none`.',
  })
  get timesSource(): string {
    return this.row.timesSource;
  }

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'When it comes next, ISO 8601 with the offset of its zone; null when it does not.',
  })
  get nextOccurrence(): string | null {
    return this.next === undefined ? null : isoIn(this.next, this.row.zone);
  }

  @Access(anyone)
  @Field(() => Int, {
    description:
      'Rises with every change; send it along to change only what you have seen (CONFLICT).',
  })
  get version(): number {
    return this.row.version;
  }

  @Access(anyone)
  @Field(() => DateTime, { description: 'When it was stored, in UTC.' })
  get createdAt(): Date {
    return this.row.createdAt;
  }

  @Access(anyone)
  @Field(() => DateTime, { description: 'When it was last changed, in UTC.' })
  get updatedAt(): Date {
    return this.row.updatedAt;
  }
}

@ObjectType({ description: 'A medicine that a member is reminded to take.' })
export class MedicineReminder extends Reminded {
  @Access(anyone)
  @Field({ description: 'Name of the medicine, as sent; may be empty.' })
  get name(): string {
    return this.row.name;
  }

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'Form of the medicine, as sent.' })
  get medicineType(): string | null {
    return this.row.medicineType;
  }

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'How often, as sent; `scheduleRecognized` says whether it was understood.',
  })
  get frequencyType(): string | null {
    return this.row.frequencyType;
  }

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'From when on, as sent. Without one it starts on the day it was made.',
  })
  get startDate(): string | null {
    return this.row.startDate;
  }

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'Until when, as sent; a date is included as a whole day.',
  })
  get endDate(): string | null {
    return this.row.endDate;
  }

  @Access(anyone)
  @Field({ description: 'Kind of the event, as sent when it was made as one. Default medicine.' })
  get type(): string {
    return this.row.eventType ?? 'medicine';
  }

  @Access(anyone)
  @Rows(24)
  @Field(() => [String], {
    description:
      'Clock times at which it comes on a day that it comes, HH:MM; of elapsed hours those of ' +
      'a day without a shift, or, where they are others every day, that of the start; empty ' +
      'when it has none.',
  })
  get times(): readonly string[] {
    const { frequency, start } = scheduleOf(this.row);
    if (frequency.kind === 'elapsed') return timesEvery(frequency.hours, start);
    return frequency.kind === 'rule' ? clocksOf(frequency, start).map(clockOf) : this.row.times;
  }

  @Access(anyone)
  @Field({
    description:
      'Whether the frequency was understood. If not, it shows on its start date only, and ' +
      'never fires.',
  })
  get scheduleRecognized(): boolean {
    return this.row.recognized;
  }

  @Access(anyone)
  @Field({ description: '`active`; `ended` when nothing is to come; `as_needed`; `unrecognized`.' })
  get status(): string {
    if (!this.row.recognized) return 'unrecognized';
    if (scheduleOf(this.row).frequency.kind === 'as_needed') return 'as_needed';
    return this.next === undefined ? 'ended' : 'active';
  }
}

@ObjectType({ description: 'An appointment that a member is reminded of.' })
export class AppointmentReminder extends Reminded {
  @Access(anyone)
  @Field({ description: 'What the appointment is, as sent; may be empty.' })
  get title(): string {
    return this.row.name;
  }

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'When it is, as sent.' })
  get dateTime(): string | null {
    return this.row.startDate;
  }

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'How long before it the reminder comes, as sent. Default: at its time.',
  })
  get remindBefore(): string | null {
    return this.row.remindBefore;
  }

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description:
      'When the reminder comes, ISO 8601 with the offset of its zone; null when it will not.',
  })
  get remindAt(): string | null {
    if (this.next === undefined || this.row.attendedAt) return null;
    return isoIn(leadStart(this.next, this.row.leadSeconds * 1000, this.row.zone), this.row.zone);
  }

  @Access(anyone)
  @Field({
    description:
      '`upcoming`; `due` for two hours from its time on; `past` after them; `attended`; ' +
      '`unscheduled` without a date.',
  })
  get status(): string {
    if (!this.row.scheduled) return 'unscheduled';
    if (this.row.attendedAt) return 'attended';
    if (this.next !== undefined && this.next > this.now) return 'upcoming';
    return this.now < startAtOf(this.row) + GRACE ? 'due' : 'past';
  }
}

@ObjectType({ description: 'A medicine reminder that is gone. What was logged of it stays.' })
export class DeletedMedicineReminder {
  @Access(anyone)
  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;

  @Access(anyone)
  @Field(() => MedicineReminder, { description: 'The reminder as it was.' })
  previous!: MedicineReminder;
}

@ObjectType({ description: 'An appointment reminder that is gone.' })
export class DeletedAppointmentReminder {
  @Access(anyone)
  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;

  @Access(anyone)
  @Field(() => AppointmentReminder, { description: 'The reminder as it was.' })
  previous!: AppointmentReminder;
}
