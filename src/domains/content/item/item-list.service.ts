import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import type { PageInfo } from '../../../core/paging.js';
import type { Selection } from '../../../core/selection.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { Taxonomy, View } from '../content.enums.js';
import { USUAL_WORDS } from '../rendering/excerpt.js';
import { KINDS, type Kind } from './item.kinds.js';
import type { Connection } from './item.results.js';
import type { ItemColumns, ItemRow } from './item.row.js';
import { type Fetching, shownTo } from './item.service.js';
import type { Item } from './item.types.js';
import type { ItemFilter } from './item-filter.inputs.js';
import { isFiled, itemsMatching, refuseLongLists, sourceOf } from './item-filter.service.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import type { ItemOrderInput } from './item-list.inputs.js';
import {
  cursorColumn,
  cursorOf,
  following,
  keyColumns,
  type OrderKey,
  orderBy,
  orderKeys,
} from './item-order.service.js';
import { selectItems } from './item-row.service.js';
import { type Search, searchOf } from './item-search.service.js';

const { sql } = Prisma;

/** The arguments of a list: all are optional. `offset` wins over `page`, `after` over both. */
export interface ListArguments extends Fetching {
  first?: number | null;
  after?: string | null;
  offset?: number | null;
  page?: number | null;
  order?: ItemOrderInput | null;
  filter?: ItemFilter | null;
}

type ListedRow = ItemRow & { total?: number; cursorKeys?: string[] };

/**
 * Returns a page of items: those that the filter asks for and the caller may read. One statement
 * reads what is selected alone. A filter by terms and a search take one more, which counts; a
 * search takes one that looks its words up. Throws PAGE_OUT_OF_RANGE for a page beyond the last,
 * TOO_MANY for a filter with too long a list, and the refusals of orders, cursors and statuses.
 */
export async function listItems(
  context: RequestContext,
  kind: Kind,
  args: ListArguments,
  selection: Selection,
): Promise<Connection<Item>> {
  const span = spanOf(args);
  const wanted = wantedOf(selection);
  refuseLongLists(args.filter ?? {});
  const listing = await listingOf(context, kind, args);
  const found = listing.selective
    ? await countItems(context, listing, wanted.total ? undefined : FEW + 1)
    : undefined;
  const read = found !== 0 && (wanted.nodes !== undefined || wanted.cursors);
  const rows = read ? await readRows(context, listing, span, wanted, found) : [];
  const total = wanted.total
    ? (found ?? rows[0]?.total ?? (await countItems(context, listing)))
    : 0;
  if (rows.length === 0) refusePageBeyond(span, total);
  const page = wanted.more ? rows.slice(0, span.first) : rows;
  if (args.filter?.ignoreSticky === false && kind === 'post' && span.page === 1 && span.numbered) {
    await bringStickyForward(context, page, args.filter, wanted.nodes, args);
  }
  const shown = shownTo(context, args);
  const items = page.map((row) => new ITEM_CLASSES[kind](row, shown));
  const cursor = (row: ListedRow | undefined) =>
    row?.cursorKeys ? cursorOf(args.order ?? {}, row.cursorKeys) : null;
  return {
    nodes: items,
    edges: items.map((node, i) => ({ node, cursor: cursor(page[i]) ?? '' })),
    totalCount: span.offset !== undefined && span.offset >= total ? 0 : total,
    pageInfo: {
      hasNextPage: rows.length > span.first,
      hasPreviousPage: args.after ? true : span.skipped > 0,
      startCursor: cursor(page[0]),
      endCursor: cursor(page.at(-1)),
    } satisfies PageInfo,
  };
}

/** Which part of a list is asked for. */
interface Span {
  readonly first: number;
  readonly page: number;
  readonly offset: number | undefined;
  /** Items before the part, not counting those before a cursor. */
  readonly skipped: number;
  /** Whether `page` decides. */
  readonly numbered: boolean;
}

function spanOf({ first: asked, after, offset: given, page: number }: ListArguments): Span {
  const first = asked ?? 10;
  const page = number ?? 1;
  const offset = given === null || given === undefined ? undefined : Math.abs(given);
  const skipped = after ? 0 : (offset ?? (page - 1) * first);
  return { first, page, offset, skipped, numbered: offset === undefined && !after };
}

function refusePageBeyond({ numbered, page, skipped }: Span, total: number): void {
  if (!numbered || page <= 1 || skipped < total || total === 0) return;
  throw refuse(
    'PAGE_OUT_OF_RANGE',
    'The page number requested is larger than the number of pages available.',
  );
}

/** What of a list is selected. */
interface Wanted {
  readonly total: boolean;
  /** Whether there is a next page. */
  readonly more: boolean;
  readonly cursors: boolean;
  /** The fields of the items; undefined for none. */
  readonly nodes: Selection | undefined;
}

const wantedOf = (selection: Selection): Wanted => ({
  total: selection.has('totalCount'),
  more: selection.has('pageInfo'),
  cursors: selection.has('pageInfo') || selection.has('edges'),
  nodes: selection.get('nodes') ?? selection.get('edges')?.get('node'),
});

/** What a list is of, and in which order. */
interface Listing {
  readonly kind: Kind;
  readonly fetching: Fetching;
  readonly search: Search | undefined;
  readonly matching: Prisma.Sql;
  readonly keys: readonly OrderKey[];
  /** What follows the cursor, if there is one. */
  readonly after: Prisma.Sql | undefined;
  /** Whether a search or terms make it likely that few rows match. */
  readonly selective: boolean;
}

