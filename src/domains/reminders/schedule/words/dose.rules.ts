import { alt, as, mark, opt, type Parse, seq, term } from './parse.js';
import { number } from './period.rules.js';
import type { Said } from './said.js';

const unit = term('unit');
const perDay = alt(
  as(seq(mark('per', 'slash', 'every'), unit), ([, { unit: one }]) => (one === 'day' ? [1] : [])),
  as(seq(mark('in', 'per'), number, unit), ([, { value }, { unit: one }]) =>
    one === 'hour' && value === 24 ? [1] : [],
  ),
  as(
    term('says', ({ said }) => said[0]?.every?.unit === 'day' && said[0].every.count === 1),
    ({ said }) => (said.length === 1 ? [1] : []),
  ),
);

/** At most 3 a day, up to 4 times in 24 hours. Only what is taken as needed has a maximum. */
const most: Parse<Said> = as(
  seq(mark('max'), number, opt(mark('times', 'doses')), perDay),
  ([, { value }]) => (value <= 24 ? [{ maxPerDay: value }] : []),
);

/** Take 2 tablets, 10 ml, half a tablet. */
const amount: Parse<Said> = as(
  seq(opt(mark('take')), amountValue(), term('form')),
  ([, value, { name }]) => [{ amount: { value, unit: name } }],
);

/** A number, with a decimal point or comma, a half, or an article for one. */
export function amountValue(): Parse<number> {
  return alt(
    as(number, ({ value }) => [value]),
    as(seq(term('number'), mark('point', 'comma'), number), ([whole, , part]) => [
      Number(`${whole.value}.${part.value}`),
    ]),
    as(seq(mark('half'), opt(mark('per'))), () => [0.5]),
    as(mark('per'), () => [1]),
  );
}

/** What and how much, and words that stand for a whole statement. */
export const dose: Parse<Said> = alt(
  most,
  amount,
  as(mark('take'), () => [{ advice: true as const }]),
  as(term('says'), ({ said }) => said),
);
