import type { IOptions } from 'sanitize-html';
import { lazily } from '../../../platform/lazily.js';
import { type Attribute, type Tag, tokens, VOID_ELEMENTS } from '../../../platform/markup.js';
import {
  ADDRESS_ATTRIBUTES,
  ATTRIBUTES,
  CONTENT_ELEMENTS,
  SCHEMES,
  TITLE_ELEMENTS,
} from './allowed.js';
import { footnotesOf } from './footnotes.js';
import { safeStyle } from './styles.js';

const library = lazily<typeof import('sanitize-html')>('sanitize-html');

interface Policy {
  elements: ReadonlySet<string>;
  comments: boolean;
}

const CONTENT: Policy = { elements: new Set(CONTENT_ELEMENTS), comments: true };
const TITLE: Policy = { elements: new Set(TITLE_ELEMENTS), comments: false };
const NAME: Policy = { elements: new Set(), comments: false };

/**
 * Returns the part of a content or excerpt that an author without unfiltered_html may store.
 * Removes scripts, frames, event attributes and dangerous addresses, and elements that nest deeper
 * than 256, and keeps the text inside removed elements. Clean text, block comments, quotes and
 * backslashes are unchanged.
 */
export function sanitiseHtml(raw: string): string {
  return sanitise(raw, CONTENT);
}

/** Sanitises a title as `sanitiseHtml` does, with inline elements only and no comments. */
export function sanitiseTitle(raw: string): string {
  return sanitise(raw, TITLE);
}

/**
 * Sanitises a name or another line of plain text: without elements, line breaks and white space
 * around it.
 */
export function sanitiseName(raw: string): string {
  return sanitise(raw, NAME).replaceAll(/\s+/g, ' ').trim();
}

/**
 * Sanitises footnotes, a JSON list: the content of each by `sanitiseHtml`, its id to lower-case
 * letters, digits, `-` and `_`. Leaves out footnotes that lack either. Returns "" for any other
 * text.
 */
export function sanitiseFootnotes(json: string): string {
  const notes = footnotesOf(json);
  if (!notes) return '';
  const clean = notes.flatMap((note) => {
    const { id, content } = (note ?? {}) as { id?: unknown; content?: unknown };
    const key =
      typeof id === 'string' || typeof id === 'number'
        ? String(id)
            .toLowerCase()
            .replaceAll(/[^a-z\d_-]/g, '')
        : '';
    return key && typeof content === 'string' && content
      ? [{ id: key, content: sanitiseHtml(content) }]
      : [];
  });
  return JSON.stringify(clean);
}

/**
 * Reads markup as a browser does, token by token. Never keeps an element whose content is read by
 * other rules (script, style, textarea, svg, math). So a browser reads the result in the same
 * tokens, and no text can become a tag or a comment. The library decides about attributes; a tag
 * that it does not change stays as typed.
 */
function sanitise(raw: string, policy: Policy): string {
  if (!raw.includes('<') && !raw.includes('&')) return raw;
  const out: string[] = [];
  const withAttributes = new Map<string, Tag>();
  const levels = new Levels();
  for (const token of tokens(raw.replaceAll('\0', ''), { raw: false })) {
    if (token.kind === 'text') out.push(escapeTagStarts(token.source));
    else if (token.kind === 'comment' && policy.comments && isPlainComment(token.source))
      out.push(token.source);
    else if (
      token.kind === 'tag' &&
      policy.elements.has(token.tag.name) &&
      levels.keeps(token.tag)
    ) {
      out.push(token.tag.closing ? closer(token.source, token.tag) : token.source);
      if (!token.tag.closing && token.tag.attributes.length > 0)
        withAttributes.set(token.source, token.tag);
    }
  }
  const filtered = filterAttributes(withAttributes);
  return out.map((source) => filtered.get(source) ?? source).join('');
}

