import { hash } from 'node:crypto';

/** Returns the ETag of a body. It is weak: compressed bytes have the same (RFC 9110, 8.8.1). */
export const tagOf = (body: string | Buffer) => `W/"${hash('sha1', body, 'base64url')}"`;

/** Returns whether If-None-Match names a tag, whatever its strength, or any (RFC 9110, 13.1.2). */
export const isKnown = (header: string | undefined, tag: string) =>
  header !== undefined &&
  (header.trim() === '*' || header.match(/"[^"]*"/g)?.includes(tag.slice(2)) === true);
