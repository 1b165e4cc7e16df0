import type { RequestContext } from '../../../core/context.js';
import type { Decimal } from '../../../platform/decimal.js';
import { FrequencyChoice } from '../reminder/doubt.types.js';
import type { Frequency } from '../schedule/frequency.types.js';
import { usualTimes } from '../schedule/times.js';
import { eachClock, type MemberTimes } from '../schedule/words/anchors.js';
import type { Meaning } from '../schedule/words/meaning.js';
import { meaningsOf } from '../schedule/words/read.js';
import { say } from '../schedule/words/say.js';
import { storedAs } from '../schedule/words/stored.js';
import { memberOf } from '../setting/member.service.js';
import { directionText } from './direction-text.js';

/**
 * Returns the meanings of a frequency in words of a language (BCP 47), the member's unless told.
 * One statement, for all of a member.
 */
export async function choicesOf(
  context: RequestContext,
  memberId: number,
  frequency: string,
  language?: string | null,
): Promise<FrequencyChoice[]> {
  const member = await memberOf(context, memberId);
  return meaningsOf(frequency).map((meaning, place) => {
    const schedule = storedAs(meaning);
    const text = schedule
      ? choiceText(meaning, schedule, member, language ?? member.language)
      : say(meaning);
    return Object.assign(new FrequencyChoice(), {
      meaning: place,
      text,
      isComplete: schedule !== undefined,
    });
  });
}

function choiceText(
  { amount, ...meaning }: Meaning,
  frequency: Frequency,
  member: MemberTimes,
  language: string,
): string {
  const at = ('at' in frequency && frequency.at) || [];
  const count = 'timesADay' in frequency ? frequency.timesADay : undefined;
  const usual = usualTimes(count ?? 1, member.usual);
  const timed = meaning.kind === 'calendar';
  const times = at.length > 0 ? eachClock(at, member) : timed ? usual : [];
  const amounts = amount?.upTo
    ? []
    : at.some((time) => time.amount)
      ? at.map((time, i) => row(times[i] ?? null, time.amount ?? (amount?.value as string)))
      : amount
        ? [row(null, amount.value)]
        : [];
  const { each, unit = '' } = amount ?? {};
  const counted = each ? `× ${each.value} ${each.unit}` : unit;
  const said = { timed: { frequency, times }, amounts, unit: counted, stated: amount, notes: [] };
  return directionText(said, BEGINNING, language);
}

const BEGINNING = '0001-01-01';
const row = (time: string | null, amount: string) => ({
  startsOn: BEGINNING,
  time,
  amount: amount as Decimal,
});
