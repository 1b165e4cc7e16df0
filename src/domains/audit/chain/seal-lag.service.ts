import type { Deps } from '../../../core/deps.js';

/**
 * Returns for how many milliseconds the first row of the audit without a seal has waited; 0 when all
 * are sealed. It orders by seal first, so that the planner does not use the index of ids.
 */
export async function sealLag({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  const [first] = await database.query<{ at: number | null }>(
    `SELECT CASE WHEN isfinite(at) THEN (extract(epoch FROM at) * 1000)::float8 END AS at
     FROM audit_event WHERE seal IS NULL ORDER BY seal, id LIMIT 1`,
  );
  return first?.at ? Math.max(0, clock() - first.at) : 0;
}
