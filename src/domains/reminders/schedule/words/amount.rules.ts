import { isLess, isNear, isRange } from './exact.js';
import { MEASURED } from './note.rules.js';
import { decimal, decimals, whole } from './number.rules.js';
import {
  alt,
  as,
  fraction,
  isBefore,
  isBehind,
  mark,
  once,
  opt,
  type Parse,
  seq,
  term,
  uncounted,
  unless,
} from './parse.js';
import type { Amount } from './said.js';
import { holding } from './spoons.js';

/** What is counted or measured. */
export const form = term('form', ({ name }) => name !== '%');

/** A number of something, or a range of it: 2, half, 1 to 2, an. */
const value: Parse<Pick<Amount, 'value' | 'upTo'>> = once(
  alt(
    as(decimal, (one) => [{ value: one }]),
    as(decimals, ({ low, high }) => [{ value: low, upTo: high }]),
    as(mark('per'), () => [{ value: '1' as string }]),
  ),
);
/** So many doses are taken one after the other: 10 doses, once daily. */
const MOST_DOSES = '5';
/** What a spoon holds, in ml: two ml spoonsful are two spoons, of which the 5 is lost. */
const SPOONS = new Set(['2.5', '5', '10', '15', '20']);
const spoon = term('form', ({ name }) => /spoon$/.test(name));
const millilitre = term('form', ({ name }) => name === 'ml');
const isHalf = ({ value, spelt }: { value: string; spelt?: true }) =>
  value === '0.5' && spelt === true;
/** As a fraction it is the half of another one: 1 comprimé et 1/2. */
const half = alt(
  term('number', isHalf),
  unless(
    as(
      seq(
        fraction,
        term('number', ({ value }) => value === '0.5'),
      ),
      () => [null],
    ),
    form,
  ),
);
/** Take, each: what may stand before an amount. */
export const verb = once(opt(alt(mark('take', 'each'), seq(mark('take'), mark('each')))));

/** How many spoons: a 5 ml spoonful is one, half a 5 ml spoonful a half. */
const spoons: Parse<Pick<Amount, 'value' | 'upTo'>> = alt(
  as(decimal, (one) => [{ value: one }]),
  as(decimals, ({ low, high }) => [{ value: low, upTo: high }]),
  as(seq(isBehind('number', 'half'), mark('per')), ([isPart]) => (isPart ? [] : [{ value: '1' }])),
);

/** Take 2 tablets, 10 ml, half a tablet, 1 to 2 puffs. */
export const amount: Parse<Amount> = once(
  alt(
    as(
      seq(verb, value, opt(mark('of')), form, isBefore(spoon)),
      ([, some, , { name }, spoonful]) =>
        (name === 'dose' && !isLess(some.value, MOST_DOSES)) ||
        (spoonful && name === 'ml' && !SPOONS.has(some.value))
          ? []
          : [{ ...some, unit: name }],
    ),
    // Two 5 ml spoonfuls. In brackets it may be what stands before them.
    as(
      seq(isBehind('open'), verb, spoons, opt(mark('times', 'of')), decimal, millilitre, spoon),
      ([isWithin, , some, , each, , { name }]): Amount[] => {
        const { amount: volume } = holding({ ...some, unit: name }, { value: each, unit: 'ml' });
        return !isWithin && SPOONS.has(each) && volume ? [volume] : [];
      },
    ),
    // 5 mg - 10 mg: a range whose unit stands twice.
    as(
      seq(verb, decimal, form, mark('dash', 'to'), decimal, form),
      ([, low, { name }, , high, { name: other }]) =>
        name === other && isRange(low, high) ? [{ value: low, upTo: high, unit: name }] : [],
    ),
    // 1 comprimé et demi.
    as(seq(verb, whole, form, mark('and'), half), ([, some, { name }]) => [
      { value: `${some}.5`, unit: name },
    ]),
    as(term('amount'), (one) => [one.amount]),
    // حبة إلى حبتين: one to two.
    as(
      seq(
        verb,
        opt(mark('lead')),
        term('form', ({ one }) => one === true),
        mark('to', 'dash'),
        term('amount'),
      ),
      ([, , { name }, , { amount: most }]) =>
        most.unit === name && isLess('1', most.value)
          ? [{ value: '1', upTo: most.value, unit: name }]
          : [],
    ),
    // Arabic says one by the word alone.
    as(
      // قرص 1×3 says it in digits too.
      unless(
        seq(
          verb,
          uncounted,
          term('form', ({ one }) => one === true),
        ),
        seq(decimal, mark('x')),
      ),
      ([, , { name }]) => [{ value: '1', unit: name }],
    ),
  ),
);

const INSULIN = new Set(['unit', 'IU']);
/**
 * Returns whether numbers alone may be of the measured unit beside them: 40 mg, then 20. In 40 mg,
 * then 1, the number may be that of tablets.
 */
export function canShareUnit(amounts: readonly Amount[]): boolean {
  const { unit = '' } = amounts.find((one) => one.unit) ?? {};
  if (!MEASURED.has(unit)) return true;
  return amounts.every(({ unit: own, value: one }, i) => {
    const { value: other = '' } = amounts[i - 1] ?? amounts[i + 1] ?? {};
    const isFree = own !== undefined || one === '' || other === '' || (i > 0 && INSULIN.has(unit));
    return isFree || isNear(one, other);
  });
}
