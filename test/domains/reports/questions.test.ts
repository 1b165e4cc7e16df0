// Ranges and leading values of reports. The truth comes from SQL over the facts of 2025.
import fc from 'fast-check';
import { RANGES } from '../../../src/domains/reports/range.js';
import { errorCode, useService } from '../../support/harness.js';
import { makeCrowd } from './crowd.js';
import { makeYear, truthOf } from './year.js';

const service = useService();
const NOW = '2026-02-01T12:00:00Z';
const YEAR = 'from: "2025-01-01", to: "2025-12-31"';
const doses = async (args: string, fields: string) =>
  (await service().data(`{ doseReport(${args}) { ${fields} } }`, {}, 'analyst')).doseReport;
const refused = async (args: string, fields: string) =>
  (await service().ask(`{ doseReport(${args}) { ${fields} } }`, {}, 'analyst')).errors?.[0];

interface Row {
  readonly [name: string]: unknown;
}
const within = ({ low, high }: { low: number; high: number }, truth: number, what: string) => {
  expect([what, low <= truth]).toStrictEqual([what, true]);
  expect([what, truth <= high]).toStrictEqual([what, true]);
};

describe('A relative range', () => {
  it.each([
    ['TODAY', '2026-03-18', '2026-03-18'],
    ['YESTERDAY', '2026-03-17', '2026-03-17'],
    ['LAST_7_DAYS', '2026-03-12', '2026-03-18'],
    ['LAST_30_DAYS', '2026-02-17', '2026-03-18'],
    ['LAST_90_DAYS', '2025-12-19', '2026-03-18'],
    ['LAST_365_DAYS', '2025-03-19', '2026-03-18'],
    ['THIS_WEEK', '2026-03-16', '2026-03-18'],
    ['LAST_WEEK', '2026-03-09', '2026-03-15'],
    ['THIS_MONTH', '2026-03-01', '2026-03-18'],
    ['LAST_MONTH', '2026-02-01', '2026-02-28'],
    ['LAST_12_MONTHS', '2025-03-01', '2026-02-28'],
    ['LAST_24_MONTHS', '2024-03-01', '2026-02-28'],
    ['THIS_QUARTER', '2026-01-01', '2026-03-18'],
    ['LAST_QUARTER', '2025-10-01', '2025-12-31'],
    ['THIS_YEAR', '2026-01-01', '2026-03-18'],
    ['LAST_YEAR', '2025-01-01', '2025-12-31'],
  ])('%s is %s to %s on a Wednesday in March', async (range, from, to) => {
    service().at('2026-03-18T12:00:00Z');
    expect(Object.keys(RANGES)).toContain(range);
    expect(await doses(`range: ${range}`, 'from to')).toStrictEqual({ from, to });
  });

  it('begins weeks on the day that is asked for', async () => {
    service().at('2026-03-18T12:00:00Z');
    expect(await doses('range: LAST_WEEK, weekStart: SUNDAY', 'from to')).toStrictEqual({
      from: '2026-03-08',
      to: '2026-03-14',
    });
  });

  it('is the last 30 days when none is given, and is not given beside dates', async () => {
    service().at('2026-03-18T12:00:00Z');
    const usual = await doses('first: 1', 'from to');
    expect(usual).toStrictEqual({ from: '2026-02-17', to: '2026-03-18' });
    const error = await refused('range: TODAY, from: "2026-01-01"', 'from');
    expect(error.extensions.code).toBe('DATE_INVALID');
    expect(error.message).toBe('Ask by `range`, or by `from` and `to`: both are two ranges.');
  });
});

