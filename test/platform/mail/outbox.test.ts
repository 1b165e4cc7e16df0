import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Outbox } from '../../../src/platform/mail/mail-outbox.js';
import { MailError } from '../../../src/platform/mail/mail-transport.js';
import { mailTransport } from '../../../src/platform/mail/open-mail.js';
import { readMails } from '../../support/mailbox.js';

const parent = mkdtempSync(join(tmpdir(), 'care-mail-'));
const folder = join(parent, 'outbox');
const message = (nth: number, more = {}) => ({
  id: `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`,
  date: new Date(Date.UTC(2026, 0, 1, 0, 0, nth)),
  to: 'mina@example.com',
  subject: `Mail ${nth}`,
  text: 'Grüße\n\nund mehr 💊',
  html: '<p>Grüße</p>',
  ...more,
});

describe('The local outbox', () => {
  beforeEach(() => rmSync(folder, { recursive: true, force: true }));
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  it('is what mail goes to without a server, and makes no folder before the first mail', () => {
    const transport = mailTransport({ from: 'care@example.com', outbox: folder });
    expect(transport.kind).toBe('outbox');
    expect(existsSync(folder)).toBe(false);
  });

  it('keeps a mail as a file that mail programs read, readable only by its owner', async () => {
    const outbox = new Outbox(folder, 'care@example.com');
    await outbox.send(message(1));
    const [mail] = readMails(folder);
    expect(mail?.headers.get('from')).toBe('care@example.com');
    expect(mail?.headers.get('to')).toBe('mina@example.com');
    expect(mail?.headers.get('message-id')).toBe(
      '<00000000-0000-4000-8000-000000000001@example.com>',
    );
    expect(mail?.headers.get('date')).toBe('Thu, 01 Jan 2026 00:00:01 +0000');
    expect(mail?.text.trim()).toBe('Grüße\n\nund mehr 💊');
    expect(mail?.html.trim()).toBe('<p>Grüße</p>');
    const [file = ''] = await outbox.list();
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('forgets the mails to an address, in any case, and no others', async () => {
    const outbox = new Outbox(folder, 'care@example.com');
    const others = ['amina@example.com', 'mina@example.com.example', 'ben@example.com'];
    for (const [nth, to] of ['Mina@Example.com', 'mina@example.com', ...others].entries()) {
      await outbox.send(message(nth, { to, text: 'To: mina@example.com' }));
    }
    await outbox.forget('mina@example.COM');
    expect(
      readMails(folder)
        .map(({ headers }) => headers.get('to'))
        .sort(),
    ).toStrictEqual([...others].sort());
    rmSync(folder, { recursive: true, force: true });
    await outbox.forget('mina@example.com');
  });

  it('lists the newest first and deletes the oldest', async () => {
    const outbox = new Outbox(folder, 'care@example.com', 3);
    for (const nth of [2, 4, 1, 5, 3]) await outbox.send(message(nth));
    expect(readMails(folder).map(({ headers }) => headers.get('subject'))).toStrictEqual([
      'Mail 5',
      'Mail 4',
      'Mail 3',
    ]);
    expect(await outbox.list()).toStrictEqual([...readdirSync(folder)].sort().reverse());
  });

  it('keeps a mail that is sent again once', async () => {
    const outbox = new Outbox(folder, 'care@example.com');
    await outbox.send(message(1));
    await outbox.send(message(1));
    expect(await outbox.list()).toHaveLength(1);
  });

  it('writes one recipient and one subject, whatever the address and the subject hold', async () => {
    const outbox = new Outbox(folder, 'care@example.com');
    await outbox.send(
      message(1, { to: 'a@example.com,b@example.com', subject: 'Hi\r\nBcc: x@example.com' }),
    );
    const [mail] = readMails(folder);
    expect(mail?.headers.has('bcc')).toBeFalsy();
    expect(mail?.headers.get('to') ?? '').toMatch(
      /^"?a@example\.com,b"?@example\.com$|^<?"a@example\.com,b"@example\.com>?$/,
    );
  });

  it('says that a mail was not taken when the folder cannot be made', async () => {
    const file = join(parent, 'file');
    writeFileSync(file, '');
    await expect(
      new Outbox(join(file, 'outbox'), 'care@example.com').send(message(1)),
    ).rejects.toThrow(MailError);
  });
});
