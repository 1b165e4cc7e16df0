import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { AppointmentReminder, MedicineReminder } from './reminder.types.js';

@ObjectType({ description: 'A place in a list of medicine reminders.' })
export class MedicineReminderEdge {
  @Access(anyone)
  @Field({ description: 'Position in the list, for `after`.' })
  cursor!: string;

  @Access(anyone)
  @Field(() => MedicineReminder, { description: 'The reminder.' })
  node!: MedicineReminder;
}

@ObjectType({ description: 'A place in a list of appointment reminders.' })
export class AppointmentReminderEdge {
  @Access(anyone)
  @Field({ description: 'Position in the list, for `after`.' })
  cursor!: string;

  @Access(anyone)
  @Field(() => AppointmentReminder, { description: 'The reminder.' })
  node!: AppointmentReminder;
}

@ObjectType({ description: 'What lies beyond a page of reminders.' })
export class ReminderPageInfo {
  @Access(anyone)
  @Field({ description: 'Whether more follow.' })
  hasNextPage!: boolean;

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'Position of the last one of this page.' })
  endCursor!: string | null;
}

@ObjectType({ description: 'A page of a list of reminders.' })
export abstract class ReminderPage {
  @Access(anyone)
  @Field(() => Int, {
    description:
      'Version of the feed CALENDAR of the member that this shows: give it to `changes` as ' +
      '`since`.',
  })
  version!: number;

  @Access(anyone)
  @Field(() => Int, { description: 'How many reminders there are.' })
  totalCount!: number;

  @Access(anyone)
  @Field(() => Int, { description: 'How many a page holds at most.' })
  pageSize!: number;

  @Access(anyone)
  @Field(() => ReminderPageInfo, { description: 'What lies beyond.' })
  pageInfo!: ReminderPageInfo;
}

@ObjectType({ description: 'Medicine reminders of a member, newest first.' })
export class MedicineReminderConnection extends ReminderPage {
  @Access(anyone)
  @Field(() => [MedicineReminder], { description: 'The reminders.' })
  nodes!: MedicineReminder[];

  @Access(anyone)
  @Field(() => [MedicineReminderEdge], { description: 'The reminders with their positions.' })
  edges!: MedicineReminderEdge[];
}

@ObjectType({ description: 'Appointment reminders of a member, newest first.' })
export class AppointmentReminderConnection extends ReminderPage {
  @Access(anyone)
  @Field(() => [AppointmentReminder], { description: 'The reminders.' })
  nodes!: AppointmentReminder[];

  @Access(anyone)
  @Field(() => [AppointmentReminderEdge], { description: 'The reminders with their positions.' })
  edges!: AppointmentReminderEdge[];
}
