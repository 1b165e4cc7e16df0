import { createHmac } from 'node:crypto';
import { accountKey } from '../../core/account-name.js';
import { decrypt, encrypt, type Keys } from '../../platform/keys.js';

/** The purpose of the keys that encrypt submissions. */
export const PURPOSE = 'form submission';
const EMAIL_PURPOSE = 'form submission email';

/** What is encrypted of a submission. */
export interface Person {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly phoneE164: string | null;
  /** Null where what was sent is no score. */
  readonly score: number | null;
  /** What was sent, of the fields that were read otherwise or not at all. */
  readonly asSent?: Readonly<Record<string, string>>;
}

/** Returns what binds an encrypted text to its row: it cannot be moved to another. */
const about = (receivedAt: Date, formId: number | null) =>
  `${formId ?? 'none'} ${receivedAt.toISOString()}`;

/** The columns of a submission that its encryption needs. */
export interface Sealed {
  readonly formId: number | null;
  readonly receivedAt: Date;
  readonly sealed: string;
  readonly keyId: string;
}

/** Returns the encrypted columns of a submission. */
export function sealPerson(
  keys: Keys,
  { formId, receivedAt }: Pick<Sealed, 'formId' | 'receivedAt'>,
  person: Person,
): Pick<Sealed, 'sealed' | 'keyId'> & { readonly emailHash: string } {
  const { id: keyId, bytes } = keys.current(PURPOSE);
  const sealed = encrypt(bytes, JSON.stringify(person), about(receivedAt, formId));
  return { sealed, keyId, emailHash: emailHashes(keys, person.email)[0] as string };
}

/** Returns what was encrypted; undefined when its key is gone. */
export function openPerson(keys: Keys, row: Sealed): Person | undefined {
  const key = keys.named(PURPOSE, row.keyId);
  const text = key && decrypt(key.bytes, row.sealed, about(row.receivedAt, row.formId));
  return text && (JSON.parse(text.toString()) as Person);
}

/** Returns what stands for an address, by each key; that of the current key is the first. */
export const emailHashes = (keys: Keys, email: string): string[] =>
  keys
    .all(EMAIL_PURPOSE)
    .map(({ bytes }) => createHmac('sha256', bytes).update(accountKey(email)).digest('base64url'));
