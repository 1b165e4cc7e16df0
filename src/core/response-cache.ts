import type { IncomingMessage } from 'node:http';
import type { Database } from '../platform/database/database.js';
import type { Replica } from '../platform/database/replica.js';
import type { EncodedBody } from '../platform/http/send.js';
import { Recent } from '../platform/lru.js';
import { observeKept } from '../platform/metrics/metrics.js';
import { type PublicChange, recentChanges } from './public-changes.js';

/** What a face keeps of a response: finished bytes, and what it needs besides. */
interface Finished {
  readonly body: EncodedBody;
}

interface CacheEntry<Response> {
  readonly response: Response;
  /** Until when it may be sent, by `performance.now()`. */
  readonly until: number;
  /** When a change was found that it does not show; undefined while there is none. */
  oldSince: number | undefined;
}

/** Where the response to a request is kept. */
export interface CacheSlot<Response> {
  /** The response, when it is known. */
  readonly response?: Response | undefined;
  /** Must be called once the response is made, or not: without one nothing is kept. */
  settle(made?: Response): void;
}

/**
 * `Cache-Control` of public content, on both faces (RFC 9111, RFC 5861). Caches between the service
 * and its callers may send it for a second, and for ten more while they ask again. Callers
 * themselves ask each time.
 */
export const SHARED = 'public, max-age=0, s-maxage=1, stale-while-revalidate=10';

/** Bytes of all entries together: bodies uncompressed, keys, and what an entry takes besides. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Bytes of one body, uncompressed. */
const LARGEST = 1024 * 1024;
/** Bytes that an entry takes beside its body and its key. */
const ENTRY_BYTES = 2 * 1024;
const LONGEST_ADDRESS = 2_000;
/** Milliseconds for which a response is kept at most, whatever is known of changes. */
const LONGEST = 60_000;
/** Milliseconds for which others may get what was changed, as `SHARED` allows to caches. */
const OLD_FOR = 10_000;
/** Milliseconds for which a network that has changed something gets nothing old. */
const WRITER_FOR = 30_000;
const MOST_WRITERS = 10_000;
/**
 * Milliseconds after which a process checks again whether something has changed. After a write of
 * its own it checks before the next response. For as long after a change of the site nothing is
 * kept, because processes remember the settings of the site for a second.
 */
const RECENT = 1_000;

/** Request headers by which a response may differ. */
const PERSONAL = ['authorization', 'refresh-token', 'time-zone'] as const;

const nowhere: CacheSlot<never> = { settle: () => {} };

/** The networks that have sent a write to this process in the last half minute, on any face. */
export class Writers {
  readonly #until = new Recent<string, number>(MOST_WRITERS);

  /** Notes that a request of a network may have changed something. */
  note(network: string): void {
    this.#until.set(network, performance.now() + WRITER_FOR);
  }

  /** Returns whether a network gets nothing old. */
  includes(network: string): boolean {
    return performance.now() < (this.#until.get(network) ?? 0);
  }
}

/**
 * The responses of one process to anonymous callers of public content. A change of content, terms,
 * media, authors or the site makes them old: at once in the process that makes it, after a second
 * at most in others, after a minute if it goes unnoticed. The first who asks for an old one makes
 * it anew. Others get the old one meanwhile, until ten seconds after the change at most (RFC 5861),
 * also of what was withdrawn; but `writers` wait for the new one, and after a change of the site
 * everybody does. Those who ask for a response that is made for the first time wait. Changes are
 * read from the primary. A replica is read only once it has them, so that no response that is made
 * after a change is kept without it.
 */
export class ResponseCache<Response extends Finished> {
  readonly #entries = new Map<string, CacheEntry<Response>>();
  readonly #making = new Map<string, Promise<Response | undefined>>();
  #bytes = 0;
  #version = 0;
  #seen: ReadonlySet<string> | undefined;
  #siteChangedAt = 0;
  #check = { writes: -1, at: 0, version: Promise.resolve(0) };

