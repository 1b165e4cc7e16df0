import { DAY, instantByIntl } from '../../reminders/schedule/walk.js';
import {
  type Coming,
  EVER,
  GRACE,
  type Member,
  MINUTE,
  type Next,
  type Plan,
  type Push,
  type Reminder,
  type Telling,
  TOO_LATE,
} from './model.js';
import { localOf, zoneOf } from './plan.js';

/* What members and carers are told of an occurrence, and what follows from it. */

export const untold = (): Telling => ({ told: false, carersTold: false, looseCarers: false });

/**
 * When an appointment is told: whole days before it by the clocks, and the rest of its lead before
 * that.
 */
export function tellAt({ lead, plans }: Reminder, at: number): number {
  const { zone } = (plans.at(-1) as Plan).of;
  const days = lead - (lead % DAY);
  return days > 0 ? instantByIntl(localOf(at, zone) - days, zone) - (lead - days) : at - lead;
}

/** What was to come next, which comes no more. */
export function take(telling: Telling): Next | undefined {
  const { next } = telling;
  telling.next = undefined;
  return next;
}

export function withhold(telling: Telling): void {
  telling.withheld = take(telling) ?? telling.withheld;
  telling.carersAt = undefined;
}

/** What a member is told of a coming now, and what follows from it. */
export function tell(telling: Telling, about: Coming, now: number): Push[] {
  if (!telling.next || telling.next.due > now) return [];
  const next = take(telling) as Next;
  const { reminder, at } = about;
  const { carers, repeat } = reminder.member;
  if (next.kind === 'again' && next.times > (repeat.minutes ? repeat.times : 0)) {
    telling.withheld = next;
    return [];
  }
  const late = now - next.due;
  const ahead = reminder.appointment && at > now;
  const tooLate = late >= TOO_LATE && !ahead;
  const watched =
    next.kind === 'first' &&
    carers.size > 0 &&
    telling.carersAt === undefined &&
    !telling.carersTold;
  if (watched && (tooLate || !reminder.appointment)) telling.carersAt = tooLate ? now : at + GRACE;
  // A repetition comes its minutes after a push that was late; a first push that was too late has
  // none.
  const again = (late > MINUTE ? now : next.due) + (repeat.minutes ?? EVER) * MINUTE;
  const repeats = tooLate ? next.kind === 'again' : next.kind !== 'snooze';
  if (!reminder.appointment && repeats && next.times < repeat.times && again < at + GRACE) {
    telling.next = { due: again, kind: 'again', times: next.times + 1 };
  }
  if (tooLate) return [];
  telling.told = true;
  return pushes(about, now);
}

/** What carers are told of a coming that nobody answered for, once. */
export function tellCarers(telling: Telling, about: Coming, now: number): Push[] {
  if (telling.carersAt === undefined || telling.carersAt > now) return [];
  telling.carersAt = undefined;
  // Also when the reminder, of which they were told that it was too late to send, was put off after
  // that
  if (telling.carersTold) return [];
  telling.carersTold = true;
  return notices(about, now);
}

export const pushes = (about: Coming, now: number) =>
  pushesTo(about.reminder.member, about, now, false);

export function notices(about: Coming, now: number): Push[] {
  const { tellCarers, carers } = about.reminder.member;
  return tellCarers ? [...carers].flatMap((carer) => pushesTo(carer, about, now, true)) : [];
}

function pushesTo(to: Member, { reminder, at }: Coming, now: number, notice: boolean): Push[] {
  const time = new Date(localOf(now, zoneOf(to))).toISOString().slice(11, 16);
  const { from, to: until } = to.quiet ?? { from: '', to: '' };
  const silent =
    from < until ? from <= time && time < until : from > until && (from <= time || time < until);
  return [...to.devices].map((device) => ({ device, reminder: reminder.id, at, notice, silent }));
}
