import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Request, RequestHandler } from 'express';

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

/**
 * A parser of bodies that also reads those of callers who have ended their side. Express's parsers
 * take such a request for one that has been read, and leave it without a body: they get a copy.
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
