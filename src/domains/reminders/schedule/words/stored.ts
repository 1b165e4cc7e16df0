import type { Frequency, FrequencyPhase } from '../frequency.types.js';
import { timesADayOf } from '../phased.js';
import { parseRule } from '../rule-parser.js';
import { clocksOf } from './anchors.js';
import type {
  AsNeeded,
  Bounds,
  Calendar,
  Cycle,
  Interval,
  Meaning,
  Phase,
  Phased,
} from './meaning.js';

/**
 * The largest numbers that a schedule holds. A person cannot follow more often than half-hourly.
 */
const LEAST_MINUTES = 30;
const MOST_MINUTES = 24 * 366 * 60;
/** A week. */
const MOST_APART = 7 * 24 * 60;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * Returns a meaning as a schedule that can be stored. Undefined for what a schedule cannot say:
 *
 * - days that the phrase leaves open (twice a week), and cycles of other days than every day;
 * - two times of a day that fall together (in the morning and with breakfast);
 * - less than half an hour;
 * - a number of doses of what comes by months or years, and a month's last day instead of its 31st;
 * - phases with more than 48 times altogether;
 * - a number of doses that are others by weekday.
 *
 * The amount of what is taken as needed is not kept: it never rings, and the text itself shows it.
 * Nor is a least interval above a week, which no limit of doses has.
 */
export function storedAs(meaning: Meaning): Frequency | undefined {
  if (meaning.kind === 'as_needed') return asNeeded(meaning);
  if (meaning.kind === 'interval') return elapsed(meaning);
  if (meaning.kind === 'phased') return phased(meaning);
  if (meaning.at && !apart(meaning.at)) return undefined;
  if (meaning.amount?.onDays && 'bounds' in meaning && meaning.bounds?.kind === 'doses')
    return undefined;
  const at = meaning.at && { at: meaning.at };
  return meaning.kind === 'once' ? { kind: 'once', ...at } : onDays(meaning);
}

function asNeeded({ maxPerDay, leastMinutes }: AsNeeded): Frequency {
  const apart = leastMinutes !== undefined && leastMinutes <= MOST_APART && { leastMinutes };
  return { kind: 'as_needed', ...(maxPerDay !== undefined && { maxPerDay }), ...apart };
}

/** Most times of all phases together. */
const MOST_TIMES = 48;

function phased({ phases, fromStart }: Phased): Frequency | undefined {
  const all = phases.flatMap(({ days, often }: Phase): FrequencyPhase[] => {
    const stored = storedAs(often);
    if (stored?.kind !== 'calendar' && stored?.kind !== 'rule' && stored?.kind !== 'elapsed')
      return [];
    return [{ ...(days !== undefined && { days }), often: stored }];
  });
  const times = all.reduce((sum, phase) => sum + timesADayOf(phase), 0);
  return all.length < phases.length || times > MOST_TIMES || !areHoursFirst(phases)
    ? undefined
    : { kind: 'phased', ...(fromStart && { fromStart }), phases: all };
}

/** Minutes. */
const A_DAY = 24 * 60;

/**
 * Returns whether phases of hours come before all others, and hold whole numbers of doses: only
 * then is it known when the phase behind them begins.
 */
export const areHoursFirst = (phases: readonly Phase[]): boolean =>
  phases.every(({ days = 0, often }, i) => {
    if (often.kind !== 'interval') return true;
    const before = phases[i - 1];
    return (!before || before.often.kind === 'interval') && (days * A_DAY) % often.minutes === 0;
  });

const courseOf = (bounds: Bounds | undefined) =>
  bounds && bounds.kind !== 'doses' ? { course: bounds } : {};

function elapsed({ minutes, bounds }: Interval): Frequency | undefined {
  if (minutes < LEAST_MINUTES || minutes > MOST_MINUTES) return undefined;
  const count = bounds?.kind === 'doses' && { count: bounds.count };
  return { kind: 'elapsed', hours: minutes / 60, ...count, ...courseOf(bounds) };
}

/**
 * Returns whether no two times of a day fall together, by the times of a member who has set none.
 */
const apart = (at: NonNullable<Calendar['at']>): boolean => clocksOf(at).length === at.length;

function onDays(meaning: Calendar): Frequency | undefined {
  const { unit, every, timesADay, at, bounds, unsaidDays, cycle, orLast } = meaning;
  if (unsaidDays || orLast) return undefined;
  const named = { timesADay, ...(at && { at }), ...courseOf(bounds) };
  const days = daysOf(meaning);
  const doses = bounds?.kind === 'doses';
  if (cycle) return days || doses || unit !== 'day' || every > 1 ? undefined : cycled(cycle, named);
  if (!days && !doses) return { kind: 'calendar', unit, every, ...named };
  if (doses && (unit === 'month' || unit === 'year')) return undefined;
  const rule = parseRule(
    [
      `FREQ=${{ day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' }[unit]}`,
      `INTERVAL=${every}`,
      ...(days ? [days] : []),
      ...(doses ? [`COUNT=${bounds.count}`] : []),
    ].join(';'),
  );
  if (!rule) return undefined;
  const { timesADay: times, ...rest } = named;
  return { kind: 'rule', ...rule, ...rest, ...(times > 1 && { timesADay: times }) };
}

/** A cycle counts its days from the first one on. */
const cycled = (cycle: Cycle, named: { timesADay: number }) =>
  'off' in cycle
    ? ({
        kind: 'calendar',
        unit: 'day',
        every: cycle.on + cycle.off,
        on: cycle.on,
        ...named,
      } as const)
    : ({ kind: 'calendar', unit: 'month', every: cycle.months, on: cycle.on, ...named } as const);

function daysOf({ weekdays, monthDays, nth }: Calendar): string | undefined {
  if (weekdays) return `BYDAY=${weekdays.map((day) => WEEKDAYS[day - 1]).join(',')}`;
  if (monthDays) return `BYMONTHDAY=${monthDays.join(',')}`;
  return nth && `BYDAY=${nth.map((one) => `${one.number}${WEEKDAYS[one.weekday - 1]}`).join(',')}`;
}
