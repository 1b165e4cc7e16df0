import { instantAt, localAt } from '../../../platform/zone.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const UNITS: Readonly<Record<string, number>> = {
  m: MINUTE,
  min: MINUTE,
  h: 60 * MINUTE,
  d: 24 * 60 * MINUTE,
  w: 7 * 24 * 60 * MINUTE,
};
/** Only the last part of a duration may have a fraction. */
const NUMBER = String.raw`(\d+(?:[.,]\d+(?=[A-Z]$))?)`;
const DURATION = new RegExp(
  `^P(?=.)(?:${NUMBER}W|(?:0+Y)?(?:0+M)?(?:${NUMBER}D)?(?:T(?=.)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?)$`,
  'i',
);
const PARTS = [7 * 24 * 60 * MINUTE, 24 * 60 * MINUTE, 60 * MINUTE, MINUTE, 1000];

/** How long before an appointment a reminder may come at most: four weeks. */
export const LONGEST_LEAD = 28 * 24 * 60 * MINUTE;

/**
 * How long before an appointment its reminder comes, in milliseconds: minutes (`30`), `30m`, `2h`, `1d`, `1w`, or an ISO 8601 duration
 * of weeks, days, hours, minutes and seconds (`PT30M`, `P1DT2H`, `PT0.5H`), with years and months only as zero. Undefined for anything
 * else and for more than four weeks.
 */
export function parseLead(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase();
  const lead = shortLead(trimmed) ?? isoLead(trimmed);
  return lead !== undefined && lead <= LONGEST_LEAD ? lead : undefined;
}

/**
 * When the reminder of an appointment comes, in milliseconds since 1970. Whole days of the lead are days by the clocks of the zone, however it
 * was sent (1d, 24h, 1440): a day before 10:00 is 10:00, also when the clocks shift in between.
 */
export function leadStart(at: number, lead: number, zone: string): number {
  const days = Math.floor(lead / DAY) * DAY;
  return instantAt(localAt(at, zone) - days, zone) - (lead - days);
}

function shortLead(text: string): number | undefined {
  const [, number, unit = 'm'] = /^(\d{1,9})\s*(m|min|h|d|w)?$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit] as number);
}

function isoLead(text: string): number | undefined {
  const match = text.length <= 40 ? DURATION.exec(text) : null;
  if (!match) return undefined;
  return PARTS.reduce((sum, size, i) => sum + Number(match[i + 1]?.replace(',', '.') ?? 0) * size, 0);
}
