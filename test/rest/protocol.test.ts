import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app/app.js';
import { readConfig } from '../../src/config/config.js';
import { makeListener } from '../../src/process/listener.js';
import { type Answer, bearer, type Caller, type Sending, useService } from '../support/harness.js';

const EDITIONS = ['A', 'B'] as const;
const PASSWORD = 'correct horse battery';

/** Status and code of an error. */
const failed = ({ status, body }: Answer) => [status, body?.code];
const basic = (text: string, scheme = 'Basic') => ({
  authorization: `${scheme} ${Buffer.from(text).toString('base64')}`,
});
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('The order of evaluation', () => {
  const service = useService();
  const send = (method: string, path: string, sending?: Sending) =>
    service().rest(method, path, sending);

  it('judges the token before the route', async () => {
    const headers = { authorization: 'Bearer x.y.z' };
    expect(failed(await send('GET', '/v1/nothing', { headers }))).toStrictEqual([
      401,
      'token_invalid',
    ]);
  });

  it('looks for the route before it reads the body', async () => {
    expect(failed(await send('POST', '/v1/nothing', { raw: '{', headers: json }))).toStrictEqual([
      404,
      'rest_no_route',
    ]);
  });

  it('answers a known path with a method that it lacks as an unknown one, never 405', async () => {
    expect(failed(await send('DELETE', '/v1/posts'))).toStrictEqual([404, 'rest_no_route']);
    expect(failed(await send('PATCH', '/v1/posts', { as: 'editor', body: {} }))).toStrictEqual([
      404,
      'rest_no_route',
    ]);
  });

  it('reads the body before it checks parameters and rights', async () => {
    const answer = await send('POST', '/v1/posts', {
      query: { status: 'nonsense' },
      raw: '{"title": ',
      headers: json,
    });
    expect(failed(answer)).toStrictEqual([400, 'rest_invalid_json']);
    expect(answer.body.data.json_error_code).toBe(4);
    expect(answer.body.data.json_error_message).toBe('Syntax error');
  });

  it('names missing parameters before those that do not fit', async () => {
    const answer = await send('POST', '/batch/v1', { body: { validation: 'nonsense' } });
    expect(failed(answer)).toStrictEqual([400, 'rest_missing_callback_param']);
    expect(answer.body.data.params).toStrictEqual(['requests']);
  });

  it('checks parameters before rights: a bad body is 400 even to the anonymous', async () => {
    const answer = await send('POST', '/v1/posts', { body: { status: 'nonsense' } });
    expect(failed(answer)).toStrictEqual([400, 'rest_invalid_param']);
    expect(Object.keys(answer.body.data.params)).toStrictEqual(['status']);
  });

  it('asks for rights before it writes: 401 to the anonymous, 403 to the signed in', async () => {
    const body = { title: '' };
    expect(failed(await send('POST', '/v1/posts', { body }))).toStrictEqual([
      401,
      'rest_cannot_create',
    ]);
    expect(failed(await send('POST', '/v1/posts', { as: 'subscriber', body }))).toStrictEqual([
      403,
      'rest_cannot_create',
    ]);
    expect(failed(await send('POST', '/v1/posts', { as: 'editor', body }))).toStrictEqual([
      400,
      'empty_content',
    ]);
  });

  it('answers 404 for an unknown id before it asks for rights', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await send(
        method,
        '/v1/posts/999',
        method === 'GET' ? { query: { context: 'edit' } } : {},
      );
      expect(failed(answer), method).toStrictEqual([404, 'rest_post_invalid_id']);
    }
  });
});

