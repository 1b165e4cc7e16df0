import { Prisma } from '../../../generated/prisma/client.js';
import { UNANSWERED } from './unanswered.sql.js';

const { sql } = Prisma;

/**
 * The condition that a row `alert` is the last that the member is notified about its occurrence:
 * this was not put off, and no repetition has gone out since.
 */
const LAST = sql`NOT EXISTS (SELECT FROM reminder_alert later
  WHERE later.reminder_id = alert.reminder_id AND later.planned_at = alert.planned_at
    AND later.due_at > alert.due_at AND later.cause <> 'carers'
    AND (later.state IN ('sent', 'late') OR later.state = 'planned' AND later.cause = 'snooze'))`;

/**
 * The condition that whoever a notification `n` tells of a member is still a carer of this member.
 */
const CARES = sql`EXISTS (SELECT FROM care_relation c
  WHERE c.member_id = n.about_id AND c.carer_id = n.account_id)`;

/**
 * The condition that a notification `n` of stock names a medicine that is still taken: neither
 * deleted, nor ended before the notification was due, nor counted or filled up since. Expiring
 * packs are told of whatever was filled up.
 */
const STOCKED = sql`EXISTS (
  SELECT FROM reminder r JOIN medicine_stock s ON s.reminder_id = r.id
  WHERE r.id IN (SELECT jsonb_array_elements_text(n.data::jsonb -> 'reminder_ids')::int)
    AND r.deleted_at IS NULL AND (r.until_at IS NULL OR r.until_at >= n.send_at)
    AND (n.kind = 'stock_expiring' OR s.low_told_at IS NOT NULL))`;

/**
 * The condition that a notification `n` still has something to tell. A reminder has while one of
 * its occurrences is unanswered: an old message about a dose that was taken invites to take it
 * twice. What carers are notified has so too, as long as they are carers; also that a member has
 * never answered. What is told of stock has so while one of its medicines is taken. Any other
 * notification always has.
 */
export const STILL_TO_TELL = sql`(CASE WHEN n.kind IN ('stock_low', 'stock_expiring') THEN ${STOCKED}
  WHEN n.kind = 'no_answers' THEN ${CARES}
  WHEN n.kind IN ('reminder', 'missed') THEN EXISTS (
    SELECT FROM reminder_alert alert JOIN reminder r ON r.id = alert.reminder_id
    WHERE alert.id = ANY(n.alert_ids) AND ${UNANSWERED}
      AND CASE n.kind WHEN 'missed' THEN ${CARES} ELSE ${LAST} END)
  ELSE TRUE END)`;

/**
 * The condition that a notification `n` about reminders says what is so still: each of its occurrences is
 * unanswered and not put off, and no reminder of them was changed since, such as its name or time.
 */
export const STILL_AS_TOLD = sql`NOT EXISTS (
  SELECT FROM unnest(n.alert_ids) AS named(id)
    LEFT JOIN reminder_alert alert ON alert.id = named.id
    LEFT JOIN reminder r ON r.id = alert.reminder_id
  WHERE r.id IS NULL OR r.updated_at > n.created_at OR NOT ${UNANSWERED} OR NOT ${LAST})`;
