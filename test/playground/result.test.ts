import { csvOf } from '../../playground/result/csv.js';
import { notesOf } from '../../playground/result/notes.js';
import { filtered, nextOrder, sorted } from '../../playground/result/sorting.js';
import { kindOf, objectionTo, rolesOf } from '../../src/platform/pictures/kind.js';
import { drawableOf } from '../../src/platform/pictures/points.js';
import { measureOf } from '../../src/platform/pictures/series.js';
import { type Table, tablesOf } from '../../src/platform/pictures/table.js';

/** What the catalogue says of these columns. */
const known = { addsUp: (name: string) => ['taken', 'scheduled'].includes(name) };
const tableOf = (rows: readonly object[]): Table => {
  const [table] = tablesOf({ doseReport: { rows } }, known);
  if (!table) throw new Error('There is no table.');
  return table;
};
const days = (count: number) =>
  Array.from({ length: count }, (_, day) => ({
    day: new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
    taken: day,
  }));

describe('An answer in the playground', () => {
  it('says that doses are the own ones, which have the names of reports about all members', () => {
    const notes = (isExact: boolean) => {
      const [table] = tablesOf({ doseReport: { isExact, rows: days(3) } }, known);
      return table && notesOf(table, 'line', undefined, 0);
    };
    expect(notes(true)).toStrictEqual(['These are your own doses, not those of all members.']);
    expect(notes(false)).toStrictEqual([]);
  });

  it('has its lists as tables, the longest first, and nested fields by their paths', () => {
    const tables = tablesOf({
      posts: { nodes: [{ title: 'a', author: { name: 'b' }, terms: [1] }], totalCount: 9 },
      polls: {
        edges: [
          { cursor: 'x', node: { id: 1 } },
          { cursor: 'y', node: { id: 2 } },
        ],
      },
    });
    expect(tables.map(({ name, rows }) => [name, rows])).toStrictEqual([
      ['polls.edges', [{ id: 1 }, { id: 2 }]],
      ['posts.nodes', [{ title: 'a', 'author.name': 'b', terms: '[1]' }]],
      ['posts', [{ totalCount: 9 }]],
    ]);
  });

  it('tells dimensions from measures', () => {
    const { columns } = tableOf([
      { month: '2026-01-01', weekday: 1, language: 'en', taken: 3, databaseId: 7, margin: 5 },
    ]);
    expect(columns.map(({ kind, isKey }) => [kind, isKey])).toStrictEqual([
      ['time', true],
      ['number', true],
      ['text', true],
      ['number', false],
      ['number', true],
      ['number', false],
    ]);
    expect(rolesOf({ ...tableOf([]), columns }).measures.map(({ name }) => name)).toStrictEqual([
      'taken',
      'margin',
    ]);
  });

  it.each([
    [
      'line',
      [
        { month: '2026-01-01', rate: 0.5 },
        { month: '2026-02-01', rate: 0.6 },
      ],
    ],
    ['line', days(20)],
    ['heat', days(200)],
    [
      'bar',
      [
        { language: 'en', adherenceRate: 0.5 },
        { language: null, adherenceRate: 0.6 },
      ],
    ],
    [
      'stack',
      [
        { type: 'a', kind: 'x', taken: 1 },
        { type: 'b', kind: 'y', taken: 2 },
      ],
    ],
    [
      'bar',
      [
        { type: 'a', kind: 'x', adherenceRate: 1 },
        { type: 'b', kind: 'y', adherenceRate: 0 },
      ],
    ],
    [
      'heat',
      [
        { weekday: 1, hour: 8, taken: 1 },
        { weekday: 2, hour: 9, taken: 2 },
      ],
    ],
    ['number', [{ taken: 5, missed: 1 }]],
    ['table', [{ title: 'a' }, { title: 'b' }]],
    ['table', []],
  ])('is drawn by its shape: %s', (kind, rows) => {
    expect(kindOf(tableOf(rows))).toBe(kind);
  });

  it.each(['members', 'active', 'senders', 'p90Age', 'choicesPerSubmission'])(
    'is not stacked where nobody knows that it adds up: %s',
    (name) => {
      const table = tableOf([
        { type: 'a', kind: 'x', [name]: 1 },
        { type: 'b', kind: 'y', [name]: 2 },
      ]);
      expect(kindOf(table)).toBe('bar');
      expect(objectionTo('stack', table)).toMatch(/add up/);
    },
  );

  it('says why it cannot be drawn', () => {
    expect(objectionTo('line', tableOf([]))).toBe('There are no rows.');
    expect(objectionTo('bar', tableOf([{ title: 'a' }]))).toMatch(/select a measure/);
    expect(objectionTo('bar', tableOf(days(61)))).toMatch(/^These would be 61 bars/);
    expect(objectionTo('number', tableOf(days(2)))).toBe('There are several rows.');
    expect(objectionTo('line', tableOf([{ type: 'a', n: 1 }]))).toMatch(/^Lines go along time/);
    expect(objectionTo('heat', tableOf([{ type: 'a', n: 1 }]))).toMatch(/^A heat map is by day/);
    expect(objectionTo('stack', tableOf(days(3)))).toMatch(/select a second dimension/);
  });
});

