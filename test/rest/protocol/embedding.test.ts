import { useService } from '../../support/harness.js';

describe('_embed', () => {
  const service = useService();

  /** A post of the author in a category with a tag, and what is embedded in it. */
  async function embedded(query: string) {
    const tag = await service().term('TAG', 'Sleep');
    const { id } = await service().post({ tags: [tag] }, 'author');
    return { id, tag, ...(await service().rest('GET', `/v1/posts/${id}`, { query })).body };
  }

  for (const query of [
    '_embed',
    '_embed=',
    '_embed=1',
    '_embed=true',
    '_embed=author,wp:term',
    '_embed[]=author&_embed[]=wp:term',
  ]) {
    it(`embeds author and terms: ${query}`, async () => {
      const { _embedded } = await embedded(query);
      expect(Object.keys(_embedded)).toStrictEqual(['author', 'wp:term']);
    });
  }

  it('embeds only the relations that it names', async () => {
    expect(Object.keys((await embedded('_embed=author'))._embedded)).toStrictEqual(['author']);
    expect(Object.keys((await embedded('_embed=wp:term'))._embedded)).toStrictEqual(['wp:term']);
    expect(Object.keys((await embedded('_embed=author,nonsense'))._embedded)).toStrictEqual([
      'author',
    ]);
  });

  it('embeds nothing for an unknown relation, or when it is not sent', async () => {
    expect('_embedded' in (await embedded('_embed=nonsense'))).toBe(false);
    expect('_embedded' in (await embedded(''))).toBe(false);
  });

  it('shows the author as everybody sees authors', async () => {
    const { _embedded } = await embedded('_embed=author');
    const { id } = await service().account('author');
    const { url } = service();
    const [{ _links, ...author }, ...others] = _embedded.author;
    expect(author).toStrictEqual({
      id,
      name: 'The author',
      url: '',
      description: '',
      link: `${url}/author/author/`,
      slug: 'author',
      avatar_urls: {},
    });
    expect(_links.self[0].href).toBe(`${url}/api/wp/v2/users/${id}`);
    expect(_links.collection[0].href).toBe(`${url}/api/wp/v2/users`);
    expect(others).toStrictEqual([]);
  });

  it('shows a list of terms for each taxonomy, in the order of the links', async () => {
    const { _embedded, _links, tag } = await embedded('_embed=wp:term');
    expect(_links['wp:term'].map((link: { taxonomy: string }) => link.taxonomy)).toStrictEqual([
      'category',
      'post_tag',
    ]);
    const shown = _embedded['wp:term'].map((terms: Record<string, unknown>[]) =>
      terms.map(({ id, name, slug, taxonomy, link }) => ({ id, name, slug, taxonomy, link })),
    );
    const { url } = service();
    expect(shown).toStrictEqual([
      [
        {
          id: 1,
          name: 'Uncategorized',
          slug: 'uncategorized',
          taxonomy: 'category',
          link: `${url}/category/uncategorized/`,
        },
      ],
      [{ id: tag, name: 'Sleep', slug: 'sleep', taxonomy: 'post_tag', link: `${url}/tag/sleep/` }],
    ]);
    expect(Object.keys(_embedded['wp:term'][1][0])).toStrictEqual([
      'id',
      'link',
      'name',
      'slug',
      'taxonomy',
      '_links',
    ]);
  });

  it('shows nothing private of an author', async () => {
    const text = JSON.stringify((await embedded('_embed=author'))._embedded);
    expect(text).not.toMatch(/example\.com|roles|username|email/);
  });

  it('works on lists', async () => {
    await service().post();
    const { body } = await service().rest('GET', '/v1/posts', { query: { _embed: 'author' } });
    expect(Object.keys(body[0]._embedded)).toStrictEqual(['author']);
  });

  it('needs, beside _fields, the links that it follows', async () => {
    await service().post();
    const first = async (query: string) =>
      (await service().rest('GET', '/v1/posts', { query })).body[0];
    const { _links, _embedded } = await first('_fields=id,_links.author,_embedded&_embed=author');
    expect([Object.keys(_links), Object.keys(_embedded)]).toStrictEqual([['author'], ['author']]);
    expect('_embedded' in (await first('_fields=id,_embedded&_embed=author'))).toBe(false);
    expect('_embedded' in (await embedded('_fields=id,_links&_embed=author'))).toBe(false);
  });
});
