import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type GraphQLNamedType, type GraphQLSchema, getNamedType, isCompositeType } from 'graphql';
import { isLasting } from '../../src/core/marks.js';
import { type Answer, useService } from '../support/harness.js';
import { ANEW, clock, plain, ROLES, SHARED, tablesOf } from '../support/kept.js';

const PREFLIGHT = { 'apollo-require-preflight': '1' };
const POSTS = 'query Stream { posts(first: 3) { nodes { title author { name } tags { name } } } }';
const JSON_TYPES = ['application/json', 'application/graphql-response+json'] as const;

/** Returns the address of a document. */
const addressOf = (query: string, more: Record<string, string> = {}) =>
  `/graphql?${new URLSearchParams({ query, ...more })}`;
/** Returns the address of a document that the service has been sent before. */
const persisted = (query: string) => {
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } });
  return { known: `/graphql?${new URLSearchParams({ extensions })}`, extensions };
};

/** Lists that are too long to be asked for below lists. They are read in the same way elsewhere. */
const ASIDE = new Set(['children', 'categories', 'tags', 'healthcareCategories']);

/** Returns all fields of a type without required arguments, with those of the types below it. */
function fieldsOf(schema: GraphQLSchema, type: GraphQLNamedType, depth: number): string {
  if (!isCompositeType(type) || !('getFields' in type)) return '';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const below = getNamedType(field.type);
    if (field.args.some((argument) => String(argument.type).endsWith('!'))) return [];
    if (!isCompositeType(below)) return [field.name];
    // Pages tell of their rows once.
    if (depth === 0 || field.name === 'edges' || ASIDE.has(field.name)) return [];
    return [`${field.name} ${fieldsOf(schema, below, depth - 1)}`];
  });
  return `{ ${fields.join(' ')} }`;
}

