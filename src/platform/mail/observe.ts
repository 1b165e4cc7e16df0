import { Counter } from 'prom-client';
import { registry } from '../metrics/metrics.js';

/**
 * What became of a try: sent; failed, to be tried again; given up after the last try; expired, of
 * no use any more.
 */
export type MailOutcome = 'sent' | 'failed' | 'given_up' | 'expired';

const mails = new Counter({
  name: 'care_mails_total',
  help: 'Tries to send a mail, by template and by what became of it.',
  labelNames: ['template', 'outcome'],
  registers: [registry],
});

/** Counts a try to send a mail. */
export function observeMail(template: string, outcome: MailOutcome): void {
  mails.inc({ template, outcome });
}
