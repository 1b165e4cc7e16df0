import type { Oembed } from '../../src/platform/oembed/oembed.types.js';
import { mutation, useService } from '../support/harness.js';

const service = useService();
const embed = (query: Record<string, string>, more: object = {}) =>
  service().rest('GET', '/oembed/1.0/embed', { query, ...more });
const proxy = (query: Record<string, string>, more: object = { as: 'contributor' }) =>
  service().rest('GET', '/oembed/1.0/proxy', { query, ...more });

/** Makes a post as an editor; returns it as the REST interface shows it. */
const post = async (body: object = {}) =>
  (
    await service().rest('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'Apple post', content: 'c', status: 'publish', ...body },
    })
  ).body;

describe('GET /oembed/1.0/embed', () => {
  it('answers the embed of a published post, by its permalink', async () => {
    const { link } = await post({ title: 'Salt & <em>pepper</em>' });
    const { status, body, headers } = await embed({ url: link });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    const { html, ...rest } = body;
    expect(rest).toStrictEqual({
      version: '1.0',
      provider_name: expect.any(String),
      provider_url: service().url,
      author_name: 'The editor',
      author_url: `${service().url}/author/editor/`,
      title: 'Salt &#038; pepper',
      type: 'rich',
      width: 600,
      height: 338,
    });
    const secret = /data-secret="([a-zA-Z0-9]{10})"/.exec(html)?.[1];
    expect(html).toContain(`<a href="${link}">Salt &#038; pepper</a></blockquote>`);
    expect(html).toContain(`src="${link}embed/#?secret=${secret}" width="600" height="338"`);
    expect(html).toMatch(/<iframe sandbox="allow-scripts" security="restricted"/);
  });

  it('is the same each time, so that its ETag and that of its HEAD are', async () => {
    const url = (await post()).link;
    const { headers, text } = await embed({ url });
    const etag = headers.get('etag') ?? '';
    expect((await embed({ url })).text).toBe(text);
    const sending = { query: { url }, headers: { 'if-none-match': etag } };
    const head = await service().rest('HEAD', '/oembed/1.0/embed', { query: { url } });
    expect(head.headers.get('etag')).toBe(etag);
    for (const method of ['GET', 'HEAD'])
      expect((await service().rest(method, '/oembed/1.0/embed', sending)).status).toBe(304);
    const other = (await post()).link;
    const secret = /data-secret="(\w{10})"/.exec(text.replaceAll('\\', ''))?.[1];
    expect((await embed({ url: other })).text).not.toContain(secret);
  });

  it('reads every address of an item: `?p=`, a fragment, the other protocol, a page below another', async () => {
    const { id, link } = await post();
    const secure = link.replace('http:', 'https:');
    for (const url of [link, `${service().url}/?p=${id}`, `${link}#top`, secure, link.slice(0, -1)])
      expect((await embed({ url })).status, url).toBe(200);
    const page = (body: object) =>
      service().rest('POST', '/v1/pages', {
        as: 'editor',
        body: { title: 'x', status: 'publish', ...body },
      });
    const { id: parent } = (await page({ slug: 'above' })).body;
    const below = (await page({ slug: 'below', parent, title: 'Below' })).body.link;
    expect(below).toBe(`${service().url}/above/below/`);
    expect((await embed({ url: below })).body.title).toBe('Below');
    expect((await embed({ url: `${service().url}/below/` })).status).toBe(404);
  });

  it('takes the spellings that lead to a page: of the host, of octets, of letters', async () => {
    const { link } = await post({ title: 'Äpfel & Соль Ελένη', slug: 'Äpfel Соль Ελένη' });
    const { origin, pathname } = new URL(link);
    const decoded = decodeURI(pathname);
    for (const path of [
      pathname,
      pathname.replaceAll(/%../g, (octet) => octet.toUpperCase()),
      decoded,
      decoded.normalize('NFD'),
      decoded.toUpperCase(),
      encodeURI(decoded.toUpperCase()),
      pathname.replace('a', '%61'),
      encodeURI(pathname),
    ]) {
      const url = `${origin.replace('http', 'HTTP').replace('localhost', 'LOCALHOST')}${path}`;
      expect((await embed({ url })).status, path).toBe(200);
      expect((await service().fetch(encodeURI(decodeURI(path)), {})).status, path).toBeLessThan(
        400,
      );
    }
    for (const path of [`${pathname}x`, `/x${pathname}`, pathname.replace('%', '%25x')])
      expect((await embed({ url: origin + path })).status, path).toBe(404);
  });

  it('answers in edition B for the addresses of its own site', async () => {
    const { slug } = await post();
    const url = `${service().url}/v3/${slug}/`;
    const { status, body } = await embed({ url }, { edition: 'B' });
    expect([status, body.provider_url]).toStrictEqual([200, `${service().url}/v3`]);
    expect((await embed({ url })).status).toBe(404);
  });

  it.each(['draft', 'private', 'pending'])(
    'is 404 for what is %s, for editors too',
    async (status) => {
      const { id, link } = await post({ status });
      for (const url of [link, `${service().url}/?p=${id}`]) {
        const { status, body } = await embed({ url }, { as: 'editor' });
        expect([status, body]).toStrictEqual([
          404,
          { code: 'oembed_invalid_url', message: 'Not Found', data: { status: 404 } },
        ]);
      }
    },
  );

  it('is 404 for what is no item of this site', async () => {
    await post({ slug: 'apple' });
    const { url: here } = service();
    const urls = [
      ...[
        '',
        'not a url',
        'https://elsewhere.example/apple/',
        here,
        `${here}/`,
        `${here}/nothing/`,
      ],
      ...[`${here}/x/apple/`, `${here}/?p=0`, `${here}/?p=99999999999`, `${here}/?p=1e1`],
      ...[`${here}@evil.example/apple/`, here.replace('//', '//user:pass@'), `${here}/apple/%0A`],
      ...['\0', '\n', `${here}\0/apple/`, `${here}/apple\0/`, `${here}\n.evil.example/apple/`],
      ...[`${here}/apple%00/`, `${here}/%/`, `ftp${here.slice(4)}/apple/`, `//localhost/apple/`],
    ];
    for (const url of urls) {
      const { status, body } = await embed({ url });
      expect([url, status, body.code]).toStrictEqual([url, 404, 'oembed_invalid_url']);
    }
  });

  it('is 400 without an address, and for several', async () => {
    expect((await embed({})).body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { params: ['url'] },
    });
    expect((await embed({ 'url[]': 'x' })).body.code).toBe('rest_invalid_param');
  });

  it.each([
    ['400', 400, 225],
    ['300', 300, 200],
    ['350px', 350, 200],
    ['9999', 600, 338],
    ['10', 200, 200],
    ['0', 200, 200],
    ['-5', 200, 200],
    ['abc', 200, 200],
    ['', 200, 200],
  ])('reads maxwidth=%s as %i', async (maxwidth, width, height) => {
    const { link } = await post();
    expect((await embed({ url: link, maxwidth })).body).toMatchObject({ width, height });
  });

  it('is XML with format=xml, failures as well, and JSON with any other format', async () => {
    const { link } = await post({ title: 'Salt & pepper' });
    const { headers, text } = await embed({ url: link, format: 'xml', maxwidth: '300' });
    expect(headers.get('content-type')).toBe('text/xml; charset=UTF-8');
    expect(text).toMatch(/^<\?xml version="1\.0"\?>\n<oembed><version>1\.0<\/version>/);
    expect(text).toContain('<title>Salt &amp;#038; pepper</title>');
    expect(text).toContain('<width>300</width>');
    expect(text).toContain('<html>&lt;blockquote class=');
    const failed = await embed({ url: 'x', format: 'xml' });
    expect([failed.status, failed.headers.get('content-type')]).toStrictEqual([
      404,
      'text/xml; charset=UTF-8',
    ]);
    expect(failed.text).toBe(
      '<?xml version="1.0"?>\n<oembed><code>oembed_invalid_url</code><message>Not Found</message>' +
        '<data><status>404</status></data></oembed>\n',
    );
    for (const format of ['XML', '', 'yaml', 'json'])
      expect((await embed({ url: link, format })).headers.get('content-type')).toMatch(/json/);
  });

  it('says of a protected post that it is, and shows nothing of it', async () => {
    const { link } = await post({ title: 'Secret', content: 'hidden words', password: 'pw' });
    const { body } = await embed({ url: link });
    expect(body.title).toBe('Protected: Secret');
    expect(body.html).not.toContain('hidden');
  });

  it('shows the featured image, scaled to the width', async () => {
    const { createMedia } = await service().data(
      mutation('createMedia', 'media { databaseId }'),
      {
        input: {
          url: 'https://cdn.example/large.jpg',
          mimeType: 'image/jpeg',
          width: 1600,
          height: 800,
          sizes: [
            {
              name: 'medium',
              width: 400,
              height: 200,
              url: 'https://cdn.example/m.jpg',
            },
          ],
        },
      },
      'editor',
    );
    const { link } = await post({ featured_media: createMedia.media.databaseId });
    expect((await embed({ url: link, maxwidth: '400' })).body).toMatchObject({
      thumbnail_url: 'https://cdn.example/m.jpg',
      thumbnail_width: 400,
      thumbnail_height: 200,
    });
    expect((await embed({ url: link })).body).toMatchObject({
      thumbnail_url: 'https://cdn.example/large.jpg',
      thumbnail_width: 600,
      thumbnail_height: 300,
    });
  });

  it('takes _fields, _envelope and HEAD; POST is no route', async () => {
    const { link } = await post();
    expect((await embed({ url: link, _fields: 'title,width' })).body).toStrictEqual({
      title: 'Apple post',
      width: 600,
    });
    const enveloped = await embed({ url: link, _envelope: '1', format: 'xml' });
    expect(enveloped.body).toMatchObject({ status: 200, body: { title: 'Apple post' } });
    const query = { url: link };
    expect((await service().rest('HEAD', '/oembed/1.0/embed', { query })).status).toBe(200);
    expect((await service().rest('POST', '/oembed/1.0/embed', { query })).body.code).toBe(
      'rest_no_route',
    );
  });

  it('takes as many statements for an item as for any other', async () => {
    const { link } = await post();
    const statements = await service().statements(() => embed({ url: link }));
    expect(statements).toBe(2);
  });
});

