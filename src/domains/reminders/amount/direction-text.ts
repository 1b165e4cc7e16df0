import { type Decimal, partsOf } from '../../../platform/decimal.js';
import type { Frequency } from '../schedule/frequency.types.js';
import { beginnings } from '../schedule/phased.js';
import { repeatOf } from '../schedule/phrased-value.js';
import {
  listed,
  onWeekdays,
  sayTimed,
  type Timed,
  timedPhases,
  wordsOf,
} from '../schedule/saying/say.js';
import type { Words } from '../schedule/saying/words.js';
import { WEEKDAYS } from '../schedule/schedule-value.js';
import type { Amount } from '../schedule/words/meaning.js';
import { amountWords, type SaidAmount } from './amount-words.js';
import { type AmountRow, type Begin, type Quantity, stepsOf } from './amounts.js';
import { type CourseDays, dayAfter } from './course-days.js';

/** What a direction means, as it was understood. */
export interface Understood {
  readonly timed: Timed;
  /** The days that phases count, from that of the first dose on. */
  readonly days: CourseDays;
  /** How much, by day and clock time. */
  readonly amounts: readonly AmountRow[];
  readonly unit: string;
  /** How much, as its phrase says it, where no dose has an amount: 1 to 2 tablets. */
  readonly stated?: Amount | undefined;
  /** What the phrase says besides, in its own words. */
  readonly notes: readonly string[];
}

const ONE = partsOf('1');

/**
 * Says a direction in words of a language (BCP 47): how much, when, how long, and what its phrase
 * says besides, such as "2 tablets every day at 08:00 and 20:00, for 10 days (with food)". Amounts
 * that differ by time of day stand behind their times, those of later steps at the end. Of phases
 * those that are over on the day `today`, YYYY-MM-DD by the clocks of the medicine, are not said.
 * What the phrase says besides stays in its own words.
 */
export function directionText(understood: Understood, today: string, language: string): string {
  const words = wordsOf(language);
  const { notes } = understood;
  const spans = spansOf(understood).filter(({ next }) => !next || dayBehind(next) > today);
  const said = words.phases(spans.map((span) => spanText(understood, span, { today, language })));
  return notes.length > 0 ? `${said} (${listed(notes, words)})` : said;
}

/** A time in which doses come equally often. */
interface Span {
  readonly timed: Timed;
  /** When it begins, and when the next one does, of phases. */
  readonly first?: Begin | undefined;
  readonly next?: Begin | undefined;
}

function spansOf({ timed, days }: Understood): Span[] {
  const { frequency, times } = timed;
  if (frequency.kind !== 'phased') return [{ timed }];
  const begins = beginnings(frequency).map(days.beginOf);
  return timedPhases(frequency, times).map((one, i) => ({
    timed: one,
    first: begins[i],
    next: begins[i + 1],
  }));
}

/** Returns the first day without a dose of before: hours end within a day. */
const dayBehind = ({ startsOn, startsAt }: Begin) => dayAfter(startsOn, startsAt ? 1 : 0);

/** Returns whether a step begins before another, or with it. */
function isBy(one: Begin, other: Begin): boolean {
  const [at, by] = [one.startsAt, other.startsAt];
  return at && by ? at <= by : one.startsOn <= other.startsOn;
}

/** Returns whether a step begins before a phase does. */
function isBefore(one: Begin, phase: Begin): boolean {
  const [at, by] = [one.startsAt, phase.startsAt];
  return at && by ? at < by : one.startsOn < dayBehind(phase);
}

interface Telling {
  readonly today: string;
  readonly language: string;
}

function spanText(
  { amounts, unit, stated }: Understood,
  { timed, first, next }: Span,
  { today, language }: Telling,
): string {
  const words = wordsOf(language);
  const say = (quantity: Quantity) => counted({ ...quantity, unit }, words, language);
  const known = next ? amounts.filter((row) => isBefore(row, next)) : amounts;
  const isAhead = first !== undefined && first.startsOn >= today;
  const [now = [], ...later] = stepsFrom(known, isAhead ? first : { startsOn: today });
  const each = now.find(isForAll);
  const range = stated?.upTo && now.length === 0 ? rangeIn(stated) : undefined;
  const byDay = byWeekday(now, timed);
  const much = byDay.length > 0 ? undefined : (each ?? range);
  const times = timed.times.map((time) => {
    const own = byDay.length > 0 ? undefined : now.find((row) => row.time === time);
    return own ? `${time} (${say(own)})` : time;
  });
  const others = now.filter((row) => isElsewhere(row, timed));
  const days = byDay.map((row) => rowSaid(row, words, say)).join(semicolon(words));
  const often = `${sayTimed({ ...timed, times }, words)}${days && ` (${days})`}`;
  const rest = [
    ...others.map((row) => rowSaid(row, words, say)),
    ...later.flatMap((rows) =>
      stepRows(rows, timed).map(
        (row, i) => `${i ? '' : `${words.from(row.startsOn)} `}${rowSaid(row, words, say)}`,
      ),
    ),
  ];
  return listed([much ? `${say(much)} ${often}` : often, ...rest], words);
}

