// Large but legal data for hostile.mjs: as much of each kind as its bounds allow or a busy service has.
import { connected } from './database.mjs';

/** A text of words of so many characters. */
const words = (length) => 'Take it with a glass of water after breakfast. '.repeat(length / 47);
const html = (length) => `<p>${words(300)}</p>\n`.repeat(length / 300);

/** What each statement makes, in their order; `$1` is a text of 2,000 characters. */
const CONTENT = [
  `INSERT INTO account (username, username_key, name, slug, roles, description)
    SELECT n, n, n, n, ARRAY['author'], $1 FROM (SELECT 'author-' || i AS n FROM generate_series(1, 100) i) names`,
  `INSERT INTO term (taxonomy, name, name_key, slug, description)
    SELECT t, t || i, t || i, t || i, $1 FROM generate_series(1, 300) i, unnest(ARRAY['category', 'post_tag']) t`,
  `INSERT INTO media (id, title, slug, caption, description, alt_text, mime_type, source_url, sizes, author_id, created_at, modified_at)
    SELECT 1000000 + i, 'Medium', 'medium-' || i, $1, $1, $1, 'image/png', 'https://example.com/a.png',
      (SELECT jsonb_agg(jsonb_build_object('name', 's' || n, 'url', 'https://example.com/' || n || '.png',
        'width', n, 'height', n, 'mimeType', 'image/png')) FROM generate_series(1, 20) n)::text,
      (SELECT id FROM account WHERE username = 'author-1'), now(), now() FROM generate_series(1, 200) i`,
  `INSERT INTO video (title, description, url, duration_seconds, language_code, published_at, captions)
    SELECT 'Video', $1, 'https://example.com/v', 60, 'en', now() - i * interval '1 hour',
      (SELECT jsonb_agg(jsonb_build_object('label', 'c', 'language', 'en', 'languageCode', 'en', 'url', 'https://example.com/c/' || n)) FROM generate_series(1, 20) n)
    FROM generate_series(1, 200) i`,
  `INSERT INTO quote (text, author, language_code, created_at) SELECT $1, 'Somebody', 'en', now() FROM generate_series(1, 200)`,
  `INSERT INTO policy (language_id, number, title, text, effective_at, created_at)
    SELECT 1, 100 + i, 'Policy', repeat($1, 30), now() - interval '1 day', now() FROM generate_series(1, 100) i`,
  `INSERT INTO poll (question, multiple, opens_at, created_at, statement)
    SELECT left($1, 250), true, now() - interval '1 day', now(), $1 FROM generate_series(1, 100)`,
  `INSERT INTO poll_option (poll_id, position, text) SELECT p.id, n, left($1, 250) FROM poll p, generate_series(100, 145) n`,
  `INSERT INTO healthcare_service (name, description, type_ids, address, latitude, longitude, time_zone, hours, language_codes, accessibility, updated_at)
    SELECT 'Service ' || i, $1, '{}', left($1, 250), 50 + i / 100.0, 8, 'Europe/Berlin',
      (SELECT jsonb_agg(jsonb_build_object('weekday', 1 + n % 7, 'from', '08:00', 'to', '12:00')) FROM generate_series(1, 50) n),
      ARRAY['en', 'de'], '{}', now() FROM generate_series(1, 300) i`,
];

/** Posts, pages and healthcare items of 20 KB with ten terms each; `rendered` is the renderer's number. */
async function seedItems(client, rendering) {
  await client.query(
    `INSERT INTO content_item (kind, status, title, title_key, title_rendered, content, content_rendered, excerpt,
      excerpt_rendered, rendering, slug, author_id, published_at, modified_at, comments_open, pings_open, guid)
    SELECT k, 'publish', 'Item ' || i, 'item', 'Item ' || i, $1, $1, $2, $2, $3, k || '-' || i,
      (SELECT min(id) + i % 100 FROM account WHERE username LIKE 'author-%'), now() - i * interval '1 hour', now(), true, true, '/?p=' || i
    FROM generate_series(1, 150) i, unnest(ARRAY['post', 'page', 'healthcare']) k`,
    [html(20_000), html(1_000), rendering],
  );
  await client.query(
    `INSERT INTO content_term SELECT c.id, t.id FROM content_item c
      JOIN term t ON (t.id + c.id) % 60 = 0 WHERE c.kind = 'post' ON CONFLICT DO NOTHING`,
  );
}

/** Copies a reminder, at another minute each, to accounts. */
const copies = (columns) => `INSERT INTO reminder (${columns.map((c) => `"${c}"`).join(', ')})
  SELECT ${columns.map((c) => COPIED[c] ?? `r."${c}"`).join(', ')}
  FROM reminder r, account a, generate_series(1, $2::int) i WHERE r.id = $1 AND a.username LIKE $3`;
const START = `left(r.start_local, 11) || lpad((i / 60 % 24)::text, 2, '0') || ':' || lpad(((i + a.id) % 60)::text, 2, '0') || ':00'`;
const COPIED = {
  account_id: 'a.id',
  creator_id: 'a.id',
  fingerprint: `NULL`,
  name: `r.name || ' ' || i`,
  start_local: START,
  plan_at: `now() + interval '1 year'`,
  planned_until: `now() + interval '1 year'`,
};

