import { isTwice } from './calendar-meant.js';
import type {
  Amount,
  Bounds,
  Calendar,
  Cycle,
  DayTime,
  Meaning,
  Phased,
  Portion,
  Uniform,
  Unit,
} from './meaning.js';
import { portionOf } from './number.rules.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const NUMBERED = ['zeroth', 'first', 'second', 'third', 'fourth', 'fifth'];
const PARTS = {
  wake: 'on waking',
  morning: 'in the morning',
  afternoon: 'in the afternoon',
  evening: 'in the evening',
  night: 'at night',
  bedtime: 'at bedtime',
  breakfast: 'with breakfast',
  lunch: 'with lunch',
  dinner: 'with dinner',
} as const;
/** Forms that are counted: 2 tablets, but 2 mg. */
const MEASURED = new Set('mg g mcg ng mEq mmol ml l IU %'.split(' '));

/**
 * Returns a meaning in English, as `meaningsOf` understands it again. Only what one phrase can
 * never say alone is not: a 29th to 31st, which always leaves a choice, and an amount without its
 * unit.
 */
export function say(meaning: Meaning): string {
  const { amount } = meaning;
  if (meaning.kind === 'phased') return phased(meaning);
  if (amount?.steps) return phases(meaning as Calendar, amount);
  if (!amount || portions(meaning)) return statement(meaning);
  if (amount.onDays) return weekly(meaning as Calendar, amount);
  // "2 daily" has two meanings. Behind how often a number is an amount.
  return amount.unit
    ? `${amountOf(amount)} ${statement(meaning)}`
    : `${statement(meaning)}, ${amountOf(amount)}`;
}

/** Returns the phases of a course: 40 mg daily for 3 days, then 20 mg daily for 3 days. */
function phases({ bounds, ...meaning }: Calendar, { steps = [], ...first }: Amount): string {
  const total = bounds?.kind === 'duration' ? bounds.count : undefined;
  const starts = [0, ...steps.map(({ after }) => after)];
  const said = [first, ...steps].map((portion, i) => {
    const until = starts[i + 1] ?? total;
    const count = until === undefined ? undefined : until - (starts[i] as number);
    const length = count && ({ bounds: { kind: 'duration', unit: 'day', count } } as const);
    return say({ ...meaning, ...length, amount: withPortion(first, portion) });
  });
  return said.join(', then ');
}

/** Returns an amount with another portion. */
const withPortion = ({ upTo: _, ...amount }: Amount, portion: Portion): Amount => ({
  ...amount,
  ...portionOf(portion),
});

/** Returns amounts by weekday: 5 mg on Monday and Friday and 2.5 mg on Tuesday, weekly. */
function weekly({ weekdays = ALL_DAYS, ...meaning }: Calendar, amount: Amount): string {
  const { onDays = [], ...most } = amount;
  const named = new Set(onDays.flatMap((some) => some.weekdays));
  const rest = { ...portionOf(most), weekdays: weekdays.filter((day) => !named.has(day)) };
  const shares = [rest, ...onDays].map((some) => {
    const on = and(some.weekdays.map((day) => WEEKDAYS[day - 1] as string));
    return `${amountOf(withPortion(most, some))} on ${on}`;
  });
  return `${and(shares)}, ${statement(meaning)}`;
}
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Returns phases that come differently often: 2 times a day for 7 days, then daily. */
function phased({ phases: all, amount }: Phased): string {
  let from = 0;
  const said = all.map(({ days: count, often }) => {
    const step = amount?.steps?.filter(({ after }) => after <= from).at(-1);
    const { steps: _, ...first } = amount ?? { value: '' };
    from += count ?? 0;
    return say({
      ...often,
      ...(count && { bounds: { kind: 'duration', unit: 'day', count } }),
      ...(amount && { amount: step ? withPortion(first, step) : first }),
    });
  });
  return said.join(', then ');
}

/** Returns the amount that is said with each time, where times have amounts of their own. */
const portions = (meaning: Meaning): Amount | undefined =>
  'at' in meaning && meaning.at?.some(({ amount }) => amount) ? meaning.amount : undefined;

function statement(meaning: Uniform): string {
  switch (meaning.kind) {
    case 'once':
      return ['one-off', ...(meaning.at ? [atOf(meaning.at)] : [])].join(' ');
    case 'as_needed': {
      const { maxPerDay, leastMinutes } = meaning;
      const least = leastMinutes === undefined ? '' : ` ${interval(leastMinutes)}`;
      const most = maxPerDay === undefined ? '' : `, max ${many(maxPerDay, 'time')} per day`;
      return `as needed${least}${most}`;
    }
    case 'interval':
      return `${interval(meaning.minutes)}${end(meaning.bounds)}`;
    default:
      return calendar(meaning);
  }
}