describe('The leading values of a report', () => {
  it('are the most in the whole range, and the others are one row', async () => {
    service().at(NOW);
    await makeYear(service(), 240);
    const { rows } = await doses(
      'from: "2025-07-01", to: "2025-12-31", top: { count: 1, by: TAKEN }',
      'rows { medicineType isOthers taken interval { taken { low high } } }',
    );
    expect(rows.map(({ medicineType, isOthers }: Row) => [medicineType, isOthers])).toStrictEqual([
      ['tablet', false],
      [null, true],
    ]);
    const truth = await truthOf(service(), {
      by: ['medicineType'],
      from: '2025-07-01',
      to: '2025-12-31',
    });
    const others = [...truth].filter(([key]) => key !== '["tablet"]');
    within(
      rows[1].interval.taken,
      others.reduce((sum, [, { taken }]) => sum + Number(taken), 0),
      'others',
    );
  });

  it('lead in each month alike, and are compared with the same', async () => {
    service().at(NOW);
    await makeYear(service(), 100);
    const { rows } = await doses(
      'from: "2025-10-01", to: "2025-12-31", compare: PREVIOUS_PERIOD, top: { count: 2, by: SCHEDULED, of: MEDICINE_TYPE }',
      'rows { month medicineType isOthers scheduled previous { scheduled } }',
    );
    const types = new Set(rows.map((row: Row) => `${row.medicineType} ${row.isOthers}`));
    expect([rows.length, types.size]).toStrictEqual([9, 3]);
    for (const { previous } of rows) expect(previous.scheduled).toBeGreaterThan(0);
    const months = rows.map(({ month, isOthers }: Row) => [month, isOthers]);
    expect(months.slice(0, 3)).toStrictEqual([
      ['2025-10-01', false],
      ['2025-10-01', false],
      ['2025-10-01', true],
    ]);
  });

  it('leave others null with a reason when one of them is hidden', async () => {
    await makeCrowd(service(), [
      { members: 30 },
      { members: 25, type: 'drops' },
      { members: 24, type: 'spray' },
      { members: 1, type: 'rare' },
    ]);
    const asked = 'rows { medicineType isOthers taken withheld }';
    const range = 'from: "2026-01-01", to: "2026-02-28"';
    // Of the others beside three leaders nothing is shown: they have no row.
    const { rows: leaders } = await doses(`${range}, top: { count: 3, by: TAKEN }`, asked);
    expect(leaders.map(({ isOthers }: Row) => isOthers)).toStrictEqual([false, false, false]);
    for (const count of [1, 2]) {
      const { rows } = await doses(`${range}, top: { count: ${count}, by: TAKEN }`, asked);
      expect(rows.length).toBe(count + 1);
      expect(rows.at(-1)).toStrictEqual({
        medicineType: null,
        isOthers: true,
        taken: null,
        withheld: 'PARTLY_FEW_ACCOUNTS',
      });
    }
  });

  it('are of a dimension that is selected', async () => {
    for (const [top, fields] of [
      ['{ count: 3, by: TAKEN }', 'rows { month taken }'],
      ['{ count: 3, by: TAKEN, of: LANGUAGE }', 'rows { medicineType taken }'],
    ] as const)
      expect((await refused(`${YEAR}, top: ${top}`, fields)).extensions.code).toBe('TOP_INVALID');
    const tooMany = await service().ask(
      `{ doseReport(${YEAR}, top: { count: 51, by: TAKEN }) { rows { language taken } } }`,
      {},
      'analyst',
    );
    expect(errorCode(tooMany)).toBe('BAD_USER_INPUT');
  });
});

describe('A number of a report', () => {
  const MEASURES = ['taken', 'missed', 'scheduled', 'adherenceRate', 'members', 'medianLateness'];
  const GRIDS = ['day medicineType', 'week language', 'month punctuality', 'month'];
  const intervals = (names: readonly string[]) =>
    `interval { ${names.map((name) => `${name} { low high }`).join(' ')} }`;

  it('is the same whatever else is selected, in whatever order, and however few rows', async () => {
    service().at(NOW);
    await makeYear(service(), 120, '2025-07-01');
    const other = fc.record({
      by: fc.constantFrom(...GRIDS),
      measures: fc.subarray(MEASURES, { minLength: 1 }),
      order: fc.option(fc.constantFrom('ASC', 'DESC'), { nil: undefined }),
      first: fc.integer({ min: 1, max: 60 }),
      fill: fc.boolean(),
      hasIntervals: fc.boolean(),
      isDerived: fc.boolean(),
      isCompared: fc.boolean(),
      months: fc.integer({ min: 7, max: 12 }),
    });
    const wholes = new Map<string, readonly Row[]>();
    for (const by of GRIDS) {
      const fields = `rows { ${by} ${MEASURES.join(' ')} ${intervals(MEASURES)} }`;
      const range = 'from: "2025-07-01", to: "2025-12-31", first: 600';
      wholes.set(by, (await doses(range, fields)).rows);
    }
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(other, async ({ by, measures, order, first, months, ...flags }) => {
        const [measure = 'taken'] = measures;
        const named = measure.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
        const from = `2025-${String(months).padStart(2, '0')}-01`;
        const { rows } = await doses(
          `from: "${from}", to: "2025-12-31", first: ${first}, fill: ${flags.fill}
           ${order ? `, orderBy: [{ by: ${named}, direction: ${order} }]` : ''}
           ${flags.isCompared ? ', compare: PREVIOUS_PERIOD' : ''}`,
          `rows { ${by} ${measures.join(' ')} ${flags.hasIntervals ? intervals(measures) : ''}
            ${flags.isDerived ? 'cumulative { taken } movingAverage { taken }' : ''}
            ${flags.isCompared ? 'previous { taken }' : ''} }`,
        );
        const keyOf = (row: Row) => JSON.stringify(by.split(' ').map((name) => row[name]));
        const whole = new Map(wholes.get(by)?.map((row) => [keyOf(row), row]));
        for (const row of rows) {
          const known = whole.get(keyOf(row));
          // A week that the range cuts is made of days. What is filled may have no cell.
          if (!known || (typeof row.week === 'string' && row.week < from)) continue;
          compared++;
          const asked = ({ interval, ...values }: Row) =>
            measures.map((name) => [values[name], flags.hasIntervals && (interval as Row)[name]]);
          expect([keyOf(row), asked(row)]).toStrictEqual([keyOf(row), asked(known)]);
        }
      }),
    );
    expect(compared).toBeGreaterThan(500);
  });
});
