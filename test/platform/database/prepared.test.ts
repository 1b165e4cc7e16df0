import fc from 'fast-check';
import pg from 'pg';
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

onServer('a statement whose columns have changed is refused, never misread', async (url) => {
  const database = await openServer(url);
  const other = new pg.Client(url);
  await other.connect();
  try {
    await database.query('CREATE TABLE shape AS SELECT 1 AS a, 2 AS b');
    const read = () => database.query('SELECT * FROM shape');
    expect(await read()).toStrictEqual([{ a: 1, b: 2 }]);
    await other.query("ALTER TABLE shape ALTER a TYPE text USING 'one', ADD c int4 DEFAULT 3");
    await expect(read()).rejects.toMatchObject({ code: '0A000' });
    expect(await database.query('SELECT c, b, a FROM shape')).toStrictEqual([
      { c: 3, b: 2, a: 'one' },
    ]);
  } finally {
    await other.end();
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
