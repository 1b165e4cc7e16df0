import { transact } from '../../../core/transact.js';
import { Taxonomy } from '../../../domains/content/content.enums.js';
import type { Kind } from '../../../domains/content/item/item.kinds.js';
import { titleKey } from '../../../domains/content/rendering/collation.js';
import { blockVersion } from '../../../domains/content/rendering/rendering.js';
import { sortKey } from '../../../domains/content/rendering/slug.js';
import { dropWrongFrontPage, fileItems, noteRevisions } from '../completion.service.js';
import { STATUSES } from '../items.js';
import { TERMS } from '../terms.js';
import type { LineKind } from './line.js';

const VOCABULARIES: ReadonlySet<unknown> = new Set(Object.values(Taxonomy));

/** Terms of all vocabularies. */
export const TERM_LINES: LineKind = {
  name: 'term',
  table: 'term',
  fields: {
    taxonomy: 'text',
    name: 'text',
    slug: 'text',
    description: 'text',
    parentId: 'integer?',
    version: 'integer',
  },
  parent: 'parentId',
  fault: ({ taxonomy }) =>
    VOCABULARIES.has(taxonomy) ? undefined : 'its vocabulary is unknown here',
  unused: TERMS.unused as string,
  filled: ['name_key'],
  fill: ({ name }) => ({ name_key: sortKey(String(name)) }),
};

/** Items of a kind, with the texts as they were written: they are rendered when they are read first. */
export const itemLines = (kind: Kind): LineKind => ({
  name: kind,
  table: 'content_item',
  where: `t.kind = '${kind}'`,
  fields: {
    status: 'text',
    title: 'text',
    content: 'text',
    excerpt: 'text',
    slug: 'text',
    password: 'text',
    authorId: 'integer',
    publishedAt: 'instant',
    floating: 'boolean',
    createdAt: 'instant',
    modifiedAt: 'instant',
    commentsOpen: 'boolean',
    pingsOpen: 'boolean',
    sticky: 'boolean',
    format: 'text',
    template: 'text',
    footnotes: 'text',
    featuredMediaId: 'integer',
    parentId: 'integer?',
    menuOrder: 'integer',
    guid: 'text',
    version: 'integer',
    trashedFrom: 'text?',
    clocks: 'json?',
    insets: 'json?',
    sharesSlug: 'boolean?',
  },
  parts: {
    terms: {
      table: 'content_term',
      of: 'item_id',
      order: 'p.term_id',
      isList: true,
      isCompleted: true,
      fields: { termId: 'integer' },
    },
  },
  filled: [
    ...['kind', 'title_key', 'title_rendered', 'content_rendered', 'excerpt_rendered'],
    ...['rendering', 'block_version'],
  ],
  fill: ({ title, content }) => ({
    kind,
    title_key: titleKey(String(title)),
    title_rendered: '',
    content_rendered: '',
    excerpt_rendered: '',
    rendering: 0,
    block_version: blockVersion(String(content)),
  }),
  fault: ({ status }) => (STATUSES.has(String(status)) ? undefined : 'its status is unknown here'),
  complete: fileItems,
  ...(kind === 'page' && {
    finish: ({ context }) => transact(context, ({ db }) => dropWrongFrontPage(db)),
  }),
});

/** Revisions and autosaves. */
export const REVISION_LINES: LineKind = {
  name: 'revision',
  table: 'revision',
  fields: {
    itemId: 'integer',
    authorId: 'integer',
    autosave: 'boolean',
    title: 'text',
    content: 'text',
    excerpt: 'text',
    footnotes: 'text',
    createdAt: 'instant',
    modifiedAt: 'instant',
    clocks: 'json?',
  },
  complete: noteRevisions,
};
