import { useService } from '../../support/harness.js';

describe('JSON null', () => {
  const service = useService();

  it('is a field that was not given', async () => {
    const { id } = await service().posted({
      title: 'T',
      excerpt: 'E',
      slug: 's',
      sticky: true,
      format: 'aside',
      comment_status: 'closed',
    });
    const names = [
      'title',
      'content',
      'excerpt',
      'slug',
      'status',
      'password',
      'author',
      'featured_media',
      'comment_status',
      'ping_status',
      'format',
      'meta',
      'sticky',
      'template',
    ];
    const body = Object.fromEntries(names.map((name) => [name, null]));
    const answer = await service().rest('POST', `/v1/posts/${id}`, { as: 'editor', body });
    expect(answer.status).toBe(200);
    const { title, excerpt, slug, status, sticky, format, comment_status } = answer.body;
    expect([title.raw, excerpt.raw, slug, status, sticky, format, comment_status]).toStrictEqual([
      'T',
      'E',
      's',
      'publish',
      true,
      'aside',
      'closed',
    ]);
  });

  it('empties terms', async () => {
    const tag = await service().term('TAG', 'Sleep');
    const { id } = await service().post({ tags: [tag] });
    const { body } = await service().rest('POST', `/v1/posts/${id}`, {
      as: 'editor',
      body: { tags: null, categories: null },
    });
    expect([body.tags, body.categories]).toStrictEqual([[], []]);
  });

  for (const name of ['date', 'date_gmt']) {
    it(`makes ${name} the present`, async () => {
      const { id } = await service().post({ date: '2020-01-01T00:00:00' });
      service().at(Date.parse('2026-05-06T07:08:09Z'));
      const { body } = await service().rest('POST', `/v1/posts/${id}`, {
        as: 'editor',
        body: { [name]: null },
      });
      expect(body.date).toBe('2026-05-06T07:08:09');
    });
  }

  it('is missing where something is required', async () => {
    const { status, body } = await service().rest('POST', '/batch/v1', {
      body: { requests: null },
    });
    expect([status, body.code, body.data.params]).toStrictEqual([
      400,
      'rest_missing_callback_param',
      ['requests'],
    ]);
  });
});

describe('Values that stand for others', () => {
  const service = useService();
  const ids = async (query: string) =>
    (
      await service().rest('GET', '/v1/posts', {
        query: `orderby=id&order=asc&_fields=id&${query}`,
      })
    ).body.map(({ id }: { id: number }) => id);

  it('negative ids and offsets are positive ones', async () => {
    const [one, two] = [await service().post(), await service().post({}, 'author')];
    const author = await service().account('author');
    expect(await ids(`include=-${one.id}`)).toStrictEqual([one.id]);
    expect(await ids(`exclude=-${one.id}`)).toStrictEqual([two.id]);
    expect(await ids(`author=-${author.id}`)).toStrictEqual([two.id]);
    expect(await ids(`author_exclude=-${author.id}`)).toStrictEqual([one.id]);
    expect(await ids('offset=-1')).toStrictEqual([two.id]);
    expect(await ids('categories=-1')).toStrictEqual([one.id, two.id]);
  });

  it('empty lists and an empty search are no filter', async () => {
    const { id } = await service().post();
    for (const name of [
      'search',
      'include',
      'exclude',
      'author',
      'author_exclude',
      'slug',
      'search_columns',
      'format',
      'status',
    ]) {
      expect(await ids(`${name}=`), name).toStrictEqual([id]);
    }
  });

  for (const name of [
    'sticky',
    'ignore_sticky',
    'offset',
    'page',
    'per_page',
    'after',
    'before',
    'modified_after',
    'order',
    'orderby',
    'context',
    'tax_relation',
    'search_semantics',
    'excerpt_length',
  ]) {
    it(`an empty ${name} fits nothing`, async () => {
      const { status, body } = await service().rest('GET', '/v1/posts', { query: `${name}=` });
      expect([status, body.code, Object.keys(body.data.params)]).toStrictEqual([
        400,
        'rest_invalid_param',
        [name],
      ]);
    });
  }
});
