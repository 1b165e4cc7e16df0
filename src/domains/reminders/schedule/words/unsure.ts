import { isLess, multiplied } from './exact.js';
import type { Amount, Bounds, Calendar, Interval, Meaning, Unit } from './meaning.js';

/** Phrases in which a word may say another thing than the tables have for it, as `plain` writes them. */
const TWOFOLD: readonly RegExp[] = [
  // Immediately after breakfast, 2 at once in the morning: each day, and no single dose.
  /\b(?:immediately|(?<!all )at once) (?:after|before|on|in|at|with)\b/,
  // Primeira segunda do mes: the first Monday, where segunda and quarta are ordinals too.
  /\b(?:primeir|segund|terceir|quart|ultim)[ao]s? (?:segunda|quarta)s?\b/,
  /\b(?:segunda|quarta) (?:dose|do mes|de cada mes)\b/,
  // 6 monthly injections: one of each month, six in all.
  /\b(?:\d+|two|three|four|five|six|eight|ten|twelve) (?:weekly|monthly|yearly) (?:doses|injections|jabs|shots|ampoules|vials|patches)\b/,
  // 3/4 mg: one or the other. 1/2 puffs: one to two.
  /(?<![\d/])3 ?\/ ?4 ?(?:mg|mcg|ug)\b/,
  /(?<![\d/])\d ?\/ ?\d ?(?:puff|spray|drop|cap|hub|bouffee|goutte|gota|inhala|tropfen|spruh|kaps|gelule)/,
  // Daily dose 20 mg morning and evening: each time, or in all.
  /\bdaily dose:? \d/,
  // 2x Mo: on Mondays, or a month.
  /\b\d+ ?x mo\b(?! ?[,+&]| und)/,
  // 12 mar: a date, or each Tuesday.
  /^\d{1,2} mar$/,
  /\bmedia noche\b/,
  // Another dose than before, and the rest of a longer direction.
  /\bdose (?:increase|increased|reduced|reduction|changed)\b/,
  /\b(?:folgetagen?|folgenden tagen?|jours suivants|dias (?:siguientes|seguintes))\b/,
  // Mindestens 2x taeglich: more often too. Mindestens 6 Stunden Abstand says how long.
  /\bmind(?:estens)?\b(?! (?:\d+|eine|einer|eine halbe) ?(?:min|minuten?|std|stunden?|h)\b)/,
];

/** Words that do so beside others. */
const TWOFOLD_BESIDE: readonly (readonly [RegExp, RegExp])[] = [
  // 2 in the morning at once.
  [/\b(?:before|after|in|at(?! once)|on|with) /, / (?:immediately|(?<!all )at once)$/],
  [
    /\b(?:nur einmal|une seule fois|una sola vez|uma (?:so|unica) vez) /,
    /\b(?:morgens|mittags|abends|nachts|matin|midi|soir|manana|tarde|noche|manha|noite)\b/,
  ],
  // 5 gr bd: grains.
  [/\b(?:[5-9]|\d\d) ?gr\b/, /\b(?:bd|bid|tds|tid|qds|qid|od|hs|prn|nocte|mane)\b/],
];
/** 1 tablet (10 mg total): of each time. */
const TOTAL_OF_EACH =
  /(?<![\d.,/])[\d.,/]{1,20} ?[a-z]{1,20} ?\([\d.,]{1,20} ?[a-z]{1,20} total\)/g;
/** Total 4 g: each time, of a day, or in all. */
const TOTAL = /(?<!\b(?:in|en|au|no|em|im) )\btotal\b(?! (?:of|de)\b)/;

/** Returns whether a plain phrase holds words that change what the others say. */
export const isTwofold = (phrase: string): boolean =>
  TWOFOLD.some((words) => words.test(phrase)) ||
  TWOFOLD_BESIDE.some((all) => all.every((words) => words.test(phrase))) ||
  TOTAL.test(phrase.replace(TOTAL_OF_EACH, ''));

const DAYS: Readonly<Record<Unit, number>> = { day: 1, week: 7, month: 28, year: 365 };
const MINUTES_OF_DAY = 24 * 60;

