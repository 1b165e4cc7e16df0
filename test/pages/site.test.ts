import { useService } from '../support/harness.js';

const service = useService();
const get = (path: string, init: RequestInit = {}) =>
  service().fetch(path, { redirect: 'manual', ...init });

const post = async (body: object = {}, type = 'posts') =>
  (
    await service().rest('POST', `/v1/${type}`, {
      as: 'editor',
      body: { title: 'Salt & pepper', content: '<p>Words</p>', status: 'publish', ...body },
    })
  ).body;
const pathOf = (link: string) => new URL(link).pathname;

describe('The page of an item of content', () => {
  it('stands at its permalink: title, date, content, and where programs find it', async () => {
    const { link } = await post({ content: '<p>Words</p><script>evil()</script>' });
    const { status, headers, text } = await get(pathOf(link));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(text).toContain('<h1>Salt &#038; pepper</h1>');
    expect(text).toContain('<p>Words</p>');
    expect(text).toContain(`<link rel="canonical" href="${link}">`);
    const embed = /application\/json\+oembed" href="([^"]+)"/.exec(text)?.[1] as string;
    const found = await fetch(embed.replaceAll('&#38;', '&'));
    expect(found.status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toContain('script-src');
  });

  it('stands below /v3 for edition B, and for pages at their path', async () => {
    const { slug } = await post();
    const { text } = await get(`/v3/${slug}/`);
    expect(text).toContain(`<link rel="canonical" href="${service().url}/v3/${slug}/">`);
    const above = await post({ slug: 'above' }, 'pages');
    await post({ slug: 'below', title: 'Below', parent: above.id }, 'pages');
    expect((await get('/above/below/')).text).toContain('<h1>Below</h1>');
    expect((await get('/below/')).status).toBe(404);
  });

  it('is where other spellings of the address lead', async () => {
    const { id, link } = await post({ slug: 'apple' });
    for (const path of [`/?p=${id}`, '/apple', '/APPLE/', '/apple/embed']) {
      const { status, headers } = await get(path);
      const target = path.includes('embed') ? `${link}embed/` : link;
      expect([path, status, headers.get('location')]).toStrictEqual([path, 301, target]);
    }
  });

  it('is that of the site for its front page, which has its embeds there', async () => {
    const page = await post({ slug: 'home', title: 'At home' }, 'pages');
    await service().database.query(`UPDATE site SET front_page_id = ${page.id}`);
    service().at(service().now() + 2_000);
    const { text, headers } = await get('/');
    expect(text).toContain('<h1>At home</h1>');
    expect(headers.get('link')).toContain('rel="https://api.w.org/"');
    expect((await get('/home/')).headers.get('location')).toBe(`${service().url}/`);
    expect((await get('/embed/')).text).toContain('At home');
    const asked = encodeURIComponent(`${service().url}/`);
    expect((await get(`/api/oembed/1.0/embed?url=${asked}`)).text).toContain('At home');
  });

  it('is kept by browsers for as long as what REST shows, and so is what leads to it', async () => {
    const { id, link } = await post({ slug: 'kept' });
    const path = link.slice(service().url.length);
    const { headers } = await service().rest('GET', `/v1/posts/${id}`);
    for (const address of [path, `${path}embed/`, `/?p=${id}`])
      expect((await get(address)).headers.get('cache-control'), address).toBe(
        headers.get('cache-control'),
      );
    await service().rest('POST', `/v1/posts/${id}`, { as: 'editor', body: { password: 'x' } });
    for (const address of [path, `/?p=${id}`])
      expect((await get(address)).headers.get('cache-control'), address).toBe('private, no-store');
  });

  it('does not exist for what is not published', async () => {
    for (const status of ['draft', 'private', 'pending']) {
      const { id, slug } = await post({ status, slug: `not-${status}` });
      expect((await get(`/${slug}/`)).status, status).toBe(404);
      expect((await get(`/?p=${id}`)).text, status).not.toContain('Words');
    }
  });

  it('asks for the password of a protected item, and shows it to who knows it', async () => {
    const { link } = await post({ password: 'open sesame', content: '<p>Hidden</p>' });
    const asking = await get(pathOf(link));
    expect(asking.text).toContain('<h1>Protected: Salt &#038; pepper</h1>');
    expect(asking.text).not.toContain('Hidden');
    expect(asking.headers.get('cache-control')).toBe('private, no-store');
    const send = (password: string) =>
      get(pathOf(link), { method: 'POST', body: new URLSearchParams({ password }) });
    const wrong = await send('x');
    expect([wrong.status, wrong.text.includes('Hidden')]).toStrictEqual([403, false]);
    const right = await send('open sesame');
    expect([right.status, right.text.includes('<p>Hidden</p>')]).toStrictEqual([200, true]);
    const { text } = await get(`${pathOf(link)}embed/`);
    expect(text).not.toContain('Hidden');
  });

  it('has an embeddable page that any site may frame', async () => {
    const { link } = await post({ content: '<p>The first words.</p>' });
    const { status, headers, text } = await get(`${pathOf(link)}embed/`);
    expect(status).toBe(200);
    expect(text).toContain(`<a href="${link}" target="_top">Salt &#038; pepper</a>`);
    expect(text).toContain('The first words.');
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors \*$/);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'sha256-/);
    expect(headers.get('x-frame-options')).toBeNull();
  });
});

describe('The address of a medium', () => {
  const medium = async (slug: string, attachedToId?: number) => {
    const input = { url: `https://files.example/${slug}.png`, mimeType: 'image/png', slug };
    const { createMedia } = await service().data(
      'mutation($input: CreateMediaInput!) { createMedia(input: $input) { media { databaseId } } }',
      { input: { ...input, title: slug, attachedToId } },
      'editor',
    );
    const { databaseId: id } = createMedia.media;
    return {
      id,
      link: (await service().rest('GET', `/wp/v2/media/${id}`, { as: 'editor' })).body.link,
    };
  };

  it('is its slug, below that of what it is attached to, and leads to its file', async () => {
    const above = await post({ slug: 'above' }, 'pages');
    const below = await post({ slug: 'below', parent: above.id }, 'pages');
    const draft = await post({ slug: 'later', status: 'draft' });
    const media = [
      await medium('alone'),
      await medium('under', below.id),
      await medium('2026', below.id),
      await medium('hidden', draft.id),
    ] as const;
    expect(media.map(({ link }) => link.slice(service().url.length))).toStrictEqual([
      '/alone/',
      '/above/below/under/',
      '/above/below/attachment/2026/',
      `/?attachment_id=${media[3].id}`,
    ]);
    for (const { link } of media.slice(0, 3)) {
      const path = pathOf(link);
      const { status, headers } = await get(path);
      const [name] = path.split('/').slice(-2);
      expect([status, headers.get('location')]).toStrictEqual([
        302,
        `https://files.example/${name}.png`,
      ]);
    }
    for (const path of ['/under/', '/above/under/', '/hidden/', `/?attachment_id=${media[3].id}`])
      expect((await get(path)).headers.get('location'), path).toBeNull();
    await post({ slug: 'alone' });
    expect((await get('/alone/')).status).toBe(200);
  });
});

describe('The page of an author or a term', () => {
  it('lists what is published, the newest first, and leads further', async () => {
    for (let number = 1; number <= 21; number += 1) await post({ title: `Post ${number}` });
    await post({ title: 'Not yet', status: 'draft' });
    const first = (await get('/author/editor/')).text;
    expect(first).toContain('<h1>The editor</h1>');
    expect(first.match(/<li>/g)).toHaveLength(20);
    expect(first.indexOf('Post 21<')).toBeLessThan(first.indexOf('Post 20<'));
    expect(first).not.toContain('Not yet');
    const next = /rel="next" href="([^"]+)"/.exec(first)?.[1] as string;
    const second = (await get(`/author/editor/${next.replaceAll('&#38;', '&')}`)).text;
    expect(second.match(/<li>/g)).toHaveLength(1);
    expect((await get('/category/uncategorized/')).text).toContain('Post 21');
  });

  it('does not exist for an unknown one, nor for an account that published nothing', async () => {
    await service().account('subscriber');
    for (const path of ['/author/subscriber/', '/author/x/', '/category/x/', '/tag/', '/x/y/'])
      expect((await get(path)).status, path).toBe(404);
  });

  it('has a link in everything that names one', async () => {
    const { id } = await post();
    const { body } = await service().rest('GET', `/v1/posts/${id}`, { query: { _embed: '1' } });
    const { author, 'wp:term': terms } = body._embedded;
    const links = [body, ...author, ...terms.flat()].map(({ link }) => link);
    expect(links).toHaveLength(3);
    for (const link of links) expect((await get(pathOf(link))).status, link).toBe(200);
  });
});
