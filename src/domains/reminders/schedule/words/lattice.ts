import { pieces } from './plain.js';
import type { Term } from './term.js';
import { parted, type Vocabulary } from './vocabulary.js';

/** A term that stands at some place of a phrase, and the place behind it. */
export interface Edge {
  readonly term: Term;
  readonly end: number;
}

/** All terms that may stand at each place; a place for each piece of the phrase. */
export type Lattice = readonly (readonly Edge[])[];

/** Most pieces of a phrase. Bounds the work: no frequency needs as many. */
const MOST_PIECES = 80;

/** Returns what may stand where in a plain phrase. Undefined for a phrase that is too long. */
export function latticeOf(text: string, vocabulary: Vocabulary): Lattice | undefined {
  const all = pieces(HYPHENS.reduce((done, [what, by]) => done.replace(what, by), text));
  if (all.length === 0 || all.length > MOST_PIECES) return undefined;
  const parts = all.flatMap((piece) => parted(piece, vocabulary));
  const kept = withoutHyphens(parts, vocabulary);
  return kept.map((_, at) => [...wordsAt(kept, at, vocabulary), ...numbersAt(kept, at)]);
}

/**
 * Hyphens around a phrase, several for one, and one that joins a number and a word without a space:
 * every-8-hours. Any other hyphen beside a number may be a minus, or belong to a range.
 */
const HYPHENS: readonly (readonly [RegExp, string])[] = [
  [/^[ -]+(?=[a-z])|(?<=[a-z])[ -]+$/g, ''],
  [/(?<=[a-z])[ -]*-[ -]*-[ -]*(?=[a-z])/g, '-'],
  [/(?<=\d)-(?=[a-z])|(?<=\b(?:every|each))-(?=\d)/g, ' '],
];

/**
 * Leaves out the hyphens that join two words: every-other-day. A hyphen stays between words that
 * may be the ends of a range (Mon-Fri), and beside signs and numbers, where it may be a minus.
 */
function withoutHyphens(parts: readonly string[], vocabulary: Vocabulary): readonly string[] {
  const ends = (word = '') =>
    (vocabulary.terms.get(word) ?? []).some((term) => RANGES.has(term.is));
  const joins = (at: number) =>
    parts[at] === '-' &&
    WORD.test(parts[at - 1] ?? '') &&
    WORD.test(parts[at + 1] ?? '') &&
    !(ends(parts[at - 1]) && ends(parts[at + 1]));
  return parts.filter((_, at) => !joins(at));
}
const RANGES = new Set<Term['is']>(['weekday', 'part', 'meal', 'month']);
const WORD = /^[a-z\u0621-\u064a]/;

function* wordsAt(parts: readonly string[], at: number, { terms, longest }: Vocabulary) {
  let key = '';
  for (let end = at + 1; end <= Math.min(parts.length, at + longest); end++) {
    key += `${key && ' '}${parts[end - 1]}`;
    for (const term of terms.get(key) ?? []) yield { term, end };
  }
}

/** Numbers of up to four digits, and clock times: 8:30, 8:30 pm, 8 pm, 8h30. */
function* numbersAt(parts: readonly string[], at: number): Generator<Edge> {
  const [hour = '', sign = '', minute = '', ...more] = parts.slice(at, at + 5);
  if (!/^\d{1,4}$/.test(hour)) return;
  yield { term: { is: 'number', value: Number(hour) }, end: at + 1 };
  if (hour.length > 2) return;
  const full = /^[:.h]$/.test(sign) && /^\d\d$/.test(minute);
  const half = full ? HALF.get(more[0] ?? '') : HALF.get(sign);
  const clock = clockOf(Number(hour), full ? Number(minute) : 0, half);
  if (!clock || (!full && half === undefined) || (sign === '.' && half === undefined)) return;
  yield { term: { is: 'clock', clock }, end: at + (full ? 3 : 1) + (half === undefined ? 0 : 1) };
}

/** The hours that begin each half of the day; 0 stands for the whole day by the 24-hour clock. */
const HALF = new Map<string, 'am' | 'pm' | 'whole'>([
  ['am', 'am'],
  ['pm', 'pm'],
  ['uhr', 'whole'],
]);

function clockOf(hour: number, minute: number, half?: 'am' | 'pm' | 'whole'): string | undefined {
  const twelve = half === 'am' || half === 'pm';
  if (minute > 59 || hour > 23 || (twelve && (hour < 1 || hour > 12))) return undefined;
  const shown = twelve ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour;
  return `${String(shown).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
