import type { RequestContext } from '../../../core/context.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { inLanguage } from '../../../platform/language.js';
import { languageOf } from '../../accounts/account-language.service.js';
import { tellConcerned } from './concerned.service.js';
import { REREAD } from './reread.wording.js';

/** What there is to say of the directions of a medicine. */
export type News = keyof (typeof REREAD)['en'];

/**
 * Queues a message about the directions of a medicine to the member, to each carer and to each
 * assigned clinician, in their languages.
 */
export async function tellOfDirections(
  inner: RequestContext,
  { id, accountId }: Pick<Reminder, 'id' | 'accountId'>,
  news: News,
): Promise<void> {
  const isDoubt = news === 'doubted' || news === 'unusual';
  const kind = isDoubt ? 'reminder_doubted' : 'reminder_corrected';
  await tellConcerned(
    inner,
    { id, accountId },
    { kind, silent: false },
    (language) => inLanguage(REREAD, language)[news],
  );
}

/** Returns what there is to say of the directions of a medicine, in the member's language. */
export async function directionsWords(
  context: RequestContext,
  memberId: number,
  news: News,
): Promise<string> {
  const { title, body } = inLanguage(REREAD, await languageOf(context, memberId))[news];
  return `${title}. ${body}`;
}
