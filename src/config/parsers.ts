import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { StartError } from '../platform/database/database.js';
import { parseTrust, type Trust } from '../platform/http/address.js';
import { isLoopback } from '../platform/loopback.js';
import type { ServiceAccount } from '../platform/push/fcm-account.js';
import { projectRoot } from '../platform/root.js';
import type { Bucket } from '../platform/storage/s3-storage.js';
import { trimmedEnd } from '../platform/trim.js';
import { isZone } from '../platform/zone.js';

/** Reads the text of a variable. Throws a StartError that names it when it is malformed. */
export type Parse<T> = (text: string, name: string) => T;

const bad = (name: string, what: string) => new StartError(`${name} must be ${what}.`);

export const text: Parse<string> = (value) => value;
export const oneOf =
  <const T extends string>(...values: T[]): Parse<T> =>
  (value, name) => {
    if (!(values as string[]).includes(value)) throw bad(name, `one of ${values.join(', ')}`);
    return value as T;
  };
export const integer =
  (least: number, most: number): Parse<number> =>
  (value, name) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most)
      throw bad(name, `a whole number from ${least} to ${most}`);
    return number;
  };
/** A number of processes; auto is that of the processors that this process may use. */
export const workers: Parse<number> = (value, name) => {
  if (value === 'auto') return Math.min(availableParallelism(), MOST_WORKERS);
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < 1 || number > MOST_WORKERS)
    throw bad(name, `auto, or a whole number from 1 to ${MOST_WORKERS}`);
  return number;
};
const MOST_WORKERS = 64;
export const url =
  (...protocols: string[]): Parse<string> =>
  (value, name) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (!parsed || !protocols.includes(parsed.protocol))
      throw bad(name, `an address that starts with ${protocols[0]}//`);
    return trimmedEnd(value, '/');
  };
/** An address that is kept as it is: an issuer may end with a slash. */
export const exactUrl: Parse<string> = (value, name) => {
  url('https:', 'http:')(value, name);
  return value;
};
/** An https address, or an http address of this machine. */
export const secured: Parse<string> = (value, name) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const local = parsed?.protocol === 'http:' && isLoopback(parsed.hostname);
  if (parsed?.protocol !== 'https:' && !local)
    throw bad(name, 'an address that starts with https:// (http:// on this machine alone)');
  return trimmedEnd(value, '/');
};
/** An address that is kept as it is, and asked by `fetch`, which refuses credentials. */
const withoutCredentials =
  (parse: Parse<string>): Parse<string> =>
  (value, name) => {
    parse(value, name);
    const { username, password } = new URL(value);
    if (username || password) throw bad(name, 'an address without credentials');
    return value;
  };
