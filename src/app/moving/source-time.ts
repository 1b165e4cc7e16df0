import { type Clocks, modificationKey } from '../../domains/content/clocks.js';
import { clockTime, instantOf } from '../../platform/zone.js';
import type { SourceRow } from './mysql-source.js';

type Stored = SourceRow[string] | undefined;

const WRITTEN = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)/;

/** Returns a date of MySQL as milliseconds, as if UTC; undefined for none, `0000-00-00` and days that do not exist. */
function localOf(value: Stored): number | undefined {
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
export function utcOf(value: Stored): string | undefined {
  const local = localOf(value);
  return local === undefined ? undefined : new Date(local).toISOString();
}

/** Returns a date of MySQL by the clocks of a zone, unless it ends in Z, in ISO 8601. */
export function zonedOf(value: Stored, zone: string): string | undefined {
  if (String(value).endsWith('Z')) return utcOf(value);
  const local = localOf(value);
  return local === undefined ? undefined : instantOf({ local }, zone).toISOString();
}

/** Returns the local times of a row that are not those of the zone; null when all are. */
export function clocksOf(row: SourceRow, zone: string): Clocks | null {
  const created = clockOf(row.post_date_gmt, row.post_date, zone);
  const modified = clockOf(row.post_modified_gmt, row.post_modified, zone);
  const isOneInstant = created && modified?.instant === created.instant;
  const clocks = [
    ...(created?.isOther ? [[created.instant, created.shown]] : []),
    ...(isOneInstant && modified.shown !== created.shown
      ? [[modificationKey(modified.instant), modified.shown]]
      : modified?.isOther
        ? [[modified.instant, modified.shown]]
        : []),
  ];
  return clocks.length > 0 ? Object.fromEntries(clocks) : null;
}

/** Returns the same as a column of a row: absent where there are none, so that rows of earlier imports are what they were. */
export function ownClocks(row: SourceRow, zone: string): { readonly clocks?: Clocks } {
  const clocks = clocksOf(row, zone);
  return clocks ? { clocks } : {};
}

/** Returns an instant with the local time that is stored beside it, and whether that is not the one of the zone. */
function clockOf(gmt: Stored, local: Stored, zone: string) {
  const instant = utcOf(gmt);
  // A time that the clocks skip is shown an hour later, as in the original.
  const ours = zonedOf(local, zone);
  if (!instant || !ours) return undefined;
  const shown = clockTime(new Date(ours), zone);
  return { instant, shown, isOther: clockTime(new Date(instant), zone) !== shown };
}
