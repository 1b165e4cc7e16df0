import { makeCells } from '../domains/reports/crowd.js';
import type { Harness } from '../support/harness.js';

/** Members who sign up, one about every other day of 2024 and 2025. */
const CAME = 400;

/** Accounts of three zones, each of which signs in once a month from then on. */
const ACCOUNTS = `WITH made AS (
    INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at,
      email_proven_at, time_zone)
    SELECT n, n, n, n, ARRAY['subscriber'], 1, at, at,
      (ARRAY['Europe/Berlin', 'Europe/Paris', 'America/New_York'])[1 + i % 3]
    FROM (SELECT i, 'came' || i AS n,
        '2024-01-02T12:00:00Z'::timestamptz + i * interval '2 days' * 365 / ${CAME} AS at
      FROM generate_series(0, ${CAME - 1}) i) came
    RETURNING id, created_at)
  INSERT INTO audit_event (uid, at, actor_id, subject_id, action, key_id, mac)
  SELECT gen_random_uuid(), month + interval '14 days', id, id, 'session.start', '', ''
  FROM made, generate_series('2025-01-01'::timestamptz, '2025-12-01', '1 month') month
  WHERE month > created_at`;

const POLLS = `WITH poll AS (
    INSERT INTO poll (question, opens_at, created_at)
    VALUES ('How do you feel?', '2025-01-01', '2025-01-01') RETURNING id),
  option AS (
    INSERT INTO poll_option (poll_id, position, text)
    SELECT id, position, text FROM poll,
      (VALUES (1, 'Well'), (2, 'As before'), (3, 'Worse')) o(position, text) RETURNING *)
  INSERT INTO poll_submission (poll_id, account_id, option_ids, submitted_at)
  SELECT poll_id, a.id, ARRAY[option.id], '2025-02-01'::timestamptz + a.id % 300 * interval '1 day'
  FROM option JOIN account a ON a.username LIKE 'came%' AND 1 + a.id % 3 = position`;

/** Appointments of the last quarter of 2025, entered 0 to 40 days before, two in three attended. */
const APPOINTMENTS = `INSERT INTO reminder (kind, account_id, creator_id, scheduled, recognized,
    follows, zone, zone_source, start_local, times, times_source, created_at, updated_at, attended_at)
  SELECT 'appointment', id, id, true, true, false, 'UTC', 'profile',
    to_char(day, 'YYYY-MM-DD') || 'T10:00:00', '{}', '', made, made,
    CASE WHEN id / 4 % 3 > 0 THEN day END
  FROM (SELECT id, day, day - (ARRAY[0, 3, 20, 40])[1 + id % 4] * interval '1 day' AS made
    FROM account, LATERAL (SELECT '2025-10-01T08:00:00Z'::timestamptz + id % 90 * interval '1 day' AS day) d
    WHERE username LIKE 'came%') made`;

/** A medicine each, entered in 2025; of some the directions are not understood. */
const MEDICINES = `INSERT INTO reminder (kind, account_id, creator_id, scheduled, recognized,
    follows, zone, zone_source, start_local, times, times_source, created_at, updated_at)
  SELECT 'medicine', id, id, true, id % 7 > 0, false, 'UTC', 'profile', '', '{}', '', at, at
  FROM account, LATERAL (SELECT '2025-02-01'::timestamptz + id % 300 * interval '1 day' AS at) a
  WHERE username LIKE 'came%'`;

/** Deliveries of November 2025 to phones of two kinds, of which one does not always ring. */
const DELIVERIES = `WITH phone AS (
    INSERT INTO device (account_id, kind, token, token_hash, platform, created_at, last_seen_at)
    SELECT id, 'expo', 't' || id, 'h' || id, (ARRAY['ios', 'android'])[1 + id % 2], '2025-11-01',
      '2025-11-01' FROM account WHERE username LIKE 'came%' RETURNING *),
  told AS (
    INSERT INTO notification (account_id, kind, title, body, message_id, alert_ids, state, created_at,
      send_at)
    SELECT account_id, 'reminder', '', '', gen_random_uuid(), '{}', 'queued', at, at
    FROM phone, generate_series('2025-11-03'::timestamptz, '2025-11-28', '5 days') at RETURNING *)
  INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at, sent_at)
  SELECT told.id, phone.id, 'expo',
    CASE WHEN platform = 'android' AND told.id % 5 = 0 THEN 'missed' ELSE 'sent' END,
    send_at, send_at, send_at, send_at + interval '5 seconds'
  FROM told JOIN phone USING (account_id)`;

/**
 * Makes what else a year of care is, beside doses: accounts that come and sign in, polls, appointments,
 * medicines and deliveries, up to the end of 2025.
 */
export async function makeClinic(service: Harness): Promise<void> {
  for (const statement of [ACCOUNTS, POLLS, APPOINTMENTS, MEDICINES, DELIVERIES])
    await service.database.query(statement);
  await service.database.query(
    `INSERT INTO report_stale
     SELECT unnest(ARRAY['account', 'cohort', 'reminderCohort']), month::date
     FROM generate_series('2024-01-01'::date, '2025-12-01', '1 month') month
     ON CONFLICT DO NOTHING`,
  );
  await makeCells(service);
}
