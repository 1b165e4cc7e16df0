import type { Frequency } from '../frequency.types.js';
import { byPhase, type Phased } from '../phased.js';
import { isRule } from '../rrule-text.js';
import {
  ANCHORS,
  type DayTime,
  frequencyOf,
  type ScheduleEnd,
  type ScheduleValue,
} from '../schedule-value.js';
import { ARABIC } from './arabic.js';
import { ENGLISH } from './english.js';
import { FRENCH } from './french.js';
import { GERMAN } from './german.js';
import { PORTUGUESE } from './portuguese.js';
import { SPANISH } from './spanish.js';
import type { Words } from './words.js';

const LANGUAGES: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  de: GERMAN,
  pt: PORTUGUESE,
  ar: ARABIC,
};
const HOUR = 60;
const WEEK = 7;
const A_YEAR = 12;

/** Returns the words of a language (a BCP 47 tag); those of English for one that has none. */
export function wordsOf(language: string): Words {
  const tag = language.toLowerCase().split('-')[0] as string;
  return Object.hasOwn(LANGUAGES, tag) ? (LANGUAGES[tag] as Words) : ENGLISH;
}

/** When doses come, as it is said. */
export interface Timed {
  readonly frequency: Frequency;
  /** The phrase or rule that it was written as. A rule is said as it is written. */
  readonly text?: string | null;
  /** Times of day. A clock time may have words behind it, such as its amount. */
  readonly times: readonly DayTime[];
  readonly end?: ScheduleEnd | undefined;
}

/**
 * Says a schedule in words of a language (a BCP 47 tag; English for another language than these
 * six). A rule is said as it is written. As a phrase the words mean the same schedule, in each of
 * the languages, but for what phrases do not have:
 *
 * - a time after the last dose, and a least time between doses that are taken as needed;
 * - minutes before or after waking and bedtime;
 * - the 29th to 31st, which in a phrase may be left out too, and the last day beside others;
 * - a number of doses of what comes by months or in cycles, and an end within the first cycle;
 * - times of a day that fall together where the member has set no others.
 */
export const say = (value: ScheduleValue, language = 'en'): string =>
  sayTimed({ ...value, frequency: frequencyOf(value), text: textOf(value) }, wordsOf(language));

const textOf = ({ repeat }: ScheduleValue) => ('text' in repeat ? repeat.text : null);

/** Says when doses come: see `say`. A phrase is said by what was understood, its end included. */
export function sayTimed(timed: Timed, words: Words): string {
  const { frequency, text, times, end = {} } = timed;
  if (text && isRule(text)) return text;
  if (frequency.kind === 'phased')
    return words.phases(timedPhases(frequency, times).map((one) => sayTimed(one, words)));
  const often = repeated(frequency, words) ?? text ?? words.once;
  const at = times.length > 0 ? ` ${timesSaid(times, words)}` : '';
  const { count = 'count' in frequency ? frequency.count : undefined, days } = end;
  const course = 'course' in frequency ? frequency.course : undefined;
  const ends = [
    ...(count ? [words.count(count)] : []),
    ...(days ? [words.forDays(days)] : []),
    ...(course ? [courseSaid(course, words)] : []),
  ];
  return listed([`${often}${at}`, ...ends], words);
}

/** Returns phases as they are said each. `times` are those of all of them, one behind the other. */
export const timedPhases = (frequency: Phased, times: readonly DayTime[]): Timed[] =>
  byPhase(frequency, times).map((own, i) => {
    const { often, days } = frequency.phases[i] as Phased['phases'][number];
    return { frequency: often, times: own, ...(days !== undefined && { end: { days } }) };
  });

/** Returns parts one behind the other, with the comma of the language. */
export const listed = (parts: readonly string[], words: Words): string =>
  parts.join(words === ARABIC ? '، ' : ', ');

/** Says how often. Undefined for a rule whose days have no words here. */
function repeated(frequency: Frequency, words: Words): string | undefined {
  switch (frequency.kind) {
    case 'calendar':
      return byCalendar(frequency, words);
    case 'elapsed':
      return everyMinutes(Math.round(frequency.hours * HOUR), words);
    case 'after_dose':
      return words.afterDose(length(frequency.minutes, words));
    case 'as_needed': {
      const { maxPerDay, leastMinutes } = frequency;
      const most = maxPerDay ? [words.atMost(maxPerDay)] : [];
      const least = leastMinutes ? [words.apart(length(leastMinutes, words))] : [];
      return listed([words.asNeeded, ...most, ...least], words);
    }
    case 'rule':
      return byRule(frequency.text, words);
    default:
      return words.once;
  }
}

