import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';

/**
 * Which proxies may set X-Forwarded-For: a number of proxies before the service, or a list of their
 * addresses. Default: none.
 */
export type Trust = number | BlockList;

/**
 * Reads TRUSTED_PROXIES: a number from 0 to 9, or a comma-separated list of addresses and CIDR
 * ranges. Returns undefined for anything else.
 */
export function parseTrust(text: string): Trust | undefined {
  if (/^\d$/.test(text)) return Number(text);
  const list = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [address = '', prefix] = entry.split('/');
    const bits = isIPv4(address) ? 32 : 128;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (!isIP(address) || length < 0 || length > bits) return undefined;
    list.addSubnet(address, length, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}

/**
 * Returns the address that a request comes from. That is the address of the connection, or, behind
 * trusted proxies, the right-most address of X-Forwarded-For that is not a trusted proxy. Addresses
 * further left were written by the caller and are ignored.
 */
export function callerAddress(
  remote: string | undefined,
  forwarded: string | undefined,
  trust: Trust,
): string {
  let caller = normalizedAddress(remote ?? '') ?? '';
  if (trust === 0 || !forwarded) return caller;
  const named = forwarded.split(',');
  for (let hops = 0; isTrusted(caller, hops, trust); hops++) {
    const before = normalizedAddress(named.pop()?.trim() ?? '');
    if (!before) break; // the proxy gave no readable address: it counts as the caller
    caller = before;
  }
  return caller;
}

const isTrusted = (address: string, hops: number, trust: Trust) =>
  typeof trust === 'number'
    ? hops < trust
    : isIP(address) !== 0 && trust.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

/**
 * Returns the network that a connection is counted for, as `networkOf` writes it. Undefined for a
 * connection of a trusted proxy, which serves many callers.
 */
export function holderOf(remote: string | undefined, trust: Trust): string | undefined {
  const peer = callerAddress(remote, undefined, 0);
  return isTrusted(peer, 0, trust) ? undefined : networkOf(peer);
}

/**
 * Returns an address in its shortest form, without port, brackets and zone; IPv4 inside IPv6
 * becomes IPv4. Undefined when the text is no address.
 */
function normalizedAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const [, bracketed, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  const [bare = ''] = (bracketed ?? withPort ?? text).split('%');
  if (!isIPv6(bare)) return isIPv4(bare) ? bare : undefined;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address;
}

/**
 * Returns what identifies one caller: an IPv4 address, or the /64 network of an IPv6 address in the
 * form of `callerAddress`. One internet connection usually gets a whole /64 and can change the rest
 * of its address freely.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  // '::' replaces the missing zero groups; only the first four groups matter.
  while (tail !== undefined && groups.length < 8 - (tail === '' ? 0 : tail.split(':').length))
    groups.push('0');
  return `${groups
    .concat(tail ? tail.split(':') : [])
    .slice(0, 4)
    .join(':')}::/64`;
}
