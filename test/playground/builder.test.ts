import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { buildSchema, graphql, parse, validate } from 'graphql';
import { readCatalogue, type Subject } from '../../playground/builder/catalogue.js';
import {
  objectionTo,
  type Question,
  questionAbout,
  tidied,
} from '../../playground/builder/question.js';
import { readBack } from '../../playground/builder/reading-back.js';
import { documentOf } from '../../playground/builder/writing.js';
import { projectRoot } from '../../src/platform/root.js';

const TEXT = readFileSync(join(projectRoot, 'schema/schema.graphql'), 'utf8');
const schema = buildSchema(TEXT);
/** The same with what a schema may gain: a range, a dimension, a measure, an option. */
const GROWN = buildSchema(`${TEXT.replace(
  /(doseReport\(\n)/,
  '$1 range: ReportRange\n grain: ReportGrain\n fillsGaps: Boolean\n top: Int\n',
)
  .replace(
    /(type DoseReportRow \{)/,
    '$1 ageBand: String\n meanDelay: Float\n isOthers: Boolean\n movingAverage: DoseReportTotal\n',
  )
  .replace(/(type DoseReportTotal \{)/, '$1 meanDelay: Float\n')
  .replace(/(type DoseReportInterval \{)/, '$1 meanDelay: ReportInterval\n')}
  enum ReportRange { LAST_30_DAYS LAST_12_MONTHS }
  enum ReportGrain { DAY WEEK }`);

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
  const option = ({ values }: Subject['options'][number]) =>
    fc.constantFrom<string | boolean>(...(values?.map(({ name }) => name) ?? [true]));
  const options = subject.options.map((each) => [each.name, fc.option(option(each))] as const);
  return fc
    .record({
      measures: names(subject.measures, 1),
      groups: names(subject.dimensions).map((some) => some.slice(0, 3)),
      filtered: names(subject.filters).map((some) => some.slice(0, 2)),
      values: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
      period: fc.record({ from: dateText, to: dateText }),
      options: fc.record(Object.fromEntries(options)),
      first: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }),
      order: fc.option(fc.record({ by: fc.nat(), isDescending: fc.boolean() }), { nil: undefined }),
    })
    .map(({ filtered, values, first, order, options: chosen, ...others }): Question => {
      const fields = [...others.groups, ...others.measures];
      const by = order && fields[order.by % fields.length];
      return tidied({
        ...others,
        subject: subject.name,
        companions: [],
        filter: Object.fromEntries(filtered.map((name) => [name, values])),
        options: Object.fromEntries(
          Object.entries(chosen).flatMap(([name, one]) => (one === null ? [] : [[name, one]])),
        ) as Question['options'],
        ...(first && { first }),
        ...(order && by && { order: { by, isDescending: order.isDescending } }),
      });
    });
};

describe('The builder of reports', () => {
  it('has every report of the schema, with its dimensions, measures and filters', () => {
    const roots = Object.keys(schema.getQueryType()?.getFields() ?? {});
    expect(subjects.map(({ name }) => name)).toStrictEqual(
      roots.filter((name) => name.endsWith('Report')),
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

  it('has what the schema gains, without a change of the builder', async () => {
    const grown = await catalogueOf(GROWN);
    const subject = about('doseReport', grown);
    expect(subject.dimensions.map(({ name }) => name)).toContain('ageBand');
    expect(subject.measures.map(({ name }) => name)).toContain('meanDelay');
    expect(subject.options.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['grain', 'fillsGaps', 'top']),
    );
    const question: Question = {
      ...questionAbout(subject),
      groups: ['month', 'ageBand'],
      measures: ['meanDelay'],
      options: { grain: 'WEEK', fillsGaps: true, top: 3 },
      companions: ['movingAverage'],
    };
    expect(question.period).toStrictEqual({ range: 'LAST_12_MONTHS' });
    const text = documentOf(question, subject);
    expect(text).toContain('range: LAST_12_MONTHS');
    expect(text).toContain('isOthers');
    const { question: read } = readBack(text, {}, grown);
    expect(read && documentOf(read, subject)).toBe(text);
    expect(read?.period).toStrictEqual(question.period);
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
