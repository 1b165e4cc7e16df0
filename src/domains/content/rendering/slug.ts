import { fold, foldLatin } from '../../../core/folding.js';
import { tokens } from '../../../platform/markup.js';

const SLUG_BYTES = 200;
const KEY_LENGTH = 250;

const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{0,30});/gi;
const OCTETS = /(?:%[\da-f]{2})+/gi;

/**
 * Replacements of characters other than a-z, 0-9 and `_`. The first match decides. Characters
 * without a match are percent-encoded.
 */
const CHARACTERS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/[\s/.]|\p{Z}|\p{Pd}/u, '-'],
  [/×/u, 'x'],
  [/€/u, 'e'],
  [/[\0-\x7f]|[\p{P}\p{C}]|[©®°™´£]/u, ''],
];

/**
 * Returns the slug of a title or of a given slug, in lower case without accents. Spaces, `/` and
 * `.` become `-`; other punctuation is removed, except `_`; other scripts and emoji are
 * percent-encoded. It has at most 200 bytes and ends with a whole percent sequence.
 */
export const slugify = (text: string): string => slugged(readable(text), SLUG_BYTES);

function slugged(text: string, most: number): string {
  let slug = '';
  let bytes = 0;
  for (const character of foldLatin(text.normalize('NFC'))) {
    const cost = character < '\x80' ? 1 : encode(character).length;
    if (bytes + cost > most) break;
    bytes += cost;
    slug += slugCharacter(character);
  }
  return slug.replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '');
}

/** Returns a text with digits of full width, as Japanese titles have them. */
const fullDigits = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

/** So often may a slug have been percent-encoded. */
const MOST_ENCODINGS = 4;
/** More characters than a slug has that was encoded so often. */
const LONGEST_SPELLING = 4_000;

/** Letters whose capitals or compatible forms (NFKC) are also those of other letters. */
const ALIKE: readonly (readonly [string, string])[] = [
  ['ς', 'σ'],
  ['μ', 'µ'],
  ['եւ', 'և'],
  ['\u0e4d\u0e32', '\u0e33'],
  ['\u0ecd\u0eb2', '\u0eb3'],
];
const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

/** Kana and marks of half width by those of full width. */
const HALF_WIDTH: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0xff9f - 0xff61 + 1 }, (_, i) => {
    const half = String.fromCodePoint(0xff61 + i);
    return [half.normalize('NFKC'), half] as const;
  }),
);

/** Returns a text with kana of half width, as old phones write them. */
const halfWidth = (text: string): string =>
  text.normalize('NFKD').replaceAll(/./gu, (letter) => HALF_WIDTH.get(letter) ?? letter);

/** A text that is its own slug. */
const PLAIN = /^[a-z0-9_]+(?:-[a-z0-9_]+)*$/;

/**
 * Returns the slugs that somebody may mean: decoded or percent-encoded up to four times, in any
 * case, with octets in any case, and letters in any form of Unicode, with kana of either width and
 * digits of full width. The first is the text itself.
 * A stored slug is one of them, so a list of these is found by the index of slugs
 * (docs/behaviour.md 4.1). Latin accents do not count, since slugs have none.
 */
export function slugsMeantBy(text: string): string[] {
  if (text.length > LONGEST_SPELLING) return [text];
  const spelled = slugsSpelledBy(text);
  if (PLAIN.test(text)) return spelled;
  const slug = slugged(decoded(text), Number.POSITIVE_INFINITY);
  return [...new Set([...spelled, ...(slug ? [slug, ...slugsSpelledBy(slug)] : [])])];
}

/** Returns the same, without the slug that the text would become: a text with a blank is none. */
export function slugsSpelledBy(text: string): string[] {
  if (text.length > LONGEST_SPELLING) return [text];
  const lower = decoded(text).toLowerCase();
  const spellings = ASCII.test(lower) ? [lower, fullDigits(lower)] : spellingsBeyondAscii(lower);
  const encoded = [...new Set(spellings)].map(encodeBeyondAscii);
  const meant = [text, text.toLowerCase(), ...encoded];
  return [...new Set(meant.filter((slug) => (slug || text === '') && !slug.includes('\0')))];
}

/** Of ASCII only digits have other forms. */
const ASCII = /^[\0-\x7f]*$/;

function spellingsBeyondAscii(lower: string): string[] {
  const forms = new Set([lower, ...FORMS.map((form) => lower.normalize(form))]);
  forms.add(halfWidth(lower)).add(fullDigits(lower));
  return [...forms].flatMap((one) => [
    one,
    ...ALIKE.map(([letters, alike]) => one.replaceAll(letters, alike)),
  ]);
}

function decoded(text: string): string {
  let plain = text;
  for (let i = 0; i < MOST_ENCODINGS && plain.includes('%'); i++)
    plain = plain.replaceAll(OCTETS, (octets) => decode(octets) || octets);
  return plain;
}

const encodeBeyondAscii = (text: string) => text.replaceAll(/[^\x00-\x7f]+/gu, encode);

function slugCharacter(character: string): string {
  if (/[a-z0-9_]/.test(character)) return character;
  const rule = CHARACTERS.find(([pattern]) => pattern.test(character));
  return rule ? rule[1] : encode(character);
}

/** Returns a text without tags, comments and entities, with its percent sequences decoded. */
function readable(text: string): string {
  let bare = '';
  for (const token of tokens(text))
    if (token.kind === 'text' || token.kind === 'raw') bare += token.source;
  return bare
    .replaceAll(ENTITY, '')
    .replaceAll(OCTETS, decode)
    .replaceAll(/\p{Cs}/gu, '');
}

const encode = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '')).toLowerCase();

function decode(octets: string): string {
  try {
    return decodeURIComponent(octets);
  } catch {
    return '';
  }
}

/**
 * Returns a key whose order, byte by byte, is that of the text without regard to case and accents.
 * It has at most 250 characters, so that an index can store it.
 */
export function sortKey(text: string): string {
  const bare = fold(text.slice(0, 2 * KEY_LENGTH).replaceAll(/\p{Cs}/gu, ''));
  const spaced = bare.replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ').trim();
  return [...spaced].slice(0, KEY_LENGTH).join('').trimEnd();
}

const RESERVED = new Set(['atom', 'embed', 'feed', 'rdf', 'rss', 'rss2']);

/**
 * Returns whether a slug always gets a numeric suffix: names of feeds and embeds, and numbers,
 * which look like a date archive (docs/behaviour.md 6.5).
 */
export function isReservedSlug(slug: string): boolean {
  return RESERVED.has(slug) || /^0*[1-9]\d*$/.test(slug);
}
