import { useService } from '../../support/harness.js';

describe('_fields', () => {
  const service = useService();
  const of = async (query: string, path?: string) => {
    const { id } = await service().post({ title: 'T', content: 'c' });
    return (await service().rest('GET', path ?? `/v1/posts/${id}`, { query })).body;
  };

  const FORMS: [query: string, keys: string[]][] = [
    ['_fields=id,slug', ['id', 'slug']],
    ['_fields=id,%20slug', ['id', 'slug']],
    ['_fields[]=id&_fields[]=slug', ['id', 'slug']],
    ['_fields=nothing,slug', ['slug']],
    ['_fields=slug,id', ['id', 'slug']],
    ['_fields=nothing', []],
    ['_fields=_links', ['_links']],
  ];
  for (const [query, keys] of FORMS) {
    it(`keeps only what is named: ${query}`, async () =>
      expect(Object.keys(await of(query))).toStrictEqual(keys));
  }

  it('goes below a field by a dot', async () => {
    expect(await of('_fields=title.rendered')).toStrictEqual({ title: { rendered: 'T' } });
    expect(await of('_fields=content.protected,title.rendered')).toStrictEqual({
      title: { rendered: 'T' },
      content: { protected: false },
    });
    expect(Object.keys((await of('_fields=content,content.protected')).content)).toStrictEqual([
      'rendered',
      'protected',
    ]);
    const [item] = await of('_fields=_links.self', '/v1/posts');
    expect(Object.keys(item._links)).toStrictEqual(['self']);
  });

  it('shows all links of a single item when it names any, or what is embedded', async () => {
    const { id } = await service().post();
    const all = Object.keys((await of('', `/v1/posts/${id}`))._links);
    for (const query of ['_fields=_links.self', '_fields=id,_links.nothing', '_fields=_embedded'])
      expect(Object.keys((await of(query, `/v1/posts/${id}`))._links), query).toStrictEqual(all);
    const made = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      query: '_fields=_links.self',
      body: { title: 'T' },
    });
    expect(Object.keys(made.body._links).length).toBeGreaterThan(1);
  });

  it('that is empty keeps everything', async () => {
    expect(Object.keys(await of('_fields='))).toStrictEqual(Object.keys(await of('')));
  });

  it('works on every element of a list', async () => {
    await service().post();
    expect(
      (await of('_fields=id', '/v1/posts')).map((item: object) => Object.keys(item)),
    ).toStrictEqual([['id'], ['id']]);
    expect(await of('_fields=nothing&per_page=2', '/v1/posts')).toStrictEqual([{}, {}]);
  });

  it('works on what was written, and on what is gone', async () => {
    const editor = { as: 'editor' } as const;
    const made = await service().rest('POST', '/v1/posts', {
      ...editor,
      query: { _fields: 'id,title.raw' },
      body: { title: 'T' },
    });
    expect([made.status, made.body]).toStrictEqual([
      201,
      { id: made.body.id, title: { raw: 'T' } },
    ]);
    expect(made.headers.get('location')).toBeTruthy();
    const query = { force: 'true', _fields: 'id,previous.id,deleted' };
    const gone = await service().rest('DELETE', `/v1/posts/${made.body.id}`, { ...editor, query });
    expect(gone.body).toStrictEqual({ deleted: true, previous: { id: made.body.id } });
  });

  it('leaves errors as they are', async () => {
    expect(Object.keys(await of('_fields=id', '/v1/posts/999'))).toStrictEqual([
      'code',
      'message',
      'data',
    ]);
  });

  it('works on the root, which then shows links only if they are named, and on an index, which keeps them', async () => {
    expect(Object.keys(await of('_fields=name,namespaces', ''))).toStrictEqual([
      'name',
      'namespaces',
    ]);
    expect(Object.keys(await of('_fields=name,_links', ''))).toStrictEqual(['name', '_links']);
    expect(Object.keys(await of('_fields=namespace', '/v1'))).toStrictEqual([
      'namespace',
      '_links',
    ]);
  });

  it('works on a batch', async () => {
    const body = { requests: [{ path: '/v1/posts', body: { title: 'T' } }] };
    const answer = await service().rest('POST', '/batch/v1', {
      as: 'editor',
      query: { _fields: 'failed' },
      body,
    });
    expect([answer.status, answer.body]).toStrictEqual([207, {}]);
  });
});
