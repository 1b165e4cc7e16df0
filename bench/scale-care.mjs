// Members with their reminders, doses, notifications and deliveries, for scale-database.mjs.
import { addAccounts, addReminders } from './dispatch-seed.mjs';

const CHUNK = 100_000;
/** Steps that each reminder has behind it. */
const HISTORY = 400;
/** How many doses are answered of one reminder of a hundred, of the next nine, and of the others. */
const DOSES = [365, 45, 2];

/**
 * Adds three members for ten reminders, the reminders with their alerts, about ten doses for each,
 * the facts of these, and notifications of a year with the deliveries of the last month.
 */
export async function addCare(client, { reminders, say }) {
  const accounts = Math.ceil(reminders * 0.3);
  await addAccounts(client, accounts);
  say(`${accounts} members`);
  const plan = {
    reminders,
    accounts,
    due: Math.max(20, Math.floor(reminders / 1000)),
    noisy: 0,
    instants: [Date.now() + 3_600_000],
    history: HISTORY,
  };
  await client.query('ANALYZE account');
  for (let first = 0; first < reminders; first += CHUNK) {
    const last = Math.min(first + CHUNK, reminders) - 1;
    await addReminders(client, { ...plan, first, last });
    await addDoses(client, first + 1, last + 1);
    say(`${last + 1} reminders with their doses`);
  }
  await client.query(`INSERT INTO dose_fact (account_id, at, day, hour, medicine_type, schedule_kind, outcome, late_minutes, reminder_days)
    SELECT d.account_id, d.planned_at, (d.planned_at AT TIME ZONE r.zone)::date, extract(hour FROM d.planned_at AT TIME ZONE r.zone),
      'pill', CASE WHEN r.follows THEN 'calendar' ELSE 'elapsed' END, d.answer,
      CASE WHEN d.answer = 'taken' THEN extract(epoch FROM d.at - d.planned_at)::int / 60 END,
      greatest(0, (d.planned_at AT TIME ZONE r.zone)::date - left(r.start_local, 10)::date)
    FROM dose d JOIN reminder r ON r.id = d.reminder_id`);
  say('facts of the doses');
  await addNotifications(client);
  say('notifications and deliveries');
  await rested(client);
}

/** Answers to the last occurrences of reminders `first` to `last`, within a quarter of an hour. */
async function addDoses(client, first, last) {
  await client.query(
    `INSERT INTO dose (account_id, reminder_id, planned_at, answer, at, name, medicine_type, logged_by_id, logged_at)
     SELECT account_id, id, planned_at, CASE WHEN (id + j) % 12 = 0 THEN 'skipped' ELSE 'taken' END, at, name, 'pill', account_id, at
     FROM (
       SELECT r.account_id, r.id, r.name, j, p.planned_at, p.planned_at + (id + j) % 15 * interval '1 minute' AS at
       FROM reminder r,
         generate_series(1, CASE WHEN id % 100 = 0 THEN $3::int WHEN id % 100 < 10 THEN $4::int ELSE $5::int + id % 2 END) j,
         LATERAL (SELECT CASE WHEN follows
           THEN (start_local::timestamp + ($6::int - j) * CASE frequency_type WHEN 'weekly' THEN interval '7 days' ELSE interval '1 day' END)
             AT TIME ZONE zone
           ELSE start_local::timestamp AT TIME ZONE zone + ($6::int * 5 / 2 - j) * interval '8 hours' END AS planned_at) p
       WHERE id BETWEEN $1::int AND $2::int) given
     WHERE at < now()`,
    [first, last, ...DOSES, HISTORY],
  );
}

/** One for every fourth dose, that of every fifth unread; those of the last month were delivered. */
async function addNotifications(client) {
  await client.query(`
    INSERT INTO notification (account_id, kind, title, body, data, message_id, state, created_at, send_at, read_at)
    SELECT account_id, 'reminder', 'Reminder', 'It is time for your medicine.', '{"type":"medicine_reminder","occurrence_ids":["x-x"]}',
      gen_random_uuid(), 'queued', planned_at, planned_at, CASE WHEN id % 5 > 0 THEN at END
    FROM dose WHERE id % 4 = 0 AND planned_at > now() - interval '365 days'`);
  await client.query(`
    INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at, attempts, sent_at)
    SELECT n.id, v.id, v.kind, 'sent', send_at, send_at + interval '30 minutes', send_at, 1, send_at
    FROM notification n JOIN device v USING (account_id)
    WHERE v.dead_at IS NULL AND n.send_at > now() - interval '29 days'
      AND NOT EXISTS (SELECT FROM delivery d WHERE d.notification_id = n.id AND d.device_id = v.id)`);
}

/** What the job of reports has noted: it looked at everybody a minute ago. */
async function rested(client) {
  await client.query(
    `INSERT INTO report_state (subject, as_of) VALUES ('missed', now()), ('all', now())`,
  );
}
