// Intervals of rates and means whose counts may be those of nothing, for all that the noise tells.
import { SUBJECTS } from '../../../src/domains/reports/catalogue/catalogue.js';
import type { Measure } from '../../../src/domains/reports/catalogue/subject.js';
import { intervalOf } from '../../../src/domains/reports/measured.js';

const sumOf = (value: number, low: number, high: number) => ({
  value,
  sure: { low, high },
  likely: { low, high },
});
const measure = (subject: string, name: string): Measure =>
  SUBJECTS.find((each) => each.name === subject)?.measures.find((each) => each.name === name) ??
  fail(name);
const fail = (name: string): never => {
  throw new Error(name);
};

describe('The interval of a rate whose denominator may be 0', () => {
  it.each([
    ['reminder', 'unrecognizedRate', 'created', 'unrecognized', 1],
    ['appointment', 'attendanceRate', 'planned', 'attended', 1],
    ['content', 'revisionsPerItem', 'published', 'revisions', 40],
    ['poll', 'choicesPerSubmission', 'submissions', 'choices', 40],
    ['notification', 'meanLateness', 'sent', 'lateSeconds', 40],
  ])('%s.%s ends at what it is of one', (subject, name, whole, part, high) => {
    const sums = new Map([
      [whole, sumOf(10, 0, 30)],
      [part, sumOf(5, 0, 40)],
    ]);
    expect(intervalOf(measure(subject, name), sums)).toStrictEqual({ low: 0, high });
  });

  it('is of the ends of both sums where there is something to divide by', () => {
    const sums = new Map([
      ['published', sumOf(10, 5, 20)],
      ['revisions', sumOf(20, 10, 30)],
    ]);
    expect(intervalOf(measure('content', 'revisionsPerItem'), sums)).toStrictEqual({
      low: 0.5,
      high: 6,
    });
  });
});
