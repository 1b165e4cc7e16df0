import { calendar, DAY } from '../../reminders/schedule/walk.js';

/** How often, as a member says it, and what that means in plain arithmetic. */
export interface Frequency {
  readonly text: string;
  /** By the clock, by an RRULE on the clock, by elapsed hours, once, and what never fires. */
  readonly kind: 'clock' | 'rule' | 'elapsed' | 'once' | 'never' | 'unknown';
  /** Whether it comes on a local day, counted since 1970, given the day it starts on. */
  on(day: number, first: number): boolean;
  readonly timesADay: number;
  /** The hours that a rule names. */
  readonly clocks: readonly number[];
  /** Elapsed hours. */
  readonly hours?: number;
  readonly count?: number;
  readonly until?: { readonly local: number; readonly utc: boolean };
}

type Meaning = Partial<Omit<Frequency, 'text'>>;

const every = (days: number): Meaning => ({ on: (day, first) => (day - first) % days === 0 });
const times = (timesADay: number): Meaning => ({ timesADay });
const elapsed = (hours: number): Meaning => ({ kind: 'elapsed', hours });
const rule = (on: Frequency['on'], clocks: number[] = []): Meaning => ({
  kind: 'rule',
  on,
  clocks,
});
const onDateOf = (day: number, first: number) =>
  calendar(day).date === Math.min(calendar(first).date, calendar(day).last);
const always = () => true;

export const FREQUENCIES = {
  daily: {},
  twice_daily: times(2),
  '3_times_a_day': times(3),
  'four times a day': times(4),
  '5_times_a_day': times(5),
  'Every-Other Day': every(2),
  every_3_days: every(3),
  weekly: every(7),
  biweekly: every(14),
  monthly: { on: onDateOf },
  yearly: {
    on: (day, first) => calendar(day).month === calendar(first).month && onDateOf(day, first),
  },
  once: { kind: 'once', on: (day, first) => day === first },
  every_4_hours: elapsed(4),
  every_5_hours: elapsed(5),
  every_8_hours: elapsed(8),
  every_12_hours: elapsed(12),
  every_36_hours: elapsed(36),
  as_needed: { kind: 'never' },
  'when the moon is full': { kind: 'unknown' },
  'FREQ=DAILY': rule(always),
  'RRULE:FREQ=DAILY;INTERVAL=2': rule((day, first) => (day - first) % 2 === 0),
  'FREQ=DAILY;BYHOUR=2,14': rule(always, [2, 14]),
  'FREQ=DAILY;BYHOUR=0,8,23': rule(always, [0, 8, 23]),
  'FREQ=WEEKLY;BYDAY=MO,TH,SU': rule((day) => [0, 3, 6].includes(calendar(day).weekday)),
  'FREQ=MONTHLY;BYMONTHDAY=-1,1': rule((day) =>
    [1, calendar(day).last].includes(calendar(day).date),
  ),
  'FREQ=MONTHLY': rule((day, first) => calendar(day).date === calendar(first).date),
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29': rule(
    (day) => calendar(day).month === 2 && calendar(day).date === 29,
  ),
  'FREQ=HOURLY;INTERVAL=6': elapsed(6),
  'FREQ=HOURLY;INTERVAL=10': elapsed(10),
} as const satisfies Record<string, Meaning>;

/** How a rule ends: after so many times, or so many days from today on. */
export type Bound = { count: number } | { days: number; form: 'date' | 'floating' | 'utc' };

/** A frequency as it was drawn; names that are rules may be bounded. */
export interface Drawn {
  name: keyof typeof FREQUENCIES;
  bound?: Bound | undefined;
}

const digits = (local: number) => new Date(local).toISOString().slice(0, 19).replace(/[-:]/g, '');

export function frequencyOf({ name, bound }: Drawn, today: number): Frequency {
  const meaning: Meaning = FREQUENCIES[name];
  const plain = {
    kind: 'clock',
    on: always,
    timesADay: 1,
    clocks: [],
    ...meaning,
    text: name,
  } as const;
  if (!bound || !name.includes('FREQ=')) return plain;
  if ('count' in bound)
    return { ...plain, count: bound.count, text: `${name};COUNT=${bound.count}` };
  const noon = today + bound.days * DAY + DAY / 2;
  const text = { date: digits(noon).slice(0, 8), floating: digits(noon), utc: `${digits(noon)}Z` }[
    bound.form
  ];
  const local = bound.form === 'date' ? noon + DAY / 2 - 1 : noon;
  return { ...plain, until: { local, utc: bound.form === 'utc' }, text: `${name};UNTIL=${text}` };
}
