import { type App, createApp } from '../../../src/app/app.js';
import type { RequestContext } from '../../../src/core/context.js';
import { transact } from '../../../src/core/transact.js';
import {
  mailSignInCodes,
  requestSignInCode,
  signInWithCode,
} from '../../../src/domains/sign-in/code/sign-in-code.service.js';
import {
  endSessions,
  refreshSession,
} from '../../../src/domains/sign-in/session/session.service.js';
import {
  createGuestSession,
  signUp,
} from '../../../src/domains/sign-in/sign-up/sign-up.service.js';
import type { Database } from '../../../src/platform/database/database.js';
import { openDatabase } from '../../../src/platform/database/open.js';
import { useService } from '../../support/harness.js';

/**
 * Two processes as far as sessions are concerned: apps with a memory of their own, on PostgreSQL
 * with a pool of their own. The embedded database has one process only; there the two share it.
 */
describe('Two processes', () => {
  const service = useService();
  let other: App;
  let database: Database | undefined;

  beforeAll(async () => {
    const { deps } = service().app;
    const server = process.env.TEST_DATABASE_URL;
    if (server) {
      const [{ name = '' } = {}] = await deps.database.query<{ name: string }>(
        'SELECT current_database()::text AS name',
      );
      const url = Object.assign(new URL(server), { pathname: name }).href;
      database = await openDatabase({ url, dataDir: '', wait: 5, migrate: false });
    }
    other = createApp({ ...deps, database: database ?? deps.database });
  });
  afterAll(() => database?.close());

  const contextOf = (app: App, authorization?: string): Promise<RequestContext> =>
    app.createContext({ authorization, siteUrl: service().url, requestId: 'test' });
  const settled = async (work: Promise<unknown>[]) => {
    const results = await Promise.allSettled(work);
    return results.filter(({ status }) => status === 'fulfilled').length;
  };
  /** The work, several times at once in each process. */
  const everywhere = async <T>(
    work: (context: RequestContext) => Promise<T>,
    authorization?: string,
  ): Promise<Promise<T>[]> => {
    const contexts = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((i) => contextOf(i % 2 ? other : service().app, authorization)),
    );
    return contexts.map(work);
  };

  it('that get the same refresh token at once answer the same pair, and move the session once', async () => {
    const { refreshToken } = await createGuestSession(await service().context(), { language: 1 });
    for (let round = 1, token = refreshToken; round <= 5; round++) {
      const answers = await Promise.all(
        await everywhere((context) => refreshSession(context, { refreshToken: token })),
      );
      const tokens = new Set(answers.map((answer) => answer.refreshToken));
      expect(tokens.size).toBe(1);
      token = [...tokens][0] as string;
      const [{ counter = 0 } = {}] = await service().database.prisma.session.findMany();
      expect(counter).toBe(round);
    }
  });

  it('that get the current token and an old one at once leave the session ended', async () => {
    const first = await createGuestSession(await service().context(), { language: 1 });
    const now = Date.now();
    service().at(now);
    const context = await service().context();
    const second = await refreshSession(context, first);
    const third = await refreshSession(context, second);
    await settled([
      refreshSession(await contextOf(other), third),
      refreshSession(await service().context(), first),
      refreshSession(await contextOf(other), third),
    ]);
    const [session] = await service().database.prisma.session.findMany();
    expect(session?.endedAt, 'the refusal was committed').toBeTruthy();
  });

  // The embedded database runs one transaction at a time.
  const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;
  onServer('judge a token by what the other has just done, not by what was before', async () => {
    const { refreshToken } = await createGuestSession(await service().context(), { language: 1 });
    const context = await service().context();
    let refreshed: Promise<unknown> | undefined;
    await transact(await contextOf(other), async ({ db }) => {
      await db.session.updateMany({ data: { counter: 2 } });
      refreshed = refreshSession(context, { refreshToken });
      refreshed.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    await expect(refreshed as Promise<unknown>).rejects.toThrow(/not valid/);
  });

  it('see within a second that a session has ended, or that roles have changed', async () => {
    const { token, user } = await createGuestSession(await service().context(), { language: 1 });
    const bearer = `Bearer ${token}`;
    const now = Date.now();
    service().at(now);
    const there = async () => (await contextOf(other, bearer)).viewer;
    expect((await there()).roles).toStrictEqual(['guest']);
    await service().database.prisma.account.update({
      where: { id: user.id },
      data: { roles: ['editor'] },
    });
    service().at(now + 1000);
    expect((await there()).roles).toStrictEqual(['editor']);
    await transact(await service().context(), (inner) => endSessions(inner, user.id));
    service().at(now + 2000);
    expect((await there()).id).toBe(0);
    expect((await contextOf(other, bearer)).input.refusal?.reason).toBe('TOKEN_INVALID');
  });

  it('let a mailed code sign in once', async () => {
    await signUp(await service().context(), { email: 'mina@example.com', language: 1 });
    await requestSignInCode(await service().context(), { email: 'mina@example.com' });
    await mailSignInCodes(await service().context());
    const [mail] = await service().database.prisma.outgoingMail.findMany();
    const { code } = JSON.parse(mail?.values ?? '{}');
    const tries = await everywhere((context) =>
      signInWithCode(context, { email: 'mina@example.com', code }),
    );
    expect(await settled(tries)).toBe(1);
  });

  it('mail a code that was asked for once', async () => {
    await signUp(await service().context(), { email: 'mina@example.com', language: 1 });
    await Promise.all(
      await everywhere((context) => requestSignInCode(context, { email: 'Mina@example.com' })),
    );
    await Promise.all(await everywhere(mailSignInCodes));
    expect(await service().database.prisma.outgoingMail.count()).toBe(1);
  });

  it('sign a guest up once', async () => {
    const { token } = await createGuestSession(await service().context(), { language: 1 });
    let number = 0;
    const ask = (context: RequestContext) =>
      signUp(context, { email: `mina${number++}@example.com`, language: 1 });
    expect(await settled(await everywhere(ask, `Bearer ${token}`))).toBe(1);
    expect(await service().database.prisma.account.count()).toBe(1);
  });

  it('give an e-mail address to one account, in any case', async () => {
    const emails = ['zoë@example.com', 'ZOË@example.com', 'Zoë@Example.com'];
    let number = 0;
    const ask = (context: RequestContext) =>
      signUp(context, { email: emails[number++ % 3] as string, language: 1 });
    expect(await settled(await everywhere(ask))).toBe(1);
  });
});
