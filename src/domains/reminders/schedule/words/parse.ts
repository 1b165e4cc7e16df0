import type { Edge, Lattice } from './lattice.js';
import type { Term } from './term.js';

/** A reading of some pieces, and the place behind them. */
export interface Found<T> {
  readonly value: T;
  readonly end: number;
}

/** All readings of a rule at a place. */
export interface Parse<T> {
  (lattice: Lattice, at: number): readonly Found<T>[];
  /** The terms with which it may begin; undefined where that is not known. */
  readonly begins?: ReadonlySet<Term['is']> | undefined;
  /** Whether it may have no piece at all. */
  readonly empty?: boolean | undefined;
}

type Reading<T> = (lattice: Lattice, at: number) => readonly Found<T>[];
type Beginning = Pick<Parse<unknown>, 'begins' | 'empty'>;

/** Makes a rule of its readings and its beginnings. */
const rule = <T>(read: Reading<T>, { begins, empty }: Beginning): Parse<T> =>
  Object.assign(read, { begins, empty });

/**
 * Returns whether a term of some kinds stands at a place: most rules have no reading at most
 * places.
 */
function standsAt(lattice: Lattice, at: number, kinds: ReadonlySet<Term['is']>): boolean {
  for (const edge of lattice.edges[at] ?? NONE) if (kinds.has(edge.term.is)) return true;
  return false;
}

/** Returns the beginnings of rules one after the other. */
function beginningOf(rules: readonly Beginning[]): Beginning {
  const begins = new Set<Term['is']>();
  for (const one of rules) {
    if (!one.begins) return {};
    for (const kind of one.begins) begins.add(kind);
    if (!one.empty) return { begins };
  }
  return { begins, empty: true };
}

/** Returns the beginnings of any of several rules. */
function anyBeginning(rules: readonly Beginning[]): Beginning {
  if (!rules.every(({ begins }) => begins)) return {};
  const begins = new Set(rules.flatMap((one) => [...(one.begins ?? [])]));
  return { begins, empty: rules.some(({ empty }) => empty) };
}

/** The value of a rule. */
export type ValueOf<P> = P extends Parse<infer T> ? T : never;

/** No reading: most rules have none at most places, and are asked there all the same. */
const NONE: readonly never[] = [];

/** A term of one kind; `keep` says which of them. */
export const term = <K extends Term['is']>(
  is: K,
  keep: (term: Extract<Term, { is: K }>) => boolean = () => true,
): Parse<Extract<Term, { is: K }>> =>
  rule(
    (lattice, at) =>
      (lattice.edges[at] ?? NONE)
        .filter((edge): edge is Edge & { term: Extract<Term, { is: K }> } => edge.term.is === is)
        .filter((edge) => keep(edge.term))
        .map(({ term: value, end }) => ({ value, end })),
    { begins: new Set([is]) },
  );

/** Any one of some kinds of terms, whose value does not matter. */
export const mark = (...kinds: readonly Term['is'][]): Parse<null> => {
  const begins = new Set(kinds);
  return rule(
    (lattice, at) => {
      if (!standsAt(lattice, at, begins)) return NONE;
      return (lattice.edges[at] ?? NONE)
        .filter((edge) => begins.has(edge.term.is))
        .map(({ end }) => ({ value: null, end }));
    },
    { begins },
  );
};

/** Several rules one after the other. */
export const seq = <P extends readonly Parse<unknown>[]>(
  ...rules: P
): Parse<{ [I in keyof P]: ValueOf<P[I]> }> => {
  const { begins, empty } = beginningOf(rules);
  return rule(
    (lattice, at) => {
      if (begins && !empty && !standsAt(lattice, at, begins)) return NONE;
      let found: readonly Found<unknown[]>[] = [{ value: [], end: at }];
      for (const one of rules) {
        found = found.flatMap(({ value, end }) =>
          one(lattice, end).map((next) => ({ value: [...value, next.value], end: next.end })),
        );
        if (found.length === 0) return NONE;
      }
      return found as readonly Found<{ [I in keyof P]: ValueOf<P[I]> }>[];
    },
    { begins, empty },
  );
};

/** Any of several rules. */
export const alt = <P extends readonly Parse<unknown>[]>(...rules: P): Parse<ValueOf<P[number]>> =>
  rule(
    (lattice, at) =>
      rules.flatMap((one) =>
        one.begins && !one.empty && !standsAt(lattice, at, one.begins) ? NONE : one(lattice, at),
      ) as readonly Found<ValueOf<P[number]>>[],
    anyBeginning(rules),
  );

/** A rule, or nothing. */
export const opt = <T>(one: Parse<T>): Parse<T | undefined> =>
  rule((lattice, at) => [...one(lattice, at), { value: undefined, end: at }], {
    begins: one.begins,
    empty: true,
  });

/** The values that a reading is made into; none when it is no reading after all. */
export const as = <T, U>(one: Parse<T>, make: (value: T) => readonly U[]): Parse<U> =>
  rule(
    (lattice, at) =>
      one(lattice, at).flatMap(({ value, end }) =>
        make(value).map((made) => ({ value: made, end })),
      ),
    one,
  );

/** One or more of a rule, parted by another. Only the longest lists: a list is read to its end. */
export const list = <T>(item: Parse<T>, between: Parse<unknown>): Parse<readonly T[]> =>
  rule((lattice, at) => {
    let ends: readonly Found<readonly T[]>[] = item(lattice, at).map(single);
    const done: Found<readonly T[]>[] = [];
    while (ends.length > 0) {
      const longer: Found<readonly T[]>[] = [];
      for (const { value, end } of ends.slice(0, MOST_WAYS)) {
        const more = seq(between, item)(lattice, end);
        if (more.length === 0) done.push({ value, end });
        for (const next of more) longer.push({ value: [...value, next.value[1]], end: next.end });
      }
      ends = longer;
    }
    return done;
  }, item);
