import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
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
    service().now = () => now;
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
    assert.ok(status < 300, `${method} ${path} is answered ${status}`);
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
    assert.equal(await get('/v1/posts', 'per_page=10'), 1);
    assert.equal(await get('/v1/posts', 'per_page=100'), 1);
    assert.equal(await get('/v1/posts', 'per_page=7&page=2'), 1);
    assert.equal(await get('/v1/pages', ''), 2, 'an empty page does not say its total');
  });

  it('is one for a post', async () => {
    const { id } = await posts(1);
    assert.equal(await get(`/v1/posts/${id}`, ''), 1);
  });

  it('is two for posts of a category and all below it: how many, which', async () => {
    const { parent } = await posts(12);
    const query = `categories[terms]=${parent}&categories[include_children]=true`;
    assert.equal(await get('/v1/posts', `${query}&per_page=2`), 2);
    assert.equal(await get('/v1/posts', `${query}&per_page=100`), 2);
  });

  it('is three for a search: its words, how many, which', async () => {
    await posts(12);
    assert.equal(await get('/v1/posts', 'search=quiet sea&per_page=2'), 3);
    assert.equal(await get('/v1/posts', 'search=quiet sea&per_page=100'), 3);
    assert.equal(await get('/v1/posts', 'search=nowhere'), 2, 'nothing is left to read');
  });

  it('is two more for embedded authors and terms, of 10 posts as of 100', async () => {
    await posts(12);
    assert.equal(await get('/v1/posts', '_embed=author,wp:term&per_page=2'), 3);
    assert.equal(await get('/v1/posts', '_embed=author,wp:term&per_page=100'), 3);
  });

  it('is six for a create, with however many terms', async () => {
    const tags: number[] = [];
    for (const name of ['a', 'b', 'c']) tags.push(await service().term('TAG', name));
    const create = (body: object) => statementsOf('POST', '/v1/posts', { ...editor, body });
    assert.equal(await create({ title: 'A post', status: 'publish' }), 6);
    assert.equal(await create({ title: 'A post', status: 'publish', categories: [1], tags }), 6);
  });

  it('is nine for an update of texts, and two more where terms change', async () => {
    const { id, parent } = await posts(1);
    let edits = 0;
    const update = (body: object) => () =>
      service().rest('POST', `/v1/posts/${id}`, { ...editor, body });
    const count = async (body: () => object) => {
      await update(body())();
      return service().statements(update(body()));
    };
    assert.equal(await count(() => ({ title: `Edit ${edits++}` })), 9);
    assert.equal(
      await count(() => ({ title: `Edit ${edits++}`, categories: [edits % 2 ? parent : 1] })),
      11,
    );
  });

  it('is that of one create for a batch of 25 creates', async () => {
    const requests = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        path: '/v1/posts',
        body: { title: `Post ${i}`, status: 'publish', tags: [] },
      }));
    const batch = (count: number) =>
      statementsOf('POST', '/batch/v1', { ...editor, body: { requests: requests(count) } });
    assert.equal(await batch(1), 6);
    assert.equal(await batch(25), 6);
  });

  it('is that of one update and eight for each further one in a batch of 25', async () => {
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
    assert.equal(await service().statements(batch(1)), 9);
    assert.equal(await service().statements(batch(25)), 9 + 24 * 8);
  });
});
