import { sum } from '../../../platform/decimal.js';
import { DoseAmount } from '../amount/dose-amount.types.js';
import { type CalendarEvent, EventStatus, type LoggedDose } from '../calendar/event.types.js';
import type { Member } from '../setting/member.service.js';
import { Adherence, DayCounts, type DoseCounts, MedicineCounts } from './adherence.types.js';

type Outcome = 'taken' | 'skipped' | 'refused' | 'unneeded' | 'missed';

const COUNTED: Readonly<Partial<Record<EventStatus, Outcome>>> = {
  [EventStatus.TAKEN]: 'taken',
  [EventStatus.SKIPPED]: 'skipped',
  [EventStatus.REFUSED]: 'refused',
  [EventStatus.UNNEEDED]: 'unneeded',
  [EventStatus.MISSED]: 'missed',
};

/** Returns what an event counts as in adherence; undefined for what does not count. */
export function countedAs(event: CalendarEvent): Outcome | 'asNeeded' | undefined {
  const counted = event.type === 'medicine' ? COUNTED[event.status] : undefined;
  return counted && event.apart ? 'asNeeded' : counted;
}

/** Whose doses are counted: `answers`, the version of the calendar, and what names the counts. */
type Counted = Pick<Member, 'answers' | 'calendarVersion'> & Partial<Pick<Adherence, 'of'>>;

/**
 * Counts what became of the doses among events, as a whole, by day and by medicine. The rates are
 * unknown of a member who has never answered a dose.
 */
export function adherenceOf(
  events: readonly CalendarEvent[],
  { answers, calendarVersion: version, of = [] }: Counted,
): Adherence {
  const total = Object.assign(new Adherence(), { asNeeded: 0, version, answers, of });
  const days = new Map<string, DayCounts>();
  const medicines = new Map<number, MedicineCounts>();
  for (const event of events) {
    const counted = countedAs(event);
    if (!counted) continue;
    if (counted === 'asNeeded') total.asNeeded++;
    else {
      const date = event.date;
      const { reminderId, title: name } = event;
      const medicine = known(medicines, reminderId, () =>
        Object.assign(new MedicineCounts(), { reminderId, answers }),
      );
      // The latest name, of a medicine that was renamed.
      medicine.name = name;
      const day = known(days, date, () => Object.assign(new DayCounts(), { date, answers }));
      const counts: DoseCounts[] = [total, day, medicine];
      for (const count of counts) count[counted]++;
      if (counted === 'taken') addAmount(medicine, event.dose);
    }
  }
  return Object.assign(total, {
    days: [...days.values()],
    medicines: [...medicines.values()].sort((a, b) => a.reminderId - b.reminderId),
  });
}

/** Adds how much a dose was to what was taken of its medicine. */
function addAmount({ amountsTaken }: MedicineCounts, dose: LoggedDose | undefined): void {
  if (!dose?.amount) return;
  const unit = dose.unit ?? '';
  const before = amountsTaken.find((one) => one.unit === unit);
  if (before) before.amount = sum(before.amount, dose.amount);
  else {
    const { amount, accountId: memberId } = dose;
    amountsTaken.push(Object.assign(new DoseAmount(), { amount, unit, memberId }));
  }
}

function known<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
