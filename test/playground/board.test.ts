import { asOfIn, earliestOf } from '../../playground/board/as-of.js';

describe('A board', () => {
  const at = (asOf: unknown) => asOfIn({ doseReport: { asOf, rows: [] } }, 'doseReport');

  it('is as of the earliest instant up to which one of its reports is counted', () => {
    const [early, late] = ['2026-03-01T23:30:00.000Z', '2026-03-02T08:00:00.000Z'];
    expect(earliestOf([late, early, undefined].map(at))).toBe(early);
  });

  it('says nothing of when before a report has told', () => {
    expect(earliestOf([])).toBeUndefined();
    expect(earliestOf([at(null), asOfIn(undefined, 'doseReport')])).toBeUndefined();
  });
});
