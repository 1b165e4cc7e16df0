import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * IPv4 networks that are not part of the public internet (IANA's registry of special addresses).
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
] as const;
/**
 * In IPv6 only global unicast is public, except for documentation addresses and for tunnels that
 * carry IPv4 addresses.
 */
const GLOBAL_IPV6 = '2000::/3';
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;

const special = blockList([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const global6 = blockList([GLOBAL_IPV6]);
const loopback = blockList(['127.0.0.0/8', '::1/128']);

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Returns whether an IP address belongs to the public internet; false for IPv4 inside IPv6. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || special.check(address, familyOf(address))) return false;
  return isIP(address) === 4 || global6.check(address, 'ipv6');
}

/**
 * Names of private networks: of hosts of one network (RFC 6761, 6762, 7686, 8375, 9476), and in use,
 * of clusters and routers too. Names in arpa are those of infrastructure (RFC 3172).
 */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|alt|onion|test|invalid|default|svc|cluster|consul|mshome\.net|fritz\.box)$/;

/** Names that stand for an address which the name spells, or for this machine, by their owners' word. */
const DISGUISED_NAME =
  /(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|traefik\.me|localtest\.me|localho\.st|lvh\.me|vcap\.me|local\.gd|rbndr\.us|1u\.ms)$/;

/**
 * An IPv4 address as parts of a name, with dots or hyphens, and no digit or version around it. Nothing
 * is consumed, so that one that begins within another is found too.
 */
const SPELLED_IPV4 = /(?<![^.-])(?=(\d{1,3})([.-])(\d{1,3})\2(\d{1,3})\2(\d{1,3})(?![^.-]))/g;

/**
 * Returns whether an address of the web names a host of the public internet: a public IP address in
 * any spelling (the parser of addresses reads decimal, octal, hexadecimal and short ones), or a name
 * with a dot that belongs to no private network and does not spell a private address, as
 * `10.0.0.1.nip.io` does.
 *
 * This service never fetches such an address, so names are not looked up: what they stand for may
 * be another address tomorrow, or for another reader. What is fetched goes through `PublicFetch`,
 * which looks at the addresses that it connects to.
 */
export function isPublicPlace(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[|\]$|(?<!\.)\.+$/g, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  if (!host.includes('.') || PRIVATE_NAME.test(host) || DISGUISED_NAME.test(host)) return false;
  return [...host.matchAll(SPELLED_IPV4)].every(([, a, , b, c, d]) => {
    const spelled = [a, b, c, d].map(Number).join('.');
    return isIP(spelled) === 0 || isPublicAddress(spelled);
  });
}

/** Returns whether an IP address belongs to this machine. */
export const isLoopback = (address: string) =>
  isIP(address) !== 0 && loopback.check(address, familyOf(address));

/** Thrown while connecting: the name resolves to an address that must not be connected to. */
export class PrivateAddressError extends Error {
  readonly code = 'PRIVATE_ADDRESS';
}

/** Looks up all addresses of a name, as `lookup` of node:dns does. */
export type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Returns a DNS lookup for requests to addresses that users give. It fails with PrivateAddressError
 * unless every address of the name is allowed, so the connection goes to an address that was
 * checked. A request to a literal IP address does not call it: check such an address before.
 * `lookupAll`: by default the system's.
 */
export function guardedLookup(
  allowed: (address: string) => boolean,
  lookupAll: LookupAll = lookup,
): LookupFunction {
  return (hostname, options, callback) => {
    lookupAll(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address.`), '');
      if (!found.every(({ address }) => allowed(address)))
        return callback(new PrivateAddressError('The name stands for a private address.'), '');
      return options.all ? callback(null, found) : callback(null, first.address, first.family);
    });
  };
}
