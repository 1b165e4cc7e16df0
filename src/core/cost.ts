import { Extensions } from 'type-graphql';

/**
 * Declares how many entries of a list the cost of a document counts: the most that the list holds
 * or, where that is far from usual (a calendar), what a busy member has. With an argument `first`:
 * how many come without it. Every list declares it, but for the `nodes` and `edges` of a
 * connection, which hold as many as the field asked for that answers the connection. With `by`, a
 * list that is as long as that argument, and holds `rows` at most.
 */
export const Rows = (rows: number, by?: string) =>
  Extensions({ rows: { rows, by } satisfies DeclaredRows });

/**
 * Declares what a field costs, where that is more than a name or a number: 1 is such a field, and
 * is the default.
 */
export const Weight = (weight: number) => Extensions({ weight });

/**
 * Declares that each row of a field weighs so much more when one of its arguments is above a
 * number: then more is read or made for each.
 */
export const WeightAbove = (argument: string, above: number, weight: number) =>
  Extensions({ weightAbove: { argument, above, weight } satisfies WeightAbove });

interface WeightAbove {
  readonly argument: string;
  readonly above: number;
  readonly weight: number;
}

/** Weights of texts by the size that their bounds allow and that is usual. */
export const WEIGHTS = {
  /** Texts of at most 64 KiB: titles, descriptions, notes. */
  text: 3,
  /** Words of an article: excerpts, revisions' titles. */
  excerpt: 10,
  /** Contents of at most 1 MiB, and what is rendered of them. */
  content: 75,
  /** Words that are not stored, for which a content is rendered. */
  renderedWords: 110,
  /** All that is kept about somebody. */
  export: 1_000,
} as const;

interface DeclaredRows {
  readonly rows: number;
  readonly by?: string | undefined;
}

interface Declared {
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** What `@Rows` says of a field. */
export const rowsOf = ({ extensions }: Declared) => extensions.rows as DeclaredRows | undefined;

/** What `@Weight` says of a field, else 1. */
export const weightOf = ({ extensions }: Declared): number =>
  (extensions.weight as number | undefined) ?? 1;

/** What `@WeightAbove` says of a field. */
export const weightAboveOf = ({ extensions }: Declared) =>
  extensions.weightAbove as WeightAbove | undefined;
