import { ID, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Internal } from '../../../core/marks.js';
import { globalId } from '../../../core/node.js';
import { MemberHome } from '../calendar/home.types.js';
import { AppointmentReminder } from './appointment-reminder.types.js';
import { MedicineReminder } from './medicine-reminder.types.js';
import type { Reminder } from './reminder.types.js';

/** What a change of a member's reminders changed besides them. */
@ObjectType()
export abstract class ReminderChange<T extends Reminder = Reminder> {
  constructor(readonly reminder: T) {}

  get memberId(): number {
    return this.reminder.memberId;
  }

  @Visible(() => MemberHome, {
    nullable: true,
    description: 'What the member sees first after it. TOO_MANY_EVENTS.',
  })
  readonly memberHome?: MemberHome;
}

@ObjectType({ description: 'What `createMedicineReminder` changed.' })
export class CreateMedicineReminderPayload extends ReminderChange<MedicineReminder> {
  @Visible(() => MedicineReminder, { description: 'The new reminder.' })
  declare readonly reminder: MedicineReminder;
}

@ObjectType({ description: 'What `updateMedicineReminder` changed.' })
export class UpdateMedicineReminderPayload extends ReminderChange<MedicineReminder> {
  @Visible(() => MedicineReminder, { description: 'The reminder as it is now.' })
  declare readonly reminder: MedicineReminder;
}

@ObjectType({ description: 'What `confirmDirections` changed.' })
export class ConfirmDirectionsPayload extends ReminderChange<MedicineReminder> {
  @Visible(() => MedicineReminder, { description: 'The reminder as it is now.' })
  declare readonly reminder: MedicineReminder;
}

@ObjectType({ description: 'What `createAppointmentReminder` changed.' })
export class CreateAppointmentReminderPayload extends ReminderChange<AppointmentReminder> {
  @Visible(() => AppointmentReminder, { description: 'The new reminder.' })
  declare readonly reminder: AppointmentReminder;
}

@ObjectType({ description: 'What `updateAppointmentReminder` changed.' })
export class UpdateAppointmentReminderPayload extends ReminderChange<AppointmentReminder> {
  @Visible(() => AppointmentReminder, { description: 'The reminder as it is now.' })
  declare readonly reminder: AppointmentReminder;
}

/** A reminder that is gone. */
@ObjectType()
abstract class ReminderDeletion<T extends Reminder> extends ReminderChange<T> {
  @Internal()
  @Visible(() => Boolean, { description: 'Always true.' })
  get deleted(): boolean {
    return true;
  }
}

@ObjectType({
  description: 'What `deleteMedicineReminder` changed. What was logged of the medicine stays.',
})
export class DeleteMedicineReminderPayload extends ReminderDeletion<MedicineReminder> {
  @Visible(() => ID, { description: 'Global id of the reminder that is gone.' })
  get deletedReminderId(): string {
    return globalId('MedicineReminder', this.reminder.id);
  }

  @Visible(() => MedicineReminder, { description: 'The reminder as it was.' })
  declare readonly reminder: MedicineReminder;
}

@ObjectType({ description: 'What `deleteAppointmentReminder` changed.' })
export class DeleteAppointmentReminderPayload extends ReminderDeletion<AppointmentReminder> {
  @Visible(() => ID, { description: 'Global id of the reminder that is gone.' })
  get deletedReminderId(): string {
    return globalId('AppointmentReminder', this.reminder.id);
  }

  @Visible(() => AppointmentReminder, { description: 'The reminder as it was.' })
  declare readonly reminder: AppointmentReminder;
}

/** The payloads of changes of reminders. */
export const REMINDER_PAYLOADS = [
  CreateMedicineReminderPayload,
  UpdateMedicineReminderPayload,
  DeleteMedicineReminderPayload,
  CreateAppointmentReminderPayload,
  UpdateAppointmentReminderPayload,
  DeleteAppointmentReminderPayload,
] as const;
