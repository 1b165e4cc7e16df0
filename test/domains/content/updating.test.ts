import { errorCode, mutation, useService } from '../../support/harness.js';

describe('A post that is changed', () => {
  const service = useService();
  beforeEach(() => service().authorization('editor'));
  const update = (id: number, body: object) =>
    service().rest('POST', `/v1/posts/${id}`, { as: 'editor', body });
  const read = async (id: number) =>
    (await service().rest('GET', `/v1/posts/${id}`, { as: 'editor', query: 'context=edit' })).body;
  const revisions = async (id: number) =>
    (await service().rest('GET', `/v1/posts/${id}/revisions`, { as: 'editor' })).body as {
      title: { rendered: string };
    }[];

  /** Runs `meanwhile` between the reading and the writing of the next change. */
  function interpose(writing: RegExp, meanwhile: () => Promise<unknown>): void {
    const { database } = service().app.deps;
    const query = database.query.bind(database) as (...asked: unknown[]) => Promise<object[]>;
    const spy = jest.spyOn(database, 'query').mockImplementation((async (...asked: unknown[]) => {
      if (writing.test(String(asked[0]))) {
        spy.mockRestore();
        await meanwhile();
      }
      return query(...asked);
    }) as typeof database.query);
  }

  it('is answered as it is read', async () => {
    const tag = await service().term('TAG', 'Zinc');
    const { id } = await service().post({ title: 'One', content: 'Text' });
    for (const body of [
      { title: 'Two', content: '<p>More</p>' },
      { tags: [tag, 999_999], sticky: true },
      { slug: 'elsewhere', excerpt: 'Short' },
      { status: 'draft', categories: [] },
      { status: 'private' },
    ]) {
      const { status, body: answer } = await update(id, body);
      expect(status).toBe(200);
      expect(answer).toStrictEqual(await read(id));
    }
  });

  it('is filed under the default category when its categories are null, and none of an empty list', async () => {
    const tag = await service().term('CATEGORY', 'Sleep');
    const save = async (verb: 'create' | 'update', input: object) => {
      const text = mutation(`${verb}Post`, 'post { id categories { name } }');
      return (await service().data(text, { input }, 'editor'))[`${verb}Post`].post;
    };
    const named = (post: { categories: { name: string }[] }) =>
      post.categories.map(({ name }) => name);
    const title = 'One';
    const usual = await save('create', { title, categoryIds: null });
    expect(named(usual)).toStrictEqual(['Uncategorized']);
    expect(named(await save('create', { title }))).toStrictEqual(['Uncategorized']);
    expect(named(await save('create', { title, categoryIds: [] }))).toStrictEqual([]);
    const { id } = usual;
    expect(named(await save('update', { id, categoryIds: [tag] }))).toStrictEqual(['Sleep']);
    expect(named(await save('update', { id, categoryIds: null }))).toStrictEqual(['Uncategorized']);
    expect(named(await save('update', { id, categoryIds: [] }))).toStrictEqual([]);
    expect(named(await save('update', { id, title }))).toStrictEqual(['Uncategorized']);
  });

  it('is not changed by who may not edit it, on either face', async () => {
    const { id } = await service().post({ title: 'One' });
    for (const as of ['author', 'contributor', 'subscriber'] as const) {
      const body = { title: 'Theirs' };
      const answer = await service().rest('POST', `/v1/posts/${id}`, { as, body });
      expect([answer.status, answer.body.code]).toStrictEqual([403, 'rest_cannot_edit']);
      const mutation =
        'mutation($id: ID!) { updatePost(input: { id: $id, title: "x" }) { post { id } } }';
      const { body: refused } = await service().graphql(mutation, { id }, { as });
      expect(errorCode(refused)).toBe('FORBIDDEN_EDIT');
    }
    expect((await read(id)).title.raw).toBe('One');
  });

  it('by many at once keeps the change of each, with its revision', async () => {
    const { id } = await service().post({ title: 'One' });
    const titles = Array.from({ length: 12 }, (_, i) => `Title ${i}`);
    const answers = await Promise.all(titles.map((title) => update(id, { title })));
    expect(answers.map(({ status }) => status)).toStrictEqual(titles.map(() => 200));
    const kept = (await revisions(id)).map(({ title }) => title.rendered);
    expect(kept.sort()).toStrictEqual(titles.sort());
  });

  it('while another changes other fields loses neither change', async () => {
    const { id } = await service().post({ title: 'One', content: 'Text' });
    interpose(/UPDATE content_item p/, () => update(id, { content: 'Theirs' }));
    await update(id, { title: 'Mine' });
    const { title, content } = await read(id);
    expect([title.raw, content.raw]).toStrictEqual(['Mine', 'Theirs']);
    expect(await revisions(id)).toHaveLength(2);
  });

  it('while another changes it is refused with the version that it had', async () => {
    const { id } = await service().post({ title: 'One' });
    interpose(/UPDATE content_item p/, () => update(id, { title: 'Theirs' }));
    const changing =
      'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { version } } }';
    const input = { id, version: 1, title: 'Mine' };
    const { errors } = await service().ask(changing, { input }, 'editor');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT' });
    expect((await read(id)).title.raw).toBe('Theirs');
  });

  it('is deleted although another changes it meanwhile', async () => {
    const { id } = await service().post({ title: 'One' });
    interpose(/DELETE FROM content_item/, () => update(id, { title: 'Theirs' }));
    const query = 'force=true';
    const { status } = await service().rest('DELETE', `/v1/posts/${id}`, { as: 'editor', query });
    expect(status).toBe(200);
    expect((await service().rest('GET', `/v1/posts/${id}`, {})).status).toBe(404);
  });

  it('leaves its slug when a draft took it meanwhile', async () => {
    const { id } = await service().post({ title: 'Sea' });
    const { id: draft } = await service().post({ title: 'Other', status: 'draft' });
    const { database } = service().app.deps;
    await database.query(`UPDATE content_item SET slug = 'sea' WHERE id = $1`, [draft]);
    const { body } = await update(id, { title: 'Sea again' });
    expect(body.slug).toBe('sea-2');
  });

  it('stays in the terms of taxonomies that a change does not name', async () => {
    const tags = [await service().term('TAG', 'Zinc'), await service().term('TAG', 'Iron')];
    const category = await service().term('CATEGORY', 'News');
    const { id } = await service().post({ title: 'One', tags, categories: [category] });
    const { body } = await update(id, { tags: [tags[1], category] });
    expect([body.tags, body.categories]).toStrictEqual([[tags[1]], [category]]);
    const found = await service().rest('GET', '/v1/posts', { query: `tags=${tags[1]}` });
    expect(found.body).toHaveLength(1);
  });
});
