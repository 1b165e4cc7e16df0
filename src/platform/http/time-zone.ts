import type { IncomingMessage } from 'node:http';
import { isZone } from '../zone.js';

/**
 * Returns the zone of a Time-Zone header (RFC 7808: an IANA name); undefined for a header that
 * names no zone.
 */
export function timeZoneOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const name = headers['time-zone'];
  return typeof name === 'string' && /^[A-Za-z]/.test(name) && isZone(name) ? name : undefined;
}
