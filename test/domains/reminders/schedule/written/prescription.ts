// Directions with known meanings, as prescribers, pharmacists and patients write them. The words
// are those of prescriptions, and not of the tables of the reader.
import { isDeepStrictEqual } from 'node:util';
import type { Meaning } from '../../../../../src/domains/reminders/schedule/words/meaning.js';
import { AROUND, type Around } from './around.js';

/** Chooses one of several. */
export type Pick = <T>(from: readonly T[]) => T;

/** How often, in words, and what that means without an amount. */
export type Often = readonly [words: string, means: Bare];
export type Bare = Omit<Meaning, 'amount'>;

/** A form with the ways in which it is written after a number: of one, and of several. */
export interface Form {
  readonly unit: string;
  readonly one: readonly string[];
  readonly many: readonly string[];
  /** What is done with it. */
  readonly verbs: readonly string[];
  /** Ways into the body, and places. */
  readonly routes: readonly string[];
  readonly values: readonly Value[];
}

/** An amount with the ways in which it is written; `one`: its form stands in the singular. */
export interface Value {
  readonly value: string;
  readonly written: readonly string[];
  readonly one?: boolean;
}

/** How a language is written. */
export interface Language {
  readonly name: string;
  readonly forms: readonly Form[];
  readonly often: readonly Often[];
  /** Several times, for what is taken as needed: with a maximum or a least interval. */
  readonly needed: readonly Often[];
  /** How long: words, unit and number. */
  readonly courses: readonly (readonly [words: string, unit: 'day' | 'week', count: number])[];
  /** Until the supply is finished. */
  readonly finishes: readonly string[];
  /** What changes nothing of it. */
  readonly advice: readonly string[];
  /** What it is for, only behind "as needed". */
  readonly reasons: readonly string[];
  readonly orders: readonly Order[];
  /** What stands between two phases. */
  readonly thens: readonly string[];
  readonly household: Household;
}

/** What a language says of a household. */
export interface Household {
  /** A verb with who takes it. */
  readonly takers: readonly string[];
  /** Each day but some of the week, and an hour with its part of the day. */
  readonly often: readonly Often[];
  /** Behind as needed: a complaint with a value. */
  readonly values: readonly string[];
  /** At the end of a direction: how many are handed out. */
  readonly handed: readonly string[];
  /** One time that is named twice, or two of them: nobody can tell. */
  readonly twice: readonly string[];
  /** Two who take it. */
  readonly two: (one: string, other: string) => string;
}

/** The parts of a direction, empty where they are not said. */
export interface Parts {
  readonly verb: string;
  readonly amount: string;
  readonly route: string;
  readonly often: string;
  readonly course: string;
  readonly note: string;
}
export type Order = (parts: Parts) => string;

/** A direction, what it means, and its parts. */
export interface Written {
  readonly text: string;
  readonly means: Meaning;
  readonly language: string;
  readonly parts: Parts;
  readonly order: Order;
}

export const daily = (timesADay = 1): Bare =>
  ({ kind: 'calendar', unit: 'day', every: 1, timesADay }) as Bare;
export const every = (count: number, unit: 'day' | 'week' | 'month'): Bare =>
  ({ kind: 'calendar', unit, every: count, timesADay: 1 }) as Bare;
export const hours = (count: number): Bare => ({ kind: 'interval', minutes: 60 * count }) as Bare;
export const at = (...times: readonly (string | readonly [string, 'before' | 'after'])[]): Bare =>
  ({
    kind: 'calendar',
    unit: 'day',
    every: 1,
    timesADay: times.length,
    at: times.map((time) =>
      typeof time !== 'string'
        ? { anchor: time[0], relation: time[1] }
        : time.includes(':')
          ? { clock: time }
          : { anchor: time, relation: 'with' },
    ),
  }) as unknown as Bare;
export const on = (...weekdays: readonly number[]): Bare =>
  ({ kind: 'calendar', unit: 'week', every: 1, timesADay: 1, weekdays }) as Bare;
export const needed = (limits: { maxPerDay?: number; leastMinutes?: number } = {}): Bare =>
  ({ kind: 'as_needed', ...limits }) as Bare;

/** Writes some ways to say one thing. */
export const ways = (means: Bare, words: string): readonly Often[] =>
  words.split('|').map((one) => [one, means]);