/** Elements within elements that are kept: browsers keep twice as many. */
const MOST_LEVELS = 256;
/** Elements that end where the next of their kind begins. */
const ENDED_BY_NEXT = new Set(['dd', 'dt', 'li', 'p', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr']);

/** Counts how deep elements nest. Tags of what nests deeper than MOST_LEVELS are not kept. */
class Levels {
  #open = 0;

  keeps({ name, closing }: Tag): boolean {
    if (VOID_ELEMENTS.has(name) || ENDED_BY_NEXT.has(name)) return this.#open <= MOST_LEVELS;
    if (!closing) return ++this.#open <= MOST_LEVELS;
    const isKept = this.#open <= MOST_LEVELS;
    this.#open = Math.max(0, this.#open - 1);
    return isKept;
  }
}

/**
 * Escapes each `<` unless its next character cannot start a tag. A `<` at the end of a text is
 * escaped too, because a token after it may be removed.
 */
const escapeTagStarts = (text: string): string => text.replaceAll(/<(?![\s\d=.,;:)(-])/g, '&lt;');

/**
 * Returns whether every parser ends a comment at the same place, as for block delimiters,
 * `<!--more-->`, `<!--nextpage-->` and remarks.
 */
const isPlainComment = (source: string): boolean =>
  /^<!--(?![>[]|->)[^<>]*-->$/.test(source) && !source.slice(4, -3).includes('--');

function closer(source: string, { name }: Tag): string {
  if (VOID_ELEMENTS.has(name)) return '';
  return /^<\/[a-z\d]+[\t\n\f\r ]*>$/i.test(source) ? source : `</${name}>`;
}

/** Name of the element that separates tags in one call of the library. */
const MARK = 'x-next';

/**
 * Returns the filtered form of each tag, by its source. One call of the library filters all tags. A
 * second call, which allows every attribute, shows which tags the first one changed.
 */
function filterAttributes(tags: ReadonlyMap<string, Tag>): Map<string, string> {
  const skeleton = [...tags.values()].map(writeElement).join(`<${MARK}></${MARK}>`);
  const strict = library()(skeleton, STRICT).split(`<${MARK} />`);
  const loose = library()(skeleton, LOOSE).split(`<${MARK} />`);
  return new Map(
    [...tags].map(([source, { name, attributes }], index) => {
      const clean =
        strict[index] === loose[index] && attributes.every(isPlain) && !hasDuplicates(attributes);
      return [
        source,
        clean ? source : (strict[index]?.replace(/<\/[a-z\d]+>$/, '') ?? `<${name}>`),
      ];
    }),
  );
}

function writeElement({ name, attributes }: Tag): string {
  const tag = `<${[name, ...attributes.filter(isNamedPlainly).map(writeAttribute)].join(' ')}>`;
  return VOID_ELEMENTS.has(name) ? tag : `${tag}</${name}>`;
}

const writeAttribute = ({ name, value }: Attribute): string =>
  value === undefined
    ? name
    : `${name}="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`;

const LOOSE: IOptions = {
  allowedTags: [...CONTENT_ELEMENTS, MARK],
  allowedAttributes: false,
  allowedSchemes: [...SCHEMES],
  allowedSchemesAppliedToAttributes: [],
  // Else both calls would leave out `onerror=""`, and the tag would count as unchanged.
  nonBooleanAttributes: [],
  parseStyleAttributes: false,
  selfClosing: [...VOID_ELEMENTS, MARK],
};

const STRICT: IOptions = {
  ...LOOSE,
  allowedAttributes: ATTRIBUTES,
  allowedSchemesAppliedToAttributes: [...ADDRESS_ATTRIBUTES],
  transformTags: { '*': (tagName, attribs) => ({ tagName, attribs: filterValues(attribs) }) },
};

function filterValues(attributes: Record<string, string>): Record<string, string> {
  const kept = Object.entries(attributes).flatMap(([name, value]) => {
    const filtered = filterValue(name, value);
    const isEmptied = value !== '' && filtered === '';
    return isEmptied || (ADDRESS_ATTRIBUTES.includes(name) && filtered.includes('<'))
      ? []
      : [[name, filtered]];
  });
  return Object.fromEntries(kept);
}

function filterValue(name: string, value: string): string {
  if (name === 'style') return safeStyle(value);
  return ADDRESS_ATTRIBUTES.includes(name) ? withoutScheme(value) : value;
}

/** Maximum number of schemes that are removed from an address. With more, it becomes empty. */
const MOST_SCHEMES = 6;

/**
 * Returns an address without schemes that are not allowed: `x` for `javascript:x`. A scheme is the
 * text before the first colon, if no `/`, `?` or `#` precedes the colon.
 */
function withoutScheme(address: string): string {
  let rest = address;
  for (let taken = 0; taken < MOST_SCHEMES; taken++) {
    const [, scheme, behind = ''] = /^([^/?#:]*):(.*)$/s.exec(rest) ?? [];
    // Browsers ignore white space and control characters in a scheme.
    if (
      scheme === undefined ||
      SCHEMES.includes(scheme.replaceAll(/[\0-\x20\x7f-\xa0\xad]/g, '').toLowerCase())
    )
      return rest;
    rest = behind.trim();
  }
  return '';
}

/**
 * Returns whether an attribute may be given to the library. Not `srcset`: the library reads it in
 * quadratic time and prints rejected values.
 */
const isNamedPlainly = ({ name }: Attribute): boolean =>
  /^[a-z][a-z\d_-]*(?::[a-z]+)?$/.test(name) && name !== 'srcset';

/**
 * Returns whether every parser reads an attribute in the same way, so that it may stay as typed.
 */
function isPlain(attribute: Attribute): boolean {
  const { name, value = '' } = attribute;
  if (!isNamedPlainly(attribute) || /[<>`\0]|&#(?!\d{1,7};|x[\da-f]{1,6};)/i.test(value))
    return false;
  if (!attribute.quoted && /["'=]/.test(value)) return false;
  if (name === 'style') return !value.includes('&');
  return !ADDRESS_ATTRIBUTES.includes(name) || isPlainAddress(value);
}

/** Returns whether an address has no entity in its head and no scheme that is not allowed. */
function isPlainAddress(value: string): boolean {
  const head = /^[^/?#]*/.exec(value)?.[0] ?? '';
  const scheme = head.includes(':') ? head.slice(0, head.indexOf(':')).toLowerCase() : undefined;
  return !head.includes('&') && (scheme === undefined || SCHEMES.includes(scheme));
}

const hasDuplicates = (attributes: Attribute[]): boolean =>
  new Set(attributes.map(({ name }) => name)).size < attributes.length;
