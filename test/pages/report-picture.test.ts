import type { ReportView } from '../../src/domains/reports/saved/saved-report.types.js';
import { pictureOf } from '../../src/pages/report-picture.js';
import { type TableRow, tableFrom } from '../../src/platform/pictures/table.js';

/** Returns the picture of rows, drawn in a way; `taken` adds up unless told. */
function pictured(
  rows: readonly TableRow[],
  view: ReportView | null,
  {
    name = 'Doses',
    sums = ['taken'],
    keys = [] as string[],
    period = undefined as { from: string; to: string } | undefined,
    open = '2026-12-31',
    measure = null as string | null,
    grain = undefined as string | undefined,
    isCut = undefined as true | undefined,
  } = {},
): string {
  const table = tableFrom(
    { name: 'doseReport.rows', rows, isSingle: false, span: { ...period, open, grain, isCut } },
    {
      isKey: (column) => keys.includes(column) || undefined,
      addsUp: (column) => sums.includes(column),
    },
  );
  return pictureOf(table, { name, view, measure })?.text ?? '';
}

const MONTHS = ['2026-01-01', '2026-02-01'];
/** Fifteen types in two months: the later ones are the larger ones. */
const fifteen = (name = 'taken') =>
  MONTHS.flatMap((month) =>
    Array.from({ length: 15 }, (_, i) => ({ month, type: `t${i}`, [name]: 100 + i })),
  );
const namesIn = (text: string) =>
  [...text.matchAll(/<td>([^<]+)<\/td>/g)].map(([, name]) => name as string);
