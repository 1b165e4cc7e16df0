import { generateKeyPairSync } from 'node:crypto';
import { importSPKI, jwtVerify } from 'jose';
import { FcmTransport } from '../../../src/platform/push/fcm.js';
import type { PushMessage } from '../../../src/platform/push/push-transport.js';
import { DUE_NOW, fcmToken, Provider, type Received, type Reply } from '../../support/provider.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const message = (token: string, more: Partial<PushMessage> = {}): PushMessage => ({
  id: 'AAAAAAAAAAAAAAAAAAAAAA',
  token: fcmToken(token),
  title: 'Time for your medicine',
  body: 'Two tablets',
  data: {},
  ...DUE_NOW,
  ...more,
});

/** An error as FCM words it. */
const error = (status: number, code: string, more: object[] = []): Reply => ({
  status,
  body: {
    error: {
      code: status,
      message: 'no',
      status: 'SOMETHING',
      details: [
        { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: code },
        ...more,
      ],
    },
  },
});
const quota = (subject: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ subject, description: 'no' }],
});
const violation = (field: string) => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: [{ field }],
});

describe('FCM', () => {
  let provider: Provider;
  const signal = AbortSignal.timeout(60_000);
  afterEach(() => provider?.stop());

  const sends = () => provider.received.filter(({ path }) => path.endsWith(':send'));
  const issued = () => provider.received.filter(({ path }) => path === '/token');
  const fcm = async (
    reply: (request: Received, count: number) => Reply,
    token: (count: number) => Reply = (count) => ({
      body: { access_token: `access-${count}`, expires_in: 3600 },
    }),
  ) => {
    provider = await Provider.start((request) =>
      request.path === '/token' ? token(issued().length) : reply(request, sends().length),
    );
    const account = {
      projectId: 'clinic',
      clientEmail: 'push@clinic.example',
      privateKey,
      tokenUri: `${provider.url}/token`,
    };
    return new FcmTransport({ url: provider.url, account });
  };
  const outcomeOf = async (reply: Reply) =>
    (await (await fcm(() => reply)).send([message('t')], { signal }))[0];

  it('gets one message a request, with the message id as collapse key and tag, and the time that is left', async () => {
    const transport = await fcm(() => ({ body: { name: 'projects/clinic/messages/1' } }));
    const sent = message('device', { data: { screen: 'today', ids: [1, 2] } });
    expect(await transport.send([sent], { signal })).toStrictEqual([{ kind: 'delivered' }]);
    const [request] = sends();
    expect(request?.path).toBe('/v1/projects/clinic/messages:send');
    expect(request?.headers.authorization).toBe('Bearer access-1');
    const wire = request?.json.message;
    expect(wire.notification).toStrictEqual({
      title: 'Time for your medicine',
      body: 'Two tablets',
    });
    expect(wire.data).toStrictEqual({ screen: 'today', ids: '[1,2]', message_id: sent.id });
    expect(wire.android).toStrictEqual({
      collapse_key: sent.id,
      ttl: '1800s',
      priority: 'HIGH',
      notification: { tag: sent.id },
    });
    const { headers } = wire.apns;
    expect(headers['apns-collapse-id']).toBe(sent.id);
    expect(Math.abs(Number(headers['apns-expiration']) - Date.now() / 1000 - 1800)).toBeLessThan(5);
  });

  it('is not asked about a token that an older version took and that has no form of its own: it is dead', async () => {
    const transport = await fcm(() => ({ body: { name: 'projects/clinic/messages/1' } }));
    const sent = { ...message('t'), token: 'undefined' };
    expect(await transport.send([sent], { signal })).toStrictEqual([
      { kind: 'dead', code: 'malformed' },
    ]);
    expect(sends()).toStrictEqual([]);
  });

  it('issues an access token for a signed assertion, once for many messages', async () => {
    const transport = await fcm(() => ({ body: { name: 'x' } }));
    await Promise.all(
      [1, 2, 3].map((number) => transport.send([message(`t${number}`)], { signal })),
    );
    expect(issued()).toHaveLength(1);
    const form = new URLSearchParams(issued()[0]?.bytes.toString());
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { payload } = await jwtVerify(
      form.get('assertion') ?? '',
      await importSPKI(publicKey, 'RS256'),
      {
        issuer: 'push@clinic.example',
        audience: `${provider.url}/token`,
      },
    );
    expect(payload.scope).toBe('https://www.googleapis.com/auth/firebase.messaging');
  });

  it('is asked again at once with a new access token when it refuses the one it issued, but only once', async () => {
    const transport = await fcm((request) =>
      request.headers.authorization === 'Bearer access-1'
        ? error(401, 'UNAUTHENTICATED')
        : { body: { name: 'x' } },
    );
    expect(await transport.send([message('t')], { signal })).toStrictEqual([{ kind: 'delivered' }]);
    await provider.stop();
    const refusing = await fcm(() => error(401, 'UNAUTHENTICATED'));
    expect(await refusing.send([message('t')], { signal })).toStrictEqual([
      { kind: 'retry', code: 'UNAUTHENTICATED', pause: false },
    ]);
    expect(sends()).toHaveLength(2);
  });

  it('is asked again later when it refuses an access token while there is no other: nothing was wrong with the message', async () => {
    const transport = await fcm(
      ({ headers }) =>
        headers.authorization === 'Bearer access-1'
          ? error(401, 'UNAUTHENTICATED')
          : { body: { name: 'x' } },
      (count) =>
        count === 2
          ? { status: 503 }
          : { body: { access_token: `access-${count}`, expires_in: 3600 } },
    );
    expect(await transport.send([message('t')], { signal })).toStrictEqual([
      { kind: 'retry', code: 'token_503' },
    ]);
    expect(await transport.send([message('t')], { signal })).toStrictEqual([{ kind: 'delivered' }]);
  });

  for (const [name, reply, outcome] of [
    ['UNREGISTERED', error(404, 'UNREGISTERED'), { kind: 'dead', code: 'UNREGISTERED' }],
    [
      'UNREGISTERED_FID',
      error(404, 'UNREGISTERED_FID'),
      { kind: 'dead', code: 'UNREGISTERED_FID' },
    ],
    [
      'NOT_FOUND',
      { status: 404, body: { error: { status: 'NOT_FOUND' } } },
      { kind: 'dead', code: 'NOT_FOUND' },
    ],
    [
      '404 that is not its own',
      { status: 404, body: '<html>' },
      { kind: 'retry', code: '404', pause: false },
    ],
    [
      'INVALID_ARGUMENT about the token',
      error(400, 'INVALID_ARGUMENT', [violation('message.token')]),
      { kind: 'dead', code: 'INVALID_ARGUMENT' },
    ],
    [
      'INVALID_ARGUMENT about something else',
      error(400, 'INVALID_ARGUMENT', [violation('message.data')]),
      { kind: 'refused', code: 'INVALID_ARGUMENT' },
    ],
    [
      'SENDER_ID_MISMATCH before anything worked',
      error(403, 'SENDER_ID_MISMATCH'),
      { kind: 'refused', code: 'SENDER_ID_MISMATCH' },
    ],
    [
      'THIRD_PARTY_AUTH_ERROR',
      error(401, 'THIRD_PARTY_AUTH_ERROR'),
      { kind: 'retry', code: 'THIRD_PARTY_AUTH_ERROR', pause: false },
    ],
    [
      'PERMISSION_DENIED',
      { status: 403, body: { error: { status: 'PERMISSION_DENIED' } } },
      { kind: 'retry', code: 'PERMISSION_DENIED', pause: false },
    ],
    [
      'QUOTA_EXCEEDED',
      { ...error(429, 'QUOTA_EXCEEDED'), headers: { 'Retry-After': '30' } },
      { kind: 'retry', code: 'QUOTA_EXCEEDED', pause: false, after: 30_000 },
    ],
    [
      'QUOTA_EXCEEDED of a device',
      error(429, 'QUOTA_EXCEEDED', [quota('device:1')]),
      { kind: 'retry', code: 'QUOTA_EXCEEDED', pause: false },
    ],
    [
      'QUOTA_EXCEEDED of the project',
      error(429, 'QUOTA_EXCEEDED', [quota('project:clinic')]),
      { kind: 'retry', code: 'QUOTA_EXCEEDED', pause: true },
    ],
    [
      'QUOTA_EXCEEDED with a subject of odd shape',
      error(429, 'QUOTA_EXCEEDED', [{ violations: [null, { subject: 7 }] }, { violations: 'x' }]),
      { kind: 'retry', code: 'QUOTA_EXCEEDED', pause: false },
    ],
    [
      'RESOURCE_EXHAUSTED',
      { status: 429, body: { error: { status: 'RESOURCE_EXHAUSTED' } } },
      { kind: 'retry', code: 'RESOURCE_EXHAUSTED', pause: true },
    ],
    [
      'UNAVAILABLE',
      error(503, 'UNAVAILABLE'),
      { kind: 'retry', code: 'UNAVAILABLE', pause: false },
    ],
    ['INTERNAL', error(500, 'INTERNAL'), { kind: 'retry', code: 'INTERNAL', pause: false }],
    [
      '500 with garbage',
      { status: 500, body: '{"error":' },
      { kind: 'retry', code: '500', pause: false },
    ],
    [
      'an error of odd shape',
      { status: 400, body: { error: { details: { errorCode: 1 }, status: 7 } } },
      { kind: 'refused', code: '400' },
    ],
    ['a dropped connection', { drop: true }, { kind: 'retry', code: 'network' }],
  ] as const) {
    it(`${{ dead: 'says that the token is dead by', refused: 'is not asked again after', retry: 'is asked later after' }[outcome.kind]} ${name}`, async () => {
      expect(await outcomeOf(reply as Reply)).toStrictEqual(outcome);
      expect([sends().length, issued().length]).toStrictEqual([1, 1]);
    });
  }

  it('says that a token is dead by SENDER_ID_MISMATCH once our account is known good, and by INVALID_ARGUMENT where it is told so', async () => {
    const transport = await fcm(({ json }) => {
      const { token } = json.message;
      return token === fcmToken('good')
        ? { body: { name: 'x' } }
        : error(
            token === fcmToken('foreign') ? 403 : 400,
            token === fcmToken('foreign') ? 'SENDER_ID_MISMATCH' : 'INVALID_ARGUMENT',
          );
    });
    const send = async (token: string) =>
      (await transport.send([message(token)], { signal }))[0]?.kind;
    expect([await send('foreign'), await send('odd')]).toStrictEqual(['refused', 'refused']);
    expect(await send('good')).toBe('delivered');
    // A message that is too large is told so too, and must not end the device.
    expect([await send('foreign'), await send('odd')]).toStrictEqual(['dead', 'refused']);
  });

  it('says that a token is dead where FCM names the registration token, and not for a large message', async () => {
    const told = (words: string) => {
      const details = [{ errorCode: 'INVALID_ARGUMENT' }];
      return { status: 400, body: { error: { code: 400, message: words, details } } };
    };
    const transport = await fcm(({ json }) =>
      told(
        json.message.token === fcmToken('bad')
          ? 'The registration token is not a valid FCM registration token'
          : 'Android message is too big',
      ),
    );
    const kinds = [];
    for (const token of ['bad', 'good'])
      kinds.push((await transport.send([message(token)], { signal }))[0]?.kind);
    expect(kinds).toStrictEqual(['dead', 'refused']);
  });

  for (const [name, token] of [
    ['500', { status: 500 }],
    ['400', { status: 400, body: { error: 'invalid_grant' } }],
    ['garbage', { body: 'x' }],
  ] as const) {
    it(`gets nothing while no access token is to be had (${name}); that is tried again`, async () => {
      const transport = await fcm(
        () => ({ body: {} }),
        () => token,
      );
      const [outcome] = await transport.send([message('t')], { signal });
      expect(outcome?.kind).toBe('retry');
      expect(sends()).toHaveLength(0);
      expect(JSON.stringify(outcome)).not.toContain('PRIVATE');
    });
  }

  it('never gets a payload of more than 4,096 bytes', async () => {
    const transport = await fcm(() => ({ body: {} }));
    expect(
      await transport.send([message('t', { data: { text: 'x'.repeat(4096) } })], { signal }),
    ).toStrictEqual([{ kind: 'refused', code: 'MessageTooBig' }]);
    expect(provider.received).toHaveLength(0);
  });
});
