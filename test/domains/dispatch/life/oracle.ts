import { clock, DAY, instantByIntl, type Slot, slots } from '../../reminders/schedule/walk.js';
import type { Frequency } from './frequency.js';
import {
  type Asked,
  type Coming,
  EVER,
  type Event,
  GRACE,
  LONGEST_DISTANCE,
  type Member,
  MINUTE,
  type Next,
  type Plan,
  type Push,
  type Reminder,
  TOO_LATE,
  type Understood,
} from './model.js';
import {
  answeredEarly,
  beganAt,
  bounded,
  clockSent,
  clockText,
  current,
  dayOf,
  differs,
  edited,
  follows,
  isFirst,
  isOwn,
  localOf,
  plan,
  seriesOf,
  settled,
  shown,
  startAt,
  startOf,
  taught,
  toMinute,
  understand,
  usualOf,
  zoneOf,
} from './plan.js';
import type { Said } from './script.js';
import { notices, take, tell, tellAt, tellCarers, untold, withhold } from './telling.js';

/**
 * What members must be told, when, and what their calendars show, from nothing but what they did
 * and when. It shares no code and no library with the service.
 */
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
      deletedAt: EVER,
      withheld: new Set(),
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
      if (reminder.appointment && begun) continue;
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
      if ((of.kind === 'elapsed' || reminder.appointment) && begun) continue;
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

  /**
   * Takes over which doses are withheld. That none are too close is proved in
   * reminders/closeness; here each must have another dose of its medicine near it.
   */
  withhold(reminder: Reminder, instants: readonly number[]): void {
    reminder.withheld = new Set(instants);
    reminder.occurrences = undefined;
    for (const at of instants) reminder.tellings.delete(at);
    const kept = [...this.occurrences(reminder).keys(), ...reminder.answers.keys()];
    const near = (at: number) => kept.some((one) => Math.abs(one - at) < LONGEST_DISTANCE);
    const unfounded = instants.filter((at) => at > this.begin && at < this.end && !near(at));
    if (unfounded.length > 0) throw new Error(`withheld for nothing: ${unfounded}`);
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
      for (const { at } of this.slotsOf(one)) {
        if (!reminder.withheld.has(at)) found.set(at, found.get(at) || at >= one.since);
      }
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

  /** What was missed of a medicine when it was deleted. */
  private missedUntilDeleted(reminder: Reminder): number[] {
    const { appointment, made, deletedAt } = reminder;
    if (appointment || current(reminder).of.kind === 'unknown') return [];
    const begun = [...this.occurrences(reminder).keys()].filter((at) => at >= toMinute(made));
    return begun.filter((at) => at + GRACE <= deletedAt);
  }

  /** What the calendar of a member shows from one instant to another. */
  calendar(member: Member, now: number, from: number, to: number): Event[] {
    const events: Event[] = [];
    for (const reminder of this.reminders.filter((one) => one.member === member)) {
      const coming = reminder.deleted
        ? this.missedUntilDeleted(reminder)
        : this.occurrences(reminder).keys();
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
