import { SignJWT } from 'jose';
import { Tokens } from '../../src/core/tokens.js';

const OLD = 'o'.repeat(40);
const NEW = 'n'.repeat(40);
const session = '0190a5c2-0000-4000-8000-000000000000';
const now = Date.parse('2026-03-01T08:00:00Z');
const claims = { accountId: 7, sessionId: session, counter: 3 };
const head = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());

describe('Access tokens', () => {
  it('say who, of which session, until when', async () => {
    const tokens = new Tokens(NEW);
    const token = await tokens.signAccess(claims, now);
    expect(await tokens.readAccess(token)).toStrictEqual({
      ...claims,
      expiresAt: now + 15 * 60 * 1000,
    });
    expect([head(token).alg, head(token).typ, typeof head(token).kid]).toStrictEqual([
      'HS256',
      'at+jwt',
      'string',
    ]);
  });

  it('of the previous key stay good, and new ones bear the new key', async () => {
    const token = await new Tokens(OLD).signAccess(claims, now);
    const rotated = new Tokens(NEW, { previous: OLD });
    expect((await rotated.readAccess(token))?.accountId).toBe(7);
    expect(await new Tokens(NEW).readAccess(token)).toBeUndefined();
    expect(head(await rotated.signAccess(claims, now)).kid).not.toBe(head(token).kid);
  });

  it('have one spelling', async () => {
    const tokens = new Tokens(NEW);
    const token = await tokens.signAccess(claims, now);
    const [header = '', payload = '', mac = ''] = token.split('.');
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const bytes = (text: string) => Buffer.from(text, 'base64url').toString('hex');
    const twins = [...letters]
      .map((letter) => mac.slice(0, -1) + letter)
      .filter((other) => other !== mac && bytes(other) === bytes(mac));
    expect(twins).toHaveLength(3);
    const base64 = Buffer.from(mac, 'base64url').toString('base64');
    const others = [
      ...twins,
      `${mac}=`,
      base64,
      ` ${mac}`,
      `${mac} `,
      `${mac}\n`,
      `${mac}!`,
      `-${mac}`,
    ];
    const spellings = [
      ...others.map((other) => [header, payload, other]),
      [`${header}=`, payload, mac],
      [header, `${payload}=`, mac],
      [header, ` ${payload}`, mac],
      [header, payload, mac, ''],
      ['', header, payload, mac],
    ].map((parts) => parts.join('.'));
    for (const other of spellings) expect(await tokens.readAccess(other), other).toBeUndefined();
    expect(await tokens.readAccess(token)).toBeDefined();
  });

  it('of another key, type or algorithm are nobody’s', async () => {
    const tokens = new Tokens(NEW);
    const { kid } = head(await tokens.signAccess(claims, now));
    const forged = (header: object, key: string) =>
      new SignJWT({ sid: session })
        .setProtectedHeader({ alg: 'HS256', ...header })
        .setSubject('7')
        .setExpirationTime('1h')
        .sign(Buffer.from(key));
    expect(
      await tokens.readAccess(await forged({ kid, typ: 'at+jwt' }, NEW)),
      'the secret itself signs nothing',
    ).toBeUndefined();
    expect(await tokens.readAccess(await forged({ typ: 'at+jwt' }, NEW))).toBeUndefined();
    expect(await tokens.readAccess(await forged({ kid, typ: 'JWT' }, NEW))).toBeUndefined();
  });
});

describe('Refresh tokens', () => {
  it('name session and counter, and are good under the previous key', () => {
    const token = new Tokens(OLD).signRefresh(session, 12);
    expect(new Tokens(NEW, { previous: OLD }).readRefresh(token)).toStrictEqual({
      sessionId: session,
      counter: 12,
    });
    expect(new Tokens(NEW).readRefresh(token)).toBeUndefined();
    expect(
      new Tokens(NEW, { previous: OLD }).readRefresh(new Tokens(NEW).signRefresh(session, 12))
        ?.counter,
    ).toStrictEqual(12);
  });

  it('with anything changed are nobody’s', () => {
    const tokens = new Tokens(NEW);
    const token = tokens.signRefresh(session, 12);
    for (let i = 0; i < token.length; i++) {
      const changed = `${token.slice(0, i)}${token[i] === '1' ? '2' : '1'}${token.slice(i + 1)}`;
      expect(tokens.readRefresh(changed), changed).toBeUndefined();
    }
    for (const odd of [
      token.toUpperCase(),
      `${token}=`,
      `${token}\n`,
      token.replace('.12.', '.012.'),
    ])
      expect(tokens.readRefresh(odd), odd).toBeUndefined();
  });
});
