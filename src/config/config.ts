import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { StartError } from '../platform/database/database.js';
import { parseTrust, type Trust } from '../platform/http/address.js';
import { isLoopback } from '../platform/loopback.js';
import type { ServiceAccount } from '../platform/push/fcm-account.js';
import { projectRoot } from '../platform/root.js';
import { isZone } from '../platform/zone.js';
import {
  type ConfiguredProvider,
  PRESETS,
  type PresetName,
  readProviders,
  type Slot,
  type SlotVariables,
} from './providers.js';

type Parse<T> = (text: string, name: string) => T;
interface Variable<T> {
  readonly parse: Parse<T>;
  readonly fallback: T;
  /** One line for the README's table. */
  readonly about: string;
}

const variable = <T>(parse: Parse<T>, fallback: T, about: string): Variable<T> => ({
  parse,
  fallback,
  about,
});
const bad = (name: string, what: string) => new StartError(`${name} must be ${what}.`);

const text: Parse<string> = (value) => value;
const oneOf =
  <const T extends string>(...values: T[]): Parse<T> =>
  (value, name) => {
    if (!(values as string[]).includes(value)) throw bad(name, `one of ${values.join(', ')}`);
    return value as T;
  };
const integer =
  (least: number, most: number): Parse<number> =>
  (value, name) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most)
      throw bad(name, `a whole number from ${least} to ${most}`);
    return number;
  };
const url =
  (...protocols: string[]): Parse<string> =>
  (value, name) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (!parsed || !protocols.includes(parsed.protocol))
      throw bad(name, `an address that starts with ${protocols[0]}//`);
    return value.replace(/\/+$/, '');
  };
/** An address of somebody else's, kept to the letter: an issuer may end with a slash. */
const exactUrl: Parse<string> = (value, name) => {
  url('https:', 'http:')(value, name);
  return value;
};
/** An https address, or one of this machine, where http will do. */
const secured: Parse<string> = (value, name) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const local = parsed?.protocol === 'http:' && isLoopback(parsed.hostname);
  if (parsed?.protocol !== 'https:' && !local)
    throw bad(name, 'an address that starts with https:// (http:// on this machine alone)');
  return value.replace(/\/+$/, '');
};
const folder: Parse<string> = (value) => (isAbsolute(value) ? value : resolve(projectRoot, value));
const file = folder;
const secret: Parse<string> = (value, name) => {
  if (value.length < 32) throw bad(name, 'at least 32 characters long');
  return value;
};
const words: Parse<readonly string[]> = (value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
const origins: Parse<readonly string[]> = (value, name) => {
  const list = words(value, name);
  for (const origin of list) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw bad(name, 'a comma-separated list of origins such as https://app.example');
  }
  return list;
};
const pathSegment: Parse<string> = (value, name) => {
  if (!/^[\w-]+$/.test(value)) throw bad(name, 'letters, digits, - and _');
  return value;
};
const providerName: Parse<string> = (value, name) => {
  if (!/^(?!idp_)[a-z][a-z0-9_]{0,30}$/.test(value))
    throw bad(name, 'a short word of a-z, 0-9 and _ that does not begin with idp_');
  return value;
};
const proxies: Parse<Trust> = (value, name) => {
  const trust = parseTrust(value);
  if (trust === undefined)
    throw bad(name, 'a number from 0 to 9, or a comma-separated list of addresses and CIDR ranges');
  return trust;
};
const address: Parse<string> = (value, name) => {
  if (!/^[^\s@<>",;]+@[^\s@<>",;]+$/.test(value))
    throw bad(name, 'an e-mail address such as care@example.com');
  return value;
};
/** One line of at most so many bytes. */
const line =
  (most: number): Parse<string> =>
  (value, name) => {
    if (!value.trim() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) || Buffer.byteLength(value) > most)
      throw bad(name, `one line of at most ${most} bytes`);
    return value;
  };
const timeZone: Parse<string> = (value, name) => {
  if (!isZone(value)) throw bad(name, 'the IANA name of a time zone, such as Europe/Berlin');
  return value;
};
const onOff = oneOf('on', 'off');
const subject: Parse<string> = (value, name) => {
  if (!/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value))
    throw bad(name, 'an address that starts with mailto: or https://');
  return value;
};
/** A key of so many bytes as URL-safe base64. */
const base64Key =
  (bytes: number): Parse<string> =>
  (value, name) => {
    if (!/^[\w-]+=*$/.test(value) || Buffer.from(value, 'base64url').length !== bytes)
      throw bad(name, `a key of ${bytes} bytes as URL-safe base64`);
    return value.replace(/=+$/, '');
  };
