import { BLOCK_ELEMENTS, tokens } from '../../../platform/markup.js';
import { IMAGE_SMILEY, withSmilies } from './smilies.js';
import { typography } from './typography.js';

const PAGE_END = /<!--(?:more-->|more[\t\n\f\r ]|nextpage-->)/;

/**
 * Returns the part of a content from which an automatic excerpt is made: up to `<!--more-->` or the
 * end of the first page.
 */
export function opening(content: string): string {
  const cut = content.search(PAGE_END);
  return cut < 0 ? content : content.slice(0, cut);
}

/**
 * Returns the text of rendered HTML, without tags, comments, scripts and styles. Words of different
 * blocks are not joined.
 */
export function plainText(html: string): string {
  let text = '';
  for (const token of tokens(html)) {
    if (token.kind === 'text') text += token.source;
    else if (
      token.kind === 'tag' &&
      (BLOCK_ELEMENTS.has(token.tag.name) || token.tag.name === 'br')
    )
      text += ' ';
  }
  return text.replaceAll(/<(?=[a-z/!?])/gi, '&lt;');
}

/** Default number of words of an automatic excerpt, and the number in stored ones. */
export const USUAL_WORDS = 55;

/** Returns the result of `summary` for fewer words, from its result for more. */
export function shortened(excerpt: string, words: number): string {
  const [, text] = /^<p>(.*?)(?: \[&hellip;\])?<\/p>\n$/s.exec(excerpt) ?? [];
  if (text === undefined) return excerpt;
  const all = text.split(' ');
  return all.length > words
    ? `<p>${all.slice(0, Math.max(0, words)).join(' ')} [&hellip;]</p>\n`
    : excerpt;
}

/**
 * Returns the first `words` words as one paragraph, with ` [&hellip;]` when there are more. Returns
 * "" for a text without words. The text of code is typographic and has signs for smilies, too: here it is text like any other.
 */
export function summary(text: string, words: number): string {
  const most = Math.max(0, words);
  const found = firstWords(text, most + 1);
  if (found.length === 0) return '';
  const shown = withSmilies(typography(found.slice(0, most).join(' ')), IMAGE_SMILEY);
  return `<p>${shown}${found.length > most ? ' [&hellip;]' : ''}</p>\n`;
}

/**
 * Returns the first words of a text, at most `most`. White space separates words. It looks for the
 * blanks: a pattern of a word of some megabytes overflows the stack of the engine of patterns.
 */
export function firstWords(text: string, most: number): string[] {
  const words: string[] = [];
  let start = 0;
  for (const { index } of text.matchAll(/[\t\n\v\f\r ]/g)) {
    if (words.length >= most) return words;
    if (index > start) words.push(text.slice(start, index));
    start = index + 1;
  }
  if (words.length < most && start < text.length) words.push(text.slice(start));
  return words;
}
