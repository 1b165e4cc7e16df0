import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Kind } from './item.kinds.js';
import { insertFiled, type Place } from './item-filing.service.js';
import { lockOn } from './item-slug.service.js';

/** The columns of a new item, by their names in the domain. */
export interface NewRow {
  readonly id: number;
  readonly kind: Kind;
  readonly slug: string;
  readonly [column: string]: unknown;
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

/**
 * Writes new items of a kind with their terms, by one statement that holds the lock on their slugs.
 * The statement is the same for every number of items. Fails by a unique index when a slug was
 * taken since it was sought.
 */
export async function insertRows(
  context: RequestContext,
  kind: Kind,
  rows: readonly NewRow[],
  places: readonly Place[],
): Promise<void> {
  const json = JSON.stringify(
    rows.map((row) => ({ ...DEFAULTS, ...row })),
    (_name, value) => (typeof value === 'string' ? value.toWellFormed() : value),
  );
  const slugs = rows.map(({ slug }) => slug);
  const filed = insertFiled(places);
  await context.rows(Prisma.sql`WITH item AS (
    INSERT INTO content_item (id, kind, status, title, title_key, title_rendered, content,
      content_rendered, excerpt, excerpt_rendered, rendering, block_version, slug, password,
      author_id, published_at, floating, created_at, modified_at, comments_open, pings_open, sticky,
      format, template, footnotes, featured_media_id, parent_id, menu_order, guid)
    SELECT r.* FROM ${lockOn(kind, slugs)} held(slugs), jsonb_to_recordset(${json}::jsonb) AS r(
      id int, kind text, status text, title text, "titleKey" text, "titleRendered" text, content text,
      "contentRendered" text, excerpt text, "excerptRendered" text, rendering int, "blockVersion" int,
      slug text, password text, "authorId" int, "publishedAt" timestamptz, floating boolean,
      "createdAt" timestamptz, "modifiedAt" timestamptz, "commentsOpen" boolean, "pingsOpen" boolean,
      sticky boolean, format text, template text, footnotes text, "featuredMediaId" int,
      "parentId" int, "menuOrder" int, guid text)
    ${filed ? Prisma.sql`RETURNING id) ${filed}` : Prisma.sql`RETURNING id) SELECT count(*)::int FROM item`}`);
}
