import { Counter, Gauge } from 'prom-client';
import { registry } from '../metrics/metrics.js';

/** A replica as the metrics see it. */
interface ObservedReplica {
  readonly isUsed: boolean;
  readonly lag: number | undefined;
}

let reads: Counter | undefined;

/** Starts the metrics of the replica of a process. */
export function observeReplica(replica: ObservedReplica): void {
  for (const name of NAMES) registry.removeSingleMetric(name);
  new Gauge({
    name: 'care_read_replica_lag_seconds',
    help: 'How far READ_DATABASE_URL is behind at most, as measured twice a second.',
    aggregator: 'max',
    registers: [registry],
    collect() {
      if (replica.lag !== undefined) this.set(replica.lag);
    },
  });
  new Gauge({
    name: 'care_read_replica_used',
    help: '1 while anonymous reads go to READ_DATABASE_URL; of workers, how many use it.',
    registers: [registry],
    collect() {
      this.set(replica.isUsed ? 1 : 0);
    },
  });
  reads = new Counter({
    name: 'care_read_replica_statements_total',
    help:
      'Statements that may lag, by where they were read: replica; primary, while the replica is ' +
      'down, behind or too slow.',
    labelNames: ['from'],
    registers: [registry],
  });
  for (const from of ['replica', 'primary']) reads.inc({ from }, 0);
}

const NAMES = [
  'care_read_replica_lag_seconds',
  'care_read_replica_used',
  'care_read_replica_statements_total',
];

/** Counts a statement that may lag. */
export const observeRead = (from: 'replica' | 'primary'): void => reads?.inc({ from });
