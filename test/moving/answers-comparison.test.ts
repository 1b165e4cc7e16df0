import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../src/platform/root.js';

interface Difference {
  readonly path: string;
}
interface Comparison {
  readonly differences: (expected: unknown, found: unknown) => Difference[];
  readonly normal: (value: unknown, base: string, key?: string) => unknown;
  readonly Ties: new () => {
    learn(path: string, body: unknown): void;
    ordered(
      path: string,
      expected: object,
      found: object,
      elsewhere: (id: number) => Promise<object | undefined>,
    ): Promise<object>;
  };
}

describe('The comparison with what an original answered', () => {
  let comparison: Comparison;
  beforeAll(async () => {
    comparison = await import(
      pathToFileURL(join(projectRoot, 'scripts/answers-comparison.mjs')).href
    );
  });
  const item = (id: number) => ({ id });

  async function compared(
    path: string,
    expected: readonly object[],
    found: readonly object[],
    others: readonly { id: number }[] = [],
  ): Promise<string[]> {
    const ties = new comparison.Ties();
    for (const [id, date] of [
      [1, '2020-01-01T10:00:00'],
      [2, '2020-01-01T10:00:00'],
      [3, '2020-01-01T10:00:00'],
      [4, '2021-01-01T10:00:00'],
    ])
      ties.learn(`/api/v1/posts/${id}`, { id, date });
    const elsewhere = async (id: number) => others.find((one) => one.id === id);
    const ordered = await ties.ordered(path, expected, found, elsewhere);
    return comparison.differences(expected, ordered).map(({ path: at }) => at);
  }

  it('allows any order of items whose sort keys are equal, and no other', async () => {
    const path = '/api/v1/posts?_fields=id';
    expect(await compared(path, [item(4), item(1), item(2)], [item(4), item(2), item(1)])).toEqual(
      [],
    );
    expect(await compared(path, [item(4), item(1)], [item(1), item(4)])).toEqual([
      '/0/id',
      '/1/id',
    ]);
    const byId = '/api/v1/posts?orderby=id';
    expect(await compared(byId, [item(1), item(2)], [item(2), item(1)])).toEqual([
      '/0/id',
      '/1/id',
    ]);
  });

  it('takes terms of equal names in any order', async () => {
    const ties = new comparison.Ties();
    const names = ['Zürich', 'Zurich', 'Bern'];
    ties.learn(
      '/api/wp/v2/tags',
      names.map((name, i) => ({ id: i + 1, name })),
    );
    const between = async (expected: object, found: object) =>
      comparison.differences(
        expected,
        await ties.ordered('/p/9', expected, found, async () => undefined),
      );
    expect(await between({ tags: [2, 1, 3] }, { tags: [1, 2, 3] })).toEqual([]);
    expect(await between({ tags: [2, 3] }, { tags: [3, 2] })).toHaveLength(2);
    expect(await between({ tags: [1] }, { tags: [2] })).toHaveLength(1);
  });

  it('takes any order by slugs where none are asked for', async () => {
    const [one, two] = [item(1), item(2)];
    const path = '/api/v1/posts?orderby=include_slugs';
    expect(await compared(path, [one, two], [two, one])).toEqual([]);
    expect(await compared(`${path}&slug=one,two`, [one, two], [two, one])).toEqual([
      '/0/id',
      '/1/id',
    ]);
  });

  it('takes an item of a tie from another page, which must have it as the original did', async () => {
    const path = '/api/v1/posts?per_page=2';
    const expected = [item(4), { id: 1, slug: 'one' }];
    const found = [item(4), item(3)];
    expect(
      await compared(path, expected, found, [{ id: 1, slug: 'one' } as { id: number }]),
    ).toEqual([]);
    expect(
      await compared(path, expected, found, [{ id: 1, slug: 'no' } as { id: number }]),
    ).toEqual(['/1/slug']);
    expect(await compared(path, expected, found)).toEqual(['/1/id', '/1/slug']);
  });

  it('compares whether a refusal has a message, and which links there are', () => {
    const { normal } = comparison;
    const links = { self: [{ targetHints: { allow: ['PUT', 'GET'] } }], about: [], up: [] };
    expect(
      normal(
        { a: { code: 'no', message: 'Nein' }, b: { _links: links }, c: 'http://x/y' },
        'http://x',
      ),
    ).toEqual({
      a: { code: 'no', message: true },
      b: { _links: { self: true, up: true, allow: 'GET,PUT' } },
      c: '{base}/y',
    });
  });

  it('lets addresses depart that have another form there, and no others', async () => {
    const { departed } = await import(
      pathToFileURL(join(projectRoot, 'scripts/answers-departures.mjs')).href
    );
    const departs = (item: object, there: string, here: string) => {
      const answer = (link: string) => ({
        ...{ path: '/api/v1/posts/7', headers: {} },
        body: { id: 7, slug: 'salt', ...item, link: `{base}${link}` },
      });
      const names: string[] = departed(answer(there), answer(here), { shared: new Set() }).names;
      return names.includes('addresses of another form');
    };
    const [post, term] = [{ type: 'post' }, { taxonomy: 'category' }];
    expect(departs(post, '/2020/01/salt/', '/salt/')).toBe(true);
    expect(departs(post, '/salt', '/salt/')).toBe(true);
    expect(departs(post, '/?p=7', '/salt/')).toBe(false);
    expect(departs(post, '/salt/', '/?p=7')).toBe(false);
    expect(departs({ type: 'page' }, '/above/salt/', '/salt/')).toBe(false);
    expect(departs(term, '/themen/salt/', '/category/salt/')).toBe(true);
    expect(departs(term, '/category/salt/', '/tag/pepper/')).toBe(false);
  });
});
