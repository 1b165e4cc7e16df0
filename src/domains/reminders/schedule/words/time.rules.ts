import { clockAt, covers, type Part } from './day-part.js';
import type { Anchor, DayTime, Relation } from './meaning.js';
import { alt, as, list, mark, opt, type Parse, seq, term } from './parse.js';
import { number } from './period.rules.js';
import type { Said } from './said.js';

const lead = opt(alt(mark('lead', 'at'), seq(mark('lead', 'at'), mark('lead'))));
const every = opt(mark('every'));
/** The separator between times of a list. A slash may mean "or". */
export const separator = alt(mark('comma', 'and'), seq(mark('comma'), mark('and')));
const between = seq(separator, every);

const oneClock: Parse<DayTime> = as(seq(lead, term('clock')), ([, { clock: at }]) => [
  { clock: at },
]);
/** Clock times may stand side by side: 08:00 20:00. */
const clocks: Parse<readonly DayTime[]> = list(oneClock, opt(separator));
const onePart: Parse<Part> = as(seq(lead, term('part')), ([, { anchor, relation = 'with' }]) => [
  { anchor, relation },
]);
const part: Parse<readonly DayTime[]> = as(onePart, (one) => [[one]]);

/** Half an hour, 30 minutes, 1 hour: before or after a meal. */
const length = alt(
  as(seq(number, term('unit')), ([{ value }, { unit }]) =>
    unit === 'minute' ? [value] : unit === 'hour' ? [60 * value] : [],
  ),
  as(
    seq(
      mark('half'),
      opt(mark('per')),
      term('unit', ({ unit }) => unit === 'hour'),
    ),
    () => [30],
  ),
  as(
    seq(
      mark('per'),
      term('unit', ({ unit }) => unit === 'hour'),
    ),
    () => [60],
  ),
);
/** Maximum distance from a meal, in minutes. */
const FURTHEST = 240;

const relation: Parse<{ relation: Relation; minutes?: number }> = as(
  seq(opt(length), term('relation')),
  ([minutes, { relation: how }]) => {
    if (minutes === undefined) return [{ relation: how }];
    return how === 'with' || minutes > FURTHEST ? [] : [{ relation: how, minutes }];
  },
);
const meal = as(seq(lead, every, lead, term('meal')), ([, , , { anchors }]) => [anchors]);
/** Before breakfast and dinner: the relation counts for all meals that follow. */
const related: Parse<readonly Part[]> = as(seq(relation, list(meal, between)), ([how, meals]) => [
  meals.flat().map((anchor: Anchor) => ({ anchor, ...how })),
]);
const meals: Parse<DayTime[]> = as(list(meal, between), (all) => [
  all.flat().map((anchor: Anchor) => ({ anchor, relation: 'with' as const })),
]);
/** An hour whose half of the day is said by its part: at 8 in the evening. */
const hour: Parse<DayTime> = as(seq(mark('at'), number), ([, { value }]) =>
  value > 12 ? [] : [value % 12, (value % 12) + 12].map((one) => ({ clock: clockAt(one) })),
);
const exact: Parse<DayTime> = alt(
  oneClock,
  onePart,
  as(related, (all) => (all.length === 1 ? all : [])),
);
const single = alt(exact, hour);
/** One time that is named twice, roughly and exactly: in the morning before breakfast. */
const refined: Parse<readonly DayTime[]> = alt(
  as(seq(onePart, single), ([rough, fine]) => (covers(rough, fine) ? [[fine]] : [])),
  as(seq(single, onePart), ([fine, rough]) => (covers(rough, fine) ? [[fine]] : [])),
);
/**
 * A single time of the day, but no bare hour: a number after it could be its minutes.
 */
export const clearTime: Parse<DayTime> = alt(
  exact,
  as(refined, (all) => all),
);
const item = alt(refined, clocks, part, related);

/** Times of the day, in the order of the phrase: 8am and 8pm, morning and night, before lunch. */
const named: Parse<Said> = as(
  alt(
    as(list(item, between), (all) => [all.flat()]),
    as(seq(meals, opt(seq(between, list(item, between)))), ([first, more]) => [
      [...first, ...(more?.[1].flat() ?? [])],
    ]),
  ),
  (at) => [{ at }],
);

/** Parses "every morning", which means every day. */
const daily: Parse<Said> = as(seq(mark('every'), lead, named), ([, , said]) => [
  { ...said, every: { unit: 'day' as const, count: 1 } },
]);

/** Parses "at 8" (08:00 or 20:00) and "at 20" (20:00 only). */
const bareHour: Parse<Said> = as(seq(mark('at'), number), ([, { value }]) => {
  if (value > 23) return [];
  const hours = value > 12 ? [value] : [value % 12, (value % 12) + 12];
  return hours.map((one) => ({ at: [{ clock: clockAt(one) }] }));
});

/** With meals, half an hour before each meal: all of them, or advice beside a count. */
const allMeals: Parse<Said> = as(
  seq(
    relation,
    lead,
    every,
    lead,
    term('meal', ({ anchors }) => anchors.length === 3),
  ),
  ([how]) => [{ meals: how }],
);

/** 1-0-1: how many in the morning, at noon, in the evening, and perhaps at night. */
const slots: readonly (readonly Anchor[])[] = [
  ['morning', 'afternoon', 'evening'],
  ['morning', 'afternoon', 'evening', 'night'],
];
const digit = as(
  term('number', ({ value }) => value < 10),
  ({ value }) => [value],
);
export const pattern: Parse<Said> = as(
  seq(digit, mark('dash'), digit, mark('dash'), digit, opt(seq(mark('dash'), digit))),
  ([first, , second, , third, fourth]) => {
    const amounts = [first, second, third, ...(fourth ? [fourth[1]] : [])];
    const anchors = slots.find(({ length: many }) => many === amounts.length) ?? [];
    const taken = anchors.flatMap((anchor, i): DayTime[] => {
      const amount = amounts[i] ?? 0;
      return amount ? [{ anchor, relation: 'with', ...(amount > 1 && { amount }) }] : [];
    });
    return taken.length > 0 ? [{ at: taken, every: { unit: 'day' as const, count: 1 } }] : [];
  },
);

/** Parses the times of day of a schedule. */
export const times: Parse<Said> = alt(named, daily, bareHour, allMeals, pattern);
