import fc from 'fast-check';
import { type Sending, useService } from '../../support/harness.js';
import { form, json } from '../wire.js';

describe('Broken texts', () => {
  const service = useService();
  const send = (sending: Sending) =>
    service().rest('POST', '/v1/posts', { as: 'editor', ...sending });

  it('UTF-8 that is broken is no JSON', async () => {
    const { status, body } = await send({
      raw: new Uint8Array(Buffer.from('{"title":"\xc3\x28"}', 'latin1')),
      headers: json,
    });
    expect([status, body.code, body.data.json_error_code]).toStrictEqual([
      400,
      'rest_invalid_json',
      5,
    ]);
  });

  it('UTF-8 that is broken in a form or a query becomes U+FFFD, or is refused', async () => {
    const made = await send({ raw: 'title=a%C3%28b', headers: form });
    expect(made.status === 400 || made.body.title.raw === 'a\uFFFD(b', made.text).toBe(true);
    expect(
      (await service().rest('GET', '/v1/posts', { query: 'search=%C3%28&slug=%ff' })).status,
    ).toBeLessThan(500);
  });

  it('surrogates that are alone are no JSON', async () => {
    const { status, body } = await send({ raw: '{"title":"\\ud800"}', headers: json });
    expect([status, body.code]).toStrictEqual([400, 'rest_invalid_json']);
  });

  for (const [name, text] of [
    ['lists', `{"title":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['lists that never end', `{"title":${'['.repeat(10_000)}`],
  ]) {
    it(`JSON of 10,000 ${name} is refused`, async () => {
      const answer = await send({ raw: text, headers: json });
      expect([answer.status, answer.body.code, answer.body.data.json_error_code]).toStrictEqual([
        400,
        'rest_invalid_json',
        1,
      ]);
    });
  }

  it('any JSON as any field of a post is made or refused, and what is refused leaves nothing', async () => {
    const names = [
      'date',
      'date_gmt',
      'slug',
      'status',
      'password',
      'title',
      'content',
      'author',
      'excerpt',
      'featured_media',
      'comment_status',
      'ping_status',
      'format',
      'meta',
      'sticky',
      'template',
      'categories',
      'tags',
      'id',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.jsonValue({ maxDepth: 2 }),
        async (name, value) => {
          const before = await service().database.prisma.contentItem.count();
          const { status } = await send({ body: { title: 'T', content: 'c', [name]: value } });
          expect([201, 400, 404], `${status} for ${name}`).toContain(status);
          expect(await service().database.prisma.contentItem.count()).toBe(
            before + (status === 201 ? 1 : 0),
          );
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe('Texts that mean something elsewhere', () => {
  const service = useService();
  const NASTY = [
    `<script>alert(1)</script><img src=x onerror="alert('x')">`,
    `'; DROP TABLE content_item; --`,
    `" OR 1=1 /* \\ \\\\ \\' $1 %s %00 ? */`,
    '{{7*7}} <%= 7 %> #{7} {% 7 %}',
    '\u202eright to left 𝒳 ﷽ Z͑ͫ̓ 👩‍👩‍👧‍👦',
    'tab\tline\r\nend\u0001\u007f',
  ];

  for (const text of NASTY) {
    it(`come back from every text as they were stored: ${JSON.stringify(text).slice(0, 30)}`, async () => {
      const fields = {
        title: text,
        content: text,
        excerpt: text,
        password: text,
        meta: { footnotes: text },
      };
      const made = await service().post(fields);
      const { body } = await service().rest('GET', `/v1/posts/${made.id}`, {
        as: 'editor',
        query: { context: 'edit' },
      });
      expect([
        body.title.raw,
        body.content.raw,
        body.excerpt.raw,
        body.password,
        body.meta.footnotes,
      ]).toStrictEqual([text, text, text, text, text]);
    });
  }

  it('are searched as what they are', async () => {
    await service().post({ title: "100% sure_thing \\ quoted 'x'" });
    await service().post({ title: 'Something else' });
    const found = async (search: string) =>
      (await service().rest('GET', '/v1/posts', { query: { search } })).body.length;
    for (const search of ['100%', 'sure_thing', '\\', "'x'"])
      expect(await found(search), search).toBe(1);
    for (const search of [
      '1%0',
      'sure.thing',
      "' OR 1=1 --",
      "x'); DELETE FROM content_item; --",
      '%%%',
    ])
      expect(await found(search), search).toBe(0);
    expect((await service().rest('GET', '/v1/posts')).body.length).toBe(2);
  });

  it('are slugs, once what does not belong there is gone', async () => {
    for (const slug of [`'; DROP TABLE x; --`, '<b>Bold</b>', '../../etc/passwd', 'a/b?c#d']) {
      const { body } = await service().rest('POST', '/v1/posts', {
        as: 'editor',
        body: { title: 'T', slug },
      });
      expect(body.slug, slug).toMatch(/^[a-z0-9_%-]*$/);
    }
  });
});
