import { type ClassType, Field, Float, Int, ObjectType } from 'type-graphql';
import { Access, anyone, Visible } from '../../core/access.js';
import { DateTime, LocalDate } from '../../core/scalars.js';
import { addingUp, type Dimension, type Measure, type Subject } from './catalogue/subject.js';
import { ReportGrain, ReportWithheld } from './report.enums.js';

/** The values of a row or of a total, by the names of dimensions and measures. */
export type ReportValues = Readonly<Record<string, unknown>>;

/** A report as it is answered. */
export interface ReportResult {
  readonly rows: readonly ReportValues[];
  readonly total: ReportValues;
  readonly from: string;
  readonly to: string;
  readonly asOf: Date;
  readonly countedFrom: string | null;
  readonly today: string;
  readonly suppressed: number;
  readonly isCut: boolean;
  readonly isExact: boolean;
  readonly grain: string | null;
}

const TYPES = { date: LocalDate, int: Int, float: Float, text: String } as const;

/** Puts a public field on a class; its value is the property of the same name. */
export function valueField(
  type: ClassType,
  field: Pick<Dimension | Measure, 'name' | 'type' | 'description'>,
): void {
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
  description:
    'How far each count may be from the truth at most; 0 in an exact report. `interval` has an ' +
    'interval for each measure.',
  of: () => null,
};

@ObjectType({ description: 'The least and the most that a measure may be, in its unit.' })
export class ReportInterval {
  @Visible(() => Float, { description: 'The least.' })
  low!: number;

  @Visible(() => Float, { description: 'The most.' })
  high!: number;
}

const INTERVAL =
  'The truth, as the service knows it, is within these in at least 19 of 20 cases. They are of the ' +
  'noise, and say nothing of chance.';

/** Returns the type of the intervals of a subject's measures. */
function intervalsType(subject: Subject): ClassType {
  @ObjectType(`${titleOf(subject)}ReportInterval`, {
    description: `An interval of each measure. ${INTERVAL}`,
  })
  class Intervals {}
  for (const { name } of subject.measures) {
    Access(anyone)(Intervals.prototype, name);
    const description = `Of \`${name}\`; null when it is null.`;
    Field(() => ReportInterval, { nullable: true, description })(Intervals.prototype, name);
  }
  return Intervals;
}

/** Puts on a class what says how true its measures are. */
function truthFields(type: ClassType, Intervals: ClassType): void {
  Access(anyone)(type.prototype, 'interval');
  Field(() => Intervals, { description: INTERVAL })(type.prototype, 'interval');
  Access(anyone)(type.prototype, 'withheld');
  Field(() => ReportWithheld, {
    nullable: true,
    description: 'Why the measures are null. What is hidden is never zero.',
  })(type.prototype, 'withheld');
}

/**
 * Returns the type of what a subject's measures are; the first is selected by `total` and
 * `previous`.
 */
function totalType(subject: Subject, Intervals: ClassType): ClassType {
  @ObjectType(`${titleOf(subject)}ReportTotal`, {
    description: `All measures of a report together. ${subject.description}`,
  })
  class Total {}
  for (const measure of [...subject.measures, MARGIN]) valueField(Total, measure);
  truthFields(Total, Intervals);
  return Total;
}

/** Returns the type of measures that are computed of a row and of those before it. */
function derivedType(
  subject: Subject,
  Intervals: ClassType,
  [name, description, type]: readonly [string, string, Measure['type']?],
): ClassType {
  @ObjectType(`${titleOf(subject)}Report${name}`, { description })
  class DerivedValues {}
  for (const measure of addingUp(subject))
    valueField(DerivedValues, { ...measure, type: type ?? measure.type });
  truthFields(DerivedValues, Intervals);
  return DerivedValues;
}

