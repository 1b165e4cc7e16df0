import { Taxonomy } from '../../domains/content/content.enums.js';
import { KINDS, type Kind } from '../../domains/content/item/item.kinds.js';
import { blockVersion } from '../../domains/content/rendering/rendering.js';
import { sortKey } from '../../domains/content/rendering/slug.js';
import { clockTime } from '../../platform/zone.js';
import { fileItems, noteRevisions } from './completion.service.js';
import {
  type Import,
  type ImportedKind,
  idsOfType,
  type Left,
  type Mapped,
  parentsFirst,
  text,
} from './kind.js';
import type { SourceRow } from './mysql-source.js';
import { unserialize } from './php.js';
import { utcOf, zonedOf } from './source-time.js';

const FILED = Object.values(Taxonomy);
/** The account that content of missing authors belongs to. */
export const NOBODY = 0;
/** What has no date gets this one. */
const NO_DATE = new Date(0).toISOString();
const DATELESS = 'it has no date: it has that of 1970-01-01';
/** B-tree entries are limited: longer titles sort by their beginning. */
const LONGEST_KEY = 500;

/** The terms of the original, with their ids. */
export const TERMS: ImportedKind = {
  name: 'term',
  from: 'terms',
  table: 'term',
  columns: ['taxonomy', 'name', 'name_key', 'slug', 'description', 'parent_id'],
  unused: `i.id IS NULL AND t.id = 1 AND t.slug = 'uncategorized'
    AND NOT EXISTS (SELECT 1 FROM content_term WHERE term_id = 1)`,

  async ids({ source, report, vocabularies }) {
    const rows = await source.rows(
      'SELECT term_id AS id, parent, taxonomy FROM {term_taxonomy} WHERE taxonomy IN (?) ' +
        'ORDER BY term_id, count DESC, term_taxonomy_id',
      [FILED],
    );
    const terms = new Map<number, number>();
    for (const { id, parent, taxonomy } of rows) {
      const reason = 'its number is that of a term of another vocabulary, as before version 4.3';
      const at = `terms ${id} (${taxonomy})`;
      if (terms.has(Number(id))) report.leave({ kind: 'term', at, outcome: 'refused', reason });
      else {
        terms.set(Number(id), Number(parent));
        vocabularies.set(Number(id), text(taxonomy));
      }
    }
    return parentsFirst([...terms].map(([id, parent]) => ({ id, parent }))).ids;
  },

  read: ({ source }, ids) =>
    source.rows(
      `SELECT t.term_id AS id, t.name, t.slug, x.taxonomy, x.description, p.term_id AS parent
      FROM {terms} t JOIN {term_taxonomy} x ON x.term_taxonomy_id = (
        SELECT term_taxonomy_id FROM {term_taxonomy} WHERE term_id = t.term_id AND taxonomy IN (?)
        ORDER BY count DESC, term_taxonomy_id LIMIT 1)
      LEFT JOIN {term_taxonomy} p ON p.term_id = x.parent AND p.taxonomy = x.taxonomy
      WHERE t.term_id IN (?) ORDER BY FIELD(t.term_id, ?)`,
      [FILED, ids, ids],
    ),

  map: async (_run, rows) =>
    rows.map((row) => {
      const name = text(row.name);
      const parent = Number(row.parent ?? 0);
      return {
        own: {
          id: Number(row.id),
          taxonomy: text(row.taxonomy),
          name,
          name_key: sortKey(name),
          slug: text(row.slug),
          description: text(row.description),
          parent_id: parent > 0 && parent !== Number(row.id) ? parent : null,
        },
      };
    }),
};

const STATUSES = new Set([
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  'trash',
  'auto-draft',
]);
const ITEM_COLUMNS = [
  ...[
    'kind',
    'status',
    'title',
    'title_key',
    'title_rendered',
    'content',
    'content_rendered',
    'excerpt',
  ],
  ...[
    'excerpt_rendered',
    'rendering',
    'block_version',
    'slug',
    'password',
    'author_id',
    'published_at',
  ],
  ...[
    'floating',
    'created_at',
    'modified_at',
    'comments_open',
    'pings_open',
    'sticky',
    'format',
    'template',
  ],
  ...['footnotes', 'featured_media_id', 'parent_id', 'menu_order', 'guid', 'version', 'clocks'],
];

