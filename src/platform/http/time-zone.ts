import type { IncomingMessage } from 'node:http';
import { WINDOWS_ZONES } from '../windows-zones.js';
import { isZone } from '../zone.js';

/** An offset as phones name zones: GMT+02:00, UTC+2, +0530. */
const OFFSET = /^(?:GMT|UTC)? ?([+-])(\d{1,2})(?::?([0-5]\d))?$/i;

/**
 * Returns the zone of a Time-Zone header (RFC 7808): an IANA name, or an offset such as `+02:00` of
 * what phones call `GMT+02:00` or `UTC+2`, or the zone of a name of Windows such as `Eastern Standard
 * Time`. Undefined for a header that names none.
 */
export function timeZoneOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const header = headers['time-zone'];
  if (typeof header !== 'string') return undefined;
  const name = header.trim();
  const [, sign, hours = '', minutes = '00'] = OFFSET.exec(name) ?? [];
  if (sign) return Number(hours) <= 14 ? `${sign}${hours.padStart(2, '0')}:${minutes}` : undefined;
  const known = WINDOWS_ZONES.get(name.toLowerCase()) ?? name;
  return /^[A-Za-z]/.test(known) && isZone(known) ? known : undefined;
}
