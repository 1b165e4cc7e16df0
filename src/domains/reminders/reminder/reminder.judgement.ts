import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import { Judge, refusalsOf } from '../../../core/judgement.js';
import { parseMoment } from '../../../platform/moment.js';
import { untilOf } from '../alert/end.js';
import { leadOf, type MedicineFields, planAppointment, planMedicine } from '../alert/plan.js';
import type { CalendarArgs } from '../calendar/calendar.inputs.js';
import { boundary } from '../calendar/span.js';

/** A member of whom nothing is known: what is refused here is refused wherever the member is. */
const anybody = (context: RequestContext) => ({
  zones: { site: 'UTC' },
  usual: {},
  now: context.now().getTime(),
});

type Fields = Readonly<Record<string, string | null | undefined>>;

/**
 * DATE_INVALID for each date of a medicine; END_BEFORE_START where the order of the two does not
 * depend on the member's zone.
 */
export const JudgeMedicine = () =>
  Judge(
    async (
      context: RequestContext,
      { input: { startDate, endDate } }: { input: MedicineFields },
    ): Promise<Refusal[]> => {
      const dates = await refusalsOf(
        () => planMedicine({ startDate }, anybody(context)),
        () => untilOf({ endDate }, { local: Number.NEGATIVE_INFINITY, zone: 'UTC' }),
      );
      if (dates.length > 0 || !startDate?.trim() || !endDate?.trim()) return dates;
      const offsets = [startDate, endDate].map((date) => parseMoment(date)?.offset !== undefined);
      return offsets[0] === offsets[1]
        ? refusalsOf(() => planMedicine({ startDate, endDate }, anybody(context)))
        : [];
    },
  );

/** DATE_INVALID and REMIND_BEFORE_INVALID of an appointment. */
export const JudgeAppointment = () =>
  Judge((context: RequestContext, { input: { dateTime, remindBefore } }: { input: Fields }) =>
    refusalsOf(
      () => planAppointment({ dateTime }, anybody(context)),
      () => leadOf(remindBefore),
    ),
  );

/** DATE_INVALID for each end of a range. */
export const JudgeRange = () =>
  Judge((_context: RequestContext, { from, to }: Pick<CalendarArgs, 'from' | 'to'>) =>
    refusalsOf(
      () => boundary(from, 'from'),
      () => boundary(to, 'to'),
    ),
  );
