import { type Sending, useService } from '../support/harness.js';

/**
 * SQL statements without BEGIN and COMMIT, with the clock stopped: whose password is sent is known
 * from the request before.
 */
describe('The number of SQL statements', () => {
  const service = useService();
  const editor = { as: 'editor' } as const;
  beforeEach(() => {
    const now = Date.now();
    service().at(now);
  });

  /** Of a request, made once before: what is prepared lazily does not count. */
  async function statementsOf(
    method: string,
    path: string,
    sending: Sending = {},
  ): Promise<number> {
    await service().rest(method, path, sending);
    let status = 0;
    const count = await service().statements(async () => {
      ({ status } = await service().rest(method, path, sending));
    });
    expect(status, `${method} ${path} is answered ${status}`).toBeLessThan(300);
    return count;
  }

  const get = (path: string, query: string) => statementsOf('GET', path, { query });

  async function posts(count: number): Promise<{ parent: number; id: number }> {
    const parent = await service().term('CATEGORY', 'Parent');
    const child = await service().term('CATEGORY', 'Child', parent);
    const tags = [await service().term('TAG', 'Red'), await service().term('TAG', 'Blue')];
    let id = 0;
    for (let i = 0; i < count; i++) {
      const fields = {
        title: `Post ${i}`,
        content: 'the quiet sea',
        categories: [i % 2 ? child : parent],
        tags,
      };
      ({ id } = await service().post(fields));
    }
    return { parent, id };
  }

  it('is one for a list, of 10 as of 100', async () => {
    await posts(30);
    expect(await get('/v1/posts', 'per_page=10')).toBe(1);
    expect(await get('/v1/posts', 'per_page=100')).toBe(1);
    expect(await get('/v1/posts', 'per_page=7&page=2')).toBe(1);
    expect(await get('/v1/pages', ''), 'an empty page does not say its total').toBe(2);
  });

  it('is one for a post', async () => {
    const { id } = await posts(1);
    expect(await get(`/v1/posts/${id}`, '')).toBe(1);
  });

  it('is two for posts of a category and all below it: how many, which', async () => {
    const { parent } = await posts(12);
    const query = `categories[terms]=${parent}&categories[include_children]=true`;
    expect(await get('/v1/posts', `${query}&per_page=2`)).toBe(2);
    expect(await get('/v1/posts', `${query}&per_page=100`)).toBe(2);
  });

  it('is three for a search: its words, how many, which', async () => {
    await posts(12);
    expect(await get('/v1/posts', 'search=quiet sea&per_page=2')).toBe(3);
    expect(await get('/v1/posts', 'search=quiet sea&per_page=100')).toBe(3);
    expect(await get('/v1/posts', 'search=nowhere'), 'nothing is left to read').toBe(2);
  });

  it('is one with embedded authors and terms up to 20 posts, two more for longer lists', async () => {
    await posts(12);
    expect(await get('/v1/posts', '_embed=author,wp:term&per_page=2')).toBe(1);
    expect(await get('/v1/posts', '_embed=author,wp:term&per_page=20')).toBe(1);
    expect(await get('/v1/posts', '_embed=author,wp:term&per_page=21')).toBe(3);
    expect(await get('/v1/posts', '_embed=author,wp:term&per_page=100')).toBe(3);
  });

  it('is one for a post over GraphQL with its author and terms, and for ten', async () => {
    const { id } = await posts(10);
    const parts = '{ title content author { name createdAt } categories { name } terms { slug } }';
    const one = `{ post(id: ${id}) ${parts} }`;
    expect(await service().ask(one)).toMatchObject({ data: { post: { author: {} } } });
    expect(await service().statements(() => service().ask(one))).toBe(1);
    const list = `{ posts(first: 10) { totalCount nodes ${parts} } }`;
    expect(await service().statements(() => service().ask(list))).toBe(1);
  });

  it('tells the same of authors and terms however many posts are read', async () => {
    await posts(5);
    const asked = (first: number) =>
      service().ask(
        `{ posts(first: ${first}) { nodes { id author { name slug url createdAt } terms { name slug taxonomy } } } }`,
        {},
        'administrator',
      );
    expect(await asked(20)).toStrictEqual(await asked(21));
  });

  it('is one for a create, with however many terms', async () => {
    const tags: number[] = [];
    for (const name of ['a', 'b', 'c']) tags.push(await service().term('TAG', name));
    const create = (body: object) => statementsOf('POST', '/v1/posts', { ...editor, body });
    expect(await create({ title: 'A post', status: 'publish' })).toBe(1);
    expect(await create({ title: 'A post', status: 'publish', categories: [1], tags })).toBe(1);
  });

  it('is two for an update of texts, and one more where terms change', async () => {
    const { id, parent } = await posts(1);
    let edits = 0;
    const update = (body: object) => () =>
      service().rest('POST', `/v1/posts/${id}`, { ...editor, body });
    const count = async (body: () => object) => {
      await update(body())();
      return service().statements(update(body()));
    };
    expect(await count(() => ({ title: `Edit ${edits++}` }))).toBe(2);
    expect(
      await count(() => ({ title: `Edit ${edits++}`, categories: [edits % 2 ? parent : 1] })),
    ).toBe(3);
  });

  it('is two for a deletion for good', async () => {
    const [{ id }, other] = [await posts(1), await posts(1)];
    const remove = (post: number) => () =>
      service().rest('DELETE', `/v1/posts/${post}`, { ...editor, query: 'force=true' });
    await remove(other.id)();
    expect(await service().statements(remove(id))).toBe(2);
  });

  it('is three for a medicine reminder: the lock of the member, their settings, the rows', async () => {
    const body = { frequency_type: 'daily', start_date: '2026-01-01' };
    const make = (name: string) => () =>
      service().rest('POST', '/v1/medicine_reminder', {
        as: 'subscriber',
        body: { ...body, name },
      });
    await make('Ibuprofen')();
    expect(await service().statements(make('Aspirin'))).toBe(3);
  });

  it('is that of one create for a batch of 25 creates', async () => {
    const requests = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        path: '/v1/posts',
        body: { title: `Post ${i}`, status: 'publish', tags: [] },
      }));
    const batch = (count: number) =>
      statementsOf('POST', '/batch/v1', { ...editor, body: { requests: requests(count) } });
    expect(await batch(1)).toBe(1);
    expect(await batch(25)).toBe(1);
  });

  it('is that of one update and one for each further one of the post in a batch of 25', async () => {
    const { id } = await posts(1);
    let edits = 0;
    const requests = (count: number) =>
      Array.from({ length: count }, () => ({
        path: `/v1/posts/${id}`,
        body: { title: `Edit ${edits++}` },
      }));
    const batch = (count: number) => async () => {
      await service().rest('POST', '/batch/v1', { ...editor, body: { requests: requests(count) } });
    };
    await batch(1)();
    expect(await service().statements(batch(1))).toBe(2);
    expect(await service().statements(batch(25))).toBe(2 + 24);
  });
});
