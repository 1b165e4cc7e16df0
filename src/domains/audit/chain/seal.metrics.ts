import { Gauge } from 'prom-client';
import { registry } from '../../../platform/metrics/metrics.js';

const lag = new Gauge({
  name: 'care_audit_seal_lag_seconds',
  help: 'Age of the oldest row of the audit without a seal; 0 when all are sealed.',
  aggregator: 'max',
  registers: [registry],
});

/** Shows for how many milliseconds the oldest row without a seal has waited. */
export function observeSealLag(milliseconds: number): void {
  lag.set(milliseconds / 1_000);
}
