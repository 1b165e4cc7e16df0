import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isPassing,
  isRetryable,
  isUnavailable,
  isUniqueViolation,
} from '../../../src/platform/database/database.js';
import { onBoth, onServer, openServer } from '../../faults/databases.js';

async function errorOf(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => {
      throw new Error('it should have failed');
    },
    (error: unknown) => error,
  );
}

onBoth(
  'a unique violation is recognised from Prisma, raw statements and direct queries',
  async (database) => {
    const { prisma } = database;
    for (const attempt of [
      () => prisma.language.create({ data: { code: 'en', name: 'Again' } }),
      () => prisma.$executeRaw`INSERT INTO language (code, name) VALUES ('en', 'Again')`,
      () =>
        database.transaction((tx) => tx.language.create({ data: { code: 'en', name: 'Again' } })),
      () =>
        database.transaction(
          (tx) => tx.$executeRaw`INSERT INTO language (code, name) VALUES ('en', 'Again')`,
        ),
      () => database.db.$executeRaw`INSERT INTO language (code, name) VALUES ('en', 'Again')`,
      () => database.query(`INSERT INTO language (code, name) VALUES ('en', 'Again')`),
    ]) {
      const error = await errorOf(attempt());
      expect(isUniqueViolation(error)).toBe(true);
      expect(isPassing(error)).toBe(false);
    }
  },
);

onBoth('a mistake in a statement is none of these', async (database) => {
  for (const attempt of [
    () => database.query('SELECT nothing'),
    () => database.prisma.$queryRaw`SELECT nothing`,
  ]) {
    const error = await errorOf(attempt());
    expect(!isUniqueViolation(error) && !isPassing(error)).toBe(true);
  }
});

test('an error about a file or another service is none of these', async () => {
  for (const attempt of [() => readFile('/nowhere/at/all'), () => fetch('http://127.0.0.1:1/')]) {
    const error = await errorOf(attempt());
    expect(!isUniqueViolation(error) && !isPassing(error)).toBe(true);
  }
});

onBoth(
  'after close everything is unavailable, and closing again does no harm',
  async (database) => {
    await database.close();
    expect(isUnavailable(await errorOf(database.query('SELECT 1')))).toBe(true);
    expect(isUnavailable(await errorOf(database.prisma.site.count()))).toBe(true);
    expect(isUnavailable(await errorOf(database.transaction((tx) => tx.site.count())))).toBe(true);
    expect(isUnavailable(await errorOf(database.ping()))).toBe(true);
  },
);

onBoth(
  'what may succeed later is passing: a read-only database, a full disk, an operator',
  async (database) => {
    const { prisma } = database;
    const readOnly = database.transaction(async (tx) => {
      await tx.$executeRaw`SET TRANSACTION READ ONLY`;
      await tx.language.create({ data: { code: 'n', name: '' } });
    });
    expect(isPassing(await errorOf(readOnly))).toBe(true);
    for (const state of ['53100', '57014', '57P01', '58030', '40P01']) {
      await prisma.$executeRawUnsafe(`
      CREATE OR REPLACE FUNCTION fail() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '${state}'; END $$`);
      expect(isPassing(await errorOf(database.query('SELECT fail()'))), state).toBe(true);
      expect(isPassing(await errorOf(prisma.$queryRaw`SELECT fail()`)), state).toBe(true);
      const inside = database.transaction((tx) => tx.$queryRaw`SELECT fail()`);
      expect(isPassing(await errorOf(inside)), state).toBe(true);
    }
  },
);

onServer(
  'a database that takes no writes proves it, at a statement in ten seconds',
  async (url, admin) => {
    const database = await openServer(url);
    expect(await database.refusal?.()).toBeUndefined();
    const before = database.statements;
    for (let i = 0; i < 5; i++)
      expect([await database.trouble(), await database.refusal?.()]).toStrictEqual([
        undefined,
        undefined,
      ]);
    expect(database.statements - before, 'a ping each').toBe(5);
    await admin.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    await database.close();
    const readOnly = await openServer(url);
    expect(await readOnly.refusal?.()).toBe('The database is read-only.');
    expect(await readOnly.trouble(), 'it answers').toBeUndefined();
    await readOnly.close();
  },
);

onServer('a database answers while all connections of the pool are used', async (url) => {
  const database = await openServer(url, { poolSize: 2 });
  const sleeping = [1, 2, 3, 4].map(() => database.query('SELECT pg_sleep(1.5)'));
  await sleep(100);
  const ahead = database.connections;
  expect(ahead).toMatchObject({ used: 2, waiting: 2 });
  expect(await database.trouble()).toBeUndefined();
  await Promise.all(sleeping);
  await database.close();
});

onServer('serialization failures and deadlocks are retryable', async (url) => {
  const database = await openServer(url);
  const conflicting = () =>
    database.transaction(async (tx) => {
      await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL SERIALIZABLE`;
      const count = await tx.language.count();
      await tx.$queryRaw`SELECT pg_sleep(0.1)::text`;
      await tx.language.create({ data: { code: `n${count}-${Math.random()}`, name: '' } });
    });
  const deadlocking = (ids: number[]) =>
    database.transaction(async (tx) => {
      for (const id of ids) {
        await tx.language.update({ where: { id }, data: { name: 'x' } });
        await tx.$queryRaw`SELECT pg_sleep(0.1)::text`;
      }
    });
  for (const pair of [
    [conflicting(), conflicting()],
    [deadlocking([1, 2]), deadlocking([2, 1])],
  ]) {
    const failed = (await Promise.allSettled(pair)).filter(
      (result) => result.status === 'rejected',
    );
    expect(failed).toHaveLength(1);
    expect(
      isRetryable(failed[0]?.reason) &&
        isPassing(failed[0]?.reason) &&
        !isUnavailable(failed[0]?.reason),
    ).toBe(true);
  }
  await database.close();
});
