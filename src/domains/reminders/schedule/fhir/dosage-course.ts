import { isDeepStrictEqual } from 'node:util';
import { parseMoment } from '../../../../platform/moment.js';
import type { Bounds, Calendar, DayTime, Meaning, Phased, Uniform } from '../words/meaning.js';
import { storedAs } from '../words/stored.js';
import { refused } from './dosage-element.js';
import { amountsIn, type DosageRead, isAlike } from './dosage-read.js';
import { isSameUnit } from './dose-reading.js';
import type { Portion, Step } from './prescription.js';
import type { TimingRead } from './timing-reading.js';

const DAY = 24 * 60 * 60_000;
const LENGTHS = { day: 1, week: 7 } as const;

/** What some Dosages say together. */
interface Course extends Pick<TimingRead, 'start' | 'end'> {
  readonly meaning: Meaning;
  readonly steps: readonly Step[];
}

/** Dosages that hold at the same time. */
interface Phase extends TimingRead {
  readonly portions: readonly Portion[];
}

/**
 * Joins the Dosages of one medicine. Those of one `sequence` are times of one day with their
 * amounts, or weekdays with theirs; several sequences are steps of a dose that is tapered, each
 * beginning on the day after the last of the one before. Sequences that come differently often have
 * one dose each.
 */
export function combined(reads: readonly DosageRead[]): Course {
  refuseUnlike(reads);
  const sequences = [...new Set(reads.map(({ sequence }) => sequence))];
  const unnumbered = reads.find(({ sequence }) => sequence === undefined);
  if (unnumbered && sequences.length > 1)
    throw refused(`${unnumbered.path}.sequence`, 'Number all of them or none.');
  const inOrder = sequences.sort((a, b) => (a ?? 0) - (b ?? 0));
  const phases = inOrder.map((number) =>
    phaseOf(reads.filter(({ sequence }) => sequence === number) as [DosageRead]),
  );
  return follow(phases as [Phase]);
}

function refuseUnlike(reads: readonly DosageRead[]): void {
  const [first] = reads as [DosageRead];
  const other = reads.find((read) => !isAlike(read, first));
  if (other) {
    const message = 'Route, site, method, reason and limit are the same in all, or it is another';
    throw refused(other.path, `${message} reminder.`);
  }
  const of = reads.find(({ dose }) => dose?.of)?.dose?.of;
  for (const { path, dose } of reads) {
    if (!of) return;
    if (!dose?.amount) throw refused(`${path}.doseAndRate`, 'Give the amount of all or of none.');
    if (!isSameUnit(of, dose.of ?? {})) throw refused(dose.path, 'All amounts need the same unit.');
  }
}

const UNLIKE = 'Directions of one sequence come on the same days. Make two reminders.';

/** Joins the Dosages of one sequence. Weekdays of their own are in no other of them. */
function phaseOf(reads: readonly [DosageRead, ...DosageRead[]]): Phase {
  const groups = new Map<string, [DosageRead, ...DosageRead[]]>();
  for (const read of reads) {
    const key = `${weekdaysIn(read.timing as TimingRead)}`;
    groups.set(key, [...(groups.get(key) ?? []), read] as [DosageRead]);
  }
  const [first, ...others] = [...groups.values()].map(dayOfReads) as [Phase, ...Phase[]];
  if (others.length === 0) return first;
  const all = [first, ...others];
  const days = all.flatMap((phase) => weekdaysIn(phase) ?? []).sort((a, b) => a - b);
  const other = others.find((phase) => !isDeepStrictEqual(weeklyIn(phase), weeklyIn(first)));
  const open = all.find((phase) => !weekdaysIn(phase));
  if (other || open || new Set(days).size < days.length)
    throw refused((other ?? open ?? (others[0] as Phase)).path, UNLIKE);
  const { weekdays: _, ...meaning } = first.meaning as Calendar;
  const isDaily = days.length === A_WEEK && meaning.every === 1;
  return {
    ...first,
    meaning: isDaily ? { ...meaning, unit: 'day' } : { ...meaning, weekdays: days },
    portions: all.flatMap((phase) =>
      phase.portions.map((portion) => ({ ...portion, weekdays: weekdaysIn(phase) ?? [] })),
    ),
  };
}
const A_WEEK = 7;

const weekdaysIn = ({ meaning }: Pick<TimingRead, 'meaning'>) =>
  meaning.kind === 'calendar' ? meaning.weekdays : undefined;

