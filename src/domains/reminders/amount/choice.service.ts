import type { RequestContext } from '../../../core/context.js';
import { FrequencyChoice } from '../reminder/doubt.types.js';
import type { Frequency } from '../schedule/frequency.types.js';
import { phaseClocks } from '../schedule/phased.js';
import type { Timed } from '../schedule/saying/say.js';
import { usualTimes } from '../schedule/times.js';
import { eachClock, type MemberTimes } from '../schedule/words/anchors.js';
import type { Meaning } from '../schedule/words/meaning.js';
import { meaningsOf } from '../schedule/words/read.js';
import { say } from '../schedule/words/say.js';
import { storedAs } from '../schedule/words/stored.js';
import { memberOf } from '../setting/member.service.js';
import { BEGINNING } from './amounts.js';
import { daysSince } from './course-days.js';
import { directionText } from './direction-text.js';
import { portionsOf, statedUnit } from './stated-portions.js';

/**
 * Returns the meanings of a frequency in words of a language (BCP 47), the member's by default.
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
  meaning: Meaning,
  frequency: Frequency,
  member: MemberTimes,
  language: string,
): string {
  const { amount } = meaning;
  const days = daysSince(BEGINNING);
  const said = {
    timed: timedBy(frequency, meaning, member),
    days,
    amounts: amount ? portionsOf(amount, frequency, { days, member }) : [],
    unit: amount ? statedUnit(amount) : '',
    notes: [],
  };
  return directionText(said, BEGINNING, language);
}

/** Returns when it comes, in phases where its amount has steps. */
function timedBy(frequency: Frequency, meaning: Meaning, member: MemberTimes): Timed {
  if (frequency.kind === 'phased')
    return { frequency, times: phaseClocks(frequency, member).flat() };
  const at = ('at' in frequency && frequency.at) || [];
  const count = 'timesADay' in frequency ? frequency.timesADay : undefined;
  const usual = meaning.kind === 'calendar' ? usualTimes(count ?? 1, member.usual) : [];
  const times = at.length > 0 ? eachClock(at, member) : usual;
  const steps = meaning.amount?.steps;
  if (!steps || frequency.kind !== 'calendar') return { frequency, times };
  const { course, ...often } = frequency;
  const total = course?.kind === 'duration' ? course.count : undefined;
  const starts = [0, ...steps.map(({ after }) => after)];
  const phases = starts.map((start, i) => {
    const end = starts[i + 1] ?? total;
    return { often, ...(end !== undefined && { days: end - start }) };
  });
  return { frequency: { kind: 'phased', phases }, times: phases.flatMap(() => times) };
}
