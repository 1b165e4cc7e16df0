// Series of reports, the year before, and what is derived of rows and those before. The
// truth comes from SQL over the facts of 2025.
import { useService } from '../../support/harness.js';
import { makeCells, makeCrowd } from './crowd.js';
import { makeYear, truthOf } from './year.js';

const service = useService();
const NOW = '2026-02-01T12:00:00Z';
const YEAR = 'from: "2025-01-01", to: "2025-12-31"';
const doses = async (args: string, fields: string) =>
  (await service().data(`{ doseReport(${args}) { ${fields} } }`, {}, 'analyst')).doseReport;
const renew = () => makeCells(service());
const refused = async (args: string, fields: string) =>
  (await service().ask(`{ doseReport(${args}) { ${fields} } }`, {}, 'analyst')).errors?.[0];

interface Row {
  readonly [name: string]: unknown;
}
describe('A series', () => {
  it('has every date of the range up to today when it is filled: nothing is 0, hidden is null', async () => {
    service().at('2026-01-20T12:00:00Z');
    await makeCrowd(service(), [{ members: 20 }], 15);
    await service().database.query(
      `DELETE FROM dose_fact WHERE day = '2026-01-05'
         OR day = '2026-01-07' AND account_id % 20 <> 0`,
    );
    await service().database.query("INSERT INTO report_stale VALUES ('dose', '2026-01-01')");
    await renew();
    const { rows } = await doses(
      'from: "2026-01-01", to: "2026-01-31", fill: true',
      'rows { day taken adherenceRate withheld }',
    );
    expect([rows.length, rows.at(-1).day]).toStrictEqual([20, '2026-01-20']);
    const zero = { taken: 0, adherenceRate: null, withheld: null };
    expect(rows[4]).toStrictEqual({ day: '2026-01-05', ...zero });
    expect(rows[19]).toStrictEqual({ day: '2026-01-20', ...zero });
    expect(rows[6]).toMatchObject({ taken: null, withheld: 'FEW_ACCOUNTS' });
  });

  it('by a further value or a filter is filled with what is hidden, since zero would tell', async () => {
    service().at(NOW);
    await makeCrowd(service(), [{ members: 24 }, { members: 24, type: 'drops' }], 10);
    const range = 'from: "2026-01-01", to: "2026-01-12", fill: true';
    const { rows } = await doses(range, 'rows { day medicineType taken withheld }');
    expect(rows.length).toBe(24);
    const filtered = await doses(
      `${range}, filter: { medicineType: ["drops"] }`,
      'rows { day taken withheld }',
    );
    for (const row of [rows[23], rows[22], filtered.rows[11]])
      expect(row).toMatchObject({ day: '2026-01-12', taken: null, withheld: 'FEW_ACCOUNTS' });
  });

  it('of hours and weekdays is filled too', async () => {
    service().at(NOW);
    await makeCrowd(service(), [{ members: 60 }], 31);
    const { rows } = await doses(
      'from: "2026-01-01", to: "2026-01-31", fill: true',
      'rows { hour taken }',
    );
    expect(rows.map(({ hour }: Row) => hour)).toStrictEqual([...Array(24).keys()]);
    expect([rows[0].taken, rows[8].taken > 0]).toStrictEqual([0, true]);
  });

  it.each([
    ['from: "2025-03-01", to: "2025-04-14"', 'date', 'DAY', 45],
    ['from: "2025-03-01", to: "2025-04-15"', 'date', 'WEEK', 8],
    ['from: "2025-01-01", to: "2025-12-31"', 'date', 'MONTH', 12],
    ['from: "2022-01-01", to: "2025-12-31"', 'date', 'QUARTER', 16],
    ['from: "2025-03-01", to: "2025-03-31"', 'date medicineType language', 'MONTH', undefined],
    ['grain: QUARTER, from: "2025-01-01", to: "2025-12-31"', 'date', 'QUARTER', 4],
  ])('of %s by %s has the grain %s', async (args, by, expected, length) => {
    service().at(NOW);
    const { grain, rows } = await doses(`${args}, fill: true`, `grain rows { ${by} taken }`);
    expect(grain).toBe(expected);
    if (length) expect(rows.length).toBe(length);
    expect((await doses(args, 'grain rows { month taken }')).grain).toBeNull();
  });

  it.each([
    ['SUNDAY', 7],
    ['SATURDAY', 6],
  ] as const)('of weeks begins on %s, added up of days', async (weekStart, number) => {
    service().at(NOW);
    await makeYear(service(), 60);
    const range = { from: '2025-08-01', to: '2025-10-31' };
    const { rows } = await doses(
      `from: "${range.from}", to: "${range.to}", weekStart: ${weekStart}`,
      'rows { week withheld scheduled interval { scheduled { low high } } }',
    );
    const truth = await truthOf(service(), { by: ['week'], ...range, weekStart: number });
    expect(rows.length).toBe(truth.size);
    let held = 0;
    for (const { week, interval } of rows) {
      expect(new Date(week).getUTCDay()).toBe(number % 7);
      const { scheduled } = truth.get(JSON.stringify([week])) ?? {};
      if (
        interval.scheduled.low <= Number(scheduled) &&
        Number(scheduled) <= interval.scheduled.high
      )
        held++;
    }
    expect(held / rows.length).toBeGreaterThan(0.9);
  });
});

