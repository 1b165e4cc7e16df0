import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import '../../src/app/jobs.js'; // jobs have metrics of their own
import '../../src/platform/database/pool-metrics.js'; // and so has what speaks to a server
import { observeReplica } from '../../src/platform/database/replica-metrics.js';
import { observeProcess, registry } from '../../src/platform/metrics/metrics.js';
import '../../src/platform/http/readiness-metrics.js';
import '../../src/platform/workers/worker-metrics.js';
import { projectRoot } from '../../src/platform/root.js';
import { hasPromtool, promtool } from '../alerts/recording.js';
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
    expect(slow).toStrictEqual([
      'CareNotReady',
      'CareDevicesUnserved',
      'CareReplicaUnused',
      'CareZoneDataOld',
    ]);
  });
});

/** A value that stays, or that grows from sample to sample, for half an hour and a bit. */
const STAYS = 'x130';
const job = (instance: string, failures: string, interval = 1) => [
  { series: `up{job="care",instance="${instance}"}`, values: `1${STAYS}` },
  {
    series: `care_job_failures_in_a_row{name="tidy",instance="${instance}"}`,
    values: failures,
  },
  {
    series: `care_job_interval_seconds{name="tidy",instance="${instance}"}`,
    values: `${interval}${STAYS}`,
  },
  {
    series: `care_job_last_done_timestamp_seconds{name="tidy",instance="${instance}"}`,
    values: `0${STAYS}`,
  },
];
const requests = (shed: number, failed: number, status = 500) => [
  { series: 'up{job="care"}', values: `1${STAYS}` },
  { series: 'care_requests_shed_total{reason="requests"}', values: `0+${shed}${STAYS}` },
  {
    series: 'care_request_duration_seconds_count{status="200"}',
    values: `0+${1000 - failed}${STAYS}`,
  },
  {
    series: `care_request_duration_seconds_count{status="${status}"}`,
    values: `0+${failed}${STAYS}`,
  },
];

const UP = [{ series: 'up{job="care"}', values: `1${STAYS}` }];
const queue = (name: string, depth: number, ages: string) => [
  { series: `care_queue_depth{queue="${name}"}`, values: `${depth}${STAYS}` },
  { series: `care_queue_age_seconds{queue="${name}"}`, values: ages },
];
const mails = (outcome: string, values: string) => [
  { series: `care_mails_total{template="sign_in_code",outcome="${outcome}"}`, values },
];

