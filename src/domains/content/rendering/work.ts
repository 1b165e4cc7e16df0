import { beginning } from './beginning.js';
import { blockVersion, renderContent, renderExcerpt, renderTitle } from './rendering.js';
import { sanitiseFootnotes, sanitiseHtml, sanitiseTitle } from './sanitise.js';

/** The texts of an item, raw. */
export interface Texts {
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  /** JSON, as it is stored: it is only shown. */
  readonly footnotes?: string;
}

/** Returns texts as whoever may not store any HTML may store them. */
const sanitised = ({ title, content, excerpt }: Texts): Texts => ({
  title: sanitiseTitle(title),
  content: sanitiseHtml(content),
  excerpt: sanitiseHtml(excerpt),
});

/** Returns texts as they are stored and as they are shown. `trusted`: with any HTML. */
function written({ footnotes, ...given }: Texts, trusted: boolean) {
  const texts = trusted ? given : sanitised(given);
  const { title, content, excerpt } = texts;
  return {
    ...texts,
    titleRendered: renderTitle(title),
    contentRendered: renderContent(content, footnotes),
    excerptRendered: renderExcerpt(excerpt, content),
    blockVersion: blockVersion(content),
  };
}

/** What is done with HTML for a request: on the process's thread, or in a thread for long texts. */
export const WORK = {
  written,
  sanitised,
  sanitiseHtml,
  sanitiseFootnotes,
  renderTitle,
  renderContent,
  renderExcerpt,
  beginning,
};

/** The functions of `WORK`, by name. */
export type Work = typeof WORK;
