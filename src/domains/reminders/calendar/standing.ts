import { parseMoment } from '../../../platform/moment.js';
import { instantOf } from '../../../platform/zone.js';
import { EventStatus } from './event.types.js';
import { GRACE } from './occurrences.js';

const MINUTE = 60_000;

/** How an event stands that is still to be answered, or to be chosen for. */
export const OPEN: ReadonlySet<EventStatus> = new Set([
  EventStatus.UPCOMING,
  EventStatus.DUE,
  EventStatus.UNRECOGNIZED,
]);

/** The columns of a reminder by which its occurrences stand. */
interface Standing {
  readonly kind: string;
  readonly zone: string;
  readonly attendedAt: Date | null;
  readonly createdAt: Date;
  readonly createdDate: string | null;
}

/**
 * Returns how an occurrence that nobody answered for stands. What came before its reminder was
 * made, nobody was reminded of: it was not missed.
 */
export const statusOf = (reminder: Standing, at: number, now: number): EventStatus =>
  standingsOf(reminder, now)(at, true);

/** Returns what tells the same of many occurrences of a reminder. */
export function standingsOf(
  reminder: Standing,
  now: number,
): (at: number, recognized: boolean) => EventStatus {
  const { kind, attendedAt } = reminder;
  let made: number | undefined;
  return (at, recognized) => {
    if (!recognized) return EventStatus.UNRECOGNIZED;
    if (attendedAt) return EventStatus.ATTENDED;
    if (at > now) return EventStatus.UPCOMING;
    if (at + GRACE > now) return EventStatus.DUE;
    made ??= madeAt(reminder);
    return kind === 'appointment' || at < made ? EventStatus.PAST : EventStatus.MISSED;
  };
}

/**
 * Returns the minute in which a reminder was made: when it was stored, or when its client says that
 * it had made it before.
 */
function madeAt({ createdAt, createdDate, zone }: Standing): number {
  const said = createdDate ? parseMoment(createdDate) : undefined;
  const made = Math.min(
    createdAt.getTime(),
    said ? instantOf(said, zone).getTime() : Number.POSITIVE_INFINITY,
  );
  return Math.floor(made / MINUTE) * MINUTE;
}
