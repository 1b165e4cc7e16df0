import { isDeepStrictEqual } from 'node:util';
import {
  type ClockPiece,
  clockAt,
  dateAt,
  isNumber,
  lexed,
  numbersAt,
  type Piece,
} from './lexer.js';
import type { Term } from './term.js';
import { parted, type Vocabulary } from './vocabulary.js';

/** A term that stands at some place of a phrase, and the place behind it. */
export interface Edge {
  readonly term: Term;
  readonly end: number;
}

/** All terms that may stand at each place; a place for each piece of the phrase. */
export interface Lattice {
  readonly edges: readonly (readonly Edge[])[];
  readonly parts: readonly string[];
  /** Whether each piece follows a number without a space. */
  readonly joined: readonly boolean[];
}

/** Most pieces of a phrase. Bounds the work: no direction needs as many. */
const MOST_PIECES = 80;

/**
 * Returns what may stand where in a plain phrase. Undefined for a phrase that is too long, and for one
 * with a word that is none of the language. `smallHours: 'amounts'` reads 2 am as two in the morning.
 */
export function latticeOf(
  text: string,
  vocabulary: Vocabulary,
  smallHours?: 'amounts',
): Lattice | undefined {
  const lattice = knownIn(text, vocabulary, smallHours);
  return lattice && isCovered(lattice.edges) ? lattice : undefined;
}

/** Returns the same, with nothing at the places of words that are none of the language. */
export function knownIn(
  text: string,
  vocabulary: Vocabulary,
  smallHours?: 'amounts',
): Lattice | undefined {
  const isEnglish = vocabulary.language === 'en';
  const mixed = isEnglish
    ? text
        .replace(MIXED_NUMBER, ' ')
        .replace(PRONOUN, '')
        .replace(BOTH_HALVES, '$1 am and $1 pm')
        .replace(WITHOUT, 'without ')
        .replace(WITH, 'with ')
    : text;
  if (LOST_NUMBER.test(mixed)) return undefined;
  const all = lexed(HYPHENS.reduce((done, [what, by]) => done.replace(what, by), mixed));
  if (all.length === 0 || all.length > MOST_PIECES || !isBalanced(all)) return undefined;
  const split = all.flatMap(({ text: piece, joined }) =>
    parted(piece, vocabulary).map((part, i) => ({ text: part, joined: joined && i === 0 })),
  );
  const kept = withoutHyphens(split, vocabulary);
  if (kept.length > MOST_PIECES) return undefined;
  const parts = kept.map((piece) => piece.text);
  const military = parts.some((part) => /^0\d{3}$/.test(part));
  const edges = parts.map((_, at) => {
    const isAmount =
      (smallHours === 'amounts' && isSmallHour(kept, at)) || isGermanAm(kept, at, vocabulary);
    const clock = isAmount ? undefined : clockIn(parts, at, { military, vocabulary });
    if (isEnglishAm(parts, at, vocabulary)) return [];
    // A clock time is read whole: neither its hour nor its half of the day stands alone.
    if (clock !== undefined) return clock ? [clockEdge(clock, at)] : [];
    const words = wordsAt(parts, at, vocabulary);
    const known = isGermanAnd(parts, at, vocabulary)
      ? words.filter(({ term }) => term.is !== 'form')
      : words;
    return [...known, ...numberEdges(parts, at, vocabulary)];
  });
  return { edges, parts, joined: kept.map(({ joined }) => joined) };
}

/** Returns lattices without those that are others once more: many phrases have no word of a language. */
export const distinct = <T extends Lattice>(lattices: readonly T[]): T[] =>
  lattices.filter((one, i) => !lattices.slice(0, i).some((before) => isAlike(one, before)));

/** Returns whether the same terms stand at the same places. */
export const isAlike = (one: Lattice, other: Lattice): boolean =>
  one.parts.length === other.parts.length &&
  one.edges.every((edges, at) => isDeepStrictEqual(edges, other.edges[at]));

/**
 * Returns whether a number may be an hour and an amount: 2 am, but not 2am, at 2 am, 8 am. Beside an
 * am alone any hour may be: 10 units am, 8 pm.
 */
