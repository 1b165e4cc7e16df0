import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { GRACE } from '../../reminders/calendar/occurrences.js';
import { SUBJECTS } from '../catalogue/catalogue.js';
import { countsDays } from '../catalogue/subject.js';
import { FACTS_KEPT } from './kept.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** Maximum number of alerts, or of members, that one statement reads. */
const AT_ONCE = 10_000;
/** Milliseconds after which a look at all that passed is rolled back: a day of many alerts. */
const LONGEST = 10 * 60_000;

const { sql } = Prisma;

/** The subjects that count weeks which are over. */
export const BY_WEEKS = SUBJECTS.filter((subject) => !countsDays(subject)).map(({ name }) => name);

/** The span of which is marked what passed, its ends included. */
interface Passed {
  readonly since: Date;
  readonly now: Date;
}

/**
 * Marks what time alone changed since the last time, once an hour and by one process: members of
 * whom a dose passed unanswered; months of appointments and weeks that are over; months since an
 * account was made that became eligible. After a day without any, all members who have a medicine
 * are marked. Who plans a reminder late marks its member (`report_planned_late`). One transaction:
 * at a kill the next process marks all of it. Returns `recent` when no hour is over, and
 * `elsewhere` while another process marks: then nobody knows yet what passed.
 */
export async function markPassed(
  context: RequestContext,
  now: Date,
): Promise<'marked' | 'recent' | 'elsewhere'> {
  if (await isRecent(context, now)) return 'recent';
  return transact(
    context,
    async (inner) => {
      const [lock] = await inner.rows<{ got: boolean }>(sql`
        SELECT pg_try_advisory_xact_lock(hashtextextended('passed doses', 0)) AS got`);
      if (!lock?.got) return 'elsewhere';
      if (await isRecent(inner, now)) return 'recent';
      const before = await lastTime(inner);
      const passed = { since: new Date(before - GRACE - HOUR), now };
      await (now.getTime() - before > DAY ? markAllMembers : markMissed)(inner, passed);
      await markAppointments(inner, passed);
      await markOthers(inner, passed);
      return 'marked';
    },
    { timeout: LONGEST },
  );
}

const isRecent = async (context: RequestContext, now: Date) =>
  now.getTime() - (await lastTime(context)) < HOUR;

/** Returns when what passed was marked last, in milliseconds; 0 for never. */
async function lastTime(context: RequestContext): Promise<number> {
  const [state] = await context.rows<{ asOf: Date }>(
    sql`SELECT as_of AS "asOf" FROM report_state WHERE subject = 'missed'`,
  );
  return state?.asOf.getTime() ?? 0;
}

/** Marks members who have a medicine, 10,000 at a time. */
async function markAllMembers(context: RequestContext, { since }: Passed): Promise<void> {
  for (let after: number | null = 0; after !== null; await giveWay()) {
    const [last]: { id: number | null }[] = await context.rows(sql`
      WITH marked AS (INSERT INTO report_due (account_id, from_at)
        SELECT DISTINCT account_id, ${since}::timestamptz FROM reminder
        WHERE account_id > ${after}::int AND kind = 'medicine' AND deleted_at IS NULL
          AND scheduled AND recognized AND (until_at IS NULL OR until_at >= ${since}::timestamptz)
        ORDER BY account_id LIMIT ${AT_ONCE}::int RETURNING account_id)
      SELECT max(account_id) AS id FROM marked`);
    after = last?.id ?? null;
  }
}

/** The last alert that was looked at: when it was due, and its id. */
interface LastAlert {
  readonly at: Date;
  readonly id: string;
}

/** Marks members of whom a dose passed unanswered, by the alerts about it, 10,000 at a time. */
async function markMissed(context: RequestContext, { since, now }: Passed): Promise<void> {
  let last: LastAlert | undefined = { at: since, id: '0' };
  for (; last; await giveWay()) last = await markSomeMissed(context, last, now);
}

/**
 * Marks those of the next alerts whose dose is missed by the clock, and no fact yet. A fact of a
 * missed dose of the same instant was made after it passed, with all others of its member.
 */
