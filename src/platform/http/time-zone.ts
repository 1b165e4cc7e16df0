import type { IncomingMessage } from 'node:http';
import { isZone } from '../zone.js';

/**
 * The zone that a Time-Zone header names (RFC 7808: an IANA name). A header that names none is as
 * good as absent.
 */
export function timeZoneOf({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const name = headers['time-zone'];
  return typeof name === 'string' && /^[A-Za-z]/.test(name) && isZone(name) ? name : undefined;
}
