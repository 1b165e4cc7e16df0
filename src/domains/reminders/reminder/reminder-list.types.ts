import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Internal } from '../../../core/marks.js';
import { connectionType } from '../../../core/paging.js';
import { AppointmentReminder } from './appointment-reminder.types.js';
import { MedicineReminder } from './medicine-reminder.types.js';

const VERSION =
  'Version of the feed CALENDAR of the member that this shows: give it to `changes` as `since`.';
const SIZE = 'How many a page holds at most.';

@ObjectType({ description: 'A page of the medicine reminders of a member, the newest first.' })
export class MedicineReminderConnection extends connectionType(
  MedicineReminder,
  'MedicineReminder',
  'a medicine reminder',
) {
  @Visible(() => Int, { description: VERSION })
  version!: number;

  @Internal()
  @Visible(() => Int, { description: SIZE })
  pageSize!: number;
}

@ObjectType({ description: 'A page of the appointment reminders of a member, the newest first.' })
export class AppointmentReminderConnection extends connectionType(
  AppointmentReminder,
  'AppointmentReminder',
  'an appointment reminder',
) {
  @Visible(() => Int, { description: VERSION })
  version!: number;

  @Internal()
  @Visible(() => Int, { description: SIZE })
  pageSize!: number;
}
