import { COLLATION_WEIGHTS } from './collation-weights.js';

/** Characters that follow each other, with their weights. */
interface Run {
  readonly first: number;
  readonly count: number;
  readonly weights: readonly number[];
  /** What the last weight grows by from one character to the next: 0 or 1. */
  readonly step: number;
}

/** Where the key of a title begins: those of versions before have no such character. */
const BEGINNING = '\u0001';
/** B-tree entries are limited to about 2,700 bytes: longer titles sort by their beginning. */
const LONGEST_KEY = 500;
/** The weight of a space. Those at the end of a title do not count. */
const SPACE = 0x020a;

/**
 * Returns a key whose order, byte by byte, is that of titles in the original: that of the Unicode
 * Collation Algorithm 5.2 by primary weights, where punctuation counts and case and accents do not
 * (`utf8mb4_unicode_520_ci`). It has at most 501 characters, so that an index can store it.
 */
export function titleKey(title: string): string {
  const weights: number[] = [];
  for (const character of title) {
    if (weights.length >= LONGEST_KEY) break;
    weights.push(...weightsOf(character));
  }
  while (weights.at(-1) === SPACE) weights.pop();
  return BEGINNING + weights.slice(0, LONGEST_KEY).map(letterOf).join('');
}

/** The first key and the one behind the last, between which all keys of titles lie. */
export const TITLE_KEYS = [BEGINNING, '\u0002'] as const;

/** Returns the character that stands for a weight: none of it is half a character. */
const letterOf = (weight: number) =>
  String.fromCodePoint(weight < 0xd800 ? weight : weight + 0x800);

function weightsOf(character: string): readonly number[] {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return [];
  const run = runOf(code);
  if (run) return grown(run, code - run.first);
  const isHangul = code >= 0xac00 && code <= 0xd7a3;
  const parts = isHangul ? character : character.normalize('NFKD');
  return parts === character ? implicit(code) : [...parts].flatMap(weightsOf);
}

function grown({ weights, step }: Run, by: number): readonly number[] {
  return step === 0 ? weights : [...weights.slice(0, -1), (weights.at(-1) ?? 0) + by];
}

/** Returns the weights of a character that has none of its own (UCA 7.1.3, of that version). */
function implicit(code: number): readonly number[] {
  const isExtension = code >= 0x3400 && code <= 0x4db5;
  const isIdeograph = (code >= 0x4e00 && code <= 0x9fa5) || (code >= 0xfa0e && code <= 0xfa2d);
  const base = isExtension ? 0xfb80 : isIdeograph ? 0xfb40 : 0xfbc0;
  return [base + (code >> 15), (code & 0x7fff) | 0x8000];
}

/** Returns the run that a character is in; undefined when it is in none. */
function runOf(code: number): Run | undefined {
  const all = runs();
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.first ?? 0) > code) high = middle;
    else low = middle + 1;
  }
  const run = all[low - 1];
  return run && code < run.first + run.count ? run : undefined;
}

let read: readonly Run[] | undefined;
function runs(): readonly Run[] {
  read ??= readRuns();
  return read;
}

function readRuns(): Run[] {
  let end = 0;
  return COLLATION_WEIGHTS.split(' ').map((text) => {
    const [place = '', list = ''] = text.split(':');
    const [gap = '', count = '1'] = place.split(/[=+]/);
    const first = end + Number.parseInt(gap, 36);
    const run = { first, count: Number.parseInt(count, 36), step: place.includes('+') ? 1 : 0 };
    end = first + run.count;
    const weights = list === '' ? [] : list.split(',').map((weight) => Number.parseInt(weight, 36));
    return { ...run, weights };
  });
}
