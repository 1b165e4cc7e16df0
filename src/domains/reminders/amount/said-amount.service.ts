import type { RequestContext } from '../../../core/context.js';
import { languageOf } from '../../accounts/account-language.service.js';
import { amountWords, type SaidAmount } from './amount-words.js';

/** Returns an amount with its unit in a language (BCP 47), the member's by default. */
export async function sayAmount(
  context: RequestContext,
  said: SaidAmount & { readonly memberId: number },
  language?: string | null,
): Promise<string> {
  return amountWords(said, language ?? (await languageOf(context, said.memberId)));
}
