import type { RequestContext } from '../../../core/context.js';
import { localText } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import { languageOf } from '../../accounts/account-language.service.js';
import type { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { amountIn } from '../schedule/frequency.js';
import { wordsOf } from '../schedule/saying/say.js';
import { endsWithSupply, saysFinished } from '../schedule/supply.js';
import type { NotePart } from '../schedule/words/said.js';
import { amountsOf } from './amount.service.js';
import { courseDays } from './course-days.js';
import { directionText } from './direction-text.js';

/** Parts of a direction that its amount and its schedule have said already. */
const SAID: ReadonlySet<NotePart> = new Set(['verb', 'form']);

/**
 * Returns the directions of a medicine as they were understood, in a language (BCP 47), the
 * member's by default; null where they were not. Where the supply has ended them it says so.
 */
export function sayDirection(
  context: RequestContext,
  reminder: MedicineReminder,
  language?: string | null,
): Promise<string | null> {
  const texts = said.get(reminder) ?? new Map<string, Promise<string | null>>();
  said.set(reminder, texts);
  const text = texts.get(language ?? '') ?? say(context, reminder, language);
  texts.set(language ?? '', text);
  return text;
}

/** What was said of a reminder in languages: each of many events asks for it. */
const said = new WeakMap<MedicineReminder, Map<string, Promise<string | null>>>();

async function say(
  context: RequestContext,
  reminder: MedicineReminder,
  language?: string | null,
): Promise<string | null> {
  const { isScheduleRecognized, timed, directionParts, memberId } = reminder;
  const { id, doseUnit, zone, suppliedUntil } = reminder.row;
  if (!isScheduleRecognized) return null;
  const spoken = language ?? (await languageOf(context, memberId));
  const isEnd = endsWithSupply(timed.frequency);
  const parts = directionParts
    .filter(({ part, words }) => !SAID.has(part) && !(isEnd && saysFinished(words)))
    .map(({ words }) => words);
  const stated = amountIn(timed.text);
  const understood = {
    timed,
    days: courseDays(reminder.row),
    // A medicine without a unit has no amounts.
    amounts: (doseUnit !== null && (await context.loader(amountsOf).load(id))) || [],
    unit: doseUnit ?? stated?.unit ?? '',
    stated,
    notes: suppliedUntil ? [...parts, wordsOf(spoken).finished] : parts,
  };
  const today = localText(localAt(context.now().getTime(), zone)).slice(0, 10);
  return directionText(understood, today, spoken);
}