/** Returns the amounts of the step that counts from some time on, and those of each later one. */
function stepsFrom(amounts: readonly AmountRow[], from: Begin): AmountRow[][] {
  const steps = stepsOf(amounts);
  const later = steps.filter(([row]) => !isBy(row as AmountRow, from));
  return [steps[steps.length - later.length - 1] ?? [], ...later];
}

const isForAll = ({ time, weekdays = [] }: AmountRow) => time === null && weekdays.length === 0;

const isOfTimes = ({ weekdays = [] }: AmountRow) => weekdays.length === 0;
const isElsewhere = ({ time }: AmountRow, { times }: Pick<Timed, 'times'>) =>
  time !== null && !times.includes(time);

/**
 * Returns the amounts of weekdays, those of all other days of a schedule among them: who reads "7.5
 * mg on Monday" must not add it to that of every day. Amounts of times are those of the other days
 * too. None where no weekday has its own on which the schedule comes.
 */
function byWeekday(rows: readonly AmountRow[], { frequency, times }: Timed): AmountRow[] {
  const days = weekdaysOf(frequency);
  const named = rows.flatMap(({ weekdays = [], ...row }) => {
    const own = weekdays.filter((day) => days.includes(day));
    return own.length > 0 ? [{ ...row, weekdays: own }] : [];
  });
  const taken = new Set(named.flatMap(({ weekdays }) => weekdays));
  const weekdays = days.filter((day) => !taken.has(day));
  if (named.length === 0 || weekdays.length === 0) return named;
  return [...named, ...ofOtherDays(rows, times).map((row) => ({ ...row, weekdays }))];
}

/** Returns the amounts of days without their own: of each time, where one of them has its own. */
function ofOtherDays(rows: readonly AmountRow[], times: Timed['times']): AmountRow[] {
  const rest = rows.filter(isForAll);
  const timed = rows.filter((row) => isOfTimes(row) && row.time !== null);
  if (!timed.some(({ time }) => times.includes(time as string))) return rest;
  return times.flatMap((time) => {
    const row = timed.find((one) => one.time === time) ?? rest[0];
    return row ? [{ ...row, time: time as string }] : [];
  });
}

/** Returns the amounts of a later step as they are said. */
function stepRows(rows: readonly AmountRow[], timed: Timed): AmountRow[] {
  const byDay = byWeekday(rows, timed);
  if (byDay.length === 0) return rows.filter(isOfTimes);
  return [...byDay, ...rows.filter((row) => isElsewhere(row, timed))];
}

/** Returns the weekdays on which a schedule may come, 1 Monday to 7 Sunday. */
function weekdaysOf(frequency: Frequency): number[] {
  const repeat = repeatOf(frequency, '');
  const named = repeat?.kind === 'weeks' ? repeat.weekdays : [];
  const days = named.length > 0 ? named : WEEKDAYS;
  return days.map((day) => WEEKDAYS.indexOf(day) + 1);
}

const semicolon = (words: Words) => (listed(['', ''], words) === ', ' ? '; ' : '؛ ');

function rowSaid(row: AmountRow, words: Words, say: (quantity: Quantity) => string): string {
  const { time, weekdays = [] } = row;
  const days = weekdays.length > 0 ? ` ${onWeekdays(weekdays, words)}` : '';
  return `${say(row)}${days}${time === null ? '' : ` ${words.at(time)}`}`;
}

/** Returns a range that a phrase states, of a medicine of before ranges were kept. */
const rangeIn = ({ value, upTo }: Amount) => ({
  amount: value as Decimal,
  upTo: upTo as Decimal,
});

/** Returns an amount with its unit, in the number that the language has for it. */
function counted({ unit, ...quantity }: SaidAmount, words: Words, language: string): string {
  const forms = Object.hasOwn(words.forms, unit) ? words.forms[unit] : undefined;
  const most = quantity.upTo ?? quantity.amount;
  const several = words.isSeveral?.(Number(most)) ?? partsOf(most) > ONE;
  return amountWords({ ...quantity, unit: forms?.[several ? 1 : 0] ?? unit }, language);
}
