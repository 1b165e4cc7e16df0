import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { RequestContext } from '../../src/core/context.js';
import { QUOTAS } from '../../src/core/quota.js';
import { serviceContext } from '../../src/core/service-context.js';
import { pruneReportEmbeds } from '../../src/domains/reports/embedded/report-embed.service.js';
import { embedOf } from '../../src/domains/reports/embedded/shown-embed.service.js';
import { renewCells } from '../../src/domains/reports/rollup/cells.service.js';
import type { Prisma } from '../../src/generated/prisma/client.js';
import { makeCrowd, noteCounted } from '../domains/reports/crowd.js';
import { type By, errorCode, mutation, type RoleName, useService } from '../support/harness.js';

const service = useService();
const DOSES = `{ doseReport(from: "2026-01-01", to: "2026-02-28") {
  rows { month language taken } } }`;
const ORIGINS = ['https://clinic.example', 'https://www.clinic.example:8443'];
const DAY = 24 * 60 * 60 * 1000;

const signedIn = async (role: RoleName = 'analyst', name?: string): Promise<By> => ({
  headers: await service().session(role, name),
});

async function saved(input: object = {}, by: By = 'analyst'): Promise<string> {
  const made = await service().data(
    mutation('createSavedReport', 'savedReport { id }'),
    { input: { name: 'Doses', query: DOSES, ...input } },
    by,
  );
  return made.createSavedReport.savedReport.id;
}

const embed = async (input: object, by?: By) =>
  service().ask(
    mutation('createReportEmbed', 'url reportEmbed { id origins expiresAt makerName reportName }'),
    { input: { origins: ORIGINS, ...input } },
    by ?? (await signedIn()),
  );

/** Makes an embedded report. Returns its path and id. */
async function embedded(report: object = {}, input: object = {}) {
  const reportId = await saved(report);
  const { data, errors } = await embed({ reportId, ...input });
  if (errors) throw new Error(JSON.stringify(errors));
  const { url, reportEmbed } = data.createReportEmbed;
  return { reportId, id: reportEmbed.id as string, path: new URL(url).pathname, url, reportEmbed };
}

const see = (path: string, headers: Record<string, string> = {}) =>
  service().fetch(path, { headers });
const sentence = async (path: string) => {
  const { status, text } = await see(path);
  return [status, /<p>(.*?)<\/p>/.exec(text)?.[1]];
};
const revoke = (id: string, by: By) =>
  service().ask(mutation('revokeReportEmbed', 'reportEmbed { revokedAt }'), { input: { id } }, by);
const policyOf = ({ headers }: { headers: Headers }) =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((part) => {
      const [name = '', ...sources] = part.split(' ');
      return [name, sources];
    }),
  );

const crowd = async () => {
  service().at('2026-03-05T12:00:00Z');
  await makeCrowd(service(), [{ members: 12 }, { members: 2, language: 2 }]);
};
const spent = async () =>
  (
    await service().database.query<{ questions: number }>(
      'SELECT coalesce(sum(questions), 0)::int AS questions FROM report_spend',
    )
  )[0]?.questions;

