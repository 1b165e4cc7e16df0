import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { importFrom } from '../../src/app/moving/importing.service.js';
import { MysqlSource } from '../../src/app/moving/mysql-source.js';
import { WxrSource } from '../../src/app/moving/wxr/wxr-source.js';
import { useService } from '../support/harness.js';
import { Original } from './original.js';
import { tallyOf } from './tally.js';

const SERVER = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1/';

const part = (name: string, value: string | number) =>
  `<${name}><![CDATA[${String(value).replaceAll(']]>', ']]]]><![CDATA[>')}]]></${name}>\n`;
const parts = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values)
    .map(([name, value]) => part(name, value))
    .join('');

/** Returns an item as the original exports it. */
const itemWith = (id: number, values: Readonly<Record<string, string | number>> = {}, more = '') =>
  `<item>${parts({
    title: `T${id}`,
    'dc:creator': 'root',
    guid: '',
    'content:encoded': '',
    'excerpt:encoded': '',
    'wp:post_id': id,
    'wp:post_date': '2020-01-01 12:00:00',
    'wp:post_date_gmt': '2020-01-01 11:00:00',
    'wp:post_modified': '2020-01-01 12:00:00',
    'wp:post_modified_gmt': '2020-01-01 11:00:00',
    'wp:comment_status': 'open',
    'wp:ping_status': 'open',
    'wp:post_name': `t${id}`,
    'wp:status': 'publish',
    'wp:post_parent': 0,
    'wp:menu_order': 0,
    'wp:post_type': 'post',
    'wp:post_password': '',
    'wp:is_sticky': 0,
    ...values,
  })}${more}</item>`;

const category = (domain: string, nicename: string) =>
  `<category domain="${domain}" nicename="${nicename}">x</category>`;
const metaOf = (key: string, value: string) =>
  `<wp:postmeta>${parts({ 'wp:meta_key': key, 'wp:meta_value': value })}</wp:postmeta>`;

const TERMS = `
<wp:category>${parts({ 'wp:term_id': 1, 'wp:category_nicename': 'general', 'wp:category_parent': '', 'wp:cat_name': 'General' })}</wp:category>
<wp:category>${parts({ 'wp:term_id': 5, 'wp:category_nicename': 'heart', 'wp:category_parent': '', 'wp:cat_name': 'Heart &amp; soul' })}</wp:category>
<wp:category>${parts({ 'wp:term_id': 6, 'wp:category_nicename': 'deep', 'wp:category_parent': 'heart', 'wp:cat_name': 'Deep', 'wp:category_description': 'All of <em>it</em>' })}</wp:category>
<wp:tag>${parts({ 'wp:term_id': 7, 'wp:tag_slug': 'salz', 'wp:tag_name': 'Salz' })}</wp:tag>`;

const wxr = (items: string, before = '') => `<?xml version="1.0" encoding="UTF-8" ?>${before}
<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<title>Clinic</title><link>https://clinic.example</link><description>Care</description>
<wp:base_blog_url>https://clinic.example/</wp:base_blog_url>
<wp:author>${parts({ 'wp:author_id': 1, 'wp:author_login': 'root', 'wp:author_email': 'root@example.com', 'wp:author_display_name': 'Root' })}</wp:author>
${TERMS}${items}</channel></rss>`;

const refusedAt = (kind: string, at: string, reason: string) => ({
  ...{ kind, at, outcome: 'refused', reason },
});

