import {
  clock,
  DAY,
  instantByIntl,
  offsetByIntl,
  type Series,
  type Slot,
  slots,
} from '../../reminders/schedule/walk.js';
import type { Frequency } from './frequency.js';
import type { Said } from './script.js';

/*
 * What members must be told, when, and what their calendars show, from nothing but what they did and when. It shares no code and no
 * library with the service. Instants and local times are in milliseconds; local times as if UTC.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const GRACE = 2 * HOUR;
/** How far from now an offset in a date still tells where a member is. */
const ABOUT_NOW = 48 * HOUR;
/** So late a push is not sent any more. */
const TOO_LATE = 30 * MINUTE;
const EVER = Number.POSITIVE_INFINITY;

export interface Member {
  readonly id: number;
  readonly name: string;
  profile?: string | undefined;
  /** What a header taught (a zone), or an offset in a date. */
  learned?: string | undefined;
  usual: ReadonlyMap<number, readonly string[]>;
  repeat: { minutes: number | null; times: number };
  quiet?: { from: string; to: string } | undefined;
  tellCarers: boolean;
  readonly carers: Set<Member>;
  /** Devices that pushes go to. */
  readonly devices: Set<string>;
}

/** What is asked for: a medicine, or an appointment, which comes once. */
export interface Asked {
  readonly frequency: Frequency | 'appointment';
  readonly start: Said | undefined;
  readonly end: Said | undefined;
}

interface Start {
  readonly local: number;
  readonly clock: boolean;
  /** An offset named the instant. */
  readonly bound: boolean;
  /** That instant, where a local time could be another. */
  readonly at?: number | undefined;
  /** None was given: it is the minute at which it was made, then the first time. */
  readonly open?: boolean | undefined;
  /** As it was sent, with an offset other than of UTC. */
  readonly sent?: Said | undefined;
  /** As it was sent, whatever it was understood as. */
  readonly said?: Said | undefined;
}

/** How that is understood at a time. */
interface Understood {
  readonly frequency: Frequency;
  readonly kind: Frequency['kind'] | 'appointment';
  readonly zone: string;
  readonly start: Start;
  readonly times: readonly string[];
  /** The times are the member's usual ones. */
  readonly usual: boolean;
  readonly end?: Said | undefined;
  /** The last instant at which it may come. */
  readonly until: number;
}

/** A plan, and what of it counts. */
interface Plan {
  readonly of: Understood;
  /** Local times and instants: from, included, to, not included. */
  readonly fromLocal: number;
  readonly fromAt: number;
  toLocal: number;
  toAt: number;
  /** What comes before is on the calendar, but was never to be told. */
  readonly since: number;
}

/** What a member is still to be told of one coming. */
interface Telling {
  next?: Next | undefined;
  /** What was to come next when it was answered. */
  withheld?: Next | undefined;
  carersAt?: number | undefined;
  told: boolean;
  carersTold: boolean;
  /**
   * Whether carers are told is left open: an answer was taken back late, and the jobs stood still
   * from before its time.
   */
  looseCarers: boolean;
}

interface Next {
  readonly due: number;
  readonly kind: 'first' | 'again' | 'snooze';
  readonly times: number;
}

export interface Reminder {
  readonly id: number;
  readonly member: Member;
  readonly appointment: boolean;
  plans: Plan[];
  /** How long before its time an appointment is told, and when that was last arranged. */
  lead: number;
  arranged: number;
  readonly made: number;
  attended: boolean;
  deleted: boolean;
  readonly answers: Map<number, 'taken' | 'skipped'>;
  /** Doses that were logged apart. */
  readonly extras: number[];
  readonly tellings: Map<number, Telling>;
  occurrences?: ReadonlyMap<number, boolean> | undefined;
}

export interface Coming {
  readonly reminder: Reminder;
  readonly at: number;
}

