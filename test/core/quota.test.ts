import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pointsOf, pointsOfTime, Quota, tooMany } from '../../src/core/quota.js';
import { Prisma } from '../../src/generated/prisma/client.js';
import { useService } from '../support/harness.js';

describe('The price of a field of the root', () => {
  const price = (operation: string, extensions: Record<string, unknown>, args = {}) =>
    pointsOf({ extensions }, operation, () => args);

  it('is 1 for reading, 10 for writing, 20 for signing in', () => {
    assert.equal(price('query', {}), 1);
    assert.equal(price('mutation', {}), 10);
    assert.equal(price('mutation', { issuesTokens: true }), 20);
    assert.equal(price('query', { issuesTokens: true }), 20, 'also where a sign-in is a GET');
  });

  it('is what the field declares, by its arguments: a report by its range', () => {
    assert.equal(price('mutation', { points: 3 }), 3);
    assert.equal(
      price(
        'query',
        { points: ({ days }: { days: number }) => Math.ceil(days / 30) },
        { days: 365 },
      ),
      13,
    );
  });
});

describe('The price of a statement', () => {
  it('is nothing within a second, and a point for every 2 ms beyond', () => {
    assert.equal(pointsOfTime(1_001), 0);
    assert.equal(pointsOfTime(1_200), 100);
    assert.equal(pointsOfTime(21_000), 10_000);
  });
});

describe('The points of an account', () => {
  const service = useService();

  it('pay for a statement that took longer than a second', async () => {
    const { authorization } = await service().authorization('author');
    service().limit();
    const { app, url } = service();
    const context = await app.createContext({ authorization, siteUrl: url, requestId: 'test' });
    const left = () => Number(/r=(\d+)/.exec(context.quota.headers().RateLimit ?? '')?.[1]);
    await context.quota.arrive();
    await context.rows(Prisma.sql`SELECT 1 AS one`);
    assert.equal(left(), 9_999);
    await context.rows(Prisma.sql`SELECT pg_sleep(1.3)::text AS slept`);
    assert.ok(left() <= 9_850, String(left()));
  });
});

describe('A quota', () => {
  it('tells how long to wait in whole seconds, never none', () => {
    assert.equal(tooMany('test', 1).detail?.retryAfter, 1);
    assert.equal(tooMany('test', 1_001).detail?.retryAfter, 2);
  });

  it('without limits charges nothing and says nothing', async () => {
    assert.equal(await Quota.BOUNDLESS.arrive(), undefined);
    assert.equal(await Quota.BOUNDLESS.charge(1_000_000), undefined);
    assert.deepEqual(Quota.BOUNDLESS.headers(), {});
  });
});