async function markSomeMissed(
  context: RequestContext,
  after: LastAlert,
  now: Date,
): Promise<LastAlert | undefined> {
  const grace = sql`make_interval(secs => ${GRACE / 1000}::int)`;
  const [last] = await context.rows<LastAlert>(sql`
    WITH alert AS MATERIALIZED (
      SELECT id, account_id, reminder_id, planned_at, due_at FROM reminder_alert
      WHERE due_at BETWEEN ${after.at}::timestamptz AND ${now}::timestamptz
        AND (due_at, id) > (${after.at}::timestamptz, ${after.id}::text::bigint)
      ORDER BY due_at, id LIMIT ${AT_ONCE}::int),
    marked AS (INSERT INTO report_due (account_id, from_at)
      SELECT alert.account_id, min(alert.planned_at)
      FROM alert JOIN reminder r ON r.id = alert.reminder_id
      WHERE alert.planned_at <= ${now}::timestamptz - ${grace} AND r.kind = 'medicine'
        AND (r.deleted_at IS NULL OR alert.planned_at <= r.deleted_at - ${grace})
        AND (alert.planned_at = ANY (r.withheld)) IS NOT TRUE
        AND NOT EXISTS (SELECT FROM dose d WHERE d.reminder_id = alert.reminder_id
          AND d.planned_at = alert.planned_at AND NOT d.extra)
        AND NOT EXISTS (SELECT FROM dose_fact f WHERE f.account_id = alert.account_id
          AND f.at = alert.planned_at AND f.outcome = 'missed')
      GROUP BY alert.account_id)
    SELECT due_at AS at, id::text FROM alert ORDER BY due_at DESC, id DESC LIMIT 1`);
  return last;
}

async function markAppointments(context: RequestContext, { since, now }: Passed): Promise<void> {
  await context.db
    .$queryRaw`SELECT count(report_note('appointment', account_id, ARRAY[month])) FROM (
    SELECT DISTINCT account_id, date_trunc('month', left(start_local, 10)::date)::date AS month FROM reminder
    WHERE kind = 'appointment' AND scheduled AND deleted_at IS NULL
      -- As the index has it; a day more on both sides.
      AND left(start_local, 10) BETWEEN ${dayOf(since.getTime() - 5 * DAY)} AND ${dayOf(now.getTime() + DAY)}) a`;
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Marks months of weeks that are over, and of accounts that became eligible; and notes the time. */
async function markOthers(context: RequestContext, { since, now }: Passed): Promise<void> {
  await context.db.$executeRaw`WITH week AS (
      INSERT INTO report_stale
      SELECT DISTINCT subject, date_trunc('month', monday)::date FROM generate_series(
          date_trunc('week', greatest(${since}::timestamptz,
            least((SELECT min(created_at) FROM account), (SELECT min(created_at) FROM reminder)),
            ${new Date(now.getTime() - FACTS_KEPT)}::timestamptz) AT TIME ZONE 'UTC' - interval '8 days'),
          ${now}::timestamptz AT TIME ZONE 'UTC', interval '7 days') AS monday,
        unnest(${BY_WEEKS}::text[]) AS subject
      WHERE (monday + interval '180 hours') AT TIME ZONE 'UTC'
        BETWEEN ${since}::timestamptz AND ${now}::timestamptz),
    eligible AS MATERIALIZED (
      SELECT id, created_at FROM account
      WHERE (email_proven_at BETWEEN ${since} AND ${now}
          OR created_at BETWEEN ${new Date(since.getTime() - 8 * DAY)} AND ${now})
        AND greatest(email_proven_at, created_at + interval '7 days')
          BETWEEN ${since} AND ${now}),
    counted AS (
      INSERT INTO report_change (subject, month, account_id)
      SELECT m.subject, m.month, m.account_id FROM report_member m JOIN eligible e ON e.id = m.account_id
      WHERE NOT m.eligible),
    of_eligible AS (
      INSERT INTO report_stale (subject, month)
      SELECT m.subject, m.month FROM report_month m, (SELECT min(created_at) AS first FROM eligible) a
      WHERE NOT m.closed AND m.logged_by IS NULL
        AND m.month >= date_trunc('month', a.first - interval '1 day'))
    INSERT INTO report_state (subject, as_of) VALUES ('missed', ${now})
    ON CONFLICT (subject) DO UPDATE SET as_of = greatest(report_state.as_of, excluded.as_of)`;
}
