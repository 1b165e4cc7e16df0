import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import '../../src/app/jobs.js'; // jobs have metrics of their own
import '../../src/platform/database/pool-metrics.js'; // and so has what speaks to a server
import { observeReplica } from '../../src/platform/database/replica-metrics.js';
import { observeProcess, registry } from '../../src/platform/metrics/metrics.js';
import '../../src/platform/workers/worker-metrics.js';
import { projectRoot } from '../../src/platform/root.js';
import { useService } from '../support/harness.js';

const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}
interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** An expression that is evaluated under a name of its own, for the alerts after it. */
type Recorded = Pick<Rule, 'expr'> & { readonly record: string };

const all: readonly (Rule | Recorded)[] = parse(textOf('deploy/prometheus/rules.yaml'), {
  uniqueKeys: true,
}).groups[0].rules;
const recorded = all.filter((rule): rule is Recorded => 'record' in rule);
const rules = all.filter((rule): rule is Rule => 'alert' in rule);
const { panels }: { panels: readonly Panel[] } = JSON.parse(textOf('deploy/grafana/care.json'));

describe('The alerts and the dashboard', () => {
  const service = useService();

  it('ask for metrics that there are', async () => {
    observeProcess('0', () => service().database);
    observeReplica({ isUsed: true, lag: 0 });
    const metrics = await registry.getMetricsAsJSON();
    const expressions = [
      ...all.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(expressions.length).toBeGreaterThan(30);
    for (const expression of expressions) {
      const names = [...expression.matchAll(/\b(?:care|process|nodejs)_\w+/g)].map(
        ([name]) => name,
      );
      const own = [...expression.matchAll(/\bcare:\w+/g)].map(([name]) => name);
      for (const name of own) expect(recorded.map(({ record }) => record)).toContain(name);
      if (!expression.startsWith('up{'))
        expect(names.length + own.length, expression).toBeGreaterThan(0);
      for (const name of names) {
        const base = name.replace(/_(?:bucket|count|sum)$/, '');
        const found = metrics.find((metric) => metric.name === name || metric.name === base);
        expect(found, name).toBeDefined();
        if (name !== found?.name) expect(found?.type, name).toBe('histogram');
      }
    }
  });

  it('have each its own name, a severity, and an entry in the runbook, which has no other', () => {
    const entries = [...textOf('docs/runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(rules.map(({ alert }) => alert)).toStrictEqual(entries);
    for (const { alert, labels, annotations } of rules) {
      expect(['page', 'warn'], alert).toContain(labels.severity);
      expect(annotations.summary, alert).toMatch(/^[A-Z].+\.$/);
    }
  });

  it('fire within some minutes, but for what is no hurry', () => {
    const units: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, d: 1440 };
    const minutes = (text = '0m') => Number.parseInt(text, 10) * (units[text.slice(-1)] ?? 0);
    const slow = rules.filter((rule) => minutes(rule.for) > 1).map(({ alert }) => alert);
    expect(slow).toStrictEqual(['CareDevicesUnserved', 'CareZoneDataOld']);
  });
});
