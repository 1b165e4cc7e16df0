import { EventEmitter, once } from 'node:events';
import { inflateRawSync } from 'node:zlib';
import type { RequestContext } from '../../src/core/context.js';
import { inTurn } from '../../src/core/dear-work.js';
import { makeCrowd } from '../domains/reports/crowd.js';
import { type By, bearer, type RoleName, useService } from '../support/harness.js';

const service = useService();
const DOSES = `{ doseReport(from: "2026-01-01", to: "2026-02-28") {
  rows { month language taken adherenceRate } total { members } } }`;

async function saved(input: object = {}, by: By = 'analyst'): Promise<string> {
  const made = await service().data(
    `mutation Save($input: CreateSavedReportInput!) {
      createSavedReport(input: $input) { savedReport { id } } }`,
    { input: { name: 'Doses', query: DOSES, ...input } },
    by,
  );
  return made.createSavedReport.savedReport.id;
}

const file = async (path: string, as: RoleName | 'anonymous' = 'analyst') =>
  service().fetch(`/graphql/reports/${path}`, { headers: await service().authorization(as) });

const bytes = async (path: string, as: RoleName = 'analyst') =>
  Buffer.from(
    await (
      await fetch(`${service().url}/graphql/reports/${path}`, {
        headers: await service().authorization(as),
      })
    ).arrayBuffer(),
  );

/** Returns the entries of a ZIP by their names (APPNOTE 4.3), as texts. */
function unzipped(zip: Buffer): Map<string, string> {
  const entries = new Map<string, string>();
  let at = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let count = zip.readUInt16LE(at + 10);
  for (at = zip.readUInt32LE(at + 16); count > 0; count--) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const packed = zip.subarray(start, start + size);
    const text = (method === 0 ? packed : inflateRawSync(packed)).toString();
    entries.set(zip.subarray(at + 46, at + 46 + (name ?? 0)).toString(), text);
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}

/** Twelve people of one language, and two of another, who are hidden in February alone by name. */
const crowd = async () => {
  service().at('2026-03-05T12:00:00Z');
  await makeCrowd(service(), [{ members: 12 }, { members: 2, language: 2 }]);
};

