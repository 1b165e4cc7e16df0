import fc from 'fast-check';
import pg from 'pg';
import { Prisma } from '../../../src/generated/prisma/client.js';
import type { Database } from '../../../src/platform/database/database.js';
import { onBoth, onMemory, onServer, openServer } from '../../faults/databases.js';

onBoth('a statement that failed runs again, with other values', async (database) => {
  const divide = (by: number) =>
    database.query<{ value: number }>('SELECT 6 / $1::int4 AS value FROM site', [by]);
  for (const by of [0, 3, 0, 2]) {
    if (by === 0) await expect(divide(by)).rejects.toMatchObject({ code: '22012' });
    else expect(await divide(by)).toStrictEqual([{ value: 6 / by }]);
  }
});

onBoth('a statement without rows answers none, each time', async (database) => {
  await database.query('CREATE TABLE noted (id int4)');
  for (let id = 0; id < 3; id++)
    expect(await database.query('INSERT INTO noted VALUES ($1::int4)', [id])).toStrictEqual([]);
  expect(await database.query('SELECT id FROM noted ORDER BY id')).toHaveLength(3);
  expect(await database.query('SELECT id FROM noted WHERE id > $1::int4', [9])).toStrictEqual([]);
});

onMemory(
  'a statement is prepared once, and anew when its columns have changed',
  async (database) => {
    const read = () => database.query('SELECT * FROM shape');
    const change = 'ALTER TABLE shape ALTER a TYPE text USING $$one$$, ADD c int4 DEFAULT 3';
    await database.query('CREATE TABLE shape AS SELECT 1 AS a, 2 AS b');
    for (let i = 0; i < 3; i++) expect(await read()).toStrictEqual([{ a: 1, b: 2 }]);
    const prepared = await database.query<{ calls: number }>(
      'SELECT generic_plans + custom_plans AS calls FROM pg_prepared_statements WHERE statement = $1',
      ['SELECT * FROM shape'],
    );
    expect(prepared).toStrictEqual([{ calls: 3 }]);
    const undone = database.transaction(async (db) => {
      await db.$executeRawUnsafe(change);
      expect(await db.$queryRawUnsafe('SELECT * FROM shape')).toStrictEqual([
        { a: 'one', b: 2, c: 3 },
      ]);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await read()).toStrictEqual([{ a: 1, b: 2 }]);
    await database.query(change);
    expect(await read()).toStrictEqual([{ a: 'one', b: 2, c: 3 }]);
  },
);

onMemory('at most 500 statements stay prepared, those that were used last', async (database) => {
  const read = (value: number) => database.query(`SELECT ${value} AS value FROM site`);
  for (let i = 0; i < 600; i++) {
    expect(await read(i)).toStrictEqual([{ value: i }]);
    expect(await read(7)).toStrictEqual([{ value: 7 }]);
  }
  const statements = await database.query<{ statement: string }>(
    'SELECT statement FROM pg_prepared_statements',
  );
  expect(statements.length).toBeLessThanOrEqual(501);
  const kept = statements.map(({ statement }) => statement);
  expect(kept).toContain('SELECT 7 AS value FROM site');
  expect(kept).not.toContain('SELECT 8 AS value FROM site');
  expect(await read(8)).toStrictEqual([{ value: 8 }]);
});

onMemory('a statement that may not be prepared is planned for its values', async (database) => {
  const text = 'SELECT id FROM site WHERE id = $1::int4';
  for (let i = 0; i < 3; i++)
    expect(await database.query(text, [1], { prepared: false })).toStrictEqual([{ id: 1 }]);
  const known = 'SELECT count(*) AS count FROM pg_prepared_statements WHERE statement = $1';
  expect(await database.query(known, [text])).toStrictEqual([{ count: 0 }]);
});

onMemory('a text that is no statement leaves nothing, in a transaction too', async (database) => {
  const wrong = 'SELECT absent FROM site';
  for (let i = 0; i < 2; i++) {
    await expect(database.query(wrong)).rejects.toMatchObject({ code: '42703' });
    await expect(database.transaction((db) => db.$queryRawUnsafe(wrong))).rejects.toThrow('absent');
  }
  expect(await database.query('SELECT id FROM site')).toStrictEqual([{ id: 1 }]);
});

onServer('a statement whose columns have changed is prepared anew, never misread', async (url) => {
  const database = await openServer(url);
  const other = new pg.Client(url);
  await other.connect();
  try {
    await database.query('CREATE TABLE shape AS SELECT 1 AS a, 2 AS b');
    const read = () => database.query('SELECT * FROM shape');
    for (let i = 0; i < 3; i++) expect(await read()).toStrictEqual([{ a: 1, b: 2 }]);
    await other.query("ALTER TABLE shape ALTER a TYPE text USING 'one', ADD c int4 DEFAULT 3");
    for (let i = 0; i < 2; i++) expect(await read()).toStrictEqual([{ a: 'one', b: 2, c: 3 }]);
    await other.query('ALTER TABLE shape DROP c');
    const inTransaction = () =>
      database.transaction((db) => db.$queryRaw(Prisma.sql`SELECT * FROM shape`));
    await expect(inTransaction(), 'a transaction fails as a whole').rejects.toMatchObject({
      code: '0A000',
    });
    expect(await inTransaction()).toStrictEqual([{ a: 'one', b: 2 }]);
  } finally {
    await other.end();
    await database.close();
  }
});

/** Returns the texts that the connection which was used last keeps prepared. */
const preparedOn = async (database: Database): Promise<string[]> =>
  (
    await database.query<{ statement: string }>(
      'SELECT statement FROM pg_prepared_statements',
      [],
      {
        prepared: false,
      },
    )
  ).map(({ statement }) => statement);

onServer(
  'at most 300 statements stay prepared on a connection, those that were used last',
  async (url) => {
    const database = await openServer(url);
    try {
      const read = (value: number) => database.query(`SELECT ${value} AS value FROM site`);
      for (let i = 0; i < 350; i++)
        for (const value of [i, i, 7]) expect(await read(value)).toStrictEqual([{ value }]);
      const kept = await preparedOn(database);
      expect(kept).toHaveLength(300);
      expect(kept).toContain('SELECT 7 AS value FROM site');
      expect(kept).toContain('SELECT 349 AS value FROM site');
      expect(kept).not.toContain('SELECT 8 AS value FROM site');
      expect(await read(8)).toStrictEqual([{ value: 8 }]);
      expect(await preparedOn(database)).toHaveLength(300);
    } finally {
      await database.close();
    }
  },
);

onServer('writes are prepared once they come again, models of Prisma too', async (url) => {
  const database = await openServer(url);
  try {
    const change = (name: string) =>
      database.transaction(async (db) => {
        await db.$executeRaw(Prisma.sql`UPDATE site SET title = ${name} WHERE id = 1`);
        await db.site.update({ where: { id: 1 }, data: { tagline: name }, select: { id: true } });
        const [site] = await db.$queryRaw<{ title: string; tagline: string }[]>(
          Prisma.sql`SELECT title, tagline FROM site WHERE id = ${1}::int4`,
        );
        expect(site).toStrictEqual({ title: name, tagline: name });
      });
    await change('once');
    expect(await preparedOn(database), 'nothing comes again yet').toStrictEqual([]);
    for (let i = 0; i < 5; i++) await change(`again ${i}`);
    const kept = await preparedOn(database);
    expect(kept.filter((text) => text.startsWith('UPDATE'))).toHaveLength(2);
    const undone = database.transaction(async (db) => {
      await db.$executeRaw(Prisma.sql`UPDATE site SET title = ${'undone'} WHERE id = 1`);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await change('after');
    const count = () => database.db.$executeRaw(Prisma.sql`UPDATE site SET title = ${'x'}`);
    expect([await count(), await count(), await count()]).toStrictEqual([1, 1, 1]);
  } finally {
    await database.close();
  }
});

onServer('a value that cannot be sent fails alone; its connection goes on', async (url) => {
  const database = await openServer(url);
  try {
    const echo = (value: unknown) =>
      database.query<{ value: unknown }>('SELECT $1::text AS value', [value]);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(await echo('before')).toStrictEqual([{ value: 'before' }]);
    for (let i = 0; i < 20; i++) await expect(echo(circle)).rejects.toThrow(/circular/i);
    expect(await echo('after')).toStrictEqual([{ value: 'after' }]);
    const own = await database.query<{ connections: number }>(
      'SELECT count(*) AS connections FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
      ['care'],
    );
    expect(own, 'one connection, none was thrown away').toStrictEqual([{ connections: 1 }]);
  } finally {
    await database.close();
  }
});

onServer('many statements at once each get their own rows', async (url) => {
  const database = await openServer(url);
  const asked = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }), rows: fc.nat(5) }), {
    minLength: 1,
    maxLength: 60,
  });
  try {
    await fc.assert(
      fc.asyncProperty(asked, async (all) => {
        const answers = await Promise.all(
          all.map(({ text, rows }, i) =>
            database.query(
              `SELECT $1::text AS text, n::int8${i % 3 === 0 ? ', $3::int4 AS i' : ''} FROM generate_series(1, $2::int4) AS n`,
              i % 3 === 0 ? [text, rows, i] : [text, rows],
            ),
          ),
        );
        answers.forEach((rows, i) => {
          const { text, rows: count } = all[i] as { text: string; rows: number };
          const more = i % 3 === 0 ? { i } : {};
          expect(rows).toStrictEqual(
            Array.from({ length: count }, (_, n) => ({ text, n: n + 1, ...more })),
          );
        });
      }),
      { numRuns: 50 },
    );
  } finally {
    await database.close();
  }
});
