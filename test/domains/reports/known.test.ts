// What reports do not know is null with a reason, and never a smaller number: what is not kept, not
// counted yet, counted by fewer dimensions, or of spans that are not equal.
import { SUBJECTS } from '../../../src/domains/reports/catalogue/catalogue.js';
import { useService } from '../../support/harness.js';
import { makeCells, makeCrowd } from './crowd.js';

const service = useService();
const query = (sql: string) => service().database.query(sql);
const doses = async (args: string, fields: string) =>
  (await service().data(`{ doseReport(${args}) { ${fields} } }`, {}, 'analyst')).doseReport;
/** Leaves the cells that a version made which did not count how punctual doses are, until February. */
const forgetPunctuality = () =>
  query(
    "DELETE FROM report_cell WHERE grid ~ 'punctuality' AND date < '2026-02-01' AND grid !~ '^(week|quarter)'",
  );
const JANUARY = 'from: "2026-01-01", to: "2026-01-31"';

interface Row {
  readonly [name: string]: unknown;
}
interface Chart {
  readonly labels: readonly string[];
  readonly datasets: readonly [{ readonly data: readonly (number | null)[] }];
}
const reasons = (rows: readonly Row[]) => [...new Set(rows.map(({ withheld }) => withheld))];

beforeEach(() => service().at('2026-03-10T12:00:00Z'));

describe('What is not kept any more', () => {
  it('is null in totals, rows and comparisons, since it would be less than there was', async () => {
    await makeCrowd(service(), [{ members: 40 }]);
    service().at('2031-02-10T12:00:00Z');
    await makeCells(service());
    const kept = 'from: "2026-02-01", to: "2026-02-28"';
    expect((await doses(kept, 'total { withheld }')).total.withheld).toBeNull();
    const gone = await doses(
      'from: "2026-01-01", to: "2026-02-28", fill: true, grain: MONTH',
      'total { taken withheld } rows { date taken withheld cumulative { taken withheld } }',
    );
    expect(gone.total).toStrictEqual({ taken: null, withheld: 'NOT_KEPT' });
    expect(gone.rows).toMatchObject([
      { date: '2026-01-01', taken: null, withheld: 'NOT_KEPT' },
      {
        date: '2026-02-01',
        taken: expect.any(Number),
        withheld: null,
        cumulative: { taken: null, withheld: 'NOT_KEPT' },
      },
    ]);
    const compared = await doses(
      `${kept}, compare: PREVIOUS_PERIOD`,
      'previousTotal { taken withheld } rows { month previous { taken withheld } }',
    );
    const unknown = { taken: null, withheld: 'NOT_KEPT' };
    expect(compared).toStrictEqual({
      previousTotal: unknown,
      rows: [{ month: '2026-02-01', previous: unknown }],
    });
  });
});

describe('What is not counted yet', () => {
  const nothing = { taken: null, withheld: 'AFTER_AS_OF' };

  it('is null in total before anything is', async () => {
    const report = await doses(JANUARY, 'total { taken withheld }');
    expect(report.total).toStrictEqual(nothing);
  });

  it('is null by day after the last one that is counted, on both faces', async () => {
    service().at('2026-02-10T12:00:00Z');
    await makeCrowd(service(), [{ members: 30 }], 40);
    service().at('2026-02-14T12:00:00Z');
    const { rows } = await doses(
      'from: "2026-02-08", to: "2026-02-14", fill: true',
      'rows { day taken withheld }',
    );
    expect(rows.map(({ taken }: Row) => typeof taken)).toStrictEqual([
      ...['number', 'number', 'number'],
      ...['object', 'object', 'object', 'object'],
    ]);
    expect(rows[2]).toStrictEqual({ day: '2026-02-10', taken: 0, withheld: null });
    expect(rows[3]).toStrictEqual({ day: '2026-02-11', ...nothing });
    const { body } = await service().rest('GET', '/v1/report/chart', { as: 'analyst' });
    const { labels, datasets } = body as Chart;
    const at = (day: string) => datasets[0].data[labels.indexOf(day)];
    expect(['2026-02-10', '2026-02-11', '2026-02-14'].map(at)).toStrictEqual([0, null, null]);
  });
});

