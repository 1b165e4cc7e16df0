/**
 * The days of an RFC 5545 rule, read from its table of expansions and limits (3.3.10) day by day.
 * It shares no code and no library with the service. Days are counted since 1970; times of a day do
 * not concern it.
 */
const DAY = 24 * 60 * 60 * 1000;
const NAMES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const dayOf = (year: number, month: number, date: number) => Date.UTC(year, month, date) / DAY;
const weekday = (day: number) => (((day + 3) % 7) + 7) % 7;
const shown = (day: number) => {
  const at = new Date(day * DAY);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate() };
};
const span = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);
/**
 * Whether a position, counted from 1 at the beginning or from -1 at the end, is among those named.
 */
const among = (named: readonly number[], position: number, length: number) =>
  named.includes(position) || named.includes(position - length - 1);

/**
 * The days of a rule from `first` to `last`, both included, for a series that starts on `start`.
 */
export function daysOfRule(text: string, start: number, last: number): number[] {
  const parts = new Map(text.split(';').map((part) => part.split('=') as [string, string]));
  const numbers = (name: string) => parts.get(name)?.split(',').map(Number);
  const [frequency = '', interval = 1] = [parts.get('FREQ'), numbers('INTERVAL')?.[0]];
  const wkst = NAMES.indexOf(parts.get('WKST') ?? 'MO');
  const weekOf = (day: number) => Math.floor((day + 3 - wkst) / 7);
  const begun = shown(start);
  const found: number[] = [];
  const take = (period: readonly number[]) => {
    const all = period.filter((day) => fits(day, parts, frequency, start));
    const positions = numbers('BYSETPOS');
    found.push(...all.filter((_, i) => !positions || among(positions, i + 1, all.length)));
  };
  const end = shown(last).year;
  if (frequency === 'YEARLY')
    for (let year = begun.year; year <= end + 1; year += interval) {
      const weeks = parts.has('BYWEEKNO');
      // A week of a year may begin before it and end after it.
      take(
        span(dayOf(year, 0, weeks ? -6 : 1), dayOf(year, 11, weeks ? 38 : 31)).filter(
          (day) => !weeks || inWeeks(day, year),
        ),
      );
    }
  if (frequency === 'MONTHLY')
    for (let month = begun.month; begun.year + month / 12 <= end + 1; month += interval)
      take(span(dayOf(begun.year, month, 1), dayOf(begun.year, month + 1, 0)));
  if (frequency === 'WEEKLY')
    for (let week = weekOf(start); week * 7 - 3 + wkst <= last; week += interval)
      take(span(week * 7 - 3 + wkst, week * 7 + 3 + wkst));
  if (frequency === 'DAILY') for (let day = start; day <= last; day += interval) take([day]);
  return [...new Set(found)].filter((day) => day >= start && day <= last).sort((a, b) => a - b);

  function inWeeks(day: number, year: number): boolean {
    const first = firstWeek(year);
    const count = (firstWeek(year + 1) - first) / 7;
    const week = Math.floor((day - first) / 7) + 1;
    return week >= 1 && week <= count && among(numbers('BYWEEKNO') as number[], week, count);
  }
  /** The first day of the first week with four days in a year. */
  function firstWeek(year: number): number {
    const fourth = dayOf(year, 0, 4);
    return fourth - ((weekday(fourth) - wkst + 7) % 7);
  }
}

function fits(
  day: number,
  parts: ReadonlyMap<string, string>,
  frequency: string,
  start: number,
): boolean {
  const list = (name: string) => parts.get(name)?.split(',').map(Number);
  const { year, month, date } = shown(day);
  const begun = shown(start);
  const length = shown(dayOf(year, month + 1, 0)).date;
  const yearLength = dayOf(year + 1, 0, 1) - dayOf(year, 0, 1);
  const [months, dates, yearDays] = [list('BYMONTH'), list('BYMONTHDAY'), list('BYYEARDAY')];
  const weekdays = parts.get('BYDAY')?.split(',');
  if (months && !months.includes(month + 1)) return false;
  if (dates && !among(dates, date, length)) return false;
  if (yearDays && !among(yearDays, day - dayOf(year, 0, 1) + 1, yearLength)) return false;
  if (weekdays && !weekdays.some((one) => isThat(one))) return false;
  if (dates || yearDays || weekdays || frequency === 'DAILY') return true;
  if (frequency === 'WEEKLY' || parts.has('BYWEEKNO')) return weekday(day) === weekday(start);
  if (date !== begun.date) return false;
  return frequency === 'MONTHLY' || months !== undefined || month === begun.month;

  function isThat(one: string): boolean {
    if (NAMES[weekday(day)] !== one.slice(-2)) return false;
    const nth = Number(one.slice(0, -2));
    if (nth === 0) return true;
    const inMonth = frequency === 'MONTHLY' || months !== undefined;
    const [before, behind] = inMonth
      ? [date - 1, length - date]
      : [day - dayOf(year, 0, 1), dayOf(year + 1, 0, 1) - 1 - day];
    return nth > 0 ? Math.floor(before / 7) + 1 === nth : -(Math.floor(behind / 7) + 1) === nth;
  }
}
