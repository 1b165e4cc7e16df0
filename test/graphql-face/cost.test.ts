import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { POINTS, QUOTAS } from '../../src/core/quota.js';
import { type Answer, type Caller, useService } from '../support/harness.js';

const aliases = (count: number) =>
  Array.from({ length: count }, (_, i) => `a${i}: site { title }`).join(' ');

describe('What a request costs', () => {
  const service = useService();
  const LIMIT = QUOTAS.account.points;
  const send = (query: string, as: Caller = 'editor') => service().graphql(query, {}, { as });
  const costOf = ({ body }: Answer) => body.extensions?.cost;

  it('is told in the extensions of its response, and goes off what is left', async () => {
    await service().account('editor');
    service().limit();
    const first = costOf(await send('{ viewer { id } }'));
    expect(first).toStrictEqual({ asked: 1, left: LIMIT - 1, limit: LIMIT });
    const made = costOf(
      await send('mutation { createPost(input: { title: "x" }) { post { id } } }'),
    );
    expect(made.asked).toBeGreaterThanOrEqual(POINTS.write);
    expect(made.left).toBe(first.left - made.asked);
  });

  it('is a point more for each id of many', async () => {
    await service().account('editor');
    service().limit();
    const ids = Array.from({ length: 50 }, (_, i) => i + 1);
    const cost = costOf(
      await send(
        `mutation { trashPosts(input: { ids: [${ids}] }) { results { error { code } } } }`,
      ),
    );
    expect(cost.asked).toBeGreaterThanOrEqual(POINTS.write + 50);
    expect(cost.asked).toBeLessThan(POINTS.write + 60);
  });

  it('has what a payload shows by `query` in it, by the price, the limit and the rules of the root', async () => {
    await service().account('editor');
    service().limit();
    const made = (shown: string) =>
      send(`mutation { createPost(input: { title: "x" }) { ${shown} } }`);
    const create = (asked: string) => made(`query { ${asked} }`);
    const [bare, two] = [await made('__typename'), await create(aliases(2))];
    expect(costOf(two).asked).toBeGreaterThanOrEqual(costOf(bare).asked + 2 * POINTS.read);
    const many = await create(aliases(11));
    expect(many.body.errors[0].extensions.code).toBe('DOCUMENT_TOO_LARGE');
    const { body } = await create('auditEvents { nodes { id } } posts { totalCount }');
    expect(body.errors.map((error: { path: unknown }) => error.path)).toStrictEqual([
      ['createPost', 'query', 'auditEvents'],
    ]);
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect(body.data.createPost.query).toMatchObject({ auditEvents: null, posts: {} });
  });

  it('is told with a refusal of the document, of a field and of the quota', async () => {
    await service().accounts([
      ['editor', 'editor'],
      ['administrator', 'administrator'],
    ]);
    service().limit();
    for (const query of [
      '{ nothing }',
      '{ post(id: 4711) { id } }',
      'mutation { deletePost(input: { id: 4711 }) { deletedPostId } }',
    ])
      expect(costOf(await send(query))).toMatchObject({ limit: LIMIT });
    const dear = '{ a: diagnostics { __typename } b: diagnostics { __typename } }';
    let last = await send(dear, 'administrator');
    for (let i = 0; i < 40 && last.status !== 429; i++) last = await send(dear, 'administrator');
    expect(last.status).toBe(429);
    expect(costOf(last)).toMatchObject({ limit: LIMIT });
    expect(costOf(last).asked).toBeGreaterThan(0);
  });

  it('is told to the anonymous of their own quota, and not where caches may keep the response', async () => {
    service().limit();
    const query = '{ posts { nodes { id } } }';
    const limit = QUOTAS.anonymous.points;
    expect(costOf(await service().graphql(query, {}, { as: 'anonymous' }))).toMatchObject({
      limit,
    });
    const path = `/graphql?query=${encodeURIComponent(query)}`;
    const headers = { 'apollo-require-preflight': 'true' };
    const { body } = await service().fetch(path, { headers });
    expect(body.data.posts).toBeDefined();
    expect(body.extensions).toBeUndefined();
  });

  it('is not told where nothing is charged', async () => {
    expect(await send('{ viewer { id } }')).not.toHaveProperty('body.extensions');
  });

  describe('over a stream', () => {
    const WATCH = (since: number) =>
      `subscription { changes(subjects: [{ feed: CALENDAR, since: ${since} }]) { version } }`;
    const clients: Client[] = [];
    afterEach(
      async () => void (await Promise.all(clients.splice(0).map((client) => client.dispose()))),
    );
    /** Returns the first message of a WebSocket, or the errors that refuse the operation. */
    const bySocket = async (query: string) => {
      const client = createClient({
        url: `${service().url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { ...(await service().authorization('subscriber')) },
        retryAttempts: 0,
      });
      clients.push(client);
      const events = client.iterate({ query });
      return events.next().then(
        ({ value }) => value?.extensions?.cost,
        ([error]) => error.extensions.cost,
      );
    };
    /** Returns the first event of a response of its own. */
    const byEvents = async (query: string) => {
      const gone = new AbortController();
      const response = await fetch(`${service().url}/graphql`, {
        method: 'POST',
        headers: {
          accept: 'text/event-stream',
          'content-type': 'application/json',
          ...(await service().authorization('subscriber')),
        },
        body: JSON.stringify({ query }),
        signal: gone.signal,
      });
      let text = '';
      const decoder = new TextDecoder();
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(piece, { stream: true });
        if (/^data: \{.*\}$/m.test(text)) break;
      }
      gone.abort();
      const [, json = ''] = /^data: (\{.*\})$/m.exec(text) ?? [];
      return JSON.parse(json).extensions?.cost;
    };
    const WAYS = [
      ['WebSocket', bySocket],
      ['server-sent events', byEvents],
    ] as const;

    it.each(WAYS)('by %s is told with the first event, and with a refusal', async (_, ask) => {
      await service().account('subscriber');
      service().limit();
      const watched = await ask(WATCH(7));
      expect(watched).toMatchObject({ limit: LIMIT });
      expect(watched.asked).toBeGreaterThanOrEqual(POINTS.read);
      const refusals = [
        'subscription { nothing }',
        '{ viewer { id } }',
        `subscription { changes(subjects: [{ feed: CALENDAR, memberId: "4711" }]) { version } }`,
      ];
      let { left } = watched;
      for (const query of refusals) {
        const cost = await ask(query);
        expect(cost, query).toMatchObject({ limit: LIMIT });
        expect(cost.left, query).toBeLessThan(left);
        ({ left } = cost);
      }
    });

    it.each(WAYS)('by %s is told by nobody where nothing is charged', async (_, ask) => {
      expect(await ask(WATCH(7))).toBeUndefined();
      expect(await ask('subscription { nothing }')).toBeUndefined();
    });
  });
});