describe('Paths', () => {
  const service = useService();
  const get = (path: string) => service().rest('GET', path);

  it('are matched without regard to case', async () => {
    const { id } = await service().post();
    expect((await get('/V1/Posts')).status).toBe(200);
    expect((await get(`/v1/POSTS/${id}`)).body.id).toBe(id);
  });

  it('may end in one slash, answered without a redirect', async () => {
    const { id } = await service().post();
    expect((await get('/v1/posts/')).status).toBe(200);
    expect((await get(`/v1/posts/${id}/`)).status).toBe(200);
    expect(failed(await get('/v1/posts//'))).toStrictEqual([404, 'rest_no_route']);
  });

  it('hold no double slash', async () => {
    expect(failed(await get('/v1//posts'))).toStrictEqual([404, 'rest_no_route']);
    expect(failed(await get('//v1/posts'))).toStrictEqual([404, 'rest_no_route']);
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
  // ETag and Content-Length are of the body that HEAD spares itself.
  for (const [name, path, as, query = ''] of HEADS) {
    it(`HEAD answers status and headers of GET with an empty body: ${name}`, async () => {
      for (let i = 0; i < 2; i++) await service().post({ title: 'head' });
      const headers = { 'accept-encoding': 'identity' };
      const told = async (method: string) => {
        const answer = await service().rest(method, path, { as, query, headers });
        // A HEAD reads no content, so it says nothing that only the content tells: its length and
        // tag (RFC 9110, 9.3.2).
        const own = [...answer.headers].filter(
          ([header]) => !/^(date|content-length|etag|connection|keep-alive)$/.test(header),
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
    expect((await send('BREW', '/v1/posts')).status).toBeLessThan(500);
  });
});

describe('Bodies', () => {
  const service = useService();
  /** The title and status of a post made from a raw body, or the error. */
  const make = async (raw: string, type?: string) => {
    const headers: Record<string, string> = type ? { 'content-type': type } : {};
    const { status, body } = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      raw: new TextEncoder().encode(raw),
      headers,
    });
    return status === 201 ? [body.title.raw, body.categories, body.status] : [status, body.code];
  };

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/vnd.api+json',
  ]) {
    it(`of ${type} are JSON`, async () => {
      expect(await make('{"title":"T","categories":[1],"status":"pending"}', type)).toStrictEqual([
        'T',
        [1],
        'pending',
      ]);
    });
  }

  it('of forms are fields', async () => {
    const fields = 'title=A+%26+B&categories[]=1&status=pending';
    expect(await make(fields, 'application/x-www-form-urlencoded')).toStrictEqual([
      'A & B',
      [1],
      'pending',
    ]);
    const parts = [
      ['title', 'T'],
      ['categories[]', '1'],
      ['status', 'pending'],
    ].map(
      ([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    expect(
      await make(`${parts.join('')}--x--\r\n`, 'multipart/form-data; boundary=x'),
    ).toStrictEqual(['T', [1], 'pending']);
  });

  it('of another type, or of none, are ignored', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/jsonx', undefined]) {
      expect(await make('{"title":"T"}', type), type).toStrictEqual([400, 'empty_content']);
    }
  });

  it('of JSON without an object have no fields', async () => {
    for (const text of ['', 'null', '1', '"title"', 'true', '[]', '[{"title":"T"}]']) {
      expect(await make(text, 'application/json'), text).toStrictEqual([400, 'empty_content']);
    }
  });

  it('of malformed JSON are refused, to the anonymous too', async () => {
    for (const text of ['{', '{"title":}', "{'title':'T'}", '{"title":"T"} x', '\u0000', ' ']) {
      const answer = await service().rest('POST', '/v1/posts', { raw: text, headers: json });
      expect(failed(answer), JSON.stringify(text)).toStrictEqual([400, 'rest_invalid_json']);
      expect(typeof answer.body.data.json_error_code).toBe('number');
      expect(typeof answer.body.data.json_error_message).toBe('string');
    }
  });
});

describe('Where a parameter stands', () => {
  const service = useService();
  const send = (method: string, path: string, sending: Sending) =>
    service().rest(method, path, { as: 'editor', ...sending });

  it('the path wins over everything', async () => {
    const [one, other] = [
      await service().post({ title: 'One' }),
      await service().post({ title: 'Other' }),
    ];
    const path = `/v1/posts/${one.id}`;
    expect((await send('GET', path, { query: { id: String(other.id) } })).body.id).toBe(one.id);
    expect((await send('POST', path, { body: { id: other.id, title: 'New' } })).body.id).toBe(
      one.id,
    );
    expect(
      (await send('POST', path, { raw: `id=${other.id}&title=Newer`, headers: form })).body.id,
    ).toBe(one.id);
    expect((await send('DELETE', path, { query: { id: String(other.id) } })).body.id).toBe(one.id);
    expect((await send('GET', `/v1/posts/${other.id}`, {})).body.title.rendered).toBe('Other');
  });

  it('a JSON body wins over the query', async () => {
    const { body } = await send('POST', '/v1/posts', {
      query: { title: 'Query', status: 'pending' },
      body: { title: 'JSON' },
    });
    expect([body.title.raw, body.status]).toStrictEqual(['JSON', 'pending']);
  });

  it('a form wins over the query', async () => {
    const { body } = await send('POST', '/v1/posts', {
      query: { title: 'Query', status: 'pending' },
      raw: 'title=Form',
      headers: form,
    });
    expect([body.title.raw, body.status]).toStrictEqual(['Form', 'pending']);
  });

  it('the query wins over defaults, and is enough for a write', async () => {
    for (let i = 0; i < 3; i++)
      await send('POST', '/v1/posts', { query: { title: `Query ${i}`, status: 'publish' } });
    expect((await send('GET', '/v1/posts', { query: { per_page: '2' } })).body.length).toBe(2);
    expect((await send('GET', '/v1/posts', {})).body.length).toBe(3);
  });

  it('what nobody declared is ignored everywhere', async () => {
    const { status, body } = await send('POST', '/v1/posts', {
      query: { nonsense: '1' },
      body: { title: 'T', more: [{ x: 1 }], link: 'x' },
    });
    expect(status).toBe(201);
    expect(body.link).not.toBe('x');
    expect((await send('GET', '/v1/posts', { query: 'nonsense[]=1&more[x]=2' })).status).toBe(200);
  });
});

describe('Headers', () => {
  const service = useService();
  const send = (method: string, path: string, sending?: Sending) =>
    service().rest(method, path, sending);
  const header = (answer: Answer, name: string) => answer.headers.get(name);

  /** One answer of each kind: read, list, made, refused, wrong, missing, described. */
  async function kinds(as: Caller, headers: Record<string, string> = {}): Promise<Answer[]> {
    const { id } = await service().post();
    const sending = { as, headers };
    return [
      await send('GET', '/v1/posts', sending),
      await send('GET', `/v1/posts/${id}`, sending),
      await send('POST', '/v1/posts', { ...sending, body: { title: 'T' } }),
      await send('DELETE', `/v1/posts/${id}`, sending),
      await send('GET', '/v1/posts', { ...sending, query: { page: '0' } }),
      await send('GET', '/v1/posts/999', sending),
      await send('GET', '/v1/nothing', sending),
      await send('GET', '', sending),
      await send('GET', '/v1', sending),
      await send('OPTIONS', '/v1/posts', sending),
      await send('POST', '/batch/v1', { ...sending, body: { requests: [] } }),
    ];
  }

  it('that every answer has', async () => {
    for (const answer of [...(await kinds('anonymous')), ...(await kinds('editor'))]) {
      expect(header(answer, 'content-type')).toBe('application/json; charset=UTF-8');
      expect(header(answer, 'x-robots-tag')).toBe('noindex');
      expect(header(answer, 'x-content-type-options')).toBe('nosniff');
      expect(header(answer, 'access-control-expose-headers')).toBe(
        'X-WP-Total, X-WP-TotalPages, Link, GraphQL-Operation, RateLimit, Retry-After, ETag',
      );
      expect(header(answer, 'access-control-allow-headers')).toBe(
        'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, ' +
          'Idempotency-Key, Refresh-Token, Time-Zone',
      );
      expect(header(answer, 'link')).toBeTruthy();
    }
  });

  it('that no answer has: a challenge, a last modification, a cookie, the name of the software', async () => {
    for (const answer of [...(await kinds('anonymous')), ...(await kinds('subscriber'))]) {
      for (const name of [
        'www-authenticate',
        'last-modified',
        'set-cookie',
        'x-powered-by',
        'server',
      ]) {
        expect(header(answer, name), name).toBeNull();
      }
    }
  });

  it('Cache-Control and Expires keep answers to the signed in out of caches, errors too', async () => {
    for (const answer of await kinds('editor')) {
      expect(header(answer, 'cache-control')).toBe(
        'no-cache, must-revalidate, max-age=0, no-store, private',
      );
      expect(header(answer, 'expires')).toBe('Wed, 11 Jan 1984 05:00:00 GMT');
    }
  });

  it('Expires is not for the anonymous, unless an overridden method fails', async () => {
    for (const answer of await kinds('anonymous')) expect(header(answer, 'expires')).toBeNull();
    const answer = await send('POST', '/v1/posts/999', {
      headers: { 'x-http-method-override': 'DELETE' },
    });
    expect(answer.status).toBe(404);
    expect(header(answer, 'cache-control')).toBe(
      'no-cache, must-revalidate, max-age=0, no-store, private',
    );
    expect(header(answer, 'expires')).toBe('Wed, 11 Jan 1984 05:00:00 GMT');
  });

  it('Vary names Origin on what anybody may read, and wherever an origin was sent', async () => {
    const vary = async (sending: Sending) =>
      header(await send('GET', '/v1/posts', sending), 'vary') ?? '';
    expect(await vary({})).toMatch(/\bOrigin\b/);
    expect(await vary({ as: 'editor', headers: { origin: 'https://app.example' } })).toMatch(
      /\bOrigin\b/,
    );
    expect(await vary({ headers: { origin: 'https://evil.example' } })).toMatch(/\bOrigin\b/);
  });

  it('Link names the root, unless there is something better', async () => {
    const answers = await kinds('anonymous');
    const root = `<${service().url}/api/>; rel="https://api.w.org/"`;
    const others = answers.filter((_, kind) => kind !== 1);
    expect(new Set(others.map((answer) => header(answer, 'link')))).toStrictEqual(new Set([root]));
  });

  it('Link of an item is the page that shows it', async () => {
    const { id, link } = await service().post();
    expect(header(await send('GET', `/v1/posts/${id}`), 'link')).toBe(
      `<${link}>; rel="alternate"; type=text/html`,
    );
  });

  it('Link of a list names the pages beside it, with the query as it was read', async () => {
    for (let i = 0; i < 5; i++) await service().post({ title: 'A, b' });
    const address = (page: number) =>
      `<${service().url}/api/v1/posts?search=a%2C+b&include%5B0%5D=1&include%5B1%5D=2&include%5B2%5D=3&per_page=1&page=${page}>`;
    const link = async (page: string) =>
      header(
        await send('GET', '/v1/posts', {
          query: `search=a,+b&include[]=1&include[]=2&include[]=3&per_page=1${page}`,
        }),
        'link',
      );
    expect(await link('')).toBe(`${address(2)}; rel="next"`);
    expect(await link('&page=2')).toBe(`${address(1)}; rel="prev", ${address(3)}; rel="next"`);
    expect(await link('&page=3')).toBe(`${address(2)}; rel="prev"`);
  });

  it('Link keeps the place of page in the query', async () => {
    for (let i = 0; i < 3; i++) await service().post();
    const answer = await send('GET', '/v1/posts', { query: 'page=2&per_page=1' });
    const address = (page: number) => `<${service().url}/api/v1/posts?page=${page}&per_page=1>`;
    expect(header(answer, 'link')).toBe(`${address(1)}; rel="prev", ${address(3)}; rel="next"`);
  });

  it('X-WP-Total and X-WP-TotalPages count a list, and stand nowhere else', async () => {
    for (let i = 0; i < 5; i++) await service().post();
    const totals = (answer: Answer) => [
      header(answer, 'x-wp-total'),
      header(answer, 'x-wp-totalpages'),
    ];
    expect(totals(await send('GET', '/v1/posts', { query: { per_page: '2' } }))).toStrictEqual([
      '5',
      '3',
    ]);
    expect(totals(await send('GET', '/v1/posts', { query: { search: 'nowhere' } }))).toStrictEqual([
      '0',
      '0',
    ]);
    expect(totals(await send('GET', '/v1/posts', { query: { page: '9' } }))).toStrictEqual([
      null,
      null,
    ]);
    expect(totals(await send('GET', '/v1/posts/1'))).toStrictEqual([null, null]);
    expect(totals(await send('GET', '/v1'))).toStrictEqual([null, null]);
  });

  it('Location stands on what was made, and nowhere else', async () => {
    const made = await send('POST', '/v1/posts', { as: 'editor', body: { title: 'T' } });
    expect(header(made, 'location')).toBe(`${service().url}/api/v1/posts/${made.body.id}`);
    expect(
      header(
        await send('POST', `/v1/posts/${made.body.id}`, { as: 'editor', body: {} }),
        'location',
      ),
    ).toBeNull();
    const inB = await send('POST', '/v1/posts', {
      as: 'editor',
      edition: 'B',
      body: { title: 'T' },
    });
    expect(header(inB, 'location')).toBe(`${service().url}/v3/api/v1/posts/${inB.body.id}`);
  });

  const ON_A_LIST: Record<string, string | null> = {
    anonymous: 'GET',
    subscriber: 'GET',
    contributor: 'GET, POST',
    author: 'GET, POST',
    editor: 'GET, POST',
    administrator: 'GET, POST',
  };
  for (const [as, allowed] of Object.entries(ON_A_LIST)) {
    it(`Allow of the list says what ${as} may do: ${allowed}`, async () => {
      expect(header(await send('GET', '/v1/posts', { as: as as Caller }), 'allow')).toBe(allowed);
    });
  }

  it('Allow of an item says what the caller may do with it', async () => {
    const { id } = await service().post({}, 'author');
    const allow = async (as: Caller, sending: Sending = {}) =>
      header(await send('GET', `/v1/posts/${id}`, { as, ...sending }), 'allow');
    const everything = 'GET, POST, PUT, PATCH, DELETE';
    expect([
      await allow('anonymous'),
      await allow('subscriber'),
      await allow('contributor'),
      await allow('author'),
      await allow('editor'),
    ]).toStrictEqual(['GET', 'GET', 'GET', everything, everything]);
  });

  it('Allow shrinks for a contributor whose post was published', async () => {
    const { id } = await service().post({ status: 'draft' }, 'contributor');
    const allow = async () =>
      header(await send('GET', `/v1/posts/${id}`, { as: 'contributor' }), 'allow');
    expect(await allow()).toBe('GET, POST, PUT, PATCH, DELETE');
    await send('POST', `/v1/posts/${id}`, { as: 'editor', body: { status: 'publish' } });
    expect(await allow()).toBe('GET');
  });

  it('Allow stands on refusals too, with the methods that would pass', async () => {
    const { id } = await service().post();
    expect(header(await send('POST', '/v1/posts', { body: { title: 'T' } }), 'allow')).toBe('GET');
    expect(header(await send('DELETE', `/v1/posts/${id}`), 'allow')).toBe('GET');
    expect(header(await send('GET', '/v1/posts', { query: { page: '0' } }), 'allow')).toBe('GET');
    const noPublishing = await send('POST', '/v1/posts', {
      as: 'contributor',
      body: { title: 'T', status: 'publish' },
    });
    expect([noPublishing.status, header(noPublishing, 'allow')]).toStrictEqual([403, 'GET, POST']);
  });

  it('Allow leaves out a method that this very request may not use', async () => {
    const body = { id: 1, title: 'T' };
    expect(header(await send('POST', '/v1/posts', { as: 'editor', body }), 'allow')).toBe('GET');
    const another = { author: (await service().account('editor')).id, title: 'T' };
    expect(header(await send('POST', '/v1/posts', { as: 'author', body: another }), 'allow')).toBe(
      'GET',
    );
    expect(
      header(
        await send('POST', '/v1/posts', { as: 'contributor', body: { title: 'T', sticky: true } }),
        'allow',
      ),
    ).toBe('GET');
  });

  it('Allow is absent where nothing is permitted', async () => {
    const draft = await service().post({ status: 'draft' });
    const gone = await service().post();
    const answers = [
      await send('GET', `/v1/posts/${draft.id}`),
      await send('GET', '/v1/posts/999', { as: 'editor' }),
      await send('GET', '/v1/nothing', { as: 'editor' }),
      await send('DELETE', `/v1/posts/${gone.id}`, { as: 'editor', query: { force: 'true' } }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toStrictEqual([
      [401, null],
      [404, null],
      [404, null],
      [200, null],
    ]);
  });

  it('GraphQL-Operation names the operation that ran, on errors too', async () => {
    const { id } = await service().post();
    const operation = async (method: string, path: string, sending?: Sending) =>
      header(await send(method, path, sending), 'graphql-operation');
    expect(await operation('GET', '/v1/posts')).toBe('ListPosts');
    expect(await operation('HEAD', `/v1/posts/${id}`)).toBe('GetPost');
    expect(await operation('POST', '/v1/posts', { body: { status: 'nonsense' } })).toBe(
      'CreatePost',
    );
    expect(await operation('PATCH', `/v1/posts/${id}`, { body: {} })).toBe('UpdatePost');
    expect(await operation('DELETE', `/v1/posts/${id}`)).toBe('DeletePost');
    expect(await operation('POST', '/v1/login', { body: {} })).toBe('Login');
    expect(await operation('GET', '/v1/nothing')).toBeNull();
  });

  it('ETag lets the anonymous ask whether anything changed', async () => {
    const { id } = await service().post();
    for (const path of ['/v1/posts', `/v1/posts/${id}`]) {
      const tag = header(await send('GET', path), 'etag');
      expect(tag ?? '', path).toMatch(/^(W\/)?".+"$/);
      const again = await send('GET', path, { headers: { 'if-none-match': tag ?? '' } });
      expect([again.status, again.text]).toStrictEqual([304, '']);
      await send('POST', `/v1/posts/${id}`, { as: 'editor', body: { title: `Changed ${path}` } });
      expect((await send('GET', path, { headers: { 'if-none-match': tag ?? '' } })).status).toBe(
        200,
      );
    }
    expect(header(await send('GET', '/v1/posts', { as: 'editor' }), 'etag')).toBeNull();
  });

  it('ETag is compared with each tag of a list, whatever its strength, and with any', async () => {
    await service().post();
    const tag = header(await send('GET', '/v1/posts'), 'etag') ?? '';
    const ask = async (tags: string) =>
      (await send('GET', '/v1/posts', { headers: { 'if-none-match': tags } })).status;
    for (const tags of [
      `"other", ${tag}`,
      tag.replace('W/', ''),
      `W/${tag.replace('W/', '')}`,
      '*',
    ])
      expect(await ask(tags), tags).toBe(304);
    for (const tags of ['"other"', tag.replaceAll('"', ''), ''])
      expect(await ask(tags), tags).toBe(200);
  });
});

describe('Other origins', () => {
  const service = useService();
  const CORS = [
    'access-control-allow-origin',
    'access-control-allow-methods',
    'access-control-allow-credentials',
  ];
  const told = ({ headers }: Answer) => CORS.map((name) => headers.get(name));
  const from = (origin: string, method = 'GET', path = '/v1/posts') =>
    service().rest(method, path, { headers: { origin } });
  const allowed = ['https://app.example', 'OPTIONS, GET, POST, PUT, PATCH, DELETE', null];

  it('that are on the list may call, without credentials', async () => {
    expect(told(await from('https://app.example'))).toStrictEqual(allowed);
  });

  it('that are on the list may read errors', async () => {
    for (const path of ['/v1/nothing', '/v1/posts/999'])
      expect(told(await from('https://app.example', 'GET', path)), path).toStrictEqual(allowed);
  });

  it('that are on the list may ask beforehand', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    };
    const answer = await service().rest('OPTIONS', '/v1/posts/1', { headers });
    expect(answer.status).toBe(200);
    expect(told(answer)).toStrictEqual(allowed);
  });

  for (const origin of [
    'https://evil.example',
    'http://app.example',
    'https://app.example:8443',
    'https://app.example.evil.example',
    'null',
  ]) {
    it(`that are not on it get no leave: ${origin}`, async () => {
      expect(told(await from(origin))).toStrictEqual([null, null, null]);
    });
  }

  it('are not mentioned to who has none', async () => {
    expect(told(await service().rest('GET', '/v1/posts'))).toStrictEqual([null, null, null]);
  });

  it('have no leave at all where there is no list', async () => {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const config = readConfig({ SEED: 'none', LOG_LEVEL: 'silent' });
    const { listener } = await makeListener(
      createApp({ ...service().app.deps, config }),
      http,
      url,
    );
    http.on('request', listener);
    try {
      const { status, headers } = await fetch(`${url}/api/v1/posts`, {
        headers: { origin: 'https://app.example' },
      });
      expect(status).toBe(200);
      expect(CORS.map((name) => headers.get(name))).toStrictEqual([null, null, null]);
    } finally {
      http.closeAllConnections();
      http.close();
    }
  });
});

describe('_fields', () => {
  const service = useService();
  const of = async (query: string, path?: string) => {
    const { id } = await service().post({ title: 'T', content: 'c' });
    return (await service().rest('GET', path ?? `/v1/posts/${id}`, { query })).body;
  };

  const FORMS: [query: string, keys: string[]][] = [
    ['_fields=id,slug', ['id', 'slug']],
    ['_fields=id,%20slug', ['id', 'slug']],
    ['_fields[]=id&_fields[]=slug', ['id', 'slug']],
    ['_fields=nothing,slug', ['slug']],
    ['_fields=slug,id', ['id', 'slug']],
    ['_fields=nothing', []],
    ['_fields=_links', ['_links']],
  ];
  for (const [query, keys] of FORMS) {
    it(`keeps only what is named: ${query}`, async () =>
      expect(Object.keys(await of(query))).toStrictEqual(keys));
  }

  it('goes below a field by a dot', async () => {
    expect(await of('_fields=title.rendered')).toStrictEqual({ title: { rendered: 'T' } });
    expect(await of('_fields=content.protected,title.rendered')).toStrictEqual({
      title: { rendered: 'T' },
      content: { protected: false },
    });
    expect(Object.keys((await of('_fields=content,content.protected')).content)).toStrictEqual([
      'rendered',
      'protected',
    ]);
    const [item] = await of('_fields=_links.self', '/v1/posts');
    expect(Object.keys(item._links)).toStrictEqual(['self']);
  });

  it('shows all links of a single item when it names any, or what is embedded', async () => {
    const { id } = await service().post();
    const all = Object.keys((await of('', `/v1/posts/${id}`))._links);
    for (const query of ['_fields=_links.self', '_fields=id,_links.nothing', '_fields=_embedded'])
      expect(Object.keys((await of(query, `/v1/posts/${id}`))._links), query).toStrictEqual(all);
    const made = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      query: '_fields=_links.self',
      body: { title: 'T' },
    });
    expect(Object.keys(made.body._links).length).toBeGreaterThan(1);
  });

  it('that is empty keeps everything', async () => {
    expect(Object.keys(await of('_fields='))).toStrictEqual(Object.keys(await of('')));
  });

  it('works on every element of a list', async () => {
    await service().post();
    expect(
      (await of('_fields=id', '/v1/posts')).map((item: object) => Object.keys(item)),
    ).toStrictEqual([['id'], ['id']]);
    expect(await of('_fields=nothing&per_page=2', '/v1/posts')).toStrictEqual([{}, {}]);
  });

  it('works on what was written, and on what is gone', async () => {
    const editor = { as: 'editor' } as const;
    const made = await service().rest('POST', '/v1/posts', {
      ...editor,
      query: { _fields: 'id,title.raw' },
      body: { title: 'T' },
    });
    expect([made.status, made.body]).toStrictEqual([
      201,
      { id: made.body.id, title: { raw: 'T' } },
    ]);
    expect(made.headers.get('location')).toBeTruthy();
    const query = { force: 'true', _fields: 'id,previous.id,deleted' };
    const gone = await service().rest('DELETE', `/v1/posts/${made.body.id}`, { ...editor, query });
    expect(gone.body).toStrictEqual({ deleted: true, previous: { id: made.body.id } });
  });

  it('leaves errors as they are', async () => {
    expect(Object.keys(await of('_fields=id', '/v1/posts/999'))).toStrictEqual([
      'code',
      'message',
      'data',
    ]);
  });

  it('works on the root, which then shows links only if they are named, and on an index, which keeps them', async () => {
    expect(Object.keys(await of('_fields=name,namespaces', ''))).toStrictEqual([
      'name',
      'namespaces',
    ]);
    expect(Object.keys(await of('_fields=name,_links', ''))).toStrictEqual(['name', '_links']);
    expect(Object.keys(await of('_fields=namespace', '/v1'))).toStrictEqual([
      'namespace',
      '_links',
    ]);
  });

  it('works on a batch', async () => {
    const body = { requests: [{ path: '/v1/posts', body: { title: 'T' } }] };
    const answer = await service().rest('POST', '/batch/v1', {
      as: 'editor',
      query: { _fields: 'failed' },
      body,
    });
    expect([answer.status, answer.body]).toStrictEqual([207, {}]);
  });
});

