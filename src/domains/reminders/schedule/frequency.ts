import { plainPhrase } from './phrase.js';
import type { Rule } from './rule.js';
import { parseRule } from './rule-parser.js';

/** A frequency as it was understood. */
export type Frequency =
  | { readonly kind: 'once' | 'as_needed' | 'unrecognized' }
  /** By the calendar: every `every` days, weeks, months or years, `timesADay` times on the day. */
  | {
      readonly kind: 'calendar';
      readonly unit: Unit;
      readonly every: number;
      readonly timesADay: number;
    }
  /** By elapsed time, independent of shifts of the clocks. Without `count` there is no last one. */
  | {
      readonly kind: 'elapsed';
      readonly hours: number;
      readonly count?: number;
      readonly until?: Rule['until'];
    }
  /** By an RFC 5545 rule, at clock times of the zone. */
  | ({ readonly kind: 'rule' } & Rule);

export type Unit = 'day' | 'week' | 'month' | 'year';

const every = (unit: Unit, number = 1, timesADay = 1): Frequency => ({
  kind: 'calendar',
  unit,
  every: number,
  timesADay,
});
const hourly = (hours: number): Frequency => ({ kind: 'elapsed', hours });

/** Phrases without a number, as `plainPhrase` returns them. */
const NAMES: Readonly<Record<string, Frequency>> = {
  once: { kind: 'once' },
  onetime: { kind: 'once' },
  daily: every('day'),
  everyday: every('day'),
  onceaday: every('day'),
  oncedaily: every('day'),
  twiceaday: every('day', 1, 2),
  twicedaily: every('day', 1, 2),
  threetimesaday: every('day', 1, 3),
  threetimesdaily: every('day', 1, 3),
  fourtimesaday: every('day', 1, 4),
  fourtimesdaily: every('day', 1, 4),
  everyotherday: every('day', 2),
  weekly: every('week'),
  everyweek: every('week'),
  onceaweek: every('week'),
  biweekly: every('week', 2),
  fortnightly: every('week', 2),
  everyotherweek: every('week', 2),
  monthly: every('month'),
  everymonth: every('month'),
  yearly: every('year'),
  everyyear: every('year'),
  annually: every('year'),
  hourly: hourly(1),
  everyhour: hourly(1),
  asneeded: { kind: 'as_needed' },
  prn: { kind: 'as_needed' },
};

/** Phrases with one number, and the largest value of that number. */
const PATTERNS: readonly (readonly [RegExp, most: number, (number: number) => Frequency])[] = [
  [/^every(\d+)hours?$/, 24 * 366, hourly],
  [/^every(\d+)days?$/, 3_660, (days) => every('day', days)],
  [/^every(\d+)weeks?$/, 520, (weeks) => every('week', weeks)],
  [/^every(\d+)months?$/, 120, (months) => every('month', months)],
  [/^(\d+)times?(?:aday|daily|perday)$/, 24, (times) => every('day', 1, times)],
];

const UNRECOGNIZED: Frequency = Object.freeze({ kind: 'unrecognized' });
/** Maximum length of a frequency, in characters. */
const LONGEST = 1_000;
const known = new Map<string, Frequency>();
const REMEMBERED = 1_000;

/**
 * Returns what a frequency means: a phrase of NAMES or PATTERNS, or an RFC 5545 RRULE with or
 * without its prefix. An empty text is `once`. A frequency is never guessed: ranges ("2-3 times a
 * day"), alternatives, approximations, negations, conditions, signs, fractions and every other text
 * are `unrecognized`. So is a rule that `parseRule` refuses.
 */
export function parseFrequency(text: string | null | undefined): Frequency {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return NAMES.once as Frequency;
  if (trimmed.length > LONGEST) return UNRECOGNIZED;
  const before = known.get(trimmed);
  if (before) return before;
  const frequency = understood(trimmed);
  if (known.size >= REMEMBERED) known.clear();
  known.set(trimmed, frequency);
  return frequency;
}

function understood(text: string): Frequency {
  const name = plainPhrase(text);
  if (name !== undefined && Object.hasOwn(NAMES, name)) return NAMES[name] as Frequency;
  for (const [pattern, most, make] of name === undefined ? [] : PATTERNS) {
    const number = Number(pattern.exec(name as string)?.[1]);
    if (number >= 1 && number <= most) return make(number);
  }
  const rule = parseRule(text);
  if (!rule) return UNRECOGNIZED;
  const { elapsedHours: hours, count, until } = rule;
  return hours
    ? { kind: 'elapsed', hours, ...(count && { count }), ...(until && { until }) }
    : { kind: 'rule', ...rule };
}
