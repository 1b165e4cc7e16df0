import type { Anchor } from './meaning.js';
import { alt, as, mark, opt, type Parse, seq, term, unless } from './parse.js';
import type { PhrasePart } from './said.js';

/** 1-0-1: how many in the morning, at noon, in the evening, and perhaps at night. */
const slots: readonly (readonly Anchor[])[] = [
  ['morning', 'afternoon', 'evening'],
  ['morning', 'afternoon', 'evening', 'night'],
];
const patternOf = (most: RegExp): Parse<PhrasePart> => {
  const some = as(term('number'), ({ value, padded }) =>
    most.test(value) && !padded ? [value] : [],
  );
  return as(
    alt(
      seq(
        some,
        mark('dash'),
        some,
        mark('dash'),
        some,
        opt(unless(seq(mark('dash'), some), mark('body'))),
      ),
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
      return value ? [{ at, amount: { value } }] : [];
    },
  );
};
/** Larger numbers may be a date. */
export const pattern = patternOf(/^\d(?:\.\d+)?$/);
/** 10-0-8: only before a unit that is measured. */
export const measuredPattern = patternOf(/^\d{1,3}(?:\.\d+)?$/);