/** Returns SQL for a value of an item's meta. */
const meta = (key: string) =>
  `(SELECT max(m.meta_value) FROM {postmeta} m WHERE m.post_id = p.ID AND m.meta_key = '${key}')`;

/**
 * The items of a kind, with their ids and slugs, and with what they are filed under. Texts are rendered
 * when they are read first.
 */
export const itemsOf = (kind: Kind): ImportedKind => ({
  name: kind,
  from: 'posts',
  table: 'content_item',
  columns: ITEM_COLUMNS,

  async ids({ source, circles }) {
    const rows = await source.rows(
      'SELECT ID AS id, post_parent AS parent FROM {posts} WHERE post_type = ? ORDER BY ID',
      [kind],
    );
    if (!KINDS[kind].hierarchical) return rows.map(({ id }) => Number(id));
    const { ids, circular } = parentsFirst(
      rows.map(({ id, parent }) => ({ id: Number(id), parent: Number(parent) })),
    );
    for (const id of circular) circles.add(id);
    return ids;
  },

  read: ({ source }, ids) =>
    source.rows(
      `SELECT p.*, EXISTS (SELECT 1 FROM {users} u WHERE u.ID = p.post_author) AS hasAuthor,
        (SELECT q.ID FROM {posts} q WHERE q.ID = p.post_parent AND q.post_type = p.post_type) AS parent,
        ${meta('_thumbnail_id')} AS thumbnail, ${meta('_wp_page_template')} AS template,
        ${meta('footnotes')} AS footnotes,
        EXISTS (SELECT 1 FROM {posts} q WHERE q.post_name = p.post_name AND BINARY q.post_name = BINARY p.post_name
          AND q.post_type = p.post_type AND q.post_parent = p.post_parent AND q.ID < p.ID
          AND q.post_status NOT IN ('draft', 'pending', 'auto-draft')) AS hasTwin,
        (SELECT GROUP_CONCAT(CONCAT(x.taxonomy, ' ', x.term_id, ' ', t.slug) SEPARATOR '\\n')
          FROM {term_relationships} r JOIN {term_taxonomy} x USING (term_taxonomy_id)
          JOIN {terms} t USING (term_id) WHERE r.object_id = p.ID) AS filed
      FROM {posts} p WHERE p.ID IN (?) ORDER BY FIELD(p.ID, ?)`,
      [ids, ids],
    ),

  map: async (run, rows) => rows.map((row) => itemOf(run, kind, row)),
  complete: fileItems,
});

function itemOf(run: Import, kind: Kind, row: SourceRow): Mapped | Left {
  const status = text(row.post_status);
  if (!STATUSES.has(status)) return { outcome: 'refused', reason: `its status is unknown here` };
  if (status === 'auto-draft')
    return { outcome: 'skipped', reason: 'it was opened and never saved' };
  const remarks: string[] = [];
  if (!Number(row.hasAuthor)) remarks.push('its author does not exist: it belongs to nobody');
  const { home, timeZone, sticky } = run.site;
  const id = Number(row.ID);
  const published = utcOf(row.post_date_gmt);
  const local = zonedOf(row.post_date, timeZone);
  const modified = utcOf(row.post_modified_gmt) ?? zonedOf(row.post_modified, timeZone);
  const publishedAt = published ?? local ?? modified ?? NO_DATE;
  if (publishedAt === NO_DATE) remarks.push(DATELESS);
  const slug = slugOf(row, remarks);
  const title = text(row.post_title);
  const content = text(row.post_content);
  const filed = filedOf(text(row.filed), run.vocabularies);
  const parent = Number(row.parent ?? 0);
  const isCircular = run.circles.has(id);
  if (isCircular) remarks.push('its parents are a circle: it has no parent here');
  const isChild = KINDS[kind].hierarchical && parent > 0 && !isCircular;
  const own = {
    id,
    kind,
    status,
    title,
    title_key: sortKey(title).slice(0, LONGEST_KEY),
    title_rendered: '',
    content,
    content_rendered: '',
    excerpt: text(row.post_excerpt),
    excerpt_rendered: '',
    rendering: 0,
    block_version: blockVersion(content),
    slug,
    // The original takes the password `0` for none.
    password: text(row.post_password) === '0' ? '' : text(row.post_password),
    author_id: Number(row.hasAuthor) ? Number(row.post_author) : NOBODY,
    published_at: publishedAt,
    floating: !published && ['draft', 'pending', 'auto-draft'].includes(status),
    created_at: publishedAt,
    modified_at: modified ?? publishedAt,
    comments_open: text(row.comment_status) === 'open',
    pings_open: text(row.ping_status) === 'open',
    sticky: sticky.has(id),
    format: filed.format,
    template: templateOf(text(row.template)),
    footnotes: text(row.footnotes),
    featured_media_id: Number(row.thumbnail ?? 0) || 0,
    parent_id: isChild ? parent : null,
    menu_order: Number(row.menu_order),
    guid: text(row.guid).replaceAll('&#038;', '&').replace(home, ''),
    version: 1,
    clocks: clocksOf(row, timeZone),
  };
  return { own, parts: { terms: filed.terms }, remarks };
}

