import { covers, type Part } from './day-part.js';
import { hourList, lateList, lead, separator } from './hour.rules.js';
import type { Anchor, DayTime, Relation } from './meaning.js';
import { decimal, hourUnit, whole } from './number.rules.js';
import {
  alt,
  as,
  behindAmount,
  first,
  isBefore,
  isBehind,
  list,
  mark,
  once,
  opt,
  type Parse,
  piece,
  seq,
  term,
  unless,
} from './parse.js';
import {
  bareHour,
  DAILY,
  dailyHour,
  halfHour,
  hourOfPart,
  inOneWord,
  onePart,
  partHour,
  refinedHour,
} from './part-hour.rules.js';
import { pattern } from './pattern.rules.js';
import type { PhrasePart } from './said.js';

/** Every at night has lost a word. */
const each = unless(mark('every'), mark('at', 'lead'));
const every = opt(each);
const between = seq(separator, every);

/** A part of the day behind it says which half it is of: see `halfHour`. */
const oneClock: Parse<DayTime> = once(
  as(unless(seq(lead, term('clock')), onePart), ([, { clock: at }]) => [{ clock: at }]),
);
/** Clock times may stand side by side: 08:00 20:00. */
const clocks: Parse<readonly DayTime[]> = list(oneClock, opt(separator));
const part: Parse<readonly DayTime[]> = as(onePart, (one) => [[one]]);

/** Half an hour, 30 minutes, 1 hour: before or after a meal. */
const length = alt(
  as(seq(whole, opt(mark('dash')), term('unit')), ([value, , { unit }]) =>
    unit === 'minute' ? [value] : unit === 'hour' ? [60 * value] : [],
  ),
  as(seq(decimal, hourUnit), ([value]) => (value === '0.5' ? [30] : [])),
  as(seq(mark('per'), hourUnit), () => [60]),
);
/** An hour, a quarter of one. */
const shortLength = alt(
  as(hourUnit, () => [60]),
  as(seq(decimal, hourUnit), ([value]) => (value === '0.25' ? [15] : [])),
);
/** Maximum distance from a meal, in minutes. */
const FURTHEST = 240;

const relation: Parse<{ relation: Relation; minutes?: number }> = as(
  alt(
    seq(opt(length), term('relation')),
    as(seq(mark('least'), length, term('relation')), ([, ...all]) => [all]),
  ),
  ([minutes, { relation: how }]) => {
    if (minutes === undefined) return [{ relation: how }];
    return how === 'with' || minutes > FURTHEST ? [] : [{ relation: how, minutes }];
  },
);
const meal = once(
  as(
    seq(
      lead,
      every,
      lead,
      term('meal', ({ anchors }) => anchors.length === 1),
    ),
    ([, , , { anchors }]) => [anchors],
  ),
);
/** All three meals may stand side by side: breakfast lunch and dinner. Of two a number may be lost. */
const mealList: Parse<readonly (readonly Anchor[])[]> = first(
  as(seq(meal, meal, opt(separator), meal), ([one, other, , last]) => [[one, other, last]]),
  list(meal, between),
);
/** قبل الفطور بنصف ساعة: Arabic says how long behind the meal. */
const thenLength: Parse<readonly Part[]> = as(
  seq(term('relation'), meal, mark('by'), alt(length, shortLength)),
  ([{ relation: how }, anchors, , minutes]) =>
    how === 'with' || minutes > FURTHEST
      ? []
      : [anchors.map((anchor: Anchor) => ({ anchor, relation: how, minutes }))],
);
/** An hour before bed. */
const beforeBed: Parse<readonly Part[]> = as(
  seq(
    alt(
      length,
      as(seq(mark('per'), shortLength), ([, minutes]) => [minutes]),
    ),
    term('relation', (one) => one.relation === 'before'),
    alt(
      as(term('part'), ({ anchor }) => (anchor === 'bedtime' ? [null] : [])),
      as(mark('sleep'), () => [null]),
    ),
  ),
  ([minutes]) => (minutes > FURTHEST ? [] : [[{ anchor: 'bedtime', relation: 'before', minutes }]]),
);
/** Before breakfast and dinner: the relation counts for all meals that follow. */
const related: Parse<readonly Part[]> = first(
  alt(thenLength, beforeBed),
  as(seq(relation, mealList), ([how, meals]) => [
    meals.flat().map((anchor: Anchor) => ({ anchor, ...how })),
  ]),
);
/** Breakfast, lunch and dinner: meals alone. */
export const meals: Parse<DayTime[]> = as(mealList, (all) => [
  all.flat().map((anchor: Anchor) => ({ anchor, relation: 'with' as const })),
]);
const single: Parse<DayTime> = alt(
  halfHour,
  onePart,
  as(related, (all) => (all.length === 1 ? all : [])),
);
/** One time that is named twice, roughly and exactly: in the morning before breakfast. */
const refined: Parse<readonly DayTime[]> = alt(
  as(seq(onePart, single), ([rough, fine]) => (covers(rough, fine) ? [[fine]] : [])),
  as(seq(single, onePart), ([fine, rough]) => (covers(rough, fine) ? [[fine]] : [])),
);
const item = once(alt(refined, hourList, lateList, clocks, part, related, inOneWord));

/** With meals, half an hour before each meal; with the meal. */
const mealsOf = (isSingle: boolean) =>
  as(
    seq(
      relation,
      lead,
      every,
      lead,
      term(
        'meal',
        ({ anchors, single: one }) => anchors.length === 3 && (one === true) === isSingle,
      ),
    ),
    ([how]) => [how],
  );
