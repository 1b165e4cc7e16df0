import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of the process, in Prometheus' form. */
export const registry = new Registry();

const latency = new Histogram({
  name: 'care_request_duration_seconds',
  help: 'Time to answer a request, by method, route of the table (or graphql), operation and status.',
  labelNames: ['method', 'route', 'operation', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [registry],
});

export interface ObservedRequest {
  readonly method: string;
  readonly route: string;
  readonly operation?: string | undefined;
  readonly status: number;
  readonly seconds: number;
}

/** Counts a request that was answered. */
export function observeRequest({ method, route, operation = '', status, seconds }: ObservedRequest): void {
  latency.observe({ method, route, operation, status }, seconds);
}

/** Starts the figures of the process itself, and of the database it uses. */
export function observeProcess(statements: () => number): void {
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'care_database_statements',
    help: 'SQL statements sent since the start.',
    registers: [registry],
    collect() {
      this.set(statements());
    },
  });
}
