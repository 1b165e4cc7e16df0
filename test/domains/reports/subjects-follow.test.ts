import fc from 'fast-check';
import { serviceContext } from '../../../src/core/service-context.js';
import { transact } from '../../../src/core/transact.js';
import { SUBJECTS } from '../../../src/domains/reports/catalogue/catalogue.js';
import { markLoose, renewCells } from '../../../src/domains/reports/rollup/cells.service.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { useService } from '../../support/harness.js';
import { tighten } from './histories.js';

const service = useService();
const sql = <T extends object>(text: string, values: unknown[] = []) =>
  service().database.query<T>(text, values);
const context = () => serviceContext(service().app.deps, 'test');
const RUNS = Number(process.env.CELL_RUNS ?? 4);

/** An instant from 20 January to 10 February, by a number. */
const at = (n: string) => `timestamptz '2026-01-20T01:30Z' + (${n}) % 500 * interval '1 hour'`;

/** What happens to the rows that are facts, and to whose they are: SQL with two numbers. */
const CHANGES: readonly string[] = [
  // Reminders of medicines and appointments come, are edited, given away, deleted, attended.
  `INSERT INTO reminder (kind, account_id, creator_id, name, medicine_type, event_type, scheduled, recognized, follows,
      zone, zone_source, start_local, times, times_source, created_at, updated_at)
    SELECT CASE WHEN i % 2 = 0 THEN 'medicine' ELSE 'appointment' END, id, id, 'n', 'Tablet', 'Visit', true, i % 5 > 0, true, 'UTC',
      'site', to_char(${at('$1::int + i * 31')}, 'YYYY-MM-DD"T"HH24:MI:SS'), '{}', 'default', ${at('$1::int * 7 + i * 17')}, now()
    FROM account, generate_series(1, 2) i WHERE id % 11 = $2::int % 11 AND username LIKE 'm%'`,
  `UPDATE reminder SET medicine_type = 'Drops', event_type = 'Call', attended_at = now(), recognized = NOT recognized
    WHERE id % 7 = $1::int % 7 AND $2::int >= 0`,
  `UPDATE reminder SET deleted_at = '2026-02-09T10:00Z' WHERE id % 7 = $1::int % 7 AND $2::int >= 0`,
  `DELETE FROM reminder WHERE id % 13 = $1::int % 13 AND $2::int >= 0`,
  // Messages are sent and end otherwise; old ones and devices go.
  `WITH note AS (INSERT INTO notification (account_id, kind, title, body, message_id, alert_ids, state, created_at, send_at)
      SELECT id, 'reminder', '', '', gen_random_uuid(), '{}', 'queued', now(), now() FROM account
      WHERE id % 5 = $2::int % 5 AND username LIKE 'm%' RETURNING id, account_id)
    INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at, sent_at)
    SELECT note.id, device.id, 'expo', (ARRAY['planned', 'sent', 'failed'])[1 + $1::int % 3], due, due, due, due + $2::int * interval '1 s'
    FROM note JOIN device USING (account_id), LATERAL (SELECT ${at('$1::int + note.id')} AS due) d`,
  `UPDATE delivery SET state = (ARRAY['sent', 'missed', 'planned'])[1 + $2::int % 3] WHERE id % 3 = $1::int % 3`,
  `DELETE FROM delivery WHERE id % 11 = $1::int % 11 AND $2::int >= 0`,
  `UPDATE device SET platform = (ARRAY['ios', 'web'])[1 + $2::int % 2] WHERE id % 9 = $1::int % 9`,
  `DELETE FROM device WHERE id % 19 = $1::int % 19 AND $2::int >= 0`,
  // Accounts sign in, move, change, are erased.
  `INSERT INTO audit_event (uid, at, actor_id, subject_id, action, key_id, mac)
    SELECT gen_random_uuid(), ${at('$1::int + id')}, id, id, 'session.start', '', '' FROM account
    WHERE id % 6 = $2::int % 6 AND username LIKE 'm%'`,
  `UPDATE account SET time_zone = 'Asia/Tokyo' WHERE id % 13 = $1::int % 13 AND $2::int >= 0`,
  `INSERT INTO care_setting (account_id, learned_zone) SELECT id, 'Europe/Paris' FROM account
    WHERE id % 17 = $1::int % 17 AND $2::int >= 0 AND username LIKE 'm%' ON CONFLICT (account_id) DO UPDATE SET learned_zone = 'Europe/Rome'`,
  `UPDATE account SET roles = '{guest}' WHERE id % 17 = $1::int % 17 AND $2::int >= 0 AND username LIKE 'm%'`,
  `UPDATE account SET language_id = (SELECT max(id) FROM language) WHERE id % 9 = $1::int % 9 AND $2::int >= 0`,
  // Who is erased gives their items away before; an author of items stays here.
  `DELETE FROM account WHERE id % 23 = $1::int % 23 AND $2::int >= 0 AND username LIKE 'm%'
    AND NOT EXISTS (SELECT FROM content_item WHERE author_id = account.id)`,
  // Polls are answered again, forms come in and go.
  `INSERT INTO poll_submission (poll_id, account_id, option_ids, submitted_at)
    SELECT poll.id, account.id, ARRAY[$1::int % 3, 4], ${at('$2::int + account.id')} FROM poll, account
    WHERE account.id % 4 = $1::int % 4 AND username LIKE 'm%'
    ON CONFLICT (poll_id, account_id) DO UPDATE SET option_ids = excluded.option_ids, submitted_at = excluded.submitted_at`,
  `DELETE FROM poll_submission WHERE account_id % 7 = $1::int % 7 AND $2::int >= 0`,
  `INSERT INTO form_submission (form_id, account_id, platform, sealed, key_id, email_hash, received_at)
    SELECT form.id, CASE WHEN i % 2 = 0 THEN (SELECT min(id) FROM account WHERE id > $2::int % 40) END, 'ios', '', '', i::text,
      ${at('$1::int + i * 29')} FROM form, generate_series(1, 3) i`,
  `DELETE FROM form_submission WHERE id % 5 = $1::int % 5 AND $2::int >= 0`,
  // Items are published, moved, revised, withdrawn, deleted.
  `INSERT INTO content_item (kind, status, title, title_key, title_rendered, content, content_rendered, excerpt, excerpt_rendered,
      rendering, slug, author_id, published_at, modified_at, comments_open, pings_open, guid)
    SELECT 'post', 'publish', 't', 't', 't', '', '', '', '', 1, 'p' || i || gen_random_uuid(), (SELECT max(id) FROM account),
      ${at('$1::int + i * 43')}, now(), true, true, '' FROM generate_series(1, 1 + $2::int % 4) i`,
  `UPDATE content_item SET published_at = ${at('$2::int')} WHERE id % 5 = $1::int % 5`,
  `UPDATE content_item SET revision_count = revision_count + 1, format = 'aside' WHERE id % 3 = $1::int % 3 AND $2::int >= 0`,
  `UPDATE content_item SET status = 'draft' WHERE id % 7 = $1::int % 7 AND $2::int >= 0`,
  `DELETE FROM content_item WHERE id % 11 = $1::int % 11 AND $2::int >= 0`,
];

