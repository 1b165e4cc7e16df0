import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { different } from '../../../platform/database/different.sql.js';
import { lineOf } from './earth.js';
import type {
  HealthcareServiceFilter,
  HealthcareServicesArgs,
} from './healthcare-service.inputs.js';
import { weekMinute } from './week.js';
import { tsqueryOf } from './words.js';

const { sql, join } = Prisma;

const LONGEST_LIST = 100;

/** Throws TOO_MANY for a list of a filter that is longer than 100. */
export function refuseLongFilter(filter: HealthcareServiceFilter): void {
  for (const param of ['typeIds', 'languageCodes', 'accessibility'] as const)
    if ((filter[param]?.length ?? 0) > LONGEST_LIST)
      throw refuse('TOO_MANY', `${param} has at most ${LONGEST_LIST} entries.`, { param });
}

/** Conditions on rows `s` of service_search. */
export interface Matching {
  /** Of a place to search around. */
  readonly placed: Prisma.Sql;
  /** Of words and filters; undefined for none. */
  readonly filtered: Prisma.Sql | undefined;
}

/**
 * Returns the conditions of a search. Words, types, languages and accessibility are found by one
 * index (service_search_filters), places by another (service_search_position).
 */
export async function matching(
  context: RequestContext,
  { search, filter }: Pick<HealthcareServicesArgs, 'search' | 'filter'>,
  center: Prisma.Sql | undefined,
  radiusMeters: number | null | undefined,
): Promise<Matching> {
  const { typeIds, languageCodes, accessibility, openNow } = filter ?? {};
  refuseLongFilter(filter ?? {});
  const filters = [
    ...(search ? [saying(search)] : []),
    ...(typeIds?.length ? [sql`s.type_ids && ${typeIds}::int[]`] : []),
    ...(languageCodes?.length ? [sql`s.language_codes && ${languageCodes}::text[]`] : []),
    ...(accessibility?.length ? [sql`s.accessibility @> ${accessibility}::text[]`] : []),
    ...(openNow ? [await isOpen(context)] : []),
  ];
  const isPlaced = center ? sql`s.position IS NOT NULL` : sql`TRUE`;
  return {
    placed:
      center && radiusMeters
        ? sql`${isPlaced} AND ${within(center, lineOf(radiusMeters))}`
        : isPlaced,
    filtered: filters.length > 0 ? join(filters, ' AND ') : undefined,
  };
}

function saying(search: string): Prisma.Sql {
  const query = tsqueryOf(search);
  return query ? sql`s.words @@ ${query}::tsquery` : sql`FALSE`;
}

/** The box around the place is found by the index; its corners are too far away. */
const within = (center: Prisma.Sql, line: number) =>
  sql`s.position <@ cube_enlarge(${center}, ${line}::float8, 3)
    AND s.position <-> ${center} <= ${line}::float8`;

/** Returns the condition that clocks show a time within the hours, by the clocks of each zone. */
async function isOpen(context: RequestContext): Promise<Prisma.Sql> {
  const zonesAt = new Map<number, string[]>();
  for (const zone of await zonesOf(context)) {
    const minute = weekMinute(context.deps.clock(), zone);
    zonesAt.set(minute, [...(zonesAt.get(minute) ?? []), zone]);
  }
  const open = [...zonesAt].map(
    ([minute, zones]) =>
      sql`(s.open_minutes @> ${minute}::int AND s.time_zone = ANY(${zones}::text[]))`,
  );
  return open.length === 0 ? sql`FALSE` : sql`(${join(open, ' OR ')})`;
}

const ZONES = Prisma.raw(different('service_search', 'time_zone'));

/** Returns the zones of all services. It goes from one to the next in the index. */
async function zonesOf(context: RequestContext): Promise<string[]> {
  const rows = await context.rows<{ zone: string }>(
    sql`SELECT value AS zone FROM ${ZONES} used ORDER BY value`,
  );
  return rows.map(({ zone }) => zone);
}
