import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { type OrderKey, orderOf, within } from '../../../core/keyset.js';
import { Direction } from '../../../core/ordering.js';
import { type Page, type PageArgs, pageOf, type Window, windowOf } from '../../../core/paging.js';
import { merged, type Selection } from '../../../core/selection.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { ItemOrder, ItemState, View } from '../content.enums.js';
import { given } from './conditions.sql.js';
import type { Kind } from './item.kinds.js';
import type { Shown } from './item.row.js';
import { type Fetching, shownTo } from './item.service.js';
import type { Item } from './item.types.js';
import { clausesOf } from './item-clause.js';
import { countedOr } from './item-count.sql.js';
import { countedOf, countedSearch } from './item-counted.js';
import type { ItemFilter } from './item-filter.inputs.js';
import {
  indexedMatching,
  itemsMatching,
  publishedMatching,
  refuseLongLists,
  sourceOf,
} from './item-filter.service.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import type { ContentOrder, ItemOrderInput, PageOrder } from './item-list.inputs.js';
import { columnKeys, cursorColumn, keyColumns, orderKeys } from './item-order.service.js';
import {
  columnsFor,
  keepRelations,
  type ListedRow,
  readListed,
  selectItems,
} from './item-row.service.js';
import { distanceOf, type Search, searchOf, type Tier } from './item-search.service.js';
import {
  type Combination,
  haveSets,
  IDS,
  type WeekPlace,
  weeksWith,
  withItems,
} from './item-set.sql.js';

const { sql } = Prisma;

/**
 * The arguments of a list: all are optional. `offset` wins over `page`, a cursor over both, and
 * `orderBy` over `order`.
 */
export interface ListArguments extends Fetching, PageArgs {
  offset?: number | null;
  page?: number | null;
  order?: ItemOrderInput | null;
  orderBy?: ContentOrder | PageOrder | null;
  filter?: ItemFilter | null;
}

/** So many items come when nobody says how many. */
const USUAL_SIZE = 10;

/**
 * Returns a page of items: those that the filter asks for and the caller may read. One statement
 * reads what is selected alone. A filter by terms and a search take one more, which counts; a
 * search takes one that looks its words up, and finds which are common (`item-set.sql.ts`). By relevance
 * common words take at most three for each of three parts (`readTiers`). Throws PAGE_OUT_OF_RANGE for a page beyond the last,
 * TOO_MANY for a filter with too long a list, and the refusals of orders, cursors and statuses.
 */
export async function listItems(
  context: RequestContext,
  kind: Kind,
  args: ListArguments,
  selection: Selection,
): Promise<Page<Item>> {
  const filter = args.filter ?? {};
  refuseLongLists(filter);
  const order = orderFrom(args);
  const search = await searchOf(context, filter);
  const keys = orderKeys(order, filter, search);
  const asked = { kind, filter, editing: args.as === View.EDIT };
  const listing: Listing = {
    kind,
    shown: shownTo(context, args),
    search,
    matching: itemsMatching(context, asked, search),
    each: itemsMatching(context, asked, search, true),
    counted: countedOf(context, asked, search),
    tiers: order.by === ItemOrder.RELEVANCE ? search?.tiers : undefined,
    keys,
    window: windowOf(args, `${kind}.${order.by}.${order.direction}`, keys, USUAL_SIZE),
    selective: search !== undefined || clausesOf(filter).length > 0 || given(filter.authorIds),
    dated: order.by === ItemOrder.DATE,
    walked:
      isPublic(filter) && isIndexed(order.by, search)
        ? indexedMatching(context, asked, search)
        : undefined,
  };
  const span = spanOf(args, listing.window);
  const { items, total } = await readPage(context, listing, span.skipped, selection);
  if (items.length === 0 || span.offset !== undefined) refusePageBeyond(span, total);
  const page = pageOfItems(
    items,
    listing,
    span.offset !== undefined && span.offset >= total ? 0 : total,
  );
  const first = kind === 'post' && span.page === 1 && span.numbered;
  return first && filter.ignoreSticky === false
    ? { ...page, nodes: await stickyFirst(context, page.nodes, filter, listing, selection) }
    : page;
}

/** What a search of all content asks. */
interface SearchArguments extends PageArgs {
  readonly query: string;
  readonly kinds?: readonly Kind[] | null;
  readonly orderBy?: ContentOrder | null;
}

