import { isRange, MOST_TIMES_MORE } from './exact.js';
import type { Portion } from './meaning.js';
import { alt, as, mark, once, opt, type Parse, seq, term } from './parse.js';

/** A number as it was said. */
interface Spoken {
  readonly value: string;
  readonly padded?: true;
  readonly marked?: true;
  readonly grouped?: true;
  readonly either?: true;
}

const single: Parse<Spoken> = term('number');
/** 2 (two): said twice, and the same. */
const spoken: Parse<Spoken> = alt(
  single,
  as(seq(single, mark('open'), single, mark('close')), ([one, , two]) =>
    one.value === two.value ? [one] : [],
  ),
);

/** A whole number from 1 to 9999. */
export const whole: Parse<number> = once(
  as(spoken, ({ value, marked }) => {
    const number = !marked && /^[1-9]\d{0,3}$/.test(value) ? Number(value) : 0;
    return number > 0 ? [number] : [];
  }),
);

/** Hours, as what a number counts. */
export const hourUnit = term('unit', ({ unit }) => unit === 'hour');

/** One to so many. The second is larger. */
export interface Range<T> {
  readonly low: T;
  readonly high: T;
}

const between = mark('dash', 'to', 'or');

/** 4 to 6, 4-6, 1 or 2. */
export const wholes: Parse<Range<number>> = as(
  seq(opt(mark('lead')), whole, between, whole),
  ([, low, , high]) => (low < high && high <= MOST_TIMES_MORE * low ? [{ low, high }] : []),
);

const exact: Parse<Spoken> = alt(
  as(spoken, (one) => (one.padded || one.value === '0' ? [] : [one])),
  as(seq(mark('half'), opt(mark('per', 'of'))), () => [{ value: '0.5' }]),
);
/** An exact decimal above zero, as an amount is written. */
export const decimal: Parse<string> = once(as(exact, ({ value }) => [value]));

/** 1 to 2, ½-1, 500-1 000. In 1-2 500 mg the 500 is no part of the second number. */
const rangeOf = (one: Parse<Spoken>): Parse<Range<string>> =>
  as(seq(one, between, one), ([{ value: low, grouped }, , { value: high, ...other }]) => {
    const isOne = !other.grouped || grouped || /^\d{3}/.test(low);
    return isOne && isRange(low, high) ? [{ low, high }] : [];
  });
export const decimals: Parse<Range<string>> = rangeOf(exact);

/** Without a unit nobody can tell which 1,500 is. */
const sure: Parse<Spoken> = as(exact, (one) => (one.either ? [] : [one]));
/** An exact decimal that stands without a unit. */
export const bareDecimal: Parse<string> = once(as(sure, ({ value }) => [value]));
/** A range that stands without a unit. */
export const bareDecimals: Parse<Range<string>> = rangeOf(sure);

/** Returns a portion alone: so much, or from so much to so much. */
export const portionOf = ({ value, upTo }: Portion): Portion => ({
  value,
  ...(upTo !== undefined && { upTo }),
});
