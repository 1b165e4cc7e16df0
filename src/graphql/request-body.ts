import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { GraphQLFormattedError } from 'graphql';
import { holdsTooMuch, namesIn } from '../platform/http/json-values.js';
import { readBody } from '../platform/http/raw-body.js';
import { tooManyVariables } from './document-variables.js';

/** In bytes, as sent and as unpacked. */
const LARGEST_BODY = 2 * 1024 * 1024;

/** What came in the body of a request: its JSON, or why it is refused. */
export type Body = { readonly value: unknown } | Refused;

/** Why a body is not read. */
interface Refused {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: GraphQLFormattedError;
  /** The `extensions` of the response. */
  readonly extensions?: object;
}

/** Pays for so many bytes and names; returns a refusal when the quota does not cover them. */
type Pay = (bytes: number, names: number) => Promise<Refused | undefined>;

type Unpack = (bytes: Buffer, bounds: object) => Promise<Buffer>;

/** How a body is unpacked, and how many bytes one byte may become. */
const UNPACK: Readonly<Record<string, { readonly unpack: Unpack; readonly growth: number }>> = {
  gzip: { unpack: promisify(gunzip), growth: 1_032 },
  deflate: { unpack: promisify(inflate), growth: 1_032 },
  br: { unpack: promisify(brotliDecompress), growth: LARGEST_BODY },
};

const refusal = (status: number, message: string): Refused => ({
  status,
  error: { message, extensions: { code: 'BAD_REQUEST' } },
});
const tooLong = () => refusal(413, 'The request body may have 2 MiB at most.');
const notJson = () => refusal(400, 'The request body is not valid JSON.');
const noObject = () =>
  refusal(400, 'The request body must be a JSON object, with the document in `query`.');
const notPacked = () =>
  refusal(400, 'The request body is not packed as its Content-Encoding says.');

/**
 * Reads the JSON of a POST: at most 2 MiB, in UTF-8, plain or as gzip, deflate or br. Refusals have
 * the code BAD_REQUEST and the status 400, 413 or 415; a body with more values than variables may
 * have is refused before it is parsed, and so is one that `pay` refuses. What cannot be unpacked,
 * or becomes too long, is paid as what it may have become. A request without a type counts as one
 * without a body. Rejects with RequestAborted when the caller closes the connection.
 */
export async function bodyOf(request: IncomingMessage, pay: Pay): Promise<Body> {
  const { headers, method } = request;
  const type = headers['content-type'];
  if (method !== 'POST' || type === undefined) return { value: undefined };
  if (!isJson(type))
    return refusal(
      415,
      'The request body must be JSON in UTF-8: send Content-Type: application/json.',
    );
  const packed = headers['content-encoding']?.toLowerCase() || 'identity';
  const coding = UNPACK[packed];
  if (!coding && packed !== 'identity')
    return refusal(415, 'The request body may be packed as gzip, deflate or br.');
  const sent = await readBody(request, LARGEST_BODY);
  if (!sent) return tooLong();
  const bytes = coding ? await unpacked(coding.unpack, sent) : sent;
  if ('status' in bytes) {
    const most = Math.min(LARGEST_BODY, sent.length * (coding?.growth ?? 1));
    return (await pay(most, 0)) ?? bytes;
  }
  return (await pay(bytes.length, namesIn(bytes))) ?? parsed(bytes);
}

async function unpacked(unpack: Unpack, sent: Buffer): Promise<Buffer | Refused> {
  try {
    return await unpack(sent, { maxOutputLength: LARGEST_BODY });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLong()
      : notPacked();
  }
}

/** Returns whether a media type is JSON in UTF-8, which is what JSON without a charset is in. */
function isJson(type: string): boolean {
  if (type === 'application/json') return true;
  const [name = '', ...parameters] = type.toLowerCase().split(';');
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  return name.trim() === 'application/json' && isUtf8;
}

/** An empty body is one without a document. */
function parsed(bytes: Buffer): Body {
  if (bytes.length === 0) return { value: undefined };
  if (holdsTooMuch(bytes)) return { status: 400, error: tooManyVariables().toJSON() };
  try {
    const value: unknown = JSON.parse(bytes.toString().replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null ? { value } : noObject();
  } catch {
    return notJson();
  }
}
