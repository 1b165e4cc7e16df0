import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Caller, useService } from '../../support/harness.js';

const SCREEN = `query($id: Int!) {
  post(id: $id, as: EDIT) {
    version title { raw } content { raw rendered } author { name } terms { name taxonomy } featuredMedia { sourceUrl }
    revisionCount newestRevisions(first: 2) { id autosave title { raw } authorId } ownAutosave { content { raw } }
    viewerCan { edit delete publish stick assignAuthor unfilteredHtml createCategories createTags assignTerms }
  }
}`;
const UPDATE = 'mutation($input: UpdatePostInput!) { updatePost(input: $input) { id version } }';
const AUTOSAVE =
  'mutation($input: UpdatePostInput!) { autosavePost(input: $input) { parentId autosave title ' +
  '{ raw } } }';

describe('An editing screen', () => {
  const service = useService();
  const ask = async (query: string, variables: object, as: Caller = 'editor') =>
    (await service().graphql(query, variables, { as })).body;
  const change = (id: number, input: object, as: Caller = 'editor') =>
    ask(UPDATE, { input: { id, ...input } }, as);

  it('is one call: the post, its terms, author, featured medium, revisions, own autosave, and what the viewer may do', async () => {
    const { id } = await service().post({
      title: 'One',
      content: 'First',
      tags: [await service().term('TAG', 'Sleep')],
    });
    for (const title of ['Two', 'Three', 'Four']) await change(id, { title });
    await ask(AUTOSAVE, { input: { id, content: 'Half a thou' } });
    const { data } = await ask(SCREEN, { id });
    const { post } = data;
    assert.deepEqual([post.title.raw, post.author.name, post.version], ['Four', 'The editor', 4]);
    assert.deepEqual(
      post.terms.map(({ name }: { name: string }) => name),
      ['Sleep', 'Uncategorized'],
    );
    assert.equal(post.revisionCount, 4);
    assert.deepEqual(
      post.newestRevisions.map((revision: { autosave: boolean; title: { raw: string } }) => [
        revision.autosave,
        revision.title.raw,
      ]),
      [
        [true, ''],
        [false, 'Four'],
      ],
    );
    assert.equal(post.ownAutosave.content.raw, 'Half a thou');
    assert.equal(post.viewerCan.edit, true);
  });

  it('shows nobody who may not edit what was saved before', async () => {
    const { id } = await service().post();
    await change(id, { title: 'Changed' });
    const { body } = await service().graphql(
      `{ post(id: ${id}) { newestRevisions { id } ownAutosave { id } } }`,
    );
    assert.deepEqual(body.data.post, { newestRevisions: null, ownAutosave: null });
    assert.deepEqual(
      body.errors.map((error: { extensions: { code: string } }) => error.extensions.code),
      ['FORBIDDEN', 'FORBIDDEN'],
    );
  });

  it('takes the same number of statements for one post as for many', async () => {
    const list = `{ posts(as: EDIT, first: 100) { nodes { terms { name } author { name } featuredMedia { id }
      newestRevisions(first: 3) { id } ownAutosave { id } } } }`;
    const few = await service().post();
    await change(few.id, { title: 'Changed' });
    const once = await service().statements(() => ask(list, {}));
    for (let n = 0; n < 8; n++) await change((await service().post()).id, { title: 'Changed' });
    assert.equal(await service().statements(() => ask(list, {})), once);
  });
});

