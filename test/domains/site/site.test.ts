import { firstStart } from '../../../src/app/seed/first-start.js';
import { readConfig } from '../../../src/config/config.js';
import {
  followSiteZone,
  siteZoneJob,
} from '../../../src/domains/reminders/setting/site-zone.service.js';
import { postMedicine } from '../../support/factories.js';
import { type Caller, errorCode, mutation, useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T07:30:00Z');
const UPDATE =
  'mutation($input: UpdateSiteInput!) { updateSite(input: $input) { site { ' +
  'title tagline timeZone } } }';

describe('The site', () => {
  const service = useService();
  const reset = async () => {
    const data = { title: 'Care', tagline: '', timeZone: 'UTC', zoneChangedAt: null };
    await service().database.prisma.site.update({ where: { id: 1 }, data });
    // What was read more than a second ago is read anew.
    service().at(NOW - 60_000);
    await service().graphql('{ site { title } }');
  };
  beforeEach(reset);
  afterAll(reset);
  const update = (input: object, as: 'administrator' | 'editor' = 'administrator') =>
    service().ask(UPDATE, { input }, as);
  const read = async (id: number) =>
    (await service().rest('GET', `/v1/medicine_reminder/${id}`, { edition: 'B', as: 'subscriber' }))
      .body;
  const due = async (reminderId: number) => {
    const rows = await service().database.prisma.reminderAlert.findMany({
      where: { reminderId },
      orderBy: { dueAt: 'asc' },
    });
    return rows.map(({ dueAt }) => dueAt.toISOString().slice(5, 16));
  };

  it('is changed by administrators, seen at once by everybody on both faces, and audited', async () => {
    const { data } = await update({
      title: 'Praxis am See',
      tagline: 'Gut versorgt',
      timeZone: 'Europe/Berlin',
    });
    expect(data.updateSite.site).toStrictEqual({
      title: 'Praxis am See',
      tagline: 'Gut versorgt',
      timeZone: 'Europe/Berlin',
    });
    for (const edition of ['A', 'B'] as const) {
      const { body } = await service().rest('GET', '/', { edition });
      expect([body.name, body.description, body.timezone_string]).toStrictEqual([
        'Praxis am See',
        'Gut versorgt',
        'Europe/Berlin',
      ]);
    }
    expect((await service().graphql('{ site { title } }')).body.data.site.title).toBe(
      'Praxis am See',
    );
    expect((await update({ title: null, tagline: '' })).data.updateSite.site.tagline).toBe('');
    await update({ tagline: '' });
    const audited = await service().database.prisma.auditEvent.findMany({
      where: { action: 'site.update' },
    });
    expect(audited, 'the same again is no change').toHaveLength(2);
    expect(audited[0]?.actorId).toBe((await service().account('administrator')).id);
  });

  it('is not changed by others, nor to what it cannot be', async () => {
    expect(errorCode(await update({ title: 'x' }, 'editor'))).toBe('FORBIDDEN');
    for (const timeZone of ['Mars/Olympus', '+02:00', '']) {
      const { extensions, message } = (await update({ timeZone })).errors[0];
      expect([extensions.code, message], timeZone).toStrictEqual([
        'BAD_USER_INPUT',
        expect.stringContaining('"input.timeZone"'),
      ]);
    }
    for (const [input, name] of [
      [{ title: '  ' }, 'title'],
      [{ title: 'Care\nBcc: x' }, 'title'],
      [{ title: 'Fine', tagline: 'a\u2028b' }, 'tagline'],
    ] as const) {
      const { problems } = (await update(input)).errors[0].extensions;
      expect(problems, JSON.stringify(input)).toMatchObject([
        { path: ['input', name], code: 'TITLE_INVALID' },
      ]);
    }
    const { body } = await service().graphql('{ site { title tagline timeZone } }');
    expect(body.data.site).toStrictEqual({ title: 'Care', tagline: '', timeZone: 'UTC' });
  });

  it('takes along what members have planned by its zone, and leaves the past and whoever has a zone alone', async () => {
    service().at(NOW);
    const daily = await postMedicine(service(), { start_date: '2026-03-01' });
    const course = await postMedicine(service(), {
      frequency_type: '2_times_a_day',
      start_date: '2026-03-10',
      end_date: '2026-03-11',
    });
    const elapsed = await postMedicine(service(), {
      frequency_type: 'every_12_hours',
      start_date: '2026-03-10T20:00:00',
    });
    const other = { edition: 'B', as: 'author', headers: { 'time-zone': 'Asia/Tokyo' } } as const;
    const { body: tokyo } = await service().rest('POST', '/v1/medicine_reminder', {
      ...other,
      body: { frequency_type: 'daily' },
    });
    const before = await due(tokyo.id);
    const { body: past } = await service().rest('GET', '/v1/all_events', {
      ...{ edition: 'B', as: 'subscriber' },
      query: 'date_from=2026-03-01&date_to=2026-03-09',
    });
    expect(past.length).toBe(9);

    await update({ timeZone: 'America/New_York' });

    const moved = await read(daily.id);
    expect([moved.time_zone, moved.time_zone_source, moved.times]).toStrictEqual([
      'America/New_York',
      'site',
      ['08:00'],
    ]);
    expect(moved.next_occurrence).toBe('2026-03-10T08:00:00-04:00');
    expect(await due(daily.id)).toStrictEqual(['03-10T12:00', '03-11T12:00']);
    expect(await due(course.id)).toStrictEqual([
      '03-10T12:00',
      '03-11T00:00',
      '03-11T12:00',
      '03-12T00:00',
    ]);
    expect(await due(elapsed.id), 'elapsed hours stay instants').toStrictEqual([
      '03-10T20:00',
      '03-11T08:00',
      '03-11T20:00',
    ]);
    expect(await due(tokyo.id)).toStrictEqual(before);
    const { body: now } = await service().rest('GET', '/v1/all_events', {
      ...{ edition: 'B', as: 'subscriber' },
      query: 'date_from=2026-02-28&date_to=2026-03-09',
    });
    const instants = (events: { date_time: string }[]) =>
      events.map(({ date_time }) => Date.parse(date_time));
    expect(instants(now), 'what has come stays at its instant').toStrictEqual(instants(past));
  });

  it('takes along what another process planned by the zone before, and is done after that', async () => {
    service().at(NOW);
    const body = await postMedicine(service(), { start_date: '2026-03-11' });
    await update({ timeZone: 'Europe/Berlin' });
    // As a process that has not read the site anew within its second would plan it.
    await service().database.prisma.reminder.update({
      where: { id: body.id },
      data: { zone: 'UTC' },
    });
    expect(await followSiteZone(service().app.deps)).toBe(1);
    expect((await read(body.id)).next_occurrence).toBe('2026-03-11T08:00:00+01:00');
    service().at(NOW + 61_000);
    await followSiteZone(service().app.deps);
    const site = await service().database.prisma.site.findUnique({ where: { id: 1 } });
    expect(site?.zoneChangedAt).toBeNull();
  });

  it('moves all members but one whose reminders cannot be moved', async () => {
    service().at(NOW);
    const broken = await postMedicine(service(), { start_date: '2026-03-11' });
    await service().database.prisma.reminder.update({
      where: { id: broken.id },
      data: { startLocal: 'nonsense' },
    });
    const other = {
      edition: 'B',
      as: 'author',
      body: { frequency_type: 'daily', start_date: '2026-03-11' },
    } as const;
    const { body: fine } = await service().rest('POST', '/v1/medicine_reminder', other);
    const { data } = await update({ timeZone: 'Europe/Berlin' });
    expect(data.updateSite.site.timeZone).toBe('Europe/Berlin');
    const rows = await service().database.prisma.reminder.findMany({ orderBy: { id: 'asc' } });
    expect(rows.map(({ id, zone }) => [id, zone])).toStrictEqual([
      [broken.id, 'UTC'],
      [fine.id, 'Europe/Berlin'],
    ]);
  });

  it('moves reminders in runs of a minute, where there are many', async () => {
    service().at(NOW);
    for (const as of ['subscriber', 'author'] as const)
      await service().rest('POST', '/v1/medicine_reminder', {
        edition: 'B',
        as,
        body: { frequency_type: 'daily', start_date: '2026-03-11' },
      });
    await update({ timeZone: 'Europe/Berlin' });
    const { reminder } = service().database.prisma;
    await reminder.updateMany({ data: { zone: 'UTC' } });
    let now = NOW;
    const clock = () => {
      now += 25_000;
      return now;
    };
    const left = () => reminder.count({ where: { zone: 'UTC' } });
    const runs: number[] = [];
    while ((await left()) > 0) {
      await followSiteZone({ ...service().app.deps, clock });
      runs.push(await left());
    }
    expect(runs).toStrictEqual([1, 0]);
  });

  it('lets the reminders of a member follow beside those of others that cannot', async () => {
    const members = await Promise.all(
      [1, 2, 3].map((n) => service().account('subscriber', `member-${n}`)),
    );
    for (const { id } of members)
      await service().rest('POST', '/v1/medicine_reminder', {
        edition: 'B',
        headers: await service().sessionOf(id),
        body: { frequency_type: 'daily', start_date: '2026-03-11' },
      });
    await update({ timeZone: 'Europe/Berlin' });
    const query = (text: string) => service().database.query<{ id: number }>(text);
    await query("UPDATE reminder SET zone = 'UTC'");
    const order = await query('SELECT DISTINCT account_id AS id FROM reminder ORDER BY 1');
    const last = order.at(-1)?.id;
    await query(`CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN IF NEW.account_id <> ${last} THEN RAISE 'stays'; END IF; RETURN NEW; END$$`);
    await query(
      'CREATE TRIGGER stay BEFORE UPDATE ON reminder FOR EACH ROW EXECUTE FUNCTION stay()',
    );
    let now = NOW;
    const clock = () => {
      now += 25_000;
      return now;
    };
    const follow = siteZoneJob({ ...service().app.deps, clock });
    for (let run = 0; run < 3; run++) await follow(new AbortController().signal);
    const left = await query("SELECT account_id AS id FROM reminder WHERE zone = 'UTC' ORDER BY 1");
    await query('DROP TRIGGER stay ON reminder');
    await query('DROP FUNCTION stay');
    expect(left).toStrictEqual(order.slice(0, -1));
  });

  it('has no front page any more once that page is in the trash or deleted', async () => {
    const headers = await service().session('administrator');
    const front = async () => {
      service().at(service().now() + 2_000);
      const { page_on_front, page_for_posts, show_on_front } = (await service().rest('GET', '/'))
        .body;
      return [page_on_front, page_for_posts, show_on_front];
    };
    const page = async (title: string): Promise<number> => {
      const sent = { title, status: 'publish' };
      return (await service().rest('POST', '/v1/pages', { body: sent, headers })).body.id;
    };
    for (const query of ['', 'force=true']) {
      const [home, blog] = [await page('Home'), await page('Blog')];
      const serving = 'UPDATE site SET front_page_id = $1, posts_page_id = $2';
      await service().database.query(serving, [home, blog]);
      expect(await front()).toStrictEqual([home, blog, 'page']);
      const { body } = await service().rest('GET', `/v1/pages/${home}`);
      expect(body.link).toBe(`${service().url}/`);
      await service().rest('DELETE', `/v1/pages/${home}`, { query, headers });
      expect(await front()).toStrictEqual([0, blog, 'posts']);
      await service().rest('DELETE', `/v1/pages/${blog}`, { query, headers });
      expect(await front()).toStrictEqual([0, 0, 'posts']);
    }
  });

  it('has its front page and its page of posts deleted by who may change it alone', async () => {
    const made: number[] = [];
    for (const title of ['Home', 'Blog', 'Other']) {
      const sent = { title, status: 'publish' };
      made.push((await service().rest('POST', '/v1/pages', { as: 'editor', body: sent })).body.id);
    }
    const [home, blog] = made;
    const serving = 'UPDATE site SET front_page_id = $1, posts_page_id = $2';
    await service().database.query(serving, [home, blog]);
    const allowed = async (as: Caller) => {
      const query = { context: 'edit', orderby: 'id', order: 'asc' };
      const { body } = await service().rest('GET', '/v1/pages', { as, query });
      return body.map((page: { _links: { self: { targetHints: { allow: string[] } }[] } }) =>
        page._links.self[0]?.targetHints.allow.includes('DELETE'),
      );
    };
    expect(await allowed('editor')).toStrictEqual([false, false, true]);
    expect(await allowed('administrator')).toStrictEqual([true, true, true]);
    for (const id of [home, blog]) {
      const { status, body } = await service().rest('DELETE', `/v1/pages/${id}`, { as: 'editor' });
      expect([status, body.code]).toStrictEqual([403, 'rest_cannot_delete']);
      const { headers } = await service().rest('GET', `/v1/pages/${id}`, { as: 'editor' });
      expect(headers.get('allow')).toBe('GET, POST, PUT, PATCH');
    }
    const trash = mutation('trashPages', 'results { error { code } }');
    const input = { ids: made.map(String) };
    expect((await service().data(trash, { input }, 'editor')).trashPages.results).toStrictEqual([
      ...[{ error: { code: 'FORBIDDEN_DELETE' } }, { error: { code: 'FORBIDDEN_DELETE' } }],
      { error: null },
    ]);
    const { status } = await service().rest('DELETE', `/v1/pages/${blog}`, { as: 'administrator' });
    expect(status).toBe(200);
  });

  it('is set up on the first start as the variables say, and later starts leave it alone', async () => {
    const start = async (variables: Record<string, string>) => {
      const config = readConfig({
        SEED: 'none',
        ADMIN_PASSWORD: 'correct horse battery',
        ...variables,
      });
      return firstStart({ deps: { ...service().app.deps, config } });
    };
    await start({ SITE_TITLE: 'Praxis', SITE_TIME_ZONE: 'Europe/Berlin' });
    const shown = async () => {
      service().at(service().now() + 2_000);
      const { title, tagline, timeZone } = (
        await service().graphql('{ site { title tagline timeZone } }')
      ).body.data.site;
      return [title, tagline, timeZone];
    };
    expect(await shown()).toStrictEqual(['Praxis', '', 'Europe/Berlin']);
    await start({ SITE_TITLE: 'Another', SITE_TIME_ZONE: 'Asia/Tokyo' });
    expect(await shown()).toStrictEqual(['Praxis', '', 'Europe/Berlin']);
    for (const [name, value] of [
      ['SITE_TIME_ZONE', 'Berlin'],
      ['SITE_TIME_ZONE', '+01:00'],
      ['SITE_TITLE', 'two\nlines'],
      ['SITE_TAGLINE', 'x'.repeat(256)],
    ] as const)
      expect(() => readConfig({ [name]: value }), value).toThrow(new RegExp(name));
  });
});
