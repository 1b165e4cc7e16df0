import { type Attribute, type Tag, tokens, VOID_ELEMENTS } from '../markup.js';

/**
 * Elements whose content a browser reads by other rules than those of markup, or not at all. What
 * stands in them is dropped with them: read as markup, it can become anything.
 */
const DROPPED: ReadonlySet<string> = new Set([
  ...['applet', 'canvas', 'datalist', 'dialog', 'embed', 'form', 'frameset', 'head', 'link'],
  ...['listing', 'math', 'meta', 'noembed', 'noframes', 'noscript', 'object', 'optgroup'],
  ...['option', 'plaintext', 'portal', 'script', 'select', 'selectedcontent', 'style', 'svg'],
  ...['template', 'textarea', 'title', 'xmp'],
]);
/** Kept without what stands in it: a frame shows its address alone. */
const EMPTY = 'iframe';
const NAME = /^[a-z][a-z0-9-]{0,40}$/;
/** Most elements within each other: deeper ones are left out, their text stays. */
const DEEPEST = 60;

/**
 * Returns foreign HTML as plain markup, which every parser reads alike: text, and tags of the
 * elements that `keeps` allows, written anew with quoted attributes, each name once, and each
 * element closed where it was opened. Comments, declarations and elements of raw text are dropped,
 * with their content. Linear in the length. `seen` gets each tag that is opened, kept or not.
 */
export function plainMarkup(
  html: string,
  keeps: ReadonlySet<string>,
  seen: (tag: Tag) => void,
): string {
  const out: string[] = [];
  const open: string[] = [];
  let dropped = '';
  for (const token of tokens(html.replace(CONTROLS, ''))) {
    if (token.kind === 'text' && !dropped) out.push(token.source.replaceAll('<', '&lt;'));
    if (token.kind !== 'tag') continue;
    const { name, closing } = token.tag;
    if (dropped) {
      if (closing && name === dropped) dropped = '';
      continue;
    }
    if (!closing) seen(token.tag);
    if ((DROPPED.has(name) || name === EMPTY) && !closing && !VOID_ELEMENTS.has(name))
      dropped = name;
    if (!keeps.has(name) || (closing && name === EMPTY)) continue;
    if (closing) out.push(closed(open, name));
    else if (open.length < DEEPEST) out.push(opened(token.tag, open));
  }
  return out.join('') + open.reverse().map(endOf).join('');
}

/** Characters that parsers leave out, replace or read as white space, each in its way. */
const CONTROLS = /[\0-\u0008\u000b\u000e-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]/g;

const endOf = (name: string) => `</${name}>`;

/** Closes an element and those within it; nothing for one that is not open. */
function closed(open: string[], name: string): string {
  const at = open.lastIndexOf(name);
  return at < 0 ? '' : open.splice(at).reverse().map(endOf).join('');
}

function opened({ name, attributes }: Tag, open: string[]): string {
  const once = new Map<string, string>();
  for (const one of attributes) {
    if (NAME.test(one.name) && !once.has(one.name)) once.set(one.name, written(one));
  }
  const tag = `<${[name, ...once.values()].join(' ')}>`;
  if (name === EMPTY) return `${tag}${endOf(name)}`;
  if (!VOID_ELEMENTS.has(name)) open.push(name);
  return tag;
}

/** Entities stay as they are, so that the library decodes what a browser would. */
const written = ({ name, value = '' }: Attribute): string =>
  `${name}="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`;
