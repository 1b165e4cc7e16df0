import { Extensions } from 'type-graphql';

/**
 * Declares how many rows of a list the cost of a document counts: the maximum of the list, or,
 * where that is unusual (a calendar), what a busy member has. For a list with an argument `first`:
 * the default of `first`. With `by`: the list is as long as the argument of that name, and has at
 * most `rows` rows. Every list declares it, except `nodes` and `edges` of a connection: they count
 * as many rows as the field that returns the connection.
 */
export const Rows = (rows: number, by?: string) =>
  Extensions({ rows: { rows, by } satisfies DeclaredRows });

/** Declares the weight of a field that costs more than a name or a number. Default: 1. */
export const Weight = (weight: number) => Extensions({ weight });

/**
 * Declares that each row of a field weighs `weight` more when the given argument is greater than
 * `above`, because more is then read or made for each row.
 */
export const WeightAbove = (argument: string, above: number, weight: number) =>
  Extensions({ weightAbove: { argument, above, weight } satisfies WeightAbove });

interface WeightAbove {
  readonly argument: string;
  readonly above: number;
  readonly weight: number;
}

/** Weights of texts, by their usual size. */
export const WEIGHTS = {
  /** Texts of at most 64 KiB: titles, descriptions, notes. */
  text: 3,
  /** Short texts of an article: excerpts, titles of revisions. */
  excerpt: 10,
  /** Contents of at most 1 MiB, and their rendered form. */
  content: 75,
  /** Texts that are not stored, and for which a content is rendered. */
  renderedWords: 110,
  /** All data that are stored about a person. */
  export: 1_000,
} as const;

interface DeclaredRows {
  readonly rows: number;
  readonly by?: string | undefined;
}

interface Declared {
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Returns what `@Rows` declares for a field. */
export const rowsOf = ({ extensions }: Declared) => extensions.rows as DeclaredRows | undefined;

/** Returns what `@Weight` declares for a field; default 1. */
export const weightOf = ({ extensions }: Declared): number =>
  (extensions.weight as number | undefined) ?? 1;

/** Returns what `@WeightAbove` declares for a field. */
export const weightAboveOf = ({ extensions }: Declared) =>
  extensions.weightAbove as WeightAbove | undefined;
