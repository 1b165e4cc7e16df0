import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import { recordAudit } from '../audit.service.js';
import { latestCheckpoint, latestSeal, sealsAfter } from '../audit-row.service.js';
import { makeCheckpoint } from './audit.seal.js';
import { lockChain } from './sealing.service.js';

/** Maximum number of seals that one transaction prunes. */
const BATCH = 20;
const DAY = 24 * 60 * 60 * 1000;

/**
 * Deletes rows and seals that were sealed before an instant. Signs the state of the chain there as
 * a checkpoint, at which verification then begins. Returns how many rows were deleted. The last
 * seal stays. A process that is killed has pruned fewer seals, but none partly. Verify first: what
 * is pruned can no longer be checked. Throws AUDIT_RETENTION for an instant within the last 24
 * hours.
 */
export async function pruneAudit(context: RequestContext, before: Date): Promise<number> {
  if (!(before.getTime() <= context.deps.clock() - DAY)) {
    throw refuse('AUDIT_RETENTION', 'The last 24 hours of the audit cannot be pruned.');
  }
  for (let rows = 0; ; ) {
    const pruned = await transact(context, (inner) => pruneBatch(inner, before));
    if (pruned === undefined) return rows;
    rows += pruned;
  }
}

async function pruneBatch(context: RequestContext, before: Date): Promise<number | undefined> {
  await lockChain(context);
  const [checkpoint, last] = [await latestCheckpoint(context), await latestSeal(context)];
  const seals = await sealsAfter(context, checkpoint?.number ?? 0, BATCH);
  const kept = seals.findIndex(
    ({ number, at }) => number === last?.number || Number(at) >= before.getTime(),
  );
  const old = kept < 0 ? seals : seals.slice(0, kept);
  const end = old.at(-1);
  if (!end) return undefined;
  const { count } = await context.db.auditEvent.deleteMany({
    where: { seal: { lte: end.number } },
  });
  await context.db.auditSeal.deleteMany({ where: { number: { lte: end.number } } });
  // Every unsealed row is younger than the last pruned seal. An older unsealed row must be a pruned
  // one that was inserted again.
  const made = makeCheckpoint(context.deps.keys, {
    number: end.number,
    head: end.head,
    before: end.at,
  });
  await context.db.auditCheckpoint.create({
    data: { ...made, before: new Date(Number(made.before)), at: context.now() },
    select: { number: true },
  });
  await recordAudit(context, {
    action: 'audit.prune',
    subjectId: null,
    detail: { seal: end.number, rows: count },
  });
  return count;
}
