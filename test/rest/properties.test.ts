import fc from 'fast-check';
import { type Caller, useService } from '../support/harness.js';
import { Model } from './collections/model.js';
import { examples, isSaid, queries, written } from './collections/queries.js';
import { makeWorld, type Outcome } from './collections/world.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);

describe('Any combination of collection parameters', () => {
  const service = useService();

  it(`gives the posts and totals that the rules give, in ${RUNS} combinations`, async () => {
    const world = await makeWorld(service());
    const callers = fc.constantFrom<Caller>(
      'anonymous',
      'subscriber',
      'contributor',
      'author',
      'editor',
    );
    let found = 0;
    await fc.assert(
      fc.asyncProperty(callers, queries(world), fc.nat({ max: 2 }), async (as, query, spelling) => {
        fc.pre(isSaid(query));
        const expected = new Model(world, as, query).outcome();
        const text = written(query, spelling);
        const { status, body, headers } = await service().rest('GET', '/v1/posts', {
          as,
          query: `${text}&_fields=id`,
        });
        const got: Outcome =
          status === 200
            ? {
                ids: body.map(({ id }: { id: number }) => id),
                total: Number(headers.get('x-wp-total')),
                pages: Number(headers.get('x-wp-totalpages')),
              }
            : { code: body.code };
        expect(got, `${as}: ${decodeURIComponent(text)}`).toStrictEqual(expected);
        if ('ids' in got && got.ids.length > 0) found++;
      }),
      { numRuns: RUNS, examples: examples(world) },
    );
    expect(found, `only ${found} combinations found anything`).toBeGreaterThan(RUNS / 5);
  });

  it('gives every item exactly once over the pages of a list', async () => {
    const world = await makeWorld(service());
    const orders = fc.constantFrom('author', 'date', 'id', 'modified', 'parent', 'slug', 'title');
    await fc.assert(
      fc.asyncProperty(
        orders,
        fc.constantFrom('asc', 'desc'),
        fc.integer({ min: 1, max: 5 }),
        async (orderby, direction, size) => {
          const seen: number[] = [];
          let pages = 1;
          for (let page = 1; page <= pages; page++) {
            const query = {
              orderby,
              order: direction,
              per_page: String(size),
              page: String(page),
              status: 'any',
              _fields: 'id',
            };
            const { body, headers } = await service().rest('GET', '/v1/posts', {
              as: 'editor',
              query,
            });
            pages = Number(headers.get('x-wp-totalpages'));
            seen.push(...body.map(({ id }: { id: number }) => id));
          }
          const all = world.items.filter(({ status }) => status !== 'trash').map(({ id }) => id);
          expect([...seen].sort((a, b) => a - b)).toStrictEqual(all);
        },
      ),
      { numRuns: Math.ceil(RUNS / 50) },
    );
  });
});

/** A kind of content as GraphQL lists it, with the orders that mean something for it. */
const KINDS = {
  posts: { filter: 'PostFilter', path: '/v1/posts', order: 'ContentOrder', orders: [] },
  pages: {
    filter: 'PageFilter',
    path: '/v1/pages',
    order: 'PageOrder',
    orders: ['MENU_ORDER'],
  },
  healthcareItems: {
    filter: 'HealthcareItemFilter',
    path: '/v1/healthcare',
    order: 'ContentOrder',
    orders: [],
  },
} as const;
const ALWAYS = ['PUBLISHED_AT', 'MODIFIED_AT', 'SLUG', 'TITLE', 'RELEVANCE'];

/** What a list can differ in; few values, so that many rows are equal in every key but the id. */
const fields = fc.record({
  title: fc.constantFrom('Sea', 'sea', 'Éte', 'ete', 'Zebra', '10', '9'),
  content: fc.constantFrom('the sea', 'quiet', 'A sea of "words", \\'),
  status: fc.constantFrom('publish', 'publish', 'publish', 'private', 'draft'),
  date: fc.constantFrom('2026-01-01T00:00:00', '2026-01-02T00:00:00', '2026-01-03T00:00:00'),
  menu_order: fc.constantFrom(0, 1, -1),
});

