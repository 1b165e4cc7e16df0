import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { noteOf } from '../change/change.sql.js';
import { keepRevision } from '../revision/item-revision.service.js';
import { KINDS } from './item.kinds.js';
import type { ItemRow } from './item.row.js';
import { deleteFiled, type Filed, insertFiled } from './item-filing.service.js';
import type { WholeRow } from './item-row.service.js';
import { namesakes } from './item-slug.service.js';

/** The columns of a changed item that are stored anew each time. */
export type ChangedColumns = Omit<ItemRow, 'id' | 'kind' | 'guid' | keyof Counters> & {
  readonly content: string;
  readonly titleKey: string;
};

/** A change of an item as it was read. */
export interface Writing {
  readonly row: WholeRow;
  readonly columns: ChangedColumns;
  /** The taxonomies in which it is filed anew. */
  readonly filed: readonly Filed[];
  /** Whether the new state is kept as a revision. */
  readonly revised: boolean;
  /** Whether nothing is written when another item below the same parent has the slug. */
  readonly guarded?: boolean;
}

type Counters = Pick<WholeRow, 'version' | 'revisionCount' | 'latestRevisionId' | 'seen'>;

const SEEN = Prisma.raw('seen');
const STATES = Prisma.sql`(SELECT seen.id, given.* FROM seen, given)`;
/** Who loses an item to another author is told as well. */
const CHANGED = Prisma.sql`SELECT seen.id, seen.kind, a.author_id, 'updated' AS what FROM seen, given,
  LATERAL (SELECT given."authorId" UNION SELECT seen.author_id) a(author_id)`;
const NONE = Prisma.sql`SELECT NULL::int AS id WHERE false`;

/**
 * Writes a change of an item with its terms and its revision, by one statement. Returns the new
 * counters; undefined when the item is no longer as it was read, or when it is guarded and its slug
 * is also another's: then nothing is written. Fails
 * by a unique index when its slug was taken.
 */
export async function writeChange(
  context: RequestContext,
  { row: { id, kind, seen }, columns, filed, revised, guarded = false }: Writing,
): Promise<Counters | undefined> {
  const kept = revised && KINDS[kind].revisions ? keepRevision(STATES, context.viewer.id) : NONE;
  const [counters] = await context.rows<Counters>(Prisma.sql`
    WITH seen AS MATERIALIZED (SELECT id, id AS key, kind, author_id FROM content_item
      WHERE id = ${id} AND xmin = ${seen}::text::xid
        AND NOT (${guarded} AND EXISTS (${namesakes(kind, columns, id)})) FOR UPDATE),
    given AS MATERIALIZED (${givenOf(columns)}), kept AS (${kept})${refiling(filed)},
    told AS (${noteOf(context, CHANGED)})
    UPDATE content_item p SET title = r.title, title_key = r."titleKey",
      title_rendered = r."titleRendered", content = r.content,
      content_rendered = r."contentRendered", excerpt = r.excerpt,
      excerpt_rendered = r."excerptRendered", rendering = r.rendering,
      block_version = r."blockVersion", slug = r.slug,
      shares_slug = p.shares_slug AND p.slug = r.slug, password = r.password, status = r.status,
      author_id = r."authorId", published_at = r."publishedAt", floating = r.floating,
      modified_at = r."modifiedAt", comments_open = r."commentsOpen", pings_open = r."pingsOpen",
      sticky = r.sticky, format = r.format, template = r.template, footnotes = r.footnotes,
      featured_media_id = r."featuredMediaId", parent_id = nullif(r."parentId", 0),
      menu_order = r."menuOrder", version = p.version + 1,
      revision_count = p.revision_count + (SELECT count(*) FROM kept)::int,
      latest_revision_id = coalesce((SELECT id FROM kept), p.latest_revision_id)
    FROM seen, given r WHERE p.id = seen.id
    RETURNING p.version, p.revision_count AS "revisionCount",
      p.latest_revision_id AS "latestRevisionId", pg_current_xact_id()::xid::text AS seen`);
  return counters;
}

/** Returns the CTEs that file the item `seen` anew. */
const refiling = (filed: readonly Filed[]) =>
  filed.length === 0
    ? Prisma.empty
    : Prisma.sql`, unfiled AS (${deleteFiled(filed, SEEN)}), filing AS (${insertFiled(filed, SEEN)})`;

/** Returns the SELECT of the new columns, as one row. */
const givenOf = (c: ChangedColumns) => Prisma.sql`SELECT ${c.title}::text AS title,
  ${c.titleKey}::text AS "titleKey", ${c.titleRendered}::text AS "titleRendered",
  ${c.content}::text AS content, ${c.contentRendered}::text AS "contentRendered",
  ${c.excerpt}::text AS excerpt, ${c.excerptRendered}::text AS "excerptRendered",
  ${c.rendering}::int AS rendering, ${c.blockVersion}::int AS "blockVersion",
  ${c.slug}::text AS slug, ${c.password}::text AS password, ${c.status}::text AS status,
  ${c.authorId}::int AS "authorId", ${c.publishedAt}::timestamptz AS "publishedAt",
  ${c.floating}::boolean AS floating, ${c.modifiedAt}::timestamptz AS "modifiedAt",
  ${c.commentsOpen}::boolean AS "commentsOpen", ${c.pingsOpen}::boolean AS "pingsOpen",
  ${c.sticky}::boolean AS sticky, ${c.format}::text AS format, ${c.template}::text AS template,
  ${c.footnotes}::text AS footnotes, ${c.featuredMediaId}::int AS "featuredMediaId",
  ${c.parentId}::int AS "parentId", ${c.menuOrder}::int AS "menuOrder"`;