/** One push about one coming to one device. */
export interface Push {
  readonly device: string;
  readonly reminder: number;
  readonly at: number;
  /** To a carer, of a coming that was missed. */
  readonly notice: boolean;
  readonly silent: boolean;
}

export interface Event {
  readonly reminder: number;
  readonly at: number;
  readonly status: string;
}

export class Oracle {
  readonly reminders: Reminder[] = [];

  /** Everything that is asked of it lies between two instants. */
  constructor(
    private readonly begin: number,
    private readonly end: number,
  ) {}

  /** A member says, by a request of their own, where they are; all their reminders go along. */
  learn(
    member: Member,
    now: number,
    header: string | undefined,
    dates: readonly (Said | undefined)[],
  ): void {
    const learned = taught(member, now, header, dates);
    if (learned === member.learned) return;
    member.learned = learned;
    if (!member.profile) this.move(member, now, zoneOf(member, header));
  }

  make(id: number, member: Member, now: number, asked: Asked, header?: string, lead = 0): Reminder {
    const reminder: Reminder = {
      id,
      member,
      appointment: asked.frequency === 'appointment',
      plans: [plan(understand(member, now, asked, header), { since: toMinute(now) })],
      lead,
      arranged: now,
      made: now,
      attended: false,
      deleted: false,
      answers: new Map(),
      extras: [],
      tellings: new Map(),
    };
    this.reminders.push(reminder);
    return reminder;
  }

  /**
   * Changes a reminder; what is not given stays as it was understood, wherever the member is by
   * now. Another frequency or start counts at once, whatever else was to come; a new end alone ends
   * that too, and a new lead alone is that of it too.
   */
  edit(
    reminder: Reminder,
    now: number,
    given: {
      frequency?: Frequency | undefined;
      start?: Said | undefined;
      end?: Said | null | undefined;
      lead?: number | undefined;
    },
    header?: string,
  ): void {
    this.beganBefore(reminder, now);
    const before = current(reminder);
    const of = edited(reminder, given, header);
    const again = given.lead !== undefined && given.lead !== reminder.lead;
    if (!again && !differs(before.of, of)) {
      reminder.plans.splice(-1, 1, { ...before, of });
      return;
    }
    const begun = this.slotsOf(before, -EVER).some(({ at }) => at < now);
    const goesOn = !given.frequency && !given.start;
    const minute = toMinute(now);
    const pending = goesOn
      ? reminder.plans.slice(0, -1).map((one) => ({
          ...one,
          of: { ...one.of, until: of.until },
          fromAt: Math.max(one.fromAt, now),
        }))
      : [];
    for (const one of reminder.plans) one.toAt = Math.min(one.toAt, now);
    if (!begun && isFirst(before)) reminder.plans = [];
    // Nobody was reminded of what an edit puts into days that are over, nor of what had ended.
    const anew =
      (!goesOn || before.of.until < now) &&
      !reminder.appointment &&
      of.frequency.kind !== 'unknown';
    const from = begun || anew || !isFirst(before) ? { fromAt: minute } : {};
    const later = goesOn
      ? {
          fromLocal: before.fromLocal,
          fromAt: Math.max(before.fromAt, from.fromAt ?? before.fromAt),
        }
      : from;
    reminder.plans.push(...pending, plan(of, { since: minute, ...later }));
    if (given.start) reminder.attended = false;
    reminder.lead = given.lead ?? reminder.lead;
    this.arrange(reminder, now);
  }

