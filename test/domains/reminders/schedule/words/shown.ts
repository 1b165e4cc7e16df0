import type {
  Amount,
  Bounds,
  Calendar,
  DayTime,
  Meaning,
  Phase,
  Phased,
  Portion,
} from '../../../../../src/domains/reminders/schedule/words/meaning.js';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const weekday = (day: number) => WEEKDAYS[day - 1] as string;

/** Writes a meaning as the headings of the corpus do: `every 1 week on mon,thu x1 at 08:00`. */
export function shown(meaning: Meaning): string {
  const written = {
    once: () => `once${'at' in meaning && meaning.at ? ` at ${times(meaning.at)}` : ''}`,
    as_needed: () => asNeeded(meaning as Meaning & { kind: 'as_needed' }),
    interval: () => {
      const { minutes, bounds } = meaning as Meaning & { kind: 'interval' };
      return `every ${minutes} min${end(bounds)}`;
    },
    calendar: () => calendar(meaning as Calendar),
    phased: () => phased(meaning as Phased),
  }[meaning.kind]();
  return written + amount(meaning.amount);
}

/** Each phase with its days behind it: `every 1 day x2 for 7 days | every 1 day x1`. */
const phased = ({ phases }: Phased) =>
  phases.map(({ often, days }) => `${phase(often)}${days ? ` for ${days} days` : ''}`).join(' | ');

const phase = (often: Phase['often']) =>
  often.kind === 'interval' ? `every ${often.minutes} min` : calendar(often);

function asNeeded({ maxPerDay, leastMinutes }: Meaning & { kind: 'as_needed' }): string {
  const most = maxPerDay === undefined ? '' : ` max ${maxPerDay}`;
  return `as needed${most}${leastMinutes === undefined ? '' : ` every ${leastMinutes} min`}`;
}

function calendar({
  unit,
  every,
  timesADay,
  at,
  bounds,
  cycle,
  unsaidDays,
  ...on
}: Omit<Calendar, 'amount'>) {
  const { weekdays, monthDays, nth, orLast } = on;
  const days = [
    ...(weekdays ?? []).map(weekday),
    ...(monthDays ?? []).map(String),
    ...(nth ?? []).map(({ number, weekday: day }) => `${number}${weekday(day)}`),
  ];
  return [
    `every ${every} ${unit}`,
    days.length > 0 ? ` on ${days.join(',')}${orLast ? ' or last' : ''}` : '',
    unsaidDays ? ` open ${unsaidDays}` : '',
    ` x${timesADay}`,
    at ? ` at ${times(at)}` : '',
    cycle ? ` cycle ${cycle.on}/${'off' in cycle ? cycle.off : `${cycle.months}m`}` : '',
    end(bounds),
  ].join('');
}

const PARTS = new Set(['wake', 'morning', 'afternoon', 'evening', 'night', 'bedtime']);

const times = (at: readonly DayTime[]) =>
  at
    .map((time) => {
      const { amount: value, upTo } = time;
      const many = value === undefined ? '' : ` ${much({ value, ...(upTo && { upTo }) })}`;
      if ('clock' in time) return time.clock + many;
      const named = PARTS.has(time.anchor) && time.relation === 'with';
      const place = named ? time.anchor : `${time.relation} ${time.anchor}`;
      return `${place}${time.minutes === undefined ? '' : ` ${time.minutes}`}${many}`;
    })
    .join(',');

function end(bounds: Bounds | undefined): string {
  if (!bounds) return '';
  if (bounds.kind === 'until') return ` until ${bounds.date}`;
  if (bounds.kind === 'supply') return ' until finished';
  return ` for ${bounds.count} ${bounds.kind === 'doses' ? 'doses' : bounds.unit}`;
}

const amount = (one: Amount | undefined) =>
  one ? `; ${much(one)}${one.unit ? ` ${one.unit}` : ''}${each(one)}${later(one)}` : '';
const later = ({ steps = [], onDays = [] }: Amount) =>
  [
    ...steps.map(({ after, ...some }) => `, after ${after} days ${much(some)}`),
    ...onDays.map(({ weekdays, ...some }) => `, on ${weekdays.map(weekday)} ${much(some)}`),
  ].join('');
const much = ({ value, upTo }: Portion) => (upTo ? `${value}-${upTo}` : value);
const each = ({ each: one }: Amount) => (one ? ` of ${one.value} ${one.unit}` : '');