const eachMeal = mealsOf(false);
/** Before or after all meals, in the Latin of prescriptions. */
const latinMeals = as(term('says'), ({ said: [said] }) =>
  said?.meals && Object.keys(said).length === 1 ? [said.meals] : [],
);
const MEALS: readonly Anchor[] = ['breakfast', 'lunch', 'dinner'];
const ofMeals: Parse<readonly DayTime[]> = as(alt(eachMeal, latinMeals), (how) => [
  MEALS.map((anchor) => ({ anchor, ...how })),
]);

const isNoon = (time: DayTime): boolean => 'clock' in time && time.clock === '12:00';
const isAt = (time: DayTime, anchor: Anchor): boolean => 'anchor' in time && time.anchor === anchor;
/** The same with a comma: at night, before bed. The evening and bedtime may also be two. */
const refinedBehind: Parse<readonly DayTime[]> = as(
  seq(
    alt(
      onePart,
      as(seq(lead, term('clock')), ([, { clock: at }]) => [{ clock: at }]),
    ),
    mark('comma'),
    single,
  ),
  ([rough, , fine]) => {
    const isOne = 'anchor' in rough ? covers(rough, fine) : isNoon(rough) && isAt(fine, 'lunch');
    const mayBeTwo = isAt(rough, 'evening') && isAt(fine, 'bedtime');
    return isOne ? [[fine], ...(mayBeTwo ? [[rough, fine]] : [])] : [];
  },
);
/**
 * Times of a list. A part of the day and a time that lies in it are one behind an and, or where
 * nothing else stands beside them. Commas make two of them: morning, noon, night, bedtime.
 */
const items: Parse<readonly DayTime[]> = first(
  unless(refinedBehind, seq(separator, every, alt(onePart, single, meal))),
  as(
    list(
      first(
        as(seq(isBehind('and'), refinedBehind), ([behind, at]) => (behind ? [at] : [])),
        item,
      ),
      between,
    ),
    (all) => [all.flat()],
  ),
);

/** Times of the day that have one amount: in the morning, before lunch, with each meal. */
export const timesOfOne: Parse<readonly DayTime[]> = once(alt(items, ofMeals));

/** Morning, lunch and night. Breakfast behind the morning may be the same time. */
const lunch: Parse<DayTime> = as(
  term('meal', ({ anchors }) => anchors.length === 1 && anchors[0] === 'lunch'),
  () => [{ anchor: 'lunch', relation: 'with' }],
);
/** Nightly alone is a whole statement: see `dose`. */
const notOneWord = as(isBefore(unless(inOneWord, between)), (isAlone) => (isAlone ? [] : [null]));
/** Times of the day, in the order of the phrase: 8am and 8pm, morning and night, before lunch. */
const named: Parse<PhrasePart> = once(
  as(
    alt(
      as(seq(notOneWord, items), ([, all]) => [all]),
      as(seq(meals, opt(seq(between, list(item, between)))), ([first, more]) => [
        [...first, ...(more?.[1].flat() ?? [])],
      ]),
      as(
        seq(list(item, between), between, lunch, opt(seq(between, list(item, between)))),
        ([first, , at, more]) => [[...first.flat(), at, ...(more?.[1].flat() ?? [])]],
      ),
      as(seq(ofMeals, opt(between), list(item, between)), ([first, , more]) => [
        [...first, ...more.flat()],
      ]),
    ),
    (at) => [{ at }],
  ),
);

/** Parses "every morning", which means every day, and "alternate nights". */
const daily: Parse<PhrasePart> = alt(
  as(seq(each, named), ([, said]) => [{ ...said, ...DAILY }]),
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

/** Hours of which the first alone is said to be one: at 8 in the morning and 8 at night. */
const moreHours: Parse<PhrasePart> = as(
  list(
    alt(
      as(alt(oneClock, refinedHour), (at) => [{ at, said: true }]),
      as(partHour, (at) => [{ at, said: false }]),
    ),
    separator,
  ),
  (all) => (all[0]?.said && all.some(({ said }) => !said) ? [{ at: all.map(({ at }) => at) }] : []),
);

/** With meals, half an hour before each meal: all of them, or advice beside a count. */
const allMeals: Parse<PhrasePart> = alt(
  as(eachMeal, (how) => [{ meals: how }]),
  as(mealsOf(true), (how) => [{ meals: how, oneMeal: true as const }]),
);

/** Several times in one entry of a table (matin midi soir), or hours that follow an hour. */
export const severalTimes: Parse<PhrasePart> = alt(
  as(term('says'), ({ said: [said] }) => (said?.at && said.at.length > 1 ? [said] : [])),
  moreHours,
);

/** 20 units sat bedtime: at, with a letter too many, or a Saturday. */
const misspelt: Parse<PhrasePart> = as(
  seq(behindAmount, unless(piece('sat'), mark('at', 'lead')), alt(item, meals)),
  ([, , at]) => [{ at }],
);

/** None at night, but not in the evening. */
const notAt: Parse<PhrasePart> = as(seq(mark('except'), onePart), ([, part]) => [{ notAt: part }]);

/** Parses the times of day of a schedule. */
export const times: Parse<PhrasePart> = alt(
  named,
  notAt,
  daily,
  dailyHour,
  bareHour,
  hourOfPart,
  allMeals,
  pattern,
  misspelt,
);
