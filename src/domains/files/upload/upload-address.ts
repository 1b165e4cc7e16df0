import { createHmac } from 'node:crypto';
import type { Keys } from '../../../platform/keys.js';
import { isSameText } from '../../../platform/same-text.js';

const PURPOSE = 'upload addresses';

/** What the address of an upload says. */
export interface UploadAddress {
  readonly key: string;
  /** Until when it is good, in milliseconds since 1970. */
  readonly expiresAt: number;
}

const signatureOf = (secret: Buffer, { key, expiresAt }: UploadAddress) =>
  createHmac('sha256', secret).update(`${key}.${expiresAt}`).digest('base64url');

/** Returns the path, with its query, at which the service takes a file. */
export function uploadPath(keys: Keys, address: UploadAddress): string {
  const signature = signatureOf(keys.current(PURPOSE).bytes, address);
  return `/uploads/${address.key}?expires=${address.expiresAt}&signature=${signature}`;
}

/**
 * Reads an address that `uploadPath` made, under any key of the service. Undefined for any other,
 * so that nobody makes the database look for what was never announced.
 */
export function readUploadAddress(
  keys: Keys,
  key: string,
  query: URLSearchParams,
): UploadAddress | undefined {
  const address = { key, expiresAt: Number(query.get('expires')) };
  const isOurs = keys
    .all(PURPOSE)
    .some(({ bytes }) => isSameText(signatureOf(bytes, address), query.get('signature')));
  return isOurs ? address : undefined;
}
