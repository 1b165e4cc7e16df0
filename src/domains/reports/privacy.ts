import {
  type CellNoises,
  DOMINANT,
  type Excluded,
  type Grid,
  hashOf,
  isOfCohort,
  isOfParts,
  type Noises,
  partOf,
  ROUNDED,
  Secrets,
  type SharedNoise,
  type SharedPart,
  STEP,
  type StoredCell,
  shareOf,
} from './noise.js';
import type { Distinct } from './rollup/sketch.js';

/**
 * Each of the shared parts of the noise of a cell is of so many average accounts: of the least, or
 * of this share of the accounts where that is more; of the most at most. The share is of the accounts of
 * the cell or, where that is more, of what is typical of cells of twenty and more. Of how many
 * accounts there are it is always the most: nobody adds more than another there.
 */
const HIDES = { least: 8, share: 0.028, most: 9 } as const;
/** The least of it of the buckets of a spread, which are not shown. */
const LEAST_OF_BUCKETS = 4.5;
/** The own noise of a cell of some twenty eligible accounts and more is of this share of them. */
const OWN_SHARE = 0.012;
/** The own noise of smaller cells, and of parts of months, is of so many average accounts. */
const OWN_OF_PARTS = 10;
/** No noise is smaller. */
const LEAST_BOUND = STEP / 2;
/** What each cell adds to the noise of a number of different accounts. */
const PART = STEP / 3;
/**
 * What all such numbers have alike, what each group of cells adds, and what the cells together do. Three
 * parts of eight would make the interval of 200 members wider than a fifth of them.
 */
const UNITED = { all: 6, group: 8, together: 7 } as const;
/**
 * Each part of the noise of a cohort is at most so many of its average accounts, in every week and
 * month: noise of another size would tell what it is of.
 */
const COHORT_HIDES = { stable: 8, fresh: 16, own: 6 } as const;

/** A number as it may be shown, and the bound of its noise; 0 for an exact one. */
export interface Noisy {
  readonly value: number;
  readonly bound: number;
  /** The parts of the bound that are of noises which all numbers of these names share. */
  readonly shared?: readonly SharedPart[] | undefined;
  /** What an estimate may be off beside that. */
  readonly error?: number;
}

/** What of a cell may be shown. */
export interface ShownCell {
  /** None when it is not asked for. */
  readonly accounts?: Noisy | undefined;
  /** By their places; none of those that are not asked for. */
  readonly sums: readonly (Noisy | undefined)[];
  /** None when they are not known, or not asked for. */
  readonly buckets?: readonly Noisy[] | undefined;
}

/** What is asked for of a cell. */
export interface Wanted {
  /** By their places. */
  readonly sums: readonly boolean[];
  readonly accounts: boolean;
}

/**
 * Returns what draws the numbers of a cell as they may be shown: none below a threshold of eligible
 * accounts, 3 to 9, that is secret, or where one account has more than a secret share. The noise has five
 * parts, that of days and weeks seven. Two are stable, whatever the time, so that sums over time keep
 * them; two fresh: drawn again for all cells of a month when somebody joins or leaves it; two of days and
 * weeks are of their week. Of each pair one is of the month's cells, which all grids have, and one of the
 * values of the cell, but for those that say how something was. The last is of the cell and its sum, so
 * that nothing that is added can be weighed. All are HMACs: the same for whoever asks, however often. All
 * sums of a cell share them, so that rates stay close.
 * docs/reports.md has the guarantee.
 */
export function shown(cell: StoredCell, grid: Grid): ((wanted?: Wanted) => ShownCell) | undefined {
  const secrets = new Secrets(grid, cell, largestFacts(cell, grid));
  if (secrets.isFew(cell.eligible)) return undefined;
  if (!grid.isPublic && isDominated(cell, grid, secrets)) return undefined;
  return (wanted) => drawnCell(cell, grid, secrets, wanted);
}

/** A question draws thousands of cells: none is copied, which made most of the garbage of a report. */
function drawnCell(cell: StoredCell, grid: Grid, secrets: Secrets, wanted?: Wanted): ShownCell {
  const excluded = grid.excludes?.(cell.keys);
  const { buckets } = cell;
  const drawn = { secrets, noises: secrets.noises() };
  return {
    accounts: wanted?.accounts === false ? undefined : shownAccounts(cell, grid, drawn),
    sums: shownSums(cell, grid, drawn, { excluded: excluded?.sums, wanted: wanted?.sums }),
    buckets: buckets ? shownBuckets(cell, buckets, grid, drawn, excluded?.buckets) : undefined,
  };
}

interface Drawn {
  readonly secrets: Secrets;
  readonly noises: CellNoises;
}

