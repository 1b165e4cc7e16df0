import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { byPart } from '../../core/filtering.js';
import { byNumber, byText, Direction, orderedList } from '../../core/ordering.js';
import { createRow, deleteRow, firstOf, updateRow } from '../../core/row.js';
import { LanguageTag } from '../../core/scalars.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { CreateQuoteInput, DeleteQuoteInput, UpdateQuoteInput } from './quote.inputs.js';
import { Quote } from './quote.types.js';

const { sql } = Prisma;

/** The columns of a quote. */
export const QUOTE_COLUMNS = sql`id, text, author, language_code AS "languageCode", version`;

async function readQuotes(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<Quote[]> {
  const rows = await context.rows<Quote>(
    sql`SELECT ${QUOTE_COLUMNS} FROM quote WHERE ${condition} ${rest}`,
  );
  return rows.map(quoteOf);
}

/** Returns a quote as GraphQL shows it. */
export const quoteOf = (row: object): Quote => Object.assign(new Quote(), row);

const NUMBER = byNumber(sql`id`, ({ id }: Quote) => id);

/** All quotes, newest first. */
export const quoteList = orderedList<Quote>({
  noun: 'Quote',
  what: 'quotes',
  choices: {
    ID: NUMBER,
    LANGUAGE: byText(
      'By the code of their language.',
      sql`language_code`,
      ({ languageCode }) => languageCode,
    ),
  },
  filters: {
    search: byPart('Whose words or author hold this.', sql`text`, sql`author`),
    languageCode: {
      type: () => LanguageTag,
      description: 'Of this language, without its regions.',
      where: (code: string) => sql`language_code = ${code}`,
    },
  },
  usual: { field: 'ID', direction: Direction.DESC },
  ties: [NUMBER],
  from: sql`quote`,
  read: readQuotes,
});

/** Returns the quotes of these ids. */
export const quotesById = (context: RequestContext, ids: readonly number[]): Promise<Quote[]> =>
  readQuotes(context, sql`id = ANY(${[...ids]}::int[])`);

/** Makes a quote. It is shown from the day after, if there are others. */
export const createQuote = (context: RequestContext, input: CreateQuoteInput): Promise<Quote> =>
  createRow(context, one, (db) =>
    db.quote.create({ data: { ...input, createdAt: context.now() } }),
  );

/** Changes what is given of a quote. Throws QUOTE_NOT_FOUND, CONFLICT. */
export function updateQuote(
  context: RequestContext,
  { text, author, languageCode, ...quote }: UpdateQuoteInput,
): Promise<Quote> {
  const data = {
    ...(text && { text }),
    ...(author !== undefined && { author }),
    ...(languageCode && { languageCode }),
  };
  return updateRow(context, quote, {
    what: 'quote',
    read: one,
    update: ({ db }, where, version) => db.quote.updateMany({ where, data: { ...data, version } }),
  });
}

/** Deletes a quote. Returns it as it was. Throws QUOTE_NOT_FOUND. */
export const deleteQuote = (context: RequestContext, { id }: DeleteQuoteInput): Promise<Quote> =>
  deleteRow(context, id, {
    read: one,
    remove: (db, where) => db.quote.deleteMany({ where }),
    made: quoteOf,
  });

const one = async (context: RequestContext, id: number): Promise<Quote> =>
  firstOf(await quotesById(context, [id]), notFound);

const notFound = () => refuse('QUOTE_NOT_FOUND', 'There is no such quote.', { param: 'id' });
