import { namesOfLanguages, type ReadNames } from './names.js';

/** The time dimensions, from the finest to the coarsest; `date` is one of the last four. */
export type TimeName = 'hour' | 'weekday' | 'date' | 'day' | 'week' | 'month' | 'quarter';

/** A field of rows by which a report is grouped when it is selected. */
export interface Dimension {
  readonly name: string;
  readonly type: 'date' | 'int' | 'text';
  /** Says what it is of, and by whose clocks. */
  readonly description: string;
  readonly time?: TimeName;
  /** Whether people write its values themselves. Only those that many share are shown. */
  readonly isFreeText?: true;
  /**
   * Whether it goes with one other dimension at most, and neither with weekday nor with hour, since
   * cells would be too small.
   */
  readonly isNarrow?: true;
  /**
   * Whether it says how something was, and not whose it is: a cell by it is a part of that without
   * it, and has the noise of that.
   */
  readonly isPart?: true;
  /** Another dimension that its value determines: with it, cells are of the same accounts. */
  readonly implies?: string;
  /**
   * Returns the names of the counts and buckets that a value rules out: what is shown of them is 0,
   * without noise. Noise of nothing would tell that of the others. No value is the empty text.
   */
  readonly excludes?: (value: string) => readonly string[];
  /** All values that there are, where these are no secret. */
  readonly values?: readonly string[];
  /** Reads these and their names, where they are rows of a table. */
  readonly known?: ReadNames;
}

/** A field of rows with the name of the value of a dimension, by which rows are grouped then. */
export interface Label {
  readonly name: string;
  readonly description: string;
  /** Name of a dimension whose values are known. */
  readonly of: string;
}

/** The sums of a row, by the names of the counts of its subject; `accounts` among them. */
export type Sums = Readonly<Record<string, number>>;

/**
 * How a number of facts is spread: cells count the facts in buckets with public ends, and medians
 * and percentiles come from these counts. So they have the noise of counts, and tell no fact.
 */
export interface Spread {
  /** The column of facts with the number, which is whole; null for facts that have none. */
  readonly column: string;
  /** The count of the subject that bounds how many facts of one account count in a bucket. */
  readonly count: string;
  /**
   * The ends of the buckets: each is of the numbers above one up to the next, and the first of the
   * first number too. What is beyond the first and the last counts as these.
   */
  readonly ends: readonly number[];
}

/** Which number of a spread a measure is: `part` of the facts, 0 to 1, are not above it. */
export interface Quantile {
  readonly spread: Spread;
  readonly part: number;
}

/** A field of rows that is computed when it is selected. */
export interface Measure {
  readonly name: string;
  readonly type: 'int' | 'float';
  /** Says what it counts, its denominator, its day and its unit. */
  readonly description: string;
  /** The most that it can be. */
  readonly most?: number;
  /** Null when there is nothing to divide by. */
  readonly of: (sums: Sums) => number | null;
  /** Which number of the subject's spread it is; others are made of its counts. */
  readonly quantile?: Quantile;
}

/**
 * What can be asked about one kind of facts. It is the only declaration of its fields: types, rows,
 * rollups and documentation are made of it.
 */
export interface Subject {
  /** The root field is this and `Report`; types begin with it in capitals. */
  readonly name: string;
  /** The subject that has the same acts: both draw one noise, so that the mean of both keeps it. */
  readonly noiseOf?: string;
  /** What a fact is, and on which day it counts. */
  readonly description: string;
  readonly dimensions: readonly Dimension[];
  readonly labels?: readonly Label[];
  /** What is added up, in the order in which rollups keep it. */
  readonly counts: readonly string[];
  /** What medians and percentiles are of. It is a column of `facts`. */
  readonly spread?: Spread;
  readonly measures: readonly Measure[];
  /**
   * SQL of its facts: the columns account_id, day, hour, one for each dimension but time and the
   * language, which is that of the account, and one for each count, by their names. Empty texts
   * stand for no value. `$1` is the site's zone, `$2` the present: what has not happened is no
   * fact. `asked`, with the columns first and last, is the span that facts are needed of, `last`
   * excluded; more of them do no harm.
   */
  readonly facts: string;
  /**
   * Which of its spans count at once, when they are over in every zone; a week counts on its Monday.
   * The facts of other subjects count as they happen.
   */
  readonly countsWhole?: 'day' | 'week';
  /** Whether its facts are of items that everybody may see, and of no person. */
  readonly isPublic?: true;
}

/** Returns whether a subject has cells of days and weeks; others have those of months and quarters. */
export const countsDays = ({ dimensions }: Pick<Subject, 'dimensions'>): boolean =>
  dimensions.some(({ time }) => time === 'day');

/** Returns the measure that shows a count as it is. */
export const counted = (name: string, description: string, count = name): Measure => ({
  name,
  type: 'int',
  description,
  of: (sums) => sums[count] ?? 0,
});

const readBy = new WeakMap<Measure, ReadonlySet<string>>();

/** Returns the names of the sums that a measure is made of. */
export function sumsRead(measure: Measure): ReadonlySet<string> {
  const known = readBy.get(measure);
  if (known) return known;
  const read = new Set<string>();
  const note = (_: object, name: string) => read.add(name).size;
  measure.of(new Proxy({}, { get: note }));
  readBy.set(measure, read);
  return read;
}

/** Returns whether a measure counts different accounts, which cannot be added up. */
export const countsAccounts = (measure: Measure): boolean => sumsRead(measure).has('accounts');

/** Returns the measures that add up over rows: how many are different is not known of sums. */
export const addingUp = ({ measures }: Pick<Subject, 'measures'>): readonly Measure[] =>
  measures.filter((measure) => !countsAccounts(measure));

/** How many accounts there are behind a row. */
export const MEMBERS: Measure = counted(
  'members',
  'Different accounts behind the row, on the days of it.',
  'accounts',
);

/** The language of the account. */
export const LANGUAGE: Dimension = {
  name: 'language',
  type: 'text',
  description: "Tag of the member's language, such as en.",
  known: namesOfLanguages,
};

/** Returns the time dimensions of a subject. `clocks` says by whose clocks they are. */
export function timeDimensions(clocks: string): readonly Dimension[] {
  const date = (time: TimeName, what: string): Dimension => ({
    name: time,
    time,
    type: 'date',
    description: `${what}, ${clocks}.`,
  });
  const number = (time: TimeName, what: string): Dimension => ({
    ...date(time, what),
    type: 'int',
  });
  return [
    date('day', 'The day'),
    date('week', 'The week, as its first day'),
    date('month', 'The month, as its first day'),
    date('quarter', 'The quarter, as its first day'),
    number('weekday', 'The day of the week, 1 for Monday to 7 for Sunday'),
    number(
      'hour',
      'The hour of the day, 0 to 23; the hour that a change of clocks repeats counts both times',
    ),
    date(
      'date',
      'The first day of a day, week, month or quarter, by `grain` or as it suits the range',
    ),
  ];
}
