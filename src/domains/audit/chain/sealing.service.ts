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
  formatHead,
  isFading,
  isOutdated,
  isSealed,
  isSigned,
  makeCheckpoint,
  makeSeal,
  parseHead,
  REJECTED,
} from './audit.seal.js';

/** Rows in a seal at most. */
const BATCH = 1_000;
/** Seals of one run at most; what is left waits for the next. */
const MOST = 200;

/**
 * Seals what was written to the audit since the last time, in batches, and exports the head;
 * answers how many rows. For a job: several processes may run it at once, and be killed in it.
 *
 * Rows are sealed by membership, not by order of ids: a seal takes whatever is committed and has no
 * seal, lists it, and marks it in the same transaction. So ids that commit out of order or never
 * need no waiting and no knowledge of running transactions: a row that commits late is simply in a
 * later seal, and a database that was dumped and restored, where transaction ids start anew, goes
 * on sealing.
 *
 * Before sealing, rows carry a mac by a key that the database does not hold. A row whose mac is
 * wrong, that copies another or is older than what was pruned is sealed as REJECTED: verification
 * names it for ever. Only deleting a row before it is sealed leaves no trace.
 *
 * What is under a key that this process does not know waits for a process that knows it, and is
 * logged: rows are not sealed, and after a seal under such a key nothing is, because a seal vouches
 * for all seals before it.
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
 * Lets one process at a time work on the chain; false when another does. Held until the transaction
 * ends.
 */
async function holdChain(context: RequestContext): Promise<boolean> {
  const [lock] = await context.db.$queryRaw<{ got: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('audit chain', 0)) AS got`;
  return lock?.got === true;
}

/** Waits for the chain; see `holdChain`. */
export async function awaitChain({ db }: RequestContext): Promise<void> {
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
  if (!(await holdChain(context))) return 0;
  const { keys, log } = context.deps;
  const [last, checkpoint] = [await latestSeal(context), await latestCheckpoint(context)];
  if (checkpoint && isFading(keys, checkpoint) && isSigned(keys, checkpoint)) {
    const { keyId, mac } = makeCheckpoint(keys, checkpoint);
    await context.db.auditCheckpoint.update({
      where: { number: checkpoint.number },
      data: { keyId, mac },
    });
  }
  if (last && isSealed(keys, last) === undefined) {
    log.error(
      { seal: last.number, keyId: last.keyId },
      'the last seal of the audit is under a key that is none of ours: sealing waits',
    );
    return 0;
  }
  const rows = await rowsToSeal(context, rowKeyIds(keys), BATCH);
  // A change of the key is sealed even when nothing else happened: later keys vouch for what
  // earlier ones sealed.
  if (rows.length === 0 && !(last && isOutdated(keys, last))) return 0;
  const before = checkpoint ? Number(checkpoint.before) : Number.NEGATIVE_INFINITY;
  const accept = (row: LooseRow) =>
    isGenuine(keys, row) === true && !row.copied && Number(row.at) >= before;
  const digests = rows.map((row) => (accept(row) ? digestOf(row) : REJECTED));
  const rejected = rows.filter((_, i) => digests[i] === REJECTED).map(({ id }) => id);
  if (rejected.length > 0)
    log.error({ rows: rejected }, 'the audit holds rows that the service did not write');
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
    UPDATE audit_event SET seal = ${seal.number} WHERE id = ANY(${ids}::text[]::bigint[]) AND seal IS NULL`;
  return rows.length;
}

interface State {
  readonly number: number;
  readonly head: string;
}
const later = (a: State | undefined, b: State | undefined) =>
  a && b ? (a.number > b.number ? a : b) : (a ?? b);

/**
 * Says how the chain stands where the database cannot take it back: in the log, and in the file
 * AUDIT_HEAD_FILE, one line for each head. A file that cannot be written is logged, and keeps
 * nobody from sealing.
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
