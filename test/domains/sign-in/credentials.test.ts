import { randomUUID } from 'node:crypto';
import bcrypt from 'bcryptjs';
import { verifyPassword } from '../../../src/domains/accounts/password.js';
import { brakedReader } from '../../../src/domains/sign-in/session/basic-brake.js';
import {
  applicationPasswordHash,
  callerReader,
} from '../../../src/domains/sign-in/session/credentials.service.js';
import { Recent } from '../../../src/platform/lru.js';
import { makeGuest } from '../../support/factories.js';
import { useService } from '../../support/harness.js';

const SECOND = 1000;
const HOUR = 60 * 60 * SECOND;

describe('What signs a request in', () => {
  const service = useService();
  const stop = (now = Date.now()) => {
    service().now = () => now;
    return (after: number) => {
      service().now = () => now + after;
    };
  };
  const statements = async (work: () => Promise<unknown>) => {
    const before = service().database.statements;
    await work();
    return service().database.statements - before;
  };

  it('is an access token, which is looked up once a second', async () => {
    const at = stop();
    const read = callerReader(service().app.deps);
    const { token, user } = await makeGuest(service());
    const bearer = `Bearer ${token}`;
    expect(await statements(() => read(bearer)), 'and noted at its first use').toBe(2);
    expect((await read(bearer)).viewer.id).toBe(user.id);
    at(999);
    expect(await statements(() => read(bearer))).toBe(0);
    at(1000);
    expect(await statements(() => Promise.all([1, 2, 3, 4].map(() => read(bearer))))).toBe(1);
  });

  it('is remembered until it expires, and not a moment longer', async () => {
    const at = stop(Math.ceil(Date.now() / SECOND) * SECOND);
    const read = callerReader(service().app.deps);
    const { token, user } = await makeGuest(service());
    at(15 * 60 * SECOND - 1);
    expect((await read(`Bearer ${token}`)).viewer.id).toBe(user.id);
    at(15 * 60 * SECOND);
    const { viewer, refusal, refusedId } = await read(`Bearer ${token}`);
    expect([viewer.id, refusal?.reason, refusedId]).toStrictEqual([0, 'TOKEN_EXPIRED', user.id]);
  });

  it('is not remembered when it signed nobody in', async () => {
    stop();
    const read = callerReader(service().app.deps);
    const { token, user } = await makeGuest(service());
    const hidden = { where: { accountId: user.id }, data: { endedAt: new Date() } };
    await service().database.prisma.session.updateMany(hidden);
    expect((await read(`Bearer ${token}`)).refusal?.reason).toBe('TOKEN_INVALID');
    await service().database.prisma.session.updateMany({ ...hidden, data: { endedAt: null } });
    expect((await read(`Bearer ${token}`)).viewer.id).toBe(user.id);
  });

  it('fails with the database, and works again after it', async () => {
    const { deps } = service().app;
    let down = true;
    const query: typeof deps.database.query = (text, values) =>
      down ? Promise.reject(new Error('down')) : deps.database.query(text, values);
    const read = callerReader({
      ...deps,
      database: { ...deps.database, query } as typeof deps.database,
    });
    const { token, user } = await makeGuest(service());
    await expect(read(`Bearer ${token}`)).rejects.toThrow(/down/);
    down = false;
    expect((await read(`Bearer ${token}`)).viewer.id).toBe(user.id);
  });

  it('is an application password, whose last use is written once an hour', async () => {
    const at = stop();
    const read = callerReader(service().app.deps);
    const { authorization } = await service().authorization('editor');
    const lastUse = async () =>
      (
        await service().database.prisma.applicationPassword.findFirstOrThrow()
      ).lastUsedAt?.getTime();
    const start = service().now();
    expect(await statements(() => read(authorization))).toBe(2);
    expect(await lastUse()).toBe(start);
    expect(await statements(() => read(authorization))).toBe(0);
    at(HOUR - 1);
    expect(await statements(() => read(authorization))).toBe(1);
    expect(await lastUse()).toBe(start);
    at(HOUR);
    await read(authorization); // remembered from a moment ago
    at(HOUR + SECOND);
    await read(authorization);
    expect(await lastUse()).toBe(start + HOUR + SECOND);
  });

  it('is nobody for whatever else a header says', async () => {
    const read = callerReader(service().app.deps);
    const { username, password } = await service().account('editor');
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const headers = [
      undefined,
      '',
      'Basic',
      'Bearer',
      'Digest x',
      'constructor x',
      basic(`${username}:`),
      basic(`:${password}`),
      basic(`other:${password}`),
      basic(`${username}:${password}x`),
      basic(`${username}:${'x'.repeat(8192)}`),
      `Basic ${'%'.repeat(100)}`,
    ];
    for (const header of headers) expect((await read(header)).viewer.id, header).toBe(0);
  });
});

