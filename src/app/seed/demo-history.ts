import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { serviceContext } from '../../core/service-context.js';
import { hold, transact } from '../../core/transact.js';
import { renewRollups } from '../../domains/reports/rollup/rollup.service.js';
import { giveWay } from '../../platform/jobs/give-way.js';

const AT_ONCE = 5;
const DAYS = 730;
/** The row of report_state that says that the demo's members are to be made. */
const PENDING = 'demo';

/**
 * Asks for two years of care of members, in the transaction of the first start. Their facts are made
 * with them: no dose is looked for that was missed before now.
 */
export async function askForHistory(context: RequestContext): Promise<void> {
  await context.db.$executeRaw`INSERT INTO report_state (subject, as_of)
    VALUES (${PENDING}, '1970-01-01Z'), ('missed', ${context.now()})`;
}

/**
 * Makes two years of care of DEMO_MEMBERS members where the first start asked for it, 5 members at
 * once, so that requests never wait long. Their courses ended yesterday: nothing of them comes any
 * more.
 */
export async function makeHistory(
  deps: Deps,
  stopping: AbortSignal,
  members = deps.config.DEMO_MEMBERS,
): Promise<void> {
  const context = await serviceContext(deps, 'demo care');
  let made = false;
  while (!stopping.aborted && (await transact(context, (inner) => makeSome(inner, members)))) {
    made = true;
    await giveWay();
  }
  if (made) await renewRollups(context, stopping);
}

/** Makes the next 5 members. Returns false when all are there. */
async function makeSome(context: RequestContext, members: number): Promise<boolean> {
  await hold(context, 'demo care');
  const { db } = context;
  const [pending] = await db.$queryRaw<{ subject: string }[]>`
    SELECT subject FROM report_state WHERE subject = ${PENDING}`;
  if (!pending) return false;
  const made = await db.account.count({ where: { username: { startsWith: 'demo-' } } });
  if (made >= members) {
    await db.$executeRaw`DELETE FROM report_state WHERE subject = ${PENDING}`;
    return false;
  }
  const today = context.now().toISOString().slice(0, 10);
  await makeMembers(context, made, today);
  await makeDoses(context, made, today);
  return true;
}

const nameOf = (number: number) => `demo-${String(number).padStart(3, '0')}`;

/** Makes members who joined over the first year, and the medicine that each takes. */
async function makeMembers({ db }: RequestContext, made: number, today: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO account (username, username_key, name, slug, roles, language_id, time_zone,
      created_at, email_proven_at)
    SELECT n, n, 'Demo member ' || i, n, ARRAY['subscriber'],
      (SELECT id FROM language ORDER BY (id * 7 + i * i) % 11, id LIMIT 1), 'UTC', day, day
    FROM (SELECT i, ${today}::date - ${DAYS}::int + (i * 37) % 365 AS day, 'demo-' || lpad(i::text, 3, '0') AS n
      FROM generate_series(${made + 1}::int, ${made + AT_ONCE}::int) i) names`;
  await db.$executeRaw`
    INSERT INTO reminder (kind, account_id, creator_id, name, medicine_type, frequency_type,
      start_date, end_date, scheduled, recognized, follows, zone, zone_source, start_local, times,
      times_source, until_at, created_at, updated_at)
    SELECT 'medicine', a.id, a.id, m.name, m.type,
      CASE WHEN a.id % 4 = 0 THEN 'twice_a_day' ELSE 'daily' END,
      to_char(a.created_at, 'YYYY-MM-DD'), to_char(${today}::date - 1, 'YYYY-MM-DD'),
      true, true, true, 'UTC', 'profile', to_char(a.created_at, 'YYYY-MM-DD') || 'T00:00:00',
      CASE WHEN a.id % 4 = 0 THEN ARRAY['08:00', '20:00'] ELSE ARRAY['08:00'] END, 'usual',
      ${today}::date - interval '1 second', a.created_at, a.created_at
    FROM account a JOIN (VALUES (0, 'Metformin 500 mg', 'tablet'), (1, 'Ramipril 5 mg', 'tablet'),
        (2, 'Vitamin D', 'capsule'), (3, 'Timolol', 'drops'), (4, 'Salbutamol', 'spray'))
      AS m(n, name, type) ON m.n = a.id % 5
    WHERE a.username BETWEEN ${nameOf(made + 1)} AND ${nameOf(made + AT_ONCE)}`;
}

/**
 * Makes what became of their doses: each member keeps to the plan in an own measure, less so in the
 * evening and at weekends, and better with the months. The facts are those that the calendar gives.
 */
async function makeDoses({ db }: RequestContext, made: number, today: string): Promise<void> {
  const [first, last] = [nameOf(made + 1), nameOf(made + AT_ONCE)];
  await db.$executeRaw`
    WITH planned AS (
      SELECT a.id AS account_id, r.id AS reminder_id, r.name, r.medicine_type, d::date AS day,
        t AS time, r.created_at AS made, (d::date::text || 'T' || t || ':00Z')::timestamptz AS at,
        abs(hashint4(a.id * 7919 + (d::date - '2000-01-01') * 31 + left(t, 2)::int)) % 100 AS luck,
        60 + abs(hashint4(a.id)) % 36 - CASE WHEN t > '12' THEN 8 ELSE 0 END
          - CASE WHEN extract(isodow FROM d) > 5 THEN 6 ELSE 0 END
          + (d::date - a.created_at::date) / 120 AS keeps
      FROM account a JOIN reminder r ON r.account_id = a.id,
        generate_series(a.created_at, ${today}::date - 1, interval '1 day') d, unnest(r.times) t
      WHERE a.username BETWEEN ${first} AND ${last}
    ), outcome AS (
      SELECT *, CASE WHEN luck < keeps THEN 'taken' WHEN luck < keeps + 4 THEN 'skipped'
        ELSE 'missed' END AS outcome FROM planned
    ), answered AS (
      INSERT INTO dose (account_id, reminder_id, planned_at, answer, at, name, medicine_type,
        logged_by_id, logged_at)
      SELECT account_id, reminder_id, at, outcome, at + luck * interval '1 minute', name,
        medicine_type, account_id, at + luck * interval '1 minute'
      FROM outcome WHERE outcome <> 'missed'
    )
    INSERT INTO dose_fact (account_id, at, day, hour, medicine_type, schedule_kind, outcome,
      late_minutes, reminder_days)
    SELECT account_id, at, day, left(time, 2)::int, medicine_type, 'calendar', outcome,
      CASE WHEN outcome = 'taken' THEN luck END, greatest(0, floor(extract(epoch FROM at - made) / 86400))::int
    FROM outcome`;
  // The facts are made already.
  await db.$executeRaw`DELETE FROM report_due WHERE account_id IN
    (SELECT id FROM account WHERE username BETWEEN ${first} AND ${last})`;
}
