import { type Block, topBlocks } from './block-parser.js';
import { withClasses } from './element-classes.js';
import { embedded } from './embeds.js';
import { footnoteList } from './footnotes.js';
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
      pieces.map((piece, i) => {
        if (typeof piece !== 'string') return piece.html;
        return i === 0 ? firstOf(block, piece, state) : piece;
      }),
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

/** Returns the first markup of a block: it has the element that gets its classes. */
function firstOf({ name = '' }: Block, html: string, state: State): string {
  if (name === 'gallery')
    return withClasses(html, GALLERIES, [`wp-block-gallery-${++state.galleries}`, ...IN_A_ROW]);
  const known = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
  return known ? withClasses(html, ...known) : html;
}
const GALLERIES = ['figure', 'ul', 'div'];
const IN_A_ROW = ['is-layout-flex', 'wp-block-gallery-is-layout-flex'];

type Show = (html: string, block: Block, state: State) => string;

/** Blocks that hold no others and are shown as something else than their markup. */
const SHOWN: Readonly<Record<string, Show>> = {
  footnotes: (_html, _block, { page: { footnotes = '' } }) => footnoteList(footnotes),
  shortcode: (html) => paragraphs(html),
  block: (_html, block, state) => reused(String(attributeOf(block, 'ref') ?? ''), state),
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

/** Returns an attribute of a block; undefined where it has none, or they are no JSON. */
function attributeOf({ attributes }: Block, name: string): unknown {
  try {
    return (JSON.parse(attributes || '{}') as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}
