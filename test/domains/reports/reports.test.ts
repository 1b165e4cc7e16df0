import { serviceContext } from '../../../src/core/service-context.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { errorCode, type RoleName, useService } from '../../support/harness.js';
import { makeCrowd } from './crowd.js';

const service = useService();
const RANGE = 'from: "2026-01-01", to: "2026-02-28"';
const read = async (fields: string, args = '', as: RoleName = 'analyst') =>
  (await service().data(`{ doseReport(${RANGE} ${args}) { ${fields} } }`, {}, as)).doseReport;
const refused = async (args: string, fields = 'rows { month taken }') =>
  (await service().ask(`{ doseReport(${args}) { ${fields} } }`, {}, 'analyst')).errors?.[0];

describe('A report', () => {
  it('is grouped by the dimensions that are selected', async () => {
    await makeCrowd(service(), [{ members: 20 }, { members: 30, language: 2, type: 'drops' }]);
    const { rows, isExact, suppressed } = await read(
      'isExact suppressed rows { month language medicineType scheduled taken missed members margin interval { adherenceRate { low high } } }',
    );
    expect([isExact, suppressed, rows.length]).toStrictEqual([false, 0, 4]);
    for (const row of rows) {
      const members = row.medicineType === 'drops' ? 30 : 20;
      const scheduled = members * (row.month === '2026-01-01' ? 93 : 84);
      expect(Math.abs(row.scheduled - scheduled)).toBeLessThanOrEqual(row.margin);
      expect(row.scheduled).not.toBe(scheduled);
      const { low, high } = row.interval.adherenceRate;
      expect(low).toBeLessThanOrEqual(0.8);
      expect(high).toBeGreaterThanOrEqual(0.8);
      expect(row.taken % 5).toBe(0);
      expect(row.members % 5).toBe(0);
    }
  });

  it('has totals of their own, and compares with the period before', async () => {
    await makeCrowd(service(), [{ members: 40 }]);
    const { rows, total, previousTotal } = (
      await service().data(
        `{ doseReport(from: "2026-02-01", to: "2026-02-28", compare: PREVIOUS_PERIOD) {
          total { taken } previousTotal { taken } rows { month taken previous { taken } } } }`,
        {},
        'analyst',
      )
    ).doseReport;
    expect(rows).toStrictEqual([
      { month: '2026-02-01', taken: total.taken, previous: { taken: previousTotal.taken } },
    ]);
    expect(previousTotal.taken).toBeGreaterThan(total.taken);
  });

  it('knows days, weeks, weekdays and hours, and orders and limits its rows', async () => {
    await makeCrowd(service(), [{ members: 12 }], 31);
    const days = await read('rows { day taken }');
    expect([days.rows.length, days.rows[30].day]).toStrictEqual([31, '2026-01-31']);
    const weeks = await read('rows { week taken }');
    expect(weeks.rows.map(({ week }: { week: string }) => week)).toStrictEqual([
      '2025-12-29',
      '2026-01-05',
      '2026-01-12',
      '2026-01-19',
      '2026-01-26',
    ]);
    const { rows } = await read(
      'rows { weekday hour scheduled }',
      'orderBy: [{ by: HOUR, direction: DESC }], first: 2',
    );
    expect(rows.map(({ weekday, hour }: never) => [weekday, hour])).toStrictEqual([
      [1, 16],
      [2, 16],
    ]);
  });

  it('says whether it has more rows than are asked for', async () => {
    await makeCrowd(service(), [{ members: 12 }], 31);
    const isCut = async (args: string, fields: string) =>
      (await read(`isCut ${fields}`, args)).isCut;
    expect(await isCut('first: 30', 'rows { day taken }')).toBe(true);
    expect(await isCut('first: 31', 'rows { day taken }')).toBe(false);
    expect(await isCut('', 'rows { day taken }')).toBe(false);
    expect(await isCut('first: 3', 'total { taken }'), 'without rows').toBe(false);
  });

  it('says up to when it holds what happened', async () => {
    service().at('2026-03-01T10:00:00Z');
    await renewRollups(await serviceContext(service().app.deps, 'test'));
    expect((await read('asOf')).asOf).toBe('2026-03-01T10:00:00.000Z');
  });

  it("says which day it is in the site's zone, where that of UTC is another", async () => {
    await service().database.query("UPDATE site SET time_zone = 'America/Los_Angeles'");
    service().at('2026-03-01T06:00:00Z');
    const { today, to } = await service()
      .data('{ doseReport(range: LAST_7_DAYS) { today to } }', {}, 'analyst')
      .then(({ doseReport }) => doseReport);
    await service().database.query("UPDATE site SET time_zone = 'UTC'");
    expect([today, to]).toStrictEqual(['2026-02-28', '2026-02-28']);
  });

  it('about all members is read from the database for reports, where there is one', async () => {
    await makeCrowd(service(), [{ members: 12 }]);
    const asked: string[] = [];
    const reportsDatabase = {
      query: async (sql: string, values: unknown[]) => {
        asked.push(sql);
        return service().database.query(sql, values);
      },
    } as never;
    const other = await service().beside({ reportsDatabase });
    const query = `{ doseReport(${RANGE}) { rows { month taken } } }`;
    const { rows } = (await other.data(query, {}, 'analyst')).doseReport;
    await other.stop();
    expect(rows.length).toBe(2);
    expect(asked.some((sql) => sql.includes('report_cell'))).toBe(true);
  });

  it('takes a constant number of statements, however many cells there are', async () => {
    await makeCrowd(service(), [{ members: 12 }, { members: 12, language: 2 }]);
    await read('rows { day language taken }');
    const [few, many] = [
      await service().statements(() => read('rows { month taken }')),
      await service().statements(() => read('rows { day language taken }')),
    ];
    expect(many).toBe(few);
  });

  it('writes each question about all members to the audit, and none about oneself', async () => {
    await read('rows { month language taken }', 'filter: { language: ["en"] }');
    await service().data(`{ doseReport(${RANGE}) { total { taken } } }`);
    const events = await service().database.prisma.auditEvent.findMany({
      where: { action: 'report.read' },
    });
    expect(events.map(({ actorId }) => actorId)).toStrictEqual([
      (await service().account('analyst')).id,
    ]);
  });

  it('writes to the audit what each question was: range, comparison, leaders, names', async () => {
    const asks = [
      ['', '', 'month', { from: '2026-01-01', to: '2026-02-28' }],
      ['range: LAST_MONTH', '', 'day', { range: 'LAST_MONTH' }],
      ['range: LAST_MONTH', 'compare: PREVIOUS_PERIOD', 'month', { compare: 'previous_period' }],
      ['', 'top: { count: 2, by: TAKEN }', 'medicineType', { top: '2 taken' }],
      ['', 'top: { count: 1, by: TAKEN, of: LANGUAGE }', 'language', { top: '1 taken language' }],
    ] as const;
    for (const [range, args, by, expected] of asks) {
      await service().data(
        `{ doseReport(${range || RANGE} ${args}) { rows { ${by} taken } } }`,
        {},
        'analyst',
      );
      const { auditEvents } = await service().data(
        '{ auditEvents { nodes { action detail } } }',
        {},
        'administrator',
      );
      const event = auditEvents.nodes.find(
        ({ action }: { action: string }) => action === 'report.read',
      );
      expect(event.detail).toMatchObject({ subject: 'dose', by, ...expected });
    }
  });

  it('is refused after 3,000 questions in 30 days', async () => {
    const { id } = await service().account('analyst');
    const today = new Date().toISOString().slice(0, 10);
    await service().database.query('INSERT INTO report_spend VALUES ($1, $2::date - 29, 2999)', [
      id,
      today,
    ]);
    await read('total { taken }');
    expect((await refused(RANGE))?.extensions.code).toBe('REPORT_BUDGET_SPENT');
    service().at(Date.now() + 24 * 60 * 60 * 1000);
    await read('total { taken }');
  });

  it.each([
    ['DATE_INVALID', 'from: "2026-02-01", to: "2026-01-01"', undefined],
    ['DATE_INVALID', 'from: "2036-02-01", to: "2036-03-01"', undefined],
    ['DATE_INVALID', 'to: "0001-01-10"', undefined],
    ['DATE_INVALID', 'from: "1969-12-31", to: "1970-01-02"', undefined],
    ['FILTER_INVALID', `${RANGE} filter: { language: ["en", "xx"] }`, undefined],
    ['FILTER_INVALID', `${RANGE} filter: { scheduleKind: ["Calendar"] }`, undefined],
    ['RANGE_TOO_LONG', 'from: "1926-02-01", to: "2026-01-01"', undefined],
    ['TOO_MANY_DIMENSIONS', RANGE, 'rows { month language medicineType scheduleKind taken }'],
    ['TOO_MANY_DIMENSIONS', RANGE, 'rows { day language medicineType taken }'],
    ['TOO_MANY_DIMENSIONS', RANGE, 'rows { day hour taken }'],
    [
      'TOO_MANY_DIMENSIONS',
      `${RANGE} filter: { scheduleKind: ["once"] }`,
      'rows { month language medicineType taken }',
    ],
    ['ORDER_INVALID', `${RANGE} orderBy: [{ by: TAKEN }]`, 'rows { month missed }'],
    ['TOO_MANY', `${RANGE} filter: { language: [${'"en" '.repeat(101)}] }`, undefined],
    ['DOCUMENT_TOO_LARGE', `${RANGE} first: 100000`, undefined],
    ['BAD_USER_INPUT', `${RANGE} first: 0`, undefined],
    ['DOCUMENT_TOO_LARGE', `${RANGE} first: 10000`, 'rows { month language taken missed }'],
    ['GRAPHQL_VALIDATION_FAILED', `${RANGE} filter: { member: ["7"] }`, undefined],
    ['GRAPHQL_VALIDATION_FAILED', RANGE, 'rows { month takn }'],
  ])('refuses with %s: %s %s', async (code, args, fields) => {
    expect((await refused(args, fields))?.extensions.code).toBe(code);
  });

  it.each([
    ['reversed', '2026-02-01', '2026-01-01', 'ends on 2026-01-01, before it begins on 2026-02-01.'],
    ['in the future', '2036-02-01', '2036-03-01', 'begins in the future, where nothing has'],
    ['of 20 years', '2006-01-01', '2026-01-01', 'at most five years. Ask for fewer.'],
  ])('says in a sentence why it is not of a range that is %s', async (_, from, to, sentence) => {
    const error = await refused(`from: "${from}", to: "${to}"`, undefined);
    expect(error?.message).toContain(sentence);
  });

  it('from today on is one wherever it is already today', async () => {
    service().at('2026-03-17T23:00:00Z');
    const { id } = await service().account('subscriber');
    await service().database.query("UPDATE account SET time_zone = 'Asia/Tokyo' WHERE id = $1", [
      id,
    ]);
    const ask = (from: string) =>
      service().ask(`{ doseReport(from: "${from}") { from to } }`, {}, 'subscriber');
    const today = '2026-03-18';
    expect((await ask(today)).data.doseReport).toStrictEqual({ from: today, to: today });
    expect(errorCode(await ask('2026-03-19'))).toBe('DATE_INVALID');
  });

  it('of too many cells is refused before they are read, says what to narrow, and is a question', async () => {
    await service().database.query(
      `INSERT INTO report_cell SELECT 'dose', 'day medicineType', '2026-01-01'::date + i % 59,
         ARRAY['type ' || i], 9, ARRAY[1, 1, 1, 1], ARRAY[1, 1, 1, 1] FROM generate_series(1, 52001) i`,
    );
    const spent = () =>
      service().database.query<{ questions: number; audited: number }>(
        `SELECT (SELECT coalesce(sum(questions), 0)::int FROM report_spend) AS questions,
          (SELECT count(*)::int FROM audit_event WHERE action = 'report.read') AS audited`,
      );
    const error = await refused(RANGE, 'rows { day medicineType taken }');
    expect(error?.extensions.code).toBe('TOO_EXPENSIVE');
    expect(error?.message).toMatch(
      /more than 50,000 cells.*shorter range, or by month, or leave out one of/,
    );
    expect(error?.message, 'the number counts what is hidden').not.toContain('52,001');
    expect(await spent()).toStrictEqual([{ questions: 1, audited: 1 }]);
  });

  it('compares what is not selected itself', async () => {
    await makeCrowd(service(), [{ members: 40 }]);
    const { rows } = (
      await service().data(
        `{ doseReport(from: "2026-02-01", to: "2026-02-28", compare: PREVIOUS_PERIOD) {
          rows { month previous { missed } } } }`,
        {},
        'analyst',
      )
    ).doseReport;
    expect(rows[0].previous.missed).toBeGreaterThan(0);
  });

  it('says what there is for a value of a filter that is misspelt', async () => {
    const error = await refused(`${RANGE} filter: { scheduleKind: ["onec"] }`);
    expect(error?.message).toMatch(/^There is no scheduleKind "onec"; there is once, calendar, /);
  });

  it('names the nearest field for one that is unknown', async () => {
    expect((await refused(RANGE, 'rows { month takn }'))?.message).toMatch(/Did you mean "taken"/);
  });

  it('is not asked by aliases by the hundred', async () => {
    const aliases = Array.from({ length: 100 }, (_, i) => `a${i}: doseReport(${RANGE}) { asOf }`);
    const body = await service().ask(`{ ${aliases.join(' ')} }`, {}, 'analyst');
    expect(errorCode(body)).toBe('DOCUMENT_TOO_LARGE');
  });
});
