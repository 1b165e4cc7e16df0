import { type Caller, type Sending, useService } from '../../support/harness.js';
import { failed, json } from '../wire.js';

describe('Paths', () => {
  const service = useService();
  const get = (path: string) => service().rest('GET', path);

  it('are matched without regard to case', async () => {
    const { id } = await service().post();
    expect((await get('/V1/Posts')).status).toBe(200);
    expect((await get(`/v1/POSTS/${id}`)).body.id).toBe(id);
  });

  it('may end in slashes and hold several for one, answered without a redirect', async () => {
    const { id } = await service().post();
    const paths = ['/posts/', '/posts//', `/posts/${id}/`, `/posts///${id}`, '//posts'];
    for (const path of [...paths.map((path) => `/v1${path}`), '//v1/posts', '//v1//posts//'])
      expect((await service().rest('GET', path, { described: false })).status, path).toBe(200);
  });

  it('are exact in a batch', async () => {
    for (const path of ['/v1/posts/', '/v1//posts', '//host/v1//posts']) {
      const { body } = await service().rest('POST', '/batch/v1', {
        as: 'editor',
        body: { requests: [{ method: 'POST', path, body: { title: 'A' } }] },
      });
      expect([body.responses[0].status, body.responses[0].body.code], path).toStrictEqual([
        404,
        'rest_no_route',
      ]);
    }
  });

  for (const id of ['abc', '-1', '+1', '1e3', '1.0', '0x1', '٣', '1a', ' 1', '%201']) {
    it(`have ids of digits only: ${id} names no route`, async () => {
      expect(failed(await get(`/v1/posts/${id}`))).toStrictEqual([404, 'rest_no_route']);
    });
  }

  it('take ids with leading zeros', async () => {
    const { id } = await service().post();
    expect((await get(`/v1/posts/0000${id}`)).body.id).toBe(id);
  });

  for (const id of [
    '0',
    '2147483647',
    '2147483648',
    '4294967297',
    '99999999999999999999',
    '9'.repeat(400),
  ]) {
    it(`answer an id that is nobody's as unknown: ${id.slice(0, 20)}`, async () => {
      await service().post();
      expect(failed(await get(`/v1/posts/${id}`))).toStrictEqual([404, 'rest_post_invalid_id']);
    });
  }

  it('that are unknown are 404, with OPTIONS too', async () => {
    expect(failed(await get('/nothing'))).toStrictEqual([404, 'rest_no_route']);
    expect(failed(await service().rest('OPTIONS', '/v1/nothing'))).toStrictEqual([
      404,
      'rest_no_route',
    ]);
  });

  it('that end in the index of the original platform are no way in', async () => {
    const answer = await service().rest('GET', '', { query: { rest_route: '/v1/posts' } });
    expect(answer.body.show_on_front).toBe('posts');
    expect(
      (await service().rest('GET', '/v1/posts', { query: { rest_route: '/v1' } })).body.length,
    ).toBe(0);
  });
});

describe('Methods', () => {
  const service = useService();
  const send = (method: string, path: string, sending: Sending = {}) =>
    service().rest(method, path, { as: 'editor', ...sending });

  const HEADS: [name: string, path: string, as: Caller, query?: string][] = [
    ['a list', '/v1/posts', 'anonymous', 'per_page=1&search=head'],
    ['a list of somebody signed in', '/v1/posts', 'editor', 'context=edit'],
    ['an empty list', '/v1/posts', 'anonymous', 'search=nowhere'],
    ['an item', '/v1/posts/1', 'anonymous'],
    ['an item of its editor', '/v1/posts/1', 'editor', 'context=edit'],
    ['an unknown item', '/v1/posts/99', 'anonymous'],
    ['a refusal', '/v1/posts/1', 'anonymous', 'context=edit'],
    ['a parameter that does not fit', '/v1/posts', 'anonymous', 'page=0'],
    ['a page too far', '/v1/posts', 'anonymous', 'page=9'],
    ['an unknown route', '/v1/nothing', 'anonymous'],
    ['the root', '', 'anonymous'],
    ['an index', '/v1', 'anonymous'],
  ];
  for (const [name, path, as, query = ''] of HEADS) {
    it(`HEAD answers status and headers of GET with an empty body: ${name}`, async () => {
      for (let i = 0; i < 2; i++) await service().post({ title: 'head' });
      const headers = { 'accept-encoding': 'identity' };
      const told = async (method: string) => {
        const answer = await service().rest(method, path, { as, query, headers });
        const own = [...answer.headers].filter(
          ([header]) => !/^(date|connection|keep-alive)$/.test(header),
        );
        return { answer, told: { status: answer.status, headers: Object.fromEntries(own) } };
      };
      const [get, head] = [await told('GET'), await told('HEAD')];
      expect(head.told).toStrictEqual(get.told);
      expect(head.answer.text).toBe('');
      expect(get.answer.text).not.toBe('');
    });
  }

  for (const method of ['POST', 'PUT', 'PATCH']) {
    it(`${method} on an item changes only what is given`, async () => {
      const { id } = await service().post({ title: 'Before', content: 'Kept' });
      const { status, body } = await send(method, `/v1/posts/${id}`, { body: { title: 'After' } });
      expect([status, body.title.raw, body.content.raw]).toStrictEqual([200, 'After', 'Kept']);
    });
  }

  it('can be overridden on POST by _method, in any case', async () => {
    for (const word of ['DELETE', 'delete']) {
      const { id } = await service().post();
      expect(
        (await send('POST', `/v1/posts/${id}`, { query: { _method: word } })).body.status,
        word,
      ).toBe('trash');
    }
    expect(
      (await send('POST', '/v1/posts', { query: { _method: 'GET', status: 'trash' } })).body.length,
    ).toBe(2);
  });

  it('can be overridden on POST by X-HTTP-Method-Override', async () => {
    const { id } = await service().post();
    const headers = { 'x-http-method-override': 'DELETE' };
    expect((await send('POST', `/v1/posts/${id}`, { headers })).body.status).toBe('trash');
  });

  it('are overridden by _method when both are sent', async () => {
    const { id } = await service().post();
    const headers = { ...json, 'x-http-method-override': 'DELETE' };
    const { body } = await send('POST', `/v1/posts/${id}`, {
      query: { _method: 'PATCH' },
      headers,
      raw: '{"title":"Patched"}',
    });
    expect([body.status, body.title.raw]).toStrictEqual(['publish', 'Patched']);
  });

  for (const method of ['GET', 'PUT', 'PATCH']) {
    it(`are not overridden on ${method}`, async () => {
      const { id } = await service().post();
      const headers = { 'x-http-method-override': 'DELETE' };
      const answers = [
        await send(method, `/v1/posts/${id}`, { query: { _method: 'DELETE' } }),
        await send(method, `/v1/posts/${id}`, { headers }),
      ];
      expect(answers.map(({ status, body }) => [status, body.status])).toStrictEqual([
        [200, 'publish'],
        [200, 'publish'],
      ]);
    });
  }

  it('that are unknown name no route', async () => {
    expect(failed(await send('POST', '/v1/posts', { query: { _method: 'BREW' } }))).toStrictEqual([
      404,
      'rest_no_route',
    ]);
    expect(failed(await send('PURGE', '/v1/posts'))).toStrictEqual([404, 'rest_no_route']);
    const unread = await send('BREW', '/v1/posts', { described: false }); // Node refuses it itself
    expect(unread.status).toBeLessThan(500);
  });
});