describe('_embed', () => {
  const service = useService();

  /** A post of the author in a category with a tag, and what is embedded in it. */
  async function embedded(query: string) {
    const tag = await service().term('TAG', 'Sleep');
    const { id } = await service().post({ tags: [tag] }, 'author');
    return { id, tag, ...(await service().rest('GET', `/v1/posts/${id}`, { query })).body };
  }

  for (const query of [
    '_embed',
    '_embed=',
    '_embed=1',
    '_embed=true',
    '_embed=author,wp:term',
    '_embed[]=author&_embed[]=wp:term',
  ]) {
    it(`embeds author and terms: ${query}`, async () => {
      const { _embedded } = await embedded(query);
      expect(Object.keys(_embedded)).toStrictEqual(['author', 'wp:term']);
    });
  }

  it('embeds only the relations that it names', async () => {
    expect(Object.keys((await embedded('_embed=author'))._embedded)).toStrictEqual(['author']);
    expect(Object.keys((await embedded('_embed=wp:term'))._embedded)).toStrictEqual(['wp:term']);
    expect(Object.keys((await embedded('_embed=author,nonsense'))._embedded)).toStrictEqual([
      'author',
    ]);
  });

  it('embeds nothing for an unknown relation, or when it is not sent', async () => {
    expect('_embedded' in (await embedded('_embed=nonsense'))).toBe(false);
    expect('_embedded' in (await embedded(''))).toBe(false);
  });

  it('shows the author as everybody sees authors', async () => {
    const { _embedded } = await embedded('_embed=author');
    const { id } = await service().account('author');
    const { url } = service();
    const [{ _links, ...author }, ...others] = _embedded.author;
    expect(author).toStrictEqual({
      id,
      name: 'The author',
      url: '',
      description: '',
      link: `${url}/author/author/`,
      slug: 'author',
      avatar_urls: {},
    });
    expect(_links.self[0].href).toBe(`${url}/api/wp/v2/users/${id}`);
    expect(_links.collection[0].href).toBe(`${url}/api/wp/v2/users`);
    expect(others).toStrictEqual([]);
  });

  it('shows a list of terms for each taxonomy, in the order of the links', async () => {
    const { _embedded, _links, tag } = await embedded('_embed=wp:term');
    expect(_links['wp:term'].map((link: { taxonomy: string }) => link.taxonomy)).toStrictEqual([
      'category',
      'post_tag',
    ]);
    const shown = _embedded['wp:term'].map((terms: Record<string, unknown>[]) =>
      terms.map(({ id, name, slug, taxonomy, link }) => ({ id, name, slug, taxonomy, link })),
    );
    const { url } = service();
    expect(shown).toStrictEqual([
      [
        {
          id: 1,
          name: 'Uncategorized',
          slug: 'uncategorized',
          taxonomy: 'category',
          link: `${url}/category/uncategorized/`,
        },
      ],
      [{ id: tag, name: 'Sleep', slug: 'sleep', taxonomy: 'post_tag', link: `${url}/tag/sleep/` }],
    ]);
    expect(Object.keys(_embedded['wp:term'][1][0])).toStrictEqual([
      'id',
      'link',
      'name',
      'slug',
      'taxonomy',
      '_links',
    ]);
  });

  it('shows nothing private of an author', async () => {
    const text = JSON.stringify((await embedded('_embed=author'))._embedded);
    expect(text).not.toMatch(/example\.com|roles|username|email/);
  });

  it('works on lists', async () => {
    await service().post();
    const { body } = await service().rest('GET', '/v1/posts', { query: { _embed: 'author' } });
    expect(Object.keys(body[0]._embedded)).toStrictEqual(['author']);
  });

  it('needs, beside _fields, the links that it follows', async () => {
    await service().post();
    const first = async (query: string) =>
      (await service().rest('GET', '/v1/posts', { query })).body[0];
    const { _links, _embedded } = await first('_fields=id,_links.author,_embedded&_embed=author');
    expect([Object.keys(_links), Object.keys(_embedded)]).toStrictEqual([['author'], ['author']]);
    expect('_embedded' in (await first('_fields=id,_embedded&_embed=author'))).toBe(false);
    expect('_embedded' in (await embedded('_fields=id,_links&_embed=author'))).toBe(false);
  });
});

