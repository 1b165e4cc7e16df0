import {
  type AnyVariables,
  Client,
  type CombinedError,
  type DocumentInput,
  fetchExchange,
  gql,
} from '@urql/core';
import { globalId } from '../../src/core/node.js';
import { bearer, type Caller, errorCode, useService } from '../support/harness.js';

const PASSWORD = 'correct horse battery';

const LOGIN = gql<{
  login: { token: string; refreshToken: string; viewer: { databaseId: number } };
}>`
  mutation Login($input: LoginInput!) { login(input: $input) { token refreshToken viewer { databaseId } } }`;
const VIEWER = gql<{
  viewer: {
    databaseId: number;
    username: string;
    email: string;
    roles: string[];
    isGuest: boolean;
  } | null;
}>`
  query Viewer { viewer { databaseId username email roles isGuest } }`;
const CREATE = gql<{
  createPost: { post: { databaseId: number; version: number; status: string } };
}>`
  mutation Create($input: CreatePostInput!) {
    createPost(input: $input) { post { databaseId version status } }
  }`;
const UPDATE = gql<{
  updatePost: { post: { databaseId: number; version: number; titleSource: string } };
}>`
  mutation Update($input: UpdatePostInput!) {
    updatePost(input: $input) { post { databaseId version titleSource } }
  }`;
const TRASH = gql<{ trashPost: { post: { status: string } } }>`
  mutation Trash($input: TrashPostInput!) { trashPost(input: $input) { post { status } } }`;
const DELETE = gql<{ deletePost: { deletedPostId: string } }>`
  mutation Delete($input: DeletePostInput!) { deletePost(input: $input) { deletedPostId } }`;
interface Listed {
  totalCount: number;
  edges: { cursor: string; node: { databaseId: number } }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}
