import type { Harness } from '../../support/harness.js';
import { makeCells } from './crowd.js';

/**
 * Makes the facts of a year, 2025, of so many members, who join over the first half: of three
 * languages, five types of medicine, of which one is rare, and one to three doses on most days,
 * taken half an hour early to some hours late; of its months from a day on alone, if one is given.
 */
export async function makeYear(
  service: Harness,
  members: number,
  from = '2025-01-01',
): Promise<void> {
  await service.database.query(
    `WITH made AS (
      INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at,
        email_proven_at)
      SELECT n, n, n, n, ARRAY['subscriber'], 1 + (i * 7) % 10 / 5 + (i % 23 = 0)::int, '2024-01-01', '2024-01-01'
      FROM (SELECT i, 'year' || i AS n FROM generate_series(1, $1::int) i) names
      RETURNING id, substr(username, 5)::int AS i)
    INSERT INTO dose_fact SELECT id, at, day, hour, type, 'calendar', outcome,
      CASE WHEN outcome = 'taken' THEN late END, age
    FROM (SELECT id, day + make_interval(hours => 8 + 4 * h) AS at, day::date, 8 + 4 * h AS hour,
      (ARRAY['tablet', 'tablet', 'drops', 'spray', ''])[1 + i % 5] AS type,
      (ARRAY['taken', 'taken', 'taken', 'missed', 'skipped', 'asNeeded'])[
        1 + abs(hashint4(i * 1000 + extract(doy FROM day)::int * 3 + h)) % 6] AS outcome,
      (power(abs(hashint4(i * 991 + extract(doy FROM day)::int * 5 + h)) % 100, 2) / 40)::int - 30 AS late,
      (h + 1) * (extract(doy FROM day)::int - 1) AS age
    FROM made, generate_series($2::timestamptz, '2025-12-31', '1 day') day,
      generate_series(0, 2) h
    WHERE extract(doy FROM day) > i * 180 / $1 AND h <= i % 3
      AND abs(hashint4(i * 77 + extract(doy FROM day)::int)) % 4 > 0) f`,
    [members, from],
  );
  await makeCells(service);
}

/** Columns of SQL of the dates of facts `f`; `$4` is the first day of the week. */
export const TIME_COLUMNS: Readonly<Record<string, string>> = {
  day: 'f.day',
  week: '(f.day - ((extract(isodow FROM f.day)::int - $4::int + 7) % 7))',
  month: "date_trunc('month', f.day)::date",
  quarter: "date_trunc('quarter', f.day)::date",
  weekday: 'extract(isodow FROM f.day)::int',
  hour: 'f.hour::int',
};

/** Columns of SQL of the dimensions of doses. */
const COLUMNS: Readonly<Record<string, string>> = {
  ...TIME_COLUMNS,
  language: 'l.code',
  medicineType: "nullif(f.medicine_type, '')",
  punctuality: `CASE WHEN outcome IN ('skipped', 'missed') THEN outcome
    WHEN late_minutes <= -15 THEN 'early' WHEN late_minutes <= 15 THEN 'on_time'
    WHEN late_minutes <= 60 THEN 'late_hour' WHEN late_minutes <= 120 THEN 'late_two_hours'
    WHEN late_minutes > 120 THEN 'later' END`,
  reminderAge: `CASE WHEN reminder_days < 7 THEN 'first_week' WHEN reminder_days < 30 THEN 'first_month'
    WHEN reminder_days < 90 THEN 'first_quarter' WHEN reminder_days < 365 THEN 'first_year'
    ELSE 'older' END`,
};

/** A question about doses of 2025. */
export interface YearQuestion {
  readonly by: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly types?: readonly (string | null)[] | undefined;
  /** 1 for Monday, which is usual, to 7 for Sunday. */
  readonly weekStart?: number;
}

/** The true numbers of a row. */
export type Truth = Readonly<Record<string, number | null>>;

/** Answers a question by SQL, by the values of its dimensions; nothing where nothing happened. */
export async function truthOf(
  service: Harness,
  { by, from, to, types, weekStart = 1 }: YearQuestion,
): Promise<ReadonlyMap<string, Truth>> {
  const columns = by.map((name) => `(${COLUMNS[name]})::text`);
  const count = (outcome: string) => `(count(*) FILTER (WHERE outcome = '${outcome}'))::int`;
  const rows = await service.database.query<Truth & { key: string[] }>(
    `SELECT ARRAY[${columns.join(', ')}]::text[] AS key, count(DISTINCT account_id)::int AS members,
       ${count('taken')} AS taken, ${count('missed')} AS missed, ${count('asNeeded')} AS "asNeeded",
       (count(*) FILTER (WHERE outcome <> 'asNeeded'))::int AS scheduled,
       percentile_disc(0.5) WITHIN GROUP (ORDER BY late_minutes) AS "medianLateness",
       percentile_disc(0.9) WITHIN GROUP (ORDER BY late_minutes) AS "p90Lateness"
     FROM dose_fact f JOIN account a ON a.id = f.account_id JOIN language l ON l.id = a.language_id
     WHERE f.day BETWEEN $1 AND $2 AND $4::int > 0 AND ($3::text[] IS NULL OR f.medicine_type = ANY($3))
     ${columns.length > 0 ? `GROUP BY ${columns.join(', ')}` : ''} HAVING count(*) > 0`,
    [from, to, types ? types.map((type) => type ?? '') : null, weekStart],
  );
  return new Map(
    rows.map(({ key, ...row }) => [
      JSON.stringify(key),
      { ...row, adherenceRate: row.scheduled ? Number(row.taken) / Number(row.scheduled) : null },
    ]),
  );
}
