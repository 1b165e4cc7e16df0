import { randomUUID } from 'node:crypto';
import { transact } from '../../../src/core/transact.js';
import { backoff } from '../../../src/domains/notifications/delivery/delivery.outcome.js';
import {
  type QueuedMessage,
  queueMessages,
} from '../../../src/domains/notifications/delivery/delivery.service.js';
import { useService } from '../../support/harness.js';

import { MINUTE, SECOND } from './expo-deliveries.js';

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
