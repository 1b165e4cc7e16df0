import { dayOf, localOf, type Moment, offsetZone, parseMoment } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import {
  type ZoneSource,
  type Zones,
  zoneOf,
  zoneSourceOf,
} from '../../accounts/member-zone.service.js';
import { isMidnight } from '../reminder/course.js';
import { isNamed, type Planned, startAtOf } from './planned.js';

const MINUTE = 60_000;

/** The start of a plan. Local times are milliseconds as if UTC. */
export interface Start extends Moment {
  readonly zone: string;
  readonly source: ZoneSource;
  /** It is the first time itself, although no clock time was given. */
  readonly exact?: boolean;
  /** The instant in milliseconds, where an offset named it. */
  readonly at?: number;
  /** It is the minute at which the medicine was made. */
  readonly present?: boolean;
  /** The text of a start in force that names its instant. */
  readonly standing?: string;
}

/**
 * Returns a start in its zone. An offset names the instant; from then on the clocks of the member's
 * zone count, or of the site's zone if it has this offset then, else of the offset.
 */
export function started(moment: Moment & Pick<Start, 'present'>, zones: Zones): Start {
  const { known, site } = zones;
  const { offset, local } = moment;
  if (offset === undefined) {
    return { ...moment, zone: zoneOf(zones), source: zoneSourceOf(zones) };
  }
  const instant = local - offset * MINUTE;
  const inSite = localAt(instant, site) - instant === offset * MINUTE;
  const elsewhere = inSite ? site : offsetZone(offset);
  const zone = known || moment.universal ? zoneOf(zones) : elsewhere;
  // UTC says nothing of where the member is: an unknown zone stays one.
  const source = moment.universal && zoneSourceOf(zones) === 'site' ? 'site' : 'offset';
  return { ...moment, local: localAt(instant, zone), zone, source, at: instant };
}

/** The columns of a reminder that say how its start was understood. */
export interface Started extends Pick<Planned, 'startLocal' | 'times' | 'zone'> {
  readonly startDate: string | null;
  readonly timesSource: string;
  readonly zoneSource: string;
}

/**
 * Returns the start of a plan in force, in the zone where the member is now. Where no clock time
 * was given it is without the usual time.
 */
export function startInForce(plan: Started): Start {
  const { startDate, startLocal, zone, zoneSource } = plan;
  const sent = startDate?.trim() ? parseMoment(startDate) : undefined;
  const clock = sent?.clock === true && !startsByDate(plan, sent);
  const standing = isNamed(startLocal) ? startLocal : undefined;
  const begun = standing ? localAt(startAtOf(plan), zone) : localOf(startLocal);
  const local = sent && !clock ? dayOf(begun) : begun;
  const offset = clock ? sent.offset : undefined;
  const named = {
    ...(standing && { standing }),
    ...((standing || offset !== undefined) && { at: startAtOf(plan) }),
    ...(offset !== undefined && { offset }),
  };
  return { local, clock, exact: !sent, ...named, zone, source: zoneSource as ZoneSource };
}

/**
 * Returns whether a start with a clock time was understood as a date (`courseOf`). The plan shows
 * it: no occurrence of it is ever at that time.
 */
export function startsByDate({ times, timesSource, startLocal }: Started, sent: Moment): boolean {
  if (timesSource === 'usual_times' && times.length === 1) return true;
  if (timesSource === 'start_date') return false;
  return isMidnight(sent.local) || isMidnight(localOf(startLocal));
}

/**
 * Returns the start of a medicine whose start was not given: the local time of `created_date` if
 * that is another day than today, else now, without a clock time. Clocks of clients are not trusted
 * with the hour of today.
 */
export function begunOf(
  createdDate: string | null | undefined,
  zones: Zones,
  now: number,
): Moment & Pick<Start, 'present'> {
  const present = Math.floor(localAt(now, zoneOf(zones)) / MINUTE) * MINUTE;
  const created = createdDate ? parseMoment(createdDate)?.local : undefined;
  const earlier = created !== undefined && dayOf(created) !== dayOf(present);
  return { local: earlier ? created : present, clock: false, present: !earlier };
}

/** Returns the date of now. */
export const today = (zones: Zones, now: number): Moment => ({
  local: dayOf(localAt(now, zoneOf(zones))),
  clock: false,
});
