import { Redis as Client } from 'ioredis';
import type { Logger } from 'pino';

const CONNECT_WITHIN = 1_000;
const ANSWER_WITHIN = 200;
/**
 * After a failure Redis is left alone for so long, so that one that hangs costs one request
 * ANSWER_WITHIN, not all of them.
 */
const PAUSE = 1_000;

/**
 * A connection to Redis that nobody has to wait for: it connects in the background, again and
 * again; commands fail at once while it is not there and after 200 ms when it hangs. Says once in
 * the log that Redis is gone, and once that it is back.
 */
export class Redis {
  readonly client: Client;
  #resumeAt = 0;
  #gone = false;

  constructor(
    url: string,
    private readonly log: Logger,
  ) {
    this.client = new Client(url, {
      connectTimeout: CONNECT_WITHIN,
      commandTimeout: ANSWER_WITHIN,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
    });
    this.client.on('error', (error) => this.failed(error));
    this.client.on('ready', () => this.answered());
  }

  /** Whether it is worth asking now. */
  get usable(): boolean {
    return this.client.status === 'ready' && performance.now() >= this.#resumeAt;
  }

  /** Reports that a command failed. */
  failed(error: unknown): void {
    this.#resumeAt = performance.now() + PAUSE;
    if (!this.#gone)
      this.log.warn({ err: error }, 'Redis does not answer: this process goes on by itself');
    this.#gone = true;
  }

  /** Reports that a command was answered. */
  answered(): void {
    if (!this.#gone) return;
    this.log.info('Redis answers again');
    this.#gone = false;
    this.#resumeAt = 0;
  }

  /** Ends the connection without waiting for anything. */
  close(): void {
    this.client.disconnect();
  }
}

export const openRedis = (url: string, log: Logger): Redis => new Redis(url, log);
