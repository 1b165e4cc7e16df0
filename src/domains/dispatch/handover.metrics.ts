import { Counter, Histogram } from 'prom-client';
import { registry } from '../../platform/metrics/metrics.js';
import { AlertState } from '../reminders/alert/alert.state.js';

const lateness = new Histogram({
  name: 'care_reminder_lateness_seconds',
  help: 'From the moment a reminder was due until its push was queued.',
  buckets: [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1200, 1800],
  registers: [registry],
});
const outcomes = new Counter({
  name: 'care_reminders_total',
  help:
    'Reminders whose time came, by what became of them: ' +
    'sent, late (over a minute), missed (over half an hour), cancelled.',
  labelNames: ['state'],
  registers: [registry],
});

/** Notes what became of a reminder, and how late it was queued, in milliseconds. */
export function observeReminder(state: AlertState, late: number): void {
  outcomes.inc({ state });
  if (state === AlertState.SENT || state === AlertState.LATE)
    lateness.observe(Math.max(0, late) / 1000);
}
