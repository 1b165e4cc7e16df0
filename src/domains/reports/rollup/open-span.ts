import type { Span } from '../../reminders/calendar/occurrences.js';
import { monthAfter, monthOf } from '../period.js';

const DAY = 24 * 60 * 60 * 1000;
/** How long a span is at most. */
const LONGEST = 366 * DAY;

/**
 * Returns what of a span lies in months that are not in `closed` (first days), in pieces of a year
 * at most. A day of a closed month beside one is added: it is of the open one in some zones.
 */
export function openSpans(closed: ReadonlySet<string>, { from, to }: Span): Span[] {
  const spans: Span[] = [];
  const last = monthAt(to + DAY);
  for (let month = monthAt(from - DAY); month <= last; month = monthAfter(month, 1)) {
    if (closed.has(month)) continue;
    const next = monthAfter(month, 1);
    const begin = Date.parse(month) - (closed.has(monthAfter(month, -1)) ? DAY : 0);
    const end = Date.parse(next) + (closed.has(next) ? DAY : 0);
    const own = { from: Math.max(from, begin), to: Math.min(to, end) };
    if (own.from >= own.to) continue;
    const before = spans.at(-1);
    if (before?.to === own.from && own.to - before.from <= LONGEST)
      spans.splice(-1, 1, { ...before, to: own.to });
    else spans.push(own);
  }
  return spans;
}

const monthAt = (time: number) => monthOf(new Date(time).toISOString());
