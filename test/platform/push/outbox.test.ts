import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import webPush from 'web-push';
import { readConfig } from '../../../src/config/config.js';
import { openPush, outboxOf, transportNames } from '../../../src/platform/push/push.js';
import { DUE_NOW } from '../../support/provider.js';

describe('Pushes without a provider', () => {
  const folder = mkdtempSync(join(tmpdir(), 'care-test-'));
  const file = join(folder, 'push-outbox.jsonl');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const signal = new AbortController().signal;
  const message = { ...DUE_NOW, id: 'a', token: 't', title: 'Hello', body: '', data: {} };

  it('are lines of JSON in the data directory that their owner alone may read', async () => {
    const push = openPush(readConfig({ DATA_DIR: folder }));
    expect(await push.fcm.send([message, { ...message, id: 'b' }], { signal })).toStrictEqual([
      { kind: 'delivered', code: 'outbox' },
      { kind: 'delivered', code: 'outbox' },
    ]);
    await push.web.send([message], { signal });
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ kind, message_id }) => [kind, message_id])).toStrictEqual([
      ['fcm', 'a'],
      ['fcm', 'b'],
      ['web', 'a'],
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(outboxOf(push, folder)).toBe(file);
  });

  it('begin a new file at 10 MiB, and keep one older', async () => {
    const push = openPush(readConfig({ DATA_DIR: folder }));
    writeFileSync(file, 'x'.repeat(10 * 1024 * 1024));
    await push.fcm.send([message], { signal });
    await push.fcm.send([message], { signal });
    expect(statSync(file).size).toBeLessThan(1000);
    expect(statSync(join(folder, 'push-outbox.1.jsonl')).size).toBeGreaterThan(10 * 1024 * 1024);
  });

  it('are forgotten by token, in both files', async () => {
    const push = openPush(readConfig({ DATA_DIR: folder }));
    const older = join(folder, 'push-outbox.1.jsonl');
    writeFileSync(file, '{"torn":');
    writeFileSync(older, '');
    await push.fcm.send([{ ...message, token: 'mine' }, message], { signal });
    writeFileSync(older, readFileSync(file));
    await push.fcm.forget?.(['mine', 'another']);
    for (const each of [file, older]) {
      const text = readFileSync(each, 'utf8');
      expect(!text.includes('mine') && text.includes('"token":"t"'), text).toBe(true);
    }
  });

  it('are tried again later when they cannot be written', async () => {
    const push = openPush(readConfig({ DATA_DIR: join(folder, 'nowhere') }));
    expect(await push.expo.send([message], { signal })).toStrictEqual([
      { kind: 'retry', code: 'ENOENT' },
    ]);
  });

  it('are nowhere while there is any provider', () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const key = join(folder, 'key.json');
    writeFileSync(
      key,
      JSON.stringify({ project_id: 'p', client_email: 'e', private_key: privateKey }),
    );
    const vapid = webPush.generateVAPIDKeys();
    const environment = {
      EXPO_ACCESS_TOKEN: 'x',
      FCM_SERVICE_ACCOUNT: key,
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      VAPID_SUBJECT: 'mailto:a@example.com',
    };
    const all = openPush(readConfig(environment));
    expect(transportNames(all)).toStrictEqual({ expo: 'expo', fcm: 'fcm', web: 'web' });
    expect(outboxOf(all, folder)).toBeUndefined();
    const { FCM_SERVICE_ACCOUNT, ...others } = environment;
    expect(transportNames(openPush(readConfig(others)))).toStrictEqual({
      expo: 'expo',
      fcm: 'none',
      web: 'web',
    });
    expect(outboxOf(openPush(readConfig(others)), folder)).toBeUndefined();
  });
});
