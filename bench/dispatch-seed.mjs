// Members, their devices and carers, and their reminders, as the service would have written them by
// now: by SQL, in the same order every time.

/** The frequencies of ten reminders. */
const KINDS = [...Array(7).fill('daily'), 'FREQ=DAILY', 'every_8_hours', 'weekly'];
/** The most reminders a member may have. */
const MOST = 500;
const CHUNK = 100_000;
const SECOND = 1000;

/**
 * Fills an empty, migrated database, and answers the instants, in milliseconds, at each of which
 * `due` reminders are due: `waves` of them, `gap` seconds apart, the first soon after everything is
 * written, by what a rehearsal says. A member has about three reminders; in a wave one of six is a
 * member's second one. The first accounts, one for each wave, are noisy ones with as many reminders
 * in it as anybody may have.
 */
export async function fill(client, { reminders, due, waves, gap, web, progress }) {
  const accounts = Math.ceil(reminders * 0.3) + waves;
  const noisy = Math.min(MOST, Math.floor(due / 10));
  await client.query(
    `SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '128MB'; SELECT setseed(0.5)`,
  );
  await addAccounts(client, accounts, web);
  progress(`${accounts} accounts`);
  const instants = Array.from({ length: waves }, (_, i) => Date.now() + i * gap * SECOND);
  const add = (first) =>
    addReminders(client, {
      first,
      last: Math.min(first + CHUNK, reminders) - 1,
      reminders,
      due,
      instants,
      accounts,
      noisy,
    });
  const begun = Date.now();
  await add(0);
  await client.query(
    'TRUNCATE reminder, reminder_alert, notification, delivery RESTART IDENTITY CASCADE',
  );
  const needed = (Date.now() - begun) * Math.ceil(reminders / CHUNK);
  const start = Math.ceil((Date.now() + 1.4 * needed) / SECOND + 20) * SECOND;
  for (let i = 0; i < waves; i++) instants[i] = start + i * gap * SECOND;
  for (let first = 0; first < reminders; first += CHUNK) {
    await add(first);
    progress(`${Math.min(first + CHUNK, reminders)} reminders`);
  }
  await client.query(`SELECT setval(pg_get_serial_sequence(name, 'id'), 1 + most) FROM (
    SELECT 'account', max(id) FROM account UNION ALL SELECT 'device', max(id) FROM device
    UNION ALL SELECT 'reminder', max(id) FROM reminder) AS tables(name, most)`);
  await client.query('RESET session_replication_role');
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  return instants;
}

/** A push service of browsers that nobody reaches, with keys that nothing is encrypted for. */
const NOWHERE = {
  origin: 'https://push.example.com',
  p256dh: 'x'.repeat(87),
  auth: 'x'.repeat(22),
};

/**
 * Members 1 to `accounts`, with their devices, feeds, preferences and some carers. `web`: where
 * browsers get their pushes, and the keys of their subscriptions.
 */
