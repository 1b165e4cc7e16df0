// Cohorts and drop-off: accounts and reminders in the weeks since they were made.
import fc from 'fast-check';
import { serviceContext } from '../../../src/core/service-context.js';
import { dayAfter } from '../../../src/domains/reports/period.js';
import {
  rebuildRollups,
  renewRollups,
} from '../../../src/domains/reports/rollup/rollup.service.js';
import { useService } from '../../support/harness.js';
import { tighten } from './histories.js';

const service = useService();
const context = () => serviceContext(service().app.deps, 'test');
const renew = async () => renewRollups(await context());
const sql = <T extends object>(text: string, values: unknown[] = []) =>
  service().database.query<T>(text, values);
const ask = async (document: string) => service().data(`{ ${document} }`, {}, 'analyst');
const refusal = async (document: string) =>
  (await service().ask(`{ ${document} }`, {}, 'analyst')).errors[0];

const FIRST = '2026-01-05';
const WEEKS = [0, 1, 2, 3, 4, 5, 6, 7];
const RANGE = 'from: "2026-01-01", to: "2026-03-31", first: 200';

/** Makes members of two weeks. The i-th answers for a dose in each of the first `i % 8` weeks. */
async function makeCohorts(): Promise<void> {
  for (const [week, members] of [40, 60].entries())
    await sql(
      `WITH made AS (INSERT INTO account (username, username_key, name, slug, roles, language_id,
          created_at, email_proven_at)
        SELECT n, n, n, n, ARRAY['subscriber'], 1, $2::timestamptz + interval '30 hours', $2::timestamptz
        FROM (SELECT 'c' || $3::int || 'x' || i AS n FROM generate_series(1, $1::int) i) names
        RETURNING id, split_part(username, 'x', 2)::int AS i),
      reminders AS (INSERT INTO reminder (kind, account_id, creator_id, name, scheduled, recognized,
          follows, zone, zone_source, start_local, times, times_source, until_at, created_at, updated_at)
        SELECT 'medicine', id, id, 'n', true, true, true, 'UTC', 'site', '2026-01-01T08:00:00', '{}',
          'default', $2::timestamptz + (i % 8) * interval '7 days' - interval '1 second', $2, $2 FROM made)
      INSERT INTO dose (account_id, answer, at, name, logged_by_id, logged_at)
      SELECT id, 'taken', at, 'n', id, at FROM made, LATERAL (SELECT
        $2::timestamptz + k * interval '7 days' + interval '3 days' AS at FROM generate_series(0, i % 8 - 1) k) w`,
      [members, dayAfter(FIRST, 7 * week), week],
    );
}

const MEASURES = ['accountWeeks', 'active', 'activeRate', 'stopped', 'dropOffRate', 'members'];
const intervals = (names: readonly string[]) =>
  `${names.join(' ')} withheld interval { ${names.map((name) => `${name} { low high }`).join(' ')} }`;

/** What the members of a cohort are in a week. */
function truthIn(members: number, week: number): Readonly<Record<string, number>> {
  const lasts = Array.from({ length: members }, (_, i) => (i + 1) % 8);
  const active = lasts.filter((last) => week < last).length;
  const stopped = week < 4 ? 0 : lasts.filter((last) => last <= week - 3).length;
  const rates = { activeRate: active / members, dropOffRate: stopped / members };
  return { accountWeeks: members, members, active, stopped, ...rates };
}

