import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type OperationDefinitionNode, parse } from 'graphql';
import { Direction } from '../../../src/core/ordering.js';
import { cursorOf } from '../../../src/core/paging.js';
import { Selection } from '../../../src/core/selection.js';
import { serviceContext } from '../../../src/core/service-context.js';
import { ItemOrder } from '../../../src/domains/content/content.enums.js';
import {
  proveCounts,
  proveCountsHourly,
  tendCounts,
} from '../../../src/domains/content/item/item-count.service.js';
import { listItems } from '../../../src/domains/content/item/item-list.service.js';
import { proveSets, tendSets } from '../../../src/domains/content/item/item-set.service.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { useService } from '../../support/harness.js';
import { plansOf } from '../../support/plans.js';

const STATUSES = ['publish', 'draft', 'pending', 'private'] as const;
const POSTS = 4;
// The embedded database has one session.
const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;

/** What an editor does to one of four posts, or to a term of three. */
const CHANGES = fc.oneof(
  fc.record({
    do: fc.constantFrom('save' as const),
    post: fc.nat(POSTS - 1),
    status: fc.option(fc.constantFrom(...STATUSES), { nil: undefined }),
    tags: fc.option(fc.subarray([0, 1, 2]), { nil: undefined }),
  }),
  fc.record({
    do: fc.constantFrom('trash', 'restore', 'delete'),
    post: fc.nat(POSTS - 1),
  }),
  fc.record({ do: fc.constantFrom('forget'), term: fc.nat(2) }),
  fc.record({ do: fc.constantFrom('move', 'refile'), post: fc.nat(POSTS - 1) }),
);
type Change = typeof CHANGES extends fc.Arbitrary<infer T> ? T : never;

const COUNTED = `SELECT kind, status, term_id, sum(n)::int AS n FROM item_count
  WHERE term_id = 0 OR term_id IN (SELECT id FROM term)
  GROUP BY kind, status, term_id HAVING sum(n) <> 0 ORDER BY 1, 2, 3`;
const THERE = `SELECT * FROM (
    SELECT kind, status, 0 AS term_id, count(*)::int AS n FROM content_item GROUP BY kind, status
    UNION ALL SELECT kind, status, term_id, count(*)::int FROM content_item
      JOIN content_term ON item_id = id GROUP BY kind, status, term_id) counted
  ORDER BY kind COLLATE "C", status COLLATE "C", term_id`;