export async function addAccounts(client, accounts, { origin, p256dh, auth } = NOWHERE) {
  await client.query(
    `INSERT INTO account (id, username, username_key, email, email_key, name, slug, roles, language_id, time_zone, created_at)
     SELECT i, 'member-' || i, 'member-' || i, 'member-' || i || '@example.com', 'member-' || i || '@example.com', 'Member ' || i,
       'member-' || i, '{subscriber}', 1 + (random() < 0.3)::int,
       (ARRAY['Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin', 'Europe/London', 'America/New_York', 'Asia/Kolkata'])[1 + i % 6],
       now() - random() * interval '800 days'
     FROM generate_series(1, $1::int) i`,
    [accounts],
  );
  // Most have one device, some two; one in fifty is dead. A token bears the device's id.
  await client.query(
    `WITH numbered AS (
      SELECT row_number() OVER (ORDER BY a.id, j) AS id, a.id AS account_id, random() AS kind, random() < 0.02 AS dead
      FROM account a, LATERAL generate_series(1, CASE WHEN a.id % 7 = 0 THEN 2 ELSE 1 END) j
    ), known AS (SELECT *, lpad(id::text, 22, '0') AS name FROM numbered)
    INSERT INTO device (id, account_id, kind, token, token_hash, platform, created_at, last_seen_at, dead_at)
    SELECT id, account_id, CASE WHEN kind < 0.6 THEN 'expo' WHEN kind < 0.9 THEN 'fcm' ELSE 'web' END,
      CASE WHEN dead THEN '' WHEN kind < 0.6 THEN 'ExponentPushToken[' || name || ']' WHEN kind < 0.9 THEN name || ':APA91b' || repeat('Xy3_', 33)
        ELSE json_build_object('endpoint', $1 || '/' || name, 'keys', json_build_object('p256dh', $2::text, 'auth', $3::text))::text END,
      encode(sha256(name::bytea), 'base64'), 'android', now() - interval '90 days', now() - interval '1 day', CASE WHEN dead THEN now() END
    FROM known`,
    [origin, p256dh, auth],
  );
  await client.query(
    `INSERT INTO feed (name, version) SELECT 'notifications:' || id, 20 FROM account`,
  );
  await client.query(`
    INSERT INTO notification_preference (account_id, quiet_start, quiet_end, lock_screen_names, renotify_minutes, renotify_times)
    SELECT id, CASE WHEN id % 3 = 0 THEN '22:00' END, CASE WHEN id % 3 = 0 THEN '07:00' END, id % 11 = 0,
      CASE WHEN id % 2 = 0 THEN 15 END, CASE WHEN id % 2 = 0 THEN 2 ELSE 0 END
    FROM account WHERE random() < 0.25`);
  await client.query(
    `
    INSERT INTO care_relation (member_id, carer_id, "right", position, created_at)
    SELECT a.id, b.id, 'see', 1, now() - interval '30 days' FROM (SELECT id, 1 + floor(random() * $1)::int AS carer FROM account) a
    JOIN account b ON b.id = a.carer WHERE a.id % 10 = 0 AND a.id <> b.id`,
    [accounts],
  );
}

/**
 * Reminders `first` to `last`, and their occurrences up to where the planning job would have
 * planned them when it looked at them last: see `lacking` and `delay` in
 * src/domains/reminders/alert/alert-plan.service.ts. Each began `history` steps before the next;
 * one of every eight hours, two and a half times as many.
 */
