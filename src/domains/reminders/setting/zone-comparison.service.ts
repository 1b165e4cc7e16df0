import { setImmediate as nextTurn } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Deps } from '../../../core/deps.js';
import { registry } from '../../../platform/metrics/metrics.js';
import {
  isZone,
  learnZones,
  nodeOffsetAt,
  releasedOffsetAt,
  shiftsBetween,
  zoneVersion,
} from '../../../platform/zone.js';
import { tableOffset, type ZoneTable } from '../../../platform/zone-table.js';
import { zonesInUse } from './zones-in-use.service.js';

const DAY = 24 * 60 * 60 * 1000;
/** How far ahead zones are compared: two years. */
const AHEAD = 731 * DAY;
/** So long ago rules may have changed that are shown: what was learned of the past is not forgotten. */
const BEHIND = 366 * DAY;
/** Whoever did not shift the clocks for so long does not shift them any more. */
const SETTLED = 400 * DAY;

const differing = new Gauge({
  name: 'care_zone_data_differs',
  help:
    'Zones in use whose clocks, in the next two years, a source (node, postgresql) shows ' +
    'otherwise than the service does.',
  labelNames: ['zone', 'source'],
  aggregator: 'max',
  registers: [registry],
});

/**
 * What a release of the IANA data says that no earlier one did. PostgreSQL does not tell the
 * release of its data: if they know this, they are of that release or a later one. It must be that
 * of the packaged data, so it changes with them; a test compares the two. Source: the release's
 * NEWS.
 */
export const NEWS = {
  version: '2026f',
  zone: 'America/Havana',
  at: Date.UTC(2027, 0, 15, 12),
  offset: -4 * 60 * 60 * 1000,
} as const;

/** Zones in use, by who shows other clocks than the service does. */
export interface ZoneDifferences {
  readonly node: readonly string[];
  readonly postgresql: readonly string[];
  /** Those of PostgreSQL's that were learned, because its data are newer. */
  readonly learned: readonly string[];
}

/**
 * Compares how the clocks of the zones in use (of accounts, reminders and the site) were shifted in
 * the last year and are in the next two: by the service's data, by Node's, and by PostgreSQL's. What differs is a
 * metric and a warning. The newest wins: the service's data are the newer of Node's and the
 * package's (`zoneVersion`); where PostgreSQL differs from both and proves to know that release
 * (`NEWS`), its data are later, and the service goes by them until it is compared again. Otherwise
 * PostgreSQL's are older and nothing depends on them.
 */
export async function compareZones(deps: Deps): Promise<ZoneDifferences> {
  const today = Math.floor(deps.clock() / DAY) * DAY;
  const [from, to] = [today - BEHIND, today + AHEAD];
  const zones = (await zonesInUse(deps.database)).filter(isZone);
  const theirs = await tablesOfDatabase(deps, zones, from, to);
  const knowsNews = await databaseKnowsNews(deps);
  const node: string[] = [];
  const postgresql: string[] = [];
  for (const zone of zones) {
    const own = shiftsBetween(from, to, (at) => releasedOffsetAt(at, zone));
    if (!nodeAgrees(zone, own)) node.push(zone);
    if (theirs.has(zone) && !same(own, theirs.get(zone))) postgresql.push(zone);
    await nextTurn(); // a zone takes some 10 ms
  }
  const later = knowsNews && zoneVersion() === NEWS.version ? postgresql : [];
  learnZones(new Map(later.map((zone) => [zone, lasting(theirs.get(zone) as ZoneTable)])));
  report(deps, { node, postgresql, learned: later });
  return { node, postgresql, learned: later };
}

function report({ log }: Deps, { node, postgresql, learned }: ZoneDifferences): void {
  differing.reset();
  for (const [source, zones] of Object.entries({ node, postgresql }))
    for (const zone of zones) differing.set({ zone, source }, 1);
  if (node.length + postgresql.length === 0) return;
  const versions = { service: zoneVersion(), node: process.versions.tz };
  log.warn(
    { versions, node, postgresql, learned },
    'time zone data differ: the newest are used, the others should be updated',
  );
}

