import { scanTag, tokens } from '../../../platform/markup.js';
import { footnoteList } from './footnotes.js';

/**
 * The markup between two delimiters: the block that directly contains it (undefined outside of all
 * blocks), whether it is the first piece of that block, and whether an excerpt includes it.
 */
export interface BlockPiece {
  html: string;
  block: string | undefined;
  first: boolean;
  summarised: boolean;
}

interface Delimiter {
  at: number;
  kind: 'open' | 'close' | 'alone';
  name: string;
  end: number;
}

interface Ending {
  at: number;
  alone: boolean;
  braced: boolean;
}

const SPACE = '\t\n\f\r ';
const HEAD = /<!--[\t\n\f\r ]+(\/?)wp:([a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?)[\t\n\f\r ]+/y;

/** Classes that are added to the first element of a block if it lacks them. */
const CLASSES: Record<string, readonly [elements: readonly string[], classes: readonly string[]]> =
  {
    heading: [['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], ['wp-block-heading']],
    list: [['ul', 'ol'], ['wp-block-list']],
    quote: [['blockquote'], ['is-layout-flow', 'wp-block-quote-is-layout-flow']],
    column: [['div'], ['is-layout-flow', 'wp-block-column-is-layout-flow']],
    columns: [
      ['div'],
      [
        'is-layout-flex',
        'wp-container-core-columns-is-layout-9d6595d7',
        'wp-block-columns-is-layout-flex',
      ],
    ],
  };

/** Blocks whose text an automatic excerpt shows, and blocks that only contain other blocks. */
const SUMMARISED = new Set([
  'freeform',
  'heading',
  'html',
  'list',
  'media-text',
  'paragraph',
  'preformatted',
  'pullquote',
  'quote',
  'table',
  'verse',
]);
const WRAPPERS = new Set(['column', 'columns', 'group']);

/** The block whose place the footnotes of the item take. */
const FOOTNOTES = 'footnotes';

/** Returns whether a text contains blocks. */
export const hasBlocks = (raw: string): boolean => raw.includes('<!-- wp:');

/**
 * Returns block content as HTML: without delimiters, with the known classes. Text outside of all
 * blocks is unchanged. The block of footnotes becomes their list.
 */
export function renderBlocks(raw: string, footnotes = ''): string {
  let html = '';
  for (const piece of blockPieces(raw))
    html += piece.block === FOOTNOTES ? footnoteList(footnotes) : renderPiece(piece);
  return html;
}

/**
 * Renders as `renderBlocks` does, but only blocks whose text an excerpt includes: the first of
 * them, until they have `enough` characters.
 */
export function renderSummarisedBlocks(raw: string, enough: number): string {
  let html = '';
  for (const piece of blockPieces(raw)) {
    if (piece.summarised) html += renderPiece(piece);
    if (html.length >= enough) break;
  }
  return html;
}

function renderPiece({ html, block, first }: BlockPiece): string {
  if (block === undefined) return html;
  const known = first && Object.hasOwn(CLASSES, block) ? CLASSES[block] : undefined;
  return known ? withClasses(html, ...known) : html;
}

/**
 * Splits content at its delimiter comments, in one pass. A closing delimiter ends the innermost
 * block, whatever its name.
 */
function* blockPieces(raw: string): Generator<BlockPiece> {
  const open: { name: string; scope: 'in' | 'through' | 'out' }[] = [];
  let first = false;
  let from = 0;
  const piece = (to: number): BlockPiece => {
    const block = open.at(-1);
    const summarised = block === undefined || block.scope === 'in';
    return { html: raw.slice(from, to), block: block?.name, first, summarised };
  };
  for (const delimiter of delimitersFrom(raw, 0)) {
    if (delimiter.at > from) yield piece(delimiter.at);
    from = delimiter.end;
    first = delimiter.kind === 'open';
    if (delimiter.kind === 'close') open.pop();
    if (delimiter.kind === 'alone' && delimiter.name === FOOTNOTES)
      yield { html: '', block: FOOTNOTES, first: true, summarised: false };
    if (delimiter.kind !== 'open') continue;
    const { name } = delimiter;
    const outer = open.at(-1)?.scope ?? 'through';
    open.push({ name, scope: outer === 'through' ? scopeOf(raw, delimiter) : outer });
  }
  if (from < raw.length) yield piece(raw.length);
}

/** Returns what an excerpt takes of a block: its text, the blocks in it, or nothing. */
function scopeOf(raw: string, { name, end }: Delimiter): 'in' | 'through' | 'out' {
  if (WRAPPERS.has(name)) return 'through';
  return SUMMARISED.has(name) && isPlain(raw, end) ? 'in' : 'out';
}

/** Returns whether a block, from its delimiter on, holds only blocks that are summarised and hold none. */
function isPlain(raw: string, from: number): boolean {
  let depth = 1;
  for (const { kind, name } of delimitersFrom(raw, from)) {
    if (kind === 'close' && --depth === 0) return true;
    if (kind === 'close') continue;
    if (depth > 1 || !SUMMARISED.has(name)) return false;
    if (kind === 'open') depth++;
  }
  return true;
}

function* delimitersFrom(raw: string, from: number): Generator<Delimiter> {
  let ending = endingFrom(raw, from);
  for (let at = raw.indexOf('<!--', from); at >= 0; at = raw.indexOf('<!--', at)) {
    if (ending.at < at) ending = endingFrom(raw, at);
    if (ending.at < 0) return;
    const delimiter = delimiterAt(raw, at, ending);
    if (delimiter) yield delimiter;
    at = delimiter?.end ?? at + 4;
  }
}

/**
 * Returns the next end of a comment: where its `-->` (or `/-->`) starts, and whether a closing
 * brace precedes it.
 */
function endingFrom(raw: string, from: number): Ending {
  const at = raw.indexOf('-->', from);
  const alone = raw[at - 1] === '/';
  let last = alone ? at - 2 : at - 1;
  while (last > from && SPACE.includes(raw[last] as string)) last--;
  return { at, alone, braced: raw[last] === '}' };
}

/** Returns the delimiter that starts at `at`: a name, then perhaps attributes in braces. */
function delimiterAt(raw: string, at: number, ending: Ending): Delimiter | undefined {
  HEAD.lastIndex = at;
  const head = HEAD.exec(raw);
  const from = HEAD.lastIndex;
  if (!head || (raw[from] === '{' ? !ending.braced : from !== ending.at - (ending.alone ? 1 : 0)))
    return undefined;
  const name = (head[2] as string).replace(/^core\//, '');
  return {
    at,
    kind: head[1] === '/' ? 'close' : ending.alone ? 'alone' : 'open',
    name,
    end: ending.at + 3,
  };
}

/** Adds classes to the first element if its name is one of `elements`. */
function withClasses(
  html: string,
  elements: readonly string[],
  classes: readonly string[],
): string {
  let at = 0;
  for (const token of tokens(html)) {
    if (token.kind === 'tag') {
      const { name, closing } = token.tag;
      return closing || !elements.includes(name)
        ? html
        : html.slice(0, at) +
            addClasses(token.source, classes) +
            html.slice(at + token.source.length);
    }
    at += token.source.length;
  }
  return html;
}

function addClasses(source: string, classes: readonly string[]): string {
  const tag = scanTag(source, 0);
  const given = tag?.attributes.find((attribute) => attribute.name === 'class');
  const present = given?.value?.split(/\s+/) ?? [];
  const missing = classes.filter((name) => !present.includes(name));
  if (!tag || missing.length === 0) return source;
  if (given?.value === undefined) {
    const nameEnd = 1 + tag.name.length;
    return `${source.slice(0, nameEnd)} class="${missing.join(' ')}"${source.slice(nameEnd)}`;
  }
  const valueEnd = given.at + given.value.length;
  const value = [given.value.trim(), ...missing].filter((name) => name !== '').join(' ');
  const quote = given.quoted ? '' : '"';
  return `${source.slice(0, given.at)}${quote}${value}${quote}${source.slice(valueEnd)}`;
}
