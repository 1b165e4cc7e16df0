/**
 * Returns whether a host name is this machine, judged by the name alone without a DNS lookup. IPv6
 * addresses may have brackets.
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
