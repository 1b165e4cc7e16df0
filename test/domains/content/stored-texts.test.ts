import { type Caller, errorCode, useService } from '../../support/harness.js';

const NOTES = JSON.stringify([
  { id: 'n1', content: 'See <script>alert(1)</script><a href="javascript:x" onclick="y">here</a>' },
]);
const CLEAN = JSON.stringify([{ id: 'n1', content: 'See alert(1)<a href="x">here</a>' }]);

describe('Texts of those who may not store any HTML', () => {
  const service = useService();
  const write = async (path: string, as: Caller, body: object) =>
    (await service().rest('POST', path, { as, body })).body;
  const mutate = async (
    name: string,
    part: string,
    type: string,
    fields: string,
    as: Caller,
    input: object,
  ) => {
    const query = `mutation($input: ${type}!) { ${name}(input: $input) { ${part} { ${fields} } } }`;
    const { body } = await service().graphql(query, { input }, { as });
    return body.data?.[name]?.[part] ?? errorCode(body);
  };

  it('are sanitised in footnotes, when they are made, changed and autosaved', async () => {
    const made = await write('/v1/posts', 'author', {
      title: 'T',
      status: 'publish',
      meta: { footnotes: NOTES },
    });
    expect(made.meta.footnotes).toBe(CLEAN);
    const changed = await write(`/v1/posts/${made.id}`, 'author', {
      meta: { footnotes: '<script>x</script>' },
    });
    expect(changed.meta.footnotes).toBe('');
    const saved = await write(`/v1/posts/${made.id}/autosaves`, 'author', {
      title: 'T',
      meta: { footnotes: NOTES },
    });
    expect(saved.meta.footnotes).toBe(CLEAN);
    expect(
      (await write('/v1/posts', 'editor', { title: 'T', meta: { footnotes: NOTES } })).meta
        .footnotes,
    ).toBe(NOTES);
  });

  it('show their footnotes where the block of footnotes stands, as they are now', async () => {
    const noted = (content: string) => ({ footnotes: JSON.stringify([{ id: 'n1', content }]) });
    const content = '<!-- wp:footnotes /-->';
    const body = { title: 'T', status: 'publish', content, meta: noted('<b>See</b>') };
    const made = await write('/v1/posts', 'author', body);
    expect(made.content.rendered).toContain('<li id="n1"><b>See</b> <a href="#n1-link"');
    const changed = await write(`/v1/posts/${made.id}`, 'author', { meta: noted('Look') });
    expect(changed.content.rendered).toContain('<li id="n1">Look <a');
    const { body: revisions } = await service().rest('GET', `/v1/posts/${made.id}/revisions`, {
      as: 'author',
    });
    expect(
      revisions.map((one: { content: { rendered: string } }) => one.content.rendered),
    ).toStrictEqual([expect.stringContaining('<li id="n1">Look <a')]);
    // A row of an earlier renderer is rendered when it is read.
    await service().database.query(`UPDATE content_item SET rendering = 0, content_rendered = ''`);
    const { body: read } = await service().rest('GET', `/v1/posts/${made.id}`);
    expect(read.content.rendered).toBe(changed.content.rendered);
  });

  it('are sanitised in names and descriptions of terms', async () => {
    const term = (
      as: Caller,
      name: string,
      description = '<p onclick="x">a</p><script>b</script>',
    ) =>
      mutate('createTerm', 'term', 'CreateTermInput', 'name slug description', as, {
        taxonomy: 'TAG',
        name,
        description,
      });
    expect(await term('contributor', '<img src=x onerror=y>Sleep <b>well</b>')).toStrictEqual({
      name: 'Sleep well',
      slug: 'sleep-well',
      description: '<p>a</p>b',
    });
    expect(await term('contributor', '<img src=x>')).toBe('TERM_NAME_INVALID');
    expect((await term('editor', '<i>Rest</i>')).name).toBe('<i>Rest</i>');
  });

  it('are sanitised in every text of a medium', async () => {
    const size = { width: 1, height: 1, url: 'https://cdn.example/b.jpg' };
    const input = {
      url: 'https://cdn.example/a.jpg',
      mimeType: 'image/jpeg',
      title: 'T<script>x</script>',
      caption: '<b onclick=x>c</b>',
      description: '<iframe src="//x">d</iframe>',
      altText: '"><img src=x onerror=y>e',
      sizes: [{ name: '<b>big</b>', ...size }],
    };
    const fields =
      'title caption description altText sizes { name } source { title caption description }';
    const medium = JSON.stringify(
      await mutate('createMedia', 'media', 'CreateMediaInput', fields, 'author', input),
    );
    expect(medium).not.toMatch(/<(?:script|iframe|img|b>big)|onclick|onerror/);
    expect(medium).toMatch(/"altText":"\\">e"/);
  });
});

describe('Footnotes of a protected item', () => {
  const service = useService();

  it('are hidden from whoever may not edit it and does not know the password', async () => {
    const body = {
      title: 'T',
      content: 'c',
      status: 'publish',
      password: 'secret',
      meta: { footnotes: CLEAN },
    };
    const { id } = (await service().rest('POST', '/v1/posts', { as: 'author', body })).body;
    const seen = async (as: Caller, query = {}) => [
      (await service().rest('GET', `/v1/posts/${id}`, { as, query })).body.meta.footnotes,
      (await service().rest('GET', '/v1/posts', { as, query })).body[0].meta.footnotes,
      (await service().graphql(`{ post(id: ${id}) { footnotes } }`, {}, { as })).body.data.post
        .footnotes,
    ];
    for (const as of ['anonymous', 'guest', 'subscriber', 'contributor'] as const)
      expect(await seen(as), as).toStrictEqual(['', '', '']);
    for (const as of ['author', 'editor'] as const)
      expect(await seen(as), as).toStrictEqual([CLEAN, CLEAN, CLEAN]);
    expect((await seen('anonymous', { password: 'secret' })).slice(0, 2)).toStrictEqual([
      CLEAN,
      CLEAN,
    ]);
  });
});
