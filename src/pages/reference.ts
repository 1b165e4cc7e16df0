import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { RequestHandler } from 'express';
import { type CachedBytes, cachedBytes, sendCached } from '../platform/http/cached-bytes.js';
import { isRead } from '../platform/http/send.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' " +
  "data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = (api: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Care: REST</title>
<link rel="stylesheet" href="${api}/reference/swagger-ui.css">
<div id="reference"></div>
<script src="${api}/reference/swagger-ui-bundle.js"></script>
<script src="${api}/reference/start.js"></script>
</html>
`;

const start = (api: string) => `SwaggerUIBundle({
  url: '${api}/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
});
`;

const HTML = 'text/html; charset=UTF-8';
const SCRIPT = 'text/javascript; charset=UTF-8';

/** What stands below an address of the reference: its media type, and its text for an API. */
const FILES: Readonly<
  Record<string, readonly [string, (api: string) => string | Promise<Buffer>]>
> = {
  '/': [HTML, page],
  '/start.js': [SCRIPT, start],
  '/swagger-ui-bundle.js': [SCRIPT, () => packaged('swagger-ui-bundle.js')],
  '/swagger-ui.css': ['text/css; charset=UTF-8', () => packaged('swagger-ui.css')],
};

function packaged(file: string): Promise<Buffer> {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return readFile(join(folder, file));
}

/**
 * Serves the document of an API for people, by Swagger UI. It loads nothing from another host.
 * `api` is the path of the API. Files are read and compressed once, at their first request.
 */
export function reference(api: string): RequestHandler {
  const made = new Map<string, Promise<CachedBytes>>();
  return async (request, response, next) => {
    const [type, text] = FILES[request.path] ?? [];
    const reads = isRead(request);
    if (!type || !text || !reads) return next();
    const bytes = made.get(request.path) ?? Promise.resolve(text(api)).then(cachedBytes);
    made.set(request.path, bytes);
    sendCached(request, response, await bytes, {
      'Content-Type': type,
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    });
  };
}