/** What there is none of, whoever is in a cell. Noise of it would be that of other numbers. */
const NONE: Noisy = { value: 0, bound: 0 };

function shownSums(
  cell: StoredCell,
  grid: Grid,
  { secrets, noises }: Drawn,
  { excluded, wanted }: Readonly<Record<'excluded' | 'wanted', readonly boolean[] | undefined>>,
): readonly (Noisy | undefined)[] {
  const boundsOf = isOfCohort(grid)
    ? cohortBounds(cell, secrets)
    : noiseBounds(cell, largestFacts(cell, grid), grid, secrets);
  return cell.sums.map((sum, i) => {
    if (wanted?.[i] === false) return undefined;
    return excluded?.[i] ? NONE : shownSum(sum, noises.ofSum(i, sum), boundsOf(sum, grid.facts[i]));
  });
}

/**
 * Returns what may be shown of the buckets of a cell. Their noise is measured as that of its sums,
 * and is not that of them: together they would tell more.
 */
function shownBuckets(
  cell: StoredCell,
  buckets: readonly number[],
  grid: Grid,
  { secrets, noises }: Drawn,
  excluded: Excluded['buckets'] | undefined,
): readonly Noisy[] {
  const most = Math.max(largestFacts(cell, grid), ...buckets);
  const boundsOf = noiseBounds(cell, most, grid, secrets, LEAST_OF_BUCKETS);
  const ofBuckets = noises.ofBuckets();
  return buckets.map((count, i) =>
    excluded?.[i] ? NONE : shownSum(count, ofBuckets, boundsOf(count, true)),
  );
}

function shownSum(
  sum: number,
  noises: Noises,
  bounds: Bounds,
  which: 'ofSums' | 'ofAccounts' = 'ofSums',
): Noisy {
  const { stable, fresh, own } = noises;
  let noise = (typeof own === 'number' ? own : own[which]) * bounds.own;
  for (const each of stable) noise += each[which] * bounds.stable;
  for (const each of fresh) noise += each[which] * bounds.fresh;
  return {
    value: Math.max(0, toStep(sum + noise)),
    bound: bounds.own + stable.length * bounds.stable + fresh.length * bounds.fresh,
    shared: sharedParts(noises, bounds),
  };
}

/** Returns the parts of a noise that numbers share, with their bounds. */
function sharedParts({ stable, fresh, own, parts }: Noises, bounds: Bounds): readonly SharedPart[] {
  const known = parts?.get(bounds.stable);
  if (known) return known;
  const bounded = (noises: readonly SharedNoise[], bound: number) =>
    noises.map(({ name }) => ({ name, bound }));
  const made = [
    ...bounded(stable, bounds.stable),
    ...bounded(fresh, bounds.fresh),
    ...bounded(typeof own === 'number' ? [] : [own], bounds.own),
  ];
  parts?.set(bounds.stable, made);
  return made;
}

/**
 * Returns the bounds of the noise of the sums of a cohort: so many times those of one of its weeks
 * as it counts. So what is shown of two months tells no more than either. The other sums are parts
 * of the first, to which an account adds as much as to that.
 */
function cohortBounds(
  { accounts, sums, weeks = 1 }: Pick<StoredCell, 'accounts' | 'sums' | 'weeks'>,
  { phase }: Pick<Secrets, 'phase'>,
): BoundsOf {
  const ofWeek = (sums[0] ?? 0) / weeks / accounts;
  const of = (part: keyof Bounds) => weeks * boundOf(COHORT_HIDES[part] * ofWeek, phase);
  const bounds = { stable: of('stable'), fresh: of('fresh'), own: of('own') };
  return () => bounds;
}

/** The bounds of the parts of a noise. */
type Bounds = Readonly<Record<'stable' | 'fresh' | 'own', number>>;

/** Returns the bounds of the noise of a sum, which is of facts or not. */
type BoundsOf = (sum: number, isOfFacts?: boolean) => Bounds;

/**
 * Returns how the noise of a sum of a cell is bound: by so many average accounts; a count that is
 * rare has at least a quarter of that of the largest, which is `most`.
 */
function noiseBounds(
  cell: Pick<StoredCell, 'accounts' | 'eligible' | 'typical'>,
  most: number,
  grid: Pick<Grid, 'name' | 'parts'>,
  secrets: Secrets,
  least: number = HIDES.least,
): BoundsOf {
  const { accounts, eligible, typical } = cell;
  const { phase } = secrets;
  const usual = Math.max(accounts, typical ?? 0);
  const ofShared = Math.min(HIDES.most, Math.max(least, HIDES.share * usual));
  // Who knows all of a part knows the noise of the whole but for what the part has of its own.
  const isHidden = isOfParts(grid) || !secrets.isLarge(eligible);
  const ofOwn = isHidden ? OWN_OF_PARTS : Math.min(HIDES.most, OWN_SHARE * usual);
  return (sum, isOfFacts) => {
    const scale = Math.max(sum, isOfFacts ? most / 4 : 0) / accounts;
    const shared = boundOf(ofShared * scale, phase);
    return { stable: shared, fresh: shared, own: boundOf(ofOwn * scale, phase) };
  };
}

