import type { Care } from '../reminders/calendar/calendar.service.js';
import type { CalendarEvent } from '../reminders/calendar/event.types.js';
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
}

const LONGEST_TYPE = 60;

/** Returns the facts of events that were made of `care`: what is still open is none. */
export function factsOf(events: readonly CalendarEvent[], care: Care): DoseFact[] {
  const reminders = new Map(care.reminders.map((reminder) => [reminder.id, reminder]));
  const kinds = new Map(care.reminders.map((reminder) => [reminder.id, kindOf(reminder)]));
  return events.flatMap((event) => {
    const outcome = outcomeOf(event);
    if (!outcome) return [];
    const { at, date: day, time, reminderId, title: name, dose } = event;
    const type = reminders.get(reminderId)?.medicineType ?? dose?.medicineType;
    const scheduleKind = kinds.get(reminderId) ?? null;
    const hour = Number(time.slice(0, 2));
    const medicineType = typeOf(type);
    return [{ at, day, hour, reminderId, name, medicineType, scheduleKind, outcome }];
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

/** Returns one spelling of a type that people write by hand: lower case, at most 60 letters. */
function typeOf(type: string | null | undefined): string | null {
  const text = type?.trim().toLowerCase().slice(0, LONGEST_TYPE);
  return text || null;
}

const kindOf = ({ recognized, ...often }: Care['reminders'][number]) =>
  recognized ? frequencyIn(often).kind : 'unrecognized';
