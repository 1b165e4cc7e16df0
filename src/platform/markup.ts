/** An attribute as written. */
export interface Attribute {
  /** In lower case. */
  name: string;
  /** Without its quotes; entities are not decoded. */
  value: string | undefined;
  /** Position of the value in the source. */
  at: number;
  quoted: boolean;
}

/** A tag as written. */
export interface Tag {
  /** In lower case. */
  name: string;
  closing: boolean;
  attributes: Attribute[];
  /** Position after the tag. */
  end: number;
}

/**
 * A token of HTML. `raw` is the content of an element that contains no markup (script, style,
 * textarea). `bogus` is a text that a browser reads as a comment, although it is not written as
 * one: `<!doctype x>`, `<?php ?>`, `</ x>`.
 */
export type Token =
  | { kind: 'text' | 'raw' | 'comment' | 'bogus'; source: string }
  | { kind: 'tag'; source: string; tag: Tag };

const NAME = /<\/?([a-z][^\t\n\f\r /><]*)/iy;
const GAP = /[\t\n\f\r /]*/y;
const ATTRIBUTE = /=?[^\t\n\f\r />=<]*/y;
const EQUALS = /[\t\n\f\r ]*=[\t\n\f\r ]*/y;
const UNQUOTED = /[^\t\n\f\r ><]*/y;

const BOGUS = /^(?:[!?]|\/[^a-z])/i;

/** Elements that contain no markup, and the pattern that ends each. */
export const RAW_CLOSERS: Readonly<Record<string, RegExp>> = {
  script: /<\/script[\t\n\f\r />]/gi,
  style: /<\/style[\t\n\f\r />]/gi,
  textarea: /<\/textarea[\t\n\f\r />]/gi,
};

/** Returns the end of a sticky pattern's match at a position; -1 without a match. */
const end = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

/**
 * Returns the tag that starts at `start`, read as a browser reads it. Returns undefined when the
 * tag never ends or contains `<` outside of quotes. `dead` collects the quotes of such tags, so
 * that hostile text is read only once.
 */
export function scanTag(
  text: string,
  start: number,
  dead: Set<number> = new Set(),
): Tag | undefined {
  const tag = bareTag(text, start);
  if (!tag) return undefined;
  if (text[tag.end] === '>') return { ...tag, end: tag.end + 1 };
  const quotes: number[] = [];
  const fail = () => {
    for (const quote of quotes) dead.add(quote);
    return undefined;
  };
  for (let at = tag.end; ; ) {
    at = end(GAP, text, at);
    const next = text[at];
    if (next === undefined || next === '<') return fail();
    if (next === '>') return { ...tag, end: at + 1 };
    const nameEnd = end(ATTRIBUTE, text, at);
    const name = text.slice(at, nameEnd).toLowerCase();
    const valueAt = end(EQUALS, text, nameEnd);
    if (valueAt < 0) {
      tag.attributes.push({ name, value: undefined, at: nameEnd, quoted: false });
      at = nameEnd;
      continue;
    }
    const quoted = text[valueAt] === '"' || text[valueAt] === "'";
    if (quoted) {
      if (dead.has(valueAt)) return fail();
      quotes.push(valueAt);
    }
    const value = attributeValue(text, valueAt, quoted);
    if (!value) return fail();
    tag.attributes.push({ name, ...value, quoted });
    at = value.at + value.value.length + (quoted ? 1 : 0);
  }
}

/** Returns the tag that starts at `start`, up to the end of its name. */
function bareTag(text: string, start: number): Tag | undefined {
  NAME.lastIndex = start;
  const name = NAME.exec(text)?.[1];
  if (name === undefined) return undefined;
  return {
    name: name.toLowerCase(),
    closing: text[start + 1] === '/',
    attributes: [],
    end: NAME.lastIndex,
  };
}

/**
 * Returns the attribute value at `start` and the position of its first character. Returns undefined
 * for a quote that is never closed.
 */
