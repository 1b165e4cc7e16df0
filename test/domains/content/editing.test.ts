import { type Caller, errorCode, useService } from '../../support/harness.js';

const SCREEN = `query($id: ID!) {
  post(id: $id) {
    version titleSource content contentSource author { name } terms { name taxonomy } tags { name } featuredMedia { url }
    revisions(first: 2) { totalCount nodes { isAutosave titleSource author { name } item { databaseId } } }
    autosave { contentSource }
    viewerCan { edit delete publish stick assignAuthor unfilteredHtml createCategories createTags assignTerms }
  }
}`;
const UPDATE =
  'mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { databaseId version } } }';
const AUTOSAVE =
  'mutation($input: AutosavePostInput!) { autosavePost(input: $input) { post { version } autosave ' +
  '{ isAutosave titleSource item { databaseId } } } }';

describe('An editing screen', () => {
  const service = useService();
  const change = (id: number, input: object, as: Caller = 'editor') =>
    service().ask(UPDATE, { input: { id, ...input } }, as);

  it('is one call: the post, its terms, author, featured medium, revisions, own autosave, and what the viewer may do', async () => {
    const { id } = await service().post({
      title: 'One',
      content: 'First',
      tags: [await service().term('TAG', 'Sleep')],
    });
    for (const title of ['Two', 'Three', 'Four']) await change(id, { title });
    await service().ask(AUTOSAVE, { input: { id, content: 'Half a thou' } }, 'editor');
    const { data } = await service().ask(SCREEN, { id }, 'editor');
    const { post } = data;
    expect([post.titleSource, post.author.name, post.version]).toStrictEqual([
      'Four',
      'The editor',
      4,
    ]);
    expect(post.terms.map(({ name }: { name: string }) => name)).toStrictEqual([
      'Sleep',
      'Uncategorized',
    ]);
    expect(post.tags).toStrictEqual([{ name: 'Sleep' }]);
    const editor = { author: { name: 'The editor' }, item: { databaseId: id } };
    expect(post.revisions).toStrictEqual({
      totalCount: 4,
      nodes: [
        { isAutosave: true, titleSource: '', ...editor },
        { isAutosave: false, titleSource: 'Four', ...editor },
      ],
    });
    expect(post.autosave.contentSource).toBe('Half a thou');
    expect(post.viewerCan.edit).toBe(true);
  });

  it('shows nobody who may not edit what was saved before', async () => {
    const { id } = await service().post();
    await change(id, { title: 'Changed' });
    const { body } = await service().graphql(
      `{ post(id: ${id}) { titleSource revisions { nodes { id } } autosave { id } } }`,
    );
    expect(body).toStrictEqual({
      data: { post: { titleSource: null, revisions: null, autosave: null } },
    });
  });

  it('takes the same number of statements for one post as for many', async () => {
    const list = `{ posts(first: 100) { nodes { terms { name } author { name } featuredMedia { id }
      excerpt(words: 100) revisions(first: 3) { totalCount nodes { id author { name } item { id } } } autosave { id } } } }`;
    const few = await service().post();
    await change(few.id, { title: 'Changed' });
    const once = await service().statements(() => service().ask(list, {}, 'editor'));
    for (let n = 0; n < 8; n++) await change((await service().post()).id, { title: 'Changed' });
    expect(await service().statements(() => service().ask(list, {}, 'editor'))).toBe(once);
  });
});