const isSmallHour = (all: readonly Piece[], at: number): boolean =>
  (hasBareHalf(all) ? /^\d{1,2}$/ : /^[1-4]$/).test(all[at]?.text ?? '') &&
  /^[ap]m$/.test(all[at + 1]?.text ?? '') &&
  all[at + 1]?.joined === false &&
  !/^(?:at|@)$/.test(all[at - 1]?.text ?? '');

const hasBareHalf = (all: readonly Piece[]): boolean =>
  all.some(({ text }, i) => /^[ap]m$/.test(text) && BARE_BEFORE.test(all[i - 1]?.text ?? ''));
/** What stands before an am that has no hour: a word, a comma or nothing. The am is a part of the day. */
const BARE_BEFORE = /^[a-z,]*$/;

/** Returns whether a number stands before the German am: 3 am Tag. */
const isGermanAm = (all: readonly Piece[], at: number, { language }: Vocabulary): boolean =>
  language === 'de' &&
  all[at + 1]?.text === 'am' &&
  all[at + 1]?.joined === false &&
  WORD.test(all[at + 2]?.text ?? '');

/** Returns the clock time at a place. Only German says Uhr. */
const clockIn = (
  parts: readonly string[],
  at: number,
  { military, vocabulary }: { military: boolean; vocabulary: Vocabulary },
) =>
  parts[at + 1] === 'uhr' && vocabulary.language !== 'de'
    ? undefined
    : clockAt(parts, at, military);

/** Returns whether am stands before an English clock, beside which it is no German word: am 1 pm. */
const isEnglishAm = (parts: readonly string[], at: number, { language }: Vocabulary): boolean =>
  language === 'de' && parts[at] === 'am' && clockAt(parts, at + 1, false)?.exact === true;

/** Returns whether u. stands for the German und, and for no units: 8 u. 20 Uhr. */
const isGermanAnd = (parts: readonly string[], at: number, { language }: Vocabulary): boolean =>
  language === 'de' && parts[at] === 'u' && parts[at + 1] === '.';

/** Returns whether each place lies in some term. */
function isCovered(edges: readonly (readonly Edge[])[]): boolean {
  let reached = 0;
  return edges.every((all, at) => {
    for (const { end } of all) reached = Math.max(reached, end);
    return reached > at;
  });
}

/** Brackets stand in pairs, and none within another. */
function isBalanced(all: readonly Piece[]): boolean {
  const brackets = all.map(({ text }) => (text === '(' || text === ')' ? text : '')).join('');
  return /^(?:\(\))*$/.test(brackets);
}

/** 1-1/2: one and a half, unless more numbers follow. */
const MIXED_NUMBER = /(?<=(?<![-\d./])\d)-(?=(?:1\/2|1\/4|3\/4)(?![-\d/]))/g;
/** W/ food, w/o food. */
const WITH = /(?<=^| )w\/ ?(?=[a-z]{3})/g;
const WITHOUT = /(?<=^| )w\/o (?=[a-z]{3})/g;
/** At 8 am and pm. */
const BOTH_HALVES = /(?<=\bat |@ ?)(\d{1,2}(?::\d\d)?) ?am ?(?:and|&|\/) ?pm\b/g;
/** At pm, 8 am and pm, -weekly: a number is lost before it. 1:10 with meals is a ratio. */
const SLOT = String.raw`(?:\d+(?:[.,/]\d+)?|[½¼¾])`;
const LOST_NUMBER = new RegExp(
  [
    String.raw`(?:\bat |@ ?)[ap]m\b`,
    String.raw`\b(?:[5-9]|1[0-2]) ?am ?(?:and|&|/) ?pm\b`,
    String.raw`(?<=[a-z]) -(?:(?:hour|week|month)ly|(?:stund|monat|wochent)lich)\b`,
    // 1-01-0, 0-0-01.
    String.raw`(?:^| )\d-(?:\d-)*0\d\b(?!-\d\d)`,
    // 5 - 1-0-0: a strength with its sign, or four times of the day.
    String.raw`\d(?: [-–] ?|[-–] )${SLOT}[-–]${SLOT}[-–]${SLOT}(?![-–\d])`,
    String.raw`^1:\d\d (?=(?:with|before|after|mit|vor|nach|con|avec|com|by|at)\b)`,
  ].join('|'),
);
/** I take 1 daily: the pronoun is no Roman one. */
const PRONOUN = /^i (?=(?:have to |need to |should |must )?(?:take|give) )/;
/**
 * Hyphens around a phrase, several for one, and one that joins a number and a word without a space:
 * every-8-hours. Any other hyphen beside a number may be a minus, or belong to a range.
 */
