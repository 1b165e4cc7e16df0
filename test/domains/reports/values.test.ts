// Values that questions of care are about: names of polls, options and forms, platforms, lead times,
// zones, countries and ages of accounts.
import { serviceContext } from '../../../src/core/service-context.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { Keys } from '../../../src/platform/keys.js';
import { makeAppointment } from '../../support/factories.js';
import { useService } from '../../support/harness.js';

const service = useService();
const NOW = '2026-03-10T12:00:00Z';
const RANGE = 'from: "2026-03-01", to: "2026-03-31"';
const sql = (text: string, values: unknown[] = []) => service().database.query(text, values);
const renew = async () => renewRollups(await serviceContext(service().app.deps, 'test'));
const ask = async (document: string) => service().data(`{ ${document} }`, {}, 'analyst');
const refusal = async (document: string) =>
  (await service().ask(`{ ${document} }`, {}, 'analyst')).errors[0];

/** Makes accounts with proven addresses on the first of March. Returns their ids. */
async function makeAccounts(count: number, zone: string | null = null): Promise<number[]> {
  service().at(NOW);
  const rows = await service().database.query<{ id: number }>(
    `INSERT INTO account (username, username_key, name, slug, roles, language_id, time_zone, created_at,
       email_proven_at)
     SELECT n, n, n, n, ARRAY['subscriber'], 1, $2::text, '2026-03-01T12:00:00Z'::timestamptz,
       '2026-03-01T12:00:00Z'
     FROM (SELECT 'a' || i || coalesce($2, '') AS n FROM generate_series(1, $1::int) i) names
     RETURNING id`,
    [count, zone],
  );
  return rows.map(({ id }) => id);
}

/** Makes a poll of which 30 chose the first option, and 20 of them the second too. */
async function makePoll(
  of?: readonly number[],
): Promise<{ poll: number; options: number[]; ids: readonly number[] }> {
  const ids = of ?? (await makeAccounts(30));
  const at = new Date(NOW);
  const { prisma } = service().database;
  const poll = await prisma.poll.create({
    data: {
      question: 'How do you sleep?',
      multiple: true,
      opensAt: at,
      createdAt: at,
      options: { create: ['Well', 'Badly'].map((text, position) => ({ text, position })) },
    },
    include: { options: { orderBy: { position: 'asc' } } },
  });
  const options = poll.options.map(({ id }) => id);
  for (const [i, accountId] of ids.entries())
    await prisma.pollSubmission.create({
      data: {
        pollId: poll.id,
        accountId,
        optionIds: options.slice(0, i < 20 ? 2 : 1),
        submittedAt: at,
      },
    });
  return { poll: poll.id, options, ids };
}

