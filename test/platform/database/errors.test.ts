import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { isRetryable, isUnavailable, isUniqueViolation } from '../../../src/platform/database/database.js';
import { onBoth, onServer, openServer } from '../../faults/databases.js';

async function errorOf(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => assert.fail('it should have failed'),
    (error: unknown) => error,
  );
}

onBoth('a unique violation is recognised from Prisma, raw statements and direct queries', async (database) => {
  const { prisma } = database;
  for (const attempt of [
    () => prisma.language.create({ data: { code: 'en', name: 'Again' } }),
    () => prisma.$executeRaw`INSERT INTO language (code, name) VALUES ('en', 'Again')`,
    () => prisma.$transaction((tx) => tx.language.create({ data: { code: 'en', name: 'Again' } })),
    () => database.query(`INSERT INTO language (code, name) VALUES ('en', 'Again')`),
  ]) {
    const error = await errorOf(attempt());
    assert.ok(isUniqueViolation(error));
    assert.ok(!isUnavailable(error) && !isRetryable(error));
  }
});

onBoth('a mistake in a statement is none of the three', async (database) => {
  for (const attempt of [() => database.query('SELECT nothing'), () => database.prisma.$queryRaw`SELECT nothing`]) {
    const error = await errorOf(attempt());
    assert.ok(!isUniqueViolation(error) && !isUnavailable(error) && !isRetryable(error));
  }
});

test('an error about a file or another service is none of the three', async () => {
  for (const attempt of [() => readFile('/nowhere/at/all'), () => fetch('http://127.0.0.1:1/')]) {
    const error = await errorOf(attempt());
    assert.ok(!isUniqueViolation(error) && !isUnavailable(error) && !isRetryable(error));
  }
});

onBoth('after close everything is unavailable, and closing again does no harm', async (database) => {
  await database.close();
  assert.ok(isUnavailable(await errorOf(database.query('SELECT 1'))));
  assert.ok(isUnavailable(await errorOf(database.prisma.site.count())));
  assert.ok(isUnavailable(await errorOf(database.prisma.$transaction((tx) => tx.site.count()))));
  assert.ok(isUnavailable(await errorOf(database.ping())));
});

onServer('serialization failures and deadlocks are retryable', async (url) => {
  const database = await openServer(url);
  const { prisma } = database;
  const conflicting = () =>
    prisma.$transaction(
      async (tx) => {
        const count = await tx.language.count();
        await tx.$queryRaw`SELECT pg_sleep(0.1)::text`;
        await tx.language.create({ data: { code: `n${count}-${Math.random()}`, name: '' } });
      },
      { isolationLevel: 'Serializable' },
    );
  const deadlocking = (ids: number[]) =>
    prisma.$transaction(async (tx) => {
      for (const id of ids) {
        await tx.language.update({ where: { id }, data: { name: 'x' } });
        await tx.$queryRaw`SELECT pg_sleep(0.1)::text`;
      }
    });
  for (const pair of [
    [conflicting(), conflicting()],
    [deadlocking([1, 2]), deadlocking([2, 1])],
  ]) {
    const failed = (await Promise.allSettled(pair)).filter((result) => result.status === 'rejected');
    assert.equal(failed.length, 1);
    assert.ok(isRetryable(failed[0]?.reason) && !isUnavailable(failed[0]?.reason));
  }
  await database.close();
});
