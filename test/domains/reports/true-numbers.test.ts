import fc from 'fast-check';
import { useService } from '../../support/harness.js';
import { makeBusyYear } from './busy-year.js';
import { type Compared, compare, Tally, type Values } from './compared.js';
import { ranged, rangeOf, WEEK_STARTS, type WeekStart } from './ranges.js';
import { type SubjectTruth, subjectTruth, TRUTHS } from './subject-truths.js';
import { makeYear, type Truth, truthOf, type YearQuestion } from './year.js';

const service = useService();
/** Questions of each test: so many, but more when they are asked for. */
const questions = (usual: number) => Number(process.env.REPORT_QUESTIONS ?? usual);
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
const DOSES: Compared = {
  counts: COUNTS,
  measures: MEASURES,
  quantiles: QUANTILES,
  rates: ['adherenceRate'],
};
const numbersOf = (measures: readonly string[]) => `${measures.join(' ')} margin withheld
  interval { ${measures.map((name) => `${name} { low high }`).join(' ')} }`;
const NUMBERS = numbersOf(MEASURES);

const MOST_ROWS = 400;
/** Rows of a moving average. */
const OVER = 2;
const DERIVED = `scheduled adherenceRate withheld
  interval { scheduled { low high } adherenceRate { low high } }`;
const DATES = ['date', 'day', 'week', 'month', 'quarter'];

/** A question, and what is asked about its rows. */
interface Asked extends YearQuestion {
  readonly grain: string | undefined;
  readonly fill: boolean;
  /** How many types of medicine lead, where rows are by them. */
  readonly top: number | undefined;
}

const question = fc
  .record({
    ...ranged,
    by: fc.subarray(DIMENSIONS, { maxLength: 3 }),
    types: fc.option(fc.subarray(['tablet', 'drops', 'spray', null, 'other'], { minLength: 1 })),
    top: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  })
  .map(
    ({ start, days, months, types, top, weekStart, ...asked }): Asked => ({
      ...asked,
      ...rangeOf({ start, days, months }),
      types: types ?? undefined,
      weekStart: WEEK_STARTS[weekStart],
      top: asked.by.includes('medicineType') ? top : undefined,
    }),
  );

/** The days of a year. */
const wholeYear: Asked = {
  ...{ by: ['day'], from: '2025-01-01', to: '2025-12-31', types: undefined, weekStart: 1 },
  ...{ grain: undefined, fill: false, top: undefined },
};

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

let tally = new Tally();

/** After so many questions, each of two reports at most, the budget of the analyst begins anew. */
const BUDGET = 1_000;
let spent = 0;
async function spare(): Promise<void> {
  if (spent++ % BUDGET === 0) await service().database.query('DELETE FROM report_spend');
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
    const what = JSON.stringify([asked, key, row.isOthers]);
    compare(DOSES, { values: row, truth: real, what }, tally);
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
      // Of nothing, rates alone are null.
      const isHidden = values.withheld !== null && values.withheld !== 'NO_FACTS';
      expect([what, isHidden ? values.scheduled : null]).toStrictEqual([what, null]);
      if (isHidden) continue;
      const { scheduled, adherenceRate } = values.interval;
      if (scheduled) tally.note(scheduled, Number(real.scheduled) / divisor);
      if (adherenceRate && real.adherenceRate != null)
        tally.note(adherenceRate, real.adherenceRate);
    }
  }
}

/** Returns whether rows are of one date and no hour or weekday: what is derived needs that. */
const isSeries = ({ by, top }: Asked) =>
  !top &&
  by.filter((name) => DATES.includes(name)).length === 1 &&
  !by.includes('weekday') &&
  !by.includes('hour');

/** A question about a subject but doses. */
interface SubjectAsked {
  readonly subject: string;
  readonly by: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly values: readonly (string | null)[] | undefined;
  readonly week: WeekStart;
  readonly grain: string | undefined;
  readonly fill: boolean;
}

const TIMES = [...DATES, 'weekday', 'hour'];
const subjectQuestion = fc.constantFrom(...Object.entries(TRUTHS)).chain(
  ([subject, { dimensions, filter }]): fc.Arbitrary<SubjectAsked> =>
    fc
      .record({
        ...ranged,
        by: fc.subarray([...TIMES, ...dimensions], { maxLength: 3 }),
        values: fc.option(fc.subarray([...filter.values], { minLength: 1 }), { nil: undefined }),
      })
      .map(({ start, days, months, weekStart: week, ...asked }) => ({
        ...{ ...asked, subject, week },
        ...rangeOf({ start, days, months: months || needsMonths(asked) }),
      })),
);

/** Returns whether there are cells of months alone, so that other ranges would be refused. */
function needsMonths({ by, values }: Pick<SubjectAsked, 'by' | 'values'>): boolean {
  const further = by.filter((name) => !TIMES.includes(name)).length + (values ? 1 : 0);
  return further > 1 || by.includes('weekday') || by.includes('hour');
}