/** What is given once each time: three of these at once are a count of what comes later. */
const GIVEN_ONCE: ReadonlySet<string> = new Set(['dose', 'injection', 'application']);
/** Units of the body's own measure, of which a bare 1 is a capsule rather than one. */
const LARGE: ReadonlySet<string> = new Set(['IU', 'unit']);
const MOST_TIMES_LARGER = '50';
/** From so many on a count behind how often is that of a pack. */
const LEAST_PACK = '7';
const PIECES: ReadonlySet<string> = new Set(['tablet', 'capsule', 'pill']);

/**
 * Returns whether a phrase means more likely something else: a course that is no longer than its
 * period, several doses each time, one unit of 20,000, a pack each day.
 */
export function isUnlikely(meaning: Meaning, phrase: string): boolean {
  const { amount } = meaning;
  if (meaning.kind === 'phased') return amount !== undefined && isSmallAmount(amount);
  if (meaning.kind !== 'calendar' && meaning.kind !== 'interval') return false;
  return (
    isWithinPeriod(meaning, meaning.bounds) ||
    (amount !== undefined &&
      (isOfSeveral(meaning, amount) || isAllOfPack(meaning, amount, phrase))) ||
    isWithoutDays(meaning, phrase) ||
    (REST.test(phrase) && !amount?.onDays)
  );
}

/** The rest of the days, without those before. */
const REST = /\b(?:resto de (?:los )?dias|restantes dias)\b/;

const daysBetween = (often: Calendar | Interval): number =>
  often.kind === 'interval' ? often.minutes / MINUTES_OF_DAY : often.every * DAYS[often.unit];

/** Every 72 hours (3 days), every 3 months (12 weeks): the period once more, and no end. */
function isWithinPeriod(often: Calendar | Interval, bounds: Bounds | undefined): boolean {
  if (bounds?.kind !== 'duration' || bounds.unit === 'year') return false;
  const period = daysBetween(often);
  return period > 1 && bounds.count * DAYS[bounds.unit] <= period * MONTH_OF_DAYS;
}
/** Three months have 90 days, and 84 of ours. */
const MONTH_OF_DAYS = 31 / 28;

/** 1 g every 12 hours (3 doses), 3 doses daily. */
function isOfSeveral(often: Calendar | Interval, { unit = '', value }: Amount): boolean {
  if (!GIVEN_ONCE.has(unit) || !isLess('1', value)) return false;
  return often.kind === 'interval' || (often.timesADay === 1 && !often.at);
}

/** Tds 21 caps, bd (14 tablets), bd 14. */
function isAllOfPack(often: Calendar | Interval, { unit, value }: Amount, phrase: string): boolean {
  const isDaily = often.kind === 'interval' || (often.unit === 'day' && often.every === 1);
  const isCounted = unit ? PIECES.has(unit) : often.kind === 'calendar' && !often.at;
  if (!isDaily || !isCounted || isLess(value, LEAST_PACK)) return false;
  const [, last] = LAST_COUNT.exec(phrase) ?? [];
  return last === value && !phrase.startsWith(value);
}
const LAST_COUNT = /(?<![\d.,/])(\d+)(?: ?\p{L}+)?\)?$/u;

/** 3/4 mg on alternate days, biweekly on two days, 1 daily after dialysis. */
function isWithoutDays(often: Calendar | Interval, phrase: string): boolean {
  if (often.kind === 'interval') return DIALYSIS.test(phrase);
  if (often.unit === 'day' && DIALYSIS.test(phrase)) return true;
  if (often.unit === 'day' && often.every === 2 && FRACTION.test(phrase)) return true;
  return (often.weekdays?.length ?? 0) > 1 && BIWEEKLY.test(phrase);
}
const DIALYSIS = /\b(?:after|with) dialysis\b/;
const FRACTION = /(?<![\d/])\d ?\/ ?\d ?(?:mg|mcg|ug|units?|iu|ie|ui)\b/;
const BIWEEKLY = /\bbi-? ?weekly\b/;

/** 50,000 IU weekly for 8 weeks, then 1 monthly. */
const isSmallAmount = ({ unit = '', value, steps = [] }: Amount): boolean =>
  LARGE.has(unit) && steps.some((step) => isLess(multiplied(step.value, MOST_TIMES_LARGER), value));
