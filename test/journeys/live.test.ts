import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { transact } from '../../src/context.js';
import { moveFeeds } from '../../src/domains/feeds/feed.service.js';
import { FeedKind } from '../../src/domains/feeds/feed.types.js';
import { type Caller, useService } from '../support/harness.js';

const WATCH =
  'subscription($memberId: Int, $since: Int) { changes(feed: CALENDAR, memberId: $memberId, since: $since) { memberId version } }';

describe('A dashboard that watches', () => {
  const service = useService();
  const clients: Client[] = [];
  // Also of a test that failed: an open connection would keep the process alive.
  afterEach(async () => void (await Promise.all(clients.splice(0).map((client) => client.dispose()))));
  /** Moves a member's calendar as a change would. */
  const move = async (...members: Caller[]) => {
    const ids = await Promise.all(members.map(async (name) => (await service().account(name as 'subscriber')).id));
    await transact(await service().context(), (inner) => moveFeeds(inner, FeedKind.CALENDAR, ids));
  };
  const watching = async (as: Caller, variables: object = {}, more: object = {}) => {
    const client = createClient({
      url: `${service().url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { ...(await service().authorization(as)) },
      retryAttempts: 0,
      ...more,
    });
    clients.push(client);
    const events = client.iterate<{ changes: { memberId: number; version: number } }>({
      query: WATCH,
      variables: { ...variables },
    });
    const next = async () => {
      const { value } = await events.next();
      return value.errors?.[0].extensions?.code ?? value.data.changes.version;
    };
    return { next, end: async () => void (await client.dispose()) };
  };

  it('is told of each change once it is committed, several at once as one', async () => {
    const live = await watching('subscriber');
    await move('subscriber');
    assert.equal(await live.next(), 1);
    for (let n = 0; n < 3; n++) await move('subscriber', 'editor');
    let version = 1;
    while (version < 4) {
      const next = await live.next();
      assert.ok(next > version);
      version = next;
    }
    await live.end();
  });

  it('hears nothing of what was rolled back', async () => {
    const { id } = await service().account('subscriber');
    const live = await watching('subscriber');
    await assert.rejects(
      transact(await service().context(), async (inner) => {
        await moveFeeds(inner, FeedKind.CALENDAR, [id]);
        throw new Error('no');
      }),
    );
    await move('subscriber');
    assert.equal(await live.next(), 1);
    await live.end();
  });

  it('misses nothing while it was away: the last version it knows brings it up to date', async () => {
    await move('subscriber');
    await move('subscriber');
    const live = await watching('subscriber', { since: 1 });
    assert.equal(await live.next(), 2);
    await live.end();
  });

  it("is refused without a session, and another member's calendar", async () => {
    const { id } = await service().account('editor');
    for (const [as, code] of [
      ['anonymous', 'UNAUTHENTICATED'],
      ['subscriber', 'FORBIDDEN'],
    ] as const) {
      const live = await watching(as, { memberId: id });
      assert.equal(await live.next(), code);
      await live.end();
    }
  });

  it('is told nothing more a second after its credentials have ended', async () => {
    await service().account('subscriber');
    const { id } = await service().account('subscriber');
    const live = await watching('subscriber');
    await move('subscriber');
    assert.equal(await live.next(), 1);
    await service().database.prisma.applicationPassword.deleteMany({ where: { accountId: id } });
    const later = Date.now() + 1_000;
    service().now = () => later;
    await move('subscriber');
    assert.equal(await live.next(), 'UNAUTHENTICATED');
    await live.end();
    assert.equal(service().app.deps.feeds.watching, 0);
  });

  it('runs subscriptions alone, and only documents that fit', async () => {
    const client = createClient({
      url: `${service().url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    clients.push(client);
    for (const query of [
      '{ site { title } }',
      'mutation { deletePost(input: { id: 1 }) { __typename } }',
      'subscription { nothing }',
      '{',
    ])
      await assert.rejects(client.iterate({ query }).next(), query);
    await client.dispose();
  });

  it('comes from the own origin or one that may call the API', async () => {
    const connect = (origin: string) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${service().url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { origin });
        socket.once('open', () => resolve('open')).once('error', (error) => resolve(error.message));
        socket.once('open', () => socket.terminate());
      });
    assert.equal(await connect('https://app.example'), 'open');
    assert.equal(await connect(service().url), 'open');
    assert.equal(await connect('https://evil.example'), 'Unexpected server response: 403');
  });

  it('may use server-sent events instead, and leaves nothing behind when it goes', async () => {
    const going = new AbortController();
    const response = await fetch(`${service().url}/graphql`, {
      method: 'POST',
      signal: going.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(await service().authorization('subscriber')),
      },
      body: JSON.stringify({ query: WATCH }),
    });
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    await move('subscriber');
    let text = '';
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (!text.includes('"version":1')) text += (await reader?.read())?.value;
    assert.match(text, /event: next\ndata: \{"data":\{"changes":/);
    going.abort();
    for (let n = 0; n < 100 && service().app.deps.feeds.watching > 0; n++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(service().app.deps.feeds.watching, 0);
    const refused = await fetch(`${service().url}/graphql?query=${encodeURIComponent('{ site { title } }')}`, {
      headers: { accept: 'text/event-stream' },
    });
    assert.equal(refused.status, 400);
  });
});
