import type { Attachment } from '../../domains/content/media/media.row.js';
import type { StoredSize } from '../../domains/content/media/media-file.types.js';
import { identified } from './batches.js';
import {
  countedAs,
  type Import,
  type ImportedKind,
  isItemHere,
  type Left,
  type Mapped,
  text,
} from './kind.js';
import { withModified } from './modified-here.service.js';
import type { SourceRow } from './mysql-source.js';
import { type PhpValue, plainOf, unserialize } from './php.js';
import { UPLOADS, uploadsBelow } from './site.js';
import { noteSlugs, ownSlug } from './slug.service.js';
import { ownClocks, utcOf, zonedOf } from './source-time.js';
import { authorsOf, authorThere } from './stand-in.service.js';
import { DATELESS, NO_DATE } from './stand-ins.js';

const COLUMNS = [
  ...['title', 'slug', 'caption', 'description', 'alt_text', 'mime_type', 'source_url', 'width'],
  ...['height', 'sizes', 'details', 'author_id', 'item_id', 'created_at', 'modified_at'],
];

const HIDDEN =
  'it, or what it is attached to, is not public there: its author and editors alone see it';
const UNKNOWN = 'the type of what it is attached to is not known here: everybody sees it';

/** Attachments. Their files stay where they are unless a folder of uploads is given. */
export const MEDIA: ImportedKind = identified({
  name: 'media',
  from: 'posts',
  table: 'media',
  columns: [...COLUMNS, 'attachment', 'comments_open', 'clocks'],
  judged: COLUMNS,

  async ids({ content, numbered }) {
    const ids = await content.media.ids();
    numbered.set('media', new Set(ids));
    return ids;
  },

  read: ({ content }, ids) => content.media.read(ids),

  async map(run, read) {
    const rows = await withModified(run, read, 'media');
    const authorOf = await authorsOf(run, rows, 'media');
    const hidden = run.source ? new Set<number>() : await hiddenHere(run, rows);
    await noteSlugs(run, 'media', slugsOf(rows));
    return rows.map((row) => {
      const isHidden = Number(row.isHidden) === 1 || hidden.has(Number(row.ID));
      return mediumOf(run, row, { author: authorOf(row), isHidden });
    });
  },
});

/** Returns the path of the file of an attachment below the folder of uploads; it may be written whole. */
const fileIn = ({ file }: SourceRow): string =>
  text(file).replace(/^.*wp-content\/uploads\/(?:sites\/\d{1,9}\/)?/s, '');

/**
 * Returns the path of the folder of the files of an attachment below that where files are read here, with a slash at
 * its end or empty: an export has their addresses, and of a database it is that of the site.
 */
export function folderOf({ site }: Pick<Import, 'site'>, row: SourceRow): string {
  const path = text(row.address).replace(/^https?:\/\/[^/]*/, '');
  const [, folder] = path.split(`${UPLOADS}/`);
  const file = fileIn(row);
  return folder?.endsWith(file) ? folder.slice(0, -file.length) : (uploadsBelow(site) ?? '');
}

/** Returns the paths of the files of an attachment, below the folder of uploads: its own, and its sizes. */
export function pathsOf(row: SourceRow): string[] {
  const file = fileIn(row);
  if (!file) return [];
  const known = unserialize(text(row.metadata));
  const sizes = known instanceof Map ? sizesOf(known.get('sizes'), file) : [];
  return [...new Set([file, ...sizes.map(({ sourceUrl }) => sourceUrl)])];
}

const slugsOf = (rows: readonly SourceRow[]) =>
  rows.map((row) => ({ id: Number(row.ID), scope: 'media', slug: text(row.post_name) }));

/**
 * Returns which media are hidden here. An export shows them again only as far as it knows: it does not tell which types
 * are in the REST interface, and may lack what a medium is attached to.
 */
