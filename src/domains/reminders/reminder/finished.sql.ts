import { Prisma } from '../../../generated/prisma/client.js';

/**
 * Returns the condition that nothing of a reminder r is at or after an instant, nor was when it was
 * last planned: all of it had become rows by then, and nothing is to follow. What is taken as
 * needed is finished two days after it was made: it comes at no time.
 */
export const finishedBefore = (
  instant: Date,
): Prisma.Sql => Prisma.sql`(r.scheduled AND r.recognized AND r.plan_at IS NULL
  AND COALESCE(r.planned_until + make_interval(secs => r.lead_seconds)
    < ${instant.toISOString()}::timestamptz, false))`;
