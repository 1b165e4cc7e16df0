import { csvOf } from '../../playground/result/csv.js';
import { kindOf, objectionTo, rolesOf } from '../../playground/result/kind.js';
import { type Table, tablesOf } from '../../playground/result/shape.js';
import { filtered, nextOrder, sorted } from '../../playground/result/sorting.js';

const tableOf = (rows: readonly object[]): Table => {
  const [table] = tablesOf({ doseReport: { rows } });
  if (!table) throw new Error('There is no table.');
  return table;
};
const days = (count: number) =>
  Array.from({ length: count }, (_, day) => ({
    day: new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
    taken: day,
  }));

describe('An answer in the playground', () => {
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

  it('says why it cannot be drawn', () => {
    expect(objectionTo('line', tableOf([]))).toBe('There are no rows.');
    expect(objectionTo('bar', tableOf([{ title: 'a' }]))).toMatch(/select a measure/);
    expect(objectionTo('bar', tableOf(days(61)))).toMatch(/^These would be 61 bars/);
    const many = Array.from({ length: 13 }, (_, i) => ({ month: '2026-01', type: `t${i}`, n: i }));
    expect(objectionTo('line', tableOf(many))).toMatch(/^These would be 13 series/);
    expect(objectionTo('number', tableOf(days(2)))).toBe('There are several rows.');
    expect(objectionTo('line', tableOf([{ type: 'a', n: 1 }]))).toMatch(/^Lines go along time/);
    expect(objectionTo('heat', tableOf([{ type: 'a', n: 1 }]))).toMatch(/^A heat map is by day/);
    expect(objectionTo('stack', tableOf(days(3)))).toMatch(/select a second dimension/);
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
      'a,b\r\n\'=1+1,-5\r\n\'@x,\r\n\'+1,0.5\r\n\'-1,true\r\n\'\tx,"say ""hi"", you\nthere"\r\n',
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
