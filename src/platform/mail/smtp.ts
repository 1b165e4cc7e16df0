import { lazily } from '../lazily.js';
import { isLoopback } from '../loopback.js';
import { composed } from './compose.js';
import { MailError, type MailMessage, type MailTransport } from './mail-transport.js';

const nodemailer = lazily<typeof import('nodemailer')>('nodemailer');

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
  readonly #options;
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
    this.#options = {
      host,
      port: Number(port) || (secure ? 465 : 587),
      secure,
      requireTLS: !secure && !local,
      ignoreTLS: local,
      tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const },
      ...(username && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
    };
    this.#server = nodemailer().createTransport({ ...this.#options, ...timeouts(limits) });
  }

  async send(message: MailMessage): Promise<void> {
    const signal = AbortSignal.timeout(this.limits.whole);
    try {
      await this.#server.sendMail({ ...composed(message, this.from), signal });
    } catch (error) {
      throw mailError(error);
    }
  }

  async check(milliseconds: number): Promise<void> {
    const limits = { connect: milliseconds, greeting: milliseconds, silence: milliseconds };
    const server = nodemailer().createTransport({ ...this.#options, ...timeouts(limits) });
    try {
      await server.verify();
    } catch (error) {
      throw mailError(error);
    } finally {
      server.close();
    }
  }
}

const timeouts = ({ connect, greeting, silence }: Omit<SmtpLimits, 'whole'>) => ({
  dnsTimeout: connect,
  connectionTimeout: connect,
  greetingTimeout: greeting,
  socketTimeout: silence,
});

interface SmtpError {
  readonly code?: string;
  /** What was answered so. */
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/**
 * Returns the error with its codes alone, such as `EENVELOPE 550 RCPT TO 5.1.1`: of nodemailer, and, of an
 * answer, its code, the command, and the enhanced code (RFC 3463) where it has one.
 */
function mailError(error: unknown): MailError {
  const { code = 'ERROR', command, response = '', responseCode } = error as SmtpError;
  const [, enhanced] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  // Of a sign-in the code says all.
  const about = code === 'EAUTH' ? [] : [command, enhanced];
  const codes = responseCode ? [code, responseCode, ...about] : [code];
  return new MailError(codes.filter(Boolean).join(' '));
}
