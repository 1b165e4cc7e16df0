import { fold, foldLatin } from './folding.js';
import { tokens } from './markup.js';

const SLUG_BYTES = 200;
const KEY_LENGTH = 250;

const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{0,30});/gi;
const OCTETS = /(?:%[\da-f]{2})+/gi;

/**
 * What becomes of a character that is neither a-z, 0-9 nor `_`, first match first; others are
 * percent-encoded.
 */
const CHARACTERS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/[\s/.]|\p{Z}|\p{Pd}/u, '-'],
  [/×/u, 'x'],
  [/€/u, 'e'],
  [/[\0-\x7f]|[\p{P}\p{C}]|[©®°™´£]/u, ''],
];

/**
 * Slug of a title or of a given slug: lower case, accents folded, spaces and `/`, `.` as `-`,
 * punctuation dropped, `_` kept, other scripts and emoji percent-encoded, at most 200 bytes, no
 * percent sequence cut.
 */
export function slugify(text: string): string {
  let slug = '';
  let bytes = 0;
  for (const character of foldLatin(readable(text))) {
    const cost = character < '\x80' ? 1 : encode(character).length;
    if (bytes + cost > SLUG_BYTES) break;
    bytes += cost;
    slug += slugCharacter(character);
  }
  return slug.replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '');
}

function slugCharacter(character: string): string {
  if (/[a-z0-9_]/.test(character)) return character;
  const rule = CHARACTERS.find(([pattern]) => pattern.test(character));
  return rule ? rule[1] : encode(character);
}

/** The text without tags, comments and entities, percent sequences decoded. */
function readable(text: string): string {
  let bare = '';
  for (const token of tokens(text))
    if (token.kind === 'text' || token.kind === 'raw') bare += token.source;
  return bare
    .replaceAll(ENTITY, '')
    .replaceAll(OCTETS, decode)
    .replaceAll(/\p{Cs}/gu, '');
}

const encode = (character: string): string =>
  /\p{Cs}/u.test(character) ? '' : encodeURIComponent(character).toLowerCase();

function decode(octets: string): string {
  try {
    return decodeURIComponent(octets);
  } catch {
    return '';
  }
}

/**
 * Key that sorts as a case- and accent-insensitive reader expects when compared byte by byte; only
 * the first 250 letters count, so that an index can hold it.
 */
export function sortKey(text: string): string {
  const bare = fold(text.slice(0, 2 * KEY_LENGTH).replaceAll(/\p{Cs}/gu, ''));
  const spaced = bare.replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ').trim();
  return [...spaced].slice(0, KEY_LENGTH).join('').trimEnd();
}

const RESERVED = new Set(['atom', 'embed', 'feed', 'rdf', 'rss', 'rss2']);

/**
 * Slugs that always get a numeric suffix: names of feeds and embeds, and numbers, which look like a
 * date archive (docs/behaviour.md 6.5).
 */
export function isReservedSlug(slug: string): boolean {
  return RESERVED.has(slug) || /^0*[1-9]\d*$/.test(slug);
}