/** Draws a direction of a language. */
export function written(language: Language, pick: Pick): Written {
  const form = pick(language.forms);
  const value = pick(form.values);
  const number = pick(value.written);
  const unit = pick(value.one ? form.one : form.many);
  const isNeeded = pick([false, false, false, true]);
  const around = AROUND[language.name] as Around;
  const { household } = language;
  const [often, bare] = pick(isNeeded ? language.needed : [...language.often, ...household.often]);
  // A course that is shorter than its period is a cycle.
  const { unit: period, every: count } = bare as { unit?: string; every?: number };
  const mayEnd = !isNeeded && period === 'day' && count === 1;
  const course = mayEnd && pick([false, true]) ? pick(language.courses) : undefined;
  const parts: Parts = {
    verb: pick(['', ...form.verbs, pick(household.takers)]),
    amount: unit ? `${number} ${unit}` : number,
    route: pick(['', '', ...form.routes, ...(form.unit === 'drop' ? around.sites : [])]),
    often,
    course: course?.[0] ?? '',
    note: pick([
      '',
      '',
      pick(isNeeded ? language.reasons : language.advice),
      pick(isNeeded ? [...around.complaints, ...household.values] : around.advice),
      pick(['', ...language.finishes]),
    ]),
  };
  const bounds = course && { bounds: { kind: 'duration', unit: course[1], count: course[2] } };
  // Beside a length, and as needed, it is advice.
  const isEnd = !isNeeded && !course && language.finishes.includes(parts.note);
  const ended = isEnd ? { ...parts, course: parts.note, note: '' } : parts;
  const order = pick(language.orders);
  const means = {
    ...bare,
    ...(isEnd ? { bounds: { kind: 'supply' } } : bounds),
    amount: { value: value.value, unit: form.unit },
  } as Meaning;
  const handed = pick(['', '', '', pick(household.handed)]);
  const text = spelt(`${order(ended)} ${handed}`, pick);
  return { text, means, language: language.name, parts: ended, order };
}

/** A course in phases, and what it means; undefined where its phases are one. */
export function phased(
  language: Language,
  pick: Pick,
): Omit<Written, 'parts' | 'order'> | undefined {
  const form = pick(language.forms);
  const order = pick(language.orders);
  const count = pick([2, 2, 3]);
  const calendar = language.often.filter(([, { kind }]) => kind === 'calendar');
  const phases = Array.from({ length: count }, (_, i) => {
    const value = pick(form.values);
    const unit = pick(value.one ? form.one : form.many);
    const [often, bare] = pick(calendar);
    const number = pick(value.written);
    const [words, length, many] = pick(language.courses);
    const ends = i < count - 1 || pick([false, true]);
    const parts = {
      verb: i === 0 ? pick(['', ...form.verbs]) : '',
      amount: unit ? `${number} ${unit}` : number,
      route: '',
      often,
      course: ends ? words : '',
      note: '',
    };
    const days = ends ? many * (length === 'week' ? 7 : 1) : undefined;
    return { text: order(parts), bare, days, value: value.value };
  });
  const means = meaningOf(phases, form.unit);
  const text = phases.map((phase) => phase.text).join(pick(language.thens));
  return means && { text: spelt(text, pick), means, language: language.name };
}

interface Drawn {
  readonly bare: Bare;
  readonly days: number | undefined;
  readonly value: string;
}

const LEAST = { day: 1, week: 7, month: 28, year: 365 } as const;

function meaningOf(phases: readonly Drawn[], unit: string): Meaning | undefined {
  const [first] = phases as [Drawn];
  const same = phases.every(({ bare }) => isDeepStrictEqual(bare, first.bare));
  const changes = phases.slice(1).map(({ value }, i) => value !== phases[i]?.value);
  const repeated = phases.slice(1).some(({ bare }, i) => {
    const before = phases[i] as Drawn;
    return isDeepStrictEqual(bare, before.bare) && changes[i] === false;
  });
  if (repeated) return undefined;
  const { unit: period, every: often } = first.bare as unknown as { unit: string; every: number };
  const isTaper = same && period === 'day' && often === 1;
  const tooShort = phases.some(({ bare, days = 999 }) => {
    const { unit: one, every: many } = bare as unknown as { unit: 'day'; every: number };
    return days < LEAST[one] * many;
  });
  if (tooShort) return undefined;
  let after = 0;
  const steps = phases.slice(1).flatMap(({ value }, i) => {
    after += phases[i]?.days ?? 0;
    return changes[i] ? [{ after, value }] : [];
  });
  const amount = { value: first.value, unit, ...(steps.length > 0 && { steps }) };
  const last = phases.at(-1)?.days;
  const total = last === undefined ? undefined : after + last;
  if (isTaper) {
    const bounds = total && { bounds: { kind: 'duration', unit: 'day', count: total } };
    return { ...first.bare, ...bounds, amount } as Meaning;
  }
  const each = phases.map(({ bare, days }) => ({ often: bare, ...(days && { days }) }));
  return { kind: 'phased', phases: each, amount } as unknown as Meaning;
}

/** A direction with its parts joined, and as people spell: in capitals, with a point at the end. */
export function spelt(text: string, pick: Pick): string {
  const plain = text
    .replace(/ {2,}/g, ' ')
    .replace(/ ([,;])/g, '$1')
    .trim();
  const cased = pick([plain, plain, plain, capital(plain), plain.toUpperCase()]);
  return cased.endsWith('.') ? cased : `${cased}${pick(['', '', '.'])}`;
}
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