describe('Cohorts', () => {
  beforeEach(() => service().at('2026-04-20T12:00:00Z'));

  it('are within their intervals, by the week of signing up and the weeks since', async () => {
    await makeCohorts();
    await renew();
    const { rows } = (
      await ask(`cohortReport(${RANGE}) { rows { signUpWeek weeksSince ${intervals(MEASURES)} } }`)
    ).cohortReport;
    const seen = rows.filter(({ signUpWeek }: { signUpWeek: string }) => signUpWeek >= FIRST);
    expect(seen.length).toBeGreaterThan(16);
    const tally = { all: 0, held: 0 };
    for (const { signUpWeek, weeksSince, interval, withheld } of seen) {
      if (withheld) continue;
      const truth = truthIn(signUpWeek === FIRST ? 40 : 60, weeksSince);
      for (const name of MEASURES) {
        const real = truth[name] ?? Number.NaN;
        tally.all++;
        if (interval[name].low <= real && real <= interval[name].high) tally.held++;
      }
    }
    expect(tally.all).toBeGreaterThan(80);
    expect(tally.held / tally.all).toBeGreaterThanOrEqual(0.95);
  });

  it('are stored as they are counted, week by week, and reminders until they end', async () => {
    await makeCohorts();
    await renew();
    const cells = async (subject: string) =>
      new Map(
        (
          await sql<{ keys: string[]; sums: number[] }>(
            `SELECT keys, sums FROM report_cell WHERE subject = $1
               AND grid IN ('signUpWeek weeksSince', 'startWeek weeksSince')`,
            [subject],
          )
        ).map(({ keys, sums }) => [keys.join(' '), sums.map(Number)]),
      );
    const [accounts, reminders] = [await cells('cohort'), await cells('reminderCohort')];
    for (const [cohort, members] of [40, 60].entries())
      for (const week of WEEKS) {
        const key = `${dayAfter(FIRST, 7 * cohort)} ${week}`;
        const { active = 0, stopped = 0 } = truthIn(members, week);
        expect([key, accounts.get(key)]).toStrictEqual([key, [members, active, stopped]]);
        const ended = Array.from({ length: members }, (_, i) => (i + 1) % 8 <= week + 1);
        expect([key, reminders.get(key)]).toStrictEqual([
          key,
          [members, ended.filter((each) => each).length],
        ]);
      }
  });

  it('are of weeks that are over alone, as time passes', async () => {
    service().at('2026-01-19T11:00:00Z');
    await makeCohorts();
    const weeks = async () => {
      await renew();
      const [row] = await sql<{ weeks: number }>(
        `SELECT count(*)::int AS weeks FROM report_cell WHERE subject = 'cohort'
           AND grid = 'signUpWeek weeksSince' AND keys[1] = $1`,
        [FIRST],
      );
      return row?.weeks;
    };
    expect(await weeks()).toBe(1);
    service().at('2026-01-19T12:10:00Z');
    expect(await weeks()).toBe(2);
  });

  it('are asked for whole months, of the last twelve unless the question says', async () => {
    const { message, extensions } = await refusal(
      'cohortReport(from: "2026-01-10", to: "2026-03-31") { rows { weeksSince active } }',
    );
    expect([extensions.code, message]).toStrictEqual([
      'TOO_MANY_DIMENSIONS',
      'There are numbers of whole months and quarters alone. Ask for 2026-01-01 to 2026-03-31.',
    ]);
    const { cohortReport } = await ask('cohortReport { from to rows { date active } grain }');
    expect(cohortReport).toStrictEqual({
      from: '2025-04-01',
      to: '2026-03-31',
      rows: [],
      grain: 'MONTH',
    });
    expect(
      (await refusal('cohortReport(filter: { weeksSince: ["53"] }) { total { active } }'))
        .extensions.code,
    ).toBe('FILTER_INVALID');
  });

  it('are added up over weeks of several months by a filter', async () => {
    await makeCohorts();
    await renew();
    const weeks = [0, 1, 2, 3, 4, 5].map((week) => `"${week}"`).join(', ');
    const starts = [FIRST, dayAfter(FIRST, 7)].map((start) => `"${start}"`).join(', ');
    const { byStart, bySince, byMonth, more } = await ask(`
      byStart: cohortReport(${RANGE}, filter: { weeksSince: [${weeks}] }) {
        rows { signUpWeek accountWeeks withheld } }
      bySince: cohortReport(${RANGE}, filter: { signUpWeek: [${starts}] }) {
        rows { weeksSince accountWeeks withheld } }
      byMonth: cohortReport(${RANGE}, filter: { weeksSince: [${weeks}], signUpWeek: [${starts}] }) {
        rows { month accountWeeks withheld } total { accountWeeks withheld } }
      more: cohortReport(${RANGE}, filter: { weeksSince: ["1"], signUpWeek: [${starts}, "2026-01-19"] }) {
        total { accountWeeks withheld } }`);
    const shown = { accountWeeks: expect.any(Number), withheld: null };
    const seen = byStart.rows.filter(
      ({ signUpWeek }: { signUpWeek: string }) => signUpWeek >= FIRST,
    );
    expect(seen).toStrictEqual([
      { signUpWeek: FIRST, ...shown },
      { signUpWeek: dayAfter(FIRST, 7), ...shown },
    ]);
    expect(bySince.rows.length).toBeGreaterThan(9);
    for (const row of bySince.rows) expect(row).toMatchObject(shown);
    expect(byMonth.rows).toStrictEqual([
      { month: '2026-01-01', ...shown },
      { month: '2026-02-01', ...shown },
    ]);
    expect(byMonth.total).toStrictEqual(shown);
    // Nobody signed up in that week: it is answered as one that is hidden.
    expect(more.total).toStrictEqual({ accountWeeks: null, withheld: 'PARTLY_FEW_ACCOUNTS' });
  });

  it('count as many weeks in a cell of all weeks as it has', async () => {
    await makeCohorts();
    await renew();
    const { rows } = (
      await ask(`cohortReport(from: "2026-01-01", to: "2026-03-31", filter: { signUpWeek: ["${FIRST}"] }) {
        rows { month accountWeeks members interval { accountWeeks { low high } } } }`)
    ).cohortReport;
    // The noise is that of one week, so many times: January has four, February four, March five.
    const [january, february, march] = rows;
    expect(january.accountWeeks).toBe(february.accountWeeks);
    expect(Math.abs(march.accountWeeks - january.accountWeeks * 1.25)).toBeLessThanOrEqual(5.625);
    expect(new Set(rows.map(({ members }: { members: number }) => members)).size).toBe(1);
  });

  it('are made again where a process of an earlier version forgot to', async () => {
    await makeCohorts();
    await renew();
    const all = () =>
      sql("SELECT * FROM report_cell WHERE subject ~* 'cohort' ORDER BY 1, 2, 3, 4");
    const before = await all();
    await sql("DELETE FROM report_cell WHERE subject ~* 'cohort'");
    await sql("DELETE FROM report_month WHERE subject ~* 'cohort'");
    await renew();
    expect(await all()).toStrictEqual(before);
    expect(before.length).toBeGreaterThan(100);
  });

  it('do not make a month again for who signs up today', async () => {
    await makeCohorts();
    await renew();
    const marked = async (at: string) => {
      await sql('DELETE FROM report_stale');
      await sql('DELETE FROM report_change');
      await sql(
        `INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at)
         VALUES ($1, $1, $1, $1, ARRAY['subscriber'], 1, $2)`,
        [`n${at}`, at],
      );
      const rows = await sql<{ month: string }>(
        `SELECT month::text FROM report_stale WHERE subject = 'cohort'
         UNION SELECT month::text FROM report_change WHERE subject = 'cohort' ORDER BY 1`,
      );
      return rows.map(({ month }) => month);
    };
    expect(await marked('2026-04-20T13:00:00Z')).toStrictEqual([]);
    // The week from 13 April is over in every zone since this noon.
    expect(await marked('2026-04-14T11:00:00Z')).toStrictEqual(['2026-04-01']);
    expect(await marked('2026-04-08T11:00:00Z')).toStrictEqual(['2026-03-01', '2026-04-01']);
  });

  it('order weeks as numbers, and filter by them', async () => {
    await makeCohorts();
    await renew();
    const { rows } = (
      await ask(`cohortReport(${RANGE}, filter: { weeksSince: ["2", "10"] }) {
        rows { weeksSince accountWeeks } }`)
    ).cohortReport;
    expect(rows.map(({ weeksSince }: { weeksSince: number }) => weeksSince)).toStrictEqual([2, 10]);
    expect(rows[0].accountWeeks).toBeGreaterThan(80);
  });
});

