import { RequestContext } from '../../../src/core/context.js';
import type { Deps } from '../../../src/core/deps.js';
import { transact } from '../../../src/core/transact.js';
import { pruneConnectionAttempts } from '../../../src/domains/mail/connection.service.js';
import { queueMail } from '../../../src/domains/mail/mail.service.js';
import {
  isConnectionReadable,
  resealConnection,
} from '../../../src/domains/mail/mailbox-access.service.js';
import { mailJob, sendDueMails } from '../../../src/domains/mail/sending.service.js';
import { decrypt, Keys } from '../../../src/platform/keys.js';
import type { MailMessage } from '../../../src/platform/mail/mail-transport.js';
import { Outlook } from '../../../src/platform/mail/outlook.js';
import { errorCode, type Harness, type RoleName, useService } from '../../support/harness.js';
import { readMail } from '../../support/mailbox.js';
import { Microsoft } from '../../support/microsoft.js';
import { standIn } from '../../support/stand-in.js';

const MINUTE = 60_000;
const CONNECTION = '{ mailConnection { configured route status address connectedAt revokedAt } }';
const NOT_CONNECTED = {
  configured: true,
  route: 'OUTBOX',
  status: 'NONE',
  address: null,
  connectedAt: null,
  revokedAt: null,
};

describe('The connection to a mailbox', () => {
  const service = useService();
  let microsoft: Microsoft;
  let beside: Harness;

  beforeAll(async () => {
    microsoft = await Microsoft.start();
    beside = await service().beside({ outlook: new Outlook(microsoft.options) });
    microsoft.register(`${beside.url}/api/mailer/outlook_callback`);
  });
  beforeEach(() => {
    beside.now = Date.now;
    Object.assign(microsoft, {
      consents: true,
      sendStatus: 202,
      atOnce: 4,
      answering: true,
      tokenRequests: 0,
    });
    microsoft.sent.length = 0;
  });
  afterAll(async () => {
    await beside.stop();
    await microsoft.stop();
  });

  const deps = (changes: Partial<Deps> = {}): Deps => ({ ...beside.app.deps, ...changes });
  const begin = async (as: RoleName = 'administrator') =>
    (
      await beside.graphql(
        'mutation { connectOutlook { url } }',
        {},
        { headers: await beside.session(as) },
      )
    ).body;
  const connection = async () =>
    (await beside.graphql(CONNECTION, {}, { as: 'administrator' })).body.data.mailConnection;
  const connect = async () => {
    const back = await microsoft.visit((await begin()).data.connectOutlook.url);
    const answer = await beside.fetch(back.pathname + back.search, {});
    expect(answer.text).toMatch(/Mailbox connected/);
  };
  const queue = async () =>
    transact(await service().context(), (context) =>
      queueMail(context, {
        to: 'mina@example.com',
        template: 'password_changed',
        language: 'en',
        values: { name: 'Mina' },
      }),
    );
  const row = () =>
    service().database.prisma.mailConnection.findUniqueOrThrow({ where: { id: 1 } });
  const mail = () =>
    service().database.prisma.outgoingMail.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });

  it('is begun, seen and ended by administrators alone', async () => {
    for (const as of ['editor', 'clinician', 'anonymous'] as const) {
      for (const query of [
        'mutation { connectOutlook { url } }',
        'mutation { disconnectOutlook { mailConnection { status } } }',
        CONNECTION,
      ]) {
        const { body } = await beside.graphql(query, {}, { as });
        expect(errorCode(body), `${as}: ${query}`).toBe('FORBIDDEN');
      }
    }
  });

  it('is not to be had without a client at Microsoft', async () => {
    const { body } = await service().graphql(
      'mutation { connectOutlook { url } }',
      {},
      {
        headers: await service().session('administrator'),
      },
    );
    expect(errorCode(body)).toBe('OUTLOOK_NOT_CONFIGURED');
    const seen = await service().graphql(CONNECTION, {}, { as: 'administrator' });
    expect(seen.body.data.mailConnection).toStrictEqual({ ...NOT_CONNECTED, configured: false });
  });

  it('begins with state and PKCE, and asks for no more than sending', async () => {
    const url = new URL((await begin()).data.connectOutlook.url);
    const {
      state = '',
      code_challenge = '',
      code_challenge_method,
      scope,
      redirect_uri,
    } = Object.fromEntries(url.searchParams);
    expect(state.length >= 43 && code_challenge.length === 43).toBe(true);
    expect(code_challenge_method).toBe('S256');
    expect(scope).toBe('openid email profile offline_access https://graph.microsoft.com/Mail.Send');
    expect(redirect_uri).toBe(`${beside.url}/api/mailer/outlook_callback`);
  });

  it('keeps neither state, verifier nor tokens in readable form', async () => {
    const url = new URL((await begin()).data.connectOutlook.url);
    const attempt = JSON.stringify(
      await service().database.prisma.mailConnectionAttempt.findMany(),
    );
    expect(attempt).not.toContain(url.searchParams.get('state') ?? '?');
    await connect();
    const { refreshToken } = await row();
    const opened = decrypt(
      beside.app.deps.keys.current('mail connection').bytes,
      refreshToken,
      'refresh token',
    )?.toString();
    expect(opened && !JSON.stringify(await row()).includes(opened)).toBeTruthy();
  });

  it('is not made by another state, code or issuer, nor where the page tells an error', async () => {
    for (const [name, value, told] of [
      ['state', 'x'.repeat(43), /not allowed/],
      ['code', 'another', /not connected/],
      ['iss', 'https://other.example', /not connected/],
      ['error', 'access_denied', /not connected/],
    ] as const) {
      const back = await microsoft.visit((await begin()).data.connectOutlook.url);
      back.searchParams.set(name, value);
      const answer = await beside.fetch(back.pathname + back.search, {});
      expect(answer.text, name).toMatch(told);
    }
    expect(await connection()).toStrictEqual(NOT_CONNECTED);
  });

  it('outlasts a change of the key, and is then kept under the new one', async () => {
    await connect();
    const start = Date.now();
    const changed = new Keys('n'.repeat(40), { previous: 't'.repeat(40) });
    service().at(start + 60 * MINUTE);
    await queue();
    await sendDueMails(deps({ keys: changed }));
    expect(microsoft.sent).toHaveLength(1);
    service().at(start + 120 * MINUTE);
    await queue();
    await sendDueMails(deps({ keys: new Keys('n'.repeat(40)) }));
    expect(microsoft.sent).toHaveLength(2);
  });

  it('takes the mail that is due then, from the address of the mailbox', async () => {
    expect(await connection()).toStrictEqual(NOT_CONNECTED);
    await connect();
    const { route, status, address, connectedAt } = await connection();
    expect([route, status, address]).toStrictEqual([
      'OUTLOOK',
      'CONNECTED',
      'clinic@outlook.example',
    ]);
    expect(connectedAt).toBeTruthy();
    await queue();
    await sendDueMails(deps());
    expect(microsoft.sent).toHaveLength(1);
    const sent = readMail(microsoft.sent[0] ?? '');
    expect(sent.headers.get('from')).toBe('clinic@outlook.example');
    expect(sent.headers.get('to')).toBe('mina@example.com');
    expect(sent.headers.get('message-id')).toBe(`<${(await mail()).id}@outlook.example>`);
    expect((await mail()).sentAt).toBeTruthy();
    expect(await service().mails(), 'and nothing in the outbox').toStrictEqual([]);
  });

  it('asks for an access token once until that expires', async () => {
    await connect();
    expect(microsoft.tokenRequests).toBe(1);
    for (let i = 0; i < 3; i++) {
      await queue();
      await sendDueMails(deps());
    }
    expect(microsoft.tokenRequests).toBe(1);
    const start = Date.now();
    for (const hours of [1, 2, 3]) {
      service().at(start + hours * 60 * MINUTE);
      for (let i = 0; i < 2; i++) {
        await queue();
        await sendDueMails(deps());
      }
      expect(microsoft.tokenRequests).toBe(1 + hours);
    }
    expect(microsoft.sent).toHaveLength(9);
    expect((await connection()).status, 'each time by the refresh token that came last').toBe(
      'CONNECTED',
    );
  });

  it('is renewed by one of several processes, since two at once would end it', async () => {
    await connect();
    service().at(Date.now() + 60 * MINUTE);
    for (let i = 0; i < 3; i++) await queue();
    await Promise.all([sendDueMails(deps()), sendDueMails(deps()), sendDueMails(deps())]);
    await sendDueMails(deps());
    expect(microsoft.tokenRequests).toBe(2);
    expect(microsoft.sent).toHaveLength(3);
    expect((await connection()).status).toBe('CONNECTED');
  });

  it('is not renewed again by a process that saw it before another one renewed it', async () => {
    await connect();
    service().at(Date.now() + 60 * MINUTE);
    await queue();
    const { database } = service();
    const prisma = database.prisma.$extends({
      query: {
        mailConnection: {
          async findUnique({ args, query }) {
            const seen = await query(args);
            await sendDueMails(deps());
            return seen;
          },
        },
      },
    });
    const late = standIn(database, { db: prisma as unknown as typeof database.db });
    await sendDueMails(deps({ database: late }));
    expect(microsoft.tokenRequests).toBe(2);
    await queue();
    expect(await sendDueMails(deps())).toBe(1);
    expect(microsoft.sent).toHaveLength(2);
    expect(microsoft.tokenRequests).toBe(2);
  });

  it('is renewed by another process when the one that began it died', async () => {
    await connect();
    const start = Date.now() + 60 * MINUTE;
    service().at(start);
    await service().database.prisma.mailConnection.updateMany({
      data: { refreshingUntil: new Date(start + MINUTE / 2) },
    });
    await queue();
    expect(await sendDueMails(deps())).toBe(0);
    service().at(start + MINUTE);
    expect(await sendDueMails(deps())).toBe(1);
    expect(microsoft.sent).toHaveLength(1);
  });

  it('shows when its permission was withdrawn; mails wait for their next try, and go by SMTP where there is a server', async () => {
    await connect();
    await microsoft.revoke();
    const start = Date.now() + 60 * MINUTE;
    service().at(start);
    await queue();
    await sendDueMails(deps());
    const { route, status, address, revokedAt } = await connection();
    expect([route, status, address]).toStrictEqual([
      'OUTLOOK',
      'REVOKED',
      'clinic@outlook.example',
    ]);
    expect(revokedAt).toBe(new Date(start).toISOString());
    expect((await row()).accessToken).toBeNull();
    expect([(await mail()).sentAt, (await mail()).attempts]).toStrictEqual([null, 0]);
    expect(microsoft.tokenRequests).toBe(2);
    service().at(start + 60 * MINUTE);
    await sendDueMails(deps());
    expect((await mail()).attempts, 'and uses up no try').toBe(0);
    const taken: MailMessage[] = [];
    await sendDueMails(
      deps({ mail: { kind: 'smtp', send: async (message) => void taken.push(message) } }),
    );
    expect(taken).toHaveLength(1);
    expect(microsoft.tokenRequests, 'nobody asks for what was withdrawn').toBe(2);
    service().at(start + 61 * MINUTE);
    await connect();
    expect((await connection()).status).toBe('CONNECTED');
    expect((await connection()).revokedAt).toBeNull();
  });

  it('stays while Microsoft does not answer, and mails wait', async () => {
    await connect();
    const start = Date.now() + 60 * MINUTE;
    service().at(start);
    await queue();
    microsoft.answering = false;
    await sendDueMails(deps());
    expect((await connection()).status).toBe('CONNECTED');
    expect([(await mail()).sentAt, (await mail()).attempts]).toStrictEqual([null, 1]);
    microsoft.answering = true;
    service().at(start + MINUTE);
    await sendDueMails(deps());
    expect(microsoft.sent).toHaveLength(1);
  });

  it('waits with a mail that the mailbox does not take, and renews a token that it takes no longer', async () => {
    await connect();
    const start = Date.now();
    service().at(start);
    await queue();
    microsoft.sendStatus = 503;
    await sendDueMails(deps());
    expect([(await mail()).sentAt, (await mail()).attempts, microsoft.tokenRequests]).toStrictEqual(
      [null, 1, 1],
    );
    microsoft.sendStatus = 401;
    service().at(start + MINUTE);
    await sendDueMails(deps());
    microsoft.sendStatus = 202;
    service().at(start + 3 * MINUTE);
    await sendDueMails(deps());
    expect((await mail()).sentAt).toBeTruthy();
    expect(microsoft.tokenRequests).toBe(2);
  });

  it('gets no more mails at once than it takes, from two processes', async () => {
    await connect();
    for (let i = 0; i < 40; i++) await queue();
    await Promise.all([sendDueMails(deps()), sendDueMails(deps())]);
    expect(microsoft.sent).toHaveLength(40);
    const mails = await service().database.prisma.outgoingMail.findMany();
    expect(new Set(mails.map(({ attempts }) => attempts))).toStrictEqual(new Set([1]));
  });

  it('that is asked too much gets mails when it said so, and that was no try', async () => {
    await connect();
    const start = Date.now();
    service().at(start);
    microsoft.atOnce = 0;
    for (let i = 0; i < 5; i++) await queue();
    expect(await sendDueMails(deps()), 'and no other mail before').toBe(2);
    const waiting = { attempts: 0, dueAt: new Date(start + MINUTE / 2) };
    const { outgoingMail } = service().database.prisma;
    expect(await outgoingMail.count({ where: waiting })).toBe(2);
    microsoft.atOnce = 4;
    service().at(start + MINUTE / 2);
    await sendDueMails(deps());
    expect(microsoft.sent).toHaveLength(5);
    expect(await outgoingMail.count({ where: { attempts: 1 } })).toBe(5);
  });

  it('that asks to wait is asked for no other mail until then, in any run of a process', async () => {
    await connect();
    const start = Date.now();
    service().at(start);
    microsoft.atOnce = 0;
    for (let i = 0; i < 20; i++) await queue();
    const run = mailJob(deps());
    const { signal } = new AbortController();
    let tried = 0;
    for (let second = 0; second < 29; second++) {
      service().at(start + second * 1_000);
      tried += await run(signal);
    }
    expect(tried).toBe(2);
    microsoft.atOnce = 4;
    service().at(start + MINUTE / 2);
    expect(await run(signal)).toBe(20);
  });

  it('waits while a process does not know its key, for one that does', async () => {
    await connect();
    await queue();
    const start = Date.now();
    const lines: unknown[] = [];
    const log = Object.assign(Object.create(beside.app.deps.log), {
      error: (...line: unknown[]) => lines.push(line),
    });
    const other = deps({ keys: new Keys('another key, forty characters long, xxxx'), log });
    for (let minute = 0; minute <= 60; minute += 10) {
      service().at(start + minute * MINUTE);
      await sendDueMails(other);
    }
    expect((await connection()).status).toBe('CONNECTED');
    expect([(await mail()).sentAt, (await mail()).attempts]).toStrictEqual([null, 0]);
    expect(lines, 'and says so once').toHaveLength(1);
    await sendDueMails(deps());
    expect((await mail()).sentAt).toBeTruthy();
  });

  it('is sealed anew while its key is being replaced, without a mail to send', async () => {
    await connect();
    const [old, young] = ['t'.repeat(40), 'n'.repeat(40)];
    const alone = new Keys(young);
    const isReadable = async () =>
      isConnectionReadable(
        new RequestContext(deps({ keys: alone }), (await service().context()).input),
      );
    await resealConnection(deps({ keys: new Keys(old, { next: young }) }));
    expect(await isReadable()).toBe(false);
    await resealConnection(deps({ keys: new Keys(young, { previous: old }) }));
    expect(await isReadable()).toBe(true);
    await queue();
    await sendDueMails(deps({ keys: alone }));
    expect(microsoft.sent).toHaveLength(1);
  });

  it('ends when an administrator says so', async () => {
    await connect();
    const { body } = await beside.graphql(
      'mutation { disconnectOutlook { mailConnection { status route address } } }',
      {},
      { as: 'administrator' },
    );
    expect(body.data.disconnectOutlook.mailConnection).toStrictEqual({
      status: 'NONE',
      route: 'OUTBOX',
      address: null,
    });
    expect(await service().database.prisma.mailConnection.count()).toBe(0);
    await queue();
    await sendDueMails(deps());
    expect(await service().mails()).toHaveLength(1);
  });

  it('leaves a trace in the audit of its beginning and its end', async () => {
    await connect();
    await beside.graphql(
      'mutation { disconnectOutlook { mailConnection { status } } }',
      {},
      { as: 'administrator' },
    );
    await beside.graphql(
      'mutation { disconnectOutlook { mailConnection { status } } }',
      {},
      { as: 'administrator' },
    );
    const events = await service().database.prisma.auditEvent.findMany({
      where: { action: { startsWith: 'mail.' } },
      orderBy: { id: 'asc' },
    });
    expect(events.map(({ action }) => action)).toStrictEqual([
      'mail.connected',
      'mail.disconnected',
    ]);
  });

  it('says when the authorization server cannot be reached', async () => {
    const other = await service().beside({
      outlook: new Outlook({ ...microsoft.options, issuer: 'http://127.0.0.1:9' }),
    });
    const { body } = await other.graphql(
      'mutation { connectOutlook { url } }',
      {},
      {
        headers: await other.session('administrator'),
      },
    );
    await other.stop();
    expect(errorCode(body)).toBe('OUTLOOK_UNREACHABLE');
  });

  it('forgets beginnings that nobody came back from', async () => {
    await begin();
    expect(await pruneConnectionAttempts(service().app.deps)).toBe(0);
    service().at(Date.now() + 11 * MINUTE);
    expect(await pruneConnectionAttempts(service().app.deps)).toBe(1);
  });
});
