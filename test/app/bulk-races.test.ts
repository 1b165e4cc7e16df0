// Mutations of many rows beside others of the same rows.
import { setTimeout as sleep } from 'node:timers/promises';
import { mutation, useService } from '../support/harness.js';

// The embedded database runs one statement at a time.
const onServer = process.env.TEST_DATABASE_URL ? describe : describe.skip;

onServer('Many rows that are changed at once', () => {
  const service = useService();
  beforeEach(() => service().account('editor'));

  const send = async (name: string, input: object, fields = '__typename') =>
    (await service().graphql(mutation(name, fields), { input }, { as: 'editor' })).body;
  const query = <T extends object>(text: string, values: unknown[] = []) =>
    service().database.query<T>(text, values);
  const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

  const items = async (kind: string, count: number) => {
    const { id } = await service().account('editor');
    const text = `INSERT INTO content_item (kind, status, title, title_key, title_rendered, content,
        content_rendered, excerpt, excerpt_rendered, rendering, slug, author_id, published_at,
        modified_at, comments_open, pings_open, guid)
      SELECT $3, 'publish', 'T', 't', 'T', 'C', 'C', '', '', 0, 's-' || i, $1::int, now(), now(),
        true, true, '' FROM generate_series(1, $2::int) i RETURNING id`;
    return idsOf(await query<{ id: number }>(text, [id, count, kind]));
  };
  const terms = async (count: number) =>
    idsOf(
      await query<{ id: number }>(
        `INSERT INTO term (taxonomy, name, name_key, slug)
          SELECT 'category', 'T', 't', 't-' || i FROM generate_series(1, $1::int) i RETURNING id`,
        [count],
      ),
    );
  const TREES = [
    ['Page', 'content_item', (count: number) => items('page', count)],
    ['Term', 'term', terms],
  ] as const;

  it.each([
    ['Post', 'post'],
    ['Page', 'page'],
  ])('are each changed as often as was said, in any order: %s', async (type, kind) => {
    const ids = await items(kind, 30);
    const problems: unknown[] = [];
    let changed = 0;
    const work = async (worker: number) => {
      for (let round = 0; round < 3; round++) {
        const name = `${['trash', 'restore', 'publish'][(worker + round) % 3]}${type}s`;
        const some = ids.slice(worker * 2, worker * 2 + 20);
        if (worker % 2) some.reverse();
        const body = await send(name, { ids: some }, 'results { error { code } }');
        for (const { error } of body.data?.[name]?.results ?? [])
          if (!error) changed++;
          else if (!/TRASHED/.test(error.code)) problems.push(error);
        const single = await send(`update${type}`, { id: some[0], title: `${worker} ${round}` });
        if (!single.errors) changed++;
        problems.push(...(body.errors ?? []), ...(single.errors ?? []));
      }
    };
    await Promise.all([0, 1, 2, 3, 4].map(work));
    expect(problems).toStrictEqual([]);
    const [{ n, slugs } = { n: 0, slugs: 0 }] = await query<{ n: number; slugs: number }>(
      'SELECT sum(version - 1)::int AS n, count(DISTINCT slug)::int AS slugs FROM content_item',
    );
    expect({ n, slugs }).toStrictEqual({ n: changed, slugs: 30 });
    const counted = await query(`SELECT status, sum(n)::int AS n FROM item_count WHERE term_id = 0
      GROUP BY status HAVING sum(n) <> 0 ORDER BY 1`);
    expect(counted).toStrictEqual(
      await query('SELECT status, count(*)::int AS n FROM content_item GROUP BY 1 ORDER BY 1'),
    );
  });

  it.each(TREES)('and lie below each other all go: %s', async (type, table, make) => {
    const ids = await make(44);
    const [top, leaf] = [ids[0], ids[43]];
    const chain = `UPDATE ${table} SET parent_id = id - 1 WHERE id = ANY($1) AND id <> $2`;
    await query(chain, [ids, top]);
    const parts = [0, 1, 2, 3, 4, 5].map((part) =>
      ids.slice(1, 43).filter((id) => id % 6 === part),
    );
    const bodies = await Promise.all(parts.map((part) => send(`delete${type}s`, { ids: part })));
    expect(bodies.flatMap(({ errors }) => errors ?? [])).toStrictEqual([]);
    const left = await query(
      `SELECT id, parent_id AS above FROM ${table} WHERE id = ANY($1) ORDER BY id`,
      [ids],
    );
    expect(left).toStrictEqual([
      { id: top, above: null },
      { id: leaf, above: top },
    ]);
  });

  const queued = async (count: number) => {
    const text = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    for (let i = 0; i < 2_000; i++) {
      if ((await query<{ n: number }>(text))[0]?.n === count) return;
      await sleep(5);
    }
    throw new Error(`${count} did not come to wait`);
  };

  it.each(TREES)('leave what moves away from them where it goes: %s', async (type, table, make) => {
    const [from, to, child] = await make(3);
    await query(`UPDATE ${table} SET parent_id = $1 WHERE id = $2`, [from, child]);
    const sent: Promise<{ errors?: unknown }>[] = [];
    await service().database.prisma.$transaction(
      async (tx) => {
        await tx.$queryRawUnsafe(`SELECT id FROM ${table} WHERE id = ${child} FOR UPDATE`);
        sent.push(send(`update${type}`, { id: child, parentId: to }));
        await queued(1);
        sent.push(send(`delete${type}s`, { ids: [from] }));
        await queued(2);
      },
      { timeout: 15_000 },
    );
    for (const body of await Promise.all(sent)) expect(body).not.toHaveProperty('errors');
    const [moved] = await query(`SELECT parent_id AS above FROM ${table} WHERE id = $1`, [child]);
    expect(moved).toStrictEqual({ above: to });
  });
});
