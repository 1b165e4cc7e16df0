import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { dayOf, localOf, localText, offsetZone } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import { endInForce } from '../alert/end.js';
import { BEGINNING } from '../amount/amounts.js';
import { DoseAnswer } from '../dose/dose.answer.js';
import { updateMedicineReminder } from '../reminder/reminder-write.service.js';
import { beginsWithHours } from '../schedule/phased.js';
import { frequencyIn, storedIn } from '../schedule/schedule-value.js';
import { endsWithSupply } from '../schedule/supply.js';
import type { MoveMedicineCourseInput } from './course.inputs.js';

const DAY = 24 * 60 * 60_000;
const DATE = 'YYYY-MM-DD'.length;

/**
 * Moves a course of which nothing was taken to another first day, in one transaction: a start that
 * was missed shortens no course. Throws REMINDER_NOT_FOUND, CONFLICT, COURSE_BEGUN, COURSE_ENDLESS,
 * DATE_INVALID.
 */
export async function moveMedicineCourse(
  context: RequestContext,
  { id, startsOn, version }: MoveMedicineCourseInput,
): Promise<Reminder> {
  const change = { id, ...(version !== undefined && { version }), start: { date: startsOn } };
  return updateMedicineReminder(context, change, async (inner, row) => {
    const days = (Date.parse(startsOn) - dayOf(localOf(row.startLocal))) / DAY;
    refuseEndless(row);
    refusePast(inner, row, days);
    await refuseBegun(inner, row);
    await moveSteps(inner, row, days);
    const endDate = storedIn(row)?.end ? undefined : endAfter(row, days);
    return endDate === undefined ? {} : { endDate };
  });
}

/**
 * Throws COURSE_ENDLESS for what has no end, and for what ends on a day that its frequency names.
 */
function refuseEndless(row: Reminder): void {
  const frequency = frequencyIn(row);
  const fixed =
    ('until' in frequency && frequency.until) ||
    ('course' in frequency && frequency.course?.kind === 'until');
  const counted =
    frequency.kind === 'phased' ||
    ('count' in frequency && frequency.count) ||
    ('course' in frequency && frequency.course && !endsWithSupply(frequency));
  if (!fixed && (counted || row.untilAt || storedIn(row)?.end)) return;
  const message = 'Only a course of so many days or doses can be moved. Change its days instead.';
  throw refuse('COURSE_ENDLESS', message);
}

/**
 * Throws DATE_INVALID for a first day that is over, or a course of doses whose first one would be.
 */
function refusePast(inner: RequestContext, row: Reminder, days: number): void {
  const now = inner.now().getTime();
  const today = dayOf(localAt(now, row.zone));
  const first = dayOf(localOf(row.startLocal)) + days * DAY;
  const frequency = frequencyIn(row);
  const ofDoses = storedIn(row)?.end?.count ?? ('count' in frequency && frequency.count);
  const over = localOf(row.startLocal) + days * DAY < localAt(now, row.zone);
  if (first > today || (first === today && !(ofDoses && over))) return;
  const message =
    first < today
      ? 'A course is moved to today or a later day.'
      : 'The first dose of today is over, and would be missing: begin tomorrow.';
  throw refuse('DATE_INVALID', message, { param: 'startsOn' });
}

/** Throws COURSE_BEGUN when a dose was taken. */
async function refuseBegun(inner: RequestContext, { id }: Reminder): Promise<void> {
  const where = { reminderId: id, answer: DoseAnswer.TAKEN };
  const taken = await inner.db.dose.findFirst({ where, select: { id: true } });
  if (!taken) return;
  throw refuse('COURSE_BEGUN', 'A dose of this course was taken: it has begun.');
}

/**
 * Moves the steps of the amounts by so many days. Those at instants, and the days behind hours, go
 * with the plan.
 */
async function moveSteps(inner: RequestContext, row: Reminder, days: number): Promise<void> {
  const { id } = row;
  const hoursFirst = beginsWithHours(frequencyIn(row));
  await inner.db.$executeRaw`
    UPDATE dose_amount SET starts_on = to_char(starts_on::date + ${days}::int, 'YYYY-MM-DD')
    WHERE reminder_id = ${id}::int AND starts_on <> ${BEGINNING}
      AND NOT (${hoursFirst}::boolean AND EXISTS (
        SELECT FROM dose_amount other
        WHERE other.reminder_id = ${id}::int AND other.starts_at IS NOT NULL))`;
}

/** Returns the text of an end so many days later; undefined without one. */
function endAfter(row: Reminder, days: number): string | undefined {
  const end = endInForce(row);
  if (!end) return undefined;
  const text = localText(end.local + days * DAY);
  if (!end.clock) return text.slice(0, DATE);
  return end.offset === undefined ? text : `${text}${offsetZone(end.offset)}`;
}
