import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { refuseStale } from '../../../core/row.js';
import { transact } from '../../../core/transact.js';
import { reopenAppointment } from '../alert/alert-answer.service.js';
import { startAtOf } from '../alert/planned.js';
import { eventOf } from '../calendar/event.types.js';
import { statusOf } from '../calendar/standing.js';
import { recordChange } from '../reminder/change.service.js';
import { locked, type ReminderRow, remindersById } from '../reminder/reminder.service.js';
import { memberOf } from '../setting/member.service.js';
import type { AttendAppointmentInput } from './dose.inputs.js';
import type { Answered } from './dose-payload.types.js';
import { refuseEarly } from './dose-time.js';

/**
 * Marks an appointment as attended, or takes the mark back; a mark that is there keeps its time.
 * Throws REMINDER_NOT_FOUND, CONFLICT, UNSCHEDULED without a date, TOO_EARLY.
 */
export async function attendAppointment(
  context: RequestContext,
  input: AttendAppointmentInput,
): Promise<Answered> {
  await transact(context, (inner) => attend(inner, input), { replayable: true });
  const row = (await context.loader(remindersById).load(input.id)) as ReminderRow;
  const { zone } = await memberOf(context, row.accountId);
  const at = startAtOf(row);
  const event = eventOf(row, at, statusOf(row, at, context.now().getTime()), zone);
  return { memberId: row.accountId, at, event };
}

async function attend(
  inner: RequestContext,
  { id, attended, version }: AttendAppointmentInput,
): Promise<number> {
  const row = await locked(inner, id);
  refuseStale('reminder', row, version);
  if (!row.scheduled) {
    const param = 'id';
    throw refuse('UNSCHEDULED', 'An appointment without a date cannot be attended.', { param });
  }
  if (attended !== false) refuseEarly(inner, startAtOf(row));
  if ((row.attendedAt !== null) === (attended !== false)) return id;
  const attendedAt = attended === false ? null : inner.now();
  const data = { attendedAt, updatedAt: inner.now(), version: { increment: 1 } };
  await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
  if (attended === false) await reopenAppointment(inner, row);
  await recordChange(inner, row.accountId, 'dose.write');
  return id;
}