const BEST_FIRST = { by: ItemOrder.RELEVANCE, direction: Direction.DESC };

/**
 * Returns a page of what is published and found by a search, best match first unless another order is
 * asked for: of some kinds, or of all. Takes as many statements as `listItems`. Throws SEARCH_REQUIRED for a search without words.
 */
export async function searchItems(
  context: RequestContext,
  { query, kinds, orderBy, ...args }: SearchArguments,
  selection: Selection,
): Promise<Page<Item>> {
  const search = await searchOf(context, { search: query });
  if (!search) throw refuse('SEARCH_REQUIRED', 'Name a word to search for.', { param: 'query' });
  const order = orderBy ? orderFrom({ orderBy }) : BEST_FIRST;
  const keys = orderKeys(order, { search: query }, search);
  const isUsual = order.by === BEST_FIRST.by && order.direction === BEST_FIRST.direction;
  const listing: Listing = {
    kind: 'any',
    shown: shownTo(context),
    search,
    matching: publishedMatching(context, kinds ?? ALL_KINDS, search),
    each: publishedMatching(context, kinds ?? ALL_KINDS, search),
    counted: countedSearch(context, kinds ?? ALL_KINDS, search),
    tiers: order.by === ItemOrder.RELEVANCE ? search.tiers : undefined,
    keys,
    window: windowOf(
      args,
      isUsual ? 'search' : `search.${order.by}.${order.direction}`,
      keys,
      USUAL_SIZE,
    ),
    selective: true,
    dated: order.by === ItemOrder.DATE,
    walked: undefined,
  };
  const { items, total } = await readPage(context, listing, 0, selection);
  return pageOfItems(items, listing, total);
}

const ALL_KINDS = Object.keys(ITEM_CLASSES) as Kind[];

const orderFrom = ({ order, orderBy }: ListArguments) => ({
  by: ((orderBy?.field ?? order?.by) as ItemOrder | null | undefined) ?? ItemOrder.DATE,
  direction: orderBy?.direction ?? order?.direction ?? Direction.DESC,
});

const isPublic = ({ statuses }: ItemFilter) =>
  !statuses || (statuses.length === 1 && statuses[0] === ItemState.PUBLISH);

/** Orders in which an index has the items of a kind and status. */
const INDEXED: ReadonlySet<ItemOrder> = new Set([
  ItemOrder.DATE,
  ItemOrder.MODIFIED,
  ItemOrder.TITLE,
  ItemOrder.SLUG,
]);

/** Of the words of items an index has the dates alone. */
const isIndexed = (by: ItemOrder, search: Search | undefined) =>
  search ? by === ItemOrder.DATE : INDEXED.has(by);

/** Which part of a list REST asks for. */
interface Span {
  readonly page: number;
  readonly offset: number | undefined;
  /** Items before the part, not counting those before a cursor. */
  readonly skipped: number;
  /** Items before `page`; 0 beside a cursor. */
  readonly beforePage: number;
  /** Whether `page` decides. */
  readonly numbered: boolean;
}

/** More than there can be before a page: ids are below 2^31. */
const MOST_SKIPPED = 2_000_000_000;

function spanOf({ offset: given, page: number }: ListArguments, window: Window): Span {
  const page = number ?? 1;
  const offset = given === null || given === undefined ? undefined : Math.abs(given);
  const cut = window.after !== undefined || window.before !== undefined;
  const beforePage = cut ? 0 : (page - 1) * window.size;
  const skipped = cut ? 0 : Math.min(offset ?? beforePage, MOST_SKIPPED);
  return { page, offset, skipped, beforePage, numbered: offset === undefined && !cut };
}

/** Beside an offset the page has no effect, but must exist, unless the offset is beyond the last. */
function refusePageBeyond({ offset = 0, beforePage }: Span, total: number): void {
  if (beforePage === 0 || beforePage < total || offset >= total) return;
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
  nodes: nodesOf(selection),
});

const nodesOf = (selection: Selection) =>
  merged(selection.get('nodes'), selection.get('edges')?.get('node'));

