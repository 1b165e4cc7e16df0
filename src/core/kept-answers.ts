import type { IncomingMessage } from 'node:http';
import type { Database } from '../platform/database/database.js';
import type { EncodedBody } from '../platform/http/send.js';
import { observeKept } from '../platform/metrics/metrics.js';
import { publicVersion } from './public-changes.js';

/** What a face keeps of an answer: finished bytes, and what it needs besides. */
interface Finished {
  readonly body: EncodedBody;
}

interface Entry<Answer> {
  readonly answer: Answer;
  readonly version: string;
  /** Until when it may be sent, by `performance.now()`. */
  readonly until: number;
}

/** Where the answer to a request is kept. */
export interface Place<Answer> {
  /** The answer, when it is known. */
  readonly answer?: Answer | undefined;
  /** Must be called once the answer is made, or not: without one nothing is kept. */
  settle(made?: Answer): void;
}

/**
 * `Cache-Control` of public content, on both faces (RFC 9111, RFC 5861). Caches between the service
 * and its callers may send it for a second, and for ten more while they ask again. Callers
 * themselves ask each time.
 */
export const SHARED = 'public, max-age=0, s-maxage=1, stale-while-revalidate=10';

/** Bytes of all bodies together, uncompressed. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Bytes of one body, uncompressed. */
const LARGEST = 1024 * 1024;
const LONGEST_ADDRESS = 2_000;
/** Milliseconds for which an answer is kept at most, whatever is known of changes. */
const LONGEST = 60_000;
/**
 * Milliseconds after which a process looks again whether something has changed. After a write of
 * its own it looks before the next answer. For as long after a change nothing is kept, because
 * processes remember the settings of the site for a second.
 */
const RECENT = 1_000;

/** Request headers by which an answer may differ. */
const PERSONAL = ['authorization', 'refresh-token', 'time-zone'] as const;

const nowhere: Place<never> = { settle: () => {} };

/**
 * The answers of one process to anonymous callers of public content. A change of content, terms,
 * media, authors or the site ends them all: at once in the process that makes it, after a second at
 * most in others, after a minute if it goes unnoticed. Those who ask for an answer that is being
 * made wait for it.
 */
export class KeptAnswers<Answer extends Finished> {
  readonly #entries = new Map<string, Entry<Answer>>();
  readonly #making = new Map<string, Promise<Answer | undefined>>();
  #bytes = 0;
  #version: string | undefined;
  #changedAt = 0;
  #look = { writes: -1, at: 0, version: Promise.resolve('') };

  constructor(private readonly database: Pick<Database, 'writes' | 'query'>) {}

  /**
   * Returns the answer to what is asked for. Without one, the caller makes it and settles the
   * place. Those who ask meanwhile wait; when the answer is not kept, they make their own.
   */
  async take(key: string): Promise<Place<Answer>> {
    const version = await this.#current().catch(() => undefined);
    if (version === undefined) return nowhere; // The database says more when it is asked.
    const known = this.#entries.get(key);
    if (known?.version === version && performance.now() < known.until) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      observeKept('hit');
      return { ...nowhere, answer: known.answer };
    }
    const wanted = `${version} ${key}`;
    const making = this.#making.get(wanted);
    if (making) {
      observeKept('wait');
      return { ...nowhere, answer: await making };
    }
    observeKept('miss');
    return this.#reserve(key, version, wanted);
  }

  #clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #reserve(key: string, version: string, wanted: string): Place<Answer> {
    const settled = performance.now() - this.#changedAt > RECENT;
    let done: (made?: Answer) => void = () => {};
    this.#making.set(wanted, new Promise((resolve) => (done = resolve)));
    return {
      settle: (made) => {
        this.#making.delete(wanted);
        done(made);
        if (made && settled && version === this.#version) this.#keep(key, version, made);
      },
    };
  }

  #keep(key: string, version: string, answer: Answer): void {
    this.#drop(key);
    if (answer.body.plain.length > LARGEST) return;
    this.#entries.set(key, { answer, version, until: performance.now() + LONGEST });
    this.#bytes += answer.body.plain.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.answer.body.plain.length ?? 0;
    this.#entries.delete(key);
  }

  /** Returns the present version. Callers at the same time share one look. */
  #current(): Promise<string> {
    const { writes } = this.database;
    const now = performance.now();
    if (this.#look.writes !== writes || now - this.#look.at >= RECENT)
      this.#look = { writes, at: now, version: this.#read() };
    return this.#look.version;
  }

  async #read(): Promise<string> {
    try {
      const version = await publicVersion(this.database);
      if (version !== this.#version) {
        this.#version = version;
        this.#changedAt = performance.now();
        this.#clear();
      }
      return version;
    } catch (error) {
      this.#look = { ...this.#look, writes: -1 };
      throw error;
    }
  }
}

/**
 * Returns whether the answer to a request may be kept: it reads, without credentials, without a
 * password in its address, without a body, and without a time zone.
 */
export function asksOpenly({ method, url = '', headers }: IncomingMessage): boolean {
  if (
    (method !== 'GET' && method !== 'HEAD') ||
    url.length > LONGEST_ADDRESS ||
    /password/i.test(unescaped(url))
  )
    return false;
  return !PERSONAL.some((name) => name in headers) && !hasBody(headers);
}

/** Returns whether a request has a body, whose parameters count before those of its address. */
export const hasBody = (headers: IncomingMessage['headers']): boolean =>
  'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;

/** Returns a text with each percent sequence as the character of its byte. */
const unescaped = (text: string) =>
  text.includes('%')
    ? text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
