import {
  clock,
  DAY,
  instantByIntl,
  offsetByIntl,
  type Series,
  slots,
} from '../../reminders/schedule/walk.js';
import type { Frequency } from './frequency.js';
import {
  ABOUT_NOW,
  type Asked,
  EVER,
  HOUR,
  type Member,
  MINUTE,
  type Plan,
  type Reminder,
  type Understood,
} from './model.js';
import type { Said } from './script.js';

/* How what a member asks for is understood, where the member is. */

/** Whether an end lies before the start, which is refused. */
export function isRefused(member: Member, now: number, asked: Asked, header?: string): boolean {
  const { frequency, ...endless } = asked;
  const { start, zone } = asked.start
    ? started(member, asked.start, header)
    : begun(member, now, header);
  const { until } = understand(member, now, { ...endless, frequency: ONCE }, header);
  return until < (start.at ?? instantByIntl(start.local, zone));
}

/**
 * Where a member is known to be after a request of their own, with a Time-Zone header and dates
 * that may have offsets.
 */
export function taught(
  { learned }: Member,
  now: number,
  header: string | undefined,
  dates: readonly (Said | undefined)[],
): string | undefined {
  const told = dates.flatMap((date) =>
    date?.offset ? [{ local: date.local, offset: date.offset }] : [],
  );
  const recent = told.find(
    ({ local, offset }) => Math.abs(local - offset * MINUTE - now) <= ABOUT_NOW,
  );
  const lesson = recent ?? (learned ? undefined : told[0]);
  if (header || !lesson || (learned && !isOffset(learned))) return header ?? learned;
  return offsetZone(lesson.offset);
}

/**
 * The zone of a member, on a request with a Time-Zone header or for what the service does by
 * itself.
 */
export const zoneOf = ({ profile, learned }: Member, header?: string): string =>
  profile ?? header ?? learned ?? 'UTC';

