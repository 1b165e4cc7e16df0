import sanitizeHtml from 'sanitize-html';
import {
  ADDRESS_ATTRIBUTES,
  ATTRIBUTES,
  CONTENT_ELEMENTS,
  SCHEMES,
  TITLE_ELEMENTS,
} from './allowed.js';
import { type Attribute, type Tag, tokens, VOID_ELEMENTS } from './markup.js';
import { safeStyle } from './styles.js';

interface Policy {
  elements: ReadonlySet<string>;
  comments: boolean;
}

const CONTENT: Policy = { elements: new Set(CONTENT_ELEMENTS), comments: true };
const TITLE: Policy = { elements: new Set(TITLE_ELEMENTS), comments: false };
const NAME: Policy = { elements: new Set(), comments: false };

/**
 * What an author without unfiltered_html may store as content or excerpt: scripts, frames, event
 * attributes and dangerous addresses are removed, their text stays; clean text, block comments,
 * quotes and backslashes stay unchanged.
 */
export function sanitiseHtml(raw: string): string {
  return sanitise(raw, CONTENT);
}

/** The same of a title: inline elements only, no comments. */
export function sanitiseTitle(raw: string): string {
  return sanitise(raw, TITLE);
}

/**
 * The same of a name or another line of plain text: no element at all, no line breaks, no blanks
 * around it.
 */
export function sanitiseName(raw: string): string {
  return sanitise(raw, NAME).replaceAll(/\s+/g, ' ').trim();
}

/**
 * The same of footnotes: the content of each as `sanitiseHtml`, its id in lower-case letters,
 * digits, `-` and `_`. What is no JSON list of footnotes with both is "".
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

function footnotesOf(json: string): unknown[] | undefined {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === 'object' && read !== null ? Object.values(read) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Markup is read as a browser reads it, token by token. No element with content of another kind
 * (script, style, textarea, svg, math) is ever let through, so a browser reads the result in the
 * same tokens: what is not an allowed tag or a plain comment cannot become one. The library decides
 * about attributes; a tag that it leaves alone stays as typed.
 */
function sanitise(raw: string, policy: Policy): string {
  if (!raw.includes('<') && !raw.includes('&')) return raw;
  const out: string[] = [];
  const withAttributes = new Map<string, Tag>();
  for (const token of tokens(raw.replaceAll('\0', ''), { raw: false })) {
    if (token.kind === 'text') out.push(escapeTagStarts(token.source));
    else if (token.kind === 'comment' && policy.comments && isPlainComment(token.source))
      out.push(token.source);
    else if (token.kind === 'tag' && policy.elements.has(token.tag.name)) {
      out.push(token.tag.closing ? closer(token.source, token.tag) : token.source);
      if (!token.tag.closing && token.tag.attributes.length > 0)
        withAttributes.set(token.source, token.tag);
    }
  }
  const filtered = filterAttributes(withAttributes);
  return out.map((source) => filtered.get(source) ?? source).join('');
}

/**
 * A `<` stays only before a character that cannot start a tag; what was removed behind it must not
 * come to touch it.
 */
const escapeTagStarts = (text: string): string => text.replaceAll(/<(?![\s\d=.,;:)(-])/g, '&lt;');

/**
 * A comment that every parser ends at the same place: block delimiters, `<!--more-->`,
 * `<!--nextpage-->`, remarks.
 */
const isPlainComment = (source: string): boolean =>
  /^<!--(?![>[]|->)[^<>]*-->$/.test(source) && !source.slice(4, -3).includes('--');

function closer(source: string, { name }: Tag): string {
  if (VOID_ELEMENTS.has(name)) return '';
  return /^<\/[a-z\d]+[\t\n\f\r ]*>$/i.test(source) ? source : `</${name}>`;
}

const MARK = 'x-next';

/**
 * What becomes of each tag, by its source: all in one call of the library, parted by a tag of our
 * own; a second call that allows every attribute tells which of them the first one changed.
 */
function filterAttributes(tags: ReadonlyMap<string, Tag>): Map<string, string> {
  const skeleton = [...tags.values()].map(writeElement).join(`<${MARK}></${MARK}>`);
  const strict = sanitizeHtml(skeleton, STRICT).split(`<${MARK} />`);
  const loose = sanitizeHtml(skeleton, LOOSE).split(`<${MARK} />`);
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

const LOOSE: sanitizeHtml.IOptions = {
  allowedTags: [...CONTENT_ELEMENTS, MARK],
  allowedAttributes: false,
  allowedSchemes: [...SCHEMES],
  allowedSchemesAppliedToAttributes: [],
  parseStyleAttributes: false,
  selfClosing: [...VOID_ELEMENTS, MARK],
};

const STRICT: sanitizeHtml.IOptions = {
  ...LOOSE,
  allowedAttributes: ATTRIBUTES,
  allowedSchemesAppliedToAttributes: [...ADDRESS_ATTRIBUTES],
  transformTags: { '*': (tagName, attribs) => ({ tagName, attribs: filterValues(attribs) }) },
};

function filterValues(attributes: Record<string, string>): Record<string, string> {
  const kept = Object.entries(attributes).map(([name, value]) => {
    if (name === 'style') return [name, safeStyle(value)] as const;
    return [name, ADDRESS_ATTRIBUTES.includes(name) ? withoutScheme(value) : value] as const;
  });
  return Object.fromEntries(
    kept.filter(([name, value]) => !(ADDRESS_ATTRIBUTES.includes(name) && value.includes('<'))),
  );
}

/**
 * So many schemes, one behind the other, are taken off an address; of one that has more nothing is
 * left.
 */
const MOST_SCHEMES = 6;

/**
 * An address without the schemes that it may not have: of `javascript:x` the `x`. What stands
 * before the first colon of its head is one.
 */
function withoutScheme(address: string): string {
  let rest = address;
  for (let taken = 0; taken < MOST_SCHEMES; taken++) {
    const [, scheme, behind = ''] = /^([^/?#:]*):(.*)$/s.exec(rest) ?? [];
    // Browsers read over blanks and control characters.
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
 * `srcset` never reaches the library, which reads it in quadratic time and prints what it rejects.
 */
const isNamedPlainly = ({ name }: Attribute): boolean =>
  /^[a-z][a-z\d_-]*(?::[a-z]+)?$/.test(name) && name !== 'srcset';

/** Whether every parser reads the attribute alike, so that it may stay as typed. */
function isPlain(attribute: Attribute): boolean {
  const { name, value = '' } = attribute;
  if (!isNamedPlainly(attribute) || /[<>`\0]|&#(?!\d{1,7};|x[\da-f]{1,6};)/i.test(value))
    return false;
  if (!attribute.quoted && /["'=]/.test(value)) return false;
  if (name === 'style') return !value.includes('&');
  return !ADDRESS_ATTRIBUTES.includes(name) || isPlainAddress(value);
}

/** No entity and no odd character where the scheme would be. */
function isPlainAddress(value: string): boolean {
  const head = /^[^/?#]*/.exec(value)?.[0] ?? '';
  const scheme = head.includes(':') ? head.slice(0, head.indexOf(':')).toLowerCase() : undefined;
  return !head.includes('&') && (scheme === undefined || SCHEMES.includes(scheme));
}

const hasDuplicates = (attributes: Attribute[]): boolean =>
  new Set(attributes.map(({ name }) => name)).size < attributes.length;
