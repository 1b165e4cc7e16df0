import { promisify } from 'node:util';
import { guardedLookup, isPublicAddress } from '../../../src/platform/fetch/addresses.js';
import { isPublicEndpoint } from '../../../src/platform/push/token.js';

const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  'fe80::1',
  'fc00::1',
  'fd12::1',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2001::1',
  'example.com',
  '',
];
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.0.1',
  '172.32.0.1',
  '192.169.0.1',
  '2606:4700::1111',
  '2a00:1450::1',
];

describe('Addresses of the public internet', () => {
  it('are those that IANA gives to nobody in particular', () => {
    for (const address of PRIVATE) expect(isPublicAddress(address), address).toBe(false);
    for (const address of PUBLIC) expect(isPublicAddress(address), address).toBe(true);
  });

  it('are the only ones that a guarded name resolves to', async () => {
    const resolve = (allowed: (address: string) => boolean, all: boolean) =>
      promisify((done: (error: Error | null, found: unknown) => void) =>
        guardedLookup(allowed)('localhost', { all }, done),
      )();
    await expect(resolve(isPublicAddress, true)).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
    await expect(resolve(isPublicAddress, false)).rejects.toMatchObject({
      code: 'PRIVATE_ADDRESS',
    });
    expect(await resolve(() => true, true)).toBeTruthy();
    expect(await resolve(() => true, false)).toBeTruthy();
  });
});

describe('The endpoint of a Web Push subscription', () => {
  const good = (endpoint: string, loopback = false) => isPublicEndpoint(endpoint, { loopback });

  it('is https on a public host', () => {
    for (const endpoint of [
      'https://fcm.googleapis.com/fcm/send/x',
      'https://web.push.apple.com/x',
      'https://1.1.1.1/x',
      'https://[2606:4700::1111]/x',
    ])
      expect(good(endpoint), endpoint).toBe(true);
    for (const endpoint of [
      'http://fcm.googleapis.com/x',
      'ftp://x.com/',
      'https://u:p@x.com/',
      'https://localhost/',
      'https://x.local/',
      'https://a.internal/',
      'https://intranet/',
      'https://localhost./',
      'https://0177.0.0.1/',
      'https://[::1]/',
      'javascript:x',
      '',
      '/x',
    ])
      expect(good(endpoint), endpoint).toBe(false);
  });

  it('is on this machine only where a test says so', () => {
    expect(good('http://127.0.0.1:3000/x', true)).toBe(true);
    expect(good('http://localhost:3000/x', true)).toBe(true);
    expect(good('http://10.0.0.1/x', true)).toBe(false);
  });
});
