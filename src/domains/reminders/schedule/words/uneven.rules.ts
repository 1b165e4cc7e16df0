import { amount, canShareUnit } from './amount.rules.js';
import { hoursIn } from './day-part.js';
import { few, larger, number } from './dose.rules.js';
import { isLess, isSumOf } from './exact.js';
import { separator } from './hour.rules.js';
import { aDay } from './limit.rules.js';
import type { Amount, DayTime } from './meaning.js';
import { MEASURED, noteIfAny, notes, withNotes } from './note.rules.js';
import { decimal, hourUnit, portionOf } from './number.rules.js';
import { alt, as, list, mark, opt, type Parse, seq, term, unless } from './parse.js';
import { measuredPattern, pattern } from './pattern.rules.js';
import type { Note, PhrasePart } from './said.js';
import { meals, timesOfOne } from './time.rules.js';

/** Times of the day with their amount. */
interface Portion {
  readonly at: readonly DayTime[];
  readonly amount: Amount;
  /** Whether a verb says that it is an amount. */
  readonly taken: boolean;
  readonly notes: readonly Note[];
}

/** Une demi-heure: its article is no amount. */
const halfHour = seq(mark('half'), hourUnit);
const much: Parse<Omit<Portion, 'at'>> = as(
  seq(
    opt(mark('take', 'each')),
    alt(
      amount,
      unless(number, halfHour),
      as(mark('another'), () => [{ value: '' }]),
    ),
    noteIfAny,
  ),
  ([verb, one, notes]) => [{ amount: one, taken: verb !== undefined, notes }],
);
const muchFirst: Parse<Portion> = as(
  seq(
    alt(
      much,
      as(larger, (one) => [{ amount: one, taken: false, notes: [] }]),
    ),
    opt(mark('every')),
    alt(timesOfOne, meals),
  ),
  ([one, , at]) => [{ ...one, at }],
);
const timeFirst: Parse<Portion> = as(
  seq(timesOfOne, opt(mark('comma', 'dash')), much),
  ([at, , one]) => [{ ...one, at }],
);

/** Largest number of pieces that is read as an amount where it may be an hour. */
const MOST_PIECES = 4;

/**
 * A number alone behind a clock time may be an hour: 1 tablet at 8 in the morning and 8 at night.
 * Then there are two meanings, unless so many pieces would be too many. Behind parts of the day it
 * is an hour only where all numbers may be.
 */
function together(portions: readonly Portion[]): readonly PhrasePart[] {
  const hours = portions.map(hourOf);
  const [first] = portions;
  if (!hours.some((hour) => hour)) return sumOf(portions);
  const byHours = sumOf(
    portions.map((one, i) => ({ ...one, ...(hours[i] && { at: hours[i], amount: SAME }) })),
  );
  const { unit } = first?.amount ?? {};
  const counted = unit !== undefined && !MEASURED.has(unit);
  const many = portions.some(
    ({ amount: { value } }, i) => hours[i] && !isLess(value, `${MOST_PIECES + 1}`),
  );
  return counted && many ? byHours : [...byHours, ...sumOf(portions)];
}
/** Another one: as many as the first time. */
const SAME: Amount = { value: '' };

/** Behind another number at noon, which is mostly a word, no number alone is an hour. */
const NOON = '12:00';
/** Returns the hour that the number of a portion may be. */
function hourOf(
  { amount: { value, unit, upTo }, at, taken }: Portion,
  i: number,
  portions: readonly Portion[],
): readonly DayTime[] | undefined {
  const before = portions[i - 1]?.at.at(-1);
  const isListed = i > 1 && before && 'clock' in before && before.clock === NOON;
  if (unit || upTo || taken || !before || !('clock' in before) || isListed) return undefined;
  return hoursOf(value, at);
}

/** Returns the hour of a number at a part of the day; undefined where there is none. */
function hoursOf(value: string, [at, ...others]: readonly DayTime[]) {
  if (!at || 'clock' in at || others.length > 0 || !/^(?:[1-9]|1\d|2[0-3])$/.test(value))
    return undefined;
  const hours = hoursIn(at, Number(value));
  return hours.length > 0 ? hours : undefined;
}

