import { beginning } from './beginning.js';
import { hasBlocks, renderBlocks } from './blocks.js';
import { embedded } from './embeds.js';
import { summary, USUAL_WORDS } from './excerpt.js';
import { shownImages } from './images.js';
import { paragraphs } from './paragraphs.js';
import { named, namedInQuotes, namedTitle } from './product-name.js';
import type { References } from './references.js';
import { bareShortcodes, runShortcodes } from './shortcodes.js';
import { IMAGE_SMILEY, smileyImage, withSmilies } from './smilies.js';
import { typography } from './typography.js';

/**
 * Version of the renderer, stored with each rendered row. Raise it whenever the output may change:
 * rows of an older version are rendered again when they are read.
 */
export const RENDERING = 8;

/**
 * Stored instead of it with a content that shows media or texts of elsewhere: these are as they are
 * when it is read, so that its content is rendered then.
 */
export const REFERRING = -RENDERING;

/** Returns a title as shown: with typography, with its HTML, and the name of the original as it writes it. */
export function renderTitle(raw: string): string {
  return namedTitle(typography(raw).trim());
}

/**
 * Returns a content as shown: block content without delimiters, or classic text in paragraphs. Both
 * have typography, signs for smilies and the output of their shortcodes. `footnotes` is JSON, as it is stored.
 * Without `references`, nothing of elsewhere is shown.
 */
export function renderContent(raw: string, footnotes = '', references?: References): string {
  const text = embedded(raw, references?.insets.embeds);
  const html = hasBlocks(text) ? renderBlocks(text, { footnotes, references }) : paragraphs(text);
  const shown = namedInQuotes(typography(runShortcodes(named(html), references)));
  const image = references ? smileyImage(references.siteUrl) : IMAGE_SMILEY;
  return withSmilies(shownImages(shown, references), image);
}

/**
 * Returns an excerpt as shown: the explicit one in paragraphs, otherwise the first `words` words of
 * the content without tags, at most MOST_WORDS. For 0 or fewer words, returns the ellipsis alone;
 * for an empty content, "".
 */
export function renderExcerpt(excerpt: string, content: string, words = USUAL_WORDS): string {
  if (excerpt.trim() !== '')
    return withSmilies(bareShortcodes(typography(paragraphs(excerpt))), IMAGE_SMILEY);
  const most = Math.min(words, MOST_WORDS);
  return summary(beginning(content, enoughFor(most)), most);
}

/** Number of words that is enough for usual excerpts. */
const MANY_WORDS = 200;

/** Returns how many words of a content are looked for, so that excerpts of many lengths share them. */
export const enoughFor = (words: number) => (words <= MANY_WORDS ? MANY_WORDS : MOST_WORDS);

/** Maximum number of words of an automatic excerpt. */
export const MOST_WORDS = 1_000;

/** Returns 1 when the content contains blocks, otherwise 0. */
export function blockVersion(raw: string): 0 | 1 {
  return hasBlocks(raw) ? 1 : 0;
}
