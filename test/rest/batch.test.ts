import { type Answer, type Sending, useService } from '../support/harness.js';

type Sub = Record<string, unknown>;

const draft = (title: string): Sub => ({ path: '/v1/posts', body: { title } });
const publish = (body: object): Sub => ({
  path: '/v1/posts',
  body: { status: 'publish', ...body },
});
const MISFIT: Sub = { path: '/v1/posts', body: { title: 'x', status: 'nonsense' } };
const failed = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body?.code,
];

describe('The batch', () => {
  const service = useService();
  const send = (body: unknown, sending: Sending = {}) =>
    service().rest('POST', '/batch/v1', { as: 'editor', body, ...sending });
  const batch = (requests: Sub[], sending: Sending = {}) => send({ requests }, sending);
  const careful = (requests: Sub[], sending: Sending = {}) =>
    send({ requests, validation: 'require-all-validate' }, sending);
  const statuses = ({ body }: Answer) =>
    body.responses.map(({ status }: { status: number }) => status);
  const titles = async () =>
    (
      await service().rest('GET', '/v1/posts', {
        as: 'editor',
        query: 'status=any&orderby=id&order=asc&context=edit',
      })
    ).body.map((post: { title: { raw: string } }) => post.title.raw);

  describe('as an envelope', () => {
    it('answers 207 with one response for each request, in their order', async () => {
      const { status, body } = await batch([draft('One'), MISFIT, draft('Two')]);
      expect(status).toBe(207);
      expect(Object.keys(body)).toStrictEqual(['responses']);
      expect(body.responses.map((response: object) => Object.keys(response))).toStrictEqual(
        Array(3).fill(['body', 'status', 'headers']),
      );
      expect([body.responses[0].body.title.raw, body.responses[2].body.title.raw]).toStrictEqual([
        'One',
        'Two',
      ]);
    });

    it('answers 207 although every request fails, and for an empty list', async () => {
      expect([
        (await batch([MISFIT, MISFIT])).status,
        statuses(await batch([MISFIT, MISFIT])),
      ]).toStrictEqual([207, [400, 400]]);
      const { status, body } = await batch([]);
      expect([status, body]).toStrictEqual([207, { responses: [] }]);
    });

    it('is open to everyone: each request is judged for the one who sent the batch', async () => {
      const { status, body } = await batch([draft('One')], { as: 'anonymous' });
      expect([status, failed(body.responses[0])]).toStrictEqual([207, [401, 'rest_cannot_create']]);
      expect(statuses(await batch([draft('One')], { as: 'subscriber' }))).toStrictEqual([403]);
      expect(statuses(await batch([draft('One')], { as: 'contributor' }))).toStrictEqual([201]);
    });

    it('is the same in edition B, whose posts it makes at addresses of B', async () => {
      const { body } = await batch([draft('One')], { edition: 'B' });
      expect(body.responses[0].headers.Location).toBe(
        `${service().url}/v3/api/v1/posts/${body.responses[0].body.id}`,
      );
    });

    it('can be sent as a form, and in a query', async () => {
      const fields =
        'requests[0][path]=/v1/posts&requests[0][body][title]=Form&requests[1][path]=/v1/nothing';
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await service().rest('POST', '/batch/v1', {
        as: 'editor',
        raw: fields,
        headers,
      });
      expect([answer.status, statuses(answer)]).toStrictEqual([207, [201, 404]]);
      const query = 'requests[0][path]=/v1/posts&requests[0][body][title]=Query';
      expect(
        statuses(await service().rest('POST', '/batch/v1', { as: 'editor', query })),
      ).toStrictEqual([201]);
    });

    it('can be put into an envelope itself', async () => {
      const { status, body } = await batch([draft('One')], { query: '_envelope' });
      expect([status, body.status, body.body.responses[0].status]).toStrictEqual([200, 207, 201]);
    });

    it('shows what _fields names of the envelope alone', async () => {
      const { status, body } = await batch([draft('One')], { query: '_fields=responses.status' });
      expect([status, body]).toStrictEqual([207, { responses: [] }]);
    });

    it('is there for POST alone', async () => {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await service().rest(method, '/batch/v1', {
          as: 'editor',
          ...(method !== 'GET' && { body: { requests: [] } }),
        });
        expect(failed(answer), method).toStrictEqual([404, 'rest_no_route']);
      }
    });
  });

  describe('whose envelope does not fit', () => {
    const validationError = ({ status, body }: Answer) => {
      const [name = ''] = Object.keys(body.data?.params ?? {});
      return [status, body.code, name, body.data?.params?.[name], body.data?.details?.[name]?.code];
    };
    const refused = (name: string, message: string, code: string) => [
      400,
      'rest_invalid_param',
      name,
      message,
      code,
    ];
    const VERBS = 'POST, PUT, PATCH, and DELETE';

    const ENVELOPES: [rule: string, body: unknown, answer: unknown[]][] = [
      [
        'requests is a list',
        { requests: [draft('One'), 5] },
        refused('requests', 'requests[1] is not of type object.', 'rest_invalid_type'),
      ],
      [
        'a request has a path',
        { requests: [draft('One'), { method: 'POST' }] },
        refused(
          'requests',
          'path is a required property of requests[1].',
          'rest_property_required',
        ),
      ],
      [
        'a path is a text',
        { requests: [{ path: 5 }] },
        refused('requests', 'requests[0][path] is not of type string.', 'rest_invalid_type'),
      ],
      [
        'GET is not for batches',
        { requests: [{ path: '/v1/posts' }, { method: 'GET', path: '/v1/posts' }] },
        refused('requests', `requests[1][method] is not one of ${VERBS}.`, 'rest_not_in_enum'),
      ],
      [
        'HEAD is not for batches',
        { requests: [{ method: 'HEAD', path: '/v1/posts' }] },
        refused('requests', `requests[0][method] is not one of ${VERBS}.`, 'rest_not_in_enum'),
      ],
      [
        'methods are in upper case',
        { requests: [{ method: 'post', path: '/v1/posts' }] },
        refused('requests', `requests[0][method] is not one of ${VERBS}.`, 'rest_not_in_enum'),
      ],
      [
        'a body is an object',
        { requests: [{ path: '/v1/posts', body: 'x' }] },
        refused('requests', 'requests[0][body] is not of type object.', 'rest_invalid_type'),
      ],
      [
        'validation is one of two words',
        { requests: [], validation: 'sometimes' },
        refused(
          'validation',
          'validation is not one of require-all-validate and normal.',
          'rest_not_in_enum',
        ),
      ],
      [
        'only the first problem of a list is told',
        { requests: [{ path: 5 }, { method: 'GET' }] },
        refused('requests', 'requests[0][path] is not of type string.', 'rest_invalid_type'),
      ],
    ];
    for (const [rule, body, expected] of ENVELOPES) {
      it(`is refused, and nothing runs: ${rule}`, async () => {
        expect(validationError(await send(body))).toStrictEqual(expected);
        expect(await titles()).toStrictEqual([]);
      });
    }

    it('is refused for a header that is an object', async () => {
      const [status, code, name] = validationError(
        await batch([{ path: '/v1/posts', headers: { 'X-A': { b: 'x' } } }]),
      );
      expect([status, code, name]).toStrictEqual([400, 'rest_invalid_param', 'requests']);
    });

    it('is refused without requests', async () => {
      for (const body of [{}, { validation: 'normal' }, { requests: null }]) {
        const answer = await send(body);
        expect(failed(answer)).toStrictEqual([400, 'rest_missing_callback_param']);
        expect(answer.body.data.params).toStrictEqual(['requests']);
      }
    });

    it('is refused beyond 25 requests', async () => {
      const requests = (length: number) => Array.from({ length }, () => ({ path: '/v1/nothing' }));
      expect(statuses(await batch(requests(25))).length).toBe(25);
      const expected = refused(
        'requests',
        'requests must contain at most 25 items.',
        'rest_too_many_items',
      );
      expect(validationError(await batch(requests(26)))).toStrictEqual(expected);
    });

    it('is refused as malformed JSON', async () => {
      const answer = await service().rest('POST', '/batch/v1', {
        raw: '{"requests":[',
        headers: { 'content-type': 'application/json' },
      });
      expect(failed(answer)).toStrictEqual([400, 'rest_invalid_json']);
    });
  });

  describe('of requests', () => {
    it('posts when no method is named', async () => {
      expect(statuses(await batch([draft('One')]))).toStrictEqual([201]);
    });

    it('changes and deletes', async () => {
      const { id } = await service().post({ title: 'Before', content: 'Kept' });
      const { body } = await batch([
        { method: 'PATCH', path: `/v1/posts/${id}`, body: { title: 'Patched' } },
        { method: 'PUT', path: `/v1/posts/${id}`, body: { excerpt: 'Put' } },
        { method: 'DELETE', path: `/v1/posts/${id}` },
        { method: 'DELETE', path: `/v1/posts/${id}?force=true` },
      ]);
      const [patched, put, trashed, gone] = body.responses.map((response: Answer) => response.body);
      expect([patched.title.raw, put.title.raw, put.content.raw, put.excerpt.raw]).toStrictEqual([
        'Patched',
        'Patched',
        'Kept',
        'Put',
      ]);
      expect([trashed.status, gone.deleted, gone.previous.status]).toStrictEqual([
        'trash',
        true,
        'trash',
      ]);
    });

    it('lets later requests see what earlier ones did', async () => {
      const { id } = await service().post();
      const again = { method: 'DELETE', path: `/v1/posts/${id}?force=true` };
      expect(statuses(await batch([again, again]))).toStrictEqual([200, 404]);
      const { body } = await batch([
        { path: '/v1/posts', body: { title: 'Same', status: 'publish' } },
        { path: '/v1/posts', body: { title: 'Same', status: 'publish' } },
      ]);
      expect(body.responses.map((response: Answer) => response.body.slug)).toStrictEqual([
        'same',
        'same-2',
      ]);
    });

    it('goes on after a failure', async () => {
      expect(
        statuses(
          await batch([draft('One'), MISFIT, { path: '/v1/posts/999', body: {} }, draft('Two')]),
        ),
      ).toStrictEqual([201, 400, 404, 201]);
      expect(await titles()).toStrictEqual(['One', 'Two']);
    });

    it('answers whole objects of the edit context, with links', async () => {
      const { body } = await batch([draft('One')]);
      const { title, _links } = body.responses[0].body;
      expect(title.raw).toBe('One');
      expect(_links.self[0].href).toBe(
        `${service().url}/api/v1/posts/${body.responses[0].body.id}`,
      );
    });

    it('answers Location and Allow as headers, and an empty map where there are none', async () => {
      const { body } = await batch([draft('One'), { path: '/v1/nothing' }]);
      const [made, unknown] = body.responses;
      expect(made.headers).toStrictEqual({
        Location: `${service().url}/api/v1/posts/${made.body.id}`,
        Allow: 'GET, POST',
      });
      expect(unknown.headers).toStrictEqual({});
    });

    it('reads the query of a path, _fields as well', async () => {
      const { body } = await batch([
        { path: '/v1/posts?_fields=id,title.raw&title=Query', body: { status: 'pending' } },
      ]);
      expect(body.responses[0].body).toStrictEqual({ id: 1, title: { raw: 'Query' } });
    });

    it('lets the path win over the body, and the body over the query', async () => {
      const [one, other] = [
        await service().post({ title: 'One' }),
        await service().post({ title: 'Other' }),
      ];
      const { body } = await batch([
        { path: `/v1/posts/${one.id}?title=Query`, body: { id: other.id, title: 'Body' } },
      ]);
      expect([body.responses[0].body.id, body.responses[0].body.title.raw]).toStrictEqual([
        one.id,
        'Body',
      ]);
    });

    for (const path of [
      'v1/posts',
      '/v1/posts/',
      '/api/v1/posts',
      'https://example.com/api/v1/posts',
      'https://example.com',
      '',
      '/',
      '/v1//posts',
      '/nothing',
      '/v1',
    ]) {
      it(`names no route by "${path}"`, async () => {
        const { body } = await batch([{ path, body: { title: 'T' } }]);
        expect(failed(body.responses[0])).toStrictEqual([404, 'rest_no_route']);
      });
    }

    it('counts path and query alone of an address with a scheme or a host', async () => {
      for (const path of [
        'https://example.com:8080/v1/posts?title=Q',
        '//example.com/v1/posts?title=Q#f',
        'https:/v1/posts?title=Q',
      ]) {
        const { body } = await batch([{ path }]);
        expect([body.responses[0].status, body.responses[0].body.title?.raw], path).toStrictEqual([
          201,
          'Q',
        ]);
      }
      const { body } = await batch([
        { path: 'https://example.com/batch/v1', body: { requests: [] } },
      ]);
      expect(failed(body.responses[0])).toStrictEqual([400, 'rest_batch_not_allowed']);
    });

    for (const path of [
      '///',
      '///v1/posts',
      'https:///v1/posts',
      '//host:x/v1/posts',
      '//host:65536/v1/posts',
      '//@/v1/posts',
    ]) {
      it(`cannot parse "${path}"`, async () => {
        const { body } = await batch([{ path }]);
        expect([failed(body.responses[0]), body.responses[0].body.message]).toStrictEqual([
          [400, 'parse_path_failed'],
          'Could not parse the path.',
        ]);
      });
    }

    it('reads no address that is longer than a request line', async () => {
      for (const path of [`//${'@['.repeat(60_000)}`, `/v1/posts/${'1'.repeat(20_000)}`]) {
        const { body } = await batch([{ path }]);
        expect(failed(body.responses[0])).toStrictEqual([400, 'parse_path_failed']);
      }
    });

    it('has no routes that do not allow it', async () => {
      const { body } = await batch([
        { path: '/v1/login', body: {} },
        { path: '/batch/v1', body: { requests: [] } },
      ]);
      for (const response of body.responses)
        expect(failed(response)).toStrictEqual([400, 'rest_batch_not_allowed']);
    });

    it('ignores credentials and overridden methods in the headers of a request', async () => {
      const { authorization = '' } = await service().authorization('editor');
      const headers = { Authorization: authorization, 'X-HTTP-Method-Override': 'DELETE' };
      const { id } = await service().post();
      expect(
        statuses(
          await batch([{ path: '/v1/posts', body: { title: 'T' }, headers }], { as: 'anonymous' }),
        ),
      ).toStrictEqual([401]);
      const { body } = await batch([{ path: `/v1/posts/${id}`, body: {}, headers }]);
      expect(body.responses[0].body.status).toBe('publish');
    });

    it('takes headers of texts, numbers and lists, and ignores keys that nobody knows', async () => {
      const headers = { 'X-A': 'a', 'X-B': 1, 'X-C': ['1', '2'] };
      expect(statuses(await batch([{ ...draft('One'), headers, more: { x: 1 } }]))).toStrictEqual([
        201,
      ]);
    });

    it('does not trust names of prototypes', async () => {
      const raw =
        '{"requests":[{"path":"/v1/posts","body":{"title":"T","__proto__":{"status":"publish"},"constructor":{"prototype":{"x":1}}}}]}';
      const { body } = await service().rest('POST', '/batch/v1', {
        as: 'editor',
        raw,
        headers: { 'content-type': 'application/json' },
      });
      expect(body.responses[0].body.status).toBe('draft');
      expect(({} as { x?: number }).x).toBeUndefined();
    });

    it('with an Idempotency-Key runs once', async () => {
      const headers = { 'idempotency-key': 'a-key' };
      const [first, again] = [
        await batch([draft('One'), draft('Two')], { headers }),
        await batch([draft('One'), draft('Two')], { headers }),
      ];
      const ids = ({ body }: Answer) => body.responses.map((response: Answer) => response.body.id);
      expect(ids(again)).toStrictEqual(ids(first));
      expect(await titles()).toStrictEqual(['One', 'Two']);
    });
  });

  describe('of creates, which are made together', () => {
    const bodies = ({ body }: Answer) =>
      body.responses.map(({ body: post }: { body: object }) => post);

    it('gives ids and free slugs in their order, as one after the other would', async () => {
      await service().post({ title: 'Hello' });
      const posts = bodies(
        await batch(
          ['Hello', 'Hello 3', 'hello', 'Feed', 'Hello!'].map((title) => publish({ title })),
        ),
      );
      expect(posts.map(({ slug }: { slug: string }) => slug)).toStrictEqual([
        'hello-2',
        'hello-3',
        'hello-4',
        'feed-2',
        'hello-5',
      ]);
      const ids = posts.map(({ id }: { id: number }) => id);
      expect(ids).toStrictEqual([...ids].sort((a, b) => a - b));
    });

    it('files each under its own terms', async () => {
      const [red, blue] = [await service().term('TAG', 'Red'), await service().term('TAG', 'Blue')];
      const tags = [[red], [], [blue, red, blue], [999]];
      const posts = bodies(await batch(tags.map((ids) => publish({ title: 'x', tags: ids }))));
      expect(
        posts.map((post: { tags: number[]; categories: number[] }) => [post.tags, post.categories]),
      ).toStrictEqual([
        [[red], [1]],
        [[], [1]],
        [[blue, red], [1]],
        [[], [1]],
      ]);
    });

    it('refuses each for itself', async () => {
      const answer = await batch([
        draft('One'),
        draft(''),
        { ...draft('Two'), body: { title: 'Two', author: 999 } },
        draft('Three'),
      ]);
      expect(statuses(answer)).toStrictEqual([201, 400, 400, 201]);
      expect([
        answer.body.responses[1].body.code,
        answer.body.responses[2].body.code,
      ]).toStrictEqual(['empty_content', 'rest_invalid_author']);
      expect(await titles()).toStrictEqual(['One', 'Three']);
    });

    it('makes the others when the database does not take one', async () => {
      await service().database.prisma
        .$executeRaw`ALTER TABLE content_item ADD CONSTRAINT nobody CHECK (title <> 'Two')`;
      const answer = await batch(
        ['One', 'Two', 'Three'].map((title) => publish({ title })),
      ).finally(
        () =>
          service().database.prisma.$executeRaw`ALTER TABLE content_item DROP CONSTRAINT nobody`,
      );
      expect(statuses(answer)).toStrictEqual([201, 500, 201]);
      expect(await titles()).toStrictEqual(['One', 'Three']);
    });

    it('knows a page made before it as a parent', async () => {
      const page = (body: object): Sub => ({
        path: '/v1/pages',
        body: { status: 'publish', ...body },
      });
      const { id } = bodies(await batch([page({ title: 'First' })]))[0];
      const answer = await batch([
        page({ title: 'Above' }),
        page({ title: 'Below', parent: id + 1 }),
        page({ title: 'x', parent: 9999 }),
      ]);
      expect(statuses(answer)).toStrictEqual([201, 201, 400]);
      expect(answer.body.responses[1].body.link).toBe(`${service().url}/above/below/`);
    });

    it('of several kinds, with changes between them, keeps their order', async () => {
      const { id } = await service().post({ title: 'Old' });
      const rename = (title: string): Sub => ({
        path: `/v1/posts/${id}`,
        body: { title, slug: title },
      });
      const answer = await batch([
        publish({ title: 'News' }),
        rename('news'),
        publish({ title: 'News' }),
        { path: '/v1/pages', body: { title: 'News', status: 'publish' } },
      ]);
      expect(bodies(answer).map(({ slug }: { slug: string }) => slug)).toStrictEqual([
        'news',
        'news-2',
        'news-3',
        'news',
      ]);
    });

    it('with an Idempotency-Key are each made once', async () => {
      const sending = { headers: { 'idempotency-key': 'together' } };
      const ids = (answer: Answer) => bodies(answer).map(({ id }: { id: number }) => id);
      const first = ids(await batch([draft('One'), draft('Two')], sending));
      expect(ids(await batch([draft('One'), draft('Two')], sending))).toStrictEqual(first);
      expect(await titles()).toStrictEqual(['One', 'Two']);
    });
  });

  describe('in which all must be valid', () => {
    it('runs as usual when they are', async () => {
      const { status, body } = await careful([draft('One'), draft('Two')]);
      expect([status, 'failed' in body, body.responses[1].status]).toStrictEqual([207, false, 201]);
      expect(await titles()).toStrictEqual(['One', 'Two']);
    });

    it('runs nothing when one is not, and says which', async () => {
      const { status, body } = await careful([
        draft('One'),
        MISFIT,
        { path: '/v1/nothing' },
        { path: '/v1/login', body: {} },
      ]);
      expect([status, body.failed]).toStrictEqual([207, 'validation']);
      const [valid, ...invalid] = body.responses;
      expect(valid).toBeNull();
      expect(invalid.map(failed)).toStrictEqual([
        [400, 'rest_invalid_param'],
        [404, 'rest_no_route'],
        [400, 'rest_batch_not_allowed'],
      ]);
      expect(invalid.map(({ headers }: { headers: object }) => headers)).toStrictEqual([
        {},
        {},
        {},
      ]);
      expect(await titles()).toStrictEqual([]);
    });

    it('judges parameters alone: rights and what exists are found out by running', async () => {
      const answer = await careful([
        { path: '/v1/posts/999', body: {} },
        { path: '/v1/posts', body: { title: '' } },
        draft('One'),
      ]);
      expect('failed' in answer.body).toBe(false);
      expect(answer.body.responses.map(failed)).toStrictEqual([
        [404, 'rest_post_invalid_id'],
        [400, 'empty_content'],
        [201, undefined],
      ]);
      expect(statuses(await careful([draft('Two')], { as: 'anonymous' }))).toStrictEqual([401]);
    });
  });
});
