import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { transact } from '../../../src/core/transact.js';
import {
  expandDue,
  queueMessages,
} from '../../../src/domains/notifications/delivery/delivery.service.js';
import { DeliveryWorker } from '../../../src/domains/notifications/delivery/delivery.worker.js';
import { LEASE } from '../../../src/domains/notifications/delivery/delivery-claim.service.js';
import { collectReceipts } from '../../../src/domains/notifications/delivery/receipt.worker.js';
import { markDevicesDead } from '../../../src/domains/notifications/device/device-loss.service.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import type {
  Outcome,
  PushMessage,
  PushTransport,
} from '../../../src/platform/push/push-transport.js';
import { makeDevice } from '../../support/factories.js';
import { Failures } from '../../support/failures.js';
import { useService } from '../../support/harness.js';
import { expoToken, fcmToken, tickets } from '../../support/provider.js';
import { expoDeliveries, going, MINUTE, SECOND } from './expo-deliveries.js';

describe('A due delivery', () => {
  const service = useService();
  const { expo, pass, send, states, messages, mails, failing } = expoDeliveries(service);

  const unanswered = async () =>
    Number(
      /^care_push_unanswered_total\{kind="expo"\} (\d+)/m.exec(await registry.metrics())?.[1] ?? 0,
    );

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
      body: { push_token: fcmToken('phone') },
    });
    await send();
    const slow = new DeliveryWorker(both, 'expo').run(going);
    await new DeliveryWorker(both, 'fcm').run(going);
    expect(sent).toHaveLength(1);
    await slow;
    expect(await states()).toStrictEqual(['planned timeout', 'sent']);
  });

  it('that found no turn to be sent is tried again when it said so, and was no attempt', async () => {
    const deps = await expo(tickets);
    await makeDevice(service(), '1');
    await send();
    const before = await unanswered();
    const outcomes: Outcome[] = [{ kind: 'unsent', after: 3_000 }, { kind: 'delivered' }];
    let calls = 0;
    const full: PushTransport = {
      name: 'x',
      batch: 10,
      concurrency: 1,
      send: async (batch) => batch.map(() => outcomes[calls++] as Outcome),
    };
    const worker = new DeliveryWorker({ ...deps, push: { ...deps.push, expo: full } }, 'expo');
    await worker.run(going);
    const delivery = () => service().database.prisma.delivery.findFirstOrThrow();
    expect(await delivery()).toMatchObject({
      state: 'planned',
      code: null,
      attempts: 0,
      nextAt: new Date(service().now() + 3_000),
    });
    expect(await unanswered()).toBe(before);
    pass(2_900);
    expect(await worker.run(going), 'nothing else goes out before').toBe(0);
    pass(200);
    await worker.run(going);
    expect(await delivery()).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('survives a transport that throws, answers too little, or is stopped before it begins', async () => {
    const deps = await expo(tickets);
    await makeDevice(service(), '1');
    await send();
    const before = await unanswered();
    const broken = (send: PushTransport['send']) =>
      new DeliveryWorker(
        { ...deps, push: { ...deps.push, expo: { name: 'x', batch: 10, concurrency: 1, send } } },
        'expo',
      );
    await broken(() => Promise.reject(new Error('no'))).run(going);
    expect(await states()).toStrictEqual(['planned lost']);
    expect(await unanswered(), 'the provider may have taken it').toBe(before + 1);
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
    const slow: PushTransport['send'] = async (batch, { signal }) => {
      await once(signal, 'abort');
      return batch.map(
        (_, i): Outcome => (i === 0 ? { kind: 'delivered' } : { kind: 'retry', code: 'timeout' }),
      );
    };
    const push = { ...deps.push, expo: { name: 'x', batch: 10, concurrency: 1, send: slow } };
    await new DeliveryWorker({ ...deps, push }, 'expo', 100).run(going);
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
    const sent = (name: string) => messages().filter(({ to }) => to === expoToken(name)).length;
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
});

describe("A browser's push service that refuses our key", () => {
  const service = useService();
  const { pass } = expoDeliveries(service);

  it('makes pushes be missed after half an hour; a member without another device is told by mail, once', async () => {
    const names = ['contributor', 'subscriber'] as const;
    for (const as of names) {
      const { id: accountId } = await service().account(as);
      const token = `{"${as}"}`;
      const seen = new Date(service().now());
      await service().database.prisma.device.create({
        data: { accountId, kind: 'web', token, tokenHash: as, createdAt: seen, lastSeenAt: seen },
      });
    }
    await makeDevice(service(), 'phone', 'contributor');
    const web: PushTransport = {
      name: 'web',
      batch: 1,
      concurrency: 50,
      send: async (messages) => messages.map(() => ({ kind: 'retry', code: 'vapid_403' })),
    };
    const { deps } = service().app;
    const worker = new DeliveryWorker({ ...deps, push: { ...deps.push, web } }, 'web');
    const { prisma } = service().database;
    service().at(service().now());
    for (let round = 0; round < 2; round++) {
      for (const as of names)
        await service().rest('POST', '/v1/notify', { as, body: { title: 'x' } });
      for (let passed = 0; passed <= 31 * MINUTE; passed += 5 * SECOND) {
        await worker.run(going);
        pass(5 * SECOND);
      }
      const web = { kind: 'web' };
      const deliveries = await prisma.delivery.findMany({ where: web });
      expect(new Set(deliveries.map(({ state, code }) => `${state} ${code}`))).toStrictEqual(
        new Set(['missed vapid_403']),
      );
      expect(await prisma.device.count({ where: { ...web, deadAt: null } })).toBe(2);
      const mails = await prisma.outgoingMail.findMany();
      expect(mails.map(({ template, to }) => [template, to])).toStrictEqual([
        ['device_unserved', 'subscriber@example.com'],
      ]);
    }
  });

  /** A member with one browser, whose push service gives `outcome`, and what mails the member got. */
  const browsing = async () => {
    const { id: accountId } = await service().account('subscriber');
    const seen = new Date(service().now());
    const device = { accountId, kind: 'web', token: '{}', tokenHash: 'x' };
    await service().database.prisma.device.create({
      data: { ...device, createdAt: seen, lastSeenAt: seen },
    });
    let outcome: Outcome = { kind: 'delivered' };
    const web: PushTransport = {
      name: 'web',
      batch: 1,
      concurrency: 50,
      send: async (messages) => messages.map(() => outcome),
    };
    const { deps } = service().app;
    const worker = new DeliveryWorker({ ...deps, push: { ...deps.push, web } }, 'web');
    const notify = async (next: Outcome) => {
      outcome = next;
      await service().rest('POST', '/v1/notify', { as: 'subscriber', body: { title: 'x' } });
      const { delivery } = service().database.prisma;
      for (;;) {
        const next = await delivery.findFirst({ where: { kind: 'web', state: 'planned' } });
        if (!next) break;
        pass(Math.max(0, next.nextAt.getTime() - service().now()));
        await worker.run(going);
      }
      pass(60 * MINUTE);
    };
    const templates = async () =>
      (
        await service().database.prisma.outgoingMail.findMany({ orderBy: { createdAt: 'asc' } })
      ).map(({ template }) => template);
    return { notify, templates };
  };
  const refused: Outcome = { kind: 'retry', code: 'vapid_403' };

  it('counts as no device when the last other one is lost, however long ago it first refused', async () => {
    service().at(service().now());
    const { notify, templates } = await browsing();
    await makeDevice(service(), 'phone');
    const phone = await service().database.prisma.device.findFirstOrThrow({
      where: { kind: 'expo' },
    });
    await notify(refused);
    pass(72 * 60 * MINUTE);
    await notify(refused);
    expect(await templates()).toStrictEqual([]);
    await markDevicesDead(service().app.deps, [
      { id: phone.id, sentAt: new Date(service().now()) },
    ]);
    expect(await templates()).toStrictEqual(['device_lost']);
  });

  it('is told of again when it has taken a message in between', async () => {
    service().at(service().now());
    const { notify, templates } = await browsing();
    await notify(refused);
    await notify({ kind: 'delivered' });
    await notify(refused);
    await notify(refused);
    expect(await templates()).toStrictEqual(['device_unserved', 'device_unserved']);
  });
});

describe("A browser's push service that hangs", () => {
  const service = useService();
  const SPEED = 10;
  const HANG = 8_000;

  const devices = (accountId: number, names: readonly string[]) => {
    const seen = new Date(service().now());
    const device = { accountId, kind: 'web', createdAt: seen, lastSeenAt: seen };
    return service().database.prisma.device.createMany({
      data: names.map((token) => ({ ...device, token, tokenHash: token })),
    });
  };
  const queue = async (accountIds: readonly number[], sendAt: number) =>
    transact(await service().context(), (context) =>
      queueMessages(
        context,
        { kind: 'test' },
        accountIds.map((accountId) => ({
          ...{ accountId, messageId: randomUUID(), sendAt: new Date(sendAt) },
          ...{ title: 'x', body: '' },
        })),
      ),
    );
  /** Accounts that have 20 browsers each, whose push services are hosts of their own and all hang. */
  const hanging = async (accounts: number) => {
    const ids: number[] = [];
    for (let i = 0; i < accounts; i++) {
      const { id } = await service().account('author', `many-${i}`);
      await devices(
        id,
        Array.from({ length: 20 }, (_, j) => `hangs-${i}-${j}`),
      );
      ids.push(id);
    }
    return ids;
  };
  /**
   * A worker for push services that hang, but for those that are called good, at a clock that runs fast
   * from `start`. Nothing hangs while `world.answers`. Returns what waits for so many messages of those that
   * are called good, and returns how many were tried in vain before the last of them.
   */
  const working = (start: number, world = { answers: false }) => {
    const began = performance.now();
    service().now = () => start + 1_000 + (performance.now() - began) * SPEED;
    let got = 0;
    let hung = 0;
    let hungBefore = 0;
    const web: PushTransport = {
      name: 'web',
      batch: 1,
      concurrency: 50,
      hostOf: (token) => token,
      send: async ([message]): Promise<Outcome[]> => {
        if (message?.token.startsWith('good')) {
          got++;
          hungBefore = hung;
          return [{ kind: 'delivered' }];
        }
        if (world.answers) return [{ kind: 'delivered' }];
        hung++;
        await sleep(HANG / SPEED);
        return [{ kind: 'retry', code: 'timeout' }];
      },
    };
    const { deps } = service().app;
    const worker = new DeliveryWorker({ ...deps, push: { ...deps.push, web } }, 'web');
    const until = async (count: number) => {
      await expandDue(deps);
      while (got < count && service().now() < start + 31 * MINUTE)
        if ((await worker.run(going)) === 0) await sleep(10);
      expect(got).toBe(count);
      return hungBefore;
    };
    return until;
  };

  it('keeps no other browser waiting, however many messages one account has for it', async () => {
    const [id = 0] = await hanging(1);
    const { id: other } = await service().account('subscriber');
    const start = service().now();
    await devices(other, ['good']);
    await queue(Array(100).fill(id), start);
    await queue([other], start + 1);
    expect(await working(start)(1), 'messages tried in vain before').toBeLessThan(200);
  });

  it('keeps no other browser waiting, however many hosts twenty accounts have for it', async () => {
    const ids = await hanging(20);
    const { id: other } = await service().account('subscriber');
    const start = service().now();
    await devices(other, ['good']);
    await queue(ids, start);
    await queue([other], start + 1);
    expect(await working(start)(1)).toBeLessThan(100);
  });

  it("keeps no browser's own push service waiting in a process that begins, however many accounts have others", async () => {
    const ids = await hanging(50);
    const { id: other } = await service().account('subscriber');
    const start = service().now();
    await devices(other, ['good.push.services.mozilla.com']);
    await queue(ids, start);
    await queue([other], start + 1);
    expect(await working(start)(1)).toBeLessThan(100);
  });

  it("keeps no browser's own push service waiting for hosts that answered before", async () => {
    const ids = await hanging(50);
    const { id: other } = await service().account('subscriber');
    const start = service().now();
    await devices(other, ['good.push.services.mozilla.com']);
    await queue(ids, start);
    await queue([other], start + 1);
    const world = { answers: true };
    const until = working(start, world);
    await until(1);
    world.answers = false;
    await queue(ids, service().now());
    await queue([other], service().now());
    expect(await until(2)).toBeLessThan(100);
  });
});
