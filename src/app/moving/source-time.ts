import { instantOf } from '../../platform/zone.js';

const WRITTEN = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)/;

/** Returns a date of MySQL as milliseconds, as if UTC; undefined for none, `0000-00-00` and days that do not exist. */
function localOf(value: string | number | null | undefined): number | undefined {
  const [, year, month, day, hour, minute, second] = WRITTEN.exec(String(value ?? '')) ?? [];
  if (!year) return undefined;
  const local = Date.UTC(
    +year,
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const made = new Date(local);
  const isSame =
    made.getUTCFullYear() === +year &&
    made.getUTCMonth() === Number(month) - 1 &&
    made.getUTCDate() === Number(day);
  return isSame ? local : undefined;
}

/** Returns a date of MySQL that is in UTC, in ISO 8601. */
export function utcOf(value: string | number | null | undefined): string | undefined {
  const local = localOf(value);
  return local === undefined ? undefined : new Date(local).toISOString();
}

/** Returns a date of MySQL by the clocks of a zone, unless it ends in Z, in ISO 8601. */
export function zonedOf(
  value: string | number | null | undefined,
  zone: string,
): string | undefined {
  if (String(value).endsWith('Z')) return utcOf(value);
  const local = localOf(value);
  return local === undefined ? undefined : instantOf({ local }, zone).toISOString();
}
