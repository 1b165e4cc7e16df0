import fc from 'fast-check';
import { learnZones } from '../../src/platform/zone.js';
import { type Caller, mutation, useService } from '../support/harness.js';
import { queries, written } from './collections/queries.js';
import { makeWorld } from './collections/world.js';

const RUNS = Number(process.env.FINISHED_RUNS ?? 60);
/** A parameter that changes nothing, with which a request runs in full. */
const IN_FULL = '_locale=user';
/** What statements read that is not of a stamp alone. */
const TEXTS = /content_rendered/;

const service = useService();

const setZone = (timeZone: string) =>
  service().data(mutation('updateSite', 'site { id }'), { input: { timeZone } }, 'administrator');
const get = (path: string, query: string, as: Caller) => service().rest('GET', path, { as, query });
const put = (path: string, body: object) =>
  service().rest('PUT', path, { as: 'administrator', body });
const both = (query: string) => (query ? `${query}&${IN_FULL}` : IN_FULL);

/** Returns how many statements of a request read texts. */
async function readings(path: string, query: string, as: Caller = 'anonymous'): Promise<number> {
  const { database } = service();
  const ask = database.query.bind(database) as (text: string, ...rest: []) => Promise<object[]>;
  let texts = 0;
  const spy = jest.spyOn(database, 'query').mockImplementation(((text: string, ...rest: []) => {
    if (TEXTS.test(text)) texts++;
    return ask(text, ...rest);
  }) as typeof database.query);
  const { status } = await get(path, query, as);
  spy.mockRestore();
  expect(status).toBe(200);
  return texts;
}

/** Asks three times: in the second answer what is known may be used, in the third it is not. */
async function asksThrice(path: string, query: string, as: Caller): Promise<void> {
  const [, again, whole] = [
    await get(path, query, as),
    await get(path, query, as),
    await get(path, both(query), as),
  ];
  const seen = ({ status, text, headers }: Awaited<ReturnType<typeof get>>) => ({
    ...{ status, text, total: headers.get('x-wp-total'), type: headers.get('content-type') },
    link: headers.get('link')?.replaceAll(`${IN_FULL}&`, '').replaceAll(`&${IN_FULL}`, ''),
    ...{ tag: headers.get('etag'), cache: headers.get('cache-control') },
  });
  expect(seen(again), `${as}: ${path}?${decodeURIComponent(query)}`).toStrictEqual(seen(whole));
}

