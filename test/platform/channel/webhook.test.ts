import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { readConfig } from '../../../src/config/config.js';
import { sealAddress } from '../../../src/platform/channel/channel-address.js';
import { openChannels } from '../../../src/platform/channel/channels.js';
import { WebhookTransport } from '../../../src/platform/channel/webhook.js';
import { signedHeaders } from '../../../src/platform/channel/webhook-signature.js';
import { Keys } from '../../../src/platform/keys.js';
import type { Outcome, PushMessage } from '../../../src/platform/push/push-transport.js';
import { DUE_NOW, type Reply } from '../../support/provider.js';
import { documentedVerification, Receiver, SECRET } from '../../support/receiver.js';

const going = new AbortController().signal;
const NUMBER = '+4930901820';
const keys = new Keys('a secret of at least thirty-two characters');

const message = (more: Partial<PushMessage> = {}): PushMessage => ({
  ...DUE_NOW,
  id: 'mFzWbVfJTgq6t0XW1e7H3A',
  token: sealAddress(keys, NUMBER),
  title: 'Reminder',
  body: 'It is time for your medicine.',
  data: { type: 'medicine_reminder' },
  kind: 'reminder',
  ...more,
});

describe('A text is posted to the receiver', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.stop());
  const channels = (variables = receiver.variables) => openChannels(readConfig(variables), keys);
  const send = async (more: Partial<PushMessage> = {}): Promise<Outcome | undefined> =>
    (await channels().sms.send([message(more)], { signal: going }))[0];

  it('signed, with what it says and until when, and no data of apps', async () => {
    expect(await send()).toStrictEqual({ kind: 'delivered', code: '204' });
    const [{ id, ...body } = { id: '' }] = receiver.texts;
    expect(id).toMatch(/^msg_[\w-]{43}$/);
    expect(body).toStrictEqual({
      channel: 'SMS',
      to: NUMBER,
      text: 'Reminder: It is time for your medicine.',
      kind: 'REMINDER',
      silent: false,
      due_at: '2026-03-01T08:00:00.000Z',
      expires_at: '2026-03-01T08:30:00.000Z',
    });
  });

  it('under an id that stays, and differs for another address, channel or message', async () => {
    await send();
    await send({ token: sealAddress(keys, NUMBER) });
    expect(new Set(receiver.texts.map(({ id }) => id)).size).toBe(1);
    await send({ token: sealAddress(keys, '+4930901821') });
    await send({ id: 'AAAAAAAAAAAAAAAAAAAAAA' });
    await channels().chat.send([message()], { signal: going });
    expect(new Set(receiver.texts.map(({ id }) => id)).size).toBe(4);
  });

  it('by the secret before too while it is replaced, and by no other', async () => {
    const other = `whsec_${Buffer.alloc(24, 'other').toString('base64')}`;
    const by = async (secrets: string) => {
      const variables = { ...receiver.variables, MESSAGES_WEBHOOK_SECRET: secrets };
      return (await channels(variables).sms.send([message()], { signal: going }))[0]?.kind;
    };
    expect(await by(`${other},${SECRET}`)).toBe('delivered');
    expect([await by(other), receiver.forged]).toStrictEqual(['retry', 1]);
  });

  const replies: [string, Reply, Outcome][] = [
    ['taken', { status: 202 }, { kind: 'delivered', code: '202' }],
    ['taken with garbage', { body: '\0<{' }, { kind: 'delivered', code: '200' }],
    ['failing', { status: 500 }, { kind: 'retry', code: '500', pause: false }],
    ['misconfigured', { status: 404 }, { kind: 'retry', code: '404', pause: false }],
    ['gone', { status: 410 }, { kind: 'dead', code: '410' }],
    [
      'gone by its body',
      { status: 422, body: { error: 'address_gone' } },
      { kind: 'dead', code: '422' },
    ],
    ['refused', { status: 422, body: { error: 'too long' } }, { kind: 'refused', code: '422' }],
    ['refused with garbage', { status: 400, body: '[nul' }, { kind: 'refused', code: '400' }],
    [
      'busy',
      { status: 429, headers: { 'Retry-After': '20' } },
      { kind: 'retry', code: '429', pause: true, after: 20_000 },
    ],
    [
      'down for a while',
      { status: 503, headers: { 'Retry-After': '7' } },
      { kind: 'retry', code: '503', pause: false, after: 7_000 },
    ],
    ['reset', { drop: true }, { kind: 'retry', code: 'network', pause: false }],
    [
      'an endless failure',
      { status: 500, body: 'x'.repeat(1024 * 1024 + 1) },
      { kind: 'retry', code: 'network', pause: false },
    ],
  ];
  it.each(replies)('whose answer is: %s', async (_, reply, outcome) => {
    receiver.reply = () => reply;
    expect(await send()).toStrictEqual(outcome);
    expect(receiver.texts).toHaveLength(1);
  });

  it('is not sent to where a redirect leads', async () => {
    const elsewhere = await Receiver.start();
    for (const status of [301, 302, 307, 308]) {
      receiver.reply = () => ({ status, headers: { location: elsewhere.url } });
      expect(await send()).toStrictEqual({ kind: 'retry', code: String(status), pause: false });
    }
    expect(elsewhere.texts).toHaveLength(0);
    await elsewhere.stop();
  });

  it('is given up after 8 seconds, and tried again', async () => {
    receiver.reply = () => ({ after: 60_000 });
    expect(await send()).toStrictEqual({ kind: 'retry', code: 'timeout', pause: false });
  });

  it('waits while its key is not known here', async () => {
    const token = sealAddress(new Keys('another secret of thirty-two characters'), NUMBER);
    expect(await send({ token })).toStrictEqual({ kind: 'retry', code: 'unknown_key' });
    expect(receiver.texts).toHaveLength(0);
  });
});

