import type { Frequency } from './frequency.types.js';
import { beginsWithHours } from './phased.js';
import { parseRule } from './rule-parser.js';
import type { Amount } from './words/meaning.js';
import { LONGEST_PHRASE } from './words/plain.js';
import { meaningsOf } from './words/read.js';
import { storedAs } from './words/stored.js';

export type { Frequency } from './frequency.types.js';

const ELAPSING: ReadonlySet<Frequency['kind']> = new Set(['elapsed', 'after_dose']);

/** Returns whether a frequency counts instants from its start on, whatever clocks show. */
export const isElapsing = (frequency: Frequency): boolean =>
  ELAPSING.has(frequency.kind) || beginsWithHours(frequency);

/** What a phrase says: how often, and how much of the medicine each time. */
interface Understood {
  readonly frequency: Frequency;
  readonly amount?: Amount | undefined;
}

const ONCE: Understood = { frequency: { kind: 'once' } };
const UNRECOGNIZED: Understood = { frequency: { kind: 'unrecognized' } };
const known = new Map<string, Understood>();
const REMEMBERED = 1_000;

/**
 * Returns what a frequency means: a phrase in words (`meaningsOf`), or an RFC 5545 RRULE with or
 * without its prefix. An empty text is `once`. A frequency is never guessed: ranges ("2-3 times a
 * day"), alternatives, approximations, negations, conditions, signs, fractions, a phrase with
 * several meanings, and every other text are `unrecognized`. So is a rule that `parseRule` refuses,
 * and a meaning that no schedule can hold (`storedAs`).
 */
export const parseFrequency = (text: string | null | undefined): Frequency => read(text).frequency;

/**
 * Returns how much of a medicine a frequency states for each dose, such as 2 of the unit `tablet`;
 * undefined when it states none, or was not understood.
 */
export const amountIn = (text: string | null | undefined): Amount | undefined => read(text).amount;

/**
 * Returns a unit as phrases name it, whichever of their spellings and languages people or programs have
 * written, or UCUM: `mcg` of µg, `IU` of [iU]. Undefined for one that they do not know.
 */
export function unitNamed(written: string): string | undefined {
  const bare = written.trim().replace(/[[\]{}]/g, '');
  return bare ? amountIn(`1 ${bare} 08:00`)?.unit : undefined;
}

function read(text: string | null | undefined): Understood {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return ONCE;
  if (trimmed.length > LONGEST_PHRASE) return UNRECOGNIZED;
  const before = known.get(trimmed);
  if (before) return before;
  const understood = understand(trimmed);
  if (known.size >= REMEMBERED) known.clear();
  known.set(trimmed, understood);
  return understood;
}

function understand(text: string): Understood {
  const [meaning, ...others] = meaningsOf(text);
  if (meaning) {
    const frequency = others.length === 0 ? storedAs(meaning) : undefined;
    return frequency ? { frequency, amount: meaning.amount } : UNRECOGNIZED;
  }
  const rule = parseRule(text);
  if (!rule) return UNRECOGNIZED;
  const { elapsedMinutes, count, until } = rule;
  if (!elapsedMinutes) return { frequency: { kind: 'rule', ...rule } };
  const ends = { ...(count && { count }), ...(until && { until }) };
  return { frequency: { kind: 'elapsed', hours: elapsedMinutes / 60, ...ends } };
}

/**
 * Returns whether the clock times of a rule are those of its plan, and not its own or that of its
 * start.
 */
export const isTimedByPlan = (frequency: Frequency): boolean =>
  frequency.kind === 'rule' && (frequency.at !== undefined || frequency.timesADay !== undefined);
