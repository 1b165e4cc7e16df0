import { globalId } from '../../../src/core/node.js';
import { type By, errorCode, useService } from '../../support/harness.js';

interface Connection {
  readonly totalCount: number;
  readonly nodes: readonly { readonly databaseId: number }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

const PAGE =
  'totalCount nodes { databaseId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

describe('Content', () => {
  const service = useService();
  const ask = (query: string, as: By = 'anonymous', variables: object = {}) =>
    service().ask(query, variables, as);

  async function make(kind: 'posts' | 'pages' | 'healthcare', body: object): Promise<number> {
    const sent = { as: 'editor', edition: 'B', body: { status: 'publish', ...body } } as const;
    return (await service().rest('POST', `/v1/${kind}`, sent)).body.id;
  }

  /** The ids of a list, read in pages from its beginning or from its end. */
  async function visited(
    list: (page: string) => Promise<Connection>,
    backwards: boolean,
  ): Promise<number[]> {
    const ids: number[] = [];
    for (let cursor: string | null = null; ; ) {
      const from: string = cursor ? `, ${backwards ? 'before' : 'after'}: "${cursor}"` : '';
      const { nodes, pageInfo }: Connection = await list(
        `${backwards ? 'last' : 'first'}: 2${from}`,
      );
      const found = nodes.map(({ databaseId }) => databaseId);
      ids.splice(backwards ? 0 : ids.length, 0, ...found);
      expect(new Set(ids).size, 'no row comes twice').toBe(ids.length);
      const { hasNextPage, hasPreviousPage } = pageInfo;
      expect(backwards ? hasNextPage : hasPreviousPage).toBe(cursor !== null);
      if (!(backwards ? hasPreviousPage : hasNextPage)) return ids;
      cursor = backwards ? pageInfo.startCursor : pageInfo.endCursor;
    }
  }

  it('of any kind is read by its global id and by its number', async () => {
    const made = {
      Post: await make('posts', { title: 'A post', excerpt: 'Short' }),
      Page: await make('pages', { title: 'A page', menu_order: 3 }),
      HealthcareItem: await make('healthcare', { title: 'An item' }),
    };
    const kinds = { Post: 'POST', Page: 'PAGE', HealthcareItem: 'HEALTHCARE' } as const;
    const fields = `__typename id databaseId kind title ... on Article { excerptSource author { name } }
      ... on Page { menuOrder }`;
    for (const [type, id] of Object.entries(made))
      for (const given of [globalId(type, id), id]) {
        const { data } = await ask(`{ content(id: ${JSON.stringify(given)}) { ${fields} } }`);
        expect(data.content).toMatchObject({
          __typename: type,
          id: globalId(type, id),
          databaseId: id,
          kind: kinds[type as keyof typeof kinds],
        });
      }
    const page = await ask(`{ page(id: "${globalId('Page', made.Page)}") { menuOrder } }`);
    expect(page.data.page.menuOrder).toBe(3);
  });

  it('is not read by the id of something else, and the mistake is named by its path', async () => {
    const id = await make('posts', { title: 'A post' });
    const query = `mutation { updatePost(input: { id: "${globalId('Page', id)}", categoryIds: [1, "x"] }) { post { id } } }`;
    const { errors } = await ask(query, 'editor');
    expect(errors[0].extensions.problems).toMatchObject([
      { path: ['input', 'categoryIds', 1], code: 'ID_INVALID' },
      { path: ['input', 'id'], code: 'ID_INVALID' },
    ]);
    expect(errorCode(await ask(`{ post(id: "${globalId('Page', id)}") { id } }`))).toBe(
      'ID_INVALID',
    );
  });

  it('names what its change refers to and nobody knows by its path', async () => {
    const told = async (field: string, as: By = 'editor') => {
      const fields = `title: "T", content: "C", ${field}`;
      const { errors } = await ask(
        `mutation { createPage(input: { ${fields} }) { page { id } } }`,
        as,
      );
      return errors[0].extensions;
    };
    for (const [field, code] of [
      ['authorId: 999999', 'AUTHOR_INVALID'],
      ['parentId: 999999', 'PARENT_INVALID'],
    ] as const)
      expect(await told(field)).toMatchObject({
        code,
        problems: [{ path: ['input', field.split(':')[0]], code }],
      });
  });

  it('is a node for those alone who may read it', async () => {
    const draft = await make('posts', { title: 'A draft', status: 'draft' });
    const page = await make('pages', { title: 'A page' });
    const ids = JSON.stringify([globalId('Post', draft), globalId('Page', page)]);
    const read = async (as: By) =>
      (await ask(`{ nodes(ids: ${ids}) { ... on ContentItem { title } } }`, as)).data.nodes;
    expect(await read('anonymous')).toStrictEqual([null, { title: 'A page' }]);
    expect(await read('author')).toStrictEqual([null, { title: 'A page' }]);
    expect(await read('editor')).toStrictEqual([{ title: 'A draft' }, { title: 'A page' }]);
  });

  it('that a password protects is shown to who may edit it, and to who knows the password', async () => {
    const id = await make('posts', { title: 'T', content: 'Inside', password: 'secret' });
    const read = async (as: By, args = '') =>
      (await ask(`{ post(id: ${id}${args}) { content excerpt isProtected } }`, as)).data.post;
    const hidden = { content: '', excerpt: '', isProtected: true };
    const shown = { content: '<p>Inside</p>\n', excerpt: '<p>Inside</p>\n', isProtected: true };
    expect(await read('author')).toStrictEqual(hidden);
    expect(await read('editor')).toStrictEqual(shown);
    expect(await read('anonymous', ', password: "secret"')).toStrictEqual(shown);
  });

  it('has excerpts of as many words as are asked for', async () => {
    const words = Array.from({ length: 80 }, (_, i) => `w${i}`);
    for (let i = 0; i < 3; i++) await service().post({ content: words.join(' ') });
    const list =
      '{ posts { nodes { short: excerpt(words: 2) usual: excerpt long: excerpt(words: 70) } } }';
    const { data } = await ask(list);
    const excerpt = (count: number) => `<p>${words.slice(0, count).join(' ')} [&hellip;]</p>\n`;
    for (const post of data.posts.nodes)
      expect(post).toStrictEqual({ short: excerpt(2), usual: excerpt(55), long: excerpt(70) });
    expect(await service().statements(() => ask(list))).toBe(2);
    expect(
      await service().statements(() => ask('{ posts { totalCount nodes { excerpt } } }')),
    ).toBe(1);
  });

  it('is filtered by terms: any, all, none of them, and those below', async () => {
    const [above, tag, other] = [
      await service().term('CATEGORY', 'Above'),
      await service().term('TAG', 'One'),
      await service().term('TAG', 'Two'),
    ];
    const below = await service().term('CATEGORY', 'Below', above);
    await service().post({ title: 'both', tags: [tag, other], categories: [below] });
    await service().post({ title: 'one', tags: [tag], categories: [above] });
    await service().post({ title: 'none' });
    const found = async (filter: string) => {
      const order = 'orderBy: { field: TITLE, direction: ASC }';
      const { data } = await ask(`{ posts(${order}, filter: { ${filter} }) { nodes { title } } }`);
      return data.posts.nodes.map(({ title }: { title: string }) => title);
    };
    const term = globalId('Term', tag);
    expect(await found(`tags: { anyOf: ["${term}", ${other}] }`)).toStrictEqual(['both', 'one']);
    expect(await found(`tags: { allOf: [${tag}, ${other}] }`)).toStrictEqual(['both']);
    expect(await found(`tags: { anyOf: [${tag}], noneOf: [${other}] }`)).toStrictEqual(['one']);
    expect(await found(`tags: { noneOf: [${tag}] }`)).toStrictEqual(['none']);
    expect(await found(`categories: { anyOf: [${above}] }`)).toStrictEqual(['one']);
    expect(
      await found(`categories: { anyOf: [${above}], includeDescendants: true }`),
    ).toStrictEqual(['both', 'one']);
    expect(await found('tags: { anyOf: [] }')).toStrictEqual(['both', 'none', 'one']);
  });

  it('is dated by moments, which null takes back', async () => {
    service().at(Date.parse('2026-05-01T00:00:00Z'));
    const write = async (verb: string, input: string) => {
      const query = `mutation { ${verb}Post(input: { ${input} }) { post { databaseId status publishedAt } } }`;
      return (await ask(query, 'editor')).data[`${verb}Post`].post;
    };
    const at = '2026-06-01T10:00:00.000Z';
    const { databaseId: id, ...made } = await write(
      'create',
      `title: "T", status: PUBLISH, publishedAt: "2026-06-01T12:00:00+02:00"`,
    );
    expect(made).toStrictEqual({ status: 'FUTURE', publishedAt: at });
    expect(await write('update', `id: ${id}, status: DRAFT`)).toMatchObject({ publishedAt: at });
    const floating = await write('update', `id: ${id}, publishedAt: null`);
    expect(floating.publishedAt).toBe('2026-05-01T00:00:00.000Z');
    const listed = async (filter: string) =>
      (await ask(`{ posts(filter: { statuses: [DRAFT], ${filter} }) { totalCount } }`, 'editor'))
        .data.posts.totalCount;
    expect(await listed('publishedAfter: "2026-04-30T23:59:59Z"')).toBe(1);
    expect(await listed('publishedBefore: "2026-05-01T00:00:00Z"')).toBe(0);
  });

  it('is at the top of the tree again when its parent becomes null', async () => {
    const above = await make('pages', { title: 'Above' });
    const below = await make('pages', { title: 'Below', parent: above });
    const tops = async () =>
      (await ask('{ pages(filter: { isTopLevel: true }) { totalCount } }')).data.pages.totalCount;
    expect(await tops()).toBe(1);
    const move = `mutation { updatePage(input: { id: ${below}, parentId: null }) { page { parent { id } } } }`;
    expect((await ask(move, 'editor')).data.updatePage.page.parent).toBeNull();
    expect(await tops()).toBe(2);
  });

  it('has revisions in pages, from either end, which those who may delete it delete', async () => {
    const { id } = await service().post({ title: 'T' });
    for (let i = 0; i < 5; i++) {
      const body = { title: `T${i}` };
      await service().rest('POST', `/v1/posts/${id}`, { as: 'editor', body });
    }
    const list = async (page: string) =>
      (await ask(`{ post(id: ${id}) { revisions(${page}) { ${PAGE} } } }`, 'editor')).data.post
        .revisions as Connection;
    const all = (await list('first: 100')).nodes.map(({ databaseId }) => databaseId);
    expect(all).toHaveLength(5);
    expect(all).toStrictEqual([...all].sort((a, b) => b - a));
    expect(await visited(list, false)).toStrictEqual(all);
    expect(await visited(list, true)).toStrictEqual(all);

    const [revision] = all as [number];
    const read = `{ node(id: "${globalId('Revision', revision)}") { ... on Revision { titleSource item { databaseId } } } }`;
    expect((await ask(read)).data.node).toBeNull();
    expect((await ask(read, 'editor')).data.node).toStrictEqual({
      titleSource: 'T4',
      item: { databaseId: id },
    });
    const remove = `mutation { deleteRevision(input: { id: ${revision} }) { deletedRevisionId item { ... on Article { revisions { totalCount } } } } }`;
    expect(errorCode(await ask(remove))).toBe('FORBIDDEN_DELETE');
    expect((await ask(remove, 'editor')).data.deleteRevision).toStrictEqual({
      deletedRevisionId: globalId('Revision', revision),
      item: { revisions: { totalCount: 4 } },
    });
  });

  describe('of all kinds', () => {
    const search = async (args: string, as: By = 'anonymous') =>
      (await ask(`{ search(${args}) { ${PAGE} } }`, as)).data.search as Connection;
    const found = async (args: string, as?: By) =>
      (await search(args, as)).nodes.map(({ databaseId }) => databaseId);

    it('is searched together, the best match first', async () => {
      const inContent = await make('posts', { title: 'x', content: 'a quiet sea' });
      const inTitle = await make('healthcare', { title: 'A quiet sea', content: 'x' });
      const some = await make('pages', { title: 'The sea', content: 'is quiet' });
      await make('pages', { title: 'Nothing' });
      expect(await found('query: "quiet sea"')).toStrictEqual([inTitle, some, inContent]);
      expect(await found('query: "quiet sea", kinds: [POST, PAGE]')).toStrictEqual([
        some,
        inContent,
      ]);
      expect(await found('query: "quiet sea", kinds: []')).toStrictEqual([]);
      expect(errorCode(await ask('{ search(query: " ") { totalCount } }'))).toBe('SEARCH_REQUIRED');
    });

    it('is found when it is published, and a protected text by those alone who may edit it', async () => {
      await make('posts', { title: 'x', content: 'sea', status: 'draft' });
      const body = { title: 'x', content: 'sea', password: 'p', status: 'publish' };
      const post = (await service().rest('POST', '/v1/posts', { as: 'author', body })).body.id;
      const page = await make('pages', body);
      expect(await found('query: "sea"')).toStrictEqual([]);
      expect(await found('query: "sea"', 'author')).toStrictEqual([post]);
      expect(await found('query: "sea"', 'editor')).toStrictEqual([page, post]);
    });

    it('is visited once from either end, in three statements a page', async () => {
      const kinds = ['posts', 'pages', 'healthcare'] as const;
      for (let i = 0; i < 7; i++)
        await make(kinds[i % 3] as 'posts', { title: i % 2 ? 'sea' : 'x', content: 'the sea' });
      const list = (page: string) => search(`query: "sea", ${page}`);
      const all = await found('query: "sea", first: 100');
      expect(all).toHaveLength(7);
      expect(await visited(list, false)).toStrictEqual(all);
      expect(await visited(list, true)).toStrictEqual(all);
      expect(await service().statements(() => list('first: 2'))).toBe(3);
      expect(await service().statements(() => list('first: 7'))).toBe(3);
    });

    it('shows its address and terms like a list of one kind', async () => {
      const above = await make('pages', { title: 'Above' });
      await make('pages', { title: 'Sea', parent: above });
      const { data } = await ask('{ search(query: "sea") { nodes { url terms { name } } } }');
      expect(data.search.nodes).toStrictEqual([{ url: `${service().url}/above/sea/`, terms: [] }]);
    });
  });
});
