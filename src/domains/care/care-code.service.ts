import { createHmac, randomInt } from 'node:crypto';
import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { transact } from '../../core/transact.js';
import { recordAudit } from '../audit/audit.service.js';
import { guardCode } from '../sign-in/limits/sign-in-limits.service.js';

/** Maximum number of wrong codes of one account in an hour. A code has 39 bits. */
const MOST_TRIES = 10;
const HOUR = 60 * 60 * 1000;
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'; // without characters that are easily confused
const PURPOSE = 'care-invitation';

/** Returns a random code of an invitation, of 8 characters. */
export const makeCode = () =>
  Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/**
 * Returns the hashes of a code, one for each key, the current key first. Without SECRET_KEY a hash
 * is useless, although the code is short.
 */
export function hashesOf({ deps }: RequestContext, code: string): string[] {
  const plain = code.toUpperCase().replace(/[\s-]/g, '');
  return deps.keys
    .all(PURPOSE)
    .map(({ bytes }) => createHmac('sha256', bytes).update(plain).digest('base64url'));
}

/**
 * Audits a wrong code and throws CARE_CODE_INVALID. The audit events are also what `refuseGuessing`
 * counts.
 */
export async function refuseCode(context: RequestContext): Promise<never> {
  await transact(context, (inner) => recordAudit(inner, { action: 'care.code_wrong' }));
  throw codeInvalid();
}

/** Returns CARE_CODE_INVALID, for what is no guess. */
export const codeInvalid = () =>
  refuse('CARE_CODE_INVALID', 'This code is wrong, used or too old.', { param: 'code' });

/**
 * Throws TOO_MANY_REQUESTS when the viewer has sent too many wrong codes in an hour. Returns what to
 * call when the code was right.
 */
export async function refuseGuessing(context: RequestContext): Promise<() => Promise<void>> {
  // Also counts by address, because anybody can create guest accounts
  const wasRight = await guardCode(context, 'care', String(context.viewer.id));
  const since = new Date(context.now().getTime() - HOUR);
  const where = { actorId: context.viewer.id, action: 'care.code_wrong', at: { gt: since } };
  if ((await context.db.auditEvent.count({ where })) < MOST_TRIES) return wasRight;
  throw refuse('TOO_MANY_REQUESTS', 'Too many wrong codes. Try again in an hour.', {
    detail: { retryAfter: HOUR / 1000 },
  });
}
