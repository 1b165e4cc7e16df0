/**
 * Whether a host is this machine by its name alone; nothing is looked up. Addresses of IPv6 come
 * without brackets or with.
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
