import type { Harness } from '../../support/harness.js';
import { TIME_COLUMNS, type Truth } from './year.js';

/** Zones of the accounts of the year, with their countries. */
export const ZONES = {
  'Europe/Berlin': 'DE',
  'Europe/Paris': 'FR',
  'America/New_York': 'US',
  'America/Chicago': 'US',
};

/** How SQL answers questions about a subject, from the tables of what happened. */
export interface SubjectTruth {
  /** SQL of what happened: account_id, day, hour and a column for each dimension; null for none. */
  readonly facts: string;
  readonly dimensions: readonly string[];
  /** SQL of each count, which is at most `margin` off. */
  readonly counts: Readonly<Record<string, string>>;
  /** SQL of the other measures. */
  readonly others: Readonly<Record<string, string>>;
  /** Which of these are of spreads: they may be null for want of facts. */
  readonly quantiles: readonly string[];
  /** Which are rates: they may be null where the noise leaves nothing to divide by. */
  readonly rates: readonly string[];
  /** Values of a dimension that filters are made of. */
  readonly filter: { readonly name: string; readonly values: readonly (string | null)[] };
}

const inUtc = (at: string) =>
  `(${at} AT TIME ZONE 'UTC')::date AS day, extract(hour FROM ${at} AT TIME ZONE 'UTC')::int AS hour`;
const text = (column: string) => `nullif(lower(trim(coalesce(${column}, ''))), '')`;
const where = (condition: string) => `count(*) FILTER (WHERE ${condition})`;
const share = (of: string, all: string) => `${of}::float / nullif(${all}, 0)`;
const MEMBERS = 'count(DISTINCT account_id)';
const quantiles = (title: string, column: string) => ({
  [`median${title}`]: `percentile_disc(0.5) WITHIN GROUP (ORDER BY ${column})`,
  [`p90${title}`]: `percentile_disc(0.9) WITHIN GROUP (ORDER BY ${column})`,
});
const daysSince = (made: string, at: string) =>
  `((${at} AT TIME ZONE 'UTC')::date - (${made} AT TIME ZONE 'UTC')::date)`;
const ageOf = (days: string) => `CASE WHEN ${days} < 7 THEN 'first_week' WHEN ${days} < 30
  THEN 'first_month' WHEN ${days} < 90 THEN 'first_quarter' WHEN ${days} < 365 THEN 'first_year'
  ELSE 'older' END`;
const LANGUAGE = `(SELECT code FROM language l JOIN account a ON a.language_id = l.id
  WHERE a.id = e.account_id) AS language`;

