import { ArgsType, type ClassType, Field, InputType, registerEnumType } from 'type-graphql';
import { Required } from '../../core/marks.js';
import { LocalDate, ReportSize, ShortText } from '../../core/scalars.js';
import { Direction } from '../content/content.enums.js';
import type { Subject } from './catalogue/subject.js';
import { ReportComparison } from './report.enums.js';
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

function orderType(subject: Subject): ClassType {
  const fields = [...subject.dimensions, ...subject.measures];
  const names = fields.map(({ name }) => [enumName(name), name] as const);
  const values = Object.fromEntries(names);
  registerEnumType(values, {
    name: `${titleOf(subject)}ReportOrderField`,
    description: 'What the rows of a report are ordered by; it must be selected.',
    valuesConfig: Object.fromEntries(
      fields.map(({ name, description }) => [enumName(name), { description }]),
    ),
  });
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
  const [Filter, Order] = [filterType(subject), orderType(subject)];
  @ArgsType()
  class Args {
    @Required()
    @Field(() => LocalDate, {
      nullable: true,
      description:
        'First day. By two dimensions beside month and quarter, or by weekday or hour, there are ' +
        'whole months alone: TOO_MANY_DIMENSIONS. DATE_INVALID.',
    })
    from?: string | null;

    @Required()
    @Field(() => LocalDate, {
      nullable: true,
      description: 'Last day, included. At most five years after the first: RANGE_TOO_LONG.',
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
  }
  return Args;
}
