import { ANCHORS, type DayTime, type ScheduleValue, WEEKDAYS } from '../schedule-value.js';
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

/**
 * Says a schedule in words of a language (a BCP 47 tag; English for another language than these
 * six). A rule is said as it is written. As a phrase the words mean the same schedule, in each of the
 * languages, but for what phrases do not have:
 *
 * - a time after the last dose, and a least time between doses that are taken as needed;
 * - minutes before or after waking and bedtime;
 * - the 29th to 31st, which in a phrase may be left out too, and the last day beside others;
 * - a number of doses of what comes by months or in cycles;
 * - times of a day that fall together where the member has set no others.
 */
export function say(value: ScheduleValue, language = 'en'): string {
  const tag = language.toLowerCase().split('-')[0] as string;
  const words = Object.hasOwn(LANGUAGES, tag) ? (LANGUAGES[tag] as Words) : ENGLISH;
  const often = repeated(value, words);
  const times = value.times.length > 0 ? ` ${timesSaid(value.times, words)}` : '';
  const { count, days } = value.end ?? {};
  const ends = [...(count ? [words.count(count)] : []), ...(days ? [words.forDays(days)] : [])];
  return [`${often}${times}`, ...ends].join(tag === 'ar' ? '، ' : ', ');
}

function repeated({ repeat }: ScheduleValue, words: Words): string {
  switch (repeat.kind) {
    case 'days':
      return repeat.every === 1 ? words.everyDay : words.everyDays(repeat.every);
    case 'weeks': {
      const often = repeat.every === 1 ? words.everyWeek : words.everyWeeks(repeat.every);
      const days = repeat.weekdays.map((day) => words.weekdays[WEEKDAYS.indexOf(day)] as string);
      return days.length > 0 ? `${often} ${words.on(joined(days, words))}` : often;
    }
    case 'months': {
      const often = repeat.every === 1 ? words.everyMonth : words.everyMonths(repeat.every);
      return [often, ...monthDays(repeat.days, words)].join(' ');
    }
    case 'cycle':
      return words.cycle(repeat.on, repeat.off);
    case 'interval':
      return repeat.minutes % HOUR === 0
        ? words.everyHours(repeat.minutes / HOUR)
        : words.everyMinutes(repeat.minutes);
    case 'afterDose':
      return words.afterDose(length(repeat.minutes, words));
    case 'asNeeded': {
      const { mostADay, apart } = repeat;
      const most = mostADay ? [words.atMost(mostADay)] : [];
      const least = apart ? [words.apart(length(apart, words))] : [];
      return [words.asNeeded, ...most, ...least].join(words === ARABIC ? '، ' : ', ');
    }
    case 'rule':
      return repeat.text;
    default:
      return words.once;
  }
}

const length = (minutes: number, words: Words) =>
  minutes % HOUR === 0 ? words.hours(minutes / HOUR) : words.minutes(minutes);

function monthDays(days: readonly number[], words: Words): string[] {
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

function joined(parts: readonly string[], { and }: Words): string {
  const join = and === ARABIC.and ? ` ${and}` : ` ${and} `;
  const last = parts.at(-1) as string;
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')}${join}${last}` : last;
}
