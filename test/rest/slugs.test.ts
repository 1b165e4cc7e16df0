import fc from 'fast-check';
import { useService } from '../support/harness.js';
import { TITLES } from '../support/scripts.js';

/** How clients write a slug, given as it is stored. */
const SPELLINGS: Readonly<Record<string, (slug: string) => string>> = {
  'as stored': (slug) => slug,
  decoded: decodeURIComponent,
  'encoded once more': encodeURIComponent,
  'encoded twice more': (slug) => encodeURIComponent(encodeURIComponent(slug)),
  'with octets in upper case': (slug) =>
    slug.replaceAll(/%[\da-f]{2}/g, (octet) => octet.toUpperCase()),
  'decoded, in another form of Unicode': (slug) => decodeURIComponent(slug).normalize('NFD'),
};

const LISTS = ['/v1/posts', '/v1/pages', '/v1/healthcare'] as const;

describe('A slug is found however a client writes it', () => {
  const service = useService();
  const upper = (text: string, bits: number) =>
    [...text].map((letter, i) => ((bits >> (i % 31)) & 1 ? letter.toUpperCase() : letter)).join('');

  it('in every script, in any case', async () => {
    const slugs = new Map<string, string>();
    for (const title of Object.values(TITLES)) {
      const { body } = await service().rest('POST', '/v1/posts', {
        as: 'editor',
        body: { title, status: 'publish' },
      });
      slugs.set(title, body.slug);
    }
    const found = async (slug: string, edition: 'A' | 'B') =>
      (await service().rest('GET', '/v1/posts', { query: { slug }, edition })).body.map(
        (post: { slug: string }) => post.slug,
      );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...slugs.values()),
        fc.constantFrom(...Object.keys(SPELLINGS)),
        fc.oneof(fc.constantFrom(0, -1), fc.integer()),
        fc.constantFrom('A' as const, 'B' as const),
        async (slug, spelling, bits, edition) => {
          const written = SPELLINGS[spelling]?.(slug) ?? '';
          // What is percent-encoded has no case but that of its octets.
          const asked = upper(written, bits);
          expect(await found(asked, edition), `${spelling}: ${asked}`).toStrictEqual([slug]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('in compatible forms of its letters, and between slashes and blanks', async () => {
    const titles = [
      'ｶﾞﾝﾀﾞﾑ ﾊﾟﾝ',
      'ガンダム パン',
      'น้ำยา',
      'ນ້ຳຢາ',
      'Դեղ և',
      '１２番 薬',
      'ΟΔΟΣ',
      'أَدْوِيَة',
      '10 µg',
    ];
    for (const title of titles) {
      const { slug } = await service().posted({ title, status: 'publish' });
      const plain = decodeURIComponent(slug);
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
        for (const around of ['', '/', ' '])
          for (const encoded of [(text: string) => text, encodeURIComponent]) {
            const asked = encoded(`${around}${plain.normalize(form).toUpperCase()}${around}`);
            const { body } = await service().rest('GET', '/v1/posts', { query: { slug: asked } });
            const found = body.map((post: { slug: string }) => post.slug);
            expect(found, `${slug} by ${form} ${asked}`).toContain(slug);
          }
    }
    const { body } = await service().rest('GET', '/v1/posts', { query: { slug: 'ガンダム-パン' } });
    expect(body).toHaveLength(2);
  });

  it('in lists of every kind, and of terms', async () => {
    const title = 'Лекарство';
    const slug = encodeURIComponent(title.toLowerCase()).toLowerCase();
    for (const path of LISTS) {
      await service().rest('POST', path, {
        as: 'editor',
        edition: 'B',
        body: { title, status: 'publish' },
      });
      for (const asked of [slug, title.toUpperCase(), encodeURIComponent(slug)]) {
        const { body } = await service().rest('GET', path, {
          query: { slug: asked, orderby: 'include_slugs' },
          edition: 'B',
        });
        expect(body, `${path} ${asked}`).toMatchObject([{ slug }]);
      }
    }
    await service().term('TAG', title);
    const { body } = await service().rest('GET', '/wp/v2/tags', {
      query: { slug: title.toUpperCase() },
    });
    expect(body).toMatchObject([{ slug }]);
  });

  it('in the order in which they are asked for', async () => {
    for (const title of ['Первый', 'Второй'])
      await service().rest('POST', '/v1/posts', {
        as: 'editor',
        body: { title, status: 'publish' },
      });
    const { body } = await service().rest('GET', '/v1/posts', {
      query: { slug: 'ВТОРОЙ,Первый', orderby: 'include_slugs' },
    });
    expect(body.map(({ title }: { title: { rendered: string } }) => title.rendered)).toStrictEqual([
      'Второй',
      'Первый',
    ]);
  });

  it('no other slug: two that differ in an accent are two', async () => {
    for (const title of ['йод', 'иод'])
      await service().rest('POST', '/v1/posts', {
        as: 'editor',
        body: { title, status: 'publish' },
      });
    const { body } = await service().rest('GET', '/v1/posts', { query: { slug: 'йод' } });
    expect(body).toMatchObject([{ title: { rendered: 'йод' } }]);
  });

  it('a slug of which nothing can be made finds nothing', async () => {
    await service().rest('POST', '/v1/posts', { as: 'editor', body: { title: 'a' } });
    for (const slug of ['%', '%zz', '%ff%fe', '%00', '!', '%25%32%35', '%E0%A4%A', '%20'])
      expect(
        (await service().rest('GET', '/v1/posts', { query: { slug } })).body,
        slug,
      ).toStrictEqual([]);
  });
});

describe('A slug that is too long', () => {
  const service = useService();

  it.each(LISTS)('is cut at 200 bytes, below %s', async (path) => {
    const send = async (method: string, to: string, body: object) => {
      const answer = await service().rest(method, to, { as: 'editor', edition: 'B', body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body;
    };
    const slug = 'слово-'.repeat(50);
    const cut = 'слово-'.repeat(7).slice(0, 38);
    const made = await send('POST', path, { title: 'x', status: 'draft', slug });
    expect(decodeURIComponent(made.slug)).toBe(cut);
    const other = encodeURIComponent('другое'.repeat(30));
    const whole = 'другое'.repeat(6).slice(0, 33);
    const typed = await send('POST', `${path}/${made.id}/autosaves`, { slug: other });
    expect(decodeURIComponent(typed.slug)).toBe(whole);
    const changed = await send('PUT', `${path}/${made.id}`, { slug: 'a'.repeat(256) });
    expect(changed.slug).toBe('a'.repeat(200));
  });
});