describe('Nothing that was typed is lost', () => {
  const service = useService();
  const ask = async (query: string, variables: object, as: Caller) =>
    (await service().graphql(query, variables, { as })).body;
  const contentOf = async (id: number) =>
    (await service().rest('GET', `/v1/posts/${id}`, { as: 'editor', query: 'context=edit' })).body
      .content.raw;

  it('of version 0 is a conflict, as there is none', async () => {
    for (const [name, type] of [
      ['Post', 'Post'],
      ['Page', 'Page'],
      ['HealthcareItem', 'Healthcare'],
    ]) {
      const made = await ask(
        `mutation { create${name}(input: { title: "One" }) { id } }`,
        {},
        'editor',
      );
      const input = { id: made.data[`create${name}`].id, title: 'Two', version: 0 };
      const update = `mutation($input: Update${type}Input!) { update${name}(input: $input) { id } }`;
      assert.equal(
        (await ask(update, { input }, 'editor')).errors?.[0].extensions.code,
        'CONFLICT',
        name,
      );
      const save = `mutation($input: Update${type}Input!) { autosave${name}(input: $input) { parentId } }`;
      const beside = (await ask(save, { input }, 'editor')).data[`autosave${name}`];
      assert.equal(beside.parentId, input.id, 'what was typed is kept beside the draft');
    }
  });

  it('by two editors: the second change that was based on the same version is a conflict and changes nothing', async () => {
    const { id } = await service().post({ content: 'Old' });
    const both = await Promise.all(
      ['mine', 'yours'].map((content) =>
        ask(UPDATE, { input: { id, content, version: 1 } }, 'editor'),
      ),
    );
    const refused = both.filter((body) => body.errors);
    assert.deepEqual(
      [
        refused.length,
        refused[0].errors[0].extensions.code,
        refused[0].errors[0].extensions.version,
      ],
      [1, 'CONFLICT', 2],
    );
    assert.equal(await contentOf(id), both[0].errors ? 'yours' : 'mine');
  });

  it('by an autosave from a tab that is behind: the draft stays, what was typed is kept beside it', async () => {
    const { id } = await service().post({ status: 'draft', content: 'Old' }, 'author');
    await ask(UPDATE, { input: { id, content: 'New' } }, 'author');
    const { data } = await ask(
      AUTOSAVE,
      { input: { id, content: 'From the old tab', version: 1 } },
      'author',
    );
    assert.deepEqual([data.autosavePost.parentId, data.autosavePost.autosave], [id, true]);
    assert.equal(await contentOf(id), 'New');
    const current = await ask(
      AUTOSAVE,
      { input: { id, content: 'From the new tab', version: 2 } },
      'author',
    );
    assert.equal(current.data.autosavePost.parentId, 0);
    assert.equal(await contentOf(id), 'From the new tab');
  });

  it('by an autosave that asks to publish what its author may not', async () => {
    const { id } = await service().post({ status: 'draft', content: 'Old' }, 'contributor');
    const sent = { as: 'contributor' as const, body: { content: 'Typed', status: 'publish' } };
    const { status, body } = await service().rest('POST', `/v1/posts/${id}/autosaves`, sent);
    assert.deepEqual([status, body.id, body.content.raw], [200, id, 'Old']);
    const kept = await service().rest('GET', `/v1/posts/${id}/autosaves`, {
      as: 'contributor',
      query: 'context=edit',
    });
    assert.equal(kept.body[0].content.raw, 'Typed');
  });

  it('by an autosave of a draft that has no date yet: the answer says so, the post shows one', async () => {
    const { id } = await service().post({ status: 'draft', content: 'Old' }, 'author');
    const save = async (as: 'author' | 'editor', more: object = {}) => {
      const sent = { as, body: { content: 'Typed', ...more } };
      const { status, body } = await service().rest('POST', `/v1/posts/${id}/autosaves`, sent);
      return [status, body.parent, body.date, body.date_gmt];
    };
    assert.deepEqual(await save('author'), [200, 0, null, null]);
    const draft = (await service().rest('GET', `/v1/posts/${id}`, { as: 'author' })).body;
    assert.match(draft.date, /^\d{4}-/);
    assert.match(draft.modified, /^\d{4}-/);
    const [status, parent, ...dates] = await save('editor');
    assert.deepEqual([status, parent], [200, id], 'of somebody else it is kept beside the draft');
    for (const date of dates) assert.match(String(date), /^\d{4}-/);
    const date = '2026-01-02T03:04:05';
    assert.deepEqual(await save('author', { date }), [200, 0, date, date]);
    assert.deepEqual(await save('author'), [200, 0, date, date], 'it has a date from then on');
    assert.deepEqual(await save('author', { date: null }), [200, 0, null, null]);
    const [, , ...published] = await save('author', { status: 'publish' });
    for (const date of published) assert.match(String(date), /^\d{4}-/);
  });

  it('lists autosaves with their links and nothing that is not shown, as it lists revisions', async () => {
    const { id } = await service().post({ status: 'publish', content: 'Old' }, 'author');
    const path = `/v1/posts/${id}/autosaves`;
    await service().rest('POST', path, { as: 'author', body: { content: 'Typed' } });
    const listed = async (query = '') =>
      (await service().rest('GET', path, { as: 'author', query })).body[0];
    const shown = await listed();
    assert.deepEqual(shown._links, { parent: [{ href: `${service().url}/api/v1/posts/${id}` }] });
    assert.deepEqual(
      Object.keys(shown).filter((name) => name.startsWith('_')),
      ['_links'],
    );
    assert.deepEqual(Object.keys(await listed('_fields=parent,_links.parent')), [
      'parent',
      '_links',
    ]);
    assert.deepEqual(await listed('_fields=parent'), { parent: id });
  });
});
