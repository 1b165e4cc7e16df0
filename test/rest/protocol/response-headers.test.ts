import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app/app.js';
import { readConfig } from '../../../src/config/config.js';
import { makeListener } from '../../../src/process/listener.js';
import { type Answer, type Caller, type Sending, useService } from '../../support/harness.js';

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
        'X-WP-Total, X-WP-TotalPages, Link, GraphQL-Operation, RateLimit, Retry-After, ETag, Deprecation, Sunset',
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

  it('Link spells lists and booleans as they were read, and leaves the rest as it was sent', async () => {
    for (let i = 0; i < 3; i++) await service().post({ sticky: true });
    const spelled = async (query: string) => {
      const answer = await send('GET', '/v1/posts', {
        as: 'editor',
        query: `${query}&per_page=1&_fields=id,slug`,
      });
      const [, read] =
        /posts\?(.*)&per_page=1&_fields=id%2Cslug&page=2>/.exec(header(answer, 'link') ?? '') ?? [];
      return read;
    };
    const sent = [
      ['status=publish,draft&sticky=true', 'status%5B0%5D=publish&status%5B1%5D=draft&sticky=1'],
      ['include=1,2&exclude=', 'include%5B0%5D=1&include%5B1%5D=2&exclude'],
      [
        'categories[terms]=1,2&categories[include_children]=TRUE',
        'categories%5Bterms%5D%5B0%5D=1&categories%5Bterms%5D%5B1%5D=2&categories%5Binclude_children%5D=1',
      ],
      ['ignore_sticky=false&order=asc&other=a,b', 'ignore_sticky=false&order=asc&other=a%2Cb'],
      ['after=2020-01-01+00:00:00&status=', 'after=2020-01-01+00%3A00%3A00&status'],
    ] as const;
    for (const [query, read] of sent) expect(await spelled(query), query).toBe(read);
  });

  it('Link leaves lists of more than 50 elements together as they were sent', async () => {
    const made = [await service().post(), await service().post(), await service().post()];
    const ids = (count: number) =>
      [
        ...made.map(({ id }) => id),
        ...Array.from({ length: count - 3 }, (_, i) => 5_000 + i),
      ].join();
    const next = async (query: string) => {
      const answer = await send('GET', '/v1/posts', { query: `${query}&per_page=1` });
      return /posts\?([^>]*)>; rel="next"/.exec(header(answer, 'link') ?? '')?.[1] ?? '';
    };
    expect(await next(`include=${ids(48)}&exclude=8,9`)).toMatch(
      /include%5B47%5D=5044&exclude%5B0%5D=8&exclude%5B1%5D=9&/,
    );
    expect(await next(`include=${ids(48)}&exclude=7,8,9`)).toMatch(/%2C5044&exclude=7%2C8%2C9&/);
    const long = await next(`include=${ids(1_010)}`);
    const followed = await send('GET', '/v1/posts', { query: long });
    expect([followed.status, followed.body.length]).toStrictEqual([200, 1]);
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

  it.each(['GZIP', 'GZip;Q=1', 'br, Gzip ;q=0.5', 'x-gzip', 'X-GZIP', 'gzip;q=0.001', 'a,gzip'])(
    'by gzip however it is spelled: %s',
    async (accepted) => expect((await encoding(accepted)).encoding).toBe('gzip'),
  );

  const NOT = [
    'identity',
    'deflate',
    'gzip;q=0',
    'GZIP;Q=0.000',
    'gzip ; q = 0',
    'gzipped',
    'xgzip',
  ];
  it.each([...NOT, 'br;q=1,gzip;q=0,deflate'])(
    'not when it is not asked for, or refused, and caches are told: %s',
    async (accepted) => {
      const { encoding: used, vary } = await encoding(accepted);
      expect(used).toBeNull();
      expect(vary).toMatch(/Accept-Encoding/);
    },
  );

  it('is told to caches by 304 and HEAD as by the body', async () => {
    await service().post({ content: 'word '.repeat(1000) });
    const ask = async (method: string, accepted: string, tag = '""') => {
      const headers = { 'accept-encoding': accepted, 'if-none-match': tag };
      const answer = await service().rest(method, '/v1/posts', { headers });
      const { headers: told, status, text } = answer;
      const names = ['etag', 'vary', 'content-encoding', 'content-length'];
      return { status, text, told: names.map((name) => told.get(name)) };
    };
    for (const accepted of ['gzip', 'identity']) {
      const got = await ask('GET', accepted);
      const [tag, vary] = got.told;
      expect(vary).toMatch(/Accept-Encoding/);
      expect(await ask('HEAD', accepted)).toStrictEqual({ ...got, text: '' });
      for (const method of ['GET', 'HEAD'])
        expect(await ask(method, accepted, tag ?? '')).toStrictEqual({
          status: 304,
          text: '',
          told: [tag, vary, null, null],
        });
    }
  });

  it('not of what is small', async () => {
    expect((await encoding('gzip', '_fields=id')).encoding).toBeNull();
  });
});
