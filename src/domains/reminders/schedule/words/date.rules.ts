import { whole } from './number.rules.js';
import { alt, as, mark, opt, type Parse, seq, term } from './parse.js';

const dayOfMonth: Parse<number> = alt(
  as(seq(whole, opt(mark('point'))), ([day]) => [day]),
  as(
    term('ordinal', ({ digits }) => digits === true),
    ({ value }) => [value],
  ),
);
const month = term('month');

/** A date with its year, YYYY-MM-DD, in any order that its words or signs allow. */
export const date: Parse<string> = alt(
  as(seq(whole, mark('dash'), whole, mark('dash'), whole), ([year, , of, , day]) =>
    dated(year, of, day),
  ),
  as(
    seq(dayOfMonth, opt(mark('of')), month, opt(mark('of', 'comma')), whole),
    ([day, , { value }, , year]) => dated(year, value, day),
  ),
  as(seq(month, dayOfMonth, opt(mark('comma')), whole), ([{ value }, day, , year]) =>
    dated(year, value, day),
  ),
  // 05/12/2027: the fifth of December, or May the twelfth.
  as(seq(whole, mark('slash'), whole, mark('slash'), whole), ([one, , two, , year]) => [
    ...dated(year, two, one),
    ...dated(year, one, two),
  ]),
  as(term('date'), ({ date: written }) => existing(written)),
);

const dated = (year: number, of: number, day: number) =>
  existing(`${year}-${`${of}`.padStart(2, '0')}-${`${day}`.padStart(2, '0')}`);

/** Returns a date of the calendar in years 2000 to 2199; none for one that does not exist. */
function existing(date: string): string[] {
  const made = new Date(`${date}T00:00:00Z`);
  const exists = !Number.isNaN(made.getTime()) && made.toISOString().startsWith(date);
  return exists && /^2[01]/.test(date) ? [date] : [];
}
