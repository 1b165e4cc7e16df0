import { createHash, createHmac } from 'node:crypto';
import type { Keys } from '../../platform/keys.js';
import { isSameText } from '../../platform/same-text.js';

/**
 * A complete row of the audit, as the chain reads it. Every value is as stored in the database,
 * also when it was tampered with.
 */
export interface AuditRow {
  readonly id: string;
  readonly uid: string;
  /** Milliseconds since 1970, as text. */
  readonly at: string | null;
  readonly actorId: number | null;
  readonly subjectId: number | null;
  readonly action: string;
  /**
   * Encrypted. The chain covers the ciphertext, so it stays verifiable after the key was erased.
   */
  readonly detail: string | null;
  readonly keyId: string;
  readonly mac: string;
}

/** The purpose of the key for the MACs of rows. */
const PURPOSE = 'audit-row';

/**
 * Returns the content of an event. The id is not included, because the database assigns it; events
 * are ordered by `at`.
 */
const contentOf = ({
  uid,
  at,
  actorId,
  subjectId,
  action,
  detail,
  keyId,
}: Omit<AuditRow, 'id' | 'mac'>) =>
  JSON.stringify([uid, at, actorId, subjectId, action, detail, keyId]);

/** Signs a new row. A row that was inserted into the database by hand cannot have this MAC. */
export function signRow(
  keys: Keys,
  row: Omit<AuditRow, 'id' | 'keyId' | 'mac'>,
): { keyId: string; mac: string } {
  const { id: keyId, bytes } = keys.current(PURPOSE);
  return {
    keyId,
    mac: createHmac('sha256', bytes)
      .update(contentOf({ ...row, keyId }))
      .digest('base64url'),
  };
}

/** Returns the names of the keys that can check rows. */
export const rowKeyIds = (keys: Keys): string[] => keys.all(PURPOSE).map(({ id }) => id);

/**
 * Returns whether the service wrote this row and nobody changed it since; undefined when its key is
 * not known.
 */
export function isGenuine(keys: Keys, row: AuditRow): boolean | undefined {
  const key = keys.named(PURPOSE, row.keyId);
  return (
    key &&
    isSameText(createHmac('sha256', key.bytes).update(contentOf(row)).digest('base64url'), row.mac)
  );
}

/** Returns the digest of a row for its seal. */
export function digestOf(row: AuditRow): string {
  return createHash('sha256')
    .update(JSON.stringify([contentOf(row), row.mac]))
    .digest('base64url');
}
