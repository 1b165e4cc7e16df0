import { onBoth, onServer, openServer } from '../../faults/databases.js';

const expressions: [sql: string, value: unknown][] = [
  [`9007199254740991::int8`, 9007199254740991],
  [`count(*)`, 1],
  [`1::int2`, 1],
  [`-1.5::float8`, -1.5],
  [`1.50::numeric`, '1.50'],
  [`true`, true],
  [`'text'::text`, 'text'],
  [`NULL::int4`, null],
  [`'2026-02-28 23:59:59.123+02'::timestamptz`, new Date('2026-02-28T21:59:59.123Z')],
  [`'0044-03-15 12:00:00+00'::timestamptz`, new Date('0044-03-15T12:00:00Z')],
  [`'2026-02-28'::date`, '2026-02-28'],
  [`'2026-02-28 10:00:00'::timestamp`, '2026-02-28 10:00:00'],
  [`'3f2504e0-4f89-41d3-9a0c-0305e82c3301'::uuid`, '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  [`'{"a": [1, "b", null]}'::jsonb`, { a: [1, 'b', null] }],
  [`'\\x00ff'::bytea`, [0, 255]],
  [`ARRAY[]::int4[]`, []],
  [`ARRAY[3, 1, NULL, 2]`, [3, 1, null, 2]],
  [`ARRAY[1, 2]::int8[]`, [1, 2]],
  [
    `ARRAY[[1, 2], [3, 4]]`,
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    `ARRAY['plain', 'a,b', '"quoted"', 'back\\slash', '', 'NULL', NULL, '{curly}']`,
    ['plain', 'a,b', '"quoted"', 'back\\slash', '', 'NULL', null, '{curly}'],
  ],
  [`ARRAY[true, false]`, [true, false]],
  [`ARRAY['2026-01-01T00:00:00Z'::timestamptz]`, [new Date('2026-01-01T00:00:00Z')]],
  [`ARRAY['{"a": "x,y"}'::jsonb]`, [{ a: 'x,y' }]],
  // Types that the service does not read stay text, and so do their arrays.
  [`'10.0.0.1'::inet`, '10.0.0.1'],
  [`ARRAY['10.0.0.1'::inet]`, '{10.0.0.1}'],
];

onBoth(
  'a direct query answers the same JavaScript value for each type, the first time and later',
  async (database) => {
    for (const [sql, expected] of expressions.flatMap((one) => [one, one])) {
      const [row] = await database.query<{ value: unknown }>(`SELECT ${sql} AS value FROM site`);
      const value = row?.value instanceof Uint8Array ? [...row.value] : row?.value;
      expect(value, sql).toStrictEqual(expected);
    }
  },
);

onBoth(
  'a direct query takes numbers, texts, dates, booleans, arrays and JSON texts',
  async (database) => {
    const at = new Date('2026-06-01T12:00:00.500Z');
    const [row] = await database.query(
      `SELECT $1::int4 AS a, $2::text AS b, $3::timestamptz AS c, $4::bool AS d,
            $5::int4[] AS e, $6::text[] AS f, $7::jsonb AS g, $8::int4 AS h`,
      [1, "it's", at, false, [1, 2], ['a,b', 'c"d'], JSON.stringify([{ a: 1 }]), null],
    );
    expect(row).toStrictEqual({
      a: 1,
      b: "it's",
      c: at,
      d: false,
      e: [1, 2],
      f: ['a,b', 'c"d'],
      g: [{ a: 1 }],
      h: null,
    });
  },
);

onServer(
  'instants are right, read and written, on a database that has another time zone',
  async (url, admin) => {
    await admin.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = 'America/New_York'`,
    );
    const database = await openServer(url);
    const at = new Date('2026-07-01T12:34:56.789Z');
    const account = {
      username: 'a',
      usernameKey: 'a',
      email: 'a',
      emailKey: 'a',
      name: 'a',
      slug: 'a',
      createdAt: at,
    };
    await database.prisma.account.create({ data: account });
    expect((await database.prisma.account.findFirstOrThrow()).createdAt).toStrictEqual(at);
    expect(
      await database.query('SELECT created_at FROM account WHERE created_at = $1', [at]),
    ).toStrictEqual([{ created_at: at }]);
    await database.close();
  },
);