describe('A report in a frame', () => {
  it('is paid for by its maker, not by the address of whoever looks at it first', async () => {
    await crowd();
    const { path } = await embedded();
    service().limit();
    await service().limits.limiter(QUOTAS.anonymous).take('127.0.0.1', 996);
    expect((await see(path)).status).toBe(200);
  });

  it('shows table and picture without a script, to frames of exactly its origins', async () => {
    await crowd();
    const { path } = await embedded();
    const answer = await see(path);
    expect(answer.status).toBe(200);
    expect(policyOf(answer)).toStrictEqual({
      'default-src': ["'none'"],
      'style-src': [expect.stringMatching(/^'sha256-/)],
      'base-uri': ["'none'"],
      'frame-ancestors': ORIGINS,
      'form-action': ["'self'"],
    });
    expect(answer.headers.get('x-frame-options')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('x-robots-tag')).toBe('noindex');
    expect(answer.text).toContain('<h1>Doses</h1>');
    expect(answer.text).toContain('<th scope="col">taken</th>');
    expect(answer.text).toMatch(/<svg [\s\S]*<circle/);
    expect(answer.text).toContain('As of 2026-03-05 12:00 UTC');
    expect(answer.text).not.toMatch(/<script|<form|<a |<iframe|<img|style="|javascript:|https?:/i);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(answer.text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policyOf(answer)['style-src']).toStrictEqual([`'sha256-${hash}'`]);
  });

  it('says up to when its facts are counted, and draws lighter what was not over then', async () => {
    await crowd();
    service().at('2026-03-08T12:00:00Z');
    const query = `{ doseReport(from: "2026-02-26", to: "2026-02-28") { rows { day taken } } }`;
    await noteCounted(service(), '2026-02-28T06:30:00Z');
    const { text } = await see((await embedded({ query, view: 'BAR' })).path);
    expect(text).toContain('As of 2026-02-28 06:30 UTC');
    expect(text.match(/fill-opacity="0.4"/g)?.length).toBe(1);
  });

  it('draws lighter what is over, but of which its subject is not counted yet', async () => {
    for (const subject of ['dose', 'appointment'])
      await service().database.query(
        `INSERT INTO report_cell (subject, grid, date, keys, accounts, eligible, sums, tops)
         SELECT $1, '', month::date, '{}', 50, 50, '{90, 80, 70, 60}', '{2, 2, 2, 2}'
         FROM unnest(ARRAY['2025-12-01', '2026-01-01']) month`,
        [subject],
      );
    const lighter = async (fields: string) => {
      const query = `{ ${fields.replace('(', '(from: "2025-12-01", to: "2026-01-31"')} }`;
      const { text } = await see((await embedded({ query, view: 'BAR' })).path);
      expect(text).toContain('<svg');
      return text.includes('fill-opacity="0.4"');
    };
    const both = async (at: string) => {
      service().at(at);
      await noteCounted(service(), at);
      return [
        await lighter('doseReport() { rows { month taken } }'),
        await lighter('all: appointmentReport() { rows { month planned } }'),
      ];
    };
    expect(await both('2026-02-01T08:00:00Z'), 'a day is over in every zone').toStrictEqual([
      false,
      true,
    ]);
    expect(await both('2026-02-02T14:00:00Z'), 'and it is').toStrictEqual([false, false]);
  });

  it('says when it was made where nothing says up to when it is counted', async () => {
    await crowd();
    const month = 'from: "2026-01-01", to: "2026-01-31", grain: MONTH';
    const query = `{ doseReport(${month}) { asOf: grain rows { date taken } } }`;
    await noteCounted(service(), '2026-03-05T10:00:00Z');
    expect((await see((await embedded({ query })).path)).text).toContain(
      'As of 2026-03-05 10:00 UTC',
    );
    await service().database.query('DELETE FROM report_state');
    const { text } = await see((await embedded({ query })).path);
    expect(text).toContain('As of 2026-03-05 12:00 UTC');
    expect(text).not.toContain('__asOf');
  });

  it('keeps the floor of analysts, whoever made it, and says why a number is hidden', async () => {
    await crowd();
    const few = `{ doseReport(from: "2026-01-01", to: "2026-01-31", filter: { language: ["de"] }) {
      total { taken } } }`;
    const reportId = await saved({ query: few }, 'administrator');
    const { data } = await embed({ reportId }, await signedIn('administrator'));
    const { text } = await see(new URL(data.createReportEmbed.url).pathname);
    expect(text).toContain('<td class="hidden">hidden: few accounts</td>');
    expect(text).toContain('Too few accounts are behind it');
    expect(text).not.toContain('<td class="number">0</td>');
  });

  it('says in each column why it is null, and calls missing what is not hidden', async () => {
    await crowd();
    const query = `{ doseReport(from: "2026-02-01", to: "2026-04-30", fill: true,
      compare: PREVIOUS_PERIOD) { rows { month taken withheld previous { taken withheld } } } }`;
    const reportId = await saved({ query }, 'administrator');
    const { data } = await embed({ reportId }, await signedIn('administrator'));
    const { text } = await see(new URL(data.createReportEmbed.url).pathname);
    const rows = [...text.matchAll(/<tr><td>(2026.*?)<\/tr>/g)].map(([, row = '']) =>
      row.replaceAll(/(<[^>]+>)+/g, ' ').trim(),
    );
    expect(rows).toStrictEqual([
      expect.stringMatching(/^2026-02-01 \d+ missing: unequal spans$/),
      '2026-03-01 0 missing: unequal spans',
    ]);
  });

  it('is of reports about all members alone, also when its report is changed later', async () => {
    for (const query of [
      '{ viewer { username } }',
      '{ ...All } fragment All on Query { me: viewer { email } }',
      '{ ... on Query { savedReports { nodes { ownerName } } } }',
    ])
      expect(errorCode(await embed({ reportId: await saved({ query }) })), query).toBe(
        'REPORT_NOT_EMBEDDABLE',
      );
    const { reportId, path } = await embedded();
    const change = mutation('updateSavedReport', 'savedReport { id }');
    const input = { id: reportId, query: '{ viewer { username email } }' };
    await service().data(change, { input }, 'analyst');
    const { status, text } = await see(path);
    expect([status, text.includes('analyst')]).toStrictEqual([409, false]);
  });

  it('asks what was embedded, whatever somebody else makes of the report afterwards', async () => {
    await crowd();
    const clinician = await signedIn('clinician');
    const reportId = await saved({ isShared: true }, clinician);
    const maker = await signedIn('administrator');
    const { data } = await embed({ reportId }, maker);
    const path = new URL(data.createReportEmbed.url).pathname;
    const before = (await see(path)).text;
    const change = async (input: object) =>
      service().data(
        mutation('updateSavedReport', 'savedReport { id }'),
        { input: { id: reportId, ...input } },
        clinician,
      );
    for (const input of [
      { query: DOSES.replace('taken', 'missed') },
      { query: '{ accountReport { rows { date created } } }', variables: '{"a":1}' },
      { name: 'Call 555', view: 'TABLE', measure: 'missed' },
    ]) {
      await change(input);
      expect((await see(path)).text).toBe(before);
    }
    expect(await spent()).toBe(1);
    service().at('2026-03-05T18:00:00Z');
    await noteCounted(service(), '2026-03-05T18:00:00Z');
    expect((await see(path)).text).toBe(before.replace('12:00 UTC', '18:00 UTC'));
    await service().database.query('UPDATE saved_report SET is_shared = false');
    expect(await sentence(path)).toStrictEqual([410, 'This report is not shared any more.']);
  });

  it('of somebody else ends when an earlier version did not store what was embedded', async () => {
    const reportId = await saved({ isShared: true });
    const { data } = await embed({ reportId }, await signedIn('administrator'));
    const own = await embed({ reportId });
    await service().database.query('UPDATE report_embed SET embedded = NULL');
    expect(await sentence(new URL(data.createReportEmbed.url).pathname)).toStrictEqual([
      410,
      'This report was changed since it was put here. It is shown again once it is embedded anew.',
    ]);
    expect((await see(new URL(own.data.createReportEmbed.url).pathname)).status).toBe(200);
  });

  it('that fails is asked anew after ten minutes, and costs nothing', async () => {
    await crowd();
    const query = `{ a: doseReport(from: "2026-01-01", to: "2026-01-31") { total { taken } }
      b: doseReport(from: "2026-01-01", to: "2026-01-31") {
        rows { day medicineType language taken } } }`;
    const { path } = await embedded({ query });
    const asks = async () => {
      const { status } = await see(path);
      return [status, await spent()];
    };
    expect(await asks()).toStrictEqual([409, 0]);
    await service().database.query(
      `UPDATE saved_report SET query = '{ doseReport(from: "2026-01-01", to: "2026-01-31") {
        total { taken } } }'`,
    );
    service().at('2026-03-05T12:09:59Z');
    expect(await asks()).toStrictEqual([409, 0]);
    service().at('2026-03-05T12:10:00Z');
    expect(await asks()).toStrictEqual([200, 1]);
  });

  it('whose question is refused says that its maker must change it', async () => {
    await crowd();
    for (const query of [
      '{ doseReport(from: "2019-01-01") { total { taken } } }',
      '{ doseReport(from: "2026-02-01", to: "2026-01-01") { total { taken } } }',
      '{ doseReport(filter: { language: ["englsh"] }) { total { taken } } }',
    ]) {
      const { status, text } = await see((await embedded({ query })).path);
      expect([query, status]).toStrictEqual([query, 409]);
      expect(text).toContain('Whoever made it must change it.');
    }
  });

  it('draws gaps as gaps, marks what was not over, and tells others from no value', async () => {
    service().at('2026-01-10T12:00:00Z');
    await makeCrowd(service(), [{ members: 20 }, { members: 20, type: 'drops' }], 10);
    await service().database.query("DELETE FROM dose_fact WHERE day = '2026-01-04'");
    await service().database.query("INSERT INTO report_stale VALUES ('dose', '2026-01-01')");
    await renewCells(await serviceContext(service().app.deps, 'test'));
    const query = `{ doseReport(from: "2026-01-02", to: "2026-01-10", top: { count: 1, by: TAKEN }) {
      rows { day medicineType isOthers taken } } }`;
    const { text } = await see((await embedded({ query })).path);
    const lines = [...text.matchAll(/<path d="([^"]*)"[^>]*?(stroke-dasharray)?="?[^>]*>/g)];
    const moves = lines.map(([, d = '']) => [d.match(/M/g)?.length, d.match(/L/g)?.length]);
    expect(moves).toStrictEqual([
      [2, 5],
      [1, 1],
      [2, 5],
      [1, 1],
    ]);
    expect(text).toContain('What is lighter was not over, or only partly asked for.');
    expect(text).toMatch(/<td>others<\/td>/);
  });

  it('says that its report has more rows than it asks for, in the table and below the picture', async () => {
    await crowd();
    const query = `{ doseReport(from: "2026-01-01", to: "2026-01-31", first: 3) { rows { day taken } } }`;
    const { text } = await see((await embedded({ query })).path);
    expect(text).toContain('<p>The first 3 rows: the report has more than 3.</p>');
    expect(text).toContain('These are the first 3 rows: there are more.');
    const whole = await see((await embedded({ query: query.replace(', first: 3', '') })).path);
    expect(whole.text).not.toContain('more');
  });

  it('has the times of its report where dates lie further apart', async () => {
    service().at('2026-06-05T12:00:00Z');
    await noteCounted(service(), '2026-06-05T12:00:00Z');
    await service().database.query(
      `INSERT INTO report_cell (subject, grid, date, keys, accounts, eligible, sums, tops)
       SELECT 'dose', '', month::date, '{}', 50, 50, '{90, 80, 70, 60}', '{2, 2, 2, 2}'
       FROM unnest(ARRAY['2026-01-01', '2026-04-01']) month`,
    );
    const query = `{ doseReport(from: "2026-01-01", to: "2026-05-31", grain: MONTH) {
      rows { date taken } } }`;
    const { text } = await see((await embedded({ query })).path);
    const places = [...text.matchAll(/text-anchor="middle"[^>]*>(\d[^<]+)</g)];
    expect(places.map(([, place]) => place)).toStrictEqual([
      ...['2026-01', '2026-02', '2026-03', '2026-04'],
    ]);
  });

  it("marks what was not over by the site's date, where that of UTC is another", async () => {
    await service().database.query("UPDATE site SET time_zone = 'America/Los_Angeles'");
    // 22:00 on the last of January there.
    service().at('2026-02-01T06:00:00Z');
    await makeCrowd(service(), [{ members: 20 }], 31);
    const query = `{ doseReport(from: "2025-12-01", to: "2026-01-31", fill: true) {
      rows { month taken } } }`;
    const { path } = await embedded({ query });
    expect((await see(path)).text).toContain(
      'What is lighter was not over, or only partly asked for.',
    );
    // 02:30 on the first of February: two hours later no dose is taken late any more.
    service().at('2026-02-01T10:30:00Z');
    await noteCounted(service(), '2026-02-01T10:30:00Z');
    const later = await embedded({ query });
    expect((await see(later.path)).text).not.toContain(
      'What is lighter was not over, or only partly asked for.',
    );
    await service().database.query("UPDATE site SET time_zone = 'UTC'");
  });

  it('is made by who saved the report or by an administrator who sees it, signed in', async () => {
    const reportId = await saved();
    expect(errorCode(await embed({ reportId }, await signedIn('analyst', 'another')))).toBe(
      'SAVED_REPORT_NOT_FOUND',
    );
    expect(errorCode(await embed({ reportId }, await signedIn('administrator')))).toBe(
      'SAVED_REPORT_NOT_FOUND',
    );
    const shared = await saved({ isShared: true });
    expect(errorCode(await embed({ reportId: shared }, await signedIn('analyst', 'another')))).toBe(
      'FORBIDDEN',
    );
    expect(errorCode(await embed({ reportId: shared }, 'analyst'))).toBe('FORBIDDEN');
    expect(errorCode(await embed({ reportId: shared }, await signedIn('clinician')))).toBe(
      'FORBIDDEN',
    );
    expect((await embed({ reportId: shared }, await signedIn('administrator'))).errors).toBe(
      undefined,
    );
  });

  it('is listed and revoked by whom it concerns, and nobody else finds it', async () => {
    const { id, path } = await embedded();
    const list = async (by: By) =>
      (await service().data('{ reportEmbeds { nodes { id reportName makerName } } }', {}, by))
        .reportEmbeds.nodes;
    const row = { id, reportName: 'Doses', makerName: 'The analyst' };
    expect(await list('analyst')).toStrictEqual([row]);
    expect(await list('administrator')).toStrictEqual([row]);
    const other = await signedIn('analyst', 'another');
    expect(await list(other)).toStrictEqual([]);
    expect(errorCode(await revoke(id, other))).toBe('REPORT_EMBED_NOT_FOUND');
    expect(errorCode(await revoke(id, 'clinician'))).toBe('REPORT_EMBED_NOT_FOUND');
    const node = await service().data('query N($id: ID!) { node(id: $id) { id } }', { id }, other);
    expect(node.node).toBeNull();
    expect((await see(path)).status).toBe(200);
    const { data } = await revoke(id, 'administrator');
    expect(data.revokeReportEmbed.reportEmbed.revokedAt).toEqual(expect.any(String));
    expect((await revoke(id, 'analyst')).data).toStrictEqual(data);
  });

  it('says that it was revoked, at once and on every process, in the frames of its origins', async () => {
    const { id, path } = await embedded();
    const other = await service().beside({});
    const there = () => other.fetch(path, {});
    expect([(await see(path)).status, (await there()).status]).toStrictEqual([200, 200]);
    await revoke(id, 'analyst');
    for (const answer of [await see(path), await there()]) {
      expect(answer.status).toBe(410);
      expect(answer.text).toContain('This report was revoked: it is not shown here any more.');
      expect(answer.text).not.toContain('Doses');
      expect(policyOf(answer)['frame-ancestors']).toStrictEqual(ORIGINS);
    }
    await other.stop();
  });

  it('ends with its time, its report, the sharing, and the rights of its maker', async () => {
    const start = Date.parse('2026-03-05T12:00:00Z');
    service().at(start);
    const first = await embedded();
    expect(first.reportEmbed.expiresAt).toBe(new Date(start + 90 * DAY).toISOString());
    service().at(start + 90 * DAY);
    expect(await sentence(first.path)).toStrictEqual([
      410,
      'The time for which this report was shown here is over.',
    ]);
    const second = await embedded();
    await service().data(
      mutation('deleteSavedReport', 'savedReport { id }'),
      { input: { id: second.reportId } },
      'analyst',
    );
    expect(await sentence(second.path)).toStrictEqual([410, 'This report was deleted.']);
    const third = await embedded({ isShared: true });
    const own = await embed({ reportId: third.reportId }, await signedIn('administrator'));
    const theirs = new URL(own.data.createReportEmbed.url).pathname;
    expect((await see(theirs)).status).toBe(200);
    await service().data(
      mutation('updateSavedReport', 'savedReport { id }'),
      { input: { id: third.reportId, isShared: false } },
      'analyst',
    );
    const unshared = [410, 'This report is not shared any more.'];
    expect(await sentence(theirs)).toStrictEqual(unshared);
    expect((await see(third.path)).status).toBe(200);
    await service().database.query("UPDATE account SET roles = '{clinician}' WHERE username = $1", [
      'analyst',
    ]);
    expect(await sentence(third.path)).toStrictEqual(unshared);
    await service().database.query("DELETE FROM account WHERE username = 'analyst'");
    expect(await sentence(third.path)).toStrictEqual([404, 'There is no report at this address.']);
  });

  it('keeps of its secret a hash, and shows an address once', async () => {
    const { path, url } = await embedded();
    const secret = path.split('/').at(-1) as string;
    expect(url).toBe(`${service().url}/embedded-report/${secret}`);
    expect(secret).toMatch(/^[\w-]{43}$/);
    const rows = await service().database.query('SELECT row_to_json(e)::text FROM report_embed e');
    const audit = await service().database.query('SELECT row_to_json(e)::text FROM audit_event e');
    expect(JSON.stringify([rows, audit])).not.toContain(secret);
    expect(JSON.stringify(rows)).toContain(createHash('sha256').update(secret).digest('base64url'));
  });

  it.each(['', 'x', 'x'.repeat(43), `${'x'.repeat(43)}%00`, `%27%20OR%201=1--`])(
    'is nothing at another address, which nobody may frame: %j',
    async (secret) => {
      const answer = await see(`/embedded-report/${secret}`);
      expect(answer.status).toBe(404);
      expect(policyOf(answer)['frame-ancestors'] ?? ["'none'"]).toStrictEqual(["'none'"]);
    },
  );

  it.each([
    '*',
    'https://*.example',
    'https://clinic.example;script-src *',
    'https://a.example,https://b.example',
    "https://a.example'",
    'https://a.example/path',
    'https://a.example?x',
    'https://user@a.example',
    'http://clinic.example',
    'https://a',
    'javascript:alert(1)',
    'data:text/html,x',
    'null',
    'https://a.example\r\nX-Evil: 1',
    'https://a.example https://b.example',
    `https://${'a'.repeat(300)}.example`,
  ])('names no origin that is none, or that is several: %j', async (origin) => {
    const answer = await embed({ reportId: await saved(), origins: [origin] });
    expect(answer.errors?.[0].extensions.code).toBe('BAD_USER_INPUT');
  });

  it('takes origins as browsers write them', async () => {
    const origins = ['https://Clinic.Example/', 'https://bücher.example', 'http://localhost:3000'];
    const { reportEmbed } = await embedded({}, { origins: [...origins, 'https://clinic.example'] });
    expect(reportEmbed.origins).toStrictEqual([
      'https://clinic.example',
      'https://xn--bcher-kva.example',
      'http://localhost:3000',
    ]);
  });

  it('never has a header that an origin wrote, whatever text that is', async () => {
    const reportId = await saved();
    const by = await signedIn();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...';,\'* \r\n\t"<>%*.:/@ab\u2028') }),
        async (text) => {
          const { data } = await embed({ reportId, origins: [`https://a.example${text}`] }, by);
          if (!data?.createReportEmbed) return;
          const { url, reportEmbed } = data.createReportEmbed;
          expect(reportEmbed.origins[0]).toMatch(/^https:\/\/[a-z0-9.-]+(:\d+)?$/);
          expect(policyOf(await see(new URL(url).pathname))['frame-ancestors']).toStrictEqual(
            reportEmbed.origins,
          );
          await revoke(reportEmbed.id, by);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    { origins: [] },
    { origins: Array.from({ length: 11 }, (_, i) => `https://a${i}.example`) },
    { expiresAt: '2020-01-01T00:00:00Z' },
    { expiresAt: '2099-01-01T00:00:00Z' },
  ])('has 1 to 10 origins and ends within a year: %j', async (input) => {
    expect(['TOO_MANY', 'DATE_INVALID']).toContain(
      errorCode(await embed({ reportId: await saved(), ...input })),
    );
  });

  it('runs nothing that a name or a value holds', async () => {
    await crowd();
    const evil = `</h1><script>alert(1)</script><img src=x onerror=alert(1)>"'&`;
    const { path } = await embedded({ name: evil, measure: '"><script>' });
    const { text } = await see(path);
    expect(text).not.toMatch(/<script|<img/i);
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text.match(/<svg/g)).not.toBeNull();
  });

  it('is charged once when a view began before the result was kept, and goes on after it', async () => {
    await crowd();
    const { path } = await embedded();
    const { deps, input } = await service().context();
    const slow = new RequestContext(deps, input);
    const rows = slow.rows.bind(slow);
    slow.rows = async <Row extends object>(query: Prisma.Sql) => {
      const read = await rows<Row>(query);
      await see(path);
      return read;
    };
    const answer = await embedOf(slow, path.split('/').at(-1) as string, async () => ({}));
    expect(answer).toMatchObject({ shown: { table: { name: 'doseReport.rows' } } });
    expect(await spent()).toBe(1);
  });

  it('is charged to its maker at most every six hours, whoever looks how often', async () => {
    await crowd();
    const { path, id, reportId } = await embedded();
    await Promise.all(Array.from({ length: 8 }, () => see(path)));
    await see(path);
    expect(await spent()).toBe(1);
    service().at('2026-03-05T18:00:00Z');
    await see(path);
    expect(await spent()).toBe(2);
    const change = mutation('updateSavedReport', 'savedReport { id }');
    await service().data(
      change,
      { input: { id: reportId, query: DOSES.replace('taken', 'missed') } },
      'analyst',
    );
    expect((await see(path)).text).toContain('<th scope="col">missed</th>');
    await revoke(id, 'analyst');
    const [row] = await service().database.query('SELECT answer FROM report_embed');
    expect(row).toStrictEqual({ answer: null });
  });

  it('says when the questions of its maker are spent, and shows no number then', async () => {
    const { path } = await embedded();
    await service().database.query(
      `INSERT INTO report_spend SELECT id, now()::date, 3000 FROM account WHERE username = 'analyst'`,
    );
    const [status, said] = await sentence(path);
    expect([status, said]).toStrictEqual([
      503,
      'This report is not shown today: too many questions were asked. Come back tomorrow.',
    ]);
  });

  it('is looked at 300 times a minute at most, from however many addresses', async () => {
    service().at('2026-03-05T12:00:00Z');
    service().limit();
    const { path } = await embedded();
    const views: Awaited<ReturnType<typeof see>>[] = [];
    // Few at a time: a busy service refuses what would wait for too long.
    while (views.length < 310)
      views.push(...(await Promise.all(Array.from({ length: 5 }, () => see(path)))));
    const statuses = views.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(300);
    const refused = views.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('60');
    expect(refused?.text).toContain('Reload it in a minute.');
  });

  it('says nothing of the schema when fields are gone', async () => {
    const { path } = await embedded();
    await service().database.query(
      `UPDATE saved_report SET version = version + 1, query = replace(query, 'taken', 'takenOfOld')`,
    );
    const { status, text } = await see(path);
    expect(status).toBe(409);
    expect(text).toContain('This report cannot be shown');
    expect(text).not.toMatch(/takenOfOld|DoseReportRow/);
  });

  it('is forgotten 30 days after its end', async () => {
    service().at('2026-03-05T12:00:00Z');
    const { id, path } = await embedded();
    await revoke(id, 'analyst');
    const prune = async () => pruneReportEmbeds(await serviceContext(service().app.deps, 'test'));
    service().at('2026-04-04T12:00:00Z');
    await prune();
    expect((await see(path)).status).toBe(410);
    service().at('2026-04-04T12:00:01Z');
    await prune();
    expect((await see(path)).status).toBe(404);
  });

  it('is one of 20 at most that an account has', async () => {
    const reportId = await saved();
    const by = await signedIn();
    const made = await Promise.all(Array.from({ length: 22 }, () => embed({ reportId }, by)));
    expect(made.filter(({ errors }) => !errors)).toHaveLength(20);
    expect(made.map(errorCode).filter(Boolean)).toStrictEqual([
      'REPORT_EMBEDS_FULL',
      'REPORT_EMBEDS_FULL',
    ]);
  });

  it('sends no cookie, and heeds none and no sign-in', async () => {
    const { path } = await embedded();
    const answer = await see(path, {
      cookie: 'care_page=x',
      ...(await service().authorization('subscriber')),
    });
    expect([answer.status, answer.headers.get('set-cookie')]).toStrictEqual([200, null]);
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await service().fetch(path, { method })).status, method).toBe(404);
  });
});