describe('Paging by cursors', () => {
  const service = useService();

  for (const [name, { filter, path, order, orders }] of Object.entries(KINDS)) {
    const write = async (item: object, as: Caller, parent = 0) => {
      const body = { ...item, ...(parent && { parent }) };
      const {
        body: made,
        status,
        text,
      } = await service().rest('POST', path, { as, body, edition: 'B' });
      expect(status, text).toBe(201);
      return made.id as number;
    };
    const ask = async (as: Caller, variables: object) => {
      const query = `query($first: Int, $after: String, $last: Int, $before: String, $orderBy: ${order}, $filter: ${filter}) {
        list: ${name}(first: $first, after: $after, last: $last, before: $before, orderBy: $orderBy, filter: $filter) {
          nodes { databaseId } pageInfo { hasNextPage endCursor hasPreviousPage startCursor } } }`;
      const { body } = await service().graphql(query, variables, { as });
      expect(body.data, JSON.stringify(body.errors)).toBeTruthy();
      const { nodes, pageInfo } = body.data.list;
      return {
        ids: nodes.map(({ databaseId }: { databaseId: number }) => databaseId) as number[],
        after: pageInfo.hasNextPage && pageInfo.endCursor,
        before: pageInfo.hasPreviousPage && pageInfo.startCursor,
      };
    };

    it(`visits every one of the ${name} that are there exactly once, in any order, while others are written`, async () => {
      const writers: Caller[] = name === 'pages' ? ['editor'] : ['editor', 'author'];
      const ids: number[] = [];
      for (const [i, item] of fc.sample(fields, { numRuns: 14, seed: 3 }).entries()) {
        const parent = name === 'pages' && i % 3 === 0 ? (ids[1] ?? 0) : 0;
        ids.push(await write(item, writers[i % writers.length] as Caller, parent));
      }
      const lists = fc.record({
        by: fc.constantFrom(...ALWAYS, ...orders),
        direction: fc.constantFrom('ASC', 'DESC'),
        first: fc.integer({ min: 1, max: 5 }),
        as: fc.constantFrom<Caller>('anonymous', 'author', 'editor'),
        written: fc.array(fields, { maxLength: 3 }),
      });
      let visited = 0;
      await fc.assert(
        fc.asyncProperty(lists, async ({ by, direction, first, as, written }) => {
          const asked = {
            ...(as === 'editor' && { statuses: ['PUBLISH', 'PRIVATE', 'DRAFT'] }),
            ...(by === 'RELEVANCE' && { search: 'sea' }),
          };
          const list = { orderBy: { field: by, direction }, filter: asked };
          const variables = { ...list, first };
          const whole = await ask(as, { ...list, first: 100 });
          const backwards: number[] = [];
          for (let before: string | false | null = null; before !== false; ) {
            const page: { ids: number[]; before: string | false } = await ask(as, {
              ...list,
              last: first,
              before,
            });
            backwards.unshift(...page.ids);
            before = page.before;
          }
          expect(backwards, `${by} ${direction} by ${first}, from the end`).toStrictEqual(
            whole.ids,
          );
          const added: number[] = [];
          const seen: number[] = [];
          for (let after: string | undefined; ; ) {
            const page: { ids: number[]; after: string | false } = await ask(as, {
              ...variables,
              after,
            });
            for (const id of page.ids)
              expect(seen, `${id} comes twice, by ${by} ${direction}`).not.toContain(id);
            seen.push(...page.ids);
            if (!page.after) break;
            after = page.after;
            const next = written[added.length];
            if (next) added.push(await write(next, 'editor'));
          }
          const { prisma } = service().database;
          if (added.length > 0)
            await prisma.contentItem.deleteMany({ where: { id: { in: added } } });
          const before = seen.filter((id) => !added.includes(id));
          expect(before, `${by} ${direction} by ${first}`).toStrictEqual(whole.ids);
          visited += before.length;
        }),
        { numRuns: Math.ceil(RUNS / 30) },
      );
      expect(visited, `only ${visited} rows were visited`).toBeGreaterThan(RUNS / 10);
    });
  }
});