describe('An export of the original', () => {
  const service = useService();
  const folder = mkdtempSync(join(tmpdir(), 'care-wxr-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function importDatabase(address: string): Promise<void> {
    const source = await MysqlSource.open(address);
    await importFrom(source, service().app.deps, {
      check: false,
      overwrite: false,
      progress: () => {},
    }).finally(() => source.close());
  }

  async function run(
    xml: string | Buffer,
    { name = 'export.xml', check = false, overwrite = false } = {},
  ) {
    const file = join(folder, name);
    writeFileSync(file, xml);
    const source = await WxrSource.open([file]);
    const options = { check, overwrite, progress: () => {} };
    return importFrom(source, service().app.deps, options).finally(() => source.close());
  }
  const get = async (path: string) => (await service().rest('GET', path)).body;
  const post = itemWith(
    9,
    {
      title: 'Über “Salz” & <b>mehr</b>',
      'content:encoded': 'One ]]> two\n\nThree',
      'excerpt:encoded': 'Short',
      'wp:post_name': 'salz',
      'wp:is_sticky': 1,
    },
    category('category', 'deep') +
      category('post_tag', 'salz') +
      category('post_format', 'post-format-aside') +
      metaOf('_thumbnail_id', '40') +
      metaOf('footnotes', '[]'),
  );
  const page = itemWith(20, { 'wp:post_type': 'page', 'wp:post_parent': 21 });
  const parent = itemWith(21, { 'wp:post_type': 'page', 'dc:creator': 'gone' });
  const medium = itemWith(
    40,
    {
      'wp:post_type': 'attachment',
      'wp:status': 'inherit',
      'wp:attachment_url': 'https://clinic.example/wp-content/uploads/2020/01/x.png',
    },
    metaOf('_wp_attached_file', '2020/01/x.png') + metaOf('_wp_attachment_image_alt', 'Alt'),
  );
  const trashed = itemWith(
    70,
    { 'wp:status': 'trash', 'wp:post_name': 't70__trashed' },
    metaOf('_wp_trash_meta_status', 'publish'),
  );
  const whole = wxr(
    post + trashed + page + parent + medium + itemWith(50, { 'wp:post_type': 'nav_menu_item' }),
  );

  it('brings authors, terms, items and media with their numbers', async () => {
    const report = await run(whole);
    expect([
      tallyOf(report, 'account'),
      tallyOf(report, 'term'),
      tallyOf(report, 'post'),
      tallyOf(report, 'page'),
      tallyOf(report, 'media'),
    ]).toStrictEqual([
      { imported: 1 },
      { imported: 4 },
      { imported: 2 },
      { imported: 2 },
      { imported: 1 },
    ]);
    expect(await get('/v1/posts/9')).toMatchObject({
      id: 9,
      slug: 'salz',
      date_gmt: '2020-01-01T11:00:00',
      title: { rendered: 'Über “Salz” &#038; <b>mehr</b>' },
      content: { rendered: '<p>One ]]> two</p>\n<p>Three</p>\n' },
      author: 1,
      categories: [6],
      tags: [7],
      format: 'aside',
      sticky: true,
      featured_media: 40,
    });
    expect(await get('/v1/pages/20')).toMatchObject({ parent: 21, author: 1 });
    expect(await get('/v1/pages/21')).toMatchObject({ author: 0 });
    const [row] = await service().app.deps.database.query(
      'SELECT status, trashed_from AS "from" FROM content_item WHERE id = 70',
    );
    expect(row).toStrictEqual({ status: 'trash', from: 'publish' });
    expect(await get('/wp/v2/media/40')).toMatchObject({ alt_text: 'Alt', mime_type: 'image/png' });
    expect(tallyOf(await run(whole), 'post')).toStrictEqual({ unchanged: 2 });
  });

  it('brings authors whose names or addresses are alike, as the original tells them apart', async () => {
    const author = (id: number, login: string, email: string) =>
      `<wp:author>${parts({ 'wp:author_id': id, 'wp:author_login': login, 'wp:author_email': email, 'wp:author_display_name': login })}</wp:author>`;
    const authors =
      author(5, 'ann.b', 'B@example.com') +
      author(4, 'ann-b', 'b@example.com') +
      author(6, '李', '') +
      author(7, '王', '');
    const written = ['ann.b', 'ann-b', '李', '王'].map((login, i) =>
      itemWith(60 + i, { 'dc:creator': login }),
    );
    const report = await run(wxr(authors + written.join('')));
    expect([tallyOf(report, 'account'), tallyOf(report, 'post')]).toStrictEqual([
      { imported: 5 },
      { imported: 4 },
    ]);
    const rows = await service().app.deps.database.prisma.account.findMany({
      where: { id: { gt: 3 } },
      select: { slug: true, emailKey: true },
      orderBy: { id: 'asc' },
    });
    expect(rows).toStrictEqual([
      { slug: 'ann-b', emailKey: 'b@example.com' },
      { slug: 'ann-b-2', emailKey: null },
      { slug: 'author-6', emailKey: null },
      { slug: 'author-7', emailKey: null },
    ]);
  });

  it('gives what the database of the same site gave', async () => {
    const original = await Original.make(SERVER);
    try {
      await original.term(5, 'category', { name: 'Heart &amp; soul', slug: 'heart' });
      await original.term(6, 'category', {
        name: 'Deep',
        slug: 'deep',
        parent: 5,
        description: 'All of <em>it</em>',
      });
      await original.term(7, 'post_tag', { name: 'Salz', slug: 'salz' });
      await original.term(8, 'post_format', { name: 'x', slug: 'post-format-aside' });
      await original.change(
        "UPDATE wp_options SET option_value = 'a:1:{i:0;i:9;}' WHERE option_name = 'sticky_posts'",
      );
      await original.post(
        {
          ID: 9,
          post_title: 'Über “Salz” & <b>mehr</b>',
          post_content: 'One ]]> two\n\nThree',
          post_excerpt: 'Short',
          post_name: 'salz',
        },
        { _thumbnail_id: '40', footnotes: '[]' },
        [6, 7, 8],
      );
      await original.post(
        { ID: 70, post_title: 'T70', post_name: 't70__trashed', post_status: 'trash' },
        { _wp_trash_meta_status: 'publish' },
      );
      const row = { post_type: 'page' };
      await original.post({ ID: 20, ...row, post_title: 'T20', post_name: 't20', post_parent: 21 });
      await original.post({ ID: 21, ...row, post_title: 'T21', post_name: 't21', post_author: 99 });
      await original.post(
        {
          ID: 40,
          post_type: 'attachment',
          post_status: 'inherit',
          post_title: 'T40',
          post_name: 't40',
          post_mime_type: 'image/png',
        },
        { _wp_attached_file: '2020/01/x.png', _wp_attachment_image_alt: 'Alt' },
      );
      await importDatabase(original.address);
    } finally {
      await original.drop();
    }
    // The site is remembered for a second, and the export does not tell its zone.
    service().at(Date.now() + 2_000);
    const report = await run(whole);
    expect(['term', 'post', 'page', 'media'].map((kind) => tallyOf(report, kind))).toStrictEqual([
      { unchanged: 4 },
      { unchanged: 2 },
      { unchanged: 2 },
      { unchanged: 1 },
    ]);
    expect(tallyOf(report, 'account')).toStrictEqual({ skipped: 1 });
  });

  it('keeps the dates of modification of here where its version does not tell them', async () => {
    const dates = {
      post_modified: '2021-05-01 08:00:00',
      post_modified_gmt: '2021-05-01 08:00:00',
    };
    const original = await Original.make(SERVER);
    try {
      await original.post({ ID: 9, post_title: 'T9', post_name: 't9', ...dates });
      await original.post(
        {
          ...{ ID: 40, post_type: 'attachment', post_status: 'inherit', ...dates },
          ...{ post_title: 'T40', post_name: 't40', post_mime_type: 'image/png' },
        },
        { _wp_attached_file: '2020/01/x.png', _wp_attachment_image_alt: 'Alt' },
      );
      await importDatabase(original.address);
    } finally {
      await original.drop();
    }
    service().at(Date.now() + 2_000);
    const file = wxr(
      [itemWith(9), medium, itemWith(10)].join('').replaceAll(/<wp:post_modified.*\n/g, ''),
    );
    const report = await run(file);
    expect(tallyOf(report, 'post')).toStrictEqual({ unchanged: 1, imported: 1 });
    expect(tallyOf(report, 'media')).toStrictEqual({ unchanged: 1 });
    const modified = async (id: number) => {
      const { body } = await service().rest('GET', `/v1/posts/${id}`);
      return [body.modified, body.modified_gmt];
    };
    expect(await modified(9)).toStrictEqual(['2021-05-01T08:00:00', '2021-05-01T08:00:00']);
    expect(await modified(10)).toStrictEqual(['2020-01-01T12:00:00', '2020-01-01T11:00:00']);
  });

  it('is refused in version 1.0, which has no numbers of accounts and terms', async () => {
    const old = wxr(itemWith(9)).replace('<title>', '<wp:wxr_version>1.0</wp:wxr_version><title>');
    await expect(run(old)).rejects.toThrow('is an export of version 1.0');
    const next = old.replace('>1.0<', '>1.1<');
    expect(tallyOf(await run(next), 'post')).toStrictEqual({ imported: 1 });
  });

  /** What version 0.1.0 wrote: no digest had the mark of its source. */
  const withoutMarks = () =>
    service().database.query(
      "UPDATE imported_row SET source_digest = split_part(source_digest, '@', 1)",
    );

  it('leaves to a database of the same site what it knows of authors, also where an older version read it', async () => {
    const uuid = randomUUID();
    const original = await Original.make(SERVER);
    const importDatabase = async () => {
      const source = await MysqlSource.open(original.address);
      const how = { check: false, overwrite: false, progress: () => {} };
      return importFrom(source, service().app.deps, how).finally(() => source.close());
    };
    const { prisma } = service().database;
    const passwords = async () => (await prisma.applicationPassword.findMany()).map((p) => p.id);
    try {
      await original.applicationPassword(1, uuid, '$P$6saltsaltAV/J.76ShrWFdTC18wfJ4.');
      for (const age of [async () => [], withoutMarks]) {
        await prisma.applicationPassword.deleteMany();
        await prisma.account.deleteMany();
        await service().database.query('DELETE FROM imported_row');
        await run(wxr(''));
        await age();
        expect(tallyOf(await importDatabase(), 'account')).toStrictEqual({ changed: 1 });
        const account = await prisma.account.findUnique({ where: { id: 1 } });
        expect([account?.roles, await passwords()]).toStrictEqual([['administrator'], [uuid]]);
      }
      await withoutMarks();
      await prisma.applicationPassword.deleteMany();
      await original.change("UPDATE wp_users SET display_name = 'Other'");
      expect(tallyOf(await importDatabase(), 'account')).toStrictEqual({ changed: 1 });
      expect(await passwords()).toStrictEqual([]); // revoked here
    } finally {
      await original.drop();
    }
  });

  it('leaves the title of the site as its database has it, with entities', async () => {
    const original = await Original.make(SERVER);
    try {
      await original.change(
        "UPDATE wp_options SET option_value = 'A &amp; B' WHERE option_name = 'blogname'",
      );
      const source = await MysqlSource.open(original.address);
      const how = { check: false, overwrite: false, progress: () => {} };
      await importFrom(source, service().app.deps, how).finally(() => source.close());
      await service().rereadSite();
      const report = await run(whole.replace('<title>Clinic<', '<title>A &#38; B<'));
      expect(tallyOf(report, 'site')).toStrictEqual({ unchanged: 1 });
    } finally {
      await original.drop();
    }
  });

  it('leaves what the root says of a zone and a front page that were changed here', async () => {
    const original = await Original.make(SERVER);
    const { database } = service();
    try {
      await original.post({ ID: 900, post_type: 'page', post_name: 'home' });
      await original.add('options', { option_name: 'show_on_front', option_value: 'posts' });
      await original.add('options', { option_name: 'page_on_front', option_value: '0' });
      await importDatabase(original.address);
      await database.query("UPDATE site SET time_zone = 'Europe/Paris', front_page_id = 900");
      await service().rereadSite();
      await run(whole, { overwrite: true });
      await service().rereadSite();
      expect(await get('/')).toMatchObject({
        timezone_string: 'Europe/Paris',
        show_on_front: 'page',
        page_on_front: 900,
      });
    } finally {
      await database.query("UPDATE site SET time_zone = 'UTC', front_page_id = NULL");
      await original.drop();
    }
  });

  it('shows no medium that a database of the same site has hidden', async () => {
    const original = await Original.make(SERVER);
    try {
      const pod = { post_type: '_pods_pod', post_title: 'Closed', post_name: 'closed' };
      await original.post({ ID: 31, ...pod }, { type: 'post_type' });
      await original.post({ ID: 34, post_type: 'closed', post_name: 'three' });
      const file = { post_type: 'attachment', post_status: 'inherit', post_parent: 34 };
      await original.post(
        { ID: 53, ...file, post_title: 'T53', post_name: 't53', post_mime_type: 'image/png' },
        { _wp_attached_file: '2020/53.png' },
      );
      const source = await MysqlSource.open(original.address);
      const options = { check: false, overwrite: false, progress: () => {} };
      await importFrom(source, service().app.deps, options).finally(() => source.close());
    } finally {
      await original.drop();
    }
    const hidden = itemWith(
      53,
      {
        ...{ 'wp:post_type': 'attachment', 'wp:status': 'inherit', 'wp:post_parent': 34 },
        link: 'https://clinic.example/closed/three/t53/',
        'wp:attachment_url': 'https://clinic.example/wp-content/uploads/2020/53.png',
      },
      metaOf('_wp_attached_file', '2020/53.png'),
    );
    const above = itemWith(34, { 'wp:post_type': 'closed' });
    expect(tallyOf(await run(wxr(above + hidden)), 'media')).toStrictEqual({ unchanged: 1 });
    expect(tallyOf(await run(wxr(hidden)), 'media')).toStrictEqual({ unchanged: 1 });
    expect((await service().rest('GET', '/wp/v2/media/53')).status).toBe(404);
  });

  it('may be zipped', async () => {
    const report = await run(gzipSync(whole), { name: 'export.xml.gz', check: true });
    expect(tallyOf(report, 'post')).toStrictEqual({ imported: 2 });
  });

  it('is read as far as it goes where it was cut, and the line is named', async () => {
    const many = Array.from({ length: 50 }, (_, i) => itemWith(100 + i)).join('\n');
    const cut = wxr(many).slice(0, wxr(many).indexOf('T140'));
    const report = await run(cut);
    expect(tallyOf(report, 'post')).toStrictEqual({ imported: 40 });
    expect(tallyOf(report, 'export').refused).toBeGreaterThan(0);
    expect(report.remarks.find(({ kind }) => kind === 'export')?.at).toMatch(
      /^export\.xml line \d+$/,
    );
    expect(JSON.stringify(report)).not.toContain('T139');
  });

  it('has each row refused alone that the database cannot hold, and the others are taken', async () => {
    const long = randomBytes(4_500).toString('hex');
    const author = (id: number, login: string) =>
      `<wp:author>${parts({ 'wp:author_id': id, 'wp:author_login': login, 'wp:author_email': '', 'wp:author_display_name': 'X' })}</wp:author>`;
    const longTag = `<wp:tag>${parts({ 'wp:term_id': 8, 'wp:tag_slug': long, 'wp:tag_name': 'Long' })}</wp:tag>`;
    const file = {
      guid: 'https://clinic.example/x.png',
      'wp:post_type': 'attachment',
      'wp:status': 'inherit',
      'wp:attachment_url': 'https://clinic.example/x.png',
    };
    const items = [
      itemWith(100),
      itemWith(101, { 'wp:post_name': long }),
      itemWith(102, { title: long }),
      itemWith(103, { 'wp:menu_order': '99999999999' }),
      itemWith(104, { 'wp:menu_order': 'first' }),
      itemWith(105, { 'wp:post_date_gmt': '2020-99-99 11:00:00' }),
      itemWith(106, { 'wp:post_parent': '99999999999' }),
      itemWith(107, { 'wp:post_type': 'page', 'wp:post_name': long }),
      itemWith(108, { ...file, 'wp:post_name': long }),
      itemWith(109, file),
      itemWith(110),
    ];
    const report = await run(
      wxr(author(30, long) + author(31, 'fine') + longTag + items.join('\n')),
    );
    const refused = report.remarks.filter(({ outcome }) => outcome === 'refused');
    expect(refused.map(({ at, reason }) => `${at}: ${reason}`)).toStrictEqual([
      'users 30: a text of it is too long for an index of the database (2,704 bytes)',
      'terms 8: a text of it is too long for an index of the database (2,704 bytes)',
      'posts 107: a text of it is too long for an index of the database (2,704 bytes)',
      'posts 101: a text of it is too long for an index of the database (2,704 bytes)',
      'posts 103: a number of it is out of the range of the database',
      'posts 104: the database refuses a value of it',
      'posts 108: a text of it is too long for an index of the database (2,704 bytes)',
    ]);
    expect([tallyOf(report, 'post').imported, tallyOf(report, 'media').imported]).toStrictEqual([
      5, 1,
    ]);
    expect(JSON.stringify(report)).not.toContain(long.slice(0, 20));
  });

  it('has items, terms and authors without a number refused by their lines, and says what is not taken', async () => {
    const author = (id: string) =>
      `<wp:author>${parts({ 'wp:author_id': id, 'wp:author_login': `a${id}`, 'wp:author_email': '', 'wp:author_display_name': 'X' })}</wp:author>`;
    const tag = (id: string, slug: string) =>
      `<wp:tag>${parts({ 'wp:term_id': id, 'wp:tag_slug': slug, 'wp:tag_name': 'X' })}</wp:tag>`;
    const comment = `<wp:comment>${parts({ 'wp:comment_id': 1 })}</wp:comment>`;
    const bad = [
      author(''),
      tag('x', 'one'),
      tag('', 'two'),
      itemWith(1).replace('<wp:post_id><![CDATA[1]]></wp:post_id>', ''),
      itemWith(2, { 'wp:post_id': 'two' }),
      itemWith(3, { 'wp:post_id': '3.5' }),
      itemWith(4, { 'wp:post_id': '-4' }),
      itemWith(5, { 'wp:post_id': '0' }),
    ].map((one) => `<x/>${one.replaceAll('\n', '')}`);
    const xml = wxr(
      `\n${bad.join('\n')}\n${[itemWith(9, {}, comment + comment), itemWith(9, { title: 'Other' }), itemWith(9)].map((one) => one.replaceAll('\n', '')).join('\n')}`,
    );
    const first = xml.split('\n').findIndex((line) => line.startsWith('<x/>')) + 1;
    const report = await run(xml);
    const comments = { kind: 'comment', outcome: 'skipped', reason: 'comments are not taken over' };
    const at = (place: number) => `export.xml line ${first + place}`;
    expect(
      report.remarks.filter(({ kind, at }) => kind !== 'account' || at !== 'users 1'),
    ).toStrictEqual([
      ...[0].map((i) => refusedAt('account', at(i), 'its number is none')),
      ...[1, 2].map((i) => refusedAt('term', at(i), 'its number is none')),
      ...[3, 4, 5, 6, 7].map((i) => refusedAt('post', at(i), 'its number is none')),
      { ...comments, at: 'posts 9' },
      { ...comments, at: 'posts 9' },
      refusedAt('post', at(9), 'another item before it has its number'),
    ]);
    expect(tallyOf(report, 'comment')).toStrictEqual({ skipped: 2 });
    expect([tallyOf(report, 'post'), tallyOf(report, 'term')]).toStrictEqual([
      { imported: 1, refused: 6 },
      { imported: 4, refused: 2 },
    ]);
  });

  it('knows no entities of its own, and nothing outside of the file', async () => {
    const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
    await expect(run(wxr('<item><title>&b;</title></item>', bomb))).rejects.toThrow(
      'it declares a document type',
    );
    const outside = '<!DOCTYPE rss SYSTEM "http://127.0.0.1:9/x.dtd">';
    await expect(run(wxr('', outside))).rejects.toThrow('it declares a document type');
    const undeclared = await run(wxr(itemWith(9, {}, '<wp:x>&b;</wp:x>')));
    expect(tallyOf(undeclared, 'export')).toStrictEqual({ refused: 1 });
    expect(tallyOf(undeclared, 'post')).toStrictEqual({ imported: 1 });
  });

  it('names the lines of bytes that are no UTF-8, and not those of U+FFFD', async () => {
    const broken = (text: string) =>
      Buffer.from(wxr(itemWith(9, { title: text })).replaceAll('é', '\xe9'), 'latin1');
    const report = await run(broken('Caf\xc3\xa9 é\nCafé é\nCaf\xef\xbf\xbd'));
    const places = report.remarks.filter(({ kind }) => kind === 'export');
    const line =
      wxr(itemWith(9, { title: 'X' }))
        .split('X')[0]
        ?.split('\n').length ?? 0;
    expect(places.map(({ at, reason }) => `${at}: ${reason}`)).toStrictEqual(
      [line, line + 1].map(
        (one) => `export.xml line ${one}: it is no UTF-8 there: U+FFFD stands in its place`,
      ),
    );
    expect((await get('/v1/posts/9')).title.rendered).toContain('Café \ufffd');
    const long = `${'é'.repeat(50_000)}x${'👍'.repeat(50_000)}`;
    const fine = await run(wxr(itemWith(9, { title: long })));
    expect(fine.remarks.filter(({ kind }) => kind === 'export')).toStrictEqual([]);
  });

  it('is refused with elements that are deeper, longer or more than the original writes', async () => {
    await expect(run(wxr(`<item>${'<a>'.repeat(20)}`))).rejects.toThrow('nested deeper than 8');
    await expect(run(wxr(`<item><title>${'x'.repeat(40_000_000)}`))).rejects.toThrow(
      'longer than 16 MiB',
    );
    await expect(run(wxr(`<item>${'<a/>'.repeat(10_001)}`))).rejects.toThrow('10,000 parts');
  });

  it('is none where it is another file, or no file', async () => {
    await expect(run('<html><body>x</body></html>')).rejects.toThrow(
      'is no export of the original',
    );
    await expect(WxrSource.open([join(folder, 'gone.xml')])).rejects.toThrow('cannot be read');
  });
});
