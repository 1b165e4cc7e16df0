import { createHash, createHmac } from 'node:crypto';
import type { Keys } from '../../../platform/keys.js';
import { sameText } from '../audit.row.js';

/** A batch of rows as it was when it was sealed. */
export interface Seal {
  /** From 1, without gaps. */
  readonly number: number;
  /** Milliseconds since 1970, as text. */
  readonly at: string;
  /** Of the rows, rising. */
  readonly ids: readonly string[];
  /**
   * Of the rows, in the order of `ids`; REJECTED for a row that was not the service's when it was
   * sealed.
   */
  readonly digests: readonly string[];
  /** Head of the seal before; the empty text before the first. */
  readonly previous: string;
  /** SHA-256 of all of the above: who knows a head knows everything that leads to it. */
  readonly head: string;
  readonly keyId: string;
  /** Of the head, by a key that the database does not hold. */
  readonly mac: string;
}

/**
 * A state of the chain that was exported: which head the seal of this number has, and the last row
 * in it.
 */
export interface Head {
  readonly number: number;
  readonly row: string;
  readonly head: string;
}

/** Up to which seal the audit was pruned. */
export interface Checkpoint {
  readonly number: number;
  readonly head: string;
  /** No row that waits for its seal is older; milliseconds since 1970, as text. */
  readonly before: string;
  readonly keyId: string;
  readonly mac: string;
}

export const REJECTED = '';
const SEAL = 'audit-seal';
const CHECKPOINT = 'audit-checkpoint';

/**
 * The head that a seal must have. It covers the name of the key, so a seal cannot be moved to
 * another.
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

/** Makes the seal of a batch under the current key. */
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

/** Whether the service made this head; undefined when its key is not known any more. */
export function isSealed(
  keys: Keys,
  { head, keyId, mac }: Pick<Seal, 'head' | 'keyId' | 'mac'>,
): boolean | undefined {
  const key = keys.named(SEAL, keyId);
  return key && sameText(createHmac('sha256', key.bytes).update(head).digest('base64url'), mac);
}

/**
 * Whether the seal is under the key that is being replaced: one under the current key must follow
 * before that key is revoked.
 */
export const isOutdated = (keys: Keys, { keyId }: Pick<Seal, 'keyId'>) =>
  keys.previous(SEAL)?.id === keyId;

/** Signs how the chain stands at a seal. */
export function makeCheckpoint(
  keys: Keys,
  state: Pick<Checkpoint, 'number' | 'head' | 'before'>,
): Checkpoint {
  const { id: keyId, bytes } = keys.current(CHECKPOINT);
  return { ...state, keyId, mac: macOf(bytes, state) };
}

/** Whether the service made this checkpoint; undefined when its key is not known. */
export function isSigned(keys: Keys, { keyId, mac, ...state }: Checkpoint): boolean | undefined {
  const key = keys.named(CHECKPOINT, keyId);
  return key && sameText(macOf(key.bytes, state), mac);
}

/**
 * Whether the checkpoint is under the key that is being replaced: it must be signed anew before
 * that key is revoked.
 */
export const isFading = (keys: Keys, { keyId }: Checkpoint) =>
  keys.previous(CHECKPOINT)?.id === keyId;

function macOf(
  key: Buffer,
  { number, head, before }: Pick<Checkpoint, 'number' | 'head' | 'before'>,
): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([number, head, before]))
    .digest('base64url');
}

/**
 * How a head is written in the file of heads, and read again: `2026-11-21T03:00:00.000Z 12 3456
 * <head>`.
 */
export function formatHead(at: string, { number, row, head }: Head): string {
  return `${new Date(Number(at)).toISOString()} ${number} ${row} ${head}`;
}

/** The head in such a line, or in its last three words; undefined for anything else. */
export function parseHead(line: string): Head | undefined {
  const [, number, row, head] =
    /^(?:\S+ )?(\d{1,9}) (\d{1,19}) ([\w-]{43})$/.exec(line.trim()) ?? [];
  return number && row && head ? { number: Number(number), row, head } : undefined;
}
