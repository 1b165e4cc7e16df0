import { Gauge } from 'prom-client';
import { registry } from '../../../platform/metrics/metrics.js';

const left = new Gauge({
  name: 'care_channel_codes_left',
  help: 'Codes to numbers and chats that all members together have left in the hour of the last one.',
  registers: [registry],
});

/** Shows what is left of the budget of codes. */
export function observeBudget(codes: number): void {
  left.set(codes);
}