async function addMembers(): Promise<void> {
  await sql(`WITH made AS (INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at, email_proven_at)
      SELECT n, n, n, n, ARRAY['subscriber'], (SELECT min(id) FROM language), ${at('i * 11')} - interval '8 days',
        CASE WHEN i % 4 > 0 THEN '2025-06-02'::timestamptz END
      FROM (SELECT i, 'm' || i AS n FROM generate_series(1, 60) i) named RETURNING id)
    INSERT INTO device (account_id, kind, token, token_hash, platform, created_at, last_seen_at)
    SELECT id, 'expo', 't', id::text, (ARRAY['iOS', 'android'])[1 + id % 2], now(), now() FROM made`);
  await sql("INSERT INTO poll (question, opens_at, created_at) VALUES ('?', now(), now())");
  await sql(
    "INSERT INTO form (name, score_least, score_most, retention_days, created_at) VALUES ('F', 0, 1, 9, now())",
  );
}

/** What is stored of cells, but how their keys are made. */
const cells = () =>
  sql(`SELECT concat_ws(' ', subject, grid, date, keys) AS name, accounts, eligible, sums, tops, buckets, sketch
    FROM report_cell ORDER BY 1`);

/** Expects the cells to be those that are made whole. */
async function expectAsMadeWhole(): Promise<void> {
  await tighten(service());
  const followed = await cells();
  await sql('INSERT INTO report_stale (subject, month) SELECT subject, month FROM report_month');
  await renewCells(await context());
  expect(followed).toStrictEqual(await cells());
}

