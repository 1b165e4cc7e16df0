import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { registry } from '../metrics/metrics.js';
import type { Readiness } from './readiness.js';

/**
 * Milliseconds after which conditions count as not met: fewer than the first process waits for the metrics of
 * a worker, which would else stand still while a database hangs.
 */
const ANSWERED_WITHIN = 400;

let observed: Readiness | undefined;

new Gauge({
  name: 'care_ready',
  help: '1 while a condition of readiness is met, else 0, by its name: /readyz tells the reason.',
  labelNames: ['condition'],
  aggregator: 'min',
  registers: [registry],
  async collect() {
    await setImmediate(); // else the connection that this asks by counts as one that waits
    const reasons = await Promise.race([
      observed?.reasons(),
      sleep(ANSWERED_WITHIN, undefined, { ref: false }),
    ]);
    this.reset();
    for (const condition of observed?.names() ?? [])
      this.set({ condition }, !reasons || condition in reasons ? 0 : 1);
  },
});

/** Shows from now on whether this process is ready. */
export function observeReadiness(readiness: Readiness): void {
  observed = readiness;
}
