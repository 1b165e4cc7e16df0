import { type Block, topBlocks } from './block-parser.js';
import { withClasses, withInnerClasses } from './element-classes.js';
import { embedded } from './embeds.js';
import { footnoteList } from './footnotes.js';
import { type Layout, layoutOf } from './layout.js';
import { paragraphs } from './paragraphs.js';
import type { References } from './references.js';

/** A block as it is shown. */
interface ShownBlock {
  readonly html: string;
  /** What an excerpt shows of it at the top of a content, and in another block. */
  readonly summary: string;
  readonly innerSummary: string;
  /** Whether a block around it that an excerpt shows stays whole. */
  readonly isPlain: boolean;
}

/** Classes that are added to the first element of a block if it lacks them. */
const CLASSES: Record<string, readonly [elements: readonly string[], classes: readonly string[]]> =
  {
    heading: [['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], ['wp-block-heading']],
    list: [['ul', 'ol'], ['wp-block-list']],
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

/** Returns whether a text contains blocks. */
export const hasBlocks = (raw: string): boolean => raw.includes('<!-- wp:');

/** What blocks show of their item and of elsewhere. */
export interface Page {
  /** JSON, as it is stored. */
  readonly footnotes?: string;
  readonly references?: References | undefined;
}

/**
 * Returns block content as HTML: without delimiters, with the known classes. Text outside of all
 * blocks is unchanged. The block of footnotes becomes their list, that of a reused block its content.
 */
export function renderBlocks(raw: string, page: Page = {}): string {
  return htmlOf(raw, { page, galleries: 0, left: MOST_REUSED, open: new Set() });
}

/**
 * Renders as `renderBlocks` does, but only blocks whose text an excerpt includes: the first of
 * them, until they have `enough` characters.
 */
export function renderSummarisedBlocks(raw: string, enough: number): string {
  let html = '';
  const state = { page: {}, galleries: 0, left: 0, open: new Set<string>() };
  for (const { summary } of topBlocks(raw, showing(state))) {
    html += summary;
    if (html.length >= enough) break;
  }
  return html;
}

/** What is known while the blocks of a content are rendered. */
interface State {
  readonly page: Page;
  galleries: number;
  /** Characters of reused blocks that may still be shown. */
  left: number;
  /** Reused blocks in which the present one is: none of them is shown again. */
  readonly open: Set<string>;
}

/** Characters of reused blocks that one content shows at most: each may show others many times. */
const MOST_REUSED = 1024 * 1024;

function htmlOf(raw: string, state: State): string {
  let html = '';
  for (const block of topBlocks(raw, showing(state))) html += block.html;
  return html;
}

/**
 * Returns how blocks are shown. As in the original, an excerpt has markup outside of blocks, blocks of
 * text that hold no others or only plain ones, and of blocks that only contain others those in them.
 */
const showing =
  (state: State) =>
  (block: Block, pieces: readonly (string | ShownBlock)[]): ShownBlock => {
    const { name = '' } = block;
    const inner = pieces.filter((piece) => typeof piece !== 'string');
    const html = joined(
      framed(block, pieces, state).map((piece) => (typeof piece === 'string' ? piece : piece.html)),
    );
    const show = inner.length === 0 && Object.hasOwn(SHOWN, name) ? SHOWN[name] : undefined;
    const shown = show ? show(html, block, state) : html;
    const isWrapper = WRAPPERS.has(name);
    const isText = block.name === undefined || SUMMARISED.has(name);
    const within = isText || isWrapper ? joined(inner.map((one) => one.innerSummary)) : '';
    const own = isText || (isWrapper && inner.length === 0) ? shown : '';
    const isWhole = isText && inner.every((one) => one.isPlain);
    return {
      html: shown,
      summary: isWrapper && inner.length > 0 ? within : isWhole || isWrapper ? own : '',
      innerSummary: inner.length > 0 ? within : own,
      isPlain: isText && inner.length === 0,
    };
  };

/** Joins texts without a copy of each, since blocks in blocks are joined again and again. */
const joined = (texts: readonly string[]) => texts.reduce((all, text) => all + text, '');

/** Returns the pieces of a block with its classes, which an element of the first markup gets. */
function framed(
  block: Block,
  pieces: readonly (string | ShownBlock)[],
  state: State,
): readonly (string | ShownBlock)[] {
  const [first, ...others] = pieces;
  if (typeof first !== 'string') return pieces;
  const { name = '' } = block;
  if (name === 'gallery') {
    const classes = [`wp-block-gallery-${++state.galleries}`, ...IN_A_ROW];
    return [withClasses(first, GALLERIES, classes), ...others];
  }
  const layout = layoutOf(name, attributesOf(block));
  if (layout) {
    if (name === 'group' && isBare(block, first, layout)) return contained(block, pieces, layout);
    return [withInnerClasses(first, layout.classes, others.length > 0), ...others];
  }
  const known = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
  return known ? [withClasses(first, ...known), ...others] : pieces;
}

const CONTAINER = 'wp-block-group__inner-container';

const elementOf = (block: Block): string => {
  const name = attributeOf(block, 'tagName');
  return typeof name === 'string' && /^[a-z][a-z0-9]{0,20}$/i.test(name) ? name : 'div';
};

/** Returns whether a group gets a container within it: themes of before these groups expect one. */
function isBare(block: Block, first: string, { type }: Layout): boolean {
  const text = first.trimStart();
  const end = text.indexOf('>') + 1;
  const isGroup = text.startsWith(`<${elementOf(block)}`);
  const inner = text.slice(end).trimStart();
  const hasOne =
    inner.startsWith('<div') && inner.slice(0, inner.indexOf('>') + 1).includes(CONTAINER);
  return isGroup && !hasOne && type !== 'flex';
}

/** Returns a group with a container, which gets the classes of its layout; none where the group never ends. */
function contained(
  block: Block,
  pieces: readonly (string | ShownBlock)[],
  { classes }: Layout,
): readonly (string | ShownBlock)[] {
  const all = [...pieces];
  // An element that is no group by its class keeps those of its layout.
  const opening = String(all[0]);
  const isGroup = opening.slice(0, opening.indexOf('>')).includes('wp-block-group');
  const isOfLayout = (name: string) => isGroup && name.includes('is-layout-');
  const holdsOthers = pieces.length > 1;
  const own = classes.filter((name) => !isOfLayout(name));
  const last = all.at(-1);
  const end = typeof last === 'string' ? last.lastIndexOf(`</${elementOf(block)}>`) : -1;
  if (typeof last === 'string' && end >= 0)
    all[all.length - 1] = `${last.slice(0, end)}</div>${last.slice(end)}`;
  const first = withInnerClasses(String(all[0]), own, holdsOthers);
  const start = first.indexOf('>') + 1;
  const container = `<div class="${[CONTAINER, ...classes.filter(isOfLayout)].join(' ')}">`;
  all[0] = end < 0 ? first : first.slice(0, start) + container + first.slice(start);
  return all;
}

const GALLERIES = ['figure', 'ul', 'div'];
const IN_A_ROW = ['is-layout-flex', 'wp-block-gallery-is-layout-flex'];

type Show = (html: string, block: Block, state: State) => string;

/** Blocks that hold no others and are shown as something else than their markup. */
const SHOWN: Readonly<Record<string, Show>> = {
  footnotes: (_html, _block, { page: { footnotes = '' } }) => footnoteList(footnotes),
  shortcode: (html) => paragraphs(html),
  block: (_html, block, state) => reused(String(attributeOf(block, 'ref') ?? ''), state),
  // Without a text it is none.
  button: (html) =>
    /<(a|button)(?=[\s>])[^<>]{0,2000}>(?:<!--[^<>]{0,2000}-->)*<\/\1>/i.test(html) ? '' : html,
  image: (html, block) => {
    if (!/<img\s/i.test(html)) return '';
    const id = block.parent === 'gallery' ? attributeOf(block, 'id') : undefined;
    const isNumbered = /^\d+$/.test(String(id)) && !html.includes(' data-id=');
    return isNumbered ? html.replace(/<img(?=\s)/i, `$& data-id="${id}"`) : html;
  },
};

/** Returns the content of a reused block; nothing within itself. */
function reused(id: string, state: State): string {
  const { blocks = {}, embeds } = state.page.references?.insets ?? {};
  const raw = Object.hasOwn(blocks, id) ? blocks[id] : undefined;
  if (raw === undefined || state.open.has(id) || raw.length > state.left) return '';
  state.left -= raw.length + 1;
  state.open.add(id);
  const html = htmlOf(embedded(raw, embeds), state);
  state.open.delete(id);
  return html;
}

/** Returns the attributes of a block; none where they are no JSON. */
function attributesOf({ attributes }: Block): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(attributes || '{}') as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}

/** Returns an attribute of a block; undefined where it has none. */
const attributeOf = (block: Block, name: string): unknown => attributesOf(block)[name];