describe('A list whose items were made before', () => {
  afterEach(() => setZone('UTC'));

  it('reads stamps instead of texts, and so does a single item', async () => {
    const { id } = await service().post();
    await service().post({ title: 'Other' });
    for (const path of ['/v1/posts', `/v1/posts/${id}`]) {
      expect([await readings(path, ''), await readings(path, '')]).toStrictEqual([1, 0]);
      expect(await readings(path, '_fields=content')).toBe(1);
    }
    // No other test of this process has asked so.
    expect(await readings('/v1/posts', 'exclude=987654321')).toBe(1);
    await put(`/v1/posts/${id}`, { title: 'New' });
    expect([await readings('/v1/posts', ''), await readings('/v1/posts', '')]).toStrictEqual([
      ...[1, 0],
    ]);
  });

  it('shows each change that is made by SQL beside the service', async () => {
    const { id } = await service().post();
    for (let i = 0; i < 3; i++) {
      await service().database.query(
        `UPDATE content_item SET content_rendered = 'by hand ${i}' WHERE id = ${id}`,
      );
      for (const path of [`/v1/posts/${id}`, '/v1/posts', `/v1/posts/${id}`]) {
        const { text } = await get(path, '', 'anonymous');
        expect(text).toContain(`by hand ${i}`);
      }
    }
  });

  it('shows changes of pages above, of the zone, of the front page and of media in contents', async () => {
    const { database } = service();
    const create = async (path: string, body: object): Promise<number> => {
      const sent = { as: 'administrator', body: { status: 'publish', ...body } } as const;
      return (await service().rest('POST', path, sent)).body.id;
    };
    const above = await create('/v1/pages', { title: 'Above' });
    const page = await create('/v1/pages', { title: 'Below', parent: above });
    const { id: author } = await service().account('author');
    const [medium] = await database.query<{ id: number }>(`
      INSERT INTO media (id, title, slug, mime_type, source_url, author_id, created_at, modified_at)
      SELECT nextval('content_item_id_seq'), 'M', 'm', 'image/png', 'https://x.example/a.png',
        ${author}, now(), now() RETURNING id`);
    const ids = `[gallery ids="${medium?.id}"]`;
    const post = await create('/v1/posts', { title: 'Pictures', content: ids });
    const shown = async (path: string) => (await get(path, '', 'anonymous')).text;
    const changed = async (path: string, change: () => Promise<unknown>) => {
      const before = await shown(path);
      expect(await shown(path)).toBe(before);
      await change();
      const after = await shown(path);
      expect(after).not.toBe(before);
      expect((await get(path, IN_FULL, 'anonymous')).text).toBe(after);
    };
    await changed(`/v1/pages/${page}`, () => put(`/v1/pages/${above}`, { slug: 'higher' }));
    await changed(`/v1/pages/${page}`, async () => {
      await database.query(`UPDATE site SET front_page_id = ${page}`);
      service().at(service().now() + 2_000);
    });
    await changed(`/v1/pages/${above}`, () => setZone('Asia/Kathmandu'));
    await changed(`/v1/pages/${above}`, async () => {
      const table = { from: 0, to: Number.POSITIVE_INFINITY, shifts: [], offsets: [5 * 3_600_000] };
      learnZones(new Map([['Asia/Kathmandu', table]]));
    });
    learnZones(new Map());
    await changed(`/v1/posts/${post}`, () =>
      database.query(`UPDATE media SET alt_text = 'A leaf'`),
    );
  });

  it(`is what it is in full, in ${RUNS} combinations of parameters, callers and changes`, async () => {
    const world = await makeWorld(service());
    const { id: page } = (
      await service().rest('POST', '/v1/pages', {
        ...{ as: 'editor', body: { title: 'Above', status: 'publish' } },
      })
    ).body;
    const below = { title: 'Below', status: 'publish', parent: page };
    const { id: child } = (await service().rest('POST', '/v1/pages', { as: 'editor', body: below }))
      .body;
    const posts = world.items.map(({ id }) => `/v1/posts/${id}`);
    const numbers = fc.nat({ max: 9 });
    const one = fc.constantFrom(...posts);
    const term = fc.constantFrom(...world.categories.slice(1));
    const words = fc.constantFrom('a', 'ä "b"', '<b>x</b>', '[gallery ids="1"]', '日本 & c');
    const change = (
      of: fc.Arbitrary<string>,
      body: fc.Arbitrary<object>,
    ): fc.Arbitrary<() => Promise<unknown>> =>
      fc.tuple(of, body).map(
        ([path, fields]) =>
          () =>
            put(path, fields),
      );
    const changes = fc.oneof(
      fc.constant(async () => {}),
      change(one, fc.record({ title: words })),
      change(one, fc.record({ content: words, excerpt: words })),
      change(one, fc.record({ password: fc.constantFrom('', 'secret') })),
      change(
        one,
        fc.record({ sticky: fc.boolean(), format: fc.constantFrom('aside', 'standard') }),
      ),
      change(one, fc.record({ categories: fc.subarray(world.categories) })),
      change(one, fc.record({ status: fc.constantFrom('draft', 'publish', 'private') })),
      change(one, fc.record({ author: fc.constantFrom(...Object.values(world.accounts)) })),
      change(
        fc.constantFrom(`/v1/pages/${page}`, `/v1/pages/${child}`),
        fc.record({ slug: numbers.map((n) => `slug-${n}`), parent: fc.constantFrom(0) }),
      ),
      fc.tuple(term, numbers).map(([id, n]) => async () => {
        const input = { id: String(id), name: `Term ${n}`, slug: `term-${(n * 7) % 5}` };
        await service().ask(mutation('updateTerm', 'term { id }'), { input }, 'administrator');
      }),
      fc
        .constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns')
        .map((zone) => () => setZone(zone)),
    );
    const callers = fc.constantFrom<Caller>(
      ...(['anonymous', 'subscriber', 'author', 'editor'] as const),
    );
    const paths = fc.constantFrom(...posts, `/v1/pages/${child}`, '/v1/pages', '/v1/posts');
    const plain = fc.constantFrom('', 'password=secret', 'excerpt_length=2', 'ignore_sticky=false');
    const asked = fc.oneof(
      queries(world).map((query) => ['/v1/posts', written(query, 0)] as const),
      fc.tuple(paths, plain),
    );
    const step = fc.tuple(changes, callers, asked);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
        for (const [change, as, [path, query]] of steps) {
          // Known before the change, by the same caller and by another one.
          for (const by of [as, 'anonymous'] as const) await get(path, query, by);
          await change();
          await asksThrice(path, query, as);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
