import fc from 'fast-check';
import { mutation, useService } from '../support/harness.js';
import { TITLES } from '../support/scripts.js';

/** What the reference finds (docs/behaviour.md 4.4), and more of each kind. */
const FOUND: readonly (readonly [search: string, title: string])[] = [
  ['cafe', 'Café'],
  ['CAFÉ', 'café'],
  ['cafe\u0301', 'Café'],
  ['zurich', 'Zürich'],
  ['ZU\u0308RICH', 'zurich'],
  ['Sao Tome', 'São Tomé'],
  ['erklart', 'erklärt'],
  ['Lodz', 'Łódź'],
  ['łódź', 'LODZ'],
  ['uber', 'Über'],
  ['strasse', 'Straße'],
  ['STRASSE', 'Straße'],
  ['κεντρο', 'Κέντρο'],
  ['ΥΓΕΙΑΣ', 'υγείας'],
  ['ежик', 'Ёжик'],
  ['лекарство', 'ЛЕКАРСТВО'],
  ['ادوية', 'أدوية'],
  ['دواء', 'دَوَاء'],
  ['محمد', 'محـــمد'],
  ['שלום', 'שָׁלוֹם'],
  ['जुकाम', 'ज़ुकाम'],
  ['ยา', 'ย่า'],
  ['くすり', 'クスリ'],
  ['ｶﾞｲﾄﾞ', 'ガイド'],
  ['당뇨병'.normalize('NFD'), '당뇨병'],
  ['წამალი', 'ᲬᲐᲛᲐᲚᲘ'],
  ['ԴԵՂ', 'դեղ'],
  ['thuoc', 'thuốc'],
  ['đau', 'DAU'],
  ['tablet', 'ｔａｂｌｅｔ'],
  ['diabetes', 'Dia\u00adbetes'],
  ['500', '٥٠٠'],
  ['"sao tome"', 'auf São Tomé heute'],
  ['cafe-bar', 'Café-Bar'],
  ['fur', 'für'],
  ['ISTANBUL', 'İstanbul'],
  ['İstanbul', 'istanbul'],
  ['isik', 'IŞIK'],
  ['φαρμακοσ', 'ΦΑΡΜΑΚΟΣ'],
  ['ΟΔΥΣΣΕΑΣ', 'Οδυσσέας'],
  ['ابرة', 'إبرة'],
  ['الام', 'آلام'],
  ['final', 'ﬁnal'],
  ['bold', '𝔹old'],
  ['smorrebrod', 'smørrebrød'],
  ['aeble', 'Æble'],
  ['oeuvre', 'Œuvre'],
  ['ÞORN', 'þorn'],
  ['zerowidth', 'zero\u200bwidth'],
  ['かき', 'がぎ'],
];

describe('A search ignores case and accents', () => {
  const service = useService();
  const found = async (search: string, more = {}) =>
    (await service().rest('GET', '/v1/posts', { query: { search, ...more } })).body.map(
      (post: { title: { rendered: string } }) => post.title.rendered,
    );
  const publish = (title: string, text = {}) =>
    service().rest('POST', '/v1/posts', {
      as: 'editor',
      body: { title, status: 'publish', ...text },
    });

  it.each(FOUND)(
    '%s finds %s, in title, excerpt and content, as a word or as a whole',
    async (search, text) => {
      await publish(text);
      await publish('content', { content: `<p>${text}.</p>` });
      await publish('excerpt', { excerpt: text });
      await publish('other', { content: 'Something else' });
      const all = await found(search);
      expect(all.slice().sort(), 'by words').toStrictEqual([text, 'content', 'excerpt'].sort());
      expect((await found(search, { orderby: 'relevance' }))[0]).toBe(text);
      if (!search.includes(' ')) expect(await found(`-${search}`)).toStrictEqual(['other']);
      if (text.includes('heute')) return;
      const exact = { search_semantics: 'exact', 'search_columns[]': 'post_title' };
      expect(await found(`"${search.replaceAll('"', '')}"`, exact)).toStrictEqual([text]);
    },
  );

  it('in every script, any part of a word, in any case and form of Unicode', async () => {
    for (const title of Object.values(TITLES)) await publish(title);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(TITLES)),
        fc.nat(),
        fc.integer(),
        fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'),
        async (title, place, bits, form) => {
          const words = title.split(' ');
          const word = words[place % words.length] as string;
          const asked = [...word]
            .map((letter, i) => ((bits >> (i % 31)) & 1 ? letter.toUpperCase() : letter))
            .join('')
            .normalize(form);
          expect(await found(asked), asked).toContain(title);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('a search of which nothing is left is none', async () => {
    await publish('one');
    for (const search of ['\u0301', '\u200b', 'ـ', '"\u00ad"'])
      expect(await found(search), search).toStrictEqual(['one']);
  });

  it('in a phrase of many words, and where one sign stands for many letters', async () => {
    await publish('one two three four five six seven eight');
    await publish('ﷺ'.repeat(160));
    expect(await found('"two three four five six seven"')).toHaveLength(1);
    expect(await found('"two three four five six eight"')).toHaveLength(0);
    expect(await found(`-"two three four five six seven" three`)).toHaveLength(0);
    expect(await found('ﷺ'.repeat(160))).toHaveLength(1);
  });

  it('in revisions, terms and accounts too', async () => {
    const { id } = await service().post({ title: 'Übung eins' });
    const change = { as: 'editor', body: { title: 'Übung zwei' } } as const;
    await service().rest('POST', `/v1/posts/${id}`, change);
    const revisions = await service().rest('GET', `/v1/posts/${id}/revisions`, {
      as: 'editor',
      query: { search: 'ubung', orderby: 'relevance' },
    });
    expect(revisions.body).toMatchObject([{ title: { rendered: 'Übung zwei' } }]);
    await service().term('TAG', 'Schlafstörung');
    const tags = await service().rest('GET', '/wp/v2/tags', { query: { search: 'schlafstorung' } });
    expect(tags.body).toHaveLength(1);
    const made = { username: 'mina', email: 'mina@example.com', name: 'Mína Łuk' };
    await service().graphql(
      mutation('createUser', 'account { id }'),
      { input: made },
      { as: 'administrator' },
    );
    const accounts = await service().graphql(
      '{ accounts(filter: { search: "luk" }) { nodes { name } } }',
      {},
      { as: 'administrator' },
    );
    expect(accounts.body.data.accounts.nodes).toStrictEqual([{ name: 'Mína Łuk' }]);
  });
});
