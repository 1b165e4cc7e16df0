import { BLOCK_ELEMENTS, tokens } from './markup.js';

const PAGE_END = /<!--(?:more-->|more[\t\n\f\r ]|nextpage-->)/;

/** What an automatic excerpt is taken from: the content up to `<!--more-->` or the end of its first page. */
export function opening(content: string): string {
  const cut = content.search(PAGE_END);
  return cut < 0 ? content : content.slice(0, cut);
}

/** The words of rendered HTML, without tags, comments, scripts and styles; words of different blocks stay apart. */
export function plainText(html: string): string {
  let text = '';
  for (const token of tokens(html)) {
    if (token.kind === 'text') text += token.source.replaceAll('<', '&lt;');
    else if (token.kind === 'tag' && (BLOCK_ELEMENTS.has(token.tag.name) || token.tag.name === 'br')) text += ' ';
  }
  return text;
}

/** The first `words` words as one paragraph, ` [&hellip;]` when there are more; no words at all give "". */
export function summary(text: string, words: number): string {
  const all = text.split(/[\t\n\v\f\r ]+/).filter((word) => word !== '');
  if (all.length === 0) return '';
  const shown = all.slice(0, Math.max(0, words)).join(' ');
  return `<p>${shown}${all.length > words ? ' [&hellip;]' : ''}</p>\n`;
}