describe('_envelope', () => {
  const service = useService();
  const send = (method: string, path: string, sending: Sending = {}) =>
    service().rest(method, path, { query: '_envelope', ...sending });

  it('puts body, status and headers into the body, with 200 around it', async () => {
    const { id } = await service().post();
    const { status, body } = await send('GET', `/v1/posts/${id}`, {
      query: { _envelope: '1', _fields: 'id' },
    });
    expect(status).toBe(200);
    expect([Object.keys(body), body.body, body.status]).toStrictEqual([
      ['body', 'status', 'headers'],
      { id },
      200,
    ]);
    expect(body.headers.Allow).toBe('GET');
    expect(body.headers.Link).toMatch(/rel="alternate"/);
  });

  it('shows the totals of a list as numbers', async () => {
    await service().post();
    const { body } = await send('GET', '/v1/posts');
    expect([
      body.headers['X-WP-Total'],
      body.headers['X-WP-TotalPages'],
      body.body.length,
    ]).toStrictEqual([1, 1, 1]);
  });

  it('shows 201 and Location of what was made, with 200 around it', async () => {
    const { status, body } = await send('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'T' },
    });
    expect([status, body.status]).toStrictEqual([200, 201]);
    expect(body.headers.Location).toBe(`${service().url}/api/v1/posts/${body.body.id}`);
  });

  it('wraps errors too', async () => {
    for (const [path, status, code] of [
      ['/v1/posts/999', 404, 'rest_post_invalid_id'],
      ['/v1/nothing', 404, 'rest_no_route'],
    ]) {
      const answer = await send('GET', path as string);
      expect([answer.status, answer.body.status, answer.body.body.code]).toStrictEqual([
        200,
        status,
        code,
      ]);
    }
    const unread = await send('POST', '/v1/posts', { raw: '{', headers: json });
    expect([unread.status, unread.body.status, unread.body.body.code]).toStrictEqual([
      200,
      400,
      'rest_invalid_json',
    ]);
    const refused = await send('GET', '/v1/posts', { headers: { authorization: 'Bearer x' } });
    expect([refused.status, refused.body.status, refused.body.body.code]).toStrictEqual([
      200,
      401,
      'token_invalid',
    ]);
  });
});

