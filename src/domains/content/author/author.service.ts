import { rolesWith } from '../../../core/capabilities.js';
import type { RequestContext } from '../../../core/context.js';
import { byPart, type Filter } from '../../../core/filtering.js';
import { listPage } from '../../../core/listing.js';
import { byName, byNumber, Direction, type Order, ordering } from '../../../core/ordering.js';
import type { Page, PageArgs } from '../../../core/paging.js';
import { containing } from '../../../core/search.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { different } from '../../../platform/database/different.sql.js';
import { accountsById } from '../../accounts/account.service.js';
import type { Account } from '../../accounts/account.types.js';
import { isStandIn, standsIn } from '../../accounts/stand-in.sql.js';
import type { NumberedPageArgs } from '../numbered-page.inputs.js';

const { sql } = Prisma;

/** Returns who wrote something; undefined for one who was gone in the original. */
export async function writerOf(context: RequestContext, id: number): Promise<Account | undefined> {
  const account = await context.loader(accountsById).load(id);
  return account && isStandIn(account) ? undefined : account;
}

/**
 * Returns the accounts among those asked for that wrote something published, for `context.loader`.
 * The existence of others is not public.
 */
export async function authorsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Account | undefined)[]> {
  const rows = await context.rows<{ id: number }>(sql`
    SELECT a.id FROM unnest(${ids}::int[]) AS a(id) WHERE EXISTS (SELECT FROM content_item p
      WHERE p.author_id = a.id AND p.status = 'publish')`);
  const authors = new Set(rows.map(({ id }) => id));
  return Promise.all(ids.map((id) => (authors.has(id) ? writerOf(context, id) : undefined)));
}

const PUBLISHED = sql`EXISTS (SELECT FROM content_item p WHERE p.author_id = a.id
  AND p.status = 'publish') AND NOT ${standsIn('a')}`;

/** The ids of those who wrote anything: one step of an index for each, whatever the number of items. */
const WRITERS = Prisma.raw(different('content_item', 'author_id'));

const NUMBER = byNumber(sql`a.id`, ({ id }: Account) => id);

/** What authors may be ordered by. */
export const AUTHOR_ORDERS = ordering<Account>({
  noun: 'Author',
  what: 'authors',
  choices: {
    ID: NUMBER,
    NAME: byName('By name; case and accents are ignored.', sql`a.name`, ({ name }) => name),
  },
  filters: {
    search: byPart('Whose name holds this.', sql`a.name`),
  },
  usual: { field: 'ID', direction: Direction.ASC },
  ties: [NUMBER],
});

/**
 * Returns a page of those who wrote something published, by id, with two statements. Throws
 * CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export const listAuthors = (
  context: RequestContext,
  args: NumberedPageArgs,
  order: Order | null | undefined,
  filter: Filter | null | undefined,
): Promise<Page<Account>> =>
  listPage(context, args, {
    ...AUTHOR_ORDERS.of('authors', order),
    usual: 10,
    from: sql`account a`,
    where: sql`a.id IN ${WRITERS} AND ${PUBLISHED} AND ${AUTHOR_ORDERS.matching(context, filter)}`,
    read: readAuthors,
  });

/**
 * Returns a page of those who can be the author of an item: accounts that may write and are not
 * suspended, by id. Throws CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export const listPossibleAuthors = (
  context: RequestContext,
  search: string | null | undefined,
  page: PageArgs,
  order: Order | null | undefined,
): Promise<Page<Account>> =>
  listPage(context, page, {
    ...AUTHOR_ORDERS.of('possible authors', order),
    usual: 100,
    from: sql`account a`,
    where: sql`a.roles && ${rolesWith('edit_posts')}::text[] AND a.suspended_at IS NULL
      AND ${search ? sql`folded(a.name) LIKE ${containing(search)}` : sql`TRUE`}`,
    read: readAuthors,
  });

async function readAuthors(
  context: RequestContext,
  condition: Prisma.Sql,
  rest: Prisma.Sql,
): Promise<Account[]> {
  const rows = await context.rows<{ id: number }>(
    sql`SELECT a.id FROM account a WHERE ${condition} ${rest}`,
  );
  const loader = context.loader(accountsById);
  const accounts = await Promise.all(rows.map(({ id }) => loader.load(id)));
  return accounts.filter((account) => account !== undefined);
}

/**
 * Returns an author of something published by the name in addresses; undefined when there is none.
 */
export async function authorBySlug(
  context: RequestContext,
  slug: string,
): Promise<Account | undefined> {
  const [row] = await context.rows<{ id: number }>(
    sql`SELECT a.id FROM account a WHERE a.slug = ${slug} AND ${PUBLISHED}`,
  );
  return row && context.loader(accountsById).load(row.id);
}
