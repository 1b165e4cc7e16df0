import { isDeepStrictEqual } from 'node:util';
import { canShareUnit } from './amount.rules.js';
import { isLess, isSameProduct } from './exact.js';
import type { Amount, Calendar, Meaning, Phase as MeantPhase } from './meaning.js';
import { meant, timesIn } from './meant.js';
import { MEASURED } from './note.rules.js';
import { portionOf } from './number.rules.js';
import type { Note as Kept, NotePart, PhrasePart } from './said.js';
import { areHoursFirst } from './stored.js';

/** Most ways to read a course in phases. */
export const MOST_WAYS = 16;

/** What a part of a phrase says, with `Notes` of anything else. */
export interface State<Note> {
  readonly said: PhrasePart;
  readonly notes: readonly Note[];
}

/** A course in phases that differ by their amounts, or by how often they come. */
export interface Course<Note> extends State<Note> {
  readonly meanings: readonly Meaning[];
}

/** A phase: how many days it lasts, where that is said, and what is taken in it. */
export interface Phase<Note> extends State<Note> {
  readonly days?: number;
  /** From which day of the course on, where that is said. */
  readonly from?: number | undefined;
  /** Whether a word says that it follows the one before. */
  readonly follows: boolean;
}

/** Returns each choice of one way for each phase. */
export function combined<T>(ways: readonly (readonly T[])[]): T[][] {
  return ways.reduce<T[][]>(
    (before, all) => before.flatMap((phases) => all.map((one) => [...phases, one])),
    [[]],
  );
}

/** Returns what phases mean together: no meaning where they do not follow each other. */
export function together<Note extends Kept>(
  given: readonly Phase<Note>[],
  stops: boolean,
): Course<Note> {
  const phases = spaced(given);
  if (!phases) return { said: {}, notes: [], meanings: [] };
  const notes = phases.flatMap((phase) => phase.notes);
  const isNone = isOpenWeek(phases, stops) || hasLostAmount(phases) || areSeveral(notes);
  const total = isNone ? undefined : lengthOf(phases, stops);
  const ways = total === undefined ? [] : phases.map((phase) => oftenIn(phase, phases));
  const count = ways.reduce((all, { length }) => all * length, 1);
  if (total === undefined || count > MOST_WAYS) return { said: {}, notes, meanings: [] };
  const meanings = combined(ways).flatMap((often) =>
    often.every((one) => isDeepStrictEqual(one, often[0]) && isDaily(one))
      ? tapered(phases, often[0] as Often, total)
      : differing(phases, often),
  );
  return { said: {}, notes, meanings };
}

/** 2 tablets od for 3 days, then tablet bd: a number is lost. */
const hasLostAmount = <Note extends Kept>(phases: readonly Phase<Note>[]): boolean =>
  phases.some(({ said }) => said.amount) &&
  phases.some(({ said, notes }) => !said.amount && notes.some(({ part }) => part === 'form'));

/** Two medicines or two eyes: more than one course. */
const areSeveral = (notes: readonly Kept[]): boolean =>
  SINGLE.some((single) => {
    const texts = notes.filter(({ part }) => part === single).map(({ text }) => text);
    const [longest = ''] = texts.sort((one, other) => other.length - one.length);
    return texts.some((text) => !longest.endsWith(text));
  });
const SINGLE: readonly NotePart[] = ['medicine', 'site'];

/**
 * Returns whether lengths that make a week may be days of each week: 5 mg 5 days, 2.5 mg 2 days.
 * Words that one follows the other, or of an end, say that they are not.
 */
const isOpenWeek = <Note>([first, ...later]: readonly Phase<Note>[], stops: boolean): boolean =>
  !stops &&
  later.every(({ from, follows }) => from === undefined && !follows) &&
  later.reduce((sum, { days = 0 }) => sum + days, first?.days ?? 0) === WEEK;
const WEEK = 7;

/**
 * Returns single days with days between them as phases that come once, up to the next of them:
 * 160 mg on day 1, 80 mg on day 15, then 40 mg every other week. Undefined where nobody knows how
 * long one of them is.
 */
