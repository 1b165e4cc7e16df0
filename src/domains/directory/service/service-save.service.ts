import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { sortKey } from '../../content/rendering/slug.js';
import { pathOf, type TypeTree, typeTree } from '../service-type/type-tree.service.js';
import { pointOf } from './earth.js';
import type { ServiceColumns } from './service-row.service.js';
import { rangesOf } from './week.js';
import { wordsOf } from './words.js';

const { sql } = Prisma;

/** Columns to store; without an id a new row. */
export interface ServiceToSave extends ServiceColumns {
  readonly id?: number;
}

/**
 * Stores services with what they are searched by, inside a transaction. Returns their ids in the
 * same order. Uses at most four statements for any number.
 */
export async function saveServices(
  inner: RequestContext,
  services: readonly ServiceToSave[],
): Promise<number[]> {
  if (services.length === 0) return [];
  const tree = await typeTree(inner);
  const fresh = await freshIds(inner, services.filter(({ id }) => id === undefined).length);
  const identified = services.map((service) => ({ ...service, id: service.id ?? fresh.shift() }));
  await inner.db.$executeRaw(storing(identified, inner.now()));
  await inner.db.$executeRaw(indexing(identified.map((service) => searchOf(service, tree))));
  return identified.map(({ id }) => id as number);
}

/** Services that are indexed at a time. */
const AT_ONCE = 500;

/** Writes what all services are searched by, for services that came from elsewhere. */
export async function indexAllServices(context: RequestContext): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; )
    after = await transact(context, async (inner) => {
      const rows = await inner.db.healthcareService.findMany({
        where: { id: { gt: after as number } },
        orderBy: { id: 'asc' },
        take: AT_ONCE,
      });
      const tree = await typeTree(inner);
      const services = rows.map((row) => searchOf(row as unknown as ServiceToSave, tree));
      if (services.length > 0) await inner.db.$executeRaw(indexing(services));
      return rows.at(-1)?.id;
    });
}

async function freshIds(inner: RequestContext, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await inner.rows<{ id: number }>(sql`
    SELECT nextval(pg_get_serial_sequence('healthcare_service', 'id'))::int AS id
    FROM generate_series(1, ${count}::int)`);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

const storing = (rows: readonly object[], now: Date) => sql`
  INSERT INTO healthcare_service AS h (id, external_id, name, description, type_ids, address,
    latitude, longitude, time_zone, hours, language_codes, phone, email, url, accessibility,
    updated_at)
  SELECT r.id, r."externalId", r.name, r.description, r."typeIds", r.address, r.latitude,
    r.longitude, r."timeZone", r.hours, r."languageCodes", r.phone, r.email, r.url,
    r.accessibility, ${now.toISOString()}::timestamptz
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(id int, "externalId" text, name text,
    description text, "typeIds" int[], address text, latitude float8, longitude float8,
    "timeZone" text, hours jsonb, "languageCodes" text[], phone text, email text, url text,
    accessibility text[])
  ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, description = EXCLUDED.description,
    type_ids = EXCLUDED.type_ids, address = EXCLUDED.address, latitude = EXCLUDED.latitude,
    longitude = EXCLUDED.longitude, time_zone = EXCLUDED.time_zone, hours = EXCLUDED.hours,
    language_codes = EXCLUDED.language_codes, phone = EXCLUDED.phone, email = EXCLUDED.email,
    url = EXCLUDED.url, accessibility = EXCLUDED.accessibility, updated_at = EXCLUDED.updated_at,
    version = h.version + 1`;

/** Returns what a service is searched by. */
function searchOf(service: ServiceToSave, tree: TypeTree) {
  const { id, name, description, address, latitude, longitude, timeZone } = service;
  const isPlaced = latitude !== null && longitude !== null;
  const above = service.typeIds.flatMap((typeId) => pathOf(tree, typeId).map((type) => type.id));
  const bare = service.languageCodes.map((code) => code.split('-')[0] as string);
  const ranges = rangesOf(service.hours).map(([from, to]) => `[${from},${to})`);
  return {
    id,
    nameKey: sortKey(name),
    point: isPlaced ? pointOf(latitude, longitude) : null,
    words: wordsOf(name, description, address),
    typeIds: [...new Set(above)],
    languageCodes: [...new Set([...service.languageCodes, ...bare])],
    accessibility: service.accessibility,
    timeZone,
    openMinutes: `{${ranges.join()}}`,
  };
}

const indexing = (rows: readonly object[]) => sql`
  INSERT INTO service_search AS s (id, name_key, position, words, type_ids, language_codes,
    accessibility, time_zone, open_minutes)
  SELECT r.id, r."nameKey", CASE WHEN r.point IS NOT NULL THEN cube(r.point) END,
    array_to_tsvector(r.words), r."typeIds", r."languageCodes", r.accessibility, r."timeZone",
    r."openMinutes"::int4multirange
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(id int, "nameKey" text,
    point float8[], words text[], "typeIds" int[], "languageCodes" text[], accessibility text[],
    "timeZone" text, "openMinutes" text)
  ON CONFLICT (id) DO UPDATE SET name_key = EXCLUDED.name_key, position = EXCLUDED.position,
    words = EXCLUDED.words, type_ids = EXCLUDED.type_ids,
    language_codes = EXCLUDED.language_codes, accessibility = EXCLUDED.accessibility,
    time_zone = EXCLUDED.time_zone, open_minutes = EXCLUDED.open_minutes`;
