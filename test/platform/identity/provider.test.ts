import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { IdentityProvider } from '../../../src/platform/identity/provider.js';
import { PATIENCE, type ProviderSettings } from '../../../src/platform/identity/provider.types.js';
import { CLIENT, TestIssuer } from '../../support/issuer.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('The keys of an identity provider', () => {
  let issuer: TestIssuer;
  let now = Date.now();
  let provider: IdentityProvider;

  const settings = (more: Partial<ProviderSettings> = {}): ProviderSettings => ({
    authority: issuer.url,
    audiences: [CLIENT],
    issuers: [issuer.url],
    verifiedClaim: 'email_verified',
    ...more,
  });
  const make = (more: Partial<ProviderSettings> = {}) =>
    new IdentityProvider(settings(more), () => now);
  const verify = async (claims = {}, header = {}) =>
    provider.verify(await issuer.token(claims, now, header));
  const asked = () => issuer.asked.get('/keys') ?? 0;
  const unavailable = (why: RegExp) => ({
    name: 'ProviderUnavailable',
    message: expect.stringMatching(why),
  });
  /**
   * Keys are fetched in the background: what is signed with those of before is refused a moment
   * later.
   */
  const refusesSoon = async (token: string) => {
    for (let tries = 0; tries < 500; tries++) {
      const refusal = await provider.verify(token).then(
        () => undefined,
        (error: Error) => error,
      );
      if (refusal) return expect(refusal.name).toBe('TokenRefused');
      await sleep(20);
    }
    throw new Error('it is still good');
  };

  beforeEach(async () => {
    now = Date.now();
    issuer = await TestIssuer.start();
    provider = make();
  });
  afterEach(() => issuer.stop());

  it('are found by discovery, and asked for once', async () => {
    const all = await Promise.all([
      verify({ sub: 'a' }),
      verify({ sub: 'b' }),
      verify({ sub: 'c' }),
    ]);
    expect(all.map(({ subject }) => subject)).toStrictEqual(['a', 'b', 'c']);
    expect([...issuer.asked]).toStrictEqual([
      ['/.well-known/openid-configuration', 1],
      ['/keys', 1],
    ]);
  });

  it('may stand at an address of their own', async () => {
    provider = make({ jwksUrl: `${issuer.url}/keys` });
    await verify();
    expect([...issuer.asked.keys()]).toStrictEqual(['/keys']);
  });

  it('follow a rotation at once when the provider was not asked within half a minute', async () => {
    await verify();
    now += 31 * SECOND;
    await issuer.rotate();
    expect((await verify({ sub: 'rotated' })).subject).toBe('rotated');
    expect(asked()).toBe(2);
  });

  it('follow a rotation for all who come while the provider is asked', async () => {
    await verify();
    now += 31 * SECOND;
    await issuer.rotate();
    const all = await Promise.all(['a', 'b', 'c'].map((sub) => verify({ sub })));
    expect(all).toHaveLength(3);
    expect(asked()).toBe(2);
  });

  it('that are new while the provider does not answer are a matter for later, not a refusal', async () => {
    await verify();
    now += 31 * SECOND;
    await issuer.rotate();
    issuer.fault = (response) => void response.writeHead(503).end();
    for (let times = 0; times < 3; times++) {
      await expect(verify()).rejects.toMatchObject(unavailable(/./));
      now += 6 * SECOND;
    }
  });

  it('are not asked for more than twice a minute by tokens with made-up keys, and follow a rotation amid them after 30 seconds', async () => {
    await verify();
    const started = now;
    for (; now < started + 5 * MINUTE; now += SECOND) {
      await expect(verify({}, { kid: `made-up-${now}` })).rejects.toMatchObject({
        name: 'TokenRefused',
      });
    }
    expect(asked(), `asked ${asked()} times in five minutes`).toBeLessThanOrEqual(11);
    await issuer.rotate();
    const rotated = now;
    for (;;) {
      await expect(verify({}, { kid: 'made-up' })).rejects.toMatchObject({ name: 'TokenRefused' });
      const taken = await verify().catch(() => undefined);
      if (taken) break;
      now += SECOND;
    }
    expect(now - rotated, `refused for ${(now - rotated) / SECOND} s`).toBeLessThanOrEqual(
      30 * SECOND,
    );
  });

  it('that are withdrawn are good for ten minutes and the next request, no longer', async () => {
    const withdrawn = await issuer.token({}, now);
    await verify();
    await issuer.rotate({ only: true });
    now += 10 * MINUTE + 1;
    await provider.verify(withdrawn);
    await refusesSoon(withdrawn);
  });

  it('go on being used for an hour while the provider does not answer', async () => {
    await verify();
    issuer.fault = (response) => void response.writeHead(503).end();
    now += 59 * MINUTE;
    await verify();
    now += 2 * MINUTE;
    await expect(verify()).rejects.toMatchObject(unavailable(/discovery document does not fit/));
  });

  it('are asked for again five seconds after a failure, not at each sign-in', async () => {
    issuer.fault = (response) => void response.writeHead(500).end('down');
    for (let times = 0; times < 20; times++)
      await expect(verify()).rejects.toMatchObject(unavailable(/./));
    expect(issuer.asked.get('/.well-known/openid-configuration')).toBe(1);
    issuer.fault = undefined;
    now += 5 * SECOND;
    await verify();
  });

  it('that do not come at all are waited for less than five seconds', async () => {
    expect(PATIENCE).toBeLessThan(5_000);
    issuer.fault = () => {};
    const waiting = Array.from({ length: 5 }, () =>
      expect(verify()).rejects.toMatchObject(unavailable(/did not answer in time/)),
    );
    await Promise.all(waiting);
  });

  it('that come by drops are waited for less than five seconds', async () => {
    const drops = new Set<NodeJS.Timeout>();
    issuer.fault = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      drops.add(setInterval(() => response.write(' '), 100));
    };
    await expect(verify()).rejects.toMatchObject(unavailable(/./));
    for (const drop of drops) clearInterval(drop);
  });

  it('cannot be had from a port where nobody listens', async () => {
    const nobody = createServer();
    await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
    const { port } = nobody.address() as AddressInfo;
    await new Promise((resolve) => nobody.close(resolve));
    provider = make({ jwksUrl: `http://127.0.0.1:${port}/keys` });
    await expect(verify()).rejects.toMatchObject(unavailable(/cannot be reached/));
  });

  for (const [what, body] of Object.entries({
    'no JSON': '<html>',
    'JSON that is no key set': '{"keys":"none"}',
    'no object': '[1]',
    nothing: '',
  })) {
    it(`are refused when the answer is ${what}`, async () => {
      provider = make({ jwksUrl: `${issuer.url}/keys` });
      issuer.fault = (response) => void response.writeHead(200).end(body);
      await expect(verify()).rejects.toMatchObject(unavailable(/./));
    });
  }

  it('are refused when they are a megabyte, though they can be read', async () => {
    provider = make({ jwksUrl: `${issuer.url}/keys` });
    issuer.fault = (response) =>
      void response.writeHead(200).end(JSON.stringify(issuer.published) + ' '.repeat(1024 * 1024));
    await expect(verify()).rejects.toMatchObject(unavailable(/too large/));
  });

  it('are refused of a kind that nothing can be checked with', async () => {
    provider = make({ jwksUrl: `${issuer.url}/keys` });
    const keys = [
      { kty: 'EC', kid: issuer.key.kid, crv: 'P-256', x: 'AA', y: 'AA' },
      { kty: 'oct', k: 'c2VjcmV0' },
      {},
      1,
    ];
    issuer.fault = (response) => void response.writeHead(200).end(JSON.stringify({ keys }));
    await expect(verify()).rejects.toThrow();
  });

  it('are not followed to another address', async () => {
    provider = make({ jwksUrl: `${issuer.url}/moved` });
    issuer.fault = (response, path) => {
      if (path === '/moved') response.writeHead(302, { location: `${issuer.url}/keys` }).end();
      else response.writeHead(200).end(JSON.stringify(issuer.published));
    };
    await expect(verify()).rejects.toMatchObject(unavailable(/cannot be reached/));
  });

  it('are not asked for in plain text elsewhere, whatever the discovery document says', async () => {
    issuer.fault = (response) =>
      void response
        .writeHead(200)
        .end(JSON.stringify({ issuer: issuer.url, jwks_uri: 'http://keys.example/keys' }));
    await expect(verify()).rejects.toMatchObject(unavailable(/is not https/));
  });

  it('are not taken from a discovery document of another issuer', async () => {
    issuer.fault = (response) =>
      void response
        .writeHead(200)
        .end(JSON.stringify({ issuer: 'https://other.example', jwks_uri: `${issuer.url}/keys` }));
    await expect(verify()).rejects.toMatchObject(unavailable(/does not fit/));
  });

  it('may be of an issuer with one address for each tenant, which the token names', async () => {
    provider = make({
      issuers: ['https://login.example/{tid}/v2.0'],
      jwksUrl: `${issuer.url}/keys`,
    });
    expect(await verify({ iss: 'https://login.example/t-1/v2.0', tid: 't-1' })).toBeTruthy();
    await expect(
      verify({ iss: 'https://login.example/t-2/v2.0', tid: 't-1' }),
    ).rejects.toMatchObject({
      name: 'TokenRefused',
    });
    await expect(verify({ iss: 'https://login.example/{tid}/v2.0' })).rejects.toMatchObject({
      name: 'TokenRefused',
    });
    await expect(
      verify({ iss: 'https://login.example/a/../b/v2.0', tid: 'a/../b' }),
    ).rejects.toMatchObject({
      name: 'TokenRefused',
    });
  });
});