/**
 * Returns a bound, rounded to 2.5, 5, 10, 20 and so on, at a place that is secret: it is shown by
 * intervals and must not tell the sum.
 */
function boundOf(amount: number, phase: number): number {
  const doubled = Math.floor(Math.log2(amount / LEAST_BOUND) + phase / 2);
  return LEAST_BOUND * 2 ** Math.max(0, doubled);
}

/**
 * Returns whether one account has more than a secret share of the largest sum of facts, 1/4 to 2/5.
 * Who adds to it draws the share again with each tenth, and so cannot find the sum.
 */
function isDominated({ sums, tops }: StoredCell, { facts }: Grid, secrets: Secrets): boolean {
  const most = largestFacts({ sums }, { facts });
  const top = tops[sums.findIndex((sum, i) => (facts[i] ? sum : 0) === most)] ?? 0;
  // Of most cells the secret need not be drawn.
  if (top <= DOMINANT.least * most) return false;
  return top > DOMINANT.most * most || top > secrets.share() * most;
}

const largestFacts = ({ sums }: Pick<StoredCell, 'sums'>, { facts }: Pick<Grid, 'facts'>): number =>
  sums.reduce((most, sum, i) => (facts[i] && sum > most ? sum : most), 0);

/** A cell whose accounts are counted together with those of others. */
export interface CountedCell {
  /** One for all cells of a cohort. */
  readonly name: string;
  /** Names its subject and its values but times: whose it is. */
  readonly group: string;
}

/**
 * Returns what may be shown of how many different accounts there are behind several cells. Each cell
 * brings a noise of its own, whatever the others are, and who they are together brings another one: no
 * number of questions tells who is in one cell alone. Each group of cells brings one whatever their
 * time: the mean of many spans keeps it, and so does what is between two groups. That of all stays in
 * the mean of groups.
 */
export function shownDistinct(
  { accounts, error, united }: Distinct,
  all: readonly CountedCell[],
  key: Buffer,
): Noisy {
  const names = [...new Set(all.map(({ name }) => name))];
  const groups = [...new Set(all.map(({ group }) => group))];
  const drawn = (...what: unknown[]) => shareOf(hashOf(key, ['accounts', ...what]), 0);
  const cells = names.reduce((sum, name) => sum + drawn('cell', name), 0);
  const stable = groups.reduce((sum, group) => sum + drawn('group', group), 0) * UNITED.group;
  const others = drawn('all') * UNITED.all + drawn('united', united) * UNITED.together;
  return {
    value: Math.max(STEP, toStep(accounts + cells * PART + stable + others)),
    bound: names.length * PART + groups.length * UNITED.group + UNITED.all + UNITED.together,
    shared: [
      ...names.map((name) => ({ name: `accounts ${name}`, bound: PART })),
      ...groups.map((group) => ({ name: `accounts of ${group}`, bound: UNITED.group })),
      { name: 'accounts', bound: UNITED.all },
    ],
    error,
  };
}

function shownAccounts(cell: StoredCell, grid: Grid, { secrets, noises }: Drawn): Noisy {
  const { accounts } = cell;
  const boundsOf = isOfCohort(grid)
    ? cohortBounds({ accounts: 1, sums: [1] }, secrets)
    : noiseBounds(cell, accounts, grid, secrets, HIDES.most);
  const bounds = boundsOf(accounts, true);
  const { value, bound, shared } = shownSum(accounts, noises.ofAccounts(), bounds, 'ofAccounts');
  return { value: Math.max(STEP, value), bound, shared };
}

/**
 * Returns how many cells are not shown, as it may be told: rounded to ten, up or down by a secret
 * of their grid.
 */
export function shownHidden(cells: number, grid: Pick<Grid, 'subject' | 'name' | 'key'>): number {
  const offset = partOf(hashOf(grid.key, ['hidden', grid.subject, grid.name]), 0);
  return Math.floor(cells / ROUNDED + offset) * ROUNDED;
}

/** How far rounding moves a number at most, and the variance of that. */
export const ROUNDING = { most: STEP / 2, variance: STEP ** 2 / 12 } as const;

const toStep = (value: number) => Math.round(value / STEP) * STEP;
