import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { transact } from '../../src/core/transact.js';
import { feedName, moveFeeds } from '../../src/domains/live/feed.service.js';
import { FeedKind } from '../../src/domains/live/feed.types.js';
import {
  expandDue,
  queueMessages,
} from '../../src/domains/notifications/delivery/delivery.service.js';
import { makeCarer } from '../support/factories.js';
import { type Caller, useService } from '../support/harness.js';

const WATCH =
  'subscription($memberId: ID, $since: Int) { changes(subjects: [{ feed: CALENDAR, ' +
  'memberId: $memberId, since: $since }]) { version } }';

describe('A dashboard that watches', () => {
  const service = useService();
  const clients: Client[] = [];
  // Also of a test that failed: an open connection would keep the process alive.
  afterEach(
    async () => void (await Promise.all(clients.splice(0).map((client) => client.dispose()))),
  );
  /** Moves a member's calendar as a change would. */
  const move = async (...members: Caller[]) => {
    const ids = await Promise.all(
      members.map(async (name) => (await service().account(name as 'subscriber')).id),
    );
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
    const events = client.iterate<{ changes: { version: number } }>({
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
    expect(await live.next()).toBe(1);
    for (let n = 0; n < 3; n++) await move('subscriber', 'editor');
    let version = 1;
    while (version < 4) {
      const next = await live.next();
      expect(next).toBeGreaterThan(version);
      version = next;
    }
    await live.end();
  });

  it('hears nothing of what was rolled back', async () => {
    const { id } = await service().account('subscriber');
    const live = await watching('subscriber');
    await expect(
      transact(await service().context(), async (inner) => {
        await moveFeeds(inner, FeedKind.CALENDAR, [id]);
        throw new Error('no');
      }),
    ).rejects.toThrow();
    await move('subscriber');
    expect(await live.next()).toBe(1);
    await live.end();
  });

  it('misses nothing while it was away: the last version it knows brings it up to date', async () => {
    await move('subscriber');
    await move('subscriber');
    const live = await watching('subscriber', { since: 1 });
    expect(await live.next()).toBe(2);
    await live.end();
  });

  it('that knows a version of another history, such as that of a restored database, is told the present one', async () => {
    await move('subscriber');
    const live = await watching('subscriber', { since: 4711 });
    expect(await live.next()).toBe(1);
    await move('subscriber');
    expect(await live.next()).toBe(2);
    await live.end();
  });

  it('signs in however its client spells authorization', async () => {
    const { authorization } = await service().authorization('subscriber');
    await move('subscriber');
    const live = await watching(
      'anonymous',
      {},
      { connectionParams: { Authorization: authorization } },
    );
    expect(await live.next()).toBe(1);
    await live.end();
  });

  it("is refused without a session, and another member's calendar", async () => {
    const { id } = await service().account('editor');
    for (const [as, code] of [
      ['anonymous', 'UNAUTHENTICATED'],
      ['subscriber', 'FORBIDDEN'],
    ] as const) {
      const live = await watching(as, { memberId: id });
      expect(await live.next()).toBe(code);
      await live.end();
    }
  });

  it('is told nothing more a second after its credentials have ended', async () => {
    await service().account('subscriber');
    const { id } = await service().account('subscriber');
    const live = await watching('subscriber');
    await move('subscriber');
    expect(await live.next()).toBe(1);
    await service().database.prisma.applicationPassword.deleteMany({ where: { accountId: id } });
    const later = Date.now() + 1_000;
    service().at(later);
    await move('subscriber');
    expect(await live.next()).toBe('UNAUTHENTICATED');
    await live.end();
    expect(service().app.deps.live.watching).toBe(0);
  });

  it('runs subscriptions alone, and only documents that fit', async () => {
    const client = createClient({
      url: `${service().url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    clients.push(client);
    for (const [query, code, said] of [
      [
        '{ site { title } }',
        'BAD_REQUEST',
        'Only subscriptions run here; send queries and mutations over HTTP.',
      ],
      [
        'mutation { deletePost(input: { id: 1 }) { deletedPostId } }',
        'BAD_REQUEST',
        'Only subscriptions run here; send queries',
      ],
      [
        'subscription { change }',
        'GRAPHQL_VALIDATION_FAILED',
        'Cannot query field "change" on type "Subscription".',
      ],
      [
        'subscription { changes(subjects: [{ feed: CALENDAR, since: "x" }]) { version } }',
        'GRAPHQL_VALIDATION_FAILED',
        'Int cannot represent',
      ],
      [
        'subscription($id: ID!) { changes(subjects: [{ feed: CALENDAR, memberId: $id }]) { version } }',
        'BAD_USER_INPUT',
        'Variable "$id" of required',
      ],
      ['{', 'GRAPHQL_PARSE_FAILED', 'Syntax Error'],
    ] as const) {
      const event = client.iterate({ query }).next();
      const errors = await event.then(
        ({ value }) => value.errors,
        (thrown) => thrown,
      );
      expect(
        [errors[0].extensions.code, errors[0].message.slice(0, said.length)],
        query,
      ).toStrictEqual([code, said]);
    }
    await client.dispose();
  });

  it('is told how subscriptions are answered when it asks for one as for a query', async () => {
    const { status, body } = await service().graphql(WATCH, {}, { as: 'subscriber' });
    const [{ message, extensions }] = body.errors;
    expect([status, extensions.code]).toStrictEqual([400, 'BAD_REQUEST']);
    expect(message).toMatch(/WebSocket.*Accept: text\/event-stream/);
  });

  it('comes from the own origin or one that may call the API', async () => {
    const connect = (origin: string) =>
      new Promise((resolve) => {
        const socket = new WebSocket(
          `${service().url.replace('http', 'ws')}/graphql`,
          'graphql-transport-ws',
          { origin },
        );
        socket.once('open', () => resolve('open')).once('error', (error) => resolve(error.message));
        socket.once('open', () => socket.terminate());
      });
    expect(await connect('https://app.example')).toBe('open');
    expect(await connect(service().url)).toBe('open');
    expect(await connect('https://evil.example')).toBe('Unexpected server response: 403');
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
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await move('subscriber');
    let text = '';
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (!text.includes('"version":1')) text += (await reader?.read())?.value;
    expect(text).toMatch(/event: next\ndata: \{"data":\{"changes":/);
    going.abort();
    for (let n = 0; n < 1_000 && service().app.deps.live.watching > 0; n++) await sleep(10);
    expect(service().app.deps.live.watching).toBe(0);
    const refused = await fetch(
      `${service().url}/graphql?query=${encodeURIComponent('{ site { title } }')}`,
      {
        headers: { accept: 'text/event-stream' },
      },
    );
    expect(refused.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await refused.text()).toMatch(
      /event: next\ndata: .*"BAD_REQUEST".*\n\nevent: complete\ndata:\n\n$/,
    );
  });
});

describe('Changes that are told', () => {
  const service = useService();
  const act = async (query: string, as: Caller = 'subscriber') => {
    const { body } = await service().graphql(query, {}, { as });
    expect(body.errors, query).toBeUndefined();
    return body.data;
  };
  /**
   * Watches a feed, and runs each step: answers which of them moved it, once the watcher was told
   * of the move.
   */
  const heard = async (
    feed: keyof typeof FeedKind,
    as: Caller,
    memberId: number,
    steps: readonly (() => Promise<unknown>)[],
  ) => {
    const version = async () => {
      const name = feedName(FeedKind[feed], memberId);
      return (await service().database.prisma.feed.findUniqueOrThrow({ where: { name } })).version;
    };
    await transact(await service().context(), (inner) =>
      moveFeeds(inner, FeedKind[feed], [memberId]),
    );
    const client = createClient({
      url: `${service().url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { ...(await service().authorization(as)) },
      retryAttempts: 0,
    });
    const events = client.iterate<{ changes: { version: number } }>({
      query: `subscription($memberId: ID) { changes(subjects: [{ feed: ${feed}, memberId: $memberId }]) { version } }`,
      variables: { memberId },
    });
    const told = async () => {
      const event = await Promise.race([events.next(), sleep(20_000, undefined, { ref: false })]);
      if (!event) throw new Error('the watcher is not told within twenty seconds');
      return event.value.data.changes.version;
    };
    try {
      let known = await told(); // what was there before is told first
      const moved: boolean[] = [];
      for (const step of steps) {
        await step();
        const now = await version();
        moved.push(now > known);
        while (known < now) known = await told();
      }
      return moved;
    } finally {
      await client.dispose();
      // The service hears a moment later that it left.
      while (service().app.deps.live.watching > 0) await sleep(10);
    }
  };
  const everyone = (steps: readonly unknown[]) => steps.map(() => true);

  it('let a carer hear when the member takes a dose, and of whatever else changes on the calendar', async () => {
    const { id: memberId } = await service().account('subscriber');
    const { id: carerId } = await service().account('author');
    await makeCarer(service(), { memberId, carerId });
    const now = new Date().toISOString();
    const [today, time] = [now.slice(0, 10), now.slice(11, 16)];
    const make = `mutation { createMedicineReminder(input: { name: "x", frequency: "daily", startsOn: "${today}", startTime: "00:00" }) { reminder { databaseId } } }`;
    const { databaseId: id } = (await act(make)).createMedicineReminder.reminder;
    const [{ id: occurrence }] = (await act('{ calendar { events { id } } }')).calendar.events;
    const appoint = `mutation { createAppointmentReminder(input: { title: "x", date: "${today}", time: "${time}" }) { reminder { databaseId } } }`;
    const { databaseId: visit } = (await act(appoint)).createAppointmentReminder.reminder;
    const steps = [
      `takeDose(input: { occurrenceId: "${occurrence}" }) { event { id } }`,
      `undoDose(input: { occurrenceId: "${occurrence}" }) { event { id } }`,
      `snoozeDose(input: { occurrenceId: "${occurrence}" }) { event { id } }`,
      `skipDose(input: { occurrenceId: "${occurrence}" }) { event { id } }`,
      `logDose(input: { reminderId: ${id} }) { event { id } }`,
      `attendAppointment(input: { id: ${visit} }) { event { id } }`,
      'createMedicineReminder(input: { name: "y", frequency: "once" }) { reminder { id } }',
      `updateMedicineReminder(input: { id: ${id}, name: "z" }) { reminder { id } }`,
      'updateCareSettings(input: { usualTimes: [{ times: ["09:00"] }] }) { careSettings { timeZone } }',
      'updateCareSettings(input: { timeZone: "Asia/Tokyo" }) { careSettings { timeZone } }',
      'updateProfile(input: { timeZone: "Europe/Berlin" }) { viewer { timeZone } }',
      `deleteMedicineReminder(input: { id: ${id} }) { __typename }`,
    ].map((step) => () => act(`mutation { ${step} }`));
    expect(await heard('CALENDAR', 'author', memberId, steps)).toStrictEqual(everyone(steps));
  });

  it('are notifications that are new, become due, are read or deleted', async () => {
    const { id } = await service().account('subscriber');
    const start = Date.now();
    const later = new Date(start + 60_000).toISOString();
    const steps = [
      () =>
        act(
          `mutation { sendNotification(input: { title: "x", recipientIds: [${id}] }) { deviceCount } }`,
          'administrator',
        ),
      () => act('mutation { markNotificationsRead(input: {}) { unreadCount } }'),
      () => act('mutation { deleteNotifications(input: { ids: [1] }) { unreadCount } }'),
      () =>
        act(
          `mutation { sendNotification(input: { title: "x", sendAt: "${later}" }) { deviceCount } }`,
        ),
      async () => {
        service().at(start + 61_000);
        expect(await expandDue(service().app.deps)).toBe(1);
      },
    ];
    expect(await heard('NOTIFICATIONS', 'subscriber', id, steps)).toStrictEqual(everyone(steps));
    const nothing = [
      () => act('mutation { deleteNotifications(input: { ids: [4711] }) { unreadCount } }'),
      () => act('{ notifications { unreadCount } }'),
    ];
    expect(await heard('NOTIFICATIONS', 'subscriber', id, nothing)).toStrictEqual([false, false]);
  });

  it('move in one statement, however many accounts are told', async () => {
    const ids: number[] = [];
    const send = () =>
      service().statements(async () =>
        transact(await service().context('administrator'), (inner) =>
          queueMessages(
            inner,
            { kind: 'message' },
            ids.map((accountId) => ({
              accountId,
              title: 'x',
              body: '',
              messageId: randomUUID(),
              sendAt: inner.now(),
            })),
          ),
        ),
      );
    ids.push((await service().account('subscriber')).id);
    await send();
    const one = await send();
    for (let n = 0; n < 9; n++) ids.push((await service().account('subscriber', `member ${n}`)).id);
    expect(await send()).toBe(one);
    const feeds = await service().database.prisma.feed.findMany({
      where: { name: { startsWith: 'notifications:' } },
    });
    expect(feeds.map(({ version }) => version).sort()).toStrictEqual([
      1, 1, 1, 1, 1, 1, 1, 1, 1, 3,
    ]);
  });
});
