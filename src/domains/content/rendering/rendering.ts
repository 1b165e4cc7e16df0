import { hash } from 'node:crypto';
import { Recent } from '../../../platform/lru.js';
import { hasBlocks, renderBlocks, renderSummarisedBlocks } from './blocks.js';
import { firstWords, opening, plainText, summary, USUAL_WORDS } from './excerpt.js';
import { paragraphs } from './paragraphs.js';
import { runShortcodes, stripShortcodes } from './shortcodes.js';
import { typography } from './typography.js';

/** Version of the renderer: stored with each rendered row; raised whenever output may change, so older rows are rendered anew
 * when read. */
export const RENDERING = 2;

/** Title as shown: typographic, HTML kept. */
export function renderTitle(raw: string): string {
  return typography(raw).trim();
}

/**
 * Content as shown: block content without its delimiters, or classic text in paragraphs; both
 * typographic, with shortcodes run.
 */
export function renderContent(raw: string): string {
  const html = runShortcodes(raw);
  return typography(hasBlocks(html) ? renderBlocks(html) : paragraphs(html));
}

/** Excerpt as shown: the explicit one in paragraphs, else the first `words` words of the content, tags stripped; 0 or less
 * shows the ellipsis alone, empty content "". At most MOST_WORDS. */
export function renderExcerpt(excerpt: string, content: string, words = USUAL_WORDS): string {
  if (excerpt.trim() !== '') return typography(paragraphs(excerpt));
  return summary(beginning(content), Math.min(words, MOST_WORDS));
}

/** The longest excerpt that is made of a content. */
export const MOST_WORDS = 1_000;
/**
 * The first words of contents by their hash: to render a whole content for every length that is
 * asked for takes too long.
 */
const openings = new Recent<string, string>(1_000);
const LONGEST_REMEMBERED = 32 * 1024;

/** The first words of a content as plain text, one more than an excerpt may have. */
function beginning(content: string): string {
  const key = hash('sha1', content, 'base64url');
  const known = openings.get(key);
  if (known !== undefined) return known;
  const source = stripShortcodes(opening(content));
  const html = hasBlocks(source) ? renderSummarisedBlocks(source) : paragraphs(source);
  const text = firstWords(plainText(typography(html)), MOST_WORDS + 1).join(' ');
  if (text.length <= LONGEST_REMEMBERED) openings.set(key, text);
  return text;
}

/** 1 when the content holds blocks, else 0. */
export function blockVersion(raw: string): 0 | 1 {
  return hasBlocks(raw) ? 1 : 0;
}
