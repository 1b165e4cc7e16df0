import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { importJWK, jwtVerify } from 'jose';
import webPush from 'web-push';
import type { LookupAll } from '../../../src/platform/fetch/addresses.js';
import type { PushMessage } from '../../../src/platform/push/push-transport.js';
import { WebPushTransport } from '../../../src/platform/push/web-push.js';
import { DUE_NOW, Provider, type Reply } from '../../support/provider.js';

const vapid = webPush.generateVAPIDKeys();

/** A browser's side of a subscription. */
class Browser {
  readonly #keys: ECDH = createECDH('prime256v1');
  readonly #auth = randomBytes(16);
  readonly #point = this.#keys.generateKeys();

  token(endpoint: string): string {
    const keys = {
      p256dh: this.#point.toString('base64url'),
      auth: this.#auth.toString('base64url'),
    };
    return JSON.stringify({ endpoint, expirationTime: null, keys });
  }

  /** Decrypts aes128gcm content (RFC 8188) with the keys of Web Push (RFC 8291). */
  decrypt(body: Buffer): unknown {
    const salt = body.subarray(0, 16);
    const length = body.readUInt8(20);
    const sender = body.subarray(21, 21 + length);
    const secret = this.#keys.computeSecret(sender);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#point, sender]);
    const key = Buffer.from(hkdfSync('sha256', secret, this.#auth, info, 32));
    const contentKey = Buffer.from(
      hkdfSync('sha256', key, salt, 'Content-Encoding: aes128gcm\0', 16),
    );
    const nonce = Buffer.from(hkdfSync('sha256', key, salt, 'Content-Encoding: nonce\0', 12));
    const sealed = body.subarray(21 + length);
    const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce).setAuthTag(
      sealed.subarray(-16),
    );
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString());
  }
}

const message = (token: string, more: Partial<PushMessage> = {}): PushMessage => ({
  id: 'mFzWbVfJTgq6t0XW1e7H3A',
  token,
  title: 'Time for your medicine',
  body: 'Zwei Tabletten 💊',
  data: { screen: 'today' },
  ...DUE_NOW,
  ...more,
});

