import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../../src/platform/database/database.js';
import type { Db } from '../../../src/platform/database/transaction.js';
import { onBoth, onMemory, onServer, openServer } from '../../faults/databases.js';

onBoth('an error that only COMMIT finds is reported, and nothing is kept', async (database) => {
  const { prisma } = database;
  await prisma.$executeRaw`ALTER TABLE account ALTER CONSTRAINT account_language_id_fkey DEFERRABLE INITIALLY DEFERRED`;
  const person = {
    username: 'a',
    usernameKey: 'a',
    email: 'a',
    emailKey: 'a',
    name: 'a',
    slug: 'a',
    languageId: 99,
  };
  const failing = database.transaction(async (tx) => tx.account.create({ data: person }));
  await expect(failing).rejects.toThrow();
  expect(await prisma.account.count()).toBe(0);
});

onBoth('what a transaction wrote is gone when it throws', async (database) => {
  const failing = database.transaction(async (tx) => {
    await tx.language.create({ data: { code: 'xx', name: 'X' } });
    await tx.$executeRaw`INSERT INTO language (code, name) VALUES ('xy', 'Y')`;
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow(/changed my mind/);
  const kept = await database.db.language.count({ where: { code: { startsWith: 'x' } } });
  expect(kept).toBe(0);
});

onBoth(
  'SQL and models of one transaction see what it wrote, and nobody else does',
  async (database) => {
    const count = (db: Db) =>
      Promise.all([
        db.language.count({ where: { code: { startsWith: 'x' } } }),
        db.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM language WHERE code LIKE 'x%'`.then(
          ([row]) => row?.count,
        ),
      ]);
    await database.transaction(async (tx) => {
      await tx.$executeRaw`INSERT INTO language (code, name) VALUES ('xx', 'X')`;
      await tx.language.create({ data: { code: 'xy', name: 'Y' } });
      expect(await count(tx)).toStrictEqual([2, 2]);
      if (database.kind === 'server') expect(await count(database.db)).toStrictEqual([0, 0]);
    });
    expect(await count(database.db)).toStrictEqual([2, 2]);
  },
);

onBoth('a transaction in which a statement failed is not committed', async (database) => {
  const insert = (tx: Db, code: string) =>
    tx.$executeRaw`INSERT INTO language (code, name) VALUES (${code}, '')`;
  for (const fail of [
    (tx: Db) => insert(tx, 'en'),
    (tx: Db) => tx.language.create({ data: { code: 'en', name: '' } }),
  ]) {
    const failing = database.transaction(async (tx) => {
      await insert(tx, 'xx');
      await fail(tx).catch(() => {});
    });
    await expect(failing).rejects.toThrow();
    expect(await database.db.language.count({ where: { code: 'xx' } })).toBe(0);
  }
});

onServer('transactions that use models at the same time keep to themselves', async (url) => {
  const database = await openServer(url);
  const numbers = Array.from({ length: 8 }, (_, number) => number);
  const insert = (tx: Db, code: string) =>
    tx.$executeRaw`INSERT INTO language (code, name) VALUES (${code}, '')`;
  const barrier = () => {
    let waiting = 0;
    let go: () => void = () => {};
    const all = new Promise<void>((resolve) => (go = resolve));
    return () => (++waiting === numbers.length ? go() : all);
  };
  const [begun, written] = [barrier(), barrier()];
  const write = (number: number) =>
    database.transaction(async (tx) => {
      await insert(tx, `sql-${number}`);
      await begun();
      await tx.language.create({ data: { code: `model-${number}`, name: '' } });
      const name = { contains: '-' };
      const seen = await tx.language.findMany({ where: { code: name }, orderBy: { code: 'asc' } });
      await written();
      expect(seen.map(({ code }) => code)).toStrictEqual([`model-${number}`, `sql-${number}`]);
      if (number % 2) throw new Error('changed my mind');
    });
  const ends = await Promise.allSettled(numbers.map(write));
  expect(
    ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : [])),
  ).toStrictEqual(Array.from({ length: 4 }, () => 'Error: changed my mind'));
  const kept = await database.db.language.findMany({ where: { code: { contains: '-' } } });
  expect(kept.map(({ code }) => code).sort()).toStrictEqual(
    ['model', 'sql'].flatMap((way) => [0, 2, 4, 6].map((number) => `${way}-${number}`)),
  );
  await database.close();
});

onServer('a connection that is lost in a transaction makes it unavailable', async (url, admin) => {
  const database = await openServer(url);
  const end = async (tx: Db) => {
    const [own] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await admin.query('SELECT pg_terminate_backend($1, 1000)', [own?.pid]);
  };
  for (const after of [
    async () => {},
    (tx: Db) => tx.$queryRaw`SELECT 1`,
    (tx: Db) => tx.language.count(),
  ]) {
    const lost = database.transaction(async (tx) => {
      await tx.language.create({ data: { code: 'xx', name: '' } });
      await end(tx);
      await after(tx);
    });
    await expect(lost).rejects.toSatisfy(isUnavailable);
    expect(await database.db.language.count({ where: { code: 'xx' } })).toBe(0);
  }
  await database.close();
});

onServer(
  'a statement of a longer transaction may take as long as that, and no other',
  async (url) => {
    const database = await openServer(url, { statementLimit: 1 });
    const slept = (timeout?: number) =>
      database.transaction((db) => db.$queryRaw`SELECT 1 AS done FROM pg_sleep(2.5)`, {
        ...(timeout && { timeout }),
      });
    expect(await slept(20_000)).toStrictEqual([{ done: 1 }]);
    await expect(slept(900)).rejects.toThrow();
    await expect(database.query('SELECT pg_sleep(2.5)')).rejects.toThrow();
    await database.close();
  },
);

onServer('what is sent after the end of a transaction is refused', async (url) => {
  const database = await openServer(url);
  for (const model of [false, true]) {
    const { kept } = await database.transaction(async (tx) => {
      if (model) await tx.language.count();
      return { kept: tx };
    });
    await expect(kept.$queryRaw`SELECT 1`).rejects.toThrow('The transaction has ended.');
    await expect(kept.language.count()).rejects.toThrow('The transaction has ended.');
  }
  await database.close();
});

onBoth(
  'concurrent changes that read a row with FOR UPDATE and write it back lose nothing',
  async (database) => {
    const { prisma } = database;
    await prisma.$executeRaw`UPDATE site SET tagline = '0'`;
    const increment = () =>
      database.transaction(async (tx) => {
        const [row] = await tx.$queryRaw<
          { tagline: string }[]
        >`SELECT tagline FROM site FOR UPDATE`;
        await sleep(5);
        await tx.site.update({
          where: { id: 1 },
          data: { tagline: String(Number(row?.tagline) + 1) },
        });
      });
    await Promise.all(Array.from({ length: 20 }, increment));
    expect((await prisma.site.findFirstOrThrow()).tagline).toBe('20');
  },
);

onMemory('40 transactions at once all succeed on PGlite, one after the other', async (database) => {
  const slow = (number: number) =>
    database.transaction(async (tx) => {
      await tx.language.create({ data: { code: `slow-${number}`, name: '' } });
      await sleep(60); // together longer than Prisma waits unless told otherwise
    });
  await Promise.all(Array.from({ length: 40 }, (_, number) => slow(number)));
  expect(await database.db.language.count({ where: { code: { startsWith: 'slow-' } } })).toBe(40);
});

onBoth(
  'a transaction that runs too long is given up as unavailable, undone, and holds nobody up',
  async (database) => {
    for (const late of [
      (tx: Db) => tx.site.count(),
      (tx: Db) => tx.$queryRaw`SELECT 1`,
      async () => 0,
    ]) {
      const slow = database.transaction(
        async (tx) => {
          await tx.site.update({ where: { id: 1 }, data: { title: 'changed' } });
          await sleep(400);
          return late(tx);
        },
        { timeout: 200 },
      );
      await expect(slow).rejects.toSatisfy(isUnavailable);
      const title = database.transaction(async (tx) => (await tx.site.findFirstOrThrow()).title);
      expect(await title).toBe('Care');
    }
  },
);

onMemory(
  'a transaction that waits too long for its turn on PGlite is unavailable, and holds nobody up',
  async ({ prisma }) => {
    const first = prisma.$transaction(() => sleep(300));
    await expect(prisma.$transaction((tx) => tx.site.count(), { maxWait: 50 })).rejects.toSatisfy(
      isUnavailable,
    );
    await first;
    expect(await prisma.$transaction((tx) => tx.site.count())).toBe(1);
  },
);

onBoth(
  'statements counts what Prisma and direct queries send, without transaction control',
  async (database) => {
    const sent = async (action: () => Promise<unknown>) => {
      const before = database.statements;
      await action();
      return database.statements - before;
    };
    expect(await sent(() => database.query('SELECT 1'))).toBe(1);
    expect(await sent(() => database.prisma.language.findMany())).toBe(1);
    expect(await sent(() => database.transaction((tx) => tx.language.count()))).toBe(1);
    expect(
      await sent(() =>
        database.transaction(async (tx) => [
          await tx.site.count(),
          await tx.$queryRaw`SELECT 1`,
          await tx.term.count(),
        ]),
      ),
    ).toBe(3);
  },
);