/** What a list is of, in which order, and which part of it is read. */
interface Listing {
  readonly kind: Kind | 'any';
  readonly shown: Shown;
  readonly search: Search | undefined;
  readonly matching: Prisma.Sql;
  /** The same condition, which looks at one item after the other. */
  readonly each: Prisma.Sql;
  /** What the items are counted as, if they are. */
  readonly counted: Combination | undefined;
  /** The parts of the list, in their order, that sets of items can say. */
  readonly tiers: readonly Tier[] | undefined;
  readonly keys: readonly OrderKey[];
  readonly window: Window;
  /** Whether a search, terms or formats make it likely that few rows match. */
  readonly selective: boolean;
  /** Whether dates order it. */
  readonly dated: boolean;
  /** What of the condition an index knows that has the order; only of lists of what is published. */
  readonly walked: Prisma.Sql | undefined;
}

const pageOfItems = (items: readonly Item[], { window }: Listing, total: number): Page<Item> =>
  pageOf(items, window, ({ row }) => (row as ListedRow).cursorKeys ?? [], total);

/** How many rows match, and whether sets of items say which. */
interface Found {
  readonly total: number;
  readonly inSets: boolean;
}

/** Reads the items of a page, one more than asked for when it matters, and their total. */
async function readPage(
  context: RequestContext,
  listing: Listing,
  skipped: number,
  selection: Selection,
): Promise<{ items: Item[]; total: number }> {
  const wanted = wantedOf(selection);
  const found = listing.selective
    ? await countItems(
        context,
        listing,
        wanted.total ? undefined : 1 + (listing.walked ? MOST_GATHERED : FEW),
      )
    : undefined;
  // A count is no proof that a list is empty: rows may have been loaded with triggers off.
  const none = found?.total === 0 && !listing.counted;
  const read = !none && (wanted.nodes !== undefined || wanted.cursors);
  const tiers = found?.inSets ? listing.tiers : undefined;
  const readAll = () =>
    tiers
      ? readTiers(context, listing, tiers, skipped, wanted)
      : readRows(context, listing, skipped, wanted, found);
  const rows = read ? await readAll() : [];
  const total = wanted.total
    ? (found?.total ?? rows[0]?.total ?? (await countItems(context, listing)).total)
    : 0;
  return { items: rows.map((row) => new ITEM_CLASSES[row.kind](row, listing.shown)), total };
}

/**
 * Reads the rows of a list part by part, each like a list of its own, until the page is full. At most
 * three parts: the number of statements is bounded.
 */
async function readTiers(
  context: RequestContext,
  listing: Listing,
  tiers: readonly Tier[],
  skipped: number,
  wanted: Wanted,
): Promise<ListedRow[]> {
  const { window } = listing;
  const size = window.size + (wanted.more ? 1 : 0);
  const rows: ListedRow[] = [];
  let before = skipped;
  for (const tier of window.backwards ? [...tiers].reverse() : tiers) {
    const part = partOf(listing, tier, size - rows.length);
    if (!part) continue;
    const found = await countItems(context, part);
    if (found.total > before) {
      rows.push(...(await readRows(context, part, before, { ...wanted, more: false }, found)));
      if (rows.length === size) break;
    }
    before = Math.max(0, before - found.total);
  }
  return rows;
}

/** Returns one part of a list, as a list; undefined where cursors leave none of it. */
function partOf(
  listing: Listing,
  { condition, clauses, least, most }: Tier,
  size: number,
): Listing | undefined {
  const { matching, each, counted, keys, window } = listing;
  const { after, before } = window;
  if (Number(after?.[0] ?? least) > most || Number(before?.[0] ?? most) < least) return undefined;
  const inside = (cursor: readonly string[] | undefined) =>
    cursor && Number(cursor[0]) >= least && Number(cursor[0]) <= most ? cursor : undefined;
  const [first, ...others] = keys;
  return {
    ...listing,
    matching: sql`${matching} AND ${condition}`,
    each: sql`${each} AND ${condition}`,
    counted: counted && { ...counted, clauses: [...counted.clauses, ...clauses] },
    window: { ...window, size, after: inside(after), before: inside(before) },
    ...(first &&
      least === most && { keys: [{ ...first, value: distanceOf(least) }, ...others], dated: true }),
  };
}

