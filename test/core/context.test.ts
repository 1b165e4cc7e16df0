import { RequestContext } from '../../src/core/context.js';
import { transact } from '../../src/core/transact.js';
import { Prisma } from '../../src/generated/prisma/client.js';
import { type Database, TimeLimitError } from '../../src/platform/database/database.js';
import { useService } from '../support/harness.js';

const term = (name: string) => ({ taxonomy: 'post_tag', name, nameKey: name, slug: name });

describe('transact', () => {
  const service = useService();

  it('keeps what was written when the function ends, and nothing when it throws', async () => {
    const context = await service().context('administrator');
    await transact(context, ({ db }) => db.term.create({ data: term('kept') }));
    const failing = transact(context, async ({ db }) => {
      await db.term.create({ data: term('lost') });
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow(/stop/);
    const names = await context.db.term.findMany({
      where: { taxonomy: 'post_tag' },
      select: { name: true },
    });
    expect(names).toStrictEqual([{ name: 'kept' }]);
  });

  it('joins the transaction that is open', async () => {
    const context = await service().context('administrator');
    const failing = transact(context, async (outer) => {
      await transact(outer, ({ db }) => db.term.create({ data: term('inner') }));
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow(/stop/);
    expect(await context.db.term.count({ where: { name: 'inner' } })).toBe(0);
  });

  it('makes the outer context unusable while it is open, and usable again afterwards', async () => {
    const context = await service().context('administrator');
    await transact(context, async () => {
      expect(() => context.db).toThrow(/while its transaction is open/);
    });
    expect(await context.db.site.count()).toBe(1);
  });

  it('forgets what was loaded before', async () => {
    const context = await service().context('administrator');
    let calls = 0;
    const batch = async (_context: RequestContext, keys: readonly number[]) => {
      calls++;
      return keys.map((key) => key);
    };
    await context.loader(batch).load(1);
    await context.loader(batch).load(1);
    expect(calls).toBe(1);
    await transact(context, async () => {});
    await context.loader(batch).load(1);
    expect(calls).toBe(2);
  });
});

describe('A statement that runs out of time', () => {
  const service = useService();

  it.each([
    [true, 'TOO_EXPENSIVE', /Ask for less/],
    [false, 'UNAVAILABLE', /is busy/],
  ])('is refused by whether it is dear (%s): %s', async (dear, code, sentence) => {
    const { deps, input } = await service().context('administrator');
    const query = () => Promise.reject(new TimeLimitError(dear));
    const database = { ...deps.database, query } as Database;
    const reading = new RequestContext({ ...deps, database }, input).rows(Prisma.sql`SELECT 1`);
    await expect(reading).rejects.toMatchObject({ extensions: { code } });
    await expect(reading).rejects.toThrow(sentence);
  });
});

describe('A change under an Idempotency-Key', () => {
  const service = useService();
  const under = async (key: string, hash = 'h') => {
    const context = await service().context('editor');
    return new RequestContext(context.deps, {
      ...context.input,
      idempotency: { key, hash, field: -1, changes: 0 },
    });
  };
  const once = (context: RequestContext, work: (context: RequestContext) => Promise<number>) =>
    transact(context, work, { replayable: true });
  const add = ({ db }: RequestContext) =>
    db.term.create({ data: term(`t${Math.random()}`) }).then(({ id }) => id);

  it('happens once: the same request again answers the row of the first', async () => {
    const first = await once(await under('k'), add);
    const again = await once(await under('k'), add);
    expect(again).toBe(first);
    expect(await service().database.prisma.term.count({ where: { taxonomy: 'post_tag' } })).toBe(1);
  });

  it('is refused when the key stood for another request', async () => {
    await once(await under('k'), add);
    await expect(once(await under('k', 'other'), add)).rejects.toThrow(
      /was used for another request/,
    );
  });

  it('happens again after 24 hours', async () => {
    const first = await once(await under('k'), add);
    const tomorrow = Date.now() + 24 * 60 * 60 * 1000 + 1000;
    service().at(tomorrow);
    expect(await once(await under('k'), add)).not.toBe(first);
  });

  it('is remembered only if it was committed', async () => {
    const failing = once(await under('k'), async () => {
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow(/stop/);
    expect(await once(await under('k'), add)).toBeTruthy();
  });

  it('counts for its account alone', async () => {
    const first = await once(await under('k'), add);
    const other = await service().context('author');
    const foreign = new RequestContext(other.deps, {
      ...other.input,
      idempotency: { key: 'k', hash: 'h', field: -1, changes: 0 },
    });
    expect(await once(foreign, add)).not.toBe(first);
  });

  // The embedded database runs one transaction at a time: there a twin waits, and is answered with
  // the row of the first.
  const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;
  onServer('is refused while its twin is still running', async () => {
    const twin = once(await under('k'), async (context) => {
      await expect(once(await under('k'), add)).rejects.toThrow(/still running/);
      return add(context);
    });
    expect(await twin).toBeTruthy();
  });
});