export const localOf = (at: number, zone: string) => at + offsetByIntl(at, zone);
export const dayOf = (local: number) => Math.floor(local / DAY) * DAY;
export const toMinute = (at: number) => Math.floor(at / MINUTE) * MINUTE;
const isOffset = (zone: string) => /^[+-]/.test(zone);
export const two = (number: number) => String(number).padStart(2, '0');
const offsetZone = (minutes: number) =>
  `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;

/**
 * The latest time that the clocks of a zone have shown; where they go back, nothing is taken to be
 * new until they have caught up.
 */
export function shown(now: number, zone: string): number {
  const local = localOf(now, zone);
  return local + (now - instantByIntl(local, zone));
}

/**
 * A local time after which later ones come later: within two widths of a gap those that it leaves
 * out and those after it mix.
 */
export function settled(local: number, zone: string): number {
  const at = instantByIntl(local, zone);
  const width = offsetByIntl(at, zone) - offsetByIntl(at - DAY, zone);
  return width > 0 && offsetByIntl(at - width, zone) !== offsetByIntl(at, zone)
    ? local + 2 * width
    : local;
}

const USUAL: Readonly<Record<number, readonly string[]>> = {
  1: ['08:00'],
  2: ['08:00', '20:00'],
  3: ['08:00', '14:00', '20:00'],
  4: ['08:00', '12:00', '16:00', '20:00'],
  5: ['08:00', '11:00', '14:00', '17:00', '20:00'],
};
export const usualOf = (member: Member, count: number) =>
  member.usual.get(count) ?? USUAL[count] ?? [];

export const current = ({ plans }: Pick<Reminder, 'plans'>): Plan =>
  plans[plans.length - 1] as Plan;

/** Whether no other plan was in force before. */
export const isFirst = ({ fromAt, fromLocal }: Plan) => fromAt === -EVER && fromLocal === -EVER;

export const plan = (of: Understood, bounds: Partial<Plan> & { since: number }): Plan => ({
  of,
  fromLocal: -EVER,
  fromAt: -EVER,
  toLocal: EVER,
  toAt: EVER,
  ...bounds,
});

/** The instant from which on a plan counts. */
export const beganAt = ({ of, fromAt, fromLocal }: Plan) =>
  Number.isFinite(fromLocal) ? instantByIntl(fromLocal, of.zone) : fromAt;

export const answeredEarly = ({ answers }: Reminder, now: number) =>
  [...answers.keys()].filter((at) => at >= now);

/** What a member asks for, where the member is. */
export function understand(
  member: Member,
  now: number,
  { frequency, start, end }: Asked,
  header?: string,
): Understood {
  if (frequency === 'appointment')
    return complete(member, frequency, startedOr(member, now, start, header), end);
  const read = course(start, end, zoneOf(member, header));
  const { zone, start: given } = startedOr(member, now, read.start, header);
  return complete(
    member,
    frequency,
    { zone, start: { ...given, said: start } },
    course(start, end, zone).end,
  );
}

const startedOr = (member: Member, now: number, start: Said | undefined, header?: string) =>
  start ? started(member, start, header) : begun(member, now, header);

/**
 * The date that a moment may be meant as: it has no clock time, or says midnight as written or, in
 * UTC, by the clocks of a zone.
 */
export function dateOf(said: Said, zone: string): Said | undefined {
  const { text, local, clock, offset } = said;
  if (!clock) return said;
  const seen = offset === 0 ? [local, localOf(local, zone)] : [local];
  const midnight = seen.find((each) => each % DAY === 0);
  return midnight === undefined ? undefined : { text, local: midnight, clock: false };
}

/**
 * Start and end of a medicine read together: midnights beside a midnight or a date, midnights in
 * UTC, and a lone end at midnight are dates.
 */
function course(
  start: Said | undefined,
  end: Said | undefined,
  zone: string,
): Pick<Asked, 'start' | 'end'> {
  const isUtc = (said: Said) => said.text.endsWith('T00:00:00Z');
  const [first, last] = [start && dateOf(start, zone), end && dateOf(end, zone)];
  const endsDay = end?.clock && dateOf({ ...end, local: end.local + 1000 }, zone) !== undefined;
  return {
    start: start && first && (isUtc(start) || last || endsDay) ? first : start,
    end: end && last && (isUtc(end) || first || !start) ? last : end,
  };
}

/** Without a start it begins this minute. */
export function begun(
  member: Member,
  now: number,
  header?: string,
): Pick<Understood, 'zone' | 'start'> {
  const zone = zoneOf(member, header);
  return {
    zone,
    start: { local: toMinute(localOf(now, zone)), clock: false, bound: false, open: true },
  };
}

/**
 * When that first comes: at the usual time or an hour that was named, today or tomorrow; elapsed
 * hours by whole steps from the usual time.
 */
function firstOf({
  frequency,
  kind,
  start,
  times,
}: Pick<Understood, 'frequency' | 'kind' | 'start' | 'times'>): number {
  const { local } = start;
  const today = dayOf(local);
  if (kind === 'never' || (kind === 'clock' && frequency.timesADay > 1)) return local;
  if (kind === 'elapsed' && frequency.hours) {
    const step = frequency.hours * HOUR;
    let at = today + clock(times[0] as string);
    while (at - step >= local) at -= step;
    while (at < local) at += step;
    return at;
  }
  const clocks = [0, DAY].flatMap((day) => times.map((time) => today + day + clock(time)));
  return clocks.find((at) => at >= local) as number;
}

/**
 * A start by the clocks of the member's zone; an offset names the instant, and where no zone is
 * known those clocks too.
 */
function started(member: Member, said: Said, header?: string): Pick<Understood, 'zone' | 'start'> {
  const { local, clock, offset } = said;
  if (offset === undefined)
    return { zone: zoneOf(member, header), start: { local, clock, bound: false } };
  const at = local - offset * MINUTE;
  const known = zoneOf(member, header);
  const isKnown = Boolean(
    member.profile ?? header ?? (member.learned && !isOffset(member.learned)),
  );
  const zone = isKnown || offset === 0 ? known : offsetZone(offset);
  return {
    zone,
    start: { local: localOf(at, zone), clock, bound: true, at, ...(offset && { sent: said }) },
  };
}

function complete(
  member: Member,
  asked: Asked['frequency'],
  { zone, start: given }: Pick<Understood, 'zone' | 'start'>,
  end: Said | undefined,
  edited = false,
): Understood {
  const frequency = asked === 'appointment' ? ONCE : asked;
  const kind = asked === 'appointment' ? asked : frequency.kind;
  const several = kind === 'clock' && frequency.timesADay > 1;
  const ruled = kind === 'rule' && frequency.clocks.length > 0;
  const usual = kind !== 'never' && !ruled && (several || !given.clock);
  const clockTime = clockText(given.local);
  const named = frequency.clocks.map(
    (hour) => `${two(hour)}${given.clock ? clockTime.slice(2) : ':00'}`,
  );
  const times = ruled
    ? named
    : usual
      ? usualOf(member, several ? frequency.timesADay : 1)
      : [clockTime];
  const first =
    given.open && !edited ? firstOf({ frequency, kind, start: given, times }) : given.local;
  const start = { ...given, local: first };
  const whole = { frequency, kind, zone, start, times, usual, end, until: EVER };
  const { at: _, ...byClock } = start;
  const of = bounded(follows(whole) ? { ...whole, start: byClock } : whole);
  // A rule that ends before it ever comes is not understood.
  const endless = { ...of, until: EVER };
  const last = frequency.until ? frequency.until.local + 2 * DAY : EVER;
  const never =
    kind === 'rule' &&
    last < EVER &&
    slots(seriesOf(endless), start.local - 2 * DAY, last).length === 0;
  return never ? { ...of, kind: 'unknown' } : of;
}
const ONCE: Frequency = {
  text: 'once',
  kind: 'once',
  on: (day, first) => day === first,
  timesADay: 1,
  clocks: [],
};

export function edited(
  { plans, member, appointment }: Reminder,
  given: {
    frequency?: Frequency | undefined;
    start?: Said | undefined;
    end?: Said | null | undefined;
  },
  header?: string,
): Understood {
  const { of } = current({ plans });
  const asked = given.end === undefined ? of.end : (given.end ?? undefined);
  // The moment of an appointment is no end of a course.
  const read = (start: Said | undefined, zone: string) =>
    appointment ? { start, end: asked } : course(start, asked, zone);
  const { bound, open, said } = of.start;
  const frequency = appointment ? 'appointment' : (given.frequency ?? of.frequency);
  if (!given.start) {
    const { end } = read(said, of.zone);
    if (!given.frequency) return given.end === undefined ? of : bounded({ ...of, end });
    const local = open ? startOf(of) : dayOf(startOf(of));
    const start = of.start.clock ? of.start : { local, clock: false, bound, open, said };
    return complete(member, frequency, { zone: of.zone, start }, end, true);
  }
  const meant = read(given.start, zoneOf(member, header)).start as Said;
  const { zone, start } = started(member, meant, header);
  return complete(
    member,
    frequency,
    { zone, start: { ...start, said: given.start } },
    read(given.start, zone).end,
  );
}

/** Clock times go along with the member, instants do not. */
export const follows = ({ kind, start }: Understood) =>
  kind === 'clock' || kind === 'rule' || (kind !== 'elapsed' && !start.bound);

/** The local time of the start, with the usual time where none was given. */
export const startOf = ({ start, times, usual }: Understood) =>
  usual && !start.open && times.length === 1 && start.at === undefined
    ? dayOf(start.local) + clock(times[0] as string)
    : start.local;

export const startAt = (of: Understood) => of.start.at ?? instantByIntl(startOf(of), of.zone);

export const clockText = (local: number) => new Date(local).toISOString().slice(11, 19);

/** Whether the clock time is that of the start. */
export const isOwn = ({ kind, usual, frequency }: Understood) =>
  !usual && kind !== 'never' && !(kind === 'rule' && frequency.clocks.length > 0);

/**
 * The clock time that was sent with the offset of a zone then; where the member lives by that, it
 * is meant.
 */
export function clockSent(of: Understood, zone: string): number | undefined {
  const { local = 0, offset } = of.start.sent ?? {};
  if (offset === undefined || !isOwn(of)) return undefined;
  return localOf(local - offset * MINUTE, zone) === local ? local : undefined;
}

/** When an appointment is, by what was last arranged. */
export const appointedAt = (reminder: Reminder): number => startAt(current(reminder).of);

/**
 * A plan with the last instant of its end, by the clocks of its zone; of elapsed hours also of
 * their rule's.
 */
export function bounded(of: Understood): Understood {
  const { end, zone, kind, frequency } = of;
  const rule = kind === 'elapsed' ? lastOf(frequency, zone) : EVER;
  if (!end || end.text.startsWith('9999-')) return { ...of, until: rule };
  const named =
    end.offset === undefined ? instantByIntl(end.local, zone) : end.local - end.offset * MINUTE;
  return {
    ...of,
    until: Math.min(rule, end.clock ? named : instantByIntl(end.local + DAY, zone) - 1),
  };
}

const lastOf = ({ until }: Frequency, zone: string) =>
  until ? (until.utc ? until.local : instantByIntl(until.local, zone)) : EVER;

export function seriesOf(of: Understood): Series {
  const { frequency, zone, times, kind } = of;
  const { text, on, hours, count } = frequency;
  const end = Math.min(of.until, kind === 'elapsed' ? EVER : lastOf(frequency, zone));
  const series = {
    text,
    on,
    zone,
    start: startOf(of),
    times: [...times],
    ...(end < EVER && { until: end }),
    ...(count && { count }),
  };
  if (kind === 'elapsed' && hours) return { ...series, hours, startAt: startAt(of) };
  return (kind === 'once' || kind === 'appointment') && of.start.bound
    ? { ...series, hours: 1, count: 1, startAt: startAt(of) }
    : series;
}

/** Whether two plans come at different times. */
export const differs = (one: Understood, other: Understood) =>
  JSON.stringify(essence(one)) !== JSON.stringify(essence(other));
const essence = (of: Understood) => [of.frequency.text, of.zone, startOf(of), of.times, of.until];