/** A Google service account's key: the JSON itself, or the path of the file that holds it. */
const serviceAccount: Parse<ServiceAccount> = (value, name) => {
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
const none = undefined as string | undefined;

/** The variables of one place for an identity provider. */
const slot = <S extends Slot>(letter: S) => {
  const variables = {
    NAME: variable(
      providerName,
      none,
      `Of identity provider ${letter}: its name; adds the route /v1/<name>_login.`,
    ),
    PRESET: variable(
      oneOf(...(Object.keys(PRESETS) as PresetName[])),
      undefined as PresetName | undefined,
      `Of identity provider ${letter}: google, apple, microsoft or facebook sets issuer, keys and rules.`,
    ),
    ISSUER: variable(
      exactUrl,
      none,
      `Of identity provider ${letter}: the issuer of its OpenID Connect id tokens.`,
    ),
    JWKS_URL: variable(
      exactUrl,
      none,
      `Of identity provider ${letter}: its keys. Default: what the issuer's discovery says.`,
    ),
    AUDIENCE: variable(
      words,
      [] as readonly string[],
      `Of identity provider ${letter}: our client ids there, comma-separated; required.`,
    ),
    TOKENINFO_URL: variable(
      exactUrl,
      none,
      `Of identity provider ${letter}: where opaque tokens are looked up; {token} stands for the token, else it is sent as Bearer.`,
    ),
  };
  const named = Object.entries(variables).map(([name, value]) => [`IDP_${letter}_${name}`, value]);
  return Object.fromEntries(named) as {
    [K in keyof typeof variables as `IDP_${S}_${K}`]: (typeof variables)[K];
  };
};

/** Every variable of the environment that the service reads. */
export const VARIABLES = {
  PORT: variable(integer(0, 65535), 3000, 'Port to listen on; 0 takes a free one.'),
  HOST: variable(
    text,
    none,
    'Address to listen on. Default 127.0.0.1 on the embedded database, 0.0.0.0 with DATABASE_URL.',
  ),
  BASE_URL: variable(
    url('http:', 'https:'),
    none,
    'Public address of the service. Default http://localhost:PORT.',
  ),
  DATA_DIR: variable(
    folder,
    resolve(projectRoot, 'data'),
    'Folder of the embedded database and of generated secrets.',
  ),
  DATABASE_URL: variable(
    url('postgresql:', 'postgres:'),
    none,
    'PostgreSQL to use instead of the embedded database.',
  ),
  DATABASE_POOL: variable(
    integer(1, 1000),
    10,
    'Connections of each process to PostgreSQL at most, and one that watches over them.',
  ),
  DATABASE_STATEMENT_LIMIT: variable(
    integer(1, 3600),
    30,
    'Seconds that PostgreSQL may spend on one statement.',
  ),
  DATABASE_POOLER: variable(
    oneOf('auto', 'transaction', 'none'),
    'auto' as const,
    'transaction: a pooler such as PgBouncer in transaction mode stands before PostgreSQL; ' +
      'none: nothing does; auto finds out.',
  ),
  DATABASE_WAIT: variable(
    integer(0, 3600),
    30,
    'Seconds to wait at start for PostgreSQL to answer.',
  ),
  REDIS_URL: variable(
    url('redis:', 'rediss:'),
    none,
    'Redis that counts limits for all processes. Default: each counts its own.',
  ),
  SECRET_KEY: variable(
    secret,
    none,
    'Signs and encrypts. Made and kept under DATA_DIR when embedded, required with DATABASE_URL.',
  ),
  SECRET_KEY_PREVIOUS: variable(
    secret,
    none,
    'The key before: its tokens stay good until they expire, and what it encrypted can be read.',
  ),
  SECRET_KEY_NEXT: variable(
    secret,
    none,
    'The key to come: what processes that use it already sign and encrypt is good here too. ' +
      'See docs/operating.md.',
  ),
  AUDIT_HEAD_FILE: variable(
    file,
    none,
    'File that grows by the head of each seal of the audit. Default audit-heads under DATA_DIR.',
  ),
  ADMIN_DIR: variable(
    pathSegment,
    'admin',
    'Path of the pages for people, such as the authorization page.',
  ),
  ADMIN_USERNAME: variable(text, 'admin', 'Name of the administrator made on the first start.'),
  ADMIN_EMAIL: variable(text, 'admin@example.com', 'E-mail of that administrator.'),
  ADMIN_PASSWORD: variable(
    text,
    none,
    'Password of that administrator. Without it one is made and printed once.',
  ),
  SITE_TITLE: variable(
    line(200),
    none,
    'Name of the site, set on the first start. Default Care. Later: the mutation updateSite.',
  ),
  SITE_TAGLINE: variable(line(255), none, 'What the site is, in a line, set on the first start.'),
  SITE_TIME_ZONE: variable(
    timeZone,
    none,
    'Zone of the site, by its IANA name, set on the first start: members of whom no zone is ' +
      'known are reminded by it. Default UTC.',
  ),
  SEED: variable(
    oneOf('demo', 'none'),
    undefined as 'demo' | 'none' | undefined,
    'Demo content on the first start. Default demo when embedded, none with DATABASE_URL.',
  ),
  SMTP_URL: variable(
    url('smtps:', 'smtp:'),
    none,
    'Server that mail goes through: smtps://user:password@host:465; smtp: demands STARTTLS, ' +
      'but not of this machine. Without it mails become files under DATA_DIR.',
  ),
  MAIL_FROM: variable(
    address,
    none,
    'Address that mail comes from. Default no-reply@ and the host of BASE_URL.',
  ),
  OUTLOOK_CLIENT_ID: variable(
    text,
    none,
    'Client at Microsoft that connects a mailbox; its redirect address is ' +
      'BASE_URL/api/mailer/outlook_callback.',
  ),
  OUTLOOK_CLIENT_SECRET: variable(text, none, 'Secret of that client.'),
  OUTLOOK_ISSUER: variable(
    secured,
    'https://login.microsoftonline.com/common/v2.0',
    'Authorization server of that client.',
  ),
  OUTLOOK_GRAPH_URL: variable(
    secured,
    'https://graph.microsoft.com',
    'Where a connected mailbox sends mail (Microsoft Graph).',
  ),
  CORS_ORIGINS: variable(
    origins,
    [] as readonly string[],
    'Browser origins that may call the API, comma-separated.',
  ),
  ...slot('A'),
  ...slot('B'),
  ...slot('C'),
  TRUSTED_PROXIES: variable(
    proxies,
    0 as Trust,
    'Proxies in front whose X-Forwarded-For is believed: how many, or their addresses and CIDR ' +
      'ranges, comma-separated.',
  ),
  EXPO_URL: variable(
    url('https:', 'http:'),
    none,
    "Origin of Expo's push service. Setting it or EXPO_ACCESS_TOKEN sends Expo tokens there.",
  ),
  EXPO_ACCESS_TOKEN: variable(
    text,
    none,
    'Access token of the Expo project, where it requires one.',
  ),
  FCM_SERVICE_ACCOUNT: variable(
    serviceAccount,
    undefined as ServiceAccount | undefined,
    'Key of the Google service account that sends to FCM: JSON, or the path of its file.',
  ),
  FCM_URL: variable(url('https:', 'http:'), 'https://fcm.googleapis.com', 'Origin of FCM.'),
  FCM_TOKEN_URL: variable(
    url('https:', 'http:'),
    none,
    "Where FCM's access tokens are issued. Default: what the key says.",
  ),
  VAPID_PUBLIC_KEY: variable(
    base64Key(65),
    none,
    'Public key of Web Push, URL-safe base64. Needs the two below.',
  ),
  VAPID_PRIVATE_KEY: variable(base64Key(32), none, 'Private key of Web Push, URL-safe base64.'),
  VAPID_SUBJECT: variable(
    subject,
    none,
    'Where push services reach the operator: mailto: or https:.',
  ),
  WEB_PUSH_LOOPBACK: variable(
    onOff,
    'off',
    'on: Web Push services on this machine are sent to as well, for tests.',
  ),
  METRICS_TOKEN: variable(
    text,
    none,
    'Bearer token for /metrics. Without it only this machine itself may read them, never ' +
      'through a proxy, with TRUSTED_PROXIES or a BASE_URL elsewhere.',
  ),
  LOG_LEVEL: variable(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Least severe level that is logged.',
  ),
  RESPONSE_CACHE: variable(oneOf('on', 'off'), 'on', 'off: no cached answers, for measurements.'),
  RATE_LIMITS: variable(oneOf('on', 'off'), 'on', 'off: no rate limits, for measurements.'),
  NODE_ENV: variable(text, 'production', 'development opens introspection to everyone.'),
} as const;

type Values = {
  -readonly [K in keyof typeof VARIABLES]: (typeof VARIABLES)[K] extends Variable<infer T>
    ? T
    : never;
};

/** The environment, parsed and checked once, frozen. */
export interface Config extends Readonly<Omit<Values, 'HOST' | 'SEED' | 'AUDIT_HEAD_FILE'>> {
  readonly HOST: string;
  /** What the IDP_… variables say together. */
  readonly PROVIDERS: readonly ConfiguredProvider[];
  readonly AUDIT_HEAD_FILE: string;
  readonly SEED: 'demo' | 'none';
}

/**
 * Reads the configuration from an environment. Throws a StartError with one sentence for a
 * malformed variable, for one that looks like a misspelling of ours, and for a combination that
 * cannot work.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const values = readVariables(environment);
  const embedded = values.DATABASE_URL === undefined;
  if (!embedded && !values.SECRET_KEY)
    throw new StartError(
      'SECRET_KEY is required with DATABASE_URL: at least 32 random characters.',
    );
  if (!values.OUTLOOK_CLIENT_ID !== !values.OUTLOOK_CLIENT_SECRET)
    throw new StartError(
      'OUTLOOK_CLIENT_ID and OUTLOOK_CLIENT_SECRET are set together or not at all.',
    );
  const vapid = [values.VAPID_PUBLIC_KEY, values.VAPID_PRIVATE_KEY, values.VAPID_SUBJECT];
  if (vapid.some((value) => value !== undefined) && !vapid.every((value) => value !== undefined))
    throw new StartError(
      'VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT are needed together.',
    );
  return Object.freeze({
    ...values,
    HOST: values.HOST ?? (embedded ? '127.0.0.1' : '0.0.0.0'),
    PROVIDERS: readProviders({
      A: slotOf(values, 'A'),
      B: slotOf(values, 'B'),
      C: slotOf(values, 'C'),
    }),
    AUDIT_HEAD_FILE: values.AUDIT_HEAD_FILE ?? resolve(values.DATA_DIR, 'audit-heads'),
    SEED: values.SEED ?? (embedded ? 'demo' : 'none'),
  });
}

/**
 * Each variable by itself, whatever combinations they make: for commands that need few of them.
 * Throws as `readConfig` does.
 */
export function readVariables(environment: NodeJS.ProcessEnv): Values {
  refuseMisspellings(environment);
  return Object.fromEntries(
    Object.entries(VARIABLES).map(([name, { parse, fallback }]) => {
      const given = environment[name];
      return [
        name,
        given === undefined || given === '' ? fallback : (parse as Parse<unknown>)(given, name),
      ];
    }),
  ) as Values;
}

/** What the environment says of the database, for `openDatabase`. */
export const databaseOptions = (config: Values | Config) => ({
  ...(config.DATABASE_URL && { url: config.DATABASE_URL }),
  dataDir: config.DATA_DIR,
  wait: config.DATABASE_WAIT,
  poolSize: config.DATABASE_POOL,
  statementLimit: config.DATABASE_STATEMENT_LIMIT,
  pooler: config.DATABASE_POOLER,
});

function slotOf(values: Values, letter: Slot): SlotVariables {
  const prefix = `IDP_${letter}_`;
  const own = Object.entries(values).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(
    own.map(([name, value]) => [name.slice(prefix.length), value]),
  ) as unknown as SlotVariables;
}

/**
 * A name one slip away from ours is an error rather than a setting that silently does nothing;
 * short names are too near to others.
 */
function refuseMisspellings(environment: NodeJS.ProcessEnv): void {
  const known = Object.keys(VARIABLES);
  for (const name of Object.keys(environment)) {
    if (known.includes(name)) continue;
    const meant = known.find((ours) =>
      ours.length >= 7 ? isOneSlip(name.toUpperCase(), ours) : isSwapped(name, ours),
    );
    if (meant)
      throw new StartError(`${name} is not a variable of this service: did you mean ${meant}?`);
  }
}

const isSwapped = (a: string, b: string) =>
  a.length === b.length && isOneSlip(a, b) && [...a].sort().join('') === [...b].sort().join('');

/**
 * Whether two names differ by at most one letter too many, too few, other, or swapped with its
 * neighbour.
 */
function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1])
    [endA, endB] = [endA - 1, endB - 1];
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)];
  return (
    (restA.length <= 1 && restB.length <= 1) ||
    (restA.length === 2 && restA === [...restB].reverse().join(''))
  );
}