async function listingOf(
  context: RequestContext,
  kind: Kind,
  args: ListArguments,
): Promise<Listing> {
  const filter = args.filter ?? {};
  const order = args.order ?? {};
  const search = await searchOf(context, filter);
  const keys = orderKeys(order, filter, search);
  const matching = itemsMatching(context, kind, filter, args.as === View.EDIT, search);
  const after = args.after ? following(args.after, order, keys) : undefined;
  return {
    kind,
    fetching: args,
    search,
    matching,
    keys,
    after,
    selective: search !== undefined || isFiled(filter),
  };
}

/**
 * Reads the rows of a part of a list, one more than asked for when it matters. `found` match, if
 * known.
 */
function readRows(
  context: RequestContext,
  listing: Listing,
  { first, skipped }: Span,
  { total, more, cursors, nodes }: Wanted,
  found: number | undefined,
): Promise<ListedRow[]> {
  const { kind, fetching, search, keys } = listing;
  const counting = total && !listing.selective;
  const further = sql`${cursors ? cursorColumn(keys) : Prisma.empty}${counting ? sql`, page.total` : Prisma.empty}`;
  const ids = sql`${idsOf(listing, counting, found)} ${limit(first + (more ? 1 : 0), skipped)}`;
  const items = selectItems(
    kind,
    columnsFor(kind, nodes, fetching),
    further,
    sql`
            (${ids}) page JOIN content_item p USING (id)`,
  );
  return context.rows<ListedRow>(
    sql`${items}
            ${orderBy(keys)}`,
    { prepared: !search },
  );
}

/** At most so many matching rows are gathered and sorted; of more, an index gives the order. */
const FEW = 10_000;

/**
 * The ids of a list in its order, with the keys of the order, and the total when `counting`.
 * `found` rows match, if that is known.
 */
function idsOf(
  { search, matching, keys, after }: Listing,
  counting: boolean,
  found: number | undefined,
): Prisma.Sql {
  const { from, at } = sourceOf(search);
  const total = counting
    ? sql`, (SELECT count(*) FROM ${from} WHERE ${matching})::int AS total`
    : Prisma.empty;
  const ids = sql`SELECT ${at}.id, ${keyColumns(keys)}${total} FROM ${from} WHERE ${matching}${after ? sql` AND ${after}` : Prisma.empty}`;
  // PostgreSQL cannot know how few rows match, and would walk the index. OFFSET 0 keeps it from
  // that.
  const gathered = found !== undefined && found <= FEW;
  return gathered
    ? sql`SELECT * FROM (${ids} OFFSET 0) matching ${orderBy(keys)}`
    : sql`${ids} ${orderBy(keys)}`;
}

/**
 * Usual sizes of pages are literals, so that PostgreSQL plans such lists once. Others are
 * parameters.
 */
const USUAL = new Set([10, 11, 20, 21, 50, 51, 100, 101]);

function limit(size: number, skipped: number): Prisma.Sql {
  const most = USUAL.has(size) ? Prisma.raw(`LIMIT ${size}`) : sql`LIMIT ${size}`;
  return skipped > 0 ? sql`${most} OFFSET ${skipped}` : most;
}

/** Counts the items that match, up to `most`. */
async function countItems(
  context: RequestContext,
  { search, matching }: Listing,
  most?: number,
): Promise<number> {
  const from = sql`FROM ${sourceOf(search).from} WHERE ${matching}`;
  const counted = most === undefined ? from : sql`FROM (SELECT ${from} LIMIT ${most}) found`;
  const [row] = await context.rows<{ total: number }>(
    sql`SELECT count(*)::int AS total ${counted}`,
    { prepared: !search },
  );
  return row?.total ?? 0;
}

/**
 * Puts sticky posts first on the first page of a plain list: those of the page in their order, then
 * up to 100 others, newest first. These make the page longer, and come again in their own place.
 */
async function bringStickyForward(
  context: RequestContext,
  page: ListedRow[],
  filter: ItemFilter,
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
    ${selectItems('post', columnsFor('post', nodes, args))}
    WHERE p.kind = 'post' AND p.sticky AND p.status = 'publish' AND p.id <> ALL(${skipped}::int[])
    ORDER BY p.published_at DESC, p.id DESC LIMIT 100`);
  page.splice(0, page.length, ...here, ...others, ...page.filter((row) => !row.sticky));
}

/** The field that shows the ids of each taxonomy. */
const TERM_FIELDS: Readonly<Record<Taxonomy, string>> = {
  [Taxonomy.CATEGORY]: 'categoryIds',
  [Taxonomy.TAG]: 'tagIds',
  [Taxonomy.HEALTHCARE_CATEGORY]: 'healthcareCategoryIds',
  [Taxonomy.LANGUAGE]: 'languageIds',
  [Taxonomy.LOCATION]: 'locationIds',
  [Taxonomy.THERAPEUTIC_AREA]: 'therapeuticAreaIds',
};

/** The heavy columns that a selection of an item reads. */
function columnsFor(
  kind: Kind,
  item: Selection | undefined,
  { excerptLength }: Fetching,
): ItemColumns {
  const lengthened = (excerptLength ?? 0) > USUAL_WORDS && item?.has('excerpt') === true;
  return {
    content: lengthened || item?.get('content')?.has('raw') === true,
    contentRendered: item?.get('content')?.has('rendered') === true,
    terms: KINDS[kind].taxonomies.some((taxonomy) => item?.has(TERM_FIELDS[taxonomy]) === true),
    classes: item?.has('classList') === true,
  };
}
