import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createApp } from '../../src/app/app.js';
import { readConfig } from '../../src/config/config.js';
import { makeListener } from '../../src/process/listener.js';
import { type Answer, type Caller, type Sending, useService } from '../support/harness.js';

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
    assert.deepEqual(failed(await send('GET', '/v1/nothing', { headers })), [401, 'token_invalid']);
  });

  it('looks for the route before it reads the body', async () => {
    assert.deepEqual(failed(await send('POST', '/v1/nothing', { raw: '{', headers: json })), [
      404,
      'rest_no_route',
    ]);
  });

  it('answers a known path with a method that it lacks as an unknown one, never 405', async () => {
    assert.deepEqual(failed(await send('DELETE', '/v1/posts')), [404, 'rest_no_route']);
    assert.deepEqual(failed(await send('PATCH', '/v1/posts', { as: 'editor', body: {} })), [
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
    assert.deepEqual(failed(answer), [400, 'rest_invalid_json']);
    assert.equal(answer.body.data.json_error_code, 4);
    assert.equal(answer.body.data.json_error_message, 'Syntax error');
  });

  it('names missing parameters before those that do not fit', async () => {
    const answer = await send('POST', '/batch/v1', { body: { validation: 'nonsense' } });
    assert.deepEqual(failed(answer), [400, 'rest_missing_callback_param']);
    assert.deepEqual(answer.body.data.params, ['requests']);
  });

  it('checks parameters before rights: a bad body is 400 even to the anonymous', async () => {
    const answer = await send('POST', '/v1/posts', { body: { status: 'nonsense' } });
    assert.deepEqual(failed(answer), [400, 'rest_invalid_param']);
    assert.deepEqual(Object.keys(answer.body.data.params), ['status']);
  });

  it('asks for rights before it writes: 401 to the anonymous, 403 to the signed in', async () => {
    const body = { title: '' };
    assert.deepEqual(failed(await send('POST', '/v1/posts', { body })), [
      401,
      'rest_cannot_create',
    ]);
    assert.deepEqual(failed(await send('POST', '/v1/posts', { as: 'subscriber', body })), [
      403,
      'rest_cannot_create',
    ]);
    assert.deepEqual(failed(await send('POST', '/v1/posts', { as: 'editor', body })), [
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
      assert.deepEqual(failed(answer), [404, 'rest_post_invalid_id'], method);
    }
  });
});

describe('Paths', () => {
  const service = useService();
  const get = (path: string) => service().rest('GET', path);

  it('are matched without regard to case', async () => {
    const { id } = await service().post();
    assert.equal((await get('/V1/Posts')).status, 200);
    assert.equal((await get(`/v1/POSTS/${id}`)).body.id, id);
  });

  it('may end in one slash, answered without a redirect', async () => {
    const { id } = await service().post();
    assert.equal((await get('/v1/posts/')).status, 200);
    assert.equal((await get(`/v1/posts/${id}/`)).status, 200);
    assert.deepEqual(failed(await get('/v1/posts//')), [404, 'rest_no_route']);
  });

  it('hold no double slash', async () => {
    assert.deepEqual(failed(await get('/v1//posts')), [404, 'rest_no_route']);
    assert.deepEqual(failed(await get('//v1/posts')), [404, 'rest_no_route']);
  });

  for (const id of ['abc', '-1', '+1', '1e3', '1.0', '0x1', '٣', '1a', ' 1', '%201']) {
    it(`have ids of digits only: ${id} names no route`, async () => {
      assert.deepEqual(failed(await get(`/v1/posts/${id}`)), [404, 'rest_no_route']);
    });
  }

  it('take ids with leading zeros', async () => {
    const { id } = await service().post();
    assert.equal((await get(`/v1/posts/0000${id}`)).body.id, id);
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
      assert.deepEqual(failed(await get(`/v1/posts/${id}`)), [404, 'rest_post_invalid_id']);
    });
  }

  it('that are unknown are 404, with OPTIONS too', async () => {
    assert.deepEqual(failed(await get('/nothing')), [404, 'rest_no_route']);
    assert.deepEqual(failed(await service().rest('OPTIONS', '/v1/nothing')), [
      404,
      'rest_no_route',
    ]);
  });

  it('that end in the index of the original platform are no way in', async () => {
    const answer = await service().rest('GET', '', { query: { rest_route: '/v1/posts' } });
    assert.equal(answer.body.show_on_front, 'posts');
    assert.equal(
      (await service().rest('GET', '/v1/posts', { query: { rest_route: '/v1' } })).body.length,
      0,
    );
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
      assert.deepEqual(head.told, get.told);
      assert.equal(head.answer.text, '');
      assert.notEqual(get.answer.text, '');
    });
  }

  for (const method of ['POST', 'PUT', 'PATCH']) {
    it(`${method} on an item changes only what is given`, async () => {
      const { id } = await service().post({ title: 'Before', content: 'Kept' });
      const { status, body } = await send(method, `/v1/posts/${id}`, { body: { title: 'After' } });
      assert.deepEqual([status, body.title.raw, body.content.raw], [200, 'After', 'Kept']);
    });
  }

  it('can be overridden on POST by _method, in any case', async () => {
    for (const word of ['DELETE', 'delete']) {
      const { id } = await service().post();
      assert.equal(
        (await send('POST', `/v1/posts/${id}`, { query: { _method: word } })).body.status,
        'trash',
        word,
      );
    }
    assert.equal(
      (await send('POST', '/v1/posts', { query: { _method: 'GET', status: 'trash' } })).body.length,
      2,
    );
  });

  it('can be overridden on POST by X-HTTP-Method-Override', async () => {
    const { id } = await service().post();
    const headers = { 'x-http-method-override': 'DELETE' };
    assert.equal((await send('POST', `/v1/posts/${id}`, { headers })).body.status, 'trash');
  });

  it('are overridden by _method when both are sent', async () => {
    const { id } = await service().post();
    const headers = { ...json, 'x-http-method-override': 'DELETE' };
    const { body } = await send('POST', `/v1/posts/${id}`, {
      query: { _method: 'PATCH' },
      headers,
      raw: '{"title":"Patched"}',
    });
    assert.deepEqual([body.status, body.title.raw], ['publish', 'Patched']);
  });

  for (const method of ['GET', 'PUT', 'PATCH']) {
    it(`are not overridden on ${method}`, async () => {
      const { id } = await service().post();
      const headers = { 'x-http-method-override': 'DELETE' };
      const answers = [
        await send(method, `/v1/posts/${id}`, { query: { _method: 'DELETE' } }),
        await send(method, `/v1/posts/${id}`, { headers }),
      ];
      assert.deepEqual(
        answers.map(({ status, body }) => [status, body.status]),
        [
          [200, 'publish'],
          [200, 'publish'],
        ],
      );
    });
  }

  it('that are unknown name no route', async () => {
    assert.deepEqual(failed(await send('POST', '/v1/posts', { query: { _method: 'BREW' } })), [
      404,
      'rest_no_route',
    ]);
    assert.deepEqual(failed(await send('PURGE', '/v1/posts')), [404, 'rest_no_route']);
    assert.ok((await send('BREW', '/v1/posts')).status < 500);
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
      assert.deepEqual(await make('{"title":"T","categories":[1],"status":"pending"}', type), [
        'T',
        [1],
        'pending',
      ]);
    });
  }

  it('of forms are fields', async () => {
    const fields = 'title=A+%26+B&categories[]=1&status=pending';
    assert.deepEqual(await make(fields, 'application/x-www-form-urlencoded'), [
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
    assert.deepEqual(await make(`${parts.join('')}--x--\r\n`, 'multipart/form-data; boundary=x'), [
      'T',
      [1],
      'pending',
    ]);
  });

  it('of another type, or of none, are ignored', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/jsonx', undefined]) {
      assert.deepEqual(await make('{"title":"T"}', type), [400, 'empty_content'], type);
    }
  });

  it('of JSON without an object have no fields', async () => {
    for (const text of ['', 'null', '1', '"title"', 'true', '[]', '[{"title":"T"}]']) {
      assert.deepEqual(await make(text, 'application/json'), [400, 'empty_content'], text);
    }
  });

  it('of malformed JSON are refused, to the anonymous too', async () => {
    for (const text of ['{', '{"title":}', "{'title':'T'}", '{"title":"T"} x', '\u0000', ' ']) {
      const answer = await service().rest('POST', '/v1/posts', { raw: text, headers: json });
      assert.deepEqual(failed(answer), [400, 'rest_invalid_json'], JSON.stringify(text));
      assert.equal(typeof answer.body.data.json_error_code, 'number');
      assert.equal(typeof answer.body.data.json_error_message, 'string');
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
    assert.equal((await send('GET', path, { query: { id: String(other.id) } })).body.id, one.id);
    assert.equal(
      (await send('POST', path, { body: { id: other.id, title: 'New' } })).body.id,
      one.id,
    );
    assert.equal(
      (await send('POST', path, { raw: `id=${other.id}&title=Newer`, headers: form })).body.id,
      one.id,
    );
    assert.equal((await send('DELETE', path, { query: { id: String(other.id) } })).body.id, one.id);
    assert.equal((await send('GET', `/v1/posts/${other.id}`, {})).body.title.rendered, 'Other');
  });

  it('a JSON body wins over the query', async () => {
    const { body } = await send('POST', '/v1/posts', {
      query: { title: 'Query', status: 'pending' },
      body: { title: 'JSON' },
    });
    assert.deepEqual([body.title.raw, body.status], ['JSON', 'pending']);
  });

  it('a form wins over the query', async () => {
    const { body } = await send('POST', '/v1/posts', {
      query: { title: 'Query', status: 'pending' },
      raw: 'title=Form',
      headers: form,
    });
    assert.deepEqual([body.title.raw, body.status], ['Form', 'pending']);
  });

  it('the query wins over defaults, and is enough for a write', async () => {
    for (let i = 0; i < 3; i++)
      await send('POST', '/v1/posts', { query: { title: `Query ${i}`, status: 'publish' } });
    assert.equal((await send('GET', '/v1/posts', { query: { per_page: '2' } })).body.length, 2);
    assert.equal((await send('GET', '/v1/posts', {})).body.length, 3);
  });

  it('what nobody declared is ignored everywhere', async () => {
    const { status, body } = await send('POST', '/v1/posts', {
      query: { nonsense: '1' },
      body: { title: 'T', more: [{ x: 1 }], link: 'x' },
    });
    assert.equal(status, 201);
    assert.notEqual(body.link, 'x');
    assert.equal((await send('GET', '/v1/posts', { query: 'nonsense[]=1&more[x]=2' })).status, 200);
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
      assert.equal(header(answer, 'content-type'), 'application/json; charset=UTF-8');
      assert.equal(header(answer, 'x-robots-tag'), 'noindex');
      assert.equal(header(answer, 'x-content-type-options'), 'nosniff');
      assert.equal(
        header(answer, 'access-control-expose-headers'),
        'X-WP-Total, X-WP-TotalPages, Link, GraphQL-Operation, RateLimit, Retry-After, ETag',
      );
      assert.equal(
        header(answer, 'access-control-allow-headers'),
        'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, ' +
          'Idempotency-Key, Refresh-Token, Time-Zone',
      );
      assert.ok(header(answer, 'link'));
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
        assert.equal(header(answer, name), null, name);
      }
    }
  });

  it('Cache-Control and Expires keep answers to the signed in out of caches, errors too', async () => {
    for (const answer of await kinds('editor')) {
      assert.equal(
        header(answer, 'cache-control'),
        'no-cache, must-revalidate, max-age=0, no-store, private',
      );
      assert.equal(header(answer, 'expires'), 'Wed, 11 Jan 1984 05:00:00 GMT');
    }
  });

  it('Expires is not for the anonymous, unless an overridden method fails', async () => {
    for (const answer of await kinds('anonymous')) assert.equal(header(answer, 'expires'), null);
    const answer = await send('POST', '/v1/posts/999', {
      headers: { 'x-http-method-override': 'DELETE' },
    });
    assert.equal(answer.status, 404);
    assert.equal(
      header(answer, 'cache-control'),
      'no-cache, must-revalidate, max-age=0, no-store, private',
    );
    assert.equal(header(answer, 'expires'), 'Wed, 11 Jan 1984 05:00:00 GMT');
  });

  it('Vary names Origin on what anybody may read, and wherever an origin was sent', async () => {
    const vary = async (sending: Sending) =>
      header(await send('GET', '/v1/posts', sending), 'vary') ?? '';
    assert.match(await vary({}), /\bOrigin\b/);
    assert.match(
      await vary({ as: 'editor', headers: { origin: 'https://app.example' } }),
      /\bOrigin\b/,
    );
    assert.match(await vary({ headers: { origin: 'https://evil.example' } }), /\bOrigin\b/);
  });

  it('Link names the root, unless there is something better', async () => {
    const answers = await kinds('anonymous');
    const root = `<${service().url}/api/>; rel="https://api.w.org/"`;
    const others = answers.filter((_, kind) => kind !== 1);
    assert.deepEqual(new Set(others.map((answer) => header(answer, 'link'))), new Set([root]));
  });

  it('Link of an item is the page that shows it', async () => {
    const { id, link } = await service().post();
    assert.equal(
      header(await send('GET', `/v1/posts/${id}`), 'link'),
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
    assert.equal(await link(''), `${address(2)}; rel="next"`);
    assert.equal(await link('&page=2'), `${address(1)}; rel="prev", ${address(3)}; rel="next"`);
    assert.equal(await link('&page=3'), `${address(2)}; rel="prev"`);
  });

  it('Link keeps the place of page in the query', async () => {
    for (let i = 0; i < 3; i++) await service().post();
    const answer = await send('GET', '/v1/posts', { query: 'page=2&per_page=1' });
    const address = (page: number) => `<${service().url}/api/v1/posts?page=${page}&per_page=1>`;
    assert.equal(header(answer, 'link'), `${address(1)}; rel="prev", ${address(3)}; rel="next"`);
  });

  it('X-WP-Total and X-WP-TotalPages count a list, and stand nowhere else', async () => {
    for (let i = 0; i < 5; i++) await service().post();
    const totals = (answer: Answer) => [
      header(answer, 'x-wp-total'),
      header(answer, 'x-wp-totalpages'),
    ];
    assert.deepEqual(totals(await send('GET', '/v1/posts', { query: { per_page: '2' } })), [
      '5',
      '3',
    ]);
    assert.deepEqual(totals(await send('GET', '/v1/posts', { query: { search: 'nowhere' } })), [
      '0',
      '0',
    ]);
    assert.deepEqual(totals(await send('GET', '/v1/posts', { query: { page: '9' } })), [
      null,
      null,
    ]);
    assert.deepEqual(totals(await send('GET', '/v1/posts/1')), [null, null]);
    assert.deepEqual(totals(await send('GET', '/v1')), [null, null]);
  });

  it('Location stands on what was made, and nowhere else', async () => {
    const made = await send('POST', '/v1/posts', { as: 'editor', body: { title: 'T' } });
    assert.equal(header(made, 'location'), `${service().url}/api/v1/posts/${made.body.id}`);
    assert.equal(
      header(
        await send('POST', `/v1/posts/${made.body.id}`, { as: 'editor', body: {} }),
        'location',
      ),
      null,
    );
    const inB = await send('POST', '/v1/posts', {
      as: 'editor',
      edition: 'B',
      body: { title: 'T' },
    });
    assert.equal(header(inB, 'location'), `${service().url}/v3/api/v1/posts/${inB.body.id}`);
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
      assert.equal(header(await send('GET', '/v1/posts', { as: as as Caller }), 'allow'), allowed);
    });
  }

  it('Allow of an item says what the caller may do with it', async () => {
    const { id } = await service().post({}, 'author');
    const allow = async (as: Caller, sending: Sending = {}) =>
      header(await send('GET', `/v1/posts/${id}`, { as, ...sending }), 'allow');
    const everything = 'GET, POST, PUT, PATCH, DELETE';
    assert.deepEqual(
      [
        await allow('anonymous'),
        await allow('subscriber'),
        await allow('contributor'),
        await allow('author'),
        await allow('editor'),
      ],
      ['GET', 'GET', 'GET', everything, everything],
    );
  });

  it('Allow shrinks for a contributor whose post was published', async () => {
    const { id } = await service().post({ status: 'draft' }, 'contributor');
    const allow = async () =>
      header(await send('GET', `/v1/posts/${id}`, { as: 'contributor' }), 'allow');
    assert.equal(await allow(), 'GET, POST, PUT, PATCH, DELETE');
    await send('POST', `/v1/posts/${id}`, { as: 'editor', body: { status: 'publish' } });
    assert.equal(await allow(), 'GET');
  });

  it('Allow stands on refusals too, with the methods that would pass', async () => {
    const { id } = await service().post();
    assert.equal(header(await send('POST', '/v1/posts', { body: { title: 'T' } }), 'allow'), 'GET');
    assert.equal(header(await send('DELETE', `/v1/posts/${id}`), 'allow'), 'GET');
    assert.equal(header(await send('GET', '/v1/posts', { query: { page: '0' } }), 'allow'), 'GET');
    const noPublishing = await send('POST', '/v1/posts', {
      as: 'contributor',
      body: { title: 'T', status: 'publish' },
    });
    assert.deepEqual([noPublishing.status, header(noPublishing, 'allow')], [403, 'GET, POST']);
  });

  it('Allow leaves out a method that this very request may not use', async () => {
    const body = { id: 1, title: 'T' };
    assert.equal(header(await send('POST', '/v1/posts', { as: 'editor', body }), 'allow'), 'GET');
    const another = { author: (await service().account('editor')).id, title: 'T' };
    assert.equal(
      header(await send('POST', '/v1/posts', { as: 'author', body: another }), 'allow'),
      'GET',
    );
    assert.equal(
      header(
        await send('POST', '/v1/posts', { as: 'contributor', body: { title: 'T', sticky: true } }),
        'allow',
      ),
      'GET',
    );
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
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('allow')]),
      [
        [401, null],
        [404, null],
        [404, null],
        [200, null],
      ],
    );
  });

  it('GraphQL-Operation names the operation that ran, on errors too', async () => {
    const { id } = await service().post();
    const operation = async (method: string, path: string, sending?: Sending) =>
      header(await send(method, path, sending), 'graphql-operation');
    assert.equal(await operation('GET', '/v1/posts'), 'ListPosts');
    assert.equal(await operation('HEAD', `/v1/posts/${id}`), 'GetPost');
    assert.equal(
      await operation('POST', '/v1/posts', { body: { status: 'nonsense' } }),
      'CreatePost',
    );
    assert.equal(await operation('PATCH', `/v1/posts/${id}`, { body: {} }), 'UpdatePost');
    assert.equal(await operation('DELETE', `/v1/posts/${id}`), 'DeletePost');
    assert.equal(await operation('POST', '/v1/login', { body: {} }), 'Login');
    assert.equal(await operation('GET', '/v1/nothing'), null);
  });

  it('ETag lets the anonymous ask whether anything changed', async () => {
    const { id } = await service().post();
    for (const path of ['/v1/posts', `/v1/posts/${id}`]) {
      const tag = header(await send('GET', path), 'etag');
      assert.match(tag ?? '', /^(W\/)?".+"$/, path);
      const again = await send('GET', path, { headers: { 'if-none-match': tag ?? '' } });
      assert.deepEqual([again.status, again.text], [304, '']);
      await send('POST', `/v1/posts/${id}`, { as: 'editor', body: { title: `Changed ${path}` } });
      assert.equal(
        (await send('GET', path, { headers: { 'if-none-match': tag ?? '' } })).status,
        200,
      );
    }
    assert.equal(header(await send('GET', '/v1/posts', { as: 'editor' }), 'etag'), null);
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
      assert.equal(await ask(tags), 304, tags);
    for (const tags of ['"other"', tag.replaceAll('"', ''), ''])
      assert.equal(await ask(tags), 200, tags);
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
    assert.deepEqual(told(await from('https://app.example')), allowed);
  });

  it('that are on the list may read errors', async () => {
    for (const path of ['/v1/nothing', '/v1/posts/999'])
      assert.deepEqual(told(await from('https://app.example', 'GET', path)), allowed, path);
  });

  it('that are on the list may ask beforehand', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    };
    const answer = await service().rest('OPTIONS', '/v1/posts/1', { headers });
    assert.equal(answer.status, 200);
    assert.deepEqual(told(answer), allowed);
  });

  for (const origin of [
    'https://evil.example',
    'http://app.example',
    'https://app.example:8443',
    'https://app.example.evil.example',
    'null',
  ]) {
    it(`that are not on it get no leave: ${origin}`, async () => {
      assert.deepEqual(told(await from(origin)), [null, null, null]);
    });
  }

  it('are not mentioned to who has none', async () => {
    assert.deepEqual(told(await service().rest('GET', '/v1/posts')), [null, null, null]);
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
      assert.equal(status, 200);
      assert.deepEqual(
        CORS.map((name) => headers.get(name)),
        [null, null, null],
      );
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
      assert.deepEqual(Object.keys(await of(query)), keys));
  }

  it('goes below a field by a dot', async () => {
    assert.deepEqual(await of('_fields=title.rendered'), { title: { rendered: 'T' } });
    assert.deepEqual(await of('_fields=content.protected,title.rendered'), {
      title: { rendered: 'T' },
      content: { protected: false },
    });
    assert.deepEqual(Object.keys((await of('_fields=content,content.protected')).content), [
      'rendered',
      'protected',
    ]);
    const [item] = await of('_fields=_links.self', '/v1/posts');
    assert.deepEqual(Object.keys(item._links), ['self']);
  });

  it('shows all links of a single item when it names any, or what is embedded', async () => {
    const { id } = await service().post();
    const all = Object.keys((await of('', `/v1/posts/${id}`))._links);
    for (const query of ['_fields=_links.self', '_fields=id,_links.nothing', '_fields=_embedded'])
      assert.deepEqual(Object.keys((await of(query, `/v1/posts/${id}`))._links), all, query);
    const made = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      query: '_fields=_links.self',
      body: { title: 'T' },
    });
    assert.ok(Object.keys(made.body._links).length > 1);
  });

  it('that is empty keeps everything', async () => {
    assert.deepEqual(Object.keys(await of('_fields=')), Object.keys(await of('')));
  });

  it('works on every element of a list', async () => {
    await service().post();
    assert.deepEqual(
      (await of('_fields=id', '/v1/posts')).map((item: object) => Object.keys(item)),
      [['id'], ['id']],
    );
    assert.deepEqual(await of('_fields=nothing&per_page=2', '/v1/posts'), [{}, {}]);
  });

  it('works on what was written, and on what is gone', async () => {
    const editor = { as: 'editor' } as const;
    const made = await service().rest('POST', '/v1/posts', {
      ...editor,
      query: { _fields: 'id,title.raw' },
      body: { title: 'T' },
    });
    assert.deepEqual([made.status, made.body], [201, { id: made.body.id, title: { raw: 'T' } }]);
    assert.ok(made.headers.get('location'));
    const query = { force: 'true', _fields: 'id,previous.id,deleted' };
    const gone = await service().rest('DELETE', `/v1/posts/${made.body.id}`, { ...editor, query });
    assert.deepEqual(gone.body, { deleted: true, previous: { id: made.body.id } });
  });

  it('leaves errors as they are', async () => {
    assert.deepEqual(Object.keys(await of('_fields=id', '/v1/posts/999')), [
      'code',
      'message',
      'data',
    ]);
  });

  it('works on the root, which then shows links only if they are named, and on an index, which keeps them', async () => {
    assert.deepEqual(Object.keys(await of('_fields=name,namespaces', '')), ['name', 'namespaces']);
    assert.deepEqual(Object.keys(await of('_fields=name,_links', '')), ['name', '_links']);
    assert.deepEqual(Object.keys(await of('_fields=namespace', '/v1')), ['namespace', '_links']);
  });

  it('works on a batch', async () => {
    const body = { requests: [{ path: '/v1/posts', body: { title: 'T' } }] };
    const answer = await service().rest('POST', '/batch/v1', {
      as: 'editor',
      query: { _fields: 'failed' },
      body,
    });
    assert.deepEqual([answer.status, answer.body], [207, {}]);
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
      assert.deepEqual(Object.keys(_embedded), ['author', 'wp:term']);
    });
  }

  it('embeds only the relations that it names', async () => {
    assert.deepEqual(Object.keys((await embedded('_embed=author'))._embedded), ['author']);
    assert.deepEqual(Object.keys((await embedded('_embed=wp:term'))._embedded), ['wp:term']);
    assert.deepEqual(Object.keys((await embedded('_embed=author,nonsense'))._embedded), ['author']);
  });

  it('embeds nothing for an unknown relation, or when it is not sent', async () => {
    assert.ok(!('_embedded' in (await embedded('_embed=nonsense'))));
    assert.ok(!('_embedded' in (await embedded(''))));
  });

  it('shows the author as everybody sees authors', async () => {
    const { _embedded } = await embedded('_embed=author');
    const { id } = await service().account('author');
    const { url } = service();
    const [{ _links, ...author }, ...others] = _embedded.author;
    assert.deepEqual(author, {
      id,
      name: 'The author',
      url: '',
      description: '',
      link: `${url}/author/author/`,
      slug: 'author',
      avatar_urls: {},
    });
    assert.equal(_links.self[0].href, `${url}/api/wp/v2/users/${id}`);
    assert.equal(_links.collection[0].href, `${url}/api/wp/v2/users`);
    assert.deepEqual(others, []);
  });

  it('shows a list of terms for each taxonomy, in the order of the links', async () => {
    const { _embedded, _links, tag } = await embedded('_embed=wp:term');
    assert.deepEqual(
      _links['wp:term'].map((link: { taxonomy: string }) => link.taxonomy),
      ['category', 'post_tag'],
    );
    const shown = _embedded['wp:term'].map((terms: Record<string, unknown>[]) =>
      terms.map(({ id, name, slug, taxonomy, link }) => ({ id, name, slug, taxonomy, link })),
    );
    const { url } = service();
    assert.deepEqual(shown, [
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
    assert.deepEqual(Object.keys(_embedded['wp:term'][1][0]), [
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
    assert.doesNotMatch(text, /example\.com|roles|username|email/);
  });

  it('works on lists', async () => {
    await service().post();
    const { body } = await service().rest('GET', '/v1/posts', { query: { _embed: 'author' } });
    assert.deepEqual(Object.keys(body[0]._embedded), ['author']);
  });

  it('needs, beside _fields, the links that it follows', async () => {
    await service().post();
    const first = async (query: string) =>
      (await service().rest('GET', '/v1/posts', { query })).body[0];
    const { _links, _embedded } = await first('_fields=id,_links.author,_embedded&_embed=author');
    assert.deepEqual([Object.keys(_links), Object.keys(_embedded)], [['author'], ['author']]);
    assert.ok(!('_embedded' in (await first('_fields=id,_embedded&_embed=author'))));
    assert.ok(!('_embedded' in (await embedded('_fields=id,_links&_embed=author'))));
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
    assert.equal(status, 200);
    assert.deepEqual(
      [Object.keys(body), body.body, body.status],
      [['body', 'status', 'headers'], { id }, 200],
    );
    assert.equal(body.headers.Allow, 'GET');
    assert.match(body.headers.Link, /rel="alternate"/);
  });

  it('shows the totals of a list as numbers', async () => {
    await service().post();
    const { body } = await send('GET', '/v1/posts');
    assert.deepEqual(
      [body.headers['X-WP-Total'], body.headers['X-WP-TotalPages'], body.body.length],
      [1, 1, 1],
    );
  });

  it('shows 201 and Location of what was made, with 200 around it', async () => {
    const { status, body } = await send('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'T' },
    });
    assert.deepEqual([status, body.status], [200, 201]);
    assert.equal(body.headers.Location, `${service().url}/api/v1/posts/${body.body.id}`);
  });

  it('wraps errors too', async () => {
    for (const [path, status, code] of [
      ['/v1/posts/999', 404, 'rest_post_invalid_id'],
      ['/v1/nothing', 404, 'rest_no_route'],
    ]) {
      const answer = await send('GET', path as string);
      assert.deepEqual(
        [answer.status, answer.body.status, answer.body.body.code],
        [200, status, code],
      );
    }
    const unread = await send('POST', '/v1/posts', { raw: '{', headers: json });
    assert.deepEqual(
      [unread.status, unread.body.status, unread.body.body.code],
      [200, 400, 'rest_invalid_json'],
    );
    const refused = await send('GET', '/v1/posts', { headers: { authorization: 'Bearer x' } });
    assert.deepEqual(
      [refused.status, refused.body.status, refused.body.body.code],
      [200, 401, 'token_invalid'],
    );
  });
});

describe('What browsers used to send', () => {
  const service = useService();

  it('nonces mean nothing', async () => {
    assert.equal(
      (await service().rest('GET', '/v1/posts', { headers: { 'x-wp-nonce': 'wrong' } })).status,
      200,
    );
  });

  it('callbacks mean nothing', async () => {
    for (const _jsonp of ['callback', 'not(a)name']) {
      const answer = await service().rest('GET', '/v1/posts', { query: { _jsonp } });
      assert.deepEqual([answer.status, answer.body], [200, []]);
    }
  });

  it('_locale and _pretty are taken', async () => {
    assert.equal(
      (await service().rest('GET', '/v1/posts', { query: { _locale: 'user', _pretty: '1' } }))
        .status,
      200,
    );
  });
});

describe('Both editions', () => {
  const service = useService();

  it('show the same content, each at its own addresses', async () => {
    const { id } = await service().post({ title: 'Shared' });
    for (const edition of EDITIONS) {
      const site = service().url + (edition === 'A' ? '' : '/v3');
      const { body, headers } = await service().rest('GET', `/v1/posts/${id}`, { edition });
      assert.equal(body.title.rendered, 'Shared');
      assert.equal(body._links.self[0].href, `${site}/api/v1/posts/${id}`);
      assert.equal(body.link, `${site}/shared/`);
      assert.equal(headers.get('link'), `<${site}/shared/>; rel="alternate"; type=text/html`);
    }
  });

  it('sign in by the same credentials', async () => {
    for (const edition of EDITIONS) {
      assert.equal(
        (
          await service().rest('GET', '/v1/posts', {
            as: 'editor',
            edition,
            query: { context: 'edit' },
          })
        ).status,
        200,
      );
    }
  });

  it('have indexes of their own', async () => {
    for (const namespace of ['/pwreset', '/v1/healthcare']) {
      assert.deepEqual(
        failed(
          await service().rest('GET', namespace, {
            edition: 'A',
            query: { namespace: namespace.slice(1) },
          }),
        ),
        [404, 'rest_no_route'],
      );
      const { body } = await service().rest('GET', namespace, {
        edition: 'B',
        query: { namespace: namespace.slice(1) },
      });
      assert.equal(body.namespace, namespace.slice(1));
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
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('link'), `<${root}>; rel="https://api.w.org/"`);
        assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
        assert.equal(answer.text === '', method === 'HEAD');
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
    assert.equal(used, 'gzip');
    assert.match(vary, /Accept-Encoding/);
    assert.equal(body.length, 1);
  });

  it('not when it is not asked for, or refused', async () => {
    assert.equal((await encoding('identity')).encoding, null);
    assert.equal((await encoding('deflate')).encoding, null);
    assert.equal((await encoding('gzip;q=0')).encoding, null);
  });

  it('not of what is small', async () => {
    assert.equal((await encoding('gzip', '_fields=id')).encoding, null);
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
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.equal(second.body.id, first.body.id);
    assert.equal(second.headers.get('location'), first.headers.get('location'));
    assert.deepEqual(await titles(), ['Once']);
  });

  it('makes a repeated change change nothing more', async () => {
    const { id } = await service().post({ title: 'Before' });
    const change = (title: string, headers: Record<string, string>) =>
      service().rest('POST', `/v1/posts/${id}`, { as: 'editor', headers, body: { title } });
    await change('First', KEY);
    await change('Second', {});
    const replay = await change('First', KEY);
    assert.deepEqual([replay.status, replay.body.title.raw], [200, 'Second']);
  });

  it('refuses another request under the same key', async () => {
    await make('Once');
    assert.deepEqual(failed(await make('Twice')), [422, 'idempotency_key_reused']);
    assert.deepEqual(await titles(), ['Once']);
  });

  it('tells requests apart by their path and query as well', async () => {
    const { body } = await make('Once');
    const other = await service().rest('POST', `/v1/posts/${body.id}`, {
      as: 'editor',
      headers: KEY,
      body: { title: 'Once', status: 'publish' },
    });
    assert.deepEqual(failed(other), [422, 'idempotency_key_reused']);
  });

  it('belongs to one account', async () => {
    const [one, other] = [await make('Once'), await make('Once', { as: 'author' })];
    assert.notEqual(other.body.id, one.body.id);
  });

  it('remembers nothing of a request that failed', async () => {
    assert.deepEqual(failed(await make('', { body: { title: '' } })), [400, 'empty_content']);
    assert.equal((await make('Now')).status, 201);
  });

  it('is forgotten after a day', async () => {
    const first = await make('Once');
    service().now = () => Date.now() + 25 * 60 * 60 * 1000;
    assert.notEqual((await make('Once')).body.id, first.body.id);
  });

  it('answers twins that run at the same time with one post', async () => {
    await service().account('editor');
    const answers = await Promise.all(Array.from({ length: 4 }, () => make('Once')));
    for (const { status, headers } of answers)
      assert.ok(status === 201 || (status === 409 && headers.get('retry-after')), String(status));
    assert.deepEqual(await titles(), ['Once']);
  });

  it('makes a repeated move to the bin answer the post in the bin', async () => {
    const { id } = await service().post();
    const bin = () =>
      service().rest('POST', `/v1/posts/${id}`, {
        as: 'editor',
        headers: KEY,
        query: { _method: 'DELETE' },
      });
    assert.equal((await bin()).body.status, 'trash');
    const again = await bin();
    assert.deepEqual([again.status, again.body.status], [200, 'trash']);
  });

  it('never answers a token twice', async () => {
    const query = 'mutation($input: CreateUserInput!) { createUser(input: $input) { id } }';
    const input = { username: 'ada', email: 'ada@example.com', password: PASSWORD };
    await service().graphql(query, { input }, { as: 'administrator' });
    const login = () =>
      service().rest('POST', '/v1/login', {
        as: 'editor',
        headers: KEY,
        body: { username: 'ada', password: PASSWORD },
      });
    const [one, other] = [await login(), await login()];
    assert.deepEqual([one.status, other.status], [200, 200]);
    assert.notEqual(one.body.refreshToken, other.body.refreshToken);
  });

  it('means nothing on GET, and nothing to the anonymous', async () => {
    for (const query of ['', 'page=1']) {
      assert.equal(
        (await service().rest('GET', '/v1/posts', { as: 'editor', headers: KEY, query })).status,
        200,
      );
    }
    for (const title of ['One', 'Two']) {
      assert.deepEqual(failed(await make(title, { as: 'anonymous' })), [401, 'rest_cannot_create']);
    }
  });
});

describe('Bearer tokens', () => {
  const service = useService();

  /** Signs in an editor with a password; the answer of /v1/login. */
  async function signIn(headers: Record<string, string> = {}): Promise<Answer> {
    const query = 'mutation($input: CreateUserInput!) { createUser(input: $input) { id } }';
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
    service().rest('GET', path, { headers: { authorization: `Bearer ${token}` }, query });

  it('are answered to who signs in, and kept out of caches', async () => {
    const { status, body, headers } = await signIn();
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), [
      'token',
      'refreshToken',
      'token_type',
      'expires_in',
      'user',
    ]);
    assert.deepEqual([body.token_type, body.expires_in], ['Bearer', 900]);
    assert.deepEqual(Object.keys(body.user), [
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
    assert.match(headers.get('cache-control') ?? '', /no-store/);
  });

  it('are not answered for a wrong password, or for nobody', async () => {
    await signIn();
    for (const body of [
      { username: 'ada', password: 'wrong' },
      { username: 'nobody', password: PASSWORD },
      {},
    ]) {
      assert.deepEqual(failed(await service().rest('POST', '/v1/login', { body })), [
        401,
        'invalid_credentials',
      ]);
    }
  });

  it('sign a request in, and keep its answer out of caches', async () => {
    const { token } = (await signIn()).body;
    const answer = await read(token, '/v1/posts', 'context=edit');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
    const { status } = await service().rest('POST', '/v1/posts', {
      headers: { authorization: `bearer ${token}` },
      body: { title: 'T' },
    });
    assert.equal(status, 201);
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
      assert.deepEqual(failed(await read(bad)), [401, 'token_invalid'], bad);
    }
  });

  it('that are refresh tokens are refused', async () => {
    const { refreshToken } = (await signIn()).body;
    assert.deepEqual(failed(await read(refreshToken)), [401, 'token_invalid']);
  });

  it('are good for 15 minutes', async () => {
    const { token } = (await signIn()).body;
    const later = (minutes: number) => {
      service().now = () => Date.now() + minutes * 60_000;
    };
    later(14);
    assert.equal((await read(token)).status, 200);
    later(16);
    assert.deepEqual(failed(await read(token)), [401, 'token_expired']);
  });

  it('end with their session', async () => {
    const { token } = (await signIn()).body;
    await service().database.prisma.session.updateMany({ data: { endedAt: new Date() } });
    assert.deepEqual(failed(await read(token)), [401, 'token_invalid']);
  });

  it('that are bad are ignored where tokens are issued', async () => {
    assert.equal((await signIn({ authorization: 'Bearer x.y.z' })).status, 200);
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
      assert.equal(await status(basic(`${name}:${password}`)), 200, name);
    }
  });

  it('are taken with spaces and other signs between their letters', async () => {
    const { username, password } = await service().account('editor');
    const grouped = password.replace(/(.{4})/g, '$1 ');
    for (const form of [grouped, password.replace(/(.{6})/g, '$1-'), ` ${password}!`]) {
      assert.equal(await status(basic(`${username}:${form}`)), 200, form);
    }
  });

  it('are taken under a scheme in any case', async () => {
    const { username, password } = await service().account('editor');
    for (const scheme of ['basic', 'BASIC'])
      assert.equal(await status(basic(`${username}:${password}`, scheme)), 200, scheme);
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
    assert.match(password, /^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    assert.equal(await status(basic(`${username}:${password}`)), 200);
    const swapped = password.replace(/[a-zA-Z]/g, (letter: string) =>
      letter < 'a' ? letter.toLowerCase() : letter.toUpperCase(),
    );
    assert.equal(await status(basic(`${username}:${swapped}`)), 401);
  });

  it("the account's own password is none", async () => {
    const query = 'mutation($input: CreateUserInput!) { createUser(input: $input) { id } }';
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
    assert.equal(await status(basic(`ada:${PASSWORD}`)), 401);
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
      assert.deepEqual(
        [list.status, list.headers.get('expires')],
        [200, null],
        headers.authorization,
      );
      assert.deepEqual(
        failed(await service().rest('POST', '/v1/posts', { headers, body: { title: 'T' } })),
        [401, 'rest_cannot_create'],
      );
    }
  });

  it('in the query mean nothing', async () => {
    const { username, password } = await service().account('editor');
    const answer = await service().rest('GET', '/v1/posts', {
      query: { context: 'edit', username, password },
    });
    assert.equal(answer.status, 401);
  });
});

