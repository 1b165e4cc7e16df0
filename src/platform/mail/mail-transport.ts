/** A mail for any transport: one recipient, and the same content as text and as HTML. */
export interface MailMessage {
  /** Identifies the mail in its Message-ID. A mail that is sent again has the same id. */
  readonly id: string;
  readonly date: Date;
  /** One address, used literally: no list, no display name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mails: through an SMTP server, through a mailbox at a provider, or into a local folder. */
export interface MailTransport {
  readonly kind: 'smtp' | 'outbox' | 'outlook';
  /** Maximum number of simultaneous calls of `send` in one process. Default: 10. */
  readonly atOnce?: number;
  /**
   * Resolves when the mail was accepted. Throws MailError when it was not, at the latest after the
   * transport's time limit.
   */
  send(message: MailMessage): Promise<void>;
  /** Deletes the stored mails to an address. Absent for a transport that stores none. */
  forget?(to: string): Promise<void>;
  /**
   * Connects and signs in, without a mail. Throws MailError. Absent for a transport without a
   * server.
   */
  check?(milliseconds: number): Promise<void>;
}

/**
 * The reason why a mail was not accepted, as a code for the log. The texts of servers may contain
 * addresses. `after`: the milliseconds to wait, of a server that has no room for it now.
 */
export class MailError extends Error {
  override readonly name = 'MailError';

  constructor(
    readonly reason: string,
    readonly after?: number,
  ) {
    super(`The mail was not taken: ${reason}.`);
  }
}
