import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
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
  @Access(anyone)
  @Field(() => Int, { description: VERSION })
  version!: number;

  @Internal()
  @Access(anyone)
  @Field(() => Int, { description: SIZE })
  pageSize!: number;
}

@ObjectType({ description: 'A page of the appointment reminders of a member, the newest first.' })
export class AppointmentReminderConnection extends connectionType(
  AppointmentReminder,
  'AppointmentReminder',
  'an appointment reminder',
) {
  @Access(anyone)
  @Field(() => Int, { description: VERSION })
  version!: number;

  @Internal()
  @Access(anyone)
  @Field(() => Int, { description: SIZE })
  pageSize!: number;
}