describe('Web Push', () => {
  let provider: Provider;
  const browser = new Browser();
  const signal = AbortSignal.timeout(60_000);
  afterEach(() => provider?.stop());

  const transport = (loopback = true) =>
    new WebPushTransport({ ...vapid, subject: 'mailto:clinic@example.com', loopback });
  const outcomeOf = async (reply: Reply) => {
    provider = await Provider.start(() => reply);
    return (
      await transport().send([message(browser.token(`${provider.url}/push/1`))], { signal })
    )[0];
  };

  it('gets a payload that the subscription alone can read, the time that is left, and the message id as topic', async () => {
    expect(await outcomeOf({ status: 201 })).toStrictEqual({ kind: 'delivered', code: '201' });
    const [request] = provider.received;
    if (!request) throw new Error('nothing was received');
    expect(request.path).toBe('/push/1');
    expect(request.headers.ttl).toBe('1800');
    expect(request.headers.topic).toBe('mFzWbVfJTgq6t0XW1e7H3A');
    expect(request.headers.urgency).toBe('high');
    expect(browser.decrypt(request.bytes)).toStrictEqual({
      title: 'Time for your medicine',
      body: 'Zwei Tabletten 💊',
      data: { screen: 'today', message_id: 'mFzWbVfJTgq6t0XW1e7H3A' },
    });
    expect(() => new Browser().decrypt(request.bytes)).toThrow();
  });

  it('gets a signature of ours for its own address', async () => {
    await outcomeOf({ status: 201 });
    const [, token = '', key = ''] =
      /^vapid t=([^,]+), k=(.+)$/.exec(provider.received[0]?.headers.authorization ?? '') ?? [];
    expect(key).toBe(vapid.publicKey);
    const point = Buffer.from(vapid.publicKey, 'base64url');
    const coordinate = (start: number) => point.subarray(start, start + 32).toString('base64url');
    const jwk = await importJWK(
      { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
      'ES256',
    );
    const { payload } = await jwtVerify(token, jwk, { audience: provider.url });
    expect(payload.sub).toBe('mailto:clinic@example.com');
  });

  it('gets the same signature for an hour, and none of another address', async () => {
    const other = await Provider.start(() => ({ status: 201 }));
    provider = await Provider.start(() => ({ status: 201 }));
    const web = transport();
    const signatureOf = async (at: Provider) => {
      await web.send([message(browser.token(`${at.url}/push/1`))], { signal });
      return at.received.at(-1)?.headers.authorization;
    };
    const first = await signatureOf(provider);
    expect(await signatureOf(other)).not.toBe(first);
    expect(await signatureOf(provider)).toBe(first);
    await other.stop();
  });

  for (const [status, outcome] of [
    [404, { kind: 'dead', code: '404' }],
    [410, { kind: 'dead', code: '410' }],
    [400, { kind: 'refused', code: '400' }],
    [401, { kind: 'retry', code: 'vapid_401' }],
    [403, { kind: 'retry', code: 'vapid_403' }],
    [413, { kind: 'refused', code: '413' }],
    [500, { kind: 'retry', code: '500' }],
    [503, { kind: 'retry', code: '503' }],
    [301, { kind: 'retry', code: '301' }],
  ] as const) {
    it(`${outcome.kind}: ${status}`, async () => {
      expect(
        await outcomeOf({ status, headers: { Location: 'http://127.0.0.1:1/' } }),
      ).toStrictEqual(outcome);
      expect(provider.received).toHaveLength(1);
    });
  }

  it('says with 429 how long to wait', async () => {
    expect(await outcomeOf({ status: 429, headers: { 'Retry-After': '12' } })).toStrictEqual({
      kind: 'retry',
      code: '429',
      after: 12_000,
    });
  });

  it('is asked again later after a dropped connection', async () => {
    expect(await outcomeOf({ drop: true })).toStrictEqual({ kind: 'retry', code: 'network' });
  });

  it('is given up on when it does not answer within the time limit', async () => {
    expect(await outcomeOf({ after: 30_000 })).toStrictEqual({ kind: 'retry', code: 'timeout' });
  });

  it('has taken a message once it says so, however long its words go on', async () => {
    const http = createServer((_request, response) => void response.writeHead(201).write('x'));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
    const [outcome] = await transport().send([message(browser.token(endpoint))], { signal });
    http.closeAllConnections();
    http.close();
    expect(outcome).toStrictEqual({ kind: 'delivered', code: '201' });
  });

  it('takes no payload that does not fit one record', async () => {
    provider = await Provider.start(() => ({ status: 201 }));
    const token = browser.token(`${provider.url}/push/1`);
    const sizeOf = (body: string) =>
      Buffer.byteLength(JSON.stringify({ title: '', body, data: { message_id: message('').id } }));
    const filling = 'x'.repeat(3993 - sizeOf(''));
    const send = async (body: string) =>
      (await transport().send([message(token, { title: '', body, data: {} })], { signal }))[0];
    expect((await send(filling))?.kind).toBe('delivered');
    expect(provider.received[0]?.bytes.length).toBe(4096);
    expect(await send(`${filling}x`)).toStrictEqual({ kind: 'refused', code: 'too_large' });
  });

  it('is never connected to on this machine or in private networks, unless a test allows loopback', async () => {
    provider = await Provider.start(() => ({ status: 201 }));
    const { port } = new URL(provider.url);
    const hosts = [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      `0.0.0.0:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `2130706433:${port}`,
      `0x7f.1:${port}`,
    ];
    const endpoints = hosts.flatMap((host) => [`https://${host}/`, `http://${host}/`]);
    for (const endpoint of [
      ...endpoints,
      'https://10.0.0.1/',
      'https://169.254.169.254/latest',
      'https://192.168.1.1/',
    ]) {
      const [outcome] = await transport(false).send([message(browser.token(endpoint))], { signal });
      expect(outcome, endpoint).toStrictEqual({ kind: 'dead', code: 'private_address' });
    }
    expect(provider.received).toHaveLength(0);
  });

  it('is asked again later where its name stands for a private address now, and keeps its token', async () => {
    provider = await Provider.start(() => ({ status: 201 }));
    const { port } = new URL(provider.url);
    const found = ['10.0.0.1', '0.0.0.0', '127.0.0.1'];
    const lookup: LookupAll = (_, __, callback) =>
      callback(null, [{ address: found.shift() ?? '', family: 4 }]);
    const subject = 'mailto:clinic@example.com';
    const web = new WebPushTransport({ ...vapid, subject, loopback: true, lookup });
    const sent = [message(browser.token(`http://localhost:${port}/push/1`))];
    const outcomes = [];
    for (let i = 0; i < 3; i++) outcomes.push(...(await web.send(sent, { signal })));
    expect(outcomes).toStrictEqual([
      { kind: 'retry', code: 'private_address' },
      { kind: 'retry', code: 'private_address' },
      { kind: 'delivered', code: '201' },
    ]);
  });

  it('is one host at all of its ports', () => {
    const hosts = [
      'https://push.example:1001/a',
      'https://push.example:1002/b',
      'https://a.example',
    ];
    expect(hosts.map((endpoint) => transport().hostOf(browser.token(endpoint)))).toStrictEqual([
      'push.example',
      'push.example',
      'a.example',
    ]);
    for (const token of ['{', 'null', '{}', '{"endpoint":7}', '{"endpoint":"x"}'])
      expect(transport().hostOf(token), token).toBe('');
  });

  it('loses tokens that are no subscription', async () => {
    const off = JSON.stringify({
      endpoint: 'https://push.example.com/1',
      keys: {
        p256dh: Buffer.alloc(65, 4).toString('base64url'),
        auth: randomBytes(16).toString('base64url'),
      },
    });
    for (const token of ['{}', '{', 'null', '{"endpoint":1}', off]) {
      const [outcome] = await transport().send([message(token)], { signal });
      expect(outcome, token).toStrictEqual({ kind: 'dead', code: 'malformed' });
    }
  });
});
