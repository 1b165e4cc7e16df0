import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import type { Config } from '../config/config.js';
import {
  type CachedBytes,
  cachedBytes,
  compressedBytes,
  sendCached,
} from '../platform/http/cached-bytes.js';
import { isRead, takesBrotli, takesGzip } from '../platform/http/send.js';
import { projectRoot } from '../platform/root.js';

/** Built by scripts/playground.mjs: files that are compressed, and assets.json with their names. */
const FOLDER = join(projectRoot, 'dist-playground');
const ASSETS = '/graphql/assets';

/** Scripts are files of this service. Editor and charts set styles of their own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = {
  'Content-Type': 'text/html; charset=UTF-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
};

/** What is answered while the playground is not built yet. The page loads itself again. */
const BEING_MADE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="5">
<title>Care: being made</title>
<p>The playground is being made. After a first start this takes a minute or two; the service answers
already. This page loads itself again every 5 seconds. If the playground does not come, the output of
npm start says why.</p>
</html>
`;

/** Names of the built files by their plain names, such as main.js. */
let names: Readonly<Record<string, string>> | undefined;
async function assetNames(): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    names ??= JSON.parse(await readFile(join(FOLDER, 'assets.json'), 'utf8'));
  } catch {
    // It is being made: its names come last.
  }
  return names;
}

/**
 * Returns a page of the playground: its script and styles, and the addresses of all built files.
 */
async function pageOf(
  files: Readonly<Record<string, string>>,
  script: string,
  title: string,
  isOpen: boolean,
): Promise<CachedBytes> {
  const addresses = Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, `${ASSETS}/${file}`]),
  );
  return cachedBytes(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${addresses[`${script}.css`]}">
<body data-schema="${isOpen ? 'open' : 'by role'}">
<div id="care"></div>
<script type="application/json" id="care-assets">${JSON.stringify(addresses)}</script>
<script type="module" src="${addresses[`${script}.js`]}"></script>
</html>
`);
}

/**
 * Serves a page of the playground to browsers. Passes other requests to the next handler. `isOpen`
 * says whether everyone may read the schema. Answers 503 and a page that loads itself again while
 * the playground is not built, which it is after the first start.
 */
function page(script: string, title: string, isOpen: boolean): RequestHandler {
  let made: Promise<CachedBytes> | undefined;
  return async (request, response, next) => {
    if (!isRead(request) || request.accepts(['application/json', 'html']) !== 'html') return next();
    const files = await assetNames();
    if (!files)
      return void response
        .status(503)
        .set({ ...PAGE, 'Retry-After': '5' })
        .send(BEING_MADE);
    made ??= pageOf(files, script, title, isOpen);
    sendCached(request, response, await made, { ...PAGE, Vary: 'Accept' });
  };
}

/**
 * Returns the playground: a builder of reports, boards of them, and GraphiQL, which is loaded when
 * it is opened. It loads nothing from another host. It never writes the query into the URL. What is
 * written stays in the tab.
 */
export const playground = ({ NODE_ENV }: Pick<Config, 'NODE_ENV'>): RequestHandler =>
  page('main', 'Care: reports', NODE_ENV === 'development');

/** The page that leads from a REST request to the operation that answers it. */
export const fromRest: RequestHandler = page('rest', 'Care: from REST', false);

const assets = new Map<string, Promise<CachedBytes>>();

const assetOf = async (name: string) =>
  compressedBytes(
    await readFile(join(FOLDER, `${name}.gz`)),
    await readFile(join(FOLDER, `${name}.br`)),
  );

/**
 * Serves the built files of the playground. Their names change with their content, so browsers keep
 * them. A file is read at its first request and kept compressed; 406 for who takes neither
 * Brotli nor gzip.
 */
export const playgroundAssets: RequestHandler = async (request, response, next) => {
  const name = request.path.slice(1);
  const known = Object.values((await assetNames()) ?? {}).includes(name);
  if (!known || !isRead(request)) return next();
  if (!takesGzip(request) && !takesBrotli(request)) return void response.status(406).end();
  const bytes = assets.get(name) ?? assetOf(name);
  assets.set(name, bytes);
  sendCached(request, response, await bytes, {
    'Content-Type': TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': POLICY,
    'X-Robots-Tag': 'noindex',
  });
};