async function hiddenHere(
  { context: { db } }: Import,
  rows: readonly SourceRow[],
): Promise<ReadonlySet<number>> {
  const ids = rows.map(({ ID }) => Number(ID));
  const hidden = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM media WHERE id = ANY(${ids}::int[]) AND attachment->'isHidden' IS NOT NULL`;
  return new Set(hidden.map(({ id }) => id));
}

interface MediumHere {
  readonly author: number;
  readonly isHidden: boolean;
}

function mediumOf(run: Import, row: SourceRow, { author, isHidden }: MediumHere): Mapped | Left {
  const { uploads, timeZone } = run.site;
  const file = fileIn(row);
  const address = file ? text(row.address) || `${uploads}/${file}` : text(row.guid);
  if (!address) return { outcome: 'refused', reason: 'it names no file' };
  const modified = utcOf(row.post_modified_gmt) ?? zonedOf(row.post_modified, timeZone);
  const created =
    utcOf(row.post_date_gmt) ?? zonedOf(row.post_date, timeZone) ?? modified ?? NO_DATE;
  const measured = unserialize(text(row.metadata));
  const parent = Number(row.parent ?? 0);
  const itemId = isItemHere(run, parent) ? parent : null;
  const attachment = attachmentOf(row, itemId, isHidden);
  const isDeleted = !itemId && run.items.has(parent);
  const there = isDeleted && { item_id: parent, attachment: attachmentOf(row, parent, isHidden) };
  const id = Number(row.ID);
  const { slug, remarks } = ownSlug(run, { id, scope: 'media', slug: text(row.post_name) });
  const known = measured instanceof Map ? measured : new Map();
  const medium = {
    own: {
      id,
      title: text(row.post_title),
      slug,
      caption: text(row.post_excerpt),
      description: text(row.post_content),
      alt_text: text(row.alt),
      mime_type: text(row.post_mime_type),
      source_url: address,
      width: Number(known.get('width') ?? 0) || 0,
      height: Number(known.get('height') ?? 0) || 0,
      sizes: JSON.stringify(sizesOf(known.get('sizes'), address)),
      details: detailsOf(known),
      author_id: author,
      item_id: itemId,
      attachment,
      comments_open: text(row.comment_status) === 'open' || null,
      created_at: created,
      modified_at: modified ?? created,
      ...ownClocks(row, timeZone),
    },
    remarks: [
      ...remarks,
      ...(created === NO_DATE ? [DATELESS] : []),
      ...(row.metadata && !(measured instanceof Map) ? ['its sizes cannot be read'] : []),
      ...(attachment?.isHidden ? [HIDDEN] : []),
      ...(!attachment?.isHidden && Number(row.isUnknown) === 1 ? [UNKNOWN] : []),
    ],
  };
  return countedAs(medium, { ...there, ...authorThere(run, row) });
}

/**
 * Returns what an attachment is attached to, where that is no item of content here, and whether it is hidden, as
 * it is below content that was refused or deleted here.
 */
function attachmentOf(
  row: SourceRow,
  itemId: number | null,
  isHiddenThere: boolean,
): Attachment | null {
  const parent = Number(row.post_parent ?? 0);
  const isLost = Number(row.parent ?? 0) > 0 && !itemId;
  const isHidden = isLost || isHiddenThere;
  if (!isHidden && (itemId || parent === 0)) return null;
  const path = text(row.pathAbove);
  return {
    id: parent < 2 ** 31 ? parent : 0,
    path: isLost || path === '?' ? null : path,
    ...(isHidden && { isHidden }),
  };
}

/** Returns what the original shows of a file; its sizes lie beside it and are shown with addresses. */
function detailsOf(known: ReadonlyMap<string | number, PhpValue>): object {
  const { sizes, ...details } = Object.fromEntries(known);
  const plain = plainOf(new Map(Object.entries(details))) as object;
  if (known.size === 0) return {};
  const named = sizes instanceof Map ? [...sizes] : [];
  const shown = named.flatMap(([name, size]) => {
    if (!(size instanceof Map)) return [];
    const { 'mime-type': type, ...rest } = plainOf(size) as Record<string, unknown>;
    return [[String(name), { ...rest, mime_type: type ?? '' }]];
  });
  return { ...plain, sizes: Object.fromEntries(shown) };
}

/** Returns the sizes of an image, whose files lie beside its own. */
function sizesOf(sizes: unknown, file: string): StoredSize[] {
  if (!(sizes instanceof Map)) return [];
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
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
