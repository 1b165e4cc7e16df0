// Over 300 lines: it is the table of all environment variables, with a description for each.
import { resolve } from 'node:path';
import type { Trust } from '../platform/http/address.js';
import type { ServiceAccount } from '../platform/push/fcm-account.js';
import { projectRoot } from '../platform/root.js';
import type { Bucket } from '../platform/storage/s3-storage.js';
import { SAMPLERS } from '../platform/tracing/open-tracing.js';
import { collector, issuer, origin, postgresql, redis, securedIssuer, smtp } from './addresses.js';
import {
  address,
  base64Key,
  bucket,
  countries,
  file,
  folder,
  headers,
  integer,
  line,
  oneOf,
  onOff,
  origins,
  type Parse,
  password,
  pathSegment,
  providerName,
  proxies,
  resource,
  secret,
  serviceAccount,
  share,
  subject,
  text,
  timeZone,
  token,
  userName,
  webhook,
  webhookSecrets,
  words,
  workers,
} from './parsers.js';
import { PRESETS, type PresetName, type Slot } from './providers.js';

/** A variable of the environment. */
interface Variable<T> {
  readonly parse: Parse<T>;
  /** Its value when it is not set, or empty. */
  readonly fallback: T;
  /** One line for the table of docs/operating.md, which `npm run variables` writes. */
  readonly about: string;
}

const variable = <T>(parse: Parse<T>, fallback: T, about: string): Variable<T> => ({
  parse,
  fallback,
  about,
});
const none = undefined as string | undefined;

/**
 * The European Economic Area and countries where texts cost little and most numbers are people's.
 */
const USUAL_COUNTRIES: readonly string[] = (
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK ' +
  'AU CA CH GB NZ US'
).split(' ');

