import { globalId } from '../../../src/core/node.js';
import { type Caller, errorCode, useService } from '../../support/harness.js';

const CREATE =
  'mutation($input: CreateMediaInput!) { createMedia(input: $input) { media { id databaseId slug ' +
  'title url width height sizes { name url } source { title } useCount } } }';
const IMAGE = {
  url: 'https://cdn.example/2026/pillbox.jpg',
  mimeType: 'image/jpeg',
  width: 1200,
  height: 800,
};

describe('Media', () => {
  const service = useService();
  const create = (input: object = {}, as: Caller = 'author') =>
    service().ask(CREATE, { input: { ...IMAGE, ...input } }, as);
  const made = async (input: object = {}, as: Caller = 'author') =>
    (await create(input, as)).data.createMedia.media;

  it('are recorded by whoever may upload files, under the name of the file unless another is given', async () => {
    const medium = await made();
    expect(medium).toMatchObject({
      slug: 'pillbox',
      title: 'pillbox',
      source: { title: 'pillbox' },
      url: IMAGE.url,
      width: 1200,
      height: 800,
      sizes: [],
      useCount: 0,
    });
    expect((await made()).slug).toBe('pillbox-2');
    expect(errorCode(await create({}, 'contributor'))).toBe('FORBIDDEN_CREATE');
    expect(errorCode(await create({}, 'anonymous'))).toBe('FORBIDDEN_CREATE');
  });

  it.each([
    'http://localhost/x.jpg',
    'http://LOCALHOST./x.jpg',
    'https://a.localhost:8443/x.jpg',
    'http://127.0.0.1/x.jpg',
    'http://127.1/x.jpg',
    'http://2130706433/x.jpg',
    'http://0x7f.0.0.1/x.jpg',
    'http://0177.0.0.1/x.jpg',
    'http://0/x.jpg',
    'http://10.1.2.3/x.jpg',
    'http://172.31.0.1/x.jpg',
    'http://192.168.1.1:8080/x.jpg',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/x.jpg',
    'http://224.0.0.1/x.jpg',
    'http://[::1]/x.jpg',
    'http://[::]/x.jpg',
    'http://[fe80::1]/x.jpg',
    'http://[fd00::1]/x.jpg',
    'http://[::ffff:10.0.0.1]/x.jpg',
    'http://[64:ff9b::a00:1]/x.jpg',
    'http://[2002:a00:1::]/x.jpg',
    'http://①②⑦.0.0.1/x.jpg',
    'http://nas/x.jpg',
    'http://nas.local/x.jpg',
    'http://db.internal/x.jpg',
    'http://router.lan./x.jpg',
    'http://router.home.arpa/x.jpg',
    'http://nas.local../x.jpg',
    'http://%6eas.local/x.jpg',
    'http://NAS.LOCAL:80/x.jpg',
    'http://nas。local/x.jpg',
    'http://127.000.000.001/x.jpg',
    'http://0x7f000001/x.jpg',
    'http://017700000001/x.jpg',
    'http://127.0x1/x.jpg',
    'http:\\\\127.0.0.1\\x.jpg',
    'http://[::ffff:7f00:1]/x.jpg',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/x.jpg',
    'http://[::127.0.0.1]/x.jpg',
    'http://10.0.0.1.nip.io/x.jpg',
    'http://nas.192.168.1.1.example.com/x.jpg',
    'http://10-0-0-1.example.com/x.jpg',
    'http://nas-192-168-1-1.sslip.io/x.jpg',
    'http://1.10.0.0.1.example.com/x.jpg',
    'http://8.8.8.8.192.168.1.1.example.com/x.jpg',
    'http://nas-1-192-168-1-1.example.com/x.jpg',
    'http://7f000001.nip.io/x.jpg',
    'http://--1.sslip.io/x.jpg',
    'http://localtest.me/x.jpg',
    'http://a.lvh.me/x.jpg',
    'http://a.local.gd/x.jpg',
    'http://7f000001.c0a80001.rbndr.us/x.jpg',
    'http://kubernetes.default.svc/x.jpg',
    'http://printer.test/x.jpg',
    'http://kubernetes.default/x.jpg',
    'http://api.default.svc.cluster/x.jpg',
    'http://db.service.consul/x.jpg',
    'http://1.0.0.10.in-addr.arpa/x.jpg',
    'http://hidden.onion/x.jpg',
    'http://pc.mshome.net/x.jpg',
    'http://fritz.box/x.jpg',
    'http://a.localho.st/x.jpg',
  ])('are not recorded at an address of a private network: %s', async (url) => {
    const size = { name: 'large', width: 1, height: 1 };
    const sizes = [
      { ...size, url: IMAGE.url },
      { ...size, url },
    ];
    for (const [input, path] of [
      [{ url }, ['input', 'url']],
      [{ sizes }, ['input', 'sizes', 1, 'url']],
    ] as const) {
      const [error] = (await create(input)).errors;
      const { code, problems } = error.extensions;
      expect([code, problems[0].path]).toStrictEqual(['MEDIA_ADDRESS_PRIVATE', path]);
    }
    const { mediaItems } = await service().data('{ mediaItems { totalCount } }');
    expect(mediaItems.totalCount).toBe(0);
  });

  it('may lie on this site, and on any public host', async () => {
    const own = `${service().url}/files/x.jpg`;
    const hosts = ['https://8.8.8.8/x.jpg', 'http://[2606:4700::1]/x', 'https://a.b./x'];
    const names = [
      'https://v1.10.0.0.cdn.example/x', // a version, not an address
      'https://ec2-8-8-8-8.aws.example/x',
      'https://2026-01-10-4.cdn.example/x',
      'https://localhost.example.com/x',
      'https://0a000001.cdn.example/x',
    ];
    for (const url of [own, ...hosts, ...names])
      expect((await made({ url })).url).toBe(new URL(url).href);
  });

  it('are featured by content: its id, its class, its link and its embed', async () => {
    const { databaseId: id } = await made({
      altText: 'A box with seven compartments',
      caption: 'Seven days',
      sizes: [
        {
          name: 'large',
          width: 600,
          height: 400,
          url: 'https://cdn.example/2026/pillbox-600.jpg',
        },
        {
          name: 'thumbnail',
          width: 60,
          height: 40,
          url: 'https://cdn.example/2026/pillbox-60.jpg',
        },
      ],
    });
    const post = await service().rest('POST', '/v1/posts', {
      as: 'author',
      body: { title: 'x', status: 'publish', featured_media: id },
    });
    expect(post.body.featured_media).toBe(id);
    const { body } = await service().rest('GET', `/v1/posts/${post.body.id}`, {
      query: '_embed=wp:featuredmedia',
    });
    expect(body.class_list.includes('has-post-thumbnail')).toBeTruthy();
    const [medium] = body._embedded['wp:featuredmedia'];
    expect([
      medium.id,
      medium.alt_text,
      medium.media_type,
      medium.mime_type,
      medium.source_url,
      medium.caption.rendered,
    ]).toStrictEqual([
      id,
      'A box with seven compartments',
      'image',
      'image/jpeg',
      IMAGE.url,
      '<p>Seven days</p>\n',
    ]);
    expect(Object.keys(medium.media_details.sizes)).toStrictEqual(['thumbnail', 'large']);
    expect(medium.media_details.sizes.thumbnail).toStrictEqual({
      file: 'pillbox-60.jpg',
      width: 60,
      height: 40,
      mime_type: 'image/jpeg',
      source_url: 'https://cdn.example/2026/pillbox-60.jpg',
    });
    expect(medium.guid).toBeUndefined();
    const href = body._links['wp:featuredmedia'][0].href;
    const found = await service().fetch(href.slice(service().url.length), { method: 'GET' });
    expect([found.status, found.body.id, found.body.status, found.body.meta]).toStrictEqual([
      200,
      id,
      'inherit',
      {},
    ]);
    const uses = await service().graphql(`{ mediaItem(id: ${id}) { useCount } }`);
    expect(uses.body.data.mediaItem.useCount).toBe(1);
  });

  it('that are no image, unknown, or hidden from the writer, are silently not featured', async () => {
    const file = await made({
      mimeType: 'application/pdf',
      url: 'https://cdn.example/plan.pdf',
    });
    const draft = await service().post({ status: 'draft' }, 'editor');
    const hidden = await made({ attachedToId: draft.id }, 'editor');
    const post = await service().post({}, 'author');
    for (const featured_media of [file.databaseId, hidden.databaseId, post.id, 999_999, -1, 0]) {
      const { status, body } = await service().rest('POST', `/v1/posts/${post.id}`, {
        as: 'author',
        body: { featured_media },
      });
      expect([status, body.featured_media], String(featured_media)).toStrictEqual([200, 0]);
    }
  });

  it('attached to an item are seen by whoever may read the item; to others they are not there', async () => {
    const draft = await service().post({ status: 'draft' }, 'author');
    const { databaseId: id } = await made({ attachedToId: draft.id }, 'editor');
    const seen = async (as: Caller) =>
      (await service().rest('GET', `/wp/v2/media/${id}`, { as })).status;
    expect(
      await Promise.all([seen('anonymous'), seen('contributor'), seen('author'), seen('editor')]),
    ).toStrictEqual([404, 404, 200, 200]);
    const list = async (as: Caller) =>
      (await service().rest('GET', '/wp/v2/media', { as, query: `parent=${draft.id}` })).body
        .length;
    expect([await list('anonymous'), await list('author')]).toStrictEqual([0, 1]);
    await service().rest('POST', `/v1/posts/${draft.id}`, {
      as: 'author',
      body: { status: 'publish' },
    });
    expect(await seen('anonymous')).toBe(200);
    const { body } = await service().rest('GET', `/v1/posts/${draft.id}`);
    const attached = await service().fetch(
      body._links['wp:attachment'][0].href.slice(service().url.length),
      { method: 'GET' },
    );
    expect(attached.body.map((medium: { id: number }) => medium.id)).toStrictEqual([id]);
  });

  it('that the original hides stay hidden when what was read is sent back, and until they are attached anew', async () => {
    const post = await service().post({}, 'author');
    const { databaseId: id } = await made();
    const stored = async (itemId: number | null, attachment: object) => {
      const data = { itemId, attachment: { path: null, ...attachment } };
      await service().database.prisma.media.update({ where: { id }, data });
    };
    const status = async () => (await service().rest('GET', `/wp/v2/media/${id}`)).status;
    const change = async (attachedToId: number | null) => {
      const { errors } = await service().ask(
        'mutation($input: UpdateMediaInput!) { updateMedia(input: $input) { media { id } } }',
        { input: { id, altText: 'x', attachedToId } },
        'editor',
      );
      expect(errors).toBeUndefined();
    };
    await stored(null, { id: 0, isHidden: true });
    await change(null);
    expect(await status(), 'attached to nothing').toBe(404);
    await stored(post.id, { id: 0, isHidden: true });
    await change(post.id);
    expect(await status(), 'attached to what it was').toBe(404);
    await change(null);
    expect(await status(), 'detached').toBe(404);
    await change(post.id);
    expect(await status(), 'attached anew').toBe(200);
  });

  it('of an item of a model are listed under the number that they show', async () => {
    const { databaseId: id } = await made();
    const data = { attachment: { id: 77, path: null } };
    await service().database.prisma.media.update({ where: { id }, data });
    const listed = async (parent: number) =>
      (await service().rest('GET', '/wp/v2/media', { query: `parent=${parent}` })).body.map(
        (medium: { id: number; post: number }) => [medium.id, medium.post],
      );
    expect(await listed(77)).toStrictEqual([[id, 77]]);
    expect(await listed(0)).toStrictEqual([]);
  });

  it('are renamed, moved and deleted by who added them and by editors; what featured them features nothing then', async () => {
    const { databaseId: id } = await made();
    const post = await service().post({ featured_media: id }, 'author');
    const update =
      'mutation($input: UpdateMediaInput!) { updateMedia(input: $input) { media { slug title ' +
      'attachedTo { databaseId } } } }';
    const change = (input: object, as: Caller) =>
      service().ask(update, { input: { id, ...input } }, as);
    expect(errorCode(await change({ title: 'y' }, 'contributor'))).toBe('FORBIDDEN_EDIT');
    expect(errorCode(await change({ attachedToId: 999_999 }, 'author'))).toBe('MEDIA_ITEM_INVALID');
    expect(
      (await change({ title: 'Box', slug: 'box', attachedToId: post.id }, 'author')).data
        .updateMedia.media,
    ).toStrictEqual({ slug: 'box', title: 'Box', attachedTo: { databaseId: post.id } });
    const detached = await change({ attachedToId: null }, 'author');
    expect(detached.data.updateMedia.media.attachedTo).toBeNull();
    const remove = `mutation { deleteMedia(input: { id: ${id} }) { deletedMediaId media { slug } } }`;
    expect(errorCode((await service().graphql(remove, {}, { as: 'contributor' })).body)).toBe(
      'FORBIDDEN_EDIT',
    );
    expect(
      (await service().graphql(remove, {}, { as: 'editor' })).body.data.deleteMedia,
    ).toStrictEqual({ deletedMediaId: globalId('Media', id), media: { slug: 'box' } });
    expect((await service().rest('GET', `/v1/posts/${post.id}`)).body.featured_media).toBe(0);
    expect(errorCode((await service().graphql(remove, {}, { as: 'editor' })).body)).toBe(
      'MEDIA_NOT_FOUND',
    );
  });

  it('of those without unfiltered_html have their texts sanitised', async () => {
    const { source } = await made({ title: 'A<script>alert(1)</script>' });
    expect(source.title).toBe('Aalert(1)');
  });

  it('lie at web addresses, have plausible types, and at most 20 renditions', async () => {
    for (const url of [
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      '/a.png',
      'https://user:pass@host/a.png',
      `https://a/${'x'.repeat(2000)}`,
    ])
      expect(errorCode(await create({ url })), url).toBe('BAD_USER_INPUT');
    expect(errorCode(await create({ mimeType: 'text/html; charset=x' }))).toBe('BAD_USER_INPUT');
    const size = { name: 's', width: 1, height: 1, url: IMAGE.url };
    expect(errorCode(await create({ sizes: Array.from({ length: 21 }, () => size) }))).toBe(
      'SIZES_INVALID',
    );
  });

  it('take the same number of statements however many are listed', async () => {
    const list = () =>
      service().statements(() =>
        service().graphql(
          '{ mediaItems(first: 100) { totalCount nodes { id useCount author { id } attachedTo { id } } } }',
        ),
      );
    await made();
    const few = await list();
    for (let n = 0; n < 12; n++) await made();
    expect(await list()).toBe(few);
  });
});