describe('Nothing that was typed is lost', () => {
  const service = useService();
  const contentOf = async (id: number) =>
    (await service().rest('GET', `/v1/posts/${id}`, { as: 'editor', query: 'context=edit' })).body
      .content.raw;

  it('of version 0 is a conflict, as there is none', async () => {
    for (const name of ['Post', 'Page', 'HealthcareItem']) {
      const one = name[0]?.toLowerCase() + name.slice(1);
      const write = async (verb: string, input: object) => {
        const query = `mutation($input: ${verb}${name}Input!) { ${verb.toLowerCase()}${name}(input: $input) { ${one} { databaseId } } }`;
        return service().ask(query, { input }, 'editor');
      };
      const made = (await write('Create', { title: 'One' })).data[`create${name}`][one];
      const input = { id: made.databaseId, title: 'Two', version: 0 };
      expect(errorCode(await write('Update', input)), name).toBe('CONFLICT');
      const save = `mutation($input: Autosave${name}Input!) { autosave${name}(input: $input) { autosave { titleSource } } }`;
      const beside = (await service().ask(save, { input }, 'editor')).data[`autosave${name}`];
      expect(beside.autosave, 'what was typed is kept beside the draft').toStrictEqual({
        titleSource: 'Two',
      });
    }
  });

  it('by two editors: the second change that was based on the same version is a conflict and changes nothing', async () => {
    const { id } = await service().post({ content: 'Old' });
    const both = await Promise.all(
      ['mine', 'yours'].map((content) =>
        service().ask(UPDATE, { input: { id, content, version: 1 } }, 'editor'),
      ),
    );
    const refused = both.filter((body) => body.errors);
    expect([
      refused.length,
      errorCode(refused[0]),
      refused[0].errors[0].extensions.version,
    ]).toStrictEqual([1, 'CONFLICT', 2]);
    expect(await contentOf(id)).toBe(both[0].errors ? 'yours' : 'mine');
  });

  it('by an autosave from a tab that is behind: the draft stays, what was typed is kept beside it', async () => {
    const { id } = await service().post({ status: 'draft', content: 'Old' }, 'author');
    await service().ask(UPDATE, { input: { id, content: 'New' } }, 'author');
    const { data } = await service().ask(
      AUTOSAVE,
      { input: { id, content: 'From the old tab', version: 1 } },
      'author',
    );
    const { autosave } = data.autosavePost;
    expect([autosave.item.databaseId, autosave.isAutosave]).toStrictEqual([id, true]);
    expect(await contentOf(id)).toBe('New');
    const current = await service().ask(
      AUTOSAVE,
      { input: { id, content: 'From the new tab', version: 2 } },
      'author',
    );
    expect(current.data.autosavePost).toStrictEqual({ post: { version: 3 }, autosave: null });
    expect(await contentOf(id)).toBe('From the new tab');
  });

  it('by an autosave that asks to publish what its author may not', async () => {
    const { id } = await service().post({ status: 'draft', content: 'Old' }, 'contributor');
    const sent = { as: 'contributor' as const, body: { content: 'Typed', status: 'publish' } };
    const { status, body } = await service().rest('POST', `/v1/posts/${id}/autosaves`, sent);
    expect([status, body.id, body.content.raw]).toStrictEqual([200, id, 'Old']);
    const kept = await service().rest('GET', `/v1/posts/${id}/autosaves`, {
      as: 'contributor',
      query: 'context=edit',
    });
    expect(kept.body[0].content.raw).toBe('Typed');
  });

  it('by an autosave of a draft that has no date yet: the answer says so, the post shows one', async () => {
    const { id } = await service().post({ status: 'draft', content: 'Old' }, 'author');
    const save = async (as: 'author' | 'editor', more: object = {}) => {
      const sent = { as, body: { content: 'Typed', ...more } };
      const { status, body } = await service().rest('POST', `/v1/posts/${id}/autosaves`, sent);
      return [status, body.parent, body.date, body.date_gmt];
    };
    expect(await save('author')).toStrictEqual([200, 0, null, null]);
    const draft = (await service().rest('GET', `/v1/posts/${id}`, { as: 'author' })).body;
    expect(draft.date).toMatch(/^\d{4}-/);
    expect(draft.modified).toMatch(/^\d{4}-/);
    const [status, parent, ...dates] = await save('editor');
    expect([status, parent], 'of somebody else it is kept beside the draft').toStrictEqual([
      200,
      id,
    ]);
    for (const date of dates) expect(String(date)).toMatch(/^\d{4}-/);
    const date = '2026-01-02T03:04:05';
    expect(await save('author', { date })).toStrictEqual([200, 0, date, date]);
    expect(await save('author'), 'it has a date from then on').toStrictEqual([200, 0, date, date]);
    expect(await save('author', { date: null })).toStrictEqual([200, 0, null, null]);
    const [, , ...published] = await save('author', { status: 'publish' });
    for (const date of published) expect(String(date)).toMatch(/^\d{4}-/);
  });

  it('lists autosaves with their links and nothing that is not shown, as it lists revisions', async () => {
    const { id } = await service().post({ status: 'publish', content: 'Old' }, 'author');
    const path = `/v1/posts/${id}/autosaves`;
    await service().rest('POST', path, { as: 'author', body: { content: 'Typed' } });
    const listed = async (query = '') =>
      (await service().rest('GET', path, { as: 'author', query })).body[0];
    const shown = await listed();
    expect(shown._links).toStrictEqual({
      parent: [{ href: `${service().url}/api/v1/posts/${id}` }],
    });
    expect(Object.keys(shown).filter((name) => name.startsWith('_'))).toStrictEqual(['_links']);
    expect(Object.keys(await listed('_fields=parent,_links.parent'))).toStrictEqual([
      'parent',
      '_links',
    ]);
    expect(await listed('_fields=parent')).toStrictEqual({ parent: id });
  });
});