/** Returns when a phase comes, on whichever weekdays. */
const weeklyIn = ({ meaning, start, end }: Phase) => ({
  meaning: { ...meaning, weekdays: undefined },
  start,
  end,
});

/** Joins the Dosages of the same days. */
function dayOfReads(reads: readonly [DosageRead, ...DosageRead[]]): Phase {
  const [first, ...others] = reads;
  const timing = first.timing as TimingRead;
  if (others.length === 0)
    return { ...timing, portions: [{ ...first.remarks, ...amountsIn(first.dose) }] };
  const all = reads.map((read) => {
    const { meaning } = read.timing as TimingRead;
    if (meaning.kind === 'calendar' && meaning.at) return { read, meaning, at: meaning.at };
    throw refused(
      (read.timing as TimingRead).path,
      'Of several directions for the same days each needs its times: timeOfDay or when.',
    );
  });
  const days = (one: Calendar) => ({ ...one, at: undefined, timesADay: undefined });
  for (const { read, meaning } of all) {
    const { start, end, path } = read.timing as TimingRead;
    const same = isDeepStrictEqual(days(meaning), days((all[0] as (typeof all)[0]).meaning));
    if (!same || start !== timing.start || end !== timing.end) throw refused(path, UNLIKE);
  }
  const at = all.flatMap((one) => one.at);
  const portions = all.map(({ read, at: own }, i) => {
    const before = all.slice(0, i).reduce((count, one) => count + one.at.length, 0);
    const times = own.map((_, place) => before + place);
    return { times, ...read.remarks, ...amountsIn(read.dose) };
  });
  const meaning: Calendar = { ...(timing.meaning as Calendar), at, timesADay: at.length };
  if (storedAs(meaning)) return { ...timing, meaning, portions };
  throw refused((all[1] as (typeof all)[0]).read.path, 'Two of the times fall together.');
}

/** Lets phases follow each other. */
function follow(phases: readonly [Phase, ...Phase[]]): Course {
  const [first, ...later] = phases;
  const { start, end, meaning } = first;
  const dates = { ...(start && { start }), ...(end && { end }) };
  if (later.length === 0)
    return { ...dates, meaning, steps: [{ from: 0, portions: first.portions }] };
  let from = 0;
  const starts = phases.map((phase, i) => {
    const before = phases[i - 1];
    if (before) from += lengthOf(before);
    if (before) refuseLate(phase, from, first);
    return from;
  });
  const last = phases.at(-1) as Phase;
  const bounds = lastBounds(last, from);
  const course = { ...(start && { start }), ...(last.end && { end: last.end }) };
  // Hours that go on with another amount do so at an instant.
  const isByDays = meaning.kind !== 'interval';
  const alike = later.every(
    (phase, i) =>
      isByDays &&
      isDeepStrictEqual(oftenIn(phase), oftenIn(first)) &&
      isWhole(meaning, starts[i + 1] as number),
  );
  if (!alike) return { ...course, ...inPhases(phases, starts, bounds) };
  const { bounds: _, ...endless } = meaning as Calendar;
  const steps = phases.map((phase, i) => ({
    from: starts[i] as number,
    portions: aligned(first, phase),
  }));
  return { ...course, meaning: { ...endless, ...(bounds && { bounds }) }, steps };
}

/** Returns the portions of a day as one where they differ by their times alone. */
function alikeIn(portions: readonly Portion[]): readonly Portion[] {
  const [first, ...others] = portions.map(({ times: _, ...portion }) => portion);
  return first && others.every((one) => isDeepStrictEqual(one, first)) ? [first] : portions;
}

/** Returns sequences that come differently often as phases. */
function inPhases(
  phases: readonly Phase[],
  starts: readonly number[],
  bounds: Bounds | undefined,
): Pick<Course, 'meaning' | 'steps'> {
  const [{ start = '' }] = phases as [Phase];
  const isByHours = phases[0]?.meaning.kind === 'interval';
  if (parseMoment(start)?.clock && !isByHours)
    throw refused(
      `${phases[0]?.path}.boundsPeriod.start`,
      'Sequences that come differently often begin on a date, without a clock time.',
    );
  const end = bounds?.kind === 'duration' ? bounds.count : undefined;
  const all = phases.map(({ meaning, portions, path }, i) => {
    const days = (starts[i + 1] ?? end ?? 0) - (starts[i] as number);
    const isEven = meaning.kind === 'calendar' || meaning.kind === 'interval';
    if (!isEven || alikeIn(portions).length > 1)
      throw refused(
        path,
        'Sequences that come differently often have one dose each, by hours, days, weeks or months. ' +
          'Make two reminders.',
      );
    const { bounds: _, ...often } = meaning;
    return { often, ...(days > 0 && { days }) };
  });
  const steps = phases.map(({ portions }, i) => ({
    from: starts[i] as number,
    portions: alikeIn(portions),
  }));
  const meaning: Phased = {
    kind: 'phased',
    ...(start && !isByHours && { fromStart: true }),
    phases: all,
  };
  const hours = phases.filter(({ meaning: one }) => one.kind === 'interval').at(-1);
  if (hours && !storedAs(meaning))
    throw refused(hours.path, 'Hours come before days, and for a whole number of doses.');
  return { meaning, steps };
}

