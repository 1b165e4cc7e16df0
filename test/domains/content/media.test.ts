import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Caller, useService } from '../../support/harness.js';

const CREATE =
  'mutation($input: CreateMediaInput!) { createMedia(input: $input) { id slug title { rendered ' +
  'raw } details { file } useCount } }';
const IMAGE = {
  sourceUrl: 'https://cdn.example/2026/pillbox.jpg',
  mimeType: 'image/jpeg',
  width: 1200,
  height: 800,
};

describe('Media', () => {
  const service = useService();
  const create = async (input: object = {}, as: Caller = 'author') =>
    (await service().graphql(CREATE, { input: { ...IMAGE, ...input } }, { as })).body;
  const made = async (input: object = {}, as: Caller = 'author') =>
    (await create(input, as)).data.createMedia;
  const code = (body: { errors?: { extensions: { code: string } }[] }) =>
    body.errors?.[0]?.extensions.code;

  it('are recorded by whoever may upload files, under the name of the file unless another is given', async () => {
    const medium = await made();
    assert.deepEqual(
      [medium.slug, medium.title, medium.details.file, medium.useCount],
      ['pillbox', { rendered: 'pillbox', raw: 'pillbox' }, 'pillbox.jpg', 0],
    );
    assert.equal((await made()).slug, 'pillbox-2');
    assert.equal(code(await create({}, 'contributor')), 'FORBIDDEN_CREATE');
    assert.equal(code(await create({}, 'anonymous')), 'FORBIDDEN_CREATE');
  });

  it('are featured by content: its id, its class, its link and its embed', async () => {
    const { id } = await made({
      altText: 'A box with seven compartments',
      caption: 'Seven days',
      sizes: [
        {
          name: 'large',
          width: 600,
          height: 400,
          sourceUrl: 'https://cdn.example/2026/pillbox-600.jpg',
        },
        {
          name: 'thumbnail',
          width: 60,
          height: 40,
          sourceUrl: 'https://cdn.example/2026/pillbox-60.jpg',
        },
      ],
    });
    const post = await service().rest('POST', '/v1/posts', {
      as: 'author',
      body: { title: 'x', status: 'publish', featured_media: id },
    });
    assert.equal(post.body.featured_media, id);
    const { body } = await service().rest('GET', `/v1/posts/${post.body.id}`, {
      query: '_embed=wp:featuredmedia',
    });
    assert.ok(body.class_list.includes('has-post-thumbnail'));
    const [medium] = body._embedded['wp:featuredmedia'];
    assert.deepEqual(
      [
        medium.id,
        medium.alt_text,
        medium.media_type,
        medium.mime_type,
        medium.source_url,
        medium.caption.rendered,
      ],
      [
        id,
        'A box with seven compartments',
        'image',
        'image/jpeg',
        IMAGE.sourceUrl,
        '<p>Seven days</p>\n',
      ],
    );
    assert.deepEqual(Object.keys(medium.media_details.sizes), ['thumbnail', 'large']);
    assert.deepEqual(medium.media_details.sizes.thumbnail, {
      file: 'pillbox-60.jpg',
      width: 60,
      height: 40,
      mime_type: 'image/jpeg',
      source_url: 'https://cdn.example/2026/pillbox-60.jpg',
    });
    assert.equal(medium.guid, undefined);
    const href = body._links['wp:featuredmedia'][0].href;
    const found = await service().fetch(href.slice(service().url.length), { method: 'GET' });
    assert.deepEqual(
      [found.status, found.body.id, found.body.status, found.body.meta],
      [200, id, 'inherit', {}],
    );
    const uses = await service().graphql(`{ media(id: ${id}) { useCount } }`);
    assert.equal(uses.body.data.media.useCount, 1);
  });

  it('that are no image, unknown, or hidden from the writer, are silently not featured', async () => {
    const file = await made({
      mimeType: 'application/pdf',
      sourceUrl: 'https://cdn.example/plan.pdf',
    });
    const draft = await service().post({ status: 'draft' }, 'editor');
    const hidden = await made({ itemId: draft.id }, 'editor');
    const post = await service().post({}, 'author');
    for (const featured_media of [file.id, hidden.id, post.id, 999_999, -1, 0]) {
      const { status, body } = await service().rest('POST', `/v1/posts/${post.id}`, {
        as: 'author',
        body: { featured_media },
      });
      assert.deepEqual([status, body.featured_media], [200, 0], String(featured_media));
    }
  });

  it('attached to an item are seen by whoever may read the item; to others they are not there', async () => {
    const draft = await service().post({ status: 'draft' }, 'author');
    const { id } = await made({ itemId: draft.id }, 'editor');
    const seen = async (as: Caller) =>
      (await service().rest('GET', `/wp/v2/media/${id}`, { as })).status;
    assert.deepEqual(
      await Promise.all([seen('anonymous'), seen('contributor'), seen('author'), seen('editor')]),
      [404, 404, 200, 200],
    );
    const list = async (as: Caller) =>
      (await service().rest('GET', '/wp/v2/media', { as, query: `parent=${draft.id}` })).body
        .length;
    assert.deepEqual([await list('anonymous'), await list('author')], [0, 1]);
    await service().rest('POST', `/v1/posts/${draft.id}`, {
      as: 'author',
      body: { status: 'publish' },
    });
    assert.equal(await seen('anonymous'), 200);
    const { body } = await service().rest('GET', `/v1/posts/${draft.id}`);
    const attached = await service().fetch(
      body._links['wp:attachment'][0].href.slice(service().url.length),
      { method: 'GET' },
    );
    assert.deepEqual(
      attached.body.map((medium: { id: number }) => medium.id),
      [id],
    );
  });

  it('are renamed, moved and deleted by who added them and by editors; what featured them features nothing then', async () => {
    const { id } = await made();
    const post = await service().post({ featured_media: id }, 'author');
    const update =
      'mutation($input: UpdateMediaInput!) { updateMedia(input: $input) { slug title { ' +
      'rendered } itemId } }';
    const change = async (input: object, as: Caller) =>
      (await service().graphql(update, { input: { id, ...input } }, { as })).body;
    assert.equal(code(await change({ title: 'y' }, 'contributor')), 'FORBIDDEN_EDIT');
    assert.equal(code(await change({ itemId: 999_999 }, 'author')), 'MEDIA_ITEM_INVALID');
    assert.deepEqual(
      (await change({ title: 'Box', slug: 'box', itemId: post.id }, 'author')).data.updateMedia,
      {
        slug: 'box',
        title: { rendered: 'Box' },
        itemId: post.id,
      },
    );
    const remove = `mutation { deleteMedia(input: { id: ${id} }) { deleted previous { slug } } }`;
    assert.equal(
      code((await service().graphql(remove, {}, { as: 'contributor' })).body),
      'FORBIDDEN_EDIT',
    );
    assert.equal(
      (await service().graphql(remove, {}, { as: 'editor' })).body.data.deleteMedia.previous.slug,
      'box',
    );
    assert.equal((await service().rest('GET', `/v1/posts/${post.id}`)).body.featured_media, 0);
    assert.equal(
      code((await service().graphql(remove, {}, { as: 'editor' })).body),
      'MEDIA_NOT_FOUND',
    );
  });

  it('of those without unfiltered_html have their texts sanitised', async () => {
    const { title } = await made({ title: 'A<script>alert(1)</script>' });
    assert.equal(title.raw, 'Aalert(1)');
  });

  it('lie at web addresses, have plausible types, and at most 20 renditions', async () => {
    for (const sourceUrl of [
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      '/a.png',
      'https://user:pass@host/a.png',
      `https://a/${'x'.repeat(2000)}`,
    ])
      assert.equal(code(await create({ sourceUrl })), 'BAD_USER_INPUT', sourceUrl);
    assert.equal(code(await create({ mimeType: 'text/html; charset=x' })), 'BAD_USER_INPUT');
    const size = { name: 's', width: 1, height: 1, sourceUrl: IMAGE.sourceUrl };
    assert.equal(
      code(await create({ sizes: Array.from({ length: 21 }, () => size) })),
      'SIZES_INVALID',
    );
  });

  it('take the same number of statements however many are listed', async () => {
    const list = () =>
      service().statements(() =>
        service().graphql(
          '{ mediaList(first: 100) { totalCount nodes { id useCount author { id } } } }',
        ),
      );
    await made();
    const few = await list();
    for (let n = 0; n < 12; n++) await made();
    assert.equal(await list(), few);
  });
});
