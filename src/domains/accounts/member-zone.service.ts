import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { isZone } from '../../platform/zone.js';

/** What is known of where a member is. */
export interface Zones {
  /**
   * The zone of the account: its profile's, else that of the caller's Time-Zone header, else the
   * one a header taught.
   */
  readonly known?:
    | { readonly zone: string; readonly source: 'profile' | 'header' | 'learned' }
    | undefined;
  /** An offset that a date taught; it is no zone, and counts only when nothing else is known. */
  readonly offset?: string | undefined;
  readonly site: string;
}

/**
 * Where a zone was taken from: an offset in the start, the profile, the Time-Zone header, what one
 * of them taught, the site.
 */
export type ZoneSource = 'offset' | 'profile' | 'header' | 'learned' | 'site';

/** The zone in which a member lives, as far as known. */
export const zoneOf = ({ known, offset, site }: Zones): string => known?.zone ?? offset ?? site;

/** Where that zone was taken from. */
export const zoneSourceOf = ({ known, offset }: Zones): ZoneSource =>
  known?.source ?? (offset ? 'learned' : 'site');

/** What an account's row and its care settings say of its zone. */
export interface ZoneColumns {
  readonly id: number;
  readonly timeZone: string | null;
  readonly learnedZone: string | null;
}

/**
 * Returns the zones of a member from what is stored, the caller's Time-Zone header and the site.
 */
export function zonesFrom(
  { id, timeZone, learnedZone }: ZoneColumns,
  context: RequestContext,
): Zones {
  return {
    known: knownZone(timeZone, headerFor(context, id), learnedZone),
    offset: weak(learnedZone),
    site: context.site.timeZone,
  };
}

/** Returns the zone in which the times of an account are shown. */
export async function zoneOfAccount(context: RequestContext, id: number): Promise<string> {
  const [stored] = await context.rows<Omit<ZoneColumns, 'id'>>(Prisma.sql`
    SELECT a.time_zone AS "timeZone", s.learned_zone AS "learnedZone"
    FROM account a LEFT JOIN care_setting s ON s.account_id = a.id WHERE a.id = ${id}::int`);
  return zoneOf(zonesFrom({ timeZone: null, learnedZone: null, ...stored, id }, context));
}

/**
 * The header says where the caller is, which is where a member is only when the caller is that
 * member.
 */
export const headerFor = ({ viewer, input }: RequestContext, memberId: number) =>
  viewer.id === memberId ? input.timeZone : undefined;

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
