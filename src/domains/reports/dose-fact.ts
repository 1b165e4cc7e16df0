import type { Care } from '../reminders/calendar/calendar.service.js';
import type { CalendarEvent, LoggedDose } from '../reminders/calendar/event.types.js';
import { countedAs } from '../reminders/dose/adherence.js';
import { frequencyIn } from '../reminders/schedule/schedule-value.js';

/** What became of one dose. */
export interface DoseFact {
  /** The instant of its time, in milliseconds. */
  readonly at: number;
  /** The day of that, by the clocks of the member. */
  readonly day: string;
  readonly hour: number;
  /** Id and name of the reminder; 0 when it is gone for good. */
  readonly reminderId: number;
  readonly name: string;
  readonly medicineType: string | null;
  readonly scheduleKind: string | null;
  readonly outcome: 'taken' | 'skipped' | 'missed' | 'asNeeded';
  /** How late it was taken, in whole minutes; negative: early. Null when it was not, or apart. */
  readonly lateMinutes: number | null;
  /** Whole days from when the reminder was made to the time of the dose; null when it is gone. */
  readonly reminderDays: number | null;
}

const LONGEST_TYPE = 60;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A week, in minutes. */
const MOST_LATE = 7 * 24 * 60;

/** Returns the facts of events that were made of `care`: what is still open is none. */
export function factsOf(events: readonly CalendarEvent[], care: Care): DoseFact[] {
  const reminders = new Map(care.reminders.map((reminder) => [reminder.id, reminder]));
  const kinds = new Map(care.reminders.map((reminder) => [reminder.id, kindOf(reminder)]));
  return events.flatMap((event) => {
    const outcome = outcomeOf(event);
    if (!outcome) return [];
    const { at, date: day, time, reminderId, title, dose } = event;
    const reminder = reminders.get(reminderId);
    // As the medicine is called now: of one that was renamed, its doses are one row.
    const name = reminder?.name ?? title;
    const type = reminder?.medicineType ?? dose?.medicineType;
    const scheduleKind = kinds.get(reminderId) ?? null;
    const hour = Number(time.slice(0, 2));
    const medicineType = typeOf(type);
    const made = reminder?.createdAt.getTime();
    return [
      {
        at,
        day,
        hour,
        reminderId,
        name,
        medicineType,
        scheduleKind,
        outcome,
        lateMinutes: outcome === 'taken' ? latenessOf(dose) : null,
        reminderDays: made === undefined ? null : Math.max(0, Math.floor((at - made) / DAY)),
      },
    ];
  });
}

/**
 * Returns what reports count a dose as: one that was refused as skipped; one that was not needed
 * not at all.
 */
function outcomeOf(event: CalendarEvent): DoseFact['outcome'] | undefined {
  const outcome = countedAs(event);
  if (outcome === 'unneeded') return undefined;
  return outcome === 'refused' ? 'skipped' : outcome;
}

/** Returns by how many minutes a dose came after its time, rounded down, within a week. */
function latenessOf(dose: LoggedDose | undefined): number | null {
  if (!dose?.plannedAt) return null;
  const minutes = Math.floor((dose.at.getTime() - dose.plannedAt.getTime()) / MINUTE);
  return Math.max(-MOST_LATE, Math.min(MOST_LATE, minutes));
}

/** Returns one spelling of a type that people write by hand: lower case, at most 60 letters. */
function typeOf(type: string | null | undefined): string | null {
  const text = type?.trim().toLowerCase().slice(0, LONGEST_TYPE);
  return text || null;
}

const kindOf = ({ recognized, ...often }: Care['reminders'][number]) =>
  recognized ? frequencyIn(often).kind : 'unrecognized';
