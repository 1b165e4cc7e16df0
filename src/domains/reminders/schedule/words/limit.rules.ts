import { amount, form } from './amount.rules.js';
import { decimal, whole } from './number.rules.js';
import { alt, as, mark, opt, type Parse, seq, term, unless } from './parse.js';
import { MOST_TIMES, perDay, period, periodic } from './period.rules.js';
import type { PhrasePart } from './said.js';

export const latin = term('says', (one) => one.latin === true);
export const aDay = alt(
  perDay,
  as(periodic, ({ said }) =>
    said[0]?.every?.unit === 'day' && said[0].every.count === 1 ? [null] : [],
  ),
);
/** Not 3 times a day, max 8 tablets a day, nor hasta el sábado: until then, rather than at most. */
const maxBehind = unless(
  mark('max'),
  alt(
    seq(opt(mark('of')), decimal),
    seq(
      opt(alt(mark('lead', 'at'), seq(mark('at'), mark('lead')))),
      alt(
        mark('weekday', 'part', 'clock', 'meal', 'relation', 'date', 'month', 'ordinal', 'count'),
        period,
        as(term('says'), ({ said }) => said.filter(({ asNeeded }) => !asNeeded)),
      ),
    ),
  ),
);
const limitNote = term('note', ({ part }) => part === 'limit');
/** Up to every 4 hours: only what is taken as needed may choose. */
const atMostEvery: Parse<PhrasePart> = as(
  seq(
    mark('max'),
    alt(
      period,
      as(term('says'), ({ said }) => said),
    ),
  ),
  ([, { interval, ...others }]) =>
    interval === undefined || Object.keys(others).length > 0
      ? []
      : [{ interval, intervalUpTo: A_DAY }],
);
/** Minutes. */
const A_DAY = 24 * 60;
/** At most 3 a day, up to 4 times in 24 hours, max 8 tablets a day. */
export const limit: Parse<PhrasePart> = alt(
  as(seq(mark('max'), opt(mark('of')), whole, mark('times', 'doses'), aDay), (all) =>
    all[2] <= MOST_TIMES ? [{ maxPerDay: all[2] }] : [],
  ),
  as(seq(mark('max'), term('count'), aDay), ([, { value: count }]) => [{ maxPerDay: count }]),
  // Up to qds.
  as(seq(mark('max'), latin), ([, { said }]) =>
    said.map(({ count = 1 }) => ({ maxPerDay: count })),
  ),
  // Of two at once nobody knows whether 8 are doses: the fewer.
  as(seq(mark('max'), opt(mark('of')), whole, aDay), ([, , count]) =>
    count <= MOST_TIMES ? [{ maxAmount: { value: `${count}` } }] : [],
  ),
  // 4 a day at most, 4 max a day.
  as(alt(seq(whole, aDay, maxBehind), seq(whole, mark('max'), aDay)), ([count]) =>
    count <= MOST_TIMES ? [{ maxAmount: { value: `${count}` } }] : [],
  ),
  // 3 times a day at most.
  as(seq(whole, mark('times'), aDay, maxBehind), ([count]) =>
    count <= MOST_TIMES ? [{ maxPerDay: count }] : [],
  ),
  as(seq(mark('max'), amount, aDay), ([, some]) =>
    some.upTo || some.unit === 'dose' ? [] : [{ maxAmount: some }],
  ),
  // Mdd 3: the largest dose of a day.
  as(seq(limitNote, amount), ([, some]) => (some.upTo ? [] : [{ maxAmount: some }])),
  as(seq(limitNote, unless(whole, form)), ([, count]) =>
    count <= MOST_TIMES ? [{ maxAmount: { value: `${count}` } }] : [],
  ),
  atMostEvery,
);
