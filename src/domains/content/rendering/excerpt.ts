import { BLOCK_ELEMENTS, tokens } from './markup.js';

const PAGE_END = /<!--(?:more-->|more[\t\n\f\r ]|nextpage-->)/;

/**
 * Returns the part of a content that an automatic excerpt is taken from: up to `<!--more-->` or the
 * end of its first page.
 */
export function opening(content: string): string {
  const cut = content.search(PAGE_END);
  return cut < 0 ? content : content.slice(0, cut);
}

/**
 * The words of rendered HTML, without tags, comments, scripts and styles; words of different blocks
 * stay apart.
 */
export function plainText(html: string): string {
  let text = '';
  for (const token of tokens(html)) {
    if (token.kind === 'text') text += token.source.replaceAll('<', '&lt;');
    else if (
      token.kind === 'tag' &&
      (BLOCK_ELEMENTS.has(token.tag.name) || token.tag.name === 'br')
    )
      text += ' ';
  }
  return text;
}

/** Words of an automatic excerpt when nobody says how many: as many are stored. */
export const USUAL_WORDS = 55;

/** Returns what `summary` returns for fewer words, from what it returned for more. */
export function shortened(excerpt: string, words: number): string {
  const [, text] = /^<p>(.*?)(?: \[&hellip;\])?<\/p>\n$/s.exec(excerpt) ?? [];
  if (text === undefined) return excerpt;
  const all = text.split(' ');
  return all.length > words
    ? `<p>${all.slice(0, Math.max(0, words)).join(' ')} [&hellip;]</p>\n`
    : excerpt;
}

/**
 * The first `words` words as one paragraph, ` [&hellip;]` when there are more; no words at all give
 * "".
 */
export function summary(text: string, words: number): string {
  const most = Math.max(0, words);
  const found = firstWords(text, most + 1);
  if (found.length === 0) return '';
  return `<p>${found.slice(0, most).join(' ')}${found.length > most ? ' [&hellip;]' : ''}</p>\n`;
}

/** The first words of a text, at most so many: what stands between blanks. */
export function firstWords(text: string, most: number): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/[^\t\n\v\f\r ]+/g)) {
    if (words.length >= most) break;
    words.push(word);
  }
  return words;
}