const many = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;
const and = (words: readonly string[]) =>
  words.length < 2
    ? words.join()
    : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;

const interval = (minutes: number) =>
  minutes % 60 === 0 ? `every ${many(minutes / 60, 'hour')}` : `every ${many(minutes, 'minute')}`;

function end(bounds: Bounds | undefined): string {
  if (!bounds) return '';
  if (bounds.kind === 'until') return ` until ${bounds.date}`;
  if (bounds.kind === 'supply') return ' until finished';
  return ` for ${many(bounds.count, bounds.kind === 'doses' ? 'dose' : bounds.unit)}`;
}

function amountOf(amount: Amount | undefined): string {
  if (!amount) return '';
  const { value, upTo, unit, each } = amount;
  const many = upTo === undefined ? value : `${value} to ${upTo}`;
  if (each) return `take ${many} of ${each.value} ${each.unit}`;
  if (!unit) return `take ${many}`;
  const one = many === '1' || MEASURED.has(unit);
  return `${many} ${one ? unit : plural(unit)}`;
}

const plural = (unit: string) =>
  /[^aeiou]y$/.test(unit)
    ? `${unit.slice(0, -1)}ies`
    : `${unit}${unit.endsWith('ch') ? 'es' : 's'}`;

function calendar(meaning: Calendar): string {
  const { unit, every, timesADay, at, unsaidDays, cycle, bounds } = meaning;
  const plain = unit === 'day' && every === 1;
  // 40 mg daily at 8 and 20 may be 40 mg in all.
  const isCounted =
    !at || isTwice(at) || (plain && meaning.amount !== undefined && !portions(meaning));
  const several = timesADay > 1 && isCounted ? `${timesADay} times a day` : '';
  const days = daysOf(meaning) || periodOf(unit, every);
  const open = unsaidDays ? `${unsaidDays} times a ${unit}` : '';
  const parts = [
    several,
    open || (plain && several ? '' : days),
    at ? atOf(at, portions(meaning)) : '',
    cycle ? cycleOf(cycle) : '',
  ];
  return parts.filter(Boolean).join(' ') + end(bounds);
}

const cycleOf = (cycle: Cycle) =>
  'off' in cycle
    ? `${many(cycle.on, 'day')} on and ${many(cycle.off, 'day')} off`
    : `for ${many(cycle.on, 'day')} every ${many(cycle.months, 'month')}`;

const NAMES: Readonly<Record<Unit, string>> = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  year: 'yearly',
};
const periodOf = (unit: Unit, every: number) =>
  every === 1 ? NAMES[unit] : `every ${many(every, unit)}`;

function daysOf({ unit, every, weekdays, monthDays, nth, orLast }: Calendar): string {
  const period = periodOf(unit, every);
  if (weekdays) return `${period} on ${and(weekdays.map((day) => WEEKDAYS[day - 1] as string))}`;
  if (monthDays) {
    const days = and(monthDays.map((day) => (day === -1 ? 'the last' : `the ${ordinal(day)}`)));
    const last = orLast ? ' (or the last day of a shorter month)' : '';
    return `${period} on ${days} day of the month${last}`;
  }
  if (!nth) return '';
  const names = nth.map(
    ({ number, weekday }) =>
      `${number === -1 ? 'last' : NUMBERED[number]} ${WEEKDAYS[weekday - 1]}`,
  );
  return `${period} on the ${and(names)}`;
}

function ordinal(day: number): string {
  const teen = day % 100 >= 11 && day % 100 <= 13;
  return `${day}${(teen ? undefined : ['th', 'st', 'nd', 'rd'][day % 10]) ?? 'th'}`;
}

/** "Take" stands before each number alone: behind a clock time it might be an hour. */
const atOf = (at: readonly DayTime[], portion?: Amount) =>
  and(
    at.map((time) => {
      if (!portion) return timeOf(time);
      const { amount: value, upTo } = time;
      const own = value === undefined ? portion : { value, ...(upTo && { upTo }) };
      return `${amountOf(withPortion(portion, own))} ${timeOf(time)}`;
    }),
  );

function timeOf(time: DayTime): string {
  if ('clock' in time) return `at ${time.clock}`;
  const { anchor, relation, minutes } = time;
  if (relation === 'with') return PARTS[anchor];
  const length = minutes === undefined ? '' : `${many(minutes, 'minute')} `;
  return `${length}${relation} ${anchor}`;
}
