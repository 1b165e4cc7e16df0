import type { RequestContext } from '../../../core/context.js';
import { type OrderKey, orderOf, within } from '../../../core/keyset.js';
import { type Page, pageOf, windowOf } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { accountsById } from '../../accounts/account.service.js';
import type { Account } from '../../accounts/account.types.js';
import { type NumberedPageArgs, skippedRows } from '../numbered-page.inputs.js';

const { sql } = Prisma;

/**
 * Returns the accounts among those asked for that wrote something published, for `context.loader`.
 * The existence of others is not public.
 */
export async function authorsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Account | undefined)[]> {
  const rows = await context.rows<{ id: number }>(sql`
    SELECT DISTINCT author_id AS id FROM content_item WHERE author_id = ANY(${ids}::int[])
      AND status = 'publish'`);
  const authors = new Set(rows.map(({ id }) => id));
  const loader = context.loader(accountsById);
  return Promise.all(ids.map((id) => (authors.has(id) ? loader.load(id) : undefined)));
}

const ORDER = [
  { value: sql`a.id`, type: 'int', descending: false },
] as const satisfies readonly OrderKey[];

const PUBLISHED = sql`EXISTS (SELECT FROM content_item p WHERE p.author_id = a.id
  AND p.status = 'publish')`;

/**
 * Returns a page of those who wrote something published, by id, with two statements. Throws
 * CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export async function listAuthors(
  context: RequestContext,
  args: NumberedPageArgs,
): Promise<Page<Account>> {
  const window = windowOf(args, 'authors', ORDER, 10);
  const rows = await context.rows<{ id: number }>(sql`
    SELECT a.id FROM account a WHERE ${PUBLISHED} AND ${within(ORDER, window)}
    ${orderOf(ORDER, window)} LIMIT ${window.size + 1} OFFSET ${skippedRows(args, window)}`);
  const loader = context.loader(accountsById);
  const accounts = await Promise.all(rows.map(({ id }) => loader.load(id)));
  return pageOf(
    accounts.filter((account) => account !== undefined),
    window,
    ({ id }) => [id],
    () => countAuthors(context),
  );
}

async function countAuthors(context: RequestContext): Promise<number> {
  const [row] = await context.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM account a WHERE ${PUBLISHED}`,
  );
  return row?.count ?? 0;
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
