import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { buildSchema, graphql, parse, validate } from 'graphql';
import { addingUp } from '../../playground/builder/adding-up.js';
import { readCatalogue, type Subject } from '../../playground/builder/catalogue.js';
import { labelled } from '../../playground/builder/labelled.js';
import {
  objectionTo,
  type Question,
  questionAbout,
  tidied,
} from '../../playground/builder/question.js';
import { isOpen } from '../../playground/builder/ranges.js';
import { readBack } from '../../playground/builder/reading-back.js';
import { documentOf, mostRowsOf, usualRowsOf } from '../../playground/builder/writing.js';
import { grainOf } from '../../src/platform/pictures/grain.js';
import { tablesOf } from '../../src/platform/pictures/table.js';
import { projectRoot } from '../../src/platform/root.js';
import { useService } from '../support/harness.js';

const TEXT = readFileSync(join(projectRoot, 'schema/schema.graphql'), 'utf8');
const schema = buildSchema(TEXT);
/** The same with what a schema may gain: a dimension with names, a measure, an option. */
const GROWN = buildSchema(`${TEXT.replace(/(doseReport\(\n)/, '$1 rounding: ReportRounding\n')
  .replace(
    /(type DoseReportRow \{)/,
    '$1 ageBand: String\n ageBandName: String\n meanDelay: Float\n',
  )
  .replace(/(type DoseReport(Total|MovingAverage) \{)/g, '$1 meanDelay: Float\n')
  .replace(/(type DoseReportInterval \{)/, '$1 meanDelay: ReportInterval\n')
  .replace(/(enum DoseReportDimension \{)/, '$1 AGE_BAND\n')}
  enum ReportRounding { FIVE TEN }`);

const catalogueOf = (served: typeof schema) =>
  readCatalogue(async (source) => {
    const { data, errors } = await graphql({ schema: served, source });
    if (errors) throw errors[0];
    return data as Record<string, unknown>;
  });

let subjects: readonly Subject[];
beforeAll(async () => {
  subjects = await catalogueOf(schema);
});
const about = (name: string, among = subjects): Subject => {
  const subject = among.find((other) => other.name === name);
  if (!subject) throw new Error(`There is no ${name}.`);
  return subject;
};

const dates = fc.integer({ min: 0, max: 700 }).map((days) => new Date(Date.UTC(2025, 0, 1 + days)));
const dateText = dates.map((date) => date.toISOString().slice(0, 10));
const value = fc.option(fc.string({ maxLength: 12 }), { nil: null });

/** Any question that the form lets put together about a subject. */
const questionsAbout = (subject: Subject) => {
  const names = (items: readonly { readonly name: string }[], minLength = 0) =>
    fc.subarray(
      items.map(({ name }) => name),
      { minLength },
    );
  const option = ({
    values,
    bounds,
  }: Subject['options'][number]): fc.Arbitrary<string | number | boolean> =>
    bounds
      ? fc.integer({ min: bounds[0], max: bounds[1] })
      : fc.constantFrom<string | boolean>(...(values?.map(({ name }) => name) ?? [true]));
  const { by, of, bounds } = subject.top ?? { by: [], of: [], bounds: [1, 1] };
  const top = fc.record({
    count: fc.integer({ min: bounds[0], max: bounds[1] }),
    by: fc.constantFrom(...by),
    of: fc.constantFrom(...of),
  });
  const range = fc.record({ range: fc.constantFrom(...subject.ranges.map(({ name }) => name)) });
  const options = subject.options.map((each) => [each.name, fc.option(option(each))] as const);
  return fc
    .record({
      measures: names(subject.measures, 1),
      groups: names(subject.dimensions).map((some) => some.slice(0, 3)),
      filtered: names(subject.filters).map((some) => some.slice(0, 2)),
      values: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
      period: fc.oneof(range, fc.record({ from: dateText, to: dateText })),
      companions: names(subject.companions.filter(({ name }) => name !== 'previous')),
      top: fc.option(top, { nil: undefined }),
      options: fc.record(Object.fromEntries(options)),
      first: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }),
      order: fc.option(fc.record({ by: fc.nat(), isDescending: fc.boolean() }), { nil: undefined }),
    })
    .map(({ filtered, values, first, order, options: chosen, ...others }): Question => {
      const fields = [...others.groups, ...others.measures];
      const by = order && fields[order.by % fields.length];
      const question = tidied({
        ...others,
        subject: subject.name,
        filter: Object.fromEntries(filtered.map((name) => [name, values])),
        options: Object.fromEntries(
          Object.entries(chosen).flatMap(([name, one]) => (one === null ? [] : [[name, one]])),
        ) as Question['options'],
        ...(first && { first }),
        ...(order && by && { order: { by, isDescending: order.isDescending } }),
      });
      // As many rows as without saying so are the same question.
      const { first: _first, ...unbounded } = question;
      return first === usualRowsOf(question, subject) ? unbounded : question;
    });
};