/**
 * Returns the slug of an item. That of an older item of its kind below its parent is taken: then the
 * number follows it.
 */
function slugOf(row: SourceRow, remarks: string[]): string {
  const slug = text(row.post_name);
  const isFree = ['draft', 'pending', 'auto-draft'].includes(text(row.post_status));
  if (!slug || isFree || !Number(row.hasTwin)) return slug;
  remarks.push('another item has its slug: its number follows it');
  return `${slug}-${row.ID}`;
}

/** Returns local times that are not those of the zone, by their instants; null when all are. */
function clocksOf(row: SourceRow, timeZone: string): Readonly<Record<string, string>> | null {
  const clocks = (
    [
      [row.post_date_gmt, row.post_date],
      [row.post_modified_gmt, row.post_modified],
    ] as const
  ).flatMap(([gmt, local]): [string, string][] => {
    const [instant, shown] = [utcOf(gmt), utcOf(local)?.slice(0, 19)];
    const isOther = instant && shown && clockTime(new Date(instant), timeZone) !== shown;
    return isOther ? [[instant, shown]] : [];
  });
  return clocks.length > 0 ? Object.fromEntries(clocks) : null;
}

const templateOf = (name: string) => (name === 'default' ? '' : name);

/** Returns the terms of ours that an item is filed under, and its format. */
function filedOf(
  lines: string,
  vocabularies: ReadonlyMap<number, string>,
): { readonly terms: number[]; readonly format: string } {
  const all = lines.split('\n').map((line) => line.split(' '));
  const terms = all.filter(([taxonomy, id]) => vocabularies.get(Number(id)) === taxonomy);
  const format = all.find(([taxonomy]) => taxonomy === 'post_format')?.[2];
  return {
    terms: terms.map(([, id]) => Number(id)),
    format: format?.replace(/^post-format-/, '') ?? 'standard',
  };
}

/** The revisions and autosaves of the items that are imported. */
export const REVISIONS: ImportedKind = {
  name: 'revision',
  from: 'posts',
  table: 'revision',
  columns: [
    ...[
      'item_id',
      'author_id',
      'autosave',
      'title',
      'content',
      'excerpt',
      'footnotes',
      'created_at',
    ],
    'modified_at',
  ],

  ids: (run) => idsOfType(run, 'revision'),

  read: ({ source }, ids) =>
    source.rows(
      `SELECT p.*, EXISTS (SELECT 1 FROM {users} u WHERE u.ID = p.post_author) AS hasAuthor,
        (SELECT q.post_type FROM {posts} q WHERE q.ID = p.post_parent) AS of, ${meta('footnotes')} AS footnotes
      FROM {posts} p WHERE p.ID IN (?) ORDER BY p.ID`,
      [ids],
    ),

  map: async ({ site: { timeZone } }, rows) =>
    rows.map((row) => {
      if (!(text(row.of) in KINDS))
        return { outcome: 'skipped', reason: 'what it is of is not imported' };
      const modified = utcOf(row.post_modified_gmt) ?? zonedOf(row.post_modified, timeZone);
      const created =
        utcOf(row.post_date_gmt) ?? zonedOf(row.post_date, timeZone) ?? modified ?? NO_DATE;
      return {
        remarks: created === NO_DATE ? [DATELESS] : [],
        own: {
          id: Number(row.ID),
          item_id: Number(row.post_parent),
          author_id: Number(row.hasAuthor) ? Number(row.post_author) : NOBODY,
          autosave: text(row.post_name).includes('-autosave-'),
          title: text(row.post_title),
          content: text(row.post_content),
          excerpt: text(row.post_excerpt),
          footnotes: text(row.footnotes),
          created_at: created,
          modified_at: modified ?? created,
        },
      };
    }),
  complete: noteRevisions,
};

