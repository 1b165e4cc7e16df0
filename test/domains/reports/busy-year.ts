import { serviceContext } from '../../../src/core/service-context.js';
import { renewCells } from '../../../src/domains/reports/rollup/cells.service.js';
import type { Harness } from '../../support/harness.js';
import { TRUTHS, ZONES } from './subject-truths.js';

/** SQL of a number from 0 on below `most`, the same each time for the same whole numbers. */
const drawn = (of: string, most: number) => `abs(hashint4(${of})) % ${most}`;
const oneOf = (texts: readonly string[], of: string) =>
  `(ARRAY[${texts.map((text) => `'${text}'`).join(', ')}])[1 + ${drawn(of, texts.length)}]`;

const ACCOUNTS = `
  INSERT INTO account (username, username_key, name, slug, roles, language_id, time_zone, created_at,
    email_proven_at)
  SELECT n, n, n, n, ARRAY[CASE WHEN i % 9 = 0 THEN 'guest' ELSE 'subscriber' END],
    1 + (i * 7) % 10 / 5 + (i % 23 = 0)::int,
    nullif(${oneOf(['Europe/Berlin', ...Object.keys(ZONES), ''], 'i * 3')}, ''), made, made
  FROM (SELECT i, 'busy' || i AS n, '2024-08-01 10:00Z'::timestamptz
    + make_interval(days => ${drawn('i * 13', 500)}, hours => i % 12) AS made
    FROM generate_series(1, $1::int) i) names`;

/** Members since they were made, so many times a year each: id, i, n and the instant `at`. */
const times = (most: number) => `
  (SELECT a.id, a.i, n, at FROM (SELECT id, substr(username, 5)::int AS i, created_at FROM account
      WHERE username LIKE 'busy%') a, generate_series(1, ${most}) n,
    LATERAL (SELECT '2025-01-01 00:00Z'::timestamptz + make_interval(
      days => ${drawn('a.i * 1000 + n', 365)}, hours => ${drawn('a.i * 777 + n', 24)})) t(at)
    WHERE at >= created_at) t`;

const REMINDER_COLUMNS = `account_id, creator_id, name, scheduled, recognized, follows, zone,
  zone_source, times, times_source, updated_at, deleted_at, kind, event_type, medicine_type,
  start_local, created_at, attended_at`;
const remindersOf = (columns: string, most: number) => `
  INSERT INTO reminder (${REMINDER_COLUMNS})
  SELECT id, id, 'n', true, ${drawn('i * 5 + n', 7)} > 0, true, 'UTC', 'site', '{}', 'default', now(),
    CASE WHEN ${drawn('i * 17 + n', 6)} = 0 THEN now() END, ${columns} FROM ${times(most)}`;
const LOCAL = `to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`;

const APPOINTMENTS = remindersOf(
  `'appointment', ${oneOf(['Visit', ' visit', 'Call', 'Call', '', 'Rare'], 'i * 31 + n * 7')}, NULL,
  ${LOCAL}, at - make_interval(days => power(${drawn('i * 37 + n', 9)}, 2)::int - 2),
  CASE WHEN ${drawn('i * 41 + n', 3)} > 0 THEN at END`,
  24,
);
const MEDICINES = remindersOf(
  `'medicine', NULL, ${oneOf(['Tablet', 'tablet ', 'Drops', ''], 'i * 43')}, ${LOCAL}, at, NULL`,
  16,
);

const SESSIONS = `
  INSERT INTO audit_event (uid, at, actor_id, subject_id, action, key_id, mac)
  SELECT gen_random_uuid(), at, id, id,
    CASE WHEN n = 1 THEN 'account.upgrade' ELSE 'session.start' END, '', '' FROM ${times(40)}`;