export async function addReminders(
  client,
  { first, last, reminders, due, instants, accounts, noisy, history = 20 },
) {
  const firsts = Math.ceil(((due - noisy) * 5) / 6);
  const others = accounts - instants.length;
  await client.query(
    `CREATE TEMP TABLE coming AS
     WITH numbered AS (
       SELECT i, i % $3::int AS wave, i / $3::int AS place, $4::text[] AS kinds FROM generate_series($1::int, $2::int) i
     ), placed AS (
       SELECT i, kinds[1 + (i / $3::int) % 10] AS frequency, w.at AS wave_at, w.number AS wave,
         w.at IS NOT NULL AND place >= $6::int / 2 AND place < $6::int / 2 + $7::int AS noisy,
         CASE WHEN place < $6::int / 2 THEN place ELSE place - $7::int END AS place
       FROM numbered n LEFT JOIN unnest($5::timestamptz[]) WITH ORDINALITY AS w(at, number) ON w.number = n.wave + 1 AND place < $6::int
     ), owned AS (
       SELECT i, frequency, wave_at, $9::int + 1 + CASE
           WHEN wave_at IS NULL THEN (i::bigint * 48271) % $10::int
           ELSE ((wave - 1) * $8::int + ((CASE WHEN place < $8::int THEN place ELSE (place - $8::int) * 5 END)::bigint * 7919) % $8::int) % $10::int
         END AS account_id, noisy, wave
       FROM placed
     ), timed AS (
       SELECT i + 1 AS id, CASE WHEN noisy THEN wave ELSE account_id END::int AS account_id, frequency,
         CASE frequency WHEN 'weekly' THEN interval '7 days' WHEN 'every_8_hours' THEN interval '8 hours' ELSE interval '1 day' END AS step,
         wave_at, make_interval(secs => (i + 1)::bigint * 7919 % 43200) AS delay, now() - random() * interval '400 days' AS created_at
       FROM owned
     ), following AS (
       SELECT t.*, a.time_zone AS zone,
         COALESCE(wave_at, date_trunc('minute', now() + interval '1 minute' + random() * step)) AS next_at
       FROM timed t JOIN account a ON a.id = t.account_id
     ), looked AS (
       SELECT *, next_at AT TIME ZONE zone AS next_local, frequency = 'every_8_hours' AS elapsed,
         CASE WHEN frequency = 'every_8_hours' THEN now() - random() * interval '12 hours'
           ELSE horizon - step * ceil(extract(epoch FROM horizon - now()) / extract(epoch FROM step)) END AS looked_at
       FROM (SELECT *, next_at - interval '48 hours' + delay + random() * interval '1 minute' AS horizon FROM following) f
     ), known AS (
       SELECT *, date_trunc('milliseconds', looked_at) AS planned_at,
         CASE WHEN elapsed THEN (next_at - $11::int * interval '20 hours') AT TIME ZONE zone ELSE next_local - $11::int * step END AS start_local,
         ARRAY(SELECT CASE WHEN elapsed THEN next_at + k * step ELSE (next_local + k * step) AT TIME ZONE zone END
           FROM generate_series(0, CASE WHEN elapsed THEN 7 ELSE 2 END) k) AS instants
       FROM looked
     )
     SELECT *, planned_at + interval '48 hours' AS planned_until,
       greatest((SELECT min(at) FROM unnest(instants) at WHERE at >= planned_at + interval '48 hours') - interval '48 hours' + delay,
         planned_at + interval '12 hours') AS plan_at
     FROM known`,
    [
      first,
      last,
      Math.floor(reminders / due),
      KINDS,
      instants.map((at) => new Date(at).toISOString()),
      due,
      noisy,
      firsts,
      instants.length,
      others,
      history,
    ],
  );
  await client.query(`
    INSERT INTO reminder (id, kind, account_id, creator_id, name, description, medicine_type, frequency_type, start_date, end_date,
      scheduled, recognized, follows, zone, zone_source, start_local, times, times_source, until_at, planned_until, plan_at, created_at, updated_at)
    SELECT id, 'medicine', account_id, account_id, 'Medicine ' || id % 997, 'Take it with water.', 'pill', frequency,
      to_char(start_local, 'YYYY-MM-DD"T"HH24:MI:SS'), CASE WHEN id % 3 = 0 THEN (current_date + 200)::text END,
      true, true, NOT elapsed, zone, 'profile', to_char(start_local, 'YYYY-MM-DD"T"HH24:MI:SS'),
      ARRAY[regexp_replace(to_char(start_local, 'HH24:MI:SS'), ':00$', '')], 'start_date',
      CASE WHEN id % 3 = 0 THEN (current_date + 201)::timestamp AT TIME ZONE zone - interval '1 millisecond' END,
      planned_until, plan_at, created_at, created_at
    FROM coming ORDER BY id`);
  await client.query(`
    INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time)
    SELECT id, account_id, 'due', at, at, to_char(at AT TIME ZONE zone, 'YYYY-MM-DD"T"HH24:MI:SS')
    FROM coming, unnest(instants) at WHERE at < planned_until ORDER BY id, at`);
  // What went out a step ago, of one reminder in ten: no table of a service that runs is empty.
  await client.query(`
    CREATE TEMP TABLE gone AS
    WITH settled AS (
      INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time, state, settled_at)
      SELECT id, account_id, 'due', next_at - step, next_at - step, to_char((next_at - step) AT TIME ZONE zone, 'YYYY-MM-DD"T"HH24:MI:SS'),
        'sent', next_at - step FROM coming WHERE id % 10 = 9
      RETURNING id, account_id, due_at
    ), told AS (
      INSERT INTO notification (account_id, kind, title, body, data, message_id, alert_ids, state, created_at, send_at)
      SELECT account_id, 'reminder', 'Reminder', 'It is time for your medicine.', '{"type":"medicine_reminder","occurrence_ids":["x-x"]}',
        gen_random_uuid(), ARRAY[id], 'queued', due_at, due_at FROM settled
      RETURNING id, account_id, send_at
    )
    SELECT * FROM told`);
  await client.query(`
    INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at, attempts, sent_at)
    SELECT g.id, v.id, v.kind, 'sent', send_at, send_at + interval '30 minutes', send_at, 1, send_at
    FROM gone g JOIN device v USING (account_id) WHERE v.dead_at IS NULL`);
  await client.query('DROP TABLE coming, gone');
}
