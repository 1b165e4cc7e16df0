import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { byNumber, byText, Direction, type Order, orderedList } from '../../../core/ordering.js';
import type { Page } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { TermOrder } from '../content.enums.js';
import { mayRead } from '../item/item.rights.js';
import { refuseLongLists } from '../item/item-filter.service.js';
import { rowsOfAnyKind } from '../item/item-row.service.js';
import { slugsMeantBy, sortKey } from '../rendering/slug.js';
import type { TermListArgs } from './term.inputs.js';
import { TERM_COLUMNS } from './term.sql.js';
import { Term, type TermRow } from './term.types.js';

const { sql, join } = Prisma;

/**
 * The terms of a taxonomy, by name. Throws TOO_MANY.
 */
export const termList = orderedList<Term, TermListArgs>({
  noun: 'Term',
  what: 'terms',
  choices: {
    NAME: byText(
      'By name; case and accents are ignored.',
      sql`t.name_key`,
      ({ nameKey }) => nameKey,
    ),
    ID: byNumber(sql`t.id`, ({ id }) => id),
    SLUG: byText('By the name in addresses.', sql`t.slug`, ({ slug }) => slug),
  },
  usual: { field: 'NAME', direction: Direction.ASC },
  ties: [byNumber(sql`t.id`, ({ id }) => id)],
  size: 10,
  from: sql`term t`,
  where: termsMatching,
  read: readTerms,
});

/**
 * Returns a page of terms. Throws as the list does, and FORBIDDEN_CONTEXT for the terms of an item that the
 * viewer may not read. One more statement for those of an item.
 */
export async function listTerms(
  context: RequestContext,
  args: TermListArgs,
  order: Order | null | undefined,
): Promise<Page<Term>> {
  const { itemId } = args.filter ?? {};
  const item = typeof itemId === 'number' ? await context.loader(rowsOfAnyKind).load(itemId) : null;
  if (item && !mayRead(context.viewer, item))
    throw refuse('FORBIDDEN_CONTEXT', 'Sorry, you are not allowed to view terms for this post.');
  return termList.page(context, args, order ?? orderOf(args));
}

/** Returns the order that the REST editions ask for. */
function orderOf({ by, direction }: TermListArgs): Order {
  const field = by === TermOrder.ID ? 'ID' : by === TermOrder.SLUG ? 'SLUG' : 'NAME';
  return { field, direction: direction ?? Direction.ASC };
}

async function readTerms(
  context: RequestContext,
  condition: Prisma.Sql,
  rest: Prisma.Sql,
): Promise<Term[]> {
  const rows = await context.rows<TermRow>(
    sql`SELECT ${TERM_COLUMNS} FROM term t WHERE ${condition} ${rest}`,
  );
  return rows.map((row) => new Term(row, context.siteUrl));
}

/** Returns the condition for terms `t` that match. Throws TOO_MANY. */
function termsMatching(_context: RequestContext, { taxonomy, filter }: TermListArgs): Prisma.Sql {
  const { itemId, parentId, topLevel, search, slugs, include } = filter ?? {};
  refuseLongLists(filter ?? {});
  const conditions = [sql`t.taxonomy = ${taxonomy}`];
  // The REST editions ask for the top by 0.
  if (typeof parentId === 'number') conditions.push(sql`coalesce(t.parent_id, 0) = ${parentId}`);
  if (typeof topLevel === 'boolean') conditions.push(sql`(t.parent_id IS NULL) = ${topLevel}`);
  if (search) conditions.push(sql`strpos(t.name_key, ${sortKey(search)}) > 0`);
  if (slugs?.length) conditions.push(sql`t.slug = ANY(${slugs.flatMap(slugsMeantBy)}::text[])`);
  if (include?.length) conditions.push(sql`t.id = ANY(${include}::int[])`);
  if (typeof itemId === 'number')
    conditions.push(sql`EXISTS (SELECT FROM content_term ct
      WHERE ct.term_id = t.id AND ct.item_id = ${itemId})`);
  return join(conditions, ' AND ');
}
