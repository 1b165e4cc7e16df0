import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Limits, openLimits } from '../../src/platform/limits/open-limits.js';
import { makeLog } from '../../src/platform/log.js';
import { registry } from '../../src/platform/metrics/metrics.js';
import type { Answer, Harness, RoleName } from './harness.js';

/** Headers by which a cached response may differ from one that is made now. */
export const VOLATILE = ['date', 'ratelimit', 'ratelimit-policy', 'cache-control'];
/** `Cache-Control` of what shared caches may keep. */
export const SHARED = 'public, max-age=0, s-maxage=1, stale-while-revalidate=10';
/** Requests with this header are answered anew, with the same content. */
export const ANEW = { 'time-zone': 'UTC' };

/** What a cached response has in common with one that is made now. */
export const plain = ({ status, headers, text }: Answer) => ({
  status,
  text,
  headers: Object.fromEntries([...headers].filter(([name]) => !VOLATILE.includes(name))),
});

/** All roles that an account may have. */
export const ROLES: readonly RoleName[] = [
  'administrator',
  'editor',
  'author',
  'contributor',
  'subscriber',
  'guest',
  'clinician',
  'analyst',
];

/** An answer as it is on the wire: nothing is unpacked. */
export interface Sent {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly bytes: Buffer;
}

