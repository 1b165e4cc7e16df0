import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import { isPassing } from '../database/database.js';
import { describeFailure } from '../log.js';
import { registry } from '../metrics/metrics.js';

const passedOver = new Counter({
  name: 'care_jobs_passed_over_total',
  help: 'Rows that failed when a job worked on them alone, and were left for later, by job.',
  labelNames: ['job'],
  registers: [registry],
});

/**
 * Ids of rows that a batch works on; those that are better not divided, such as the rows of one
 * account, in one group.
 */
export type Groups<Id = number> = readonly (readonly Id[])[];

/** Work that is done in batches, and any part of a batch by itself. */
export interface Batch<Id = number> {
  readonly job: string;
  readonly log: Logger;
  /**
   * Works on what is due, all or nothing; with `among` on those rows alone, as far as they are
   * still due. Tells `holds` which rows it has taken before it works on them. Returns whether there
   * may be more.
   */
  run(holds: (groups: Groups<Id>) => void, among?: readonly Id[]): Promise<boolean>;
  /** Leaves a row that fails alone as it is, for later: `run` must not find it again at once. */
  passOver(id: Id): Promise<unknown>;
  /** What the log says for an id that names somebody. */
  nameOf?(id: Id): string;
}

/**
 * Runs a batch so that a row that cannot be worked on holds up no other: when a batch fails, its
 * halves are run, and so on down to single groups and single rows. What fails alone is passed over,
 * logged by its id and counted. Throws what is about the database and the moment and no fault of a
 * row. Returns whether there may be more.
 */
export async function isolate<Id = number>(batch: Batch<Id>, among?: Groups<Id>): Promise<boolean> {
  let held: Groups<Id> = [];
  try {
    return await batch.run((groups) => {
      held = groups;
    }, among?.flat());
  } catch (error) {
    if (held.length === 0 || isPassing(error)) throw error;
    const parts = partsOf(held);
    if (parts.length > 1) for (const part of parts) await isolate(batch, part);
    else for (const id of held.flat()) await passOver(batch, id, error);
    return true;
  }
}

/**
 * The same for items that are at hand: when `work` fails for all of them, it is done for each
 * alone; so nothing is begun more than twice. What fails alone is left undone.
 */
export async function isolateAmong<T extends { readonly id: number }>(
  items: readonly T[],
  { job, log }: Pick<Batch, 'job' | 'log'>,
  work: (part: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const run: Batch['run'] = async (holds, among = items.map(({ id }) => id)) => {
    const ids = new Set(among);
    holds([[...ids]]);
    await work(items.filter(({ id }) => ids.has(id)));
    return false;
  };
  if (items.length > 0) await isolate({ job, log, run, passOver: async () => {} });
}

/** Halves; of a single group its rows. */
function partsOf<Id>(groups: Groups<Id>): Groups<Id>[] {
  const [only = [], ...others] = groups;
  if (others.length === 0) return only.map((id) => [[id]]);
  const half = Math.ceil(groups.length / 2);
  return [groups.slice(0, half), groups.slice(half)];
}

async function passOver<Id>(batch: Batch<Id>, id: Id, error: unknown): Promise<void> {
  await batch.passOver(id);
  batch.log.error(
    { job: batch.job, id: batch.nameOf?.(id) ?? id, failure: describeFailure(error) },
    'a row failed alone and is passed over',
  );
  passedOver.inc({ job: batch.job });
}
