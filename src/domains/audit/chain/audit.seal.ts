import { createHash, createHmac } from 'node:crypto';
import type { Keys } from '../../../platform/keys.js';
import { isSameText } from '../../../platform/same-text.js';

/** A sealed batch of rows. */
export interface Seal {
  /** Starts at 1, without gaps. */
  readonly number: number;
  /** Milliseconds since 1970, as text. */
  readonly at: string;
  /** Ids of the rows, in rising order. */
  readonly ids: readonly string[];
  /**
   * Digests of the rows, in the order of `ids`. REJECTED for a row that the service had not written
   * when it was sealed.
   */
  readonly digests: readonly string[];
  /** Head of the previous seal; the empty text for the first. */
  readonly previous: string;
  /** SHA-256 of all fields above, so a head determines all seals before it. */
  readonly head: string;
  readonly keyId: string;
  /** MAC of the head, by a key that is not in the database. */
  readonly mac: string;
}

/** An exported state of the chain: the number of a seal, its last row and its head. */
export interface Head {
  readonly number: number;
  readonly row: string;
  readonly head: string;
}

/** The seal up to which the audit was pruned. */
export interface Checkpoint {
  readonly number: number;
  readonly head: string;
  /** No unsealed row is older than this. Milliseconds since 1970, as text. */
  readonly before: string;
  readonly keyId: string;
  readonly mac: string;
}

/** Stands for the digest of a row that the service did not write. */
export const REJECTED = '';
const SEAL = 'audit-seal';
const CHECKPOINT = 'audit-checkpoint';

/**
 * Returns the head that a seal must have. It covers the name of the key, so a seal cannot be moved
 * to another key.
 */
export function headOf({
  number,
  at,
  ids,
  digests,
  previous,
  keyId,
}: Omit<Seal, 'head' | 'mac'>): string {
  return createHash('sha256')
    .update(JSON.stringify([number, at, ids, digests, previous, keyId]))
    .digest('base64url');
}

/** Makes the seal of a batch with the current key. */
export function makeSeal(keys: Keys, batch: Omit<Seal, 'head' | 'keyId' | 'mac'>): Seal {
  const { id: keyId, bytes } = keys.current(SEAL);
  const head = headOf({ ...batch, keyId });
  return {
    ...batch,
    keyId,
    head,
    mac: createHmac('sha256', bytes).update(head).digest('base64url'),
  };
}

/** Returns whether the service made this head; undefined when its key is not known. */
export function isSealed(
  keys: Keys,
  { head, keyId, mac }: Pick<Seal, 'head' | 'keyId' | 'mac'>,
): boolean | undefined {
  const key = keys.named(SEAL, keyId);
  return key && isSameText(createHmac('sha256', key.bytes).update(head).digest('base64url'), mac);
}

/**
 * Returns whether the seal uses the key that is being replaced. A seal with the current key must
 * follow before that key is revoked.
 */
export const isOutdated = (keys: Keys, { keyId }: Pick<Seal, 'keyId'>) =>
  keys.previous(SEAL)?.id === keyId;

/** Signs the state of the chain at a seal. */
export function makeCheckpoint(
  keys: Keys,
  state: Pick<Checkpoint, 'number' | 'head' | 'before'>,
): Checkpoint {
  const { id: keyId, bytes } = keys.current(CHECKPOINT);
  return { ...state, keyId, mac: macOf(bytes, state) };
}

/** Returns whether the service made this checkpoint; undefined when its key is not known. */
export function isSigned(keys: Keys, { keyId, mac, ...state }: Checkpoint): boolean | undefined {
  const key = keys.named(CHECKPOINT, keyId);
  return key && isSameText(macOf(key.bytes, state), mac);
}

/**
 * Returns whether the checkpoint uses the key that is being replaced. It must be signed again
 * before that key is revoked.
 */
export const isCheckpointOutdated = (keys: Keys, { keyId }: Checkpoint) =>
  keys.previous(CHECKPOINT)?.id === keyId;

function macOf(
  key: Buffer,
  { number, head, before }: Pick<Checkpoint, 'number' | 'head' | 'before'>,
): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([number, head, before]))
    .digest('base64url');
}

/** Returns the line of a head in the file of heads: `2026-11-21T03:00:00.000Z 12 3456 <head>`. */
export function formatHead(at: string, { number, row, head }: Head): string {
  return `${new Date(Number(at)).toISOString()} ${number} ${row} ${head}`;
}

/** Reads the head from such a line, or from its last three words; undefined for anything else. */
export function parseHead(line: string): Head | undefined {
  const [, number, row, head] =
    /^(?:\S+ )?(\d{1,9}) (\d{1,19}) ([\w-]{43})$/.exec(line.trim()) ?? [];
  return number && row && head ? { number: Number(number), row, head } : undefined;
}