describe('Cells of all subjects', () => {
  const change = fc.tuple(
    fc.nat({ max: CHANGES.length - 1 }),
    fc.nat({ max: 5_000 }),
    fc.nat({ max: 5_000 }),
  );
  const batches = fc.array(fc.array(change, { minLength: 3, maxLength: 8 }), {
    minLength: 2,
    maxLength: 4,
  });
  const all = [
    CHANGES.map((_, kind): [number, number, number] => [kind, 3 * kind, 5]),
    [...CHANGES.keys()].map((kind): [number, number, number] => [kind, kind + 1, 2 * kind]),
  ];

  it('follow what happens to the rows that are their facts, and are those that are made whole', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (steps) => {
        await service().clean();
        service().at('2026-02-12T12:00:00Z');
        await addMembers();
        await renewRollups(await context());
        const whole = await sql<{ subject: string }>('SELECT DISTINCT subject FROM report_stale');
        expect(whole).toStrictEqual([]);
        for (const step of steps) {
          for (const [kind, n, m] of step) await sql(CHANGES[kind] ?? '', [n, m]);
          await renewCells(await context());
        }
        await expectAsMadeWhole();
      }),
      { numRuns: RUNS, endOnFailure: true, examples: [[all]] },
    );
  });

  it('are there for each of them in these histories', async () => {
    service().at('2026-02-12T12:00:00Z');
    await addMembers();
    for (const [kind, text] of CHANGES.entries())
      if (/^(?:INSERT|WITH)/.test(text)) await sql(text, [3 * kind + 1, 2]);
    await renewRollups(await context());
    const rows = await sql<{ subject: string }>(
      'SELECT DISTINCT subject FROM report_cell ORDER BY 1',
    );
    const names = SUBJECTS.map(({ name }) => name);
    expect(rows.map(({ subject }) => subject)).toStrictEqual(names.sort());
  });

  const PUBLISH = `INSERT INTO content_item (kind, status, title, title_key, title_rendered, content, content_rendered,
      excerpt, excerpt_rendered, rendering, slug, author_id, published_at, modified_at, comments_open, pings_open, guid)
    SELECT 'post', 'publish', 't', 't', 't', '', '', '', '', 1, gen_random_uuid(), (SELECT max(id) FROM account),
      $1::timestamptz, now(), true, true, '' FROM generate_series(1, $2::int)`;
  const publish = (day: string, count: number) => sql(PUBLISH, [day, count]);
  const published = async (month: string) =>
    (
      await sql<{ accounts: number }>(
        `SELECT accounts FROM report_cell WHERE subject = 'content' AND grid = '' AND date = $1::date`,
        [month],
      )
    )[0]?.accounts;
  const mark = (month: string) =>
    sql(`INSERT INTO report_stale (subject, month) VALUES ('content', $1::date)`, [month]);
  /** Counts two items of a month that is marked, and leaves the others. */
  async function beginMonth(): Promise<void> {
    let looks = 0;
    const stopping = {
      get aborted() {
        looks += 1;
        return looks > 1;
      },
    } as AbortSignal;
    await renewCells(await context(), { stopping, atOnce: 2 });
    expect(await sql('SELECT month FROM report_building')).toHaveLength(1);
  }
  /** Publishes two items in a transaction that commits after the month is made. */
  const publishLate = async (day: string) =>
    transact(await context(), async (inner) => {
      await inner.db.$executeRawUnsafe(PUBLISH, day, 2);
      await renewCells(await context());
      expect(await sql('SELECT month FROM report_building')).toHaveLength(0);
    });
  // The embedded database runs one transaction at a time.
  const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;

  onServer('have what a transaction changed that began while they were made first', async () => {
    service().at('2026-02-12T12:00:00Z');
    await addMembers();
    await publish('2026-01-10', 6);
    await renewRollups(await context());
    await sql("UPDATE report_month SET logged_by = NULL WHERE subject = 'content'");
    await mark('2026-01-01');
    await beginMonth();
    await publishLate('2026-01-11');
    await renewCells(await context());
    expect(await published('2026-01-01')).toBe(8);
    expect(await sql('SELECT FROM report_change')).toHaveLength(0);
  });

  for (const [when, begin] of [
    ['in parts', beginMonth],
    ['at once', async () => {}],
  ] as const)
    onServer(`have it where they are made ${when} and do not follow any more`, async () => {
      service().at('2026-01-12T12:00:00Z');
      await addMembers();
      await publish('2025-12-10', 6);
      await renewRollups(await context());
      service().at('2026-02-12T12:00:00Z');
      await mark('2025-12-01');
      await begin();
      await publishLate('2025-12-11');
      await renewCells(await context());
      expect(await published('2025-12-01')).toBe(8);
      await renewRollups(await context());
      expect(
        await sql(
          `SELECT closed FROM report_month WHERE subject = 'content' AND month = '2025-12-01'`,
        ),
      ).toStrictEqual([{ closed: true }]);
    });

  /** Sends messages to a fifth of the accounts. */
  const send = (n: number, fifth: number) =>
    sql(CHANGES.find((text) => text.startsWith('WITH note')) ?? '', [n, fifth]);
  for (const [what, change] of [
    ['is erased', "DELETE FROM account WHERE username LIKE 'm_'"],
    ['speaks another language', 'UPDATE account SET language_id = (SELECT max(id) FROM language)'],
  ] as const)
    onServer(`know of an account that ${what} while it is counted first`, async () => {
      service().at('2026-02-12T12:00:00Z');
      await addMembers();
      await renewRollups(await context());
      await send(1, 2);
      await transact(await context(), async (inner) => {
        await renewCells(inner);
        await sql(change);
      });
      await renewCells(await context());
      await expectAsMadeWhole();
    });

  onServer('know of who speaks another language before a fact of theirs is there', async () => {
    service().at('2026-02-12T12:00:00Z');
    await addMembers();
    await send(1, 1);
    await renewRollups(await context());
    await transact(await context(), async (inner) => {
      await inner.db
        .$executeRaw`UPDATE account SET language_id = (SELECT max(id) FROM language) WHERE id % 5 = 2`;
      await send(1, 2);
      await renewCells(await context());
    });
    await renewCells(await context());
    await expectAsMadeWhole();
  });

  it('that are being made keep what is loose, and all that is still to be counted', async () => {
    service().at('2026-02-12T12:00:00Z');
    await addMembers();
    await publish('2026-01-10', 6);
    await renewRollups(await context());
    await mark('2026-01-01');
    await beginMonth();
    await sql("INSERT INTO report_loose (subject, month) VALUES ('content+', '2026-01-01')");
    await markLoose(await context(), true);
    // As a process of before marked it; it comes first where a part of the month itself fails.
    await sql("INSERT INTO report_stale (subject, month) VALUES ('content+', '2026-01-01')");
    await sql(
      `CREATE FUNCTION fails() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'`,
    );
    await sql(
      'CREATE TRIGGER fails BEFORE INSERT ON report_member FOR EACH ROW EXECUTE FUNCTION fails()',
    );
    await expect(renewCells(await context(), { atOnce: 2 })).rejects.toThrow('no');
    await sql('DROP FUNCTION fails CASCADE');
    await renewCells(await context(), { atOnce: 2 });
    expect(await published('2026-01-01')).toBe(6);
    expect(await sql('SELECT subject FROM report_loose')).toStrictEqual([{ subject: 'content' }]);
    expect(await sql('SELECT FROM report_stale')).toHaveLength(0);
  });

  it('follow between the parts of a month that is made whole', async () => {
    service().at('2026-02-12T12:00:00Z');
    await addMembers();
    await publish('2026-01-10', 6);
    await publish('2026-02-10', 6);
    await renewRollups(await context());
    await mark('2026-01-01');
    let looks = 0;
    let later: Promise<unknown> | undefined;
    const stopping = {
      get aborted() {
        looks += 1;
        if (looks === 2) later = publish('2026-02-11', 2);
        return looks > 3;
      },
    } as AbortSignal;
    await renewCells(await context(), { stopping, atOnce: 2 });
    await later;
    expect(looks).toBe(4);
    expect(await sql('SELECT month FROM report_building')).toHaveLength(1);
    expect(await published('2026-02-01')).toBe(8);
    expect(await published('2026-01-01')).toBe(6);
  });
});
