import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { appendLine, lastLines } from '../../../platform/journal.js';
import { rewrapAccountKeys } from '../account-key.service.js';
import { digestOf, isGenuine, rowKeyIds } from '../audit.row.js';
import {
  type LooseRow,
  latestCheckpoint,
  latestSeal,
  rowsToSeal,
  waitingRows,
} from '../audit-row.service.js';
import {
  type Checkpoint,
  formatHead,
  isCheckpointOutdated,
  isOutdated,
  isSealed,
  isSigned,
  makeCheckpoint,
  makeSeal,
  parseHead,
  REJECTED,
} from './audit.seal.js';

/** Maximum number of rows in a seal. */
const BATCH = 1_000;
/** Maximum number of seals in one run. The next run does the rest. */
const MOST = 200;

/**
 * SQL of the rows without a seal, whoever could seal them: see `Queue`. It orders by seal first, so that the planner does
 * not use the index of ids.
 */
export const UNSEALED = `
  SELECT CASE WHEN isfinite(at) THEN at END AS since FROM audit_event
  WHERE seal IS NULL ORDER BY seal, id`;

/**
 * Seals the unsealed rows of the audit in batches, and exports the head. Returns how many rows were
 * sealed. For a job: several processes may run it at the same time, and it may be killed at any
 * point.
 *
 * A seal lists the rows that it contains and does not depend on the order of ids. It takes
 * committed rows without a seal, lists them, and marks them in the same transaction. So it need not
 * wait for ids that commit out of order or never, and need not know running transactions. A row
 * that commits late is in a later seal. Sealing also continues in a database that was dumped and
 * restored, where transaction ids start again.
 *
 * Before sealing, each row has a MAC by a key that is not in the database. A row with a wrong MAC,
 * a copy of another row, and a row older than what was pruned are sealed as REJECTED: every
 * verification names them. Only the deletion of an unsealed row leaves no trace.
 *
 * Rows under a key that this process does not know are logged, and wait for a process that knows
 * it. After a seal under such a key nothing is sealed, because each seal confirms all seals before
 * it.
 */
export async function sealAudit(context: RequestContext): Promise<number> {
  let rows = 0;
  for (let run = 0; run < MOST; run++) {
    const sealed = await transact(context, sealBatch);
    rows += sealed;
    if (sealed < BATCH) break;
  }
  await tellWaiting(context);
  await rewrapAccountKeys(context);
  await exportHead(context);
  return rows;
}

/**
 * Takes the lock on the chain until the transaction ends. Returns false when another process has
 * it.
 */
async function tryLockChain(context: RequestContext): Promise<boolean> {
  const [lock] = await context.db.$queryRaw<{ got: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('audit chain', 0)) AS got`;
  return lock?.got === true;
}

/** Waits for the lock on the chain; see `tryLockChain`. */
export async function lockChain({ db }: RequestContext): Promise<void> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('audit chain', 0))`;
}

async function tellWaiting(context: RequestContext): Promise<void> {
  for (const { keyId, rows } of await waitingRows(context, rowKeyIds(context.deps.keys)))
    context.deps.log.error(
      { keyId, rows },
      'the audit holds rows under a key that is none of ours: they wait',
    );
}

async function sealBatch(context: RequestContext): Promise<number> {
  if (!(await tryLockChain(context))) return 0;
  const { keys, log } = context.deps;
  const [last, checkpoint] = [await latestSeal(context), await latestCheckpoint(context)];
  if (checkpoint) await signAnew(context, checkpoint);
  if (last && isSealed(keys, last) === undefined) {
    log.error(
      { seal: last.number, keyId: last.keyId },
      'the last seal of the audit is under a key that is none of ours: sealing waits',
    );
    return 0;
  }
  const rows = await rowsToSeal(context, rowKeyIds(keys), BATCH);
  // A change of the key is sealed even without new rows, because a seal with the new key confirms
  // the earlier seals.
  if (rows.length === 0 && !(last && isOutdated(keys, last))) return 0;
  const before = checkpoint ? Number(checkpoint.before) : Number.NEGATIVE_INFINITY;
  const digests = digestsOf(context, rows, before);
  const { number, head: previous } = [last, checkpoint].reduce(later, undefined) ?? {
    number: 0,
    head: '',
  };
  const ids = rows.map(({ id }) => id);
  const seal = makeSeal(keys, {
    number: number + 1,
    at: String(context.deps.clock()),
    ids,
    digests,
    previous,
  });
  const members = ids.map(BigInt);
  await context.db.auditSeal.create({
    data: { ...seal, at: new Date(Number(seal.at)), ids: members, digests },
    select: { number: true },
  });
  await context.db.$executeRaw`
    UPDATE audit_event SET seal = ${seal.number} WHERE id = ANY(${ids}::text[]::bigint[])
      AND seal IS NULL`;
  return rows.length;
}

/** Signs the checkpoint with the current key, if it has a valid signature by a former one. */
async function signAnew({ db, deps: { keys } }: RequestContext, checkpoint: Checkpoint) {
  if (!isCheckpointOutdated(keys, checkpoint) || !isSigned(keys, checkpoint)) return;
  const { keyId, mac } = makeCheckpoint(keys, checkpoint);
  await db.auditCheckpoint.update({ where: { number: checkpoint.number }, data: { keyId, mac } });
}

/**
 * Returns the digests of rows. A row is REJECTED, and logged, when the service did not write it,
 * when it is a copy, and when it is older than `before`, a time in milliseconds.
 */
function digestsOf(
  { deps: { keys, log } }: RequestContext,
  rows: readonly LooseRow[],
  before: number,
): string[] {
  const accept = (row: LooseRow) =>
    isGenuine(keys, row) === true && !row.copied && Number(row.at) >= before;
  const digests = rows.map((row) => (accept(row) ? digestOf(row) : REJECTED));
  const rejected = rows.filter((_, i) => digests[i] === REJECTED).map(({ id }) => id);
  if (rejected.length > 0)
    log.error({ rows: rejected }, 'the audit holds rows that the service did not write');
  return digests;
}

interface State {
  readonly number: number;
  readonly head: string;
}
const later = (a: State | undefined, b: State | undefined) =>
  a && b ? (a.number > b.number ? a : b) : (a ?? b);

/**
 * Exports the state of the chain to places outside of the database: to the log, and to the file
 * AUDIT_HEAD_FILE, one line for each head. An error in writing the file is logged and does not
 * prevent sealing.
 */
async function exportHead(context: RequestContext): Promise<void> {
  const { config, log } = context.deps;
  const last = await latestSeal(context);
  if (!last) return;
  const head = { number: last.number, row: last.ids.at(-1) ?? '0', head: last.head };
  try {
    const known = parseHead((await lastLines(config.AUDIT_HEAD_FILE)).at(-1) ?? '');
    if (known?.head === head.head) return;
    log.info({ seal: head.number, row: head.row, head: head.head }, 'audit head');
    await appendLine(config.AUDIT_HEAD_FILE, formatHead(last.at, head));
  } catch (error) {
    log.error(
      { err: error, seal: head.number, row: head.row, head: head.head },
      'the head of the audit could not be kept',
    );
  }
}
