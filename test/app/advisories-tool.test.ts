import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';

describe('The check of the lock file against known weaknesses', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'advisories-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const tool = (...args: string[]) => {
    const script = join(projectRoot, 'scripts/advisories.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  };
  const write = (name: string, content: object): string => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  /** A lock file with one package. */
  const lockOf = (name: string, version: string) =>
    write('lock.json', {
      packages: { '': {}, [`node_modules/a/node_modules/${name}`]: { version } },
    });
  const advisory = {
    id: 'GHSA-aaaa-bbbb-cccc',
    package: 'kettle',
    affected: '>=2.0.0 <2.4.1 || <=1.9.0',
    severity: 'high',
    fixed: '2.4.1',
    title: 'The lid opens',
  };
  const snapshotOf = (advisories: object[], exceptions: object[] = []) =>
    write('snapshot.json', { date: '2026-03-01', exceptions, advisories });
  const checkOf = (version: string, one: object = advisory, exceptions: object[] = []) =>
    tool(
      ...['--check', '--today', '2026-03-11'],
      ...['--lock', lockOf('kettle', version), '--snapshot', snapshotOf([one], exceptions)],
    );

  it('passes for what is committed, and says how old the snapshot is', () => {
    const { status, said } = tool('--check');
    expect(said).toMatch(/^\d+ advisories of \d{4}-\d\d-\d\d, -?\d+ days? old\.$/m);
    expect([status, /^(critical|high): /m.test(said)]).toStrictEqual([0, false]);
  });

  it('warns of a snapshot of more than 30 days, and passes', () => {
    const on = (day: string) =>
      tool('--today', day, '--lock', lockOf('pot', '1.0.0'), '--snapshot', snapshotOf([advisory]));
    expect(on('2026-03-31').said).not.toContain('more than');
    expect(on('2026-04-01')).toStrictEqual({
      status: 0,
      said: expect.stringContaining('That is more than 30 days.'),
    });
  });

  it('knows a weakness of the sanitiser that this service uses', () => {
    const { status, said } = tool('--lock', lockOf('sanitize-html', '2.17.3'));
    expect(status).toBe(1);
    expect(said).toContain('critical: sanitize-html 2.17.3, GHSA-rpr9-rxv7-x643');
  });

  it('fails for an affected version, also below another package', () => {
    expect(checkOf('2.4.0')).toStrictEqual({
      status: 1,
      said:
        '1 advisories of 2026-03-01, 10 days old.\n' +
        'high: kettle 2.4.0, GHSA-aaaa-bbbb-cccc: The lid opens. Mended in 2.4.1.\n',
    });
  });

  it('reads ranges and versions by Semantic Versioning', () => {
    const versions = ['1.9.0', '1.10.0', '2.0.0-beta.2', '2.0.0', '2.4.1-rc.1', '2.4.1', '2.10.0'];
    expect(versions.filter((version) => checkOf(version).status === 1)).toStrictEqual([
      ...['1.9.0', '2.0.0', '2.4.1-rc.1'],
    ]);
  });

  it('tells of lesser weaknesses without failing', () => {
    const { status, said } = checkOf('2.4.0', { ...advisory, severity: 'moderate' });
    expect([status, said]).toStrictEqual([0, expect.stringContaining('moderate: kettle 2.4.0')]);
  });

  it('lets an exception with a reason hold until its day, and no longer', () => {
    const exception = { id: advisory.id, package: 'kettle', reason: 'It has no lid here' };
    const checks = ['2026-03-11', '2026-03-10'].map((until) =>
      checkOf('2.4.0', advisory, [{ ...exception, until }]),
    );
    expect(checks).toStrictEqual([
      { status: 0, said: expect.stringContaining('excepted until 2026-03-11: It has no lid here') },
      { status: 1, said: expect.stringContaining('its exception ended on 2026-03-10') },
    ]);
  });

  it('fails for an exception without a reason or an end', () => {
    const exception = { id: advisory.id, package: 'kettle', until: '2026-04-01' };
    const { status, said } = checkOf('2.4.0', advisory, [exception]);
    expect([status, said]).toStrictEqual([1, expect.stringContaining('lacks a package, a reason')]);
  });

  it('takes a report of another machine into the snapshot', () => {
    const snapshot = snapshotOf([advisory, { ...advisory, package: 'gone' }]);
    const via = {
      ...{ source: 1, name: 'kettle', dependency: 'kettle', severity: 'critical' },
      ...{ title: 'It boils over', url: 'https://example.org/advisories/GHSA-xxxx-yyyy-zzzz' },
      range: '>=2.4.1 <2.5.0',
    };
    const report = write('report.json', {
      auditReportVersion: 2,
      vulnerabilities: { kettle: { via: [via] }, mug: { via: ['kettle'] } },
    });
    const lock = lockOf('kettle', '2.4.1');
    const args = ['--lock', lock, '--snapshot', snapshot, '--today', '2026-03-12'];
    expect(tool('refresh', report, ...args).status).toBe(0);
    expect(JSON.parse(readFileSync(snapshot, 'utf8'))).toStrictEqual({
      date: '2026-03-12',
      exceptions: [],
      advisories: [
        advisory,
        {
          ...{ id: 'GHSA-xxxx-yyyy-zzzz', package: 'kettle', affected: '>=2.4.1 <2.5.0' },
          ...{ severity: 'critical', fixed: '2.5.0', title: 'It boils over' },
        },
      ],
    });
    expect(tool('--check', ...args).said).toContain('critical: kettle 2.4.1, GHSA-xxxx-yyyy-zzzz');
    const written = readFileSync(snapshot, 'utf8');
    expect(written, 'as the formatter has it').toBe(
      `${JSON.stringify(JSON.parse(written), null, 2)}\n`,
    );
  });

  it('says so when a report is none, and keeps the snapshot', () => {
    const snapshot = snapshotOf([advisory]);
    const before = readFileSync(snapshot, 'utf8');
    const report = write('report.json', { message: '405 Method Not Allowed' });
    const lock = lockOf('kettle', '2.4.1');
    const { status, said } = tool('refresh', report, '--lock', lock, '--snapshot', snapshot);
    expect([status, said]).toStrictEqual([
      1,
      expect.stringContaining('the snapshot of 2026-03-01'),
    ]);
    expect(readFileSync(snapshot, 'utf8')).toBe(before);
  });
});
