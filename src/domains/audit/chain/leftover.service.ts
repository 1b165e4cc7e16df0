import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { accountKeyIds } from '../account-key.service.js';
import { rowKeyIds } from '../audit.row.js';
import { latestCheckpoint, latestSeal, waitingRows } from '../audit-row.service.js';
import { isSealed, isSigned } from './audit.seal.js';

/**
 * Returns what of the audit cannot be read or continued with this process's keys, as the subject of
 * a sentence; undefined when there is nothing.
 */
export async function auditLeftover(context: RequestContext): Promise<string | undefined> {
  const { keys } = context.deps;
  const [seal, checkpoint] = [await latestSeal(context), await latestCheckpoint(context)];
  if (seal && isSealed(keys, seal) === undefined) return 'the last seal of the audit is';
  if (checkpoint && isSigned(keys, checkpoint) === undefined)
    return 'the checkpoint of the audit is';
  if ((await waitingRows(context, rowKeyIds(keys))).length > 0)
    return 'rows of the audit that wait for their seal are';
  const [kept] = await context.rows<{ id: number }>(Prisma.sql`
    SELECT account_id AS id FROM account_key
    WHERE wrapped IS NOT NULL AND key_id <> ALL(${accountKeyIds(keys)}::text[]) LIMIT 1`);
  return kept && 'keys of accounts are';
}
