import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { RequestContext } from '../../../src/core/context.js';
import type { Deps } from '../../../src/core/deps.js';
import { transact } from '../../../src/core/transact.js';
import {
  isConnectionReadable,
  pruneConnectionAttempts,
  resealConnection,
} from '../../../src/domains/mail/connection.service.js';
import { queueMail } from '../../../src/domains/mail/mail.service.js';
import { sendDueMails } from '../../../src/domains/mail/sending.service.js';
import { decrypt, Keys } from '../../../src/platform/keys.js';
import type { MailMessage } from '../../../src/platform/mail/mail.js';
import { Outlook } from '../../../src/platform/mail/outlook.js';
import { type Harness, type RoleName, useService } from '../../support/harness.js';
import { readMail } from '../../support/mailbox.js';
import { Microsoft } from '../../support/microsoft.js';

const MINUTE = 60_000;
const CONNECTION = '{ mailConnection { configured route status mailbox connectedAt revokedAt } }';
const NOT_CONNECTED = {
  configured: true,
  route: 'OUTBOX',
  status: 'NONE',
  mailbox: null,
  connectedAt: null,
  revokedAt: null,
};

describe('The connection to a mailbox', () => {
  const service = useService();
  let microsoft: Microsoft;
  let beside: Harness;

  before(async () => {
    microsoft = await Microsoft.start();
    beside = await service().beside({ outlook: new Outlook(microsoft.options) });
    microsoft.register(`${beside.url}/api/mailer/outlook_callback`);
  });
  beforeEach(() => {
    beside.now = Date.now;
    Object.assign(microsoft, {
      consents: true,
      sendStatus: 202,
      answering: true,
      tokenRequests: 0,
    });
    microsoft.sent.length = 0;
  });
  after(async () => {
    await beside.stop();
    await microsoft.stop();
  });

  const deps = (changes: Partial<Deps> = {}): Deps => ({ ...beside.app.deps, ...changes });
  const at = (time: number) => {
    service().now = () => time;
  };
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
    assert.match(answer.text, /Mailbox connected/);
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
        'mutation { disconnectOutlook { status } }',
        CONNECTION,
      ]) {
        const { body } = await beside.graphql(query, {}, { as });
        assert.equal(body.errors[0].extensions.code, 'FORBIDDEN', `${as}: ${query}`);
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
    assert.equal(body.errors[0].extensions.code, 'OUTLOOK_NOT_CONFIGURED');
    const seen = await service().graphql(CONNECTION, {}, { as: 'administrator' });
    assert.deepEqual(seen.body.data.mailConnection, { ...NOT_CONNECTED, configured: false });
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
    assert.ok(state.length >= 43 && code_challenge.length === 43);
    assert.equal(code_challenge_method, 'S256');
    assert.equal(
      scope,
      'openid email profile offline_access https://graph.microsoft.com/Mail.Send',
    );
    assert.equal(redirect_uri, `${beside.url}/api/mailer/outlook_callback`);
  });

  it('keeps neither state, verifier nor tokens in readable form', async () => {
    const url = new URL((await begin()).data.connectOutlook.url);
    const attempt = JSON.stringify(
      await service().database.prisma.mailConnectionAttempt.findMany(),
    );
    assert.ok(!attempt.includes(url.searchParams.get('state') ?? '?'));
    await connect();
    const { refreshToken } = await row();
    const opened = decrypt(
      beside.app.deps.keys.current('mail connection').bytes,
      refreshToken,
      'refresh token',
    )?.toString();
    assert.ok(opened && !JSON.stringify(await row()).includes(opened));
  });

  it('outlasts a change of the key, and is then kept under the new one', async () => {
    await connect();
    const start = Date.now();
    const changed = new Keys('n'.repeat(40), { previous: 't'.repeat(40) });
    at(start + 60 * MINUTE);
    await queue();
    await sendDueMails(deps({ keys: changed }));
    assert.equal(microsoft.sent.length, 1);
    at(start + 120 * MINUTE);
    await queue();
    await sendDueMails(deps({ keys: new Keys('n'.repeat(40)) }));
    assert.equal(microsoft.sent.length, 2);
  });

  it('takes the mail that is due then, from the address of the mailbox', async () => {
    assert.deepEqual(await connection(), NOT_CONNECTED);
    await connect();
    const { route, status, mailbox, connectedAt } = await connection();
    assert.deepEqual([route, status, mailbox], ['OUTLOOK', 'CONNECTED', 'clinic@outlook.example']);
    assert.ok(connectedAt);
    await queue();
    await sendDueMails(deps());
    assert.equal(microsoft.sent.length, 1);
    const sent = readMail(microsoft.sent[0] ?? '');
    assert.equal(sent.headers.get('from'), 'clinic@outlook.example');
    assert.equal(sent.headers.get('to'), 'mina@example.com');
    assert.equal(sent.headers.get('message-id'), `<${(await mail()).id}@outlook.example>`);
    assert.ok((await mail()).sentAt);
    assert.deepEqual(await service().mails(), [], 'and nothing in the outbox');
  });

  it('asks for an access token once until that expires', async () => {
    await connect();
    assert.equal(microsoft.tokenRequests, 1);
    for (let i = 0; i < 3; i++) {
      await queue();
      await sendDueMails(deps());
    }
    assert.equal(microsoft.tokenRequests, 1);
    const start = Date.now();
    for (const hours of [1, 2, 3]) {
      at(start + hours * 60 * MINUTE);
      for (let i = 0; i < 2; i++) {
        await queue();
        await sendDueMails(deps());
      }
      assert.equal(microsoft.tokenRequests, 1 + hours);
    }
    assert.equal(microsoft.sent.length, 9);
    assert.equal(
      (await connection()).status,
      'CONNECTED',
      'each time by the refresh token that came last',
    );
  });

  it('is renewed by one of several processes, since two at once would end it', async () => {
    await connect();
    at(Date.now() + 60 * MINUTE);
    for (let i = 0; i < 3; i++) await queue();
    await Promise.all([sendDueMails(deps()), sendDueMails(deps()), sendDueMails(deps())]);
    await sendDueMails(deps());
    assert.equal(microsoft.tokenRequests, 2);
    assert.equal(microsoft.sent.length, 3);
    assert.equal((await connection()).status, 'CONNECTED');
  });

  it('is not renewed again by a process that saw it before another one renewed it', async () => {
    await connect();
    at(Date.now() + 60 * MINUTE);
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
    const query = database.query.bind(database);
    const late = Object.create(database, {
      prisma: { value: prisma },
      query: { value: query },
    }) as typeof database;
    await sendDueMails(deps({ database: late }));
    assert.equal(microsoft.tokenRequests, 2);
    await queue();
    assert.equal(await sendDueMails(deps()), 1);
    assert.equal(microsoft.sent.length, 2);
    assert.equal(microsoft.tokenRequests, 2);
  });

  it('is renewed by another process when the one that began it died', async () => {
    await connect();
    const start = Date.now() + 60 * MINUTE;
    at(start);
    await service().database.prisma.mailConnection.updateMany({
      data: { refreshingUntil: new Date(start + MINUTE / 2) },
    });
    await queue();
    assert.equal(await sendDueMails(deps()), 0);
    at(start + MINUTE);
    assert.equal(await sendDueMails(deps()), 1);
    assert.equal(microsoft.sent.length, 1);
  });

  it('shows when its permission was withdrawn; mails wait for their next try, and go by SMTP where there is a server', async () => {
    await connect();
    await microsoft.revoke();
    const start = Date.now() + 60 * MINUTE;
    at(start);
    await queue();
    await sendDueMails(deps());
    const { route, status, mailbox, revokedAt } = await connection();
    assert.deepEqual([route, status, mailbox], ['OUTBOX', 'REVOKED', 'clinic@outlook.example']);
    assert.equal(revokedAt, new Date(start).toISOString());
    assert.equal((await row()).accessToken, null);
    assert.deepEqual([(await mail()).sentAt, (await mail()).attempts], [null, 1]);
    assert.equal(microsoft.tokenRequests, 2);
    at(start + MINUTE);
    const taken: MailMessage[] = [];
    await sendDueMails(
      deps({ mail: { kind: 'smtp', send: async (message) => void taken.push(message) } }),
    );
    assert.equal(taken.length, 1);
    assert.equal(microsoft.tokenRequests, 2, 'nobody asks for what was withdrawn');
    at(start + 2 * MINUTE);
    await connect();
    assert.equal((await connection()).status, 'CONNECTED');
    assert.equal((await connection()).revokedAt, null);
  });

  it('stays while Microsoft does not answer, and mails wait', async () => {
    await connect();
    const start = Date.now() + 60 * MINUTE;
    at(start);
    await queue();
    microsoft.answering = false;
    await sendDueMails(deps());
    assert.equal((await connection()).status, 'CONNECTED');
    assert.deepEqual([(await mail()).sentAt, (await mail()).attempts], [null, 1]);
    microsoft.answering = true;
    at(start + MINUTE);
    await sendDueMails(deps());
    assert.equal(microsoft.sent.length, 1);
  });

  it('waits with a mail that the mailbox does not take, and renews a token that it takes no longer', async () => {
    await connect();
    const start = Date.now();
    at(start);
    await queue();
    microsoft.sendStatus = 503;
    await sendDueMails(deps());
    assert.deepEqual(
      [(await mail()).sentAt, (await mail()).attempts, microsoft.tokenRequests],
      [null, 1, 1],
    );
    microsoft.sendStatus = 401;
    at(start + MINUTE);
    await sendDueMails(deps());
    microsoft.sendStatus = 202;
    at(start + 3 * MINUTE);
    await sendDueMails(deps());
    assert.ok((await mail()).sentAt);
    assert.equal(microsoft.tokenRequests, 2);
  });

  it('waits while a process does not know its key, for one that does', async () => {
    await connect();
    await queue();
    await sendDueMails(deps({ keys: new Keys('another key, forty characters long, xxxx') }));
    assert.equal((await connection()).status, 'CONNECTED');
    assert.equal((await mail()).sentAt, null);
    at(Date.now() + 5 * MINUTE);
    await sendDueMails(deps());
    assert.ok((await mail()).sentAt);
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
    assert.equal(await isReadable(), false);
    await resealConnection(deps({ keys: new Keys(young, { previous: old }) }));
    assert.equal(await isReadable(), true);
    await queue();
    await sendDueMails(deps({ keys: alone }));
    assert.equal(microsoft.sent.length, 1);
  });

  it('ends when an administrator says so', async () => {
    await connect();
    const { body } = await beside.graphql(
      'mutation { disconnectOutlook { status route mailbox } }',
      {},
      { as: 'administrator' },
    );
    assert.deepEqual(body.data.disconnectOutlook, {
      status: 'NONE',
      route: 'OUTBOX',
      mailbox: null,
    });
    assert.equal(await service().database.prisma.mailConnection.count(), 0);
    await queue();
    await sendDueMails(deps());
    assert.equal((await service().mails()).length, 1);
  });

  it('leaves a trace in the audit of its beginning and its end', async () => {
    await connect();
    await beside.graphql('mutation { disconnectOutlook { status } }', {}, { as: 'administrator' });
    await beside.graphql('mutation { disconnectOutlook { status } }', {}, { as: 'administrator' });
    const events = await service().database.prisma.auditEvent.findMany({
      where: { action: { startsWith: 'mail.' } },
      orderBy: { id: 'asc' },
    });
    assert.deepEqual(
      events.map(({ action }) => action),
      ['mail.connected', 'mail.disconnected'],
    );
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
    assert.equal(body.errors[0].extensions.code, 'OUTLOOK_UNREACHABLE');
  });

  it('forgets beginnings that nobody came back from', async () => {
    await begin();
    assert.equal(await pruneConnectionAttempts(service().app.deps), 0);
    at(Date.now() + 11 * MINUTE);
    assert.equal(await pruneConnectionAttempts(service().app.deps), 1);
  });
});
