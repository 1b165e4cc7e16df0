import { useService } from '../support/harness.js';

describe('Revisions over REST', () => {
  const service = useService();
  /** Makes a post with a revision for each title. */
  const revised = async (...titles: string[]) => {
    const { id } = await service().posted({ title: 'Zero', content: 'x' });
    for (const title of titles)
      await service().rest('PUT', `/v1/posts/${id}`, { as: 'editor', body: { title } });
    return { id: id as number, path: `/v1/posts/${id}/revisions` };
  };
  const list = (path: string, query: string) =>
    service().rest('GET', path, { as: 'editor', query });

  for (const edition of ['A', 'B'] as const)
    it(`are deleted with the fields that they showed, in edition ${edition}`, async () => {
      const { path } = await revised('One', 'Two');
      const [{ id }] = (await list(path, '')).body;
      const one = `${path}/${id}`;
      const shown = (await service().rest('GET', one, { as: 'editor', query: 'context=edit' }))
        .body;
      const { _links, ...fields } = shown;
      const deleted = await service().rest('DELETE', one, {
        as: 'editor',
        query: 'force=1',
        edition,
      });
      expect(deleted.body).toStrictEqual({ deleted: true, previous: expect.anything() });
      expect(Object.keys(deleted.body.previous)).toStrictEqual(Object.keys(fields));
    });

  it('are ordered by slug: autosaves come first', async () => {
    const { id, path } = await revised('One', 'Two');
    const body = { title: 'Typed' };
    await service().rest('POST', `/v1/posts/${id}/autosaves`, { as: 'editor', body });
    for (const order of ['asc', 'desc']) {
      const slugs = (await list(path, `orderby=slug&order=${order}`)).body.map(
        ({ slug }: { slug: string }) => slug,
      );
      const sorted = [...slugs].sort();
      expect(slugs).toStrictEqual(order === 'asc' ? sorted : sorted.reverse());
    }
  });

  it('are ordered by title without case and accents', async () => {
    const { path } = await revised('b', 'Éa', 'C', 'a', 'E');
    const { body } = await list(path, 'orderby=title&order=asc');
    expect(body.map(({ title }: { title: { rendered: string } }) => title.rendered)).toStrictEqual([
      'a',
      'b',
      'C',
      'E',
      'Éa',
    ]);
  });

  it('refuse a page beyond the last, beside an offset of 0 too', async () => {
    const { path } = await revised('One', 'Two', 'Three');
    const code = async (query: string) => (await list(path, query)).body.code;
    const beyond = 'rest_revision_invalid_page_number';
    expect(await code('page=4&per_page=1')).toBe(beyond);
    expect(await code('page=4&per_page=1&offset=0')).toBe(beyond);
    expect(await code('page=2&offset=0')).toBe(beyond);
    expect(await code('page=4&per_page=1&offset=1')).toBeUndefined();
    expect(await code('page=3&per_page=1&offset=0')).toBeUndefined();
  });
});