describe('The counts of items', () => {
  const service = useService();
  const query = <T extends object>(statement: string) => service().database.query<T>(statement);
  const context = () => serviceContext(service().app.deps, 'test');
  const rest = (method: string, path: string, body?: object) =>
    service().rest(method, path, { as: 'editor', ...(body && { body }) });
  const agree = async () => expect(await query(COUNTED)).toStrictEqual(await query(THERE));
  /** In one statement: also while others write. */
  const agreeAtOnce = async () =>
    expect(
      await query(`WITH counted AS (${COUNTED}), present AS (${THERE})
        (TABLE counted EXCEPT TABLE present) UNION ALL (TABLE present EXCEPT TABLE counted)`),
    ).toStrictEqual([]);
  const total = async (path: string, as: 'anonymous' | 'editor' = 'anonymous') =>
    Number((await service().rest('GET', path, { as })).headers.get('x-wp-total'));
  const makeTerms = async () => {
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.push(await service().term('TAG', `${name} ${await numberOfTerms()}`));
    return ids;
  };
  const numberOfTerms = async () =>
    (await query<{ n: number }>('SELECT max(id)::int AS n FROM term'))[0]?.n;
  /** How many published items terms show. */
  const countsOf = async (tags: readonly number[]) => {
    const { body } = await rest('GET', `/wp/v2/tags?include=${tags}&orderby=include`);
    return body.map(({ count }: { count: number }) => count);
  };
  const makePosts = async () => {
    const ids: number[] = [];
    while (ids.length < POSTS) ids.push((await service().post({})).id);
    return ids;
  };

  it('are those of the tables after whatever two writers do at once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(CHANGES, CHANGES), { minLength: 1, maxLength: 12 }),
        async (steps) => {
          const terms = await makeTerms();
          const posts = await makePosts();
          const change = (step: Change): Promise<unknown> => {
            const id = 'post' in step ? posts[step.post] : 0;
            switch (step.do) {
              case 'save':
                return rest('POST', `/v1/posts/${id}`, {
                  title: 'Saved',
                  ...('status' in step && step.status && { status: step.status }),
                  ...('tags' in step && step.tags && { tags: step.tags.map((at) => terms[at]) }),
                });
              case 'trash':
                return rest('DELETE', `/v1/posts/${id}`);
              case 'restore':
                return rest('POST', `/v1/posts/${id}`, { status: 'draft' });
              case 'delete':
                return rest('DELETE', `/v1/posts/${id}?force=true`);
              case 'forget':
                return query(`DELETE FROM term WHERE id = ${'term' in step && terms[step.term]}`);
              case 'move':
                return query(`UPDATE content_item SET status = 'pending' WHERE id >= ${id}`);
              default:
                return query(`UPDATE content_term SET term_id = 1 WHERE item_id = ${id}
                  AND term_id = (SELECT max(term_id) FROM content_term WHERE item_id = ${id})
                  AND NOT EXISTS (SELECT FROM content_term WHERE item_id = ${id} AND term_id = 1)`);
            }
          };
          for (const pair of steps) {
            await Promise.all([...pair.map(change), ...[1, 2, 3].map(agreeAtOnce)]);
            await agree();
          }
          await tendCounts(await context());
          await agree();
        },
      ),
      { numRuns: 12 },
    ));

  it('are joined to one row each', async () => {
    const { id } = await service().post({});
    for (const status of STATUSES) await rest('POST', `/v1/posts/${id}`, { status });
    await Promise.all([tendCounts(await context()), tendCounts(await context())]);
    await agree();
    expect(
      await query('SELECT FROM item_count GROUP BY kind, status, term_id HAVING count(*) > 1'),
    ).toHaveLength(0);
  });

  it('are the totals of lists: of all, of statuses, and with or without a term', async () => {
    const [tag = 0] = await makeTerms();
    await service().post({ tags: [tag], status: 'publish' });
    await service().post({ status: 'publish' });
    await service().post({ tags: [tag], status: 'draft' });
    const totals = async () => [
      await total('/v1/posts'),
      await total(`/v1/posts?tags=${tag}`),
      await total(`/v1/posts?tags_exclude=${tag}`),
      await total(`/v1/posts?categories=${tag}`),
      await total('/v1/posts?status=any', 'editor'),
      await total('/v1/posts?status=draft,publish', 'editor'),
      await total(`/v1/posts?status=draft&tags=${tag}`, 'editor'),
    ];
    expect(await totals()).toStrictEqual([2, 1, 1, 0, 3, 3, 1]);
    await query(`INSERT INTO item_count (kind, status, term_id, n)
      VALUES ('post', 'publish', 0, 5), ('post', 'publish', ${tag}, 2)`);
    expect(await totals()).toStrictEqual([7, 3, 4, 0, 8, 8, 1]);
  });

  it('are those that terms show, of all kinds and published alone', async () => {
    const [tag = 0, other = 0] = await makeTerms();
    await service().post({ tags: [tag], status: 'publish' });
    await service().post({ tags: [tag], status: 'draft' });
    const shown = () => countsOf([tag, other]);
    expect(await shown()).toStrictEqual([1, 0]);
    await query(`INSERT INTO item_count (kind, status, term_id, n)
      VALUES ('page', 'publish', ${tag}, 2), ('post', 'draft', ${tag}, 4)`);
    expect(await shown(), 'of what is counted').toStrictEqual([3, 0]);
  });

  it('that were made wrong by hand are mended, and the repairs counted', async () => {
    const repaired = async (what: string) =>
      Number(
        new RegExp(`^care_item_counts_repaired_total\\{what="${what}"\\} (\\d+)`, 'm').exec(
          await registry.metrics(),
        )?.[1] ?? 0,
      );
    const [tag = 0] = await makeTerms();
    const { id } = await service().post({ tags: [tag], status: 'publish' });
    const before = [await repaired('items'), await repaired('sums')] as const;
    await query(`UPDATE item_count SET n = n + 3 WHERE term_id = 0`);
    await query(`UPDATE item_counted SET terms = '{}' WHERE item_id = ${id}`);
    await proveCounts(await context());
    await agree();
    expect(await total('/v1/posts')).toBe(1);
    expect(await repaired('items')).toBe(before[0] + 1);
    expect(await repaired('sums')).toBeGreaterThan(before[1]);
    expect(await proveCounts(await context())).toStrictEqual({ items: 0, sums: 0, sets: 0 });
  });

  onServer('are proved though another process joins them at that moment', async () => {
    await service().post({ status: 'publish' });
    await query(`UPDATE item_count SET n = n + 3 WHERE term_id = 0`);
    let proving: Promise<object> = Promise.resolve({});
    await service().database.transaction(async (db) => {
      await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('counts of items', 0))`;
      proving = proveCounts(await context());
      await sleep(300);
    });
    expect(await proving).toMatchObject({ sums: 1 });
    await agree();
  });

  it('are proved once an hour, whichever process comes first', async () => {
    const { id } = await service().post({});
    const spoil = () => query(`UPDATE item_counted SET status = 'draft' WHERE item_id = ${id}`);
    const wrong = async () =>
      (await query(`SELECT FROM item_counted WHERE item_id = ${id} AND status = 'draft'`)).length;
    const pass = async (minutes: number) => {
      service().at(Date.now() + minutes * 60_000);
      await Promise.all([proveCountsHourly(await context()), proveCountsHourly(await context())]);
      return wrong();
    };
    await spoil();
    expect(await pass(70)).toBe(0);
    await spoil();
    expect(await pass(120)).toBe(1);
    expect(await pass(131)).toBe(0);
  });

  it('raise no alarm about terms that are gone', async () => {
    const [tag = 0] = await makeTerms();
    await service().post({ tags: [tag], status: 'publish' });
    await query(`DELETE FROM term WHERE id = ${tag}`);
    expect(await proveCounts(await context())).toStrictEqual({ items: 0, sums: 0, sets: 0 });
  });

  it('hide no item that was written with triggers off', async () => {
    const [tag = 0] = await makeTerms();
    const { id } = await service().post({ status: 'publish' });
    await query(`DO $$ BEGIN
      PERFORM set_config('session_replication_role', 'replica', true);
      INSERT INTO content_term (item_id, term_id) VALUES (${id}, ${tag});
    END $$`);
    const { body } = await service().rest('GET', `/v1/posts?tags=${tag}`);
    expect(body.map((post: { id: number }) => post.id)).toStrictEqual([id]);
  });

  it('are made of the items that were there before them, and not read until then', async () => {
    const [tag = 0] = await makeTerms();
    await service().post({ tags: [tag], status: 'publish' });
    await query('DELETE FROM item_count');
    await query('DELETE FROM item_counted');
    await query('DELETE FROM item_count_state');
    expect(await total('/v1/posts')).toBe(1);
    expect(await total(`/v1/posts?tags=${tag}`)).toBe(1);
    expect(await countsOf([tag])).toStrictEqual([1]);
    await Promise.all([tendCounts(await context()), tendCounts(await context())]);
    await tendCounts(await context());
    await agree();
    expect(await query('SELECT FROM item_count_state')).toHaveLength(1);
    expect(await total(`/v1/posts?tags=${tag}`)).toBe(1);
  });
});

/** A list of posts, and which of the posts it has. */
interface List {
  readonly query: string;
  readonly as: 'anonymous' | 'editor';
  readonly has: (post: Post) => boolean;
}
interface Post {
  readonly id: number;
  readonly status: string;
  readonly format: string;
  readonly published_at: Date;
  readonly terms: readonly number[];
  readonly password: string;
  readonly author: number;
  readonly kind: string;
  readonly title: string;
  readonly content: string;
  /** Title, excerpt and content. */
  readonly text: string;
}

const FORMATS = ['standard', 'quote', 'link'] as const;

/** Thursdays and Mondays. */
const DATES = ['01', '05', '08', '12', '15', '22'].map((day) => `2026-01-${day}T00:00:00`);
const WORDS = ['alpha', 'alphabet', 'beta', 'gamma'] as const;

const SAVES = fc.record({
  post: fc.nat(7),
  status: fc.constantFrom('publish', 'publish', 'publish', 'draft', 'private'),
  format: fc.constantFrom(...FORMATS),
  date: fc.constantFrom(...DATES),
  terms: fc.subarray([0, 1, 2, 3]),
  title: fc.subarray([...WORDS]),
  content: fc.subarray([...WORDS]),
  password: fc.constantFrom('', '', '', 'secret'),
  author: fc.nat(1),
});

/** How far a post is from a search: the original's order by relevance. */
function distanceOf(search: readonly string[], { title, content }: Post): number {
  const words = search.filter((word) => !word.startsWith('-'));
  const inTitle = words.map((word) => title.includes(word));
  const phrase = search.join(' ');
  if (words.length === 0) return 0;
  if (search.length === 1) return inTitle[0] ? 2 : 6;
  if (title.includes(phrase)) return 1;
  if (inTitle.every(Boolean)) return 2;
  if (inTitle.some(Boolean)) return 3;
  return content.includes(phrase) ? 5 : 6;
}

/** Posts in the order of relevance; `all` are newest first. */
const nearestFirst = (search: readonly string[], all: readonly Post[], order: 'asc' | 'desc') =>
  (order === 'desc' ? [...all] : [...all].reverse()).sort(
    (a, b) => distanceOf(search, a) - distanceOf(search, b),
  );

const WEEK = 7 * 86_400_000;
/** Monday 1970-01-05. */
const MONDAY = 4 * 86_400_000;
const weekOf = (post: Post | undefined) =>
  Math.floor(((post?.published_at.getTime() ?? 0) - MONDAY) / WEEK);

/** The places of the last post of a week, and of the first of the next. */
function weekEnds(ordered: readonly Post[]): number[] {
  const last = ordered.findIndex((post, i) => i > 900 && weekOf(post) !== weekOf(ordered[i + 1]));
  return [last, last + 1];
}

const someOf = fc.subarray([0, 1], { minLength: 1 });
const CLAUSE = fc.oneof(
  fc.record({
    of: fc.constant('categories'),
    terms: someOf,
    below: fc.boolean(),
    all: fc.boolean(),
  }),
  fc.record({
    of: fc.constant('tags'),
    terms: someOf,
    below: fc.constant(false),
    all: fc.boolean(),
  }),
);
/** Whether a post has the words of a search. */
const isFound = ({ search }: { readonly search: readonly string[] }, { text }: Post) =>
  search.every((word) => word.startsWith('-') !== text.includes(word.replace('-', '')));

const SEARCHES = [
  'alpha',
  'bet',
  '-lphab',
  'alpha gamma',
  'gamma bet',
  'alpha -beta',
  '-beta gamma',
];
const INSTANTS = DATES.flatMap((date) => [date, date.replace(/00$/, '01')]);
const FILTER = fc.record({
  clauses: fc.uniqueArray(CLAUSE, { maxLength: 2, selector: ({ of }) => of }),
  excluded: fc.uniqueArray(CLAUSE, { maxLength: 1, selector: ({ of }) => of }),
  formats: fc.subarray([...FORMATS], { maxLength: 2 }),
  either: fc.boolean(),
  statuses: fc.constantFrom(['publish'], ['publish', 'private'], ['draft']),
  search: fc.constantFrom([], ...SEARCHES.map((words) => words.split(' '))),
  asEditor: fc.boolean(),
  order: fc.constantFrom('asc', 'desc'),
  offset: fc.nat(4),
  without: fc.subarray([0, 1], { maxLength: 1 }),
  after: fc.constantFrom(undefined, undefined, ...INSTANTS),
  before: fc.constantFrom(undefined, undefined, ...INSTANTS),
});

/** Of a filter what narrows nothing down. */
const ALL_POSTS = {
  ...{ clauses: [], excluded: [], formats: [], without: [], statuses: ['publish'] as const },
  ...{ after: undefined, before: undefined },
};

describe('Sets of items', () => {
  const service = useService();
  const query = <T extends object>(statement: string) => service().database.query<T>(statement);
  const context = () => serviceContext(service().app.deps, 'test');
  const makeSets = async () => tendSets(await context(), undefined, 1);

  /** Two categories, one below the other, and two tags. */
  async function makeTerms(): Promise<number[]> {
    const [{ n } = { n: 0 }] = await query<{ n: number }>('SELECT max(id)::int AS n FROM term');
    const ids = [
      await service().term('CATEGORY', `Above ${n}`),
      await service().term('CATEGORY', `Below ${n}`),
      await service().term('TAG', `First ${n}`),
      await service().term('TAG', `Second ${n}`),
    ];
    await query(`UPDATE term SET parent_id = ${ids[0]} WHERE id = ${ids[1]}`);
    return ids;
  }

  function listOf(
    filter: typeof FILTER extends fc.Arbitrary<infer T> ? T : never,
    terms: number[],
    authors: number[],
  ): List {
    type Clause = (typeof filter.clauses)[number];
    const idOf = (of: string, at: number) => terms[of === 'tags' ? at + 2 : at] as number;
    const trees = ({ of, terms: chosen, below }: Clause) =>
      chosen.map((at) => (below && at === 0 ? [idOf(of, 0), idOf(of, 1)] : [idOf(of, at)]));
    const filed = (clause: Clause) => (post: Post) => {
      const has = trees(clause).map((tree) => tree.some((id) => post.terms.includes(id)));
      return clause.all ? has.every(Boolean) : has.some(Boolean);
    };
    const params = new URLSearchParams({ status: filter.statuses.join(','), per_page: '100' });
    for (const { of, terms: chosen, below, all } of filter.clauses) {
      params.set(`${of}[terms]`, chosen.map((at) => idOf(of, at)).join(','));
      if (of === 'categories') params.set(`${of}[include_children]`, String(below));
      params.set(`${of}[operator]`, all ? 'AND' : 'OR');
    }
    for (const { of, terms: chosen, below } of filter.excluded) {
      params.set(`${of}_exclude[terms]`, chosen.map((at) => idOf(of, at)).join(','));
      if (of === 'categories') params.set(`${of}_exclude[include_children]`, String(below));
    }
    if (filter.formats.length > 0) params.set('format', filter.formats.join(','));
    if (filter.either) params.set('tax_relation', 'OR');
    if (filter.search.length > 0) params.set('search', filter.search.join(' '));
    const as =
      filter.asEditor || filter.statuses.length > 1 || filter.statuses[0] === 'draft'
        ? 'editor'
        : 'anonymous';
    const found = (post: Post) =>
      (filter.search.length === 0 || as === 'editor' || post.password === '') &&
      isFound(filter, post);
    for (const end of ['after', 'before'] as const) {
      const instant = filter[end];
      if (instant) params.set(end, instant);
    }
    const dated = ({ published_at: at }: Post) =>
      (!filter.after || at > new Date(`${filter.after}Z`)) &&
      (!filter.before || at < new Date(`${filter.before}Z`));
    const without = filter.without.map((at) => authors[at] as number);
    if (without.length > 0) params.set('author_exclude', without.join(','));
    const conditions = [
      ...filter.clauses.map(filed),
      ...filter.excluded.map((clause) => (post: Post) => !filed({ ...clause, all: false })(post)),
      ...(filter.formats.length > 0
        ? [(post: Post) => (filter.formats as readonly string[]).includes(post.format)]
        : []),
    ];
    const has = (post: Post) =>
      conditions.length === 0 ||
      (filter.either
        ? conditions.some((condition) => condition(post))
        : conditions.every((condition) => condition(post)));
    return {
      query: params.toString(),
      as,
      has: (post) =>
        (filter.statuses as readonly string[]).includes(post.status) &&
        has(post) &&
        found(post) &&
        dated(post) &&
        !without.includes(post.author),
    };
  }

  const items = () =>
    query<Post>(`SELECT id, kind, title, content, status, format, published_at, password, author_id AS author, concat_ws(' ', title, excerpt, content) AS text,
        ARRAY(SELECT term_id FROM content_term WHERE item_id = id) AS terms
      FROM content_item ORDER BY published_at DESC, id DESC`);
  const posts = async () => (await items()).filter(({ kind }) => kind === 'post');

  const list = async (path: string, as: List['as'] = 'editor') => {
    const { headers, body } = await service().rest('GET', `/v1/posts?${path}`, { as });
    return { total: headers.get('x-wp-total'), ids: body.map(({ id }: { id: number }) => id) };
  };

  /** Reads all that a search of posts and pages finds, three by three, from its beginning or its end. */
  async function searched(words: string, from: 'first' | 'last'): Promise<number[]> {
    const found: number[] = [];
    let cursor: string | undefined;
    for (;;) {
      const cut = cursor ? `, ${from === 'first' ? 'after' : 'before'}: "${cursor}"` : '';
      const document = `{ search(query: "${words}", kinds: [POST, PAGE], ${from}: 3${cut}) {
        totalCount nodes { databaseId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
      const { nodes, pageInfo, totalCount } = (await service().graphql(document)).body.data.search;
      const ids: number[] = nodes.map(({ databaseId }: { databaseId: number }) => databaseId);
      if (from === 'first') found.push(...ids);
      else found.unshift(...ids);
      cursor = from === 'first' ? pageInfo.endCursor : pageInfo.startCursor;
      if (!(from === 'first' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) {
        expect(totalCount).toBe(found.length);
        return found;
      }
    }
  }

  /** Makes published posts of one author, with dates within 3,400 hours. `title`: SQL of that of the n-th. */
  async function manyPosts(n: number, title = "''"): Promise<void> {
    await query(`INSERT INTO account (id, username, username_key, name, slug, roles)
      VALUES (900, 'writer', 'writer', 'Writer', 'writer', '{author}')`);
    await query(`INSERT INTO content_item (kind, status, title, title_key, title_rendered, content,
        content_rendered, excerpt, excerpt_rendered, rendering, author_id, published_at, modified_at,
        comments_open, pings_open, guid, format)
      SELECT 'post', 'publish', title, title, '', 'alpha beta', '', '', '', 0, 900,
        timestamptz '2026-01-01' + (n * 7919 % 3400) * interval '1 hour', now(), true, true, '',
        CASE WHEN n % 16 = 0 THEN 'quote' ELSE 'standard' END
      FROM generate_series(1, ${n}) n, LATERAL (SELECT ${title} AS title) t`);
  }

  it('say which items a list has after whatever was written, noted or worked off', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(SAVES, fc.boolean()), { minLength: 1, maxLength: 10 }),
        fc.array(FILTER, { minLength: 10, maxLength: 10 }),
        async (saves, filters) => {
          await query('DELETE FROM content_item');
          const terms = await makeTerms();
          const authors = (
            await query<{ id: number }>('SELECT id FROM account ORDER BY id LIMIT 2')
          ).map(({ id }) => id);
          const ids: number[] = [];
          for (let at = 0; at < 8; at += 1)
            ids.push(
              (
                await service().post({
                  status: 'publish',
                  date: DATES[at % DATES.length],
                  title: WORDS.filter((_, i) => (at * 5 + 1) & (1 << i)).join(' '),
                  content: WORDS.slice(at % 2).join(' '),
                })
              ).id,
            );
          for (const title of ['alpha', 'gamma beta'])
            await service().rest('POST', '/v1/pages', {
              as: 'editor',
              body: { title, status: 'publish', date: DATES[ids.length % DATES.length] },
            });
          await makeSets();
          for (const [save, tend] of saves) {
            const chosen = save.terms.map((at) => terms[at] as number);
            await service().rest('POST', `/v1/posts/${ids[save.post]}`, {
              as: 'editor',
              body: {
                status: save.status,
                format: save.format,
                title: save.title.join(' '),
                content: save.content.join(' '),
                password: save.password,
                author: authors[save.author],
                date: save.date,
                categories: chosen.filter((id) => terms.indexOf(id) < 2),
                tags: chosen.filter((id) => terms.indexOf(id) >= 2),
              },
            });
            if (tend) await makeSets();
          }
          const every = await items();
          const all = every.filter(({ kind }) => kind === 'post');
          for (const filter of filters) {
            const { query: path, as, has } = listOf(filter, terms, authors);
            const expected = all.filter(has).map(({ id }) => id);
            expect([as, path, await list(path, as)]).toStrictEqual([
              as,
              path,
              { total: String(expected.length), ids: expected },
            ]);
            if (filter.search.length === 0) continue;
            const { order, offset } = filter;
            const wide = { ...filter, ...(filter.either && ALL_POSTS) };
            const { query: narrowed, as: reader, has: isIn } = listOf(wide, terms, authors);
            const nearest = nearestFirst(filter.search, all.filter(isIn), order);
            const part = `${narrowed}&orderby=relevance&order=${order}&per_page=3&offset=${offset}`;
            expect([reader, part, (await list(part, reader)).ids]).toStrictEqual([
              reader,
              part,
              nearest.slice(offset, offset + 3).map(({ id }) => id),
            ]);
            const open = every.filter(
              (item) => item.status === 'publish' && item.password === '' && isFound(filter, item),
            );
            const best = nearestFirst(filter.search, open, 'desc').map(({ id }) => id);
            const words = filter.search.join(' ');
            expect([words, await searched(words, 'first')]).toStrictEqual([words, best]);
            expect([words, await searched(words, 'last')]).toStrictEqual([words, best]);
          }
          await makeSets();
          expect(await proveSets(await context())).toBe(0);
        },
      ),
      { numRuns: Number(process.env.SET_RUNS ?? 6) },
    ));

  it('say where far pages begin, in both orders, with changes that were not worked off', async () => {
    const [tag = 0] = (await makeTerms()).slice(2);
    await manyPosts(3_400);
    await query(`INSERT INTO content_term (item_id, term_id)
      SELECT id, ${tag} FROM content_item WHERE id % 20 <> 0`);
    await makeSets();
    await query(
      `UPDATE content_item SET published_at = timestamptz '2026-02-02' WHERE id % 500 = 1`,
    );
    await query(`DELETE FROM content_term WHERE item_id % 500 = 2`);
    const all = await posts();
    const filed = all.filter(({ terms }) => terms.includes(tag));
    const lists: [string, Post[]][] = [
      ['', all],
      [`tags=${tag}`, filed],
      [`tags=${tag}&format=standard`, filed.filter(({ format }) => format === 'standard')],
      [`tags=${tag}&format=standard,quote`, filed],
    ];
    for (const [filter, newest] of lists)
      for (const offset of [999, newest.length - 3, newest.length + 5, 2 ** 63])
        for (const order of ['desc', 'asc']) {
          const path = `${filter}&per_page=7&offset=${offset}&order=${order}`;
          const ordered = order === 'desc' ? newest : [...newest].reverse();
          const expected = ordered.slice(offset, offset + 7).map(({ id }) => id);
          const { total, ids } = await list(path);
          expect([path, ids]).toStrictEqual([path, expected]);
          if (expected.length > 0)
            expect([path, total]).toStrictEqual([path, String(newest.length)]);
        }
  });

  it('say where lists begin whose items are all old, without a look at everything before them', async () => {
    const [tag = 0] = (await makeTerms()).slice(2);
    await manyPosts(13_800, "'T' || n");
    await query(`INSERT INTO account (id, username, username_key, name, slug, roles)
      VALUES (901, 'former', 'former', 'Former', 'former', '{author}')`);
    await query(`INSERT INTO content_term (item_id, term_id) SELECT id, ${tag} FROM content_item
      ORDER BY published_at, id LIMIT 3200`);
    await query(`UPDATE content_item SET author_id = 901, title = 'Gamma ' || title WHERE id IN
      (SELECT id FROM content_item ORDER BY published_at, id LIMIT 3200)`);
    await query('UPDATE content_item SET title_key = lower(title)');
    await makeSets();
    const all = await posts();
    const filed = all.filter(({ terms }) => terms.includes(tag));
    const former = all.filter(({ author }) => author === 901);
    const byTitle = (of: readonly Post[]) =>
      [...of].sort((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? 1 : -1));
    const lists: [string, Post[]][] = [
      [`tags=${tag}`, filed],
      [`tags=${tag}&before=2026-04-01T00:00:00`, filed],
      [`tags=${tag}&orderby=title`, byTitle(filed)],
      ['author=901', former],
      ['author=901&orderby=title', byTitle(former)],
      ['search=gamma&orderby=date', former],
    ];
    for (const [filter, descending] of lists)
      for (const offset of [0, 990, descending.length - 3])
        for (const order of ['desc', 'asc']) {
          const path = `${filter}&per_page=7&offset=${offset}&order=${order}`;
          const ordered = order === 'desc' ? descending : [...descending].reverse();
          const expected = ordered.slice(offset, offset + 7).map(({ id }) => id);
          const { total, ids } = await list(path, 'anonymous');
          expect([path, ids, total]).toStrictEqual([path, expected, String(descending.length)]);
        }
    const { definitions } = parse('{ totalCount nodes { databaseId } }');
    const selection = new Selection();
    selection.collect((definitions[0] as OperationDefinitionNode).selectionSet, {
      fragments: {},
      variableValues: {},
    });
    await query('ANALYZE content_item, item_search, content_term');
    for (const filter of [{ tags: { anyOf: [tag] } }, { search: 'gamma' }])
      for (const by of [ItemOrder.DATE, ItemOrder.TITLE]) {
        const order = { by, direction: Direction.DESC };
        const plan = await plansOf(
          service(),
          'content_item',
          (one) => listItems(one, 'post', { filter, order }, selection),
          'ANALYZE',
        );
        const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, n]) =>
          Number(n),
        );
        expect([filter, by, Math.max(0, ...removed) <= 10_000]).toStrictEqual([filter, by, true]);
      }
  });

  it('say where pages at a cursor begin, in each part of a search', async () => {
    await manyPosts(7_000, "(ARRAY['', 'alpha', 'beta', 'alpha beta'])[n % 4 + 1]");
    await query("UPDATE content_item SET kind = 'page' WHERE id % 5 = 0");
    await makeSets();
    await query(
      `UPDATE content_item SET published_at = timestamptz '2026-02-02', title = 'alpha' WHERE id % 500 = 1`,
    );
    const all = await items();
    for (const [words, orderBy] of [
      ['alpha', ''],
      ['alpha beta', ', orderBy: { field: RELEVANCE, direction: ASC }'],
      ['alpha', ', orderBy: { field: PUBLISHED_AT, direction: DESC }'],
    ] as const) {
      const page = async (cut: string) =>
        (
          await service().data(`{ search(query: "${words}", kinds: [POST, PAGE]${orderBy}, ${cut}) {
            edges { cursor node { databaseId } } pageInfo { hasNextPage hasPreviousPage } } }`)
        ).search;
      const [{ cursor }] = (await page('first: 1')).edges;
      const [order] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      const search = words.split(' ');
      const byDate = orderBy.includes('PUBLISHED_AT');
      const ordered = byDate
        ? all
        : nearestFirst(search, all, orderBy.includes('ASC') ? 'asc' : 'desc');
      const keysOf = (post: Post) => [
        ...(byDate ? [] : [distanceOf(search, post)]),
        new Date(post.published_at).toISOString(),
        post.id,
      ];
      for (const at of [0, ...weekEnds(ordered), 3_499, 3_500, 5_250, 6_996]) {
        const here = cursorOf(order, keysOf(ordered[at] as Post));
        for (const [cut, expected, hasMore] of [
          [`first: 7, after: "${here}"`, ordered.slice(at + 1, at + 8), at + 8 < all.length],
          [`last: 7, before: "${here}"`, ordered.slice(Math.max(0, at - 7), at), at > 7],
        ] as const) {
          const { edges, pageInfo } = await page(cut);
          expect([
            words,
            orderBy,
            at,
            cut,
            edges.map(({ node }: { node: { databaseId: number } }) => node.databaseId),
          ]).toStrictEqual([words, orderBy, at, cut, expected.map(({ id }) => id)]);
          expect(cut.startsWith('first') ? pageInfo.hasNextPage : pageInfo.hasPreviousPage).toBe(
            hasMore,
          );
        }
      }
    }
  });

  it('are made part by part, and go on after a kill where it ended', async () => {
    const { id } = await service().post({ status: 'publish' });
    await query(`UPDATE content_item SET id = 250000 WHERE id = ${id}`);
    await query('DELETE FROM item_change');
    for (let part = 0; part <= 250_000; part += 65_536)
      await tendSets(await context(), AbortSignal.abort(), 1);
    expect(await query('SELECT FROM item_set WHERE whole')).not.toHaveLength(0);
    expect(await query('SELECT FROM item_set WHERE NOT whole')).toHaveLength(0);
    expect(await proveSets(await context())).toBe(0);
  });

  it('that are emptied while they are made are made from the beginning', async () => {
    const { id } = await service().post({ status: 'publish' });
    const { id: far } = await service().post({ status: 'publish' });
    await query(`UPDATE content_item SET id = 250000 WHERE id = ${far}`);
    await query('DELETE FROM item_change');
    await tendSets(await context(), AbortSignal.abort(), 1);
    await query('TRUNCATE content_term');
    await tendSets(await context(), AbortSignal.abort(), 1);
    expect(await proveSets(await context())).toBe(0);
    await makeSets();
    expect(await list('format=standard')).toStrictEqual({ total: '2', ids: [250_000, id] });
    expect(await proveSets(await context())).toBe(0);
  });

  it('say what common words find, part of a word and without another, and of what is not protected', async () => {
    const ids: number[] = [];
    for (const [title, password] of [
      ['alphabet', ''],
      ['alpha gamma', ''],
      ['alpha', 'secret'],
      ['beta', ''],
    ])
      ids.unshift((await service().post({ title, password, status: 'publish' })).id);
    await makeSets();
    const [beta, shut, both, alphabet] = ids;
    const expected = [
      ['search=alpha', 'anonymous', [both, alphabet]],
      ['search=alpha', 'editor', [shut, both, alphabet]],
      ['search=alpha -gamma', 'editor', [shut, alphabet]],
      ['search=-alpha', 'anonymous', [beta]],
    ] as const;
    const lists = () => Promise.all(expected.map(([path, as]) => list(path, as)));
    expect(await lists()).toStrictEqual(
      expected.map(([, , found]) => ({ total: String(found.length), ids: found })),
    );
    await query(`UPDATE item_set_part SET bits = 0::bit(2048) WHERE name = 'post publish'`);
    expect(await lists()).toStrictEqual(expected.map(() => ({ total: '0', ids: [] })));
    await query(`UPDATE content_item SET password = '' WHERE id = ${shut}`);
    expect(await list('search=alpha', 'anonymous')).toStrictEqual({ total: '1', ids: [shut] });
  });

  it('raise no alarm about terms that are gone', async () => {
    const [tag = 0] = (await makeTerms()).slice(2);
    await service().post({ tags: [tag], status: 'publish' });
    await makeSets();
    await query(`DELETE FROM term WHERE id = ${tag}`);
    expect(await proveSets(await context())).toBe(0);
  });

  it('of a new week or format are whole at once', async () => {
    await service().post({ status: 'publish' });
    await makeSets();
    const { id } = await service().post({
      status: 'publish',
      format: 'quote',
      date: '2020-01-01T00:00:00',
    });
    await tendSets(await context(), AbortSignal.abort(), 1);
    expect(await query('SELECT FROM item_set WHERE NOT whole')).toHaveLength(0);
    expect(await list('format=quote')).toStrictEqual({ total: '1', ids: [id] });
    expect(await proveSets(await context())).toBe(0);
  });

  it('know weeks and formats that were loaded with triggers off once they are proved', async () => {
    const { id } = await service().post({ status: 'publish' });
    await service().post({ status: 'publish' });
    await makeSets();
    await query(`DO $$ BEGIN
      PERFORM set_config('session_replication_role', 'replica', true);
      UPDATE content_item SET format = 'quote', published_at = '2020-01-01' WHERE id = ${id};
    END $$`);
    expect(await proveSets(await context())).toBe(4);
    expect(await list('format=quote')).toStrictEqual({ total: '1', ids: [id] });
    expect(
      await query(
        `SELECT FROM item_set WHERE whole AND name IN ('format quote', 'week 2019-12-30')`,
      ),
    ).toHaveLength(2);
  });

  it('leave lists to their rows while very many changes are not worked off', async () => {
    const { id } = await service().post({ status: 'publish', format: 'quote' });
    await makeSets();
    await query('UPDATE item_set_part SET bits = 0::bit(2048)');
    expect(await list('format=quote')).toStrictEqual({ total: '0', ids: [] });
    await query(`INSERT INTO item_change (item_id) SELECT 9 FROM generate_series(1, 20001)`);
    expect(await list('format=quote')).toStrictEqual({ total: '1', ids: [id] });
  });

  it('leave sticky posts at the front of lists of a format', async () => {
    const { id } = await service().post({ status: 'publish', sticky: true });
    const { id: quote } = await service().post({ status: 'publish', format: 'quote' });
    const { ids } = await list('format=quote&ignore_sticky=false');
    expect(ids).toStrictEqual([id, quote]);
  });

  it('that were made wrong by hand show nothing that is not public, and are mended', async () => {
    const { id } = await service().post({ status: 'draft' });
    await service().post({ status: 'publish', format: 'quote' });
    await makeSets();
    await query(`UPDATE item_set_part SET bits = set_bit(bits, ${id} & 2047, 1)
      WHERE name IN ('post publish', 'format quote')`);
    const { body } = await service().rest('GET', '/v1/posts?format=quote');
    expect(body.map((post: { id: number }) => post.id)).not.toContain(id);
    expect(await proveSets(await context())).toBe(2);
    expect(await proveSets(await context())).toBe(0);
  });
});