const CUMULATIVE = [
  'Cumulative',
  'Measures of a row and of all before it in the range, with the same further values: counts are ' +
    'sums, and rates are of these. Null from the first row on of which something is hidden.',
] as const;
const MOVING = [
  'MovingAverage',
  'Measures of a row and of those right before it, as many as `over`: counts are by row, and ' +
    'rates are of the sums. Null where something of them is hidden.',
  'float',
] as const;

function rowType(subject: Subject, Total: ClassType, Intervals: ClassType): ClassType {
  const Cumulative = derivedType(subject, Intervals, CUMULATIVE);
  const MovingAverage = derivedType(subject, Intervals, MOVING);
  @ObjectType(`${titleOf(subject)}ReportRow`, {
    description:
      'A row of a report. The dimensions that are selected are those by which it is grouped; at ' +
      'most three.',
  })
  class RowType {
    @Visible(() => Total, {
      nullable: true,
      description: 'The same in the previous period, with `compare`; null without.',
    })
    previous?: ReportValues | null;

    @Visible(() => Boolean, { description: 'Whether the row is of all but the values of `top`.' })
    isOthers!: boolean;

    @Visible(() => Cumulative, { description: `${CUMULATIVE[1]} SERIES_INVALID without one date.` })
    cumulative!: ReportValues;

    @Visible(() => MovingAverage, { description: `${MOVING[1]} SERIES_INVALID without one date.` })
    movingAverage!: ReportValues;
  }
  const labels = (subject.labels ?? []).map((label) => ({ ...label, type: 'text' as const }));
  for (const field of [...subject.dimensions, ...labels, ...subject.measures, MARGIN])
    valueField(RowType, field);
  truthFields(RowType, Intervals);
  return RowType;
}

/**
 * Returns the type of the result of a subject, made of its declaration. Over 40 lines: it contains
 * a class.
 */
export function reportType(subject: Subject): ClassType {
  const Intervals = intervalsType(subject);
  const Total = totalType(subject, Intervals);
  const RowType = rowType(subject, Total, Intervals);
  @ObjectType(`${titleOf(subject)}Report`, { description: subject.description })
  class Report {
    @Visible(() => [RowType], {
      description: 'By time, then by the other dimensions, or as `orderBy`.',
    })
    rows!: readonly ReportValues[];

    @Visible(() => Total, { description: 'All of the range, from cells of its own.' })
    total!: ReportValues;

    @Visible(() => Total, { nullable: true, description: 'The total of the previous period.' })
    previousTotal?: ReportValues | null;

    @Visible(() => LocalDate, {
      description: 'First day of the report, as it was asked for.',
    })
    from!: string;

    @Visible(() => LocalDate, { description: 'Last day of the report, likewise.' })
    to!: string;

    @Visible(() => ReportGrain, {
      nullable: true,
      description: 'What `date` of rows stands for; null when it is not selected.',
    })
    grain?: string | null;

    @Visible(() => DateTime, { description: 'Up to when facts are in the report, in UTC.' })
    asOf!: Date;

    @Visible(() => LocalDate, {
      nullable: true,
      description:
        'From which day on there are rows by the dimensions that are selected or filtered by, where ' +
        'months before were closed by a version that did not count them; null when there are rows ' +
        'of the whole range.',
    })
    countedFrom?: string | null;

    @Visible(() => LocalDate, {
      description:
        "The day on which it was asked, in the site's zone; by one's own clocks in a report of " +
        "one's own. What ends on it or later is not over.",
    })
    today!: string;

    @Visible(() => Int, {
      description:
        'Cells of the grid and range that are not shown, as too few accounts are behind each; ' +
        'rounded to ten, up or down.',
    })
    suppressed!: number;

    @Visible(() => Boolean, {
      description:
        'Whether there are more rows than `first`: those of `rows` are the first of them in their ' +
        'order. `total` is of all.',
    })
    isCut!: boolean;

    @Visible(() => Boolean, {
      description:
        "Whether every count is exact, as in a report of one's own. Else counts are rounded to 5 " +
        'with a noise of at most `margin`.',
    })
    isExact!: boolean;
  }
  return Report;
}