describe('What counts once its day or week is over in every zone', () => {
  const report = async (name: string, args: string, fields: string) =>
    (await service().data(`{ ${name}Report(${args}) { ${fields} } }`, {}, 'analyst'))[
      `${name}Report`
    ];

  it('is null by day until then: appointments of yesterday', async () => {
    service().at('2026-02-20T11:59:00Z');
    await makeCells(service());
    const withheld = async () => {
      const range = 'from: "2026-02-17", to: "2026-02-20", fill: true';
      const { rows } = await report('appointment', range, 'rows { day withheld }');
      return rows.map((row: Row) => row.withheld);
    };
    expect(await withheld()).toStrictEqual([null, null, 'AFTER_AS_OF', 'AFTER_AS_OF']);
    service().at('2026-02-20T12:00:00Z');
    await makeCells(service());
    expect(await withheld()).toStrictEqual([null, null, null, 'AFTER_AS_OF']);
  });

  /** When the last day or month is compared. */
  const COMPARED: Readonly<Record<string, readonly [range: string, from: string]>> = {
    appointment: ['YESTERDAY', '2026-03-02T12:00:00Z'],
    cohort: ['LAST_MONTH', '2026-03-02T12:00:00Z'],
    reminderCohort: ['LAST_MONTH', '2026-03-02T12:00:00Z'],
  };
  const OTHERS = ['YESTERDAY', '2026-03-02T02:00:00Z'] as const;

  it.each(SUBJECTS.map(({ name }) => [name, ...(COMPARED[name] ?? OTHERS)] as const))(
    'is not compared before: of the subject %s, %s is from %s on',
    async (name, range, from) => {
      const withheld = async (at: number) => {
        service().at(new Date(at).toISOString());
        await makeCells(service());
        const args = `range: ${range}, compare: PREVIOUS_PERIOD`;
        return (await report(name, args, 'previousTotal { withheld }')).previousTotal.withheld;
      };
      expect(await withheld(Date.parse(from) - 1_000)).toBe('UNEQUAL_SPANS');
      expect(await withheld(Date.parse(from))).not.toBe('UNEQUAL_SPANS');
    },
  );
});

describe('A month that was closed before a dimension was counted', () => {
  it('is null by that dimension alone, and the report says from when on there are rows', async () => {
    await makeCrowd(service(), [{ members: 40 }]);
    await forgetPunctuality();
    const fields = 'countedFrom total { withheld } rows { punctuality taken withheld }';
    const both = 'from: "2026-01-01", to: "2026-02-28"';
    const whole = await doses(both, fields);
    expect([whole.total.withheld, whole.countedFrom]).toStrictEqual([null, '2026-02-01']);
    expect(reasons(whole.rows)).toStrictEqual(['NOT_COUNTED']);
    const later = await doses('from: "2026-02-01", to: "2026-02-28"', fields);
    expect([reasons(later.rows), later.countedFrom]).toStrictEqual([[null], null]);
    const filtered = await doses(
      `${both}, filter: { punctuality: ["on_time"] }`,
      'total { taken withheld }',
    );
    expect(filtered.total).toStrictEqual({ taken: null, withheld: 'NOT_COUNTED' });
    const { rows } = await doses(
      `${both}, filter: { punctuality: ["on_time"] }, fill: true`,
      'rows { month taken withheld cumulative { taken withheld } }',
    );
    expect(rows.map(({ withheld }: Row) => withheld)).toStrictEqual(['NOT_COUNTED', null]);
    expect(rows[1].cumulative).toStrictEqual({ taken: null, withheld: 'NOT_COUNTED' });
  });
});

describe('A quarter or week of which a part was closed before a dimension was counted', () => {
  it('is null by that dimension, since what it has is of its other parts', async () => {
    await makeCrowd(service(), [{ members: 40 }], 90);
    await forgetPunctuality();
    const filter = 'filter: { punctuality: ["on_time"] }';
    const fields = 'countedFrom total { taken withheld }';
    const quarter = await doses(`from: "2026-01-01", to: "2026-03-31", ${filter}`, fields);
    expect(quarter).toStrictEqual({
      countedFrom: '2026-04-01',
      total: { taken: null, withheld: 'NOT_COUNTED' },
    });
    // Its first six days are January's.
    const week = await doses(`from: "2026-01-26", to: "2026-02-01", ${filter}`, fields);
    expect(week.total).toStrictEqual({ taken: null, withheld: 'NOT_COUNTED' });
    const later = await doses(`from: "2026-02-02", to: "2026-02-08", ${filter}`, fields);
    expect(later).toMatchObject({ countedFrom: null, total: { withheld: null } });
  });
});

