import { connect } from 'node:net';
import type { Answer } from '../support/harness.js';

/** Both editions of the interface. */
export const EDITIONS = ['A', 'B'] as const;

/** The password of an account that signs in with one. */
export const PASSWORD = 'correct horse battery';

/** Headers of a body in JSON, and of a form. */
export const json = { 'content-type': 'application/json' };
export const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Returns the header of Basic credentials, `name:password`. */
export const basic = (text: string, scheme = 'Basic') => ({
  authorization: `${scheme} ${Buffer.from(text).toString('base64')}`,
});

/** Returns status and code of an error. */
export const failed = ({ status, body }: Answer) => [status, body?.code];

/** Returns what an answer says of one parameter: its message, and code and data of its detail. */
export function said({ status, body }: Answer, name: string): unknown {
  if (status !== 400 || body.code !== 'rest_invalid_param') return [status, body?.code];
  const { params, details } = body.data;
  expect(Object.keys(params)).toStrictEqual([name]);
  return [params[name], details[name]?.code, details[name]?.data];
}

/**
 * Writes bytes on a connection of its own. Returns everything that comes back until the connection
 * ends, so the bytes have to ask for its end.
 */
export function raw(url: string, pieces: (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text;
    });
    socket.setTimeout(30_000, () => socket.destroy(new Error('No answer within 30 s')));
    socket
      .on('close', () => resolve(answer))
      .on('error', (error) => (answer ? resolve(answer) : reject(error)));
  });
}