/** Each subject by month, so that all of them have numbers that are compared. */
const wholeYears = Object.keys(TRUTHS).map((subject): [SubjectAsked] => [
  {
    ...{ subject, by: ['month'], values: undefined, week: 'MONDAY', grain: undefined, fill: false },
    ...{ from: '2025-01-01', to: '2025-12-31' },
  },
]);

const measuresOf = ({ counts, others }: SubjectTruth) => Object.keys({ ...counts, ...others });

async function subjectAnswer({ subject, by, from, to, values, week, grain, fill }: SubjectAsked) {
  const truth = TRUTHS[subject] as SubjectTruth;
  const numbers = numbersOf(measuresOf(truth));
  const filter = values ? `, filter: { ${truth.filter.name}: ${JSON.stringify(values)} }` : '';
  const { errors, data } = await service().ask(
    `{ ${subject}Report(from: "${from}", to: "${to}", first: ${MOST_ROWS}, fill: ${fill},
        weekStart: ${week}${grain ? `, grain: ${grain}` : ''}${filter}) {
      from to grain rows { ${by.join(' ')} ${numbers} } total { ${numbers} } } }`,
    {},
    'analyst',
  );
  return errors
    ? { code: errors[0].extensions.code as string }
    : { report: data[`${subject}Report`] };
}

/** Compares the rows and the total of a report with what SQL says. */
async function compareSubject(
  asked: SubjectAsked,
  report: { rows: Rows; total: Values; grain: string | null; from: string; to: string },
): Promise<void> {
  expect([report.from, report.to]).toStrictEqual([asked.from, asked.to]);
  const of = TRUTHS[asked.subject] as SubjectTruth;
  const compared = { ...of, counts: Object.keys(of.counts), measures: measuresOf(of) };
  const by = asked.by.map((name) => (name === 'date' ? String(report.grain).toLowerCase() : name));
  const question = { ...asked, weekStart: WEEK_STARTS[asked.week] };
  const truth = await subjectTruth(service(), { ...question, by });
  for (const row of report.rows) {
    const key = keyIn(asked.by, row);
    const what = JSON.stringify([asked, key]);
    compare(compared, { values: row, truth: truth.get(JSON.stringify(key)), what }, tally);
  }
  const whole = (await subjectTruth(service(), { ...question, by: [] })).get('[]');
  const what = JSON.stringify([asked, 'total']);
  compare(compared, { values: report.total, truth: whole, what }, tally);
}

/** Asks about doses, and compares the rows, the total and running sums with what SQL says. */
async function compareDoses(asked: Asked): Promise<void> {
  await spare();
  const { report, code } = await answerTo(asked, `isOthers ${NUMBERS}`);
  if (!report) return expect(code).toMatch(/^(TOO_MANY_DIMENSIONS|DOCUMENT_TOO_LARGE)$/);
  expect([report.from, report.to]).toStrictEqual([asked.from, asked.to]);
  const truth = await compareRows(asked, report);
  const whole = await truthOf(service(), { ...asked, by: [] });
  const what = JSON.stringify([asked, 'total']);
  compare(DOSES, { values: report.total, truth: whole.get('[]'), what }, tally);
  if (!isSeries(asked)) return;
  const derived = `cumulative { ${DERIVED} } movingAverage { ${DERIVED} }`;
  const series = await answerTo({ ...asked, fill: true }, derived);
  compareDerived(asked.by, series.report.rows, truth);
}

describe('The numbers of reports', () => {
  it('are within their intervals, of the range that was asked, and null where a reason is due', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 120);
    tally = new Tally();
    // Of which there are enough numbers whatever is drawn.
    await compareDoses(wholeYear);
    expect(tally.all).toBeGreaterThan(400);
    expect(tally.held / tally.all).toBeGreaterThanOrEqual(0.95);
    tally = new Tally();
    await fc.assert(fc.asyncProperty(question, compareDoses), {
      numRuns: questions(40),
      endOnFailure: true,
    });
    if (process.env.REPORT_QUESTIONS) console.log(tally);
    expect(tally.held / tally.all).toBeGreaterThanOrEqual(0.95);
  });

  it('are so of every other subject of facts', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeBusyYear(service(), 160);
    tally = new Tally();
    await fc.assert(
      fc.asyncProperty(subjectQuestion, async (asked) => {
        await spare();
        const answer = await subjectAnswer(asked);
        if (!answer.report) return expect(answer.code).toBe('TOO_MANY_DIMENSIONS');
        await compareSubject(asked, answer.report);
      }),
      { numRuns: questions(60), examples: wholeYears, endOnFailure: true },
    );
    if (process.env.REPORT_QUESTIONS) console.log(tally);
    expect(tally.all).toBeGreaterThan(questions(60) * 10);
    expect(tally.held / tally.all).toBeGreaterThanOrEqual(0.95);
  });
});
