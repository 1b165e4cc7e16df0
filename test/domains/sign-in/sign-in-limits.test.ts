import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../src/core/context.js';
import { DomainError } from '../../../src/core/errors.js';
import {
  makePasswordLink,
  setPasswordByLink,
} from '../../../src/domains/passwords/password-link.service.js';
import { requestReset, resetPassword } from '../../../src/domains/passwords/reset.service.js';
import { issueResetCodes } from '../../../src/domains/passwords/reset-code.service.js';
import {
  mailSignInCodes,
  requestSignInCode,
  signInWithCode,
} from '../../../src/domains/sign-in/code/sign-in-code.service.js';
import { guardAddress } from '../../../src/domains/sign-in/limits/address-limits.service.js';
import {
  guardCode,
  guardMail,
  guardMailedCode,
  guardSignIn,
  noteSuccess,
  pruneSignInLimits,
} from '../../../src/domains/sign-in/limits/sign-in-limits.service.js';
import { bearer, useService } from '../../support/harness.js';

const CREATE =
  'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }';
const LOGIN = 'mutation($input: LoginInput!) { login(input: $input) { token } }';
const PASSWORD = 'correct horse battery';
const HOME = '198.51.100.7';
const ELSEWHERE = '203.0.113.1';
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

describe('Tries to sign in', () => {
  const service = useService(() => ({ TRUSTED_PROXIES: '1' }));
  let now = 0;
  const pass = (ms: number) => {
    now += ms;
  };

  /** Limits on, an account `mina`, and a way to sign in from any address. */
  async function start() {
    now = 1_800_000_000_000;
    service().now = () => now;
    await service().graphql(
      CREATE,
      { input: { username: 'mina', email: 'mina@example.com', password: PASSWORD } },
      { as: 'administrator' },
    );
    service().limit();
    return async (
      from: string,
      password: string,
      username = 'mina',
      headers: Record<string, string> = {},
    ) => {
      const response = await fetch(`${service().url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
        body: JSON.stringify({ query: LOGIN, variables: { input: { username, password } } }),
      });
      const { data, errors } = (await response.json()) as {
        data?: { login: { token: string } | null };
        errors?: { message: string; extensions: { code: string } }[];
      };
      const wait = Number(response.headers.get('retry-after'));
      return {
        status: response.status,
        token: data?.login?.token,
        code: errors?.[0]?.extensions.code,
        wait,
        errors,
      };
    };
  }
  type SignIn = Awaited<ReturnType<typeof start>>;

  /**
   * Tries wrong passwords until there is a wait; answers how many were judged, and the wait in
   * seconds.
   */
  async function hammer(
    signIn: SignIn,
    from: string,
    username = 'mina',
  ): Promise<{ judged: number; wait: number }> {
    for (let judged = 0; judged < 200; judged++) {
      const { code, wait } = await signIn(from, 'wrong', username);
      if (code === 'TOO_MANY_REQUESTS') return { judged, wait };
    }
    throw new Error('Nothing slows it down.');
  }

  it('have to wait 30 seconds after 5 failures, then twice as long each time, up to an hour', async () => {
    const signIn = await start();
    expect(await hammer(signIn, ELSEWHERE)).toStrictEqual({ judged: 5, wait: 30 });
    for (const wait of [60, 120, 240, 480, 960, 1920, 3600, 3600]) {
      pass((await signIn(ELSEWHERE, 'wrong')).wait * SECOND);
      expect((await signIn(ELSEWHERE, 'wrong')).code, `judged after the wait before ${wait}`).toBe(
        'INVALID_CREDENTIALS',
      );
      expect((await signIn(ELSEWHERE, 'wrong')).wait).toBe(wait);
    }
  });

  it('are refused while the wait runs even with the right password, and make it no longer', async () => {
    const signIn = await start();
    await hammer(signIn, ELSEWHERE);
    for (let i = 0; i < 10; i++)
      expect((await signIn(ELSEWHERE, PASSWORD)).code).toBe('TOO_MANY_REQUESTS');
    pass(29 * SECOND);
    expect([
      (await signIn(ELSEWHERE, PASSWORD)).status,
      (await signIn(ELSEWHERE, PASSWORD)).wait,
    ]).toStrictEqual([429, 1]);
    pass(1 * SECOND);
    expect((await signIn(ELSEWHERE, PASSWORD)).token).toBeTruthy();
    expect((await hammer(signIn, ELSEWHERE)).judged, 'success forgets the failures').toBe(5);
  });

  it('are forgotten after a day', async () => {
    const signIn = await start();
    for (let i = 0; i < 4; i++) await signIn(ELSEWHERE, 'wrong');
    pass(DAY);
    expect((await hammer(signIn, ELSEWHERE)).judged).toBe(5);
    pass(DAY);
    expect((await hammer(signIn, ELSEWHERE)).judged).toBe(5);
  });

  it('count alike one after the other and all at once', async () => {
    await start();
    const incoming = { authorization: undefined, siteUrl: '', requestId: '', address: ELSEWHERE };
    const contexts = await Promise.all(
      Array.from({ length: 30 }, () => service().app.createContext(incoming)),
    );
    const tries = await Promise.allSettled(contexts.map((context) => guardSignIn(context, 'mina')));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  it('have the same answers, waits and statements for accounts that exist and that do not', async () => {
    const signIn = await start();
    const course = async (username: string) => {
      const seen: unknown[] = [];
      for (let i = 0; i < 12; i++) {
        const before = service().database.statements;
        const { status, code, wait, errors } = await signIn(ELSEWHERE, 'wrong', username);
        seen.push(status, code, wait, errors, service().database.statements - before);
        if (i % 2) pass(31 * SECOND);
      }
      return seen;
    };
    await course('somebody');
    expect(await course('nobody')).toStrictEqual(await course('mina'));
  });

  it('over REST are 429 too_many_requests with Retry-After', async () => {
    const signIn = await start();
    for (let i = 0; i < 5; i++) await signIn('127.0.0.1', 'wrong');
    const { status, body, headers } = await service().rest('POST', '/v1/login', {
      body: { username: ' MINA ', password: PASSWORD },
    });
    expect([status, body.code, body.data]).toStrictEqual([
      429,
      'too_many_requests',
      { status: 429, retryAfter: 30 },
    ]);
    expect(headers.get('retry-after')).toBe('30');
  });

  it('from elsewhere, however many, never keep an account from an address where it signed in before', async () => {
    const signIn = await start();
    expect((await signIn(HOME, PASSWORD)).token).toBeTruthy();
    const addresses = Array.from({ length: 40 }, (_, i) => `203.0.113.${i}`);
    const judged = [];
    for (const address of addresses) judged.push((await signIn(address, 'wrong')).code);
    expect(
      judged.filter((code) => code === 'INVALID_CREDENTIALS'),
      'strangers are slowed down together',
    ).toHaveLength(30);
    expect((await signIn('192.0.2.1', PASSWORD)).code, 'which reaches an unfamiliar address').toBe(
      'TOO_MANY_REQUESTS',
    );
    expect((await signIn(HOME, PASSWORD)).token, 'and not the owner').toBeTruthy();
    expect(
      (await signIn(HOME, PASSWORD, 'mina@example.com')).token,
      'by whatever name',
    ).toBeTruthy();
  });

  it('from unfamiliar addresses are no more than 100 in a row, however patient somebody is', async () => {
    const signIn = await start();
    let judged = 0;
    let wait = 0;
    for (let i = 0; wait < DAY / SECOND && i < 500; i++) {
      const answer = await signIn(`203.0.${i % 100}.1`, 'wrong');
      if (answer.code === 'INVALID_CREDENTIALS') judged++;
      else wait = answer.wait;
      if (answer.wait) pass(answer.wait * SECOND);
    }
    expect({ judged, wait }).toStrictEqual({ judged: 100, wait: 86_400 });
  });

  it('are familiar for 90 days after the last success there', async () => {
    const signIn = await start();
    await signIn(HOME, PASSWORD);
    pass(89 * DAY);
    for (let i = 0; i < 30; i++) await signIn(`203.0.113.${i}`, 'wrong');
    expect((await signIn(HOME, PASSWORD)).token).toBeTruthy();
    pass(91 * DAY);
    for (let i = 0; i < 30; i++) await signIn(`203.0.113.${i}`, 'wrong');
    expect((await signIn(HOME, PASSWORD)).code).toBe('TOO_MANY_REQUESTS');
  });

  it('from behind the same address do not stop a device that was signed in before', async () => {
    const signIn = await start();
    const { token } = await signIn(HOME, PASSWORD);
    pass(30 * DAY);
    await hammer(signIn, HOME);
    expect((await signIn(HOME, PASSWORD)).code).toBe('TOO_MANY_REQUESTS');
    const device = bearer(token as string);
    expect(
      (await signIn(HOME, PASSWORD, 'mina', device)).token,
      'its token has long expired, and says whose device it is',
    ).toBeTruthy();
    expect(
      (await signIn('192.0.2.1', PASSWORD, 'mina', device)).token,
      'wherever it is',
    ).toBeTruthy();
    await hammer(signIn, HOME, 'other');
    expect(
      (await signIn(HOME, 'wrong', 'other', device)).code,
      'it says nothing about other accounts',
    ).toBe('TOO_MANY_REQUESTS');
    for (let i = 0; i < 5; i++)
      expect((await signIn(HOME, 'wrong', 'mina', device)).code).toBe('INVALID_CREDENTIALS');
    expect((await signIn(HOME, 'wrong', 'mina', device)).code, 'and has waits of its own').toBe(
      'TOO_MANY_REQUESTS',
    );
  });

  it.each(['a reset by mail', 'a link', 'a mailed code'])(
    'have no wait any more after %s, by either name, here and from unfamiliar addresses',
    async (way) => {
      const signIn = await start();
      for (const username of ['mina', 'mina@example.com']) {
        await hammer(signIn, HOME, username);
        for (let i = 0; i < 30; i++) await signIn(`203.0.113.${i}`, 'wrong', username);
        expect((await signIn(HOME, PASSWORD, username)).code).toBe('TOO_MANY_REQUESTS');
      }
      const { app, database } = service();
      const incoming = { authorization: undefined, siteUrl: '', requestId: '', address: HOME };
      const context = await app.createContext(incoming);
      const email = 'mina@example.com';
      const { id } = await database.prisma.account.findFirstOrThrow({ where: { email } });
      const mailed = async () => {
        const [mail] = await database.prisma.outgoingMail.findMany({
          where: { template: { in: ['password_reset', 'sign_in_code'] } },
        });
        return JSON.parse(mail?.values ?? '{}').code as string;
      };
      const ways: Record<string, () => Promise<unknown>> = {
        'a reset by mail': async () => {
          await requestReset(context, { email });
          await issueResetCodes(app.deps);
          await resetPassword(context, { email, code: await mailed(), password: PASSWORD });
        },
        'a link': async () =>
          setPasswordByLink(context, await makePasswordLink(context, id), PASSWORD),
        'a mailed code': async () => {
          await requestSignInCode(context, { email });
          await mailSignInCodes(await service().context());
          await signInWithCode(context, { email, code: await mailed() });
        },
      };
      await ways[way]?.();
      for (const username of ['mina', email])
        expect((await signIn(HOME, PASSWORD, username)).token, username).toBeTruthy();
      expect((await signIn('192.0.2.1', PASSWORD)).token, 'elsewhere').toBeTruthy();
    },
  );

  it('of many names from one address are slowed down after 100, but not those who are at home there', async () => {
    const signIn = await start();
    await signIn(ELSEWHERE, PASSWORD);
    for (let i = 0; i < 100; i++) {
      if (i % 40 === 0) pass(61 * SECOND); // the quota
      expect((await signIn(ELSEWHERE, 'wrong', `name ${i}`)).code, String(i)).toBe(
        'INVALID_CREDENTIALS',
      );
    }
    expect((await signIn(ELSEWHERE, 'wrong', 'yet another')).code).toBe('TOO_MANY_REQUESTS');
    expect((await signIn(ELSEWHERE, PASSWORD)).token).toBeTruthy();
  });

  it('leave nothing behind when they are forgotten, and nothing that names anybody', async () => {
    const signIn = await start();
    await signIn(HOME, PASSWORD);
    await signIn(HOME, 'wrong');
    const { prisma } = service().database;
    const rows = JSON.stringify([
      await prisma.signInBrake.findMany(),
      await prisma.familiarAddress.findMany(),
    ]);
    expect(!rows.includes('mina') && !rows.includes(HOME), rows).toBe(true);
    await pruneSignInLimits(service().app.deps);
    expect(await prisma.signInBrake.count()).toBe(2);
    pass(DAY);
    await pruneSignInLimits(service().app.deps);
    expect([await prisma.signInBrake.count(), await prisma.familiarAddress.count()]).toStrictEqual([
      0, 1,
    ]);
    pass(90 * DAY);
    await pruneSignInLimits(service().app.deps);
    expect(await prisma.familiarAddress.count()).toBe(0);
  });
});

describe('What the anonymous may do', () => {
  const service = useService();
  const from = async (address: string): Promise<RequestContext> =>
    service().app.createContext({ authorization: undefined, siteUrl: '', requestId: '', address });

  /** How often it goes well before the first refusal. */
  async function often(act: (i: number) => Promise<void>): Promise<number> {
    for (let i = 0; ; i++) {
      try {
        await act(i);
      } catch (error) {
        expect(error instanceof DomainError && error.refusal.reason === 'TOO_MANY_REQUESTS').toBe(
          true,
        );
        return i;
      }
    }
  }

  it('is bounded by address: 30 sign-ups and guests in ten minutes, 30 removed tokens, 10 forms an hour', async () => {
    service().limit();
    const here = await from(HOME);
    for (const [what, most] of [
      ['signUp', 30],
      ['guest', 30],
      ['pushTokenRemoval', 30],
      ['form', 10],
    ] as const)
      expect(await often(() => guardAddress(here, what)), what).toBe(most);
    await guardAddress(await from(ELSEWHERE), 'signUp');
    const now = Date.now();
    service().now = () => now + 10 * 60_000;
    await guardAddress(here, 'signUp');
    await expect(guardAddress(here, 'form')).rejects.toThrow();
    service().now = () => now + HOUR;
    await guardAddress(here, 'form');
  });

  it('tries a code 10 times in 10 minutes, and 60 codes an hour, from an address that stops nobody elsewhere', async () => {
    service().limit();
    expect(
      await often(async () => {
        await guardCode(await from(ELSEWHERE), 'reset', 'mina@example.com');
      }),
    ).toBe(10);
    await guardCode(await from(HOME), 'reset', 'mina@example.com');
    await guardCode(await from(ELSEWHERE), 'sign-in', 'mina@example.com');
    expect(
      await often(async (i) => {
        await guardCode(await from(ELSEWHERE), 'reset', `${i}@example.com`);
      }),
    ).toBe(48);
  });

  it('asks for 5 mails an hour to one recipient, which are not those of the owner', async () => {
    const { id, username } = await service().account('subscriber');
    service().limit();
    const recipient = `${username}@example.com`;
    await noteSuccess(await from(HOME), id);
    expect(
      await often(async (i) => guardMail(await from(`203.0.113.${i}`), 'reset', recipient)),
    ).toBe(5);
    expect(await often(async () => guardMail(await from(HOME), 'reset', recipient))).toBe(5);
    expect(
      await often(async (i) =>
        guardMail(await from(`203.0.113.${i}`), 'reset', 'nobody@example.com'),
      ),
    ).toBe(5);
    expect(
      await often(async (i) => guardMail(await from(ELSEWHERE), 'reset', `${i}@example.com`)),
    ).toBe(18);
  });

  it('of mails to an address that nobody has proven is the same from all places of its account', async () => {
    service().limit();
    const { id, username } = await service().account('subscriber');
    const recipient = `${username}@example.com`;
    await service().database.prisma.account.update({
      where: { id },
      data: { emailProvenAt: null },
    });
    const places = Array.from({ length: 20 }, (_, i) => `203.0.113.${i}`);
    for (const place of places) await noteSuccess(await from(place), id);
    const mails = async (place: (i: number) => string) =>
      often(async (i) => guardMail(await from(place(i)), 'reset', recipient));
    expect(await mails((i) => places[i % 20] as string), 'who squats it floods nobody').toBe(5);
    expect(await mails((i) => `192.0.2.${i}`), 'and takes no mail of the owner').toBe(5);
  });

  it('leaves those who are at home their mails, and on their device their codes; right codes cost nothing', async () => {
    const { id, username } = await service().account('subscriber');
    const mina = `${username}@example.com`;
    service().limit();
    await service().database.prisma.account.update({
      where: { id },
      data: { emailProvenAt: new Date() },
    });
    await noteSuccess(await from(HOME), id);
    for (let i = 0; i < 70; i++) {
      const wasRight = await guardMailedCode(await from(HOME), 'reset', `right${i}@example.com`);
      await wasRight();
    }
    await often(async (i) => guardMail(await from(HOME), 'reset', `${i}@example.com`));
    await often(async (i) => {
      await guardMailedCode(await from(HOME), 'reset', `${i}@example.com`);
    });
    await guardMail(await from(HOME), 'reset', mina);
    await expect(
      guardMailedCode(await from(HOME), 'reset', mina),
      'the address alone does not tell whose home it is',
    ).rejects.toThrow();
    await often(async (i) => {
      await guardMailedCode(await from(ELSEWHERE), 'reset', `${i}@example.com`);
    });
    await expect(guardMailedCode(await from(ELSEWHERE), 'reset', mina)).rejects.toThrow();
    const claims = { accountId: id, sessionId: randomUUID(), counter: 0 };
    const { tokens } = service().app.deps;
    const { authorization } = bearer(await tokens.signAccess(claims, service().now()));
    const device = { authorization, siteUrl: '', requestId: '', address: ELSEWHERE };
    await guardMailedCode(await service().app.createContext(device), 'reset', mina);
    await often(async (i) => guardMail(await from(ELSEWHERE), 'reset', `${i}@example.com`));
    await expect(guardMail(await from(ELSEWHERE), 'reset', mina)).rejects.toThrow();
    await guardMail(await service().app.createContext(device), 'reset', mina);
  });

  it('is not bounded at all when limits are off', async () => {
    for (let i = 0; i < 100; i++) await guardAddress(await from(HOME), 'form');
  });
});
