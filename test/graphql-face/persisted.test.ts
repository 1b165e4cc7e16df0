import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { isShared } from '../../src/core/marks.js';
import { PersistedDocuments } from '../../src/graphql/persisted-documents.js';
import { type Answer, errorCode, mutation, useService } from '../support/harness.js';
import { ROLES, SHARED } from '../support/kept.js';

const PREFLIGHT = { 'apollo-require-preflight': '1' };
const POSTS = '{ posts(first: 2) { nodes { title } } }';
const CREATE = mutation('createPost', 'post { databaseId }');

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
/** A text of GraphQL that no test has sent before. */
const fresh = (text: string) => `# ${crypto.randomUUID()}\n${text}`;
const named = (hash: string) => ({ persistedQuery: { version: 1, sha256Hash: hash } });
const cachingOf = ({ headers }: Answer) => headers.get('cache-control');

describe('A persisted document', () => {
  const service = useService();

  /** Sends a request by GET, with parameters that are texts or JSON. */
  const get = (asked: object, headers: Record<string, string> = {}) => {
    const parameters = Object.entries(asked).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return service().fetch(`/graphql?${new URLSearchParams(parameters)}`, {
      headers: { ...PREFLIGHT, ...headers },
    });
  };
  const post = (asked: object, headers: Record<string, string> = {}) =>
    service().fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(asked),
    });
  const isKept = async (text: string) =>
    errorCode((await get({ extensions: named(hashOf(text)) })).body) !==
    'PERSISTED_QUERY_NOT_FOUND';

  it("is sent once by Apollo's client, which names it by its hash in GET from then on", async () => {
    await service().post({ title: 'Shown' });
    const sent: string[] = [];
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: ApolloLink.from([
        new PersistedQueryLink({ sha256: hashOf, useGETForHashedQueries: true }),
        new HttpLink({
          uri: `${service().url}/graphql`,
          fetch: (url, init) => {
            const hasText = `${decodeURIComponent(String(url))}${init?.body ?? ''}`.includes(
              'posts(',
            );
            sent.push(`${init?.method} ${hasText ? 'with' : 'without'} the text`);
            return fetch(url, init);
          },
        }),
      ]),
    });
    const query = gql`query Persisted { posts(first: 1) { nodes { id title } } }`;
    for (let i = 0; i < 2; i++) {
      const { data } = await client.query({ query, fetchPolicy: 'network-only' });
      expect(JSON.stringify(data)).toContain('Shown');
    }
    expect(sent).toStrictEqual([
      'GET without the text',
      'POST with the text',
      'GET without the text',
    ]);
    client.stop();
  });

  it('is not known before it was sent, and answered alike by GET and POST afterwards', async () => {
    const query = fresh(POSTS);
    const extensions = named(hashOf(query));
    const unknown = await get({ extensions });
    expect([unknown.status, errorCode(unknown.body), cachingOf(unknown)]).toStrictEqual([
      200,
      'PERSISTED_QUERY_NOT_FOUND',
      'no-store',
    ]);
    const first = await post({ query, extensions });
    const answers = [await get({ extensions }), await post({ extensions })];
    expect(answers.map(({ text }) => text)).toStrictEqual([first.text, first.text]);
  });

  it('is refused with the hash of another text, and not kept', async () => {
    const query = fresh(POSTS);
    for (const hash of [hashOf(POSTS), hashOf(query).toUpperCase(), 'x', '']) {
      const refused = await post({ query, extensions: named(hash) });
      expect(refused.status, hash).toBe(400);
      expect(refused.body.data, hash).toBeUndefined();
    }
    expect([await isKept(query), await isKept(POSTS)]).toStrictEqual([false, false]);
    const odd = [{ version: 2, sha256Hash: hashOf(query) }, 1, 'x', { version: 1, sha256Hash: {} }];
    for (const persistedQuery of odd)
      expect((await post({ extensions: { persistedQuery } })).status).toBeLessThan(500);
  });

  it('is kept only when it is valid, within the limits, permitted and at most 8 KiB long', async () => {
    const refused = [
      '{',
      '{ nonsense }',
      'query A { __typename } query B { __typename }',
      `{ ${Array.from({ length: 11 }, (_, i) => `a${i}: __typename`).join(' ')} }`,
      '{ __schema { types { name } } }',
      `${POSTS} # ${'x'.repeat(8_192)}`,
    ].map(fresh);
    for (const query of refused) {
      await post({ query, extensions: named(hashOf(query)) });
      expect(await isKept(query), query.slice(0, 100)).toBe(false);
    }
  });

  it('never changes anything by GET', async () => {
    const query = fresh(CREATE);
    const extensions = named(hashOf(query));
    const variables = { input: { title: 'By GET', status: 'PUBLISH' } };
    const editor = await service().authorization('editor');
    expect((await post({ query, variables, extensions }, editor)).body.errors).toBeUndefined();
    for (const asked of [
      { extensions, variables },
      { query, extensions, variables },
    ]) {
      const refused = await get(asked, editor);
      expect([refused.status, refused.headers.get('allow')]).toStrictEqual([405, 'POST']);
    }
    expect((await service().data('{ posts { totalCount } }')).posts.totalCount).toBe(1);
  });

  it('stands for its text under an Idempotency-Key', async () => {
    const query = fresh(CREATE);
    const extensions = named(hashOf(query));
    const variables = { input: { title: 'Once', status: 'PUBLISH' } };
    const keyed = { ...(await service().authorization('editor')), 'idempotency-key': 'a-key' };
    const first = await post({ query, variables, extensions }, keyed);
    expect((await post({ variables, extensions }, keyed)).text).toBe(first.text);
    const other = fresh(mutation('createPage', 'page { databaseId }'));
    const unkeyed = await service().authorization('editor');
    await post({ query: other, variables, extensions: named(hashOf(other)) }, unkeyed);
    const reused = await post({ variables, extensions: named(hashOf(other)) }, keyed);
    expect(errorCode(reused.body)).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('pushes out those that came once, never those that were asked for again, within 512', () => {
    const persisted = PersistedDocuments.of(service().app.schema, undefined);
    for (let i = 0; i < 2_000; i++) {
      persisted.keep(`hash ${i}`, 'text');
      if (i < 10) persisted.textOf(`hash ${i}`);
    }
    const kept = Array.from({ length: 2_000 }, (_, i) => i).filter(
      (i) => persisted.textOf(`hash ${i}`) !== undefined,
    );
    expect(kept.slice(0, 10)).toStrictEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(kept.length).toBe(266);
  });

  describe('of the file of PERSISTED_DOCUMENTS', () => {
    const fileOf = (text: string) => {
      const file = join(mkdtempSync(join(tmpdir(), 'documents-')), 'persisted.json');
      writeFileSync(file, text);
      return file;
    };
    const reading = (text: string) => () =>
      PersistedDocuments.of(service().app.schema, fileOf(text));

    it('is known from the start, by its hash alone', async () => {
      const file = fileOf(JSON.stringify({ [hashOf(POSTS)]: POSTS }));
      const url = await service().configured({ PERSISTED_DOCUMENTS: file });
      const asked = new URLSearchParams({ extensions: JSON.stringify(named(hashOf(POSTS))) });
      const answer = await fetch(`${url}/graphql?${asked}`, { headers: PREFLIGHT });
      expect(await answer.json()).toStrictEqual({ data: { posts: { nodes: [] } } });
    });

    it('is named by documentId too, as the draft of GraphQL over HTTP has it', async () => {
      const documentId = `sha256:${hashOf(POSTS)}`;
      const file = fileOf(JSON.stringify({ [hashOf(POSTS)]: POSTS }));
      const url = `${await service().configured({ PERSISTED_DOCUMENTS: file })}/graphql`;
      const json = { 'content-type': 'application/json' };
      const posted = (body: object) =>
        fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) });
      const answers = [
        await fetch(`${url}?${new URLSearchParams({ documentId })}`, { headers: PREFLIGHT }),
        await posted({ documentId }),
        await posted({ documentId, variables: {}, extensions: {} }),
      ];
      for (const answer of answers)
        expect(await answer.json()).toStrictEqual({ data: { posts: { nodes: [] } } });
      const refused = async (body: object) => {
        const answer = await posted(body);
        const { errors } = await answer.json();
        return [answer.status, errors[0].extensions.code, errors[0].extensions.problems?.[0].path];
      };
      expect(await refused({ documentId: `sha256:${'0'.repeat(64)}` })).toStrictEqual([
        200,
        'PERSISTED_QUERY_NOT_FOUND',
        undefined,
      ]);
      for (const wrong of [
        { documentId: 'posts' },
        { documentId: 7 },
        { documentId, query: POSTS },
      ])
        expect(await refused(wrong)).toStrictEqual([400, 'BAD_REQUEST', ['documentId']]);
    });

    it('is all that is executed with PERSISTED_DOCUMENTS_ONLY, but for who may read the schema', async () => {
      const file = fileOf(JSON.stringify({ [hashOf(POSTS)]: POSTS }));
      const variables = { PERSISTED_DOCUMENTS: file, PERSISTED_DOCUMENTS_ONLY: 'on' };
      const url = await service().configured(variables);
      const ask = async (query: string, headers: object = {}) => {
        const answer = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ query }),
        });
        const body = await answer.json();
        return errorCode(body) ?? Object.keys(body.data);
      };
      const other = fresh('{ site { title } }');
      expect(await ask(POSTS)).toStrictEqual(['posts']);
      expect(await ask(other)).toBe('DOCUMENT_NOT_REGISTERED');
      expect(await ask(other, await service().authorization('subscriber'))).toBe(
        'DOCUMENT_NOT_REGISTERED',
      );
      expect(await ask(other, await service().authorization('administrator'))).toStrictEqual([
        'site',
      ]);
      const stream = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(await service().authorization('subscriber')),
        },
        body: JSON.stringify({ query: fresh('subscription { changes { feed version } }') }),
      });
      expect(await stream.text()).toContain('DOCUMENT_NOT_REGISTERED');
    });

    it('is free of the limits that hold for what callers write', async () => {
      const names = Array.from({ length: 12 }, (_, i) => `f${i}`);
      const parent = (levels: number): string =>
        levels === 0 ? 'id' : `... on Page { parent { ${parent(levels - 1)} } }`;
      const rows = 'posts(first: 100) { nodes { revisions(first: 100) { nodes { title } } } }';
      const texts = [
        `{ ${names.map((name) => `${name}: site { title }`).join(' ')} }`,
        `{ site { ${names.map((name) => `${name}: title`).join(' ')} } }`,
        `{ content(id: 1) { ${parent(20)} } }`,
        `{ ${['a', 'b', 'c'].map((name) => `${name}: ${rows}`).join(' ')} }`,
        `{ ${Array.from({ length: 400 }, (_, i) => `f${i}: site { title }`).join(' ')} }`,
      ].map(fresh);
      const file = fileOf(JSON.stringify(Object.fromEntries(texts.map((t) => [hashOf(t), t]))));
      const url = await service().configured({ PERSISTED_DOCUMENTS: file });
      for (const text of texts) {
        const asked = new URLSearchParams({ extensions: JSON.stringify(named(hashOf(text))) });
        const answer = await fetch(`${url}/graphql?${asked}`, { headers: PREFLIGHT });
        expect(errorCode(await answer.json()), text.slice(38, 200)).not.toBe('DOCUMENT_TOO_LARGE');
        expect(answer.status, text.slice(38, 200)).toBe(200);
        const other = await post({ query: fresh(text) });
        expect([other.status, errorCode(other.body)], text.slice(38, 200)).toStrictEqual([
          400,
          text === texts[4] ? 'GRAPHQL_PARSE_FAILED' : 'DOCUMENT_TOO_LARGE',
        ]);
      }
    });

    it('keeps the service from starting when it is wrong, with one sentence', () => {
      expect(reading('{')).toThrow(/cannot be read/);
      expect(reading('[]')).toThrow(/no JSON object/);
      expect(reading(JSON.stringify({ x: POSTS }))).toThrow(/x is not the SHA-256/);
      const gone = '{ gone }';
      expect(reading(JSON.stringify({ [hashOf(gone)]: gone }))).toThrow(/"gone"/);
    });
  });
});

