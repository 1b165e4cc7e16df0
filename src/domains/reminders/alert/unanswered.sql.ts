import { Prisma } from '../../../generated/prisma/client.js';

/**
 * The condition that nobody has answered the occurrence of a row `alert` of `reminder_alert`, and
 * that its reminder, the row `r` of `reminder`, is neither deleted nor attended; and that it was
 * not withheld, and that its supply was not finished before.
 */
export const UNANSWERED = Prisma.sql`(r.deleted_at IS NULL AND r.attended_at IS NULL
  AND (alert.planned_at = ANY (r.withheld)) IS NOT TRUE
  AND (alert.planned_at > r.supplied_until) IS NOT TRUE
  AND NOT EXISTS (SELECT FROM dose d WHERE d.reminder_id = alert.reminder_id
    AND d.planned_at = alert.planned_at AND NOT d.extra))`;