  constructor(
    private readonly database: Pick<Database, 'writes' | 'query'>,
    private readonly writers: Pick<Writers, 'includes'>,
    /** Where responses are read from; it must have the changes that make a version. */
    private readonly replica?: Pick<Replica, 'requireChanges'>,
  ) {}

  /**
   * Returns the response to what a network asks for. Without one, the caller makes it and settles
   * the slot. Those who ask meanwhile wait, unless they may get an old one; when the response is
   * not kept, they make their own.
   */
  async take(key: string, network: string): Promise<CacheSlot<Response>> {
    const version = await this.#current().catch(() => undefined);
    if (version === undefined) return nowhere; // The database says more when it is asked.
    const known = this.#entries.get(key);
    const lasts = known !== undefined && performance.now() < known.until;
    if (lasts && known.oldSince === undefined) return this.#again(key, known, 'hit');
    const wanted = `${version} ${key}`;
    const making = this.#making.get(wanted);
    if (making) {
      if (lasts && this.#mayBeOld(known, network)) return this.#again(key, known, 'old');
      observeKept('wait');
      return { ...nowhere, response: await making };
    }
    observeKept('miss');
    return this.#reserve(key, version, wanted);
  }

  #again(key: string, known: CacheEntry<Response>, outcome: 'hit' | 'old'): CacheSlot<Response> {
    this.#entries.delete(key);
    this.#entries.set(key, known);
    observeKept(outcome);
    return { ...nowhere, response: known.response };
  }

  #mayBeOld({ oldSince = 0 }: CacheEntry<Response>, network: string): boolean {
    return performance.now() - oldSince < OLD_FOR && !this.writers.includes(network);
  }

  /** How many responses are kept. */
  get size(): number {
    return this.#entries.size;
  }

  #clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #reserve(key: string, version: number, wanted: string): CacheSlot<Response> {
    const settled = performance.now() - this.#siteChangedAt > RECENT;
    let done: (made?: Response) => void = () => {};
    this.#making.set(wanted, new Promise((resolve) => (done = resolve)));
    return {
      settle: (made) => {
        this.#making.delete(wanted);
        done(made);
        if (!made) this.#drop(key);
        if (made && settled && version === this.#version) this.#keep(key, made);
      },
    };
  }

  #keep(key: string, response: Response): void {
    this.#drop(key);
    if (response.body.plain.length > LARGEST) return;
    const until = performance.now() + LONGEST;
    this.#entries.set(key, { response, until, oldSince: undefined });
    this.#bytes += weightOf(key, response);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const known = this.#entries.get(key);
    if (known) this.#bytes -= weightOf(key, known.response);
    this.#entries.delete(key);
  }

  /** Returns the present version. Callers at the same time share one check. */
  #current(): Promise<number> {
    const { writes } = this.database;
    const now = performance.now();
    if (this.#check.writes !== writes || now - this.#check.at >= RECENT)
      this.#check = { writes, at: now, version: this.#read() };
    return this.#check.version;
  }

  async #read(): Promise<number> {
    try {
      const changes = await recentChanges(this.database);
      const found = changes.filter(({ id }) => !this.#seen?.has(id));
      if (!this.#seen || found.length > 0) this.#changed(found);
      this.#seen = new Set(changes.map(({ id }) => id));
      return this.#version;
    } catch (error) {
      this.#check = { ...this.#check, writes: -1 };
      throw error;
    }
  }

  #changed(found: readonly PublicChange[]): void {
    this.#version++;
    this.replica?.requireChanges();
    const now = performance.now();
    if (!this.#seen || found.some(({ source }) => source === 'site' || source === '')) {
      this.#siteChangedAt = now;
      this.#clear();
    }
    const changedAt = now - Math.max(0, ...found.map(({ age }) => age));
    for (const [key, entry] of this.#entries) {
      entry.oldSince ??= changedAt;
      if (now >= entry.until || now - entry.oldSince >= OLD_FOR) this.#drop(key);
    }
  }
}

const weightOf = (key: string, { body }: Finished) =>
  body.plain.length + 2 * key.length + ENTRY_BYTES;

/**
 * Returns whether the response to a request may be kept: it reads, without credentials, without a
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
