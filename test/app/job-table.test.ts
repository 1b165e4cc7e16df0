import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobsOf } from '../../src/app/jobs.js';
import type { Deps } from '../../src/core/deps.js';
import { registry } from '../../src/platform/metrics/metrics.js';
import { RECIPIENT_KINDS, type RecipientKind } from '../../src/platform/push/push-transport.js';
import { projectRoot } from '../../src/platform/root.js';
import { useService } from '../support/harness.js';

interface JobRow {
  readonly names: readonly string[];
  readonly every: string;
  readonly indexes: readonly string[];
  readonly metrics: readonly string[];
  /** What it ends, as words. */
  readonly ends: string;
}

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

function sectionOf(name: string): string {
  const page = readFileSync(join(projectRoot, 'docs/operating.md'), 'utf8');
  return page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
}

function jobRows(): JobRow[] {
  const section = sectionOf('Background jobs');
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, names, every = '', , indexes, , , keeps]) => ({
      names: quoted(names),
      every,
      indexes: quoted(indexes),
      metrics: quoted(keeps).filter((name) => name.startsWith('care_')),
      ends: (keeps ?? '').replaceAll(/`care_\w+`|,/g, '').trim(),
    }));
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000 };
function millisecondsOf(text: string): number {
  const [number, unit = ''] = text.split(' ');
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}

describe('The table of background jobs in docs/operating.md', () => {
  const service = useService();
  /** The jobs of a process that has the demonstration, all providers, and receipts of Expo. */
  const allJobs = () => {
    const { deps, schema } = service().app;
    const provider = (kind: RecipientKind) => ({
      name: kind,
      receipts: kind === 'expo' ? async () => new Map() : undefined,
    });
    const push = Object.fromEntries(RECIPIENT_KINDS.map((kind) => [kind, provider(kind)]));
    return jobsOf({
      deps: {
        ...deps,
        push: push as unknown as Deps['push'],
        config: { ...deps.config, SEED: 'demo' },
      },
      schema,
    });
  };

  it('has each job, with its interval, and no other', () => {
    const told = jobRows().flatMap(({ names, every }) =>
      names.map((name) => [name, millisecondsOf(every)]),
    );
    const jobs = allJobs().map(({ name, every }) => [name, every]);
    expect(told.sort()).toStrictEqual(jobs.sort());
  });

  it('names indexes that there are', async () => {
    const rows = await service().database.query<{ name: string }>(
      'SELECT indexname AS name FROM pg_indexes',
    );
    const known = rows.map(({ name }) => name);
    const named = jobRows().flatMap(({ indexes }) => indexes);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !known.includes(name))).toStrictEqual([]);
  });

  it('names metrics that there are', async () => {
    const metrics = await registry.metrics();
    for (const name of jobRows().flatMap(({ metrics: named }) => named))
      expect(metrics).toContain(`# TYPE ${name} `);
  });

  it('is followed by one of what is kept for how long, with each job that ends something', () => {
    const lines = sectionOf('Retention')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const enders = new Set(lines.flatMap(([, , , by]) => quoted(by)));
    const jobs = jobRows().filter(({ ends }) => ends !== '');
    expect(jobs.length).toBeGreaterThan(15);
    expect(
      jobs.flatMap(({ names }) => names).filter((name) => name !== 'audit' && !enders.has(name)),
    ).toStrictEqual([]);
    const { config } = service().app.deps;
    const days = lines.map(([, , kept = '']) => /^`(KEEP_\w+)`, (\d+)$/.exec(kept)).filter(Boolean);
    const told = Object.fromEntries(days.map((match) => [match?.[1], Number(match?.[2])]));
    const kept = Object.entries(config).filter(([name]) => /^KEEP_\w+_DAYS$/.test(name));
    expect(told).toStrictEqual(Object.fromEntries(kept));
  });
});
