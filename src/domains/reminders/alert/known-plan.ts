import { Recent } from '../../../platform/lru.js';
import { zoneEdition } from '../../../platform/zone.js';
import { clocksOf } from '../schedule/rule.js';
import { expand, nextOccurrence, type Occurrence, type Schedule } from '../schedule/schedule.js';
import { clockOf, timesEvery } from '../schedule/times.js';
import { inOrder } from '../schedule/words/anchors.js';
import { type Planned, scheduleOf } from './planned.js';

const DAY = 24 * 60 * 60 * 1000;
/** Maximum number of plans that are remembered: those of some dozens of members. */
const MOST_PLANS = 2_000;
/** Maximum number of spans that are remembered of a plan. */
const MOST_SPANS = 2;
/** Longer spans, and spans with more occurrences, are expanded each time. */
const LONGEST_SPAN = 100 * DAY;
const MOST_OCCURRENCES = 400;

/** The instants of the occurrences of whole days of UTC, in order. */
interface KnownSpan {
  readonly from: number;
  readonly to: number;
  /** Undefined: there are more than `MOST_OCCURRENCES`. */
  readonly found: Float64Array | undefined;
}

const plans = new Recent<string, KnownPlan>(MOST_PLANS);

/**
 * Returns what is known of a plan. It is remembered by the values themselves that its occurrences
 * depend on, with the zone data, so that a change of any of them makes another one.
 */
export function knownPlan(plan: Planned): KnownPlan {
  const key = keyOf(plan);
  const known = plans.get(key);
  if (known) return known;
  const made = new KnownPlan(plan);
  plans.set(key, made);
  return made;
}

/** No value but the last one, a text of somebody, can have a space. */
function keyOf({
  recognized = true,
  zone,
  startLocal,
  times,
  untilAt,
  schedule,
  frequencyType,
}: Planned): string {
  const often = schedule ? `schedule ${schedule}` : `phrase ${frequencyType ?? ''}`;
  const end = untilAt ? untilAt.getTime() : '';
  return `${zoneEdition()} ${recognized} ${zone} ${startLocal} ${times.join()} ${end} ${often}`;
}

/** A plan as a schedule, with those of its occurrences that were asked for lately. */
class KnownPlan {
  readonly schedule: Schedule;
  #clocks: readonly string[] | undefined;
  #first: { readonly occurrence: Occurrence | undefined } | undefined;
  #next: { readonly from: number; readonly next: Occurrence | undefined } | undefined;
  #spans: readonly KnownSpan[] = [];

  constructor(private readonly plan: Planned) {
    this.schedule = scheduleOf(plan);
  }

  /**
   * The clock times at which it comes on a day that it comes, HH:MM; of phases those of all of
   * them; of elapsed hours those of a day without a shift, or, where they are others every day,
   * that of the start.
   */
  get clocks(): readonly string[] {
    this.#clocks ??= this.#findClocks();
    return this.#clocks;
  }

  #findClocks(): readonly string[] {
    const { frequency, start } = this.schedule;
    if (frequency.kind === 'elapsed') return timesEvery(frequency.hours, start);
    if (frequency.kind === 'rule') return clocksOf(frequency, start).map(clockOf);
    if (frequency.kind === 'phased') return inOrder(this.plan.times);
    return this.plan.times;
  }

  /** The first of its occurrences; undefined without any. */
  get first(): Occurrence | undefined {
    this.#first ??= { occurrence: nextOccurrence(this.schedule, Number.NEGATIVE_INFINITY) };
    return this.#first.occurrence;
  }

  /** Returns what `nextOccurrence` does. */
  next(from: number, withheld: ReadonlySet<number>): Occurrence | undefined {
    if (withheld.size > 0) return nextOccurrence(this.schedule, from, withheld);
    const known = this.#next;
    if (known && known.from <= from && (known.next?.at ?? Number.POSITIVE_INFINITY) >= from)
      return known.next;
    const next = nextOccurrence(this.schedule, from);
    this.#next = { from, next };
    return next;
  }

  /** Returns the instants of what `expand` does. */
  instants(from: number, to: number): Iterable<number> {
    const found = to - from <= LONGEST_SPAN ? this.#spanAround(from, to).found : undefined;
    return found
      ? found.subarray(firstFrom(found, from), firstFrom(found, to))
      : instantsOf(expand(this.schedule, from, to));
  }

  #spanAround(from: number, to: number): KnownSpan {
    const known = this.#spans.find((span) => span.from <= from && span.to >= to);
    if (known) return known;
    const days = { from: Math.floor(from / DAY) * DAY, to: Math.ceil(to / DAY) * DAY };
    const made = { ...days, found: this.#found(days.from, days.to) };
    this.#spans = [made, ...this.#spans].slice(0, MOST_SPANS);
    return made;
  }

  #found(from: number, to: number): Float64Array | undefined {
    const found: number[] = [];
    for (const { at } of expand(this.schedule, from, to))
      if (found.push(at) > MOST_OCCURRENCES) return undefined;
    return Float64Array.from(found);
  }
}

function* instantsOf(occurrences: Iterable<Occurrence>): Generator<number> {
  for (const { at } of occurrences) yield at;
}

/** Returns the place of the first instant from `from` on. */
function firstFrom(found: Float64Array, from: number): number {
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