const rectsIn = (text: string) =>
  [...text.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map(
    ([, ...sides]) => sides.map(Number) as [x: number, y: number, width: number, height: number],
  );
const crossesIn = (text: string) => text.match(/>×</g)?.length ?? 0;

describe('The picture of a report in a frame', () => {
  it('names the twelve largest series, and draws the others as their sum', () => {
    const text = pictured(fifteen(), 'LINE');
    expect(namesIn(text)).toStrictEqual([
      ...Array.from({ length: 12 }, (_, i) => `t${i + 3}`),
      'others (3)',
    ]);
    expect(text).toContain(
      'The 12 largest of 15 are drawn by name, and the others as their sum, where each of them has a value.',
    );
  });

  it('has no sum of others that cannot be added up, and says so', () => {
    const bars = pictured(fifteen('members'), 'BAR', { sums: [] });
    expect(namesIn(bars)).toHaveLength(12);
    expect(bars).toContain('The others have no value together: members cannot be added up.');
    const lines = pictured(fifteen('members'), 'LINE', { sums: [] });
    expect(lines).toContain('the others in grey: members cannot be added up.');
    expect(lines.match(/<path/g)).toHaveLength(15);
  });

  it('draws intervals where the report has them', () => {
    const rows = MONTHS.map((month, i) => ({
      ...{ month, taken: 10 + i },
      ...{ 'interval.taken.low': 8, 'interval.taken.high': 14 },
    }));
    for (const view of ['LINE', 'BAR'] as const) {
      expect(pictured(rows, view).match(/class="interval"/g), view).toHaveLength(2);
      expect(pictured(rows, view)).toContain('Thin lines are intervals.');
    }
  });

  it('draws the measure that its name says, and what is grouped by as none', () => {
    const rows = MONTHS.map((month) => ({ month, scheduled: 9, adherenceRate: 0.5 }));
    expect(pictured(rows, 'LINE', { name: 'Adherence by month' })).toContain(
      'adherenceRate by month.',
    );
    expect(pictured(rows, 'LINE')).toContain('scheduled by month.');
    const before = MONTHS.map((month) => ({ ...{ month, taken: 9 }, 'previous.taken': 8 }));
    expect(pictured(before, 'LINE', { name: 'The previous taken' })).toContain('taken by month.');
    const stacked = MONTHS.flatMap((month) =>
      ['a', 'b'].map((type) => ({ month, type, taken: 9, adherenceRate: 0.5 })),
    );
    expect(pictured(stacked, 'STACK', { name: 'Adherence' })).toContain('taken by month, type.');
    const cohorts = [0, 1].map((weeksSince) => ({ weeksSince, activeRate: 0.5 }));
    expect(pictured(cohorts, 'BAR', { keys: ['weeksSince'] })).toContain(
      'activeRate by weeksSince.',
    );
  });

  it('draws lighter what was not over, and what the range has only a part of', () => {
    const rows = ['2026-01-05', '2026-01-12', '2026-01-19'].map((week) => ({ week, taken: 9 }));
    const lighter = (options: Parameters<typeof pictured>[2]) =>
      pictured(rows, 'BAR', options).includes('What is lighter was not over, or only partly');
    expect(lighter({ period: { from: '2026-01-05', to: '2026-01-25' } })).toBe(false);
    expect(lighter({ period: { from: '2026-01-07', to: '2026-01-25' } })).toBe(true);
    expect(lighter({ period: { from: '2026-01-05', to: '2026-01-24' } })).toBe(true);
    expect(lighter({ open: '2026-01-25' })).toBe(true);
  });

  it('draws stacks as stacks, with a cross where a part is hidden', () => {
    const rows = MONTHS.flatMap((month, m) =>
      ['a', 'b'].map((type, i) => ({
        ...{ month, type, taken: m === 1 && i === 1 ? null : 10 + i },
        withheld: m === 1 && i === 1 ? 'FEW_ACCOUNTS' : null,
      })),
    );
    const text = pictured(rows, 'STACK');
    const bars = rectsIn(text);
    expect(bars).toHaveLength(3);
    const [first, upper, second] = bars.sort(([a, b], [c, d]) => a - c || d - b);
    expect(first?.[0], 'one above the other').toBe(upper?.[0]);
    expect(upper && upper[1] + upper[3]).toBeCloseTo(first?.[1] ?? 0, 0);
    expect(second?.[0]).toBeGreaterThan(first?.[0] ?? 0);
    expect(crossesIn(text)).toBe(1);
    expect(text).toContain('× is hidden');
  });

  it('does not stack what cannot be added up', () => {
    const rows = MONTHS.flatMap((month) =>
      ['a', 'b'].map((type) => ({ month, type, members: 10 })),
    );
    const text = pictured(rows, 'STACK', { sums: [] });
    expect(new Set(rectsIn(text).map(([x]) => x)).size).toBe(4);
    expect(text).toContain('Bars stand side by side: members cannot be added up.');
  });

  it('draws heat by two dimensions as a table of colours', () => {
    const rows = [8, 9, 10].flatMap((hour) =>
      ['Mon', 'Tue'].map((name, i) => ({
        ...{ hour, name, taken: hour === 10 && i === 1 ? null : hour * 10 },
        withheld: hour === 10 && i === 1 ? 'FEW_ACCOUNTS' : null,
      })),
    );
    const text = pictured(rows, 'HEAT');
    expect(rectsIn(text)).toHaveLength(5);
    expect(new Set([...text.matchAll(/fill-opacity="([^"]+)"/g)].map(([, by]) => by)).size).toBe(3);
    expect(crossesIn(text)).toBe(1);
    expect(text).toContain('The darker, the more: from 80 to 100.');
    const calendar = pictured(
      MONTHS.map((month) => ({ month, taken: 1 })),
      'HEAT',
    );
    expect(calendar).toContain('It is drawn as lines here.');
  });

  it("marks what is not over by the site's date", () => {
    const rows = MONTHS.map((month) => ({ month, taken: 10 }));
    expect(pictured(rows, 'BAR', { open: '2026-02-28' })).toContain('fill-opacity="0.4"');
    expect(pictured(rows, 'BAR', { open: '2026-03-01' })).not.toContain('fill-opacity="0.4"');
  });

  it('says that it is of the first rows alone', () => {
    const rows = MONTHS.map((month) => ({ month, taken: 10 }));
    expect(pictured(rows, 'BAR', { isCut: true })).toContain(
      'These are the first 2 rows: there are more.',
    );
    expect(pictured(rows, 'BAR')).not.toContain('there are more');
  });

  it('has no sum of others of which one has no row: it may be hidden', () => {
    const rows = fifteen().filter(({ month, type }) => !(month === '2026-02-01' && type === 't1'));
    const circles = (text: string) => text.match(/<circle/g)?.length;
    expect(circles(pictured(fifteen(), 'LINE'))).toBe(26);
    expect(circles(pictured(rows, 'LINE'))).toBe(25);
  });

  it('keeps apart what is called alike', () => {
    const rows = [
      { type: 'none', taken: 1 },
      { type: null, taken: 2 },
      { type: null, taken: 3 },
      { type: 'no value', taken: 4 },
    ];
    expect(rectsIn(pictured(rows, 'BAR'))).toHaveLength(4);
    const others = [
      { type: 'others', taken: 1, isOthers: false },
      { type: null, taken: 2, isOthers: true },
    ];
    const text = pictured(others, 'BAR', { keys: ['type'] });
    expect(rectsIn(text)).toHaveLength(2);
    expect(text).toContain('>all others<');
  });

  it('has the places of the playground: by grain, numbers in order, and weeks of sign-up with gaps', () => {
    const texts = (rows: readonly TableRow[], options: Parameters<typeof pictured>[2] = {}) =>
      [...pictured(rows, 'LINE', options).matchAll(/text-anchor="middle"[^>]*>([^<×]+)</g)].map(
        ([, text]) => text,
      );
    const dates = ['2026-01-01', '2026-04-01'].map((date) => ({ date, taken: 1 }));
    expect(texts(dates, { grain: 'MONTH' })).toStrictEqual([
      ...['2026-01', '2026-02', '2026-03', '2026-04'],
    ]);
    const hours = [9, 12, 10].map((hour) => ({ hour, taken: 1 }));
    expect(texts(hours, { keys: ['hour'] })).toStrictEqual(['9', '10', '11', '12']);
    const weeks = ['2026-01-05', '2026-01-19'].map((signUpWeek) => ({ signUpWeek, taken: 1 }));
    expect(texts(weeks, { keys: ['signUpWeek'] })).toStrictEqual([
      ...['2026-01-05', '2026-01-12', '2026-01-19'],
    ]);
    const bands = ['10-19 days', '2-9 days', '0-1 days'].map((band) => ({ band, taken: 1 }));
    expect(texts(bands)).toStrictEqual(['0-1 days', '2-9 days', '10-19 days']);
    const cohorts = [0, 1, 2].map((weeksSince) => ({ weeksSince, activeRate: 0.5 }));
    expect(pictured(cohorts, 'LINE', { keys: ['weeksSince'] }), 'lines along numbers').toMatch(
      /<path d="M/,
    );
  });
});
