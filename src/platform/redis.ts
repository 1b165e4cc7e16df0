import type { Logger } from 'pino';
import { CheckFailed } from './check.js';
import { redisAddress } from './redis-address.js';
import { type RedisClient, redisClient } from './redis-client.js';

const CONNECT_WITHIN = 1_000;
const ANSWER_WITHIN = 200;
/**
 * After a failure, Redis is not used for this many milliseconds. A Redis that hangs then delays one
 * request by ANSWER_WITHIN instead of all requests.
 */
const PAUSE = 1_000;

/** What is wrong with REDIS_URL, by what Redis says of it: it will not go away by itself. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:WRONGPASS|NOAUTH|NOPERM)\b/, 'It does not accept the user and password of REDIS_URL.'],
  [
    /^MOVED\b|\bcluster_enabled:1\b/,
    'It is a node of a Redis Cluster: REDIS_URL must start with redis+cluster://.',
  ],
  [
    /\bcluster support disabled\b/,
    'It is no Redis Cluster: REDIS_URL must start with redis:// instead.',
  ],
  [/\bNo such master with that name\b/, 'Its sentinels do not know the name of REDIS_URL.'],
];

const faultIn = (said: string) => FAULTS.find(([pattern]) => pattern.test(said))?.[1];

/** What an error says; of a cluster, what one of its nodes said last. */
const saidBy = (error: unknown) => {
  const { message = '', lastNodeError } = error as Error & { lastNodeError?: Error };
  return lastNodeError?.message ?? message;
};

/**
 * A connection to Redis that never delays a request for long. It connects and reconnects in the
 * background. Commands fail at once without a connection, and after 200 ms when Redis hangs. Logs
 * once when Redis is lost, and once when it is back.
 */
export class Redis {
  readonly client: RedisClient;
  #resumeAt = 0;
  #gone = false;
  #fault: string | undefined;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
  ) {
    this.client = redisClient(url, {
      connectTimeout: CONNECT_WITHIN,
      commandTimeout: ANSWER_WITHIN,
      retry: (times) => Math.min(times * 100, 2_000),
    });
    this.client.on('error', (error) => this.failed(error));
    this.client.on('ready', () => this.#begin());
  }

  /** Uses a new connection, unless it leads to a node of a cluster that is not named as one. */
  async #begin(): Promise<void> {
    const said = redisAddress(this.url).kind === 'server' ? await stateOf(this.client) : '';
    if (!faultIn(said)) return this.answered();
    this.failed(new Error(said));
    this.#resumeAt = Number.POSITIVE_INFINITY;
  }

  /** Whether a command should be tried now. */
  get usable(): boolean {
    return this.client.status === 'ready' && performance.now() >= this.#resumeAt;
  }

  /** A sentence about what is wrong with REDIS_URL, once Redis has refused it. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Notes that a command failed. */
  failed(error: unknown): void {
    this.#resumeAt = performance.now() + PAUSE;
    const fault = faultIn(saidBy(error));
    if (fault && fault !== this.#fault)
      this.log.error(`Redis is not used: this process goes on by itself. ${fault}`);
    else if (!this.#gone)
      this.log.warn({ err: error }, 'Redis does not answer: this process goes on by itself');
    this.#fault = fault ?? this.#fault;
    this.#gone = true;
  }

  /** Notes that a command was answered. */
  answered(): void {
    if (!this.#gone) return;
    this.log.info('Redis answers again');
    this.#gone = false;
    this.#fault = undefined;
    this.#resumeAt = 0;
  }

  /** Closes the connection at once. */
  close(): void {
    this.client.disconnect();
  }
}

/**
 * Connects to Redis within so many milliseconds, asks it to answer, and disconnects. Throws
 * CheckFailed.
 */
export async function checkRedis(url: string, milliseconds: number): Promise<void> {
  const client = redisClient(url, {
    lazyConnect: true,
    connectTimeout: milliseconds,
    commandTimeout: milliseconds,
    retry: () => null,
  });
  let failure: NodeJS.ErrnoException | undefined;
  client.on('error', (error) => (failure ??= error));
  try {
    await client.connect();
    await client.ping();
    const fault = redisAddress(url).kind === 'server' && faultIn(await stateOf(client));
    if (fault) throw new CheckFailed(fault);
  } catch (error) {
    if (error instanceof CheckFailed) throw error;
    throw new CheckFailed(sentenceOf(failure ?? (error as Error)));
  } finally {
    client.disconnect();
  }
}

/** Whether a server is a node of a cluster, in its own words; empty where it does not say. */
const stateOf = (client: RedisClient) => client.info('cluster').catch(() => '');

function sentenceOf(error: NodeJS.ErrnoException): string {
  const said = saidBy(error);
  const fault = faultIn(said);
  if (fault) return fault;
  if (error.code) return `It cannot be reached (${error.code}).`;
  return /\bConnection is closed\b/.test(said)
    ? 'It cannot be reached.'
    : 'It does not answer as Redis does.';
}

/** Opens a connection to Redis in the background. */
export const openRedis = (url: string, log: Logger): Redis => new Redis(url, log);