function spaced<Note>(phases: readonly Phase<Note>[]): readonly Phase<Note>[] | undefined {
  const gaps = phases.map((_, i) => gapBehind(phases, i));
  if (!gaps.some((gap) => gap !== undefined && gap > 1)) return phases;
  if (gaps.includes(undefined)) return undefined;
  return phases.map((phase, i) => {
    const { count: _, per: __, ...said } = phase.said;
    const gap = gaps[i] ?? 0;
    if (gap > 1) return { ...phase, days: gap, said: { ...said, ...everyDay(gap) } };
    return saidOften(phase.said) ? phase : { ...phase, said: { ...said, ...DAILY } };
  });
}
const everyDay = (count: number): PhrasePart => ({ every: { unit: 'day', count } });
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 };

/**
 * Returns how many days a single day of the course is before the next phase. What comes in a period
 * without saying from when follows in the distance of the two days before; any other is unknown.
 */
function gapBehind<Note>(phases: readonly Phase<Note>[], i: number): number | undefined {
  const [before, phase, next] = [phases[i - 1], phases[i], phases[i + 1]];
  const { from, days, said: { every, interval, count = 1 } = {} } = phase ?? {};
  if (from === undefined || days !== 1 || !next || every || interval || count !== 1) return 0;
  const { unit, count: some } = next.said.every ?? { unit: 'day', count: 0 };
  const period = some * (DAYS[unit] ?? 0);
  if (next.from !== undefined) {
    const gap = next.from - from;
    // A day that is left out before days in a row may be a mistake.
    return gap <= 1 || next.days === 1 || period > 1 ? gap : undefined;
  }
  return before?.from !== undefined && from - before.from === period ? period : undefined;
}

type Often = MeantPhase['often'];

/**
 * Returns how often a phase comes; what does not say it comes as the others, if that is once a day:
 * two now, then one every 12 hours are not two every 12 hours.
 */
function oftenIn<Note>({ said }: Phase<Note>, phases: readonly Phase<Note>[]): Often[] {
  // A limit of one of them says nothing of the others.
  if (said.maxPerDay !== undefined || said.maxAmount) return [];
  const own = saidOften(said);
  const often = meant(own ?? commonOf(phases) ?? {});
  const { amountPer } = said;
  return often.flatMap((one): Often[] => {
    // 40 mg a day bd: each time, or in all.
    if (amountPer && timesIn(one, amountPer) > 1) return [];
    if (one.kind === 'interval') return own && !one.bounds ? [one] : [];
    return one.kind === 'calendar' && !one.bounds && (own || one.timesADay === 1) ? [one] : [];
  });
}

/**
 * Returns how often all phases come that say it, daily where none does. Undefined where they
 * differ.
 */
function commonOf<Note>(phases: readonly Phase<Note>[]): PhrasePart | undefined {
  const [first = DAILY, ...others] = phases.flatMap(({ said }) => saidOften(said) ?? []);
  return others.every((one) => isDeepStrictEqual(one, first)) ? first : undefined;
}
const DAILY: PhrasePart = everyDay(1);

function saidOften({
  amount: _,
  strength: __,
  amountPer: ___,
  ...often
}: PhrasePart): PhrasePart | undefined {
  return Object.keys(often).length > 0 ? often : undefined;
}

const isDaily = (often: Often) =>
  often.kind === 'calendar' && often.unit === 'day' && often.every === 1;

/** Returns the course of days that differ by their amounts. */
function tapered<Note>(phases: readonly Phase<Note>[], often: Often, total: number): Meaning[] {
  const amount = keptAmount(phases);
  const changes = (amount?.steps?.length ?? 0) === phases.length - 1;
  if (!amount || !changes || phases.some(({ said }) => !said.amount)) return [];
  const bounds = total > 0 && ({ kind: 'duration', unit: 'day', count: total } as const);
  return 'cycle' in often ? [] : [{ ...often, ...(bounds && { bounds }), amount }];
}

/** Returns what phases mean that come differently often. */
function differing<Note>(phases: readonly Phase<Note>[], often: readonly Often[]): Meaning[] {
  const amount = keptAmount(phases);
  const fit = often.every((one, i) => one.kind === 'interval' || isPhase(one, phases[i]?.days));
  if (!isSequence(phases, often) || !fit || amount === null) return [];
  const all = often.map((one, i): MeantPhase => {
    const days = phases[i]?.days;
    return { ...(days !== undefined && { days }), often: one };
  });
  if (!areHoursFirst(all)) return [];
  const changed = all.every((one, i) => {
    const before = all[i - 1];
    return !before || !isDeepStrictEqual(one.often, before.often) || isStep(amount, all, i);
  });
  return changed ? [{ kind: 'phased', phases: all, ...(amount && { amount }) }] : [];
}

