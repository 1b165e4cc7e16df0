import { trimmed } from '../platform/trimming.js';

/**
 * Returns the key by which a user name or an e-mail address is compared and found. It ignores case,
 * spaces around the name, marks of direction around an address, and different encodings of a
 * character (Unicode's NFKC). Everything that looks up an account, an invitation or a counter by typed
 * text uses it.
 */
export function accountKey(name: string): string {
  const key = name.replaceAll('\0', '').normalize('NFKC').toLowerCase().normalize('NFKC').trim();
  return key.includes('@') ? trimmed(key) : key;
}

const ADDRESS = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/**
 * Returns whether a text has the form of an e-mail address. Who is reached by such a text is the
 * owner of the address, also where it is the user name of another account.
 */
export const isAddress = (text: string): boolean => ADDRESS.test(text);

/** What `keysOf` reads of an account. */
export interface NamedAccount {
  readonly usernameKey: string;
  readonly emailKey: string | null;
  readonly emailProvenAt: Date | null;
}

/**
 * Returns the keys of what others may have typed to reach an account: its user name, and its e-mail
 * address once that is proven. Before, and where the user name is an address, somebody else may own
 * the address.
 */
export const keysOf = ({ usernameKey, emailKey, emailProvenAt }: NamedAccount): string[] => [
  ...(emailProvenAt && emailKey ? [emailKey] : []),
  ...(isAddress(usernameKey) ? [] : [usernameKey]),
];

/**
 * Returns whether two addresses are the same mailbox. Ignores case. Does not ignore the differences
 * that `accountKey` ignores with NFKC, because such addresses may belong to different people.
 */
export function isSameMailbox(one: string, other: string): boolean {
  const folded = (address: string) => address.trim().normalize('NFC').toLowerCase();
  return folded(one) === folded(other);
}
