import { errorCode, useService } from '../support/harness.js';

describe('What the links of content point to', () => {
  const service = useService();
  const get = async (address: string) =>
    service().fetch(address.slice(service().url.length), { method: 'GET' });

  it('is readable at its address: author, terms, parent, collection', async () => {
    const tag = await service().term('TAG', 'Sleep');
    const { id } = await service().post({ tags: [tag] });
    const { _links: links } = (await service().rest('GET', `/v1/posts/${id}`)).body;
    const author = await get(links.author[0].href);
    expect([author.status, author.body.name, author.body.email]).toStrictEqual([
      200,
      'The editor',
      undefined,
    ]);
    const [categories, tags] = await Promise.all(
      links['wp:term'].map(({ href }: { href: string }) => get(href)),
    );
    expect(categories?.body.map(({ slug }: { slug: string }) => slug)).toStrictEqual([
      'uncategorized',
    ]);
    expect(
      tags?.body.map((term: { id: number; count: number }) => [term.id, term.count]),
    ).toStrictEqual([[tag, 1]]);
    expect((await get(links.collection[0].href)).status).toBe(200);
    const term = await get(tags?.body[0]._links.self[0].href);
    expect([term.status, term.body.name, term.body.taxonomy]).toStrictEqual([
      200,
      'Sleep',
      'post_tag',
    ]);
  });

  it('shows of a page the page above, embedded and at its address', async () => {
    const page = (body: object) =>
      service().rest('POST', '/v1/pages', { as: 'editor', body: { status: 'publish', ...body } });
    const above = (await page({ title: 'Above' })).body;
    const below = (await page({ title: 'Below', parent: above.id })).body;
    const { body } = await service().rest('GET', `/v1/pages/${below.id}`, {
      query: '_embed=up,author',
    });
    expect(body.link).toBe(`${service().url}/above/below/`);
    expect(body._embedded.up[0].title.rendered).toBe('Above');
    expect(body._embedded.author[0].slug).toBe('editor');
    expect((await get(body._links.up[0].href)).body.id).toBe(above.id);
  });

  it('tells of nobody who has published nothing', async () => {
    const { id } = await service().account('subscriber');
    const { status, body } = await service().rest('GET', `/wp/v2/users/${id}`);
    expect([status, body.code]).toStrictEqual([404, 'rest_user_invalid_id']);
    expect((await service().rest('GET', '/wp/v2/users')).body).toStrictEqual([]);
  });

  it('lists terms by name unless asked for another order', async () => {
    const sleep = await service().term('TAG', 'Sleep');
    const diet = await service().term('TAG', 'Diet');
    const listed = async (query: string) =>
      (await service().rest('GET', '/wp/v2/tags', { query })).body.map(
        ({ id }: { id: number }) => id,
      );
    expect(await listed('')).toStrictEqual([diet, sleep]);
    expect(await listed('orderby=count')).toStrictEqual([diet, sleep]);
    expect(await listed('orderby=id')).toStrictEqual([sleep, diet]);
    expect(await listed('orderby=id&order=desc')).toStrictEqual([diet, sleep]);
    expect(await listed('order=desc')).toStrictEqual([sleep, diet]);
    const { status, body } = await service().rest('GET', '/wp/v2/tags', { query: 'orderby=age' });
    expect([status, body.code]).toStrictEqual([400, 'rest_invalid_param']);
  });

  it('knows a term under its own taxonomy alone', async () => {
    const tag = await service().term('TAG', 'Sleep');
    const { status, body } = await service().rest('GET', `/wp/v2/categories/${tag}`);
    expect([status, body.code]).toStrictEqual([404, 'rest_term_invalid']);
    const known = await service().rest('GET', `/wp/v2/tags/${tag}`);
    expect(known.body._links.self[0].targetHints).toStrictEqual({ allow: ['GET'] });
  });

  it('refuses the terms of an item that the caller may not read', async () => {
    const { id } = await service().post({ status: 'draft' });
    const terms = (as: 'anonymous' | 'subscriber' | 'editor') =>
      service().rest('GET', '/wp/v2/categories', { as, query: `post=${id}` });
    for (const [as, status] of [
      ['anonymous', 401],
      ['subscriber', 403],
    ] as const)
      expect(await terms(as)).toMatchObject({
        status,
        body: {
          code: 'rest_forbidden_context',
          message: 'Sorry, you are not allowed to view terms for this post.',
        },
      });
    expect((await terms('editor')).body.length).toBe(1);
  });
});

describe('Terms over GraphQL', () => {
  const service = useService();
  const mutate = (field: string, type: string, input: object, as: 'editor' | 'author' = 'editor') =>
    service().ask(
      `mutation($input: ${type}!) { ${field}(input: $input) { __typename } }`,
      { input },
      as,
    );

  it('are renamed and moved by those who manage categories, and never below themselves', async () => {
    const above = await service().term('CATEGORY', 'Above');
    const below = await service().term('CATEGORY', 'Below', above);
    expect(
      errorCode(await mutate('updateTerm', 'UpdateTermInput', { id: above, name: 'Renamed' })),
    ).toBeUndefined();
    expect(
      errorCode(await mutate('updateTerm', 'UpdateTermInput', { id: above, parentId: below })),
    ).toBe('TERM_PARENT_INVALID');
    expect(
      errorCode(await mutate('updateTerm', 'UpdateTermInput', { id: below, name: 'x' }, 'author')),
    ).toBe('FORBIDDEN_EDIT_TERM');
    const { body } = await service().graphql(
      '{ terms(taxonomy: CATEGORY) { totalCount nodes { name parent { name } } } }',
    );
    expect(body.data.terms.nodes.map(({ name }: { name: string }) => name)).toStrictEqual([
      'Below',
      'Renamed',
      'Uncategorized',
    ]);
  });

  it('leave what bore them when they are deleted, and what stood below moves up', async () => {
    const above = await service().term('CATEGORY', 'Above');
    const middle = await service().term('CATEGORY', 'Middle', above);
    const below = await service().term('CATEGORY', 'Below', middle);
    const { id } = await service().post({ categories: [middle] });
    expect(
      errorCode(await mutate('deleteTerm', 'DeleteTermInput', { id: middle })),
    ).toBeUndefined();
    expect((await service().rest('GET', `/v1/posts/${id}`)).body.categories).toStrictEqual([]);
    const { body } = await service().graphql(
      'query($id: ID!) { term(id: $id) { parent { databaseId } } }',
      {
        id: below,
      },
    );
    expect(body.data.term.parent.databaseId).toBe(above);
    expect(errorCode(await mutate('deleteTerm', 'DeleteTermInput', { id: 1 }))).toBe('TERM_IN_USE');
    expect(errorCode(await mutate('deleteTerm', 'DeleteTermInput', { id: middle }))).toBe(
      'TERM_NOT_FOUND',
    );
  });
});