const DELIVERIES = `
  WITH made AS (INSERT INTO device (account_id, kind, token, token_hash, platform, created_at,
      last_seen_at)
    SELECT id, ${oneOf(['expo', 'expo', 'fcm', 'web'], 'id')}, 't', id::text,
      ${oneOf(['iOS', 'ios', 'Android', '', 'rare'], 'id * 3')}, now(), now()
    FROM account WHERE username LIKE 'busy%' RETURNING id, account_id, kind),
  sent AS (INSERT INTO notification (account_id, kind, title, body, message_id, alert_ids, state,
      created_at, send_at)
    SELECT id, ${oneOf(['reminder', 'reminder', 'missed', 'message'], 'i * 47 + n')}, '', '',
      gen_random_uuid(), '{}', 'queued', at, at FROM ${times(50)} RETURNING id, account_id, send_at)
  INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at, sent_at)
  SELECT sent.id, made.id, kind, ${oneOf(
    ['sent', 'sent', 'accepted', 'failed', 'dead', 'missed', 'planned'],
    'sent.id::int',
  )}, send_at, send_at, send_at,
    send_at + make_interval(secs => power(${drawn('sent.id::int * 7', 15)}, 3)::int)
  FROM sent JOIN made USING (account_id)`;

const CONTENT = `
  INSERT INTO content_item (kind, status, title, title_key, title_rendered, content,
    content_rendered, excerpt, excerpt_rendered, rendering, slug, author_id, published_at,
    modified_at, comments_open, pings_open, guid, format, revision_count)
  SELECT kind, CASE WHEN i % 8 = 0 THEN 'draft' ELSE 'publish' END, 'T', 't', 'T', 'C', 'C', '', '', 0,
    's-' || i, (SELECT min(id) FROM account), '2025-01-01 00:00Z'::timestamptz + make_interval(
      days => ${drawn('i', 365)}, hours => ${drawn('i * 3', 24)}), now(), true, true, '',
    CASE WHEN kind = 'post' THEN ${oneOf(['standard', 'standard', 'aside', 'video'], 'i * 5')}
      ELSE 'standard' END, ${drawn('i * 7', 5)}
  FROM (SELECT i, ${oneOf(['post', 'post', 'page', 'healthcare'], 'i * 11')} AS kind
    FROM generate_series(1, $1::int * 5) i) items`;

const POLLS = `
  WITH made AS (INSERT INTO poll (question, multiple, opens_at, created_at)
    SELECT 'Q' || i, true, '2025-01-01', '2025-01-01' FROM generate_series(1, 14) i RETURNING id),
  options AS (INSERT INTO poll_option (poll_id, position, text)
    SELECT id, p, 'O' || p FROM made, generate_series(0, 2) p RETURNING id, poll_id, position),
  numbered AS (SELECT id, row_number() OVER (ORDER BY id)::int AS n FROM made)
  INSERT INTO poll_submission
  SELECT p.id, t.id, ARRAY(SELECT o.id FROM options o WHERE o.poll_id = p.id
    AND (o.position = 0 OR ${drawn('t.i * 53 + t.n * 5 + o.position', 2)} = 0)), at
  FROM ${times(14)} JOIN numbered p USING (n)`;

const FORMS = `
  WITH made AS (INSERT INTO form (name, score_least, score_most, retention_days, created_at)
    SELECT 'F' || i, 0, 9, 900, '2025-01-01' FROM generate_series(1, 3) i RETURNING id)
  INSERT INTO form_submission (form_id, account_id, platform, sealed, key_id, email_hash, received_at)
  SELECT (SELECT min(id) FROM made) + ${drawn('i * 59 + n', 3)},
    id, ${oneOf(['iOS', 'web', 'Web', ''], 'i')}, '', '', '', at FROM ${times(16)}`;

/** Makes what so many members did in 2025, and what was published then, and all cells. */
export async function makeBusyYear(service: Harness, members: number): Promise<void> {
  await service.database.query(ACCOUNTS, [members]);
  for (const facts of [APPOINTMENTS, MEDICINES, SESSIONS, DELIVERIES, POLLS, FORMS])
    await service.database.query(facts);
  await service.database.query(CONTENT, [members]);
  await service.database.query(
    `INSERT INTO report_stale SELECT subject, month::date FROM unnest($1::text[]) subject,
       generate_series('2025-01-01'::timestamp, '2025-12-01', '1 month') month ON CONFLICT DO NOTHING`,
    [Object.keys(TRUTHS)],
  );
  await renewCells(await serviceContext(service.app.deps, 'test'));
}