function attributeValue(text: string, start: number, quoted: boolean) {
  const at = quoted ? start + 1 : start;
  const stop = quoted ? text.indexOf(text[start] as string, at) : end(UNQUOTED, text, at);
  return stop < 0 ? undefined : { value: text.slice(at, stop), at };
}

/**
 * Splits HTML into text, tags and comments, in linear time for any input. The joined sources are
 * the input. With `raw`, the content of script, style and textarea is one token; without it, that
 * content is read as markup.
 */
export function* tokens(text: string, { raw = true } = {}): Generator<Token> {
  const dead = new Set<number>();
  const missing = new Set<string>();
  const find = (needle: string, from: number): number => {
    if (missing.has(needle)) return -1;
    const found = text.indexOf(needle, from);
    if (found < 0) missing.add(needle);
    return found < 0 ? -1 : found + needle.length;
  };
  let textFrom = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const token = markupAt(text, at, dead, find);
    if (token === undefined) {
      at += 1;
      continue;
    }
    if (at > textFrom) yield { kind: 'text', source: text.slice(textFrom, at) };
    yield token;
    at += token.source.length;
    textFrom = at;
    const closer =
      raw && token.kind === 'tag' && !token.tag.closing
        ? rawCloser(token.tag.name, missing)
        : undefined;
    if (closer === undefined) continue;
    closer.lastIndex = at;
    const close = closer.exec(text)?.index;
    if (close === undefined) missing.add(closer.source);
    else if (close > at) {
      yield { kind: 'raw', source: text.slice(at, close) };
      at = close;
      textFrom = close;
    }
  }
  if (textFrom < text.length) yield { kind: 'text', source: text.slice(textFrom) };
}

function rawCloser(name: string, missing: Set<string>): RegExp | undefined {
  const closer = Object.hasOwn(RAW_CLOSERS, name) ? RAW_CLOSERS[name] : undefined;
  return closer && !missing.has(closer.source) ? new RegExp(closer) : undefined;
}

function markupAt(
  text: string,
  at: number,
  dead: Set<number>,
  find: (needle: string, from: number) => number,
): Token | undefined {
  if (text.startsWith('<!--', at)) {
    const stop = find('-->', at + 2);
    return stop < 0 ? undefined : { kind: 'comment', source: text.slice(at, stop) };
  }
  if (BOGUS.test(text.slice(at + 1, at + 3))) {
    const stop = find('>', at + 1);
    return stop < 0 ? undefined : { kind: 'bogus', source: text.slice(at, stop) };
  }
  const tag = scanTag(text, at, dead);
  return tag && { kind: 'tag', source: text.slice(at, tag.end), tag };
}

/** Block elements, which are never inside a paragraph. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set([
  ...[
    'address',
    'article',
    'aside',
    'blockquote',
    'details',
    'div',
    'fieldset',
    'figcaption',
    'figure',
    'footer',
    'form',
  ],
  ...[
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'header',
    'hgroup',
    'hr',
    'legend',
    'main',
    'menu',
    'nav',
    'p',
    'pre',
    'section',
  ],
  ...[
    'style',
    'summary',
    'dd',
    'dl',
    'dt',
    'li',
    'ol',
    'ul',
    'area',
    'map',
    'caption',
    'col',
    'colgroup',
    'table',
    'tbody',
  ],
  ...['td', 'tfoot', 'th', 'thead', 'tr'],
]);

/** Elements without content and without a closing tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set([
  ...[
    'area',
    'base',
    'br',
    'col',
    'embed',
    'hr',
    'img',
    'input',
    'link',
    'meta',
    'param',
    'source',
    'track',
    'wbr',
  ],
]);

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/**
 * Returns the white space at the start of a text, the text without it, and the white space at the
 * end. A text of white space only is all `lead`.
 */
export function edges(text: string): { lead: string; body: string; trail: string } {
  let from = 0;
  while (from < text.length && isSpace(text.charCodeAt(from))) from++;
  let to = text.length;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return { lead: text.slice(0, from), body: text.slice(from, to), trail: text.slice(to) };
}