const HYPHENS: readonly (readonly [RegExp, string])[] = [
  [/^[ -]+(?=[a-z])|(?<=[a-z])[ -]+$/g, ''],
  [/(?<=[a-z])[ -]{0,10}-[ -]{0,10}-[ -]{0,10}(?=[a-z])/g, '-'],
  [/(?<=\d)-(?!(?:week|month)ly|(?:monat|wochent)lich)(?=[a-z])/g, ''],
  [/(?<=\b(?:every|each))-(?=\d)/g, ' '],
  // 7.00 und 19.00 Uhr.
  [
    /(?<!\d[.,]?)(\d{1,2})\.(?=[0-5]\d(?: ?, ?| und | u \. ?| & | ?- ?)(?:um )?[\d.:, undm&]{0,40}uhr\b)/g,
    '$1:',
  ],
  // 2xtgl, 3xtäglich.
  [/(?<=\d ?)x(?=ta?gl)/g, 'x '],
  [/(?<![-–] ?)\bm ?[-–] ?f\b(?! ?[-–])/g, 'mon-fri'],
];

/**
 * Leaves out the hyphens that join two words: every-other-day. A hyphen stays between words that
 * may be the ends of a range (Mon-Fri), and beside signs and numbers, where it may be a minus.
 */
function withoutHyphens(all: readonly Piece[], vocabulary: Vocabulary): readonly Piece[] {
  const parts = all.map(({ text }) => text);
  const areBoth = (at: number, ends: (term: Term) => boolean) =>
    [parts[at - 1], parts[at + 1]].every((word = '') => vocabulary.terms.get(word)?.some(ends));
  const joins = (at: number) =>
    parts[at] === '-' &&
    WORD.test(parts[at - 1] ?? '') &&
    WORD.test(parts[at + 1] ?? '') &&
    !areBoth(at, ({ is }) => RANGES.has(is)) &&
    !areBoth(at, saysOften);
  return all.filter((_, at) => !joins(at));
}
/**
 * Languages in which prescribers write small numbers with a zero, so that nobody adds a digit. 05 may
 * be a half that has lost its sign.
 */
const PADDING = new Set(['es', 'pt']);
/** Daily-bid, bd-tds: from so many times a day to so many. */
const saysOften = (term: Term): boolean =>
  term.is === 'says' &&
  term.said.some(({ every, per }) => every !== undefined || per !== undefined);
const RANGES = new Set<Term['is']>(['weekday', 'part', 'meal', 'month', 'number']);
const WORD = /^[a-z\u0621-\u064a]/;

const AFTER = /^(?:despues del?|depois (?:d[aeo]s?))$/;

function wordsAt(parts: readonly string[], at: number, vocabulary: Vocabulary): Edge[] {
  const { terms, beginnings } = vocabulary;
  const found: Edge[] = [];
  // Después de las 18:00, depois do almoço: after, and not then.
  const isAfter = AFTER.test(parts.slice(at, at + 2).join(' '));
  let key = '';
  // The 15th is no Thursday.
  if (parts[at] === 'th' && isNumber(parts[at - 1])) return found;
  for (let end = at + 1; end <= parts.length; end++) {
    key += `${key && ' '}${parts[end - 1]}`;
    if (!beginnings.has(key)) break;
    for (const term of terms.get(key) ?? [])
      if (!isAfter || term.is !== 'then' || end > at + 1) found.push({ term, end });
  }
  return found;
}

function clockEdge({ length, ...clock }: ClockPiece, at: number): Edge {
  return { term: { is: 'clock', ...clock }, end: at + length };
}

function numberEdges(
  parts: readonly string[],
  at: number,
  { sign, language }: Vocabulary,
): readonly Edge[] {
  const piece = parts[at] ?? '';
  if (!isNumber(piece)) return [];
  const date = dateAt(piece);
  if (date) return [{ term: { is: 'date', date }, end: at + 1 }];
  const usual = PADDING.has(language) && /^0[1-46-9]$/.test(piece);
  return numbersAt(parts, at, sign).map(({ length, padded, ...number }) => ({
    term: { is: 'number', ...number, ...(padded && !usual && { padded }) },
    end: at + length,
  }));
}