describe('What browsers used to send', () => {
  const service = useService();

  it('nonces mean nothing', async () => {
    expect(
      (await service().rest('GET', '/v1/posts', { headers: { 'x-wp-nonce': 'wrong' } })).status,
    ).toBe(200);
  });

  it('callbacks mean nothing', async () => {
    for (const _jsonp of ['callback', 'not(a)name']) {
      const answer = await service().rest('GET', '/v1/posts', { query: { _jsonp } });
      expect([answer.status, answer.body]).toStrictEqual([200, []]);
    }
  });

  it('_locale and _pretty are taken', async () => {
    expect(
      (await service().rest('GET', '/v1/posts', { query: { _locale: 'user', _pretty: '1' } }))
        .status,
    ).toBe(200);
  });
});

describe('Both editions', () => {
  const service = useService();

  it('show the same content, each at its own addresses', async () => {
    const { id } = await service().post({ title: 'Shared' });
    for (const edition of EDITIONS) {
      const site = service().url + (edition === 'A' ? '' : '/v3');
      const { body, headers } = await service().rest('GET', `/v1/posts/${id}`, { edition });
      expect(body.title.rendered).toBe('Shared');
      expect(body._links.self[0].href).toBe(`${site}/api/v1/posts/${id}`);
      expect(body.link).toBe(`${site}/shared/`);
      expect(headers.get('link')).toBe(`<${site}/shared/>; rel="alternate"; type=text/html`);
    }
  });

  it('sign in by the same credentials', async () => {
    for (const edition of EDITIONS) {
      expect(
        (
          await service().rest('GET', '/v1/posts', {
            as: 'editor',
            edition,
            query: { context: 'edit' },
          })
        ).status,
      ).toBe(200);
    }
  });

  it('have indexes of their own', async () => {
    for (const namespace of ['/pwreset', '/v1/healthcare']) {
      expect(
        failed(
          await service().rest('GET', namespace, {
            edition: 'A',
            query: { namespace: namespace.slice(1) },
          }),
        ),
      ).toStrictEqual([404, 'rest_no_route']);
      const { body } = await service().rest('GET', namespace, {
        edition: 'B',
        query: { namespace: namespace.slice(1) },
      });
      expect(body.namespace).toBe(namespace.slice(1));
    }
  });
});

