import { amount } from './amount.rules.js';
import { divided } from './exact.js';
import { aDay } from './limit.rules.js';
import { MEASURED, notes, withNotes } from './note.rules.js';
import { whole } from './number.rules.js';
import { alt, as, isBefore, isBehind, mark, type Parse, seq, term } from './parse.js';
import { MOST_TIMES, often, periodic } from './period.rules.js';
import type { Amount, PhrasePart } from './said.js';

/** Daily, every day. */
export const dailyWord: Parse<'day'> = as(
  alt(
    as(periodic, ({ said: [said] }) => (said?.every?.count === 1 ? [said.every.unit] : [])),
    as(seq(term('every'), term('unit')), ([, { unit }]) => [unit]),
  ),
  (unit) => (unit === 'day' ? [unit] : []),
);

/** Bd, twice, 3 times a day. */
const several: Parse<PhrasePart> = as(
  alt(
    often,
    as(term('says'), ({ said }) => said),
  ),
  (said) => ((said.count ?? 1) > 1 ? [said] : []),
);
/** 40 mg daily, daily 40 mg: beside several times a day each of them, or all together. */
const dailyInAll: Parse<PhrasePart> = alt(
  as(seq(isBehind('times', 'count'), amount, notes, dailyWord), ([isCounted, some, within]) =>
    isCounted ? [] : [withNotes(ofDay(some), within)],
  ),
  // Twice daily 40 mg, bd daily 40 mg: the count is that of the days before.
  as(
    seq(isBehind('times', 'count', 'number', 'says'), dailyWord, amount, notes, isBefore(several)),
    ([isCounted, , some, within, isSeveral]) =>
      isCounted || !isSeveral ? [] : [withNotes(ofDay(some), within)],
  ),
);
const ofDay = (amount: Amount): PhrasePart => ({
  amount,
  every: { unit: 'day', count: 1 },
  amountPer: 'day',
  // 1 tablet daily at 8 and 20: nobody means a half by naming its times.
  ...(amount.value === '1' && !MEASURED.has(amount.unit ?? '') && { oneDaily: true as const }),
});
/** In 2 doses, divided into three doses. */
const inDoses: Parse<number> = alt(
  as(
    seq(
      mark('divided'),
      whole,
      alt(
        mark('doses'),
        term('form', ({ name }) => name === 'dose'),
      ),
    ),
    ([, count]) => (count > 1 && count <= MOST_TIMES ? [count] : []),
  ),
  as(mark('inTwo'), () => [2]),
);
/** Nobody takes half a capsule, or a quarter of a tablet, because a number could be divided. */
const isDose = ({ value, unit = '' }: Amount): boolean =>
  MEASURED.has(unit) || /^\d+$/.test(value) || (unit === 'tablet' && value.endsWith('.5'));
/** 40 mg/day in 2 doses, 40 mg in two divided doses daily: each of them is a part of it. */
const parts: Parse<PhrasePart> = as(
  alt(
    as(seq(amount, notes, aDay, inDoses), ([some, within, , count]) => [{ some, within, count }]),
    as(seq(amount, notes, inDoses, aDay), ([some, within, count]) => [{ some, within, count }]),
  ),
  ({ some, within, count }) => {
    const value = some.upTo ? undefined : divided(some.value, count);
    if (value === undefined || !isDose({ ...some, value })) return [];
    return [withNotes({ amount: { ...some, value }, count, per: 'day' }, within)];
  },
);

/** Weekly, not daily: how labels of methotrexate say it twice. */
const notDaily: Parse<PhrasePart> = as(seq(mark('not'), dailyWord), () => [
  { notDaily: true as const },
]);

/** Parses an amount of a day that may be, or is, that of several doses; and not daily. */
export const inAll: Parse<PhrasePart> = alt(dailyInAll, parts, notDaily);
