import type { IncomingMessage } from 'node:http';

/** The caller went away before the body was whole. */
export class RequestAborted extends Error {}

/**
 * Reads a request's body whole; undefined when it is larger than `most` bytes, whose rest is thrown
 * away as it comes. Rejects with RequestAborted when the caller goes away.
 */
export function readBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > most) return Promise.resolve(undefined);
  if (request.destroyed) return Promise.reject(new RequestAborted());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= most) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => reject(new RequestAborted()));
    request.on('close', () => reject(new RequestAborted()));
  });
}
