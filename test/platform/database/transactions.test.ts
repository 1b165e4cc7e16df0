import { setTimeout as sleep } from 'node:timers/promises';
import type { Prisma } from '../../../src/generated/prisma/client.js';
import { isUnavailable } from '../../../src/platform/database/database.js';
import { onBoth, onMemory } from '../../faults/databases.js';

onBoth('an error that only COMMIT finds is reported, and nothing is kept', async ({ prisma }) => {
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
  await expect(
    prisma.$transaction(async (tx) => tx.account.create({ data: person })),
  ).rejects.toThrow();
  expect(await prisma.account.count()).toBe(0);
});

onBoth('what a transaction wrote is gone when it throws', async ({ prisma }) => {
  const failing = prisma.$transaction(async (tx) => {
    await tx.language.create({ data: { code: 'xx', name: 'X' } });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow(/changed my mind/);
  expect(await prisma.language.findUnique({ where: { code: 'xx' } })).toBeNull();
});

onBoth(
  'the isolation level that is asked for is in force inside the transaction, and only there',
  async ({ prisma }) => {
    const level = (tx: Prisma.TransactionClient) =>
      tx.$queryRaw`SELECT current_setting('transaction_isolation') AS level`;
    const inside = await prisma.$transaction(level, { isolationLevel: 'Serializable' });
    expect(inside).toStrictEqual([{ level: 'serializable' }]);
    expect(await prisma.$transaction(level)).toStrictEqual([{ level: 'read committed' }]);
  },
);

onBoth(
  'concurrent changes that read a row with FOR UPDATE and write it back lose nothing',
  async ({ prisma }) => {
    await prisma.$executeRaw`UPDATE site SET tagline = '0'`;
    const increment = () =>
      prisma.$transaction(async (tx) => {
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

onMemory(
  '40 transactions at once all succeed on PGlite, one after the other',
  async ({ prisma }) => {
    const slow = (number: number) =>
      prisma.$transaction(async (tx) => {
        await tx.language.create({ data: { code: `slow-${number}`, name: '' } });
        await sleep(60); // together longer than Prisma waits unless told otherwise
      });
    await Promise.all(Array.from({ length: 40 }, (_, number) => slow(number)));
    expect(await prisma.language.count({ where: { code: { startsWith: 'slow-' } } })).toBe(40);
  },
);

onBoth(
  'a transaction that runs too long is given up as unavailable, undone, and holds nobody up',
  async ({ prisma }) => {
    const slow = prisma.$transaction(
      async (tx) => {
        await tx.site.update({ where: { id: 1 }, data: { title: 'changed' } });
        await sleep(400);
        await tx.site.count();
      },
      { timeout: 200 },
    );
    await expect(slow).rejects.toSatisfy(isUnavailable);
    expect(await prisma.$transaction(async (tx) => (await tx.site.findFirstOrThrow()).title)).toBe(
      'Care',
    );
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
    const isolationLevel = 'Serializable';
    expect(
      await sent(() =>
        database.prisma.$transaction((tx) => tx.language.count(), { isolationLevel }),
      ),
    ).toBe(1);
    expect(
      await sent(() =>
        database.prisma.$transaction(async (tx) => [await tx.site.count(), await tx.term.count()]),
      ),
    ).toBe(2);
  },
);
