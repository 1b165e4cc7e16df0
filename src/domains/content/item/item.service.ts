import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import type { PageInfo } from '../../../core/paging.js';
import type { Selection } from '../../../core/selection.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { Taxonomy, View } from '../content.enums.js';
import { USUAL_WORDS } from '../rendering/excerpt.js';
import type { ItemFilter, ItemOrderInput } from './item.inputs.js';
import { KINDS, type Kind } from './item.kinds.js';
import type { Connection } from './item.results.js';
import { mayRead } from './item.rights.js';
import type { ItemColumns, ItemRow, Shown } from './item.row.js';
import { ITEM_CLASSES, type Item } from './item.types.js';
import { isFiled, itemsMatching, refuseLongLists, sourceOf } from './item-filter.service.js';
import {
  cursorColumn,
  cursorOf,
  following,
  keyColumns,
  type OrderKey,
  orderBy,
  orderKeys,
} from './item-order.service.js';
import { rowsById, selectItems } from './item-row.service.js';
import { type Search, searchOf } from './item-search.service.js';

const { sql } = Prisma;

/** How items are fetched: for what, and what opens the protected ones. */
export interface Fetching {
  as?: View | null;
  password?: string | null;
  excerptLength?: number | null;
}

/** How this caller sees rows. */
export function shownTo(
  context: RequestContext,
  { as, password, excerptLength }: Fetching = {},
): Shown {
  return {
    viewer: context.viewer,
    siteUrl: context.siteUrl,
    zone: context.site.timeZone,
    editing: as === View.EDIT,
    password: password || undefined,
    excerptWords: excerptLength ?? undefined,
  };
}

/** An item that the rules have let through. */
export async function itemById(
  context: RequestContext,
  kind: Kind,
  id: number,
  fetching: Fetching = {},
): Promise<Item> {
  const row = await context.loader(rowsById[kind]).load(id);
  if (!row) throw refuse('POST_NOT_FOUND', 'Invalid post ID.');
  return new ITEM_CLASSES[kind](row, shownTo(context, fetching));
}

/** The page above an item, if there is one that the caller may read. */
export async function parentOf(
  context: RequestContext,
  { row: { kind, parentId } }: Item,
): Promise<Item | undefined> {
  const row = parentId ? await context.loader(rowsById[kind]).load(parentId) : undefined;
  return row && mayRead(context.viewer, row)
    ? new ITEM_CLASSES[kind](row, shownTo(context))
    : undefined;
}

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
 * A page of items: what the filter asks and the caller may read, in one statement that reads only
 * what is selected. A filter by terms and a search take one more, which counts, and a search one
 * that looks its words up. `offset` goes before `page`; `after` before both. PAGE_OUT_OF_RANGE for
 * a page beyond the last.
 */
export async function listItems(
  context: RequestContext,
  kind: Kind,
  args: ListArguments,
  selection: Selection,
): Promise<Connection<Item>> {
  const filter = args.filter ?? {};
  const order = args.order ?? {};
  const first = args.first ?? 10;
  const offset =
    args.offset === null || args.offset === undefined ? undefined : Math.abs(args.offset);
  const paged = args.after ? 0 : (offset ?? ((args.page ?? 1) - 1) * first);
  const wanted = {
    total: selection.has('totalCount'),
    more: selection.has('pageInfo'),
    cursors: selection.has('pageInfo') || selection.has('edges'),
  };
  const nodes = selection.get('nodes') ?? selection.get('edges')?.get('node');

  refuseLongLists(filter);
  const search = await searchOf(context, filter);
  const keys = orderKeys(order, filter, search);
  const matching = itemsMatching(context, kind, filter, args.as === View.EDIT, search);
  const listing = {
    search,
    keys,
    matching,
    after: args.after ? following(args.after, order, keys) : undefined,
  };
  const selective = search !== undefined || isFiled(filter);
  const found = selective
    ? await countItems(context, listing, wanted.total ? undefined : FEW + 1)
    : undefined;
  const counting = wanted.total && !selective;
  const further = sql`${wanted.cursors ? cursorColumn(keys) : Prisma.empty}${counting ? sql`, page.total` : Prisma.empty}`;
  const rows =
    found !== 0 && (nodes || wanted.cursors)
      ? await context.rows<ListedRow>(
          sql`${selectItems(
            kind,
            columnsFor(kind, nodes, args),
            further,
            sql`
            (${idsOf(listing, counting, found)} ${limit(first + (wanted.more ? 1 : 0), paged)}) page JOIN content_item p USING (id)`,
          )}
            ${orderBy(keys)}`,
          { prepared: !search },
        )
      : [];
  const total = wanted.total
    ? (found ?? rows[0]?.total ?? (await countItems(context, listing)))
    : 0;
  if (
    offset === undefined &&
    !args.after &&
    (args.page ?? 1) > 1 &&
    rows.length === 0 &&
    paged >= total &&
    total > 0
  ) {
    throw refuse(
      'PAGE_OUT_OF_RANGE',
      'The page number requested is larger than the number of pages available.',
    );
  }
  const page = wanted.more ? rows.slice(0, first) : rows;
  if (
    filter.ignoreSticky === false &&
    kind === 'post' &&
    (args.page ?? 1) === 1 &&
    offset === undefined &&
    !args.after
  ) {
    await bringStickyForward(context, page, filter, nodes, args);
  }
  const shown = shownTo(context, args);
  const items = page.map((row) => new ITEM_CLASSES[kind](row, shown));
  const cursor = (row: ListedRow | undefined) =>
    row?.cursorKeys ? cursorOf(order, row.cursorKeys) : null;
  return {
    nodes: items,
    edges: items.map((node, i) => ({ node, cursor: cursor(page[i]) ?? '' })),
    totalCount: offset !== undefined && offset >= total ? 0 : total,
    pageInfo: {
      hasNextPage: rows.length > first,
      endCursor: cursor(page.at(-1)),
    } satisfies PageInfo,
  };
}

/** What a list is of, and in which order. */
interface Listing {
  readonly search: Search | undefined;
  readonly matching: Prisma.Sql;
  readonly keys: readonly OrderKey[];
  /** What follows the cursor, if there is one. */
  readonly after: Prisma.Sql | undefined;
}

/** So many rows are better sorted than met one by one on a walk through all rows in their order. */
const FEW = 10_000;

/**
 * The ids of a list in its order, with the keys of that and the total when it is to be counted;
 * `found` match, if that is known.
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
  // PostgreSQL cannot know how few rows have a word or a term, and would walk; it does not look
  // behind an OFFSET.
  const gathered = found !== undefined && found <= FEW;
  return gathered
    ? sql`SELECT * FROM (${ids} OFFSET 0) matching ${orderBy(keys)}`
    : sql`${ids} ${orderBy(keys)}`;
}

/**
 * Sizes of pages that are asked for all day: literals, so that PostgreSQL plans such lists once.
 * Others are parameters.
 */
const USUAL = new Set([10, 11, 20, 21, 50, 51, 100, 101]);

function limit(size: number, skipped: number): Prisma.Sql {
  const most = USUAL.has(size) ? Prisma.raw(`LIMIT ${size}`) : sql`LIMIT ${size}`;
  return skipped > 0 ? sql`${most} OFFSET ${skipped}` : most;
}

/** How many items match, or `most` when there are at least as many. */
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
 * On the first page of a plain list, sticky posts come first: those of the page in their order,
 * then all others, newest first, which makes the page longer and lets them come again at their
 * natural place.
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
