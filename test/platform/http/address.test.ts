import {
  callerAddress,
  networkOf,
  parseTrust,
  type Trust,
} from '../../../src/platform/http/address.js';

const trust = (text: string) => parseTrust(text) as Trust;

/** Connection, X-Forwarded-For, TRUSTED_PROXIES, whose request it is. */
const CALLERS: readonly (readonly [string, string | undefined, string, string])[] = [
  ['203.0.113.9', undefined, '0', '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', '0', '203.0.113.9'],
  ['203.0.113.9', undefined, '1', '203.0.113.9'],
  ['10.0.0.1', '198.51.100.1', '1', '198.51.100.1'],
  ['10.0.0.1', '1.1.1.1, 198.51.100.1', '1', '198.51.100.1'],
  ['10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', '2', '198.51.100.1'],
  ['10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2', '10.0.0.0/8', '198.51.100.1'],
  ['203.0.113.9', '198.51.100.1', '10.0.0.0/8', '203.0.113.9'],
  ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.0/8', '10.0.0.3'],
  ['10.0.0.1', '198.51.100.1, nonsense', '1', '10.0.0.1'],
  ['10.0.0.1', '', '1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '198.51.100.1:4711', '10.0.0.1', '198.51.100.1'],
  ['fd00::1', '[2001:DB8:0::1]:443', 'fd00::/8', '2001:db8::1'],
  ['::ffff:203.0.113.9', undefined, '0', '203.0.113.9'],
];

describe('The address of a caller', () => {
  for (const [remote, forwarded, proxies, caller] of CALLERS) {
    it(`is ${caller} when ${remote} says "${forwarded}" and ${proxies} is trusted`, () => {
      expect(callerAddress(remote, forwarded, trust(proxies))).toBe(caller);
    });
  }

  it('counts IPv6 by the /64 that a line is given, IPv4 whole', () => {
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(networkOf('2001:db8:1:2:3::')).toBe('2001:db8:1:2::/64');
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('')).toBe('');
  });

  it('refuses a list of proxies that cannot be read', () => {
    for (const text of [
      'many',
      '10',
      '10.0.0.0/33',
      '10.0.0/8',
      'fd00::/129',
      '10.0.0.1,',
      '10.0.0.1/x',
    ])
      expect(parseTrust(text), text).toBeUndefined();
  });
});
