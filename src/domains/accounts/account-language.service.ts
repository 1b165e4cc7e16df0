import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Language } from '../site/language.types.js';
import { languages } from '../site/site.service.js';

/** Loads the languages of accounts by id, for `context.loader`. */
export async function languagesOfAccounts(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Language | undefined)[]> {
  const found = new Map((await languages(context)).map((language) => [language.id, language]));
  return ids.map((id) => found.get(id));
}

/** Returns the code of the language that an account is written to in, such as `es`. */
export const languageOf = async (context: RequestContext, id: number): Promise<string> =>
  (await context.loader(languageCodes).load(id)) ?? 'en';

/** Returns SQL for the code of the language of an account, which is an expression. */
export const languageFor = (accountId: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (SELECT l.code FROM account w JOIN language l ON l.id = w.language_id WHERE w.id = ${accountId})`;

/** Remembers for the request the language of an account, which was read with something else. */
export function knowLanguage(context: RequestContext, id: number, code: string): void {
  context.loader(languageCodes).prime(id, code);
}

/** Returns the codes of the languages that accounts are written to in, for `context.loader`. */
async function languageCodes(
  context: RequestContext,
  ids: readonly number[],
): Promise<(string | undefined)[]> {
  const rows = await context.rows<{ id: number; language: string }>(Prisma.sql`
    SELECT a.id, ${languageFor(Prisma.sql`a.id`)} AS language FROM account a
    WHERE a.id = ANY(${[...ids]}::int[])`);
  const found = new Map(rows.map(({ id, language }) => [id, language]));
  return ids.map((id) => found.get(id));
}
