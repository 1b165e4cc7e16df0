import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { Cursor, LongText, PageNumber, PageSize, Text } from '../../../core/scalars.js';

/** What may be said of a medicine; texts are kept as they are sent. */
@InputType()
abstract class MedicineFieldsInput {
  @Field(() => LongText, { nullable: true, description: 'Name of the medicine.' })
  name?: string | null;

  @Field(() => LongText, { nullable: true, description: 'More about it.' })
  description?: string | null;

  @Field(() => LongText, { nullable: true, description: 'Form of the medicine: tablet, drops …' })
  medicineType?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description:
      'once, daily, every_other_day, weekly, biweekly, monthly, yearly, hourly, every_N_hours, ' +
      'every_N_days, every_N_weeks, N_times_a_day (once, twice, three_times …), as_needed, or ' +
      'an RFC 5545 RRULE. Default once. It is never guessed: ranges, conditions and anything ' +
      'else are kept, show on the start date and never fire; `scheduleRecognized` is false.',
  })
  frequencyType?: string | null;

  @Field(() => Text, {
    nullable: true,
    description:
      'From when on: a date, a date and time by 24 or 12 hours (ISO 8601, RFC 2822, 2026/11/23 ' +
      '8:00 PM, Nov 23, 2026), one with an offset, or seconds or milliseconds since 1970. ' +
      'Without a clock time, and always several times a day, it comes at the usual times of ' +
      'the member; without an offset the clock is that of the account. Midnight in UTC ' +
      '(T00:00:00.000Z), or midnight beside an end that is a date or a midnight, is a date. ' +
      'Default: today. DATE_INVALID.',
  })
  startDate?: string | null;

  @Field(() => Text, {
    nullable: true,
    description:
      'Until when, in the same forms; included, a date as a whole day. Midnight in UTC, or ' +
      'midnight beside a start that is a date, a midnight or absent, is a date. Empty: without ' +
      'end. END_BEFORE_START.',
  })
  endDate?: string | null;

  @Field(() => Text, {
    nullable: true,
    description:
      'When the client made it: with it, sending all the same again within 24 hours makes ' +
      'nothing new. What came before it was not missed.',
  })
  createdDate?: string | null;
}

@InputType({ description: 'A new medicine reminder.' })
export class CreateMedicineReminderInput extends MedicineFieldsInput {
  @Field(() => Int, {
    nullable: true,
    description: 'The member to remind. Default: oneself. FORBIDDEN without the right to edit.',
  })
  userId?: number | null;

  @Field(() => Text, { nullable: true, description: 'Kind of the event. Default medicine.' })
  type?: string | null;
}

@InputType({
  description:
    'A change of a medicine reminder. What is absent or null stays; an empty text empties.',
})
export class UpdateMedicineReminderInput extends MedicineFieldsInput {
  @Field(() => Int, { description: 'Id of the reminder.' })
  id!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change is based on: CONFLICT when it has moved on.',
  })
  version?: number | null;
}

/** What may be said of an appointment; texts are kept as they are sent. */
@InputType()
abstract class AppointmentFieldsInput {
  @Field(() => LongText, { nullable: true, description: 'What the appointment is.' })
  title?: string | null;

  @Field(() => LongText, { nullable: true, description: 'More about it.' })
  description?: string | null;

  @Field(() => Text, {
    nullable: true,
    description:
      'When it is, in the forms of `startDate` of a medicine; a midnight is a midnight. ' +
      'Without one it is only kept. DATE_INVALID.',
  })
  dateTime?: string | null;

  @Field(() => Text, {
    nullable: true,
    description:
      'How long before it the reminder comes: minutes, or 30m, 2 hours, 1 day before, none, or ' +
      'an ISO 8601 duration; whole days are days by the clock; at most four weeks; never ' +
      'guessed. Default 0. REMIND_BEFORE_INVALID.',
  })
  remindBefore?: string | null;
}

@InputType({ description: 'A new appointment reminder.' })
export class CreateAppointmentReminderInput extends AppointmentFieldsInput {
  @Field(() => Int, {
    nullable: true,
    description: 'The member to remind. Default: oneself. FORBIDDEN without the right to edit.',
  })
  userId?: number | null;
}

@InputType({
  description:
    'A change of an appointment reminder. What is absent or null stays; an empty text empties.',
})
export class UpdateAppointmentReminderInput extends AppointmentFieldsInput {
  @Field(() => Int, { description: 'Id of the reminder.' })
  id!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change is based on: CONFLICT when it has moved on.',
  })
  version?: number | null;
}

@InputType({ description: 'A reminder to delete. What was logged of it stays.' })
export class DeleteReminderInput {
  @Field(() => Int, { description: 'Id of the reminder.' })
  id!: number;
}

@ArgsType()
export class ReminderArgs {
  @Field(() => Int, { description: 'Id of the reminder.' })
  id!: number;
}

@ArgsType()
export class RemindersArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'Whose. Default: own. FORBIDDEN without the right to see.',
  })
  memberId?: number | null;

  @Field(() => PageSize, {
    nullable: true,
    description: 'How many at most, 1 to 100. Default 100.',
  })
  first?: number | null;

  @Field(() => Cursor, {
    nullable: true,
    description: 'Position after which to go on; goes before `page`. CURSOR_INVALID.',
  })
  after?: string | null;

  @Field(() => PageNumber, { nullable: true, description: 'Number of the page, from 1.' })
  page?: number | null;
}
