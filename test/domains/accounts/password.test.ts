import argon2 from 'argon2';
import bcrypt from 'bcryptjs';
import { importedVerifier } from '../../../src/domains/accounts/imported-password.js';
import {
  COST,
  hashPassword,
  isOutdated,
  verifyPassword,
} from '../../../src/domains/accounts/password.js';
import { useService } from '../../support/harness.js';
import { useRealPasswordCost } from '../../support/password-cost.js';

const PASSWORD = 'correct horse battery';
/** A published pair of the portable hash of phpass. */
const PORTABLE = ['$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0', 'test12345'] as const;
/** Made by the crypt of a C library. */
const BCRYPT = [
  '$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq',
  'rasmuslerdorf',
] as const;
/** Made by another program, in another language. */
const WORDPRESS = [
  '$wp$2y$04$abcdefghijklmnopqrstuu/Ztg/g2AytiSczvrP.GgvT22yoprDkS',
  'пароль 💊'.repeat(20),
] as const;
/** Shorter than we allow. */
const SHORT = [bcrypt.hashSync('short', 4), 'short'] as const;

useRealPasswordCost();

describe('A password', () => {
  it('is hashed with argon2id at the cost that OWASP names, or above', async () => {
    const hash = await hashPassword(PASSWORD);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(COST.memoryCost >= 19 * 1024 && COST.timeCost >= 2 && COST.parallelism >= 1).toBe(true);
    expect(await verifyPassword(hash, PASSWORD)).toBe(true);
    expect(await verifyPassword(hash, `${PASSWORD} `)).toBe(false);
  });

  it('has 8 to 256 characters, however many bytes they take', async () => {
    for (const fits of ['12345678', 'x'.repeat(256), '💊'.repeat(256)])
      expect(await verifyPassword(await hashPassword(fits), fits)).toBe(true);
    for (const validationError of ['', '1234567', '💊'.repeat(7), 'x'.repeat(257)])
      await expect(hashPassword(validationError)).rejects.toThrow(/8 to 256/);
  });

  it('is the same however its letters are composed', async () => {
    expect(await verifyPassword(await hashPassword('Zoe\u0308 im Café'), 'Zoë im Cafe\u0301')).toBe(
      true,
    );
  });

  it('is nobody’s where there is no hash, or a broken one', async () => {
    const broken = [
      null,
      undefined,
      '',
      'x',
      '$P$',
      '$P$9',
      `$P$9${'x'.repeat(30)}é`,
      `$P$x${'x'.repeat(30)}`,
      '$2y$31$',
      '$wp$2y$10$x',
    ];
    for (const hash of broken)
      expect(await verifyPassword(hash, PASSWORD), String(hash)).toBe(false);
    const endless = BCRYPT[0].replace('$07$', '$31$');
    expect(await verifyPassword(endless, BCRYPT[1])).toBe(false);
  });
});

