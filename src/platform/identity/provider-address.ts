/** Returns whether a host name is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Returns whether secrets may be sent to an address: https, or http to this machine. */
export function isReachableAddress(address: string): boolean {
  const { protocol, hostname } = URL.canParse(address)
    ? new URL(address)
    : { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
