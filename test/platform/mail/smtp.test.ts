import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { MailError } from '../../../src/platform/mail/mail-transport.js';
import { SmtpTransport } from '../../../src/platform/mail/smtp.js';
import { readMail } from '../../support/mailbox.js';

/** Limits that a busy machine keeps too; a test shortens the one that it is about. */
/** One that is not kept is seen, since the servers here never give up: the test ends by its own. */
const LIMITS = { connect: 10_000, greeting: 10_000, silence: 10_000, whole: 20_000 };
const MESSAGE = {
  id: '00000000-0000-4000-8000-000000000001',
  date: new Date(0),
  to: 'mina@example.com',
  subject: 'Grüße',
  text: 'Hello',
  html: '<p>Hello</p>',
};

describe('Sending through an SMTP server', () => {
  const servers: { close(done: () => void): unknown }[] = [];
  const sockets = new Set<Socket>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0))
      await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  interface Received {
    from: string;
    to: string[];
    source: string;
    user: unknown;
    secure: boolean;
  }

  /** A real server on a free port of loopback, and what it was given. */
  async function smtp(
    options: SMTPServerOptions = {},
  ): Promise<{ port: number; received: Received[] }> {
    const received: Received[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      closeTimeout: 1,
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 'pass:word/ü'
          ? done(null, { user: username })
          : done(new Error('Invalid username or password')),
      onData(stream, { envelope, user, secure }, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          received.push({
            from,
            to: envelope.rcptTo.map(({ address }) => address),
            source: Buffer.concat(chunks).toString(),
            user,
            secure,
          });
          done();
        });
      },
      ...options,
    });
    server.on('error', () => {});
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return { port: (server.server.address() as AddressInfo).port, received };
  }

  /** A server that speaks as a test says, by hand. */
  async function speaking(speak: (socket: Socket) => void): Promise<number> {
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      speak(socket);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  const send = (port: number, { scheme = 'smtp', login = '', to = MESSAGE.to, limits = {} } = {}) =>
    new SmtpTransport(`${scheme}://${login}127.0.0.1:${port}`, 'care@example.com', {
      ...LIMITS,
      ...limits,
    }).send({
      ...MESSAGE,
      to,
    });

  /** The reason why a mail was not taken. */
  async function refusal(sending: Promise<void>): Promise<string> {
    const error = await sending.then(
      () => {
        throw new Error('the mail was taken');
      },
      (error: unknown) => error,
    );
    expect(error, String(error)).toBeInstanceOf(MailError);
    const { message, reason } = error as MailError;
    expect(message).not.toContain('@');
    return reason;
  }

  it('hands over one mail to one recipient', async () => {
    const { port, received } = await smtp();
    await send(port);
    expect(received).toHaveLength(1);
    expect([received[0]?.from, received[0]?.to]).toStrictEqual([
      'care@example.com',
      ['mina@example.com'],
    ]);
    const mail = readMail(received[0]?.source ?? '');
    expect(mail.headers.get('subject')).toBe('Grüße');
    expect(mail.headers.get('message-id')).toBe(`<${MESSAGE.id}@example.com>`);
    expect(mail.text.trim()).toBe('Hello');
  });

  it('signs in with the user and password of the address, percent-encoded there', async () => {
    const { port, received } = await smtp();
    await send(port, { login: 'care%40example.com:pass%3Aword%2F%C3%BC@' });
    expect(received[0]?.user).toBe('care@example.com');
    expect(await refusal(send(port, { login: 'care:wrong@' }))).toMatch(/^EAUTH 535$/);
  });

  it('does not make two recipients of an address with a comma', async () => {
    const { port, received } = await smtp();
    await send(port, { to: 'a@example.com,b@example.com' }).catch(() => {});
    expect(
      received.every(
        ({ to }) => to.length === 1 && !['a@example.com', 'b@example.com'].includes(to[0] ?? ''),
      ),
    ).toBe(true);
  });

  it('is refused: the code of the answer and nothing of its words', async () => {
    const refusing = await smtp({
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('no such user mina@example.com'), { responseCode: 550 })),
    });
    expect(await refusal(send(refusing.port))).toBe('EENVELOPE 550 RCPT TO');
    const closed = await smtp();
    await new Promise<void>((resolve) => servers.pop()?.close(() => resolve()));
    expect(await refusal(send(closed.port))).toMatch(/^(ESOCKET|ECONNECTION|ECONNREFUSED)$/);
  });

  for (const [what, answer, reason] of [
    ['sender', '550 5.7.1 relaying denied', 'EENVELOPE 550 MAIL FROM 5.7.1'],
    ['recipient', '550-5.1.1 no mina\r\n550 5.1.1 here', 'EENVELOPE 550 RCPT TO 5.1.1'],
    ['content', '554 5.6.0 mina@example.com', 'EMESSAGE 554 DATA 5.6.0'],
  ] as const)
    it(`is refused for its ${what}: its codes say so, without the words of the answer`, async () => {
      const replies: Record<string, string> = {
        EHLO: '250 server',
        MAIL: what === 'sender' ? answer : '250 ok',
        RCPT: what === 'recipient' ? answer : '250 ok',
        DATA: '354 go',
      };
      const port = await speaking((socket) => {
        socket.write('220 ready\r\n');
        socket.setEncoding('latin1').on('data', (text: string) => {
          const reply = replies[text.slice(0, 4)] ?? (text.endsWith('\r\n.\r\n') && answer);
          if (reply) socket.write(`${reply}\r\n`);
        });
      });
      expect(await refusal(send(port))).toBe(reason);
    });

  it('is told 421 to come later', async () => {
    const port = await speaking((socket) =>
      socket.end('421 4.3.2 mina@example.com: come later\r\n'),
    );
    expect(await refusal(send(port))).toMatch(/421/);
    const busy = await smtp({
      onData: (stream, _session, done) =>
        void stream
          .resume()
          .on('end', () => done(Object.assign(new Error('busy'), { responseCode: 421 }))),
    });
    expect(await refusal(send(busy.port))).toMatch(/421/);
  });

  it('waits for a greeting no longer than its limit', async () => {
    const port = await speaking(() => {});
    expect(await refusal(send(port, { limits: { greeting: 300 } }))).toMatch(/^E/);
  });

  it('waits for an answer no longer than its limit', async () => {
    const port = await speaking((socket) => socket.write('220 ready\r\n'));
    expect(await refusal(send(port, { limits: { silence: 300 } }))).toMatch(/^E/);
  });

  it('aborts a mail to a server that answers too slowly in total', async () => {
    const port = await speaking((socket) => {
      socket.write('220 slow\r\n');
      const timer = setInterval(() => socket.write('250-slow\r\n'), 100);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await refusal(send(port, { limits: { whole: 1_000 } }))).toBe('EABORT');
  });

  it('notices a connection that breaks in the middle of a mail', async () => {
    const port = await speaking((socket) => {
      socket.write('220 ready\r\n');
      socket.on('data', (chunk) => {
        const line = chunk.toString();
        if (line.startsWith('DATA')) socket.write('354 go on\r\n', () => socket.destroy());
        else socket.write('250 fine\r\n');
      });
    });
    expect(await refusal(send(port))).toMatch(/^E/);
  });

  it('notices a connection that breaks before the mail was confirmed', async () => {
    const port = await speaking((socket) => {
      socket.write('220 ready\r\n');
      socket.on('data', (chunk) => {
        const line = chunk.toString();
        if (line.includes('\r\n.\r\n')) socket.destroy();
        else if (line.startsWith('DATA')) socket.write('354 go on\r\n');
        else if (/^(EHLO|HELO|MAIL|RCPT)/.test(line)) socket.write('250 fine\r\n');
      });
    });
    expect(await refusal(send(port))).toMatch(/^E/);
  });

  it('speaks TLS from the start with smtps, and to nobody whose certificate it cannot verify', async () => {
    const { port, received } = await smtp({ secure: true }); // with a certificate of nobody's
    // A timer of a refused handshake goes on
    const limits = { connect: 2_000, greeting: 2_000, silence: 2_000 };
    expect(await refusal(send(port, { scheme: 'smtps', limits }))).toMatch(
      /^(ESOCKET|ETLS|DEPTH_ZERO_SELF_SIGNED_CERT)$/,
    );
    expect(await refusal(send(port, { limits })), 'nor does it fall back to plain text').toMatch(
      /^E/,
    );
    expect(received).toHaveLength(0);
  });

  it('sends unencrypted mail only to a server on this machine', async () => {
    const { port, received } = await smtp();
    const far = new SmtpTransport(`smtp://0.0.0.0:${port}`, 'care@example.com', LIMITS);
    expect(await refusal(far.send(MESSAGE))).toMatch(/^ETLS/);
    expect(received).toHaveLength(0);
  });
});
