import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CachedBytes, cachedBytes, sendCached } from '../../platform/http/cached-bytes.js';
import { CORS_ALWAYS, corsFor } from '../../platform/http/cors.js';

/** A JSON document about an edition as bytes, made at the first request and kept. */
export class ServedDocument {
  #bytes: Promise<CachedBytes> | undefined;

  /** `origins`: browser origins that may call. */
  constructor(
    readonly path: string,
    private readonly origins: readonly string[],
    private readonly make: () => unknown,
  ) {}

  /** Sends the document. Anyone may read it. */
  async send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#bytes ??= this.#make();
    const { origin } = request.headers;
    sendCached(request, response, await this.#bytes, {
      'Content-Type': 'application/json; charset=UTF-8',
      'X-Robots-Tag': 'noindex',
      ...CORS_ALWAYS,
      ...(origin && corsFor(origin, this.origins)),
      Vary: 'Origin',
    });
  }

  async #make(): Promise<CachedBytes> {
    return cachedBytes(JSON.stringify(await this.make()));
  }
}