/** `found` rows match, if that is known. */
async function readRows(
  context: RequestContext,
  listing: Listing,
  skipped: number,
  { total, more, cursors, nodes }: Wanted,
  found: Found | undefined,
): Promise<ListedRow[]> {
  const { kind, shown, search, keys, window } = listing;
  const counting = total && !listing.selective;
  const further = sql`${cursors ? cursorColumn(keys) : Prisma.empty}${counting ? sql`, page.total` : Prisma.empty}`;
  const size = window.size + (more ? 1 : 0);
  const columns = columnsFor(kind, nodes, shown, window.size);
  const read = async (start: Start) => {
    const ids = sql`${idsOf(listing, counting, found, start)} ${limit(size, start.skipped)}`;
    const items = selectItems(
      kind,
      columns,
      further,
      sql`
            (${ids}) page JOIN content_item p USING (id)`,
    );
    const ordered = sql`${items}
            ${orderOf(columnKeys(keys), window)}`;
    return readListed(context, ordered, columns, { prepared: !search });
  };
  const near = isNear(listing, skipped, found) && (await read({ ...plainly(skipped), near: true }));
  const isWhole = near && (near.length === size || skipped + near.length >= found.total);
  const start = isWhole ? undefined : await startOf(context, listing, skipped, found);
  const rows = isWhole ? near : start ? await read(start) : [];
  keepRelations(context, rows);
  return rows;
}

/**
 * Rows at the beginning of an order that are looked at first. Most lists have their first pages
 * there; those whose items all lie behind would look at everything before these.
 */
const NEAR = 10_000;

/** Fewer items of an author are gathered at once. */
const FEW_OF_AUTHOR = 500;

/** Whether the first rows of the order are looked at, before it is found out where a list begins. */
const isNear = (
  { walked, tiers, search }: Listing,
  skipped: number,
  found: Found | undefined,
): found is Found =>
  walked !== undefined &&
  !tiers &&
  skipped < FAR &&
  found !== undefined &&
  (!isFew(found) || (!found.inSets && !search && found.total > FEW_OF_AUTHOR));

/**
 * From so many skipped rows on, those of whole weeks are skipped by their number. Always of several
 * kinds, of which no index has the dates, and of the parts of a search, which may be rare among those.
 */
const FAR = 1_000;
/** So many more items than a page has are in the weeks that are read: some may go meanwhile. */
const SPARE = 20;

/** Where the reading of a list begins: behind a condition on dates, and some rows. */
interface Start {
  readonly cut: Prisma.Sql;
  readonly skipped: number;
  /** The items of some weeks, if these are few. */
  readonly among?: Combination;
  /** Whether only the first rows of the order are looked at. */
  readonly near?: boolean;
  /** Whether all that match are gathered and sorted. */
  readonly gathered?: boolean;
}

const plainly = (skipped: number): Start => ({ cut: Prisma.empty, skipped });

/**
 * Returns where to begin to read a list in the order of dates, so that at most a week of it is
 * skipped; undefined when no row is there.
 */
async function startOf(
  context: RequestContext,
  listing: Listing,
  skipped: number,
  found: Found | undefined,
): Promise<Start | undefined> {
  const { search, counted, tiers, dated, walked, each, keys, window } = listing;
  const plain = plainly(skipped);
  if (isFew(found)) return plain;
  const apart =
    walked && found && found.total <= MOST_GATHERED ? { ...plain, gathered: true } : plain;
  if (!counted || !dated) return apart;
  const { kinds } = counted;
  if (skipped < FAR && !tiers && kinds.length === 1 && !isNear(listing, skipped, found))
    return plain;
  const date = keys.findIndex(({ type }) => type === 'timestamptz');
  const descending = keys[date]?.descending !== window.backwards;
  const behind = (window.backwards ? window.before : window.after)?.[date];
  const span = { from: skipped, to: skipped + window.size + SPARE, descending, behind };
  const places = await context.rows<WeekPlace>(weeksWith(counted, each, span));
  const [first] = places;
  if (!first) return apart;
  if (first.week === null) return undefined;
  const weeks = places.map(({ week }) => week ?? '');
  const few = places.reduce((sum, { n }) => sum + (n ?? 0), 0) <= FEW_IN_SETS;
  const [earliest, latest] = descending ? [weeks.at(-1), weeks[0]] : [weeks[0], weeks.at(-1)];
  const { at } = sourceOf(search);
  const since = sql` AND ${at}.published_at >= (${earliest}::timestamp AT TIME ZONE 'UTC')`;
  const until = sql` AND ${at}.published_at < ((${latest}::timestamp + interval '7 days') AT TIME ZONE 'UTC')`;
  const among = few && counted.clauses.length > 0 ? { ...counted, weeks } : undefined;
  return {
    cut: among || kinds.length > 1 ? sql`${since}${until}` : descending ? until : since,
    skipped: skipped - (first.before ?? 0),
    ...(among && { among }),
  };
}

