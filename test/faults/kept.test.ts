import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { VOLATILE } from '../support/kept.js';
import { adminUrl, openServer, withServer } from './databases.js';
import { Relay } from './relay.js';
import { type Service, startService } from './service.js';
import { onStandby, pauseReplay, resumeReplay } from './standby.js';

const REDIS = process.env.TEST_REDIS_URL;
const testOnBoth = adminUrl && REDIS ? test : test.skip;
/** How many sequences of changes; each ends with two waits of a second. */
const SEQUENCES = Number(process.env.KEPT_SEQUENCES ?? 3);
/** How old an answer of another process may be, in milliseconds, and what a slow machine adds. */
const [STALE, MARGIN] = [1_000, 250];

const ADMIN = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'correct horse battery' };
const PATHS = [
  '/api/v1/posts?per_page=5',
  '/api/v1/posts/1',
  '/v3/api/v1/posts?_embed=wp:term',
  `/graphql?query=${encodeURIComponent('{ posts(first: 5) { nodes { title status } } }')}`,
];

/** An answer from when it was true to when it no longer was, by `performance.now()`. */
interface Truth {
  readonly text: string;
  readonly since: number;
  until: number;
}

let asked = 0;
/** Callers share the quota of their address, so each request has another one. */
const address = () => `10.${(++asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`;

/**
 * Returns the status, the headers that may not differ, and the text of an answer. One that is made
 * `anew` goes to the network that writes, which reads what it wrote.
 */
async function read({ url }: Service, path: string, anew = false): Promise<string> {
  const headers = {
    'apollo-require-preflight': '1',
    ...(anew ? { 'time-zone': 'UTC' } : { 'x-forwarded-for': address() }),
  };
  const response = await fetch(url + path, { headers });
  const known = [...response.headers].filter(([name]) => !VOLATILE.includes(name));
  return `${response.status} ${JSON.stringify(known)} ${await response.text()}`;
}

async function signIn({ url }: Service): Promise<string> {
  const response = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address() },
    body: JSON.stringify({ username: ADMIN.ADMIN_USERNAME, password: ADMIN.ADMIN_PASSWORD }),
  });
  return `Bearer ${((await response.json()) as { token: string }).token}`;
}

async function write({ url }: Service, token: string, path: string, body: object): Promise<void> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify(body),
  });
  if (response.status >= 300) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** What has been true at each path, and from which changes on a process must know it. */
class History {
  readonly #truths = new Map<string, Truth[]>();
  readonly #own = [0, 0];

  /** Notes a change: `began` and the present are before and after it. */
  async note(services: readonly Service[], writer: number, began: number): Promise<void> {
    const done = performance.now();
    this.#own[writer] = began;
    for (const path of PATHS) {
      const text = await read(services[writer] as Service, path, true);
      const known = this.#truths.get(path) ?? [];
      const last = known.at(-1);
      if (last) last.until = done;
      this.#truths.set(path, [...known.slice(-50), { text, since: began, until: Infinity }]);
    }
  }

  /** Returns the texts that a process may send to somebody who asked at that time. */
  allowed(path: string, reader: number, at: number): string[] {
    const oldest = Math.max(at - STALE - MARGIN, this.#own[reader] ?? 0);
    return (this.#truths.get(path) ?? [])
      .filter(({ until }) => until > oldest)
      .map(({ text }) => text);
  }

  present(path: string): string | undefined {
    return this.#truths.get(path)?.at(-1)?.text;
  }
}

const step = fc.record({
  what: fc.constantFrom('rename', 'hide', 'create', 'read', 'read', 'read', 'disturb'),
  at: fc.nat(1),
  n: fc.nat(1_000),
});

/** What goes away and comes back meanwhile. */
interface Disturbance {
  readonly environment: Readonly<Record<string, string>>;
  readonly cut: () => Promise<unknown>;
  readonly restore: () => Promise<unknown>;
}

/** Proves of two processes that they send what is true now. */
async function proveTrue(url: string, disturbed: Disturbance): Promise<void> {
  await openServer(url).then((database) => database.close());
  const environment = {
    ...ADMIN,
    DATABASE_URL: url,
    SECRET_KEY: 's'.repeat(40),
    BASE_URL: 'http://care.example',
    TRUSTED_PROXIES: '1',
    RESPONSE_CACHE: 'on',
    ...disturbed.environment,
  };
  const first = await startAs(environment);
  const services = [first, await startAs(environment)];
  const history = new History();
  let isAway = false;
  let token = '';
  let signedInAt = Number.NEGATIVE_INFINITY;
  const change = async (at: number, path: string, body: object) => {
    const began = performance.now();
    await write(services[at] as Service, token, path, body);
    await history.note(services, at, began);
    for (const own of PATHS)
      expect(await read(services[at] as Service, own)).toBe(history.present(own));
  };
  const steps = {
    rename: (at: number, n: number) => change(at, '/api/v1/posts/1', { title: `Title ${n}` }),
    hide: (at: number, n: number) =>
      change(at, '/api/v1/posts/1', { status: n % 2 ? 'draft' : 'publish' }),
    create: (at: number, n: number) =>
      change(at, '/api/v1/posts', { title: `New ${n}`, status: 'publish' }),
    read: async (at: number, n: number) => {
      const path = PATHS[n % PATHS.length] as string;
      const began = performance.now();
      const text = await read(services[at] as Service, path);
      expect(history.allowed(path, at, began)).toContain(text);
    },
    disturb: async () => {
      isAway = !isAway;
      await (isAway ? disturbed.cut() : disturbed.restore());
    },
  };
  try {
    token = await signIn(first);
    await change(0, '/api/v1/posts', { title: 'First', status: 'publish' });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (sequence) => {
        if (performance.now() - signedInAt > 300_000) {
          token = await signIn(first);
          signedInAt = performance.now();
        }
        for (const { what, at, n } of sequence) await steps[what](at, n);
        // The first time it is noticed what has changed, the second time answers are kept.
        for (let again = 0; again < 2; again++) {
          await sleep(STALE + 50);
          for (const service of services)
            for (const path of PATHS) expect(await read(service, path)).toBe(history.present(path));
        }
      }),
      { numRuns: SEQUENCES, endOnFailure: true },
    );
  } finally {
    for (const { child } of services) await child.kill();
  }
}

testOnBoth(
  'Two processes send what is true now, their own changes at once and those of the other within a second, also while Redis is away',
  () =>
    withServer(async (url) => {
      const relay = await Relay.before(REDIS as string);
      const environment = { REDIS_URL: relay.url };
      await proveTrue(url, {
        environment,
        cut: () => relay.cut(),
        restore: () => relay.restore(),
      }).finally(() => relay.cut());
    }),
);

onStandby(
  'They do so from a replica too, which replays nothing at times',
  async ({ url }, standby) => {
    const environment = { READ_DATABASE_URL: standby.url, READ_LAG_SECONDS: '60' };
    await proveTrue(url, {
      environment,
      cut: () => pauseReplay(standby),
      restore: () => resumeReplay(standby),
    });
  },
);

async function startAs(environment: Readonly<Record<string, string>>): Promise<Service> {
  const port = await freePort();
  const { child } = await startService({ environment: { ...environment, PORT: String(port) } });
  return { child, port, url: `http://127.0.0.1:${port}` };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
