import { Counter, Gauge, Histogram } from 'prom-client';
import { registry } from '../../../platform/metrics/metrics.js';
import type { RecipientKind } from '../../../platform/push/push-transport.js';
import type { DeliveryState } from './delivery.state.js';

const lateness = new Histogram({
  name: 'care_push_lateness_seconds',
  help: 'From the moment a push was due until a provider took it, by kind of recipient.',
  labelNames: ['kind'],
  buckets: [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1200, 1800],
  registers: [registry],
});
const turns = new Counter({
  name: 'care_push_turns_total',
  help:
    'Turns of deliveries by kind of recipient and by the state they ended in; ' +
    'planned means that they are tried again.',
  labelNames: ['kind', 'state'],
  registers: [registry],
});
const unanswered = new Counter({
  name: 'care_push_unanswered_total',
  help:
    'Turns of deliveries, by kind of recipient, whose provider did not answer in time or whose ' +
    'connection broke. They are sent again under the same id: the provider may have taken them.',
  labelNames: ['kind'],
  registers: [registry],
});
const unserved = new Gauge({
  name: 'care_push_unserved_devices',
  help: 'Devices and channels that get nothing, because their kind has no provider, by kind.',
  labelNames: ['kind'],
  aggregator: 'max',
  registers: [registry],
});

/** Counts what became of a delivery's turn. */
export function observeTurn(kind: RecipientKind, state: DeliveryState, count = 1): void {
  if (count > 0) turns.inc({ kind, state }, count);
}

/** Counts a turn that ended without an answer of the provider. */
export function observeUnanswered(kind: RecipientKind): void {
  unanswered.inc({ kind });
}

/** Notes how late, in milliseconds, a provider took a push. */
export function observeLateness(kind: RecipientKind, milliseconds: number): void {
  lateness.observe({ kind }, Math.max(0, milliseconds) / 1000);
}

/** Shows how many devices get nothing because their kind has no provider. */
export function observeUnserved(kind: RecipientKind, count: number): void {
  unserved.set({ kind }, count);
}
