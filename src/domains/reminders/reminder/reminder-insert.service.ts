import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { feedMoved, feedMoves } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import { firstPlan } from '../alert/alert-plan.service.js';
import type { Plan } from '../alert/plan.js';
import type { ReminderRow } from './reminder.service.js';
import { reminderColumns, reminderValues } from './reminder-row.sql.js';
import type { Sent } from './retry.service.js';

/** The fields of a reminder that is being made. */
type NewRow = Omit<Plan, 'endDate'> &
  Sent &
  Pick<
    ReminderRow,
    'kind' | 'accountId' | 'fingerprint' | 'creatorId' | 'createdAt' | 'updatedAt' | 'reading'
  > &
  Partial<Pick<ReminderRow, 'doubtedAt' | 'confirmedAt'>>;

const { sql } = Prisma;

/**
 * Inserts a reminder with the alerts of its first days, and moves the member's calendar: one
 * statement, of which the planner finds all or nothing. The caller holds the member.
 */
export async function insertPlanned(inner: RequestContext, made: NewRow): Promise<ReminderRow> {
  const from = sql`fresh`;
  const { frequencyType = null, schedule = null } = made;
  const planned = { ...made, frequencyType, schedule };
  const { alerts, ...columns } = firstPlan(inner, planned, sql`fresh.id`, from);
  const values = reminderValues(
    { ...(made as Partial<ReminderRow>), id: sql`fresh.id`, ...columns },
    from,
  );
  const moves = feedMoves(FeedKind.CALENDAR, sql`SELECT ${made.accountId}::int`);
  const [row] = await inner.rows<ReminderRow>(sql`
    WITH fresh AS (SELECT nextval(pg_get_serial_sequence('reminder', 'id'))::int AS id),
    made AS (INSERT INTO reminder ${values} RETURNING *),
    ${alerts ? sql`alerted AS (${alerts}),` : Prisma.empty}
    moved AS (${moves})
    SELECT ${reminderColumns} FROM made`);
  feedMoved(inner);
  return row as ReminderRow;
}
