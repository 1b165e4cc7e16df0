import fc from 'fast-check';
import { dayAfter } from '../../../src/domains/reports/period.js';
import { useService } from '../../support/harness.js';
import { makeYear, type Truth, truthOf, type YearQuestion } from './year.js';

const service = useService();
const QUESTIONS = Number(process.env.REPORT_QUESTIONS ?? 60);
const MEASURES = ['taken', 'missed', 'asNeeded', 'scheduled', 'adherenceRate', 'members'] as const;
const DIMENSIONS = [
  'day',
  'week',
  'month',
  'quarter',
  'weekday',
  'hour',
  'language',
  'medicineType',
];
const NUMBERS = `${MEASURES.join(' ')} margin withheld
  interval { ${MEASURES.map((name) => `${name} { low high }`).join(' ')} }`;

type Values = Readonly<Record<string, unknown>> & {
  readonly interval: Readonly<Record<string, { low: number; high: number } | null>>;
};

const question = fc
  .record({
    by: fc.subarray(DIMENSIONS, { maxLength: 3 }),
    start: fc.nat({ max: 340 }),
    days: fc.nat({ max: 364 }),
    months: fc.boolean(),
    types: fc.option(fc.subarray(['tablet', 'drops', 'spray', null, 'other'], { minLength: 1 })),
  })
  .map(({ by, start, days, months, types }): YearQuestion => {
    const first = dayAfter('2025-01-01', start);
    const last = dayAfter(first, Math.min(days, 364 - start));
    const endOfMonth = dayAfter(`${dayAfter(`${last.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1);
    const range = months
      ? { from: `${first.slice(0, 7)}-01`, to: endOfMonth }
      : { from: first, to: last };
    return { by, ...range, types: types ?? undefined };
  });

async function answerTo({ by, from, to, types }: YearQuestion) {
  const filter = types ? `, filter: { medicineType: ${JSON.stringify(types)} }` : '';
  const { errors, data } = await service().ask(
    `{ doseReport(from: "${from}", to: "${to}", first: 400${filter}) {
      from to rows { ${by.join(' ')} ${NUMBERS} } total { ${NUMBERS} } } }`,
    {},
    'analyst',
  );
  return errors ? { code: errors[0].extensions.code as string } : { report: data.doseReport };
}

/** How many intervals there are, and how many of them hold the truth. */
const tally = { all: 0, held: 0 };

function compare(values: Values, truth: Truth | undefined, what: string): void {
  if (values.withheld) {
    for (const name of MEASURES) expect([what, values[name]]).toStrictEqual([what, null]);
    return;
  }
  expect([what, truth === undefined && values.taken !== 0]).toStrictEqual([what, false]);
  for (const name of MEASURES) {
    const [value, { low, high } = { low: 0, high: 0 }] = [
      values[name],
      values.interval[name] ?? undefined,
    ];
    const real = truth?.[name] ?? null;
    if (value === null || real === null) continue;
    tally.all++;
    if (low <= real && real <= high) tally.held++;
    if (name !== 'adherenceRate' && name !== 'members')
      expect([
        what,
        name,
        Math.abs((value as number) - real) <= (values.margin as number),
      ]).toStrictEqual([what, name, true]);
  }
}

describe('The numbers of reports', () => {
  it('are within their intervals, of the range that was asked, and null where a reason is due', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 120);
    tally.all = 0;
    tally.held = 0;
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const { report, code } = await answerTo(asked);
        if (!report) return expect(code).toMatch(/^(TOO_MANY_DIMENSIONS|DOCUMENT_TOO_LARGE)$/);
        expect([report.from, report.to]).toStrictEqual([asked.from, asked.to]);
        const truth = await truthOf(service(), asked);
        for (const row of report.rows) {
          const key = asked.by.map((name) => (row[name] === null ? null : String(row[name])));
          compare(row, truth.get(JSON.stringify(key)), JSON.stringify([asked, key]));
        }
        const whole = await truthOf(service(), { ...asked, by: [] });
        compare(report.total, whole.get('[]'), JSON.stringify([asked, 'total']));
      }),
      { numRuns: QUESTIONS, endOnFailure: true },
    );
    if (process.env.REPORT_QUESTIONS) console.log(tally);
    expect(tally.all).toBeGreaterThan(QUESTIONS * 10);
    expect(tally.held / tally.all).toBeGreaterThanOrEqual(0.95);
  });
});
