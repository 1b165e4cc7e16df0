import { amount, number } from './dose.rules.js';
import type { Amount, DayTime } from './meaning.js';
import { note } from './note.rules.js';
import { alt, as, list, mark, opt, type Parse, seq, term } from './parse.js';
import type { Said } from './said.js';
import { isHourOf, pattern, separator, timesOfOne } from './time.rules.js';

/** Times of the day with their amount. */
interface Portion {
  readonly at: readonly DayTime[];
  readonly amount: Amount;
  /** Whether a verb says that it is an amount. */
  readonly taken: boolean;
}

const much: Parse<Omit<Portion, 'at'>> = as(
  seq(
    opt(mark('take', 'each')),
    alt(
      amount,
      number,
      as(mark('another'), () => [{ value: '' }]),
    ),
    opt(note),
  ),
  ([verb, one]) => [{ amount: one, taken: verb !== undefined }],
);
const muchFirst: Parse<Portion> = as(seq(much, opt(mark('every')), timesOfOne), ([one, , at]) => [
  { ...one, at },
]);
const timeFirst: Parse<Portion> = as(
  seq(timesOfOne, opt(mark('comma', 'dash')), much),
  ([at, , one]) => [{ ...one, at }],
);

/** Amounts that belong together have one unit, or none at all. */
function together(portions: readonly Portion[]): readonly Said[] {
  const units = new Set(portions.flatMap(({ amount: { unit } }) => unit ?? []));
  const [unit] = units;
  const [first] = portions;
  if (!first?.amount.value || portions.length < 2 || units.size > 1) return [];
  const { value } = first.amount;
  if (portions.some((one) => one.amount.upTo)) return [];
  // 8 in the morning and 8 at night may be hours.
  const mayBeHours = !unit && !portions.some(({ taken }) => taken);
  if (mayBeHours && portions.every((one) => isHourOf(one.amount.value, one.at))) return [];
  const at = portions.flatMap((one) => {
    const own = one.amount.value || value;
    return one.at.map((time) => ({ ...time, ...(own !== value && { amount: own }) }));
  });
  return [{ at, amount: { value, ...(unit && { unit }) } }];
}

/** 1-0-2 tablets. */
const counted: Parse<Said> = as(seq(pattern, term('form')), ([said, { name }]) => [
  { ...said, amount: { value: said.amount?.value ?? '1', unit: name } },
]);

/** Parses times that have amounts of their own: 1 tablet in the morning and 2 tablets at night. */
export const uneven: Parse<Said> = alt(
  as(alt(list(muchFirst, opt(separator)), list(timeFirst, opt(separator))), together),
  counted,
);
