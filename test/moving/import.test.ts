import { createHash, randomUUID } from 'node:crypto';
import argon2 from 'argon2';
import { importFrom } from '../../src/app/moving/importing.service.js';
import { MysqlSource } from '../../src/app/moving/mysql-source.js';
import type { Report } from '../../src/app/moving/report.js';
import { publishDue } from '../../src/domains/content/item/publishing.service.js';
import { followSiteZone } from '../../src/domains/reminders/setting/site-zone.service.js';
import { imported, place } from '../app/moving/world.js';
import { makeMedicine } from '../support/factories.js';
import { mutation, useService } from '../support/harness.js';
import { Original } from './original.js';

const SERVER = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1/';

/** An application password as PHP serializes it. */
const passwordOf = (place: number, uuid: string, hash: string) =>
  `i:${place};a:4:{s:4:"uuid";s:36:"${uuid}";s:4:"name";s:5:"Phone";` +
  `s:8:"password";s:${hash.length}:"${hash}";s:7:"created";i:1600000000;}`;

describe('An import from a database of the original', () => {
  const service = useService();
  let original: Original;
  beforeEach(async () => {
    original = await Original.make(SERVER);
  });
  afterEach(() => original.drop());

  async function run(
    how: { check?: boolean; overwrite?: boolean; zone?: string; charset?: string } = {},
  ): Promise<Report> {
    const source = await MysqlSource.open(original.address, { charset: how.charset });
    const options = { check: false, overwrite: false, progress: () => {}, ...how };
    const report = await importFrom(source, service().app.deps, options).finally(() =>
      source.close(),
    );
    await service().rereadSite();
    return report;
  }
  const tally = (report: Report, kind: string) => {
    const { read, ...others } = report.tally(kind);
    const done = Object.entries(others).filter(([, count]) => count > 0);
    expect(done.reduce((sum, [, count]) => sum + count, 0)).toBe(read);
    return Object.fromEntries(done);
  };
  const reasons = (report: Report) => report.remarks.map(({ at, reason }) => `${at}: ${reason}`);
  const get = async (path: string) => (await service().rest('GET', path)).body;

  it('keeps numbers, slugs, texts, dates and vocabularies', async () => {
    await original.term(5, 'category', { name: 'Heart', slug: 'heart' });
    await original.term(6, 'category', { name: 'Research', slug: 'research', parent: 5 });
    await original.term(7, 'post_tag', { name: 'Salz', slug: 'salz' });
    await original.term(8, 'post_format', { name: 'post-format-aside', slug: 'post-format-aside' });
    const texts = { post_title: 'Über “Salz”', post_content: 'One\n\nTwo', post_excerpt: 'Short' };
    const dates = { post_date: '2021-07-01 10:00:00', post_date_gmt: '2021-07-01 08:00:00' };
    await original.post(
      {
        ID: 4711,
        ...texts,
        ...dates,
        post_name: 'ueber-salz',
        guid: 'https://clinic.example/?p=4711',
      },
      { footnotes: '[]' },
      [6, 7, 8],
    );
    await original.change(
      "UPDATE wp_options SET option_value = 'a:1:{i:0;i:4711;}' WHERE option_name = 'sticky_posts'",
    );
    const report = await run();
    // The service learns within a second what another process changes of the site.
    service().now = () => Date.now() + 2_000;
    expect(tally(report, 'post')).toStrictEqual({ imported: 1 });
    expect(tally(report, 'term')).toStrictEqual({ imported: 4 });
    const { headers } = { headers: await service().session('administrator') };
    const { body } = await service().rest('GET', '/v1/posts/4711', {
      headers,
      query: { context: 'edit' },
    });
    expect(body).toMatchObject({
      id: 4711,
      slug: 'ueber-salz',
      date: '2021-07-01T10:00:00',
      date_gmt: '2021-07-01T08:00:00',
      title: { raw: 'Über “Salz”' },
      content: { raw: 'One\n\nTwo', rendered: '<p>One</p>\n<p>Two</p>\n' },
      excerpt: { raw: 'Short' },
      author: 1,
      categories: [6],
      tags: [7],
      format: 'aside',
      sticky: true,
      comment_status: 'open',
    });
    expect(await get('/wp/v2/categories/6')).toMatchObject({ id: 6, name: 'Research', parent: 5 });
  });

  it('gives accounts the language that they have, else that of the site', async () => {
    await original.add('options', { option_name: 'WPLANG', option_value: 'de_DE' });
    for (const [ID, locale] of [
      [30, ''],
      [31, 'fr_FR'],
      [32, 'en_US'],
    ] as const) {
      await original.account({ ID, user_login: `u${ID}` }, 'subscriber');
      if (locale)
        await original.add('usermeta', { user_id: ID, meta_key: 'locale', meta_value: locale });
    }
    await run();
    const rows = await service().database.query(
      'SELECT a.id, code FROM account a JOIN language l ON l.id = language_id WHERE a.id >= 30 ORDER BY 1',
    );
    expect(rows).toStrictEqual([
      { id: 30, code: 'de' },
      { id: 31, code: 'fr' },
      { id: 32, code: 'en' },
    ]);
  });

  it('takes the zone of the site also by its distance from UTC, and refuses one that it does not know', async () => {
    const set = (name: string, value: string) =>
      original.change(
        'INSERT INTO wp_options (option_name, option_value) VALUES (?, ?) ON DUPLICATE KEY UPDATE option_value = ?',
        [name, value, value],
      );
    const zone = async () =>
      (await service().database.query<{ zone: string }>('SELECT time_zone AS zone FROM site'))[0]
        ?.zone;
    await set('timezone_string', '');
    for (const [offset, name] of [
      ['2', 'Etc/GMT-2'],
      ['5.5', 'Asia/Kolkata'],
      ['-9.5', 'Pacific/Marquesas'],
      ['0', 'UTC'],
    ] as const) {
      await set('gmt_offset', offset);
      await run();
      expect(await zone()).toBe(name);
    }
    await set('gmt_offset', '7.5');
    await expect(run()).rejects.toThrow(
      'The time zone of the original, UTC and 7.5 hours, is not known here: name a city by --zone.',
    );
    await set('timezone_string', 'Mars/Base');
    await expect(run({ check: true })).rejects.toThrow(
      'The time zone of the original, Mars/Base, is not known here',
    );
    expect(await zone()).toBe('UTC');
  });

  it('keeps the title and the zone that people have set here, and lets reminders follow the zone of the original', async () => {
    const set = (name: string, value: string) =>
      original.change('UPDATE wp_options SET option_value = ? WHERE option_name = ?', [
        value,
        name,
      ]);
    const site = async () =>
      (await service().database.query('SELECT title, time_zone AS zone FROM site'))[0];
    expect(tally(await run(), 'site')).toStrictEqual({ imported: 1 });
    expect(tally(await run(), 'site')).toStrictEqual({ unchanged: 1 });
    await makeMedicine(service(), { frequencyType: 'daily', startDate: '2026-03-01' });
    const zone = async () =>
      (await service().database.query<{ zone: string }>('SELECT zone FROM reminder'))[0]?.zone;
    expect(await zone()).toBe('Europe/Berlin');
    await set('timezone_string', 'Asia/Tokyo');
    expect(tally(await run({ check: true }), 'site')).toStrictEqual({ changed: 1 });
    expect(tally(await run(), 'site')).toStrictEqual({ changed: 1 });
    await service().rereadSite();
    await followSiteZone(service().app.deps);
    expect(await zone()).toBe('Asia/Tokyo');
    const input = { title: 'Ours', timeZone: 'Europe/Berlin' };
    await service().data(mutation('updateSite', 'site { title }'), { input }, 'administrator');
    expect(tally(await run(), 'site')).toStrictEqual({ unchanged: 1 });
    await set('blogname', 'Theirs');
    const report = await run();
    expect(tally(report, 'site')).toStrictEqual({ skipped: 1 });
    expect(reasons(report)).toContain(
      'options of the site: it was changed here and in the original',
    );
    expect(await site()).toStrictEqual({ title: 'Ours', zone: 'Europe/Berlin' });
    expect(tally(await run({ overwrite: true }), 'site')).toStrictEqual({ changed: 1 });
    expect(await site()).toStrictEqual({ title: 'Theirs', zone: 'Asia/Tokyo' });
    await set('timezone_string', 'Europe/Berlin');
    await run();
  });

  it('shows both clocks as they are stored, until the date is changed here', async () => {
    const dates = { post_date: '2021-07-01 08:00:00', post_date_gmt: '2021-07-01 08:00:00' };
    const modified = {
      post_modified: '2021-07-02 09:00:00',
      post_modified_gmt: '2021-07-02 07:00:00',
    };
    await original.post({ ID: 9, post_title: 'Old', post_name: 'old', ...dates, ...modified });
    await run();
    expect(await get('/v1/posts/9')).toMatchObject({
      date: '2021-07-01T08:00:00',
      date_gmt: '2021-07-01T08:00:00',
      modified: '2021-07-02T09:00:00',
      modified_gmt: '2021-07-02T07:00:00',
    });
    const headers = await service().session('administrator');
    const body = { date_gmt: '2021-07-01T06:00:00' };
    expect((await service().rest('POST', '/v1/posts/9', { headers, body })).status).toBe(200);
    expect(await get('/v1/posts/9')).toMatchObject({ date: '2021-07-01T08:00:00' });
    await service().rest('POST', '/v1/posts/9', {
      headers,
      body: { date_gmt: '2021-07-01T09:00:00' },
    });
    expect(await get('/v1/posts/9')).toMatchObject({ date: '2021-07-01T11:00:00' });
  });

  it('shows both clocks of revisions and media as they are stored, also of one instant', async () => {
    const dates = {
      ...{ post_date: '2021-07-01 08:00:00', post_date_gmt: '2021-07-01 08:00:00' },
      ...{ post_modified: '2021-07-02 19:00:00', post_modified_gmt: '2021-07-02 07:00:00' },
    };
    const shown = {
      ...{ date: '2021-07-01T08:00:00', date_gmt: '2021-07-01T08:00:00' },
      ...{ modified: '2021-07-02T19:00:00', modified_gmt: '2021-07-02T07:00:00' },
    };
    const once = { ...dates, post_modified_gmt: dates.post_date_gmt };
    const shownOnce = { ...shown, modified_gmt: shown.date_gmt };
    const attachment = { post_type: 'attachment', post_status: 'inherit', post_parent: 9 };
    const revision = { post_type: 'revision', post_status: 'inherit', post_parent: 9 };
    await original.post({ ID: 9, post_title: 'Old', post_name: 'old', ...once });
    for (const [ID, own] of Object.entries({ 10: dates, 11: once })) {
      const meta = { _wp_attached_file: `2021/07/${ID}.png` };
      await original.post({ ID: Number(ID), post_name: `p${ID}`, ...attachment, ...own }, meta);
      const post_name = '9-revision-v1';
      await original.post({ ID: Number(ID) + 10, post_name, ...revision, ...own });
    }
    await run();
    const headers = await service().session('administrator');
    expect(await get('/v1/posts/9')).toMatchObject(shownOnce);
    expect(await get('/wp/v2/media/10')).toMatchObject(shown);
    expect(await get('/wp/v2/media/11')).toMatchObject(shownOnce);
    const { body } = await service().rest('GET', '/v1/posts/9/revisions', { headers });
    expect(body).toMatchObject([
      { id: 21, ...shownOnce },
      { id: 20, ...shown },
    ]);
    await service().rest('POST', '/wp/v2/media/10', { headers, body: { title: 'New' } });
    expect(await get('/wp/v2/media/10')).toMatchObject({ date: shown.date });
    expect(tally(await run(), 'media')).toStrictEqual({ unchanged: 2 });
    expect(tally(await run(), 'revision')).toStrictEqual({ unchanged: 2 });
  });

  it('shows a time that the clocks skip an hour later', async () => {
    const dates = { post_date: '2021-03-28 02:30:00', post_date_gmt: '2021-03-28 00:30:00' };
    await original.post({ ID: 9, post_title: 'Skipped', post_name: 'skipped', ...dates });
    await run();
    expect(await get('/v1/posts/9')).toMatchObject({
      date: '2021-03-28T03:30:00',
      date_gmt: '2021-03-28T00:30:00',
    });
  });

  it('shows what has the password 0, as the original does, and the address of a site for no slug', async () => {
    await original.post({ ID: 9, post_title: 'Open', post_name: '', post_password: '0' });
    await run();
    expect(await get('/v1/posts/9')).toMatchObject({
      content: { protected: false },
      link: `${service().url}/`,
    });
    expect(await get('/v1/posts/9?password=0')).toMatchObject({ content: { protected: false } });
  });

  it('files items under no term that only has the number of theirs', async () => {
    await original.term(5, 'category', { name: 'Shared', slug: 'shared', count: 2 });
    await original.add('term_taxonomy', {
      term_taxonomy_id: 300,
      term_id: 5,
      taxonomy: 'post_tag',
    });
    await original.post({ ID: 9, post_title: 'A', post_name: 'a' }, {}, [5]);
    await original.post({ ID: 10, post_title: 'B', post_name: 'b' });
    await original.add('term_relationships', { object_id: 10, term_taxonomy_id: 300 });
    const report = await run();
    expect(await get('/v1/posts/9')).toMatchObject({ categories: [5], tags: [] });
    expect(await get('/v1/posts/10')).toMatchObject({ categories: [], tags: [] });
    expect(report.tally('term').refused).toBe(1);
  });

  it('keeps what people have set of the site before its first import', async () => {
    const input = { title: 'Ours', timeZone: 'Asia/Tokyo' };
    await service().data(mutation('updateSite', 'site { title }'), { input }, 'administrator');
    const report = await run();
    expect(tally(report, 'site')).toStrictEqual({ skipped: 1 });
    expect(reasons(report)).toContain('options of the site: it was changed here before');
    const site = async () =>
      (await service().database.query('SELECT title, time_zone AS zone FROM site'))[0];
    expect(await site()).toStrictEqual({ title: 'Ours', zone: 'Asia/Tokyo' });
    expect(tally(await run({ overwrite: true }), 'site')).toStrictEqual({ changed: 1 });
    expect(await site()).toStrictEqual({ title: 'Clinic', zone: 'Europe/Berlin' });
    expect(tally(await run(), 'site')).toStrictEqual({ unchanged: 1 });
  });

  it('sets the default category and the front page once they are here', async () => {
    const { id: ours } = await service().post({ title: 'Ours' });
    const { term } = (
      await service().data(
        mutation('createTerm', 'term { databaseId }'),
        { input: { taxonomy: 'CATEGORY', name: 'Ours' } },
        'administrator',
      )
    ).createTerm;
    await original.add('options', { option_name: 'show_on_front', option_value: 'page' });
    await original.add('options', { option_name: 'page_on_front', option_value: ours });
    await original.change(
      "UPDATE wp_options SET option_value = ? WHERE option_name = 'default_category'",
      [term.databaseId],
    );
    await original.term(term.databaseId, 'category', { name: 'Theirs', slug: 'theirs' });
    await original.post({ ID: ours, post_type: 'page', post_title: 'Home', post_name: 'home' });
    await service().database.query("UPDATE content_item SET kind = 'page'");
    const set = async () =>
      (
        await service().database.query(
          'SELECT default_category_id AS category, front_page_id AS front FROM site',
        )
      )[0];
    await run();
    expect(await set()).toStrictEqual({ category: 1, front: null });
    await service().database.query('DELETE FROM content_item');
    await service().database.query(`DELETE FROM term WHERE id = ${term.databaseId}`);
    expect(tally(await run({ check: true }), 'site')).toStrictEqual({ changed: 1 });
    expect(tally(await run(), 'site')).toStrictEqual({ changed: 1 });
    expect(await set()).toStrictEqual({ category: term.databaseId, front: ours });
    expect(tally(await run(), 'site')).toStrictEqual({ unchanged: 1 });
  });

  it('loses no account, medium or term that shares what is unique here', async () => {
    const user_pass = createHash('md5').update('old and short').digest('hex');
    const account = (ID: number, user_login: string, more: object) =>
      original.account({ ID, user_login, user_pass, ...more }, 'author');
    await account(30, 'mina', { user_nicename: 'same', user_email: 'mina@example.com' });
    await account(31, 'omar', { user_nicename: 'same', user_email: ' mina@example.com' });
    await account(32, 'josé', { user_nicename: '', user_email: 'josé@example.com' });
    await account(33, 'jose', { user_nicename: '', user_email: 'jose@example.com' });
    await account(34, ' mina', { user_nicename: 'own', user_email: 'other@example.com' });
    await original.term(40, 'category', { name: 'Heart', slug: 'heart' });
    await original.term(41, 'category', { name: 'Herz', slug: 'heart' });
    await original.post({ ID: 50, post_name: 'fifty', post_author: 33 }, {}, [41]);
    const file = { post_type: 'attachment', post_status: 'inherit', guid: 'https://a.example/x' };
    await original.post({ ID: 60, ...file, post_name: 'x' });
    await original.post({ ID: 61, ...file, post_name: 'x' });
    const report = await run();
    const taken = ['account', 'term', 'media'].map((kind) => report.tally(kind).refused);
    expect(taken).toStrictEqual([0, 0, 0]);
    expect(await get('/v1/posts/50')).toMatchObject({ author: 33, categories: [41] });
    expect((await get('/wp/v2/categories/41')).slug).toBe('heart-41');
    expect((await get('/wp/v2/media/61')).slug).toBe('x-61');
    const signIn = async (username: string) =>
      (
        await service().ask(mutation('login', 'viewer { databaseId }'), {
          input: { username, password: 'old and short' },
        })
      ).data.login.viewer.databaseId;
    const names = ['mina@example.com', 'omar', 'josé@example.com', 'jose@example.com'];
    const found: number[] = [];
    for (const name of [...names, 'other@example.com']) found.push(await signIn(name));
    expect(found).toStrictEqual([30, 31, 32, 33, 34]);
    for (const kind of ['account', 'term', 'media'])
      expect((await run()).tally(kind).changed).toBe(0);
  });

  it('takes no slug that a row of here has which is gone in the original', async () => {
    const file = { post_type: 'attachment', post_status: 'inherit', guid: 'https://a.example/x' };
    for (const ID of [5, 10]) await original.post({ ID, ...file, post_name: 'a' });
    await original.post({ ID: 11, ...file, post_name: 'logo' });
    await original.term(40, 'category', { name: 'News', slug: 'news' });
    await run();
    await original.change('DELETE FROM wp_posts WHERE ID IN (5, 11)');
    await original.change('DELETE FROM wp_terms WHERE term_id = 40');
    await original.change('DELETE FROM wp_term_taxonomy WHERE term_id = 40');
    await original.post({ ID: 50, ...file, post_name: 'logo' });
    await original.term(41, 'category', { name: 'News', slug: 'news' });
    await original.post({ ID: 60, post_name: 'sixty' }, { _thumbnail_id: '50' }, [41]);
    const checked = await run({ check: true });
    const report = await run();
    expect(JSON.stringify(checked)).toBe(JSON.stringify(report));
    expect(tally(report, 'media')).toStrictEqual({ imported: 1, unchanged: 1 });
    expect(report.tally('term').imported).toBe(1);
    const remark = 'another one has its slug: it has its number behind it';
    expect(reasons(report)).toEqual(
      expect.arrayContaining([`posts 50: ${remark}`, `terms 41: ${remark}`]),
    );
    expect((await get('/wp/v2/media/50')).slug).toBe('logo-50');
    expect((await get('/wp/v2/media/10')).slug).toBe('a-10');
    expect((await get('/wp/v2/categories/41')).slug).toBe('news-41');
    expect(await get('/v1/posts/60')).toMatchObject({ featured_media: 50, categories: [41] });
    expect(tally(await run(), 'media')).toStrictEqual({ unchanged: 2 });
  });

  it('leaves a slug to the row that takes it in the original', async () => {
    const file = { post_type: 'attachment', post_status: 'inherit', guid: 'https://a.example/x' };
    await original.post({ ID: 5, ...file, post_name: 'a' });
    await original.post({ ID: 10, ...file, post_name: 'b' });
    await run();
    await original.change("UPDATE wp_posts SET post_name = 'b' WHERE ID = 5");
    await original.change("UPDATE wp_posts SET post_name = 'c' WHERE ID = 10");
    expect(tally(await run(), 'media')).toStrictEqual({ changed: 2 });
    expect((await get('/wp/v2/media/5')).slug).toBe('b');
  });

  it('gives an address to the account that has taken it in the original', async () => {
    await original.account({ ID: 30, user_login: 'mina', user_email: 'old@example.com' }, 'author');
    await original.account({ ID: 31, user_login: 'omar', user_email: 'a@example.com' }, 'author');
    await run();
    await original.change("UPDATE wp_users SET user_email = 'a@example.com' WHERE ID = 30");
    await original.change("UPDATE wp_users SET user_email = 'b@example.com' WHERE ID = 31");
    expect(tally(await run(), 'account')).toStrictEqual({ changed: 2, unchanged: 1 });
    const emails = 'SELECT id, email_key AS email FROM account WHERE id > 29 ORDER BY id';
    expect(await service().database.query(emails)).toStrictEqual([
      { id: 30, email: 'a@example.com' },
      { id: 31, email: 'b@example.com' },
    ]);
  });

  it('counts what is of other types, and comments', async () => {
    await original.change('CREATE TABLE wp_comments (comment_ID bigint)');
    await original.change('INSERT INTO wp_comments VALUES (1), (2), (3)');
    for (const ID of [50, 51])
      await original.post({ ID, post_type: 'shop_order', post_status: 'wc-completed' });
    await original.term(40, 'product_type', { name: 'Simple', slug: 'simple' });
    await original.term(41, 'category', { name: 'Heart', slug: 'heart' });
    await original.add('term_taxonomy', { term_id: 41, taxonomy: 'post_tag' });
    const report = await run();
    expect(tally(report, 'other')).toStrictEqual({ skipped: 3 });
    expect(tally(report, 'comment')).toStrictEqual({ skipped: 3 });
    expect(tally(report, 'term')).toStrictEqual({ imported: 2, refused: 1 });
    expect(reasons(report)).toStrictEqual(
      expect.arrayContaining([
        'posts shop_order wc-completed: what is of its type is not taken over',
        'terms product_type: what is of its type is not taken over',
        'comments: comments are not taken over',
      ]),
    );
    expect(report.reasons.get('comment: comments are not taken over')).toBe(3);
  });

  it('says which settings of the original are otherwise here', async () => {
    const option = (option_name: string, option_value: string) =>
      original.add('options', { option_name, option_value });
    await option('permalink_structure', '/%year%/%postname%/');
    await option('upload_path', 'files');
    await option(
      'wp_user_roles',
      'a:2:{s:10:"subscriber";a:1:{s:12:"capabilities";a:2:{s:4:"read";b:1;s:10:"edit_posts";b:1;}}' +
        's:11:"contributor";a:1:{s:12:"capabilities";a:3:{s:4:"read";b:1;s:10:"edit_posts";b:1;s:12:"delete_posts";b:1;}}}',
    );
    const said = reasons(await run({ check: true })).filter((one) => one.startsWith('options'));
    expect(said).toStrictEqual([
      'options permalink_structure: posts have other addresses there: those of here are /SLUG/',
      'options upload_path: its files are not below /wp-content/uploads there, where they are read here',
      'options user_roles: its role subscriber has other capabilities: those of here count',
    ]);
  });

  it('says of each form of addresses that is otherwise here', async () => {
    const said = async (options: Readonly<Record<string, string>>) => {
      await original.change(
        "DELETE FROM wp_options WHERE option_name IN ('permalink_structure', 'category_base', 'tag_base')",
      );
      for (const [option_name, option_value] of Object.entries(options))
        await original.add('options', { option_name, option_value });
      return reasons(await run({ check: true }))
        .flatMap((one) => /^options (\w+): posts|^options (\w+): terms/.exec(one)?.slice(1) ?? [])
        .filter(Boolean);
    };
    const structure = '/%postname%/';
    expect(
      await said({ permalink_structure: structure, category_base: '/category', tag_base: '' }),
    ).toStrictEqual([]);
    expect(await said({ permalink_structure: '/%postname%' })).toStrictEqual([
      'permalink_structure',
    ]);
    expect(await said({ permalink_structure: '' })).toStrictEqual(['permalink_structure']);
    expect(await said({ category_base: 'themen', tag_base: '/stichwort' })).toStrictEqual([
      'category_base',
      'tag_base',
    ]);
  });

  it('takes media without a date, and passwords with a blank that PHP keeps', async () => {
    const none = '0000-00-00 00:00:00';
    const dates = { post_date: none, post_date_gmt: none, post_modified_gmt: none };
    const file = { post_type: 'attachment', post_status: 'inherit', guid: 'https://a.example/x' };
    await original.post({ ID: 60, ...file, ...dates, post_name: 'x', post_modified: none });
    await original.post({ ID: 61, ...file, ...dates, post_name: 'y' });
    const user_pass = '$P$6saltsaltV.1nBR1GB6y6Q1mI2021v1';
    await original.account({ ID: 30, user_login: 'mina', user_pass }, 'subscriber');
    const report = await run();
    expect(reasons(report)).toContain('posts 60: it has no date: it has that of 1970-01-01');
    expect((await get('/wp/v2/media/60')).date_gmt).toBe('1970-01-01T00:00:00');
    expect((await get('/wp/v2/media/61')).modified_gmt).toBe('2020-01-01T11:00:00');
    const input = { username: 'mina', password: 'secret\u00a0' };
    const { data } = await service().ask(mutation('login', 'viewer { databaseId }'), { input });
    expect(data.login.viewer.databaseId).toBe(30);
  });

  it('takes the first of several values of one key, as the original', async () => {
    const picture = (id: number, pictures: readonly string[]) =>
      original.post({ ID: id, post_name: `p${id}` }).then(async () => {
        for (const meta_value of pictures)
          await original.add('postmeta', { post_id: id, meta_key: '_thumbnail_id', meta_value });
      });
    await picture(50, ['10', '9']);
    await picture(51, ['9', '10']);
    await original.account({ ID: 30, user_login: 'mina' }, 'subscriber');
    await original.add('usermeta', {
      user_id: 30,
      meta_key: 'wp_capabilities',
      meta_value: 'a:1:{s:13:"administrator";b:1;}',
    });
    await original.account({ ID: 31, user_login: 'omar' }, 'editor');
    await original.add('usermeta', {
      user_id: 31,
      meta_key: 'wp_capabilities',
      meta_value: 'a:1:{s:10:"subscriber";b:1;}',
    });
    await run();
    expect((await get('/v1/posts/50')).featured_media).toBe(10);
    expect((await get('/v1/posts/51')).featured_media).toBe(9);
    const roles = 'SELECT id, roles FROM account WHERE id > 29 ORDER BY id';
    expect(await service().database.query(roles)).toStrictEqual([
      { id: 30, roles: ['subscriber'] },
      { id: 31, roles: ['editor'] },
    ]);
  });

  it('gives nothing to a row of here that has the number of a refused one', async () => {
    await service().database.query("SELECT setval('account_id_seq', 500)");
    const ours = await service().account('author');
    const { term } = (
      await service().data(
        mutation('createTerm', 'term { databaseId }'),
        { input: { taxonomy: 'CATEGORY', name: 'Ours' } },
        'administrator',
      )
    ).createTerm;
    const page = await service().post({ title: 'Ours' });
    await original.account({ ID: ours.id, user_login: 'theirs' }, 'author');
    await original.term(term.databaseId, 'category', { name: 'Theirs', slug: 'theirs' });
    await original.post({ ID: page.id, post_type: 'page', post_title: 'Theirs', post_name: 'x' });
    const file = { post_type: 'attachment', post_status: 'inherit', guid: 'https://a.example/x' };
    await original.post({ ID: 900, ...file, post_name: 'x', post_parent: page.id });
    await original.post({
      ...{ ID: 901, post_type: 'revision', post_status: 'inherit', post_parent: page.id },
      post_name: `${page.id}-revision-v1`,
    });
    await original.post(
      { ID: 902, post_title: 'Private', post_name: 'private', post_author: ours.id },
      {},
      [term.databaseId],
    );
    const { id: picture } = await service().database.prisma.media.create({
      data: {
        ...{ title: 'Ours', slug: 'ours', altText: '', mimeType: 'image/png', width: 1, height: 1 },
        ...{ id: 600, sourceUrl: '/x.png', sizes: '[]', authorId: ours.id },
        ...{ createdAt: new Date(), modifiedAt: new Date() },
      },
    });
    await original.post({ ID: picture, ...file, post_name: 'theirs' });
    await original.post(
      { ID: 903, post_type: 'page', post_name: 'below', post_parent: page.id },
      { _thumbnail_id: String(picture) },
    );
    await original.add('options', { option_name: 'show_on_front', option_value: 'page' });
    await original.add('options', { option_name: 'page_on_front', option_value: page.id });
    await service().database.query(`UPDATE content_item SET kind = 'page' WHERE id = ${page.id}`);
    const report = await run();
    expect(report.tally('account').refused).toBe(1);
    // Ours is filed under the category 1.
    expect(report.tally('term').refused).toBe(2);
    expect(tally(report, 'revision')).toStrictEqual({ skipped: 1 });
    expect(reasons(report)).toContain('posts 902: its author was not imported: it has none');
    expect(await get('/v1/posts/902')).toMatchObject({ author: 0, categories: [] });
    const [medium] = await service().database.query('SELECT item_id FROM media WHERE id = 900');
    expect(medium).toStrictEqual({ item_id: null });
    expect((await service().rest('GET', '/wp/v2/media/900')).status).toBe(404);
    expect(reasons(report)).toEqual(
      expect.arrayContaining([
        'posts 903: its parent was not imported: it has none',
        'posts 903: its featured picture was not imported: it has none',
      ]),
    );
    expect(await get('/v1/pages/903')).toMatchObject({ parent: 0, featured_media: 0 });
    expect((await get('/')).page_on_front).toBe(0);
    await service().database.query(`DELETE FROM media WHERE id = ${picture}`);
    expect(tally(await run(), 'page')).toStrictEqual({ changed: 1, refused: 1 });
    expect((await get('/v1/pages/903')).featured_media).toBe(picture);
  });

  it('hides media that the anonymous could not read in the original', async () => {
    const pod = { post_type: '_pods_pod', post_title: 'Houses' };
    const open = { type: 'post_type', rest_enable: '1' };
    await original.post({ ID: 30, ...pod, post_name: 'house' }, open);
    await original.post({ ID: 31, ...pod, post_name: 'closed' }, { type: 'post_type' });
    await original.post({ ID: 32, post_type: 'house', post_name: 'one' });
    await original.post({ ID: 33, post_type: 'house', post_name: 'two', post_status: 'draft' });
    await original.post({ ID: 34, post_type: 'closed', post_name: 'three' });
    await original.post({ ID: 35, post_name: 'post' });
    const medium = (ID: number, post_parent: number, post_status = 'inherit') =>
      original.post(
        { ID, post_type: 'attachment', post_status, post_name: `m${ID}`, post_parent },
        { _wp_attached_file: `2020/${ID}.png` },
      );
    await medium(40, 32);
    await medium(41, 987);
    await medium(42, 35);
    await medium(50, 0, 'trash');
    await medium(51, 35, 'private');
    await medium(52, 33);
    await medium(53, 34);
    const report = await run();
    expect(tally(report, 'media')).toStrictEqual({ imported: 7 });
    expect(
      reasons(report).filter((one) => one.includes('its author and editors alone see it')),
    ).toHaveLength(4);
    const ids = async (as: 'administrator' | 'anonymous') =>
      (await service().rest('GET', '/wp/v2/media', { as })).body
        .map(({ id }: { id: number }) => id)
        .sort();
    expect(await ids('anonymous')).toStrictEqual([40, 41, 42]);
    expect(await ids('administrator')).toStrictEqual([40, 41, 42, 50, 51, 52, 53]);
    expect((await service().rest('GET', '/wp/v2/media/51')).status).toBe(404);
  });

  it('shows media below published items of types that it does not know, and says so', async () => {
    await original.post({ ID: 32, post_type: 'product', post_name: 'one' });
    await original.post({ ID: 33, post_type: 'product', post_name: 'two', post_status: 'draft' });
    await original.post({ ID: 34, post_type: 'custom_css', post_name: 'three' });
    const pod = { post_type: '_pods_pod', post_title: 'Events', post_name: 'event' };
    await original.post({ ID: 30, ...pod }, { type: 'post_type', object: 'event' });
    await original.post({ ID: 35, post_type: 'event', post_name: 'four' });
    for (const above of [32, 33, 34, 35])
      await original.post(
        {
          ...{ ID: above + 10, post_type: 'attachment', post_status: 'inherit' },
          ...{ post_name: `m${above}`, post_parent: above },
        },
        { _wp_attached_file: `2020/${above}.png` },
      );
    const report = await run();
    const { body } = await service().rest('GET', '/wp/v2/media');
    expect(body.map(({ id }: { id: number }) => id).sort()).toStrictEqual([42, 45]);
    const remark = 'the type of what it is attached to is not known here: everybody sees it';
    expect(reasons(report).filter((one) => one.includes(remark))).toStrictEqual([
      `posts 42: ${remark}`,
      `posts 45: ${remark}`,
    ]);
  });

  it('makes nothing refer to what was deleted here', async () => {
    await original.term(9, 'category', { name: 'Nine', slug: 'nine' });
    await original.post({ ID: 7, post_type: 'page', post_name: 'seven' });
    const file = { post_type: 'attachment', post_status: 'inherit', guid: 'https://a.example/x' };
    await original.post({ ID: 8, ...file, post_name: 'eight', post_parent: 7 });
    await original.post({ ID: 60, post_name: 'sixty' }, {}, [9]);
    await run();
    await service().database.query('DELETE FROM term WHERE id = 9');
    await service().database.query('DELETE FROM content_item WHERE id = 7');
    await original.change(
      "UPDATE wp_options SET option_value = '9' WHERE option_name = 'default_category'",
    );
    await original.post({ ID: 70, ...file, post_name: 'seventy', post_parent: 7 });
    await original.post({
      ...{ ID: 71, post_type: 'revision', post_status: 'inherit', post_parent: 7 },
      post_name: '7-revision-v1',
    });
    const report = await run();
    expect(tally(report, 'media')).toStrictEqual({ imported: 1, unchanged: 1 });
    expect(tally(report, 'post')).toStrictEqual({ unchanged: 1 });
    expect(tally(report, 'revision')).toStrictEqual({ skipped: 1 });
    const [site] = await service().database.query('SELECT default_category_id AS id FROM site');
    expect(site).toStrictEqual({ id: 1 });
    expect(report.tally('site').refused).toBe(0);
    expect(tally(await run(), 'site')).toStrictEqual({ unchanged: 1 });
    expect((await run({ overwrite: true })).tally('media').refused).toBe(0);
  });

  it('leaves what an account had that was deleted here to those who have it since', async () => {
    await original.account({ ID: 30, user_login: 'mina' }, 'author');
    await original.post({ ID: 60, post_name: 'sixty', post_author: 30 });
    const file = { post_type: 'attachment', post_status: 'inherit', guid: 'https://a.example/x' };
    await original.post({ ID: 61, ...file, post_name: 'x', post_author: 30 });
    await original.post({
      ...{ ID: 62, post_type: 'revision', post_status: 'inherit', post_parent: 60 },
      ...{ post_name: '60-revision-v1', post_author: 30 },
    });
    await run();
    await service().data(
      mutation('deleteUser', 'deletedAccountId'),
      { input: { userId: 30, content: 'HAND_OVER', heirId: 1 } },
      { headers: await service().session('administrator') },
    );
    const all = async (report: Report) =>
      ['post', 'media', 'revision'].map((kind) => tally(report, kind));
    const unchanged = { unchanged: 1 };
    expect(await all(await run())).toStrictEqual([unchanged, unchanged, unchanged]);
    await run({ overwrite: true });
    const authors = async () =>
      await service().database.query(
        'SELECT p.author_id AS post, m.author_id AS media FROM content_item p, media m',
      );
    expect(await authors()).toStrictEqual([{ post: 1, media: 1 }]);
    expect(await all(await run())).toStrictEqual([unchanged, unchanged, unchanged]);
  });

  it('lets members sign in with the passwords that they have', async () => {
    const user_pass = createHash('md5').update('old and short').digest('hex');
    await original.account(
      { ID: 30, user_login: 'mina', user_pass, user_email: 'mina@example.com' },
      'subscriber',
    );
    await original.account(
      { ID: 31, user_login: 'twin', user_pass, user_email: 'mina@example.com' },
      'subscriber',
    );
    await original.account({ ID: 32, user_login: 'closed', user_pass: '*' }, 'subscriber');
    const report = await run();
    const signIn = (username: string) =>
      service().ask(mutation('login', 'viewer { databaseId }'), {
        input: { username, password: 'old and short' },
      });
    for (const [username, id] of [
      ['mina', 30],
      ['mina@example.com', 30],
      ['twin', 31],
    ] as const)
      expect((await signIn(username)).data.login.viewer.databaseId).toBe(id);
    expect((await signIn('closed')).errors?.[0]?.extensions?.code).toBe('INVALID_CREDENTIALS');
    const [{ hash }] = (await service().database.query<{ hash: string }>(
      'SELECT password_hash AS hash FROM account WHERE id = 30',
    )) as [{ hash: string }];
    expect(hash).toMatch(/^\$argon2id\$/);
    expect(reasons(report)).toStrictEqual([
      'users 1: its password has no hash that is known: it sets a new one',
      'users 31: another account has its address: it signs in by its user name',
      'users 32: its password has no hash that is known: it sets a new one',
    ]);
  });

  it('keeps application passwords, and those that were revoked here revoked', async () => {
    const [fast, portable] = [
      ['zq5pT1kxvbwxF6kBKozgdip5', '$generic$rWK0eHGCFCBHzSfxiE5K97l6hGi_TLRvI04aT4hd'],
      ['abcd EFGH ijkl MNOP qrst UVWX', '$P$6saltsaltAV/J.76ShrWFdTC18wfJ4.'],
    ] as const;
    const uuids = [randomUUID(), randomUUID()];
    const list = [fast, portable].map(([, hash], i) => passwordOf(i, uuids[i] as string, hash));
    await original.add('usermeta', {
      user_id: 1,
      meta_key: '_application_passwords',
      meta_value: `a:2:{${list.join('')}}`,
    });
    await run();
    const status = async (password: string) => {
      const credentials = Buffer.from(`root:${password}`).toString('base64');
      const headers = { authorization: `Basic ${credentials}` };
      return (await service().rest('GET', '/v1/posts', { headers, query: { context: 'edit' } }))
        .status;
    };
    for (const [password] of [fast, portable])
      expect([await status(password), await status(password)]).toStrictEqual([200, 200]);
    expect(await status('zq5pT1kxvbwxF6kBKozgdip6')).toBe(401);
    await service().database.prisma.applicationPassword.delete({
      where: { id: uuids[0] as string },
    });
    await original.change("UPDATE wp_users SET display_name = 'Other' WHERE ID = 1");
    expect(tally(await run(), 'account')).toStrictEqual({ changed: 1 });
    const kept = await service().database.prisma.applicationPassword.findMany();
    expect(kept.map(({ id }) => id)).toStrictEqual([uuids[1]]);
    expect(await status(portable[0])).toBe(200);
  });

  it('keeps application passwords without an identifier, or with that of another account', async () => {
    // Of the passwords ofroot, ofmina and ofomar.
    const [root, mina, omar] = [
      '$generic$yXPYM5k9f4tjiVoZZyUvmpTMgNlmnVw8P_tJjda3',
      '$generic$1UQ4RfNAFCw0ZqrFQnpIJsSzAyG9-4tn-dOkx6pn',
      '$generic$h3SRk57P9jHHfbxixv9HSumkIjuFju6SRuHXCcDP',
    ] as const;
    const uuid = randomUUID();
    await original.account({ ID: 30, user_login: 'mina' }, 'administrator');
    await original.account({ ID: 31, user_login: 'omar' }, 'administrator');
    const bare = `i:0;a:5:{s:4:"name";s:5:"Phone";s:8:"password";s:${mina.length}:"${mina}";s:7:"created";i:1500000000;s:9:"last_used";N;s:7:"last_ip";N;}`;
    for (const [user_id, list] of [
      [1, passwordOf(0, uuid, root)],
      [30, bare],
      [31, passwordOf(0, uuid, omar)],
    ] as const)
      await original.add('usermeta', {
        ...{ user_id, meta_key: '_application_passwords', meta_value: `a:1:{${list}}` },
      });
    const status = async (username: string) => {
      const credentials = Buffer.from(`${username}:of${username}`).toString('base64');
      const headers = { authorization: `Basic ${credentials}` };
      return (await service().rest('GET', '/v1/posts', { headers, query: { context: 'edit' } }))
        .status;
    };
    const statuses = async () => [await status('root'), await status('mina'), await status('omar')];
    await run();
    expect(await statuses()).toStrictEqual([200, 200, 200]);
    expect(tally(await run(), 'account')).toStrictEqual({ unchanged: 3 });
    await service().database.prisma.applicationPassword.deleteMany({ where: { accountId: 30 } });
    await original.change("UPDATE wp_users SET display_name = 'Other'");
    await run();
    service().at(service().now() + 2_000);
    expect(await statuses()).toStrictEqual([200, 401, 200]);
  });

  it('brings application passwords that were made between the dump and its import', async () => {
    await original.account({ ID: 30, user_login: 'mina' }, 'subscriber');
    await run();
    const hash = '$generic$rWK0eHGCFCBHzSfxiE5K97l6hGi_TLRvI04aT4hd';
    const uuids = [randomUUID(), randomUUID()].sort();
    // Their dates are before the first run.
    const list = (count: number) =>
      `a:${count}:{${uuids
        .slice(0, count)
        .map((uuid, i) => passwordOf(i, uuid, hash.replace('rW', `r${i}`)))
        .join('')}}`;
    await original.add('usermeta', {
      user_id: 30,
      meta_key: '_application_passwords',
      meta_value: list(1),
    });
    const kept = async () =>
      (
        await service().database.prisma.applicationPassword.findMany({ orderBy: { id: 'asc' } })
      ).map(({ id }) => id);
    await run();
    expect(await kept()).toStrictEqual(uuids.slice(0, 1));
    await service().database.prisma.applicationPassword.deleteMany();
    await original.change(
      "UPDATE wp_usermeta SET meta_value = ? WHERE meta_key = '_application_passwords'",
      [list(2)],
    );
    await run();
    expect(await kept()).toStrictEqual(uuids.slice(1));
  });

  it('revokes application passwords that the original has revoked, and keeps those of here', async () => {
    const hash = '$generic$rWK0eHGCFCBHzSfxiE5K97l6hGi_TLRvI04aT4hd';
    const uuids = [randomUUID(), randomUUID(), randomUUID()];
    const list = uuids.map((uuid, i) =>
      passwordOf(i, uuid, hash.replace('rW', i === 0 ? 'rW' : `r${i}`)),
    );
    const meta = (passwords: readonly string[]) =>
      original.change(
        "UPDATE wp_usermeta SET meta_value = ? WHERE meta_key = '_application_passwords'",
        [`a:${passwords.length}:{${passwords.join('')}}`],
      );
    await original.add('usermeta', {
      user_id: 1,
      meta_key: '_application_passwords',
      meta_value: '',
    });
    await meta(list);
    await run();
    const credentials = Buffer.from('root:zq5pT1kxvbwxF6kBKozgdip5').toString('base64');
    const headers = { authorization: `Basic ${credentials}` };
    const status = async () =>
      (await service().rest('GET', '/v1/posts', { headers, query: { context: 'edit' } })).status;
    expect(await status()).toBe(200);
    const own = randomUUID();
    await service().database.prisma.applicationPassword.create({
      data: {
        id: own,
        accountId: 1,
        name: 'Ours',
        hash: 'a'.repeat(64),
        createdAt: new Date('2026-01-01T00:00:00.123Z'),
      },
    });
    await meta(list.slice(2));
    expect(tally(await run(), 'account')).toStrictEqual({ changed: 1 });
    service().at(service().now() + 2_000);
    expect(await status()).toBe(401);
    const kept = await service().database.prisma.applicationPassword.findMany();
    expect(kept.map(({ id }) => id).sort()).toStrictEqual([uuids[2], own].sort());
  });

  it('lists accounts and content that are gone in the original, and keeps them', async () => {
    await original.account({ ID: 30, user_login: 'mina' }, 'subscriber');
    await original.post({ ID: 50, post_name: 'a' });
    await run();
    await original.change('DELETE FROM wp_users WHERE ID = 30');
    await original.change('DELETE FROM wp_posts');
    const report = await run();
    expect(tally(report, 'account')).toStrictEqual({ unchanged: 1 });
    expect(reasons(report)).toStrictEqual([
      'users 30: it is gone in the original: it stays here',
      'posts 50: it is gone in the original: it stays here',
    ]);
  });

  it('keeps a password that was set or used here', async () => {
    const user_pass = createHash('md5').update('old and short').digest('hex');
    await original.account({ ID: 30, user_login: 'mina', user_pass }, 'subscriber');
    await run();
    const signIn = async (password: string) => {
      const input = { username: 'mina', password };
      return (await service().ask(mutation('login', 'viewer { databaseId }'), { input })).errors;
    };
    expect(await signIn('old and short')).toBeUndefined();
    await original.change("UPDATE wp_users SET display_name = 'Mina M.' WHERE ID = 30");
    expect(tally(await run(), 'account')).toStrictEqual({ changed: 1, unchanged: 1 });
    expect(await signIn('old and short')).toBeUndefined();
  });

  it('writes nothing with --check, and reports the same', async () => {
    await original.post({ ID: 9, post_title: 'A', post_name: 'a' });
    await original.post({ ID: 10, post_status: 'odd', post_name: 'b' });
    const checked = await run({ check: true });
    const count =
      'SELECT (SELECT count(*) FROM content_item)::int + (SELECT count(*) FROM account)::int AS n';
    expect(await service().database.query(count)).toStrictEqual([{ n: 0 }]);
    const done = await run();
    expect(JSON.stringify(checked)).toBe(JSON.stringify(done));
  });

  it('changes nothing a second time, brings what is new, and keeps what was changed here', async () => {
    await original.post({ ID: 9, post_title: 'Nine', post_name: 'nine' });
    await original.post({ ID: 10, post_title: 'Ten', post_name: 'ten' });
    await original.post({ ID: 11, post_title: 'Eleven', post_name: 'eleven' });
    await run();
    expect(tally(await run(), 'post')).toStrictEqual({ unchanged: 3 });
    const headers = await service().session('administrator');
    const body = { title: 'Ours' };
    expect((await service().rest('POST', '/v1/posts/10', { headers, body })).status).toBe(200);
    await original.change(
      "UPDATE wp_posts SET post_title = concat(post_title, ' new') WHERE ID IN (9, 10)",
    );
    await original.post({ ID: 12, post_title: 'Twelve', post_name: 'twelve' });
    const report = await run();
    expect(tally(report, 'post')).toStrictEqual({
      imported: 1,
      changed: 1,
      unchanged: 1,
      skipped: 1,
    });
    expect(reasons(report)).toContain('posts 10: it was changed here and in the original');
    const titles = async () =>
      (await get('/v1/posts?orderby=id&order=asc')).map(
        (post: { title: { rendered: string } }) => post.title.rendered,
      );
    expect(await titles()).toStrictEqual(['Nine new', 'Ours', 'Eleven', 'Twelve']);
    expect(tally(await run({ overwrite: true }), 'post')).toStrictEqual({
      changed: 1,
      unchanged: 3,
    });
    expect(await titles()).toStrictEqual(['Nine new', 'Ten new', 'Eleven', 'Twelve']);
  });

  it('does not bring back what was deleted here, and takes no number of another row', async () => {
    await original.post({ ID: 9, post_title: 'Nine', post_name: 'nine' });
    const taken = await service().post({ title: 'Taken' });
    await original.post({ ID: taken.id, post_title: 'Other', post_name: 'other' });
    const report = await run();
    expect(tally(report, 'post')).toStrictEqual({ imported: 1, refused: 1 });
    expect(reasons(report)).toContain(
      `posts ${taken.id}: its number is taken by a row that was not imported`,
    );
    await service().database.prisma.contentItem.delete({ where: { id: 9 } });
    await original.change("UPDATE wp_posts SET post_title = 'Again' WHERE ID = 9");
    expect(tally(await run(), 'post')).toStrictEqual({ skipped: 1, refused: 1 });
  });

  it('keeps a number behind 2,000,000,000, and leaves room for those of here', async () => {
    await original.post({ ID: 2 ** 31 - 1, post_title: 'Far', post_name: 'far' });
    await original.post({ ID: 5000, post_title: 'A', post_name: 'a' });
    await run();
    expect((await get(`/v1/posts/${2 ** 31 - 1}`)).slug).toBe('far');
    expect((await service().post({ title: 'New' })).id).toBeLessThan(2_000_000_000);
  });

  it('leaves out a featured picture that is none, and reports it', async () => {
    for (const [i, picture] of ['7', '9999999999', 'x', '', '0', '-1', '12abc'].entries())
      await original.post({ ID: 10 + i, post_name: `n${i}` }, { _thumbnail_id: picture });
    const report = await run();
    expect(tally(report, 'post')).toStrictEqual({ imported: 7 });
    expect(reasons(report).filter((one) => one.startsWith('posts'))).toStrictEqual(
      ['posts 11', 'posts 12'].map(
        (place) => `${place}: its featured picture has no number that is one: it has none`,
      ),
    );
    expect((await get('/v1/posts/10')).featured_media).toBe(7);
    expect((await get('/v1/posts/11')).featured_media).toBe(0);
    expect((await get('/v1/posts/15')).featured_media).toBe(-1);
    expect((await get('/v1/posts/16')).featured_media).toBe(12);
  });

  it('orders slugs without case, and their marks before digits', async () => {
    const slugs = ['a%cc%88', 'a', 'A-b', 'a_c', 'a1', 'ab', 'B', 'c'];
    for (const [i, post_name] of slugs.entries())
      await original.post({ ID: 20 - i, post_name, post_title: 'T' });
    await run();
    const found = async (order: string, page: number) =>
      (await get(`/v1/posts?orderby=slug&order=${order}&per_page=5&page=${page}`)).map(
        (one: { slug: string }) => one.slug,
      );
    const ordered = ['a', 'a_c', 'A-b', 'a%cc%88', 'a1', 'ab', 'B', 'c'];
    expect([...(await found('asc', 1)), ...(await found('asc', 2))]).toStrictEqual(ordered);
    expect([...(await found('desc', 1)), ...(await found('desc', 2))]).toStrictEqual(
      ordered.reverse(),
    );
  });

  it('gives new rows numbers behind those of the original', async () => {
    await original.post({ ID: 5000, post_title: 'A', post_name: 'a' });
    await original.post({
      ID: 5001,
      post_parent: 5000,
      post_type: 'revision',
      post_name: '5000-revision-v1',
      post_status: 'inherit',
    });
    await run();
    expect((await service().post({ title: 'New' })).id).toBeGreaterThan(5000);
  });

  it('shows pages below the parents that they have, also in a circle and below one that is gone', async () => {
    const page = { post_type: 'page', post_title: 'P' };
    await original.post({ ID: 20, ...page, post_name: 'child', post_parent: 21 });
    await original.post({ ID: 21, ...page, post_name: 'parent', post_parent: 0 });
    await original.post({ ID: 22, ...page, post_name: 'one', post_parent: 23 });
    await original.post({ ID: 23, ...page, post_name: 'two', post_parent: 22 });
    await original.post({ ID: 24, ...page, post_name: 'lost', post_parent: 999 });
    await original.post({ ID: 25, ...page, post_name: 'below', post_parent: 26 });
    await original.post({ ID: 26, post_title: 'P', post_name: 'a-post' });
    const report = await run();
    expect(tally(report, 'page')).toStrictEqual({ imported: 6 });
    const { body } = await service().rest('GET', '/v1/pages', {
      query: { orderby: 'id', order: 'asc', _fields: 'id,parent,link' },
    });
    const base = service().url;
    expect(body).toStrictEqual([
      { id: 20, parent: 21, link: `${base}/parent/child/` },
      { id: 21, parent: 0, link: `${base}/parent/` },
      { id: 22, parent: 23, link: `${base}/two/one/` },
      { id: 23, parent: 22, link: `${base}/one/two/` },
      { id: 24, parent: 999, link: `${base}/lost/` },
      { id: 25, parent: 26, link: `${base}/a-post/below/` },
    ]);
    expect(reasons(report).filter((one) => one.startsWith('posts'))).toStrictEqual([
      'posts 22: its parents are a circle',
      'posts 24: its parent is no page',
      'posts 25: its parent is no page',
    ]);
  });

  it('says of terms whose parent is gone, which have none', async () => {
    await original.term(5, 'category', { name: 'Heart', slug: 'heart', parent: 555 });
    expect(reasons(await run())).toContain(
      'terms 5: its parent is no term of its vocabulary: it has none',
    );
    expect((await get('/wp/v2/categories/5')).parent).toBe(0);
  });

  it('takes the format of an item that is the first by its name, and no name of who has none', async () => {
    await original.term(8, 'post_format', { name: 'post-format-video', slug: 'post-format-video' });
    await original.term(9, 'post_format', { name: 'post-format-aside', slug: 'post-format-aside' });
    await original.post({ ID: 10, post_name: 'both' }, {}, [8, 9]);
    await original.change("UPDATE wp_users SET display_name = ''");
    await run();
    expect((await get('/v1/posts/10')).format).toBe('aside');
    expect((await get('/wp/v2/users/1')).name).toBe('');
  });

  it('gives a role whatever its value is, and lets sign in by hashes of Argon2', async () => {
    const user_pass = await argon2.hash('Passwort 1', { memoryCost: 1024, timeCost: 2 });
    await original.account({ ID: 30, user_login: 'mina', user_pass }, 'editor');
    await original.change(
      `UPDATE wp_usermeta SET meta_value = 'a:1:{s:6:"editor";b:0;}' WHERE user_id = 30`,
    );
    const report = await run();
    expect(reasons(report).filter((one) => one.startsWith('users 30'))).toStrictEqual([]);
    const signIn = async (password: string) =>
      (
        await service().ask(mutation('login', 'viewer { databaseId roles }'), {
          input: { username: 'mina', password },
        })
      ).data?.login?.viewer;
    expect(await signIn('Passwort 2')).toBeUndefined();
    expect(await signIn('Passwort 1')).toMatchObject({ databaseId: 30, roles: ['EDITOR'] });
    expect(tally(await run(), 'account')).toStrictEqual({ unchanged: 2 });
    await original.change("UPDATE wp_users SET user_pass = '*' WHERE ID = 30");
    await run();
    expect(await signIn('Passwort 1')).toMatchObject({ databaseId: 30 });
  });

  it('says of terms whose parents are a circle', async () => {
    await original.term(51, 'category', { name: 'One', slug: 'one', parent: 52 });
    await original.term(52, 'category', { name: 'Two', slug: 'two', parent: 51 });
    expect(reasons(await run())).toContain('terms 51: its parents are a circle');
    const { body } = await service().rest('GET', '/v1/posts', { query: { categories: '51' } });
    expect(body).toStrictEqual([]);
  });

  it('shows the number of an author who is gone, and nobody behind it', async () => {
    await original.post({ ID: 60, post_name: 'lost', post_author: 987654 });
    await original.post({ ID: 61, post_name: 'none', post_author: 0 });
    await run();
    const [post, ...others] = await get('/v1/posts?author=987654&_embed=1');
    expect(others).toStrictEqual([]);
    expect(post).toMatchObject({ id: 60, author: 987654 });
    expect(post._embedded.author).toMatchObject([{ code: 'rest_user_invalid_id' }]);
    expect(await get('/wp/v2/users/987654')).toMatchObject({ code: 'rest_user_invalid_id' });
    const users = await get('/wp/v2/users?per_page=100');
    expect(users.map(({ id }: { id: number }) => id)).not.toContain(987654);
    const none = await get('/v1/posts/61');
    expect(none.author).toBe(0);
    expect(none._links.author).toBeUndefined();
    await original.account({ ID: 987654, user_login: 'back' }, 'author');
    await run();
    expect(await get('/wp/v2/users/987654')).toMatchObject({ slug: 'back' });
  });

  it('shows media as the original: below items of models, with their file before the description', async () => {
    const pod = { post_type: '_pods_pod', post_title: 'Houses', post_name: 'house' };
    await original.post(
      { ID: 30, ...pod },
      {
        ...{ type: 'post_type', rewrite_custom_slug: 'houses', rest_enable: '1' },
      },
    );
    await original.post({ ID: 31, post_type: 'house', post_name: 'one' });
    await original.post({ ID: 32, post_type: 'house', post_name: 'two', post_status: 'draft' });
    const metadata =
      'a:5:{s:5:"width";i:800;s:6:"height";i:600;s:4:"file";s:13:"2020/01/x.png";s:8:"filesize";i:77;' +
      's:5:"sizes";a:2:{s:6:"medium";a:4:{s:4:"file";s:13:"x-300x225.png";s:5:"width";i:300;s:6:"height";i:225;' +
      's:9:"mime-type";s:9:"image/png";}s:9:"thumbnail";a:4:{s:4:"file";s:13:"x-150x150.png";s:5:"width";i:150;' +
      's:6:"height";i:150;s:9:"mime-type";s:9:"image/png";}}}';
    const medium = (ID: number, post_parent: number, more: object = {}) => ({
      ...{ ID, post_type: 'attachment', post_status: 'inherit', post_title: `T${ID}`, post_parent },
      ...{
        post_name: `m${ID}`,
        post_mime_type: 'application/pdf',
        comment_status: 'closed',
        ...more,
      },
    });
    const image = { post_mime_type: 'image/png', comment_status: 'open', post_content: 'A house.' };
    const pdf = { _wp_attached_file: '2020/01/x.pdf' };
    await original.post(medium(40, 31, image), {
      ...{ _wp_attached_file: '2020/01/x.png', _wp_attachment_metadata: metadata },
      _wp_attachment_image_alt: 'A "door"',
    });
    await original.post(medium(41, 32), pdf);
    await original.post(medium(42, 987), pdf);
    await original.post(medium(43, 0, { post_excerpt: 'Own' }), pdf);
    await run();
    const at = 'https://clinic.example/wp-content/uploads/2020/01';
    const { body, headers } = await service().rest('GET', '/wp/v2/media/40');
    expect(headers.get('link')).toBe(
      `<${service().url}/houses/one/m40/>; rel="alternate"; type=text/html`,
    );
    expect(body).toMatchObject({
      ...{ post: 31, link: `${service().url}/houses/one/m40/`, comment_status: 'open' },
      description: {
        rendered:
          `<p class="attachment"><a href='${at}/x.png'><img loading="lazy" decoding="async" width="300" ` +
          `height="225" src="${at}/x-300x225.png" class="attachment-medium size-medium" ` +
          `alt="A &quot;door&quot;" srcset="${at}/x-300x225.png 300w, ${at}/x.png 800w" ` +
          'sizes="auto, (max-width: 300px) 100vw, 300px" /></a></p>\n<p>A house.</p>\n',
      },
      caption: { rendered: '<p>A house.</p>\n' },
    });
    const below = await service().rest('GET', '/wp/v2/media/41', { as: 'administrator' });
    expect(below.body).toMatchObject({
      ...{ post: 32, link: `${service().url}/?attachment_id=41`, comment_status: 'closed' },
      description: { rendered: `<p class="attachment"><a href='${at}/x.pdf'>T41</a></p>\n` },
      caption: { rendered: '<p>T41</p>\n' },
    });
    expect(await get('/wp/v2/media/42')).toMatchObject({
      ...{ post: 987, link: `${service().url}/m42/` },
    });
    expect(await get('/wp/v2/media/43')).toMatchObject({
      ...{ post: null, link: `${service().url}/m43/`, caption: { rendered: '<p>Own</p>\n' } },
    });
  });

  it('gives the front page the address of the site, until it is in the trash', async () => {
    await original.add('options', { option_name: 'show_on_front', option_value: 'page' });
    await original.add('options', { option_name: 'page_on_front', option_value: '9' });
    await original.add('options', { option_name: 'page_for_posts', option_value: '10' });
    await original.post({ ID: 9, post_type: 'page', post_title: 'Home', post_name: 'home' });
    await original.post({ ID: 10, post_type: 'page', post_name: 'below', post_parent: 9 });
    await run();
    service().now = () => Date.now() + 2_000;
    const front = async () => {
      const { page_on_front, page_for_posts, show_on_front } = await get('/');
      return [page_on_front, page_for_posts, show_on_front];
    };
    expect(await front()).toStrictEqual([9, 10, 'page']);
    expect((await get('/v1/pages/9')).link).toBe(`${service().url}/`);
    expect((await get('/v1/pages/10')).link).toBe(`${service().url}/home/below/`);
    const headers = await service().session('administrator');
    await service().rest('DELETE', '/v1/pages/9', { headers });
    service().now = () => Date.now() + 4_000;
    expect(await front()).toStrictEqual([0, 10, 'posts']);
    await service().database.query('UPDATE site SET front_page_id = NULL, posts_page_id = NULL');
  });

  it('says of its zone and its front page what the original said, until they change', async () => {
    const set = (name: string, value: string) =>
      original.change(
        'INSERT INTO wp_options (option_name, option_value) VALUES (?, ?) ON DUPLICATE KEY UPDATE option_value = ?',
        [name, value, value],
      );
    await original.post({ ID: 9, post_type: 'page', post_name: 'home' });
    await original.post({ ID: 10, post_type: 'page', post_name: 'draft', post_status: 'trash' });
    let now = Date.now();
    const root = async (options: Readonly<Record<string, string>>) => {
      for (const [name, value] of Object.entries(options)) await set(name, value);
      await run();
      return said();
    };
    const said = async () => {
      now += 2_000;
      service().at(now);
      const { timezone_string, gmt_offset, ...front } = await get('/');
      const { show_on_front, page_on_front, page_for_posts } = front;
      return [timezone_string, gmt_offset, show_on_front, page_on_front, page_for_posts];
    };
    const options = { show_on_front: 'posts', page_on_front: '9', page_for_posts: '0' };
    expect(await root({ ...options, timezone_string: '', gmt_offset: '2' })).toStrictEqual([
      ...['', '2', 'posts', 9, 0],
    ]);
    expect((await get('/v1/pages/9')).link).toBe(`${service().url}/home/`);
    expect(await root({ gmt_offset: '5.5' })).toStrictEqual(['', '5.5', 'posts', 9, 0]);
    expect(await root({ timezone_string: 'UTC' })).toStrictEqual(['UTC', '0', 'posts', 9, 0]);
    expect(await root({ show_on_front: 'page', page_on_front: '10' })).toStrictEqual([
      ...['UTC', '0', 'page', 10, 0],
    ]);
    expect(await root({ page_on_front: '0', page_for_posts: '9' })).toStrictEqual([
      ...['UTC', '0', 'page', 0, 9],
    ]);
    const input = { timeZone: 'Europe/Paris' };
    await service().data(mutation('updateSite', 'site { title }'), { input }, 'administrator');
    expect((await said())[0]).toBe('Europe/Paris');
    await service().database.query(
      "UPDATE site SET front_page_id = NULL, posts_page_id = NULL, time_zone = 'UTC'",
    );
  });

  it('reads UTF-8 in latin1 columns as the original does, where its charset is named', async () => {
    await original.change(
      'ALTER TABLE wp_posts CONVERT TO CHARACTER SET latin1; ALTER TABLE wp_users CONVERT TO CHARACTER SET latin1',
    );
    await original.post({ ID: 9, post_name: 'mueller' });
    const write = (table: string, column: string, value: string) =>
      original.change(`UPDATE wp_${table} SET ${column} = CONVERT(? USING binary)`, [value]);
    await write('posts', 'post_title', 'Müller „Süd“');
    await write('users', 'display_name', 'Jörg');
    const misread =
      'options blog_charset: its texts are UTF-8 in columns of another charset, and come with wrong letters: name that by --charset';
    expect(reasons(await run({ check: true }))).toContain(misread);
    expect(reasons(await run({ charset: 'latin1' }))).not.toContain(misread);
    expect((await get('/v1/posts/9')).title.rendered).toBe('Müller „Süd“');
    expect((await get('/wp/v2/users/1')).name).toBe('Jörg');
    await expect(run({ charset: 'klingon' })).rejects.toThrow('has no texts in klingon');
  });

  it('tells UTF-8 of any script in latin1 columns, and takes texts in latin1 for none', async () => {
    await original.change('ALTER TABLE wp_posts CONVERT TO CHARACTER SET latin1');
    await original.post({ ID: 9, post_name: 'hello' });
    const isTold = async (title: string, encoding: BufferEncoding) => {
      const bytes = Buffer.from(title, encoding).toString('hex');
      await original.change('UPDATE wp_posts SET post_title = UNHEX(?) WHERE ID = 9', [bytes]);
      return reasons(await run({ check: true })).some((said) => said.includes('blog_charset'));
    };
    for (const title of ['Привет', 'سلام', '日本語', 'It’s here', 'Über', '😀'])
      expect([title, await isTold(title, 'utf8')]).toStrictEqual([title, true]);
    const inLatin1 = ['Hello', 'Über', 'CAFÉ', '« CAFÉ»', 'É» für'];
    for (const title of inLatin1)
      expect([title, await isTold(title, 'latin1')]).toStrictEqual([title, false]);
  });

  it('takes a zone that is named in place of that of the original', async () => {
    await original.change(
      "UPDATE wp_options SET option_value = '' WHERE option_name = 'timezone_string'",
    );
    await original.add('options', { option_name: 'gmt_offset', option_value: '8.75' });
    await expect(run({ check: true })).rejects.toThrow('name a city by --zone');
    await run({ zone: 'Australia/Eucla' });
    expect(await service().database.query('SELECT time_zone AS zone FROM site')).toStrictEqual([
      { zone: 'Australia/Eucla' },
    ]);
    await expect(run({ zone: 'Mars/Base' })).rejects.toThrow('The time zone Mars/Base');
    await service().database.query("UPDATE site SET time_zone = 'UTC'");
  });

  it('says the zone by which it goes where another one than that of the original is named', async () => {
    const zone = async (how: Parameters<typeof run>[0]) => {
      await run(how);
      const { timezone_string, gmt_offset } = await get('/');
      return [timezone_string, gmt_offset];
    };
    service().at('2026-01-10T12:00:00Z');
    const named = { zone: 'America/New_York' };
    expect(await zone(named)).toStrictEqual(['America/New_York', '-5']);
    expect(await zone({})).toStrictEqual(['Europe/Berlin', '1']);
    await service().database.query("UPDATE site SET time_zone = 'UTC'");
  });

  it('reports a bad row and takes the others', async () => {
    const good = Array.from({ length: 8 }, (_, i) => 100 + i);
    for (const ID of good) await original.post({ ID, post_title: `T${ID}`, post_name: `t${ID}` });
    await original.post({ ID: 200, post_title: 'Twin', post_name: 't100' });
    await original.post({
      ID: 201,
      post_title: 'No date',
      post_date: '0000-00-00 00:00:00',
      post_date_gmt: '0000-00-00 00:00:00',
      post_modified: '0000-00-00 00:00:00',
      post_modified_gmt: '0000-00-00 00:00:00',
    });
    await original.post({ ID: 202, post_title: 'Opened', post_status: 'auto-draft' });
    await original.post({
      ID: 203,
      post_title: 'Orphan',
      post_name: 'orphan',
      post_author: 987_654,
    });
    await original.change('INSERT INTO wp_posts (ID, post_title) VALUES (4294967296, ?)', ['Far']);
    const report = await run();
    expect(tally(report, 'post')).toStrictEqual({ imported: 11, skipped: 1, refused: 1 });
    expect(
      reasons(report)
        .filter((one) => one.startsWith('posts'))
        .sort(),
    ).toStrictEqual([
      'posts 200: another item has its slug: both keep it',
      'posts 201: it has no date: it has that of 1970-01-01',
      'posts 202: it was opened and never saved',
      'posts 203: its author does not exist: a stand-in has the number',
      'posts 4294967296: its number is larger than 2,147,483,647',
    ]);
    expect((await get('/v1/posts/203')).author).toBe(987_654);
    expect((await get('/v1/posts/200')).slug).toBe('t100');
    expect((await get('/v1/posts/201')).date).toBe('1970-01-01T01:00:00');
    expect(JSON.stringify(report)).not.toContain('Orphan');
  });

  it('keeps a slug that two items have, until one of them changes', async () => {
    await original.post({ ID: 9, post_title: 'Nine', post_name: 'same' });
    await original.post({ ID: 10, post_title: 'Ten', post_name: 'same' });
    await run();
    const ids = async (slug: string) =>
      (await get(`/v1/posts?slug=${slug}&orderby=id&order=asc`)).map(
        ({ id }: { id: number }) => id,
      );
    expect(await ids('same')).toStrictEqual([9, 10]);
    expect(await get('/v1/posts/10')).toMatchObject({ link: `${service().url}/same/` });
    expect(tally(await run(), 'post')).toStrictEqual({ unchanged: 2 });
    const headers = await service().session('administrator');
    const body = { title: 'Ten again' };
    expect((await service().rest('POST', '/v1/posts/10', { headers, body })).body).toMatchObject({
      slug: 'same-2',
    });
    expect(await ids('same')).toStrictEqual([9]);
    const [{ shared }] = (await service().database.query(
      'SELECT shares_slug AS shared FROM content_item WHERE id = 10',
    )) as [{ shared: boolean }];
    expect(shared).toBe(false);
  });

  it('takes files with their sizes, and counts revisions', async () => {
    const metadata =
      'a:6:{s:5:"width";i:800;s:6:"height";i:600;s:4:"file";s:13:"2020/01/x.png";s:8:"filesize";i:77;' +
      's:10:"image_meta";a:2:{s:3:"iso";s:1:"0";s:8:"keywords";a:0:{}}s:5:"sizes";a:1:{s:9:"thumbnail";a:4:' +
      '{s:4:"file";s:13:"x-150x150.png";s:5:"width";i:150;s:6:"height";i:150;s:9:"mime-type";s:9:"image/png";}}}';
    const file = {
      _wp_attached_file: '2020/01/x.png',
      _wp_attachment_metadata: metadata,
      _wp_attachment_image_alt: 'Alt',
    };
    await original.post(
      {
        ID: 40,
        post_type: 'attachment',
        post_status: 'inherit',
        post_title: 'X',
        post_name: 'x',
        post_mime_type: 'image/png',
      },
      file,
    );
    await original.post(
      {
        ID: 41,
        post_type: 'attachment',
        post_status: 'inherit',
        post_title: 'Y',
        post_name: 'y',
        post_mime_type: 'image/png',
      },
      { ...file, _wp_attachment_metadata: 'a:3:{s:5:"wid' },
    );
    await original.post({ ID: 42, post_title: 'With', post_name: 'with' }, { _thumbnail_id: '40' });
    for (const ID of [43, 44])
      await original.post({
        ID,
        post_type: 'revision',
        post_status: 'inherit',
        post_parent: 42,
        post_name: '42-revision-v1',
        post_title: `R${ID}`,
      });
    const report = await run();
    expect(reasons(report)).toContain('posts 41: its sizes cannot be read');
    expect(await get('/wp/v2/media/40')).toMatchObject({
      source_url: 'https://clinic.example/wp-content/uploads/2020/01/x.png',
      alt_text: 'Alt',
      media_details: {
        width: 800,
        height: 600,
        file: '2020/01/x.png',
        filesize: 77,
        image_meta: { iso: '0', keywords: [] },
        sizes: {
          thumbnail: {
            ...{ file: 'x-150x150.png', width: 150, height: 150, mime_type: 'image/png' },
            source_url: 'https://clinic.example/wp-content/uploads/2020/01/x-150x150.png',
          },
          full: {
            ...{ file: 'x.png', width: 800, height: 600, mime_type: 'image/png' },
            source_url: 'https://clinic.example/wp-content/uploads/2020/01/x.png',
          },
        },
      },
    });
    expect((await get('/wp/v2/media/41')).media_details).toStrictEqual({
      ...{ width: 0, height: 0, file: 'x.png', sizes: {} },
    });
    const post = await get('/v1/posts/42');
    expect(post.featured_media).toBe(40);
    expect(post._links['version-history'][0].count).toBe(2);
    expect(post._links['predecessor-version'][0].id).toBe(44);
  });

  it('goes on after it was killed', async () => {
    for (let ID = 1000; ID < 2200; ID++)
      await original.post({ ID, post_title: 'T', post_name: `t${ID}` });
    const source = await MysqlSource.open(original.address);
    const killed = importFrom(source, service().app.deps, {
      check: false,
      overwrite: false,
      progress: (kind) => {
        if (kind === 'post') throw new Error('killed');
      },
    }).finally(() => source.close());
    await expect(killed).rejects.toThrow('killed');
    expect(tally(await run(), 'post')).toStrictEqual({ imported: 1000, unchanged: 200 });
  });

  it('never publishes what was due in the original and was not published there', async () => {
    const post = { post_status: 'future', post_title: 'T', post_content: 'x' };
    await original.post({ ID: 9, ...post, post_name: 'missed' });
    const soon = new Date(Date.now() + 60_000).toISOString().slice(0, 19).replace('T', ' ');
    const dates = { post_date: soon, post_date_gmt: soon };
    await original.post({ ID: 10, ...post, post_name: 'next', ...dates });
    await run();
    service().at(Date.now() + 120_000);
    expect(await publishDue(service().app.deps)).toBe(1);
    const statuses = await service().database.query(
      'SELECT id, status FROM content_item ORDER BY id',
    );
    expect(statuses).toStrictEqual([
      { id: 9, status: 'future' },
      { id: 10, status: 'publish' },
    ]);
  });

  it('reads long texts in batches of few rows', async () => {
    for (const ID of [9, 10, 11])
      await original.post({ ID, post_name: `p${ID}`, post_content: 'x'.repeat(1_500_000) });
    const batches: number[] = [];
    const source = await MysqlSource.open(original.address);
    await importFrom(source, service().app.deps, {
      check: true,
      overwrite: false,
      progress: (kind, done) => {
        if (kind === 'post') batches.push(done);
      },
    }).finally(() => source.close());
    expect(batches).toStrictEqual([2, 3]);
  });

  /** Makes tables of another site in the database, as small as they can be. */
  async function otherSite(prefix: string, ...tables: string[]): Promise<void> {
    for (const table of tables)
      await original.change(`CREATE TABLE ${prefix}${table} LIKE wp_${table}`);
  }

  it('wants to know which of several sites is meant', async () => {
    await original.post({ ID: 9, post_name: 'nine' });
    const own = ['options', 'posts', 'postmeta', 'terms', 'term_taxonomy', 'term_relationships'];
    await otherSite('blog2_', ...own, 'users', 'usermeta');
    await otherSite('wp_2_', ...own);
    await otherSite('wp_some_plugin_', 'options');
    const sentence =
      'The source has several sites, of the prefixes wp_, wp_2_, blog2_: say which one by --prefix, or by ?prefix= behind the address.';
    await expect(run()).rejects.toThrow(sentence);
    const openAt = (address: string, prefix?: string) =>
      MysqlSource.open(address, { prefix }).then(async (source) => {
        await source.close();
        return source.prefix;
      });
    expect(await openAt(original.address, 'blog2_')).toBe('blog2_');
    const settings = ['prefix=wp_', 'charset=latin1&prefix=wp_', 'prefix=wp_&charset=latin1'];
    for (const setting of settings)
      expect(await openAt(`${original.address}?${setting}`)).toBe('wp_');
    await expect(openAt(original.address, 'wp_3_')).rejects.toThrow(
      'The source has no site of the prefix wp_3_: it has those of wp_, wp_2_, blog2_.',
    );
    const network = await MysqlSource.open(original.address, { prefix: 'wp_2_' });
    expect(await network.rows('SELECT ID FROM {users}')).toStrictEqual([{ ID: 1 }]);
    await network.close();
    await original.change('DROP TABLE wp_2_posts, blog2_posts');
    expect(tally(await run(), 'post')).toStrictEqual({ imported: 1 });
  });

  it('takes the password of the source from the environment, where no list of processes shows it', async () => {
    const address = new URL(original.address);
    const { password } = address;
    const check = (of: string, SOURCE_PASSWORD: string) =>
      imported(place({ SOURCE_PASSWORD }), of, '--check').then(({ lines }) => lines.at(-1));
    const done = 'Nothing was written: --check.';
    if (password) expect(await check(address.href, 'wrong')).toBe(done);
    address.password = '';
    expect(await check(address.href, decodeURIComponent(password))).toBe(done);
    await expect(check(address.href, 'wrong')).rejects.toThrow(/The source does not open: Access/);
  });

  it('doubles nothing when the address of the site has changed, and says so', async () => {
    const link = 'https://clinic.example/page';
    await original.post({
      ID: 9,
      post_name: 'nine',
      post_content: `<a href="${link}">x</a>`,
      guid: 'https://clinic.example/?p=9',
    });
    await original.post({ ID: 10, post_name: 'ten' });
    const file = { post_type: 'attachment', post_status: 'inherit', post_name: 'x' };
    await original.post({ ID: 40, ...file }, { _wp_attached_file: '2020/x.png' });
    expect(reasons(await run()).join()).not.toContain('address');
    await original.change(
      "UPDATE wp_options SET option_value = 'https://new.example' WHERE option_name = 'home'",
    );
    await original.change('DELETE FROM wp_posts WHERE ID = 10');
    const sentence =
      'options home: its address has changed since the import before: what is gone there is looked at from the next import on';
    const checked = await run({ check: true });
    expect(reasons(checked).filter((one) => one.startsWith('options'))).toStrictEqual([sentence]);
    const report = await run();
    expect([tally(report, 'post'), tally(report, 'media')]).toStrictEqual([
      { changed: 1 },
      { changed: 1 },
    ]);
    expect(reasons(report).join()).not.toContain('posts 10');
    const count =
      'SELECT (SELECT count(*) FROM content_item)::int AS items, (SELECT count(*) FROM media)::int AS media';
    expect(await service().database.query(count)).toStrictEqual([{ items: 2, media: 1 }]);
    expect((await get('/wp/v2/media/40')).source_url).toBe(
      'https://new.example/wp-content/uploads/2020/x.png',
    );
    const last = await run();
    expect(reasons(last)).toContain('posts 10: it is gone in the original: it stays here');
    expect(reasons(last)).not.toContain(sentence);
    expect(tally(last, 'media')).toStrictEqual({ unchanged: 1 });
  });

  it('refuses a dump that was cut before it writes anything', async () => {
    await original.account({ ID: 30, user_login: 'mina' }, 'subscriber');
    await original.post({ ID: 9, post_name: 'nine' }, { a: 'b' });
    const count = async () =>
      (
        await service().database.query<{ n: number }>(
          'SELECT (SELECT count(*) FROM account)::int + (SELECT count(*) FROM imported_row)::int AS n',
        )
      )[0]?.n;
    const tables = [
      'users',
      'usermeta',
      'terms',
      'term_taxonomy',
      'term_relationships',
      'posts',
      'postmeta',
    ];
    for (const table of tables) {
      await original.change(`RENAME TABLE wp_${table} TO gone_${table}`);
      await expect(run()).rejects.toThrow(
        `The source is no whole database of the original: it has no table wp_${table}`,
      );
      expect(await count()).toBe(0);
      await original.change(`RENAME TABLE gone_${table} TO wp_${table}`);
    }
    await original.change('DELETE FROM wp_options');
    await expect(run()).rejects.toThrow(
      'The source is no whole database of the original: its table wp_options has no address of the site (home)',
    );
    expect(await count()).toBe(0);
    await original.change(
      "INSERT INTO wp_options (option_name, option_value) VALUES ('home', 'https://clinic.example')",
    );
    await original.change('DELETE FROM wp_usermeta');
    await expect(run()).rejects.toThrow('no account has a role (wp_capabilities)');
    await original.change('DELETE FROM wp_users');
    await expect(run()).rejects.toThrow('its table of users is empty');
    expect(await count()).toBe(0);
  });

  it('refuses a database that is none of the original', async () => {
    await original.change('DROP TABLE wp_options');
    await expect(run()).rejects.toThrow('The source is no database of the original');
  });
});