describe('The root', () => {
  const service = useService();
  const root = async (edition: 'A' | 'B' = 'A', query = '') =>
    (await service().rest('GET', '', { edition, query })).body;

  it('describes the site, in this order', async () => {
    assert.deepEqual(Object.keys(await root()), [
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
    assert.equal(text, (await service().rest('GET', '')).text);
    assert.deepEqual(failed(await service().rest('POST', '/')), [404, 'rest_no_route']);
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
      assert.deepEqual(
        {
          name,
          gmt_offset,
          timezone_string,
          page_for_posts,
          page_on_front,
          show_on_front,
          url,
          home,
        },
        {
          name: 'Care',
          gmt_offset: '0',
          timezone_string: '',
          page_for_posts: 0,
          page_on_front: 0,
          show_on_front: 'posts',
          url: site,
          home: site,
        },
      );
      const authorization = `${site}/admin/authorize-application.php`;
      assert.deepEqual(authentication, {
        'application-passwords': { endpoints: { authorization } },
      });
    }
  });

  it('lists the namespaces that are served', async () => {
    const served = ['mailer', 'models/v1', 'oembed/1.0', 'pwreset/v1', 'v1'];
    const own = (namespaces: string[]) =>
      namespaces.filter((namespace) => !namespace.startsWith('wp')).sort();
    assert.deepEqual(own((await root('A')).namespaces), served);
    assert.deepEqual(
      own((await root('B')).namespaces),
      [...served, 'pwreset', 'v1/healthcare'].sort(),
    );
    assert.equal((await root()).namespaces[0], 'oembed/1.0');
  });

  it('takes any context', async () => {
    assert.deepEqual(await root('A', 'context=nonsense'), await root());
  });

  it('describes each route by namespace, methods and endpoints, with a link to those without variables', async () => {
    const { routes } = await root();
    assert.deepEqual(Object.keys(routes['/v1/posts']), [
      'namespace',
      'methods',
      'endpoints',
      '_links',
    ]);
    assert.deepEqual(routes['/v1/posts']._links, {
      self: [{ href: `${service().url}/api/v1/posts` }],
    });
    const item = routes['/v1/posts/(?P<id>[\\d]+)'];
    assert.deepEqual(
      [item.namespace, item.methods, '_links' in item],
      ['v1', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], false],
    );
    assert.deepEqual([routes['/'].namespace, routes['/batch/v1'].namespace], ['', '']);
    assert.deepEqual(routes['/v1/posts'].endpoints[0].methods, ['GET']);
  });

  it('has a link to help', async () => {
    assert.equal(typeof (await root())._links.help[0].href, 'string');
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
        assert.equal(status, 200, namespace);
        assert.deepEqual(Object.keys(body), ['namespace', 'routes', '_links']);
        assert.equal(body.namespace, namespace);
        const own = Object.entries(routes as Record<string, { namespace: string }>).filter(
          ([, route]) => route.namespace === namespace,
        );
        assert.deepEqual(body.routes, Object.fromEntries(own), namespace);
        assert.ok(`/${namespace}` in body.routes);
        assert.deepEqual(body._links, {
          up: [{ href: `${service().url}${edition === 'A' ? '' : '/v3'}/api/` }],
        });
      }
    }
  });

  it('shows another namespace when asked', async () => {
    assert.deepEqual(
      (await index('/v1', 'namespace=models/v1')).body,
      (await index('/models/v1')).body,
    );
  });

  it('of an unknown namespace is 404', async () => {
    assert.deepEqual(failed(await index('/v1', 'namespace=nonsense')), [
      404,
      'rest_invalid_namespace',
    ]);
    assert.deepEqual(failed(await index('/nonsense')), [404, 'rest_no_route']);
  });

  it('takes any context, and no POST', async () => {
    assert.equal((await index('/v1', 'context=nonsense')).status, 200);
    assert.deepEqual(failed(await service().rest('POST', '/v1')), [404, 'rest_no_route']);
  });
});

