import { useService } from '../../support/harness.js';

describe('Posts that are made at once', () => {
  const service = useService();
  beforeEach(() => service().authorization('editor'));
  const create = async (fields: object) => {
    const body = { title: 'Pain at night', status: 'publish', ...fields };
    return service().rest('POST', '/v1/posts', { as: 'editor', body });
  };

  it.each([
    ['published', {}],
    ['drafts that ask for it', { status: 'draft', slug: 'pain-at-night' }],
  ])('get a slug each, of one title: %s', async (_what, fields) => {
    const made = await Promise.all(Array.from({ length: 12 }, () => create(fields)));
    expect(made.map(({ status }) => status)).toStrictEqual(made.map(() => 201));
    const slugs = made.map(({ body }) => body.slug as string).sort();
    const numbered = Array.from({ length: 11 }, (_, i) => `pain-at-night-${i + 2}`);
    expect(slugs).toStrictEqual(['pain-at-night', ...numbered].sort());
  });

  it('get a slug each when one is written between the two statements of another', async () => {
    const { database } = service().app.deps;
    const query = database.query.bind(database) as (...asked: unknown[]) => Promise<object[]>;
    const between: string[] = [];
    const spy = jest.spyOn(database, 'query').mockImplementation((async (...asked: unknown[]) => {
      if (between.length === 0 && /INSERT INTO content_item/.test(String(asked[0]))) {
        between.push('');
        between[0] = (await create({})).body.slug;
      }
      return query(...asked);
    }) as typeof database.query);
    const { status, body } = await create({});
    spy.mockRestore();
    expect([status, body.slug, between[0]]).toStrictEqual([
      201,
      'pain-at-night-2',
      'pain-at-night',
    ]);
  });

  it('get the numbered id for a slug where the title has no letters', async () => {
    const { body } = await create({ title: '!!!' });
    expect(body.slug).toBe(`${body.id}-2`);
  });

  it('keep half a character as a replacement character', async () => {
    const input = { title: 'Half', content: 'half \ud83d a face' };
    const made =
      'mutation($input: CreatePostInput!) { createPost(input: $input) { post { contentSource } } }';
    const { createPost } = await service().data(made, { input }, 'editor');
    expect(createPost.post.contentSource).toBe('half \ufffd a face');
  });

  it('under one Idempotency-Key are one post', async () => {
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const body = { title: 'Once', status: 'publish' };
    const send = () => service().rest('POST', '/v1/posts', { as: 'editor', body, headers });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.body.id]).toStrictEqual([201, first.body.id]);
    const titles = await service().rest('GET', '/v1/posts', { query: 'search=Once' });
    expect(titles.body).toHaveLength(1);
  });
});

describe('A post that is made', () => {
  const service = useService();

  it.each(['posts', 'pages', 'healthcare'])('is answered as it is read: %s', async (kind) => {
    const tags = [await service().term('TAG', 'Zinc'), await service().term('TAG', 'Aspirin')];
    const body = {
      title: 'A "title"',
      content: 'One & two',
      excerpt: 'One',
      status: 'publish',
      date_gmt: '2020-01-02T03:04:05',
      ...(kind === 'posts' && { tags: [...tags, 999_999], sticky: true, format: 'aside' }),
      ...(kind === 'pages' && { menu_order: 3, password: 'secret' }),
    };
    const made = await service().rest('POST', `/v1/${kind}`, { as: 'editor', edition: 'B', body });
    const path = `/v1/${kind}/${made.body.id}`;
    const read = await service().rest('GET', path, {
      as: 'editor',
      edition: 'B',
      query: 'context=edit',
    });
    expect(made.status).toBe(201);
    expect(made.body).toStrictEqual(read.body);
  });

  it('below a page is answered with its whole path', async () => {
    const page = (body: object) => service().rest('POST', '/v1/pages', { as: 'editor', body });
    const above = await page({ title: 'Above', status: 'publish' });
    const below = await page({ title: 'Below', status: 'publish', parent: above.body.id });
    expect(below.body.link).toMatch(/\/above\/below\/$/);
  });

  it('in a batch has the slug that it would have alone', async () => {
    const titles = ['Sea', 'Sea', 'Sea 2', 'Sea', 'Feed', '2025', 'Sea 2', '!!!', '!!!'];
    const bodies = titles.map((title) => ({ title, content: 'Text', status: 'publish' }));
    const slugs = (list: { body: { slug: string; id: number } }[]) =>
      list.map(({ body }) => body.slug.replace(new RegExp(`^${body.id}\\b`), 'id'));
    const requests = bodies.map((body) => ({ path: '/v1/posts', body }));
    await service().rest('POST', '/v1/posts', { as: 'editor', body: bodies[0] });
    const together = await service().rest('POST', '/batch/v1', {
      as: 'editor',
      body: { requests },
    });
    expect(slugs(together.body.responses)).toStrictEqual([
      'sea-2',
      'sea-3',
      'sea-2-2',
      'sea-4',
      'feed-2',
      '2025-2',
      'sea-2-3',
      'id-2',
      'id-2',
    ]);
    const plain = bodies.slice(0, 2).map((body) => ({ path: '/v1/posts', body }));
    const last = await service().rest('POST', '/batch/v1', {
      as: 'editor',
      body: { requests: plain },
    });
    expect(slugs(last.body.responses)).toStrictEqual(['sea-5', 'sea-6']);
  });
});
