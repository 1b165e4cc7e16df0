import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { noteOf } from '../change/change.sql.js';
import type { Taxonomy } from '../content.enums.js';
import type { Kind } from './item.kinds.js';
import type { ItemRow } from './item.row.js';
import { wellFormed } from './item-columns.service.js';
import { type Filed, insertFiled } from './item-filing.service.js';
import { selectMade } from './item-row.service.js';
import { lockOn, newSlug, newSlugs } from './item-slug.service.js';

/** Where a new item's `guid` has its slug or its id, which its statement finds. */
export const SLUG = '{slug}';
export const ID = '{id}';

/** The columns of a new item, by their names in the domain, but for those that are found here. */
export interface NewRow
  extends Omit<ItemRow, keyof typeof DEFAULTS | 'id' | 'slug' | keyof typeof NEW> {
  readonly createdAt: Date;
  readonly content: string;
  readonly contentRendered: string;
  readonly titleKey: string;
}

/** The columns that a new item may leave out, with what they are then. */
const DEFAULTS = {
  password: '',
  sticky: false,
  format: 'standard',
  template: '',
  footnotes: '',
  featuredMediaId: 0,
  menuOrder: 0,
};

const MADE = Prisma.sql`SELECT id, kind, author_id, 'created' AS what FROM item`;

/** What every new item is, also one that is made in the trash. */
const NEW = { version: 1, revisionCount: 0, latestRevisionId: null, trashedFrom: null };

/** New items of one kind, in the order in which they get their slugs. */
export interface Insertion {
  readonly kind: Kind;
  readonly rows: readonly NewRow[];
  /** What the items shall be called: see `newSlugs`. */
  readonly bases: readonly (string | undefined)[];
  /** The taxonomies in which they are filed; `id` is the place in the list, from 1. */
  readonly filed: readonly Filed[];
}

/**
 * Writes new items with their terms, by one statement that finds their slugs and holds the lock on
 * them. Returns them as `rowsById` reads them. The statement is the same for every number of items,
 * and PostgreSQL plans it once: what decides about plans is in its text or in JSON. Fails by a unique
 * index when a slug was taken meanwhile.
 */
export async function insertRows(
  context: RequestContext,
  { kind, rows, bases, filed }: Insertion,
): Promise<ItemRow[]> {
  const whole = rows.map((row) => wellFormed({ ...DEFAULTS, ...row }));
  const given = whole.map((row, i) => ({ ...row, ...newSlug(bases[i]), place: i + 1 }));
  const filing = insertFiled(filed, Prisma.sql`(SELECT place AS key, id FROM own)`);
  const made = await context.rows<FoundColumns>(Prisma.sql`
    WITH given AS MATERIALIZED (SELECT * FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS r(
      place int, base text, reserved boolean, guid text, kind text, status text, title text,
      "titleKey" text, "titleRendered" text, content text, "contentRendered" text, excerpt text,
      "excerptRendered" text, rendering int, "blockVersion" int, password text, "authorId" int,
      "publishedAt" timestamptz, floating boolean, "createdAt" timestamptz,
      "modifiedAt" timestamptz, "commentsOpen" boolean, "pingsOpen" boolean, sticky boolean,
      format text, template text, footnotes text, "featuredMediaId" int, "parentId" int,
      "menuOrder" int)),
    own AS MATERIALIZED (${newSlugs(kind)}), item AS (
    INSERT INTO content_item (id, slug, guid, kind, status, title, title_key, title_rendered,
      content, content_rendered, excerpt, excerpt_rendered, rendering, block_version, password,
      author_id, published_at, floating, created_at, modified_at, comments_open, pings_open, sticky,
      format, template, footnotes, featured_media_id, parent_id, menu_order)
    SELECT own.id, own.slug, replace(replace(r.guid, '${Prisma.raw(SLUG)}', own.slug), '${Prisma.raw(ID)}', own.id::text),
      r.kind, r.status, r.title, r."titleKey", r."titleRendered", r.content, r."contentRendered",
      r.excerpt, r."excerptRendered", r.rendering, r."blockVersion", r.password, r."authorId",
      r."publishedAt", r.floating, r."createdAt", r."modifiedAt", r."commentsOpen", r."pingsOpen",
      r.sticky, r.format, r.template, r.footnotes, r."featuredMediaId", nullif(r."parentId", 0),
      r."menuOrder"
    FROM ${lockOn(kind, Prisma.raw('given'))} held(slugs), own JOIN given r USING (place)
    RETURNING id, slug, guid, parent_id, kind, author_id), filing AS (${filing}),
    told AS (${noteOf(context, MADE)})
    ${selectMade(kind)} JOIN own ON own.id = p.id ORDER BY own.place`);
  return made.map((found, i) => rowOf(whole[i] as (typeof whole)[number], found));
}

/** What the statement that makes items finds out about them. */
type FoundColumns = Pick<ItemRow, 'id' | 'slug' | 'guid' | 'path' | 'termClasses' | Taxonomy>;

/** Returns a new item as `rowsById` reads it. */
function rowOf(
  { createdAt: _created, titleKey: _key, ...row }: NewRow & typeof DEFAULTS,
  found: FoundColumns,
): ItemRow {
  return { ...row, ...NEW, ...found };
}
