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
