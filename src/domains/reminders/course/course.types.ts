import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { ReminderChange } from '../reminder/reminder-payload.types.js';

@ObjectType({ description: 'What `moveMedicineCourse` changed.' })
export class MoveMedicineCoursePayload extends ReminderChange<MedicineReminder> {
  @Visible(() => MedicineReminder, { description: 'The reminder as it is now.' })
  declare readonly reminder: MedicineReminder;
}
