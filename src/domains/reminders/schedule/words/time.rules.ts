import { clockAt, covers, type Part } from './day-part.js';
import type { Anchor, DayTime, Relation } from './meaning.js';
import { decimal, whole } from './number.rules.js';
import { alt, as, list, mark, once, opt, type Parse, seq, term, unless } from './parse.js';
import type { Said } from './said.js';

const lead = opt(alt(mark('lead', 'at'), seq(mark('lead', 'at'), mark('lead'))));
const every = opt(mark('every'));
/** The separator between times of a list. A slash may mean "or". */
export const separator = alt(
  mark('comma', 'and', 'then'),
  seq(mark('comma', 'and'), mark('and', 'then')),
);
const between = seq(separator, every);

const oneClock: Parse<DayTime> = as(seq(lead, term('clock')), ([, { clock: at }]) => [
  { clock: at },
]);
/** Hours in order, each once. */
function hoursOf(hours: readonly number[]): DayTime[][] {
  const rising = hours.every((hour, i) => hour < 24 && (i === 0 || hour > (hours[i - 1] ?? 24)));
  return rising ? [hours.map((hour) => ({ clock: clockAt(hour) }))] : [];
}
const hourUnit = term('unit', ({ unit }) => unit === 'hour');
/** 8 and 20 Uhr; 8h 12h 20h: an hour alone may be a length. */
const hourList: Parse<readonly DayTime[]> = alt(
  as(
    seq(
      lead,
      list(
        as(seq(whole, separator), ([hour]) => [hour]),
        opt(mark('at')),
      ),
      term('clock', ({ hours }) => hours === true),
    ),
    ([, before, { clock }]) =>
      hoursOf(before)
        .map((at) => [...at, { clock }])
        .filter((at) => isRising(at)),
  ),
  as(
    list(
      as(seq(lead, whole, hourUnit), ([, hour]) => [hour]),
      opt(separator),
    ),
    (hours) => (hours.length > 1 ? hoursOf(hours) : []),
  ),
);
const isRising = (at: readonly DayTime[]) =>
  at.every((time, i) => i === 0 || JSON.stringify(at[i - 1]) < JSON.stringify(time));

/** Clock times may stand side by side: 08:00 20:00. */
const clocks: Parse<readonly DayTime[]> = list(oneClock, opt(separator));
const onePart: Parse<Part> = as(seq(lead, term('part')), ([, { anchor, relation = 'with' }]) => [
  { anchor, relation },
]);
const part: Parse<readonly DayTime[]> = as(onePart, (one) => [[one]]);

