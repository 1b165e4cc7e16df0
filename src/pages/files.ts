import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { App } from '../app/app.js';
import { fileAt, importedFileAt } from '../domains/files/kept/file-reading.service.js';
import type { KeptFile } from '../domains/files/kept/kept-file.js';
import { callerAddress, networkOf } from '../platform/http/address.js';
import { isKnown } from '../platform/http/etag.js';
import { Patience } from '../platform/http/patience.js';
import { isStorable } from '../platform/storable.js';
import type { ByteRange } from '../platform/storage/storage.js';

/** Files that callers read at the same time from one process. */
const READERS = { each: 100, all: 1_000 };
/** Types that browsers show without running anything of them; others are saved. */
const SHOWN = /^(?:image|audio|video)\/|^application\/pdf$/;

/** Lets nothing of a file run, whatever a browser takes it for. */
const POLICY = "sandbox; default-src 'none'";
/** Likewise, but a browser that opens the address alone makes a page with a player of its own. */
const PLAYED_POLICY = "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'";
const PLAYED = /^(?:audio|video)\//;

/**
 * What every file is sent with. Pages of all origins may show it, as the type that it is sent with. An
 * address never changes what it shows, so it is kept for a year.
 */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Accept-Ranges': 'bytes',
} as const;

/** A later import may put another file at an address of the original. */
const REPLACEABLE = { 'Cache-Control': 'public, max-age=3600' } as const;

/**
 * Serves the files of media, `/files/KEY/NAME`, and those that were imported also at the addresses of the
 * original, `/wp-content/uploads/PATH`: whole or, of GET, one range of bytes (RFC 9110, 14.2); several
 * ranges at once are answered with the whole. `streams` is told of responses that wait for their
 * readers. Of too many readers the oldest are broken off: see `Patience`.
 */
export function mediaFiles(app: App, streams: (response: Response) => void): RequestHandler {
  const { deps } = app;
  const readers = new Patience('files', READERS);
  return async (request, response, next) => {
    const { key, name, path } = request.params;
    const file = path
      ? await importedAt(deps, [path].flat().join('/'))
      : await fileAt(deps, String(key), String(name));
    if (!file) return next();
    response.set({ ...HEADERS, ...(path ? REPLACEABLE : {}), ...headersOf(file) });
    if (isKnown(request.headers['if-none-match'], `W/"${file.sha256}"`))
      return void response.status(304).end();
    const range = request.method === 'GET' ? rangeOf(request, file) : undefined;
    if (range === 'unsatisfiable') {
      response.set('Content-Range', `bytes */${file.bytes}`);
      return void response.status(416).end();
    }
    const length = range ? range.end - range.start + 1 : file.bytes;
    if (range) response.set('Content-Range', `bytes ${range.start}-${range.end}/${file.bytes}`);
    response.status(range ? 206 : 200).set('Content-Length', String(length));
    if (request.method === 'HEAD') return void response.end();
    const body = await deps.storage.read(file.key, range).catch((error: unknown) => {
      deps.log.error({ err: error }, 'a file could not be read');
      return 'outage' as const;
    });
    if (body === 'outage') return unreadable(response);
    if (!body) return missing(response, next);
    streams(response);
    const address = callerAddress(
      request.socket.remoteAddress,
      request.headers['x-forwarded-for']?.toString(),
      deps.config.TRUSTED_PROXIES,
    );
    const leave = readers.enter(networkOf(address), () => response.destroy());
    // Who stops reading, and a storage that breaks off, end the response; nothing is left to say.
    await pipeline(body, response)
      .catch(() => response.destroy())
      .finally(leave);
  };
}

const importedAt = async (deps: App['deps'], path: string) =>
  isStorable(path) ? importedFileAt(deps, path) : undefined;

const headersOf = ({ mimeType, sha256, name }: KeptFile) => ({
  'Content-Type': mimeType,
  'Content-Security-Policy': PLAYED.test(mimeType) ? PLAYED_POLICY : POLICY,
  ETag: `"${sha256}"`,
  'Content-Disposition': `${SHOWN.test(mimeType) ? 'inline' : 'attachment'}; filename="${name}"`,
});

/** A file that the storage does not give now. */
function unreadable(response: Response): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.status(503).set({ 'Retry-After': '1', 'Cache-Control': 'no-store' }).end();
}

/** A row whose file is gone, as after the folder was lost. */
function missing(response: Response, next: () => void): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  next();
}

/**
 * Returns the range that is asked for; undefined for the whole file: where there is no range or
 * several, or If-Range names another file.
 */
function rangeOf(
  request: Request,
  { bytes, sha256 }: KeptFile,
): ByteRange | 'unsatisfiable' | undefined {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== `"${sha256}"`) return undefined;
  const ranges = request.range(bytes);
  if (ranges === -1) return 'unsatisfiable';
  if (!Array.isArray(ranges) || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
