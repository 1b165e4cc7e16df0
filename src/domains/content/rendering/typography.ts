import { BLOCK_ELEMENTS, tokens } from '../../../platform/markup.js';
import { trimmedEnd } from '../../../platform/trim.js';
import { SHORTCODE } from './shortcodes.js';

/** Elements whose text is shown as typed, but for lone ampersands outside of scripts and styles. */
const VERBATIM = new Set(['code', 'kbd', 'pre', 'script', 'style', 'textarea', 'tt']);

const UNTOUCHED = new Set(['script', 'style']);

const BARE_AMPERSAND = /&(?!#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z\d]{0,30};)/gi;
const SIGNS =
  /&(?!#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z\d]{0,30};)|'\d\d["'](?=$|[\s.,:;!?)}\]-]|&gt;)|"|''?|``|\.\.\.|-+|(?<=\d)x(?=\d)|(?<=\s)\(tm\)/gi;
const MARKS = new RegExp(`${SHORTCODE}|${SIGNS.source}`, 'gi');

/** The text before an opening quote ends with nothing, a space, a bracket or a dash. */
const BEFORE_OPENING = /(?:^|[\s([{<\-\u2013\u2014]|&(?:nbsp|lt|ndash|mdash|#160|#821[12]);)$/;
const SPACE_BEFORE = /(?:^|\s|&(?:nbsp|#160);)$/;
const SPACE_AFTER = /^(?:$|\s|&(?:nbsp|#160);)/;
/** Words and years that start with an apostrophe, not with an opening quote. */
const ELISION = /^(?:\d\ds?(?![\w%']|[.,]\d)|(?:tis|twas|twere|twill|til|cause|bout|em)\b)/i;

/** Number of characters before and after a mark that decide about it. */
const REACH = 40;

/**
 * Returns HTML with typographic text: curly quotes, dashes, ellipses, primes, multiplication signs
 * and lone ampersands as numeric entities. The content of code-like elements is unchanged, and so
 * are tags, except that their lone ampersands become entities, too.
 */
export function typography(html: string): string {
  const out: string[] = [];
  const verbatim: string[] = [];
  let line = new Line();
  for (const token of tokens(html)) {
    if (token.kind === 'text')
      out.push(verbatim.length > 0 ? typed(token.source, verbatim) : line.set(token.source));
    else if (token.kind !== 'tag') out.push(token.source);
    else {
      const { name, closing } = token.tag;
      out.push(token.source.replace(BARE_AMPERSAND, '&#038;'));
      if (BLOCK_ELEMENTS.has(name)) line = new Line();
      if (name === 'br') line.break();
      if (!VERBATIM.has(name)) continue;
      if (!closing) verbatim.push(name);
      else if (verbatim.at(-1) === name) verbatim.pop();
    }
  }
  return out.join('');
}

const typed = (text: string, elements: readonly string[]) =>
  elements.some((name) => UNTOUCHED.has(name)) ? text : text.replace(BARE_AMPERSAND, '&#038;');

/**
 * The text of one block across its inline tags. Keeps the text before the present position, and
 * which quotes are open.
 */
class Line {
  private carried = '';
  private open = { '"': false, "'": false };
  private latest = { mark: '', at: -1, opening: false };

  set(text: string): string {
    const replaced = text.replace(MARKS, (mark, at: number) => this.mark(mark, text, at));
    this.carried = (this.carried + text.slice(-REACH)).slice(-REACH);
    this.latest.at -= text.length;
    return replaced;
  }

  break(): void {
    this.carried = '';
  }

  private mark(mark: string, text: string, at: number): string {
    const before =
      at >= REACH ? text.slice(at - REACH, at) : (this.carried + text.slice(0, at)).slice(-REACH);
    const after = text.slice(at + mark.length, at + mark.length + REACH);
    switch (mark[0]) {
      case '[':
        return mark;
      case '&':
        return '&#038;';
      case '.':
        return '&#8230;';
      case '`':
        return '&#8220;';
      case '-':
        return dash(mark.length, before, after);
      case 'x':
      case 'X':
        return mark === 'x' && isProduct(before, after) ? '&#215;' : mark;
      case '(':
        return mark === '(tm)' ? '&#8482;' : mark;
      case '"':
        return this.double(before, after, at);
      default:
        if (mark.length === 4) return this.year(mark);
        return mark === "''" ? '&#8221;' : this.single(before, after, at);
    }
  }

  /** Two digits between an apostrophe and a quote are a year that ends a quotation: `the '90s and '91"`. */
  private year(mark: string): string {
    const closing = mark[3] as '"' | "'";
    this.open[closing] = false;
    return `&#8217;${mark.slice(1, 3)}${closing === '"' ? '&#8221;' : '&#8217;'}`;
  }

  private double(before: string, after: string, at: number): string {
    const opening = this.opens('"', before, at) && !/^\s/.test(after);
    const prime = !opening && !this.open['"'] && /\d$/.test(before);
    this.note('"', at, opening, !prime);
    return opening ? '&#8220;' : prime ? '&#8243;' : '&#8221;';
  }

  private single(before: string, after: string, at: number): string {
    const opening = this.opens("'", before, at) && !ELISION.test(after);
    const prime = !opening && !this.open["'"] && /\d$/.test(before) && !/^\p{L}/u.test(after);
    const ends = !opening && !prime && !/^[\p{L}\d]/u.test(after);
    this.note("'", at, opening, ends);
    return opening ? '&#8216;' : prime ? '&#8242;' : '&#8217;';
  }

  /** A quote directly after one of the other kind opens if that one did: "'so' he said". */
  private opens(mark: string, before: string, at: number): boolean {
    if (this.latest.at === at - 1 && this.latest.mark !== mark && this.latest.mark !== '')
      return this.latest.opening;
    return BEFORE_OPENING.test(before);
  }

  private note(mark: '"' | "'", at: number, opening: boolean, closing: boolean): void {
    this.latest = { mark, at, opening };
    if (opening) this.open[mark] = true;
    else if (closing) this.open[mark] = false;
  }
}

/**
 * Returns the dash for hyphens. Three become an em dash. Two become an en dash, or an em dash
 * between spaces. One between spaces becomes an en dash. `xn--` is unchanged.
 */
function dash(length: number, before: string, after: string): string {
  const alone = SPACE_BEFORE.test(before) && SPACE_AFTER.test(after);
  if (length === 1) return alone ? '&#8211;' : '-';
  if (length === 2) return /xn$/i.test(before) ? '--' : alone ? '&#8212;' : '&#8211;';
  return '&#8212;'.repeat(Math.floor(length / 3)) + ['', '-', '&#8211;'][length % 3];
}

/** Returns whether an `x` multiplies: in `9x5`, `2.5x3`; not in `0x1f`, `4x4x4`, `1920x1080p`. */
function isProduct(before: string, after: string): boolean {
  const near = before.slice(trimmedEnd(before, '0123456789.,').length);
  const joined = /\w$/.test(before.slice(0, before.length - near.length));
  const start = near.search(joined ? /(?<=[.,])\d/ : /\d/);
  return start >= 0 && near.slice(start) !== '0' && /^\d[\d.,]*(?!\w)/.test(after);
}
