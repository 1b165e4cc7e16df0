import { createTransport } from 'nodemailer';
import { isLoopback } from '../loopback.js';
import { composed } from './compose.js';
import { MailError, type MailMessage, type MailTransport } from './mail-transport.js';

/**
 * Time limits in milliseconds: to connect, to be greeted, between two bytes, and for one mail in
 * total.
 */
export interface SmtpLimits {
  readonly connect: number;
  readonly greeting: number;
  readonly silence: number;
  readonly whole: number;
}

const LIMITS: SmtpLimits = { connect: 10_000, greeting: 15_000, silence: 20_000, whole: 45_000 };

/**
 * Sends through an SMTP server, with one connection for each mail. `smtps:` uses TLS from the
 * start. `smtp:` requires STARTTLS, except on loopback, where it sends without encryption.
 * Certificates are always verified.
 */
export class SmtpTransport implements MailTransport {
  readonly kind = 'smtp';
  readonly #server;

  constructor(
    url: string,
    private readonly from: string,
    private readonly limits: SmtpLimits = LIMITS,
  ) {
    const { protocol, hostname, port, username, password } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    const secure = protocol === 'smtps:';
    const local = !secure && isLoopback(host);
    this.#server = createTransport({
      host,
      port: Number(port) || (secure ? 465 : 587),
      secure,
      requireTLS: !secure && !local,
      ignoreTLS: local,
      tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
      ...(username && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
      dnsTimeout: limits.connect,
      connectionTimeout: limits.connect,
      greetingTimeout: limits.greeting,
      socketTimeout: limits.silence,
    });
  }

  async send(message: MailMessage): Promise<void> {
    const signal = AbortSignal.timeout(this.limits.whole);
    try {
      await this.#server.sendMail({ ...composed(message, this.from), signal });
    } catch (error) {
      const { code = 'ERROR', responseCode } = error as { code?: string; responseCode?: number };
      throw new MailError(responseCode ? `${code} ${responseCode}` : code);
    }
  }
}
