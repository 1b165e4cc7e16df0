import { createHash, hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Body } from './send.js';

/** Returns the ETag of a body. It is weak: compressed bytes have the same (RFC 9110, 8.8.1). */
export const tagOf = (body: Body) => `W/"${digestOf(body)}"`;

function digestOf(body: Body): string {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return hash('sha1', body, 'base64url');
  const whole = createHash('sha1');
  for (const part of body) whole.update(part);
  return whole.digest('base64url');
}

/** Returns whether If-None-Match names a tag, whatever its strength, or any (RFC 9110, 13.1.2). */
export const isKnown = (header: string | undefined, tag: string) =>
  header !== undefined &&
  (header.trim() === '*' || header.match(/"[^"]*"/g)?.includes(tag.slice(2)) === true);

/** Returns whether the response to a request has a body: not to HEAD, nor to who has it already. */
export const sendsBody = ({ method, headers }: IncomingMessage, tag: string | undefined): boolean =>
  method !== 'HEAD' && !(tag && isKnown(headers['if-none-match'], tag));