describe('The site roots', () => {
  const service = useService();

  for (const path of ['/', '/v3', '/v3/']) {
    it(`${path} is a page whose Link header names the API, to GET and HEAD`, async () => {
      const root = `${service().url}${path === '/' ? '' : '/v3'}/api/`;
      for (const method of ['GET', 'HEAD']) {
        const answer = await service().fetch(path, { method });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('link')).toBe(`<${root}>; rel="https://api.w.org/"`);
        expect(answer.headers.get('content-type') ?? '').toMatch(/^text\/html/);
        expect(answer.text === '').toBe(method === 'HEAD');
      }
    });
  }
});

describe('Compression', () => {
  const service = useService();
  const encoding = async (accepted: string, query = '') => {
    await service().post({ content: 'word '.repeat(1000) });
    const answer = await service().rest('GET', '/v1/posts', {
      headers: { 'accept-encoding': accepted },
      query,
    });
    return {
      encoding: answer.headers.get('content-encoding'),
      vary: answer.headers.get('vary') ?? '',
      body: answer.body,
    };
  };

  it('by gzip when it is asked for', async () => {
    const { encoding: used, vary, body } = await encoding('gzip, deflate');
    expect(used).toBe('gzip');
    expect(vary).toMatch(/Accept-Encoding/);
    expect(body.length).toBe(1);
  });

  it('not when it is not asked for, or refused', async () => {
    expect((await encoding('identity')).encoding).toBeNull();
    expect((await encoding('deflate')).encoding).toBeNull();
    expect((await encoding('gzip;q=0')).encoding).toBeNull();
  });

  it('not of what is small', async () => {
    expect((await encoding('gzip', '_fields=id')).encoding).toBeNull();
  });
});

describe('Idempotency-Key', () => {
  const service = useService();
  const KEY = { 'idempotency-key': 'a-key' };
  const make = (title: string, sending: Sending = {}) =>
    service().rest('POST', '/v1/posts', {
      as: 'editor',
      headers: KEY,
      body: { title, status: 'publish' },
      ...sending,
    });
  const titles = async () =>
    (await service().rest('GET', '/v1/posts', { query: { orderby: 'id', order: 'asc' } })).body.map(
      (post: { title: { rendered: string } }) => post.title.rendered,
    );

  it('makes a repeated request answer the same post and make no second', async () => {
    const [first, second] = [await make('Once'), await make('Once')];
    expect([first.status, second.status]).toStrictEqual([201, 201]);
    expect(second.body.id).toBe(first.body.id);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(await titles()).toStrictEqual(['Once']);
  });

  it('makes a repeated change change nothing more', async () => {
    const { id } = await service().post({ title: 'Before' });
    const change = (title: string, headers: Record<string, string>) =>
      service().rest('POST', `/v1/posts/${id}`, { as: 'editor', headers, body: { title } });
    await change('First', KEY);
    await change('Second', {});
    const replay = await change('First', KEY);
    expect([replay.status, replay.body.title.raw]).toStrictEqual([200, 'Second']);
  });

  it('refuses another request under the same key', async () => {
    await make('Once');
    expect(failed(await make('Twice'))).toStrictEqual([422, 'idempotency_key_reused']);
    expect(await titles()).toStrictEqual(['Once']);
  });

  it('tells requests apart by their path and query as well', async () => {
    const { body } = await make('Once');
    const other = await service().rest('POST', `/v1/posts/${body.id}`, {
      as: 'editor',
      headers: KEY,
      body: { title: 'Once', status: 'publish' },
    });
    expect(failed(other)).toStrictEqual([422, 'idempotency_key_reused']);
  });

  it('belongs to one account', async () => {
    const [one, other] = [await make('Once'), await make('Once', { as: 'author' })];
    expect(other.body.id).not.toBe(one.body.id);
  });

  it('remembers nothing of a request that failed', async () => {
    expect(failed(await make('', { body: { title: '' } }))).toStrictEqual([400, 'empty_content']);
    expect((await make('Now')).status).toBe(201);
  });

  it('is forgotten after a day', async () => {
    const first = await make('Once');
    service().now = () => Date.now() + 25 * 60 * 60 * 1000;
    expect((await make('Once')).body.id).not.toBe(first.body.id);
  });

  it('answers twins that run at the same time with one post', async () => {
    await service().account('editor');
    const answers = await Promise.all(Array.from({ length: 4 }, () => make('Once')));
    for (const { status, headers } of answers)
      expect(
        status === 201 || (status === 409 && headers.get('retry-after')),
        String(status),
      ).toBeTruthy();
    expect(await titles()).toStrictEqual(['Once']);
  });

  it('makes a repeated move to the bin answer the post in the bin', async () => {
    const { id } = await service().post();
    const bin = () =>
      service().rest('POST', `/v1/posts/${id}`, {
        as: 'editor',
        headers: KEY,
        query: { _method: 'DELETE' },
      });
    expect((await bin()).body.status).toBe('trash');
    const again = await bin();
    expect([again.status, again.body.status]).toStrictEqual([200, 'trash']);
  });

  it('never answers a token twice', async () => {
    const query =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
    const input = { username: 'ada', email: 'ada@example.com', password: PASSWORD };
    await service().graphql(query, { input }, { as: 'administrator' });
    const login = () =>
      service().rest('POST', '/v1/login', {
        as: 'editor',
        headers: KEY,
        body: { username: 'ada', password: PASSWORD },
      });
    const [one, other] = [await login(), await login()];
    expect([one.status, other.status]).toStrictEqual([200, 200]);
    expect(one.body.refreshToken).not.toBe(other.body.refreshToken);
  });

  it('means nothing on GET, and nothing to the anonymous', async () => {
    for (const query of ['', 'page=1']) {
      expect(
        (await service().rest('GET', '/v1/posts', { as: 'editor', headers: KEY, query })).status,
      ).toBe(200);
    }
    for (const title of ['One', 'Two']) {
      expect(failed(await make(title, { as: 'anonymous' }))).toStrictEqual([
        401,
        'rest_cannot_create',
      ]);
    }
  });
});

