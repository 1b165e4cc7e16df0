import type { PushContent, TokenKind } from './transport.js';

/**
 * Most bytes of a payload, by kind of token: what Expo and FCM take; what fits one encrypted record
 * of Web Push (RFC 8291).
 */
export const LARGEST_PAYLOAD: Readonly<Record<TokenKind, number>> = {
  expo: 4096,
  fcm: 4096,
  web: 3993,
};

/**
 * Data as a device gets it: the caller's, and the id by which it knows a repetition, and whether to
 * keep quiet.
 */
export const dataOf = ({ id, data, silent }: PushContent & { id: string; silent?: boolean }) => ({
  ...data,
  ...(silent && { silent: true }),
  message_id: id,
});

/** FCM's data: every value is a text, JSON where it was none. */
export function textsOf(data: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  );
}

/** Bytes of the payload that a device of a kind would get. */
export function payloadSize(kind: TokenKind, content: PushContent & { id: string }): number {
  const data = kind === 'fcm' ? textsOf(dataOf(content)) : dataOf(content);
  return Buffer.byteLength(JSON.stringify({ title: content.title, body: content.body, data }));
}

/** Whether a payload is too large for a kind of device. */
export const isTooLarge = (kind: TokenKind, content: PushContent & { id: string }) =>
  payloadSize(kind, content) > LARGEST_PAYLOAD[kind];
