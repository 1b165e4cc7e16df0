import { wideKey } from '../../../core/node.js';

/**
 * Returns the id of an occurrence: its reminder and its instant, in milliseconds. There need be no
 * alert for it. Clients take it for opaque.
 */
export function occurrenceId(reminderId: number, at: number): string {
  if (at !== last.at) last = { at, text: Math.round(at / 1000).toString(36) };
  return `${reminderId.toString(36)}-${last.text}`;
}
/** The last instant as text: much of a calendar comes at one instant. */
let last = { at: Number.NaN, text: '' };

/**
 * Returns the reminder and the instant, in milliseconds, of an id; undefined for any other text.
 */
export function parseOccurrenceId(id: string): { reminderId: number; at: number } | undefined {
  const [, reminder, seconds] = /^([0-9a-z]{1,6})-(-?[0-9a-z]{1,8})$/.exec(id) ?? [];
  if (reminder === undefined || seconds === undefined) return undefined;
  const reminderId = Number.parseInt(reminder, 36);
  const at = Number.parseInt(seconds, 36) * 1000;
  return reminderId <= 2 ** 31 - 1 && Math.abs(at) < 8.64e15 ? { reminderId, at } : undefined;
}

/**
 * Returns the id of a dose that stands on its own on the calendar. It has a point, which no id of
 * an occurrence has: `dose-1` could be an occurrence of reminder 638654.
 */
export const doseName = (id: number): string => `dose.${id}`;

/**
 * Returns what the id of an event on the calendar names: a dose that stands on its own, or an
 * occurrence; undefined for any other text.
 */
export function parseEventId(
  id: string,
): { doseId: number } | { reminderId: number; at: number } | undefined {
  const doseId = wideKey(/^dose\.(\d+)$/.exec(id)?.[1] ?? '');
  if (doseId) return { doseId };
  return parseOccurrenceId(id);
}