const LIST = gql<{ posts: Listed }>`
  query List(
    $first: Int, $after: String, $last: Int, $before: String, $orderBy: ContentOrder, $filter: PostFilter
  ) {
    posts(
      first: $first, after: $after, last: $last, before: $before, orderBy: $orderBy, filter: $filter
    ) {
      totalCount
      edges { cursor node { databaseId } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;

const CREATE_TITLE =
  'mutation { createPost(input: { title: "T", status: PUBLISH }) { post { id } } }';

describe('A client written for GraphQL', () => {
  const service = useService();

  /** A client without a cache, whose requests bear these headers. */
  const client = (headers: Record<string, string> = {}) =>
    new Client({
      url: `${service().url}/graphql`,
      exchanges: [fetchExchange],
      preferGetMethod: false,
      fetchOptions: { headers },
    });
  const clientOf = async (as: Caller) => client(await service().authorization(as));

  async function ask<Data, Variables extends AnyVariables>(
    on: Client,
    document: DocumentInput<Data, Variables>,
    variables: Variables,
  ) {
    const text = typeof document === 'string' ? document : (document.loc?.source.body ?? '');
    const { data, error } = await (/^\s*mutation/.test(text)
      ? on.mutation(document, variables)
      : on.query(document, variables)
    ).toPromise();
    return { data: data as Data, error, codes: codesOf(error) };
  }
  const codesOf = (error: CombinedError | undefined) =>
    error?.graphQLErrors.map(({ extensions }) => extensions.code);

  async function makeAda(): Promise<number> {
    const query =
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
    const input = {
      username: 'Ada',
      email: 'ada@example.com',
      password: PASSWORD,
      roles: ['AUTHOR'],
    };
    const { body } = await service().graphql(
      query,
      { input },
      { headers: await service().session('administrator') },
    );
    return body.data.createUser.account.databaseId;
  }

  it('signs in and sees who it is', async () => {
    const id = await makeAda();
    const { data } = await ask(client(), LOGIN, {
      input: { username: 'ada@example.com', password: PASSWORD },
    });
    expect(data.login.viewer.databaseId).toBe(id);
    const { viewer } = (await ask(client(bearer(data.login.token)), VIEWER, {})).data;
    expect({ ...viewer }).toStrictEqual({
      databaseId: id,
      username: 'Ada',
      email: 'ada@example.com',
      roles: ['AUTHOR'],
      isGuest: false,
    });
    expect((await ask(client(), VIEWER, {})).data.viewer).toBeNull();
  });

  it('is not signed in by a wrong password, nor told whether there is such an account', async () => {
    await makeAda();
    const wrong = await ask(client(), LOGIN, { input: { username: 'ada', password: 'wrong' } });
    const nobody = await ask(client(), LOGIN, {
      input: { username: 'nobody', password: PASSWORD },
    });
    expect(wrong.codes).toStrictEqual(['INVALID_CREDENTIALS']);
    expect(nobody.error?.graphQLErrors[0]?.message).toStrictEqual(
      wrong.error?.graphQLErrors[0]?.message,
    );
    expect(nobody.codes).toStrictEqual(wrong.codes);
  });

  it('is told that its token is no longer good, but may sign in with it', async () => {
    await makeAda();
    const input = { username: 'ada', password: PASSWORD };
    const { token } = (await ask(client(), LOGIN, { input })).data.login;
    service().now = () => Date.now() + 16 * 60 * 1000;
    const stale = client(bearer(token));
    expect((await ask(stale, VIEWER, {})).codes).toStrictEqual(['TOKEN_EXPIRED']);
    expect((await ask(client({ authorization: 'Bearer x' }), VIEWER, {})).codes).toStrictEqual([
      'TOKEN_INVALID',
    ]);
    expect((await ask(stale, LOGIN, { input })).data.login.token).toBeTruthy();
  });

  it('creates a post and changes it by the version that it knows', async () => {
    const editor = await clientOf('editor');
    const { post } = (
      await ask(editor, CREATE, { input: { title: 'First', content: 'c', status: 'PUBLISH' } })
    ).data.createPost;
    expect([post.status, post.version]).toStrictEqual(['PUBLISH', 1]);
    const change = (title: string, version?: number) =>
      ask(editor, UPDATE, { input: { id: post.databaseId, title, version } });
    const changed = (await change('Second', post.version)).data.updatePost.post;
    expect([changed.titleSource, changed.version]).toStrictEqual(['Second', 2]);
    const stale = await change('Lost', post.version);
    expect(stale.codes).toStrictEqual(['CONFLICT']);
    expect(stale.error?.graphQLErrors[0]?.extensions.version).toBe(2);
    expect((await change('Third')).data.updatePost.post.titleSource).toBe('Third');
  });

  it('shows over REST the post that it made', async () => {
    const editor = await clientOf('editor');
    const fields = {
      title: 'Shared <b>post</b>',
      content: 'One.\n\nTwo.',
      excerpt: 'Short',
      format: 'ASIDE',
      isSticky: true,
      publishedAt: '2026-02-03T04:05:06.000Z',
    };
    const { post: made } = (await ask(editor, CREATE, { input: { ...fields, status: 'PUBLISH' } }))
      .data.createPost;
    const query = gql<{ post: Record<string, unknown> }>`
      query Read($id: ID!) {
        post(id: $id) {
          databaseId publishedAt slug url format isSticky status kind title titleSource content contentSource
          excerpt excerptSource author { databaseId } categories { databaseId }
        }
      }`;
    const { post } = (await ask(editor, query, { id: made.databaseId })).data;
    const { body } = await service().rest('GET', `/v1/posts/${made.databaseId}`, {
      as: 'editor',
      query: { context: 'edit' },
    });
    const { id, date_gmt, slug, link, sticky, title, content, excerpt } = body;
    expect(JSON.parse(JSON.stringify(post))).toStrictEqual({
      databaseId: id,
      publishedAt: `${date_gmt}.000Z`,
      slug,
      url: link,
      isSticky: sticky,
      format: body.format.toUpperCase(),
      status: body.status.toUpperCase(),
      kind: 'POST',
      title: title.rendered,
      titleSource: title.raw,
      content: content.rendered,
      contentSource: content.raw,
      excerpt: excerpt.rendered,
      excerptSource: excerpt.raw,
      author: { databaseId: body.author },
      categories: body.categories.map((databaseId: number) => ({ databaseId })),
    });
    expect(title.raw).toBe(fields.title);
  });

  const ORDERS = { PUBLISHED_AT: 'date', TITLE: 'title', MODIFIED_AT: 'modified', SLUG: 'slug' };
  for (const [field, orderby] of Object.entries(ORDERS)) {
    for (const direction of ['ASC', 'DESC'])
      it(`visits every post once from either end, ordered by ${field} ${direction}`, async () => {
        for (let i = 0; i < 7; i++)
          await service().post(
            { title: `Same ${i % 2}`, date: `2026-01-0${1 + (i % 3)}T00:00:00` },
            i % 2 ? 'author' : 'editor',
          );
        const orderBy = { field, direction };
        const forwards: number[] = [];
        const backwards: number[] = [];
        let after: string | null = null;
        do {
          const page: Listed = (await ask(client(), LIST, { first: 3, after, orderBy })).data.posts;
          expect(page.totalCount).toBe(7);
          expect(page.pageInfo.hasPreviousPage).toBe(forwards.length > 0);
          forwards.push(...page.edges.map(({ node }) => node.databaseId));
          after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
        } while (after);
        let before: string | null = null;
        do {
          const page: Listed = (await ask(client(), LIST, { last: 3, before, orderBy })).data.posts;
          expect(page.pageInfo.hasNextPage).toBe(backwards.length > 0);
          backwards.unshift(...page.edges.map(({ node }) => node.databaseId));
          before = page.pageInfo.hasPreviousPage ? page.pageInfo.startCursor : null;
        } while (before);
        const query = { orderby, order: direction.toLowerCase(), _fields: 'id' };
        const { body } = await service().rest('GET', '/v1/posts', { query });
        expect(forwards).toStrictEqual(body.map(({ id }: { id: number }) => id));
        expect(backwards).toStrictEqual(forwards);
      });
  }

  it('goes on behind the cursor although posts came and went', async () => {
    const made = [];
    for (let i = 1; i <= 4; i++)
      made.push((await service().post({ date: `2026-01-0${i}T00:00:00` })).id);
    const first = (await ask(client(), LIST, { first: 2 })).data.posts;
    await service().post({ date: '2026-01-09T00:00:00' });
    await service().rest('DELETE', `/v1/posts/${made[3]}`, { as: 'editor' });
    const second = (await ask(client(), LIST, { first: 2, after: first.pageInfo.endCursor })).data
      .posts;
    expect(second.edges.map(({ node }) => node.databaseId)).toStrictEqual([made[1], made[0]]);
  });

  it('is refused a cursor that is none, or one of another order', async () => {
    for (let i = 0; i < 2; i++) await service().post();
    const { endCursor } = (await ask(client(), LIST, { first: 1 })).data.posts.pageInfo;
    for (const variables of [
      { after: 'nonsense' },
      { after: endCursor, orderBy: { field: 'TITLE', direction: 'DESC' } },
      { after: 'a\0b' },
    ]) {
      const { codes } = await ask(client(), LIST, variables);
      expect(codes?.length).toBe(1);
      expect(String(codes?.[0])).toMatch(/^(CURSOR_INVALID|BAD_USER_INPUT)$/);
    }
  });

  it('bins a post and deletes it for good', async () => {
    const { id } = await service().post();
    const editor = await clientOf('editor');
    expect((await ask(editor, TRASH, { input: { id } })).data.trashPost.post.status).toBe('TRASH');
    expect((await ask(editor, TRASH, { input: { id } })).codes).toStrictEqual(['ALREADY_TRASHED']);
    const { deletedPostId } = (await ask(editor, DELETE, { input: { id } })).data.deletePost;
    expect(deletedPostId).toBe(globalId('Post', id));
    expect((await ask(editor, DELETE, { input: { id } })).codes).toStrictEqual(['POST_NOT_FOUND']);
  });

  it('is told by a code why something was refused', async () => {
    const { id } = await service().post();
    const codes = async (
      as: Caller,
      document: DocumentInput<unknown, AnyVariables>,
      variables: AnyVariables,
    ) => (await ask(await clientOf(as), document, variables)).codes;
    expect(await codes('anonymous', CREATE, { input: { title: 'T' } })).toStrictEqual([
      'FORBIDDEN_CREATE',
    ]);
    expect(await codes('subscriber', UPDATE, { input: { id, title: 'T' } })).toStrictEqual([
      'FORBIDDEN_EDIT',
    ]);
    expect(
      await codes('contributor', CREATE, { input: { title: 'T', status: 'PUBLISH' } }),
    ).toStrictEqual(['FORBIDDEN_PUBLISH']);
    expect(await codes('editor', CREATE, { input: { title: '' } })).toStrictEqual([
      'CONTENT_EMPTY',
    ]);
    expect(await codes('editor', UPDATE, { input: { id: 999 } })).toStrictEqual(['POST_NOT_FOUND']);
    expect(
      await codes('editor', CREATE, { input: { title: 'T', status: 'NONSENSE' } }),
    ).toStrictEqual(['BAD_USER_INPUT']);
    expect(await codes('editor', 'query { nothing }', {})).toStrictEqual([
      'GRAPHQL_VALIDATION_FAILED',
    ]);
    expect(await codes('editor', LIST, { first: 101 })).toStrictEqual(['BAD_USER_INPUT']);
  });

  it('runs a repeated mutation under one Idempotency-Key once', async () => {
    const editor = client({
      ...(await service().authorization('editor')),
      'idempotency-key': 'a-key',
    });
    const make = (title: string) => ask(editor, CREATE, { input: { title, status: 'PUBLISH' } });
    const { databaseId } = (await make('Once')).data.createPost.post;
    expect((await make('Once')).data.createPost.post.databaseId).toBe(databaseId);
    expect((await make('Twice')).codes).toStrictEqual(['IDEMPOTENCY_KEY_REUSED']);
    expect((await ask(client(), LIST, {})).data.posts.totalCount).toBe(1);
  });

  it('refuses a key that is not 1 to 200 visible ASCII characters, and changes nothing', async () => {
    const signedIn = await service().authorization('editor');
    for (const key of ['two words', 'k'.repeat(201), '\u00e9']) {
      const headers = { ...signedIn, 'idempotency-key': key };
      const { status, body } = await service().graphql(CREATE_TITLE, {}, { headers });
      expect(status).toBe(400);
      expect(errorCode(body)).toBe('IDEMPOTENCY_KEY_INVALID');
    }
    expect((await ask(client(), LIST, {})).data.posts.totalCount).toBe(0);
  });

  for (const as of ['anonymous', 'subscriber', 'author'] as const) {
    it(`sees no raw text and no password of others, as ${as}`, async () => {
      const { id } = await service().post({
        title: 'Public',
        content: 'hidden',
        password: 'secret',
      });
      const query =
        'query($id: ID!) { post(id: $id) { databaseId password title titleSource content ' +
        'contentSource isProtected author { email roles } } }';
      const { body } = await service().graphql(query, { id }, { as });
      expect(body).toStrictEqual({
        data: {
          post: {
            databaseId: id,
            password: null,
            title: 'Public',
            titleSource: null,
            content: '',
            contentSource: null,
            isProtected: true,
            author: { email: null, roles: null },
          },
        },
      });
      expect(body.errors, 'what may not be seen is null').toBeUndefined();
      expect(JSON.stringify(body)).not.toMatch(/hidden|secret/);
    });
  }

  for (const as of [
    'anonymous',
    'subscriber',
    'editor',
    'analyst',
    'clinician',
    'administrator',
  ] as const) {
    const open = ['analyst', 'clinician', 'administrator'].includes(as);
    it(`may ${open ? '' : 'not '}look into the schema, as ${as}`, async () => {
      for (const query of [
        '{ __schema { queryType { name } } }',
        '{ __type(name: "Post") { name } }',
      ]) {
        const { data, codes } = await ask(await clientOf(as), query, {});
        if (open) expect(data).toBeTruthy();
        else expect(codes).toStrictEqual(['INTROSPECTION_FORBIDDEN']);
      }
      expect((await ask(await clientOf(as), '{ __typename }', {})).codes).toBeUndefined();
    });
  }

  it('may look into the whole schema with the query that tools send, as an analyst', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    expect(
      (await ask(await clientOf('analyst'), getIntrospectionQuery(), {})).codes,
    ).toBeUndefined();
  });

  const wide = (first: string) =>
    `posts(first: ${first}) { nodes { ${Array.from({ length: 250 }, (_, i) => `a${i}: id`).join(' ')} } }`;
  const LARGE: [name: string, query: string, variables: object][] = [
    ['many rows of many fields', `{ ${wide('100')} }`, {}],
    [
      'many rows of many fields, said by a variable',
      `query($first: Int) { ${wide('$first')} }`,
      { first: 100 },
    ],
    [
      'many rows of many fields, said by a default',
      `query($first: Int = 100) { ${wide('$first')} }`,
      {},
    ],
    [
      'many rows of many fields, in fragments',
      `{ ${Array.from({ length: 9 }, (_, i) => `p${i}: posts(first: 100) { ...Page }`).join(' ')} }
      fragment Page on PostConnection { nodes { ${Array.from({ length: 30 }, (_, i) => `a${i}: id`).join(' ')} } }`,
      {},
    ],
    [
      'many fields at the root',
      `mutation { ${Array.from({ length: 11 }, (_, i) => `l${i}: login(input: { username: "a", password: "${i}" }) { token }`).join(' ')} }`,
      {},
    ],
  ];
  for (const [name, query, variables] of LARGE) {
    it(`is refused what asks for too much: ${name}`, async () => {
      const { status, body } = await service().graphql(query, variables);
      expect(
        body.errors?.map(({ extensions }: { extensions: { code: string } }) => extensions.code),
      ).toStrictEqual(['DOCUMENT_TOO_LARGE']);
      expect(body.data).toBeUndefined();
      expect(status).toBe(400);
    });
  }

  it('is refused what is too deep', async () => {
    const query = `{ pages { nodes ${'{ parent '.repeat(20)} { id } ${'}'.repeat(20)} } }`;
    const { status, body } = await service().graphql(query);
    expect(
      body.errors.some(
        ({ extensions }: { extensions: { code: string } }) =>
          extensions.code === 'DOCUMENT_TOO_LARGE',
      ),
    ).toBeTruthy();
    expect(status).toBe(400);
  });

  it('is refused documents of too many words, fragments that hold themselves, and lists of requests', async () => {
    const words = await service().graphql(`{ ${'__typename '.repeat(5000)} }`);
    expect([words.status, words.body.data]).toStrictEqual([400, undefined]);
    const circle = await service().graphql(
      '{ posts { nodes { ...A } } } fragment A on Post { ...B } fragment B on Post { ...A }',
    );
    expect([circle.status, errorCode(circle.body)]).toStrictEqual([
      400,
      'GRAPHQL_VALIDATION_FAILED',
    ]);
    const headers = { 'content-type': 'application/json' };
    const many = await service().fetch('/graphql', {
      method: 'POST',
      headers,
      body: JSON.stringify(Array(50).fill({ query: '{ __typename }' })),
    });
    expect(many.status).toBe(400);
  });

  it('is told nothing of the schema by a misspelled name', async () => {
    const { body } = await service().graphql('{ post(id: 1) { titel } viewr { id } }');
    for (const { message } of body.errors) expect(message).not.toMatch(/Did you mean/);
  });

  it('changes nothing by GET', async () => {
    const { authorization = '' } = await service().authorization('editor');
    const query = 'mutation { createPost(input: { title: "T", status: PUBLISH }) { post { id } } }';
    const headers = { authorization, 'apollo-require-preflight': '1', accept: 'application/json' };
    const { status } = await service().fetch(`/graphql?${new URLSearchParams({ query })}`, {
      headers,
    });
    expect(status >= 400 && status < 500, String(status)).toBe(true);
    expect((await ask(client(), LIST, {})).data.posts.totalCount).toBe(0);
  });

  it('gets an answer below 500 for any body', async () => {
    const bodies = [
      '',
      '{',
      'null',
      '[]',
      '{}',
      '{"query":5}',
      '{"query":"{"}',
      '{"query":"{ posts(filter: { ids: [-2147483648] }) { totalCount } }"}',
      '{"query":"{ posts(filter: { publishedAfter: \\"0001-01-01T00:00:00+14:00\\" }) { totalCount } }"}',
      '{"query":"{ post(id: 99999999999) { id } }"}',
      '{"query":"query($id: ID!) { post(id: $id) { id } }","variables":{"id":"x"}}',
      '{"query":"{ __typename }","variables":[1]}',
    ];
    for (const body of bodies) {
      const { status, body: answer } = await service().fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(status, `${status} for ${body}`).toBeLessThan(500);
      if (status >= 400) expect(answer.errors.length, body).toBeGreaterThan(0);
      expect(JSON.stringify(answer), body).not.toMatch(/INTERNAL/);
    }
  });
});