/** Returns how many days a phase has. */
function lengthOf({ meaning, start, end, path }: Phase): number {
  const bounds = 'bounds' in meaning ? meaning.bounds : undefined;
  if (bounds?.kind === 'duration' && (bounds.unit === 'day' || bounds.unit === 'week'))
    return bounds.count * LENGTHS[bounds.unit];
  const isExact = [start, end].every((text = '') => parseMoment(text)?.clock);
  if (meaning.kind === 'interval' && start && end && isExact) return wholeDays(path, start, end);
  const [first, last] = [dayOf(start), dayOf(end)];
  if (first === undefined || last === undefined)
    throw refused(path, 'What is followed by another sequence ends: give its bounds in days.');
  if (last < first) throw refused(path, 'This ends before it begins.');
  return last - first + 1;
}

/** Returns how many times 24 hours lie between two instants, the last one included. */
function wholeDays(path: string, start: string, end: string): number {
  const [from, to] = [instantOf(start), instantOf(end)];
  const days = (to + SECOND - from) / DAY;
  if (days > 0 && Number.isInteger(days)) return days;
  throw refused(`${path}.boundsPeriod`, 'Hours that are followed by others last whole days.');
}
const SECOND = 1000;
const instantOf = (text: string) => {
  const { local = 0, offset = 0 } = parseMoment(text) ?? {};
  return local - offset * 60_000;
};

const dayOf = (text: string | undefined) => {
  const local = text ? parseMoment(text)?.local : undefined;
  return local === undefined ? undefined : Math.floor(local / DAY);
};

/**
 * Throws for a phase that does not begin on its day; behind hours on the next one at the latest.
 */
function refuseLate({ path, start }: Phase, from: number, { start: began, meaning }: Phase): void {
  const [day, first] = [dayOf(start), dayOf(began)];
  const most = meaning.kind === 'interval' ? 1 : 0;
  const late = day !== undefined && first !== undefined ? day - first - from : undefined;
  if (day !== undefined && (late === undefined || late < 0 || late > most))
    throw refused(
      `${path}.boundsPeriod.start`,
      'Each sequence begins on the day after the one before.',
    );
}

/** Returns how often a phase comes, whatever the order of its times. */
function oftenIn({ meaning, frequency, minutesUpTo }: Phase) {
  const { bounds: _, at, ...rest } = meaning as Calendar;
  return { ...rest, at: at && inOrder(at), frequency, minutesUpTo };
}

/** Returns whether a schedule that begins anew after so many days comes when it would go on. */
function isWhole(meaning: Uniform, days: number): boolean {
  if (meaning.kind !== 'calendar') return meaning.kind === 'as_needed';
  const { unit, every, weekdays } = meaning;
  if (unit === 'day') return days % every === 0;
  return unit === 'week' && ((weekdays !== undefined && every === 1) || days % (7 * every) === 0);
}

const inOrder = (at: readonly DayTime[]) => at.map((time) => JSON.stringify(time)).sort();

/** Returns the portions of a phase by the places that its times have in the first phase. */
function aligned(first: Phase, { meaning, portions }: Phase): readonly Portion[] {
  const [all = [], own = []] = [first.meaning, meaning].map((one) =>
    'at' in one ? one.at?.map((time) => JSON.stringify(time)) : [],
  );
  return portions.map((portion) =>
    portion.times
      ? { ...portion, times: portion.times.map((place) => all.indexOf(own[place] as string)) }
      : portion,
  );
}

function lastBounds(last: Phase, from: number): Bounds | undefined {
  const bounds = 'bounds' in last.meaning ? last.meaning.bounds : undefined;
  if (!bounds) return undefined;
  if (bounds.kind !== 'duration')
    throw refused(last.path, 'The last sequence ends on a date or after days. Leave count out.');
  return { kind: 'duration', unit: 'day', count: from + lengthOf(last) };
}