describe('Answers to queries by GET that are kept for anonymous callers', () => {
  const service = useService();
  const keeping = useService(() => ({ RESPONSE_CACHE: 'on', CORS_ORIGINS: 'https://app.example' }));
  const pass = clock();
  beforeEach(() => pass(70_000));

  const get = (path: string, headers: Record<string, string> = {}) =>
    keeping().fetch(path, { headers: { ...PREFLIGHT, ...headers } });
  /** How many statements a request sends, besides the look at what has changed. */
  async function statementsOf(path: string, headers?: Record<string, string>): Promise<number> {
    await get(addressOf('{ languages { code } }'));
    return keeping().statements(() => get(path, headers));
  }
  /** Makes the service keep the answer to a path. */
  async function keep(path: string, headers?: Record<string, string>): Promise<Answer> {
    await get(path, headers);
    pass(1_100);
    await get(path, headers);
    return get(path, headers);
  }

  it('are sent again without a statement, as the same bytes and headers', async () => {
    await service().post({ title: 'One' });
    const path = addressOf(POSTS);
    const kept = await keep(path);
    expect(kept.body.data.posts.nodes).toMatchObject([{ title: 'One' }]);
    expect([await statementsOf(path), await statementsOf(path, ANEW)]).toStrictEqual([0, 1]);
    expect(await statementsOf(path, { 'accept-encoding': 'gzip' })).toBe(0);
    const anew = await get(path, ANEW);
    expect(plain(kept)).toStrictEqual(plain(anew));
    expect([kept, anew].map(({ headers }) => headers.get('cache-control'))).toStrictEqual([
      SHARED,
      SHARED,
    ]);
  });

  it('are made anew for who sent a mutation, on either face; a query by POST changes nothing', async () => {
    const noted = jest.spyOn(keeping().app.deps.writers, 'note');
    await keeping().fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ site { title } }' }),
    });
    expect(noted).not.toHaveBeenCalled();
    await keeping().fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'mutation { signOut { __typename } }' }),
    });
    expect(noted).toHaveBeenCalledWith('127.0.0.1');
    noted.mockRestore();
  });

  it('are those of documents named by their hash, too', async () => {
    await service().post({ title: 'One' });
    const { known, extensions } = persisted(POSTS);
    await get(addressOf(POSTS, { extensions }));
    expect((await keep(known)).body.data.posts.nodes).toMatchObject([{ title: 'One' }]);
    expect(await statementsOf(known)).toBe(0);
  });

  it('show a change at once in the process that makes it', async () => {
    const { id } = await service().post({ title: 'Before' });
    const path = addressOf(POSTS);
    await keep(path);
    const body = { title: 'After' };
    await keeping().rest('POST', `/v1/posts/${id}`, { as: 'editor', body });
    expect((await get(path)).body.data.posts.nodes[0].title).toBe('After');
  });

  it('have an ETag, and are 304 for who names it', async () => {
    await service().post({ title: 'One' });
    const path = addressOf(POSTS);
    const made = await get(path);
    const tag = made.headers.get('etag') as string;
    const known = () => get(path, { 'if-none-match': `"a", ${tag}` });
    const first = await known();
    await keep(path);
    const kept = await known();
    expect([first, kept].map(({ status, text }) => [status, text])).toStrictEqual([
      [304, ''],
      [304, ''],
    ]);
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('differ by media type, and name the origin that asks', async () => {
    await service().post({ title: 'One' });
    const path = addressOf(POSTS);
    for (const accept of JSON_TYPES) {
      const { headers } = await keep(path, { accept });
      expect(headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
    }
    const { headers } = await get(path, { origin: 'https://app.example' });
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toStrictEqual([
      'https://app.example',
      'Origin, Accept, Authorization, Time-Zone',
    ]);
    const evil = await get(path, { origin: 'https://evil.example' });
    expect(evil.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('are not sent to a page that could not be asked first', async () => {
    const path = addressOf(POSTS);
    await keep(path);
    const { status, text } = await keeping().fetch(path, {});
    expect([status, text]).toStrictEqual([400, expect.stringContaining('CSRF')]);
  });

  it.each(ROLES)('are not those of a signed-in caller, nor sent to one: %s', async (role) => {
    const { id } = await service().post({ title: 'One' });
    const path = addressOf(`{ post(id: "${id}") { viewerCan { edit } } }`);
    const as = await service().authorization(role);
    pass(1_100);
    const own = await get(path, as);
    expect(own.headers.get('cache-control')).toBe('no-store');
    expect((await keep(path)).body.data.post.viewerCan.edit).toBe(false);
    const again = await get(path, as);
    expect([again.text, again.headers.get('cache-control')]).toStrictEqual([own.text, 'no-store']);
  });

  it.each([
    ['of what a password opens', '{ post(id: "1", password: "open") { content } }'],
    ['that changes with time', '{ quoteOfTheDay { date } }'],
    ['of the viewer', '{ viewer { __typename } }'],
    ['with an error', '{ post(id: "404") { title } }'],
    [
      'of several fields of which one is not shared',
      '{ languages { code } viewer { __typename } }',
    ],
  ])('are none %s', async (_, query) => {
    const path = addressOf(query);
    const spy = jest.spyOn(keeping().app, 'createContext');
    await keep(path);
    expect(spy).toHaveBeenCalledTimes(3);
    spy.mockRestore();
  });

  it('cost a point each', async () => {
    keeping().limit();
    const path = addressOf(POSTS);
    await keep(path);
    const left = async () =>
      Number(/r=(\d+)/.exec((await get(path)).headers.get('ratelimit') ?? '')?.[1]);
    const first = await left();
    expect(await left()).toBe(first - 1);
  });

  it('read only tables that tell of their changes', async () => {
    const tag = await service().term('TAG', 'Red');
    const { id } = await service().post({ title: 'One', tags: [tag] });
    const { schema } = keeping().app;
    const given: Record<string, string> = {
      content: `(id: "${id}")`,
      post: `(id: "${id}")`,
      author: '(id: "2")',
      term: `(id: "${tag}")`,
      terms: '(taxonomy: TAG)',
      pages: '(first: 2)',
      search: '(query: "one")',
      contentEmbed: `(url: "http://localhost/?p=${id}")`,
      page: '(id: "1")',
      healthcareItem: '(id: "1")',
      mediaItem: '(id: "1")',
    };
    const roots = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(isLasting);
    const refused: string[] = [];
    const { read, silent } = await tablesOf(keeping(), async () => {
      for (const { name, type } of roots) {
        const below = fieldsOf(schema, getNamedType(type), 3);
        const { body } = await keeping().graphql(`{ ${name}${given[name] ?? ''} ${below} }`);
        if (body.data === undefined) refused.push(`${name}: ${JSON.stringify(body.errors)}`);
      }
    });
    expect([refused, read.has('content_item'), silent]).toStrictEqual([[], true, []]);
  });

  it('equal those made now, after any sequence of changes', async () => {
    const paths = [
      addressOf(POSTS),
      addressOf('{ terms(taxonomy: TAG) { nodes { name count } } authors { nodes { name } } }'),
      addressOf('{ search(query: "t") { nodes { title } } languages { name } }'),
    ];
    const tag = await service().term('TAG', 'Red');
    const posts = [(await service().post({ title: 'a', tags: [tag] })).id];
    const change = (n: number, body: object) =>
      service().rest('POST', `/v1/posts/${posts[n % posts.length]}`, { as: 'administrator', body });
    const write = (text: string, ...values: (string | number)[]) =>
      service().database.query(text, values);
    const languages = await service().database.prisma.language.findMany();
    const changes = {
      create: async (n: number) => void posts.push((await service().post({ title: `t ${n}` })).id),
      rename: (n: number) => change(n, { title: `r ${n}` }),
      hide: (n: number) => change(n, { status: n % 2 ? 'draft' : 'publish' }),
      file: (n: number) => change(n, { tags: n % 2 ? [tag] : [] }),
      term: (n: number) => write(`UPDATE term SET name = 'Tag ' || $1 WHERE id = $2`, `${n}`, tag),
      author: (n: number) => write(`UPDATE account SET name = 'Author ' || $1`, `${n}`),
      language: (n: number) => write(`UPDATE language SET name = 'Language ' || $1`, `${n}`),
    };
    const step = fc.tuple(
      fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
      fc.nat(20),
    );
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
          for (const [what, n] of steps) {
            pass(1_100);
            for (const path of paths) await get(path);
            await changes[what](n);
            for (const path of paths) {
              const [kept, made] = [await get(path), await get(path, ANEW)].map(plain);
              expect([path, isDeepStrictEqual(kept, made)]).toStrictEqual([path, true]);
            }
          }
        }),
        { numRuns: Number(process.env.KEPT_SEQUENCES ?? 12) },
      );
    } finally {
      // Languages outlive a test: they are the service's own.
      for (const { id, name } of languages)
        await service().database.prisma.language.update({ where: { id }, data: { name } });
    }
  });
});
