import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);
/** Shorter bodies are not worth the work. */
const WORTH_COMPRESSING = 1024;
/** Of longer bodies a fast compression saves nearly as much, in a fifth of the time. */
const LARGE = 1024 * 1024;
const FAST = { level: 1 };

/**
 * Sends a body with its length, compressed for those who ask; HEAD gets the headers alone. Answers
 * the bytes of the body.
 */
export async function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number>,
  body: string,
): Promise<number> {
  let bytes: Buffer | string = body;
  if (
    body.length > WORTH_COMPRESSING &&
    /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(
      request.headers['accept-encoding']?.toString() ?? '',
    )
  ) {
    bytes = await compress(body, body.length > LARGE ? FAST : {});
    headers['Content-Encoding'] = 'gzip';
    headers.Vary = headers.Vary ? `${headers.Vary}, Accept-Encoding` : 'Accept-Encoding';
  }
  const head = request.method === 'HEAD';
  const length = Buffer.byteLength(bytes);
  if (!head) headers['Content-Length'] = length;
  if (response.destroyed) return 0;
  response.writeHead(status, headers);
  // Text goes out in one write with its headers; where every character is one byte it is copied
  // rather than encoded.
  if (head) response.end();
  else if (typeof bytes === 'string')
    response.end(bytes, length === bytes.length ? 'latin1' : 'utf8');
  else response.end(bytes);
  return head ? 0 : length;
}
