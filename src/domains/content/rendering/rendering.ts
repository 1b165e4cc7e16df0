import { hash } from 'node:crypto';
import { Recent } from '../../../platform/lru.js';
import { beginning } from './beginning.js';
import { hasBlocks, renderBlocks } from './blocks.js';
import { summary, USUAL_WORDS } from './excerpt.js';
import { paragraphs } from './paragraphs.js';
import { runShortcodes } from './shortcodes.js';
import { typography } from './typography.js';

/**
 * Version of the renderer: stored with each rendered row; raised whenever output may change, so
 * older rows are rendered anew when read.
 */
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

/**
 * Excerpt as shown: the explicit one in paragraphs, else the first `words` words of the content,
 * tags stripped; 0 or less shows the ellipsis alone, empty content "". At most MOST_WORDS.
 */
export function renderExcerpt(excerpt: string, content: string, words = USUAL_WORDS): string {
  if (excerpt.trim() !== '') return typography(paragraphs(excerpt));
  const most = Math.min(words, MOST_WORDS);
  return summary(remembered(content, most <= MANY_WORDS ? MANY_WORDS : MOST_WORDS), most);
}

/** The longest excerpt that is made of a content. */
export const MOST_WORDS = 1_000;
/** Words that are enough for the usual lengths. */
const MANY_WORDS = 200;
/** Beginnings by their words and the hash of their content: most pages are asked for again. */
const beginnings = new Recent<string, string>(1_000);
const LONGEST_REMEMBERED = 32 * 1024;

function remembered(content: string, words: number): string {
  const key = `${words} ${hash('sha1', content, 'base64url')}`;
  const known = beginnings.get(key);
  if (known !== undefined) return known;
  const text = beginning(content, words);
  if (text.length <= LONGEST_REMEMBERED) beginnings.set(key, text);
  return text;
}

/** 1 when the content holds blocks, else 0. */
export function blockVersion(raw: string): 0 | 1 {
  return hasBlocks(raw) ? 1 : 0;
}
