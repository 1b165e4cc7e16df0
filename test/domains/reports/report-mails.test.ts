import fc from 'fast-check';
import { globalId } from '../../../src/core/node.js';
import { serviceContext } from '../../../src/core/service-context.js';
import { dueOn, nextDay } from '../../../src/domains/reports/mailing/mail-dates.js';
import { mailReports } from '../../../src/domains/reports/mailing/report-mails.service.js';
import { clockTime } from '../../../src/platform/zone.js';
import { type By, errorCode, mutation, type RoleName, useService } from '../../support/harness.js';

const service = useService();
const QUERY = '{ accountReport(from: "2026-01-01", to: "2026-01-31") { total { created } } }';
const MONDAY = '2026-03-09T06:00:00Z'; // 7:00 in Berlin, that of the site in tests is UTC
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

const signedIn = async (role: RoleName = 'analyst', name?: string): Promise<By> => ({
  headers: await service().session(role, name),
});
const idOf = async (role: RoleName, name?: string) =>
  globalId('Account', (await service().account(role, name)).id);

async function saved(input: object = {}): Promise<string> {
  const made = await service().data(
    mutation('createSavedReport', 'savedReport { id }'),
    { input: { name: 'Sign-ups', query: QUERY, isShared: true, ...input } },
    'analyst',
  );
  return made.createSavedReport.savedReport.id;
}

const set = async (input: object, by?: By) =>
  service().ask(
    mutation(
      'setReportMailing',
      'reportMailing { every day hour dueAt recipients { accountId name isUnsubscribed } }',
    ),
    { input: { every: 'WEEK', day: 1, ...input } },
    by ?? (await signedIn()),
  );

/** A report that is mailed on Mondays at 7:00 in Berlin to the analyst, a clinician and an administrator. */
async function mailed(input: object = {}) {
  service().at('2026-03-05T12:00:00Z');
  await service().accounts([
    ['analyst', 'analyst'],
    ['clinician', 'clinician'],
    ['administrator', 'administrator'],
  ]);
  await service().database.query(
    "UPDATE account SET time_zone = 'Europe/Berlin' WHERE username = 'analyst'",
  );
  const reportId = await saved();
  const recipientIds = await Promise.all(
    (['analyst', 'clinician', 'administrator'] as const).map((role) => idOf(role)),
  );
  const { data, errors } = await set({ reportId, recipientIds, ...input });
  if (errors) throw new Error(JSON.stringify(errors));
  return { reportId, recipientIds, mailing: data.setReportMailing.reportMailing };
}

const job = async (now: number | string = service().now()) => {
  service().at(now);
  return mailReports(await serviceContext(service().app.deps, 'test'), service().app.schema);
};
const moveOwner = async (zone: string | null) =>
  service().database.query("UPDATE account SET time_zone = $1 WHERE username = 'analyst'", [zone]);
const dueAt = async (): Promise<string> => {
  const document = '{ savedReports { nodes { mailing { dueAt } } } }';
  return (await service().data(document, {}, 'analyst')).savedReports.nodes[0].mailing.dueAt;
};
const received = async () =>
  (await service().mails())
    .map(({ headers, text }) => ({
      to: headers.get('to') ?? '',
      subject: headers.get('subject') ?? '',
      text: text ?? '',
    }))
    .sort((a, b) => a.to.localeCompare(b.to));
const linkIn = (text: string) => new URL(/http\S+report-mails\S+/.exec(text)?.[0] ?? '').pathname;

