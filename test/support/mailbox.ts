import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A decoded mail. */
export interface ReceivedMail {
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

/** Reads the mails of an outbox, newest first. */
export function readMails(folder: string): ReceivedMail[] {
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.eml'))
    : [];
  return files
    .sort()
    .reverse()
    .map((name) => readMail(readFileSync(join(folder, name), 'utf8')));
}

/** Reads a multipart/alternative mail, such as those of the service. */
export function readMail(source: string): ReceivedMail {
  const { headers, body } = partOf(source);
  const [, boundary] = /boundary="(.+)"/.exec(headers.get('content-type') ?? '') ?? [];
  const parts = body.split(`--${boundary}`).slice(1, -1).map(partOf);
  const [text = '', html = ''] = parts.map((part) =>
    decoded(part.body, part.headers.get('content-transfer-encoding') ?? ''),
  );
  return { headers, text, html };
}

function partOf(source: string) {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .trim()
    .replace(/\r\n\s+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      wordsOf(line.slice(line.indexOf(':') + 1)),
    ]),
  );
  return { headers, body: source.slice(end + 4) };
}

/** Decodes the encoded words of a header (RFC 2047). */
const wordsOf = (value: string) =>
  value
    .trim()
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : decoded(text.replaceAll('_', ' '), 'quoted-printable'),
    );

function decoded(text: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString();
  if (encoding !== 'quoted-printable') return text.replaceAll('\r\n', '\n');
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}
