import type { Bounds } from './meaning.js';
import { alt, as, mark, opt, type Parse, seq, term } from './parse.js';
import { number } from './period.rules.js';
import type { Said } from './said.js';

const unit = term('unit');

const duration: Parse<Bounds> = alt(
  as(
    seq(mark('for', 'times'), opt(mark('lead')), number, unit),
    ([, , { value: count }, { unit: one }]) =>
      one === 'hour' || one === 'minute' ? [] : [{ kind: 'duration' as const, unit: one, count }],
  ),
  as(seq(mark('for'), mark('per'), unit), ([, , { unit: one }]) =>
    one === 'hour' || one === 'minute' ? [] : [{ kind: 'duration' as const, unit: one, count: 1 }],
  ),
  as(seq(opt(mark('for', 'times')), number, mark('doses')), ([, { value: count }]) => [
    { kind: 'doses' as const, count },
  ]),
);

/** A date with its year, in any order that its words or signs allow. */
const date: Parse<string> = alt(
  as(seq(number, mark('dash'), number, mark('dash'), number), ([year, , month, , day]) =>
    dated(year.value, month.value, day.value),
  ),
  as(seq(dayOfMonth(), opt(mark('of')), term('month'), opt(mark('of', 'comma')), number), (all) =>
    dated(all[4].value, all[2].value, all[0]),
  ),
  as(seq(term('month'), dayOfMonth(), opt(mark('comma')), number), ([month, day, , year]) =>
    dated(year.value, month.value, day),
  ),
  // 05/12/2027: the fifth of December, or May the twelfth.
  as(seq(number, mark('slash'), number, mark('slash'), number), ([one, , two, , year]) => [
    ...dated(year.value, two.value, one.value),
    ...dated(year.value, one.value, two.value),
  ]),
  as(seq(number, mark('point'), number, mark('point'), number), ([day, , month, , year]) =>
    dated(year.value, month.value, day.value),
  ),
);

function dayOfMonth(): Parse<number> {
  return alt(
    as(seq(number, opt(mark('point'))), ([{ value }]) => [value]),
    as(
      term('ordinal', ({ digits }) => digits === true),
      ({ value }) => [value],
    ),
  );
}

/** Returns a date of the calendar in years 2000 to 2199; none for one that does not exist. */
function dated(year: number, month: number, day: number): string[] {
  const made = new Date(Date.UTC(year, month - 1, day));
  const same = made.getUTCMonth() === month - 1 && made.getUTCDate() === day;
  return same && year >= 2000 && year < 2200 ? [made.toISOString().slice(0, 10)] : [];
}

const until: Parse<Bounds> = as(
  seq(mark('until'), opt(alt(mark('lead'), mark('at'))), date),
  ([, , day]) => [{ kind: 'until' as const, date: day }],
);

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 };

/** 21 days on, 7 days off; 3 weeks on 1 week off; 21 on 7 off. */
const cycle: Parse<Said> = as(
  seq(
    seq(number, opt(unit), mark('on')),
    opt(mark('comma', 'and', 'slash')),
    seq(number, opt(unit), mark('off')),
  ),
  ([[on, onUnit], , [off, offUnit]]) => {
    if (onUnit === undefined && offUnit !== undefined) return [];
    const one = DAYS[onUnit?.unit ?? 'day'];
    const two = DAYS[offUnit?.unit ?? onUnit?.unit ?? 'day'];
    if (!one || !two || on.value * one > MOST || off.value * two > MOST) return [];
    return [{ cycle: { on: on.value * one, off: off.value * two } }];
  },
);
/** Most days of a part of a cycle: a year. */
const MOST = 366;

/** Then stop: nothing new behind an end. Without an end it does not say when. */
const stop = opt(seq(opt(mark('comma')), mark('stop')));

/** How long: for 10 days, x 7 days, for 5 days then stop, until 2027-03-05, 21 days on 7 off. */
export const course: Parse<Said> = alt(
  as(seq(alt(duration, until), stop), ([bounds]) => [{ bounds }]),
  cycle,
);
