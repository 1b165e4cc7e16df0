import { createHash } from 'node:crypto';

/**
 * Returns the id of a message, made of what it is about: the same again and again, so that a
 * repetition does nothing (a UUID, RFC 9562, version 8).
 */
export function messageIdOf(...about: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(about.join(' ')).digest('hex');
  const variant = (8 + (Number.parseInt(hex.slice(16, 17), 16) & 3)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
