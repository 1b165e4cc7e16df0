import { jobsOf } from '../../../src/app/jobs.js';
import { useService } from '../../support/harness.js';

/** Titles in the order of version 5.2 of the Unicode Collation Algorithm, primary weights alone. */
const ORDERED = [
  '¯ macron',
  '_ under',
  '- dash',
  '“Quotes”',
  '+ plus',
  '<x',
  '1 x',
  '10',
  '2 a',
  'anderung neu',
  'Änderung, alt',
  'Strasse 1',
  'Straße 2',
  'zebra',
  'Ωmega',
  'Привет',
  'أدوية',
  'かな 1',
  'カナ 2',
  '漢字',
  '😀',
];

describe('The order of titles', () => {
  const service = useService();
  const query = (sql: string) => service().database.query(sql);
  const titles = async (order: string) => {
    const { body } = await service().rest('GET', '/v1/posts', {
      query: { orderby: 'title', order, per_page: '100', context: 'edit' },
      as: 'editor',
    });
    return body.map((item: { title: { raw: string } }) => item.title.raw);
  };
  const publish = async () => {
    for (const title of [...ORDERED].reverse()) await service().post({ title, status: 'publish' });
  };

  it('is that of the Unicode Collation Algorithm, where punctuation counts', async () => {
    await publish();
    expect(await titles('asc')).toStrictEqual(ORDERED);
    expect(await titles('desc')).toStrictEqual([...ORDERED].reverse());
  });

  it('becomes so for titles that versions before stored', async () => {
    await publish();
    await query(`UPDATE content_item SET title_key = lower(title)`);
    const { deps, schema } = service().app;
    const job = jobsOf({ deps, schema }).find(({ name }) => name === 'order of titles');
    await job?.run(new AbortController().signal);
    expect(await titles('asc')).toStrictEqual(ORDERED);
  });

  it('does not make an imported item one that was changed here', async () => {
    await service().post({ title: 'Imported', status: 'publish' });
    const columns = `kind, status, title, title_key, title_rendered, content, content_rendered, excerpt,
      excerpt_rendered, rendering, block_version, slug, password, author_id, published_at, floating, created_at,
      modified_at, comments_open, pings_open, sticky, format, template, footnotes, featured_media_id,
      parent_id, menu_order, guid, version, clocks`;
    const digest = (names: string) => `md5(jsonb_build_array(${names})::text)`;
    const without = digest(columns.replace(' title_key,', ''));
    await query(`UPDATE content_item SET title_key = 'imported'`);
    await query(`INSERT INTO imported_row (kind, id, source_digest, own_digest)
      SELECT kind, id, '', ${digest(columns)} FROM content_item`);
    const { deps, schema } = service().app;
    const job = jobsOf({ deps, schema }).find(({ name }) => name === 'order of titles');
    await job?.run(new AbortController().signal);
    expect(
      await query(`SELECT c.title FROM imported_row i JOIN content_item c USING (kind, id)
        WHERE own_digest = (SELECT ${without} FROM content_item WHERE id = i.id)`),
    ).toStrictEqual([{ title: 'Imported' }]);
  });
});
