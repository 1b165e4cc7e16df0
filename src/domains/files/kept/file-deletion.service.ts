import { join } from 'node:path';
import type { Deps } from '../../../core/deps.js';
import { prune } from '../../../core/pruning.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { deleteLeftovers } from '../../../platform/storage/work-folder.js';
import { LIFETIME } from '../upload/upload.row.js';
import { WORK } from './keeping.service.js';

const { sql } = Prisma;
const AT_ONCE = 100;
/** Milliseconds after which a file that could not be deleted is tried again. */
const AGAIN = 60 * 60 * 1000;
/** Milliseconds for which a process may be late with a claim, by its clock and in its transaction. */
const LATE = 60_000;
const DAY = 24 * 60 * 60 * 1000;

/** SQL of the files to delete: see `Queue`. */
export const WAITING_DELETIONS = `
  SELECT due_at + interval '${LATE} ms' AS since FROM file_deletion
  WHERE due_at <= $1::timestamptz - interval '${LATE} ms' ORDER BY due_at`;

/**
 * Deletes the files whose time has come, then their rows: a process that dies in between does it
 * again. Files of media that are gone have such rows by a trigger, others had them before they
 * were written. One that cannot be deleted is left for an hour, and the others go on. Also ends uploads
 * of more than a day ago, and deletes what processes that died left unfinished. For a job; several
 * processes may do the same, since a file that is gone is deleted without a fault.
 */
export async function deleteFiles(deps: Deps, stopping: AbortSignal): Promise<void> {
  while ((await deleteSome(deps)) === AT_ONCE && !stopping.aborted) await giveWay();
  const ended = sql`created_at < ${new Date(deps.clock() - LIFETIME)}`;
  const rows = { table: sql`upload`, where: ended, by: sql`created_at` };
  await prune(deps.database.db, rows, stopping);
  const before = new Date(deps.clock() - DAY);
  await deps.storage.deleteLeftovers?.(before);
  await deleteLeftovers(join(deps.config.DATA_DIR, WORK), before);
}

/** Returns how many rows it worked off. */
async function deleteSome({ database, storage, clock, log }: Deps): Promise<number> {
  const { prisma } = database;
  const due = await prisma.fileDeletion.findMany({
    where: { dueAt: { lte: new Date(clock() - LATE) } },
    orderBy: { dueAt: 'asc' },
    take: AT_ONCE,
  });
  const deleted: string[] = [];
  const failed: string[] = [];
  for (const { key } of due) {
    try {
      await storage.delete(key);
      deleted.push(key);
    } catch (error) {
      failed.push(key);
      log.error({ err: error }, 'a file was not deleted');
    }
  }
  if (deleted.length > 0) await prisma.fileDeletion.deleteMany({ where: { key: { in: deleted } } });
  if (failed.length > 0)
    await prisma.fileDeletion.updateMany({
      where: { key: { in: failed } },
      data: { dueAt: new Date(clock() + AGAIN) },
    });
  return due.length;
}