describe('GET /oembed/1.0/proxy', () => {
  const asked: unknown[] = [];
  const VIDEO = {
    type: 'video' as const,
    title: 'A video',
    authorName: null,
    authorUrl: null,
    providerName: 'Player',
    providerUrl: 'https://player.example/',
    width: 480,
    height: 270,
    html: '<iframe src="https://player.example/1"></iframe>',
    thumbnailUrl: null,
    thumbnailWidth: null,
    thumbnailHeight: null,
    scripts: ['https://player.example/w.js'],
  };
  const oembed: Oembed = {
    async find(address, wishes) {
      asked.push([address, wishes]);
      return address.startsWith('https://player.example/') ? VIDEO : undefined;
    },
  };
  const WRONG = [
    ['format', 'yaml'],
    ['maxwidth', 'wide'],
    ['discover', 'perhaps'],
  ] as const;
  beforeEach(() => void asked.splice(0));

  it('answers what the other site says, with its scripts', async () => {
    const other = await service().beside({ oembed });
    const { status, body } = await other.rest('GET', '/oembed/1.0/proxy', {
      as: 'contributor',
      query: {
        url: 'https://player.example/1',
        maxwidth: '-480',
        discover: 'false',
        format: 'xml',
      },
    });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      version: '1.0',
      provider_name: 'Player',
      provider_url: 'https://player.example/',
      title: 'A video',
      type: 'video',
      width: 480,
      height: 270,
      html: VIDEO.html,
      scripts: ['https://player.example/w.js'],
    });
    expect(asked).toStrictEqual([
      ['https://player.example/1', { maxWidth: 480, maxHeight: 720, discover: false }],
    ]);
    const none = await other.rest('GET', '/oembed/1.0/proxy', {
      as: 'contributor',
      query: { url: 'https://nobody.example/' },
    });
    expect([none.status, none.body.code]).toStrictEqual([404, 'oembed_invalid_url']);
    await other.stop();
  });

  it('answers own pages as the embed does, and asks nobody', async () => {
    const other = await service().beside({ oembed });
    const { slug } = await post();
    const { body } = await other.rest('GET', '/oembed/1.0/proxy', {
      as: 'contributor',
      query: { url: `${other.url}/${slug}/` },
    });
    expect(body).toMatchObject({ title: 'Apple post', type: 'rich', width: 600 });
    expect(asked).toStrictEqual([]);
    await other.stop();
  });

  it('is for those who write content; parameters are judged first', async () => {
    const query = { url: 'https://nobody.example/' };
    const anonymous = await proxy(query, {});
    expect([anonymous.status, anonymous.body]).toStrictEqual([
      401,
      {
        code: 'rest_forbidden',
        message: 'Sorry, you are not allowed to make proxied oEmbed requests.',
        data: { status: 401 },
      },
    ]);
    expect((await proxy(query, { as: 'subscriber' })).status).toBe(403);
    expect((await proxy({}, {})).body.code).toBe('rest_missing_callback_param');
    for (const [name, value] of WRONG)
      expect((await proxy({ ...query, [name]: value }, {})).body).toMatchObject({
        code: 'rest_invalid_param',
        data: { params: { [name]: expect.any(String) } },
      });
  });

  it('reaches nothing of the inside', async () => {
    for (const url of [
      service().url.replace('localhost', '127.0.0.1'),
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]/',
      'http://2130706433/',
      'file:///etc/passwd',
    ]) {
      const { status, body } = await proxy({ url });
      expect([url, status, body.code]).toStrictEqual([url, 404, 'oembed_invalid_url']);
    }
  });
});
