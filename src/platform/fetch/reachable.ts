import { isLoopback } from '../loopback.js';

/** Returns whether secrets may be sent to an address: https, or http to this machine. */
export function isReachableAddress(address: string): boolean {
  const { protocol, hostname } = URL.canParse(address)
    ? new URL(address)
    : { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
