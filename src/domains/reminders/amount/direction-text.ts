import { type Decimal, partsOf } from '../../../platform/decimal.js';
import { beginnings } from '../schedule/phased.js';
import { listed, sayTimed, type Timed, timedPhases, wordsOf } from '../schedule/saying/say.js';
import type { Words } from '../schedule/saying/words.js';
import type { Amount } from '../schedule/words/meaning.js';
import { amountWords, type SaidAmount } from './amount-words.js';
import type { AmountRow } from './amounts.js';
import { dayAfter } from './prescribed-amount.js';

/** What a direction means, as it was understood. */
export interface Understood {
  readonly timed: Timed;
  /** YYYY-MM-DD: the day of the first dose, from which phases count. */
  readonly since: string;
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
  const spans = spansOf(understood).filter(({ next }) => !next || next > today);
  const said = words.phases(spans.map((span) => spanText(understood, span, { today, language })));
  return notes.length > 0 ? `${said} (${listed(notes, words)})` : said;
}

/** Days on which doses come equally often. */
interface Span {
  readonly timed: Timed;
  /** The first day, and the first one behind the last: YYYY-MM-DD, of phases. */
  readonly first?: string;
  readonly next?: string | undefined;
}

function spansOf({ timed, since }: Understood): Span[] {
  const { frequency, times } = timed;
  if (frequency.kind !== 'phased') return [{ timed }];
  const days = beginnings(frequency).map((day) => dayAfter(since, day));
  return timedPhases(frequency, times).map((one, i) => ({
    timed: one,
    first: days[i] as string,
    next: days[i + 1],
  }));
}

interface Telling {
  readonly today: string;
  readonly language: string;
}

function spanText(
  { amounts, unit, stated }: Understood,
  { timed, first = '', next }: Span,
  { today, language }: Telling,
): string {
  const words = wordsOf(language);
  const say = (amount: Decimal) => counted({ amount, unit }, words, language);
  const known = next ? amounts.filter(({ startsOn }) => startsOn < next) : amounts;
  const [now = [], ...later] = stepsFrom(known, first > today ? first : today);
  const each = now.find(({ time }) => time === null)?.amount;
  const range = stated?.upTo ? rangeOf(stated, words, language) : undefined;
  const much = each === undefined ? range : say(each);
  const times = timed.times.map((time) => {
    const own = now.find((row) => row.time === time);
    return own ? `${time} (${say(own.amount)})` : time;
  });
  const others = now.filter(({ time }) => time !== null && !timed.times.includes(time));
  const often = sayTimed({ ...timed, times }, words);
  const rest = [
    ...others.map((row) => rowSaid(row, words, say)),
    ...later.flatMap((rows) =>
      rows.map((row, i) => `${i ? '' : `${words.from(row.startsOn)} `}${rowSaid(row, words, say)}`),
    ),
  ];
  return listed([much ? `${much} ${often}` : often, ...rest], words);
}

/** Returns the amounts of the step that counts on a day, and those of each later one. */
function stepsFrom(amounts: readonly AmountRow[], today: string): AmountRow[][] {
  const begun = amounts.filter(({ startsOn }) => startsOn <= today);
  const now = begun.at(-1)?.startsOn;
  const later = amounts.filter(({ startsOn }) => startsOn > today);
  const days = [...new Set(later.map(({ startsOn }) => startsOn))];
  const first = begun.filter(({ startsOn }) => startsOn === now);
  return [first, ...days.map((day) => later.filter(({ startsOn }) => startsOn === day))];
}

const rowSaid = (
  { time, amount }: AmountRow,
  words: Words,
  say: (amount: Decimal) => string,
): string => (time === null ? say(amount) : `${say(amount)} ${words.at(time)}`);

function rangeOf({ value, upTo = '', unit = '' }: Amount, words: Words, language: string): string {
  const least = amountWords({ amount: value as Decimal, unit: '' }, language);
  return words.upTo(least, counted({ amount: upTo as Decimal, unit }, words, language));
}

/** Returns an amount with its unit, in the number that the language has for it. */
function counted({ amount, unit }: SaidAmount, words: Words, language: string): string {
  const forms = Object.hasOwn(words.forms, unit) ? words.forms[unit] : undefined;
  const several = words.isSeveral?.(Number(amount)) ?? partsOf(amount) > ONE;
  return amountWords({ amount, unit: forms?.[several ? 1 : 0] ?? unit }, language);
}
