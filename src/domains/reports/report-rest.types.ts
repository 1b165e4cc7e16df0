import { Field, Float, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import { Rows } from '../../core/cost.js';
import { LocalDate } from '../../core/scalars.js';

@ObjectType({ description: 'The days that a report is about.' })
export class ReportRange {
  @Access(anyone)
  @Field(() => LocalDate, { description: 'First day.' })
  from!: string;

  @Access(anyone)
  @Field(() => LocalDate, { description: 'Last day, included.' })
  to!: string;
}

@ObjectType({ description: 'One line of a chart.' })
export class ReportDataset {
  @Access(anyone)
  @Field({ description: 'What is counted: taken, skipped or missed.' })
  label!: string;

  @Access(anyone)
  @Rows(31)
  @Field(() => [Int], {
    nullable: 'items',
    description: 'One number for each label of the chart; null when it is hidden.',
  })
  data!: (number | null)[];
}

@ObjectType({ description: 'Doses by day, ready to draw.' })
export class ReportChart {
  @Access(anyone)
  @Rows(31)
  @Field(() => [LocalDate], { description: 'Every day of the range, in order.' })
  labels!: string[];

  @Access(anyone)
  @Rows(3)
  @Field(() => [ReportDataset], { description: 'Doses taken, skipped and missed.' })
  datasets!: ReportDataset[];

  @Access(anyone)
  @Field(() => ReportRange, { description: 'The days that it is about.' })
  range!: ReportRange;
}

@ObjectType({ description: 'What became of the doses of a range.' })
export class ReportTotals {
  @Access(anyone)
  @Field(() => Int, { nullable: true, description: 'taken + skipped + missed; null: hidden.' })
  scheduled!: number | null;

  @Access(anyone)
  @Field(() => Int, { nullable: true, description: 'Doses that were taken; null: hidden.' })
  taken!: number | null;

  @Access(anyone)
  @Field(() => Int, { nullable: true, description: 'Doses that were skipped; null: hidden.' })
  skipped!: number | null;

  @Access(anyone)
  @Field(() => Int, {
    nullable: true,
    description: 'Doses that nobody answered for; null: hidden.',
  })
  missed!: number | null;

  @Access(anyone)
  @Field(() => Int, { nullable: true, description: 'Doses logged apart; null: hidden.' })
  asNeeded!: number | null;
}

@ObjectType({
  description: 'What became of the doses of a reminder; of all members by type of medicine alone.',
})
export class ReportReminder extends ReportTotals {
  @Access(anyone)
  @Field(() => Int, { nullable: true, description: 'Number of the reminder; 0 of one gone.' })
  id!: number | null;

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'Name of the medicine.' })
  name!: string | null;

  @Access(anyone)
  @Field(() => String, { nullable: true, description: 'Type of medicine; null without one.' })
  medicineType!: string | null;

  @Access(anyone)
  @Field(() => Float, { nullable: true, description: 'taken / scheduled, 0 to 1.' })
  adherence!: number | null;
}

@ObjectType({ description: 'Numbers about the doses of a range.' })
export class ReportStatistics {
  @Access(anyone)
  @Field(() => ReportRange, { description: 'The days that it is about.' })
  range!: ReportRange;

  @Access(anyone)
  @Field(() => ReportTotals, { description: 'All doses.' })
  totals!: ReportTotals;

  @Access(anyone)
  @Field(() => Float, { nullable: true, description: 'taken / scheduled, 0 to 1; null for none.' })
  adherence!: number | null;

  @Access(anyone)
  @Rows(10)
  @Field(() => [ReportReminder], { description: 'The same by reminder.' })
  reminders!: ReportReminder[];
}
