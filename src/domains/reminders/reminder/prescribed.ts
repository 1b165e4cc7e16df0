import { localText } from '../../../platform/moment.js';
import { isoIn, localAt } from '../../../platform/zone.js';
import { scheduleOf, startAtOf } from '../alert/planned.js';
import type { AmountRow } from '../amount/amounts.js';
import { courseDays, dayAfter, firstDay } from '../amount/course-days.js';
import { dosagesOf, type Prescribed } from '../schedule/fhir/dosage-writing.js';
import type { FhirTiming } from '../schedule/fhir/fhir-dosage.js';
import { type Often, repeatsOf } from '../schedule/fhir/timing-writing.js';
import { type Frequency, isElapsing } from '../schedule/frequency.js';
import { END_OF_TIME, hoursOf } from '../schedule/hours-first.js';
import { beginnings, beginsWithHours, byPhase, type Phased } from '../schedule/phased.js';
import { repeatOf } from '../schedule/phrased-value.js';
import { boundOf, endOf, expand, nextOccurrence } from '../schedule/schedule.js';
import { frequencyIn, storedIn } from '../schedule/schedule-value.js';
import { endsWithSupply } from '../schedule/supply.js';
import { sinceMidnight } from '../schedule/times.js';
import type { MemberTimes } from '../schedule/words/anchors.js';
import type { DayTime } from '../schedule/words/meaning.js';
import { hasUntold, keptOf } from './kept-dosage.js';
import { TimesSource } from './reminder.enums.js';
import type { ReminderRow } from './reminder.service.js';

const DATE = 'YYYY-MM-DD'.length;
const SECOND = 'YYYY-MM-DDTHH:MM:SS'.length;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * Returns a medicine with the amounts of its doses as it is written in FHIR. `said` says it in
 * words, for amounts that FHIR has no element for.
 */
export function prescribedOf(
  row: ReminderRow,
  amounts: readonly AmountRow[],
  member: MemberTimes,
  said?: string | null,
): Prescribed {
  const frequency = frequencyIn(row);
  const often = row.recognized ? oftenOf(row, frequency, amounts) : undefined;
  const phases = row.recognized && frequency.kind === 'phased' && phasesOf(row, frequency);
  const asNeeded = often?.repeat.kind === 'asNeeded';
  const needed = frequency.kind === 'as_needed' ? frequency : undefined;
  const kept = keptOf(row, amounts, { at: often?.at, repeat: often?.repeat, asNeeded, member });
  const { since, maxPerDay, leastInterval } = { since: undefined, ...kept, ...row };
  return {
    often,
    ...(phases && { phases }),
    ...(often?.repeat.kind === 'once' && !often.at && { event: eventOf(row) }),
    start: startOf(row, frequency),
    end: endIn(row),
    counted: countedIn(row, frequency),
    untilFinished: endsWithSupply(frequency),
    asNeeded,
    limits: {
      maxPerDay: maxPerDay ?? needed?.maxPerDay ?? null,
      leastInterval: leastInterval ?? needed?.leastMinutes ?? null,
    },
    kept,
    since: since ?? firstDay(row),
    text: row.frequencyType ?? 'once',
    ...(said && hasUntold(amounts, often?.repeat) && { told: said }),
  };
}

/** Returns the one Timing of a medicine; undefined where it has none, several, or is as needed. */
export function timingIn(row: ReminderRow): FhirTiming | undefined {
  const prescribed = prescribedOf(row, [], { usual: {}, anchors: {} });
  const [dosage, another] = dosagesOf(prescribed, 'R4');
  return another || prescribed.asNeeded ? undefined : dosage?.timing;
}

/**
 * Returns the DTSTART property that the rule of a medicine counts from: its first occurrence
 * (RFC 5545, 3.8.5.3). In UTC where it counts elapsed time: by the clocks of a zone, a rule of
 * hours would keep to them when they are shifted.
 */
export function dtstartIn(row: ReminderRow): string {
  const schedule = scheduleOf(row);
  const first = nextOccurrence(schedule, Number.NEGATIVE_INFINITY);
  const { at, local } = first ?? { at: startAtOf(row), local: schedule.start };
  return isElapsing(schedule.frequency)
    ? `DTSTART:${basic(at)}Z`
    : `DTSTART;TZID=${row.zone}:${basic(local)}`;
}

/** Returns a time as iCalendar writes it. */
const basic = (time: number) => localText(time).replace(/[-:]/g, '');

/** Returns a rule with its UNTIL in UTC where its DTSTART is (RFC 5545, 3.3.10). */
export function ruleFor(row: ReminderRow, rrule: string): string {
  const frequency = frequencyIn(row);
  if (frequency.kind !== 'elapsed' || !frequency.until) return rrule;
  const until = `UNTIL=${basic(boundOf(frequency.until, row.zone))}Z`;
  return rrule.replace(/UNTIL=[^;]*/i, until);
}

