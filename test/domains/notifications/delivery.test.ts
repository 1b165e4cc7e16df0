import { randomUUID } from 'node:crypto';
import { transact } from '../../../src/core/transact.js';
import { judge } from '../../../src/domains/notifications/delivery/delivery.outcome.js';
import { queueMessages } from '../../../src/domains/notifications/delivery/delivery.service.js';
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
import { Prisma } from '../../../src/generated/prisma/client.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import type { PushTransport } from '../../../src/platform/push/push-transport.js';
import { makeDevice, makeMember } from '../../support/factories.js';
import { type Caller, useService } from '../../support/harness.js';
import { expoToken, type Received, tickets } from '../../support/provider.js';

import { expoDeliveries, going, MINUTE, SECOND } from './expo-deliveries.js';

describe('A due delivery', () => {
  const service = useService();
  const { startedAt, expo, pass, send, rows, states, messages, failing } = expoDeliveries(service);

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

  it('is tried again, longer and longer apart, under the same message id, and is missed when half an hour has passed', async () => {
    const deps = await expo(() => ({ status: 500 }));
    await makeDevice(service(), '1');
    await send();
    const worker = new DeliveryWorker(deps, 'expo');
    const attempts: number[] = [];
    while ((await worker.run(going)) > 0) {
      attempts.push((service().now() - startedAt()) / SECOND);
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
    expect(attempts.at(-1), 'nothing of the half hour is given up').toBeGreaterThanOrEqual(
      30 * 60 - 10,
    );
  });

  it('is not tried before a provider allows it, and given up where that is too late', () => {
    const turned = { attempts: 9, dueAt: 0, expiresAt: 30 * MINUTE };
    const judged = (after: number) =>
      judge({ kind: 'retry', code: '429', after }, turned, 21 * MINUTE);
    expect(judged(10 * MINUTE)).toMatchObject({ state: 'missed' });
    expect(judged(8 * MINUTE)).toMatchObject({ state: 'planned', nextAt: 29 * MINUTE });
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
      body: { data: request.json.map(() => failing('MismatchSenderId')) },
    }));
    await makeDevice(service(), '1');
    await send();
    await new DeliveryWorker(deps, 'expo').run(going);
    pass(20 * MINUTE);
    expect(await new DeliveryWorker(deps, 'expo').run(going)).toBe(0);
    expect(await states()).toStrictEqual(['failed MismatchSenderId']);
    expect(await service().database.prisma.device.count({ where: { deadAt: null } })).toBe(1);
  });

  it('is sent within its window once a provider takes our key again that it refused', async () => {
    const deps = await expo((request, count) =>
      count <= 2 ? { status: 401, body: { errors: [{ code: 'UNAUTHORIZED' }] } } : tickets(request),
    );
    await makeDevice(service(), '1');
    await send();
    const worker = new DeliveryWorker(deps, 'expo');
    await worker.run(going);
    expect(await states()).toStrictEqual(['planned UNAUTHORIZED']);
    for (let i = 0; i < 2; i++) {
      pass(6 * MINUTE);
      await worker.run(going);
    }
    expect(await states()).toStrictEqual(['accepted UNAUTHORIZED']);
  });

  it('never goes to a device that was suspended, moved or removed since it was queued', async () => {
    const deps = await expo(tickets);
    for (const name of ['suspended', 'moved', 'removed', 'fine']) await makeDevice(service(), name);
    await send();
    const remove = (name: string, as: Caller) =>
      service().rest('DELETE', `/v1/push_token/${encodeURIComponent(expoToken(name))}`, { as });
    await remove('suspended', 'anonymous');
    pass(1);
    await makeDevice(service(), 'moved', await makeMember(service()));
    await remove('removed', 'subscriber');
    await new DeliveryWorker(deps, 'expo').run(going);
    expect([...new Set(messages().map(({ to, title }) => `${to} ${title}`))].sort()).toStrictEqual(
      [
        `${expoToken('fine')} A device gets no more notifications`,
        `${expoToken('fine')} Hello`,
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
      ...judge(
        { kind: 'delivered' },
        { attempts: 1, dueAt: startedAt(), expiresAt: startedAt() + MINUTE },
        startedAt(),
      ),
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

  it('waits for doses, appointments and missed doses when it is other news', async () => {
    const deps = { ...service().app.deps, stillToTell: Prisma.sql`TRUE` };
    await expo(tickets);
    await makeDevice(service(), '1');
    const { accountId } = await service().database.prisma.device.findFirstOrThrow();
    const kinds = ['message', 'stock_low', 'missed', 'other', 'reminder'] as const;
    for (const kind of kinds) {
      await transact(await service().context(), (context) =>
        queueMessages(context, { kind }, [
          {
            ...{ accountId, title: kind, body: '', messageId: randomUUID() },
            sendAt: new Date(service().now()),
          },
        ]),
      );
      pass(SECOND);
    }
    const claimed = [];
    for (let i = 0; i < kinds.length; i++)
      claimed.push(...(await claimDue(deps, 'expo', 1)).deliveries.map(({ title }) => title));
    expect(claimed).toStrictEqual(['missed', 'reminder', 'message', 'stock_low', 'other']);
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

  it('is kept for 30 days unless told otherwise, and its notification for 400', async () => {
    await expo(tickets);
    await makeDevice(service(), '1');
    await send();
    pass(29 * 24 * 60 * MINUTE);
    await send();
    expect(await pruneDeliveries(service().app.deps, going)).toBe(0);
    pass(2 * 24 * 60 * MINUTE);
    const { deps } = service().app;
    const config = { ...deps.config, KEEP_DELIVERIES_DAYS: 60 };
    expect(await pruneDeliveries({ ...deps, config }, going)).toBe(0);
    expect(await pruneDeliveries(deps, going)).toBe(1);
    expect(await rows()).toHaveLength(1);
    expect(await service().database.prisma.notification.count()).toBe(2);
    const short = { ...deps.config, KEEP_NOTIFICATIONS_DAYS: 30 };
    expect(await pruneDeliveries({ ...deps, config: short }, going)).toBe(1);
    expect(await service().database.prisma.notification.count()).toBe(1);
  });

  it('is pruned with dead devices, few of them by a statement, whatever their number', async () => {
    await expo(() => ({ body: {} }));
    for (let i = 0; i < 25; i++)
      await makeDevice(service(), String(i), i < 13 ? 'subscriber' : 'editor');
    await service().database.query('UPDATE device SET dead_at = $1', [new Date(startedAt())]);
    pass(31 * 24 * 60 * MINUTE);
    // What is stopped ends after one statement.
    const { deps } = service().app;
    expect(await pruneDeliveries(deps, AbortSignal.abort())).toBe(20);
    expect(await pruneDeliveries(deps, going)).toBe(5);
  });

  it('is no reason to keep notifications when devices cannot be pruned', async () => {
    const deps = await expo(() => ({ body: {} }));
    await makeDevice(service(), '1');
    await send();
    await service().database.query('UPDATE device SET dead_at = $1', [new Date(startedAt())]);
    pass(401 * 24 * 60 * MINUTE);
    await service().database.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'devices are busy'; END $$`);
    await service().database.query(`CREATE TRIGGER refuse BEFORE DELETE ON device
      FOR EACH STATEMENT EXECUTE FUNCTION refuse()`);
    try {
      await expect(pruneDeliveries(deps, going)).rejects.toThrow(/devices are busy/);
    } finally {
      await service().database.query('DROP TRIGGER refuse ON device');
      await service().database.query('DROP FUNCTION refuse');
    }
    expect(await service().database.prisma.notification.count()).toBe(0);
  });
});