describe('Cells of cohorts', () => {
  /** January is closed 14 days after its end. */
  const LATEST = Date.parse('2026-02-14T00:00:00Z');
  const step = fc.tuple(
    fc.constantFrom(
      'pass',
      'pass',
      'answer',
      'late',
      'undo',
      'move',
      'join',
      'role',
      'end',
      'renew',
    ),
    fc.nat({ max: 1000 }),
  );

  async function act(what: string, n: number): Promise<void> {
    const now = new Date(service().now()).toISOString();
    const pick = (table: string) =>
      `(SELECT id FROM ${table} ORDER BY id OFFSET ${n} % greatest(1, (SELECT count(*) FROM ${table})) LIMIT 1)`;
    if (what === 'renew') return renew();
    if (what === 'pass')
      return service().at(Math.min(LATEST, service().now() + ((n % 200) + 1) * 3_600_000));
    if (what === 'answer' || what === 'late')
      await sql(
        `INSERT INTO dose (account_id, answer, at, name, logged_by_id, logged_at)
         SELECT id, 'taken', $1::timestamptz - $2 * interval '1 hour', 'n', id, $1::timestamptz FROM account
         WHERE id = ${pick('account')}`,
        [now, what === 'late' ? n % 900 : 0],
      );
    else if (what === 'undo') await sql(`DELETE FROM dose WHERE id = ${pick('dose')}`);
    else if (what === 'move')
      await sql(`UPDATE dose SET at = at - interval '9 days' WHERE id = ${pick('dose')}`);
    else if (what === 'role')
      await sql(`UPDATE account SET roles = ARRAY[CASE WHEN 'guest' = ANY(roles) THEN 'subscriber'
        ELSE 'guest' END] WHERE id = ${pick('account')}`);
    else if (what === 'end')
      await sql(`UPDATE reminder SET deleted_at = $1 WHERE id = ${pick('reminder')}`, [now]);
    else
      await sql(
        `WITH made AS (INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at)
           SELECT n, n, n, n, ARRAY['subscriber'], 1, $1::timestamptz
           FROM (SELECT 'j' || (random() * 1e9)::int AS n) names RETURNING id)
         INSERT INTO reminder (kind, account_id, creator_id, name, scheduled, recognized, follows, zone,
           zone_source, start_local, times, times_source, created_at, updated_at)
         SELECT 'medicine', id, id, 'n', true, true, true, 'UTC', 'site', '2026-01-01T08:00:00', '{}',
           'default', $1, $1 FROM made`,
        [now],
      );
  }

  const cells = () =>
    sql(
      `SELECT subject, grid, date::text, keys, accounts, sums, tops FROM report_cell
       WHERE subject IN ('cohort', 'reminderCohort') ORDER BY 1, 2, 3, 4`,
    );

  it('that were lived are those that are built again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        await service().clean();
        service().at('2026-01-07T09:00:00Z');
        await act('join', 0);
        await act('join', 1);
        await renew();
        for (const [what, n] of steps) await act(what, n);
        await renew();
        await tighten(service());
        const lived = await cells();
        await rebuildRollups(await context(), () => undefined);
        expect(lived).toStrictEqual(await cells());
      }),
      { numRuns: Number(process.env.REPORT_HISTORIES ?? 8) },
    );
  });
});