  /**
   * Reminders go along to another zone: what the clocks of either have shown, or was answered
   * before its time, keeps its instant.
   */
  move(member: Member, now: number, zone: string): void {
    for (const reminder of this.of(member)) {
      const before = current(reminder);
      const { of } = before;
      if (of.zone === zone) continue;
      this.beganBefore(reminder, now);
      if (!follows(of)) {
        const at = startAt(of);
        const start = { ...of.start, local: localOf(at, zone), at };
        reminder.plans.splice(-1, 1, { ...before, of: { ...of, zone, start } });
        continue;
      }
      const local = clockSent(of, zone) ?? startOf(of);
      const start = { ...of.start, local, at: undefined };
      const moved = bounded({
        ...of,
        zone,
        start,
        times: isOwn(of) ? [clockText(local)] : of.times,
      });
      if (local !== startOf(of)) {
        this.cut(reminder, now, now, moved);
        continue;
      }
      const began = Number.isFinite(before.fromAt)
        ? localOf(before.fromAt, of.zone)
        : before.fromLocal;
      const early = answeredEarly(reminder, now).map((at) => localOf(at, of.zone) + 1);
      const latest = Math.max(shown(now, of.zone) + 1, shown(now, zone) + 1, began, ...early);
      const from = settled(settled(latest, of.zone), zone);
      const begun = this.slotsOf(before, -EVER).some((slot) => slot.local < from);
      before.toLocal = Math.min(before.toLocal, from);
      if (!begun) reminder.plans.pop();
      reminder.plans.push(
        plan(moved, { since: now, ...((begun || !isFirst(before)) && { fromLocal: from }) }),
      );
      this.arrange(reminder, now);
    }
  }

  /**
   * Another plan counts from an instant on, and from where the one before begins, or was answered
   * before its time.
   */
  private cut(reminder: Reminder, now: number, earliest: number, of: Understood): void {
    const before = current(reminder);
    const early = answeredEarly(reminder, now).map((at) => at + 1);
    const from = Math.max(earliest, beganAt(before), ...early);
    const begun = this.slotsOf(before, -EVER).some(({ at }) => at < from);
    before.toAt = Math.min(before.toAt, from);
    if (!begun) reminder.plans.pop();
    reminder.plans.push(
      plan(of, { since: now, ...((begun || !isFirst(before)) && { fromAt: from }) }),
    );
    this.arrange(reminder, now);
  }

  /**
   * The usual times of a member change; reminders at usual times follow from tomorrow on, those of
   * elapsed hours only if they begin then.
   */
  retime(member: Member, now: number): void {
    for (const reminder of this.of(member)) {
      const before = current(reminder);
      const { of } = before;
      const times = usualOf(member, of.times.length);
      if (!of.usual || times.join() === of.times.join()) continue;
      this.begins(reminder, now);
      const latest = Math.max(now, ...answeredEarly(reminder, now));
      const tomorrow = instantByIntl(dayOf(localOf(latest, of.zone)) + DAY, of.zone);
      const from = Math.max(tomorrow, beganAt(before));
      const begun = this.slotsOf(before, -EVER).some(({ at }) => at < from);
      if (of.kind === 'elapsed' && begun) continue;
      const [time] = times.length === 1 ? times : [];
      const local = time ? dayOf(of.start.local) + clock(time) : of.start.local;
      before.toAt = Math.min(before.toAt, from);
      if (!begun) reminder.plans.pop();
      const retimed = { ...of, times, start: { ...of.start, local, at: undefined } };
      reminder.plans.push(
        plan(retimed, { since: now, ...((begun || !isFirst(before)) && { fromAt: from }) }),
      );
      this.arrange(reminder, now);
    }
  }

  /**
   * An appointment that began before it is arranged anew is told, or not, as it was arranged
   * before.
   */
  private beganBefore(reminder: Reminder, now: number): void {
    if (reminder.lead > 0) this.begins(reminder, now, toMinute(now));
  }

  /**
   * Plans have changed: what is no more is not put off any more, and an appointment is told when
   * its time to be told is yet to come.
   */
  private arrange(reminder: Reminder, now: number): void {
    reminder.occurrences = undefined;
    reminder.arranged = now;
    for (const [at, { told }] of reminder.tellings) {
      const again = reminder.appointment && (!told || tellAt(reminder, at) > now);
      if (at >= now && (again || !this.occurrences(reminder).has(at))) reminder.tellings.delete(at);
    }
  }

