import { resolve } from 'node:path';
import { StartError } from '../platform/database/database.js';
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
  if (!embedded && !values.SECRET_KEY)
    throw new StartError(
      'SECRET_KEY is required with DATABASE_URL: at least 32 random characters.',
    );
  if (!values.OUTLOOK_CLIENT_ID !== !values.OUTLOOK_CLIENT_SECRET)
    throw new StartError(
      'OUTLOOK_CLIENT_ID and OUTLOOK_CLIENT_SECRET are set together or not at all.',
    );
  if (!values.MESSAGES_WEBHOOK_URL !== !values.MESSAGES_WEBHOOK_SECRET)
    throw new StartError(
      'MESSAGES_WEBHOOK_URL and MESSAGES_WEBHOOK_SECRET are set together or not at all.',
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

/** Returns the options of `openDatabase`. */
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
