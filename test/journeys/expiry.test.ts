import { setTimeout as sleep } from 'node:timers/promises';
import { createClient as createEventClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import WebSocket from 'ws';
import { Tokens } from '../../src/core/tokens.js';
import { transact } from '../../src/core/transact.js';
import { moveFeeds } from '../../src/domains/live/feed.service.js';
import { FeedKind } from '../../src/domains/live/feed.types.js';
import { bearer, errorCode, type Harness, useService } from '../support/harness.js';

/** Seconds that access tokens are good for here. */
const LIFETIME = 3;
const EXPIRIES = 3;
const WATCH =
  'subscription($since: Int) { changes(subjects: [{ feed: CALENDAR, since: $since }]) { version } }';

interface Told {
  readonly data?: { readonly changes: { readonly version: number } } | null;
  readonly errors?: readonly { readonly extensions?: Record<string, unknown> }[];
}

describe('A dashboard whose tokens expire', () => {
  const service = useService();
  let brief: Harness;
  beforeAll(async () => {
    brief = await service().beside({ tokens: new Tokens('t'.repeat(40), undefined, LIFETIME) });
  });
  afterAll(() => brief.stop());

  /** A session, and what renews it. */
  const session = async () => {
    const { body } = await brief.graphql(
      'mutation { createGuestSession(input: { language: 1 }) { token refreshToken viewer { databaseId } } }',
    );
    let { token, refreshToken } = body.data.createGuestSession;
    const refresh = async () => {
      const renew =
        'mutation($input: RefreshTokenInput!) { refreshToken(input: $input) { token ' +
        'refreshToken } }';
      const { body } = await brief.graphql(renew, { input: { refreshToken } });
      ({ token, refreshToken } = body.data.refreshToken);
    };
    let first = true;
    /** A new token for each connection, as dashboards do it. */
    const authorization = async () => {
      if (!first) await refresh();
      first = false;
      return bearer(token);
    };
    return { id: body.data.createGuestSession.viewer.databaseId, authorization };
  };
  const move = async (id: number) =>
    void (await transact(await service().context(), (inner) =>
      moveFeeds(inner, FeedKind.CALENDAR, [id]).then(() => 1),
    ));

  /** Watches through three expiries, and returns what was told, and of how many connections. */
  const watch = async (
    subscribe: (sink: Sink, connected: () => void) => () => void,
    id: number,
  ) => {
    const told: Told[] = [];
    let connections = 0;
    let ended: unknown;
    const end = (why: unknown) => {
      ended = why;
    };
    const sink = {
      next: (value: unknown) => void told.push(value as Told),
      error: end,
      complete: () => end('completed'),
    };
    const stop = subscribe(sink, () => connections++);
    try {
      while (connections <= EXPIRIES && ended === undefined) await sleep(20);
      expect(ended, 'the client goes on').toBeUndefined();
      await move(id);
      while (!told.some(({ data }) => data?.changes.version === 2) && ended === undefined)
        await sleep(20);
      return { told, ended };
    } finally {
      stop();
    }
  };
  interface Sink {
    next(value: unknown): void;
    error(error: unknown): void;
    complete(): void;
  }
  const query = { query: WATCH, variables: { since: 1 } };

  it('goes on with graphql-ws: 4403 makes it connect again, with a new token', async () => {
    const { id, authorization } = await session();
    await move(id);
    const codes: number[] = [];
    const client = createSocketClient({
      url: `${brief.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: authorization,
      retryWait: async () => {},
      on: { closed: (event) => void codes.push((event as { code: number }).code) },
    });
    const { told, ended } = await watch((sink, connected) => {
      client.on('connected', connected);
      return client.subscribe(query, sink);
    }, id);
    await client.dispose();
    expect(codes.slice(0, EXPIRIES)).toStrictEqual([4403, 4403, 4403]);
    expect([told.filter(({ errors }) => errors), ended]).toStrictEqual([[], undefined]);
  });

  it('goes on with graphql-sse: a stream that ends without complete makes it connect again, with a new token', async () => {
    const { id, authorization } = await session();
    await move(id);
    const attempts: number[] = [];
    const client = createEventClient({
      url: `${brief.url}/graphql`,
      headers: authorization,
      retry: async (retries) => void attempts.push(retries),
    });
    const { told, ended } = await watch(
      (sink, connected) => client.subscribe(query, sink, { connected }),
      id,
    );
    client.dispose();
    expect([told.filter(({ errors }) => errors), ended]).toStrictEqual([[], undefined]);
    expect(
      [...new Set(attempts)],
      'to come back is no failed attempt, also where nothing changed',
    ).toStrictEqual([0]);
  });

  it('is refused by 4403, or by an event, when it comes with a token that has expired', async () => {
    const { authorization } = await session();
    const expired = await authorization();
    const later = Date.now() + (LIFETIME + 1) * 1_000;
    service().at(later);
    const socket = new WebSocket(
      `${brief.url.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
    );
    const code = new Promise((resolve) => void socket.once('close', resolve));
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: expired })),
    );
    expect(await code).toBe(4403);
    const response = await fetch(`${brief.url}/graphql?query=${encodeURIComponent(WATCH)}`, {
      headers: { accept: 'text/event-stream', ...expired },
    });
    expect(response.headers.get('content-type') ?? '').toMatch(/^text\/event-stream/);
    expect(await response.text()).toMatch(
      /event: next\ndata: .*TOKEN_EXPIRED.*\n\nevent: complete/,
    );
  });

  it('hears of refusals as events', async () => {
    const client = createEventClient({ url: `${brief.url}/graphql`, retryAttempts: 0 });
    for (const [asked, code] of [
      [WATCH, 'UNAUTHENTICATED'],
      ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
      ['{', 'GRAPHQL_PARSE_FAILED'],
    ] as const) {
      const { value } = await client.iterate({ query: asked }).next();
      expect(errorCode(value)).toBe(code);
    }
    client.dispose();
  });
});

describe('The screens of a dashboard', () => {
  const service = useService();

  it('show the version of their feed, so that a watcher from it on is told of changes alone', async () => {
    const me = async () => (await service().account('subscriber')).id;
    const screens = `{
      calendar { version }
      memberHome { version notificationsVersion week { version } }
      memberHomes(memberIds: [${await me()}]) { version }
      adherence { version }
      medicineReminders { version }
      appointmentReminders { version }
      notifications { version }
    }`;
    const shown = (calendar: number, notifications: number) => ({
      calendar: { version: calendar },
      memberHome: {
        version: calendar,
        notificationsVersion: notifications,
        week: { version: calendar },
      },
      memberHomes: [{ version: calendar }],
      adherence: { version: calendar },
      medicineReminders: { version: calendar },
      appointmentReminders: { version: calendar },
      notifications: { version: notifications },
    });
    expect(await service().ask(screens)).toStrictEqual({ data: shown(0, 0) });
    await service().ask(
      'mutation { createMedicineReminder(input: { name: "x", frequency: "once" }) { memberHome { version } } }',
    );
    const later = new Date(Date.now() + 60_000).toISOString();
    await service().ask(
      `mutation { sendNotification(input: { title: "x", sendAt: "${later}" }) { deviceCount } }`,
    );
    const feeds = await service().database.prisma.feed.findMany({ orderBy: { name: 'asc' } });
    const versions = feeds.map(({ version }) => version);
    expect(await service().ask(screens)).toStrictEqual({
      data: shown(versions[0] as number, versions[1] as number),
    });
  });
});
