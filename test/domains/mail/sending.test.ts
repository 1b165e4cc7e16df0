import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { transact } from '../../../src/core/transact.js';
import { queueMail } from '../../../src/domains/mail/mail.service.js';
import { pruneMails, sendDueMails } from '../../../src/domains/mail/sending.service.js';
import {
  MailError,
  type MailMessage,
  type MailTransport,
} from '../../../src/platform/mail/mail.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { useService } from '../../support/harness.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('Sending mail', () => {
  const service = useService();
  const prisma = () => service().database.prisma;
  const at = (time: number) => {
    service().now = () => time;
  };
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
        values: { name: 'Mina', code, minutes: '10' },
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
  const refusing = () => through(() => Promise.reject(new MailError('EENVELOPE 450')));

  it('takes a mail queued with its cause to its recipient, in its language', async () => {
    await queue('mina@example.com', 'de-AT');
    const [mail] = await service().mails();
    assert.equal(mail?.headers.get('to'), 'mina@example.com');
    assert.equal(mail?.headers.get('subject'), 'Ihr Passwort wurde geändert');
    assert.match(mail?.text ?? '', /Passwort von Mina bei Care/);
    assert.match(mail?.html ?? '', /<html lang="de">/);
    assert.equal(mail?.headers.get('auto-submitted'), 'auto-generated');
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
    await assert.rejects(failing);
    assert.deepEqual(await service().mails(), []);
    await assert.rejects(
      queueMail(context, {
        to: 'a@example.com',
        template: 'password_changed',
        language: 'en',
        values: { name: 'Mina' },
      }),
      /transaction/,
    );
  });

  it('sends each mail once, by however many processes', async () => {
    for (let i = 0; i < 25; i++) await queue(`m${i}@example.com`);
    const { taken, run } = through(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const counts = await Promise.all([run(), run(), run()]);
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      25,
    );
    assert.equal(new Set(taken.map(({ to }) => to)).size, 25);
    assert.equal(taken.length, 25);
  });

  it('forgets what a mail named as soon as it was sent', async () => {
    await queueCode();
    await service().mails();
    const row = await prisma().outgoingMail.findFirstOrThrow();
    assert.deepEqual([row.values, row.dueAt], ['{}', null]);
    assert.ok(row.sentAt);
  });

  it('tries again after 1, 2, 4 … 64 minutes, eight times in all, and then gives up', async () => {
    const start = Date.now();
    at(start);
    await queue();
    const { taken, run } = refusing();
    const times: number[] = [];
    for (let minute = 0; minute <= 300; minute++) {
      at(start + minute * MINUTE);
      const before = taken.length;
      await run();
      if (taken.length > before) times.push(minute);
    }
    assert.deepEqual(times, [0, 1, 3, 7, 15, 31, 63, 127]);
    const row = await prisma().outgoingMail.findFirstOrThrow();
    assert.deepEqual([row.dueAt, row.sentAt, row.values], [null, null, '{}']);
    assert.equal(new Set(taken.map(({ id }) => id)).size, 1, 'under one Message-ID');
  });

  it('sends at the next try when the way is free again', async () => {
    const start = Date.now();
    at(start);
    await queue();
    const { taken, run } = through((_message, nth) =>
      nth === 1 ? Promise.reject(new MailError('ECONNECTION')) : Promise.resolve(),
    );
    await run();
    at(start + MINUTE);
    await run();
    assert.equal(taken.length, 2);
    assert.ok((await prisma().outgoingMail.findFirstOrThrow()).sentAt);
  });

  it('does not send a code that has expired, nor keep it for a try that would come too late', async () => {
    const start = Date.now();
    at(start);
    await queueCode('11111111');
    at(start + 10 * MINUTE);
    const { taken, run } = through(async () => {});
    await run();
    assert.equal(taken.length, 0);
    await queueCode('22222222');
    const { run: fail } = refusing();
    for (const minute of [10, 11, 13, 17]) {
      at(start + minute * MINUTE);
      await fail();
    }
    const rows = await prisma().outgoingMail.findMany();
    assert.deepEqual(
      rows.map(({ values, dueAt, attempts }) => [values, dueAt, attempts]).sort(),
      [
        ['{}', null, 1],
        ['{}', null, 4],
      ].sort(),
    );
  });

  it('repeats the one mail that a process died with, under the same Message-ID, when its lease has ended', async () => {
    const start = Date.now();
    at(start);
    await queue();
    const dying = through(() => new Promise(() => {}));
    void dying.run();
    while (dying.taken.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const next = through(async () => {});
    at(start + MINUTE);
    await next.run();
    assert.equal(next.taken.length, 0, 'the lease holds');
    at(start + 1.5 * MINUTE);
    await next.run();
    assert.equal(next.taken.length, 1);
    assert.equal(next.taken[0]?.id, dying.taken[0]?.id);
  });

  it('ends a mail that kills every process that tries it', async () => {
    const start = Date.now();
    at(start);
    await queue();
    await prisma().outgoingMail.updateMany({ data: { attempts: 8 } });
    const { taken, run } = through(async () => {});
    await run();
    assert.deepEqual(
      [taken.length, (await prisma().outgoingMail.findFirstOrThrow()).dueAt],
      [0, null],
    );
  });

  it('lets one mail that fails hold up no other', async () => {
    await queue('bad@example.com');
    await queue('good@example.com');
    const { run } = through(({ to }) =>
      to === 'bad@example.com' ? Promise.reject(new Error('boom')) : Promise.resolve(),
    );
    await run();
    const rows = await prisma().outgoingMail.findMany({ orderBy: { to: 'asc' } });
    assert.deepEqual(
      rows.map(({ sentAt }) => sentAt !== null),
      [false, true],
    );
  });

  it('drops a mail whose template is no more', async () => {
    await queue();
    await prisma().outgoingMail.updateMany({ data: { template: 'constructor' } });
    const { taken, run } = through(async () => {});
    await run();
    assert.deepEqual(
      [taken.length, (await prisma().outgoingMail.findFirstOrThrow()).dueAt],
      [0, null],
    );
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
      send: () => Promise.reject(new Error('550 <mina@example.com> 87654321')),
    };
    await sendDueMails({ ...service().app.deps, log, mail });
    const text = JSON.stringify(lines);
    assert.equal(lines.length, 1);
    assert.ok(!/mina|87654321|550/.test(text), text);
    assert.match(
      await registry.metrics(),
      /care_mails_total\{template="sign_in_code",outcome="failed"\} [1-9]/,
    );
  });

  it('forgets mails after thirty days', async () => {
    const start = Date.now();
    at(start);
    await queue();
    await service().mails();
    at(start + 30 * DAY - 1);
    assert.equal(await pruneMails(service().app.deps), 0);
    at(start + 30 * DAY + 1);
    assert.equal(await pruneMails(service().app.deps), 1);
  });

  it('asks the database one thing while nothing is due, and one more for several mails besides what became of each', async () => {
    const run = () => service().statements(() => sendDueMails(service().app.deps));
    assert.equal(await run(), 1);
    await queue();
    assert.equal(await run(), 2 + 1);
    for (let i = 0; i < 9; i++) await queue();
    assert.equal(await run(), 2 + 9);
  });
});
