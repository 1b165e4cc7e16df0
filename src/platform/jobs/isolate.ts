import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import { isOutage, isTooLong } from '../database/database.js';
import { describeFailure } from '../log.js';
import { registry } from '../metrics/metrics.js';

const passedOver = new Counter({
  name: 'care_jobs_passed_over_total',
  help: 'Rows that failed when a job worked on them alone, and were left for later, by job.',
  labelNames: ['job'],
  registers: [registry],
});

/**
 * Ids of the rows of a batch, in groups. Rows that should stay together, such as those of one
 * account, are in one group.
 */
export type Groups<Id = number> = readonly (readonly Id[])[];

/** Work that is done in batches, and that can be done for any part of a batch. */
export interface WorkBatch<Id = number> {
  readonly job: string;
  readonly log: Logger;
  /**
   * Works on the rows that are due, all or none. With `among`, only on those of these rows that are
   * still due. Calls `holds` with the rows that it has taken, before it works on them. Returns
   * whether there may be more.
   */
  run(holds: (groups: Groups<Id>) => void, among?: readonly Id[]): Promise<boolean>;
  /** Postpones a row that fails alone: `run` must not find it again at once. */
  passOver(id: Id): Promise<unknown>;
  /** Returns what the log shows instead of an id that identifies a person. */
  nameOf?(id: Id): string;
  /** Whether a row that meets a time limit alone is passed over too. */
  readonly passesLate?: boolean;
  /** Ends the dividing of a batch that failed. */
  readonly stopping?: AbortSignal | undefined;
}

/** Rows that meet a time limit alone, one after the other, until the database seems to be slow. */
const MOST_LATE = 3;

interface Lateness {
  inARow: number;
  error?: unknown;
}

/**
 * Runs a batch so that a failing row does not block the others. When a batch fails, its halves are
 * run, and so on down to single groups and single rows. A row that fails alone is passed over,
 * logged by its id and counted. Throws temporary errors of the database, which no row causes. A
 * batch that meets a time limit is divided too; the error of what meets it alone is thrown once the
 * others are done, unless the batch `passesLate`, and at once by the third such row in a row.
 * Returns whether there may be more.
 */
export async function isolate<Id = number>(batch: WorkBatch<Id>): Promise<boolean> {
  const lateness: Lateness = { inARow: 0 };
  const isMore = await divide(batch, lateness);
  if (lateness.error) throw lateness.error;
  return isMore;
}

async function divide<Id>(
  batch: WorkBatch<Id>,
  lateness: Lateness,
  among?: Groups<Id>,
): Promise<boolean> {
  let taken: Groups<Id> = [];
  try {
    const isMore = await batch.run((groups) => {
      taken = groups;
    }, among?.flat());
    lateness.inARow = 0;
    return isMore;
  } catch (error) {
    const isLate = isTooLong(error);
    if (isOutage(error) || (taken.length === 0 && !isLate)) throw error;
    const parts = partsOf(taken);
    if (parts.length < 2) await leave(batch, lateness, taken.flat(), error);
    else
      for (const part of parts) if (!batch.stopping?.aborted) await divide(batch, lateness, part);
    return true;
  }
}

/** Leaves what failed alone for later. */
async function leave<Id>(
  batch: WorkBatch<Id>,
  lateness: Lateness,
  ids: readonly Id[],
  error: unknown,
): Promise<void> {
  const isLate = isTooLong(error);
  lateness.inARow = isLate ? lateness.inARow + 1 : 0;
  if (isLate && !(batch.passesLate && ids.length > 0)) lateness.error ??= error;
  else for (const id of ids) await passOver(batch, id, error);
  if (lateness.inARow >= MOST_LATE) throw error;
}

/**
 * Does the same for items that are already loaded. When `work` fails for all items together, it is
 * called for each item alone, so each item is tried at most twice. An item that fails alone is left
 * undone.
 */
export async function isolateAmong<T extends { readonly id: number }>(
  items: readonly T[],
  batch: Pick<WorkBatch, 'job' | 'log' | 'stopping'>,
  work: (part: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const run: WorkBatch['run'] = async (holds, among = items.map(({ id }) => id)) => {
    const ids = new Set(among);
    holds([[...ids]]);
    await work(items.filter(({ id }) => ids.has(id)));
    return false;
  };
  if (items.length > 0) await isolate({ ...batch, run, passOver: async () => {} });
}

/** Returns the two halves of several groups, or the single rows of one group. */
function partsOf<Id>(groups: Groups<Id>): Groups<Id>[] {
  const [only = [], ...others] = groups;
  if (others.length === 0) return only.map((id) => [[id]]);
  const half = Math.ceil(groups.length / 2);
  return [groups.slice(0, half), groups.slice(half)];
}

async function passOver<Id>(batch: WorkBatch<Id>, id: Id, error: unknown): Promise<void> {
  await batch.passOver(id);
  batch.log.error(
    { job: batch.job, id: batch.nameOf?.(id) ?? id, failure: describeFailure(error) },
    'a row failed alone and is passed over',
  );
  passedOver.inc({ job: batch.job });
}