/** Attachments. Their files stay where they are unless a folder of uploads is given. */
export const MEDIA: ImportedKind = {
  name: 'media',
  from: 'posts',
  table: 'media',
  columns: [
    ...['title', 'slug', 'caption', 'description', 'alt_text', 'mime_type', 'source_url', 'width'],
    ...['height', 'sizes', 'author_id', 'item_id', 'created_at', 'modified_at'],
  ],

  ids: (run) => idsOfType(run, 'attachment'),

  read: ({ source }, ids) =>
    source.rows(
      `SELECT p.*, EXISTS (SELECT 1 FROM {users} u WHERE u.ID = p.post_author) AS hasAuthor,
        (SELECT q.ID FROM {posts} q WHERE q.ID = p.post_parent AND q.post_type IN (?)) AS parent,
        ${meta('_wp_attached_file')} AS file, ${meta('_wp_attachment_image_alt')} AS alt,
        ${meta('_wp_attachment_metadata')} AS metadata
      FROM {posts} p WHERE p.ID IN (?) ORDER BY p.ID`,
      [Object.keys(KINDS), ids],
    ),

  map: async (run, rows) => rows.map((row) => mediumOf(run, row)),
};

function mediumOf({ site: { home, timeZone } }: Import, row: SourceRow): Mapped | Left {
  const file = text(row.file);
  const address = file ? `${home}/wp-content/uploads/${file}` : text(row.guid);
  if (!address) return { outcome: 'refused', reason: 'it names no file' };
  const created = utcOf(row.post_date_gmt) ?? zonedOf(row.post_date, timeZone);
  if (!created) return { outcome: 'refused', reason: 'it has no date' };
  const measured = unserialize(text(row.metadata));
  const known = measured instanceof Map ? measured : new Map();
  const folder = address.slice(0, address.lastIndexOf('/') + 1);
  return {
    own: {
      id: Number(row.ID),
      title: text(row.post_title),
      slug: text(row.post_name),
      caption: text(row.post_excerpt),
      description: text(row.post_content),
      alt_text: text(row.alt),
      mime_type: text(row.post_mime_type),
      source_url: address,
      width: Number(known.get('width') ?? 0) || 0,
      height: Number(known.get('height') ?? 0) || 0,
      sizes: JSON.stringify(sizesOf(known.get('sizes'), folder)),
      author_id: Number(row.hasAuthor) ? Number(row.post_author) : NOBODY,
      item_id: Number(row.parent ?? 0) || null,
      created_at: created,
      modified_at: utcOf(row.post_modified_gmt) ?? created,
    },
    remarks: row.metadata && !(measured instanceof Map) ? ['its sizes cannot be read'] : [],
  };
}

function sizesOf(sizes: unknown, folder: string): object[] {
  if (!(sizes instanceof Map)) return [];
  return [...sizes].flatMap(([name, size]) =>
    size instanceof Map
      ? [
          {
            name: String(name),
            width: Number(size.get('width')) || 0,
            height: Number(size.get('height')) || 0,
            mimeType: String(size.get('mime-type') ?? ''),
            sourceUrl: folder + String(size.get('file') ?? ''),
          },
        ]
      : [],
  );
}
