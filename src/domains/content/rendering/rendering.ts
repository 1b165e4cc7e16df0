import { hasBlocks, renderBlocks, renderSummarisedBlocks } from './blocks.js';
import { opening, plainText, summary } from './excerpt.js';
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

/** Content as shown: block content without its delimiters, or classic text in paragraphs; both typographic, with shortcodes run. */
export function renderContent(raw: string): string {
  const html = runShortcodes(raw);
  return typography(hasBlocks(html) ? renderBlocks(html) : paragraphs(html));
}

/** Excerpt as shown: the explicit one in paragraphs, else the first `words` words of the content, tags stripped; 0 or less
 * shows the ellipsis alone, empty content "". */
export function renderExcerpt(excerpt: string, content: string, words = 55): string {
  if (excerpt.trim() !== '') return typography(paragraphs(excerpt));
  const source = stripShortcodes(opening(content));
  const html = hasBlocks(source) ? renderSummarisedBlocks(source) : paragraphs(source);
  return summary(plainText(typography(html)), words);
}

/** 1 when the content holds blocks, else 0. */
export function blockVersion(raw: string): 0 | 1 {
  return hasBlocks(raw) ? 1 : 0;
}
