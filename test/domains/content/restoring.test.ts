import {
  type Caller,
  errorCode,
  mutation,
  type RoleName,
  useService,
} from '../../support/harness.js';

describe('An item of content', () => {
  const service = useService();
  const KINDS = [
    ['Post', 'post', '/v1/posts'],
    ['Page', 'page', '/v1/pages'],
    ['HealthcareItem', 'healthcareItem', '/v1/healthcare'],
  ] as const;
  const rest = async (method: string, path: string, body?: object, as: Caller = 'editor') => {
    const edition = path.startsWith('/v1/healthcare') ? 'B' : 'A';
    return service().rest(method, path, { as, edition, ...(body && { body }) });
  };
  const send = async (name: string, fields: string, id: number, as: RoleName = 'editor') => {
    const { data, errors } = await service().ask(mutation(name, fields), { input: { id } }, as);
    return errors ? errorCode({ errors }) : data[name];
  };
  const restore = (id: number, as?: RoleName) =>
    send('restorePost', 'post { status slug }', id, as);

  describe.each(KINDS)('that is a %s', (type, one, path) => {
    for (const status of ['publish', 'private', 'pending', 'draft'])
      it(`comes back from the trash as ${status}, which it was`, async () => {
        const { id } = (await rest('POST', path, { title: 'One', slug: 'one', status })).body;
        for (const trash of [
          () => rest('DELETE', `${path}/${id}`),
          () => send(`trash${type}`, `${one} { id }`, id),
        ]) {
          await trash();
          expect(await send(`restore${type}`, `${one} { status slug }`, id)).toStrictEqual({
            [one]: { status: status.toUpperCase(), slug: 'one' },
          });
        }
        expect(await send(`restore${type}`, `${one} { status }`, id)).toBe('NOT_TRASHED');
      });
  });

  it('comes back scheduled while its time is to come, and published afterwards', async () => {
    service().at('2026-03-01T08:00:00Z');
    const date = '2026-03-02T08:00:00';
    const { id } = (await rest('POST', '/v1/posts', { title: 'x', status: 'future', date })).body;
    await rest('DELETE', `/v1/posts/${id}`);
    expect((await restore(id)).post.status).toBe('FUTURE');
    await rest('DELETE', `/v1/posts/${id}`);
    service().at('2026-03-03T08:00:00Z');
    expect((await restore(id)).post.status).toBe('PUBLISH');
  });

  it('comes back with another slug when its own is taken, without that of the trash', async () => {
    const ids: number[] = [];
    for (const _ of [1, 2]) {
      const { id } = await service().post({ title: 'x', slug: 'one', status: 'publish' });
      await rest('DELETE', `/v1/posts/${id}`);
      ids.push(id);
    }
    const slugs = [];
    for (const id of ids) slugs.push((await restore(id)).post.slug);
    expect(slugs).toStrictEqual(['one', 'one-2']);
  });

  it('that was taken out of the trash by REST is not in it, and remembers nothing', async () => {
    const { id } = await service().post({ title: 'x', status: 'publish' });
    await rest('DELETE', `/v1/posts/${id}`);
    await rest('POST', `/v1/posts/${id}`, { status: 'draft' });
    expect(await restore(id)).toBe('NOT_TRASHED');
    await rest('DELETE', `/v1/posts/${id}`);
    expect((await restore(id)).post.status).toBe('DRAFT');
  });

  it('of which nobody knows what it was comes back as a draft', async () => {
    const { id } = await service().post({ title: 'x', status: 'publish' });
    await rest('DELETE', `/v1/posts/${id}`);
    await service().database.query('UPDATE content_item SET trashed_from = NULL');
    expect((await restore(id)).post.status).toBe('DRAFT');
  });

  it('keeps its texts, whoever moves it', async () => {
    const content = '<script>x</script><p>Text</p>';
    const { id: author } = await service().account('author');
    const { id } = await service().post({ title: 'x', content, author }, 'administrator');
    await send('trashPost', 'post { id }', id, 'author');
    await restore(id, 'author');
    const query = 'context=edit';
    const { body } = await service().rest('GET', `/v1/posts/${id}`, { as: 'editor', query });
    expect(body.content.raw).toBe(content);
  });

  it('is taken back by who may delete it, and may publish it if it was published', async () => {
    const { id: author } = await service().account('contributor');
    const made = async (status: string) => {
      const { id } = await service().post({ title: 'x', status, author }, 'editor');
      await rest('DELETE', `/v1/posts/${id}`);
      return id as number;
    };
    expect((await restore(await made('draft'), 'contributor')).post.status).toBe('DRAFT');
    expect(await restore(await made('publish'), 'contributor')).toBe('FORBIDDEN_EDIT');
    expect(await restore(await made('draft'), 'author')).toBe('FORBIDDEN_EDIT');
    expect(await restore(4711)).toBe('POST_NOT_FOUND');
  });

  it('is taken back once under an Idempotency-Key', async () => {
    const { id } = await service().post({ title: 'x', status: 'publish' });
    await rest('DELETE', `/v1/posts/${id}`);
    const again = () =>
      service().graphql(
        mutation('restorePost', 'post { status version }'),
        { input: { id } },
        {
          as: 'editor',
          headers: { 'idempotency-key': 'one' },
        },
      );
    const first = await again();
    expect(first.body.data.restorePost.post.status).toBe('PUBLISH');
    expect((await again()).body).toStrictEqual(first.body);
  });

  it('tells who may take it back', async () => {
    const { id } = await service().post({ title: 'x', status: 'publish' }, 'author');
    const can = async (as: RoleName) =>
      (
        await service().data(
          'query($id: ID!) { post(id: $id) { viewerCan { restore } } }',
          { id },
          as,
        )
      ).post?.viewerCan.restore;
    expect(await can('editor')).toBe(false);
    await rest('DELETE', `/v1/posts/${id}`);
    expect([await can('editor'), await can('author')]).toStrictEqual([true, true]);
  });

  describe('with revisions', () => {
    const RESTORE = mutation(
      'restoreRevision',
      'item { version ... on Post { titleSource: title } }',
    );
    const put = (input: object, as: RoleName = 'editor') => service().ask(RESTORE, { input }, as);
    const read = async (id: number) => {
      const query = 'context=edit';
      const { body } = await service().rest('GET', `/v1/posts/${id}`, { as: 'editor', query });
      const { title, content, excerpt, meta } = body;
      return [title.raw, content.raw, excerpt.raw, meta.footnotes];
    };
    const changed = async () => {
      const { id } = await service().post({ title: 'One', content: 'a' });
      const first = { title: 'Two', content: 'b', excerpt: 'c', meta: { footnotes: '[1]' } };
      await rest('POST', `/v1/posts/${id}`, first);
      const [{ id: revision }] = (await rest('GET', `/v1/posts/${id}/revisions`)).body;
      await rest('POST', `/v1/posts/${id}`, {
        title: 'Three',
        content: 'd',
        excerpt: '',
        meta: { footnotes: '' },
      });
      return { id: id as number, revision: revision as number };
    };

    it('becomes what one of them has, which makes another', async () => {
      const { id, revision } = await changed();
      const { data } = await put({ id: revision });
      expect(data.restoreRevision.item).toStrictEqual({ version: 4, titleSource: 'Two' });
      expect(await read(id)).toStrictEqual(['Two', 'b', 'c', '[1]']);
      expect((await rest('GET', `/v1/posts/${id}/revisions`)).body).toHaveLength(3);
    });

    it('is refused one for another version, and to who may not edit it', async () => {
      const { id, revision } = await changed();
      const { errors } = await put({ id: revision, version: 2 });
      expect(errors[0].extensions).toMatchObject({ code: 'CONFLICT', version: 3 });
      expect(errorCode(await put({ id: revision, version: 0 }))).toBe('CONFLICT');
      expect(errorCode(await put({ id: revision }, 'author'))).toBe('FORBIDDEN_EDIT');
      expect(errorCode(await put({ id: 4711 }))).toBe('POST_NOT_FOUND');
      expect((await read(id))[0]).toBe('Three');
    });

    it('becomes what was typed into it', async () => {
      const { id } = await service().post({ title: 'One', status: 'publish' });
      const { body } = await rest('POST', `/v1/posts/${id}/autosaves`, {
        title: 'Typed',
        content: 'x',
      });
      await put({ id: body.id });
      expect((await read(id)).slice(0, 2)).toStrictEqual(['Typed', 'x']);
    });
  });
});