describe('The year before', () => {
  it.each(['day', 'month', 'quarter', ''])('by %s is of the same dates', async (by) => {
    service().at('2026-04-10T12:00:00Z');
    await makeCrowd(service(), [{ members: 60 }], 59);
    await service().database.query(
      `INSERT INTO dose_fact SELECT account_id, at - interval '365 days', day - 365, hour,
         medicine_type, schedule_kind, 'taken', 0 FROM dose_fact WHERE account_id % 2 = 0`,
    );
    await renew();
    const { rows, total, previousTotal } = await doses(
      'from: "2026-01-01", to: "2026-02-28", compare: PREVIOUS_YEAR',
      `rows { ${by} taken previous { taken missed withheld } } total { taken } previousTotal { taken interval { missed { low } } }`,
    );
    // Nobody missed anything; of thirty members the noise may be of six.
    expect(previousTotal.interval.missed.low).toBe(0);
    expect(previousTotal.taken).toBeLessThan(total.taken);
    for (const { previous } of rows)
      expect(previous).toMatchObject({ taken: expect.any(Number), withheld: null });
    if (by === 'day') {
      const [first] = (await doses('from: "2025-01-01", to: "2025-01-01"', 'rows { day taken }'))
        .rows;
      expect(rows[0].previous.taken).toBe(first.taken);
    }
  });

  it('by day is of the same dates on both sides of 29 February', async () => {
    service().at('2025-01-10T12:00:00Z');
    await renew();
    await service().database.query(
      `INSERT INTO report_cell SELECT 'dose', 'day', '2023-01-01'::date + d, '{}', 9000,
         ARRAY[1000 + 100 * d, 0, 0, 0], ARRAY[1, 1, 1, 1] FROM generate_series(0, 729) d`,
    );
    const by = 'rows { day taken previous { taken withheld } }';
    const { rows } = await doses(
      'from: "2024-01-02", to: "2024-12-30", compare: PREVIOUS_YEAR, first: 400',
      by,
    );
    expect(rows[0].previous.withheld).toBe('UNEQUAL_SPANS');
    const both = await doses(
      'from: "2024-02-20", to: "2025-01-05", compare: PREVIOUS_YEAR, first: 400',
      by,
    );
    expect(both.rows[0].previous.withheld).toBe('UNEQUAL_SPANS');
    const months = await doses(
      'from: "2024-02-01", to: "2024-03-31", compare: PREVIOUS_YEAR, first: 400',
      by,
    );
    const on = (day: string) => months.rows.find((row: Row) => row.day === day).previous;
    expect(on('2024-02-29').withheld).toBe('UNEQUAL_SPANS');
    // 1 March 2023 is 59 days after 1 January.
    expect(Math.abs(on('2024-03-01').taken - 6900)).toBeLessThanOrEqual(50);
  });

  it.each([
    ['of whole months is compared with as many', '2024-02-01', '2024-02-29', 'month', true],
    ['of a part with 29 February is not', '2024-02-10', '2024-03-05', 'month', false],
    ['of weeks is 52 weeks before', '2024-02-05', '2024-03-03', 'week', true],
    ['of 29 February alone is not', '2024-02-29', '2024-02-29', 'day', false],
  ])('%s', async (_, from, to, by, isEqual) => {
    service().at(NOW);
    await makeCrowd(service(), [{ members: 20 }], 59);
    const { previousTotal } = await doses(
      `from: "${from}", to: "${to}", compare: PREVIOUS_YEAR`,
      `rows { ${by} taken } previousTotal { taken withheld }`,
    );
    expect(previousTotal).toStrictEqual(
      isEqual ? { taken: 0, withheld: null } : { taken: null, withheld: 'UNEQUAL_SPANS' },
    );
  });
});

