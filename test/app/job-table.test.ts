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
}

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

function jobRows(): JobRow[] {
  const page = readFileSync(join(projectRoot, 'docs/operating.md'), 'utf8');
  const section = page.split('\n## Background jobs\n')[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, names, every = '', , indexes, , , keeps]) => ({
      names: quoted(names),
      every,
      indexes: quoted(indexes),
      metrics: quoted(keeps).filter((name) => name.startsWith('care_')),
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
});