/** Returns how often a medicine comes, with its times where they are named. */
function oftenOf(
  row: ReminderRow,
  frequency: Frequency,
  amounts: readonly AmountRow[],
): Often | undefined {
  const value = storedIn(row);
  if (frequency.kind === 'elapsed') {
    const minutes = Math.round(frequency.hours * 60);
    return { repeat: { kind: 'interval', minutes }, timesADay: 1 };
  }
  const repeat = value?.repeat ?? repeatOf(frequency, row.frequencyType ?? '');
  if (!repeat) return undefined;
  const timesADay = ('timesADay' in frequency && frequency.timesADay) || 1;
  const phrased = 'at' in frequency ? frequency.at : undefined;
  const at = value && value.times.length > 0 ? value.times.map(wordsOf) : phrased;
  if (at || !TIMED.has(repeat.kind)) return { repeat, at, timesADay };
  const clocked = timesADay === 1 && row.timesSource === TimesSource.START;
  const every = 'every' in repeat ? repeat.every : 1;
  // FHIR has no usual times of what comes several times on some days.
  const open = timesADay > 1 && (every > 1 || repeat.kind === 'months');
  const named = clocked || open || amounts.some(({ time }) => time !== null);
  return { repeat, timesADay, ...(named && { at: row.times.map((clock) => ({ clock })) }) };
}
const TIMED: ReadonlySet<string> = new Set(['days', 'weeks', 'months']);

/**
 * Returns how often phases come, from their days on; undefined where FHIR has no Timing for one.
 */
function phasesOf(row: ReminderRow, frequency: Phased): Prescribed['phases'] {
  const times = byPhase(frequency, row.times);
  const days = beginnings(frequency);
  const spans = beginsWithHours(frequency) ? spansOf(row, frequency) : [];
  const all = frequency.phases.map(({ often: frequency }, i) => {
    const phase = { ...row, schedule: null, times: times[i] as string[] };
    return { from: days[i] as number, often: oftenOf(phase, frequency, []), ...spans[i] };
  });
  const known = all.flatMap(({ often, ...phase }) =>
    often && repeatsOf(often) ? { ...phase, often } : [],
  );
  return known.length === all.length ? known : undefined;
}

/**
 * Returns when phases begin and end that begin with hours: those, and what follows them, at an
 * instant; others on a day, counted from the first dose behind the hours.
 */
function spansOf(row: ReminderRow, frequency: Phased): { start: string; end?: string }[] {
  const { hours, rest } = hoursOf(scheduleOf(row), frequency);
  const iso = (at: number | undefined) => isoIn(at ?? startAtOf(row), row.zone);
  const { beginOf } = courseDays(row);
  const days = beginnings(frequency);
  const dateOf = (i: number) => beginOf(days[i] as number).startsOn;
  return frequency.phases.map((_, i) => {
    const own = hours[i];
    if (own)
      return { start: iso(own.startAt), ...(own.until !== undefined && { end: iso(own.until) }) };
    const begun = iso(rest?.startAt);
    if (i === frequency.phases.length - 1) return { start: i === hours.length ? begun : dateOf(i) };
    const next = dateOf(i + 1);
    // Where the first dose behind the hours is on the day after them, that day is the first.
    const first = dayAfter(next, (days[i] as number) - (days[i + 1] as number));
    const start = i === hours.length && begun.startsWith(first) ? begun : first;
    return { start, end: dayAfter(next, -1) };
  });
}

/** Returns a time of a schedule as phrases have it. */
function wordsOf(time: string | { anchor: string; offset: number }): DayTime {
  if (typeof time === 'string') return { clock: time };
  const { anchor, offset } = time as { anchor: 'breakfast'; offset: number };
  if (offset === 0) return { anchor, relation: 'with' };
  return { anchor, relation: offset < 0 ? 'before' : 'after', minutes: Math.abs(offset) };
}

/** Returns how many doses a medicine ends after, and the last of them. */
function countedIn(row: ReminderRow, frequency: Frequency): Prescribed['counted'] {
  const count = 'count' in frequency ? frequency.count : undefined;
  if (!count || !row.recognized) return undefined;
  let last = startAtOf(row);
  for (const { at } of expand(scheduleOf(row), Number.NEGATIVE_INFINITY, END_OF_TIME)) last = at;
  return { count, last: isoIn(last, row.zone) };
}

/** Returns when something comes that comes once: a date where its time is a usual one. */
const eventOf = (row: ReminderRow): string =>
  row.timesSource === TimesSource.START
    ? isoIn(startAtOf(row), row.zone)
    : row.startLocal.slice(0, DATE);

/**
 * Returns the start as a date, or as an instant where times of its day lie before it, and where
 * hours count from it.
 */
function startOf(row: ReminderRow, frequency: Frequency): string {
  const date = row.startLocal.slice(0, DATE);
  const clock = sinceMidnight(row.startLocal.slice(DATE + 1, SECOND));
  // A course counts its days from the first dose on.
  const isCourse =
    frequency.kind === 'phased' || ('course' in frequency && !endsWithSupply(frequency));
  if (row.recognized && !isElapsing(frequency) && isCourse) return firstDay(row);
  const passed = row.times.some((time) => sinceMidnight(time) < clock);
  const exact = isElapsing(frequency) || passed;
  return exact ? isoIn(startAtOf(row), row.zone) : date;
}

/** Returns the last day, or the last instant where that is before the last minute of a day. */
function endIn(row: ReminderRow): string | undefined {
  const end = endOf(scheduleOf(row));
  if (end === undefined || !row.recognized) return undefined;
  const local = localAt(end, row.zone);
  const iso = isoIn(end, row.zone);
  return local % DAY >= DAY - MINUTE ? iso.slice(0, DATE) : iso;
}
