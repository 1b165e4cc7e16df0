import type { MailTransport } from './mail.js';
import { Outbox } from './outbox.js';
import { SmtpTransport } from './smtp.js';

export interface MailOptions {
  /** Of the server to send through (SMTP_URL); without it mails become files. */
  readonly smtpUrl?: string | undefined;
  /** The sender's address (MAIL_FROM). */
  readonly from: string;
  /** Folder of the local outbox. */
  readonly outbox: string;
}

/** The transport that the configuration names. Opens and writes nothing yet. */
export function mailTransport({ smtpUrl, from, outbox }: MailOptions): MailTransport {
  return smtpUrl ? new SmtpTransport(smtpUrl, from) : new Outbox(outbox, from);
}
