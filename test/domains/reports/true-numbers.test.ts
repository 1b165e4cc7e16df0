import fc from 'fast-check';
import { dayAfter } from '../../../src/domains/reports/period.js';
import { useService } from '../../support/harness.js';
import { makeYear, type Truth, truthOf, type YearQuestion } from './year.js';

const service = useService();
const QUESTIONS = Number(process.env.REPORT_QUESTIONS ?? 60);
const COUNTS = ['taken', 'missed', 'asNeeded', 'scheduled'] as const;
const QUANTILES = ['medianLateness', 'p90Lateness'] as const;
const MEASURES = [...COUNTS, 'adherenceRate', 'members', ...QUANTILES] as const;
const DIMENSIONS = [
  'date',
  'day',
  'week',
  'month',
  'quarter',
  'weekday',
  'hour',
  'language',
  'medicineType',
  'punctuality',
  'reminderAge',
];
const NUMBERS = `${MEASURES.join(' ')} margin withheld
  interval { ${MEASURES.map((name) => `${name} { low high }`).join(' ')} }`;

const WEEK_STARTS = { MONDAY: 1, SATURDAY: 6, SUNDAY: 7 } as const;
const MOST_ROWS = 400;
/** Rows of a moving average. */
const OVER = 2;
const DERIVED = `scheduled adherenceRate withheld
  interval { scheduled { low high } adherenceRate { low high } }`;
const DATES = ['date', 'day', 'week', 'month', 'quarter'];

type Values = Readonly<Record<string, unknown>> & {
  readonly interval: Readonly<Record<string, { low: number; high: number } | null>>;
};

/** A question, and what is asked about its rows. */
interface Asked extends YearQuestion {
  readonly grain: string | undefined;
  readonly fill: boolean;
  /** How many types of medicine lead, where rows are by them. */
  readonly top: number | undefined;
}