/** Gives every account whose name is like `names` so many copies of a reminder. */
export async function seedReminders(url, { id, count, names }) {
  const client = await connected(url);
  try {
    const { rows } = await client.query(
      `SELECT column_name AS name FROM information_schema.columns
        WHERE table_name = 'reminder' AND column_name <> 'id' AND is_generated = 'NEVER'`,
    );
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica'); // no facts are made of them
    await client.query(copies(rows.map(({ name }) => name)), [id, count, names]);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** What is at hand of every medicine, and how much is taken of it: enough for a year. */
const STOCKS = [
  `INSERT INTO dose_amount (reminder_id, starts_on, amount) SELECT id, '2026-01-01', 1 FROM reminder r
    WHERE kind = 'medicine' AND NOT EXISTS (SELECT FROM dose_amount WHERE reminder_id = r.id)`,
  `UPDATE reminder SET dose_unit = 'tablet' WHERE kind = 'medicine'`,
  `INSERT INTO medicine_stock (reminder_id, amount, unit, counted_at)
    SELECT id, 999999, 'tablet', now() FROM reminder WHERE kind = 'medicine'`,
];

/** Says of all medicines that there is a stock. */
export async function seedStocks(url) {
  const client = await connected(url);
  for (const statement of STOCKS) await client.query(statement);
  await client.end();
}

/** Members, their carers' relations, notifications, audit and cells of reports. */
const PEOPLE = [
  `INSERT INTO account (username, username_key, name, slug, roles)
    SELECT n, n, n, n, ARRAY['subscriber'] FROM (SELECT 'cared-' || i AS n FROM generate_series(1, 100) i) names`,
  `INSERT INTO care_assignment (member_id, clinician_id, created_at)
    SELECT m.id, c.id, now() FROM account m, account c WHERE m.username LIKE 'cared-%' AND c.username = 'clinician'`,
  `INSERT INTO notification (account_id, kind, title, body, data, message_id, alert_ids, state, created_at, send_at)
    SELECT a.id, 'message', 'Title', left($1, 1000), '{"a": "b"}', gen_random_uuid(), '{}', 'sent', now() - i * interval '1 minute', now() - i * interval '1 minute'
    FROM account a, generate_series(1, 1000) i WHERE a.username IN ('member', 'admin')`,
  `INSERT INTO saved_report (account_id, name, query, variables, is_shared, modified_at)
    SELECT a.id, 'Report ' || i, '{ doseReport { rows { month scheduled } } }' || repeat(' ', 15000), '{}', true, now()
    FROM account a, generate_series(1, 100) i WHERE a.username IN ('analyst', 'admin')`,
];

/** Doses of 60 members in two years, three a day, as facts of reports. */
const FACTS = `INSERT INTO dose_fact
  SELECT a.id, now() - d * interval '1 day' + h * interval '5 hours', (now() - d * interval '1 day')::date, 8 + 5 * h,
    (ARRAY['tablet', 'drops', 'capsule', 'spray', 'cream', 'patch', 'syrup', ''])[1 + (a.id + h) % 8],
    CASE WHEN a.id % 4 = 0 THEN 'elapsed' ELSE 'calendar' END,
    CASE WHEN (a.id + 7 * d + h) % 6 = 0 THEN 'missed' ELSE 'taken' END
  FROM account a, generate_series(1, 730) d, generate_series(0, 2) h
  WHERE a.username LIKE 'cared-%'`;

const MOST_ACCOUNTS = 1_000_000;

/** Makes the cells of doses, a month at a time, as the job does. */
async function seedReports(client, { changeCellsSql, longerCellsSql, doseSubject }) {
  // Alone and without triggers: the service would make the same cells meanwhile.
  await client.query('BEGIN');
  await client.query('LOCK TABLE report_cell, report_stale, report_due IN ACCESS EXCLUSIVE MODE');
  await client.query('SET LOCAL session_replication_role = replica');
  await client.query('DELETE FROM report_cell');
  await client.query(FACTS);
  const first = new Date();
  for (let month = 25; month >= 0; month--) {
    const [from, to] = [month, month - 1].map((n) =>
      new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - n, 1))
        .toISOString()
        .slice(0, 10),
    );
    await client.query(
      `INSERT INTO report_change (subject, month, account_id) SELECT DISTINCT 'dose', $1::date, account_id
       FROM dose_fact WHERE day >= $1 AND day < $2`,
      [from, to],
    );
    await client.query(changeCellsSql(doseSubject), [
      'UTC',
      new Date(),
      from,
      to,
      '00'.repeat(32),
      'bench',
      MOST_ACCOUNTS,
      'dose',
    ]);
  }
  for (const longer of ['week', 'quarter'])
    await client.query(longerCellsSql(doseSubject, longer), ['2000-01-03', '2040-04-01']);
  await client.query('COMMIT');
}

/** Seeds all of it. `parts` are what the built service computes them by. */
export async function seedLarge(url, parts) {
  const client = await connected(url);
  try {
    for (const statement of CONTENT)
      await client.query(statement, statement.includes('$1') ? [words(2_000)] : []);
    await seedItems(client, parts.rendering);
    for (const statement of PEOPLE)
      await client.query(statement, statement.includes('$1') ? [words(2_000)] : []);
    await seedReports(client, parts);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
