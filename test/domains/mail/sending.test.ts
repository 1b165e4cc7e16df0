import { setTimeout as sleep } from 'node:timers/promises';
import { transact } from '../../../src/core/transact.js';
import { queueMail } from '../../../src/domains/mail/mail.service.js';
import { pruneMails, sendDueMails } from '../../../src/domains/mail/sending.service.js';
import {
  MailError,
  type MailMessage,
  type MailTransport,
} from '../../../src/platform/mail/mail-transport.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { useService } from '../../support/harness.js';
import { standIn } from '../../support/stand-in.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('Sending mail', () => {
  const service = useService();
  const prisma = () => service().database.prisma;
  const queue = async (to = 'mina@example.com', language = 'en') =>
    transact(await service().context(), (context) =>
      queueMail(context, { to, template: 'password_changed', language, values: { name: 'Mina' } }),
    );
  const queueCode = async (code = '12345678') =>
    transact(await service().context(), (context) =>
      queueMail(context, {
        to: 'mina@example.com',
        template: 'sign_in_code',
        language: 'en',
        values: { name: 'Mina', code },
      }),
    );
  /** The service with another way to its recipients: what it is given to take, in order. */
  const through = (send: (message: MailMessage, nth: number) => Promise<void>) => {
    const taken: MailMessage[] = [];
    const mail: MailTransport = {
      kind: 'smtp',
      send: (message) => send(message, taken.push(message)),
    };
    return { taken, run: () => sendDueMails({ ...service().app.deps, mail }) };
  };
  const failing = (reason: string) => through(() => Promise.reject(new MailError(reason)));
  const refusing = () => failing('EENVELOPE 450');
  /** The minutes until `end`, from now, in which a mail that is queued now is tried. */
  const minutesOf = async ({ taken, run }: ReturnType<typeof through>, end: number) => {
    const start = Date.now();
    service().at(start);
    await queue();
    const times: number[] = [];
    for (let minute = 0; minute <= end; minute++) {
      service().at(start + minute * MINUTE);
      const before = taken.length;
      await run();
      if (taken.length > before) times.push(minute);
    }
    return times;
  };

  it('takes a mail queued with its cause to its recipient, in its language', async () => {
    await queue('mina@example.com', 'de-AT');
    const [mail] = await service().mails();
    expect(mail?.headers.get('to')).toBe('mina@example.com');
    expect(mail?.headers.get('subject')).toBe('Ihr Passwort wurde geändert');
    expect(mail?.text ?? '').toMatch(/Passwort von Mina bei Care/);
    expect(mail?.html ?? '').toMatch(/<html lang="de">/);
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('sends nothing that was queued in a change that did not happen', async () => {
    const context = await service().context();
    const failing = transact(context, async (inner) => {
      await queueMail(inner, {
        to: 'mina@example.com',
        template: 'password_changed',
        language: 'en',
        values: { name: 'Mina' },
      });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow();
    expect(await service().mails()).toStrictEqual([]);
    await expect(
      queueMail(context, {
        to: 'a@example.com',
        template: 'password_changed',
        language: 'en',
        values: { name: 'Mina' },
      }),
    ).rejects.toThrow(/transaction/);
  });

  it('sends each mail once, by however many processes', async () => {
    for (let i = 0; i < 25; i++) await queue(`m${i}@example.com`);
    const { taken, run } = through(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const counts = await Promise.all([run(), run(), run()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(25);
    expect(new Set(taken.map(({ to }) => to)).size).toBe(25);
    expect(taken).toHaveLength(25);
  });

  it('forgets what a mail named as soon as it was sent', async () => {
    await queueCode();
    await service().mails();
    const row = await prisma().outgoingMail.findFirstOrThrow();
    expect([row.values, row.dueAt]).toStrictEqual(['{}', null]);
    expect(row.sentAt).toBeTruthy();
  });

  for (const reason of [
    'EENVELOPE 550 RCPT TO',
    'EENVELOPE 550 RCPT TO 5.1.1',
    'EENVELOPE 552 RCPT TO 5.2.2',
    'EMESSAGE 554 DATA',
    'EMESSAGE 554 DATA 5.6.0',
    'GRAPH 400',
  ])
    it(`tries again after 1, 2, 4 … 64 minutes, eight times in all, and then gives up what is refused for good: ${reason}`, async () => {
      expect(await minutesOf(failing(reason), 300)).toStrictEqual([0, 1, 3, 7, 15, 31, 63, 127]);
      const { dueAt, sentAt, values } = await prisma().outgoingMail.findFirstOrThrow();
      expect([dueAt, sentAt, values]).toStrictEqual([null, null, '{}']);
    });

  for (const reason of [
    'EENVELOPE 550 MAIL FROM',
    'EENVELOPE 550 RCPT TO 5.7.1',
    'EENVELOPE 550 RCPT TO 5.1.8',
    'EENVELOPE 554 DATA',
    'EMESSAGE 550 DATA 5.4.5',
  ])
    it(`goes on with what is refused for the sake of the sender or the server: ${reason}`, async () => {
      const { taken, run } = failing(reason);
      expect(await minutesOf({ taken, run }, 260)).toStrictEqual([
        0, 1, 3, 7, 15, 31, 63, 127, 255,
      ]);
    });

  it('is not lost in a process that dies after many tries failed', async () => {
    const start = Date.now();
    service().at(start);
    await queue();
    const { run } = failing('ECONNECTION');
    let now = start;
    for (let i = 0; i < 10; i++) {
      await run();
      now += 128 * MINUTE;
      service().at(now);
    }
    const dying = through(() => new Promise(() => {}));
    for (let i = 0; i < 3; i++) {
      let hasEnded = false;
      void dying.run().then(() => {
        hasEnded = true;
      });
      while (!hasEnded && dying.taken.length <= i) await sleep(5);
      now += 1.5 * MINUTE;
      service().at(now);
    }
    await run();
    const { dueAt } = await prisma().outgoingMail.findFirstOrThrow();
    expect(dueAt, 'the wait grows no more').toStrictEqual(new Date(now + 128 * MINUTE));
    service().at(now + 128 * MINUTE);
    const good = through(async () => {});
    await good.run();
    expect(good.taken).toHaveLength(1);
    expect((await prisma().outgoingMail.findFirstOrThrow()).sentAt).toBeTruthy();
  });

  it('goes on every 128 minutes while the server is away, until the mail is of no use', async () => {
    const { taken, run } = failing('ECONNECTION');
    expect(await minutesOf({ taken, run }, 520)).toStrictEqual([
      0, 1, 3, 7, 15, 31, 63, 127, 255, 383, 511,
    ]);
    const { values, createdAt } = await prisma().outgoingMail.findFirstOrThrow();
    expect(JSON.parse(values)).toStrictEqual({ name: 'Mina' });
    service().at(createdAt.getTime() + 7 * DAY - MINUTE);
    await run();
    const row = await prisma().outgoingMail.findFirstOrThrow();
    expect([row.dueAt, row.sentAt, row.values]).toStrictEqual([null, null, '{}']);
    expect(new Set(taken.map(({ id }) => id)).size, 'under one Message-ID').toBe(1);
  });

  it('sends at the next try when the way is free again', async () => {
    const start = Date.now();
    service().at(start);
    await queue();
    const { taken, run } = through((_message, nth) =>
      nth === 1 ? Promise.reject(new MailError('ECONNECTION')) : Promise.resolve(),
    );
    await run();
    service().at(start + MINUTE);
    await run();
    expect(taken).toHaveLength(2);
    expect((await prisma().outgoingMail.findFirstOrThrow()).sentAt).toBeTruthy();
  });

  it('does not send a code that has expired, nor keep it for a try that would come too late', async () => {
    const start = Date.now();
    service().at(start);
    await queueCode('11111111');
    service().at(start + 10 * MINUTE);
    const { taken, run } = through(async () => {});
    await run();
    expect(taken).toHaveLength(0);
    await queueCode('22222222');
    const { run: fail } = refusing();
    for (const minute of [10, 11, 13, 17]) {
      service().at(start + minute * MINUTE);
      await fail();
    }
    const rows = await prisma().outgoingMail.findMany();
    expect(
      rows.map(({ values, dueAt, attempts }) => [values, dueAt, attempts]).sort(),
    ).toStrictEqual(
      [
        ['{}', null, 1],
        ['{}', null, 4],
      ].sort(),
    );
  });

  it('repeats the one mail that a process died with, under the same Message-ID, when its lease has ended', async () => {
    const start = Date.now();
    service().at(start);
    await queue();
    const dying = through(() => new Promise(() => {}));
    void dying.run();
    while (dying.taken.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const next = through(async () => {});
    service().at(start + MINUTE);
    await next.run();
    expect(next.taken, 'the lease holds').toHaveLength(0);
    service().at(start + 1.5 * MINUTE);
    await next.run();
    expect(next.taken).toHaveLength(1);
    expect(next.taken[0]?.id).toBe(dying.taken[0]?.id);
  });

  it('ends a mail that kills every process that tries it', async () => {
    const start = Date.now();
    service().at(start);
    await queue();
    await prisma().outgoingMail.updateMany({ data: { attempts: 16 } });
    const { taken, run } = through(async () => {});
    await run();
    expect([taken.length, (await prisma().outgoingMail.findFirstOrThrow()).dueAt]).toStrictEqual([
      0,
      null,
    ]);
  });

  it('begins no more when the process is about to end, and leaves the rest as it was', async () => {
    for (let i = 0; i < 30; i++) await queue(`m${i}@example.com`);
    const stopping = new AbortController();
    const taken: MailMessage[] = [];
    const mail: MailTransport = {
      kind: 'smtp',
      send: async (message) => {
        taken.push(message);
        stopping.abort();
        await sleep(50);
      },
    };
    expect(await sendDueMails({ ...service().app.deps, mail }, stopping.signal)).toBe(10);
    expect(taken).toHaveLength(10);
    expect(await prisma().outgoingMail.count({ where: { sentAt: { not: null } } })).toBe(10);
    const due = { attempts: 0, dueAt: { lte: new Date(service().now()) } };
    expect(await prisma().outgoingMail.count({ where: due })).toBe(20);
  });

  it('gives back a mail that takes long when the process is about to end: it is due once that has ended, and was no try', async () => {
    const start = Date.now();
    service().at(start);
    await queue();
    const stopping = new AbortController();
    const mail: MailTransport = {
      kind: 'smtp',
      send: () => {
        stopping.abort();
        return new Promise(() => {});
      },
    };
    expect(await sendDueMails({ ...service().app.deps, mail }, stopping.signal, 20)).toBe(1);
    const { attempts, dueAt, values } = await prisma().outgoingMail.findFirstOrThrow();
    expect([attempts, JSON.parse(values)]).toStrictEqual([0, { name: 'Mina' }]);
    expect(dueAt).toStrictEqual(new Date(start + 1_000));
  });

  it('goes to who waits for a code first, then to who was not tried before', async () => {
    const start = Date.now();
    service().at(start);
    await queue('tried@example.com');
    await refusing().run();
    service().at(start + MINUTE);
    await queue('new@example.com');
    await queueCode();
    const order: string[] = [];
    const mail: MailTransport = {
      kind: 'smtp',
      atOnce: 1,
      send: async ({ to }) => void order.push(to),
    };
    await sendDueMails({ ...service().app.deps, mail });
    expect(order).toStrictEqual(['mina@example.com', 'new@example.com', 'tried@example.com']);
  });

  it('claims without sorting all that is due, and a code before it', async () => {
    await queue();
    await prisma().$executeRaw`
      INSERT INTO outgoing_mail (id, "to", to_key, template, language, "values", created_at, due_at)
      SELECT gen_random_uuid(), "to", to_key, template, language, "values",
        created_at - n * interval '1 s', due_at - n * interval '1 s'
      FROM outgoing_mail, generate_series(1, 5000) n`;
    await queueCode();
    await prisma().$executeRaw`ANALYZE outgoing_mail`;
    const { deps } = service().app;
    const lines: string[] = [];
    const query: typeof deps.database.query = async (text, values, options) => {
      if (!text.includes('UPDATE outgoing_mail')) return deps.database.query(text, values, options);
      const plan = await deps.database.query(`EXPLAIN ANALYZE ${text}`, values, options);
      lines.push(...plan.map((row) => String(Object.values(row)[0])));
      return []; // claimed, and not sent
    };
    await sendDueMails({ ...deps, database: standIn(deps.database, { query }) });
    const counts = lines.map((line) => Number(/actual .*rows=(\d+)/.exec(line)?.[1] ?? 0));
    expect(lines.join('\n')).toMatch(/outgoing_mail_due_at_idx/);
    expect(Math.max(...counts), lines.join('\n')).toBeLessThanOrEqual(501);
    const code = await prisma().outgoingMail.findFirstOrThrow({
      where: { template: 'sign_in_code' },
    });
    expect(code.attempts).toBe(1);
  });

  it('names the end of a code, at whichever try it goes', async () => {
    const start = Date.parse('2026-07-01T08:00:00Z');
    service().at(start);
    await queueCode();
    const { taken, run } = through((_, nth) =>
      nth < 4 ? Promise.reject(new MailError('ECONNECTION')) : Promise.resolve(),
    );
    for (const minute of [0, 1, 3, 7]) {
      service().at(start + minute * MINUTE);
      await run();
    }
    expect(taken[3]?.text).toMatch(/until 1 July(?: 2026)?\D+0?8:10\D/);
    expect(taken[3]?.text).not.toMatch(/10 minutes/);
  });

  it('lets one mail that fails hold up no other', async () => {
    await queue('bad@example.com');
    await queue('good@example.com');
    const { run } = through(({ to }) =>
      to === 'bad@example.com' ? Promise.reject(new Error('boom')) : Promise.resolve(),
    );
    await run();
    const rows = await prisma().outgoingMail.findMany({ orderBy: { to: 'asc' } });
    expect(rows.map(({ sentAt }) => sentAt !== null)).toStrictEqual([false, true]);
  });

  it('drops a mail whose template is no more', async () => {
    await queue();
    await prisma().outgoingMail.updateMany({ data: { template: 'constructor' } });
    const { taken, run } = through(async () => {});
    await run();
    expect([taken.length, (await prisma().outgoingMail.findFirstOrThrow()).dueAt]).toStrictEqual([
      0,
      null,
    ]);
  });

  it('counts what becomes of mails, and logs neither address nor code nor what the server said', async () => {
    const lines: unknown[] = [];
    const log = Object.assign(Object.create(service().app.deps.log), {
      warn: (...line: unknown[]) => lines.push(line),
      error: (...line: unknown[]) => lines.push(line),
    });
    await queueCode('87654321');
    const mail: MailTransport = {
      kind: 'smtp',
      send: () => Promise.reject(new Error('550 <mina@example.com> refused 87654321')),
    };
    await sendDueMails({ ...service().app.deps, log, mail });
    const text = JSON.stringify(lines);
    expect(lines).toHaveLength(1);
    expect(text, text).not.toMatch(/mina|87654321|550 |refused/);
    expect(await registry.metrics()).toMatch(
      /care_mails_total\{template="sign_in_code",outcome="failed"\} [1-9]/,
    );
  });

  it('forgets mails after thirty days unless told otherwise', async () => {
    const start = Date.now();
    service().at(start);
    await queue();
    await service().mails();
    service().at(start + 30 * DAY - 1);
    expect(await pruneMails(service().app.deps)).toBe(0);
    service().at(start + 30 * DAY + 1);
    const { deps } = service().app;
    const config = { ...deps.config, KEEP_MAILS_DAYS: 31 };
    expect(await pruneMails({ ...deps, config })).toBe(0);
    expect(await pruneMails(deps)).toBe(1);
  });

  it('asks the database one thing while nothing is due, and one more for several mails besides what became of each', async () => {
    const run = () => service().statements(() => sendDueMails(service().app.deps));
    expect(await run()).toBe(1);
    await queue();
    expect(await run()).toBe(2 + 1);
    for (let i = 0; i < 9; i++) await queue();
    expect(await run()).toBe(2 + 9);
  });
});
