import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { DateTime } from '../../../core/scalars.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { ReminderChange } from '../reminder/reminder-payload.types.js';

@ObjectType({ description: 'A time in which a medicine does not come.' })
export class MedicinePause {
  @Visible(() => DateTime, { description: 'From when on it does not come, in UTC.' })
  startsAt!: Date;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When it comes again, in UTC; null until somebody resumes it.',
  })
  endsAt!: Date | null;
}

@ObjectType({ description: 'What `pauseMedicineReminder` changed.' })
export class PauseMedicineReminderPayload extends ReminderChange<MedicineReminder> {
  @Visible(() => MedicineReminder, { description: 'The reminder as it is now.' })
  declare readonly reminder: MedicineReminder;
}

@ObjectType({ description: 'What `resumeMedicineReminder` changed.' })
export class ResumeMedicineReminderPayload extends ReminderChange<MedicineReminder> {
  @Visible(() => MedicineReminder, { description: 'The reminder as it is now.' })
  declare readonly reminder: MedicineReminder;
}

/** The payloads of pauses. */
export const PAUSE_PAYLOADS = [
  PauseMedicineReminderPayload,
  ResumeMedicineReminderPayload,
] as const;
