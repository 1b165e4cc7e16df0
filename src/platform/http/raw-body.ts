import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Request, RequestHandler } from 'express';

/** The caller closed the connection before the whole body arrived. */
export class RequestAborted extends Error {}

/**
 * Reads the whole body of a request. Returns undefined when it is larger than `most` bytes; the
 * rest is then discarded. Rejects with RequestAborted when the caller closes the connection.
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
    // It also closes after its end. An error costs the stack that it records.
    request.on('close', () => request.readableEnded || reject(new RequestAborted()));
  });
}

/**
 * Wraps a body parser so that it also reads requests whose callers have closed their side of the
 * connection. Express's parsers treat such a request as already read and leave it without a body,
 * so they get a copy.
 */
export function alsoHalfClosed(parse: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (!request.socket.readableEnded || request.readableEnded)
      return parse(request, response, next);
    const { headers } = request;
    const copy = Object.assign(request.pipe(new PassThrough()), { headers }) as unknown as Request;
    return parse(copy, response, (error) => {
      request.body = copy.body;
      next(error);
    });
  };
}
