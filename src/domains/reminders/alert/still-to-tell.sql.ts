import { Prisma } from '../../../generated/prisma/client.js';

const { sql } = Prisma;

/** Whether nobody answered for a row `o` of `occurrence`, and its reminder `r` is there. */
const UNANSWERED = sql`r.deleted_at IS NULL AND r.attended_at IS NULL
  AND NOT EXISTS (SELECT FROM dose d WHERE d.reminder_id = o.reminder_id AND d.planned_at = o.planned_at AND NOT d.extra)`;

/**
 * Whether such a row is the last that the member is told: it was not put off, and it was not
 * repeated since.
 */
const LAST = sql`NOT EXISTS (SELECT FROM occurrence later WHERE later.reminder_id = o.reminder_id AND later.planned_at = o.planned_at
    AND later.due_at > o.due_at AND later.channel = 'push'
    AND (later.state IN ('sent', 'late') OR later.state = 'planned' AND later.repetition IS NULL))`;

/** Whether who is told of a member is still a carer. */
const CARES = sql`EXISTS (SELECT FROM care_relation c WHERE c.member_id = n.about_id AND c.carer_id = n.account_id)`;

/**
 * Whether a notification `n` still has something to tell: a reminder, or what carers are told of
 * one as long as they are carers, while one of its occurrences is open, since an old message about
 * a dose that was taken invites to take it twice; any other always.
 */
export const STILL_TO_TELL = sql`(n.kind NOT IN ('reminder', 'missed') OR EXISTS (
  SELECT FROM occurrence o JOIN reminder r ON r.id = o.reminder_id
  WHERE o.id = ANY(n.occurrence_ids) AND ${UNANSWERED} AND CASE n.kind WHEN 'missed' THEN ${CARES} ELSE ${LAST} END))`;