/** Returns the variables of one slot for an identity provider. */
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
      issuer,
      none,
      `Of identity provider ${letter}: the issuer of its OpenID Connect id tokens.`,
    ),
    JWKS_URL: variable(
      resource,
      none,
      `Of identity provider ${letter}: its keys. Default: what the issuer's discovery says.`,
    ),
    AUDIENCE: variable(
      words,
      [] as readonly string[],
      `Of identity provider ${letter}: our client ids there, comma-separated; required.`,
    ),
    TOKENINFO_URL: variable(
      resource,
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
    origin('http:', 'https:'),
    none,
    'Public address of the service. Default http://localhost:PORT.',
  ),
  DATA_DIR: variable(
    folder,
    resolve(projectRoot, 'data'),
    'Folder of the embedded database, of generated secrets and of uploaded files.',
  ),
  STORAGE_URL: variable(
    bucket,
    undefined as Bucket | undefined,
    'Bucket for uploaded files, of a storage that speaks S3: ' +
      'https://KEY:SECRET@s3.eu-central-1.amazonaws.com/BUCKET?region=eu-central-1. Without key and ' +
      'secret those of the environment count. Default: a folder under DATA_DIR.',
  ),
  UPLOAD_MEGABYTES: variable(
    integer(1, 2_000),
    64,
    'How large an uploaded file may be, in megabytes of 1,048,576 bytes.',
  ),
  UPLOAD_MEGAPIXELS: variable(
    integer(1, 250),
    25,
    'How many million pixels an uploaded image may have, all pictures of an animation together. ' +
      'Each takes up to 40 MB while the image is made.',
  ),
  UPLOAD_ACCOUNT_MEGABYTES: variable(
    integer(1, 1_000_000),
    10_000,
    'What the files of one account may take together: its uploads, and its media with their sizes.',
  ),
  DATABASE_URL: variable(postgresql, none, 'PostgreSQL to use instead of the embedded database.'),
  DATABASE_POOL: variable(
    integer(1, 1000),
    10,
    'Maximum number of PostgreSQL connections of each process, besides one that monitors them.',
  ),
  WORKERS: variable(
    workers,
    1,
    'Processes that serve at one port, with DATABASE_URL; one that dies is replaced. auto: as many ' +
      'as there are processors. See docs/operating.md.',
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
  REPORTS_DATABASE_URL: variable(
    postgresql,
    none,
    'PostgreSQL that reports about all members are read from, such as a replica. Default: ' +
      'DATABASE_URL.',
  ),
  READ_DATABASE_URL: variable(
    postgresql,
    none,
    'Physical standby of DATABASE_URL that public content is read from for anonymous callers. ' +
      'Default: DATABASE_URL. See docs/operating.md.',
  ),
  READ_LAG_SECONDS: variable(
    integer(1, 60),
    2,
    'How many seconds READ_DATABASE_URL may be behind; while it is more, DATABASE_URL is read.',
  ),
  REDIS_URL: variable(
    redis,
    none,
    'Redis that counts limits for all processes: redis://HOST, redis+cluster://HOST,HOST or ' +
      'redis+sentinel://HOST,HOST/NAME; rediss for TLS. Default: each counts its own.',
  ),
  SECRET_KEY: variable(
    secret,
    none,
    'Signs and encrypts. Made and kept under DATA_DIR when embedded, required with DATABASE_URL.',
  ),
  SECRET_KEY_PREVIOUS: variable(
    secret,
    none,
    'The previous key: its tokens stay valid until they expire, and what it encrypted can be read.',
  ),
  SECRET_KEY_NEXT: variable(
    secret,
    none,
    'The next key: what processes that already use it sign or encrypt is accepted here too. ' +
      'See docs/operating.md.',
  ),
  AUDIT_HEAD_FILE: variable(
    file,
    none,
    'File to which the head of each audit seal is appended. Default audit-heads under DATA_DIR.',
  ),
  ADMIN_DIR: variable(
    pathSegment,
    'admin',
    'Path of the pages for people, such as the authorization page.',
  ),
  ADMIN_USERNAME: variable(userName, 'admin', 'Name of the administrator made on the first start.'),
  ADMIN_EMAIL: variable(address, 'admin@example.com', 'E-mail of that administrator.'),
  ADMIN_PASSWORD: variable(
    password,
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
  DEMO_MEMBERS: variable(
    integer(0, 1_000),
    200,
    'Members of the demo whose care of two years is made after the first start.',
  ),
  KEEP_ALERTS_DAYS: variable(
    integer(30, 3_660),
    90,
    'Days after which alerts are deleted that went out, or did not. Doses and plans stay.',
  ),
  KEEP_DELIVERIES_DAYS: variable(
    integer(2, 3_660),
    30,
    'Days after which it is deleted what was sent to which device.',
  ),
  KEEP_NOTIFICATIONS_DAYS: variable(
    integer(30, 3_660),
    400,
    'Days after which notifications are deleted, whether or not they were read.',
  ),
  KEEP_MAILS_DAYS: variable(
    integer(2, 3_660),
    30,
    'Days after which mails are deleted, sent or not.',
  ),
  SMTP_URL: variable(
    smtp,
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
    securedIssuer,
    'https://login.microsoftonline.com/common/v2.0',
    'Authorization server of that client.',
  ),
  OUTLOOK_GRAPH_URL: variable(
    securedIssuer,
    'https://graph.microsoft.com',
    'Where a connected mailbox sends mail (Microsoft Graph).',
  ),
  POLL_IMPORT_URL: variable(
    webhook,
    none,
    'Address that polls are imported from, as JSON. Default: the bundled sample.',
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
    origin('https:', 'http:'),
    none,
    "Origin of Expo's push service. Setting it or EXPO_ACCESS_TOKEN sends Expo tokens there.",
  ),
  EXPO_ACCESS_TOKEN: variable(
    token(1),
    none,
    'Access token of the Expo project, where it requires one.',
  ),
  FCM_SERVICE_ACCOUNT: variable(
    serviceAccount,
    undefined as ServiceAccount | undefined,
    'Key of the Google service account that sends to FCM: JSON, or the path of its file.',
  ),
  FCM_URL: variable(origin('https:', 'http:'), 'https://fcm.googleapis.com', 'Origin of FCM.'),
  FCM_TOKEN_URL: variable(
    issuer,
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
  MESSAGES_WEBHOOK_URL: variable(
    webhook,
    none,
    'Where text messages and chat messages are posted: see docs/channels.md. Without it members ' +
      'can add no channels.',
  ),
  MESSAGES_WEBHOOK_SECRET: variable(
    webhookSecrets,
    undefined as readonly Buffer[] | undefined,
    'Signs what is posted there: whsec_ and 24 to 64 bytes as base64; two, comma-separated, ' +
      'while it is replaced.',
  ),
  MESSAGES_COUNTRIES: variable(
    countries,
    USUAL_COUNTRIES,
    'Countries whose numbers get text messages, comma-separated (ISO 3166-1). Default: those of ' +
      'the European Economic Area, AU, CA, CH, GB, NZ and US.',
  ),
  MESSAGES_CODES_PER_HOUR: variable(
    integer(1, 1_000_000),
    200,
    'How many codes go to numbers and chats in an hour, for all members together.',
  ),
  MESSAGES_ACCOUNT_HOURS: variable(
    integer(0, 8_760),
    24,
    'How old an account is, in hours, before it can add a number or chat.',
  ),
  METRICS_TOKEN: variable(
    token(16),
    none,
    'Bearer token for /metrics, of at least 16 characters. Without it only this machine itself may read them, never ' +
      'through a proxy, with TRUSTED_PROXIES or a BASE_URL elsewhere.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    collector,
    none,
    'Collector that traces are sent to, by OTLP over HTTP as JSON, such as http://localhost:4318. Without it none are made.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(
    headers,
    undefined as Readonly<Record<string, string>> | undefined,
    'Headers for the collector, such as authorization=Bearer%20TOKEN, comma-separated.',
  ),
  OTEL_SERVICE_NAME: variable(text, 'care', 'What traces call the service.'),
  OTEL_TRACES_SAMPLER: variable(
    oneOf(...SAMPLERS),
    'parentbased_always_on',
    'Which traces are sampled. parentbased_traceidratio: the share that OTEL_TRACES_SAMPLER_ARG names.',
  ),
  OTEL_TRACES_SAMPLER_ARG: variable(share, 1, 'Share of the traces that is sampled, from 0 to 1.'),
  LOG_LEVEL: variable(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Least severe level that is logged.',
  ),
  PERSISTED_DOCUMENTS: variable(
    file,
    none,
    'File of GraphQL documents that clients name by their SHA-256: a JSON object of texts by ' +
      'hashes. Others are kept as they come.',
  ),
  PERSISTED_DOCUMENTS_ONLY: variable(
    oneOf('on', 'off'),
    'off',
    'on: no other documents are executed than those of PERSISTED_DOCUMENTS, but for who may read ' +
      'the schema.',
  ),
  RESPONSE_CACHE: variable(
    oneOf('on', 'off'),
    'on',
    'off: no cached responses for anonymous callers, for measurements.',
  ),
  RATE_LIMITS: variable(oneOf('on', 'off'), 'on', 'off: no rate limits, for measurements.'),
  NODE_ENV: variable(
    oneOf('production', 'development', 'test'),
    'production',
    'development opens introspection to everyone.',
  ),
} as const;

/** The values of all variables. */
export type Values = {
  -readonly [K in keyof typeof VARIABLES]: (typeof VARIABLES)[K] extends Variable<infer T>
    ? T
    : never;
};
