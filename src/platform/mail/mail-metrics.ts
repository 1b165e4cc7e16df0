import { Counter } from 'prom-client';
import { registry } from '../metrics/metrics.js';

/**
 * The result of an attempt: sent; failed, to be tried again; rejected, the same for what is about the mail
 * itself, such as an address that there is not; given up, after eight attempts that were rejected, or
 * sixteen, in most of which their processes died; expired, no longer useful.
 */
export type MailOutcome = 'sent' | 'failed' | 'rejected' | 'given_up' | 'expired';

const mails = new Counter({
  name: 'care_mails_total',
  help: 'Tries to send a mail, by template and by what became of it.',
  labelNames: ['template', 'outcome'],
  registers: [registry],
});

const OUTCOMES: readonly MailOutcome[] = ['sent', 'failed', 'rejected', 'given_up', 'expired'];

/** Begins to count at 0, or Prometheus would miss the first attempt of each outcome. */
export function countMails(templates: readonly string[]): void {
  for (const template of templates)
    for (const outcome of OUTCOMES) mails.inc({ template, outcome }, 0);
}

/** Counts an attempt to send a mail. */
export function observeMail(template: string, outcome: MailOutcome): void {
  mails.inc({ template, outcome });
}
