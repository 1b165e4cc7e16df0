import { ExpoTransport } from '../../../src/platform/push/expo.js';
import type { PushMessage } from '../../../src/platform/push/push-transport.js';
import { DUE_NOW, Provider, type Received, type Reply, tickets } from '../../support/provider.js';

const message = (number: number, more: Partial<PushMessage> = {}): PushMessage => ({
  id: `message-${number}`,
  token: `ExponentPushToken[${number}]`,
  title: 'Time for your medicine',
  body: '',
  data: {},
  ...DUE_NOW,
  ...more,
});

describe('Expo', () => {
  let provider: Provider;
  const signal = AbortSignal.timeout(60_000);
  afterEach(() => provider?.stop());

  const expo = async (reply: (request: Received, count: number) => Reply, accessToken?: string) => {
    provider = await Provider.start(reply);
    return new ExpoTransport({ url: provider.url, accessToken });
  };
  const error = (code: string) => ({ status: 'error', message: 'no', details: { error: code } });
  const one = async (reply: Reply) =>
    (await (await expo(() => reply)).send([message(1)], { signal }))[0];

  it('gets title, text, data, the time that is left and the message id as collapse key', async () => {
    const transport = await expo(tickets, 'access');
    const sent = message(1, { body: 'Two tablets 💊', data: { screen: 'today' } });
    expect(await transport.send([sent], { signal })).toStrictEqual([
      { kind: 'accepted', receipt: 'ticket-message-1-0' },
    ]);
    const [request] = provider.received;
    expect(request?.path).toBe('/--/api/v2/push/send');
    expect(request?.headers.authorization).toBe('Bearer access');
    expect(request?.json).toStrictEqual([
      {
        to: 'ExponentPushToken[1]',
        title: 'Time for your medicine',
        body: 'Two tablets 💊',
        data: { screen: 'today', message_id: 'message-1' },
        ttl: 1800,
        priority: 'high',
        sound: 'default',
        collapseId: 'message-1',
        tag: 'message-1',
      },
    ]);
  });

  it('answers the outcome of each message in its place', async () => {
    const transport = await expo(() => ({
      body: {
        data: [
          { status: 'ok', id: 'a' },
          error('DeviceNotRegistered'),
          error('MessageRateExceeded'),
          error('MessageTooBig'),
        ],
      },
    }));
    expect(
      await transport.send(
        [1, 2, 3, 4].map((number) => message(number)),
        { signal },
      ),
    ).toStrictEqual([
      { kind: 'accepted', receipt: 'a' },
      { kind: 'dead', code: 'DeviceNotRegistered' },
      { kind: 'retry', code: 'MessageRateExceeded' },
      { kind: 'refused', code: 'MessageTooBig' },
    ]);
  });

  for (const [name, reply, outcome] of [
    ['a dropped connection', { drop: true }, { kind: 'retry', code: 'network' }],
    ['500', { status: 500, body: 'oops' }, { kind: 'retry', code: '500', pause: false }],
    [
      '429 with Retry-After',
      { status: 429, headers: { 'Retry-After': '7' } },
      { kind: 'retry', code: '429', pause: true, after: 7000 },
    ],
    ['200 with garbage', { body: '<html>' }, { kind: 'retry', code: 'unreadable' }],
    ['200 with too few tickets', { body: { data: [] } }, { kind: 'retry', code: 'unreadable' }],
    [
      '200 with a ticket that says nothing',
      { body: { data: [null] } },
      { kind: 'retry', code: 'unreadable' },
    ],
    [
      '401',
      { status: 401, body: { errors: [{ code: 'UNAUTHORIZED' }] } },
      { kind: 'retry', code: 'UNAUTHORIZED', pause: false },
    ],
    ['403', { status: 403, body: 'no' }, { kind: 'retry', code: '403', pause: false }],
    ...[{}, { message: 'upstream' }, 7, 'x', [null], ['x'], [{ code: { toString: 1 } }]].map(
      (errors) =>
        [
          `errors of odd shape: ${JSON.stringify(errors)}`,
          { status: 503, body: { errors }, headers: { 'Retry-After': '7' } },
          {
            kind: 'retry',
            code: JSON.stringify(errors).includes('code') ? '{"toString":1}' : '503',
            pause: false,
            after: 7000,
          },
        ] as const,
    ),
    [
      '400',
      { status: 400, body: { errors: [{ code: 'VALIDATION_ERROR' }] } },
      { kind: 'refused', code: 'VALIDATION_ERROR' },
    ],
    [
      'an unknown refusal',
      { body: { data: [error('SomethingNew')] } },
      { kind: 'refused', code: 'SomethingNew' },
    ],
    [
      'a word that every object has',
      { body: { data: [error('constructor')] } },
      { kind: 'refused', code: 'constructor' },
    ],
    [
      'wrong credentials',
      { body: { data: [error('InvalidCredentials')] } },
      { kind: 'retry', code: 'InvalidCredentials' },
    ],
  ] as const) {
    it(`${outcome.kind === 'retry' ? 'is asked again later' : 'is not asked again'} after ${name}, and was asked once`, async () => {
      expect(await one(reply)).toStrictEqual(outcome);
      expect(provider.received).toHaveLength(1);
    });
  }

  const turnsOf = (own: { hold?: () => Promise<void>; done?: () => Promise<void> } = {}) => {
    const turn = { isTaken: true, hold: async () => {}, done: async () => {}, ...own } as const;
    return { take: async () => turn, pause: async () => {} };
  };

  it('is given up on when it does not answer within the time limit', async () => {
    expect(await one({ after: 30_000 })).toStrictEqual({ kind: 'retry', code: 'timeout' });
  });

  it('is not asked while the next turn of all processes is too far ahead', async () => {
    provider = await Provider.start(tickets);
    const take = async () => ({ isTaken: false, after: 7_000 }) as const;
    const turns = { take, pause: async () => {} };
    const transport = new ExpoTransport({ url: provider.url, turns });
    expect(await transport.send([message(1), message(2)], { signal })).toStrictEqual([
      { kind: 'unsent', after: 7_000 },
      { kind: 'unsent', after: 7_000 },
    ]);
    expect(provider.received).toHaveLength(0);
  });

  it('has given a turn back when it answered, and not before', async () => {
    const events: string[] = [];
    provider = await Provider.start((request) => {
      events.push('asked');
      return tickets(request);
    });
    const done = async () => void events.push('done');
    const transport = new ExpoTransport({ url: provider.url, turns: turnsOf({ done }) });
    await transport.send([message(1)], { signal });
    expect(events).toStrictEqual(['asked', 'done']);
  });

  it('is sent the parts of a refused batch in a turn that is held for each', async () => {
    const events: string[] = [];
    provider = await Provider.start((request, count) => {
      events.push('asked');
      return count === 1 ? { status: 400 } : tickets(request);
    });
    const hold = async () => void events.push('held');
    const done = async () => void events.push('done');
    const transport = new ExpoTransport({ url: provider.url, turns: turnsOf({ hold, done }) });
    await transport.send([message(1), message(2)], { signal });
    expect(events).toStrictEqual(['asked', 'held', 'asked', 'held', 'asked', 'done']);
  });

  it('gets reminders while there is no turn to be had for a fault', async () => {
    provider = await Provider.start(tickets);
    const take = () => Promise.reject(new Error('no database'));
    const transport = new ExpoTransport({ url: provider.url, turns: { take, pause: take } });
    expect(await transport.send([message(1)], { signal })).toMatchObject([{ kind: 'accepted' }]);
  });

  it('that asks for a pause is left alone by all processes', async () => {
    provider = await Provider.start(() => ({ status: 429, headers: { 'Retry-After': '7' } }));
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    const transport = new ExpoTransport({ url: provider.url, turns: { ...turnsOf(), pause } });
    await transport.send([message(1)], { signal });
    expect(pauses).toStrictEqual([7_000]);
  });

  it('is not asked once the caller has given up', async () => {
    const transport = await expo(tickets);
    expect(await transport.send([message(1)], { signal: AbortSignal.abort() })).toStrictEqual([
      { kind: 'retry', code: 'timeout' },
    ]);
    expect(provider.received).toHaveLength(0);
  });

  for (const again of [0, 1, 3]) {
    it(`answering a batch twice, ${again} ms apart, has not answered the next`, async () => {
      const transport = await expo((request, count) =>
        count % 2 === 1 ? { ...tickets(request), again } : { status: 500 },
      );
      for (let round = 0; round < 100; round++) {
        const sent = [
          await transport.send([message(1)], { signal }),
          await transport.send([message(2)], { signal }),
        ];
        expect(sent.flat().map(({ kind }) => kind)).toStrictEqual(['accepted', 'retry']);
      }
    });
  }

  it('gets a batch in halves when it refuses it as a whole, so that one bad message takes none along', async () => {
    const transport = await expo((request) =>
      request.json.some(({ to }: { to: string }) => to.includes('[3]'))
        ? { status: 400, body: { errors: [{ code: 'PUSH_TOO_MANY_EXPERIENCE_IDS' }] } }
        : tickets(request),
    );
    const outcomes = await transport.send(
      [1, 2, 3, 4, 5].map((number) => message(number)),
      { signal },
    );
    expect(outcomes.map(({ kind }) => kind)).toStrictEqual([
      'accepted',
      'accepted',
      'refused',
      'accepted',
      'accepted',
    ]);
  });

  describe('that takes messages of one project at a time', () => {
    const LIMIT = 100;
    /** Refuses messages of several projects, of which the numbers below `foreign` are another one's. */
    const strict = async (foreign: number, details: (tokens: string[]) => unknown) => {
      provider = await Provider.start((request) => {
        const tokens = request.json.map(({ to }: { to: string }) => to);
        const projects = new Set(tokens.map((token: string) => projectOf(token, foreign)));
        const code = 'PUSH_TOO_MANY_EXPERIENCE_IDS';
        return projects.size > 1
          ? { status: 400, body: { errors: [{ code, details: details(tokens) }] } }
          : tickets(request);
      });
      let taken = 0;
      const take = async (count: number) => {
        taken += count;
        return turnsOf().take();
      };
      const turns = { take, pause: async () => {} };
      const transport = new ExpoTransport({ url: provider.url, turns });
      const sent = Array.from({ length: LIMIT }, (_, i) => message(i));
      const outcomes = await transport.send(sent, { signal });
      const tags = provider.received.flatMap(({ json }) => json).map(({ tag }) => tag);
      return { taken, outcomes, tags };
    };
    const projectOf = (token: string, foreign: number) =>
      Number(/\d+/.exec(token)?.[0]) % 20 < foreign / 5 ? '@tester/care' : '@clinic/care';
    /** The tokens of each project, as Expo names them. */
    const named = (foreign: number) => (tokens: string[]) =>
      Object.fromEntries(
        ['@tester/care', '@clinic/care'].map((project) => [
          project,
          tokens.filter((token) => projectOf(token, foreign) === project),
        ]),
      );

    for (const foreign of [5, 50])
      it(`gets those of each project in one request, and no turn is taken twice: ${foreign} of another`, async () => {
        const { taken, outcomes } = await strict(foreign, named(foreign));
        expect(outcomes.map(({ kind }) => kind)).toStrictEqual(Array(LIMIT).fill('accepted'));
        expect(provider.received).toHaveLength(3);
        expect(taken).toBe(LIMIT);
      });

    for (const details of [null, {}, 7, { a: 7 }, { a: ['ExponentPushToken[nobody]'] }])
      it(`gets halves where it does not name them: ${JSON.stringify(details)}`, async () => {
        const { taken, outcomes } = await strict(5, () => details);
        expect(outcomes.map(({ kind }) => kind)).toStrictEqual(Array(LIMIT).fill('accepted'));
        expect(taken).toBe(LIMIT);
      });
  });

  it('never gets a payload of more than 4,096 bytes', async () => {
    const transport = await expo(tickets);
    const outcomes = await transport.send([message(1, { body: 'x'.repeat(5000) }), message(2)], {
      signal,
    });
    expect(outcomes[0]).toStrictEqual({ kind: 'refused', code: 'MessageTooBig' });
    expect(outcomes[1]?.kind).toBe('accepted');
    expect(provider.received[0]?.json.length).toBe(1);
  });

  it('says in receipts what became of messages, and nothing of those it does not know yet', async () => {
    const transport = await expo(() => ({
      body: {
        data: {
          a: { status: 'ok' },
          b: error('DeviceNotRegistered'),
          c: error('MessageRateExceeded'),
        },
      },
    }));
    const known = await transport.receipts(['a', 'b', 'c', 'd', 'toString'], { signal });
    expect([...known]).toStrictEqual([
      ['a', { kind: 'delivered' }],
      ['b', { kind: 'dead', code: 'DeviceNotRegistered' }],
      ['c', { kind: 'retry', code: 'MessageRateExceeded' }],
    ]);
    expect(provider.received[0]?.path).toBe('/--/api/v2/push/getReceipts');
    expect(provider.received[0]?.json).toStrictEqual({ ids: ['a', 'b', 'c', 'd', 'toString'] });
  });

  for (const receipt of [null, {}, { status: 'pending' }, 'ok', 7])
    it(`does not know yet what became of a message whose receipt is ${JSON.stringify(receipt)}`, async () => {
      const transport = await expo(() => ({ body: { data: { a: receipt, b: { status: 'ok' } } } }));
      const known = await transport.receipts(['a', 'b'], { signal });
      expect([...known]).toStrictEqual([['b', { kind: 'delivered' }]]);
    });

  for (const [name, reply] of [
    ['500', { status: 500 }],
    ['garbage', { body: 'no JSON' }],
    ['a list', { body: { data: null } }],
    ['a dropped connection', { drop: true }],
  ] as const) {
    it(`knows no receipts after ${name}`, async () => {
      expect((await (await expo(() => reply)).receipts(['a'], { signal })).size).toBe(0);
    });
  }
});
