import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { transact } from '../../../src/core/transact.js';
import { backoff, judge } from '../../../src/domains/notifications/delivery/delivery.outcome.js';
import {
  expandDue,
  type QueuedMessage,
  queueMessages,
} from '../../../src/domains/notifications/delivery/delivery.service.js';
import {
  collapseKey,
  DeliveryWorker,
} from '../../../src/domains/notifications/delivery/delivery.worker.js';
import {
  claimDue,
  LEASE,
  recordVerdicts,
} from '../../../src/domains/notifications/delivery/delivery-claim.service.js';
import { pruneDeliveries } from '../../../src/domains/notifications/delivery/delivery-prune.service.js';
import { collectReceipts } from '../../../src/domains/notifications/delivery/receipt.worker.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { ExpoTransport } from '../../../src/platform/push/expo.js';
import type {
  Outcome,
  PushMessage,
  PushTransport,
} from '../../../src/platform/push/push-transport.js';
import { makeDevice } from '../../support/factories.js';
import { Failures } from '../../support/failures.js';
import { type Caller, useService } from '../../support/harness.js';
import { Provider, type Received, type Reply, tickets } from '../../support/provider.js';
import { whenOver } from '../../support/running.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const going = new AbortController().signal;

describe('A due delivery', () => {
  const service = useService();
  let provider: Provider | undefined;
  let start = 0;
  afterEach(async () => {
    await provider?.stop();
    provider = undefined;
  });

  /**
   * A service whose Expo devices are reached through a provider on loopback, at a clock that stands
   * still.
   */
  const expo = async (reply: (request: Received, count: number) => Reply) => {
    start = Date.parse('2026-07-01T08:00:00Z');
    service().now = () => start;
    provider = await Provider.start(reply);
    const { deps } = service().app;
    return { ...deps, push: { ...deps.push, expo: new ExpoTransport({ url: provider.url }) } };
  };
  const pass = (milliseconds: number) => {
    const now = service().now() + milliseconds;
    service().at(now);
  };
  const send = (title = 'Hello', as: Caller = 'subscriber') =>
    service().rest('POST', '/v1/notify', { as, body: { title } });
  const rows = () => service().database.prisma.delivery.findMany({ orderBy: { id: 'asc' } });
  const states = async () =>
    (await rows()).map(({ state, code }) => (code ? `${state} ${code}` : state));
  const messages = () =>
    (provider?.received ?? [])
      .filter(({ path }) => path.endsWith('/send'))
      .flatMap(({ json }) => json);
  const mails = () => service().database.prisma.outgoingMail.findMany();
  const failing = (code: string) => ({ status: 'error', message: 'no', details: { error: code } });

  it('is sent once, with the time that is left, and its receipt is asked for after 15 minutes', async () => {
    const deps = await expo(({ path, json }) =>
      path.endsWith('/send')
        ? tickets({ json } as Received)
        : {
            body: {
              data: Object.fromEntries(json.ids.map((id: string) => [id, { status: 'ok' }])),
            },
          },
    );
    await makeDevice(service(), '1');
    await send();
    pass(90 * SECOND);
    const worker = new DeliveryWorker(deps, 'expo');
    expect(await worker.run(going)).toBe(1);
    expect(await worker.run(going)).toBe(0);
    const [message] = messages();
    const [notification] = await service().database.prisma.notification.findMany();
    expect(message.ttl).toBe(30 * 60 - 90);
    expect(message.tag).toBe(collapseKey(notification?.messageId ?? ''));
    expect(message.tag).toMatch(/^[\w-]{22}$/);
    expect(await states()).toStrictEqual(['accepted']);
    pass(14 * MINUTE);
    expect(await collectReceipts(deps, 'expo', going)).toBe(0);
    pass(MINUTE);
    expect(await collectReceipts(deps, 'expo', going)).toBe(1);
    expect(await states()).toStrictEqual(['sent']);
    expect(messages()).toHaveLength(1);
  });

  it('ends no device that registered again while it was being sent, whatever its receipt says', async () => {
    const deps = await expo(tickets);
    await makeDevice(service(), '1');
    await send();
    pass(SECOND);
    const transport: PushTransport = {
      name: 'expo',
      batch: 100,
      concurrency: 1,
      send: async (messages) => {
        pass(SECOND);
        await makeDevice(service(), '1');
        pass(SECOND);
        return messages.map(() => ({ kind: 'accepted', receipt: 'r' }));
      },
      receipts: async (ids) =>
        new Map(ids.map((id) => [id, { kind: 'dead', code: 'DeviceNotRegistered' }])),
    };
    const slow = { ...deps, push: { ...deps.push, expo: transport } };
    await new DeliveryWorker(slow, 'expo').run(going);
    pass(15 * MINUTE);
    expect(await collectReceipts(slow, 'expo', going)).toBe(1);
    const { body } = await service().graphql('{ devices { deadAt } }', {}, { as: 'subscriber' });
    expect(body.data.devices).toStrictEqual([{ deadAt: null }]);
  });

  it('is tried again, longer and longer apart, under the same message id, and is missed when half an hour has passed', async () => {
    const deps = await expo(() => ({ status: 500 }));
    await makeDevice(service(), '1');
    await send();
    const worker = new DeliveryWorker(deps, 'expo');
    const attempts: number[] = [];
    while ((await worker.run(going)) > 0) {
      attempts.push((service().now() - start) / SECOND);
      const [{ nextAt } = { nextAt: new Date() }] = await rows();
      pass(nextAt.getTime() - service().now() - 1);
      expect(await worker.run(going), 'not a moment before').toBe(0);
      pass(1);
    }
    expect(await states()).toStrictEqual(['missed 500']);
    expect(new Set(messages().map(({ tag }) => tag)).size).toBe(1);
    const gaps = attempts.slice(1).map((second, i) => second - (attempts[i] ?? 0));
    expect(
      gaps.length >= 8 && (gaps[0] ?? 0) >= 2 && gaps.every((gap) => gap <= 375),
      gaps.join(),
    ).toBe(true);
    for (const [i, gap] of gaps.slice(1, 7).entries())
      expect(gap, gaps.join()).toBeGreaterThan(gaps[i] ?? 0);
    expect(attempts.at(-1) ?? 0).toBeLessThan(30 * 60);
  });

  it('is not sent when it is found more than half an hour late', async () => {
    const deps = await expo(tickets);
    await makeDevice(service(), '1');
    await send();
    await send();
    pass(30 * MINUTE - 1);
    await send('just now');
    await service().database.prisma
      .$executeRaw`UPDATE delivery SET expires_at = expires_at - interval '1 ms' WHERE id = 1`;
    expect(await new DeliveryWorker(deps, 'expo').run(going)).toBe(3);
    expect(await states()).toStrictEqual(['missed', 'accepted', 'accepted']);
    expect(
      messages().find(({ title }) => title === 'Hello').ttl,
      'the last millisecond still counts',
    ).toBe(1);
  });

  it('waits as long as the provider asks, and so does what is behind it', async () => {
    let busy = true;
    const deps = await expo((request) =>
      busy ? { status: 429, headers: { 'Retry-After': '20' } } : tickets(request),
    );
    await makeDevice(service(), '1');
    await send();
    const worker = new DeliveryWorker(deps, 'expo');
    await worker.run(going);
    busy = false;
    await send('later');
    pass(19 * SECOND);
    expect(await worker.run(going)).toBe(0);
    pass(SECOND);
    expect(await worker.run(going)).toBe(2);
    expect(await states()).toStrictEqual(['accepted 429', 'accepted']);
  });

  it('whose token is dead ends the device; the member whose last device it was is told by mail, once', async () => {
    const deps = await expo((request) => ({
      body: {
        data: request.json.map(({ to }: { to: string }) =>
          to.includes('good') ? { status: 'ok', id: randomUUID() } : failing('DeviceNotRegistered'),
        ),
      },
    }));
    await makeDevice(service(), 'good');
    await makeDevice(service(), 'bad');
    await makeDevice(service(), 'worse', 'contributor');
    await makeDevice(service(), 'worst', 'contributor');
    await send();
    await send('Hello', 'contributor');
    await new DeliveryWorker(deps, 'expo').run(going);
    expect((await states()).sort()).toStrictEqual([
      'accepted',
      'dead DeviceNotRegistered',
      'dead DeviceNotRegistered',
      'dead DeviceNotRegistered',
    ]);
    expect((await mails()).map(({ template, to }) => [template, to])).toStrictEqual([
      ['device_lost', 'contributor@example.com'],
    ]);
    const dead = await service().database.prisma.device.findMany({
      where: { deadAt: { not: null } },
    });
    expect(dead.map(({ token }) => token)).toStrictEqual(['', '', '']);
    const { body } = await send('more');
    expect(body.queued).toBe(1);
    await makeDevice(service(), 'bad');
    expect((await send('more')).body.queued, 'a device that registers again is alive').toBe(2);
  });

  it('whose receipt says that the token is dead ends the device, unless it has registered since', async () => {
    const deps = await expo((request) =>
      request.path.endsWith('/send')
        ? {
            body: {
              data: request.json.map(({ to }: { to: string }) => ({ status: 'ok', id: to })),
            },
          }
        : {
            body: {
              data: Object.fromEntries(
                request.json.ids.map((id: string) => [id, failing('DeviceNotRegistered')]),
              ),
            },
          },
    );
    await makeDevice(service(), 'gone');
    await makeDevice(service(), 'back', 'contributor');
    await send();
    await send('Hello', 'contributor');
    await new DeliveryWorker(deps, 'expo').run(going);
    pass(MINUTE);
    await makeDevice(service(), 'back', 'contributor');
    pass(15 * MINUTE);
    await collectReceipts(deps, 'expo', going);
    expect(await states()).toStrictEqual(['dead DeviceNotRegistered', 'dead DeviceNotRegistered']);
    const alive = await service().database.prisma.device.findMany({ where: { deadAt: null } });
    expect(alive.map(({ token }) => token)).toStrictEqual(['ExponentPushToken[back]']);
    expect((await mails()).map(({ to }) => to)).toStrictEqual(['subscriber@example.com']);
  });

  it('whose receipt says that the device was sent too much is tried again while it is worth it', async () => {
    const deps = await expo((request) =>
      request.path.endsWith('/send')
        ? tickets(request)
        : {
            body: {
              data: Object.fromEntries(
                request.json.ids.map((id: string) => [id, failing('MessageRateExceeded')]),
              ),
            },
          },
    );
    await makeDevice(service(), '1');
    await send();
    await new DeliveryWorker(deps, 'expo').run(going);
    pass(15 * MINUTE);
    await collectReceipts(deps, 'expo', going);
    expect(await states()).toStrictEqual(['planned MessageRateExceeded']);
    pass(MINUTE);
    await new DeliveryWorker(deps, 'expo').run(going);
    pass(15 * MINUTE);
    await collectReceipts(deps, 'expo', going);
    expect(await states()).toStrictEqual(['missed MessageRateExceeded']);
    expect(new Set(messages().map(({ tag }) => tag)).size).toBe(1);
  });

  it('without a receipt after a day counts as sent', async () => {
    const deps = await expo((request) =>
      request.path.endsWith('/send') ? tickets(request) : { status: 500 },
    );
    await makeDevice(service(), '1');
    await send();
    await new DeliveryWorker(deps, 'expo').run(going);
    pass(15 * MINUTE);
    await collectReceipts(deps, 'expo', going);
    expect(await states()).toStrictEqual(['accepted']);
    pass(24 * 60 * MINUTE);
    await collectReceipts(deps, 'expo', going);
    expect(await states()).toStrictEqual(['sent no_receipt']);
  });

  it('that is refused for good is not tried again, and leaves the device alone', async () => {
    const deps = await expo((request) => ({
      body: { data: request.json.map(() => failing('InvalidCredentials')) },
    }));
    await makeDevice(service(), '1');
    await send();
    await new DeliveryWorker(deps, 'expo').run(going);
    pass(20 * MINUTE);
    expect(await new DeliveryWorker(deps, 'expo').run(going)).toBe(0);
    expect(await states()).toStrictEqual(['failed InvalidCredentials']);
    expect(await service().database.prisma.device.count({ where: { deadAt: null } })).toBe(1);
  });

  it('never goes to a device that was suspended, moved or removed since it was queued', async () => {
    const deps = await expo(tickets);
    for (const name of ['suspended', 'moved', 'removed', 'fine']) await makeDevice(service(), name);
    await send();
    const remove = (name: string, as: Caller) =>
      service().rest(
        'DELETE',
        `/v1/push_token/${encodeURIComponent(`ExponentPushToken[${name}]`)}`,
        { as },
      );
    await remove('suspended', 'anonymous');
    await makeDevice(service(), 'moved', 'contributor');
    await remove('removed', 'subscriber');
    await new DeliveryWorker(deps, 'expo').run(going);
    expect([...new Set(messages().map(({ to, title }) => `${to} ${title}`))].sort()).toStrictEqual(
      [
        'ExponentPushToken[fine] A device gets no more notifications',
        'ExponentPushToken[fine] Hello',
      ].sort(),
    );
  });

  it('is claimed by one worker alone, and by another when the lease of the first ends', async () => {
    const { deps } = service().app;
    await expo(tickets);
    for (let i = 0; i < 5; i++) await makeDevice(service(), String(i));
    await send();
    const claims = await Promise.all([1, 2, 3].map(() => claimDue(deps, 'expo', 2)));
    const ids = claims.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
    pass(LEASE - 1);
    expect((await claimDue(deps, 'expo')).deliveries).toHaveLength(0);
    pass(1);
    const again = await claimDue(deps, 'expo');
    expect(again.deliveries).toHaveLength(5);
    const [first] = claims;
    const verdict = {
      ...judge({ kind: 'delivered' }, { attempts: 1, expiresAt: start + MINUTE }, start),
      id: first?.deliveries[0]?.id ?? 0,
    };
    expect(
      await recordVerdicts(deps, first?.id ?? '', [verdict]),
      'the word of who lost the lease does not count',
    ).toBe(0);
    expect(await recordVerdicts(deps, again.id, [verdict])).toBe(1);
  });

  it('is claimed in the order in which it was due', async () => {
    const { deps } = service().app;
    await expo(tickets);
    await makeDevice(service(), '1');
    for (const title of ['a', 'b', 'c', 'd']) {
      await send(title);
      pass(SECOND);
    }
    const titles = async () =>
      (await claimDue(deps, 'expo', 2)).deliveries.map(({ title }) => title);
    expect([await titles(), await titles()]).toStrictEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('is claimed, sent and written in as many statements for a hundred as for one', async () => {
    const deps = await expo(tickets);
    await makeDevice(service(), '0');
    await send();
    const worker = new DeliveryWorker(deps, 'expo');
    const one = await service().statements(() => worker.run(going));
    for (let i = 1; i < 20; i++) await makeDevice(service(), String(i));
    for (let i = 0; i < 5; i++) await send();
    expect(await service().statements(() => worker.run(going))).toBe(one);
    expect(messages()).toHaveLength(101);
  });

  it('does not wait for another kind of device whose provider hangs', async () => {
    const deps = await expo(() => ({ after: 60_000 }));
    const sent: PushMessage[] = [];
    const fcm: PushTransport = {
      name: 'fcm',
      batch: 1,
      concurrency: 1,
      send: async (batch) => {
        sent.push(...batch);
        return batch.map((): Outcome => ({ kind: 'delivered' }));
      },
    };
    const both = { ...deps, push: { ...deps.push, fcm } };
    await makeDevice(service(), '1');
    await service().rest('POST', '/v1/notify', {
      as: 'subscriber',
      body: { push_token: 'fcm-token' },
    });
    await send();
    const slow = new DeliveryWorker(both, 'expo').run(going);
    await new DeliveryWorker(both, 'fcm').run(going);
    expect(sent).toHaveLength(1);
    await slow;
    expect(await states()).toStrictEqual(['planned timeout', 'sent']);
  }, 30_000);

  it('survives a transport that throws, answers too little, or is stopped before it begins', async () => {
    const deps = await expo(tickets);
    await makeDevice(service(), '1');
    await send();
    const broken = (send: PushTransport['send']) =>
      new DeliveryWorker(
        { ...deps, push: { ...deps.push, expo: { name: 'x', batch: 10, concurrency: 1, send } } },
        'expo',
      );
    await broken(() => Promise.reject(new Error('no'))).run(going);
    expect(await states()).toStrictEqual(['planned lost']);
    pass(MINUTE);
    await broken(async () => []).run(going);
    expect(await states()).toStrictEqual(['planned lost']);
    pass(MINUTE);
    const stopping = new AbortController();
    const worker = new DeliveryWorker(deps, 'expo');
    stopping.abort();
    expect(await worker.run(stopping.signal)).toBe(0);
    await worker.run(going);
    expect(await states()).toStrictEqual(['accepted lost']);
  });

  it('that was taken before its batch took too long is not sent again', async () => {
    const deps = await expo(tickets);
    for (const name of ['1', '2']) await makeDevice(service(), name);
    await send();
    mock.timers.enable({ apis: ['setTimeout'] });
    whenOver(() => mock.timers.reset());
    const slow: PushTransport['send'] = async (batch, { signal }) => {
      setImmediate(() => mock.timers.tick(20_000));
      await once(signal, 'abort');
      return batch.map(
        (_, i): Outcome => (i === 0 ? { kind: 'delivered' } : { kind: 'retry', code: 'timeout' }),
      );
    };
    const push = { ...deps.push, expo: { name: 'x', batch: 10, concurrency: 1, send: slow } };
    await new DeliveryWorker({ ...deps, push }, 'expo').run(going);
    expect(await states()).toStrictEqual(['sent', 'planned timeout']);
  });

  describe('that fails whatever is done with it', () => {
    /**
     * Eight devices, one of which is `bad`, and a message for all; `sent` counts what each of them
     * got.
     */
    const crowd = async () => {
      for (const name of ['a', 'b', 'c', 'bad', 'd', 'e', 'f', 'g'])
        await makeDevice(service(), name);
      await send();
    };
    const sent = (name: string) =>
      messages().filter(({ to }) => to === `ExponentPushToken[${name}]`).length;
    const others = () => ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(sent);
    const ONCE = [1, 1, 1, 1, 1, 1, 1];
    /** A database that cannot make a row, for a reason that lies in the row. */
    const spoiled = async (table: string, condition: string, work: () => Promise<void>) => {
      const { prisma } = service().database;
      await prisma.$executeRawUnsafe(`
        CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF ${condition} THEN RAISE 'Not %', NEW; END IF; RETURN NEW; END $$`);
      await prisma.$executeRawUnsafe(
        `CREATE TRIGGER spoil BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION spoil()`,
      );
      await work().finally(() => prisma.$executeRawUnsafe('DROP FUNCTION spoil CASCADE'));
    };

    it('keeps no other from being sent, and goes when its cause is mended', async () => {
      const deps = await expo(tickets);
      const failures = new Failures('deliver expo');
      await failures.begin();
      await crowd();
      await send('Amlodipine');
      const { prisma } = service().database;
      await prisma.$executeRaw`UPDATE notification SET data = '{' WHERE title = 'Amlodipine'`;
      const worker = new DeliveryWorker({ ...deps, log: failures.log }, 'expo');
      await worker.run(going);
      expect([...others(), sent('bad')]).toStrictEqual([...ONCE, 1]);
      expect(await failures.counted()).toBe(8);
      expect(failures.text).not.toMatch(/Amlodipine|ExponentPushToken/);
      await prisma.$executeRaw`UPDATE notification SET data = '{}' WHERE title = 'Amlodipine'`;
      pass(MINUTE);
      await worker.run(going);
      expect(messages().filter(({ title }) => title === 'Amlodipine')).toHaveLength(8);
      expect(messages()).toHaveLength(16);
    });

    it('takes no other along when a transport stumbles over it', async () => {
      const deps = await expo(tickets);
      await crowd();
      const stumbling: PushTransport = {
        name: 'stumbling',
        batch: 100,
        concurrency: 1,
        send: (all, options) => {
          if (all.some(({ token }) => token.includes('bad'))) throw new Error('no');
          return deps.push.expo.send(all, options);
        },
      };
      await new DeliveryWorker({ ...deps, push: { ...deps.push, expo: stumbling } }, 'expo').run(
        going,
      );
      expect([...others(), sent('bad')]).toStrictEqual([...ONCE, 0]);
      expect((await states()).filter((state) => state === 'accepted')).toHaveLength(7);
      pass(MINUTE);
      await new DeliveryWorker(deps, 'expo').run(going);
      expect([...others(), sent('bad')]).toStrictEqual([...ONCE, 1]);
    });

    for (const [what, ticket] of [
      ['a receipt that no text can hold', { status: 'ok', id: 'a\u0000b' }],
      ['a receipt that is no text', { status: 'ok', id: ['a', 'b'] }],
      ['an error that no text can hold', failing('a\u0000b')],
      ['an error that is a word of our language', failing('constructor')],
    ] as const) {
      it(`makes nothing be sent twice when the provider answers ${what}`, async () => {
        const deps = await expo((request) => ({
          body: {
            data: request.json.map(({ to, tag }: Record<string, string>) =>
              to?.includes('bad') ? ticket : { status: 'ok', id: tag },
            ),
          },
        }));
        await crowd();
        await new DeliveryWorker(deps, 'expo').run(going);
        expect((await states()).filter((state) => state === 'accepted')).toHaveLength(
          ticket.status === 'ok' ? 8 : 7,
        );
        pass(LEASE + MINUTE);
        await new DeliveryWorker(deps, 'expo').run(going);
        expect(others()).toStrictEqual(ONCE);
      });
    }

    it('makes nothing be sent twice when what became of it cannot be written', async () => {
      const deps = await expo(tickets);
      await crowd();
      await spoiled('delivery', "NEW.state = 'accepted' AND NEW.device_id = 4", async () => {
        await new DeliveryWorker(deps, 'expo').run(going);
        pass(LEASE + MINUTE);
        await new DeliveryWorker(deps, 'expo').run(going);
        expect([...others(), sent('bad')]).toStrictEqual([...ONCE, 2]);
        expect(new Set(messages().map(({ tag }) => tag)).size).toBe(1);
      });
    });

    for (const by of ['ticket', 'receipt']) {
      it(`makes nothing be sent twice when its device is dead by a ${by} and cannot be buried; the next message tries again`, async () => {
        const deps = await expo(({ path, json }) => {
          const said = ({ to, tag }: Record<string, string>) =>
            to?.includes('bad') && by === 'ticket'
              ? failing('DeviceNotRegistered')
              : { status: 'ok', id: `${to} ${tag}` };
          const became = (id: string) => [
            id,
            id.includes('bad') ? failing('DeviceNotRegistered') : { status: 'ok' },
          ];
          return {
            body: {
              data: path.endsWith('/send')
                ? json.map(said)
                : Object.fromEntries(json.ids.map(became)),
            },
          };
        });
        await makeDevice(service(), 'bad', 'contributor');
        for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await makeDevice(service(), name);
        await send();
        const deliver = async (title: string) => {
          await send(title, 'contributor');
          await new DeliveryWorker(deps, 'expo').run(going);
          pass(15 * MINUTE);
          await collectReceipts(deps, 'expo', going);
          await new DeliveryWorker(deps, 'expo').run(going);
        };
        await spoiled('outgoing_mail', `NEW."to" LIKE 'contributor%'`, () => deliver('one'));
        expect([...others(), sent('bad')]).toStrictEqual([...ONCE, 1]);
        expect((await states()).sort()).toStrictEqual([
          'dead DeviceNotRegistered',
          ...Array(7).fill('sent'),
        ]);
        expect(await mails()).toStrictEqual([]);
        await deliver('two');
        expect([sent('bad'), (await mails()).map(({ to }) => to)]).toStrictEqual([
          2,
          ['contributor@example.com'],
        ]);
      });
    }
  });

  it('that was not yet sent when the process is to end is given back at once, as if it had never been claimed', async () => {
    const deps = await expo(tickets);
    for (let i = 0; i < 5; i++) await makeDevice(service(), String(i));
    await send();
    const stopping = new AbortController();
    const one: PushTransport = {
      name: 'one by one',
      batch: 1,
      concurrency: 1,
      send: async () => {
        stopping.abort();
        return [{ kind: 'delivered' }];
      },
    };
    await new DeliveryWorker({ ...deps, push: { ...deps.push, expo: one } }, 'expo').run(
      stopping.signal,
    );
    const left = await rows();
    expect(left.map(({ state, attempts, claim }) => [state, attempts, claim]).sort()).toStrictEqual(
      [...Array.from({ length: 4 }, () => ['planned', 0, null]), ['sent', 1, null]],
    );
    await new DeliveryWorker(deps, 'expo').run(going);
    expect(messages()).toHaveLength(4);
  });

  it('is counted, with how late it was, and holds no token or text in the metrics', async () => {
    const deps = await expo(tickets);
    await makeDevice(service(), '1');
    await send('Amlodipine');
    pass(4 * SECOND);
    await new DeliveryWorker(deps, 'expo').run(going);
    const text = await registry.metrics();
    expect(text).toMatch(/care_push_lateness_seconds_bucket\{le="5",kind="expo"\} [1-9]/);
    expect(text).toMatch(/care_push_turns_total\{kind="expo",state="accepted"\} [1-9]/);
    expect(!text.includes('Amlodipine') && !text.includes('ExponentPushToken')).toBe(true);
  });

  it('is kept for 30 days', async () => {
    await expo(tickets);
    await makeDevice(service(), '1');
    await send();
    pass(29 * 24 * 60 * MINUTE);
    await send();
    expect(await pruneDeliveries(service().app.deps, going)).toBe(0);
    pass(2 * 24 * 60 * MINUTE);
    expect(await pruneDeliveries(service().app.deps, going)).toBe(1);
    expect(await rows()).toHaveLength(1);
  });
});

describe('Queueing messages', () => {
  const service = useService();
  const queue = async (messages: readonly QueuedMessage[]) =>
    transact(await service().context(), (context) =>
      queueMessages(context, { kind: 'reminder' }, messages),
    );
  const message = (accountId: number, more: Partial<QueuedMessage> = {}): QueuedMessage => ({
    accountId,
    title: 'Time for your medicine',
    body: '',
    messageId: randomUUID(),
    sendAt: new Date(Date.now() - SECOND),
    ...more,
  });

  it('takes one statement for any number of them, and groups occurrences into one push for each account and device', async () => {
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c']) {
      const { id } = await service().account('subscriber', name);
      ids.push(id);
      await service().database.prisma.device.createMany({
        data: ['x', 'y'].map((token) => ({
          accountId: id,
          kind: 'fcm',
          token: name + token,
          tokenHash: name + token,
          createdAt: new Date(),
          lastSeenAt: new Date(),
        })),
      });
    }
    const [first = 0, ...others] = ids;
    const one = await service().statements(() => queue([message(first, { alertIds: [1] })]));
    const statements = await service().statements(async () => {
      const queued = await queue(
        others.map((id) => message(id, { alertIds: [7, 8, 9_007_199_254_740_991] })),
      );
      expect(queued.map(({ devices }) => devices)).toStrictEqual([2, 2]);
    });
    expect(statements).toBe(one);
    expect(await service().database.prisma.delivery.count()).toBe(6);
    const [, second] = await service().database.prisma.notification.findMany({
      orderBy: { id: 'asc' },
    });
    expect(second?.alertIds).toStrictEqual([7n, 8n, 9_007_199_254_740_991n]);
  });

  it('does nothing for a message id that is known, and passes over accounts that are gone', async () => {
    const { id } = await service().account('subscriber');
    const known = message(id);
    expect(await queue([known])).toHaveLength(1);
    expect(await queue([known, message(999_999)])).toHaveLength(0);
    expect(await service().database.prisma.notification.count()).toBe(1);
  });

  it('needs the transaction of its cause', async () => {
    const context = await service().context();
    await expect(queueMessages(context, { kind: 'reminder' }, [])).rejects.toThrow(/transaction/);
  });
});

describe('The time until the next attempt', () => {
  it('doubles from 2 seconds to 5 minutes, spread by a quarter, and obeys the provider up to 10 minutes', () => {
    const seconds = [1, 2, 3, 8, 9, 20].map((attempts) => backoff(attempts, 0, 0) / SECOND);
    expect(seconds).toStrictEqual([2, 4, 8, 256, 300, 300]);
    expect(backoff(1, 0, 1)).toBe(2500);
    expect(backoff(1, 60_000, 0)).toBe(60_000);
    expect(backoff(1, 60 * MINUTE, 0)).toBe(10 * MINUTE);
  });
});

describe("A browser's push service that hangs", () => {
  const service = useService();
  const SPEED = 40;

  it('keeps no other browser waiting, however many messages one account has for it', async () => {
    const { id } = await service().account('author', 'many');
    const { id: other } = await service().account('subscriber');
    const start = service().now();
    const devices = (accountId: number, names: readonly string[]) =>
      service().database.prisma.device.createMany({
        data: names.map((token) => {
          const seen = new Date(start);
          return {
            accountId,
            kind: 'web',
            token,
            tokenHash: token,
            createdAt: seen,
            lastSeenAt: seen,
          };
        }),
      });
    await devices(
      id,
      Array.from({ length: 20 }, (_, i) => `hangs-${i}`),
    );
    await devices(other, ['good']);
    const messages = Array.from({ length: 100 }, () => ({
      accountId: id,
      messageId: randomUUID(),
      sendAt: new Date(start),
    }));
    const last = { accountId: other, messageId: randomUUID(), sendAt: new Date(start + 1) };
    await transact(await service().context(), (context) =>
      queueMessages(
        context,
        { kind: 'test' },
        [...messages, last].map((message) => ({ ...message, title: 'x', body: '' })),
      ),
    );
    const began = performance.now();
    service().now = () => start + 1_000 + (performance.now() - began) * SPEED;
    await expandDue(service().app.deps);
    let got = false;
    let hung = 0;
    const web: PushTransport = {
      name: 'web',
      batch: 1,
      concurrency: 50,
      hostOf: (token) => token,
      send: async ([message]): Promise<Outcome[]> => {
        if (message?.token === 'good') {
          got = true;
          return [{ kind: 'delivered' }];
        }
        hung++;
        await sleep(8_000 / SPEED);
        return [{ kind: 'retry', code: 'timeout' }];
      },
    };
    const { deps } = service().app;
    const worker = new DeliveryWorker({ ...deps, push: { ...deps.push, web } }, 'web');
    while (!got && service().now() < start + 31 * MINUTE)
      if ((await worker.run(going)) === 0) await sleep(10);
    expect(got).toBe(true);
    expect(hung, `${hung} messages were tried in vain before`).toBeLessThan(200);
  });
});