const everyMinutes = (minutes: number, words: Words) =>
  minutes % HOUR === 0 ? words.everyHours(minutes / HOUR) : words.everyMinutes(minutes);

type Calendar = Pick<
  Frequency & { kind: 'calendar' },
  'unit' | 'every' | 'weekdays' | 'monthDays' | 'on'
>;

function byCalendar({ unit, every, weekdays, monthDays, on }: Calendar, words: Words): string {
  if (unit === 'day') {
    if (on) return words.cycle(on, every - on);
    return every === 1 ? words.everyDay : words.everyDays(every);
  }
  if (unit === 'week') {
    const often = every === 1 ? words.everyWeek : words.everyWeeks(every);
    const days = (weekdays ?? []).map((day) => words.weekdays[day] as string);
    return days.length > 0 ? `${often} ${words.on(joined(days, words))}` : often;
  }
  const months = unit === 'year' ? A_YEAR * every : every;
  const often = months === 1 ? words.everyMonth : words.everyMonths(months);
  const first = on ? [words.firstDays(on)] : [];
  return [often, ...monthDaysSaid(monthDays ?? [], words), ...first].join(' ');
}

const UNITS = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const;
const NAMES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Says the days of a rule that a phrase is kept as. */
function byRule(text: string, words: Words): string | undefined {
  const parts = new Map(text.split(';').map((part) => part.split('=') as [string, string]));
  const unit = UNITS[parts.get('FREQ') as keyof typeof UNITS];
  const every = Number(parts.get('INTERVAL') ?? 1);
  const known = [...parts.keys()].every((key) => KNOWN.has(key));
  if (!unit || !known) return undefined;
  const monthDays = (parts.get('BYMONTHDAY') ?? '').split(',').filter(Boolean).map(Number);
  const named = (parts.get('BYDAY') ?? '').split(',').filter(Boolean);
  if (unit !== 'month') {
    const weekdays = named.map((name) => NAMES.indexOf(name));
    return byCalendar({ unit, every, weekdays }, words);
  }
  const nth = named.map((name) => {
    const weekday = words.weekdays[NAMES.indexOf(name.slice(-2))] as string;
    return words.nth(Number(name.slice(0, -2)), weekday);
  });
  const often = byCalendar({ unit, every, monthDays }, words);
  return nth.length > 0 ? `${often} ${joined(nth, words)}` : often;
}
const KNOWN = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY']);

function courseSaid(
  course: NonNullable<(Frequency & { kind: 'elapsed' })['course']>,
  words: Words,
) {
  if (course.kind === 'until') return words.until(course.date);
  if (course.kind === 'supply') return words.untilFinished;
  const { unit, count } = course;
  if (unit === 'day') return words.forDays(count);
  if (unit === 'week') return words.forDays(WEEK * count);
  return words.forMonths(unit === 'year' ? A_YEAR * count : count);
}

const length = (minutes: number, words: Words) =>
  minutes % HOUR === 0 ? words.hours(minutes / HOUR) : words.minutes(minutes);

function monthDaysSaid(days: readonly number[], words: Words): string[] {
  const dates = days.filter((day) => day > 0).map(String);
  const said = dates.length > 0 ? [words.onDays(joined(dates, words))] : [];
  const last = days.includes(-1) ? [words.lastDay] : [];
  return said.length + last.length > 1 ? [joined([...said, ...last], words)] : [...said, ...last];
}

function timesSaid(times: readonly DayTime[], words: Words): string {
  const clocks = times.filter((time) => typeof time === 'string');
  const others = times.filter((time) => typeof time !== 'string');
  const said = clocks.length > 0 ? [words.at(joined(clocks, words))] : [];
  return joined([...said, ...others.map((time) => anchorSaid(time, words))], words);
}

function anchorSaid({ anchor, offset }: Exclude<DayTime, string>, words: Words): string {
  const [at, before, after] = words.anchors[ANCHORS.indexOf(anchor)] as Words['anchors'][number];
  if (offset === 0) return at;
  return `${length(Math.abs(offset), words)} ${offset < 0 ? before : after}`;
}

/** Says weekdays, of 1 Monday to 7 Sunday. */
export const onWeekdays = (days: readonly number[], words: Words): string =>
  words.on(
    joined(
      days.map((day) => words.weekdays[day - 1] as string),
      words,
    ),
  );

function joined(parts: readonly string[], { and }: Words): string {
  const join = and === ARABIC.and ? ` ${and}` : ` ${and} `;
  const last = parts.at(-1) as string;
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')}${join}${last}` : last;
}
