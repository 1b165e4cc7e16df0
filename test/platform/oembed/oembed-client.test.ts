import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PublicFetch } from '../../../src/platform/fetch/public-fetch.js';
import { OembedClient } from '../../../src/platform/oembed/oembed-client.js';
import { fits, listedEndpoint } from '../../../src/platform/oembed/providers.js';

/** A site of the outside, on loopback: what it answers, by path, and what it was asked. */
let site: Server;
let port = 0;
let answers: Record<string, { type?: string; body: unknown }> = {};
let asked: string[] = [];
let now = Date.parse('2026-03-10T12:00:00Z');

beforeEach(async () => {
  answers = {};
  asked = [];
  now = Date.parse('2026-03-10T12:00:00Z');
  site = createServer(({ url = '' }, response) => {
    asked.push(url);
    const answer = answers[url.replace(/\?.*/, '')];
    if (!answer) return void response.writeHead(404).end();
    const { type = 'application/json', body } = answer;
    response.setHeader('content-type', type);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
  port = (site.address() as AddressInfo).port;
});
afterEach(() => void site.close());

const client = () =>
  new OembedClient({
    clock: () => now,
    publicFetch: new PublicFetch({
      allowed: (address) => address === '127.0.0.1',
      lookupAll: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      ports: [port],
    }),
    endpointOf: ({ hostname }) =>
      hostname === 'listed.example' ? `http://provider.example:${port}/oembed` : undefined,
  });
const WISHES = { maxWidth: 600, maxHeight: 900, discover: true };
const listed = () => `http://listed.example:${port}/watch?v=1`;
const other = () => `http://other.example:${port}/page`;
const VIDEO = { version: '1.0', type: 'video', width: 480, height: '270', title: 'A & B' };

describe('The embed of a page of another site', () => {
  it('is asked of its listed provider, with the wishes', async () => {
    answers['/oembed'] = {
      body: { ...VIDEO, html: '<iframe src="https://player.example/1" onload="x()"></iframe>' },
    };
    const found = await client().find(listed(), WISHES);
    expect(found).toMatchObject({ type: 'video', width: 480, height: 270, title: 'A &amp; B' });
    const query = new URLSearchParams(asked[0]?.split('?')[1]);
    expect(Object.fromEntries(query)).toStrictEqual({
      url: listed(),
      format: 'json',
      maxwidth: '600',
      maxheight: '900',
    });
    expect(asked).toHaveLength(1);
  });

  it('is asked of the page itself when no provider is listed, unless discovery is off', async () => {
    answers['/page'] = {
      type: 'text/html; charset=utf-8',
      body: '<head><link rel="alternate" type="application/json+oembed" href="/my-embed?id=1"></head>',
    };
    answers['/my-embed'] = { body: { type: 'rich', html: '<p>Hello</p>' } };
    expect(await client().find(other(), WISHES)).toMatchObject({ html: '<p>Hello</p>' });
    expect(asked).toStrictEqual(['/page', '/my-embed?id=1&maxwidth=600&maxheight=900']);
    expect(await client().find(other(), { ...WISHES, discover: false })).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  it('is sanitised: no script, no event, frames sandboxed and https alone', async () => {
    const html =
      '<blockquote class="post" data-id="1" onclick="x()"><a href="javascript:x()">a</a></blockquote>' +
      '<script async src="https://listed.example/w.js"></script><script>evil()</script>' +
      '<iframe src="http://plain.example/"></iframe><iframe src="javascript:x()"></iframe>' +
      '<iframe src="https://good.example/" allow="camera"></iframe><style>*{}</style><form></form>';
    answers['/oembed'] = { body: { type: 'rich', html } };
    const found = await client().find(listed(), WISHES);
    expect(found?.html).toBe(
      '<blockquote class="post" data-id="1"><a rel="noopener nofollow">a</a></blockquote>' +
        '<iframe src="https://good.example/" allow="fullscreen; encrypted-media; picture-in-picture" ' +
        'sandbox="allow-scripts allow-same-origin allow-popups allow-forms allow-presentation" ' +
        'loading="lazy" referrerpolicy="no-referrer"></iframe>',
    );
    expect(found?.scripts).toStrictEqual(['https://listed.example/w.js']);
  });

  it('names no scripts of a page that was discovered', async () => {
    answers['/page'] = {
      type: 'text/html',
      body: '<link rel="alternate" type="application/json+oembed" href="/my-embed">',
    };
    answers['/my-embed'] = {
      body: {
        type: 'rich',
        html: '<p>x</p><script src="https://evil.example/w.js"></script><iframe src="https://a.example/"></iframe>',
      },
    };
    const found = await client().find(other(), WISHES);
    expect(found?.scripts).toStrictEqual([]);
    expect(found?.html).toContain('sandbox="allow-scripts"');
  });

  it('of a photo and of a link is made here, with escaped texts', async () => {
    answers['/oembed'] = {
      body: {
        type: 'photo',
        url: 'https://img.example/1.jpg',
        width: 10,
        height: 20,
        title: '"><b>',
      },
    };
    expect((await client().find(listed(), WISHES))?.html).toBe(
      `<a href="${listed()}"><img src="https://img.example/1.jpg" alt="&quot;&gt;&lt;b&gt;" width="10" height="20"></a>`,
    );
    answers['/oembed'] = { body: { type: 'link', title: 'T' } };
    expect((await client().find(listed(), WISHES))?.html).toBe(`<a href="${listed()}">T</a>`);
  });

  it.each([
    ['no JSON', '<html>'],
    ['no object', '[1'],
    ['null', 'null'],
    ['an unknown type', { type: 'weird', html: '<p>x</p>' }],
    ['a photo without an address', { type: 'photo' }],
    ['a photo that is a script', { type: 'photo', url: 'javascript:x()' }],
    ['HTML of which nothing is left', { type: 'rich', html: '<script>x()</script>' }],
    ['HTML that is no text', { type: 'rich', html: { a: 1 } }],
  ])('is nothing when the provider answers %s', async (_what, body) => {
    answers['/oembed'] = { body };
    expect(await client().find(listed(), WISHES)).toBeUndefined();
  });

  it('keeps only what fits its field', async () => {
    answers['/oembed'] = {
      body: {
        type: 'rich',
        html: '<p>x</p>',
        width: '100%',
        height: -1,
        author_name: 5,
        author_url: 'javascript:x()',
        provider_url: 'https://user:pass@p.example',
        thumbnail_url: 'https://t.example/a.jpg',
        thumbnail_width: 1e9,
      },
    };
    expect(await client().find(listed(), WISHES)).toMatchObject({
      width: null,
      height: null,
      authorName: null,
      authorUrl: null,
      providerUrl: null,
      thumbnailUrl: 'https://t.example/a.jpg',
      thumbnailWidth: null,
    });
  });

  it('is fetched once for all who ask at once, and remembered for a day', async () => {
    answers['/oembed'] = { body: { type: 'rich', html: '<p>x</p>' } };
    const asking = client();
    await Promise.all(Array.from({ length: 20 }, () => asking.find(listed(), WISHES)));
    now += 24 * 60 * 60 * 1000 - 1;
    await asking.find(listed(), WISHES);
    expect(asked).toHaveLength(1);
    now += 1;
    await asking.find(listed(), WISHES);
    expect(asked).toHaveLength(2);
  });

  it('is asked again a minute after there was none', async () => {
    const asking = client();
    await asking.find(listed(), WISHES);
    now += 59_999;
    await asking.find(listed(), WISHES);
    expect(asked).toHaveLength(1);
    now += 1;
    answers['/oembed'] = { body: { type: 'rich', html: '<p>x</p>' } };
    expect(await asking.find(listed(), WISHES)).toMatchObject({ html: '<p>x</p>' });
  });

  it('is nothing for an address that is none, and nobody is asked', async () => {
    for (const address of ['', 'not a url', 'file:///etc/passwd', `${listed()}${'x'.repeat(2000)}`])
      expect(await client().find(address, WISHES)).toBeUndefined();
    expect(asked).toStrictEqual([]);
  });
});

describe('The list of providers', () => {
  it('knows where the provider of an address answers', () => {
    expect(listedEndpoint(new URL('https://www.youtube.com/watch?v=dQw4w9WgXcQ'))).toBe(
      'https://www.youtube.com/oembed',
    );
    expect(listedEndpoint(new URL('https://vimeo.com/76979871'))).toMatch(
      /^https:\/\/vimeo\.com\//,
    );
    expect(listedEndpoint(new URL('https://evil.example/https://www.youtube.com/watch?v=1'))).toBe(
      undefined,
    );
    expect(listedEndpoint(new URL('https://www.youtube.com.evil.example/watch?v=1'))).toBe(
      undefined,
    );
  });

  it('reads patterns in few steps', () => {
    expect(fits('/a/b/c', '/*/c')).toBe(true);
    expect(fits('/a/b/d', '/*/c')).toBe(false);
    expect(fits('', '*')).toBe(true);
    expect(fits('a'.repeat(2000), `${'*a'.repeat(50)}b`)).toBe(false);
  });
});
