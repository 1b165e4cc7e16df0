import type { Edge, Lattice } from './lattice.js';
import type { Term } from './term.js';

/** A reading of some pieces, and the place behind them. */
export interface Found<T> {
  readonly value: T;
  readonly end: number;
}

/** All readings of a rule at a place. */
export type Parse<T> = (lattice: Lattice, at: number) => readonly Found<T>[];

/** The value of a rule. */
export type ValueOf<P> = P extends Parse<infer T> ? T : never;

/** A term of one kind; `keep` says which of them. */
export const term =
  <K extends Term['is']>(
    is: K,
    keep: (term: Extract<Term, { is: K }>) => boolean = () => true,
  ): Parse<Extract<Term, { is: K }>> =>
  (lattice, at) =>
    (lattice.edges[at] ?? [])
      .filter((edge): edge is Edge & { term: Extract<Term, { is: K }> } => edge.term.is === is)
      .filter((edge) => keep(edge.term))
      .map(({ term: value, end }) => ({ value, end }));

/** Any one of some kinds of terms, whose value does not matter. */
export const mark =
  (...kinds: readonly Term['is'][]): Parse<null> =>
  (lattice, at) =>
    (lattice.edges[at] ?? [])
      .filter((edge) => kinds.includes(edge.term.is))
      .map(({ end }) => ({ value: null, end }));

/** Several rules one after the other. */
export const seq =
  <P extends readonly Parse<unknown>[]>(...rules: P): Parse<{ [I in keyof P]: ValueOf<P[I]> }> =>
  (lattice, at) => {
    let found: readonly Found<unknown[]>[] = [{ value: [], end: at }];
    for (const rule of rules) {
      if (found.length === 0) return [];
      found = found.flatMap(({ value, end }) =>
        rule(lattice, end).map((next) => ({ value: [...value, next.value], end: next.end })),
      );
    }
    return found as readonly Found<{ [I in keyof P]: ValueOf<P[I]> }>[];
  };

/** Any of several rules. */
export const alt =
  <P extends readonly Parse<unknown>[]>(...rules: P): Parse<ValueOf<P[number]>> =>
  (lattice, at) =>
    rules.flatMap((rule) => rule(lattice, at)) as readonly Found<ValueOf<P[number]>>[];

/** A rule, or nothing. */
export const opt =
  <T>(rule: Parse<T>): Parse<T | undefined> =>
  (lattice, at) => [...rule(lattice, at), { value: undefined, end: at }];

/** The values that a reading is made into; none when it is no reading after all. */
export const as =
  <T, U>(rule: Parse<T>, make: (value: T) => readonly U[]): Parse<U> =>
  (lattice, at) =>
    rule(lattice, at).flatMap(({ value, end }) =>
      make(value).map((made) => ({ value: made, end })),
    );

/** One or more of a rule, parted by another. Only the longest lists: a list is read to its end. */
export const list =
  <T>(rule: Parse<T>, between: Parse<unknown>): Parse<readonly T[]> =>
  (lattice, at) => {
    let ends: readonly Found<readonly T[]>[] = rule(lattice, at).map(one);
    const done: Found<readonly T[]>[] = [];
    while (ends.length > 0) {
      const longer: Found<readonly T[]>[] = [];
      for (const { value, end } of ends.slice(0, MOST_WAYS)) {
        const more = seq(between, rule)(lattice, end);
        if (more.length === 0) done.push({ value, end });
        for (const next of more) longer.push({ value: [...value, next.value[1]], end: next.end });
      }
      ends = longer;
    }
    return done;
  };
/** Most ways to read one list at a time. */
const MOST_WAYS = 16;

const one = <T>({ value, end }: Found<T>): Found<readonly T[]> => ({ value: [value], end });

/** A rule, where another one does not begin behind it. */
export const unless =
  <T>(rule: Parse<T>, behind: Parse<unknown>): Parse<T> =>
  (lattice, at) =>
    rule(lattice, at).filter(({ end }) => behind(lattice, end).length === 0);

/** A rule, or another one where it has no reading. */
export const first =
  <T>(rule: Parse<T>, other: Parse<T>): Parse<T> =>
  (lattice, at) => {
    const found = rule(lattice, at);
    return found.length > 0 ? found : other(lattice, at);
  };

/** A piece as it is written: a hyphen is no dash. */
export const piece =
  (text: string): Parse<null> =>
  (lattice, at) =>
    lattice.parts[at] === text ? [{ value: null, end: at + 1 }] : [];

/** Nothing, where what follows is parted from the number before it: not 2once. */
export const apart: Parse<null> = (lattice, at) =>
  lattice.joined[at] ? [] : [{ value: null, end: at }];

/** Nothing, where a comma stands before. */
export const behindComma: Parse<null> = (lattice, at) =>
  lattice.parts[at - 1] === ',' ? [{ value: null, end: at }] : [];

/** Nothing, where the phrase goes on. */
export const more: Parse<null> = (lattice, at) =>
  at < lattice.parts.length ? [{ value: null, end: at }] : [];

/** A rule wherever it has a reading, else nothing: what may be longer is read to its end. */
export const ifAny =
  <T>(rule: Parse<T>): Parse<T | undefined> =>
  (lattice, at) => {
    const found = rule(lattice, at);
    return found.length > 0 ? found : [{ value: undefined, end: at }];
  };

/** A rule whose readings at a place are found once for all rules that ask for them. */
export const once = <T>(rule: Parse<T>): Parse<T> => {
  const known = new WeakMap<Lattice, Map<number, readonly Found<T>[]>>();
  return (lattice, at) => {
    const places = known.get(lattice) ?? new Map<number, readonly Found<T>[]>();
    known.set(lattice, places);
    const before = places.get(at);
    if (before) return before;
    const found = rule(lattice, at);
    places.set(at, found);
    return found;
  };
};