/**
 * Returns whether phases follow each other: by a word, or by the days of each. Where a word stands
 * before the last one only, those with times of the day may as well be for the same days: 1 in the
 * morning for 7 days, 2 at night for 7 days, then 1 daily.
 */
function isSequence<Note>(phases: readonly Phase<Note>[], often: readonly Often[]): boolean {
  const [, ...later] = phases;
  const isList = later.at(-1)?.follows === true && !often.some((one) => 'at' in one);
  return isList || later.every(({ from, follows }) => follows || from !== undefined);
}

/** Returns whether the amount changes with a phase. */
function isStep(amount: Amount | undefined, phases: readonly MeantPhase[], i: number): boolean {
  const after = phases.slice(0, i).reduce((sum, { days = 0 }) => sum + days, 0);
  return amount?.steps?.some((step) => step.after === after) === true;
}

const LEAST = { day: 1, week: 7, month: 28, year: 365 } as const;

/** A phase is at least as long as its period, and has one amount. */
const isPhase = ({ unit, every, at }: Calendar, days = Number.POSITIVE_INFINITY): boolean =>
  !at?.some(({ amount }) => amount) && days >= LEAST[unit] * every;

/**
 * Returns the amount of the first phase with its steps, where a phase without one keeps that of the
 * phase before; undefined where none has one, null where they do not fit.
 */
function keptAmount<Note>(phases: readonly Phase<Note>[]): Amount | undefined | null {
  const stated = phases.map(({ said: { amount, strength } }) => ({ amount, strength }));
  if (stated.every(({ amount, strength }) => !amount && !strength)) return undefined;
  const [first] = stated;
  const amounts = stated.flatMap(({ amount }) => amount ?? []);
  if (first?.amount && amounts.some((one) => isPartOf(one, first.amount as Amount))) return null;
  const [unit, another] = new Set(amounts.flatMap((one) => one.unit ?? []));
  const isLater = first?.amount?.unit === undefined && MEASURED.has(unit ?? '');
  if (isLater || !canShareUnit(amounts)) return null;
  if (!first?.amount || another !== undefined || amounts.some(({ onDays }) => onDays)) return null;
  const { each } = first.amount;
  const unlike =
    amounts.some((one) => !isDeepStrictEqual(one.each, each)) ||
    stated.some((one) => one.strength && !isOfSameStrength(one, first as Stated));
  return unlike ? null : stepped({ ...first.amount, ...(unit !== undefined && { unit }) }, phases);
}

/** 10 units, then half: of a unit, or of the ten. */
const isPartOf = ({ unit, value }: Amount, first: Amount): boolean =>
  unit === undefined && first.unit !== undefined && first.value !== '1' && isLess(value, '1');

type Stated = Pick<PhrasePart, 'amount' | 'strength'>;
/** Two of 500 mg, one of 250 mg: the strength of each phase may be that of all its pieces. */
function isOfSameStrength(one: Stated, other: Stated): boolean {
  if (isDeepStrictEqual(one.strength, other.strength)) return true;
  if (one.strength?.unit !== other.strength?.unit) return false;
  const { value = '0' } = one.amount ?? {};
  const { value: otherValue = '0' } = other.amount ?? {};
  return isSameProduct(
    [one.strength?.value ?? '0', otherValue],
    [other.strength?.value ?? '0', value],
  );
}

/** Returns an amount with the steps to those of later phases. */
function stepped<Note>(first: Amount, phases: readonly Phase<Note>[]): Amount {
  let [after, last] = [0, portionOf(first)];
  const steps = phases.flatMap(({ said: { amount }, days = 0 }) => {
    const next = portionOf(amount ?? last);
    const step = isDeepStrictEqual(next, last) ? [] : [{ after, ...next }];
    after += days;
    last = next;
    return step;
  });
  return steps.length > 0 ? { ...first, steps } : first;
}

/** Returns how many days there are, 0 without an end; undefined where they do not follow. */
function lengthOf<Note>(phases: readonly Phase<Note>[], stops: boolean): number | undefined {
  let total = 0;
  for (const [i, { days, from }] of phases.entries()) {
    const isLast = i === phases.length - 1;
    if (from !== undefined && from !== total + 1) return undefined;
    if (days === undefined) return isLast && !stops ? 0 : undefined;
    total += days;
  }
  return total;
}