describe('A hash of an import', () => {
  it('verifies: portable, bcrypt, and bcrypt of WordPress 6.8', async () => {
    for (const [hash, password] of [PORTABLE, BCRYPT, WORDPRESS]) {
      expect(await verifyPassword(hash, password), hash).toBe(true);
      expect(await verifyPassword(hash, `${password}x`), hash).toBe(false);
      expect(await verifyPassword(hash, ''), hash).toBe(false);
    }
  });

  it('verifies with and without the backslashes that the original puts before quotes', async () => {
    const typed = `it's "mine" in C:\\care`;
    const slashed = `it\\'s \\"mine\\" in C:\\\\care`;
    for (const stored of [typed, slashed]) {
      const hash = bcrypt.hashSync(stored, 4).replace('$2b$', '$2y$');
      expect(await verifyPassword(hash, typed), stored).toBe(true);
      expect(await verifyPassword(hash, typed.replace('mine', 'yours')), stored).toBe(false);
    }
  });

  it('is checked in parts of which each turn of the process has one, however many come at once', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await Promise.all(
      Array.from({ length: 10 }, () => importedVerifier(PORTABLE[0])?.('no password')),
    );
    clearImmediate(counting);
    const rounds = 10 * 2 ** 11;
    expect(turns).toBeGreaterThanOrEqual(rounds / 256);
  });

  it('is refused while 100 checks for the same purpose wait, and for no other purpose', async () => {
    const checks = Array.from({ length: 103 }, () =>
      importedVerifier(PORTABLE[0])?.('no password'),
    );
    const other = importedVerifier(PORTABLE[0], 'basic')?.('no password');
    const results = await Promise.allSettled([...checks, other]);
    const refused = results.flatMap((one, i) =>
      one.status === 'rejected' ? [[i, one.reason]] : [],
    );
    expect(refused.map(([i, error]) => [i, error.refusal.reason])).toStrictEqual([
      [101, 'TOO_MANY_REQUESTS'],
      [102, 'TOO_MANY_REQUESTS'],
    ]);
  });

  it('is outdated, and so is one of ours that was cheaper; a dearer one is not', async () => {
    const made = (cost: object) => argon2.hash(PASSWORD, { ...COST, ...cost });
    for (const hash of [
      PORTABLE[0],
      BCRYPT[0],
      await made({ memoryCost: 8 * 1024 }),
      await made({ type: argon2.argon2i }),
    ])
      expect(isOutdated(hash), hash).toBe(true);
    for (const hash of [await made({}), await made({ memoryCost: 20 * 1024, timeCost: 3 })])
      expect(isOutdated(hash)).toBe(false);
  });
});

describe('Signing in by password', () => {
  const service = useService();
  const login = (username: string, password: string) =>
    service().rest('POST', '/v1/login', { body: { username, password } });
  const imported = async (passwordHash: string | null) => {
    const { id } = await service().account('subscriber', 'mina');
    await service().database.prisma.account.update({ where: { id }, data: { passwordHash } });
    return id;
  };
  const stored = async (id: number) =>
    (await service().database.prisma.account.findUniqueOrThrow({ where: { id } })).passwordHash ??
    '';
  afterEach(() => jest.restoreAllMocks());

  it('replaces the hash of an import the first time, and then no more', async () => {
    for (const [hash, password] of [PORTABLE, BCRYPT, WORDPRESS, SHORT]) {
      await service().clean();
      const id = await imported(hash);
      expect((await login('mina', 'wrong')).status).toBe(401);
      expect(await stored(id), 'a failure leaves it').toBe(hash);
      expect((await login('mina', password)).status, hash).toBe(200);
      const renewed = await stored(id);
      expect(renewed).toMatch(/^\$argon2id\$/);
      expect((await login('mina', password)).status).toBe(200);
      expect(await stored(id)).toBe(renewed);
    }
  });

  it('runs argon2 once and sends the same statements, whether the account is known, has no password, or does not exist', async () => {
    await imported(await hashPassword(PASSWORD));
    await service().account('subscriber', 'nopassword');
    await login('mina', 'wrong'); // makes the decoy
    const verify = jest.spyOn(argon2, 'verify');
    const sent: number[] = [];
    for (const username of ['mina', 'nopassword', 'nobody', '']) {
      sent.push(await service().statements(() => login(username, 'wrong')));
      expect(verify, username).toHaveBeenCalledTimes(sent.length);
    }
    expect(new Set(sent), 'account, audit').toStrictEqual(new Set([2]));
    const costs = verify.mock.calls.map(([hash]) => /\$v=.*?p=\d+/.exec(hash)?.[0]);
    expect(new Set(costs).size, 'at the same cost').toBe(1);
  });

  it('leaves an event of each success and each failure in the audit, without name or password', async () => {
    const id = await imported(await hashPassword(PASSWORD));
    await login('mina', PASSWORD);
    await login('mina', 'wrong password');
    await login('nobody at all', PASSWORD);
    const events = await service().database.prisma.auditEvent.findMany({ orderBy: { id: 'asc' } });
    expect(events.map(({ action, subjectId }) => [action, subjectId])).toStrictEqual([
      ['session.start', id],
      ['session.refused', id],
      ['session.refused', null],
    ]);
    const text = events.map(({ detail }) => detail).join();
    for (const secret of [PASSWORD, 'wrong password', 'nobody'])
      expect(text, text).not.toContain(secret);
  });
});
