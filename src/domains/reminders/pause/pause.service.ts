import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { refuseStale } from '../../../core/row.js';
import { transact } from '../../../core/transact.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { localOf } from '../../../platform/moment.js';
import { instantAt } from '../../../platform/zone.js';
import { planAlerts } from '../alert/alert-plan.service.js';
import { scheduleOf } from '../alert/planned.js';
import { planAfterDose } from '../reminder/after-dose.service.js';
import { recordChange } from '../reminder/change.service.js';
import { changedReminder, locked } from '../reminder/reminder.service.js';
import { planAnew } from '../reminder/replan.service.js';
import { holdMember } from '../setting/member.service.js';
import type { PauseMedicineReminderInput, ResumeMedicineReminderInput } from './pause.inputs.js';
import { MedicinePause } from './pause.types.js';
import { keepPauses, liftPauses, MOST_PAUSES, pausesAhead } from './pause-plan.service.js';

const MINUTE = 60_000;

/** A span of instants; without an end until somebody resumes the medicine. */
interface Span {
  readonly fromAt: Date;
  readonly untilAt: Date | null;
}

/**
 * Pauses a medicine: what would come in the meantime is neither shown nor missed, and its end
 * stays. What has come is still to be answered. Throws REMINDER_NOT_FOUND, CONFLICT, PAUSE_INVALID,
 * PAUSE_OVERLAPS, UNSCHEDULED for a medicine that comes at no time.
 */
export async function pauseMedicine(
  context: RequestContext,
  input: PauseMedicineReminderInput,
): Promise<Reminder> {
  return change(context, input, async (inner, row) => {
    const { kind } = scheduleOf(row).frequency;
    if (!row.recognized || kind === 'as_needed') {
      throw refuse('UNSCHEDULED', 'This medicine comes at no time, so there is nothing to pause.');
    }
    const span = spanOf(inner, row, input);
    await refuseOverlap(inner, row.id, span);
    // After a standstill of the planner, alerts that were to come until now may be lacking.
    await planAlerts(inner, [row]);
    const made = { madeById: inner.viewer.id as number, createdAt: inner.now() };
    await inner.db.reminderPause.create({ data: { reminderId: row.id, ...span, ...made } });
  });
}

/**
 * Ends the pause in which a medicine is, or takes back the next one. It comes again by its clock
 * times from now on; one that counts from the last dose at once, where its time has passed. Throws
 * REMINDER_NOT_FOUND, CONFLICT, NOT_PAUSED.
 */
export async function resumeMedicine(
  context: RequestContext,
  input: ResumeMedicineReminderInput,
): Promise<Reminder> {
  return change(context, input, async (inner, row) => {
    const [pause] = await pausesAhead(inner, [row.id]);
    if (!pause) throw refuse('NOT_PAUSED', 'This medicine is not paused.');
    const now = minuteOf(inner);
    if (pause.fromAt > now) {
      await liftPauses(inner, [row.id]);
      await inner.db.reminderPause.delete({ where: { id: pause.id } });
      return;
    }
    await inner.db.reminderPause.update({ where: { id: pause.id }, data: { untilAt: now } });
    const where = { reminderId: row.id, toAt: { gt: now } };
    await inner.db.pastPlan.updateMany({ where, data: { toAt: now } });
    await inner.db.reminder.update({ where: { id: row.id }, data: { planFrom: now } });
  });
}

/** Changes the pauses of a reminder, then its plan by them, in one transaction. */
async function change(
  context: RequestContext,
  { id, version }: ResumeMedicineReminderInput,
  run: (inner: RequestContext, row: Reminder) => Promise<void>,
): Promise<Reminder> {
  const work = async (inner: RequestContext) => {
    const { accountId } = await locked(inner, id);
    await holdMember(inner, accountId);
    const row = await locked(inner, id);
    refuseStale('reminder', row, version);
    await run(inner, row);
    await keepPauses(inner, [id]);
    const data = { version: { increment: 1 }, updatedAt: inner.now() };
    await inner.db.reminder.update({ where: { id }, data, select: { id: true } });
    await planAnew(inner, [id], minuteOf(inner).getTime());
    await planAfterDose(inner, row, { kind: 'pause' });
    await recordChange(inner, accountId, 'reminder.write');
    return id;
  };
  await transact(context, work, { replayable: true });
  return changedReminder(context, id);
}

const minuteOf = (inner: RequestContext) =>
  new Date(Math.floor(inner.now().getTime() / MINUTE) * MINUTE);

/** Returns the span of a pause, by the clocks of its medicine. Throws PAUSE_INVALID. */
function spanOf(
  inner: RequestContext,
  { zone }: Reminder,
  { startsOn, resumesOn }: PauseMedicineReminderInput,
): Span {
  const midnight = (day: string) => new Date(instantAt(localOf(`${day}T00:00:00`), zone));
  const now = minuteOf(inner);
  const first = startsOn ? midnight(startsOn) : now;
  const over = startsOn && first.getTime() + 25 * 60 * MINUTE < now.getTime();
  const fromAt = first < now ? now : first;
  const untilAt = resumesOn ? midnight(resumesOn) : null;
  if (over) {
    throw refuse('PAUSE_INVALID', 'A pause cannot begin in the past.', { param: 'startsOn' });
  }
  if (untilAt && untilAt <= fromAt) {
    const message = 'A pause ends on a day after its first one.';
    throw refuse('PAUSE_INVALID', message, { param: 'resumesOn' });
  }
  return { fromAt, untilAt };
}

/**
 * Throws PAUSE_OVERLAPS when a medicine is paused at some time of a span, or has too many pauses.
 */
async function refuseOverlap(inner: RequestContext, id: number, span: Span): Promise<void> {
  const pauses = await pausesAhead(inner, [id]);
  const overlaps = ({ fromAt, untilAt }: Span) =>
    (!untilAt || untilAt > span.fromAt) && (!span.untilAt || fromAt < span.untilAt);
  if (pauses.some(overlaps)) {
    throw refuse('PAUSE_OVERLAPS', 'The medicine is paused already in some of this time.');
  }
  if (pauses.length >= MOST_PAUSES) {
    throw refuse('PAUSE_OVERLAPS', `At most ${MOST_PAUSES} pauses of a medicine may be to come.`);
  }
}

/** Returns the pause in which each reminder is, or the next one, for `context.loader`. */
export async function nextPauses(
  context: RequestContext,
  ids: readonly number[],
): Promise<(MedicinePause | undefined)[]> {
  const pauses = await pausesAhead(context, ids);
  return ids.map((id) => {
    const next = pauses.find(({ reminderId }) => reminderId === id);
    if (!next) return undefined;
    return Object.assign(new MedicinePause(), { startsAt: next.fromAt, endsAt: next.untilAt });
  });
}