/** SQL of how far the clocks of zone `name` are ahead of UTC, in seconds. */
const ahead = (at: string) =>
  `extract(epoch FROM (${at} AT TIME ZONE name) - (${at} AT TIME ZONE 'UTC'))::int`;

const TABLES_OF_DATABASE = `WITH known AS MATERIALIZED (
    SELECT DISTINCT asked.name FROM unnest($1::text[]) AS asked(name)
      JOIN pg_timezone_names p ON lower(p.name) = lower(asked.name)
  ), days AS (
    SELECT name, at, ${ahead('at')} AS "offset", lag(${ahead('at')}) OVER (PARTITION BY name
      ORDER BY at) AS before
    FROM known, generate_series($2::timestamptz, $3::timestamptz, interval '24 hours') AS at
  ), quarters AS (
    SELECT name, q AS at, ${ahead('q')} AS "offset", ${ahead("(q - interval '15 minutes')")}
      AS before
    FROM days, generate_series(at - interval '1425 minutes', at, interval '15 minutes') AS q
    WHERE before <> "offset"
  )
  SELECT name, (extract(epoch FROM at) * 1000)::float8 AS at, "offset" * 1000 AS "offset" FROM (
    SELECT name, at, "offset" FROM days WHERE before IS NULL
    UNION ALL SELECT name, at, "offset" FROM quarters WHERE before <> "offset"
  ) AS found ORDER BY name, at`;

/**
 * Returns how PostgreSQL shifts the clocks of zones, to the quarter of an hour; without those that
 * it does not know. One statement.
 */
async function tablesOfDatabase(
  { database }: Deps,
  zones: readonly string[],
  from: number,
  to: number,
): Promise<Map<string, ZoneTable>> {
  const rows = await database.query<{ name: string; at: number; offset: number }>(
    TABLES_OF_DATABASE,
    [zones, new Date(from).toISOString(), new Date(to).toISOString()],
    { prepared: false },
  );
  const tables = new Map<
    string,
    { from: number; to: number; shifts: number[]; offsets: number[] }
  >();
  for (const { name, at, offset } of rows) {
    const table = tables.get(name) ?? { from, to, shifts: [], offsets: [] };
    if (table.offsets.length > 0) table.shifts.push(at);
    table.offsets.push(offset);
    tables.set(name, table);
  }
  return tables;
}

async function databaseKnowsNews({ database }: Deps): Promise<boolean> {
  const [row] = await database.query<{ offset: number }>(
    `SELECT extract(epoch FROM ($2::timestamptz AT TIME ZONE name) - ($2::timestamptz AT TIME ZONE 'UTC'))::int * 1000 AS "offset"
     FROM pg_timezone_names WHERE name = $1`,
    [NEWS.zone, new Date(NEWS.at).toISOString()],
  );
  return row?.offset === NEWS.offset;
}

/**
 * Each week, and just before and at each shift: whoever shifts on another day or at another hour is
 * found out by one of these.
 */
function nodeAgrees(zone: string, own: ZoneTable): boolean {
  const instants = own.shifts.flatMap((shift) => [shift - 1, shift]);
  for (let week = own.from; week < own.to; week += 7 * DAY) instants.push(week);
  return instants.every((at) => nodeOffsetAt(at, zone) === tableOffset(own, at));
}

/**
 * Two years are all that was asked for; where clocks are not shifted any more, they say how it is
 * from then on.
 */
function lasting(table: ZoneTable): ZoneTable {
  const last = table.shifts.at(-1) ?? table.from;
  return table.to - last > SETTLED ? { ...table, to: Number.POSITIVE_INFINITY } : table;
}

function same(one: ZoneTable, other: ZoneTable | undefined): boolean {
  return (
    JSON.stringify([one.shifts, one.offsets]) === JSON.stringify([other?.shifts, other?.offsets])
  );
}