describe('Values of reports', () => {
  it('have the names of polls and their options, and options are counted', async () => {
    const { poll, options } = await makePoll();
    await renew();
    const { pollChoiceReport: choices, pollReport } = await ask(
      `pollChoiceReport(${RANGE}) { rows { pollName option optionName choices members margin } }
       pollReport(${RANGE}) { rows { pollName submissions } }`,
    );
    expect(pollReport.rows).toStrictEqual([
      { pollName: 'How do you sleep?', submissions: expect.any(Number) },
    ]);
    expect(
      choices.rows.map((row: Record<string, unknown>) => [
        row.pollName,
        row.option,
        row.optionName,
      ]),
    ).toStrictEqual(
      options.map((option, i) => ['How do you sleep?', String(option), ['Well', 'Badly'][i]]),
    );
    for (const [i, row] of choices.rows.entries())
      expect(Math.abs(row.choices - (i === 0 ? 30 : 20))).toBeLessThanOrEqual(row.margin);
    const cells = await service().database.query<{ keys: string[]; sums: number[] }>(
      "SELECT keys, sums FROM report_cell WHERE subject = 'pollChoice' AND grid = 'option' ORDER BY 1",
    );
    expect(cells.map(({ keys, sums }) => [keys[0], sums.map(Number)])).toStrictEqual([
      [String(options[0]), [30]],
      [String(options[1]), [20]],
    ]);
    expect(poll).toBeGreaterThan(0);
  });

  it('have names that are told apart: of polls that ask the same, and of their options', async () => {
    const first = await makePoll();
    const second = await makePoll(first.ids);
    await renew();
    const { pollReport, pollChoiceReport } = await ask(
      `pollReport(${RANGE}) { rows { pollName submissions } }
       pollChoiceReport(${RANGE}) { rows { optionName choices } }`,
    );
    const names = (rows: readonly Record<string, string>[], name: string) =>
      rows.map((row) => row[name]).sort();
    expect(names(pollReport.rows, 'pollName')).toStrictEqual(
      [first, second].map(({ poll }) => `How do you sleep? (${poll})`).sort(),
    );
    expect(names(pollChoiceReport.rows, 'optionName')).toStrictEqual(
      [first, second]
        .flatMap(({ options }) => options.map((id, i) => `${['Well', 'Badly'][i]} (${id})`))
        .sort(),
    );
  });

  it('are of polls that are gone too: these have no name, and may be filtered by', async () => {
    await makePoll();
    await renew();
    await sql(`INSERT INTO report_cell (subject, grid, date, keys, accounts, eligible, sums, tops)
      SELECT c.subject, c.grid, c.date, '{999}', c.accounts, c.eligible, c.sums, c.tops
      FROM report_cell c JOIN LATERAL (SELECT min(keys) AS keys FROM report_cell o
        WHERE (o.subject, o.grid, o.date) = (c.subject, c.grid, c.date)) least ON c.keys = least.keys
      WHERE (c.subject, c.grid) IN (('poll', 'poll'), ('pollChoice', 'option'))`);
    const { pollReport, pollChoiceReport } = await ask(
      `pollReport(${RANGE} filter: { poll: "999" }) { rows { poll pollName submissions } }
       pollChoiceReport(${RANGE} filter: { option: "999" }) { rows { option optionName } }`,
    );
    expect(pollReport.rows).toStrictEqual([
      { poll: '999', pollName: null, submissions: expect.any(Number) },
    ]);
    expect(pollChoiceReport.rows).toStrictEqual([{ option: '999', optionName: null }]);
  });

  it('follow answers that change and go', async () => {
    const { options } = await makePoll();
    await renew();
    await sql('UPDATE poll_submission SET option_ids = ARRAY[$1::int]', [options[1]]);
    await renew();
    const cells = await service().database.query<{ keys: string[]; sums: number[] }>(
      "SELECT keys, sums FROM report_cell WHERE subject = 'pollChoice' AND grid = 'option'",
    );
    expect(cells.map(({ keys, sums }) => [keys[0], sums.map(Number)])).toStrictEqual([
      [String(options[1]), [30]],
    ]);
  });

  it('count who answered a poll with one noise, by answers and by options', async () => {
    await makePoll();
    await renew();
    const question = `pollReport(${RANGE}) { rows { poll members } }
      pollChoiceReport(${RANGE}) { rows { poll members } }`;
    const noises = new Set<number>();
    for (const key of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      const other = await service().beside({ keys: new Keys(key.repeat(40)) });
      const { pollReport, pollChoiceReport } = await other.data(`{ ${question} }`, {}, 'analyst');
      const [answers, chosen] = [pollReport, pollChoiceReport].map(({ rows }) => rows[0].members);
      noises.add(answers);
      // The own noises of both are 2.5 at most, and both are rounded to 5.
      expect([key, Math.abs(answers - chosen) <= 10]).toStrictEqual([key, true]);
      await other.stop();
    }
    expect(noises.size).toBeGreaterThan(2);
  });

  it('that a filter misspells are named, with what there is', async () => {
    const { poll, options } = await makePoll();
    for (const [field, filter, message] of [
      [
        'pollReport',
        `poll: ["4711"]`,
        `There is no poll "4711"; there is ${poll} (How do you sleep?).`,
      ],
      [
        'pollReport',
        `poll: ["${poll}x"]`,
        `There is no poll "${poll}x"; there is ${poll} (How do you sleep?).`,
      ],
      [
        'pollChoiceReport',
        'option: ["99999999999"]',
        `There is no option "99999999999"; there is ${options[1]} (Badly), ${options[0]} (Well).`,
      ],
      ['formReport', 'form: ["7"]', 'There is no form "7"; there is none.'],
      [
        'appointmentReport',
        'leadTime: ["same day"]',
        'There is no leadTime "same day"; there is afterwards, same_day, up_to_week, up_to_month, over_month.',
      ],
    ] as const) {
      const error = await refusal(`${field}(${RANGE}, filter: { ${filter} }) { total { margin } }`);
      expect([error.extensions.code, error.message]).toStrictEqual(['FILTER_INVALID', message]);
    }
  });

  it('of a poll without answers, or of one member, are null with a reason', async () => {
    const { poll } = await makePoll();
    const fields = 'total { submissions members withheld } rows { month submissions withheld }';
    const asked = `pollReport(${RANGE}, filter: { poll: ["${poll}"] }) { ${fields} }`;
    await sql('DELETE FROM poll_submission');
    await renew();
    const none = { submissions: null, members: null, withheld: 'FEW_ACCOUNTS' };
    expect((await ask(asked)).pollReport).toStrictEqual({ total: none, rows: [] });
    await sql(
      `INSERT INTO poll_submission SELECT $1, min(id), '{}', $2::timestamptz FROM account`,
      [poll, NOW],
    );
    await renew();
    expect((await ask(asked)).pollReport).toStrictEqual({ total: none, rows: [] });
  });

  it('have one noise with and without a value that they determine', async () => {
    const zones = ['Berlin', 'Paris', 'Rome', 'Vienna', 'Madrid', 'Oslo', 'London', 'Lisbon'];
    for (const zone of zones) await makeAccounts(25, `Europe/${zone}`);
    await makePoll();
    await renew();
    for (const [field, numbers, value, both] of [
      ['account', 'created active', 'zone', 'zone country'],
      ['pollChoice', 'choices members', 'option', 'poll option'],
    ] as const) {
      const rows = async (by: string) => {
        const answer = await ask(
          `${field}Report(${RANGE}, orderBy: [{ by: ${value.toUpperCase()}, direction: ASC }]) {
            rows { ${by} ${numbers} } }`,
        );
        return answer[`${field}Report`].rows.map((row: Record<string, unknown>) =>
          [value, ...numbers.split(' ')].map((name) => row[name]),
        );
      };
      expect(await rows(value)).toStrictEqual(await rows(both));
    }
  });

  it('are the platforms of devices, also of deliveries that went with their device', async () => {
    const ids = await makeAccounts(12);
    await sql(
      `WITH device AS (INSERT INTO device (account_id, kind, token, token_hash, platform, created_at, last_seen_at)
          SELECT id, 'expo', 't', id::text, 'iOS', $2::timestamptz, $2::timestamptz FROM unnest($1::int[]) id
          RETURNING id, account_id),
        note AS (INSERT INTO notification (account_id, kind, title, body, message_id, alert_ids, state,
            created_at, send_at)
          SELECT id, 'reminder', '', '', gen_random_uuid(), '{}', 'queued', $2::timestamptz, $2::timestamptz
          FROM unnest($1::int[]) id RETURNING id, account_id)
       INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at, sent_at)
       SELECT note.id, device.id, 'expo', 'sent', $2::timestamptz, $2::timestamptz, $2::timestamptz, $2::timestamptz
       FROM note JOIN device USING (account_id)`,
      [ids, NOW],
    );
    const sums = async () => {
      await sql("INSERT INTO report_stale VALUES ('notification', '2026-03-01')");
      await renew();
      return service().database.query(
        `SELECT keys, accounts, sums[1]::int AS sum FROM report_cell
         WHERE subject = 'notification' AND grid = 'platform' AND date = '2026-03-01'`,
      );
    };
    const all = [{ keys: ['ios'], accounts: 12, sum: 12 }];
    expect(await sums()).toStrictEqual(all);
    // Whoever adds a device writes its platform: twenty must share it.
    const { notificationReport } = await ask(`notificationReport(${RANGE}) { rows { platform } }`);
    expect(notificationReport.rows).toStrictEqual([]);
    await sql('DELETE FROM device WHERE account_id % 2 = 0');
    await sql('DELETE FROM notification WHERE account_id % 2 = 1');
    expect(await sums()).toStrictEqual(all);
  });

  it('are lead times of appointments, in days', async () => {
    service().at(NOW);
    const days = [
      '2026-03-09',
      '2026-03-10',
      '2026-03-11',
      '2026-03-17',
      '2026-03-18',
      '2026-04-10',
    ];
    for (const day of days) await makeAppointment(service(), { dateTime: `${day}T10:00:00` });
    service().at('2026-05-01T12:00:00Z');
    await renew();
    const cells = await service().database.query(
      `SELECT keys[1] AS lead, sum(sums[1])::int AS planned FROM report_cell
       WHERE subject = 'appointment' AND grid = 'leadTime' GROUP BY 1 ORDER BY 1`,
    );
    expect(cells).toStrictEqual([
      { lead: 'afterwards', planned: 1 },
      { lead: 'over_month', planned: 1 },
      { lead: 'same_day', planned: 1 },
      { lead: 'up_to_month', planned: 1 },
      { lead: 'up_to_week', planned: 2 },
    ]);
  });

  it('are zones and countries of accounts, and how old these are', async () => {
    for (const zone of ['Europe/Berlin', 'Asia/Kolkata', 'Asia/Calcutta', '+02:00', null])
      await makeAccounts(10, zone);
    await sql(
      `INSERT INTO audit_event (uid, at, actor_id, subject_id, action, key_id, mac)
       SELECT gen_random_uuid(), at::timestamptz, id, id, 'session.start', '', '' FROM account,
         unnest(ARRAY['2026-03-07T12:00:00Z', '2026-03-08T12:00:00Z', '2026-03-09T12:00:00Z']) at
       WHERE username LIKE 'a%'`,
    );
    await renew();
    const { byZone, byCountry, byAge } = await ask(
      `byZone: accountReport(${RANGE}, first: 20) { rows { zone created } }
       byCountry: accountReport(${RANGE}, first: 20) { rows { country created } }
       byAge: accountReport(${RANGE}, first: 20) { rows { accountAge sessions margin } }`,
    );
    const column = (rows: readonly Record<string, unknown>[], name: string) =>
      rows.map((row) => row[name]);
    expect(column(byZone.rows, 'zone')).toStrictEqual([
      ...['+02:00', 'Asia/Calcutta', 'Asia/Kolkata', 'Europe/Berlin', null],
    ]);
    expect(column(byCountry.rows, 'country')).toStrictEqual(['DE', 'IN', null]);
    expect(column(byAge.rows, 'accountAge')).toStrictEqual(['first_month', 'first_week']);
    for (const [i, { sessions, margin }] of byAge.rows.entries())
      expect(Math.abs(sessions - (i === 0 ? 100 : 50))).toBeLessThanOrEqual(margin);
  });

  it('of the hour that a change of clocks repeats count both times', async () => {
    await makeAccounts(8);
    await sql("UPDATE site SET time_zone = 'Europe/Berlin'");
    service().at('2025-10-27T12:00:00Z');
    // 00:30 and 01:30 in UTC are both 02:30 by these clocks.
    await sql(
      `UPDATE account SET created_at = CASE WHEN id % 2 = 0 THEN '2025-10-26T00:30:00Z'::timestamptz
        ELSE '2025-10-26T01:30:00Z'::timestamptz END`,
    );
    await sql("INSERT INTO report_stale VALUES ('account', '2025-10-01')");
    await renew();
    const cells = await service().database.query(
      `SELECT keys, accounts, sums[1]::int AS sum FROM report_cell
       WHERE subject = 'account' AND grid = 'hour' AND date = '2025-10-01'`,
    );
    await sql("UPDATE site SET time_zone = 'UTC'");
    expect(cells).toStrictEqual([{ keys: ['2'], accounts: 8, sum: 8 }]);
  });
});
