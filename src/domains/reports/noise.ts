import { createHmac } from 'node:crypto';

const DAY = 24 * 60 * 60 * 1000;
/** Cells of fewer eligible accounts than this, and of fewer than a secret 3 to 9, are not shown. */
export const LEAST_THRESHOLD = 3;
/** How many thresholds there are: their mean is 6. */
const THRESHOLDS = 7;
/** The largest of them: so many eligible accounts are enough in any cell. */
const MOST_THRESHOLD = LEAST_THRESHOLD + THRESHOLDS - 1;
/** A text that people write themselves is a value where so many eligible accounts share it. */
export const SHARED_BY = 20;
/** A cell is large from `SHARED_BY` eligible accounts on, or from up to so many fewer: a secret. */
const FEWER = 3;
/** Counts are rounded to multiples of this. */
export const STEP = 5;
/** No account may have more of the sum of a cell than a secret share between these. */
export const DOMINANT = { least: 0.25, most: 0.4 } as const;
/** Sums within so many parts of one hundred share that secret. */
const DOMINANT_STEP = 1.1;
/** How many accounts come or go until a cell draws another threshold. */
export const ROUNDED = 10;
/**
 * The stable noise of a month is drawn again when so much of its accounts, and ten, came or went.
 */
const AMONG = { step: 0.03, least: 300 } as const;

/** A cell as it is stored. `tops`: the most that one account adds to each sum. */
export interface StoredCell {
  readonly date: string;
  readonly keys: readonly string[];
  readonly accounts: number;
  /** How many of the accounts count for the threshold. */
  readonly eligible: number;
  /** How many eligible accounts its whole month or quarter has. */
  readonly among: number | null;
  /** Of a quarter: how many its first month has, by which its stable noise is drawn. */
  readonly ofFirstMonth?: number | null;
  /** How many accounts the cells of its month have in the middle, of those of twenty and more. */
  readonly typical: number | null;
  readonly sums: readonly number[];
  readonly tops: readonly number[];
  /** How many facts are in each bucket of the spread; null when that is not known. */
  readonly buckets?: readonly number[] | null;
  /** Of a cohort: how many of its weeks the cell counts; 1 unless told. */
  readonly weeks?: number;
}

/** The grid of a cell. */
export interface Grid {
  /** The subject by whose name noises are drawn. */
  readonly subject: string;
  readonly name: string;
  readonly key: Buffer;
  /** Whether each sum is one of facts. */
  readonly facts: readonly boolean[];
  /** Columns whose values draw no noise: their cells are parts of those without them. */
  readonly parts?: ReadonlySet<string>;
  /** Returns which sums and buckets are 0 by the values of a cell. */
  readonly excludes?: (keys: readonly string[]) => Excluded;
  /** Whether it is of what everybody may see: then nobody dominates. */
  readonly isPublic: boolean;
  /** What was drawn for many of its cells together, by what it was drawn of. */
  readonly drawn: Map<string, string>;
  /** The noises that many of its cells share, by their values and month. */
  readonly shared: Map<string, Shared>;
  /** What the noises of cells are drawn of, by their keys. */
  readonly named: Map<string, Of>;
}

/** Which sums and buckets of a cell are 0, whoever is in it. */
export interface Excluded {
  readonly sums: readonly boolean[];
  readonly buckets: readonly boolean[];
}

/** A noise that several numbers share: -1 to 1 of its bound. */
export interface SharedNoise {
  readonly name: string;
  readonly ofSums: number;
  readonly ofAccounts: number;
}

/** The noises of a number: shared ones, and one of its own, -1 to 1 of its bound. */
export interface Noises {
  readonly stable: readonly SharedNoise[];
  readonly fresh: readonly SharedNoise[];
  readonly own: number | SharedNoise;
  /** The parts that are shared, by their bound, where all have one: made once for many cells. */
  readonly parts?: Map<number, readonly SharedPart[]> | undefined;
}

/** A part of a bound: that of a noise which all numbers of a name share. */
export interface SharedPart {
  readonly name: string;
  readonly bound: number;
}

type Shared = Pick<Noises, 'stable' | 'fresh' | 'parts'>;

/** The noises of the numbers of a cell. */
export interface CellNoises {
  /** The noises of a sum, by its place and value. */
  readonly ofSum: (place: number, sum: number) => Noises;
  /** The noises of its buckets together. */
  readonly ofBuckets: () => Noises;
  readonly ofAccounts: () => Noises;
}