describe('OPTIONS', () => {
  const service = useService();
  const options = (path: string, as: Caller = 'anonymous') =>
    service().rest('OPTIONS', path, { as });

  it('describes a route with the schema of its items, to anybody', async () => {
    const { status, body } = await options('/v1/posts');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ['namespace', 'methods', 'endpoints', 'schema', '_links']);
    assert.deepEqual([body.namespace, body.methods], ['v1', ['GET', 'POST']]);
    const { routes } = (await service().rest('GET', '')).body;
    assert.deepEqual(body.endpoints, routes['/v1/posts'].endpoints);
    assert.deepEqual(body._links, routes['/v1/posts']._links);
  });

  it('shows of each field its type, where it is shown, and whether it can be written', async () => {
    const { schema } = (await options('/v1/posts/1')).body;
    assert.deepEqual(
      [schema.$schema, schema.title, schema.type],
      ['http://json-schema.org/draft-04/schema#', 'post', 'object'],
    );
    const { id, title, date, password, modified, format } = schema.properties;
    assert.deepEqual(
      [id.type, id.readonly, id.context],
      ['integer', true, ['view', 'edit', 'embed']],
    );
    assert.deepEqual([date.format, date.readonly], ['date-time', undefined]);
    assert.deepEqual(
      [password.context, modified.context, modified.readonly],
      [['edit'], ['view', 'edit'], true],
    );
    assert.deepEqual(
      [title.properties.raw.context, title.properties.rendered.readonly],
      [['edit'], true],
    );
    assert.ok(format.enum.includes('standard'));
    assert.ok(Array.isArray(schema.links));
  });

  it('says in Allow what the caller may do', async () => {
    const { id } = await service().post();
    const draft = await service().post({ status: 'draft' });
    assert.equal((await options('/v1/posts')).headers.get('allow'), 'GET');
    assert.equal((await options('/v1/posts', 'author')).headers.get('allow'), 'GET, POST');
    assert.equal(
      (await options(`/v1/posts/${id}`, 'editor')).headers.get('allow'),
      'GET, POST, PUT, PATCH, DELETE',
    );
    const hidden = await options(`/v1/posts/${draft.id}`);
    assert.deepEqual([hidden.status, hidden.headers.get('allow')], [200, null]);
  });

  it('describes the root, the indexes and the batch as well', async () => {
    for (const [path, methods] of [
      ['/', ['GET']],
      ['/v1', ['GET']],
      ['/batch/v1', ['POST']],
    ] as const) {
      const { status, body } = await options(path);
      assert.deepEqual([status, body.methods], [200, methods], path);
    }
  });
});