describe('Basic credentials from one address', () => {
  const service = useService();
  const HERE = '203.0.113.9';
  /** A published pair of the portable hash of phpass, of letters and digits. */
  const [HASH, RIGHT] = ['$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0', 'test12345'];
  const NINE = Array.from({ length: 9 }, (_, i) => `$P$9${String(i).repeat(30)}`);

  /** An account with these imported application passwords, the newest first, and what reads guesses. */
  async function start(hashes: readonly string[]) {
    const { id, username } = await service().account('editor');
    await imported(id, hashes);
    const now = Date.now();
    service().now = () => now;
    service().limit();
    const read = brakedReader(service().app.deps);
    return async (password: string, address = HERE, name = username) => {
      const text = Buffer.from(`${name}:${password}`).toString('base64');
      const { viewer, refusal } = await read(`Basic ${text}`, address);
      return viewer.id ? 'in' : (refusal?.reason ?? 'anonymous');
    };
  }
  /** Gives an account these application passwords. */
  async function imported(id: number, hashes: readonly string[]) {
    const now = Date.now();
    await service().database.prisma.applicationPassword.createMany({
      data: hashes.map((hash, i) => ({
        id: randomUUID(),
        accountId: id,
        name: 'imported',
        hash,
        createdAt: new Date(now - i * 1000),
      })),
    });
  }
  const counted = (results: readonly string[]) =>
    Object.fromEntries(results.map((one) => [one, results.filter((it) => it === one).length]));

  it('are 100 guesses a minute, also when they come at once', async () => {
    const guess = await start([]);
    const results = await Promise.all(Array.from({ length: 150 }, (_, i) => guess(`no${i}`)));
    expect(counted(results)).toStrictEqual({ anonymous: 100, TOO_MANY_REQUESTS: 50 });
  });

  it('are compared with 100 imported hashes a minute, which those that pass give back', async () => {
    const guess = await start([...NINE, HASH]);
    const many = async (from: number, to: number) => {
      const results = [];
      for (let i = from; i < to; i++) results.push(await guess(`no${i}`));
      return counted(results);
    };
    expect(await many(0, 9)).toStrictEqual({ anonymous: 9 });
    expect(await guess(RIGHT)).toBe('in');
    expect(await many(9, 12)).toStrictEqual({ anonymous: 1, TOO_MANY_REQUESTS: 2 });
    expect(await guess(RIGHT), 'those that were right there go on').toBe('in');
    expect(await guess('no', '203.0.113.10'), 'nobody elsewhere is stopped').toBe('anonymous');
  });

  it('that are right pass however many come at once', async () => {
    const guess = await start([HASH]);
    const results = await Promise.all(Array.from({ length: 150 }, () => guess(RIGHT)));
    expect(counted(results)).toStrictEqual({ in: 150 });
    const { id } = await service().account('editor');
    const passwords = Array.from({ length: 150 }, (_, i) => `right${i}`);
    await imported(id, passwords.map(applicationPasswordHash));
    const others = await Promise.all(passwords.map((password) => guess(password)));
    expect(counted(others), 'different ones').toStrictEqual({ in: 150 });
  });

  it('that are wrong are anonymous however often they are sent, and count once a minute', async () => {
    const guess = await start([...NINE, HASH]);
    const results = [];
    for (let i = 0; i < 150; i++) results.push(await guess('stale'));
    results.push(...(await Promise.all(Array.from({ length: 150 }, () => guess('revoked')))));
    expect(counted(results)).toStrictEqual({ anonymous: 300 });
    expect(await guess(RIGHT)).toBe('in');
  });

  it('that are wrong for one account refuse those of no other account', async () => {
    const guess = await start([...NINE, HASH]);
    for (let i = 0; i < 11; i++) await guess(`no${i}`);
    expect(await guess(RIGHT)).toBe('TOO_MANY_REQUESTS');
    const { id, username } = await service().account('author');
    await imported(id, [bcrypt.hashSync('another1', 4)]);
    expect(await guess('another1', HERE, username)).toBe('in');
  });

  it('let others in while they are compared: by an imported password, or from another address', async () => {
    const guess = await start(NINE.slice(0, 1));
    const { id, username } = await service().account('author');
    await imported(id, [HASH]);
    let compared = 0;
    const meanwhile = async (work: () => Promise<unknown>) => {
      const before = compared;
      const result = await work();
      return { result, compared: compared - before };
    };
    const guesses = Array.from({ length: 200 }, async (_, i) => {
      await guess(`no${i}`, `203.0.113.${i % 20}`);
      compared++;
    });
    await Promise.all(guesses.slice(0, 20));
    const signIn = await meanwhile(() => verifyPassword(HASH, RIGHT));
    expect(signIn.result).toBe(true);
    expect(signIn.compared, 'a sign-in does not wait for them').toBeLessThan(60);
    const elsewhere = await meanwhile(() => guess(RIGHT, '203.0.113.99', username));
    expect(elsewhere.result).toBe('in');
    expect(elsewhere.compared, 'it waits for one of each address').toBeLessThan(60);
    await Promise.all(guesses);
  });
});

describe('A memory of recent things', () => {
  it('keeps those that were used last, and no more than it may', () => {
    const recent = new Recent<number, string>(3);
    for (const key of [1, 2, 3]) recent.set(key, `v${key}`);
    recent.get(1);
    recent.set(4, 'v4');
    expect([1, 2, 3, 4].map((key) => recent.get(key))).toStrictEqual(['v1', undefined, 'v3', 'v4']);
    expect(recent.size).toBe(3);
  });
});
