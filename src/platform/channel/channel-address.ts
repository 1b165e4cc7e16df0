import { decrypt, encrypt, type Keys } from '../keys.js';

/** The purpose of the keys that encrypt addresses. */
const PURPOSE = 'channel address';

/** Returns an address as it is stored: the name of the key, and what the key encrypted. */
export function sealAddress(keys: Keys, address: string): string {
  const { id, bytes } = keys.current(PURPOSE);
  return `${id}.${encrypt(bytes, address, PURPOSE)}`;
}

/** Returns the address of a stored text; undefined when its key is gone. */
export function openAddress(keys: Keys, sealed: string): string | undefined {
  const [id = '', text = ''] = sealed.split('.');
  const key = keys.named(PURPOSE, id);
  return key && decrypt(key.bytes, text, PURPOSE)?.toString();
}

/** Returns the name of the key whose texts should be encrypted again; undefined when none should. */
export const outdatedKey = (keys: Keys): string | undefined => keys.previous(PURPOSE)?.id;
