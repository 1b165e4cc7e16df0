import { Outbox } from './mail-outbox.js';
import type { MailTransport } from './mail-transport.js';
import { SmtpTransport } from './smtp.js';

/** How mails are sent. */
export interface MailOptions {
  /** Address of the SMTP server (SMTP_URL). Without it mails are written as files. */
  readonly smtpUrl?: string | undefined;
  /** The sender's address (MAIL_FROM). */
  readonly from: string;
  /** Folder of the local outbox. */
  readonly outbox: string;
}

/**
 * Returns the transport that the configuration names. It neither connects nor writes before the
 * first mail.
 */
export function mailTransport({ smtpUrl, from, outbox }: MailOptions): MailTransport {
  return smtpUrl ? new SmtpTransport(smtpUrl, from) : new Outbox(outbox, from);
}