describe('Spans that are not equal', () => {
  beforeEach(() => makeCrowd(service(), [{ members: 40 }]));

  it('are not compared: today is not over', async () => {
    service().at('2026-02-20T12:00:00Z');
    const of = (args: string) =>
      doses(`${args}, compare: PREVIOUS_PERIOD`, 'previousTotal { taken withheld }');
    for (const args of ['range: LAST_7_DAYS', 'range: TODAY', 'range: THIS_WEEK'])
      expect((await of(args)).previousTotal).toStrictEqual({
        taken: null,
        withheld: 'UNEQUAL_SPANS',
      });
    await makeCells(service());
    for (const args of [
      'range: YESTERDAY',
      'range: LAST_7_WHOLE_DAYS',
      'from: "2026-02-13", to: "2026-02-19"',
    ])
      expect((await of(args)).previousTotal).toStrictEqual({
        taken: expect.any(Number),
        withheld: null,
      });
  });

  it('are not compared while facts of yesterday may come, or are not counted', async () => {
    const yesterday = async () =>
      (await doses('range: YESTERDAY, compare: PREVIOUS_PERIOD', 'previousTotal { withheld }'))
        .previousTotal.withheld;
    service().at('2026-02-20T01:59:00Z');
    await makeCells(service());
    // A dose of 23:59 may be answered until now.
    expect(await yesterday()).toBe('UNEQUAL_SPANS');
    service().at('2026-02-20T02:00:00Z');
    expect(await yesterday()).toBe('UNEQUAL_SPANS');
    await makeCells(service());
    expect(await yesterday()).toBeNull();
  });

  it('are not compared by days of the week of which one has more', async () => {
    const of = async (args: string) => {
      const { rows } = await doses(args, 'rows { weekday previous { withheld } }');
      return [...new Set(rows.map(({ previous }: { previous: Row }) => previous.withheld))];
    };
    const february = 'from: "2026-02-01", to: "2026-02-28"';
    expect(await of(`${february}, compare: PREVIOUS_PERIOD`)).toStrictEqual(['UNEQUAL_SPANS']);
    expect(await of(`${february}, compare: PREVIOUS_YEAR`)).not.toContain('UNEQUAL_SPANS');
  });

  it('are not averaged: a week of which the range has a part', async () => {
    service().at('2026-02-19T12:00:00Z');
    const { rows } = await doses(
      'from: "2026-01-07", to: "2026-02-19", grain: WEEK, over: 2',
      'rows { date movingAverage { taken withheld } }',
    );
    const averages = rows.map(({ movingAverage }: { movingAverage: Row }) => movingAverage);
    expect(averages.map(({ withheld }: Row) => withheld)).toStrictEqual([
      ...['BEFORE_RANGE', 'BEFORE_RANGE', null, null, null, null, 'UNEQUAL_SPANS'],
    ]);
    for (const { taken } of averages.slice(2, 6)) expect(taken).toBeGreaterThan(0);
  });

  it('are compared with nothing as zero, as their totals are', async () => {
    const { rows } = await doses(
      'from: "2026-01-01", to: "2026-01-02", compare: PREVIOUS_PERIOD',
      'rows { day previous { taken withheld } }',
    );
    expect(rows.map(({ previous }: { previous: Row }) => previous)).toStrictEqual([
      { taken: 0, withheld: null },
      { taken: 0, withheld: null },
    ]);
  });
});

describe('A member with many medicines', () => {
  it('is counted whole up to twenty doses a day, in days and in months', async () => {
    await makeCrowd(service(), [
      { members: 150, perDay: 3 },
      { members: 50, perDay: 16 },
    ]);
    const { total } = await doses(JANUARY, 'total { interval { scheduled { low high } } }');
    const { low, high } = total.interval.scheduled;
    const real = 31 * (150 * 3 + 50 * 16);
    expect([low <= real, real <= high]).toStrictEqual([true, true]);
  });
});
