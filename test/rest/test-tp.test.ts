import { generateKeyPairSync } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { makeProviders } from '../../src/config/providers.js';
import type { Deps } from '../../src/core/deps.js';
import { Outlook } from '../../src/platform/mail/outlook.js';
import { SmtpTransport } from '../../src/platform/mail/smtp.js';
import { openPush, type PushSettings } from '../../src/platform/push/push.js';
import { CALLERS } from '../core/access-matrix/rules.js';
import { useService } from '../support/harness.js';
import { Provider, type Received, type Reply } from '../support/provider.js';

const service = useService();
const B = { edition: 'B' } as const;
const NAMES =
  'smtp outlook identity_provider_a identity_provider_b identity_provider_c expo fcm web_push redis poll_import';
const SECRETS = { password: 'pass-word-1', accessToken: 'expo-token-1', client: 'client-secret-1' };

interface State {
  name: string;
  configured: boolean;
  ok: boolean | null;
  latency_ms: number | null;
  detail: string;
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

describe('GET /v1/test_tp', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  /** A third party on loopback that answers every path so. */
  const party = async (reply: (request: Received) => Reply): Promise<Provider> => {
    const provider = await Provider.start(reply);
    ends.push(() => provider.stop());
    return provider;
  };
  const smtp = async (): Promise<number> => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      logger: false,
      closeTimeout: 1,
      onAuth: ({ password }, _session, done) =>
        password === SECRETS.password ? done(null, { user: 'x' }) : done(new Error('Wrong')),
    });
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    return (server.server.address() as AddressInfo).port;
  };
  /** A server that takes connections and never says a word. */
  const silent = async (): Promise<number> => {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => sockets.add(socket.on('error', () => {})));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    });
    return (server.address() as AddressInfo).port;
  };
  const depsAt = (web: string, mailPort: number, password = SECRETS.password): Partial<Deps> => {
    const settings = {
      DATA_DIR: service().app.deps.config.DATA_DIR,
      EXPO_URL: web,
      EXPO_ACCESS_TOKEN: SECRETS.accessToken,
      FCM_SERVICE_ACCOUNT: {
        projectId: 'p',
        clientEmail: 'a@example.com',
        privateKey,
        tokenUri: `${web}/token`,
      },
      FCM_URL: web,
    } as PushSettings;
    const provider = {
      authority: web,
      audiences: ['app'],
      issuers: [web],
      jwksUrl: `${web}/keys`,
      verifiedClaim: 'email_verified',
      tokenInfoUrl: `${web}/info?token={token}`,
    };
    return {
      mail: new SmtpTransport(`smtp://x:${password}@127.0.0.1:${mailPort}`, 'care@example.com'),
      outlook: new Outlook({
        clientId: 'c',
        clientSecret: SECRETS.client,
        issuer: web,
        graphUrl: web,
      }),
      providers: makeProviders([{ slot: 'B', name: 'b', settings: provider }], Date.now),
      push: { ...service().app.deps.push, ...openPush(settings) },
    };
  };
  const asked = async (deps: Partial<Deps>): Promise<{ states: State[]; text: string }> => {
    const beside = await service().beside(deps);
    ends.push(() => beside.stop());
    const { status, body, text } = await beside.rest('GET', '/v1/test_tp', {
      ...B,
      as: 'clinician',
    });
    expect([status, Object.keys(body)]).toStrictEqual([200, ['third_parties']]);
    return { states: body.third_parties, text };
  };
  const okOf = (states: readonly State[]) =>
    Object.fromEntries(states.map(({ name, ok }) => [name, ok]));
  const GOOD = (request: Received): Reply =>
    request.path === '/token'
      ? { body: { access_token: 'fcm-access', expires_in: 3600 } }
      : request.path.endsWith('messages:send')
        ? { status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } }
        : { body: {} };

  it('is for staff', async () => {
    for (const as of CALLERS) {
      const { status, body } = await service().rest('GET', '/v1/test_tp', { ...B, as });
      const isStaff = as === 'clinician' || as === 'administrator';
      expect([as, status]).toStrictEqual([as, isStaff ? 200 : as === 'anonymous' ? 401 : 403]);
      if (!isStaff) expect(body.code).toBe('rest_forbidden');
    }
    expect((await service().rest('GET', '/v1/test_tp', { as: 'clinician' })).status).toBe(404);
  });

  it('names each third party, and asks none that is not configured', async () => {
    const { states } = await asked({});
    expect(states).toStrictEqual(
      NAMES.split(' ').map((name) => ({
        name,
        configured: false,
        ok: null,
        latency_ms: null,
        detail: 'Not configured.',
      })),
    );
  });

  it('really asks those that are configured, each for what it is needed for', async () => {
    const web = await party(GOOD);
    const { states } = await asked(depsAt(web.url, await smtp()));
    expect(okOf(states)).toMatchObject({
      smtp: true,
      outlook: true,
      identity_provider_a: null,
      identity_provider_b: true,
      expo: true,
      fcm: true,
    });
    expect(states.find(({ name }) => name === 'outlook')?.detail).toBe('No mailbox is connected.');
    expect(new Set(web.received.map(({ path }) => path))).toStrictEqual(
      new Set([
        '/.well-known/openid-configuration',
        '/v1.0/',
        '/keys',
        '/info?token=none',
        '/--/api/v2/push/getReceipts',
        '/token',
        '/v1/projects/p/messages:send',
      ]),
    );
  });

  it('tells what fails, and neither a secret nor an address', async () => {
    const web = await party((request) =>
      request.path === '/v1.0/' ? { drop: true } : { status: 503, body: 'down' },
    );
    const { states, text } = await asked(depsAt(web.url, await smtp(), 'wrong-password'));
    expect(okOf(states)).toMatchObject({
      smtp: false,
      outlook: false,
      identity_provider_b: false,
      expo: false,
      fcm: false,
    });
    const detailOf = (name: string) => states.find((state) => state.name === name)?.detail;
    expect(detailOf('smtp')).toBe('It failed: EAUTH 535.');
    expect(detailOf('expo')).toBe('It answered with 503.');
    for (const secret of [...Object.values(SECRETS), 'wrong-password', '127.0.0.1', 'example.com'])
      expect(text).not.toContain(secret);
  });

  it('waits two seconds for those that never answer, for all of them at once', async () => {
    const port = await silent();
    const began = performance.now();
    const { states } = await asked(depsAt(`http://127.0.0.1:${port}`, port));
    // Nine times two seconds, one after the other
    expect(performance.now() - began).toBeLessThan(9_000);
    const failed = states.filter(({ configured }) => configured);
    expect(failed).toHaveLength(5);
    for (const { ok, latency_ms } of failed) {
      expect(ok).toBe(false);
      expect(latency_ms).toBeGreaterThan(1_700);
    }
  });

  it('asks for the polls that are imported as the import does', async () => {
    const stateAt = async (reply: Reply) => {
      const web = await party(() => reply);
      const config = { ...service().app.deps.config, POLL_IMPORT_URL: `${web.url}/polls?key=k-1` };
      const { states, text } = await asked({ config });
      expect(text).not.toMatch(/127\.0\.0\.1|k-1/);
      const state = states.find(({ name }) => name === 'poll_import');
      return [web.received.map(({ path }) => path), state?.ok, state?.detail];
    };
    const asking = ['/polls?key=k-1'];
    expect(await stateAt({ body: [] })).toStrictEqual([asking, true, 'It works.']);
    const down = await stateAt({ status: 503, body: 'down' });
    expect(down).toStrictEqual([asking, false, 'It answered with 503.']);
    const page = await stateAt({ body: '<html>' });
    expect(page).toStrictEqual([asking, false, 'It failed: its response is not JSON.']);
  });

  it('knows that a mailbox has revoked its permission', async () => {
    const web = await party(GOOD);
    const { id: connectedById } = await service().account('administrator');
    await service().database.prisma.mailConnection.create({
      data: {
        id: 1,
        mailbox: 'clinic@outlook.example',
        status: 'revoked',
        refreshToken: 'x',
        connectedAt: new Date(),
        connectedById,
      },
    });
    const { states, text } = await asked(depsAt(web.url, await smtp()));
    expect(states[1]).toMatchObject({
      ok: false,
      detail: 'The mailbox has revoked its permission.',
    });
    expect(text).not.toContain('clinic@outlook.example');
  });
});
