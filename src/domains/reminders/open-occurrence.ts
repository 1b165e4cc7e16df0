import { Prisma } from '../../generated/prisma/client.js';

const { sql } = Prisma;

/**
 * Whether a row `o` of `occurrence` is still to be told to the member: its reminder `r` is there, nobody answered, it was not put off, and it
 * was not repeated since.
 */
const OPEN = sql`r.deleted_at IS NULL AND r.attended_at IS NULL
  AND NOT EXISTS (SELECT FROM dose d WHERE d.reminder_id = o.reminder_id AND d.planned_at = o.planned_at AND NOT d.extra)
  AND NOT EXISTS (SELECT FROM occurrence later WHERE later.reminder_id = o.reminder_id AND later.planned_at = o.planned_at
    AND later.due_at > o.due_at AND later.channel = 'push'
    AND (later.state IN ('sent', 'late') OR later.state = 'planned' AND later.repetition IS NULL))`;

/**
 * Whether a notification `n` still has something to tell: one that is no reminder always; a reminder while one of its occurrences is open,
 * since an old message about a dose that was taken invites to take it twice.
 */
export const STILL_TO_TELL = sql`(n.kind <> 'reminder' OR EXISTS (
  SELECT FROM occurrence o JOIN reminder r ON r.id = o.reminder_id WHERE o.id = ANY(n.occurrence_ids) AND ${OPEN}))`;