describe('What answers a text', () => {
  /** A server that writes bytes and keeps the connection open. */
  const raw = async (bytes: string, work: (transport: WebhookTransport) => Promise<void>) => {
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      socket.once('data', () => socket.write(bytes));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = { url, secrets: [Buffer.alloc(32)], addressOf: () => NUMBER };
    try {
      await work(new WebhookTransport('sms', options));
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  };

  it('may be no HTTP: the text is tried again', () =>
    raw('220 mail.example ESMTP\r\n', async (transport) =>
      expect(await transport.send([message()], { signal: going })).toStrictEqual([
        { kind: 'retry', code: 'network', pause: false },
      ]),
    ));

  it('may take the text with a body that never ends: the text is not sent again', () =>
    raw('HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\nx', async (transport) =>
      expect(await transport.send([message()], { signal: going })).toStrictEqual([
        { kind: 'delivered', code: '200' },
      ]),
    ));
});

describe('The signature of a text', () => {
  const [secret, id, at] = [
    'whsec_plJ3nmyCDGBKInavdOK15jsl',
    'msg_loFOjxBNrRLzqYUf',
    1731705121_000,
  ];
  const body = '{"event_type":"ping","data":{"success":true}}';
  const headers = signedHeaders([Buffer.from(secret.slice(6), 'base64')], { id, body, at });

  it('is that of the published example of Standard Webhooks', () => {
    expect(headers).toStrictEqual({
      'webhook-id': id,
      'webhook-timestamp': '1731705121',
      'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    });
  });

  it('is verified by the lines of docs/channels.md, which refuse everything else', async () => {
    const isGenuine = await documentedVerification();
    expect(isGenuine(headers, body, secret, at)).toBe(true);
    const changed = { ...headers, 'webhook-id': 'msg_2' };
    const other = `whsec_${Buffer.alloc(24).toString('base64')}`;
    expect([
      isGenuine(headers, `${body} `, secret, at),
      isGenuine(changed, body, secret, at),
      isGenuine(headers, body, other, at),
      isGenuine(headers, body, secret, at + 301_000),
      isGenuine({ ...headers, 'webhook-signature': 'v1,AAAA' }, body, secret, at),
      isGenuine({}, body, secret, at),
    ]).toStrictEqual([false, false, false, false, false, false]);
  });
});

describe('The configuration of channels is refused', () => {
  const url = 'https://texts.example/care';
  it.each([
    ['without a secret', { MESSAGES_WEBHOOK_URL: url }],
    ['without an address', { MESSAGES_WEBHOOK_SECRET: SECRET }],
    [
      'in plain http elsewhere',
      { MESSAGES_WEBHOOK_URL: 'http://texts.example', MESSAGES_WEBHOOK_SECRET: SECRET },
    ],
    [
      'with credentials',
      { MESSAGES_WEBHOOK_URL: 'https://a:b@texts.example', MESSAGES_WEBHOOK_SECRET: SECRET },
    ],
    [
      'with a short secret',
      { MESSAGES_WEBHOOK_URL: url, MESSAGES_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' },
    ],
    [
      'with three secrets',
      { MESSAGES_WEBHOOK_URL: url, MESSAGES_WEBHOOK_SECRET: [1, 2, 3].map(() => SECRET).join() },
    ],
  ])('%s', (_, variables) => {
    expect(() => readConfig(variables)).toThrow(/^MESSAGES_WEBHOOK_/);
  });
});
