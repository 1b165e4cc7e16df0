import { amountValue } from './dose.rules.js';
import type { DayTime } from './meaning.js';
import { alt, as, list, mark, opt, type Parse, seq, term } from './parse.js';
import type { Said } from './said.js';
import { clearTime, pattern, separator } from './time.rules.js';

/** A time of the day with its amount. */
interface Portion {
  readonly time: DayTime;
  readonly value: number;
  /** The word of the table. What follows the first may do without: 1 tablet now and 2 then. */
  readonly unit?: string | undefined;
}

const much = as(
  seq(opt(mark('take')), amountValue(), opt(term('form'))),
  ([, value, form]): { value: number; unit?: string | undefined }[] => [
    { value, unit: form?.name },
  ],
);
const muchFirst: Parse<Portion> = as(seq(much, clearTime), ([one, time]) => [{ ...one, time }]);
const timeFirst: Parse<Portion> = as(seq(clearTime, opt(mark('comma')), much), ([time, , one]) => [
  { ...one, time },
]);

const between = opt(separator);

/** Amounts that belong together have one unit. Without any it is not known what is counted. */
function together(portions: readonly Portion[]): readonly Said[] {
  const units = new Set(portions.flatMap(({ unit }) => unit ?? []));
  const [unit] = units;
  const [first] = portions;
  if (!first || portions.length < 2 || !unit || units.size > 1) return [];
  if (portions.some(({ value }) => value === 0)) return [];
  const { value } = first;
  const at = portions.map((one) => ({
    ...one.time,
    ...(one.value !== value && { amount: one.value }),
  }));
  return [{ at, amount: { value, unit } }];
}

/** 1-0-2 tablets. */
const counted: Parse<Said> = as(seq(pattern, term('form')), ([{ at = [], ...days }, { name }]) =>
  at.length === 1
    ? [{ ...days, at: at.map(alone), amount: { value: at[0]?.amount ?? 1, unit: name } }]
    : together(at.map((time) => ({ time: alone(time), value: time.amount ?? 1, unit: name }))).map(
        (said) => ({ ...days, ...said }),
      ),
);
function alone({ amount: _, ...time }: DayTime): DayTime {
  return time;
}

/** Parses times that have amounts of their own: 1 tablet in the morning and 2 tablets at night. */
export const uneven: Parse<Said> = alt(
  as(alt(list(muchFirst, between), list(timeFirst, between)), together),
  counted,
);
