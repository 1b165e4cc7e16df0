import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { isZone } from '../../platform/zone.js';

/** The zones that are known for a member. */
export interface Zones {
  /**
   * The zone of the account: that of the profile, else of the caller's Time-Zone header, else the
   * one learned from a date or header.
   */
  readonly known?:
    | { readonly zone: string; readonly source: 'profile' | 'header' | 'learned' }
    | undefined;
  /** An offset learned from a date. It is not a zone, and is used only when no zone is known. */
  readonly offset?: string | undefined;
  readonly site: string;
}

/**
 * The source of a zone: an offset in the start of a reminder, the profile, the Time-Zone header, a
 * date or header seen earlier, or the site.
 */
export type ZoneSource = 'offset' | 'profile' | 'header' | 'learned' | 'site';

/** Returns the zone of a member, or the best guess. */
export const zoneOf = ({ known, offset, site }: Zones): string => known?.zone ?? offset ?? site;

/** Returns the source of that zone. */
export const zoneSourceOf = ({ known, offset }: Zones): ZoneSource =>
  known?.source ?? (offset ? 'learned' : 'site');

/** The columns of an account and of its care settings that concern its zone. */
export interface ZoneColumns {
  readonly id: number;
  readonly timeZone: string | null;
  readonly learnedZone: string | null;
}

/**
 * Returns the zones of a member from the stored columns, the caller's Time-Zone header and the
 * site.
 */
export function zonesFrom(
  { id, timeZone, learnedZone }: ZoneColumns,
  context: RequestContext,
): Zones {
  return {
    known: knownZone(timeZone, namedBy(context, id), learnedZone),
    offset: offsetBy(context, id) ?? weak(learnedZone),
    site: context.site.timeZone,
  };
}

/** Returns the zone in which the times of an account are shown. */
export const zoneOfAccount = async (context: RequestContext, id: number): Promise<string> =>
  zoneOf(zonesFrom(await zoneColumnsOf(context, id), context));

/**
 * Returns the zone of an account by which jobs do what it wants to have done. Its own requests may
 * be shown other times, by their Time-Zone header, which no job has.
 */
export const storedZoneOfAccount = async (context: RequestContext, id: number): Promise<string> =>
  storedZone(await zoneColumnsOf(context, id), context.site.timeZone);

/** Returns that zone from the stored columns and the zone of the site. */
export const storedZone = (
  { timeZone, learnedZone }: Omit<ZoneColumns, 'id'>,
  site: string,
): string =>
  zoneOf({ known: knownZone(timeZone, undefined, learnedZone), offset: weak(learnedZone), site });

async function zoneColumnsOf(context: RequestContext, id: number): Promise<ZoneColumns> {
  const [stored] = await context.rows<Omit<ZoneColumns, 'id'>>(Prisma.sql`
    SELECT a.time_zone AS "timeZone", s.learned_zone AS "learnedZone"
    FROM account a LEFT JOIN care_setting s ON s.account_id = a.id WHERE a.id = ${id}::int`);
  return { timeZone: null, learnedZone: null, ...stored, id };
}

/**
 * Returns the caller's Time-Zone header if the caller is the member; else undefined, because the
 * header tells where the caller is.
 */
export const headerFor = ({ viewer, input }: RequestContext, memberId: number) =>
  viewer.id === memberId ? input.timeZone : undefined;

/** Returns the zone that the header names; undefined for an offset. */
const namedBy = (context: RequestContext, memberId: number) => {
  const header = headerFor(context, memberId);
  return header && !isOffset(header) ? header : undefined;
};

/** Returns the offset that the header names, which holds for now alone. */
const offsetBy = (context: RequestContext, memberId: number) =>
  weak(headerFor(context, memberId) ?? null);

/** Returns whether a zone is a bare offset, such as +02:00. */
export const isOffset = (zone: string) => /^[+-]/.test(zone);
const weak = (learned: string | null) => (learned && isOffset(learned) ? learned : undefined);

function knownZone(
  profile: string | null,
  header: string | undefined,
  learned: string | null,
): Zones['known'] {
  if (profile && isZone(profile)) return { zone: profile, source: 'profile' };
  if (header) return { zone: header, source: 'header' };
  return learned && isZone(learned) ? { zone: learned, source: 'learned' } : undefined;
}
