import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { Prisma } from '../../generated/prisma/client.js';
import { localAt } from '../../platform/zone.js';
import { zoneOfAccount } from '../accounts/member-zone.service.js';
import { QUOTE_COLUMNS, quoteOf } from './quote.service.js';
import { type Quote, QuoteOfTheDay } from './quote.types.js';

const { sql } = Prisma;
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** No clock is further ahead of UTC. */
const FURTHEST = 14 * HOUR;
const ENGLISH = 'en';

/**
 * Returns the quote of the day that it is in the viewer's zone (for others that of the site). It
 * depends on the date and the language alone, so everybody on that date reads the same. The
 * language is the given one, else that of the account, else English; where it has no quotes, the
 * same without its region, then English. Throws QUOTE_NOT_FOUND when there is none in these.
 */
export async function quoteOfTheDay(
  context: RequestContext,
  languageCode: string | null | undefined,
): Promise<QuoteOfTheDay> {
  const { viewer, site } = context;
  const timeZone = viewer.id ? await zoneOfAccount(context, viewer.id) : site.timeZone;
  const day = Math.floor(localAt(context.deps.clock(), timeZone) / DAY);
  const language = languageCode ?? (viewer.id ? await languageOf(context) : ENGLISH);
  const quote = await quoteOfDay(context, day, languagesFor(language));
  if (!quote) throw refuse('QUOTE_NOT_FOUND', 'There is no quote of the day.');
  const date = new Date(day * DAY).toISOString().slice(0, 10);
  return Object.assign(new QuoteOfTheDay(), { date, timeZone, quote });
}

async function languageOf({ db, viewer }: RequestContext): Promise<string> {
  const account = await db.account.findUnique({
    where: { id: viewer.id },
    select: { language: { select: { code: true } } },
  });
  return account?.language.code ?? ENGLISH;
}

const languagesFor = (code: string) => [...new Set([code, code.split('-')[0] as string, ENGLISH])];

/**
 * The quote of a day, counted since 1970, in the first of these languages that has quotes.
 * - A quote counts from the first date that begins, anywhere, after it was made: a new one does not
 *   take the place of what others have read on that date. Where all are new, all count.
 * - Of those that count, the one whose hash with the day is the least is shown: to delete another
 *   changes nothing.
 * - On even days come those with even numbers, on odd days the others, so that none comes twice in
 *   a row.
 */
async function quoteOfDay(
  context: RequestContext,
  day: number,
  languages: readonly string[],
): Promise<Quote | undefined> {
  const begins = new Date(day * DAY - FURTHEST).toISOString();
  const [row] = await context.rows<Quote>(sql`
    SELECT ${QUOTE_COLUMNS} FROM quote WHERE language_code = ANY(${languages}::text[])
    ORDER BY array_position(${languages}::text[], language_code),
      created_at < ${begins}::timestamptz DESC, (id + ${day}::int) % 2,
      md5(${day}::int || ':' || id)
    LIMIT 1`);
  return row && quoteOf(row);
}
