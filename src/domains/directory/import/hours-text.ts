import { WEEKDAYS } from '../../../core/weekday.js';
import type { Hours } from '../service/week.js';

const DAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;
const TIME = String.raw`([01]?\d|2[0-3]):([0-5]\d)`;
/** Longest text that is read, in characters: days times spans are bounded by it. */
const LONGEST = 2_000;
const SPAN = new RegExp(`^${TIME}\\s*-\\s*(?:${TIME}|(24):(00))$`);

/**
 * Reads opening hours as OpenStreetMap writes them: `Mo-Fr 08:00-12:00,14:00-18:00; Sa 09:00-13:00`
 * or `24/7`. Undefined for anything else, and for more than 2,000 characters; an empty text is unknown
 * hours.
 */
export function parseHours(text: string): Hours[] | undefined {
  const whole = text.trim();
  if (whole === '') return [];
  if (whole.length > LONGEST) return undefined;
  if (whole === '24/7')
    return WEEKDAYS.map((weekday) => ({ weekday, opens: '00:00', closes: '00:00' }));
  const hours: Hours[] = [];
  for (const rule of whole.split(';').map((part) => part.trim())) {
    if (rule === '') continue;
    const digit = rule.search(/\d/);
    const dayPart = rule.slice(0, Math.max(digit, 0)).trim();
    const spanPart = digit > 0 && /\s/.test(rule[digit - 1] ?? '') ? rule.slice(digit) : '';
    const days = daysOf(dayPart);
    const spans = spanPart.split(',').map((span) => SPAN.exec(span.trim()));
    if (!days || spanPart === '' || spans.includes(null)) return undefined;
    for (const day of days)
      for (const span of spans) {
        const [, fromHour = '', fromMinute = '', toHour, toMinute] = span as RegExpExecArray;
        hours.push({
          weekday: WEEKDAYS[day] as Hours['weekday'],
          opens: `${fromHour.padStart(2, '0')}:${fromMinute}`,
          closes: toHour ? `${toHour.padStart(2, '0')}:${toMinute}` : '00:00',
        });
      }
  }
  return hours;
}

/** Returns the numbers of days from Monday: `Mo-We,Fr`. Undefined for anything else. */
function daysOf(text: string): ReadonlySet<number> | undefined {
  const days = new Set<number>();
  for (const part of text.toLowerCase().split(',')) {
    const [first, last = first, more] = part
      .split('-')
      .map((day) => DAYS.indexOf(day.trim() as (typeof DAYS)[number]));
    if (first === undefined || more !== undefined || first < 0 || (last as number) < 0)
      return undefined;
    for (let day = first; ; day = (day + 1) % DAYS.length) {
      days.add(day);
      if (day === last) break;
    }
  }
  return days;
}
