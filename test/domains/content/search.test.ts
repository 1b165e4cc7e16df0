import fc from 'fast-check';
import { type Sending, useService } from '../../support/harness.js';

describe('Search', () => {
  const service = useService();

  async function titles(
    query: Record<string, string>,
    as: Sending['as'] = 'anonymous',
  ): Promise<string[]> {
    const all = { per_page: '100', order: 'asc', orderby: 'id', ...query };
    const { body, headers } = await service().rest('GET', '/v1/posts', { as, query: all });
    expect(Number(headers.get('x-wp-total')), 'the total is that of the rows').toBe(body.length);
    return body.map(({ title }: { title: { rendered: string } }) => title.rendered);
  }
  const found = (search: string, as?: Sending['as']) => titles({ search }, as);

  it('finds parts of words, in any case and any of the three texts', async () => {
    await service().post({ title: 'one', content: 'Paracetamol' });
    await service().post({ title: 'two', content: 'x', excerpt: 'PARACETAMOL' });
    await service().post({ title: 'paracetamols' });
    await service().post({ title: 'four', content: 'para cetamol' });
    expect(await found('aracetamo')).toStrictEqual(['one', 'two', 'paracetamols']);
    expect(await found('paracetamols')).toStrictEqual(['paracetamols']);
  });

  it('finds terms of one or two characters, and those without a letter', async () => {
    await service().post({ title: 'one', content: 'vitamin D, 5 µg' });
    await service().post({ title: 'two', content: 'b-12' });
    expect(await found('d')).toStrictEqual(['one']);
    expect(await found('12')).toStrictEqual(['two']);
    expect(await found('µ')).toStrictEqual(['one']);
    expect(await found(',')).toStrictEqual(['one']);
    expect(await found('b-1')).toStrictEqual(['two']);
    expect(await found('%')).toStrictEqual([]);
    expect(await found('_')).toStrictEqual([]);
  });

  it('finds punctuation, markup and phrases only as they stand', async () => {
    await service().post({ title: 'one', content: '<p class="note">Half a tablet, twice.</p>' });
    await service().post({ title: 'two', content: '<p>a tablet: half</p>' });
    expect(await found('"half a tablet"')).toStrictEqual(['one']);
    expect(await found('tablet,')).toStrictEqual(['one']);
    expect(await found('</p>')).toStrictEqual(['one', 'two']);
    expect(await found('"tablet half"')).toStrictEqual([]);
    expect(await found('half tablet')).toStrictEqual(['one', 'two']);
    expect(await found('tablet -twice')).toStrictEqual(['two']);
  });

  it('finds letters of every script', async () => {
    await service().post({ title: 'one', content: 'ЛЕКАРСТВО утром' });
    await service().post({ title: 'two', content: '每天服用一片药' });
    await service().post({ title: 'three', content: 'Ärztin, ÉTÉ' });
    expect(await found('карств')).toStrictEqual(['one']);
    expect(await found('服用')).toStrictEqual(['two']);
    expect(await found('ärzt été')).toStrictEqual(['three']);
    expect(await found('arzt')).toStrictEqual(['three']);
  });

  it('finds a part that hundreds of words contain', async () => {
    const words = Array.from({ length: 300 }, (_, i) => `many${i.toString(36)}z`);
    await service().post({ title: 'one', content: words.join(' ') });
    await service().post({ title: 'two', content: 'many' });
    await service().post({ title: 'three', content: 'few' });
    expect(await found('many')).toStrictEqual(['one', 'two']);
    expect(await found('many two')).toStrictEqual(['two']);
    expect(await found('-many')).toStrictEqual(['three']);
  });

  it('finds words longer than entries of an index', async () => {
    await service().post({ title: 'one', content: `${'long'.repeat(5_000)}end` });
    expect(await found('longend')).toStrictEqual(['one']);
  });

  it('follows every change', async () => {
    const { id } = await service().post({ title: 'one', content: 'before', password: 'secret' });
    expect(await found('before')).toStrictEqual([]);
    expect(await found('before', 'editor')).toStrictEqual(['one']);
    await service().rest('POST', `/v1/posts/${id}`, {
      as: 'editor',
      body: { content: 'after', password: '' },
    });
    expect(await found('before')).toStrictEqual([]);
    expect(await found('after')).toStrictEqual(['one']);
    await service().rest('POST', `/v1/posts/${id}`, { as: 'editor', body: { status: 'draft' } });
    expect(await found('after')).toStrictEqual([]);
    expect(await titles({ search: 'after', status: 'draft' }, 'editor')).toStrictEqual(['one']);
    await service().rest('DELETE', `/v1/posts/${id}`, { as: 'editor', query: { force: 'true' } });
    expect(await titles({ search: 'after', status: 'any' }, 'editor')).toStrictEqual([]);
  });

  it('finds protected texts for those alone who may edit them', async () => {
    const made = { title: 'one', content: 'hidden word', password: 'secret', status: 'publish' };
    await service().rest('POST', '/v1/posts', { as: 'author', body: made });
    for (const as of ['anonymous', 'guest', 'subscriber', 'contributor'] as const) {
      expect(await found('hidden', as), as).toStrictEqual([]);
      expect(await titles({ search: 'hidden', password: 'secret' }, as), as).toStrictEqual([]);
      expect(
        await titles(
          { search: 'hidden word', search_semantics: 'exact', orderby: 'relevance' },
          as,
        ),
        as,
      ).toStrictEqual([]);
    }
    for (const as of ['author', 'editor', 'administrator'] as const)
      expect(await found('hidden', as), as).toStrictEqual(['one']);
  });

  it('takes at most ten words and phrases of at most 200 characters, on both faces', async () => {
    const list = 'query($search: String) { posts(filter: { search: $search }) { totalCount } }';
    const ten = '"a b" -c d e f g h i j k';
    for (const search of [ten, 'x'.repeat(200), `"${'é'.repeat(200)}"`]) {
      expect((await service().rest('GET', '/v1/posts', { query: { search } })).status, search).toBe(
        200,
      );
      expect((await service().graphql(list, { search })).body.data?.posts.totalCount, search).toBe(
        0,
      );
    }
    for (const search of [
      `${ten} l`,
      'a '.repeat(11),
      'a '.repeat(400),
      'x'.repeat(201),
      `-"${'x y '.repeat(60)}"`,
      `${'x'.repeat(199)} `.repeat(6),
    ]) {
      const { status, body } = await service().rest('GET', '/v1/posts', { query: { search } });
      expect([status, body.code], search).toStrictEqual([400, 'rest_invalid_param']);
      expect(body.data.params.search).toMatch(
        /at most 10 words and "quoted phrases" of at most 200 characters/,
      );
      const { errors } = (await service().graphql(list, { search })).body;
      expect(errors[0].message).toMatch(
        /at most 10 words and "quoted phrases" of at most 200 characters/,
      );
    }
  });

  it('asks for each word once', async () => {
    await service().post({ title: 'one', content: 'mama' });
    expect(await found('ma ma "ma" am -xx -xx')).toStrictEqual(['one']);
    expect(await found('ma ma -ma')).toStrictEqual([]);
  });

  it('with exact semantics finds whole texts alone, whatever their case', async () => {
    await service().post({ title: 'Zebra Crossing', content: 'x' });
    await service().post({ title: 'zebra', content: 'x' });
    const exact = (search: string) => titles({ search, search_semantics: 'exact' });
    expect(await exact('zebra crossing')).toStrictEqual([]);
    expect(await exact('"zebra crossing"')).toStrictEqual(['Zebra Crossing']);
    expect(await exact('ZEBRA')).toStrictEqual(['zebra']);
    expect(await exact('zebr')).toStrictEqual([]);
  });

  it('orders by relevance: phrase in the title, all terms there, some there, phrase in the excerpt, in the content; of one term, in the title', async () => {
    for (const [title, excerpt, content] of [
      ['6', '', 'quiet and sea'],
      ['5', '', 'a quiet sea'],
      ['4', 'a quiet sea', ''],
      ['3 sea', '', 'quiet'],
      ['2 sea so quiet', '', ''],
      ['1 quiet sea', '', ''],
    ])
      await service().post({ title, excerpt, content });
    const byRelevance = (search: string) => titles({ search, orderby: 'relevance' });
    const ranks = (await byRelevance('quiet sea')).map((title) => title[0]);
    expect(ranks).toStrictEqual(['1', '2', '3', '4', '5', '6']);
    expect((await byRelevance('sea')).map((title) => title[0])).toStrictEqual([
      '3',
      '2',
      '1',
      '6',
      '5',
      '4',
    ]);
  });

  it('means containment, whatever the texts and the term', async () => {
    const characters = fc.constantFrom(...'abAB1 .-/é"Жж%_\\\n');
    const text = fc.string({ unit: characters, maxLength: 12 });
    const texts: string[] = fc
      .sample(text, { numRuns: 60, seed: 7 })
      .map((content, i) => `${content} #${i}`);
    for (const [i, content] of texts.entries())
      await service().post({ title: `t${i}`, content }, 'administrator');
    const stored: { id: number; title: { raw: string }; content: { raw: string } }[] = (
      await service().rest('GET', '/v1/posts', {
        as: 'editor',
        query: { context: 'edit', per_page: '100' },
      })
    ).body;
    const term = fc
      .string({ unit: fc.constantFrom(...'abAB1.-/éЖж%_\\'), minLength: 1, maxLength: 3 })
      .filter((word) => !/^-./.test(word));
    await fc.assert(
      fc.asyncProperty(term, async (search) => {
        const holds = (value: string) => value.toLowerCase().includes(search.toLowerCase());
        const expected = stored
          .filter(({ title, content }) => holds(title.raw) || holds(content.raw))
          .map(({ id }) => id);
        const { body } = await service().rest('GET', '/v1/posts', {
          query: { search, per_page: '100', _fields: 'id' },
        });
        expect(
          body.map(({ id }: { id: number }) => id).sort((a: number, b: number) => a - b),
          search,
        ).toStrictEqual(expected.sort((a, b) => a - b));
      }),
      { numRuns: 150 },
    );
  });

  it('takes three statements, however much is found', async () => {
    const search = (perPage: string) => () =>
      service().rest('GET', '/v1/posts', { query: { search: 'quiet sea', per_page: perPage } });
    for (let i = 0; i < 12; i++) await service().post({ title: `Quiet ${i}`, content: 'the sea' });
    await search('10')();
    expect(await service().statements(search('10'))).toBe(3);
    expect(await service().statements(search('100'))).toBe(3);
  });
});
