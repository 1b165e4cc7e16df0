import { Field, InputType, Int } from 'type-graphql';
import { IdField } from '../../../core/marks.js';
import { LocalDate } from '../../../core/scalars.js';

@InputType({ description: 'A course of which nothing was taken yet, and when it begins instead.' })
export class MoveMedicineCourseInput {
  @IdField('MedicineReminder', { description: 'Which medicine.' })
  id!: number;

  @Field(() => LocalDate, {
    description:
      'Its first day, by the clocks of its `timeZone`: today or later, and of a course of so many ' +
      'doses today only before its first dose. DATE_INVALID.',
  })
  startsOn!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Version that the change is based on: CONFLICT when it has changed since.',
  })
  version?: number | null;
}
