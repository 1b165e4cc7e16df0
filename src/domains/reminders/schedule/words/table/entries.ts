import type { Anchor, Relation, Unit } from '../meaning.js';
import { EACH_HOUR, type NotePart, type PhrasePart } from '../said.js';
import type { Mark, Table, Term } from '../term.js';

/** An entry of a table: a term, and its words parted by bars. */
export type Entry = readonly [Term, string];

export const mark = (is: Mark, words: string): Entry => [{ is }, words];
/** Every. A plural behind it has lost its number. */
export const everyOne = (words: string): Entry => [{ is: 'every' }, words];
/** Every, with a plural behind it: todos los días. */
export const everyOf = (words: string): Entry => [{ is: 'every', plural: true }, words];
export const says = (words: string, ...said: readonly PhrasePart[]): Entry => [
  { is: 'says', said },
  words,
];
/** When the member needs it. */
export const needed = (words: string): Entry => says(words, { asNeeded: true });
export const eachHour = (words: string): Entry => says(words, EACH_HOUR);
/** A whole statement in Latin, beside which a number alone is an amount: 1 bd, bd 1. */
export const latin = (words: string, ...said: readonly PhrasePart[]): Entry => [
  { is: 'says', said, latin: true },
  words,
];
/** Returns all words that lists of them make one behind the other; a list may have an empty one. */
export const ways = (...lists: readonly string[]): string =>
  lists
    .reduce<readonly string[]>(
      (before, list) =>
        before.flatMap((one) => list.split('|').map((word) => `${one} ${word}`.trim())),
      [''],
    )
    .filter(Boolean)
    .join('|');
/** What does not change when it rings. */
export const note = (part: NotePart, words: string): Entry => [{ is: 'note', part }, words];
/** What may go into an eye: ointment, gel. Beside it od is one. */
export const forEyes = (words: string): Entry => [
  { is: 'note', part: 'medicine', eyes: true },
  words,
];
/** Advice that is an end, where nothing else says one: until finished. */
export const finish = (words: string): Entry => [
  { is: 'note', part: 'advice', finish: true },
  words,
];
/** The same, where it may be the end of what is treated: until gone. */
export const gone = (words: string): Entry => [
  { is: 'note', part: 'advice', finish: true, gone: true },
  words,
];
/** Before the first meal: advice, or a time where nothing else says when. */
export const fasting = (words: string): Entry => [
  { is: 'note', part: 'advice', fasting: true },
  words,
];
export const amount = (value: string, name: string, words: string): Entry => [
  { is: 'amount', amount: { value, unit: name } },
  words,
];
export const decimal = (value: string, words: string): Entry => [
  { is: 'number', value, spelt: true },
  words,
];
export const unit = (name: Unit | 'hour' | 'minute', words: string): Entry => [
  { is: 'unit', unit: name },
  words,
];
/** The plural of a unit: every hours has lost its number. French says toutes les heures. */
export const units = (name: Unit | 'hour' | 'minute', words: string): Entry => [
  { is: 'unit', unit: name, plural: true },
  words,
];
export const count = (value: number, words: string): Entry => [{ is: 'count', value }, words];
export const part = (anchor: Anchor, words: string, relation?: Relation): Entry => [
  { is: 'part', anchor, ...(relation && { relation }) },
  words,
];
export const clock = (at: string, words: string): Entry => [{ is: 'clock', clock: at }, words];
export const meal = (words: string, ...anchors: readonly Anchor[]): Entry => [
  { is: 'meal', anchors },
  words,
];
/** A meal in the singular, which may be one of them, or each: with the meal. */
export const oneMeal = (words: string): Entry => [
  { is: 'meal', anchors: MEALS, single: true },
  words,
];
export const relation = (name: Relation, words: string): Entry => [
  { is: 'relation', relation: name },
  words,
];
export const form = (name: string, words: string): Entry => [{ is: 'form', name }, words];
/** A form that alone is one of them: the singular of Arabic. Its adjective says the same. */
export const ones = (name: string, words: string): Table => {
  const each = words.split('|');
  const single = each.flatMap((one) => [`${one} واحدة`, `${one} واحد`]).join('|');
  return [
    [{ is: 'form', name, one: true }, words],
    amount('1', name, single),
    amount('1.5', name, each.flatMap((one) => [`${one} و نصف`, `${one} و نص`]).join('|')),
  ];
};
export const weekday = (words: string, ...days: readonly number[]): Entry => [
  { is: 'weekday', days },
  words,
];