describe('What is derived of a series', () => {
  const NUMBERS =
    'scheduled adherenceRate withheld interval { scheduled { low high } adherenceRate { low high } }';

  it('is what SQL says of a row and those before', async () => {
    service().at(NOW);
    await makeYear(service(), 80);
    const range = { from: '2025-07-01', to: '2025-12-31' };
    const { rows } = await doses(
      `from: "${range.from}", to: "${range.to}", grain: MONTH, over: 3, first: 50`,
      `rows { date language cumulative { ${NUMBERS} } movingAverage { ${NUMBERS} } }`,
    );
    const truth = await truthOf(service(), { by: ['month', 'language'], ...range });
    const tally = { all: 0, held: 0 };
    const hold = ({ low, high }: { low: number; high: number }, real: number) => {
      tally.all++;
      if (low <= real + 1e-9 && real - 1e-9 <= high) tally.held++;
    };
    for (const { date, language, cumulative, movingAverage } of rows) {
      const before = [...truth]
        .filter(([key]) => JSON.parse(key)[1] === language && JSON.parse(key)[0] <= date)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, values]) => values);
      const sum = (list: typeof before, name: string) =>
        list.reduce((all, values) => all + Number(values[name]), 0);
      if (!cumulative.withheld) {
        hold(cumulative.interval.scheduled, sum(before, 'scheduled'));
        hold(cumulative.interval.adherenceRate, sum(before, 'taken') / sum(before, 'scheduled'));
      }
      if (date < '2025-09-01')
        expect(movingAverage).toMatchObject({ scheduled: null, withheld: 'BEFORE_RANGE' });
      else if (!movingAverage.withheld) {
        hold(movingAverage.interval.scheduled, sum(before.slice(-3), 'scheduled') / 3);
        hold(
          movingAverage.interval.adherenceRate,
          sum(before.slice(-3), 'taken') / sum(before.slice(-3), 'scheduled'),
        );
      }
    }
    expect(tally.all).toBeGreaterThan(30);
    expect(tally.held / tally.all).toBeGreaterThanOrEqual(0.95);
  });

  it('has a row with all of its values for each date with facts, also after today', async () => {
    service().at('2026-01-10T12:00:00Z');
    await makeCrowd(service(), [{ members: 120 }, { members: 120, type: 'drops' }], 12);
    const ask = (range: string, by: string) =>
      doses(range, `rows { ${by} taken cumulative { taken } } total { taken }`);
    for (const by of ['day', 'week', 'month', 'date', 'day medicineType', 'day language'])
      for (const fill of ['true', 'false'])
        for (const to of ['10', '11', '12', '31']) {
          const range = `from: "2026-01-05", to: "2026-01-${to}", grain: DAY, fill: ${fill}`;
          if (/week|month/.test(by) && to !== '31') continue;
          const all = /week|month/.test(by) ? range.replace('01-05', '01-01') : range;
          const { rows, total } = await ask(all, by);
          const cases = [by, fill, to];
          expect([...cases, rows.filter((row: Row) => !row.cumulative)]).toStrictEqual([
            ...cases,
            [],
          ]);
          const sum = rows.reduce((n: number, row: Row) => n + Number(row.taken), 0);
          expect(Math.abs(sum - total.taken)).toBeLessThanOrEqual(total.taken / 5);
          if (by === 'day') expect(rows.length).toBe(Math.min(Number(to), 12) - 4);
        }
  });

  it('is null with a reason where something of it is hidden', async () => {
    service().at(NOW);
    await makeCrowd(service(), [{ members: 20 }], 20);
    await service().database.query(
      "DELETE FROM dose_fact WHERE day = '2026-01-07' AND account_id % 20 <> 0",
    );
    await renew();
    const { rows } = await doses(
      'from: "2026-01-01", to: "2026-01-20", over: 3',
      'rows { day cumulative { taken withheld } movingAverage { taken withheld } }',
    );
    const reasons = (name: string) =>
      rows.map((row: Row) => (row[name] as { withheld: string | null }).withheld);
    const partly = 'PARTLY_FEW_ACCOUNTS';
    expect(reasons('cumulative').slice(5, 8)).toStrictEqual([null, partly, partly]);
    expect(reasons('cumulative').at(-1)).toBe(partly);
    expect(reasons('movingAverage').slice(0, 11)).toStrictEqual([
      ...['BEFORE_RANGE', 'BEFORE_RANGE', null, null, null, null],
      ...[partly, partly, partly, null, null],
    ]);
    expect(rows[8].movingAverage.taken).toBeNull();
    expect(rows[9].movingAverage.taken).toBeGreaterThan(0);
  });

  it('counts dates without facts as zero, whether they have rows or not', async () => {
    service().at(NOW);
    await makeCrowd(service(), [{ members: 20 }], 5);
    await service().database.query("DELETE FROM dose_fact WHERE day = '2026-01-03'");
    await renew();
    const { rows } = await doses(
      'from: "2026-01-01", to: "2026-01-05", over: 2',
      'rows { day scheduled movingAverage { scheduled } }',
    );
    expect(rows.map(({ day }: Row) => day)).not.toContain('2026-01-03');
    expect(rows[2].movingAverage.scheduled).toBe(rows[2].scheduled / 2);
  });

  it('needs rows of one date', async () => {
    for (const by of ['language', 'month hour', 'month week', '']) {
      const error = await refused(YEAR, `rows { ${by} cumulative { taken } }`);
      expect([by, error.extensions.code]).toStrictEqual([by, 'SERIES_INVALID']);
    }
  });

  it('is answered to members about themselves, exactly', async () => {
    service().at(NOW);
    const { doseReport } = await service().data(
      '{ doseReport(range: LAST_7_DAYS, fill: true) { isExact rows { date taken cumulative { taken } } } }',
    );
    expect(doseReport.isExact).toBe(true);
    expect(doseReport.rows.length).toBe(7);
    expect(doseReport.rows[6]).toStrictEqual({
      date: '2026-02-01',
      taken: 0,
      cumulative: { taken: 0 },
    });
  });
});
