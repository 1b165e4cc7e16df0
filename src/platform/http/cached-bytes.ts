import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { NO_SNIFFING } from './no-sniffing.js';
import { takesBrotli, takesGzip } from './send.js';

/** A text that was encoded and compressed once. */
export interface CachedBytes {
  /** Undefined where every reader takes gzip. */
  readonly plain?: Buffer;
  /** With gzip. */
  readonly compressed: Buffer;
  /** With Brotli, for who takes it. */
  readonly brotli?: Buffer;
  /** Its ETag. */
  readonly tag: string;
}

/** Encodes and compresses a text. */
export async function cachedBytes(text: string | Buffer): Promise<CachedBytes> {
  const plain = Buffer.from(text);
  return { plain, compressed: await promisify(gzip)(plain), tag: tagOf(plain) };
}

/** Takes bytes that are compressed already. They are kept, and sent, only like this. */
export const compressedBytes = (compressed: Buffer, brotli: Buffer): CachedBytes => ({
  compressed,
  brotli,
  tag: tagOf(compressed),
});

const tagOf = (bytes: Buffer) => `W/"${createHash('sha256').update(bytes).digest('base64url')}"`;

/**
 * Sends such a text, with its ETag; 304 when the caller has it already; to HEAD the headers alone.
 * Callers ask each time whether it has changed, unless `headers` says otherwise.
 */
export function sendCached(
  request: IncomingMessage,
  response: ServerResponse,
  { plain, compressed, brotli, tag }: CachedBytes,
  headers: Readonly<Record<string, string>>,
): void {
  const { method, headers: asked } = request;
  const known = (asked['if-none-match'] ?? '').split(',').map((other) => other.trim());
  const [bytes, coding] =
    brotli && takesBrotli(request)
      ? [brotli, 'br']
      : plain && !takesGzip(request)
        ? [plain]
        : [compressed, 'gzip'];
  const isKnown = known.some(
    (other) => other === '*' || other.replace(/^W\//, '') === tag.slice(2),
  );
  response.writeHead(isKnown ? 304 : 200, {
    'Cache-Control': 'no-cache',
    ...NO_SNIFFING,
    ...headers,
    ETag: tag,
    Vary: ['Accept-Encoding', headers.Vary].filter(Boolean).join(', '),
    ...(!isKnown && coding && { 'Content-Encoding': coding }),
    ...(!isKnown && { 'Content-Length': String(bytes.length) }),
  });
  response.end(isKnown || method === 'HEAD' ? undefined : bytes);
}
