import type { RequestContext } from '../../core/context.js';
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