/** Working days, of which nobody knows whether Saturday is one. */
export const workdays = (words: string): Table => [
  weekday(words, 1, 2, 3, 4, 5),
  weekday(words, 1, 2, 3, 4, 5, 6),
];

/** Hours of a clock of 24 hours, which a sign or a late hour tells: às 8h, a las 18 horas. */
export const hoursBehind = (before: string): Table =>
  Array.from({ length: 23 }, (_, i) => 1 + i).map((hour) =>
    clock(
      `${String(hour).padStart(2, '0')}:00`,
      ways(
        before,
        hour < 13 ? `${hour}h|${hour} h` : `${hour}h|${hour} h|${hour} hs|${hour} horas`,
      ),
    ),
  );

/** Hours of a clock of twelve behind noon, with the word that says so: 6 de la tarde, 6 da tarde. */
export const afternoonHours = (before: string, behind: string): Table =>
  Array.from({ length: 8 }, (_, i) => 1 + i).map((hour) =>
    clock(`${12 + hour}:00`, ways(before, `${hour}|${hour}:00|${hour} h`, behind)),
  );

/** Lists of words, each list parted by spaces, its words by bars: the first means `first`. */
export const numbers = (first: number, list: string): Table =>
  list
    .split(' ')
    .map((words, i) => [{ is: 'number', value: `${first + i}`, spelt: true }, joined(words)]);
export const ordinals = (first: number, list: string): Table =>
  list.split(' ').map((words, i) => [{ is: 'ordinal', value: first + i }, joined(words)]);
export const weekdays = (list: string): Table =>
  list.split(' ').map((words, i) => [{ is: 'weekday', days: [i + 1] }, joined(words)]);
export const months = (list: string): Table =>
  list.split(' ').map((words, i) => [{ is: 'month', value: i + 1 }, joined(words)]);
/** Within a list a space is written as an underscore. */
const joined = (words: string) => words.replaceAll('_', ' ');

/** 1st to 31st, by what is written behind the number. `unsure`: see the term. */
export const dated = (
  suffixes: (value: number) => string,
  unsure?: { readonly unsure: true },
): Table =>
  Array.from({ length: 31 }, (_, i) => i + 1).flatMap((value): Entry[] => {
    const words = suffixes(value)
      .split('|')
      .map((suffix) => `${value}${suffix}`);
    return [[{ is: 'ordinal', value, digits: true, ...unsure }, words.join('|')]];
  });

/** Every so many units. */
export const every = (name: Unit, times = 1): PhrasePart => ({
  every: { unit: name, count: times },
});
/** The days of a month by their numbers: even and odd ones. */
const LONGEST_MONTH = Array.from({ length: 31 }, (_, i) => i + 1);
export const EVEN = LONGEST_MONTH.filter((day) => day % 2 === 0);
export const ODD = LONGEST_MONTH.filter((day) => day % 2 === 1);
/** At times of the day: clock times, HH:MM, or anchors. */
export const at = (...times: readonly (Anchor | `${number}:${number}`)[]): PhrasePart => ({
  at: times.map((time) =>
    isClock(time) ? { clock: time } : { anchor: time, relation: 'with' as const },
  ),
});
const isClock = (time: string): time is `${number}:${number}` => time.includes(':');
/** A single dose: once, or how it is taken where something else says how often. */
export const SINGLE: PhrasePart = { once: true, atOnce: true };
export const MEALS: readonly Anchor[] = ['breakfast', 'lunch', 'dinner'];
