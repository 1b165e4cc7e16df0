import { lazily } from '../lazily.js';
import type { MailMessage } from './mail-transport.js';

const nodemailer = lazily<typeof import('nodemailer')>('nodemailer');

/**
 * Returns a message in nodemailer's form. Addresses are objects, so that a comma in an address does
 * not make two recipients.
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

/** Returns a message as bytes in the format of mail servers (RFC 5322). */
export async function bytesOf(message: MailMessage, from: string): Promise<Buffer> {
  const stream = nodemailer().createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  });
  return (await stream.sendMail(composed(message, from))).message as Buffer;
}