/** Sends a request on a connection of its own, with these headers alone. */
export async function exchange(
  { url }: Harness,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Sent> {
  const asking = request(url + path, { method, headers, agent: false }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  const known = Object.entries(response.headers).filter(([name]) => !VOLATILE.includes(name));
  return { status: response.statusCode, headers: Object.fromEntries(known), bytes };
}

/**
 * Holds back the statements that read content until `release` is called, or makes them fail. They
 * are counted from then on.
 */
export function holding({ database }: Harness, failure?: Error) {
  const query = database.query.bind(database) as (text: string, ...rest: []) => Promise<object[]>;
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let asked = 0;
  const spy = jest.spyOn(database, 'query').mockImplementation((async (
    text: string,
    ...rest: []
  ) => {
    if (!/\bcontent_item\b/.test(text)) return query(text, ...rest);
    asked++;
    await held;
    if (failure) throw failure;
    return query(text, ...rest);
  }) as typeof database.query);
  return { release, asked: () => asked, restore: () => spy.mockRestore() };
}

/** Headers whose callers get answers of their own, with what each is. */
export const PERSONAL: readonly [string, Record<string, string>][] = [
  ['an empty Authorization', { authorization: '' }],
  ['a broken Authorization', { authorization: 'Basic' }],
  ['a refresh token', { 'refresh-token': 'none' }],
  ['a zone', { 'time-zone': 'Asia/Kolkata' }],
];

/** Returns what reads a service that keeps answers; `always` are headers of each request. */
export function reading(
  keeping: () => Harness,
  pass: (ms: number) => void,
  always: Record<string, string> = {},
) {
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    keeping().fetch(path, { headers: { ...always, ...headers } });
  return {
    get,
    /** Makes the service keep the answer to a path. */
    async keep(path: string): Promise<Answer> {
      await get(path);
      pass(1_100);
      await get(path);
      return get(path);
    },
    /** Whether a request is answered by what is kept: without a context. */
    async isKept(path: string, headers?: Record<string, string>): Promise<boolean> {
      const spy = jest.spyOn(keeping().app, 'createContext');
      await get(path, headers);
      const made = spy.mock.calls.length;
      spy.mockRestore();
      return made === 0;
    },
    /** How many points the answer to a request says are left. */
    async left(path: string, headers?: Record<string, string>): Promise<number> {
      return Number(/r=(\d+)/.exec((await get(path, headers)).headers.get('ratelimit') ?? '')?.[1]);
    },
  };
}

/** Limits a service as if its limiter was shared with others; returns what it counts alone. */
export function limitBeside(harness: Harness): Limits {
  const [near, far] = [0, 0].map(() =>
    openLimits({ on: true, clock: Date.now, log: makeLog('silent') }),
  );
  if (!near || !far) throw new Error('There are two.');
  harness.limits = { ...near, limiter: far.limiter };
  return near;
}

/** Loses a change: the triggers that tell of it are off. */
export const loseChange = (harness: Harness) =>
  elsewhere(
    harness,
    `DO $$ BEGIN
      PERFORM set_config('session_replication_role', 'replica', true); -- turns triggers off
      UPDATE content_item SET title_rendered = 'Lost';
    END $$`,
  );

/** Changes rows by SQL as another process does: this one does not know that it wrote. */
export async function elsewhere({ database }: Harness, text: string): Promise<void> {
  const { writes } = database;
  await database.query(text);
  Object.assign(database, { writes });
}

/** Returns how many callers have waited for an answer that another one makes. */
async function waiting(): Promise<number> {
  const name = /^care_response_cache_total\{outcome="wait"\} (\d+)$/m;
  return Number(name.exec(await registry.metrics())?.[1] ?? 0);
}

/** Returns how many connections the service has. */
const connectionsOf = ({ http }: Harness): Promise<number> =>
  new Promise((resolve, reject) =>
    http.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

/** Waits until something is so. Throws when it does not come about. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 2_000; i++) {
    if (await isSo()) return;
    await sleep(10);
  }
  throw new Error('It did not come about.');
}

/**
 * Makes `callers` ask while one caller makes the answer, who first breaks off if `breaks`. Returns
 * what they got, and how many statements read content. Below 50 callers: a process that lags takes
 * no more.
 */
export async function stampede(
  harness: Harness,
  ask: { path: string; headers?: Record<string, string> },
  { callers, breaks = false, failure }: { callers: number; breaks?: boolean; failure?: Error },
): Promise<{ answers: Sent[]; statements: number }> {
  const before = await waiting();
  const hold = holding(harness, failure);
  try {
    const first = request(harness.url + ask.path, { headers: ask.headers ?? {}, agent: false });
    first.on('response', (response) => response.resume()).on('error', () => {});
    first.end();
    await until(() => hold.asked() > 0);
    const asking = Array.from({ length: callers }, () => exchange(harness, ask.path, ask.headers));
    for (const asked of asking) asked.catch(() => {}); // `Promise.all` below says what failed
    await until(async () => (await waiting()) - before >= callers);
    if (breaks) {
      const open = await connectionsOf(harness);
      // A caller that only ends its side may still read the answer.
      first.socket?.resetAndDestroy();
      await until(async () => (await connectionsOf(harness)) < open);
    }
    hold.release();
    const answers = await Promise.all(asking);
    return { answers, statements: hold.asked() };
  } finally {
    hold.release();
    hold.restore();
  }
}

/** Stops the clock of `performance.now()`. Returns what lets milliseconds pass. */
export function clock(): (ms: number) => void {
  let now = performance.now();
  beforeAll(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterAll(() => jest.restoreAllMocks());
  return (ms: number) => {
    now += ms;
  };
}

/**
 * Returns the tables that `work` reads, and those of them that do not tell of their changes. It may
 * send no statement through Prisma.
 */
export async function tablesOf(
  { database }: Harness,
  work: () => Promise<void>,
): Promise<{ read: Set<string>; silent: string[] }> {
  const triggered = await database.query<{ name: string }>(
    `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
     WHERE tgfoid = 'public_changed'::regproc`,
  );
  const told = new Set(triggered.map(({ name }) => name.replaceAll('"', '')));
  // Triggers of content_item write the first three, in the same statement. Totals change only so.
  for (const name of [
    'item_search',
    'search_word',
    'item_count',
    'item_count_state',
    'item_set',
    'item_set_part',
    'item_change',
    'public_change',
  ])
    told.add(name);
  const read = new Set<string>();
  const query = database.query.bind(database) as (text: string) => Promise<object[]>;
  const spy = jest.spyOn(database, 'query').mockImplementation(((text: string, ...rest: []) => {
    for (const [, name] of text.matchAll(/\b(?:FROM|JOIN)\s+"?([a-z_]+)"?(?!\s*\()/g))
      read.add(name as string);
    return query(text, ...rest);
  }) as typeof database.query);
  const before = database.statements;
  await work();
  const sent = database.statements - before;
  if (sent !== spy.mock.calls.length)
    throw new Error(`${sent} statements were sent, ${spy.mock.calls.length} of them are known.`);
  spy.mockRestore();
  const tables = await database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const silent = tables.filter(({ name }) => read.has(name) && !told.has(name));
  return { read, silent: silent.map(({ name }) => name) };
}
