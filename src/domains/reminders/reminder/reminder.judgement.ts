import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import { Judge, refusalsOf } from '../../../core/judgement.js';
import { parseMoment } from '../../../platform/moment.js';
import { planMedicine, refuseLead } from '../alert/plan.js';
import type { CalendarArgs } from '../calendar/calendar.inputs.js';
import { boundary } from '../calendar/span.js';
import { isReadable, isReadableEnd, momentOf } from './course.js';
import { mayEdit } from './reminder.access.js';
import type {
  UpdateAppointmentReminderInput,
  UpdateMedicineReminderInput,
} from './reminder.inputs.js';
import { remindersById } from './reminder.service.js';
import { appointmentTexts, medicineTexts } from './reminder.texts.js';
import { planned } from './timed.js';

/**
 * Returns a member of whom nothing is known: what is refused here is refused wherever the member
 * is.
 */
const anybody = (context: RequestContext) => ({
  zones: { site: 'UTC' },
  usual: {},
  anchors: {},
  now: context.now().getTime(),
});

/**
 * DATE_INVALID for each date of a medicine; END_BEFORE_START where the order of the two does not
 * depend on the member's zone.
 */
export const JudgeMedicine = () =>
  Judge(
    async (
      context: RequestContext,
      { input }: { input: UpdateMedicineReminderInput },
    ): Promise<Refusal[]> => {
      const apart = lonelyTime(input, input.startsOn, input.startTime, 'startsOn');
      if (apart) return [apart];
      const wrong = await refusalsOf(() => medicineTexts(input));
      if (wrong.length > 0) return wrong;
      const { startDate, endDate } = planned(medicineTexts(input));
      const dates = await refusalsOf(
        () => keepsAll(input) || refuseDate(startDate, 'startsOn'),
        () => keepsAll(input) || isReadableEnd(endDate) || refuseDate(endDate, 'endsOn'),
      );
      if (dates.length > 0 || !startDate?.trim() || !endDate?.trim()) return dates;
      const offsets = [startDate, endDate].map((date) => parseMoment(date)?.offset !== undefined);
      if (offsets[0] !== offsets[1]) return dates;
      const order = await refusalsOf(() => planMedicine({ startDate, endDate }, anybody(context)));
      return order.length > 0 && (await areAsBefore(context, input)) ? [] : order;
    },
  );

/**
 * Whether both dates are sent as the reminder has them, which is no change. Of a reminder that the
 * viewer may not edit it is not told: over REST this is asked before the rights.
 */
async function areAsBefore(
  context: RequestContext,
  input: UpdateMedicineReminderInput,
): Promise<boolean> {
  if (!('id' in input) || (await mayEdit('medicine')(context, { input } as never))) return false;
  const { startDate = null, endDate = null } = medicineTexts(input);
  const before = await context.loader(remindersById).load(input.id);
  return before?.startDate === startDate && before.endDate === endDate;
}

/**
 * Whether what cannot be read is kept as it came. The specification gives the fields of reminders
 * no type, so the REST editions refuse none: a date that is no date makes a reminder that does not
 * ring, and says so (docs/interface.md 10.3). Ends before starts are dates, and stay refused.
 */
const keepsAll = (input: { mayBeOpen?: boolean | null; asSent?: boolean | null }) =>
  input.mayBeOpen === true || input.asSent === true;

function refuseDate(text: string | null | undefined, param: string): void {
  if (!isReadable(text)) momentOf(text, param);
}

/** DATE_INVALID and REMIND_BEFORE_INVALID of an appointment. */
export const JudgeAppointment = () =>
  Judge(
    async (
      _context: RequestContext,
      { input }: { input: UpdateAppointmentReminderInput },
    ): Promise<Refusal[]> => {
      const { dateTime, remindBefore } = appointmentTexts(input);
      const apart = lonelyTime(input, input.date, input.time, 'date');
      const others = await refusalsOf(
        () => keepsAll(input) || refuseDate(dateTime, 'date'),
        () => keepsAll(input) || refuseLead(remindBefore),
      );
      return apart ? [apart, ...others] : others;
    },
  );

/** Throws DATE_INVALID for a new reminder with a clock time and no day. */
function lonelyTime(
  input: object,
  date: string | null | undefined,
  time: string | null | undefined,
  param: string,
): Refusal | undefined {
  if ('id' in input) return undefined;
  const message = `A clock time needs its day: give ${param} too.`;
  return time && !date ? { reason: 'DATE_INVALID', message, param } : undefined;
}

/** DATE_INVALID for each end of a range. */
export const JudgeRange = () =>
  Judge((_context: RequestContext, { from, to }: Pick<CalendarArgs, 'from' | 'to'>) =>
    refusalsOf(
      () => boundary(from, 'from'),
      () => boundary(to, 'to'),
    ),
  );