describe('Bearer tokens', () => {
  const service = useService();

  /** Signs in an editor with a password; the answer of /v1/login. */
  async function signIn(headers: Record<string, string> = {}): Promise<Answer> {
    const query =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
    const input = {
      username: 'Ada',
      email: 'ada@example.com',
      password: PASSWORD,
      roles: ['EDITOR'],
    };
    await service().graphql(
      query,
      { input },
      { headers: await service().session('administrator') },
    );
    return service().rest('POST', '/v1/login', {
      headers,
      body: { username: 'ada', password: PASSWORD },
    });
  }
  const read = (token: string, path = '/v1/posts', query = '') =>
    service().rest('GET', path, { headers: bearer(token), query });

  it('are answered to who signs in, and kept out of caches', async () => {
    const { status, body, headers } = await signIn();
    expect(status).toBe(200);
    expect(Object.keys(body)).toStrictEqual([
      'token',
      'refreshToken',
      'token_type',
      'expires_in',
      'user',
    ]);
    expect([body.token_type, body.expires_in]).toStrictEqual(['Bearer', 900]);
    expect(Object.keys(body.user)).toStrictEqual([
      'id',
      'username',
      'name',
      'email',
      'language',
      'time_zone',
      'roles',
      'guest',
      'created_date',
    ]);
    expect(headers.get('cache-control') ?? '').toMatch(/no-store/);
  });

  it('are not answered for a wrong password, or for nobody', async () => {
    await signIn();
    for (const body of [
      { username: 'ada', password: 'wrong' },
      { username: 'nobody', password: PASSWORD },
      {},
    ]) {
      expect(failed(await service().rest('POST', '/v1/login', { body }))).toStrictEqual([
        401,
        'invalid_credentials',
      ]);
    }
  });

  it('sign a request in, and keep its answer out of caches', async () => {
    const { token } = (await signIn()).body;
    const answer = await read(token, '/v1/posts', 'context=edit');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control') ?? '').toMatch(/no-store/);
    const { status } = await service().rest('POST', '/v1/posts', {
      headers: { authorization: `bearer ${token}` },
      body: { title: 'T' },
    });
    expect(status).toBe(201);
  });

  it('that are malformed are refused, not anonymous', async () => {
    const { token } = (await signIn()).body;
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
    for (const bad of [
      'x',
      'x.y.z',
      `${token}x`,
      token.slice(0, -2),
      unsigned,
      token.split('.').slice(0, 2).join('.'),
    ]) {
      expect(failed(await read(bad)), bad).toStrictEqual([401, 'token_invalid']);
    }
  });

  it('that are refresh tokens are refused', async () => {
    const { refreshToken } = (await signIn()).body;
    expect(failed(await read(refreshToken))).toStrictEqual([401, 'token_invalid']);
  });

  it('are good for 15 minutes', async () => {
    const { token } = (await signIn()).body;
    const later = (minutes: number) => {
      service().now = () => Date.now() + minutes * 60_000;
    };
    later(14);
    expect((await read(token)).status).toBe(200);
    later(16);
    expect(failed(await read(token))).toStrictEqual([401, 'token_expired']);
  });

  it('end with their session', async () => {
    const { token } = (await signIn()).body;
    await service().database.prisma.session.updateMany({ data: { endedAt: new Date() } });
    expect(failed(await read(token))).toStrictEqual([401, 'token_invalid']);
  });

  it('that are bad are ignored where tokens are issued', async () => {
    expect((await signIn({ authorization: 'Bearer x.y.z' })).status).toBe(200);
  });
});

