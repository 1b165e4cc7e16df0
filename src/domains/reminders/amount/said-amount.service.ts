import type { RequestContext } from '../../../core/context.js';
import { accountsById } from '../../accounts/account.service.js';
import { languagesById } from '../../site/site.service.js';
import { amountWords, type SaidAmount } from './amount-words.js';

/** Returns an amount with its unit in a language (BCP 47), the member's unless told. */
export async function sayAmount(
  context: RequestContext,
  said: SaidAmount & { readonly memberId: number },
  language?: string | null,
): Promise<string> {
  return amountWords(said, language ?? (await languageOf(context, said.memberId)));
}

async function languageOf(context: RequestContext, memberId: number): Promise<string> {
  const account = await context.loader(accountsById).load(memberId);
  const language = account && (await context.loader(languagesById).load(account.languageId));
  return language?.code ?? 'en';
}
