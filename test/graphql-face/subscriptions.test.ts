// What holds for a subscription whatever it watches: its price, its bounds, and what passes.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient as createEventClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import WebSocket from 'ws';
import { QUOTAS, Quota } from '../../src/core/quota.js';
import { transact } from '../../src/core/transact.js';
import { moveFeeds } from '../../src/domains/live/feed.service.js';
import { FeedKind } from '../../src/domains/live/feed.types.js';
import { type Caller, errorCode, type Harness, useService } from '../support/harness.js';

const WATCH = 'subscription { changes(subjects: [{ feed: CALENDAR }]) { version } }';
const KIB = 1024;

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
type Result = any;

const service = useService();
const ending: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(ending.splice(0).map((end) => end()));
  for (let n = 0; n < 500 && service().app.deps.live.watching > 0; n++) await sleep(10);
});

const move = async (as: Caller = 'subscriber') => {
  const { id } = await service().account(as as 'subscriber');
  await transact(await service().context(), (inner) => moveFeeds(inner, FeedKind.CALENDAR, [id]));
};

const bySocket = async (to: Pick<Harness, 'url'>, as: Caller) => {
  const client = createSocketClient({
    url: `${to.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: await service().authorization(as),
    retryAttempts: 0,
  });
  ending.push(() => client.dispose());
  return client;
};
const byEvents = async (to: Pick<Harness, 'url'>, as: Caller) => {
  const client = createEventClient({
    url: `${to.url}/graphql`,
    headers: await service().authorization(as),
    retryAttempts: 0,
  });
  ending.push(() => client.dispose());
  return client;
};
const WAYS = [
  ['WebSocket', bySocket],
  ['server-sent events', byEvents],
] as const;
type Over = typeof bySocket;

/** Subscribes by a client that tries nothing again. */
const watching = async (
  over: Over,
  query: string,
  { to = service(), as = 'subscriber' as Caller, variables = {} } = {},
) => {
  const events = (await over(to, as)).iterate({ query, variables });
  return async (): Promise<Result> => {
    // A client of WebSockets throws the errors that refuse an operation.
    const event = events.next().then(
      ({ value }) => value,
      (errors) => ({ errors }),
    );
    const late = sleep(20_000, 'late', { ref: false });
    const told = await Promise.race([event, late]);
    if (told === 'late') throw new Error('nothing is told within twenty seconds');
    return told;
  };
};

/** A socket of which the test sends and reads each frame. */
const rawSocket = async (as: Caller, { url }: Pick<Harness, 'url'> = service()) => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  ending.push(() => socket.terminate());
  await once(socket, 'open');
  const send = (message: object) => socket.send(JSON.stringify(message));
  send({ type: 'connection_init', payload: await service().authorization(as) });
  await once(socket, 'message');
  return { socket, send };
};

const watchers = async (count: number) => {
  for (let n = 0; n < 500 && service().app.deps.live.watching !== count; n++) await sleep(10);
  expect(service().app.deps.live.watching).toBe(count);
};

const poll = async (statement?: string) => {
  const { createPoll } = await service().data(
    'mutation($input: CreatePollInput!) { createPoll(input: $input) { poll { id options { databaseId } } } }',
    {
      input: {
        question: 'How are you?',
        options: ['Well', 'Ill'],
        resultsVisibility: 'ALWAYS',
        statement,
      },
    },
    'administrator',
  );
  return createPoll.poll;
};

describe('A subscription whose database fails for a moment', () => {
  let other: Harness;
  let isDown = false;
  /** What fails once: a text of a statement. */
  let failing: string | undefined;
  beforeAll(async () => {
    const { database } = service();
    const outage = () => Object.assign(new Error('connection failure'), { code: '08006' });
    const query: typeof database.query = async (text, ...more) => {
      if (!failing || !text.includes(failing)) return database.query(text, ...more);
      failing = undefined;
      throw outage();
    };
    const proxy = new Proxy(database, {
      get(target, name) {
        if (isDown) throw outage();
        if (name === 'query') return query;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    other = await service().beside({ database: proxy });
  });
  afterEach(() => {
    isDown = false;
    failing = undefined;
  });
  afterAll(() => other.stop());

  it.each(WAYS)('tells what moved meanwhile once it is back, over %s', async (_, over) => {
    const next = await watching(over as Over, WATCH, { to: other });
    await move();
    expect(await next()).toMatchObject({ data: { changes: { version: 1 } } });
    isDown = true;
    service().at(Date.now() + 60_000); // what is cached of the viewer is old
    await move();
    const told = next();
    await sleep(1_500);
    isDown = false;
    expect(await told).toMatchObject({ data: { changes: { version: 2 } } });
  });

  it.each(WAYS)(
    'is told of no change without what could not be read of it, over %s',
    async (_, over) => {
      const query = WATCH.replace('version', 'version member { name }');
      const next = await watching(over as Over, query, { to: other });
      await move();
      expect(await next()).toMatchObject({ data: { changes: { version: 1 } } });
      failing = 'FROM account a WHERE';
      await move();
      const { data, errors } = await next();
      expect([failing, errors, data]).toStrictEqual([
        undefined,
        undefined,
        { changes: { version: 2, member: { name: 'The subscriber' } } },
      ]);
    },
  );

  it('is asked to begin later: 503 with Retry-After, and 1013', async () => {
    const own = await service().authorization('subscriber');
    const { socket, send } = await rawSocket('subscriber', other);
    isDown = true;
    service().at(Date.now() + 60_000);
    const response = await fetch(`${other.url}/graphql?query=${encodeURIComponent(WATCH)}`, {
      headers: { accept: 'text/event-stream', ...own },
    });
    expect([response.status, response.headers.get('retry-after')]).toStrictEqual([503, '1']);
    const closed = once(socket, 'close');
    send({ id: '1', type: 'subscribe', payload: { query: WATCH } });
    expect((await closed)[0]).toBe(1013);
  });
});

describe('The price of a subscription', () => {
  const LIMIT = QUOTAS.account.points;
  const aliases = (of: string) => Array.from({ length: 10 }, (_, i) => `a${i}: ${of}`).join(' ');
  const fields = aliases(`options { ${aliases('votes')} }`);
  const answer = (poll: Result, as: Caller) =>
    service().data(
      'mutation($input: SubmitPollInput!) { submitPoll(input: $input) { poll { id } } }',
      { input: { pollId: poll.id, optionIds: [poll.options[0].databaseId] } },
      { as },
    );

  it.each(WAYS)('is that of the same query, and each event costs it, over %s', async (_, over) => {
    const watched = await poll();
    for (const as of ['subscriber', 'author', 'editor'] as const) await service().account(as);
    service().limit();
    const variables = { id: watched.id };
    const query = `query($id: ID!) { poll(id: $id) { ${fields} } }`;
    const { body } = await service().graphql(query, variables, { as: 'author' });
    const next = await watching(
      over as Over,
      `subscription($id: ID!) { pollResults(id: $id) { ${fields} } }`,
      { variables },
    );
    const first = (await next()).extensions.cost;
    expect(first.asked).toBeGreaterThanOrEqual(body.extensions.cost.asked);
    await answer(watched, 'author');
    const second = (await next()).extensions.cost;
    expect(second.asked, 'some thousand fields').toBeGreaterThan(2);
    expect(second.left).toBe(first.left - second.asked);
    await answer(watched, 'editor');
    expect((await next()).extensions.cost.left).toBe(second.left - second.asked);
  });

  it('holds what moved back while no point is left, and tells it with the next points', async () => {
    const { id } = await service().account('subscriber');
    const start = Date.now();
    service().at(start);
    service().limit();
    const next = await watching(bySocket, WATCH);
    await move();
    expect(await next()).toMatchObject({ data: { changes: { version: 1 } } });
    service().at(start + 59_500);
    await Quota.of(service().limits, id, '').charge(LIMIT);
    await move();
    await move();
    const told = next();
    expect(await Promise.race([told, sleep(700, 'nothing')])).toBe('nothing');
    service().at(start + 60_001);
    const { errors, data } = await told;
    expect(errors).toBeUndefined();
    expect(data.changes.version).toBeGreaterThan(1);
    if (data.changes.version < 3) expect((await next()).data.changes.version).toBe(3);
  });

  it('is waited for at its beginning over WebSocket, and nothing of the connection ends', async () => {
    const { id } = await service().account('subscriber');
    const watched = await poll();
    const start = Date.now();
    service().at(start);
    service().limit();
    const running = await watching(bySocket, WATCH);
    await move();
    expect(await running()).toMatchObject({ data: { changes: { version: 1 } } });
    service().at(start + 59_500);
    const { remaining } = await service().limits.limiter(QUOTAS.account).take(String(id), 0);
    await service()
      .limits.limiter(QUOTAS.account)
      .take(String(id), remaining - 2);
    const { socket, send } = await rawSocket('subscriber');
    const messages: Result[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    const query = `subscription($id: ID!) { pollResults(id: $id) { ${fields} } }`;
    const payload = { query, variables: { id: watched.id } };
    send({ id: 'dear', type: 'subscribe', payload });
    send({ id: 'left', type: 'subscribe', payload });
    await sleep(300);
    send({ id: 'left', type: 'complete' });
    await sleep(300);
    expect(messages).toStrictEqual([]);
    service().at(start + 60_001);
    for (let n = 0; n < 500 && messages.length === 0; n++) await sleep(10);
    expect(messages).toMatchObject([{ id: 'dear', type: 'next' }]);
    expect(socket.readyState).toBe(socket.OPEN);
  });

  it('ends for who leaves while it is held back', async () => {
    const { id } = await service().account('subscriber');
    service().limit();
    const { socket, send } = await rawSocket('subscriber');
    send({ id: '1', type: 'subscribe', payload: { query: WATCH } });
    await move();
    await once(socket, 'message');
    await Quota.of(service().limits, id, '').charge(LIMIT);
    await move();
    await sleep(100);
    socket.terminate();
    await watchers(0);
  });
});

describe('The bounds of a subscription', () => {
  const texts = (count: number) =>
    `subscription($id: ID!) { pollResults(id: $id) { ${Array.from({ length: count }, (_, i) => `s${i}: statement`).join(' ')} } }`;

  it.each(WAYS)('are 256 KiB for an event, over %s', async (_, over) => {
    const { id } = await poll('x'.repeat(60 * KIB));
    const four = await watching(over as Over, texts(4), { variables: { id } });
    expect(errorCode(await four())).toBeUndefined();
    const five = await watching(over as Over, texts(5), { variables: { id } });
    expect(errorCode(await five())).toBe('RESPONSE_TOO_LARGE');
  });

  it('end a socket that reads nothing, although it sends pongs', async () => {
    const { id } = await poll('x'.repeat(60 * KIB));
    const { port } = new URL(service().url);
    const raw = createConnection(Number(port), '127.0.0.1');
    raw.on('error', () => {});
    ending.push(() => raw.destroy());
    raw.write(
      'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
    await once(raw, 'data');
    const frame = (opcode: number, text = '') => {
      const bytes = Buffer.from(text);
      const head = [0x80 | opcode, 0x80 | (bytes.length < 126 ? bytes.length : 126)];
      if (bytes.length >= 126) head.push(bytes.length >> 8, bytes.length & 255);
      raw.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), bytes]));
    };
    const say = (message: object) => frame(1, JSON.stringify(message));
    say({ type: 'connection_init', payload: await service().authorization('subscriber') });
    await once(raw, 'data');
    raw.pause();
    for (let n = 0; n < 50; n++)
      say({
        id: String(n),
        type: 'subscribe',
        payload: { query: texts(4), variables: { id } },
      });
    for (let n = 0; n < 100 && !raw.destroyed; n++) {
      frame(0xa);
      await sleep(20);
    }
    await watchers(0);
  });

  it('hold for one that is begun twice under one id: it ends with its socket', async () => {
    const { socket, send } = await rawSocket('subscriber');
    const subscribe = { id: '1', type: 'subscribe', payload: { query: WATCH } };
    for (const message of [subscribe, { id: '1', type: 'complete' }, subscribe]) send(message);
    await watchers(2);
    socket.terminate();
    await watchers(0);
  });
});

describe('A subscription by a registered document', () => {
  const hash = createHash('sha256').update(WATCH).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
  let url: string;
  beforeAll(async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'care-documents-')), 'documents.json');
    writeFileSync(file, JSON.stringify({ [hash]: WATCH }));
    url = await service().configured({
      PERSISTED_DOCUMENTS: file,
      PERSISTED_DOCUMENTS_ONLY: 'on',
    });
  });

  it.each(WAYS)('is named by its hash, over %s', async (name, over) => {
    const query = name === 'WebSocket' ? '' : (undefined as unknown as string);
    await move();
    const events = (await (over as Over)({ url }, 'subscriber')).iterate({ query, extensions });
    expect((await events.next()).value).toMatchObject({ data: { changes: { version: 1 } } });
    const unknown = { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } };
    const refused = (await (over as Over)({ url }, 'subscriber')).iterate({
      query,
      extensions: unknown,
    });
    const told = await refused.next().then(
      ({ value }) => value?.errors,
      (errors) => errors,
    );
    expect((told as Result)[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it.each(WAYS)('may be another one for who may read the schema, over %s', async (_, over) => {
    const query = `${WATCH} # another text`;
    await move('administrator');
    const events = (await (over as Over)({ url }, 'administrator')).iterate({ query });
    expect((await events.next()).value).toMatchObject({ data: { changes: { version: 1 } } });
    const refused = (await (over as Over)({ url }, 'subscriber')).iterate({ query });
    const told = await refused.next().then(
      ({ value }) => value?.errors,
      (errors) => errors,
    );
    expect((told as Result)[0].extensions.code).toBe('DOCUMENT_NOT_REGISTERED');
  });
});

describe('A query by who takes a stream as well', () => {
  it('is paid once', async () => {
    await service().account('subscriber');
    service().limit();
    const query = `{ viewer { ${'... on Account { id } '.repeat(49)} } }`;
    const ask = async (accept: string) => {
      const headers = {
        accept,
        'content-type': 'application/json',
        ...(await service().authorization('subscriber')),
      };
      // Each document is new to the process.
      const body = JSON.stringify({ query: `${query} # ${accept}` });
      const response = await fetch(`${service().url}/graphql`, { method: 'POST', headers, body });
      return (await response.json()).extensions.cost.asked;
    };
    expect(await ask('text/event-stream, application/json')).toBe(await ask('application/json'));
  });
});
