import fc from 'fast-check';
import { useService } from '../../support/harness.js';

/** Texts whose folding makes separators, joins letters, or drops marks, beside plain ones. */
const PIECES = [
  ...[
    'heart',
    'Heart,',
    'über',
    'u\u0308ber',
    'Straße',
    'ﬁn',
    'ＦＵＬＬ：ｗｉｄｔｈ',
    '½',
    '…',
    '\u00a0',
    '\u2028',
    '\u0085',
  ],
  ...[
    'قَلْب',
    'هـمزة',
    'दर्द',
    'ガクセイ',
    'がくせい',
    '٣',
    'İstanbul',
    'ΣΊΣΥΦΟΣ',
    '👍🏽',
    '\u0301',
    'a\u0301b',
    '\u00ad',
    '\ufeff',
  ],
  ...[' ', '\n', '\r\n', '\t', '\v', '-', "'", '<p>', '&amp;', 'https://clinic.example/?a=1'],
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 5 })), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join('').replaceAll('\0', '').toWellFormed());

describe('The words of texts', () => {
  const service = useService();

  it('are those of each text alone: its folding, parted', async () => {
    const words = `
      WITH given AS (SELECT content, place FROM unnest($1::text[]) WITH ORDINALITY g(content, place)),
        found AS MATERIALIZED (SELECT place, ids FROM words_of_texts($1::text[]))
      SELECT ARRAY(SELECT word FROM search_word JOIN unnest(ids) AS number ON id = number ORDER BY word COLLATE "C") AS found,
        ARRAY(SELECT DISTINCT word COLLATE "C" FROM unnest(regexp_split_to_array(folded(content), '[\\t\\n\\v\\f\\r !-/:-@[-\`{-~]+')) word
          WHERE word <> '' ORDER BY 1) AS expected
      FROM given LEFT JOIN found USING (place) ORDER BY place`;
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), async (texts) => {
        await service().database.query('SELECT words_of_texts($1::text[])', [texts]);
        const rows = await service().database.query<{ found: string[]; expected: string[] }>(
          words,
          [texts],
        );
        expect(rows.map(({ found }) => found)).toStrictEqual(rows.map(({ expected }) => expected));
      }),
      { numRuns: Number(process.env.WORDS_RUNS ?? 100) },
    );
  });

  it('are found for all items of a statement, beyond a mebibyte, as for one', async () => {
    const long = (word: string) => `${word} ${'and so on, '.repeat(30_000)}`;
    const insert = `INSERT INTO content_item (kind, status, title, title_key, title_rendered, content, content_rendered,
        excerpt, excerpt_rendered, rendering, slug, author_id, published_at, modified_at, comments_open, pings_open, guid)
      SELECT 'post', 'publish', 'Title ' || content, '', '', content, '', '', '', 1, gen_random_uuid(),
        (SELECT min(id) FROM account), now(), now(), true, true, '' FROM unnest($1::text[]) content RETURNING id`;
    await service().session('administrator');
    const texts = Array.from({ length: 9 }, (_, i) => long(`word${i}`));
    await service().database.query(insert, [texts]);
    const rows = await service().database.query<{ own: string[]; shared: number }>(`
      SELECT ARRAY(SELECT word FROM search_word WHERE id = ANY(content_words) AND word LIKE 'word_') AS own,
        cardinality(ARRAY(SELECT unnest(title_words) INTERSECT SELECT unnest(content_words))) AS shared
      FROM item_search ORDER BY id`);
    expect(rows).toStrictEqual(texts.map((_, i) => ({ own: [`word${i}`], shared: 4 })));
  });
});
