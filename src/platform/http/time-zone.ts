import type { IncomingMessage } from 'node:http';
import { WINDOWS_ZONES } from '../windows-zones.js';
import { isZone } from '../zone.js';

/**
 * An offset as phones name zones: GMT+02:00, UTC+2, +0530, UTC+5.5. Three digits may be minutes, as
 * browsers count them with the opposite sign.
 */
const OFFSET =
  /^(?:GMT|UTC)? ?([+-])(\d{1,2})(?:(?:(?<=\d\d)|:)([0-5]\d)(?::00)?|(\.(?:0|25|50?|75)))?$/i;
/**
 * Names of tz for offsets. Phones of places with summer time call their winter time so: as a zone it
 * would be an hour off from spring on.
 */
const FIXED: ReadonlyMap<string, string> = new Map([
  ['z', '+00:00'],
  ['est', '-05:00'],
  ['mst', '-07:00'],
  ['hst', '-10:00'],
]);
const LONGEST_HEADER = 500;

/**
 * Returns the zone of a Time-Zone header (RFC 7808): an IANA name, or an offset such as `+02:00` of
 * what phones call `GMT+02:00` or `UTC+2`, or the zone of a name of Windows such as `Eastern Standard
 * Time`. It may have around it what programs print with it: quotes, percent-encoding, a comment as in
 * `Europe/Athens (current)`, an offset as in `+02:00[Europe/Athens]`, the fields of a class of Java, a
 * prefix as in `TZ=Europe/Athens`, places as in `(UTC+01:00) Amsterdam, Berlin`.
 * Undefined for a header that names none.
 */
export function timeZoneOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const header = headers['time-zone'];
  if (typeof header !== 'string' || header.length > LONGEST_HEADER) return undefined;
  const name = unquoted(header);
  const windows = name.toLowerCase().replace(/ daylight time$/, ' standard time');
  return WINDOWS_ZONES.get(windows) ?? zoneNamed(name) ?? zoneNamed(nameWithin(name));
}

function zoneNamed(name: string): string | undefined {
  const fixed = FIXED.get(name.toLowerCase());
  if (fixed) return fixed;
  const [, sign, hours = '', minutes, part] = OFFSET.exec(name) ?? [];
  if (sign) return offsetOf(sign, Number(hours), Number(minutes ?? Number(part ?? 0) * 60));
  return /^[A-Za-z]/.test(name) && isZone(name) ? name : undefined;
}

function offsetOf(sign: string, hours: number, minutes: number): string | undefined {
  if (hours > 14) return undefined;
  const text = [hours, minutes].map((each) => String(each).padStart(2, '0')).join(':');
  return text === '00:00' ? '+00:00' : sign + text;
}

function unquoted(header: string): string {
  const name = header.trim().replace(/^["']|["']$/g, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * Returns the name in `…[id="NAME",…]`, in `…[NAME]`, in parentheses before places, or before a
 * comment, with `/` and `_` as tz has them.
 */
function nameWithin(text: string): string {
  const [, id] =
    /\[id="?([\w/+:-]+)/.exec(text) ??
    /\[([\w/+:-]+)\]$/.exec(text) ??
    /^\(([^()]+)\) /.exec(text) ??
    [];
  if (id !== undefined) return id;
  const [bare = ''] = text.split('(', 1);
  return bare
    .trim()
    .replace(/^(?:TZ=|posix\/)/, '')
    .replaceAll('\\/', '/')
    .replace(/(?<=[a-z]) (?=[a-z])/gi, '_');
}
