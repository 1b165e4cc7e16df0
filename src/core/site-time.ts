const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i;

/** A moment as a caller names it, by the clock of some zone. */
export interface SiteMoment {
  /** Milliseconds since 1970 as if the clock were UTC. */
  readonly local: number;
  /** Minutes from UTC, if given. */
  readonly offset?: number;
}

/**
 * Reads `YYYY-MM-DDTHH:MM:SS` with an optional fraction and offset. A day beyond its month rolls
 * over. Returns undefined for anything else.
 */
export function parseSiteTime(value: unknown): SiteMoment | undefined {
  const parts = typeof value === 'string' ? DATE_TIME.exec(value) : null;
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > 31 ||
    hour > 23 ||
    minute > 59 ||
    second > 59 ||
    year < 1
  )
    return undefined;
  const local =
    new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
  const zone = parts[7];
  const [hours, minutes] =
    zone && zone.length > 1 ? [Number(zone.slice(1, 3)), Number(zone.slice(-2))] : [0, 0];
  const offset = zone && (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
  const instant = local - (offset || 0) * 60_000;
  if (!isStorable(instant)) return undefined;
  return offset === undefined || offset === '' ? { local } : { local, offset };
}

/** Returns whether a moment is in the years 1 to 9999 by the clock of every zone. */
export const isStorable = (milliseconds: number) =>
  milliseconds >= EARLIEST && milliseconds <= LATEST;

/** One day inside the years 1 to 9999. */
const EARLIEST = Date.parse('0001-01-02T00:00:00Z');
const LATEST = Date.parse('9999-12-30T23:59:59Z');
