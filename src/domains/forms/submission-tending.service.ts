import type { Deps } from '../../core/deps.js';
import { RETENTION } from './form.service.js';
import { openPerson, PURPOSE, sealPerson } from './submission-seal.js';

const AT_ONCE = 500;

/**
 * Deletes submissions that are older than the retention of their forms, 180 days of no form, and encrypts those again
 * that SECRET_KEY_PREVIOUS encrypted. Returns how many were deleted. For a job.
 */
export async function tendSubmissions(
  deps: Pick<Deps, 'database' | 'clock' | 'keys'>,
): Promise<number> {
  const now = new Date(deps.clock());
  const deleted = await deps.database.db.$executeRaw`
    DELETE FROM form_submission s WHERE s.received_at < ${now.toISOString()}::timestamptz
      - interval '1 day' * COALESCE((SELECT f.retention_days FROM form f WHERE f.id = s.form_id),
        ${RETENTION}::int)`;
  let after = 0;
  do after = await sealSome(deps, after);
  while (after > 0);
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
