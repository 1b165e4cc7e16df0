import type { Redis as Client } from 'ioredis';
import type { Logger } from 'pino';
import { CheckFailed } from './check.js';
import { lazily } from './lazily.js';

const ioredis = lazily<typeof import('ioredis')>('ioredis');

const CONNECT_WITHIN = 1_000;
const ANSWER_WITHIN = 200;
/**
 * After a failure, Redis is not used for this many milliseconds. A Redis that hangs then delays one
 * request by ANSWER_WITHIN instead of all requests.
 */
const PAUSE = 1_000;

/**
 * A connection to Redis that never delays a request for long. It connects and reconnects in the
 * background. Commands fail at once without a connection, and after 200 ms when Redis hangs. Logs
 * once when Redis is lost, and once when it is back.
 */
export class Redis {
  readonly client: Client;
  #resumeAt = 0;
  #gone = false;

  constructor(
    url: string,
    private readonly log: Logger,
  ) {
    this.client = new (ioredis().Redis)(url, {
      connectTimeout: CONNECT_WITHIN,
      commandTimeout: ANSWER_WITHIN,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
    });
    this.client.on('error', (error) => this.failed(error));
    this.client.on('ready', () => this.answered());
  }

  /** Whether a command should be tried now. */
  get usable(): boolean {
    return this.client.status === 'ready' && performance.now() >= this.#resumeAt;
  }

  /** Notes that a command failed. */
  failed(error: unknown): void {
    this.#resumeAt = performance.now() + PAUSE;
    if (!this.#gone)
      this.log.warn({ err: error }, 'Redis does not answer: this process goes on by itself');
    this.#gone = true;
  }

  /** Notes that a command was answered. */
  answered(): void {
    if (!this.#gone) return;
    this.log.info('Redis answers again');
    this.#gone = false;
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
  const client = new (ioredis().Redis)(url, {
    lazyConnect: true,
    connectTimeout: milliseconds,
    commandTimeout: milliseconds,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: NodeJS.ErrnoException | undefined;
  client.on('error', (error) => (failure ??= error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw new CheckFailed(sentenceOf(failure ?? (error as Error)));
  } finally {
    client.disconnect();
  }
}

function sentenceOf({ message, code }: NodeJS.ErrnoException): string {
  if (/\b(?:WRONGPASS|NOAUTH|NOPERM)\b/.test(message))
    return 'It does not accept the user and password of REDIS_URL.';
  return code ? `It cannot be reached (${code}).` : 'It does not answer as Redis does.';
}

/** Opens a connection to Redis in the background. */
export const openRedis = (url: string, log: Logger): Redis => new Redis(url, log);
