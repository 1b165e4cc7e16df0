import { ArgsType, type ClassType, Field, InputType, registerEnumType } from 'type-graphql';
import { Direction } from '../../core/ordering.js';
import { LocalDate, ReportSize, ShortText, TopSize, WindowSize } from '../../core/scalars.js';
import type { Dimension, Measure, Subject } from './catalogue/subject.js';
import { type RangeName, ReportRelativeRange } from './range.js';
import { ReportComparison, ReportGrain, ReportWeekStart } from './report.enums.js';
import { titleOf } from './report.types.js';

/** How rows are ordered. */
export interface ReportOrder {
  /** Name of a dimension or measure that is selected. */
  readonly by: string;
  readonly direction?: Direction | null;
}

/** Values that rows are kept for, by dimension; null stands for none. */
export type ReportFilter = Readonly<Record<string, readonly (string | null)[] | null | undefined>>;

/** What a report is asked with. Dates are those of docs/interface.md: years, months, days. */
export interface ReportArgs {
  readonly from?: string | null;
  readonly to?: string | null;
  readonly filter?: ReportFilter | null;
  readonly orderBy?: readonly ReportOrder[] | null;
  readonly first?: number | null;
  readonly compare?: ReportComparison | null;
  readonly range?: RangeName | null;
  readonly grain?: ReportGrain | null;
  readonly weekStart?: ReportWeekStart | null;
  readonly fill?: boolean | null;
  readonly over?: number | null;
  readonly top?: TopArgs | null;
}

/** Which values are shown apart from the others. */
export interface TopArgs {
  readonly count: number;
  /** Name of a measure. */
  readonly by: string;
  /** Name of a dimension that is selected. */
  readonly of?: string | null;
}

/** Returns the dimensions by whose values rows are kept: all but time. */
export const filtersOf = ({ dimensions }: Subject) => dimensions.filter(({ time }) => !time);

function filterType(subject: Subject): ClassType {
  @InputType(`${titleOf(subject)}ReportFilter`, {
    description:
      'Keeps the cells of these values, at most 100 of each dimension; null stands for no value. ' +
      'A dimension of the filter counts as one of the three of a report.',
  })
  class Filter {}
  for (const { name, description } of filtersOf(subject))
    Field(() => [ShortText], { nullable: 'itemsAndList', description })(Filter.prototype, name);
  return Filter;
}

/** Makes an enum of fields, whose values are their names. */
function fieldEnum(name: string, fields: readonly NamedField[], description: string) {
  const values = Object.fromEntries(fields.map((field) => [enumName(field.name), field.name]));
  registerEnumType(values, {
    name,
    description,
    valuesConfig: Object.fromEntries(
      fields.map((field) => [enumName(field.name), { description: field.description }]),
    ),
  });
  return values;
}

type NamedField = Pick<Dimension | Measure, 'name' | 'description'>;

function topType(subject: Subject): ClassType {
  const title = `${titleOf(subject)}Report`;
  const measures = fieldEnum(`${title}Measure`, subject.measures, 'A measure of a report.');
  const further = filtersOf(subject);
  const dimensions = fieldEnum(`${title}Dimension`, further, 'A dimension of a report but time.');
  @InputType(`${title}Top`, { description: 'Which values of a dimension are shown apart.' })
  class Top {
    @Field(() => TopSize, { description: 'How many lead.' })
    count!: number;

    @Field(() => measures, { description: 'By what they lead in the whole range, the most first.' })
    by!: string;

    @Field(() => dimensions, {
      nullable: true,
      description: 'Of which dimension; it must be selected. Default: the first that is.',
    })
    of?: string | null;
  }
  return Top;
}

function orderType(subject: Subject): ClassType {
  const values = fieldEnum(
    `${titleOf(subject)}ReportOrderField`,
    [...subject.dimensions, ...subject.measures],
    'What the rows of a report are ordered by; it must be selected.',
  );
  @InputType(`${titleOf(subject)}ReportOrder`, { description: 'An order of rows.' })
  class Order {
    @Field(() => values, { description: 'By what.' })
    by!: string;

    @Field(() => Direction, { nullable: true, description: 'Default ASC.' })
    direction?: Direction | null;
  }
  return Order;
}

const enumName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Returns the arguments of a subject's root field, made of its declaration. */
export function reportArgs(subject: Subject): ClassType {
  const [Filter, Order, Top] = [filterType(subject), orderType(subject), topType(subject)];
  @ArgsType()
  class Args {
    @Field(() => ReportRelativeRange, {
      nullable: true,
      description: 'A range that moves with the day, instead of `from` and `to`. DATE_INVALID.',
    })
    range?: RangeName | null;

    @Field(() => LocalDate, {
      nullable: true,
      description:
        'First day. Default: 29 days before the last. By two dimensions beside month and quarter, or by weekday or hour, there are ' +
        'whole months alone: TOO_MANY_DIMENSIONS. DATE_INVALID.',
    })
    from?: string | null;

    @Field(() => LocalDate, {
      nullable: true,
      description:
        'Last day, included. Default: today. At most five years after the first: RANGE_TOO_LONG.',
    })
    to?: string | null;

    @Field(() => Filter, { nullable: true, description: 'Which cells count. Default: all.' })
    filter?: ReportFilter | null;

    @Field(() => [Order], {
      nullable: true,
      description: 'At most three. Default: by the dimensions, as the schema lists them.',
    })
    orderBy?: ReportOrder[] | null;

    @Field(() => ReportSize, { nullable: true, description: 'Rows at most. Default 1,000.' })
    first?: number | null;

    @Field(() => ReportComparison, {
      nullable: true,
      description: 'Fills `previous` and `previousTotal`.',
    })
    compare?: ReportComparison | null;

    @Field(() => ReportGrain, {
      nullable: true,
      description:
        'What `date` of rows stands for. Default: by the range, up to 45 days DAY, up to 200 WEEK, ' +
        'up to three years MONTH, else QUARTER; MONTH or QUARTER where there are no cells of days.',
    })
    grain?: ReportGrain | null;

    @Field(() => ReportWeekStart, {
      nullable: true,
      description: 'On which day weeks begin. Default MONDAY.',
    })
    weekStart?: ReportWeekStart | null;

    @Field(() => Boolean, {
      nullable: true,
      description:
        'Whether dates of the range up to today, weekdays and hours without facts have rows: with ' +
        '0, or with null where what does not exist is answered as what is hidden, which is by a ' +
        'filter or a further dimension. Default false.',
    })
    fill?: boolean | null;

    @Field(() => WindowSize, {
      nullable: true,
      description: 'Rows that `movingAverage` is of: that row and those before it. Default 7.',
    })
    over?: number | null;

    @Field(() => Top, {
      nullable: true,
      description:
        'Shows the leading values of a dimension, and the others as one row, which has null for it ' +
        'and `isOthers`. The others are null when anything of them is hidden. TOP_INVALID.',
    })
    top?: TopArgs | null;
  }
  return Args;
}
