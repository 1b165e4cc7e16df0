import { RAW_CLOSERS, tokens } from '../../../platform/markup.js';
import { hasBlocks, renderSummarisedBlocks } from './blocks.js';
import { firstWords, opening, plainText } from './excerpt.js';
import { OPAQUE, paragraphs } from './paragraphs.js';
import { named, namedInQuotes } from './product-name.js';
import { stripShortcodes } from './shortcodes.js';
import { withSmilies } from './smilies.js';
import { typography } from './typography.js';

/** Usual maximum of source characters for a word, including tags, links and delimiters. */
const USUAL_WORD = 15;
/** Factor by which the part grows when it was too short. */
const GROWTH = 4;
/** Number of words to read after the last needed one: more text than typography looks ahead. */
const MARGIN = 50;

/** Characters of a content in which the words of its excerpt are looked for. */
const LONGEST_SOURCE = 256 * 1024;

/**
 * Returns the first words of a content as plain text, as its excerpt shows them: `words` of them
 * and one more, or all of its first 256 Ki characters. Renders only a part of the content where the
 * result is certain to be the same.
 */
export function beginning(content: string, words: number): string {
  const source = summarisable(stripShortcodes(opening(content).slice(0, LONGEST_SOURCE)));
  const render = hasBlocks(source) ? summarisedPart : classicPart;
  for (let length = (words + MARGIN) * USUAL_WORD; length < source.length; length *= GROWTH) {
    const html = render(source, length);
    const found = html === undefined ? [] : wordsOf(html, words + MARGIN);
    if (found.length === words + MARGIN) return found.slice(0, words + 1).join(' ');
  }
  const whole = render(source, Number.POSITIVE_INFINITY) ?? '';
  return wordsOf(whole, words + 1).join(' ');
}

/** The mark of a footnote, as the editor writes it. */
const FOOTNOTE =
  /<sup data-fn="[^"]{1,200}" class="[^"]{1,200}"><a href="[^"]{1,200}" id="[^"]{1,200}">\d{1,5}<\/a><\/sup>/g;

/** Returns a source without marks of footnotes, and with the end of CDATA as text, as the original reads it. */
const summarisable = (source: string) =>
  source.replaceAll(FOOTNOTE, '').replaceAll(']]>', ']]&gt;');

function wordsOf(html: string, most: number): string[] {
  const shown = namedInQuotes(typography(named(html)));
  // Their images are no words.
  return firstWords(plainText(withSmilies(shown, '')), most);
}

/** Returns the first blocks as HTML. Returns undefined when later text may change them. */
function summarisedPart(source: string, length: number): string | undefined {
  const html = renderSummarisedBlocks(source, length);
  return length >= source.length || isClosed(html) ? html : undefined;
}

/** As `summarisedPart`, for classic text, which is cut where a block element ends. */
function classicPart(source: string, length: number): string | undefined {
  if (length >= source.length) return paragraphs(source);
  const end = source.lastIndexOf('\n\n', length);
  const part = source.slice(0, end > length / 2 ? end : length);
  return isClosed(part) ? paragraphs(part) : undefined;
}

/** A text that may become markup when more text follows. */
const UNFINISHED = /<(?:[a-z!?/]|$)/i;
/** Returns whether the end tag of an element decides how the element is read. */
const readWhole = (name: string) => OPAQUE.has(name) || Object.hasOwn(RAW_CLOSERS, name);

/**
 * Returns whether a part of HTML is read in the same way whatever follows. Then it ends neither
 * inside a tag or comment nor inside an element of `readWhole`.
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