const months = (...values: readonly (number | null)[]) =>
  values.map((taken, month) => ({
    month: `2026-0${month + 1}-01`,
    taken,
    withheld: taken === null ? 'FEW_ACCOUNTS' : null,
    interval: { taken: taken === null ? null : { low: taken - 1, high: taken + 1 } },
  }));
const reportOf = (rows: readonly object[], asOf = '2026-12-31T10:00:00Z'): Table => {
  const span = { from: '2026-01-01', to: '2026-12-31', asOf };
  const [table] = tablesOf({ doseReport: { rows, ...span } }, known);
  if (!table) throw new Error('There is no table.');
  return table;
};
const drawn = (table: Table, name = 'taken') => {
  const measure = rolesOf(table).measures.find((column) => column.name === name);
  if (!measure) throw new Error(`There is no ${name}.`);
  return drawableOf(table, measure);
};

describe('A picture of an answer', () => {
  it('has a place for every month, a gap where there is none, and says what is hidden', () => {
    const rows = months(4, 5, null, 7).filter((_, month) => month !== 1);
    const { points, places } = drawn(reportOf(rows));
    expect(places.map((place) => (place as Date).toISOString().slice(0, 7))).toStrictEqual([
      ...['2026-01', '2026-02', '2026-03', '2026-04'],
    ]);
    expect(points.map(({ value, hidden }) => [value, hidden])).toStrictEqual([
      [4, undefined],
      [Number.NaN, 'FEW_ACCOUNTS'],
      [7, undefined],
    ]);
    expect(notesOf(reportOf(rows), 'line', undefined, 0)).toStrictEqual([
      '1 value is hidden (×): too few people are behind it.',
    ]);
    const later = [...rows, { month: '2026-05-01', taken: null, withheld: 'AFTER_AS_OF' }];
    expect(notesOf(reportOf(later), 'line', undefined, 0)).toStrictEqual([
      '1 value is hidden (×): too few people are behind it.',
      '1 value is missing (×): it is not counted yet.',
    ]);
    const whole = { taken: 9, 'previous.taken': null, 'previous.withheld': 'UNEQUAL_SPANS' };
    for (const kind of ['table', 'number'] as const)
      expect(notesOf(reportOf([whole]), kind, undefined, 0), kind).toStrictEqual([
        expect.stringMatching(/^1 value is missing: what it is compared with/),
      ]);
  });

  it('has the interval of its measure, and neither intervals nor reasons as series', () => {
    const table = reportOf(months(4, 5));
    expect(rolesOf(table).measures.map(({ name }) => name)).toStrictEqual(['taken']);
    expect(rolesOf(table).series).toStrictEqual([]);
    expect(drawn(table).points.map(({ low, high }) => [low, high])).toStrictEqual([
      [3, 5],
      [4, 6],
    ]);
  });

  it('marks the month that is not over', () => {
    const table = reportOf(months(4, 5), '2026-02-10T10:00:00Z');
    expect(drawn(table).points.map(({ isPart }) => isPart)).toStrictEqual([false, true]);
    expect(notesOf(table, 'line', undefined, 0)).toStrictEqual([
      expect.stringMatching(/^2026-02 is not over/),
    ]);
  });

  it('marks what is not over by the date of the service, which is not that of UTC', () => {
    // 22:00 on the last of February in Los Angeles, and 00:30 on the first of March in Berlin.
    const rows = months(4, 5);
    const isPart = (today: string, asOf: string) => {
      const [table] = tablesOf({ doseReport: { rows, today, asOf } });
      return table && drawn(table).points.map((point) => point.isPart);
    };
    expect(isPart('2026-02-28', '2026-03-01T06:00:00Z')).toStrictEqual([false, true]);
    expect(isPart('2026-03-01', '2026-02-28T23:30:00Z')).toStrictEqual([false, false]);
    expect(isPart('2026-04-01', '2026-02-20T12:00:00Z'), 'facts lack').toStrictEqual([false, true]);
  });

  it('has hours and numbers in their order, those without a value too', () => {
    const hours = [9, 12, 10].map((hour) => ({ hour, taken: hour }));
    expect(drawn(reportOf(hours)).places).toStrictEqual([9, 10, 11, 12]);
    const bands = ['10-19 days', '2-9 days', '0-1 days'].map((band) => ({ band, taken: 1 }));
    expect(drawn(reportOf(bands)).places).toStrictEqual(['0-1 days', '2-9 days', '10-19 days']);
    const ordered = ['tablet', 'drops'].map((type) => ({ type, taken: 1 }));
    expect(drawn(reportOf(ordered)).places, 'as the report orders them').toStrictEqual([
      ...['tablet', 'drops'],
    ]);
  });

  it('has more than twelve series as twelve and the sum of the others; rates are not added', () => {
    const rows = Array.from({ length: 15 }, (_, i) => ({
      ...{ month: '2026-01-01', type: `t${i}`, taken: 100 - i, adherenceRate: 0.5 },
    }));
    const counts = drawn(reportOf(rows));
    expect([counts.names.length, counts.names.at(-1)]).toStrictEqual([13, 'others (3)']);
    expect(counts.points.at(-1)?.value).toBe(88 + 87 + 86);
    const rates = drawn(reportOf(rows), 'adherenceRate');
    expect(rates.points.map(({ value }) => value)).toStrictEqual(rows.map(() => 0.5));
    const [taken, rate] = rolesOf(reportOf(rows)).measures;
    expect(notesOf(reportOf(rows), 'bar', taken, 0)).toStrictEqual([
      'The 12 largest of 15 are drawn by name, and the others as their sum, where each of them has a value.',
    ]);
    expect(notesOf(reportOf(rows), 'bar', rate, 0)).toStrictEqual([
      'The 12 largest of 15 are drawn by name. The others have no value together: adherenceRate cannot be added up.',
    ]);
  });

  it('has no sum of others of which a part is hidden: a cross, and neither 0 nor what is left', () => {
    const rows = Array.from({ length: 15 }, (_, i) =>
      ['2026-01-01', '2026-02-01', '2026-03-01'].map((month, m) => {
        const isHidden = (m === 1 && i === 13) || (m === 2 && i > 11);
        return {
          ...{ month, type: `t${i}`, taken: isHidden ? null : 100 - i },
          withheld: isHidden ? 'FEW_ACCOUNTS' : null,
        };
      }),
    ).flat();
    const others = drawn(reportOf(rows)).points.filter(({ series }) => series === 'others (3)');
    expect(others.map(({ value, hidden }) => [value, hidden])).toStrictEqual([
      [88 + 87 + 86, undefined],
      [Number.NaN, 'FEW_ACCOUNTS'],
      [Number.NaN, 'FEW_ACCOUNTS'],
    ]);
  });

  it('has no sum of others of which one has no row, but of own doses, where that is none', () => {
    const rows = Array.from({ length: 15 }, (_, i) =>
      ['2026-01-01', '2026-02-01'].map((month) => ({ month, type: `t${i}`, taken: 100 - i })),
    )
      .flat()
      .filter(({ month, type }) => !(month === '2026-02-01' && type === 't13'));
    const others = (isExact: boolean) => {
      const [table] = tablesOf({ doseReport: { rows, isExact } }, known);
      const points = table && drawn(table).points.filter(({ series }) => series === 'others (3)');
      return points?.map(({ value }) => value);
    };
    expect(others(false)).toStrictEqual([88 + 87 + 86, Number.NaN]);
    expect(others(true)).toStrictEqual([88 + 87 + 86, 88 + 86]);
  });

  it('says that a report has more rows than the list', () => {
    const noted = (isCut: boolean) => {
      const [table] = tablesOf({ doseReport: { rows: days(2), isCut } }, known);
      return table && notesOf(table, 'table', undefined, 0);
    };
    expect(noted(true)).toStrictEqual(['These are the first 2 rows: there are more.']);
    expect(noted(false)).toStrictEqual([]);
  });

  it('draws the measure that its name says', () => {
    const { measures } = rolesOf(
      reportOf([{ month: '2026-01-01', scheduled: 3, adherenceRate: 1 }]),
    );
    expect(measureOf(measures, 'Adherence by month')?.name).toBe('adherenceRate');
    expect(measureOf(measures, 'Doses by month')?.name).toBe('scheduled');
  });

  it('says why it is empty', () => {
    const empty = { ...reportOf([]), rows: [] };
    // The number of hidden cells is rounded to ten: with 0 some may be hidden all the same.
    for (const suppressed of [0, undefined])
      expect(notesOf(empty, 'table', undefined, suppressed)).toStrictEqual([
        expect.stringMatching(/^Nothing is shown: nothing happened .* or too few people/),
      ]);
    expect(notesOf(empty, 'table', undefined, 7)).toStrictEqual([
      expect.stringMatching(/^All of it is hidden: .* about 7 cells/),
    ]);
  });
});