/** A secured address that is kept as it is, without credentials. */
export const webhook = withoutCredentials(secured);
/** Any address that is kept as it is, without credentials. */
export const resource = withoutCredentials(exactUrl);
/** A bucket: https://KEY:SECRET@HOST/BUCKET?region=REGION; the region is us-east-1 unless it is given. */
export const bucket: Parse<Bucket> = (value, name) => {
  secured(value, name);
  const { origin, pathname, searchParams, hash, username, password } = new URL(value);
  const [, named] = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/.exec(pathname) ?? [];
  const [accessKeyId, secretAccessKey] = [decoded(username), decoded(password)];
  const isUnread = hash !== '' || [...searchParams.keys()].some((each) => each !== 'region');
  if (!named || isUnread || accessKeyId === undefined || !accessKeyId !== !secretAccessKey)
    throw bad(name, 'https://KEY:SECRET@HOST/BUCKET?region=REGION, KEY and SECRET percent-encoded');
  return {
    endpoint: origin,
    region: searchParams.get('region') || 'us-east-1',
    bucket: named,
    ...(secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
  };
};
/** Returns what was percent-encoded; undefined for what was not. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
/** Secrets of Standard Webhooks, comma-separated. */
export const webhookSecrets: Parse<readonly Buffer[]> = (value, name) => {
  const secrets = words(value, name).map((text) => {
    const [, coded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
    return Buffer.from(coded ?? '', 'base64');
  });
  const fit = secrets.every(({ length }) => length >= 24 && length <= 64);
  if (!fit || secrets.length < 1 || secrets.length > 2)
    throw bad(name, 'whsec_ and 24 to 64 bytes as base64; two, comma-separated, while replaced');
  return secrets;
};
/** A share from 0 to 1, such as 0.1. */
export const share: Parse<number> = (value, name) => {
  const number = Number(value);
  if (!/^\d+(?:\.\d+)?$/.test(value) || number > 1) throw bad(name, 'a number from 0 to 1');
  return number;
};
/** Headers as OpenTelemetry writes them: name=value, comma-separated, values percent-encoded. */
export const headers: Parse<Readonly<Record<string, string>>> = (value, name) => {
  const entries = words(value, name).map((word) => {
    const [, header = '', coded = ''] = /^([\w-]+) *= *([!-~]*)$/.exec(word) ?? [];
    return [header.toLowerCase(), decoded(coded) ?? ''] as const;
  });
  if (!entries.every(([header, text]) => header && /^[ -~]+$/.test(text)))
    throw bad(name, 'name=value, comma-separated, each value percent-encoded ASCII');
  return Object.fromEntries(entries);
};
/** A secret that is sent in a header: visible characters of ASCII, at least so many. */
export const token =
  (least: number): Parse<string> =>
  (value, name) => {
    if (!/^[!-~]+$/.test(value) || value.length < least)
      throw bad(name, `at least ${least} visible characters of ASCII`);
    return value;
  };
/** A user name, as `createUser` takes it. */
export const userName: Parse<string> = (value, name) => {
  if (!/^[\p{L}\p{N} ._@-]{1,60}$/u.test(value))
    throw bad(name, '1 to 60 letters, digits, spaces and . _ - @');
  return value;
};
/** A password of people. */
export const password: Parse<string> = (value, name) => {
  const { length } = [...value];
  if (length < 8 || length > 256) throw bad(name, '8 to 256 characters long');
  return value;
};
export const folder: Parse<string> = (value) =>
  isAbsolute(value) ? value : resolve(projectRoot, value);
export const file = folder;
export const secret: Parse<string> = (value, name) => {
  if (value.length < 32) throw bad(name, 'at least 32 characters long');
  return value;
};
export const words: Parse<readonly string[]> = (value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
export const countries: Parse<readonly string[]> = (value, name) => {
  const list = words(value, name);
  if (list.length === 0 || !list.every((code) => /^[A-Z]{2}$/.test(code)))
    throw bad(name, 'a comma-separated list of countries (ISO 3166-1) such as DE,AT,CH');
  return list;
};
export const origins: Parse<readonly string[]> = (value, name) => {
  const list = words(value, name);
  for (const origin of list) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw bad(name, 'a comma-separated list of origins such as https://app.example');
  }
  return list;
};
export const pathSegment: Parse<string> = (value, name) => {
  if (!/^[\w-]+$/.test(value)) throw bad(name, 'letters, digits, - and _');
  return value;
};
export const providerName: Parse<string> = (value, name) => {
  if (!/^(?!idp_)[a-z][a-z0-9_]{0,30}$/.test(value))
    throw bad(name, 'a short word of a-z, 0-9 and _ that does not begin with idp_');
  return value;
};
export const proxies: Parse<Trust> = (value, name) => {
  const trust = parseTrust(value);
  if (trust === undefined)
    throw bad(name, 'a number from 0 to 9, or a comma-separated list of addresses and CIDR ranges');
  return trust;
};
export const address: Parse<string> = (value, name) => {
  if (!/^[^\s@<>",;]+@[^\s@<>",;]+$/.test(value))
    throw bad(name, 'an e-mail address such as care@example.com');
  return value;
};
/** One line of at most so many bytes. */
export const line =
  (most: number): Parse<string> =>
  (value, name) => {
    if (!value.trim() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) || Buffer.byteLength(value) > most)
      throw bad(name, `one line of at most ${most} bytes`);
    return value;
  };
export const timeZone: Parse<string> = (value, name) => {
  if (!isZone(value)) throw bad(name, 'the IANA name of a time zone, such as Europe/Berlin');
  return value;
};
export const onOff = oneOf('on', 'off');
export const subject: Parse<string> = (value, name) => {
  if (!/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value))
    throw bad(name, 'an address that starts with mailto: or https://');
  return value;
};
/** A key of so many bytes as URL-safe base64. */
export const base64Key =
  (bytes: number): Parse<string> =>
  (value, name) => {
    if (!/^[\w-]+=*$/.test(value) || Buffer.from(value, 'base64url').length !== bytes)
      throw bad(name, `a key of ${bytes} bytes as URL-safe base64`);
    return trimmedEnd(value, '=');
  };
/** A key of a Google service account: the JSON itself, or the path of its file. */
export const serviceAccount: Parse<ServiceAccount> = (value, name) => {
  const wrong = bad(name, 'the JSON key of a Google service account, or the path of its file');
  try {
    const text = value.trimStart().startsWith('{') ? value : readFileSync(value, 'utf8');
    const {
      project_id: projectId,
      client_email: clientEmail,
      private_key: privateKey,
      token_uri,
    } = JSON.parse(text);
    const tokenUri = token_uri ?? 'https://oauth2.googleapis.com/token';
    if (![projectId, clientEmail, privateKey].every((part) => typeof part === 'string' && part))
      throw wrong;
    createPrivateKey(privateKey);
    return { projectId, clientEmail, privateKey, tokenUri: url('https:', 'http:')(tokenUri, name) };
  } catch {
    throw wrong; // never the cause, which may quote the key
  }
};