(hasPromtool ? describe : describe.skip)('Prometheus with the rules of the service', () => {
  /** Returns which alerts do not fire, or fire besides, at each of these times. */
  const judgedAt = (
    times: readonly string[],
    input_series: { series: string; values: string }[],
    ...alerts: string[]
  ) =>
    promtool({
      interval: '15s',
      input_series,
      promql_expr_test: times.map((eval_time) => ({
        expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
        eval_time,
        exp_samples: alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      })),
    });
  const judged = (input_series: { series: string; values: string }[], ...alerts: string[]) =>
    judgedAt(['30m'], input_series, ...alerts);
  /** Every evaluation of ten minutes. */
  const EACH = Array.from({ length: 40 }, (_, i) => `${i * 15}s`);

  it.each<[string, { series: string; values: string }[], ...string[]]>([
    [
      'a job fails three times in a row in all processes, however seldom it runs',
      [...job('a', `3${STAYS}`, 900), ...job('b', `4${STAYS}`, 900)],
      'CareJobFails',
    ],
    ['a job of an hour fails twice in a row', job('a', `2${STAYS}`, 3600), 'CareJobFails'],
    [
      'a job that fails in one process is done in another',
      [...job('a', `9${STAYS}`, 900), ...job('b', `0${STAYS}`, 900)],
    ],
    [
      'a job that fails in one process hangs in the other',
      [...job('a', `9${STAYS}`), ...job('b', `0${STAYS}`)],
      'CareJobStale',
    ],
    [
      'a job has failed once, and is done by no process for long',
      job('a', `1${STAYS}`),
      'CareJobStale',
    ],
    ['no process is scraped', [{ series: 'up{job="other"}', values: `1${STAYS}` }], 'CareDown'],
    ['one request in a thousand is refused while others fail', requests(1, 50), 'CareErrors'],
    ['one request in twenty is refused', requests(50, 0), 'CareSheds'],
    [
      'a balancer asks a process that is not ready, and files are sent slowly',
      [
        ...requests(0, 0),
        {
          series: 'care_request_duration_seconds_count{route="/readyz",status="503"}',
          values: `0+900${STAYS}`,
        },
        {
          series: 'care_request_duration_seconds_count{route="/uploads/:key",status="200"}',
          values: `0+900${STAYS}`,
        },
        ...['1', '2.5', '10', '+Inf'].map((le) => ({
          series: `care_request_duration_seconds_bucket{route="/uploads/:key",status="200",le="${le}"}`,
          values: `0+${le === '+Inf' ? 900 : 0}${STAYS}`,
        })),
      ],
    ],
    ['requests are refused, and others answer 503', requests(50, 50, 503), 'CareSheds'],
    ['requests are refused, and others fail', requests(50, 50), 'CareErrors', 'CareSheds'],
    [
      'a process is not ready for long',
      [
        ...requests(0, 0),
        { series: 'care_ready{instance="a",condition="redis"}', values: `0${STAYS}` },
        { series: 'care_ready{instance="b",condition="redis"}', values: `1${STAYS}` },
      ],
      'CareNotReady',
    ],
    [
      'the read replica is not used',
      [
        { series: 'up{job="care"}', values: `1${STAYS}` },
        { series: 'care_read_replica_used', values: `0${STAYS}` },
      ],
      'CareReplicaUnused',
    ],
  ])('says what is wrong when %s', async (_, series, ...alerts) => {
    expect(await judged(series, ...alerts)).toBe('');
  });

  it.each([
    ['CareRemindersLate', 'hand over'],
    ['CareMailsLate', 'mail'],
  ])('fires %s within two minutes after the job "%s" has stopped', async (alert, name) => {
    const stopped = [...UP, ...queue(name, 1, `0x4 15+15${STAYS}`)];
    // Its first row is measured a scrape after it is due, at the latest.
    expect(await judgedAt(['60s', '90s'], stopped)).toBe('');
    expect(await judgedAt(['165s', '10m'], stopped, alert)).toBe('');
  });

  it.each(['1', '1.0'])(
    'fires CareSlow where the bound of a second is stored as %s',
    async (le) => {
      const sample = (name: string, step: number) => ({
        series: `care_request_duration_seconds_${name}`,
        values: `0+${step}${STAYS}`,
      });
      const labels = 'route="/api/v1/posts",status="200"';
      const slow = [
        sample(`count{${labels}}`, 100),
        ...(
          [
            [le, 90],
            ['10', 100],
            ['+Inf', 100],
          ] as const
        ).map(([bound, step]) => sample(`bucket{${labels},le="${bound}"}`, step)),
      ];
      expect(await judged([...UP, ...slow], 'CareSlow')).toBe('');
    },
  );

  it('fires CareMailsLate within ten minutes where each of few mails is refused', async () => {
    const tries = `0 1x3 2x7 3x15 4${STAYS}`;
    const sent = (values: string) => [...UP, ...mails('failed', tries), ...mails('sent', values)];
    const address = [...UP, ...mails('rejected', tries), ...mails('sent', `0${STAYS}`)];
    expect(await judgedAt(EACH, address), 'one address that there is not').toBe('');
    expect(await judgedAt(['5m'], sent(`0${STAYS}`))).toBe('');
    expect(await judgedAt(['10m', '15m'], sent(`0${STAYS}`), 'CareMailsLate')).toBe('');
    expect(await judgedAt(EACH, sent(`0x10 1${STAYS}`))).toBe('');
  });

  it('fires CareReportsUnread, and no other, while the database for reports refuses', async () => {
    const refusals = (server: string, values: string) => ({
      series: `care_database_connections_refused_total{reason="server",server="${server}"}`,
      values,
    });
    const both = [refusals('primary', `0${STAYS}`), refusals('reports', `0+9${STAYS}`)];
    expect(await judged([...UP, ...both], 'CareReportsUnread')).toBe('');
    const primary = [refusals('primary', `0+9${STAYS}`), refusals('reports', `0+9${STAYS}`)];
    expect(await judged([...UP, ...primary], 'CareDatabaseRefuses')).toBe('');
  });

  it.each([
    ['a burst of reminders is due in this minute', queue('hand over', 5_000, `0 14 0 7${STAYS}`)],
    ['many mails wait for their next try', queue('mail', 500, `0${STAYS}`)],
    [
      'a mail server has refused sixty mails, and takes them a minute later',
      [
        ...mails('failed', `0x8 60${STAYS}`),
        ...mails('sent', `0x12 60${STAYS}`),
        ...queue('mail', 60, `0${STAYS}`),
      ],
    ],
  ])('lets people sleep when %s', async (_, series) => {
    expect(await judgedAt(EACH, [...UP, ...series])).toBe('');
  });
});