describe('A saved report by mail', () => {
  it('comes each week at the hour of its owner, as a link without a number', async () => {
    const { reportId, mailing } = await mailed();
    expect(mailing).toMatchObject({
      every: 'WEEK',
      day: 1,
      hour: 7,
      dueAt: `${MONDAY.slice(0, -1)}.000Z`,
    });
    await job(Date.parse(MONDAY) - 1);
    expect(await received()).toStrictEqual([]);
    await job(MONDAY);
    const mails = await received();
    expect(mails.map(({ to }) => to)).toStrictEqual([
      'administrator@example.com',
      'analyst@example.com',
      'clinician@example.com',
    ]);
    expect(mails[0]?.text).toContain(
      'The analyst has the report "Sign-ups" at Care mailed to you.',
    );
    expect(mails[0]?.text).toContain(`/graphql?report=${reportId}`);
    expect(mails[0]?.text).not.toContain('created');
    await job();
    await job(Date.parse(MONDAY) + 6 * DAY);
    expect(await received()).toHaveLength(3);
    await job(Date.parse(MONDAY) + 7 * DAY);
    expect(await received()).toHaveLength(6);
  });

  it('is queued once by however many processes, and once after a time without any', async () => {
    await mailed();
    service().at(Date.parse(MONDAY) + 24 * DAY);
    const contexts = await Promise.all(
      Array.from({ length: 4 }, () => serviceContext(service().app.deps, 'test')),
    );
    await Promise.all(contexts.map((context) => mailReports(context, service().app.schema)));
    await job();
    expect(await received()).toHaveLength(3);
  });

  it('is queued not at all or wholly when a process dies meanwhile', async () => {
    await mailed();
    await service().database.query(
      `CREATE FUNCTION dies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW."to" LIKE 'administrator%' THEN RAISE 'dead'; END IF; RETURN NEW; END $$`,
    );
    await service().database.query(
      'CREATE TRIGGER dies BEFORE INSERT ON outgoing_mail FOR EACH ROW EXECUTE FUNCTION dies()',
    );
    try {
      await job(MONDAY);
      expect(await received()).toStrictEqual([]);
    } finally {
      await service().database.query('DROP TRIGGER dies ON outgoing_mail');
      await service().database.query('DROP FUNCTION dies');
    }
    await job();
    expect(await received()).toHaveLength(3);
  });

  it('goes to nobody who left or lost the right, and its owner is told how many', async () => {
    await mailed();
    await service().database.query("DELETE FROM account WHERE username = 'administrator'");
    await service().database.query(
      "UPDATE account SET roles = '{subscriber}' WHERE username = 'clinician'",
    );
    await job(MONDAY);
    const mails = await received();
    expect(mails.map(({ to, subject }) => [to, subject]).sort()).toStrictEqual([
      ['analyst@example.com', 'A report is ready'],
      ['analyst@example.com', 'A report no longer reaches everybody'],
    ]);
    const told = mails.find(({ subject }) => subject.includes('longer'))?.text;
    expect(told).toContain('2 left, lost the right to see it or have no proven address');
    expect(told).not.toMatch(/clinician|administrator/);
    await job(Date.parse(MONDAY) + 7 * DAY);
    expect(await received()).toHaveLength(3);
  });

  it.each([
    ['is no longer shared', 'UPDATE saved_report SET is_shared = false'],
    [
      'has an address that is not proven',
      "UPDATE account SET email_proven_at = NULL WHERE username <> 'analyst'",
    ],
    ['has no address', "UPDATE account SET email = NULL WHERE username <> 'analyst'"],
  ])('goes to its owner alone when it or who gets it %s', async (_, change) => {
    await mailed();
    await service().database.query(change);
    await job(MONDAY);
    expect((await received()).map(({ to }) => to)).toStrictEqual([
      'analyst@example.com',
      'analyst@example.com',
    ]);
  });

  it.each([
    ['its fields are gone', `UPDATE saved_report SET query = replace(query, 'created', 'gone')`],
    [
      'its owner may not see it',
      "UPDATE account SET roles = '{subscriber}' WHERE username = 'analyst'",
    ],
  ])('says so to its owner, and goes to nobody, when %s', async (_, change) => {
    await mailed();
    await service().database.query(change);
    await job(MONDAY);
    expect((await received()).map(({ to, subject }) => [to, subject])).toStrictEqual([
      ['analyst@example.com', 'A report was not mailed'],
    ]);
  });

  it('is ended by the link in it, without signing in, and the owner cannot undo that', async () => {
    const { reportId, recipientIds } = await mailed();
    await job(MONDAY);
    const path = linkIn((await received())[0]?.text ?? '');
    const get = await service().fetch(path, {});
    expect([get.status, get.text.includes('You get the report “Sign-ups” by mail.')]).toStrictEqual(
      [200, true],
    );
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = await service().fetch(path, { method: 'POST', headers, body: 'again=0' });
    expect(post.text).toContain('You do not get the report');
    await set({ reportId, recipientIds });
    await job(Date.parse(MONDAY) + 7 * DAY);
    expect((await received()).filter(({ to }) => to.startsWith('administrator'))).toHaveLength(1);
    await service().fetch(path, { method: 'POST', headers, body: 'again=1' });
    await job(Date.parse(MONDAY) + 14 * DAY);
    expect((await received()).filter(({ to }) => to.startsWith('administrator'))).toHaveLength(2);
  });

  it('is ended by the link in an older mail, though its list was set anew in between', async () => {
    const { reportId, recipientIds } = await mailed();
    await job(MONDAY);
    const path = linkIn((await received())[0]?.text ?? '');
    await set({ reportId, recipientIds: [await idOf('analyst')] });
    const meanwhile = await service().fetch(path, {});
    expect(meanwhile.text).toContain('This report is not mailed to you at present.');
    expect(meanwhile.text, 'its name may be another by now').not.toContain('Sign-ups');
    await set({ reportId, recipientIds });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const ended = await service().fetch(path, { method: 'POST', headers, body: 'again=0' });
    expect(ended.text).toContain('You do not get the report “Sign-ups” by mail.');
    await job(Date.parse(MONDAY) + 7 * DAY);
    expect((await received()).filter(({ to }) => to.startsWith('administrator'))).toHaveLength(1);
  });

  it('is ended by the link while somebody is off its list, and then says so', async () => {
    const { reportId, recipientIds } = await mailed();
    await job(MONDAY);
    const path = linkIn((await received())[0]?.text ?? '');
    await set({ reportId, recipientIds: [await idOf('analyst')] });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await service().fetch(path, { method: 'POST', headers, body: 'again=0' });
    const { text } = await service().fetch(path, {});
    expect(text).toContain('This report is not mailed to you, and will not be.');
    expect(text).toContain('Get them again');
    await set({ reportId, recipientIds });
    await job(Date.parse(MONDAY) + 7 * DAY);
    expect((await received()).filter(({ to }) => to.startsWith('administrator'))).toHaveLength(1);
  });

  it('is ended by the link of a mail of before, which names the place on the list', async () => {
    await mailed();
    const { id } = await service().database.prisma.reportMailingRecipient.findFirstOrThrow({
      where: { account: { username: 'administrator' } },
    });
    const { tokens } = service().app.deps;
    const path = `/report-mails/${id}.${tokens.hashCode('mails of a report', String(id))}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const ended = await service().fetch(path, { method: 'POST', headers, body: 'again=0' });
    expect(ended.text).toContain('You do not get the report “Sign-ups” by mail.');
    await job(MONDAY);
    expect((await received()).map(({ to }) => to)).not.toContain('administrator@example.com');
  });

  it('stays ended for who ended it, whatever its owner or their own rights do meanwhile', async () => {
    const { reportId, recipientIds } = await mailed();
    await job(MONDAY);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const end = async (text: string, again: string) =>
      service().fetch(linkIn(text), { method: 'POST', headers, body: `again=${again}` });
    await end((await received())[0]?.text ?? '', '0');
    const ended = async () =>
      (await set({ reportId, recipientIds })).data.setReportMailing.reportMailing.recipients
        .filter(({ isUnsubscribed }: { isUnsubscribed: boolean }) => isUnsubscribed)
        .map(({ name }: { name: string }) => name);
    await service().data(
      mutation('deleteReportMailing', 'reportMailing { every }'),
      { input: { reportId } },
      'analyst',
    );
    expect(await ended()).toStrictEqual(['The administrator']);
    const roles = async (role: string) =>
      service().database.query(
        "UPDATE account SET roles = ARRAY[$1] WHERE username = 'administrator'",
        [role],
      );
    await roles('subscriber');
    await job(Date.parse(MONDAY) + 7 * DAY);
    await roles('administrator');
    expect(await ended()).toStrictEqual(['The administrator']);
    await job(Date.parse(MONDAY) + 14 * DAY);
    expect((await received()).filter(({ to }) => to.startsWith('administrator'))).toHaveLength(1);
  });

  it.each([
    [
      'its owner lost the right',
      "UPDATE account SET roles = '{subscriber}' WHERE username = 'analyst'",
    ],
    ['its fields are gone', `UPDATE saved_report SET query = replace(query, 'created', 'gone')`],
  ])('ends when %s, and says so once', async (_, change) => {
    const { reportId } = await mailed();
    await service().database.query(change);
    for (const weeks of [0, 1, 2]) {
      await job(Date.parse(MONDAY) + weeks * 7 * DAY);
      expect((await received()).map(({ to, subject }) => [to, subject])).toStrictEqual([
        ['analyst@example.com', 'A report was not mailed'],
      ]);
    }
    await service().database.query(
      "UPDATE account SET roles = '{analyst}' WHERE username = 'analyst'",
    );
    const { node } = await service().data(
      'query R($id: ID!) { node(id: $id) { ... on SavedReport { mailing { every } } } }',
      { id: reportId },
      'analyst',
    );
    expect(node.mailing).toBeNull();
  });

  it('is ended for nobody by an address that somebody made up', async () => {
    await mailed();
    await job(MONDAY);
    const token = linkIn((await received())[0]?.text ?? '')
      .split('/')
      .at(-1) as string;
    const [id, hash] = token.split('.');
    const [report, account] = (id ?? '').split('-').map(Number);
    for (const other of [
      `${report}-${Number(account) - 1}.${hash}`,
      `${Number(report) + 1}-${account}.${hash}`,
      `${report}.${hash}`,
      `${id}.${'A'.repeat(43)}`,
      `0${id}.${hash}`,
      id,
      'x',
    ])
      expect((await service().fetch(`/report-mails/${other}`, { method: 'POST' })).status).toBe(
        404,
      );
    await job(Date.parse(MONDAY) + 7 * DAY);
    expect(await received()).toHaveLength(6);
  });

  it('names its report without what looks like a link or markup', async () => {
    const { reportId } = await mailed();
    await service().database.query('UPDATE saved_report SET name = $1', [
      'Go to https://evil.example <b>now</b>\r\nBcc: x@example.com',
    ]);
    await job(MONDAY);
    const [mail] = await received();
    expect(mail?.text).not.toMatch(/https:\/\/evil|evil\.example|<b>|\nBcc/);
    expect(reportId).toEqual(expect.any(String));
  });

  it('is set by who saved it alone, for accounts that may see it', async () => {
    const { reportId } = await mailed();
    const member = await idOf('subscriber');
    const own = await idOf('analyst');
    const other = await idOf('clinician');
    expect(errorCode(await set({ reportId, recipientIds: [member] }))).toBe(
      'REPORT_RECIPIENT_INVALID',
    );
    expect(errorCode(await set({ reportId, recipientIds: [] }))).toBe('TOO_MANY');
    expect(errorCode(await set({ reportId, recipientIds: [own], day: 8 }))).toBe('DATE_INVALID');
    expect(errorCode(await set({ reportId, recipientIds: [own], hour: 24 }))).toBe('DATE_INVALID');
    expect(
      errorCode(await set({ reportId, recipientIds: [own] }, await signedIn('administrator'))),
    ).toBe('FORBIDDEN');
    const mine = await saved({ isShared: false });
    expect(errorCode(await set({ reportId: mine, recipientIds: [other] }))).toBe(
      'REPORT_RECIPIENT_INVALID',
    );
    const read = async (by: By) =>
      (
        await service().data(
          'query Q($id: ID!) { savedReport(id: $id) { mailing { day } possibleRecipients { name } } }',
          { id: reportId },
          by,
        )
      ).savedReport;
    expect(await read('clinician')).toStrictEqual({ mailing: null, possibleRecipients: null });
    expect(await read('analyst')).toStrictEqual({
      mailing: { day: 1 },
      possibleRecipients: [
        { name: 'The administrator' },
        { name: 'The analyst' },
        { name: 'The clinician' },
      ],
    });
    const end = mutation('deleteReportMailing', 'reportMailing { day recipients { name } }');
    const input = { reportId };
    expect(errorCode(await service().ask(end, { input }, 'clinician'))).toBe('FORBIDDEN');
    expect(
      (await service().data(end, { input }, 'analyst')).deleteReportMailing.reportMailing
        .recipients,
    ).toHaveLength(3);
    expect(errorCode(await service().ask(end, { input }, 'analyst'))).toBe(
      'REPORT_MAILING_NOT_FOUND',
    );
  });

  it('is offered to those who get it first, then by name, and by a part of the name', async () => {
    const { reportId, recipientIds } = await mailed();
    await set({ reportId, recipientIds: recipientIds.slice(0, 1) });
    await service().database.query(
      `INSERT INTO account (username, username_key, name, slug, roles, language_id, email,
         email_key, email_proven_at)
       SELECT n, n, 'A ' || n, n, ARRAY['clinician'], 1, n || '@example.org', n || '@example.org', now()
       FROM (SELECT 'staff' || i AS n FROM generate_series(1, 220) i) names`,
    );
    const possible = async (args = ''): Promise<string[]> => {
      const document = `query Q($id: ID!) { savedReport(id: $id) { possibleRecipients${args} { name } } }`;
      const { savedReport } = await service().data(document, { id: reportId }, 'analyst');
      return savedReport.possibleRecipients.map(({ name }: { name: string }) => name);
    };
    const all = await possible();
    expect([all.length, ...all.slice(0, 2)]).toStrictEqual([200, 'The analyst', 'A staff1']);
    expect(await possible('(search: "ADMINISTRÁTOR")')).toStrictEqual(['The administrator']);
    const many = await set({ reportId, recipientIds });
    expect(many.errors).toBeUndefined();
  });

  it('waits for the day of an owner who moved west', async () => {
    await mailed();
    await service().database.query(
      "UPDATE account SET time_zone = 'America/New_York' WHERE username = 'analyst'",
    );
    await job(MONDAY);
    expect(await received()).toStrictEqual([]);
    await job('2026-03-09T11:00:00Z');
    expect(await received()).toHaveLength(3);
  });

  it.each([
    // 7:00 in Los Angeles is 14:00 in UTC from March 8 on, and 6:00 in UTC is 7:00 in Berlin.
    ['east', 'America/Los_Angeles', 'Europe/Berlin', MONDAY],
    ['west', 'Europe/Berlin', 'America/Los_Angeles', '2026-03-09T14:00:00Z'],
  ])('comes at its hour after its owner moved %s', async (_, from, to, due) => {
    const { reportId, recipientIds } = await mailed();
    await moveOwner(from);
    await set({ reportId, recipientIds });
    await moveOwner(to);
    await job('2026-03-08T12:01:00Z');
    expect(await dueAt()).toBe(new Date(due).toISOString());
    await job(Date.parse(due) - 1);
    expect(await received()).toStrictEqual([]);
    await job(due);
    expect(await received()).toHaveLength(3);
    await job(Date.parse(due) + 7 * DAY - 1);
    expect(await received()).toHaveLength(3);
    await job(Date.parse(due) + 7 * DAY);
    expect(await received()).toHaveLength(6);
  });

  it.each([
    ['the profile', (zone: string) => moveOwner(zone)],
    [
      'what an app told',
      async (zone: string) => {
        await moveOwner(null);
        await service().database.query(
          `INSERT INTO care_setting (account_id, learned_zone)
           SELECT id, $1 FROM account WHERE username = 'analyst'
           ON CONFLICT (account_id) DO UPDATE SET learned_zone = $1`,
          [zone],
        );
      },
    ],
    [
      'the site',
      async (zone: string) => {
        await moveOwner(null);
        await service().database.query('UPDATE site SET time_zone = $1', [zone]);
      },
    ],
  ])('follows the zone of %s, weeks ahead', async (_, move) => {
    await mailed({ every: 'MONTH', day: 31 });
    try {
      await move('America/Los_Angeles');
      await job('2026-03-05T12:01:00Z');
      expect(await dueAt()).toBe('2026-03-31T14:00:00.000Z');
      await move('Europe/Berlin');
      await job('2026-03-05T12:02:00Z');
      expect(await dueAt()).toBe('2026-03-31T05:00:00.000Z');
    } finally {
      await service().database.query("UPDATE site SET time_zone = 'UTC'");
    }
  });

  it('goes by the stored zone from the first one on, whatever header set it', async () => {
    const { reportId, recipientIds } = await mailed();
    await moveOwner(null);
    const headers = await service().session('analyst');
    await set({ reportId, recipientIds }, { headers: { ...headers, 'time-zone': 'Asia/Tokyo' } });
    expect(await dueAt()).toBe('2026-03-09T07:00:00.000Z');
  });

  it('comes once for each week, however its owner moves about', async () => {
    const zones = ['Pacific/Kiritimati', 'Etc/GMT+12', 'Europe/Berlin', 'America/Los_Angeles'];
    await mailed();
    const start = service().now();
    for (let hour = 1; start + hour * HOUR < Date.parse('2026-03-31T12:00:00Z'); hour += 3) {
      if (hour % 7 === 0) await moveOwner(zones[((hour * 5) % 11) % zones.length] as string);
      await job(start + hour * HOUR);
      // A mail that waits for days is not sent any more.
      await service().mails();
    }
    // The Mondays are the 9th, 16th, 23rd and 30th.
    expect(await received()).toHaveLength(4 * 3);
  });
});

describe('The days of mails', () => {
  const times = (every: 'week' | 'month', day: number, hour: number) => ({ every, day, hour });

  it.each([
    [
      'the last day of a shorter month',
      times('month', 31, 7),
      '2026-02-01T00:00:00Z',
      '2026-02-28T06:00:00.000Z',
    ],
    [
      'the 29th of a leap year',
      times('month', 29, 7),
      '2028-02-01T00:00:00Z',
      '2028-02-29T06:00:00.000Z',
    ],
    [
      'the next month once the hour is over',
      times('month', 31, 7),
      '2026-01-31T06:00:00Z',
      '2026-02-28T06:00:00.000Z',
    ],
    [
      'an hour later where the clocks skip it',
      times('week', 7, 2),
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'the first time where the clocks repeat it',
      times('week', 7, 2),
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:00:00.000Z',
    ],
    [
      'a week later after the first of two such hours',
      times('week', 7, 2),
      '2026-10-25T00:00:00Z',
      '2026-11-01T01:00:00.000Z',
    ],
  ])('are %s', (_, when, now, due) => {
    const day = nextDay(when, Date.parse(now), 'Europe/Berlin');
    expect(new Date(dueOn(when, day, 'Europe/Berlin')).toISOString()).toBe(due);
  });

  it('are 52 or 53 weeks or 12 months of each year, once each, in every zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'Europe/Berlin',
          'America/New_York',
          'Asia/Kolkata',
          'Pacific/Apia',
          'Australia/Lord_Howe',
          'Africa/Casablanca',
        ),
        fc.constantFrom('week' as const, 'month' as const),
        fc.nat({ max: 30 }),
        fc.nat({ max: 23 }),
        (zone, every, n, hour) => {
          const when = times(every, every === 'week' ? 1 + (n % 7) : 1 + n, hour);
          const seen: string[] = [];
          let now = Date.parse('2026-01-01T00:00:00Z');
          while (seen.length < 60) {
            const day = nextDay(when, now, zone);
            const due = dueOn(when, day, zone);
            expect(due).toBeGreaterThan(now);
            expect(clockTime(new Date(due), zone).slice(0, 10)).toBe(day);
            seen.push(day);
            now = due;
          }
          expect(new Set(seen).size).toBe(seen.length);
          const gaps = seen
            .slice(1)
            .map((day, i) => (Date.parse(day) - Date.parse(seen[i] as string)) / DAY);
          expect(gaps.every((gap) => (every === 'week' ? gap === 7 : gap >= 28 && gap <= 31))).toBe(
            true,
          );
        },
      ),
      { numRuns: 40 },
    );
  });
});
