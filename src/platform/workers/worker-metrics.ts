import {
  AggregatorRegistry,
  Counter,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';
import { registry } from '../metrics/metrics.js';

/** The metrics of one process, as `getMetricsAsJSON` returns them. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[];

const serving = new Gauge({
  name: 'care_workers',
  help: 'Workers that serve now; 0 where WORKERS is 1.',
  registers: [registry],
});
const exits = new Counter({
  name: 'care_worker_exits_total',
  help: 'Workers that were replaced, by how they ended: ended (by a signal to it alone), died.',
  labelNames: ['how'],
  registers: [registry],
});
for (const how of ['ended', 'died']) exits.inc({ how }, 0);

/** Notes how many workers serve. */
export function observeWorkers(count: number): void {
  serving.set(count);
}

/** Counts a worker that is replaced. */
export function observeExit(how: 'ended' | 'died'): void {
  exits.inc({ how });
}

/**
 * Adds the metrics of several processes, each by its aggregator: a gauge that every process reads from
 * the database is not a sum.
 */
export const merged = (snapshots: readonly Snapshot[]) =>
  AggregatorRegistry.aggregate(snapshots as unknown as object[]);

/** Returns the metrics of several processes as those of one. */
export const sumOf = async (snapshots: readonly Snapshot[]) =>
  (await merged(snapshots).getMetricsAsJSON()) as Snapshot;

/** Returns what stays of the metrics of a process that has ended: counts go on, states do not. */
export const lasting = (snapshot: Snapshot): Snapshot =>
  snapshot.filter(({ type }) => LASTING.includes(String(type)));
const LASTING = ['counter', 'histogram'];
