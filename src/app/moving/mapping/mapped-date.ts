import { asciiDigits } from '../../../platform/digits.js';
import { localText, parseMoment } from '../../../platform/moment.js';
import { instantOf } from '../../../platform/zone.js';
import type { SourceRow } from '../mysql-source.js';
import type { DateOrder } from './mapping.fields.js';

/** What a text of the original says of a date. */
export interface MappedDate {
  /** The date as `parseMoment` reads it; as it was written where there is a fault; null for none. */
  readonly text: string | null;
  /** Why it is no date. */
  readonly fault?: 'cannot be read' | 'may mean two days';
}

/** What programs write in place of a date. */
const NONE = /^(?:[0T:./\s-]*Z?|null|nil|none|undefined|nan|invalid date)$/i;
const SPLIT =
  /^(?<first>\d\d?)(?<joint>[./-])(?<second>\d\d?)\k<joint>(?<year>\d{4}|\d\d)(?:[ T,]+(?<clock>\d.*))?$/;

/**
 * Reads a date as years of programs wrote it: whatever `parseMoment` reads, days and months before
 * the year, with each of its times and offsets, and what stands for none. With dots the day comes first.
 * Else the order must be known, unless only one of both days exists.
 */
export function mappedDate(value: SourceRow[string] | undefined, order: DateOrder): MappedDate {
  const written = String(value ?? '').trim();
  if (NONE.test(written)) return { text: null };
  if (parseMoment(written)) return { text: written };
  const plain = asciiDigits(written)?.replace(/[\u00a0\u202f]/g, ' ') ?? '';
  const parts = SPLIT.exec(plain)?.groups;
  // Of two digits only the day of a date with dots is certain.
  if (!parts || (parts.year?.length === 2 && parts.joint !== '.'))
    return { text: written, fault: 'cannot be read' };
  const { first, second, joint, clock } = parts;
  const year = parts.year?.length === 2 ? `20${parts.year}` : parts.year;
  const dayFirst = dateOf(year, second, first, clock);
  const monthFirst = joint === '.' ? undefined : dateOf(year, first, second, clock);
  const known = order === 'month-first' ? monthFirst : dayFirst;
  if (dayFirst && monthFirst && dayFirst !== monthFirst)
    return order === 'in-doubt' || !known
      ? { text: written, fault: 'may mean two days' }
      : { text: known };
  const only = dayFirst ?? monthFirst;
  return only ? { text: only } : { text: written, fault: 'cannot be read' };
}

/** Returns a date with the year first, where there is that day and that time: in ISO 8601 unless it has an offset. */
function dateOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  clock: string | undefined,
): string | undefined {
  const two = (digits: string | undefined) => (digits ?? '').padStart(2, '0');
  const date = `${year}-${two(month)}-${two(day)}`;
  const text = clock ? `${date} ${clock}` : date;
  const moment = parseMoment(text);
  return moment?.clock && moment.offset === undefined ? localText(moment.local) : moment && text;
}

/** Returns the instant of a date, which is by the clocks of a zone unless it says otherwise. */
export function mappedInstant(
  value: SourceRow[string] | undefined,
  order: DateOrder,
  zone: string,
): { readonly at?: Date; readonly fault?: string } {
  const { text, fault } = mappedDate(value, order);
  const moment = text && !fault ? parseMoment(text) : undefined;
  return { ...(moment && { at: instantOf(moment, zone) }), ...(fault && { fault }) };
}