  /**
   * The mark that an appointment was attended is taken back: what it was not told for that is told
   * now.
   */
  unattend(reminder: Reminder, now: number): void {
    for (const [at, telling] of reminder.tellings) {
      if (at <= now || !telling.withheld) continue;
      telling.next = { ...telling.withheld, due: Math.max(telling.withheld.due, toMinute(now)) };
      telling.withheld = undefined;
    }
  }

  private of(member: Member): Reminder[] {
    return this.reminders.filter((one) => one.member === member && !one.deleted);
  }

  /** What comes by a plan; where a gap brings two of its times to one instant, the later one. */
  private slotsOf({ of, fromLocal, toLocal, fromAt, toAt }: Plan, from = this.begin): Slot[] {
    if (of.kind === 'unknown' || of.kind === 'never') return [];
    const found = new Map<number, Slot>();
    for (const slot of slots(seriesOf(of), from, this.end)) {
      if (slot.local > (found.get(slot.at)?.local ?? -EVER)) found.set(slot.at, slot);
    }
    return [...found.values()].filter(
      ({ at, local }) => local >= fromLocal && local < toLocal && at >= fromAt && at < toAt,
    );
  }

  /** The instants at which a reminder comes, and whether each is to be told. */
  private occurrences(reminder: Reminder): ReadonlyMap<number, boolean> {
    if (reminder.occurrences) return reminder.occurrences;
    const found = new Map<number, boolean>();
    for (const one of reminder.plans) {
      for (const { at } of this.slotsOf(one)) found.set(at, found.get(at) || at >= one.since);
    }
    reminder.occurrences = found;
    return found;
  }

  /** Doses of a member, answered or not, in order. */
  doses(member: Member): Coming[] {
    const medicines = this.of(member).filter(({ appointment }) => !appointment);
    const all = medicines.flatMap((reminder) =>
      [...this.occurrences(reminder).keys()].map((at) => ({ reminder, at })),
    );
    return all.sort((a, b) => a.at - b.at || a.reminder.id - b.reminder.id);
  }

  /** When a reminder comes next, if that is within what the oracle looks at. */
  next(reminder: Reminder, now: number): number | undefined {
    const coming = [...this.occurrences(reminder).keys()].filter((at) => at >= now);
    return coming.length > 0 && current(reminder).of.kind !== 'unknown'
      ? Math.min(...coming)
      : undefined;
  }

  answer({ reminder, at }: Coming, answer: 'taken' | 'skipped'): void {
    reminder.answers.set(at, answer);
    const telling = reminder.tellings.get(at);
    if (telling) withhold(telling);
  }

  /**
   * What was to come next comes after all, unless it is too late for it; carers are told when the
   * grace time ends.
   */
  undo({ reminder, at }: Coming, now: number): void {
    reminder.answers.delete(at);
    const telling = reminder.tellings.get(at) ?? untold();
    // Unless the jobs have looked since its time, it is still to come for the first time.
    const first: Next | undefined = this.occurrences(reminder).get(at)
      ? { due: at, kind: 'first', times: 0 }
      : undefined;
    const withheld = reminder.tellings.has(at) ? telling.withheld : first;
    if (!reminder.tellings.has(at) && at + TOO_LATE <= now) telling.looseCarers = true;
    reminder.tellings.set(at, telling);
    if (withheld && withheld.due > now - TOO_LATE)
      Object.assign(telling, { next: withheld, withheld: undefined });
    if (at + GRACE > now) telling.carersAt = at + GRACE;
  }

  snooze({ reminder, at }: Coming, now: number, minutes: number): void {
    const telling = reminder.tellings.get(at) ?? untold();
    reminder.tellings.set(at, telling);
    telling.next = { due: Math.max(at, now) + minutes * MINUTE, kind: 'snooze', times: 0 };
    if (at + GRACE > now) Object.assign(telling, { carersAt: at + GRACE, looseCarers: false });
  }

