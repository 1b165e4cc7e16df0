import { setTimeout as sleep } from 'node:timers/promises';
import { TimeBudget } from '../../src/platform/database/time-budget.js';
import { type Caller, useService } from '../support/harness.js';

const STATEMENT = { text: 'SELECT 1', values: [] };

describe('A budget of time', () => {
  it('cancels all that runs when it is spent, and starts nothing more', async () => {
    const budget = new TimeBudget(200);
    let cancelled = 0;
    const ended = Array.from(
      { length: 4 },
      () =>
        new Promise<void>((resolve) => budget.start(STATEMENT, () => resolve(void cancelled++))),
    );
    await Promise.all(ended);
    expect(cancelled).toBe(4);
    expect(budget.start(STATEMENT, () => {})).toBeUndefined();
  });

  it('cancels what runs also when it is spent at the end of another statement', async () => {
    const budget = new TimeBudget(20);
    const cancelled = new Promise<void>((resolve) => budget.start(STATEMENT, resolve));
    const stop = budget.start(STATEMENT, () => {});
    const until = performance.now() + 40;
    while (performance.now() < until); // the process is busy, so that no timer runs
    stop?.();
    await cancelled;
  });

  it('is not spent while nothing runs', async () => {
    const budget = new TimeBudget(300);
    budget.start(STATEMENT, () => {
      throw new Error('cancelled');
    })?.();
    await sleep(400);
    budget.start(STATEMENT, () => {
      throw new Error('cancelled');
    })?.();
  });
});

// The embedded database computes in the service's own thread, where nothing can interrupt it.
const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;

describe('The database time of a request', () => {
  const service = useService();
  const posts = (as: Caller, query = {}) => service().rest('GET', '/v1/posts', { as, query });
  const waiting = async () => {
    const text = `SELECT count(*)::int AS n FROM pg_locks WHERE relation = 'content_item'::regclass AND NOT granted`;
    return (await service().database.query<{ n: number }>(text))[0]?.n;
  };
  /** Does something while every reader of content waits in the database. */
  const whileLocked = (work: () => Promise<void>) =>
    service().database.prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`LOCK TABLE content_item IN ACCESS EXCLUSIVE MODE`;
        await work();
      },
      { timeout: 60_000 },
    );

  onServer(
    'is a second for callers without an account and for guests: then PostgreSQL stops, and the ' +
      'answer says that the database is busy',
    async () => {
      await service().post({ title: 'T' });
      await Promise.all([posts('anonymous'), posts('guest'), posts('editor')]); // accounts are made
      let editors: Promise<{ status: number }> | undefined;
      await whileLocked(async () => {
        editors = posts('editor');
        for (const as of ['anonymous', 'guest'] as const) {
          const query = { search: 'some words', orderby: 'relevance' };
          const { status, body, headers } = await posts(as, query);
          expect([status, body.code], as).toStrictEqual([503, 'service_unavailable']);
          expect(body.message).toMatch(/is busy/);
          expect(headers.get('retry-after')).toBe('1');
          const roots =
            'query { a: posts { totalCount } b: pages { totalCount } c: posts(filter: { ' +
            'search: "x" }) { totalCount } }';
          const { errors } = (await service().graphql(roots, {}, { as })).body;
          expect([
            ...new Set(
              errors.map((error: { extensions: { code: string } }) => error.extensions.code),
            ),
          ]).toStrictEqual(['UNAVAILABLE']);
        }
        const ten = `{${Array.from({ length: 10 }, (_, i) => `r${i}: posts(first: ${i + 1}) { totalCount }`).join(' ')}}`;
        for (let i = 0; i < 3; i++) await service().graphql(ten);
        // A document is answered when its first field fails, its other statements are cancelled at
        // the same time.
        for (let i = 0; i < 3_000 && (await waiting()) !== 1; i++) await sleep(20);
        expect(await waiting(), 'the editor alone still waits').toBe(1);
      });
      expect((await editors)?.status).toBe(200);
      const after = await Promise.all(Array.from({ length: 20 }, () => posts('anonymous')));
      expect([
        ...new Set(after.map(({ status, body }) => `${status} ${body.length}`)),
      ]).toStrictEqual(['200 1']);
    },
  );
});