/**
 * What is secret of a cell, of which `most` is the largest sum of facts. Each is drawn when it is asked for:
 * of most cells neither threshold nor share need be.
 */
export class Secrets {
  /** Where sums and bounds are rounded, 0 to 1. */
  readonly phase: number;
  readonly #of: Of;

  constructor(
    private readonly grid: Grid,
    private readonly cell: StoredCell,
    private readonly most: number,
  ) {
    this.#of = namedOf(grid, cell.keys);
    this.phase = partOf(this.#of.hash, 8);
  }

  /** Returns whether so many eligible accounts are fewer than a threshold of 3 to 9. */
  isFew(eligible: number): boolean {
    return (
      eligible < MOST_THRESHOLD &&
      eligible < LEAST_THRESHOLD + Math.floor(this.#floor(0) * THRESHOLDS)
    );
  }

  /** Returns whether so many eligible accounts are as many as a large cell has: 17 to 20. */
  isLarge(eligible: number): boolean {
    return (
      eligible >= SHARED_BY ||
      (eligible >= SHARED_BY - FEWER &&
        eligible >= SHARED_BY - FEWER + Math.floor(this.#floor(4) * (FEWER + 1)))
    );
  }

  /** Returns the most of the largest sum that one account may have. */
  share(): number {
    const step = Math.floor(
      Math.log(Math.max(1, this.most)) / Math.log(DOMINANT_STEP) + this.phase,
    );
    const drawn = partOf(this.#drawn(['share', step]), 0);
    return DOMINANT.least + drawn * (DOMINANT.most - DOMINANT.least);
  }

  noises(): CellNoises {
    const { grid, cell, phase } = this;
    return isOfCohort(grid)
      ? cohortNoises(grid, cell, this.#of, phase)
      : new MonthNoises(grid, cell, this.#of, phase);
  }

  #floor(at: number): number {
    const rounded = Math.floor(this.cell.accounts / ROUNDED + partOf(this.#of.hash, 0));
    return partOf(this.#drawn(['floor', rounded]), at);
  }

  #drawn(what: readonly unknown[]): string {
    const { grid, cell } = this;
    const { values, subject } = this.#of;
    return isOfCohort(grid)
      ? sharedHash(grid, ['cohort', { values, subject }, what[0]])
      : cellHash(cell, grid, what);
  }
}

/**
 * Half of the shared noise is that of all cells of the month: the same accounts may be asked for by
 * several grids, and their mean keeps it. The other half is that of the values of the cell: what is
 * between two cells keeps that one. Days and weeks have as much noise of their week besides: what is
 * between two weeks keeps that.
 */
class MonthNoises implements CellNoises {
  readonly #shared: Shared;
  readonly #own: string;
  readonly #ofSums: Noises;

  constructor(
    private readonly grid: Grid,
    private readonly cell: StoredCell,
    private readonly of: Of,
    private readonly phase: number,
  ) {
    this.#shared = sharedNoises(grid, cell, of, '');
    this.#own = this.#drawn('own', factsOf(cell, grid));
    this.#ofSums = withOwn(this.#shared, shareOf(this.#own, 0));
  }

  ofSum(): Noises {
    return this.#ofSums;
  }

  ofBuckets(): Noises {
    const { grid, cell, of } = this;
    const all = (cell.buckets ?? []).reduce((sum, count) => sum + count, 0);
    const own = this.#drawn('own spread', all);
    return withOwn(sharedNoises(grid, cell, of, ' spread'), shareOf(own, 0));
  }

  ofAccounts(): Noises {
    return withOwn(this.#shared, shareOf(this.#own, 4));
  }

  #drawn(what: string, all: number): string {
    return cellHash(this.cell, this.grid, [what, Math.floor(all / STEP + this.phase)]);
  }
}

function withOwn({ stable, fresh, parts }: Shared, own: number): Noises {
  return { stable, fresh, own, parts };
}

/**
 * Names the measures of the shared noise, `HIDES` of privacy.ts, and changes with them. The same draws
 * by two measures, as two versions of the service answer, would tell the noise.
 */
const MEASURE = 'of eight, and weeks';

/** Returns the noises that a cell shares with others. They are drawn once for all of these. */
function sharedNoises(
  grid: Grid,
  { among, date, ofFirstMonth = among }: StoredCell,
  { subject, values, name: ofValues }: Of,
  what: string,
): Shared {
  const ofAll = `${ofValues}${what} ${among} ${ofFirstMonth}`;
  const week = columnsOf(grid).isOfDays ? weekNumber(date) : undefined;
  const known = grid.shared.get(week === undefined ? ofAll : `${ofAll} ${week}`);
  if (known) return known;
  const month = { subject, values: [] };
  const drawn = (kind: string, of: unknown) => [
    alike(noiseOf(grid, month, [`common ${kind}${what} ${MEASURE}`, of])),
    noiseOf(grid, { subject, values }, [`${kind}${what} ${MEASURE}`, of]),
  ];
  const ofMonth = drawnOnce(grid, ofAll, () => ({
    stable: drawn('stable', amongStep(ofFirstMonth, placeOf(grid, month))),
    fresh: drawn('fresh', among),
    parts: new Map(),
  }));
  if (week === undefined) return ofMonth;
  return drawnOnce(grid, `${ofAll} ${week}`, () => ({
    stable: ofMonth.stable,
    fresh: [...ofMonth.fresh, ...drawn('week', [week, among])],
    parts: new Map(),
  }));
}

/** Returns which week since 1970 a day lies in; weeks begin on Monday. */
const weekNumber = (date: string) => Math.floor((Date.parse(date) / DAY + 3) / 7);

function drawnOnce({ shared }: Grid, name: string, draw: () => Shared): Shared {
  const noises = shared.get(name) ?? draw();
  shared.set(name, noises);
  return noises;
}

/** Returns the sums of facts of a cell together. */
const factsOf = ({ sums }: StoredCell, { facts }: Grid) =>
  sums.reduce((all, sum, i) => all + (facts[i] ? sum : 0), 0);

/** Where the number of accounts of a month is rounded for noise. */
const placeOf = (grid: Grid, { subject, values }: OfValues) =>
  partOf(sharedHash(grid, ['values', subject, values]), 4);

/** A noise that a number of accounts has as sums have it. */
const alike = (noise: SharedNoise): SharedNoise => ({ ...noise, ofAccounts: noise.ofSums });

/**
 * A cohort has the same accounts in each of its weeks: but for the fresh noise, which changes when
 * anybody joins or leaves the month, their number has one noise in all of its cells, whatever their
 * month, week and size. So the mean of a year is as far off as stable and own noise are, and who
 * leaves a cohort changes no number alone. Its members are its number.
 */
function cohortNoises(grid: Grid, { among }: StoredCell, of: Of, phase: number): CellNoises {
  const noise = (...what: unknown[]) => noiseOf(grid, of, ['cohort', ...what]);
  const size = { stable: noise('stable'), fresh: noise('fresh', among), own: noise('own') };
  const isOfAccounts = keyColumns(grid).includes(ACCOUNTS_COHORT);
  const sized = (one: SharedNoise) => (isOfAccounts ? alike(one) : one);
  return {
    ofSum: (place, sum) => {
      if (place === 0) return { ...size, stable: [size.stable], fresh: [size.fresh] };
      return {
        stable: [noise('stable', 'others')],
        fresh: [noise('fresh', place, among)],
        own: noise('own', place, Math.floor(sum / STEP + phase)),
      };
    },
    ofBuckets: () => ({
      stable: [noise('stable', 'spread')],
      fresh: [noise('fresh', 'spread', among)],
      own: noise('own', 'spread'),
    }),
    // One fresh noise for both: from two, who leaves were easier to weigh.
    ofAccounts: () => ({
      stable: [sized(size.stable)],
      fresh: [alike(size.fresh)],
      own: sized(size.own),
    }),
  };
}

/** What noises are drawn of. */
interface Of {
  readonly subject: string;
  /** The values of a cell but times. */
  readonly values: readonly unknown[];
  /** These as text, and a hash of them. */
  readonly name: string;
  readonly hash: string;
}

function namedOf(grid: Grid, keys: readonly string[]): Of {
  const text = JSON.stringify(keys);
  const known = grid.named.get(text);
  if (known) return known;
  const { subject } = grid;
  const values = valuesOf(grid, keys);
  const hash = sharedHash(grid, ['values', subject, values]);
  const of = { subject, values, name: JSON.stringify(values), hash };
  grid.named.set(text, of);
  return of;
}

type OfValues = Pick<Of, 'subject' | 'values'>;

function noiseOf(grid: Grid, { subject, values }: OfValues, what: readonly unknown[]): SharedNoise {
  const name = JSON.stringify([subject, values, ...what]);
  const drawn = sharedHash(grid, ['noise', name]);
  return { name, ofSums: shareOf(drawn, 0), ofAccounts: shareOf(drawn, 4) };
}

/** Rounds how many accounts a month has, to ten of few and 3 % of many, at a secret place. */
const amongStep = (among: number | null, place: number) =>
  among === null ? null : Math.floor(Math.log1p(among / AMONG.least) / AMONG.step + place);

const SPANS: readonly string[] = ['day', 'week', 'quarter'];
/** The column of the weeks since a cohort began. */
export const SINCE_COLUMN = 'weeksSince';
/** Values that are times too: the stable noise is the same whatever they are. */
const CLOCK: readonly string[] = ['weekday', 'hour', SINCE_COLUMN];
/** The value that names a cohort of accounts: its number is that of its members. */
const ACCOUNTS_COHORT = 'signUpWeek';
/** Values that name a cohort. */
export const COHORTS: readonly string[] = [ACCOUNTS_COHORT, 'startWeek'];

/** What the names of grids say; as many as the lattice has. */
const gridColumns = new Map<string, ReturnType<typeof columnsIn>>();

function columnsIn(name: string) {
  const all = name.split(' ');
  return {
    keys: all.filter((column) => !SPANS.includes(column) && column !== ''),
    isOfCohort: all.some((column) => COHORTS.includes(column)),
    isOfDays: all[0] === 'day' || all[0] === 'week',
  };
}

function columnsOf({ name }: Pick<Grid, 'name'>): ReturnType<typeof columnsIn> {
  const columns = gridColumns.get(name) ?? columnsIn(name);
  gridColumns.set(name, columns);
  return columns;
}

/** Returns whether the cells of a grid are of one cohort each. */
export const isOfCohort = (grid: Pick<Grid, 'name'>): boolean => columnsOf(grid).isOfCohort;

/** Returns the columns of a grid whose values are the keys of its cells. */
export const keyColumns = (grid: Pick<Grid, 'name'>): readonly string[] => columnsOf(grid).keys;

/** Returns whether the cells of a column are parts of those without it, by time or by what was done. */
const isPart = ({ parts }: Pick<Grid, 'parts'>, column: string) =>
  CLOCK.includes(column) || (parts?.has(column) ?? false);

/** Returns whether the cells of a grid are parts of those of months. */
export const isOfParts = (grid: Pick<Grid, 'name' | 'parts'>): boolean =>
  columnsOf(grid).isOfDays || keyColumns(grid).some((column) => isPart(grid, column));

/** Returns the values of a cell that draw noise, with their columns. */
export const valuesOf = (
  grid: Pick<Grid, 'name' | 'parts'>,
  keys: readonly string[],
): readonly unknown[] =>
  keyColumns(grid).flatMap((column, i) => (isPart(grid, column) ? [] : [[column, keys[i]]]));

/** Returns the HMAC of a value, a character for each byte: a text is cheaper than a buffer. */
export const hashOf = (key: Buffer, what: unknown): string => textHash(key, JSON.stringify(what));

const textHash = (key: Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('binary');

/** What is drawn of many cells of a grid alike: it is made once. */
function sharedHash({ key, drawn }: Grid, what: unknown): string {
  const name = JSON.stringify(what);
  const known = drawn.get(name) ?? textHash(key, name);
  drawn.set(name, known);
  return known;
}

/** What is drawn of one cell alone. */
const cellHash = ({ date, keys }: StoredCell, { subject, name, key }: Grid, what: unknown) =>
  hashOf(key, [subject, name, date, keys, what]);

/** 32 bits of a hash as a part of one. */
export const partOf = (hash: string, at: number) =>
  (((hash.charCodeAt(at) * 256 + hash.charCodeAt(at + 1)) * 256 + hash.charCodeAt(at + 2)) * 256 +
    hash.charCodeAt(at + 3)) /
  2 ** 32;

/** 32 bits of a hash as a share from -1 to 1. */
export const shareOf = (hash: string, at: number) => partOf(hash, at) * 2 - 1;