/** Half an hour, 30 minutes, 1 hour: before or after a meal. */
const length = alt(
  as(seq(whole, opt(mark('dash')), term('unit')), ([value, , { unit }]) =>
    unit === 'minute' ? [value] : unit === 'hour' ? [60 * value] : [],
  ),
  as(seq(decimal, hourUnit), ([value]) => (value === '0.5' ? [30] : [])),
  as(seq(mark('per'), hourUnit), () => [60]),
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
const meal = as(
  seq(
    lead,
    every,
    lead,
    term('meal', ({ anchors }) => anchors.length === 1),
  ),
  ([, , , { anchors }]) => [anchors],
);
/** Before breakfast and dinner: the relation counts for all meals that follow. */
const related: Parse<readonly Part[]> = as(seq(relation, list(meal, between)), ([how, meals]) => [
  meals.flat().map((anchor: Anchor) => ({ anchor, ...how })),
]);
const meals: Parse<DayTime[]> = as(list(meal, between), (all) => [
  all.flat().map((anchor: Anchor) => ({ anchor, relation: 'with' as const })),
]);
/** An hour whose half of the day is said by its part: at 8 in the evening. */
const hour: Parse<DayTime> = as(seq(mark('at'), whole), ([, value]) => bothHalves(value));
/** Returns an hour of twelve by both halves of the day. */
const bothHalves = (value: number): DayTime[] =>
  value > 12 ? [] : [value % 12, (value % 12) + 12].map((one) => ({ clock: clockAt(one) }));
const exact: Parse<DayTime> = alt(
  oneClock,
  onePart,
  as(related, (all) => (all.length === 1 ? all : [])),
);
/** Às 8h, a las 8 horas: an hour of 24. */
const fullHour: Parse<DayTime> = as(seq(mark('at'), whole, hourUnit), ([, value]) =>
  value < 24 ? [{ clock: clockAt(value) }] : [],
);
const single = alt(exact, hour, fullHour);
/** One time that is named twice, roughly and exactly: in the morning before breakfast. */
const refined: Parse<readonly DayTime[]> = alt(
  as(seq(onePart, single), ([rough, fine]) => (covers(rough, fine) ? [[fine]] : [])),
  as(seq(single, onePart), ([fine, rough]) => (covers(rough, fine) ? [[fine]] : [])),
);
/** Qhs, nightly: a time of each day in one word. */
const inOneWord: Parse<readonly DayTime[]> = as(term('says'), ({ said: [said, ...others] }) =>
  said?.at && others.length === 0 && said.every?.unit === 'day' && said.every.count === 1
    ? [said.at]
    : [],
);
const item = alt(refined, hourList, clocks, part, related, inOneWord);

/** With meals, half an hour before each meal. */
const eachMeal = as(
  seq(
    relation,
    lead,
    every,
    lead,
    term('meal', ({ anchors }) => anchors.length === 3),
  ),
  ([how]) => [how],
);
/** Before or after all meals, in the Latin of prescriptions. */
const latinMeals = as(term('says'), ({ said: [said] }) =>
  said?.meals && Object.keys(said).length === 1 ? [said.meals] : [],
);
const MEALS: readonly Anchor[] = ['breakfast', 'lunch', 'dinner'];
const ofMeals: Parse<readonly DayTime[]> = as(alt(eachMeal, latinMeals), (how) => [
  MEALS.map((anchor) => ({ anchor, ...how })),
]);

/** Times of the day that have one amount: in the morning, before lunch, with each meal. */
export const timesOfOne: Parse<readonly DayTime[]> = once(
  alt(
    as(list(alt(refined, hourList, clocks, part, related, inOneWord), between), (all) => [
      all.flat(),
    ]),
    ofMeals,
  ),
);

/** Times of the day, in the order of the phrase: 8am and 8pm, morning and night, before lunch. */
const named: Parse<Said> = as(
  alt(
    as(list(item, between), (all) => [all.flat()]),
    as(seq(meals, opt(seq(between, list(item, between)))), ([first, more]) => [
      [...first, ...(more?.[1].flat() ?? [])],
    ]),
    as(seq(ofMeals, opt(between), list(item, between)), ([first, , more]) => [
      [...first, ...more.flat()],
    ]),
  ),
  (at) => [{ at }],
);

const DAILY = { every: { unit: 'day' as const, count: 1 } };
/** Parses "every morning", which means every day, and "alternate nights". */
const daily: Parse<Said> = alt(
  as(seq(mark('every'), lead, named), ([, , said]) => [{ ...said, ...DAILY }]),
  as(seq(opt(mark('on', 'lead')), opt(mark('every')), mark('other'), onePart), (all) => [
    { at: [all[3]], every: { unit: 'day' as const, count: 2 } },
  ]),
  as(
    seq(
      mark('every'),
      term('ordinal', ({ value }) => value > 1),
      onePart,
    ),
    ([, { value }, one]) => [{ at: [one], every: { unit: 'day' as const, count: value } }],
  ),
);

/** Parses "at 8" (08:00 or 20:00) and "at 20" (20:00 only). */
const bareHour: Parse<Said> = as(unless(seq(mark('at'), whole), onePart), ([, value]) => {
  if (value > 23) return [];
  const hours = value > 12 ? [value] : [value % 12, (value % 12) + 12];
  return hours.map((one) => ({ at: [{ clock: clockAt(one) }] }));
});

/** 8 in the morning: the hour, beside its other meaning, so many then. */
const hourOfPart: Parse<Said> = as(seq(whole, onePart), ([value, rough]) =>
  bothHalves(value).flatMap((fine) => (covers(rough, fine) ? [{ at: [fine] }] : [])),
);
const TWELVE = Array.from({ length: 13 }, (_, hour) => `${hour}`);
/** Returns whether a number at a time of the day may be an hour. */
export const isHourOf = (value: string, [at]: readonly DayTime[]): boolean =>
  at !== undefined &&
  'anchor' in at &&
  /^(?:[1-9]|1[0-2])$/.test(value) &&
  [value, `${12 + TWELVE.indexOf(value)}`].some((hour) =>
    covers(at, { clock: `${hour.padStart(2, '0')}:00` }),
  );

/** With meals, half an hour before each meal: all of them, or advice beside a count. */
const allMeals: Parse<Said> = as(eachMeal, (how) => [{ meals: how }]);

/** 1-0-1: how many in the morning, at noon, in the evening, and perhaps at night. */
const slots: readonly (readonly Anchor[])[] = [
  ['morning', 'afternoon', 'evening'],
  ['morning', 'afternoon', 'evening', 'night'],
];
const some: Parse<string> = alt(
  as(term('number'), ({ value, padded }) =>
    /^\d(?:\.\d+)?$/.test(value) && !padded ? [value] : [],
  ),
);
export const pattern: Parse<Said> = as(
  alt(
    seq(some, mark('dash'), some, mark('dash'), some, opt(seq(mark('dash'), some))),
    seq(some, mark('plus'), some, mark('plus'), some, opt(seq(mark('plus'), some))),
  ),
  ([first, , second, , third, fourth]) => {
    const amounts = [first, second, third, ...(fourth ? [fourth[1]] : [])];
    const anchors = slots.find(({ length: many }) => many === amounts.length) ?? [];
    const taken = anchors.flatMap((anchor, i): { anchor: Anchor; value: string }[] => {
      const value = amounts[i] ?? '0';
      return value === '0' ? [] : [{ anchor, value }];
    });
    const [{ value } = { value: '' }] = taken;
    const at = taken.map((one) => ({
      anchor: one.anchor,
      relation: 'with' as const,
      ...(one.value !== value && { amount: one.value }),
    }));
    return value ? [{ at, amount: { value }, ...DAILY }] : [];
  },
);

/** Several times in one entry of a table: matin midi soir. */
export const severalTimes: Parse<Said> = as(term('says'), ({ said: [said] }) =>
  said?.at && said.at.length > 1 ? [said] : [],
);

/** Parses the times of day of a schedule. */
export const times: Parse<Said> = alt(named, daily, bareHour, hourOfPart, allMeals, pattern);
