import { KINDS, type Kind } from '../../domains/content/item/item.kinds.js';
import { titleKey } from '../../domains/content/rendering/collation.js';
import { blockVersion } from '../../domains/content/rendering/rendering.js';
import { identified } from './batches.js';
import { fileItems } from './completion.service.js';
import {
  countedAs,
  type Import,
  type ImportedKind,
  type Left,
  type Mapped,
  parentsFirst,
  text,
} from './kind.js';
import { withModified } from './modified-here.service.js';
import type { SourceRow } from './mysql-source.js';
import { ownNumbers } from './own-number.service.js';
import { clocksOf, utcOf, zonedOf } from './source-time.js';
import { authorsOf, authorThere } from './stand-in.service.js';
import { DATELESS, NO_DATE, NOBODY } from './stand-ins.js';

/** The statuses that an item may have. */
export const STATUSES: ReadonlySet<string> = new Set([
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
/** Follows the status: it does not tell whether people changed an item. */
const TRASHED_FROM = 'trashed_from';
/** No change of an item here sets it. */
const SHARES_SLUG = 'shares_slug';
/** Nor this. */
const INSETS = 'insets';
/**
 * The items of a kind, with their ids and slugs, and with what they are filed under. Texts are rendered
 * when they are read first.
 */
export const itemsOf = (kind: Kind): ImportedKind =>
  identified({
    name: kind,
    from: 'posts',
    table: 'content_item',
    columns: [...ITEM_COLUMNS, TRASHED_FROM, SHARES_SLUG, INSETS],
    // Versions of the service may order titles otherwise.
    judged: ITEM_COLUMNS.filter((name) => name !== 'title_key'),

    async ids({ content, circles }) {
      const rows = await content.items.places(kind);
      if (!KINDS[kind].hierarchical) return rows.map(({ id }) => Number(id));
      const { ids, circular } = parentsFirst(
        rows.map(({ id, parent }) => ({ id: Number(id), parent: Number(parent) })),
      );
      for (const id of circular) circles.add(id);
      return ids;
    },

    read: ({ content }, ids) => content.items.read(ids),

    async map(run, read) {
      const rows = await withModified(run, read, 'content_item');
      const authorOf = await authorsOf(run, rows, 'content_item');
      const parents = rows.map(({ post_parent: parent }) => Number(parent));
      const pictures = rows.map(({ thumbnail }) => numberOf(text(thumbnail)) ?? 0);
      const own = {
        items: KINDS[kind].hierarchical
          ? await ownNumbers(run, 'content_item', parents)
          : new Set<number>(),
        media: await ownNumbers(run, 'media', pictures),
      };
      return rows.map((row) => itemOf(run, kind, { row, author: authorOf(row), own }));
    },
    took: ({ items }, { id }) => void items.add(id),
    complete: fileItems,
  });

interface ItemToMap {
  readonly row: SourceRow;
  readonly author: number;
  /** The numbers of parents and pictures that rows of this service have. */
  readonly own: { readonly items: ReadonlySet<number>; readonly media: ReadonlySet<number> };
}

function itemOf(run: Import, kind: Kind, { row, author, own: taken }: ItemToMap): Mapped | Left {
  const status = text(row.post_status);
  if (!STATUSES.has(status)) return { outcome: 'refused', reason: `its status is unknown here` };
  if (status === 'auto-draft')
    return { outcome: 'skipped', reason: 'it was opened and never saved' };
  const remarks: string[] = [];
  if (!Number(row.hasAuthor)) remarks.push('its author does not exist: a stand-in has the number');
  else if (author === NOBODY) remarks.push('its author was not imported: it has none');
  const { home, timeZone, sticky } = run.site;
  const id = Number(row.ID);
  const published = utcOf(row.post_date_gmt);
  const local = zonedOf(row.post_date, timeZone);
  const modified = utcOf(row.post_modified_gmt) ?? zonedOf(row.post_modified, timeZone);
  const publishedAt = published ?? local ?? modified ?? NO_DATE;
  if (publishedAt === NO_DATE) remarks.push(DATELESS);
  const sharesSlug = hasTwin(row);
  if (sharesSlug) remarks.push('another item has its slug: both keep it');
  const title = text(row.post_title);
  const content = text(row.post_content);
  for (const name of serverBlocksIn(content)) remarks.push(`its block ${name} shows nothing here`);
  const filed = filedOf(text(row.filed), run.vocabularies);
  const parent = Number(row.post_parent);
  if (run.circles.has(id)) remarks.push('its parents are a circle');
  const featured = numberOf(text(row.thumbnail));
  if (featured === undefined)
    remarks.push('its featured picture has no number that is one: it has none');
  const isPictured = !taken.media.has(featured ?? 0);
  if (!isPictured) remarks.push('its featured picture was not imported: it has none');
  const isBelow = KINDS[kind].hierarchical && parent > 0;
  const isChild = isBelow && !taken.items.has(parent);
  if (isBelow && !isChild) remarks.push('its parent was not imported: it has none');
  else if (isBelow && !Number(row.parent)) remarks.push('its parent is no page');
  const own = {
    id,
    kind,
    status,
    title,
    title_key: titleKey(title),
    title_rendered: '',
    content,
    content_rendered: '',
    excerpt: text(row.post_excerpt),
    excerpt_rendered: '',
    rendering: 0,
    block_version: blockVersion(content),
    slug: text(row.post_name),
    // The original takes the password `0` for none.
    password: text(row.post_password) === '0' ? '' : text(row.post_password),
    author_id: author,
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
    featured_media_id: isPictured ? (featured ?? 0) : 0,
    parent_id: isChild ? parent : null,
    menu_order: Number(row.menu_order),
    guid: text(row.guid).replaceAll('&#038;', '&').replace(home, ''),
    version: 1,
    clocks: clocksOf(row, timeZone),
    // Absent elsewhere, so that items of earlier imports are what they were.
    ...(status === 'trash' &&
      STATUSES.has(text(row.trashedFrom)) && {
        [TRASHED_FROM]: text(row.trashedFrom),
      }),
    ...(sharesSlug && { [SHARES_SLUG]: true }),
    ...(row.insets && { [INSETS]: JSON.parse(text(row.insets)) as object }),
  };
  return countedAs({ own, parts: { terms: filed.terms }, remarks }, authorThere(run, row));
}

/** Blocks that the original makes of other rows, or of the site, each time it shows them. */
const SERVER_BLOCK =
  /<!--\s{1,20}wp:(?:core\/)?(archives|avatar|calendar|categories|comments|latest-comments|latest-posts|loginout|navigation|page-list|query|rss|search|site-logo|site-tagline|site-title|tag-cloud)(?=\s)/g;

const serverBlocksIn = (content: string): ReadonlySet<string> =>
  new Set([...content.matchAll(SERVER_BLOCK)].map(([, name = '']) => name));

/** Returns whether an older item of its kind below its parent has the slug of an item, and both count. */
const hasTwin = (row: SourceRow): boolean =>
  text(row.post_name) !== '' &&
  !['draft', 'pending', 'auto-draft'].includes(text(row.post_status)) &&
  Number(row.hasTwin) === 1;

/** Returns a number of a medium as PHP casts a text to it, 0 for none; undefined for a text that is no such number. */
const numberOf = (written: string): number | undefined => {
  const number = Number(written === '' ? 0 : /^\s*([+-]?\d{1,10})(?!\d)/.exec(written)?.[1]);
  return Math.abs(number) < 2 ** 31 ? number : undefined;
};

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
    terms: terms.map(([, id]) => Number(id)).sort((a, b) => a - b),
    format: format?.replace(/^post-format-/, '') ?? 'standard',
  };
}