describe('CSV', () => {
  it('follows RFC 4180, and holds nothing that a spreadsheet would run', () => {
    const rows = [
      { a: '=1+1', b: -5 },
      { a: '@x', b: null },
      { a: '+1', b: 0.5 },
      { a: '-1', b: true },
      { a: '\tx', b: 'say "hi", you\nthere' },
    ];
    expect(csvOf(tableOf(rows))).toBe(
      'a,b\r\n\'=1+1,-5\r\n\'@x,\r\n\'+1,0.5\r\n\'-1,true\r\n"\'\tx","say ""hi"", you\nthere"\r\n',
    );
  });

  it('knows formulas behind blanks and in wide signs, and signs that may part fields', () => {
    const texts = [' =1', '\n=1', '\u00a0+1', '＝1', '＋1', '－1', '＠x', 'a\t=1', 'a;=1'];
    expect(csvOf(tableOf(texts.map((a) => ({ a }))))).toBe(
      "a\r\n' =1\r\n\"'\n=1\"\r\n'\u00a0+1\r\n'＝1\r\n'＋1\r\n'－1\r\n'＠x\r\n\"a\t=1\"\r\n\"a;=1\"\r\n",
    );
  });
});

describe('The rows of a table', () => {
  const rows = [
    { n: 10, t: 'b' },
    { n: null, t: 'A' },
    { n: 9, t: 'c' },
  ];

  it('are ordered by numbers as numbers, without value last, and filtered in any case', () => {
    const by = (isDescending: boolean) =>
      sorted(rows, { column: 'n', isDescending }).map(({ n }) => n);
    expect([by(false), by(true)]).toStrictEqual([
      [9, 10, null],
      [10, 9, null],
    ]);
    expect(filtered(rows, 'a')).toStrictEqual([rows[1]]);
  });

  it('go from ascending to descending to the order in which they came', () => {
    const first = nextOrder(undefined, 'n');
    const second = nextOrder(first, 'n');
    expect([first, second, nextOrder(second, 'n'), nextOrder(second, 't')]).toStrictEqual([
      { column: 'n', isDescending: false },
      { column: 'n', isDescending: true },
      undefined,
      { column: 't', isDescending: false },
    ]);
  });
});
