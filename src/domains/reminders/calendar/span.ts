import { refuse } from '../../../core/errors.js';
import { dayOf, type Moment, parseMoment } from '../../../platform/moment.js';
import { instantAt, localAt } from '../../../platform/zone.js';
import { isMidnight } from '../reminder/course.js';
import type { Member } from '../setting/member.service.js';
import type { Span } from './occurrences.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MOST_DAYS = 366;
/** A span of so many days may be longer than these where clocks change. */
const SHIFTS = 2 * 60 * MINUTE;
/** Days from today on that are shown when no end is given. */
const USUAL_DAYS = 30;

/**
 * Returns the span that a caller names, by the clocks of a member's zone: today and 30 days on
 * unless said otherwise. An end that is a date includes its whole day. Both ends are dates when
 * both are midnights as they were written, since a program that knows dates alone may send
 * midnights. Any other moment is what it says. Throws DATE_INVALID, RANGE_TOO_LONG.
 */
export function spanOf(
  { zone }: Pick<Member, 'zone'>,
  now: number,
  from: string | null | undefined,
  to: string | null | undefined,
): Span {
  const today = dayOf(localAt(now, zone));
  const given = [boundary(from, 'from'), boundary(to, 'to')];
  const days = given.every((moment) => moment && isMidnight(moment.local));
  const [begin, end] = given.map(
    (moment) => moment && edgeOf(days ? { local: moment.local, clock: false } : moment, zone),
  );
  const span = {
    from: begin?.at ?? instantAt(today, zone),
    to: end ? endOf(end, zone) : instantAt(usualEnd(begin ? dayOf(begin.local) : today), zone),
  };
  const param = 'to';
  if (span.to <= span.from) {
    throw refuse('DATE_INVALID', 'The range ends before it begins.', { param });
  }
  if (span.to - span.from > MOST_DAYS * DAY + SHIFTS) {
    const message = `At most ${MOST_DAYS} days can be asked for at once.`;
    throw refuse('RANGE_TOO_LONG', message, { param });
  }
  return span;
}

/** Returns one end of a range; an empty one is none. Throws DATE_INVALID. */
export function boundary(text: string | null | undefined, param: string): Moment | undefined {
  if (!text?.trim()) return undefined;
  const moment = parseMoment(text);
  if (moment) return moment;
  const expected = 'a date such as 2026-03-01, or a date and time';
  throw refuse('DATE_INVALID', `A range begins and ends with ${expected}.`, { param });
}

interface Edge {
  readonly at: number;
  readonly local: number;
  readonly clock: boolean;
}

function edgeOf({ local, clock, offset }: Moment, zone: string): Edge {
  const at = offset === undefined ? instantAt(local, zone) : local - offset * MINUTE;
  return { at, local, clock };
}

/**
 * Returns the instant after the last of a span: a moment is included, and so is the day of a date.
 */
const endOf = ({ at, local, clock }: Edge, zone: string) =>
  clock ? at + 1 : instantAt(local + DAY, zone);

const usualEnd = (day: number) => day + (USUAL_DAYS + 1) * DAY;