/** Everything at once that can be asked about a subject by one date. */
const widest = (subject: Subject): Question => ({
  ...questionAbout(subject),
  measures: subject.measures.map(({ name }) => name),
  options: { compare: 'PREVIOUS_YEAR' },
  companions: ['cumulative', 'movingAverage'],
});

describe('The builder of reports', () => {
  it('has every report of the schema, with its dimensions, measures and filters', () => {
    const roots = Object.values(schema.getQueryType()?.getFields() ?? {});
    expect(subjects.map(({ name }) => name)).toStrictEqual(
      roots.filter(({ args }) => args.some(({ name }) => name === 'range')).map(({ name }) => name),
    );
    const { dimensions, measures, filters, companions, totals, explains } = about('doseReport');
    expect({
      dimensions: dimensions.map(({ name }) => name).sort(),
      measures: measures.map(({ name }) => name).sort(),
      filters: filters.map(({ name }) => name).sort(),
      companions: companions.map(({ name }) => name),
      totals: [...totals].sort(),
      explains: [...explains.row].sort(),
    }).toMatchObject({
      dimensions: expect.arrayContaining(['hour', 'language', 'medicineType', 'month', 'weekday']),
      measures: expect.arrayContaining(['adherenceRate', 'members', 'scheduled', 'taken']),
      filters: expect.arrayContaining(['language', 'medicineType']),
      companions: expect.arrayContaining(['previous']),
      totals: expect.arrayContaining(['previousTotal', 'total']),
      explains: expect.arrayContaining(['margin', 'withheld']),
    });
    expect(measures.map(({ name }) => name)).not.toContain('margin');
  });

  it('knows which numbers add up: counts of facts, and neither people nor rates', () => {
    const added = Object.fromEntries(
      subjects.map(({ name, sums, measures }) => [
        name.replace('Report', ''),
        measures
          .map((each) => each.name)
          .filter((each) => !sums.includes(each))
          .sort(),
      ]),
    );
    expect(added).toStrictEqual({
      dose: ['adherenceRate', 'medianLateness', 'members', 'p90Lateness'],
      reminder: ['members', 'unrecognizedRate'],
      appointment: ['attendanceRate', 'medianLeadTime', 'members', 'p90LeadTime'],
      notification: ['deliveryRate', 'meanLateness', 'medianLateness', 'members', 'p90Lateness'],
      account: ['active', 'medianAge', 'p90Age'],
      cohort: ['activeRate', 'dropOffRate', 'members'],
      reminderCohort: ['dropOffRate', 'members'],
      poll: ['choicesPerSubmission', 'members'],
      pollChoice: ['members'],
      form: ['senders'],
      content: ['revisionsPerItem'],
    });
    const { sums } = about('doseReport');
    expect(sums).toEqual(expect.arrayContaining(['taken', 'previous.taken', 'cumulative.taken']));
    expect(sums.filter((name) => /margin|moving|interval|members/.test(name))).toStrictEqual([]);
  });

  it('knows them in an answer by the names of its reports, whatever these are called there', () => {
    const addsUp = addingUp(subjects, '{ mine: accountReport { rows { active created } } }');
    expect(['active', 'created'].map((name) => addsUp(name, 'mine.rows'))).toStrictEqual([
      ...[false, true],
    ]);
    expect(addsUp('created', 'mine.total'), 'one row').toBe(false);
    expect(addsUp('created', 'posts.nodes')).toBe(false);
    expect(addingUp(subjects, '')('active', 'cohortReport.rows'), 'facts by week').toBe(true);
  });

  it('writes documents that fit the schema, and reads each back as the same question', () => {
    for (const subject of subjects)
      fc.assert(
        fc.property(questionsAbout(subject), (question) => {
          const text = documentOf(question, subject);
          expect(validate(schema, parse(text))).toStrictEqual([]);
          expect(readBack(text, {}, subjects)).toEqual({ question });
        }),
        { numRuns: 60 },
      );
  });

  it('says of ranges and dates that end today that they are not over', () => {
    const ranges = subjects[0]?.ranges ?? [];
    const open = ranges.filter(({ name }) => isOpen({ range: name }, ranges, '2026-03-05'));
    expect(open.map(({ name }) => name)).toStrictEqual([
      ...['TODAY', 'LAST_7_DAYS', 'LAST_30_DAYS', 'LAST_90_DAYS', 'LAST_365_DAYS'],
      ...['THIS_WEEK', 'THIS_MONTH', 'THIS_QUARTER', 'THIS_YEAR'],
    ]);
    const until = (to: string) => isOpen({ from: '2026-03-01', to }, ranges, '2026-03-05');
    expect(['2026-03-04', '2026-03-05', '2026-03-06'].map(until)).toStrictEqual([
      false,
      true,
      true,
    ]);
  });

  it('reads the defaults of variables, and refuses what it would change', () => {
    const read = (text: string, variables = {}) => readBack(text, variables, subjects);
    const english = `query Doses($of: [ShortText] = ["en"]) {
      doseReport(range: LAST_YEAR, filter: { language: $of }) { rows { month taken } } }`;
    const filterOf = (variables: object) => read(english, variables).question?.filter;
    expect(filterOf({})).toStrictEqual({ language: ['en'] });
    expect(filterOf({ of: ['de'] })).toStrictEqual({ language: ['de'] });
    const refused = (text: string) => read(`{ doseReport${text} }`).problem;
    expect(refused('(from: "2026-01-01") { rows { month taken } }')).toMatch(
      /^The builder shows a time/,
    );
    const periodOf = (text: string) => read(text).question?.period;
    expect(periodOf('{ doseReport { rows { month taken } } }')).toStrictEqual({
      range: 'LAST_30_DAYS',
    });
    expect(periodOf('{ cohortReport { rows { weeksSince activeRate } } }')).toStrictEqual({
      range: 'LAST_12_MONTHS',
    });
    expect(refused('(range: LAST_YEAR) { rows { month } }')).toMatch(/^The builder shows numbers/);
    for (const rows of ['taken cumulative { missed }', 'taken movingAverage { taken missed }'])
      expect(refused(`(range: LAST_YEAR) { rows { month ${rows} } }`), rows).toMatch(
        /: select both\.$/,
      );
    const average = 'rows { date movingAverage { adherenceRate withheld } }';
    expect(refused(`(range: LAST_90_DAYS) { ${average} }`)).toMatch(/select one of the rows/);
  });

  it('has ranges, options, leading values and series of every subject', () => {
    for (const subject of subjects) {
      expect(subject.ranges.map(({ name }) => name)).toStrictEqual([
        ...['TODAY', 'YESTERDAY', 'LAST_7_DAYS', 'LAST_7_WHOLE_DAYS', 'LAST_28_WHOLE_DAYS'],
        ...['LAST_30_DAYS', 'LAST_90_DAYS', 'LAST_90_WHOLE_DAYS', 'LAST_365_DAYS'],
        'LAST_365_WHOLE_DAYS',
        ...['THIS_WEEK', 'LAST_WEEK', 'THIS_MONTH', 'LAST_MONTH', 'LAST_12_MONTHS'],
        ...['LAST_24_MONTHS', 'THIS_QUARTER', 'LAST_QUARTER', 'THIS_YEAR', 'LAST_YEAR'],
      ]);
      expect(subject.options.map(({ name }) => name).sort()).toStrictEqual([
        ...['compare', 'fill', 'grain', 'over', 'weekStart'],
      ]);
      expect(subject.companions.map(({ name }) => name).sort()).toStrictEqual([
        ...['cumulative', 'movingAverage', 'previous'],
      ]);
      const { top, dimensions, measures } = subject;
      expect(dimensions.map(({ name }) => name)).toEqual(
        expect.arrayContaining([...(top?.of ?? [])]),
      );
      expect(measures.map(({ name }) => name).sort()).toStrictEqual([...(top?.by ?? [])].sort());
      expect(questionAbout(subject)).toMatchObject({
        groups: ['date'],
        period: { range: 'LAST_12_MONTHS' },
      });
    }
  });

  it('writes what is chosen of time, gaps, leading values, sums and averages', () => {
    const subject = about('doseReport');
    const question: Question = {
      ...questionAbout(subject),
      ...{ measures: ['taken', 'members'], groups: ['date', 'medicineType'] },
      period: { range: 'THIS_YEAR' },
      options: {
        compare: 'PREVIOUS_YEAR',
        grain: 'WEEK',
        weekStart: 'SUNDAY',
        fill: true,
        over: 4,
      },
      companions: ['cumulative', 'movingAverage'],
      top: { count: 3, by: 'adherenceRate', of: 'medicineType' },
    };
    const text = documentOf(question, subject).replace(/\s+/g, ' ');
    for (const part of [
      'range: THIS_YEAR',
      'top: { count: 3, by: ADHERENCE_RATE, of: MEDICINE_TYPE }',
      'compare: PREVIOUS_YEAR',
      'grain: WEEK',
      'weekStart: SUNDAY',
      'fill: true',
      'over: 4',
      'cumulative { taken withheld }',
      'movingAverage { taken withheld }',
      'previous { taken members withheld }',
      'isOthers',
    ])
      expect(text).toContain(part);
    expect(readBack(text, {}, subjects)).toEqual({ question });
    expect(tidied({ ...question, groups: ['date'] })).not.toHaveProperty('top');
    const implied = text.replace(', of: MEDICINE_TYPE', '');
    expect(readBack(implied, {}, subjects), 'of the first group').toEqual({ question });
  });

  it('asks for the names of what it groups by, and for no more rows than are answered', () => {
    const subject = about('pollChoiceReport');
    const groups = ['date', 'poll', 'option'];
    const text = documentOf({ ...questionAbout(subject), groups }, subject);
    expect(text).toMatch(/poll\s+pollName\s+option\s+optionName/);
    expect(text).not.toContain('first:');
    expect(readBack(text, {}, subjects).question?.groups).toStrictEqual(groups);
    const named = '{ pollReport(range: LAST_YEAR) { rows { pollName members } } }';
    expect(readBack(named, {}, subjects).question?.groups).toStrictEqual(['poll']);
    const large = widest(about('doseReport'));
    expect(documentOf(large, about('doseReport'))).toMatch(/first: \d+/);
    expect(readBack(documentOf(large, about('doseReport')), {}, subjects)).toEqual({
      question: large,
    });
  });

  it('has what the schema gains, without a change of the builder', async () => {
    const grown = await catalogueOf(GROWN);
    const subject = about('doseReport', grown);
    expect(subject.dimensions).toContainEqual(
      expect.objectContaining({ name: 'ageBand', names: 'ageBandName' }),
    );
    expect(subject.measures.map(({ name }) => name)).toContain('meanDelay');
    const question: Question = {
      ...questionAbout(subject),
      groups: ['date', 'ageBand'],
      measures: ['meanDelay'],
      options: { rounding: 'TEN' },
      companions: ['movingAverage'],
      top: { count: 2, by: 'scheduled', of: 'ageBand' },
    };
    const text = documentOf(question, subject);
    expect(validate(GROWN, parse(text))).toStrictEqual([]);
    expect(text).toContain('rounding: TEN');
    expect(text).toContain('movingAverage { meanDelay withheld }');
    const { question: read } = readBack(text, {}, grown);
    expect(read && documentOf(read, subject)).toBe(text);
    expect(read).toMatchObject({ groups: question.groups, top: question.top });
  });

  it('reads variables, and says what it cannot show', () => {
    const text = `query Months($from: LocalDate!, $to: LocalDate!) {
      doseReport(from: $from, to: $to) { rows { month taken } suppressed } }`;
    const range = { from: '2026-01-01', to: '2026-02-28' };
    expect(readBack(text, range, subjects).question?.period).toStrictEqual(range);
    for (const [document, problem] of [
      ['{ posts { totalCount } }', /no report named posts/],
      [
        '{ doseReport(from: "2026-01-01", to: "2026-02-28") { rows { mood } } }',
        /cannot show mood/,
      ],
      ['{ a: doseReport(from: "2026-01-01", to: "2026-02-28") { rows { month } } }', /aliases/],
      ['{ doseReport(', /Syntax Error/],
      ['query A { x } query B { y }', /one question/],
    ] as const)
      expect(readBack(document, {}, subjects).problem).toMatch(problem);
  });

  it('calls polls by their questions, and the others of leading values so', () => {
    const subject = about('pollReport');
    const row = { date: '2026-01-01', isOthers: false, answers: 5 };
    const rows = [
      { ...row, poll: '1', pollName: 'How are you?' },
      { ...row, poll: '2', pollName: 'Same? (2)' },
      { ...row, poll: '3', pollName: 'Same? (3)' },
      { ...row, poll: '4', pollName: null },
      { ...row, poll: null, pollName: null, isOthers: true },
    ];
    const isKey = (name: string) => subject.dimensions.some((other) => other.name === name);
    const data = { pollReport: { rows, from: '2026-01-01', grain: 'MONTH' } };
    const [table] = tablesOf(labelled(data, subject), { isKey });
    expect(table?.rows.map(({ poll }) => poll)).toStrictEqual([
      ...['How are you?', 'Same? (2)', 'Same? (3)', '4', 'others'],
    ]);
    expect(table?.columns.map(({ name }) => name)).not.toContain('pollName');
    expect(table && grainOf({ name: 'date' }, table)).toBe('month');
  });

  it('says what a question lacks before it is asked', () => {
    const question = questionAbout(about('doseReport'));
    expect(objectionTo(question)).toBeUndefined();
    expect(objectionTo({ ...question, measures: [] })).toMatch(/Choose a number/);
    const period = { from: '2026-02-01', to: '2026-01-01' };
    expect(objectionTo({ ...question, period })).toMatch(/exchange them/);
    expect(
      objectionTo({ ...question, groups: ['month', 'hour', 'language'], filter: { x: ['y'] } }),
    ).toMatch(/at most 3/);
  });
});

describe('What the builder asks', () => {
  const service = useService();

  it('is never too large by itself, however much is chosen', async () => {
    for (const subject of subjects) {
      const question = widest(subject);
      for (const first of [undefined, mostRowsOf(question, subject)]) {
        const query = documentOf({ ...question, ...(first && { first }) }, subject);
        const { [subject.name]: report } = await service().data(query, {}, 'analyst');
        expect(report.rows, query).toStrictEqual([]);
      }
      const first = mostRowsOf(question, subject) * 1.2;
      const query = documentOf({ ...question, first: Math.ceil(first) }, subject);
      await expect(service().data(query, {}, 'analyst')).rejects.toThrow(/DOCUMENT_TOO_LARGE/);
    }
  });
});