  /** When something is due after an instant and before another, of one member or of all. */
  due(after: number, to: number, member?: Member): number[] {
    const found = new Set<number>();
    const look = (due = EVER) => due > after && due < to && found.add(due);
    for (const reminder of this.reminders.filter(
      (one) => !one.deleted && (!member || one.member === member),
    )) {
      for (const [at, told] of this.occurrences(reminder)) if (told) look(tellAt(reminder, at));
      for (const { next, carersAt } of reminder.tellings.values())
        for (const due of [next?.due, carersAt]) look(due);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** What a run of the jobs sends now, and what it may send besides. */
  round(now: number): { must: Push[]; may: Push[] } {
    const sent = { must: [] as Push[], may: [] as Push[] };
    for (const reminder of this.reminders.filter(({ deleted }) => !deleted)) {
      this.begins(reminder, now);
      for (const [at, telling] of reminder.tellings) {
        const about = { reminder, at };
        if (reminder.answers.has(at) || (reminder.appointment && reminder.attended)) {
          if (telling.next && telling.next.due <= now) telling.withheld = take(telling);
          if (telling.carersAt !== undefined && telling.carersAt <= now)
            telling.carersAt = undefined;
          continue;
        }
        if (telling.looseCarers && !telling.carersTold) sent.may.push(...notices(about, now));
        sent.must.push(...tell(telling, about, now), ...tellCarers(telling, about, now));
      }
    }
    return sent;
  }

  /** What is due of a reminder for the first time. */
  private begins(reminder: Reminder, now: number, before = EVER): void {
    const { lead, arranged, tellings } = reminder;
    for (const [at, told] of this.occurrences(reminder)) {
      const due = lead > 0 ? Math.max(tellAt(reminder, at), toMinute(arranged)) : at;
      if (!told || due > now || at >= before || tellings.has(at)) continue;
      // An appointment that had begun when it was arranged is not told in advance any more.
      tellings.set(at, {
        ...untold(),
        ...(!(lead > 0 && at < arranged) && { next: { due, kind: 'first', times: 0 } }),
      });
    }
  }

  /** What the calendar of a member shows from one instant to another. */
  calendar(member: Member, now: number, from: number, to: number): Event[] {
    const events: Event[] = [];
    for (const reminder of this.reminders.filter((one) => one.member === member)) {
      const coming = reminder.deleted ? [] : this.occurrences(reminder).keys();
      for (const at of new Set([...coming, ...reminder.answers.keys()])) {
        const unanswered =
          now < at
            ? 'upcoming'
            : now < at + GRACE
              ? 'due'
              : reminder.appointment || at < toMinute(reminder.made)
                ? 'past'
                : 'missed';
        const status = reminder.attended ? 'attended' : (reminder.answers.get(at) ?? unanswered);
        events.push({ reminder: reminder.id, at, status });
      }
      for (const at of reminder.extras)
        events.push({
          reminder: reminder.id,
          at: Math.floor(at / 1000) * 1000,
          status: 'taken apart',
        });
    }
    return events.filter(({ at }) => at >= from && at < to);
  }
}

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

const localOf = (at: number, zone: string) => at + offsetByIntl(at, zone);
const dayOf = (local: number) => Math.floor(local / DAY) * DAY;
const toMinute = (at: number) => Math.floor(at / MINUTE) * MINUTE;
const isOffset = (zone: string) => /^[+-]/.test(zone);
const two = (number: number) => String(number).padStart(2, '0');
const offsetZone = (minutes: number) =>
  `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;

/**
 * The latest time that the clocks of a zone have shown; where they go back, nothing is taken to be
 * new until they have caught up.
 */
function shown(now: number, zone: string): number {
  const local = localOf(now, zone);
  return local + (now - instantByIntl(local, zone));
}

/**
 * A local time after which later ones come later: within two widths of a gap those that it leaves
 * out and those after it mix.
 */
function settled(local: number, zone: string): number {
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
const usualOf = (member: Member, count: number) => member.usual.get(count) ?? USUAL[count] ?? [];

export const current = ({ plans }: Pick<Reminder, 'plans'>): Plan =>
  plans[plans.length - 1] as Plan;

/** Whether no other plan was in force before. */
const isFirst = ({ fromAt, fromLocal }: Plan) => fromAt === -EVER && fromLocal === -EVER;

const plan = (of: Understood, bounds: Partial<Plan> & { since: number }): Plan => ({
  of,
  fromLocal: -EVER,
  fromAt: -EVER,
  toLocal: EVER,
  toAt: EVER,
  ...bounds,
});

/** The instant from which on a plan counts. */
const beganAt = ({ of, fromAt, fromLocal }: Plan) =>
  Number.isFinite(fromLocal) ? instantByIntl(fromLocal, of.zone) : fromAt;

const answeredEarly = ({ answers }: Reminder, now: number) =>
  [...answers.keys()].filter((at) => at >= now);

/** What a member asks for, where the member is. */
function understand(
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
function dateOf(said: Said, zone: string): Said | undefined {
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
function begun(member: Member, now: number, header?: string): Pick<Understood, 'zone' | 'start'> {
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

function edited(
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
const follows = ({ kind, start }: Understood) =>
  kind === 'clock' || kind === 'rule' || (kind !== 'elapsed' && !start.bound);

/** The local time of the start, with the usual time where none was given. */
const startOf = ({ start, times, usual }: Understood) =>
  usual && !start.open && times.length === 1 && start.at === undefined
    ? dayOf(start.local) + clock(times[0] as string)
    : start.local;

const startAt = (of: Understood) => of.start.at ?? instantByIntl(startOf(of), of.zone);

const clockText = (local: number) => new Date(local).toISOString().slice(11, 19);

/** Whether the clock time is that of the start. */
const isOwn = ({ kind, usual, frequency }: Understood) =>
  !usual && kind !== 'never' && !(kind === 'rule' && frequency.clocks.length > 0);

/**
 * The clock time that was sent with the offset of a zone then; where the member lives by that, it
 * is meant.
 */
function clockSent(of: Understood, zone: string): number | undefined {
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
function bounded(of: Understood): Understood {
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

function seriesOf(of: Understood): Series {
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
const differs = (one: Understood, other: Understood) =>
  JSON.stringify(essence(one)) !== JSON.stringify(essence(other));
const essence = (of: Understood) => [of.frequency.text, of.zone, startOf(of), of.times, of.until];

const untold = (): Telling => ({ told: false, carersTold: false, looseCarers: false });

/**
 * When an appointment is told: whole days before it by the clocks, and the rest of its lead before
 * that.
 */
function tellAt({ lead, plans }: Reminder, at: number): number {
  const { zone } = (plans.at(-1) as Plan).of;
  const days = lead - (lead % DAY);
  return days > 0 ? instantByIntl(localOf(at, zone) - days, zone) - (lead - days) : at - lead;
}

/** What was to come next, which comes no more. */
function take(telling: Telling): Next | undefined {
  const { next } = telling;
  telling.next = undefined;
  return next;
}

function withhold(telling: Telling): void {
  telling.withheld = take(telling) ?? telling.withheld;
  telling.carersAt = undefined;
}

/** What a member is told of a coming now, and what follows from it. */
function tell(telling: Telling, about: Coming, now: number): Push[] {
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
function tellCarers(telling: Telling, about: Coming, now: number): Push[] {
  if (telling.carersAt === undefined || telling.carersAt > now) return [];
  telling.carersAt = undefined;
  // Also when the reminder, of which they were told that it was too late to send, was put off after
  // that
  if (telling.carersTold) return [];
  telling.carersTold = true;
  return notices(about, now);
}

const pushes = (about: Coming, now: number) => pushesTo(about.reminder.member, about, now, false);

function notices(about: Coming, now: number): Push[] {
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