const question = fc
  .record({
    by: fc.subarray(DIMENSIONS, { maxLength: 3 }),
    start: fc.nat({ max: 340 }),
    days: fc.nat({ max: 364 }),
    months: fc.boolean(),
    types: fc.option(fc.subarray(['tablet', 'drops', 'spray', null, 'other'], { minLength: 1 })),
    weekStart: fc.constantFrom(...(Object.keys(WEEK_STARTS) as (keyof typeof WEEK_STARTS)[])),
    grain: fc.option(fc.constantFrom('DAY', 'WEEK', 'MONTH', 'QUARTER'), { nil: undefined }),
    fill: fc.boolean(),
    top: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  })
  .map(({ start, days, months, types, top, weekStart, ...asked }): Asked => {
    const first = dayAfter('2025-01-01', start);
    const last = dayAfter(first, Math.min(days, 364 - start));
    const endOfMonth = dayAfter(`${dayAfter(`${last.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1);
    const range = months
      ? { from: `${first.slice(0, 7)}-01`, to: endOfMonth }
      : { from: first, to: last };
    return {
      ...asked,
      ...range,
      types: types ?? undefined,
      weekStart: WEEK_STARTS[weekStart],
      top: asked.by.includes('medicineType') ? top : undefined,
    };
  });

const nameOf = (start: number | undefined) =>
  Object.entries(WEEK_STARTS).find(([, number]) => number === start)?.[0];

async function answerTo(
  { by, from, to, types, grain, fill, top, weekStart }: Asked,
  fields: string,
) {
  const filter = types ? `, filter: { medicineType: ${JSON.stringify(types)} }` : '';
  const leading = top ? `, top: { count: ${top}, by: SCHEDULED, of: MEDICINE_TYPE }` : '';
  const { errors, data } = await service().ask(
    `{ doseReport(from: "${from}", to: "${to}", first: ${MOST_ROWS}, fill: ${fill}, over: ${OVER},
        weekStart: ${nameOf(weekStart)}${grain ? `, grain: ${grain}` : ''}${filter}${leading}) {
      from to grain rows { ${by.join(' ')} ${fields} } total { ${NUMBERS} } } }`,
    {},
    'analyst',
  );
  return errors ? { code: errors[0].extensions.code as string } : { report: data.doseReport };
}

/** How many intervals there are, and how many of them hold the truth. */
const tally = { all: 0, held: 0 };

/** After so many questions, each of two reports at most, the budget of the analyst begins anew. */
const BUDGET = 1_000;
let spent = 0;
async function spare(): Promise<void> {
  if (spent++ % BUDGET === 0) await service().database.query('DELETE FROM report_spend');
}

function compare(values: Values, truth: Truth | undefined, what: string): void {
  // Where nothing was taken there is no median, but there are counts.
  const some = values.withheld === 'NO_FACTS' ? QUANTILES : MEASURES;
  if (values.withheld) {
    for (const name of some) expect([what, values[name]]).toStrictEqual([what, null]);
    if (some === MEASURES) return;
  }
  expect([what, truth === undefined && values.taken !== 0]).toStrictEqual([what, false]);
  // What is certain is that nothing happened.
  expect([what, values.margin === 0 && truth !== undefined]).toStrictEqual([what, false]);
  for (const name of MEASURES) {
    const [value, { low, high } = { low: 0, high: 0 }] = [
      values[name],
      values.interval[name] ?? undefined,
    ];
    const real = truth?.[name] ?? null;
    if (value === null || real === null) continue;
    tally.all++;
    if (low <= real && real <= high) tally.held++;
    if (COUNTS.some((count) => count === name))
      expect([
        what,
        name,
        Math.abs((value as number) - real) <= (values.margin as number),
      ]).toStrictEqual([what, name, true]);
  }
}

/** Adds true numbers up. */
const added = (all: readonly Truth[]): Truth => {
  const sum = (name: string) => all.reduce((whole, each) => whole + Number(each[name]), 0);
  const scheduled = sum('scheduled');
  return {
    ...Object.fromEntries(MEASURES.map((name) => [name, sum(name)])),
    // Who is in two of them is not known here, nor what lies in their middle.
    members: null,
    ...Object.fromEntries(QUANTILES.map((name) => [name, null])),
    adherenceRate: scheduled > 0 ? sum('taken') / scheduled : null,
  };
};

type Rows = readonly (Values & { readonly isOthers: boolean })[];
const keyIn = (by: readonly string[], row: Values) =>
  by.map((name) => (row[name] === null ? null : String(row[name])));

/** Compares rows with what SQL says, the others with the sum of what does not lead. */
async function compareRows(asked: Asked, { rows, grain }: { rows: Rows; grain: string | null }) {
  const by = asked.by.map((name) => (name === 'date' ? String(grain).toLowerCase() : name));
  const truth = await truthOf(service(), { ...asked, by });
  const at = asked.by.indexOf('medicineType');
  const leaders = new Set(rows.flatMap((row) => (row.isOthers ? [] : [row.medicineType])));
  for (const row of rows) {
    const key = keyIn(asked.by, row);
    // Leaders may be among the rows that were left out.
    if (row.isOthers && rows.length === MOST_ROWS) continue;
    const others = [...truth].filter(([name]) => {
      const values: (string | null)[] = JSON.parse(name);
      return !leaders.has(values[at]) && values.every((value, i) => i === at || value === key[i]);
    });
    const real = row.isOthers
      ? added(others.map(([, values]) => values))
      : truth.get(JSON.stringify(key));
    compare(row, real, JSON.stringify([asked, key, row.isOthers]));
  }
  return truth;
}

/** Compares what is derived of filled rows with sums of what SQL says of these and those before. */
function compareDerived(by: readonly string[], rows: Rows, truth: ReadonlyMap<string, Truth>) {
  const date = by.findIndex((name) => DATES.includes(name));
  const further = (key: readonly unknown[]) => JSON.stringify(key.filter((_, i) => i !== date));
  for (const row of rows) {
    const key = keyIn(by, row);
    const dates = rows
      .map((each) => keyIn(by, each))
      .filter((each) => further(each) === further(key))
      .map((each) => String(each[date]))
      .filter((each) => each <= String(key[date]));
    const on = (each: string) => JSON.stringify(key.map((value, i) => (i === date ? each : value)));
    const sumOver = (which: readonly string[]) =>
      added(which.map((each) => truth.get(on(each))).filter((values) => values !== undefined));
    for (const [name, last, divisor] of [
      ['cumulative', dates, 1],
      ['movingAverage', dates.slice(-OVER), OVER],
    ] as const) {
      const values = row[name] as Values;
      const real = sumOver(last);
      const what = JSON.stringify([by, key, name]);
      expect([what, values.withheld ? values.scheduled : null]).toStrictEqual([what, null]);
      if (values.withheld) continue;
      hold(values.interval.scheduled, Number(real.scheduled) / divisor);
      if (real.adherenceRate !== null)
        hold(values.interval.adherenceRate, real.adherenceRate as number);
    }
  }
}

function hold(interval: { low: number; high: number } | null | undefined, real: number): void {
  if (!interval) return;
  tally.all++;
  if (interval.low <= real + 1e-9 && real - 1e-9 <= interval.high) tally.held++;
}

/** Returns whether rows are of one date and no hour or weekday: what is derived needs that. */
const isSeries = ({ by, top }: Asked) =>
  !top &&
  by.filter((name) => DATES.includes(name)).length === 1 &&
  !by.includes('weekday') &&
  !by.includes('hour');

describe('The numbers of reports', () => {
  it('are within their intervals, of the range that was asked, and null where a reason is due', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 120);
    tally.all = 0;
    tally.held = 0;
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        await spare();
        const { report, code } = await answerTo(asked, `isOthers ${NUMBERS}`);
        if (!report) return expect(code).toMatch(/^(TOO_MANY_DIMENSIONS|DOCUMENT_TOO_LARGE)$/);
        expect([report.from, report.to]).toStrictEqual([asked.from, asked.to]);
        const truth = await compareRows(asked, report);
        const whole = await truthOf(service(), { ...asked, by: [] });
        compare(report.total, whole.get('[]'), JSON.stringify([asked, 'total']));
        if (!isSeries(asked)) return;
        const derived = `cumulative { ${DERIVED} } movingAverage { ${DERIVED} }`;
        const series = await answerTo({ ...asked, fill: true }, derived);
        compareDerived(asked.by, series.report.rows, truth);
      }),
      { numRuns: QUESTIONS, endOnFailure: true },
    );
    if (process.env.REPORT_QUESTIONS) console.log(tally);
    expect(tally.all).toBeGreaterThan(QUESTIONS * 10);
    expect(tally.held / tally.all).toBeGreaterThanOrEqual(0.95);
  });
});
