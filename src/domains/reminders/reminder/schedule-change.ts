import { parseFrequency } from '../schedule/frequency.js';
import { meantText, storedIn, storedText } from '../schedule/schedule-value.js';

/** The columns of a reminder that its schedule stands in. */
interface Scheduled {
  readonly frequencyType: string | null;
  readonly schedule: string | null;
  readonly endDate: string | null;
  readonly recognized: boolean;
}
type ScheduleEdit = Partial<
  Record<'frequencyType' | 'schedule' | 'endDate', string | null | undefined>
>;

/**
 * Returns what an edit changes of the schedule itself. Another frequency takes its place, and an
 * end by date takes the place of one after so many doses or days; with the schedule its own end
 * goes. A phrase that is sent again keeps what it meant, unless it was not understood and now is.
 */
export function scheduleChange(
  row: Scheduled,
  { frequencyType, endDate, schedule }: ScheduleEdit,
): Partial<Pick<Scheduled, 'schedule' | 'endDate'>> {
  const value = storedIn(row);
  const ends = typeof endDate === 'string' && endDate.trim() !== (row.endDate?.trim() ?? '');
  const often =
    (typeof schedule === 'string' && schedule !== row.schedule) ||
    (typeof frequencyType === 'string' &&
      (frequencyType.trim() !== row.frequencyType?.trim() || isNews(row, frequencyType)));
  const ended = value?.end && !ends ? { endDate: null } : {};
  if (often) return { schedule: schedule ?? null, ...ended };
  if (!value?.end || !ends) return {};
  const { end: _, ...endless } = value;
  return { schedule: storedText(endless) };
}

/** Returns whether a phrase that was not understood when it was written is understood now. */
const isNews = ({ recognized, schedule }: Scheduled, phrase: string) =>
  !recognized && schedule !== meantText(phrase) && parseFrequency(phrase).kind !== 'unrecognized';