/** Most ways to read one list at a time. */
const MOST_WAYS = 16;

const single = <T>({ value, end }: Found<T>): Found<readonly T[]> => ({ value: [value], end });

/** A rule, where another one has a reading of the same pieces. */
export const both = <T>(one: Parse<T>, other: Parse<unknown>): Parse<T> =>
  rule(
    (lattice, at) =>
      one(lattice, at).filter(({ end }) => other(lattice, at).some((also) => also.end === end)),
    one,
  );

/** A rule, where another one does not begin behind it. */
export const unless = <T>(one: Parse<T>, behind: Parse<unknown>): Parse<T> =>
  rule(
    (lattice, at) => one(lattice, at).filter(({ end }) => behind(lattice, end).length === 0),
    one,
  );

/** A rule, or another one where it has no reading. */
export const first = <T>(one: Parse<T>, other: Parse<T>): Parse<T> =>
  rule(
    (lattice, at) => {
      const found = one(lattice, at);
      return found.length > 0 ? found : other(lattice, at);
    },
    anyBeginning([one, other]),
  );

/** A piece as it is written: a hyphen is no dash. */
export const piece =
  (text: string): Parse<null> =>
  (lattice, at) =>
    lattice.parts[at] === text ? [{ value: null, end: at + 1 }] : [];

/** No piece, at some places. */
const place = (isThere: (lattice: Lattice, at: number) => boolean): Parse<null> =>
  rule((lattice, at) => (isThere(lattice, at) ? [{ value: null, end: at }] : NONE), {
    begins: new Set(),
    empty: true,
  });

/** Nothing, where what follows is parted from the number before it: not 2once. */
export const apart = place((lattice, at) => !lattice.joined[at]);

/** Nothing, where the piece before stands once more, as a slip: three three times. */
export const again = place((lattice, at) => at > 0 && lattice.parts[at] === lattice.parts[at - 1]);

/** Nothing, where a comma stands before. */
export const behindComma = place((lattice, at) => lattice.parts[at - 1] === ',');

/** Nothing, where no reading of a rule ends. */
export const notEndOf = (one: Parse<unknown>): Parse<null> =>
  place((lattice, at) =>
    lattice.parts.every(
      (_, from) => from >= at || !one(lattice, from).some(({ end }) => end === at),
    ),
  );

/** Nothing, where a fraction stands: 1/2, ½. */
export const fraction = place(
  ({ parts }, at) => parts[at + 1] === '/' || /[½¼¾]/.test(parts[at] ?? ''),
);

/** Nothing, where a word stands before. */
export const behindWords = place((lattice, at) => /^\p{L}/u.test(lattice.parts[at - 1] ?? ''));

/** Nothing, where a form or a number stands before. */
export const behindAmount = place(({ edges }, at) =>
  edges.some((all) =>
    all.some(({ term: { is }, end }) => end === at && (is === 'form' || is === 'number')),
  ),
);

/** Nothing, where no number stands before. */
export const uncounted = place(
  ({ edges }, at) =>
    !edges.some((all) => all.some(({ term: { is }, end }) => end === at && is === 'number')),
);

/** Whether a rule has a reading behind; no piece. */
export const isBefore = (one: Parse<unknown>): Parse<boolean> =>
  rule((lattice, at) => [{ value: one(lattice, at).length > 0, end: at }], {
    begins: new Set(),
    empty: true,
  });

/** Whether a term of some kinds stands before; no piece. */
export const isBehind = (...kinds: readonly Term['is'][]): Parse<boolean> =>
  rule(
    ({ edges }, at) => [
      {
        value: edges.some((all) =>
          all.some(({ term, end }) => end === at && kinds.includes(term.is)),
        ),
        end: at,
      },
    ],
    { begins: new Set(), empty: true },
  );

/** Nothing, where the phrase goes on. */
export const more = place((lattice, at) => at < lattice.parts.length);

/** A rule wherever it has a reading, else nothing: what may be longer is read to its end. */
export const ifAny = <T>(one: Parse<T>): Parse<T | undefined> =>
  rule(
    (lattice, at) => {
      const found = one(lattice, at);
      return found.length > 0 ? found : [{ value: undefined, end: at }];
    },
    { begins: one.begins, empty: true },
  );

/** A rule that is asked only in a phrase with a term of some kind: most phrases name no weekday. */
export const beside = <T>(is: Term['is'], one: Parse<T>): Parse<T> => {
  const known = new WeakMap<Lattice, boolean>();
  return rule((lattice, at) => {
    let isThere = known.get(lattice);
    if (isThere === undefined) {
      isThere = lattice.edges.some((all) => all.some(({ term: { is: kind } }) => kind === is));
      known.set(lattice, isThere);
    }
    return isThere ? one(lattice, at) : NONE;
  }, one);
};

/** A rule whose readings at a place are found once for all rules that ask for them. */
export const once = <T>(one: Parse<T>): Parse<T> => {
  const known = new WeakMap<Lattice, (readonly Found<T>[] | undefined)[]>();
  return rule((lattice, at) => {
    let places = known.get(lattice);
    if (!places) {
      places = [];
      known.set(lattice, places);
    }
    const found = places[at] ?? one(lattice, at);
    places[at] = found;
    return found;
  }, one);
};
