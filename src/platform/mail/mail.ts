/** A mail as every transport takes it: one recipient, the same words as text and as HTML. */
export interface MailMessage {
  /** Names the mail in its Message-ID; a mail that is sent again bears the same. */
  readonly id: string;
  readonly date: Date;
  /** One address, taken as it is: no list, no display name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Takes mails to their recipients: an SMTP server, a mailbox at a provider, or a folder of this
 * machine.
 */
export interface MailTransport {
  readonly kind: 'smtp' | 'outbox' | 'outlook';
  /**
   * Resolves when the mail was taken. Throws a MailError when it was not, at the latest after the
   * transport's time limit.
   */
  send(message: MailMessage): Promise<void>;
  /** Deletes the mails to an address that the transport keeps; absent where it keeps none. */
  forget?(to: string): Promise<void>;
}

/** Why a mail was not taken, as a code for the log: what servers answer may hold addresses. */
export class MailError extends Error {
  override readonly name = 'MailError';

  constructor(readonly reason: string) {
    super(`The mail was not taken: ${reason}.`);
  }
}
