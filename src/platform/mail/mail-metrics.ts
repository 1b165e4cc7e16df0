import { Counter, Gauge } from 'prom-client';
import { registry } from '../metrics/metrics.js';

/**
 * The result of an attempt: sent; failed, to be tried again; given up after the last attempt;
 * expired, no longer useful.
 */
export type MailOutcome = 'sent' | 'failed' | 'given_up' | 'expired';

const mails = new Counter({
  name: 'care_mails_total',
  help: 'Tries to send a mail, by template and by what became of it.',
  labelNames: ['template', 'outcome'],
  registers: [registry],
});

/** Counts an attempt to send a mail. */
export function observeMail(template: string, outcome: MailOutcome): void {
  mails.inc({ template, outcome });
}

const due = new Gauge({
  name: 'care_mail_due',
  help: 'Mails that are due and not yet sent, with those that wait for another try.',
  aggregator: 'max',
  registers: [registry],
});

/** Shows how many mails are due. */
export function observeDueMails(count: number): void {
  due.set(count);
}