/** 1 metformin in the morning and 1 ramipril at night are two directions. */
const areOfSeveral = (portions: readonly Portion[]): boolean => {
  const named = portions.flatMap((one) => one.notes.filter(({ part }) => part === 'medicine'));
  return new Set(named.map(({ text }) => text)).size > 1;
};

/** Amounts that belong together have one unit, or none at all. */
function sumOf(portions: readonly Portion[]): readonly PhrasePart[] {
  const units = new Set(portions.flatMap(({ amount: { unit } }) => unit ?? []));
  const [unit] = units;
  const [first] = portions;
  if (!first?.amount.value || portions.length < 2 || units.size > 1) return [];
  // 20 units before breakfast and 14 before dinner. Of tablets nobody takes as many.
  const isLarge = portions.some(
    ({ amount: { value: one, unit: own } }) => one && !own && !few(one),
  );
  if (isLarge && !(first.amount.unit && MEASURED.has(first.amount.unit))) return [];
  const { value } = first.amount;
  // 10 units in the morning and half at night: of a unit, or of the ten.
  const isHalf = ({ amount: { value: one, unit: own } }: Portion) =>
    one && !own && isLess(one, '1');
  if (MEASURED.has(first.amount.unit ?? '') && portions.some(isHalf)) return [];
  // 8 in the morning and 8 at night may be hours.
  const mayBeHours = !unit && !portions.some(({ taken }) => taken);
  if (mayBeHours && portions.every((one) => hoursOf(one.amount.value, one.at))) return [];
  if (areOfSeveral(portions) || !canShareUnit(portions.map((one) => one.amount))) return [];
  const at = portions.flatMap((one) => {
    const { value: own, upTo } = portionOf(one.amount.value ? one.amount : first.amount);
    const isSame = own === value && upTo === first.amount.upTo;
    return one.at.map((time) => (isSame ? time : { ...time, amount: own, ...(upTo && { upTo }) }));
  });
  const amount = { ...portionOf(first.amount), ...(unit && { unit }) };
  const notes = portions.flatMap((one) => one.notes);
  return [withNotes({ at, amount, portions: true }, notes)];
}

const portionsOf = alt(list(muchFirst, opt(separator)), list(timeFirst, opt(separator)));
/** 4 tablets daily, 2 in the morning and 2 at night: so many in all, and how they are divided. */
const dividedInto: Parse<PhrasePart> = as(
  seq(amount, notes, aDay, mark('comma', 'open', 'dash'), portionsOf),
  ([all, within, , , portions]) => {
    if (all.upTo || portions.some(({ amount: { unit } }) => unit && unit !== all.unit)) return [];
    const united = portions.map((one) => ({
      ...one,
      amount: { ...one.amount, ...(all.unit && { unit: all.unit }) },
    }));
    return sumOf(united)
      .filter(({ at = [], amount: { value = '' } = {} }) => {
        const values = at.map((time) => time.amount ?? value);
        return isSumOf(values, all.value);
      })
      .map((said) => withNotes(said, within));
  },
);

/** 1-0-2 tablets. */
const counted: Parse<PhrasePart> = as(
  alt(
    seq(
      pattern,
      term('form', ({ name }) => !MEASURED.has(name)),
    ),
    seq(
      measuredPattern,
      term('form', ({ name }) => MEASURED.has(name) || name === 'drop'),
    ),
  ),
  ([said, { name }]) => [{ ...said, amount: { value: said.amount?.value ?? '1', unit: name } }],
);

/** 75 mcg 1-0-0: one of so much. */
const ofStrength: Parse<PhrasePart> = as(
  seq(
    decimal,
    term('form', ({ name }) => WEIGHED.has(name)),
    opt(mark('comma')),
    pattern,
  ),
  ([value, { name }, , said]) => [{ ...said, strength: { value, unit: name } }],
);
const WEIGHED: ReadonlySet<string> = new Set(['mg', 'mcg', 'g']);

/** Parses times that have amounts of their own: 1 tablet in the morning and 2 tablets at night. */
export const uneven: Parse<PhrasePart> = alt(
  as(portionsOf, together),
  dividedInto,
  counted,
  ofStrength,
);
