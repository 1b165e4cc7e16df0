import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Internal, RestDescription } from '../../../core/marks.js';
import { Node } from '../../../core/node.js';
import { DateTime, DurationText } from '../../../core/scalars.js';
import { isoIn } from '../../../platform/zone.js';
import { startAtOf } from '../alert/planned.js';
import { GRACE } from '../calendar/occurrences.js';
import { leadStart, leadText } from '../schedule/lead.js';
import { ReminderStatus } from './reminder.enums.js';
import { Reminder } from './reminder.types.js';

@ObjectType({
  implements: [Node, Reminder],
  description: 'An appointment that a member is reminded of.',
})
export class AppointmentReminder extends Reminder {
  @RestDescription('What the appointment is, as sent; may be empty.')
  @Visible({ description: 'What the appointment is; may be empty.' })
  get title(): string {
    return this.row.name;
  }

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When it begins, in UTC; null without a date.',
  })
  get startsAt(): Date | null {
    return this.row.scheduled ? new Date(startAtOf(this.row)) : null;
  }

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When somebody said that it was attended, in UTC; null until then.',
  })
  get attendedAt(): Date | null {
    return this.row.attendedAt;
  }

  @Visible(() => DurationText, {
    name: 'remindBefore',
    description:
      'How long before its beginning the member is reminded; zero: at its beginning. Whole days ' +
      'are days by the clock: a day before 10:00 is 10:00.',
  })
  get lead(): string {
    return leadText(this.row.leadSeconds * 1000);
  }

  /** When the member is reminded, in milliseconds; undefined when it will not be. */
  private get remindedAt(): number | undefined {
    const { attendedAt, leadSeconds, zone } = this.row;
    if (this.next === undefined || attendedAt) return undefined;
    return leadStart(this.next, leadSeconds * 1000, zone);
  }

  @Visible(() => DateTime, {
    nullable: true,
    name: 'remindAt',
    description: 'When the member is reminded, in UTC; null when that will not be.',
  })
  get remindInstant(): Date | null {
    return this.remindedAt === undefined ? null : new Date(this.remindedAt);
  }

  protected get standing(): ReminderStatus {
    if (!this.row.scheduled) return ReminderStatus.UNSCHEDULED;
    if (this.row.attendedAt) return ReminderStatus.ATTENDED;
    if (this.next !== undefined && this.next > this.now) return ReminderStatus.UPCOMING;
    return this.now < startAtOf(this.row) + GRACE ? ReminderStatus.DUE : ReminderStatus.PAST;
  }

  @Internal()
  @Visible(() => String, {
    description:
      '`upcoming`; `due` for two hours from its time on; `past` after them; `attended`; ' +
      '`unscheduled` without a date.',
  })
  get statusText(): string {
    return this.status;
  }

  @Internal()
  @Visible(() => String, { nullable: true, description: 'When it is, as sent.' })
  get dateTime(): string | null {
    return this.row.startDate;
  }

  @Internal()
  @Visible(() => String, {
    nullable: true,
    name: 'remindBeforeText',
    description: 'How long before it the reminder comes, as sent. Default: at its time.',
  })
  get remindBefore(): string | null {
    return this.row.remindBefore;
  }

  @Internal()
  @Visible(() => String, {
    nullable: true,
    name: 'remindAtText',
    description:
      'When the reminder comes, ISO 8601 with the offset of its zone; null when it will not.',
  })
  get remindAt(): string | null {
    return this.remindedAt === undefined ? null : isoIn(this.remindedAt, this.row.zone);
  }
}
