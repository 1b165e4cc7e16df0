import fc from 'fast-check';
import { serviceContext } from '../../../src/core/service-context.js';
import { renewCells } from '../../../src/domains/reports/rollup/cells.service.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { useService } from '../../support/harness.js';
import { tighten } from './histories.js';

const service = useService();
const sql = <T extends object>(text: string, values: unknown[] = []) =>
  service().database.query<T>(text, values);
const context = () => serviceContext(service().app.deps, 'test');
const RUNS = Number(process.env.CELL_RUNS ?? 12);

/** Facts of doses of some accounts in two months, drawn by a seed. */
const addFacts = (accounts: string, each: number, seed: number) =>
  sql(
    `INSERT INTO dose_fact (account_id, at, day, hour, medicine_type, schedule_kind, outcome, late_minutes, reminder_days)
     SELECT id, day + hour * interval '1 hour', day, hour, type, kind, outcome,
       CASE outcome WHEN 'taken' THEN h[7] * 2 - 100 END, h[8]
     FROM (SELECT a.id, h, date '2026-01-20' + h[1] % 24 AS day, h[2] % 24 AS hour,
         (ARRAY['', 'tablet', 'drops', 'spray'])[1 + h[3] % 4] AS type,
         (ARRAY['calendar', 'elapsed', 'rule'])[1 + h[4] % 3] AS kind,
         (ARRAY['taken', 'taken', 'missed', 'skipped', 'asNeeded'])[1 + h[5] % 5] AS outcome
       FROM (SELECT id FROM account WHERE ${accounts}) a, generate_series(1, $1::int) n,
         LATERAL (SELECT array_agg(get_byte(sha256((a.id || ' ' || n || ' ' || $2::text)::bytea), i) ORDER BY i) AS h
           FROM generate_series(0, 8) i) drawn) fact`,
    [each, String(seed)],
  );

/** What may happen to facts and accounts: SQL with a number. */
const CHANGES: readonly ((n: number) => Promise<unknown>)[] = [
  (n) => addFacts(`id % 97 = ${n % 97}`, 1 + (n % 4), n),
  (n) => addFacts(`id % 7 = ${n % 7}`, 1, n),
  (n) => sql(`DELETE FROM dose_fact WHERE account_id % 41 = ${n % 41} AND hour > ${n % 24}`),
  (n) => sql(`DELETE FROM dose_fact WHERE account_id % 53 = ${n % 53}`),
  (n) => sql(`DELETE FROM account WHERE id % 61 = ${n % 61}`),
  (n) =>
    sql(`UPDATE account SET language_id = (SELECT id FROM language ORDER BY id OFFSET ${n % 3} LIMIT 1)
      WHERE id % 31 = ${n % 31}`),
  (n) => sql(`UPDATE account SET roles = '{guest}' WHERE id % 29 = ${n % 29}`),
  (n) => sql(`UPDATE account SET email_proven_at = NULL WHERE id % 37 = ${n % 37}`),
  (n) =>
    sql(`UPDATE account SET created_at = '2025-01-01', email_proven_at = '2025-01-02', roles = '{subscriber}'
      WHERE id % 37 = ${n % 37}`),
];

async function addAccounts(count: number): Promise<void> {
  await sql(
    `INSERT INTO account (username, username_key, name, slug, roles, language_id, time_zone, created_at, email_proven_at)
     SELECT n, n, n, n, ARRAY['subscriber'], (SELECT id FROM language ORDER BY id OFFSET i % 3 LIMIT 1), 'UTC',
       '2025-06-01', CASE WHEN i % 4 > 0 THEN '2025-06-02'::timestamptz END
     FROM (SELECT i, 'm' || i AS n FROM generate_series(1, $1::int) i) named`,
    [count],
  );
}

interface Cell {
  readonly name: string;
  readonly known: unknown;
  readonly tops: number[];
  readonly sketch: number[];
}

const cells = () =>
  sql<Cell>(`SELECT concat_ws(' ', grid, date, keys) AS name,
      jsonb_build_array(accounts, eligible, sums, buckets) AS known, tops, sketch
    FROM report_cell WHERE subject = 'dose' ORDER BY 1`);

/** Makes all months whole. */
async function rebuild(): Promise<void> {
  await sql(`INSERT INTO report_stale (subject, month)
    SELECT subject, month FROM report_month WHERE subject = 'dose'`);
  await renewCells(await context());
}

describe('Cells that follow the log of their facts', () => {
  const change = fc.tuple(fc.nat({ max: CHANGES.length - 1 }), fc.nat({ max: 10_000 }));
  const steps = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 3,
  });

  it.each([5, 40, 900])(
    'are those that are made whole, whatever came and went: %d accounts',
    async (accounts) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), steps, async (seed, batches) => {
          await service().clean();
          service().at('2026-02-12T12:00:00Z');
          await addAccounts(accounts);
          await addFacts('true', 6, seed);
          await renewCells(await context());
          for (const batch of batches) {
            for (const [kind, n] of batch) await CHANGES[kind]?.(n);
            await renewCells(await context());
          }
          expect(await sql('SELECT FROM report_change')).toStrictEqual([]);
          const followed = await cells();
          await tighten(service());
          const tightened = await cells();
          await rebuild();
          const whole = await cells();
          expect(tightened).toStrictEqual(whole);
          // Until it is tightened nothing but the largest and the least hashes may differ.
          const known = ({ name, known }: Cell) => ({ name, known });
          const days = (all: Cell[]) =>
            all.filter(({ name }) => !/^(week|quarter)( |$)/.test(name));
          expect(days(followed).map(known)).toStrictEqual(days(whole).map(known));
          for (const [i, { tops }] of days(followed).entries())
            for (const [j, top] of tops.entries())
              expect(top).toBeGreaterThanOrEqual(days(whole)[i]?.tops[j] ?? 0);
        }),
        { numRuns: Math.ceil(RUNS / (accounts > 100 ? 4 : 1)), endOnFailure: true },
      );
    },
  );
});

describe('A month that is long to make', () => {
  const asOf = async (report: string) =>
    (await service().data(`{ ${report}(range: LAST_30_DAYS) { asOf } }`, {}, 'analyst'))[report]
      .asOf;

  it('rests, and holds up the time of its own subject alone', async () => {
    service().at('2026-02-12T12:00:00Z');
    await sql("INSERT INTO report_stale (subject, month) VALUES ('account', '2026-02-01')");
    await renewRollups(await context());
    await sql(
      "UPDATE report_month SET rests_until = '2026-02-12T12:20Z' WHERE subject = 'account'",
    );
    service().at('2026-02-12T12:10:00Z');
    await sql("INSERT INTO report_stale (subject, month) VALUES ('account', '2026-02-01')");
    await renewRollups(await context());
    expect(await asOf('accountReport')).toBe('2026-02-12T12:00:00.000Z');
    expect(await asOf('doseReport')).toBe('2026-02-12T12:10:00.000Z');
    service().at('2026-02-12T12:21:00Z');
    await renewRollups(await context());
    expect(await asOf('accountReport')).toBe('2026-02-12T12:21:00.000Z');
  });
});
