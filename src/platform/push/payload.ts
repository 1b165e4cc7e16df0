import type { PushContent, TokenKind } from './push-transport.js';

/**
 * Maximum payload in bytes, by kind of token: the limits of Expo and FCM, and one encrypted record
 * of Web Push (RFC 8291).
 */
export const LARGEST_PAYLOAD: Readonly<Record<TokenKind, number>> = {
  expo: 4096,
  fcm: 4096,
  web: 3993,
};

/**
 * Returns the data that a device receives: the caller's data, the id by which the device recognises
 * a repetition, and `silent`.
 */
export const dataOf = ({ id, data, silent }: PushContent & { id: string; silent?: boolean }) => ({
  ...data,
  ...(silent && { silent: true }),
  message_id: id,
});

/** Returns data in FCM's form: every value is a text; other values become JSON. */
export function textsOf(data: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  );
}

/** Returns the size of the payload for a kind of device, in bytes. */
export function payloadSize(kind: TokenKind, content: PushContent & { id: string }): number {
  const data = kind === 'fcm' ? textsOf(dataOf(content)) : dataOf(content);
  return Buffer.byteLength(JSON.stringify({ title: content.title, body: content.body, data }));
}

/** Returns whether a payload is too large for a kind of device. */
export const isTooLarge = (kind: TokenKind, content: PushContent & { id: string }) =>
  payloadSize(kind, content) > LARGEST_PAYLOAD[kind];
