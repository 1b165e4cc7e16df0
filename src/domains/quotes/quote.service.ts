import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { type OrderKey, orderOf, within } from '../../core/keyset.js';
import { type Page, type PageArgs, pageOf, windowOf } from '../../core/paging.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { CreateQuoteInput, DeleteQuoteInput, UpdateQuoteInput } from './quote.inputs.js';
import { Quote } from './quote.types.js';

const { sql } = Prisma;

const ORDER = [
  { value: sql`id`, type: 'int', descending: true },
] as const satisfies readonly OrderKey[];

/** The columns of a quote. */
export const QUOTE_COLUMNS = sql`id, text, author, language_code AS "languageCode", version`;

/**
 * Returns a page of all quotes, newest first, with one statement, and one for the count. Throws
 * CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export async function listQuotes(context: RequestContext, page: PageArgs): Promise<Page<Quote>> {
  const window = windowOf(page, 'quotes', ORDER, 20);
  const rows = await context.rows<Quote>(sql`SELECT ${QUOTE_COLUMNS} FROM quote
    WHERE ${within(ORDER, window)} ${orderOf(ORDER, window)} LIMIT ${window.size + 1}::int`);
  return pageOf(
    rows.map(quoteOf),
    window,
    ({ id }) => [id],
    () => context.db.quote.count(),
  );
}

/** Returns a quote as GraphQL shows it. */
export const quoteOf = (row: object): Quote => Object.assign(new Quote(), row);

/** Returns the quotes of these ids. */
export async function quotesById(
  context: RequestContext,
  ids: readonly number[],
): Promise<Quote[]> {
  const rows = await context.rows<Quote>(
    sql`SELECT ${QUOTE_COLUMNS} FROM quote WHERE id = ANY(${[...ids]}::int[])`,
  );
  return rows.map(quoteOf);
}

/** Makes a quote. It is shown from the day after, if there are others. */
export async function createQuote(
  context: RequestContext,
  input: CreateQuoteInput,
): Promise<Quote> {
  const data = { ...input, createdAt: context.now() };
  const id = await transact(
    context,
    async ({ db }) => (await db.quote.create({ data, select: { id: true } })).id,
    { replayable: true },
  );
  return one(context, id);
}

/** Changes what is given of a quote. Throws QUOTE_NOT_FOUND, CONFLICT. */
export async function updateQuote(
  context: RequestContext,
  { id, version, text, author, languageCode }: UpdateQuoteInput,
): Promise<Quote> {
  const changes = {
    ...(text && { text }),
    ...(author !== undefined && { author }),
    ...(languageCode && { languageCode }),
    version: { increment: 1 },
  };
  await transact(
    context,
    async ({ db }) => {
      const known = await db.quote.findUnique({ where: { id }, select: { version: true } });
      if (!known) throw notFound();
      const where = { id, version: version ?? known.version };
      const { count } = await db.quote.updateMany({ where, data: changes });
      if (count === 0)
        throw refuse('CONFLICT', 'The quote has changed since it was read.', { param: 'version' });
      return id;
    },
    { replayable: true },
  );
  return one(context, id);
}

/** Deletes a quote. Returns it as it was. Throws QUOTE_NOT_FOUND. */
export async function deleteQuote(
  context: RequestContext,
  { id }: DeleteQuoteInput,
): Promise<Quote> {
  const quote = await one(context, id);
  await context.db.quote.deleteMany({ where: { id } });
  return quote;
}

async function one(context: RequestContext, id: number): Promise<Quote> {
  const [quote] = await quotesById(context, [id]);
  if (!quote) throw notFound();
  return quote;
}

const notFound = () => refuse('QUOTE_NOT_FOUND', 'There is no such quote.', { param: 'id' });