/** Maximum number of matching rows to gather and sort; of more, an index gives the order. */
const FEW = 10_000;
/** Maximum where sets of items say which: to find out costs more, and to look at others less. */
const FEW_IN_SETS = 3_000;
/** Maximum of those that are not near the beginning of an order whose places no set knows. */
const MOST_GATHERED = 50_000;

const isFew = (found: Found | undefined) =>
  found !== undefined && found.total <= (found.inSets ? FEW_IN_SETS : FEW);

/**
 * Returns the ids of a list in its order, with the keys of the order, and the total when
 * `counting`. `found` rows match, if that is known.
 */
function idsOf(
  listing: Listing,
  counting: boolean,
  found: Found | undefined,
  { cut: start, among, near, gathered }: Start,
): Prisma.Sql {
  const { search, matching, each, counted, walked, keys, window } = listing;
  const { from, at, some } = sourceOf(search);
  const few = gathered || isFew(found);
  const total = counting ? sql`, ${totalOf(listing)} AS total` : Prisma.empty;
  const cut = sql`${start}${window.after || window.before ? sql` AND ${within(keys, window)}` : Prisma.empty}`;
  const inSets = among ?? (few && found?.inSets ? counted : undefined);
  const source =
    near && walked
      ? some(sql`WHERE ${walked}${cut} ${orderOf(keys, window)} LIMIT ${Prisma.raw(String(NEAR))}`)
      : from;
  const ids = sql`SELECT ${at}.id, ${keyColumns(keys)}${total} FROM ${source}
    WHERE ${few && !inSets ? matching : each}${cut}${
      inSets ? sql` AND ${at}.id = ANY(ARRAY(${withItems(inSets, each)} ${IDS}))` : Prisma.empty
    }`;
  const order = orderOf(columnKeys(keys), window);
  // PostgreSQL cannot know how few rows match, and would walk the index. OFFSET 0 keeps it from
  // that.
  return few || inSets
    ? sql`SELECT * FROM (${ids} OFFSET 0) matching ${order}`
    : sql`${ids} ${order}`;
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

/** Returns SQL of how many items match; of up to `most` where they must be counted. */
function totalOf({ search, matching, each, counted }: Listing, most?: number): Prisma.Sql {
  const from = sql`FROM ${sourceOf(search).from} WHERE ${matching}`;
  const limited = most === undefined ? from : sql`FROM (SELECT ${from} LIMIT ${most}) found`;
  const count = sql`(SELECT count(*) ${limited})`;
  return counted ? countedOr(counted, count, each) : sql`${count}::int`;
}

/** Counts the items that match, up to `most` or more. */
async function countItems(
  context: RequestContext,
  listing: Listing,
  most?: number,
): Promise<Found> {
  const { counted, search } = listing;
  const [found] = await context.rows<Found>(
    sql`SELECT ${totalOf(listing, most)} AS total,
      ${counted ? haveSets(counted) : sql`false`} AS "inSets"`,
    { prepared: !search },
  );
  return found ?? { total: 0, inSets: false };
}

/**
 * Puts sticky posts first on the first page of a plain list: those of the page in their order, then
 * up to 100 others, newest first. These make the page longer, and come again in their own place.
 */
async function stickyFirst(
  context: RequestContext,
  page: readonly Item[],
  filter: ItemFilter,
  { shown }: Listing,
  selection: Selection,
): Promise<readonly Item[]> {
  const filed = clausesOf(filter).some((clause) => 'ids' in clause);
  if (filed || filter.search || typeof filter.isSticky === 'boolean') return page;
  const here = page.filter(({ row }) => row.sticky);
  const skipped = [...here.map(({ id }) => id), ...(filter.excludeIds ?? [])];
  const columns = columnsFor('post', nodesOf(selection), shown, 100);
  const query = sql`
    ${selectItems('post', columns)}
    WHERE p.kind = 'post' AND p.sticky AND p.status = 'publish' AND p.id <> ALL(${skipped}::int[])
    ORDER BY p.published_at DESC, p.id DESC LIMIT 100`;
  const others = await readListed(context, query, columns);
  const added = others.map((row) => new ITEM_CLASSES.post(row, shown));
  return [...here, ...added, ...page.filter(({ row }) => !row.sticky)];
}