describe('An answer to a query by GET', () => {
  const service = useService();

  const get = (query: string, headers: Record<string, string> = {}, variables: object = {}) =>
    service().fetch(
      `/graphql?${new URLSearchParams({ query, variables: JSON.stringify(variables) })}`,
      { headers: { ...PREFLIGHT, ...headers } },
    );

  it('may stand in shared caches for a second when it is shared and its caller anonymous', async () => {
    const answer = await get(POSTS);
    expect(cachingOf(answer)).toBe(SHARED);
    expect(answer.headers.get('vary')).toBe('Origin, Accept, Authorization, Time-Zone');
  });

  it('may not be kept for anybody who signed in or tried to, whatever the role', async () => {
    for (const role of ROLES) {
      expect(cachingOf(await get(POSTS, await service().authorization(role))), role).toBe(
        'no-store',
      );
      expect(cachingOf(await get(POSTS, await service().session(role))), role).toBe('no-store');
    }
    for (const authorization of ['Basic x', 'Bearer x', 'x'])
      expect(cachingOf(await get(POSTS, { authorization })), authorization).toBe('no-store');
  });

  it('may not be kept when a part is not shared, failed, was opened by a password, or came by POST', async () => {
    const { id } = await service().post({ password: 'secret', content: 'Protected' });
    const byPassword =
      'query($id: ID!, $password: String) { post(id: $id, password: $password) { content } }';
    const opened = await get(byPassword, {}, { id, password: 'secret' });
    expect(opened.body.data.post.content).toContain('Protected');
    const closed = await get('query($id: ID!) { post(id: $id) { content } }', {}, { id });
    expect([closed.body.data.post.content, cachingOf(closed)]).toStrictEqual(['', SHARED]);
    const kept = [
      opened,
      await get(`{ viewer { id } ${POSTS.slice(1)}`),
      await get('query { ...All } fragment All on Query { webPushPublicKey }'),
      await get('{ post(id: 999) { title } }'),
      await get(`{ ok: posts(first: 1) { totalCount } failed: post(id: 999) { title } }`),
      await get('{ nonsense }'),
      await service().graphql(POSTS),
    ].filter((answer) => cachingOf(answer) !== 'no-store');
    expect(kept.map(({ text }) => text)).toStrictEqual([]);
  });

  it('is shared for public content and the directory, and for nothing else', () => {
    const fields = Object.values(service().app.schema.getQueryType()?.getFields() ?? {});
    const shared = fields.filter(isShared).map(({ name }) => name);
    expect(shared.sort()).toStrictEqual([
      'author',
      'authors',
      'content',
      'contentEmbed',
      'healthcareItem',
      'healthcareItems',
      'healthcareService',
      'healthcareServiceTypes',
      'healthcareServices',
      'languages',
      'mediaItem',
      'mediaItems',
      'page',
      'pages',
      'post',
      'posts',
      'quoteOfTheDay',
      'search',
      'term',
      'terms',
      'videos',
    ]);
  });
});
