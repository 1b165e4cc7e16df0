import { type ClassType, Field, Float, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import { DateTime, LocalDate } from '../../core/scalars.js';
import type { Dimension, Measure, Subject } from './catalogue/subject.js';

/** The values of a row or of a total, by the names of dimensions and measures. */
export type ReportValues = Readonly<Record<string, unknown>>;

/** A report as it is answered. */
export interface ReportAnswer {
  readonly rows: readonly ReportValues[];
  readonly total: ReportValues;
  readonly from: string;
  readonly to: string;
  readonly asOf: Date;
  readonly suppressed: number;
  readonly isExact: boolean;
}

const TYPES = { date: LocalDate, int: Int, float: Float, text: String } as const;

/** Puts a public field on a class; its value is the property of the same name. */
export function valueField(type: ClassType, field: Dimension | Measure): void {
  const { name, description } = field;
  Access(anyone)(type.prototype, name);
  Field(() => TYPES[field.type], { nullable: true, description })(type.prototype, name);
}

/** Returns a name as a type begins with it. */
export const titleOf = ({ name }: Pick<Subject, 'name'>): string =>
  `${name[0]?.toUpperCase()}${name.slice(1)}`;

const MARGIN: Measure = {
  name: 'margin',
  type: 'int',
  description: 'How far each count may be from the truth; 0 in an exact report.',
  of: ({ margin = 0 }) => margin,
};

/**
 * Returns the type of what a subject's measures are; the first is selected by `total` and
 * `previous`.
 */
function totalType(subject: Subject): ClassType {
  @ObjectType(`${titleOf(subject)}ReportTotal`, {
    description: `All measures of a report together. ${subject.description}`,
  })
  class Total {}
  for (const measure of [...subject.measures, MARGIN]) valueField(Total, measure);
  return Total;
}

function rowType(subject: Subject, Total: ClassType): ClassType {
  @ObjectType(`${titleOf(subject)}ReportRow`, {
    description:
      'A row of a report. The dimensions that are selected are those by which it is grouped; at ' +
      'most three.',
  })
  class Row {
    @Access(anyone)
    @Field(() => Total, {
      nullable: true,
      description: 'The same in the previous period, with `compare`; null without, or for nothing.',
    })
    previous?: ReportValues | null;
  }
  for (const field of [...subject.dimensions, ...subject.measures, MARGIN]) valueField(Row, field);
  return Row;
}

/**
 * Returns the type of the answer of a subject, made of its declaration. Over 40 lines: it contains a
 * class.
 */
export function reportType(subject: Subject): ClassType {
  const Total = totalType(subject);
  const Row = rowType(subject, Total);
  @ObjectType(`${titleOf(subject)}Report`, { description: subject.description })
  class Report {
    @Access(anyone)
    @Field(() => [Row], { description: 'By time, then by the other dimensions, or as `orderBy`.' })
    rows!: readonly ReportValues[];

    @Access(anyone)
    @Field(() => Total, { description: 'All of the range, from cells of its own.' })
    total!: ReportValues;

    @Access(anyone)
    @Field(() => Total, { nullable: true, description: 'The total of the previous period.' })
    previousTotal?: ReportValues | null;

    @Access(anyone)
    @Field(() => LocalDate, {
      description: 'First day of the report: by months, the first of the month that was asked for.',
    })
    from!: string;

    @Access(anyone)
    @Field(() => LocalDate, { description: 'Last day of the report, likewise.' })
    to!: string;

    @Access(anyone)
    @Field(() => DateTime, { description: 'Up to when facts are in the report, in UTC.' })
    asOf!: Date;

    @Access(anyone)
    @Field(() => Int, {
      description:
        'Cells of the grid and range that are not shown, as there are fewer than five accounts ' +
        'behind each.',
    })
    suppressed!: number;

    @Access(anyone)
    @Field(() => Boolean, {
      description:
        "Whether every count is exact, as in a report of one's own. Else counts are rounded to 5 " +
        'with a noise of at most `margin`.',
    })
    isExact!: boolean;
  }
  return Report;
}
