// Compares what was seeded with what the service would have planned, and what the transports got
// with what the database says.
import { readRecords } from './records.mjs';

const CHECKED = 300;

/**
 * Throws unless the occurrences of some reminders are those that the service's own schedules give.
 */
export async function checkSeed(client, { scheduleOf }, { expand, nextOccurrence }) {
  const { rows } = await client.query(
    `SELECT r.id, frequency_type AS "frequencyType", zone, start_local AS "startLocal", times, until_at AS "untilAt", recognized,
       planned_until AS "plannedUntil", plan_at AS "planAt", created_at AS "createdAt",
       ARRAY(SELECT planned_at FROM reminder_alert o WHERE o.reminder_id = r.id AND state = 'planned' ORDER BY planned_at) AS planned
     FROM reminder r ORDER BY md5(r.id::text) LIMIT $1`,
    [CHECKED],
  );
  for (const { planned, plannedUntil, planAt, ...reminder } of rows) {
    const schedule = scheduleOf(reminder);
    const looked = plannedUntil.getTime() - 48 * HOUR;
    const expected = [...expand(schedule, looked, plannedUntil.getTime())].map(({ at }) => at);
    const delay = ((reminder.id * 7_919) % (12 * 3_600)) * 1000;
    const next = Math.max(
      nextOccurrence(schedule, plannedUntil.getTime()).at - 48 * HOUR + delay,
      looked + 12 * HOUR,
    );
    // What came between the last look and now has gone out, and is not there.
    const given = planned.map((at) => at.getTime());
    if (
      given.some((at, i) => at !== expected[expected.length - given.length + i]) ||
      Math.abs(next - planAt.getTime()) > 1
    ) {
      throw new Error(
        `Reminder ${reminder.id} was not seeded as the service would have planned it.`,
      );
    }
  }
}
const HOUR = 60 * 60 * 1000;

/**
 * What became of each wave: how late it came, in seconds; what of it is not as it must be, by
 * counting. A wave is everything that was due for the first time at one instant. `meanwhile`: the
 * other pushes since the workers began.
 */
export async function ledgerOf(client, files, { waves, begun }) {
  await client.query('CREATE TEMP TABLE record (device_id int, at timestamptz, message_id uuid)');
  for (const file of files) {
    const { devices, instants, ids } = readRecords(file);
    await client.query(
      'INSERT INTO record SELECT d, to_timestamp(a / 1000), i::uuid FROM unnest($1::int[], ' +
        '$2::float8[], $3::text[]) AS r(d, a, i)',
      [devices, instants, ids],
    );
  }
  // A row for each push: which was to come, and when it came. What came unasked, or was asked for
  // and did not come, is a row as well.
  await client.query(
    `
    CREATE TEMP TABLE push AS
    WITH asked AS (
      SELECT n.message_id, v.id AS device_id, n.account_id, n.send_at FROM notification n JOIN device v ON v.account_id = n.account_id
      WHERE v.dead_at IS NULL AND n.kind = 'reminder' AND n.created_at >= $1
    ), came AS (
      SELECT message_id, device_id, min(at) AS at, count(*) AS times FROM record GROUP BY 1, 2
    )
    SELECT account_id, send_at, at, times, extract(epoch FROM at - send_at) AS late FROM asked FULL JOIN came USING (message_id, device_id)`,
    [new Date(begun)],
  );
  await client.query(
    'CREATE TEMP TABLE named AS SELECT unnest(alert_ids) AS id, id AS message, account_id FROM ' +
      'notification',
  );
  await client.query(
    'CREATE INDEX ON named (id); CREATE INDEX ON push (send_at); ANALYZE push, named',
  );
  const results = [];
  for (const at of waves) results.push(await waveOf(client, new Date(at)));
  const { rows } = await client.query(
    `SELECT count(*)::int AS count, COALESCE(percentile_disc(0.99) WITHIN GROUP (ORDER BY late), 0)::float8 AS p99, COALESCE(max(late), 0)::float8 AS last
     FROM push WHERE send_at > $1 AND send_at <> ALL($2)`,
    [new Date(begun), waves.map((at) => new Date(at))],
  );
  return { waves: results, meanwhile: rows[0] };
}

async function waveOf(client, at) {
  const { rows } = await client.query({
    text: `
    WITH due AS (
      SELECT o.id, o.account_id, o.state, row_number() OVER (ORDER BY o.id) AS place,
        (SELECT count(*) FROM named n WHERE n.id = o.id AND n.account_id = o.account_id) AS messages,
        (SELECT count(*) FROM named n WHERE n.id = o.id) AS mentions
      FROM reminder_alert o WHERE o.due_at = $1 AND o.cause = 'due'
    ), noisy AS (
      SELECT account_id, max(place) AS place FROM due GROUP BY 1 ORDER BY count(*) DESC LIMIT 1
    ), pushes AS (SELECT * FROM push WHERE send_at = $1)
    SELECT d.*, p.*, n.*,
      (SELECT max(late)::float8 FROM pushes WHERE account_id IN (SELECT d.account_id FROM due d, noisy o WHERE d.place > o.place AND d.place <= o.place + 1000)) AS behind,
      (SELECT COALESCE(max(late), 0)::float8 FROM push WHERE send_at > $1 AND send_at < $1::timestamptz + interval '1 minute') AS next,
      (SELECT count(*)::int FROM push WHERE send_at IS NULL) AS unasked
    FROM (SELECT count(*)::int AS due, count(DISTINCT account_id)::int AS accounts, count(*) FILTER (WHERE state NOT IN ('sent', 'late'))::int AS unsettled,
        count(*) FILTER (WHERE messages = 0)::int AS unnamed, count(*) FILTER (WHERE mentions > 1)::int AS repeated FROM due) d,
      (SELECT count(*)::int AS pushes, max(late)::float8 AS last, (percentile_disc(0.5) WITHIN GROUP (ORDER BY late))::float8 AS p50,
        (percentile_disc(0.99) WITHIN GROUP (ORDER BY late))::float8 AS p99,
        count(*) FILTER (WHERE at IS NULL)::int AS lost, count(*) FILTER (WHERE times > 1)::int AS doubled FROM pushes) p,
      (SELECT (SELECT max(late)::float8 FROM pushes WHERE account_id = noisy.account_id) AS noisy,
        (SELECT count(*)::int FROM (SELECT account_id FROM named WHERE id IN (SELECT id FROM due) GROUP BY 1 HAVING count(DISTINCT message) > 1) x) AS divided
        FROM noisy) n`,
    values: [at],
  });
  return rows[0];
}
