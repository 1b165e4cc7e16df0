import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { type OrderKey, orderOf, within } from '../../../core/keyset.js';
import { countRows, refuseBeyond } from '../../../core/listing.js';
import { type Page, pageOf, type Window, windowOf } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { pointOf } from './earth.js';
import type { HealthcareServicesArgs, NearInput } from './healthcare-service.inputs.js';
import type { HealthcareService } from './healthcare-service.types.js';
import { type Matching, matching } from './service-filter.service.js';
import { keysAt, type Listed, serviceOrder } from './service-order.service.js';
import { type ServiceRow, servicesOf } from './service-row.service.js';

const { sql } = Prisma;

/**
 * Returns the point of a place to search around; undefined for none. Throws NEAR_INVALID for half a
 * place.
 */
export function pointNear({ latitude, longitude }: NearInput): readonly number[] | undefined {
  if (typeof latitude !== 'number' && typeof longitude !== 'number') return undefined;
  if (typeof latitude !== 'number' || typeof longitude !== 'number')
    throw refuse('NEAR_INVALID', 'A place has a latitude and a longitude.', {
      param: typeof latitude === 'number' ? 'longitude' : 'latitude',
    });
  return pointOf(latitude, longitude);
}

/**
 * Returns a page of services: in the order that is asked for, else nearest first around a place, else by
 * name. With one statement, one more for the zones when only open ones are asked for, and one for the
 * count. Throws NEAR_INVALID, TOO_MANY, CURSOR_INVALID, PAGE_SIZES_BOTH, PAGE_OUT_OF_RANGE.
 */
export async function listServices(
  context: RequestContext,
  { near, page, orderBy, ...args }: HealthcareServicesArgs,
): Promise<Page<HealthcareService>> {
  const point = near ? pointNear(near) : undefined;
  const center = point && sql`cube(${[...point]}::float8[])`;
  const { name, keys, keysOf, isNearestFirst } = serviceOrder(orderBy, point);
  const window = windowOf(args, name, keys, 20);
  const found = await matching(context, args, center, near?.radiusMeters);
  const line = center ? sql`(s.position <-> ${center})` : sql`NULL::float8`;
  const skipped = ((page ?? 1) - 1) * window.size;
  const reach = skipped + window.size + 1;
  const rows = await context.rows<Listed>(
    sql`SELECT s.name_key AS "nameKey", ${COLUMNS}, s.line
      FROM (${chosen({ found, order: keysAt(keys, line), isNearestFirst, window, line, reach })}) s
      JOIN healthcare_service h ON h.id = s.id
      ${orderOf(keys, window)} OFFSET ${skipped}::bigint`,
    // Planned for what is searched: other words need another index.
    { prepared: false },
  );
  refuseBeyond(rows, page);
  const keysById = new Map(rows.map((row) => [row.id, keysOf(row)]));
  return pageOf(
    servicesOf(context, rows),
    window,
    ({ id }) => keysById.get(id) ?? [],
    () =>
      countRows(
        context,
        sql`service_search s WHERE ${found.placed} AND ${found.filtered ?? sql`TRUE`}`,
        { prepared: false },
      ),
  );
}

interface Choice {
  readonly found: Matching;
  readonly order: readonly OrderKey[];
  readonly isNearestFirst: boolean;
  readonly window: Window;
  /** The distance in a line, or NULL. */
  readonly line: Prisma.Sql;
  /** How many rows of the list, from its beginning, are read. */
  readonly reach: number;
}

/** Number of the nearest services that are read before a search is answered by its words. */
const NEAREST = 700;

/**
 * Returns the rows of a page, in any order. PostgreSQL cannot know how many of the nearest services
 * match: to walk from one to the next, it may have to pass all of them. So a search with filters
 * looks at some of the nearest, by the index of positions. Where too few of them match, all that
 * match are found by the index of words and filters, and sorted. (`+ 0` keeps the planner from
 * walking.) An index gives the order by distance alone, so services at the same distance are read
 * with it.
 */
function chosen({ found, order, isNearestFirst, window, line, reach }: Choice): Prisma.Sql {
  const { placed, filtered } = found;
  const between = sql`${placed} AND ${within(order, window)}`;
  const limited = sql`${orderOf(order, window)} LIMIT ${reach}::bigint`;
  const columns = sql`s.id, s.name_key, ${line} AS line`;
  if (!isNearestFirst || window.backwards)
    return sql`SELECT ${columns} FROM service_search s
      WHERE ${between} AND ${filtered ?? sql`TRUE`} ${limited}`;
  const nearest = (rows: number) => sql`(SELECT s.* FROM service_search s WHERE ${between}
    ORDER BY ${line} FETCH FIRST (${rows}::bigint) ROWS WITH TIES) s`;
  if (!filtered) return sql`SELECT ${columns} FROM ${nearest(reach)} ${limited}`;
  return sql`
    WITH near AS MATERIALIZED (
      SELECT ${columns} FROM ${nearest(NEAREST)} WHERE ${filtered} ${limited})
    SELECT * FROM near WHERE (SELECT count(*) FROM near) >= ${reach}::bigint
    UNION ALL SELECT * FROM (SELECT ${columns} FROM service_search s
      WHERE (SELECT count(*) FROM near) < ${reach}::bigint AND ${between} AND ${filtered}
      ORDER BY ${line} + 0, s.id LIMIT ${reach}::bigint) s`;
}

const COLUMNS = sql`h.id, h.external_id AS "externalId", h.name, h.description,
  h.type_ids AS "typeIds", h.address, h.latitude, h.longitude, h.time_zone AS "timeZone",
  h.hours::text AS hours, h.language_codes AS "languageCodes", h.phone, h.email, h.url,
  h.accessibility, h.updated_at AS "updatedAt", h.version`;

/** Returns the rows of these ids, in the order of their ids. */
export const serviceRows = (
  context: RequestContext,
  ids: readonly number[],
): Promise<ServiceRow[]> =>
  context.rows<ServiceRow>(sql`SELECT ${COLUMNS}, NULL::float8 AS line FROM healthcare_service h
    WHERE h.id = ANY(${[...ids]}::int[]) ORDER BY h.id`);

/**
 * Returns the rows that an import finds again by these ids of elsewhere, and locks them until the
 * end of the transaction: nobody changes or deletes them in the meantime.
 */
export const serviceRowsByExternalId = (
  context: RequestContext,
  externalIds: readonly string[],
): Promise<ServiceRow[]> =>
  context.rows<ServiceRow>(sql`SELECT ${COLUMNS}, NULL::float8 AS line FROM healthcare_service h
    WHERE h.external_id = ANY(${[...externalIds]}::text[]) ORDER BY h.id FOR UPDATE`);

/** Returns the services of these ids. */
export const servicesById = async (
  context: RequestContext,
  ids: readonly number[],
): Promise<HealthcareService[]> => servicesOf(context, await serviceRows(context, ids));
