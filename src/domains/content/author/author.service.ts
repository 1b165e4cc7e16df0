import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { accountsById } from '../../accounts/account.service.js';
import { type Account, AccountConnection } from '../../accounts/account.types.js';

const PUBLISHED = { items: { some: { status: 'publish' } } };

/**
 * Returns the accounts among those asked for that wrote something published, for `context.loader`.
 * The existence of others is not public.
 */
export async function authorsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Account | undefined)[]> {
  const rows = await context.rows<{ id: number }>(Prisma.sql`
    SELECT DISTINCT author_id AS id FROM content_item WHERE author_id = ANY(${ids}::int[]) AND status = 'publish'`);
  const authors = new Set(rows.map(({ id }) => id));
  const loader = context.loader(accountsById);
  return Promise.all(ids.map((id) => (authors.has(id) ? loader.load(id) : undefined)));
}

/** A page of those who wrote something published, by id. */
export async function listAuthors(
  context: RequestContext,
  first: number,
  page: number,
): Promise<AccountConnection> {
  const where = PUBLISHED;
  const [rows, totalCount] = await Promise.all([
    context.db.account.findMany({
      where,
      orderBy: { id: 'asc' },
      take: first,
      skip: (page - 1) * first,
      select: { id: true },
    }),
    context.db.account.count({ where }),
  ]);
  const nodes = await context.loader(accountsById).loadMany(rows.map(({ id }) => id));
  return Object.assign(new AccountConnection(), { nodes, totalCount });
}