describe('Application passwords', () => {
  const service = useService();
  /** Whether the credentials sign an editor in: to the anonymous this list is 401. */
  const status = async (headers: Record<string, string>) =>
    (await service().rest('GET', '/v1/posts', { headers, query: { context: 'edit' } })).status;

  it('sign in by user name or e-mail address, in any case', async () => {
    const { username, password } = await service().account('editor');
    for (const name of [username, 'EDITOR', 'editor@example.com', 'Editor@Example.COM']) {
      expect(await status(basic(`${name}:${password}`)), name).toBe(200);
    }
  });

  it('are taken with spaces and other signs between their letters', async () => {
    const { username, password } = await service().account('editor');
    const grouped = password.replace(/(.{4})/g, '$1 ');
    for (const form of [grouped, password.replace(/(.{6})/g, '$1-'), ` ${password}!`]) {
      expect(await status(basic(`${username}:${form}`)), form).toBe(200);
    }
  });

  it('are taken under a scheme in any case', async () => {
    const { username, password } = await service().account('editor');
    for (const scheme of ['basic', 'BASIC'])
      expect(await status(basic(`${username}:${password}`, scheme)), scheme).toBe(200);
  });

  it('are case-sensitive', async () => {
    const query =
      'mutation($input: CreateApplicationPasswordInput!) { createApplicationPassword(input: ' +
      '$input) { password } }';
    const { id, username } = await service().account('editor');
    const { body } = await service().graphql(
      query,
      { input: { userId: id, name: 'App' } },
      { headers: await service().session('editor') },
    );
    const { password } = body.data.createApplicationPassword;
    expect(password).toMatch(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    expect(await status(basic(`${username}:${password}`))).toBe(200);
    const swapped = password.replace(/[a-zA-Z]/g, (letter: string) =>
      letter < 'a' ? letter.toLowerCase() : letter.toUpperCase(),
    );
    expect(await status(basic(`${username}:${swapped}`))).toBe(401);
  });

  it("the account's own password is none", async () => {
    const query =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
    const input = {
      username: 'ada',
      email: 'ada@example.com',
      password: PASSWORD,
      roles: ['EDITOR'],
    };
    await service().graphql(
      query,
      { input },
      { headers: await service().session('administrator') },
    );
    expect(await status(basic(`ada:${PASSWORD}`))).toBe(401);
  });

  it('that are wrong are anonymous: public reads succeed, others fail as they do to the anonymous', async () => {
    const { username } = await service().account('editor');
    const { password } = await service().account('author');
    const wrong = [
      basic(`${username}:wrong`),
      basic('nobody:wrong'),
      basic(`${username}:${password}`),
      basic(`${username}:`),
      basic(':'),
      basic(''),
      basic(username),
      { authorization: 'Basic ???' },
      { authorization: 'Basic' },
      { authorization: 'Digest username="editor"' },
      basic(`${username}\0:${password}`),
    ];
    for (const headers of wrong) {
      const list = await service().rest('GET', '/v1/posts', { headers });
      expect([list.status, list.headers.get('expires')], headers.authorization).toStrictEqual([
        200,
        null,
      ]);
      expect(
        failed(await service().rest('POST', '/v1/posts', { headers, body: { title: 'T' } })),
      ).toStrictEqual([401, 'rest_cannot_create']);
    }
  });

  it('in the query mean nothing', async () => {
    const { username, password } = await service().account('editor');
    const answer = await service().rest('GET', '/v1/posts', {
      query: { context: 'edit', username, password },
    });
    expect(answer.status).toBe(401);
  });
});

describe('The root', () => {
  const service = useService();
  const root = async (edition: 'A' | 'B' = 'A', query = '') =>
    (await service().rest('GET', '', { edition, query })).body;

  it('describes the site, in this order', async () => {
    expect(Object.keys(await root())).toStrictEqual([
      'name',
      'description',
      'url',
      'home',
      'gmt_offset',
      'timezone_string',
      'page_for_posts',
      'page_on_front',
      'show_on_front',
      'namespaces',
      'authentication',
      'routes',
      'site_logo',
      'site_icon',
      'site_icon_url',
      '_links',
    ]);
  });

  it('is there with and without a slash, and to POST not at all', async () => {
    const { text } = await service().rest('GET', '/');
    expect(text).toBe((await service().rest('GET', '')).text);
    expect(failed(await service().rest('POST', '/'))).toStrictEqual([404, 'rest_no_route']);
  });

  it('says what clients read, in each edition', async () => {
    for (const edition of EDITIONS) {
      const site = service().url + (edition === 'A' ? '' : '/v3');
      const {
        name,
        gmt_offset,
        timezone_string,
        page_for_posts,
        page_on_front,
        show_on_front,
        url,
        home,
        authentication,
      } = await root(edition);
      expect({
        name,
        gmt_offset,
        timezone_string,
        page_for_posts,
        page_on_front,
        show_on_front,
        url,
        home,
      }).toStrictEqual({
        name: 'Care',
        gmt_offset: '0',
        timezone_string: '',
        page_for_posts: 0,
        page_on_front: 0,
        show_on_front: 'posts',
        url: site,
        home: site,
      });
      const authorization = `${site}/admin/authorize-application.php`;
      expect(authentication).toStrictEqual({
        'application-passwords': { endpoints: { authorization } },
      });
    }
  });

  it('lists the namespaces that are served', async () => {
    const served = ['mailer', 'models/v1', 'oembed/1.0', 'pwreset/v1', 'v1'];
    const own = (namespaces: string[]) =>
      namespaces.filter((namespace) => !namespace.startsWith('wp')).sort();
    expect(own((await root('A')).namespaces)).toStrictEqual(served);
    expect(own((await root('B')).namespaces)).toStrictEqual(
      [...served, 'pwreset', 'v1/healthcare'].sort(),
    );
    expect((await root()).namespaces[0]).toBe('oembed/1.0');
  });

  it('takes any context', async () => {
    expect(await root('A', 'context=nonsense')).toStrictEqual(await root());
  });

  it('describes each route by namespace, methods and endpoints, with a link to those without variables', async () => {
    const { routes } = await root();
    expect(Object.keys(routes['/v1/posts'])).toStrictEqual([
      'namespace',
      'methods',
      'endpoints',
      '_links',
    ]);
    expect(routes['/v1/posts']._links).toStrictEqual({
      self: [{ href: `${service().url}/api/v1/posts` }],
    });
    const item = routes['/v1/posts/(?P<id>[\\d]+)'];
    expect([item.namespace, item.methods, '_links' in item]).toStrictEqual([
      'v1',
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      false,
    ]);
    expect([routes['/'].namespace, routes['/batch/v1'].namespace]).toStrictEqual(['', '']);
    expect(routes['/v1/posts'].endpoints[0].methods).toStrictEqual(['GET']);
  });

  it('has a link to help', async () => {
    expect(typeof (await root())._links.help[0].href).toBe('string');
  });
});

describe('The index of a namespace', () => {
  const service = useService();
  const index = (path: string, query = '', edition: 'A' | 'B' = 'A') =>
    service().rest('GET', path, { query, edition });

  it('is there for each namespace, and lists its routes alone', async () => {
    for (const edition of EDITIONS) {
      const { namespaces, routes } = (await index('', '', edition)).body;
      for (const namespace of namespaces) {
        const { status, body } = await index(`/${namespace}`, `namespace=${namespace}`, edition);
        expect(status, namespace).toBe(200);
        expect(Object.keys(body)).toStrictEqual(['namespace', 'routes', '_links']);
        expect(body.namespace).toBe(namespace);
        const own = Object.entries(routes as Record<string, { namespace: string }>).filter(
          ([, route]) => route.namespace === namespace,
        );
        expect(body.routes, namespace).toStrictEqual(Object.fromEntries(own));
        expect(`/${namespace}` in body.routes).toBe(true);
        expect(body._links).toStrictEqual({
          up: [{ href: `${service().url}${edition === 'A' ? '' : '/v3'}/api/` }],
        });
      }
    }
  });

  it('shows another namespace when asked', async () => {
    expect((await index('/v1', 'namespace=models/v1')).body).toStrictEqual(
      (await index('/models/v1')).body,
    );
  });

  it('of an unknown namespace is 404', async () => {
    expect(failed(await index('/v1', 'namespace=nonsense'))).toStrictEqual([
      404,
      'rest_invalid_namespace',
    ]);
    expect(failed(await index('/nonsense'))).toStrictEqual([404, 'rest_no_route']);
  });

  it('takes any context, and no POST', async () => {
    expect((await index('/v1', 'context=nonsense')).status).toBe(200);
    expect(failed(await service().rest('POST', '/v1'))).toStrictEqual([404, 'rest_no_route']);
  });
});

describe('OPTIONS', () => {
  const service = useService();
  const options = (path: string, as: Caller = 'anonymous') =>
    service().rest('OPTIONS', path, { as });

  it('describes a route with the schema of its items, to anybody', async () => {
    const { status, body } = await options('/v1/posts');
    expect(status).toBe(200);
    expect(Object.keys(body)).toStrictEqual([
      'namespace',
      'methods',
      'endpoints',
      'schema',
      '_links',
    ]);
    expect([body.namespace, body.methods]).toStrictEqual(['v1', ['GET', 'POST']]);
    const { routes } = (await service().rest('GET', '')).body;
    expect(body.endpoints).toStrictEqual(routes['/v1/posts'].endpoints);
    expect(body._links).toStrictEqual(routes['/v1/posts']._links);
  });

  it('shows of each field its type, where it is shown, and whether it can be written', async () => {
    const { schema } = (await options('/v1/posts/1')).body;
    expect([schema.$schema, schema.title, schema.type]).toStrictEqual([
      'http://json-schema.org/draft-04/schema#',
      'post',
      'object',
    ]);
    const { id, title, date, password, modified, format } = schema.properties;
    expect([id.type, id.readonly, id.context]).toStrictEqual([
      'integer',
      true,
      ['view', 'edit', 'embed'],
    ]);
    expect([date.format, date.readonly]).toStrictEqual(['date-time', undefined]);
    expect([password.context, modified.context, modified.readonly]).toStrictEqual([
      ['edit'],
      ['view', 'edit'],
      true,
    ]);
    expect([title.properties.raw.context, title.properties.rendered.readonly]).toStrictEqual([
      ['edit'],
      true,
    ]);
    expect(format.enum.includes('standard')).toBeTruthy();
    expect(Array.isArray(schema.links)).toBe(true);
  });

  it('says in Allow what the caller may do', async () => {
    const { id } = await service().post();
    const draft = await service().post({ status: 'draft' });
    expect((await options('/v1/posts')).headers.get('allow')).toBe('GET');
    expect((await options('/v1/posts', 'author')).headers.get('allow')).toBe('GET, POST');
    expect((await options(`/v1/posts/${id}`, 'editor')).headers.get('allow')).toBe(
      'GET, POST, PUT, PATCH, DELETE',
    );
    const hidden = await options(`/v1/posts/${draft.id}`);
    expect([hidden.status, hidden.headers.get('allow')]).toStrictEqual([200, null]);
  });

  it('describes the root, the indexes and the batch as well', async () => {
    for (const [path, methods] of [
      ['/', ['GET']],
      ['/v1', ['GET']],
      ['/batch/v1', ['POST']],
    ] as const) {
      const { status, body } = await options(path);
      expect([status, body.methods], path).toStrictEqual([200, methods]);
    }
  });
});
