import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ELSEWHERE, judge } from '../../../src/domains/notifications/delivery/delivery.outcome.js';
import { DeliveryWorker } from '../../../src/domains/notifications/delivery/delivery.worker.js';
import { collectReceipts } from '../../../src/domains/notifications/delivery/receipt.worker.js';
import type { PushTransport } from '../../../src/platform/push/push-transport.js';
import { fingerprint } from '../../../src/platform/push/token.js';
import { makeDevice } from '../../support/factories.js';
import { useService } from '../../support/harness.js';
import { expoToken, tickets } from '../../support/provider.js';

import { expoDeliveries, going, MINUTE, SECOND } from './expo-deliveries.js';

describe('A due delivery', () => {
  const service = useService();
  const { expo, pass, send, states, messages, mails, failing } = expoDeliveries(service);

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

  it('whose receipt says that the token is dead ends the device, unless it has registered since: then the message goes again', async () => {
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
    expect(await states()).toStrictEqual([
      'dead DeviceNotRegistered',
      'planned DeviceNotRegistered',
    ]);
    await new DeliveryWorker(deps, 'expo').run(going);
    expect((await states())[1]).toMatch(/^accepted/);
    expect(messages().map(({ to }) => to)).toStrictEqual(
      ['gone', 'back', 'back'].map((name) => expoToken(name)),
    );
    const alive = await service().database.prisma.device.findMany({ where: { deadAt: null } });
    expect(alive.map(({ token }) => token)).toStrictEqual([expoToken('back')]);
    expect((await mails()).map(({ to }) => to)).toStrictEqual(['subscriber@example.com']);
  });

  it('whose token is dead ends no device that has another one by now, whatever its clock says', async () => {
    const deps = await expo(tickets);
    await makeDevice(service(), 'old');
    await send();
    pass(SECOND);
    const token = expoToken('rotated');
    const transport: PushTransport = {
      name: 'expo',
      batch: 100,
      concurrency: 1,
      send: async (messages) => {
        // Registered by a process whose clock is behind: the device was not seen since the claim.
        await service().database.prisma.device.updateMany({
          data: { token, tokenHash: fingerprint(token) },
        });
        return messages.map(() => ({ kind: 'dead', code: 'DeviceNotRegistered' }));
      },
    };
    const racing = { ...deps, push: { ...deps.push, expo: transport } };
    await new DeliveryWorker(racing, 'expo').run(going);
    const devices = await service().database.prisma.device.findMany();
    expect(devices.map(({ token, deadAt }) => ({ token, deadAt }))).toStrictEqual([
      { token, deadAt: null },
    ]);
    expect(await mails()).toStrictEqual([]);
  });

  it('is not sent when its device is taken out of use while a slow provider keeps others waiting', async () => {
    const deps = await expo(tickets);
    await makeDevice(service(), 'first');
    await makeDevice(service(), 'second', 'contributor');
    await send();
    pass(SECOND);
    await send('Hello', 'contributor');
    const sent: string[] = [];
    const transport: PushTransport = {
      name: 'expo',
      batch: 1,
      concurrency: 1,
      send: async (messages) => {
        sent.push(...messages.map((one) => one.token));
        await service().database.prisma.device.updateMany({
          where: { token: expoToken('second') },
          data: { suspendedAt: new Date() },
        });
        await sleep(2_100);
        return messages.map(() => ({ kind: 'delivered' }));
      },
    };
    const slow = { ...deps, push: { ...deps.push, expo: transport } };
    await new DeliveryWorker(slow, 'expo').run(going);
    expect(sent).toStrictEqual([expoToken('first')]);
    await new DeliveryWorker(slow, 'expo').run(going);
    expect(await states()).toStrictEqual(['sent', 'cancelled']);
  });

  it('that a process with its provider has tried is left to it by one that has none', () => {
    const turned = { attempts: 2, dueAt: 0, expiresAt: 30 * MINUTE };
    const verdict = judge({ kind: 'unserved' }, turned, MINUTE);
    expect(verdict).toMatchObject({ state: 'planned', nextAt: MINUTE + ELSEWHERE });
    const last = judge({ kind: 'unserved' }, turned, 30 * MINUTE - 1);
    expect(last).toMatchObject({ state: 'missed', code: 'not_configured' });
    const untried = judge({ kind: 'unserved' }, { ...turned, attempts: 1 }, MINUTE);
    expect(untried).toMatchObject({ state: 'missed', code: 'not_configured' });
  });

  it('that a dead token of before could not get is not sent after its time', async () => {
    const deps = await expo((request) =>
      request.path.endsWith('/send')
        ? tickets(request)
        : {
            body: {
              data: Object.fromEntries(
                request.json.ids.map((id: string) => [id, failing('DeviceNotRegistered')]),
              ),
            },
          },
    );
    await makeDevice(service(), 'back');
    await send();
    await service().database.prisma.delivery.updateMany({
      data: { expiresAt: new Date(service().now() + 10 * MINUTE) },
    });
    await new DeliveryWorker(deps, 'expo').run(going);
    pass(MINUTE);
    await makeDevice(service(), 'back');
    pass(15 * MINUTE);
    await collectReceipts(deps, 'expo', going);
    expect(await states()).toStrictEqual(['dead DeviceNotRegistered']);
  });
});
