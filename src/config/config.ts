import { createECDH } from 'node:crypto';
import { resolve } from 'node:path';
import { StartError } from '../platform/database/database.js';
import { ownVersion } from '../platform/database/migrations.js';
import type { TracingOptions } from '../platform/tracing/open-tracing.js';
import {
  type ConfiguredProvider,
  readProviders,
  type Slot,
  type SlotVariables,
} from './providers.js';
import { readVariables } from './read.js';
import type { Values } from './variables.js';

/** The environment, parsed and checked once, frozen. */
export interface Config extends Readonly<Omit<Values, 'HOST' | 'SEED' | 'AUDIT_HEAD_FILE'>> {
  readonly HOST: string;
  /** The identity providers of the IDP_… variables. */
  readonly PROVIDERS: readonly ConfiguredProvider[];
  readonly AUDIT_HEAD_FILE: string;
  readonly SEED: 'demo' | 'none';
}

/**
 * Reads the configuration from an environment. Throws a StartError with one sentence for a
 * malformed variable, for one that looks like a misspelling of ours, and for variables that
 * contradict each other.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const values = readVariables(environment);
  const embedded = values.DATABASE_URL === undefined;
  const contradiction = contradictionIn(values);
  if (contradiction) throw new StartError(contradiction);
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

/** Returns a sentence about variables that cannot work together; undefined when all can. */
function contradictionIn(values: Values): string | undefined {
  const rules: readonly (readonly [boolean, string])[] = [
    [
      !!values.DATABASE_URL && !values.SECRET_KEY,
      'SECRET_KEY is required with DATABASE_URL: at least 32 random characters.',
    ],
    [
      values.WORKERS > 1 && !values.DATABASE_URL,
      'WORKERS needs DATABASE_URL: only one process can use the embedded database.',
    ],
    [
      !!values.REPORTS_DATABASE_URL && !values.DATABASE_URL,
      'REPORTS_DATABASE_URL is a replica of DATABASE_URL, which is not set.',
    ],
    [
      !!values.READ_DATABASE_URL && !values.DATABASE_URL,
      'READ_DATABASE_URL is a replica of DATABASE_URL, which is not set.',
    ],
    [
      !!values.READ_DATABASE_URL && values.READ_DATABASE_URL === values.DATABASE_URL,
      'READ_DATABASE_URL is DATABASE_URL itself, and no replica of it.',
    ],
    [
      values.PERSISTED_DOCUMENTS_ONLY === 'on' && !values.PERSISTED_DOCUMENTS,
      'PERSISTED_DOCUMENTS_ONLY needs PERSISTED_DOCUMENTS: no document would be executed.',
    ],
    [
      !values.OUTLOOK_CLIENT_ID !== !values.OUTLOOK_CLIENT_SECRET,
      'OUTLOOK_CLIENT_ID and OUTLOOK_CLIENT_SECRET are set together or not at all.',
    ],
    [
      !values.MESSAGES_WEBHOOK_URL !== !values.MESSAGES_WEBHOOK_SECRET,
      'MESSAGES_WEBHOOK_URL and MESSAGES_WEBHOOK_SECRET are set together or not at all.',
    ],
  ];
  return rules.find(([broken]) => broken)?.[1] ?? faultOfVapid(values);
}

function faultOfVapid(values: Values): string | undefined {
  const { VAPID_PUBLIC_KEY: given, VAPID_PRIVATE_KEY: secret, VAPID_SUBJECT: subject } = values;
  if (!given && !secret && !subject) return undefined;
  if (!given || !secret || !subject)
    return 'VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT are needed together.';
  try {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(Buffer.from(secret, 'base64url'));
    if (pair.getPublicKey().equals(Buffer.from(given, 'base64url'))) return undefined;
  } catch {
    // A number that is no key of the curve.
  }
  return 'VAPID_PUBLIC_KEY is not the key that belongs to VAPID_PRIVATE_KEY.';
}

/** What `databaseOptions` reads. */
type DatabaseVariables = Pick<
  Values,
  | 'DATABASE_URL'
  | 'DATA_DIR'
  | 'DATABASE_WAIT'
  | 'DATABASE_POOL'
  | 'DATABASE_STATEMENT_LIMIT'
  | 'DATABASE_POOLER'
>;

/** Returns the options of `openDatabase`. */
export const databaseOptions = (config: DatabaseVariables) => ({
  ...(config.DATABASE_URL && { url: config.DATABASE_URL }),
  dataDir: config.DATA_DIR,
  wait: config.DATABASE_WAIT,
  poolSize: config.DATABASE_POOL,
  statementLimit: config.DATABASE_STATEMENT_LIMIT,
  pooler: config.DATABASE_POOLER,
});

/** Returns the options of `openReplica`; undefined where there is none. */
export const replicaOptions = (config: Config) =>
  config.READ_DATABASE_URL && config.DATABASE_URL
    ? {
        ...databaseOptions(config),
        url: config.READ_DATABASE_URL,
        primaryUrl: config.DATABASE_URL,
        lagSeconds: config.READ_LAG_SECONDS,
      }
    : undefined;

/** Returns the options of `openTracing`. */
export const tracingOptions = (config: Config): TracingOptions => ({
  endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
  headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
  service: config.OTEL_SERVICE_NAME,
  version: ownVersion,
  sampler: config.OTEL_TRACES_SAMPLER,
  ratio: config.OTEL_TRACES_SAMPLER_ARG,
});

function slotOf(values: Values, letter: Slot): SlotVariables {
  const prefix = `IDP_${letter}_`;
  const own = Object.entries(values).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(
    own.map(([name, value]) => [name.slice(prefix.length), value]),
  ) as unknown as SlotVariables;
}
