/**
 * How a user name or an e-mail address is compared and found: case, the ways to write a character
 * (Unicode's NFKC), and spaces around it do not count. Every place that looks for an account, an
 * invitation or a counter by what somebody typed uses this.
 */
export function accountKey(name: string): string {
  return name.replaceAll('\0', '').normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/**
 * Whether two addresses are one mailbox: case does not count, but what looks alike to `accountKey`
 * may be somebody else's.
 */
export function isSameMailbox(one: string, other: string): boolean {
  const folded = (address: string) => address.trim().normalize('NFC').toLowerCase();
  return folded(one) === folded(other);
}
