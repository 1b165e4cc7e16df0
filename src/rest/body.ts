import { isUtf8 } from 'node:buffer';
import { Busboy } from '@fastify/busboy';
import { holdsTooMuch, MOST_VALUES } from '../platform/http/json-values.js';
import { collect, type Excess, type Parameters, parseQuery } from './query.js';

/** A body that is refused, with the error that the caller gets. */
export class BodyError extends Error {
  constructor(
    readonly status: 400 | 413,
    readonly code: string,
    message: string,
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'BodyError';
  }
}

const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json$/;
const BROKEN_OFF = new BodyError(
  400,
  'rest_invalid_multipart',
  'The multipart body is broken off or malformed.',
);
/** Most parts of a multipart body, files among them: twice as many as it may have fields. */
const MOST_PARTS = 2_000;
const LIMITS = {
  fields: 1_001,
  fieldSize: 2 ** 20,
  fieldNameSize: 1_000,
  files: 0,
  parts: MOST_PARTS,
};
/** Bytes of a multipart body that are read at once. */
const PIECE = 16 * 1024;
const DEPTH = 512;
/** Some programs of Windows begin texts with it. */
const BYTE_ORDER_MARK = /^\ufeff/;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** Codes and texts of PHP's json_last_error. */
const JSON_ERRORS = {
  depth: [1, 'Maximum stack depth exceeded'],
  control: [3, 'Control character error, possibly incorrectly encoded'],
  syntax: [4, 'Syntax error'],
  utf8: [5, 'Malformed UTF-8 characters, possibly incorrectly encoded'],
  utf16: [10, 'Single unpaired high surrogate in Unicode escape'],
} as const;

/**
 * Returns the fields of a body by its content type: JSON, form, or none for other types. A JSON
 * body that is no object has none. `excess` is called for fields of a form that are not read.
 * Throws a BodyError 400 for JSON that is malformed or nests deeper than 512 and for a multipart
 * body that breaks off, 413 for JSON of more than MOST_VALUES values, for a multipart field above
 * 1 MiB and for more than MOST_PARTS parts.
 */
export async function parseBody(
  contentType: string | undefined,
  bytes: Buffer,
  excess?: Excess,
): Promise<{ json?: Parameters; form?: Parameters }> {
  const type = typeOf(contentType);
  if (JSON_TYPE.test(type)) return { json: parseJson(bytes) };
  if (type === 'application/x-www-form-urlencoded')
    return { form: parseQuery(bytes.toString().replace(BYTE_ORDER_MARK, ''), excess) };
  return contentType && type === 'multipart/form-data'
    ? { form: await parseMultipart(contentType, bytes, excess) }
    : {};
}

const typeOf = (contentType: string | undefined) =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Returns whether a content type is JSON. */
export const isJson = (contentType: string | undefined): boolean =>
  JSON_TYPE.test(typeOf(contentType));

function parseJson(bytes: Buffer): Parameters {
  const fields = Object.create(null) as Parameters;
  if (bytes.length === 0) return fields;
  if (!isUtf8(bytes)) throw jsonError('utf8');
  const text = bytes.toString();
  if (holdsTooMuch(bytes)) throw faultOf(text) === 'depth' ? jsonError('depth') : tooManyValues();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw jsonError(faultOf(text));
  }
  const careful = text.includes('\\u') || text.includes('__proto__');
  if (careful || text.length > DEPTH * 2) inspect(value, careful, 0);
  return typeof value === 'object' && !Array.isArray(value) ? Object.assign(fields, value) : fields;
}

/**
 * Throws for what nests too deep. `careful` also throws for lone surrogates, and removes
 * `__proto__`.
 */
function inspect(value: unknown, careful: boolean, depth: number): void {
  if (careful && typeof value === 'string' && LONE_SURROGATE.test(value)) throw jsonError('utf16');
  if (typeof value !== 'object' || value === null) return;
  if (depth >= DEPTH) throw jsonError('depth');
  if (careful) Reflect.deleteProperty(value, '__proto__');
  for (const [key, part] of Object.entries(value)) {
    inspect(key, careful, depth);
    inspect(part, careful, depth + 1);
  }
}

/** Returns the fault of a malformed text: depth and control characters, or else syntax. */
function faultOf(text: string): keyof typeof JSON_ERRORS {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) quoted = !quoted;
    else if (quoted && code < 0x20) return 'control';
    else if (quoted && code === 0x5c) i++;
    else if (!quoted && (code === 0x5b || code === 0x7b) && ++depth > DEPTH) return 'depth';
    else if (!quoted && (code === 0x5d || code === 0x7d)) depth--;
  }
  return 'syntax';
}

function tooManyValues(): BodyError {
  const most = MOST_VALUES.toLocaleString('en');
  return new BodyError(
    413,
    'rest_request_too_large',
    `A JSON body may hold ${most} values at most.`,
  );
}

function jsonError(fault: keyof typeof JSON_ERRORS): BodyError {
  const [json_error_code, json_error_message] = JSON_ERRORS[fault];
  return new BodyError(400, 'rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code,
    json_error_message,
  });
}

/**
 * Returns the fields of a multipart body, up to the one beyond the first 1,000, which `excess` is
 * told of. Files are ignored, and so are parts without a name and a body whose type names no boundary.
 * It is read in pieces, so that nothing is read behind its bounds. Throws a BodyError 400 for one that
 * breaks off, 413 for more than MOST_PARTS parts, and for a field above 1 MiB.
 */
function parseMultipart(contentType: string, bytes: Buffer, excess?: Excess): Promise<Parameters> {
  const pairs: [string, string][] = [];
  return new Promise((resolve, reject) => {
    let ended = false;
    const end = (then: () => void) => {
      ended = true;
      then();
    };
    const done = () => end(() => resolve(collect(pairs, excess)));
    const refuse = (message: string) =>
      end(() => reject(new BodyError(413, 'rest_request_too_large', message)));
    try {
      const parser = new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS })
        .on('field', (name: string | undefined, value, nameTruncated, valueTruncated) => {
          if (valueTruncated) refuse('A field of the form is too large.');
          else if (name && !nameTruncated) pairs.push([name, value]);
        })
        .on('fieldsLimit', done)
        .on('partsLimit', () =>
          refuse(`A form may have ${MOST_PARTS.toLocaleString('en')} parts at most.`),
        )
        .on('error', () => end(() => reject(BROKEN_OFF)))
        .on('finish', done);
      for (let at = 0; at < bytes.length && !ended; at += PIECE)
        parser.write(bytes.subarray(at, at + PIECE));
      parser.end();
    } catch {
      done();
    }
  });
}
