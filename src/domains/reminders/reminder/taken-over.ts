import { firstLook, firstPlanned } from '../alert/alert-plan.service.js';
import { endOf, isReversed } from '../alert/end.js';
import {
  type Circumstances,
  isLead,
  medicineStart,
  type Plan,
  planAppointment,
  planMedicine,
} from '../alert/plan.js';
import type { AmountRow } from '../amount/amounts.js';
import { statedBy } from '../amount/stated-amount.service.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { concernAbout } from './concern.js';
import { isReadable, isReadableEnd, readCourse, readMoment } from './course.js';
import { READING } from './reading.js';
import type { ReminderKind, ReminderRow } from './reminder.service.js';
import { type Sent, stored } from './retry.service.js';

const MINUTE = 60_000;

/** A reminder that a member had on another platform, with its texts as they are to be kept. */
export interface ForeignReminder {
  readonly kind: ReminderKind;
  readonly accountId: number;
  readonly sent: Sent;
  readonly createdAt: Date | undefined;
  /** When that platform was stopped: it has rung what was due until then. Now unless given. */
  readonly stoppedAt?: Date | undefined;
}

/** What of a reminder is not as it was meant. */
export type Shortcoming = 'frequency' | 'start' | 'end' | 'order' | 'date' | 'lead';

/** A reminder as it is understood here. */
export interface TakenOver {
  readonly row: Partial<ReminderRow>;
  /** What its phrase states of each dose. */
  readonly amounts: readonly AmountRow[];
  readonly shortcomings: readonly Shortcoming[];
}

/** Returns the full minute after an instant: what is due in its own minute has been rung. */
export const minuteAfter = (at: Date): Date =>
  new Date(Math.floor(at.getTime() / MINUTE) * MINUTE + MINUTE);

/**
 * Understands a reminder of another platform as one that is made here. It rings from the full minute on that
 * follows `stoppedAt`: the platform that it comes from has rung what was due before, also of an appointment that is ahead,
 * and of a medicine nothing before counts as missed. The planner makes its alerts. One whose end lies
 * before its start is kept, and never rings.
 */
export function takeOver(
  { kind, accountId, sent, createdAt, stoppedAt }: ForeignReminder,
  circumstances: Circumstances,
): TakenOver {
  const now = new Date(circumstances.now);
  const since = minuteAfter(stoppedAt ?? now);
  const { plan, isReversed: isTurned = false } =
    kind === 'medicine'
      ? medicinePlan(sent, circumstances, since)
      : { plan: planAppointment({ ...sent, dateTime: sent.startDate }, circumstances) };
  const made = createdAt && createdAt < now ? createdAt : now;
  const row = Object.assign({ frequencyType: null, schedule: null }, stored(sent), plan, {
    kind,
    accountId,
    creatorId: accountId,
    reading: READING,
    planFrom: kind === 'medicine' ? since : null,
    createdAt: made,
    updatedAt: made,
  });
  const plannedUntil = firstPlanned(row, since);
  const concern = kind === 'medicine' && plan.recognized && concernAbout(row);
  const stated = kind === 'medicine' ? statedBy(row, circumstances) : undefined;
  return {
    row: Object.assign(row as Partial<ReminderRow>, {
      plannedUntil,
      planAt: firstLook({ ...row, plannedUntil, id: 0 }, plannedUntil),
      doubtedAt: concern ? now : null,
      doseUnit: stated?.unit ?? null,
    }),
    amounts: stated?.portions ?? [],
    shortcomings: isTurned
      ? ['order']
      : kind === 'medicine'
        ? ofMedicine(sent, plan)
        : ofAppointment(sent),
  };
}

/**
 * Plans a medicine; without its end where that lies before its start, and then it never
 * rings.
 */
function medicinePlan(
  sent: Sent,
  circumstances: Circumstances,
  since: Date,
): { readonly plan: Plan; readonly isReversed?: boolean } {
  const start = medicineStart(sent, circumstances);
  if (isReversed(sent, start)) {
    const plan = planMedicine({ ...sent, endDate: null }, circumstances);
    const end = endOf(readCourse(sent, plan.zone).end, plan.zone);
    const untilAt = end === null ? null : new Date(end);
    return { plan: { ...plan, recognized: false, untilAt }, isReversed: true };
  }
  const plan = planMedicine(sent, circumstances, start);
  // What comes once, nobody knows when, has come.
  const isOver = isUndated(sent) && frequencyIn(sent).kind === 'once';
  const untilAt = new Date(Math.min(circumstances.now, since.getTime() - 1));
  return { plan: isOver ? { ...plan, untilAt } : plan };
}

const isUndated = ({ startDate, createdDate }: Sent) =>
  !readMoment(startDate) && !readMoment(createdDate);

function ofMedicine({ startDate, endDate }: Sent, { recognized }: Plan): Shortcoming[] {
  if (recognized) return [];
  const dates: Shortcoming[] = [
    ...(isReadable(startDate) ? [] : (['start'] as const)),
    ...(isReadableEnd(endDate) ? [] : (['end'] as const)),
  ];
  return dates.length > 0 ? dates : ['frequency'];
}

const ofAppointment = ({ startDate, remindBefore }: Sent): Shortcoming[] => [
  ...(isReadable(startDate) ? [] : (['date'] as const)),
  ...(isLead(remindBefore) ? [] : (['lead'] as const)),
];
