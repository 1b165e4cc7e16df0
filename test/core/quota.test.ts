import { pointsOf, pointsOfTime, Quota, tooMany } from '../../src/core/quota.js';
import { Prisma } from '../../src/generated/prisma/client.js';
import { useService } from '../support/harness.js';

describe('The price of a field of the root', () => {
  const price = (operation: string, extensions: Record<string, unknown>, args = {}) =>
    pointsOf({ extensions }, operation, () => args);

  it('is 1 for reading, 10 for writing, 20 for signing in', () => {
    expect(price('query', {})).toBe(1);
    expect(price('mutation', {})).toBe(10);
    expect(price('mutation', { issuesTokens: true })).toBe(20);
    expect(price('query', { issuesTokens: true }), 'also where a sign-in is a GET').toBe(20);
  });

  it('is what the field declares, by its arguments: a report by its range', () => {
    expect(price('mutation', { points: 3 })).toBe(3);
    expect(
      price(
        'query',
        { points: ({ days }: { days: number }) => Math.ceil(days / 30) },
        { days: 365 },
      ),
    ).toBe(13);
  });
});

describe('The price of a statement', () => {
  it('is nothing within a second, and a point for every 2 ms beyond', () => {
    expect(pointsOfTime(1_001)).toBe(0);
    expect(pointsOfTime(1_200)).toBe(100);
    expect(pointsOfTime(21_000)).toBe(10_000);
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
    expect(left()).toBe(9_999);
    await context.rows(Prisma.sql`SELECT pg_sleep(1.3)::text AS slept`);
    expect(left(), String(left())).toBeLessThanOrEqual(9_850);
  });
});

describe('A quota', () => {
  it('tells how long to wait in whole seconds, never none', () => {
    expect(tooMany('test', 1).detail?.retryAfter).toBe(1);
    expect(tooMany('test', 1_001).detail?.retryAfter).toBe(2);
  });

  it('without limits charges nothing and says nothing', async () => {
    expect(await Quota.BOUNDLESS.arrive()).toBeUndefined();
    expect(await Quota.BOUNDLESS.charge(1_000_000)).toBeUndefined();
    expect(Quota.BOUNDLESS.headers()).toStrictEqual({});
  });
});
