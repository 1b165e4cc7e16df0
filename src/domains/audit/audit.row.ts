import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../../platform/keys.js';

/**
 * A row of the audit, whole, as the chain sees it. Every value is what the database holds, also
 * when somebody changed it.
 */
export interface AuditRow {
  readonly id: string;
  readonly uid: string;
  /** Milliseconds since 1970, as text. */
  readonly at: string | null;
  readonly actorId: number | null;
  readonly subjectId: number | null;
  readonly action: string;
  /** Encrypted: the chain covers the ciphertext, so it stays verifiable when the key is gone. */
  readonly detail: string | null;
  readonly keyId: string;
  readonly mac: string;
}

/** The purpose of the key that makes the macs of rows. */
const PURPOSE = 'audit-row';

/** All that an event says. Not its id, which the database gives: the order of events is `at`. */
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

/** Signs a new row: a row that somebody writes into the database by hand cannot have this mac. */
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

/** The names of the keys that rows can be checked with. */
export const rowKeyIds = (keys: Keys): string[] => keys.all(PURPOSE).map(({ id }) => id);

/**
 * Whether the service wrote this row and nobody changed it since; undefined when its key is not
 * known.
 */
export function isGenuine(keys: Keys, row: AuditRow): boolean | undefined {
  const key = keys.named(PURPOSE, row.keyId);
  return (
    key &&
    sameText(createHmac('sha256', key.bytes).update(contentOf(row)).digest('base64url'), row.mac)
  );
}

/** What a seal remembers of a row. */
export function digestOf(row: AuditRow): string {
  return createHash('sha256')
    .update(JSON.stringify([contentOf(row), row.mac]))
    .digest('base64url');
}

/** Compares in constant time. */
export function sameText(expected: string, given: string | null): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given ?? '')];
  return a.length === b.length && timingSafeEqual(a, b);
}
