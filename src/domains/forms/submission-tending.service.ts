import type { Deps } from '../../core/deps.js';
import { prune } from '../../core/pruning.js';
import { Prisma } from '../../generated/prisma/client.js';
import { RETENTION } from './form.service.js';
import { openPerson, PURPOSE, sealPerson } from './submission-seal.js';

const DAY = 24 * 60 * 60 * 1000;
const AT_ONCE = 500;

/**
 * Deletes submissions that are older than the retention of their forms, 180 days of no form, and encrypts those again
 * that SECRET_KEY_PREVIOUS encrypted. Returns how many were deleted. For a job.
 */
export async function tendSubmissions(
  deps: Pick<Deps, 'database' | 'clock' | 'keys'>,
  stopping?: AbortSignal,
): Promise<number> {
  const deleted = await pruneSubmissions(deps, stopping);
  let after = 0;
  do after = await sealSome(deps, after);
  while (after > 0 && !stopping?.aborted);
  return deleted;
}

/** Deletes form by form: an index has the submissions of each by their time. */
async function pruneSubmissions(
  { database: { db }, clock }: Pick<Deps, 'database' | 'clock'>,
  stopping?: AbortSignal,
): Promise<number> {
  const forms = await db.form.findMany({ select: { id: true, retentionDays: true } });
  let deleted = 0;
  for (const { id, retentionDays } of [{ id: null, retentionDays: null }, ...forms]) {
    const before = new Date(clock() - (retentionDays ?? RETENTION) * DAY);
    const ofForm = id === null ? Prisma.sql`form_id IS NULL` : Prisma.sql`form_id = ${id}::int`;
    const where = Prisma.sql`${ofForm} AND received_at < ${before}`;
    const by = Prisma.sql`form_id, received_at, id`;
    deleted += await prune(db, { table: Prisma.sql`form_submission`, where, by }, stopping);
  }
  return deleted;
}

/** Encrypts some again. Returns the id of the last one; 0 when none is left. */
async function sealSome(
  { database, keys }: Pick<Deps, 'database' | 'keys'>,
  after: number,
): Promise<number> {
  const previous = keys.previous(PURPOSE);
  if (!previous) return 0;
  const { formSubmission } = database.db;
  const where = { keyId: previous.id, id: { gt: after } };
  const rows = await formSubmission.findMany({ where, orderBy: { id: 'asc' }, take: AT_ONCE });
  for (const row of rows) {
    const person = openPerson(keys, row);
    // Only as it was read: it may have been deleted meanwhile.
    if (person)
      await formSubmission.updateMany({
        where: { id: row.id, sealed: row.sealed },
        data: sealPerson(keys, row, person),
      });
  }
  return rows.at(-1)?.id ?? 0;
}