describe('A saved report as a file', () => {
  it('waits while two dear requests of its address run', async () => {
    await crowd();
    const id = await saved();
    service().limit();
    const { deps } = service().app;
    const context = { deps, quota: { cost: () => undefined }, input: { address: '127.0.0.1' } };
    const gate = new EventEmitter();
    const held = once(gate, 'opened');
    const others = [1, 2].map(() => inTurn(context as unknown as RequestContext, true, () => held));
    let isThere = false;
    const asked = file(`${id}.csv`).then(({ status }) => {
      isThere = true;
      return status;
    });
    for (let i = 0; i < 30; i++) expect((await file('none.csv')).status).toBe(400);
    expect(isThere).toBe(false);
    gate.emit('opened');
    expect(await asked).toBe(200);
    await Promise.all(others);
  });

  it('is a CSV of its first table, whose hidden numbers are empty, with the reason beside them', async () => {
    service().at('2026-03-05T12:00:00Z');
    await makeCrowd(service(), [{ members: 12 }], 10);
    const query = `{ doseReport(from: "2025-12-31", to: "2026-01-01") {
      rows { day taken margin } total { taken } } }`;
    const id = await saved({ query });
    const { status, headers, text } = await file(`${id}.csv`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="report.csv"; filename*=UTF-8''Doses%202026-03-05.csv`,
    );
    expect(headers.get('cache-control')).toBe('private, no-store');
    const [names, ...rows] = text.trimEnd().split('\r\n');
    expect(names).toBe('day,taken,margin,withheld');
    expect(rows[0]).toMatch(/^2026-01-01,\d+,\d+,$/);
  });

  it('says that the report has more rows than it asks for', async () => {
    await crowd();
    const query = `{ doseReport(from: "2026-01-01", to: "2026-01-31", first: 2) { rows { day taken } } }`;
    const id = await saved({ query });
    const csv = await file(`${id}.csv`);
    expect(csv.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''Doses%202026-03-05%20%28first%202%20rows%29.csv",
    );
    expect(csv.headers.get('report-is-cut')).toBe('true');
    expect(csv.headers.get('access-control-expose-headers')).toContain('Report-Is-Cut');
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(3);
    expect(JSON.parse((await file(`${id}.json`)).text).data.doseReport.isCut).toBe(true);
    const sheets = [...unzipped(await bytes(`${id}.xlsx`)).values()].join('');
    expect(sheets).toContain('These are the first 2 rows: there are more.');
    const whole = await file(`${await saved({ query: query.replace(', first: 2', '') })}.csv`);
    expect(whole.headers.get('report-is-cut')).toBeNull();
    expect(whole.headers.get('content-disposition')).not.toContain('first');
  });

  it('says in every table why a number is hidden, and has no zero for it', async () => {
    await crowd();
    const few = `{ doseReport(from: "2026-01-01", to: "2026-01-31",
      filter: { language: ["de"] }) { total { taken } previousTotal { taken } rows { week taken } } }`;
    const id = await saved({ query: few });
    expect((await file(`${id}.csv?table=doseReport.total`)).text).toBe(
      'taken,withheld\r\n,FEW_ACCOUNTS\r\n',
    );
    expect((await file(`${id}.json`)).body.data.doseReport.total).toStrictEqual({
      taken: null,
      withheld: 'FEW_ACCOUNTS',
    });
    const sheets = unzipped(await bytes(`${id}.xlsx`));
    const all = [...sheets.values()].join('');
    expect(all).toContain('FEW_ACCOUNTS');
    expect(all).toContain('Too few accounts are behind it');
  });

  it('begins with a byte order mark where that is asked for', async () => {
    await crowd();
    const id = await saved();
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    expect((await bytes(`${id}.csv?bom=1`)).subarray(0, 3)).toStrictEqual(mark);
    expect((await bytes(`${id}.csv`)).subarray(0, 3)).not.toStrictEqual(mark);
  });

  it('is a workbook with a sheet for each table and one about the report', async () => {
    await crowd();
    const id = await saved({ name: 'A/B: [x] "é"' });
    const answer = await file(`${id}.xlsx`);
    expect(answer.headers.get('content-type')).toMatch(/spreadsheetml\.sheet$/);
    expect(answer.headers.get('content-disposition')).toContain(
      "UTF-8''A%20B%20%20%5Bx%5D%20%20%C3%A9%202026-03-05.xlsx",
    );
    const sheets = unzipped(await bytes(`${id}.xlsx`));
    const workbook = sheets.get('xl/workbook.xml') ?? '';
    expect(
      [...workbook.matchAll(/<sheet[^>]* name="([^"]*)"/g)].map(([, name]) => name),
    ).toStrictEqual(['doseReport.rows', 'doseReport.total', 'About']);
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    ' =1',
    '\t=1',
    '\n=1',
    '＝1',
    '"=1"',
    "=cmd|' /C calc'!A0",
    '=1;2,3',
  ])('runs no text as a formula: %j', async (name) => {
    const { id: owner } = await service().account('analyst');
    await service().database.query('UPDATE account SET name = $2 WHERE id = $1', [owner, name]);
    const id = await saved({ query: '{ savedReports { nodes { ownerName version } } }' });
    const [, field = ''] = (await file(`${id}.csv`)).text.split(/(?<=ownerName,version\r\n)/);
    const read = field.startsWith('"')
      ? field.slice(1, field.lastIndexOf('"')).replaceAll('""', '"')
      : field.split(',')[0];
    expect(read).toBe(name.startsWith('"') ? name : `'${name}`);
    const sheet = unzipped(await bytes(`${id}.xlsx`)).get('xl/worksheets/sheet1.xml') ?? '';
    expect(sheet).toContain('<sheetData>');
    expect(sheet).not.toContain('<f>');
  });

  it('is of whoever asks: with their rights, and refused to whom it is not shared', async () => {
    const id = await saved({
      query:
        '{ viewer { username } accountReport(from: "2026-01-01", to: "2026-01-31") { total { created } } }',
    });
    expect((await file(`${id}.json`)).body.data.viewer.username).toBe('analyst');
    for (const as of ['administrator', 'clinician'] as const) {
      const { status, body } = await file(`${id}.json`, as);
      expect([status, body.errors[0].extensions.code]).toStrictEqual([
        404,
        'SAVED_REPORT_NOT_FOUND',
      ]);
      expect(body.errors[0].message).toBe(
        'There is no such report, or it is not shared with you. Ask who gave you its address to ' +
          'share it.',
      );
    }
    const shared = await saved({
      query: '{ accountReport(from: "2026-01-01", to: "2026-01-31") { total { created } } }',
      isShared: true,
    });
    expect((await file(`${shared}.csv`, 'administrator')).status).toBe(200);
    for (const [as, status, code] of [
      ['clinician', 403, 'FORBIDDEN'],
      ['subscriber', 403, 'FORBIDDEN'],
      ['anonymous', 401, 'UNAUTHENTICATED'],
    ] as const) {
      const answer = await file(`${shared}.csv`, as);
      expect([answer.status, answer.body.errors[0].extensions.code], as).toStrictEqual([
        status,
        code,
      ]);
    }
    const stale = { headers: bearer('no.token.ofours') };
    expect((await service().fetch(`/graphql/reports/${shared}.csv`, stale)).status).toBe(401);
  });

  it('is charged and audited as the document is', async () => {
    service().limit();
    const id = await saved();
    const before = await service().database.query('SELECT * FROM report_spend');
    await file(`${id}.csv`);
    const after = await service().database.query<{ questions: number }>(
      'SELECT questions FROM report_spend',
    );
    expect([before.length, after[0]?.questions]).toStrictEqual([0, 1]);
    const { headers } = await file(`${id}.csv`);
    expect(headers.get('ratelimit')).toMatch(/^"account";r=\d+/);
  });

  it('says in a sentence what is not there any more', async () => {
    const id = await saved();
    await service().database.query('UPDATE saved_report SET query = replace(query, $1, $2)', [
      'adherenceRate',
      'adherenceOfOld',
    ]);
    const { status, body } = await file(`${id}.csv`);
    expect([status, body.errors[0].extensions.code, body.errors[0].message]).toStrictEqual([
      400,
      'REPORT_DOCUMENT_INVALID',
      'This report asks for what is not there any more: Cannot query field "adherenceOfOld" on ' +
        'type "DoseReportRow". Did you mean "adherenceRate"?',
    ]);
    const { savedReport } = await service().data(
      'query Q($id: ID!) { savedReport(id: $id) { problem url } }',
      { id },
      'analyst',
    );
    expect(savedReport).toStrictEqual({
      problem: body.errors[0].message,
      url: `${service().url}/graphql?report=${id}`,
    });
  });

  it.each(['csv?table=nothing', 'csv?table=a&table=b'])('knows its tables: %s', async (path) => {
    const id = await saved();
    const { status, body } = await file(`${id}.${path}`);
    expect(path.includes('&') ? status : [status, body.errors[0].message]).toStrictEqual(
      path.includes('&')
        ? 200
        : [400, 'There is no such table. The report has doseReport.rows, doseReport.total.'],
    );
  });

  it.each(['4711.csv', 'x.csv', 'UXVvdGU6MQ.csv', '__proto__.csv'])(
    'is none where no report is: %s',
    async (path) => {
      const { status, body } = await file(path);
      expect([400, 404]).toContain(status);
      expect(body.errors[0].message).toEqual(expect.any(String));
    },
  );

  it.each(['exe', 'constructor', 'CSV'])('has no other format: %s', async (format) => {
    expect((await file(`${await saved()}.${format}`)).status).toBe(404);
  });
});
