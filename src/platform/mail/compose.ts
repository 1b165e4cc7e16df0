import { createTransport } from 'nodemailer';
import type { MailMessage } from './mail.js';

/**
 * A message in nodemailer's words. Addresses are objects: a comma in one must not make two
 * recipients.
 */
export function composed({ id, date, to, subject, text, html }: MailMessage, from: string) {
  return {
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    date,
    from: { name: '', address: from },
    to: { name: '', address: to },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const stream = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

/** A message as the bytes that mail servers exchange (RFC 5322). */
export async function bytesOf(message: MailMessage, from: string): Promise<Buffer> {
  return (await stream.sendMail(composed(message, from))).message as Buffer;
}
