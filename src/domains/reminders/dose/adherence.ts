import { type CalendarEvent, EventStatus } from '../calendar/event.types.js';
import { Adherence, DayCounts, type DoseCounts, MedicineCounts } from './adherence.types.js';

const COUNTED: Readonly<Partial<Record<EventStatus, 'taken' | 'skipped' | 'missed'>>> = {
  [EventStatus.TAKEN]: 'taken',
  [EventStatus.SKIPPED]: 'skipped',
  [EventStatus.MISSED]: 'missed',
};

/**
 * Counts what became of the doses among events, as a whole, by day and by medicine. `version` is
 * that of the calendar.
 */
export function adherenceOf(events: readonly CalendarEvent[], version: number): Adherence {
  const total = Object.assign(new Adherence(), { asNeeded: 0, version });
  const days = new Map<string, DayCounts>();
  const medicines = new Map<number, MedicineCounts>();
  for (const event of events) {
    const counted = COUNTED[event.status];
    if (event.type !== 'medicine' || !counted) continue;
    if (event.apart) total.asNeeded++;
    else {
      const date = event.date;
      const { reminderId, title: name } = event;
      const counts: DoseCounts[] = [
        total,
        known(days, date, () => Object.assign(new DayCounts(), { date })),
        known(medicines, reminderId, () =>
          Object.assign(new MedicineCounts(), { reminderId, name }),
        ),
      ];
      for (const count of counts) count[counted]++;
    }
  }
  return Object.assign(total, {
    days: [...days.values()],
    medicines: [...medicines.values()].sort((a, b) => a.reminderId - b.reminderId),
  });
}

function known<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
