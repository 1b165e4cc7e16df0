import type { Planned } from '../alert/planned.js';
import { scheduleOf } from '../alert/planned.js';
import { GRACE, type PastPlanRow } from '../calendar/occurrences.js';
import { expand } from '../schedule/schedule.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { type PlannedDose, tooClose } from './too-close.js';

/** A medicine with its plans and answers, as of a change of its plan. Instants in milliseconds. */
export interface Replanned {
  readonly reminder: Planned & {
    readonly recognized: boolean;
    readonly planFrom: Date | null;
    readonly withheld: readonly Date[];
  };
  readonly past: readonly PastPlanRow[];
  /** `taken` or `skipped`, by the instant of the occurrence. */
  readonly answers: ReadonlyMap<number, string>;
  /** Of a plan: see `leastDistance`. */
  readonly distanceOf: (plan: Planned) => number;
  readonly now: number;
  /** The end of the member's day. */
  readonly midnight: number;
  /** Somebody edited the plan by hand. */
  readonly edited: boolean;
}

/** Maximum number of withheld instants stored for a medicine. */
const MOST_KEPT = 200;

/**
 * Returns the instants at which a medicine does not come although a plan of it says so, in order:
 * what was withheld until now, what an edit replaces, and what would come too close to another
 * dose.
 */
export function withheldOf(change: Replanned): number[] {
  const { now, reminder } = change;
  const known = new Set(reminder.withheld.map((at) => at.getTime()).filter((at) => at <= now));
  const doses = dosesOf(change).filter(({ at }) => !known.has(at));
  for (const at of change.edited ? replaced(change, doses) : []) known.add(at);
  // A new plan counts from the beginning of this minute on.
  const minute = Math.floor(now / MINUTE) * MINUTE;
  const stays = ({ at, plan }: PlannedDose) =>
    change.answers.has(at) || (plan === PRESENT ? at < minute : at <= now);
  const isFixed = ({ at }: PlannedDose) =>
    !known.has(at) &&
    (change.answers.get(at) === 'taken' || (!change.answers.has(at) && at > now - GRACE));
  const close = tooClose({
    fixed: [...doses.filter((dose) => stays(dose) && isFixed(dose)), ...takenOf(change, doses)],
    coming: doses.filter((dose) => !stays(dose) && dose.plan === PRESENT),
    carried: doses.filter((dose) => !stays(dose) && dose.plan !== PRESENT),
  });
  return [...known, ...close].sort((a, b) => a - b).slice(-MOST_KEPT);
}

/** Returns doses that were taken but belong to no known plan, such as doses taken early. */
function takenOf(
  { answers, distanceOf, reminder }: Replanned,
  doses: readonly PlannedDose[],
): PlannedDose[] {
  const known = new Set(doses.map(({ at }) => at));
  const taken = [...answers].flatMap(([at, how]) => (how === 'taken' && !known.has(at) ? at : []));
  return taken.map((at) => ({ at, plan: GONE, distance: distanceOf(reminder) }));
}

const MINUTE = 60_000;
const PRESENT = -1;
const GONE = -2;
const DAY = 24 * 60 * 60_000;

/**
 * Returns the doses of all plans from as long ago as the largest distance, to as long after former
 * plans; of a former plan that ends far ahead, as before a pause, only those about now and about another
 * plan, since doses of one plan keep nothing apart.
 */
function dosesOf({ reminder, past, distanceOf, now }: Replanned): PlannedDose[] {
  const present = { plan: PRESENT, planned: reminder, distance: distanceOf(reminder) };
  const former = past.map((planned, plan) => ({ plan, planned, distance: distanceOf(planned) }));
  const widest = Math.max(present.distance, ...former.map(({ distance }) => distance));
  const from = now - Math.max(widest, GRACE);
  const ahead = past.map(({ toAt }) => toAt.getTime()).filter((at) => at < FOREVER);
  const to = Math.max(now, ...ahead) + widest;
  const since = reminder.planFrom?.getTime() ?? from;
  const spans = [
    ...former.map((one) => {
      const { fromAt, toAt } = one.planned;
      return { ...one, since: fromAt?.getTime() ?? from, until: toAt.getTime() };
    }),
    ...(reminder.recognized ? [{ ...present, since, until: to }] : []),
  ];
  const near = now + DAY + 2 * widest;
  return spans.flatMap((span) => {
    const { plan, planned, distance } = span;
    const [begin, end] = [Math.max(from, span.since), Math.min(to, span.until)];
    const others = spans.flatMap((one) => (one === span ? [] : one.since));
    const again = Math.max(near, Math.min(...others) - widest);
    const parts = [
      [begin, Math.min(end, near)],
      [Math.max(begin, again), end],
    ] as const;
    const found = parts.flatMap((part) => dosesIn(planned, distance, ...part));
    return found.map((dose) => ({ distance, ...dose, plan }));
  });
}

/** Returns the doses of a plan in a span, of phases with their own distances. */
function dosesIn(
  planned: Planned,
  distance: number,
  begin: number,
  end: number,
): readonly { readonly at: number; readonly distance?: number }[] {
  if (begin >= end) return [];
  if (frequencyIn(planned).kind === 'phased') return inPhases(planned, distance, begin, end);
  return [...expand(scheduleOf(planned), begin, end)].map(({ at }) => ({ at }));
}

/**
 * Returns the doses of phases in a span, each with its own distance, by the doses beside it: daily
 * and then every 2 days, a dose of a day may be nearer to another one than those of 2 days. The
 * rule is that of `leastDistance`.
 */
function inPhases(planned: Planned, distance: number, begin: number, end: number) {
  const wider = NEIGHBOURS * distance;
  const all = [...expand(scheduleOf(planned), begin - wider, end + wider)].map(({ at }) => at);
  return all.flatMap((at, i) => {
    if (at < begin || at >= end) return [];
    const beside = [all[i - 1], all[i + 1]].filter((other) => other !== undefined);
    const gaps = beside.map((other) => Math.abs(other - at));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    return [gaps.length === 0 ? { at } : { at, distance: Math.min(mean / 2, ...gaps) }];
  });
}
/** Distances, of half an interval each, within which the doses beside one lie. */
const NEIGHBOURS = 4;

const FOREVER = Date.UTC(9000, 0, 1);

/**
 * Returns what was due and is unanswered, as far as there would be more doses on this day than the
 * new plan has: they are replaced by what is to come, one for one. A dose that the new plan had
 * earlier on this day may still be taken as what was due.
 */
function replaced(
  { reminder, answers, now, midnight }: Replanned,
  doses: readonly PlannedDose[],
): number[] {
  const begin = midnight - DAY;
  const today = ({ at }: { at: number }) => at >= begin && at < midnight;
  const has = new Set([...expand(scheduleOf(reminder), begin, midnight)].map(({ at }) => at));
  const due = doses.filter(
    ({ at, plan }) =>
      plan !== PRESENT && at <= now && at > now - GRACE && !has.has(at) && !answers.has(at),
  );
  const answered = [...answers.keys()].filter((at) => today({ at })).length;
  const left = doses.filter(
    (dose) => dose.plan === PRESENT && today(dose) && dose.at > now && !answers.has(dose.at),
  ).length;
  const open = due.filter(today);
  const many = open.length + answered + left - has.size;
  return open.slice(0, Math.max(0, Math.min(many, left))).map(({ at }) => at);
}