/** The subjects that the year has, but doses, by their names. */
export const TRUTHS: Readonly<Record<string, SubjectTruth>> = {
  appointment: {
    facts: `SELECT account_id, ${LANGUAGE}, left(start_local, 10)::date AS day,
        substr(start_local, 12, 2)::int AS hour, ${text('event_type')} AS "eventType",
        attended_at IS NOT NULL AS is_attended, lead,
        CASE WHEN lead < 0 THEN 'afterwards' WHEN lead = 0 THEN 'same_day' WHEN lead < 8
          THEN 'up_to_week' WHEN lead < 31 THEN 'up_to_month' ELSE 'over_month' END AS "leadTime"
      FROM reminder e, LATERAL (SELECT
        left(start_local, 10)::date - (created_at AT TIME ZONE 'UTC')::date AS lead) l
      WHERE kind = 'appointment' AND deleted_at IS NULL`,
    dimensions: ['language', 'eventType', 'leadTime'],
    counts: { planned: 'count(*)', attended: where('is_attended') },
    others: {
      attendanceRate: share(where('is_attended'), 'count(*)'),
      members: MEMBERS,
      ...quantiles('LeadTime', 'lead'),
    },
    quantiles: ['medianLeadTime', 'p90LeadTime'],
    rates: ['attendanceRate'],
    filter: { name: 'eventType', values: ['visit', 'call', 'rare', null, 'other'] },
  },
  reminder: {
    facts: `SELECT e.account_id, ${LANGUAGE}, ${inUtc('e.created_at')}, e.kind,
        ${text('medicine_type')} AS "medicineType", deleted_at IS NOT NULL AS is_deleted,
        recognized, ${ageOf(daysSince('a.created_at', 'e.created_at'))} AS "accountAge"
      FROM reminder e JOIN account a ON a.id = e.account_id`,
    dimensions: ['language', 'kind', 'medicineType', 'accountAge'],
    counts: {
      created: 'count(*)',
      deleted: where('is_deleted'),
      unrecognized: where('NOT recognized'),
    },
    others: { unrecognizedRate: share(where('NOT recognized'), 'count(*)'), members: MEMBERS },
    quantiles: [],
    rates: ['unrecognizedRate'],
    filter: { name: 'kind', values: ['medicine', 'appointment', null] },
  },
  account: {
    facts: `SELECT e.account_id, ${LANGUAGE}, ${inUtc('e.at')}, act,
        a.time_zone AS zone, ('${JSON.stringify(ZONES)}'::jsonb ->> a.time_zone) AS country,
        ${ageOf(daysSince('a.created_at', 'e.at'))} AS "accountAge",
        CASE WHEN act = 'session.start' THEN ${daysSince('a.created_at', 'e.at')} END AS age
      FROM (SELECT id AS account_id, created_at AS at, CASE WHEN 'guest' = ANY(roles) THEN 'guest'
          ELSE 'person' END AS act FROM account
        UNION ALL SELECT subject_id, at, action FROM audit_event
          WHERE action IN ('account.upgrade', 'session.start')) e
      JOIN account a ON a.id = e.account_id`,
    dimensions: ['language', 'accountAge', 'zone', 'country'],
    counts: {
      created: where("act IN ('guest', 'person')"),
      guests: where("act = 'guest'"),
      guestsSignedUp: where("act = 'account.upgrade'"),
      sessions: where("act = 'session.start'"),
    },
    others: { signUps: where("act = 'person'"), active: MEMBERS, ...quantiles('Age', 'age') },
    quantiles: ['medianAge', 'p90Age'],
    rates: [],
    filter: { name: 'country', values: ['DE', 'FR', 'US', 'GB', null] },
  },
  notification: {
    facts: `SELECT n.account_id, ${LANGUAGE.replace('e.', 'n.')}, ${inUtc('d.due_at')},
        d.kind AS transport, n.kind, ${text('v.platform')} AS platform, d.state,
        CASE WHEN d.state IN ('accepted', 'sent') THEN extract(epoch FROM d.sent_at - d.due_at)::int
          END AS late
      FROM delivery d JOIN notification n ON n.id = d.notification_id
        JOIN device v ON v.id = d.device_id
      WHERE d.state IN ('accepted', 'sent', 'failed', 'dead', 'missed')`,
    dimensions: ['language', 'transport', 'kind', 'platform'],
    counts: {
      deliveries: 'count(*)',
      sent: 'count(late)',
      failed: where("state IN ('failed', 'dead')"),
      missed: where("state = 'missed'"),
    },
    others: {
      deliveryRate: share('count(late)', 'count(*)'),
      meanLateness: 'avg(late)::float',
      members: MEMBERS,
      ...quantiles('Lateness', 'late'),
    },
    quantiles: ['medianLateness', 'p90Lateness'],
    rates: ['deliveryRate', 'meanLateness'],
    filter: { name: 'kind', values: ['reminder', 'missed', 'message', 'test', null] },
  },
  poll: {
    facts: `SELECT account_id, ${LANGUAGE}, ${inUtc('submitted_at')}, poll_id::text AS poll,
        cardinality(option_ids) AS chosen FROM poll_submission e`,
    dimensions: ['language', 'poll'],
    counts: { submissions: 'count(*)', choices: 'coalesce(sum(chosen), 0)' },
    others: { choicesPerSubmission: share('sum(chosen)', 'count(*)'), members: MEMBERS },
    quantiles: [],
    rates: ['choicesPerSubmission'],
    filter: { name: 'language', values: ['en', null] },
  },
  pollChoice: {
    facts: `SELECT account_id, ${LANGUAGE}, ${inUtc('submitted_at')}, poll_id::text AS poll,
        chosen::text AS option FROM poll_submission e, unnest(option_ids) chosen`,
    dimensions: ['language', 'poll', 'option'],
    counts: { choices: 'count(*)' },
    others: { members: MEMBERS },
    quantiles: [],
    rates: [],
    filter: { name: 'language', values: ['en', null] },
  },
  form: {
    facts: `SELECT account_id, ${inUtc('received_at')}, form_id::text AS form,
        ${text('platform')} AS platform FROM form_submission`,
    dimensions: ['form', 'platform'],
    counts: { submissions: 'count(*)' },
    others: { senders: MEMBERS },
    quantiles: [],
    rates: [],
    filter: { name: 'platform', values: ['ios', 'web', null, 'other'] },
  },
  content: {
    facts: `SELECT id AS account_id, ${inUtc('published_at')}, kind, format, revision_count AS made
      FROM content_item WHERE status = 'publish'`,
    dimensions: ['kind', 'format'],
    counts: { published: 'count(*)', revisions: 'coalesce(sum(made), 0)' },
    others: { revisionsPerItem: share('sum(made)', 'count(*)') },
    quantiles: [],
    rates: ['revisionsPerItem'],
    filter: { name: 'kind', values: ['post', 'page', 'healthcare', null] },
  },
};

/** A question about a subject in 2025. */
export interface SubjectQuestion {
  readonly subject: string;
  readonly by: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly values?: readonly (string | null)[] | undefined;
  /** 1 for Monday to 7. */
  readonly weekStart: number;
}

/** Answers a question by SQL, by the values of its dimensions; nothing where nothing happened. */
export async function subjectTruth(
  service: Harness,
  { subject, by, from, to, values, weekStart }: SubjectQuestion,
): Promise<ReadonlyMap<string, Truth>> {
  const { facts, counts, others, filter } = TRUTHS[subject] as SubjectTruth;
  const columns = by.map((name) => `(${TIME_COLUMNS[name] ?? `f."${name}"`})::text`);
  const measures = Object.entries({ ...counts, ...others }).map(
    ([name, sql]) => `(${sql})::float AS "${name}"`,
  );
  const rows = await service.database.query<Record<string, number | null> & { key: string[] }>(
    `SELECT ARRAY[${columns.join(', ')}]::text[] AS key, ${measures.join(', ')} FROM (${facts}) f
     WHERE f.day BETWEEN $1 AND $2 AND $4::int > 0
       AND ($3::text[] IS NULL OR coalesce(f."${filter.name}", '') = ANY($3))
     ${columns.length > 0 ? `GROUP BY ${columns.join(', ')}` : ''} HAVING count(*) > 0`,
    [from, to, values ? values.map((value) => value ?? '') : null, weekStart],
  );
  return new Map(rows.map(({ key, ...row }) => [JSON.stringify(key), row]));
}
