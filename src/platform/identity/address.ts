/** Whether a host name is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Whether something secret may be sent to an address: https, or http that does not leave this
 * machine.
 */
export function isReachableAddress(address: string): boolean {
  const { protocol, hostname } = URL.canParse(address)
    ? new URL(address)
    : { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
