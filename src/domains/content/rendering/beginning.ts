import { hasBlocks, renderSummarisedBlocks } from './blocks.js';
import { firstWords, opening, plainText } from './excerpt.js';
import { RAW_CLOSERS, tokens } from './markup.js';
import { OPAQUE, paragraphs } from './paragraphs.js';
import { stripShortcodes } from './shortcodes.js';
import { typography } from './typography.js';

/** Characters of source that a word has at most, as a rule: tags, links and delimiters included. */
const USUAL_WORD = 15;
/** By how much more is read when a part did not do. */
const GROWTH = 4;
/** Words behind the last one that counts: they are longer than typography looks ahead. */
const MARGIN = 50;

/**
 * The first words of a content as plain text, as its excerpt shows them: `words` of them and one
 * more, or all. Renders a part of the content where that surely gives the words of the whole.
 */
export function beginning(content: string, words: number): string {
  const source = stripShortcodes(opening(content));
  const render = hasBlocks(source) ? summarisedPart : classicPart;
  for (let length = (words + MARGIN) * USUAL_WORD; length < source.length; length *= GROWTH) {
    const html = render(source, length);
    const found = html === undefined ? [] : wordsOf(html, words + MARGIN);
    if (found.length === words + MARGIN) return found.slice(0, words + 1).join(' ');
  }
  const whole = render(source, Number.POSITIVE_INFINITY) ?? '';
  return wordsOf(whole, words + 1).join(' ');
}

const wordsOf = (html: string, most: number) => firstWords(plainText(typography(html)), most);

/** The first blocks as HTML; undefined when what follows may change them. */
function summarisedPart(source: string, length: number): string | undefined {
  const html = renderSummarisedBlocks(source, length);
  return length >= source.length || isClosed(html) ? html : undefined;
}

/** The same of classic text, which is cut where a block ends, if one does. */
function classicPart(source: string, length: number): string | undefined {
  if (length >= source.length) return paragraphs(source);
  const end = source.lastIndexOf('\n\n', length);
  const part = source.slice(0, end > length / 2 ? end : length);
  return isClosed(part) ? paragraphs(part) : undefined;
}

/** What may be markup when more follows. */
const UNFINISHED = /<(?:[a-z!?/]|$)/i;
/** Elements that are read in another way when they are closed later. */
const readWhole = (name: string) => OPAQUE.has(name) || Object.hasOwn(RAW_CLOSERS, name);

/**
 * Whether a part of HTML is read in the same way whatever follows it: it ends in no tag or comment,
 * and in no element whose end decides how it is read.
 */
function isClosed(html: string): boolean {
  const open = new Set<string>();
  for (const token of tokens(html)) {
    if (token.kind === 'text' && UNFINISHED.test(token.source)) return false;
    if (token.kind !== 'tag' || !readWhole(token.tag.name)) continue;
    if (token.tag.closing) open.delete(token.tag.name);
    else open.add(token.tag.name);
  }
  return open.size === 0;
}
