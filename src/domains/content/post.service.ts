import type { RequestContext } from '../../context.js';
import { refuse } from '../../errors.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Selection } from '../../selection.js';
import { View } from './content.enums.js';
import type { ItemColumns, ItemRow, Shown } from './item.row.js';
import { itemColumns, postRowsById } from './item-row.service.js';
import type { PostFilter, PostOrderInput } from './post.inputs.js';
import { type PageInfo, PostConnection, PostEdge } from './post.results.js';
import { Post } from './post.types.js';
import { itemsMatching } from './post-filter.service.js';
import { cursorColumn, cursorOf, following, orderBy, orderKeys } from './post-order.service.js';

const { sql } = Prisma;

/** How posts are fetched: for what, and what opens the protected ones. */
export interface Fetching {
  as?: View | null;
  password?: string | null;
  excerptLength?: number | null;
}

/** How this caller sees rows. */
export function shownTo(context: RequestContext, { as, password, excerptLength }: Fetching = {}): Shown {
  return {
    viewer: context.viewer,
    siteUrl: context.siteUrl,
    zone: context.site.timeZone,
    editing: as === View.EDIT,
    password: password || undefined,
    excerptWords: excerptLength ?? undefined,
  };
}

/** A post that the rules have let through. */
export async function postById(context: RequestContext, id: number, fetching: Fetching = {}): Promise<Post> {
  const row = await context.loader(postRowsById).load(id);
  if (!row) throw refuse('POST_NOT_FOUND', 'Invalid post ID.');
  return new Post(row, shownTo(context, fetching));
}

export interface ListArguments extends Fetching {
  first?: number | null;
  after?: string | null;
  offset?: number | null;
  page?: number | null;
  order?: PostOrderInput | null;
  filter?: PostFilter | null;
}

type ListedRow = ItemRow & { total?: number; cursorKeys?: string[] };

/**
 * A page of posts: what the filter asks and the caller may read, in one statement that reads only what is selected.
 * `offset` goes before `page`; `after` before both. PAGE_OUT_OF_RANGE for a page beyond the last.
 */
export async function listPosts(context: RequestContext, args: ListArguments, selection: Selection): Promise<PostConnection> {
  const filter = args.filter ?? {};
  const order = args.order ?? {};
  const first = args.first ?? 10;
  const keys = orderKeys(order, filter);
  const matching = itemsMatching(context, 'post', filter, args.as === View.EDIT);
  const offset = args.offset === null || args.offset === undefined ? undefined : Math.abs(args.offset);
  const paged = args.after ? 0 : (offset ?? ((args.page ?? 1) - 1) * first);
  const wanted = {
    total: selection.has('totalCount'),
    more: selection.has('pageInfo'),
    cursors: selection.has('pageInfo') || selection.has('edges'),
  };
  const nodes = selection.get('nodes') ?? selection.get('edges')?.get('node');

  const rows =
    nodes || wanted.more || wanted.cursors
      ? await context.rows<ListedRow>(sql`
        SELECT ${itemColumns(columnsFor(nodes, args))}${wanted.cursors ? cursorColumn(keys) : Prisma.empty}${
          wanted.total ? sql`, (SELECT count(*) FROM content_item p WHERE ${matching})::int AS total` : Prisma.empty
        } FROM content_item p WHERE ${matching}${args.after ? sql` AND ${following(args.after, order, keys)}` : Prisma.empty}
        ${orderBy(keys)} LIMIT ${first + (wanted.more ? 1 : 0)} OFFSET ${paged}`)
      : [];
  const known = rows[0]?.total;
  const total = wanted.total ? (known ?? (await countItems(context, matching))) : 0;
  if (offset === undefined && !args.after && (args.page ?? 1) > 1 && rows.length === 0 && paged >= total && total > 0) {
    throw refuse('PAGE_OUT_OF_RANGE', 'The page number requested is larger than the number of pages available.');
  }
  const page = wanted.more ? rows.slice(0, first) : rows;
  if (filter.ignoreSticky === false && (args.page ?? 1) === 1 && offset === undefined && !args.after) {
    await bringStickyForward(context, page, filter, nodes, args);
  }
  const shown = shownTo(context, args);
  const posts = page.map((row) => new Post(row, shown));
  const cursor = (row: ListedRow | undefined) => (row?.cursorKeys ? cursorOf(order, row.cursorKeys) : null);
  return Object.assign(new PostConnection(), {
    nodes: posts,
    edges: posts.map((node, i) => Object.assign(new PostEdge(), { node, cursor: cursor(page[i]) ?? '' })),
    totalCount: offset !== undefined && offset >= total ? 0 : total,
    pageInfo: { hasNextPage: rows.length > first, endCursor: cursor(page.at(-1)) } satisfies PageInfo,
  });
}

async function countItems(context: RequestContext, matching: Prisma.Sql): Promise<number> {
  const [row] = await context.rows<{ total: number }>(sql`SELECT count(*)::int AS total FROM content_item p WHERE ${matching}`);
  return row?.total ?? 0;
}

/**
 * On the first page of a plain list, sticky posts come first: those of the page in their order, then all others, newest first,
 * which makes the page longer and lets them come again at their natural place.
 */
async function bringStickyForward(
  context: RequestContext,
  page: ListedRow[],
  filter: PostFilter,
  nodes: Selection | undefined,
  args: ListArguments,
): Promise<void> {
  const filed = [filter.categories, filter.categoriesExclude, filter.tags, filter.tagsExclude].some(
    (terms) => terms?.terms?.length,
  );
  if (filed || filter.search || (filter.sticky !== undefined && filter.sticky !== null)) return;
  const here = page.filter((row) => row.sticky);
  const skipped = [...here.map((row) => row.id), ...(filter.exclude ?? [])];
  const others = await context.rows<ListedRow>(sql`
    SELECT ${itemColumns(columnsFor(nodes, args))} FROM content_item p
    WHERE p.kind = 'post' AND p.sticky AND p.status = 'publish' AND p.id <> ALL(${skipped}::int[])
    ORDER BY p.published_at DESC, p.id DESC LIMIT 100`);
  page.splice(0, page.length, ...here, ...others, ...page.filter((row) => !row.sticky));
}

/** The heavy columns that a selection of a post reads. */
function columnsFor(post: Selection | undefined, { excerptLength }: Fetching): ItemColumns {
  const cutting = excerptLength !== null && excerptLength !== undefined && post?.has('excerpt') === true;
  return {
    content: cutting || post?.get('content')?.has('raw') === true,
    contentRendered: post?.get('content')?.has('rendered') === true,
    terms: post?.has('categoryIds') === true || post?.has('tagIds') === true,
    classes: post?.has('classList') === true,
  };
}
