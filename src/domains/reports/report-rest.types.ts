import { Float, Int, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Rows } from '../../core/cost.js';
import { LocalDate } from '../../core/scalars.js';

@ObjectType({ description: 'The days that a report is about.' })
export class ReportRange {
  @Visible(() => LocalDate, { description: 'First day.' })
  from!: string;

  @Visible(() => LocalDate, { description: 'Last day, included.' })
  to!: string;
}

@ObjectType({ description: 'One line of a chart.' })
export class ReportDataset {
  @Visible({ description: 'What is counted: taken, skipped or missed.' })
  label!: string;

  @Rows(31)
  @Visible(() => [Int], {
    nullable: 'items',
    description: 'One number for each label of the chart; null when it is hidden.',
  })
  data!: (number | null)[];
}

@ObjectType({ description: 'Doses by day, ready to draw.' })
export class ReportChart {
  @Rows(31)
  @Visible(() => [LocalDate], { description: 'Every day of the range, in order.' })
  labels!: string[];

  @Rows(3)
  @Visible(() => [ReportDataset], { description: 'Doses taken, skipped and missed.' })
  datasets!: ReportDataset[];

  @Visible(() => ReportRange, { description: 'The days that it is about.' })
  range!: ReportRange;
}

@ObjectType({ description: 'What became of the doses of a range.' })
export class ReportTotals {
  @Visible(() => Int, { nullable: true, description: 'taken + skipped + missed; null: hidden.' })
  scheduled!: number | null;

  @Visible(() => Int, { nullable: true, description: 'Doses that were taken; null: hidden.' })
  taken!: number | null;

  @Visible(() => Int, { nullable: true, description: 'Doses that were skipped; null: hidden.' })
  skipped!: number | null;

  @Visible(() => Int, {
    nullable: true,
    description: 'Doses that nobody answered for; null: hidden.',
  })
  missed!: number | null;

  @Visible(() => Int, { nullable: true, description: 'Doses logged apart; null: hidden.' })
  asNeeded!: number | null;
}

@ObjectType({
  description: 'What became of the doses of a reminder; of all members by type of medicine alone.',
})
export class ReportReminder extends ReportTotals {
  @Visible(() => Int, { nullable: true, description: 'Number of the reminder; 0 of one gone.' })
  id!: number | null;

  @Visible(() => String, { nullable: true, description: 'Name of the medicine.' })
  name!: string | null;

  @Visible(() => String, { nullable: true, description: 'Type of medicine; null without one.' })
  medicineType!: string | null;

  @Visible(() => Float, { nullable: true, description: 'taken / scheduled, 0 to 1.' })
  adherence!: number | null;
}

@ObjectType({ description: 'Numbers about the doses of a range.' })
export class ReportStatistics {
  @Visible(() => ReportRange, { description: 'The days that it is about.' })
  range!: ReportRange;

  @Visible(() => ReportTotals, { description: 'All doses.' })
  totals!: ReportTotals;

  @Visible(() => Float, {
    nullable: true,
    description: 'taken / scheduled, 0 to 1; null for none.',
  })
  adherence!: number | null;

  @Rows(10)
  @Visible(() => [ReportReminder], { description: 'The same by reminder.' })
  reminders!: ReportReminder[];
}
