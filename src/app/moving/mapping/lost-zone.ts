import { parseMoment } from '../../../platform/moment.js';
import type { MysqlSource } from '../mysql-source.js';
import { mappedDate } from './mapped-date.js';
import type { MappedQuery } from './mapping.js';

/** The fields of any kind that are dates. */
export const DATES = ['start', 'end', 'created', 'date', 'opens', 'closes', 'effective'];

/** Rows of a query that are looked at for each of its dates. */
const MOST_ROWS = 1_000;
/** Zones in which an instant of UTC has other texts: in one of them also another day. */
const OTHER_ZONES = ['-12:00', '+13:00'];

/**
 * Returns the columns of dates that a query makes of instants, without saying that they are in UTC: a
 * function of a TIMESTAMP, or FROM_UNIXTIME. They are other texts in a session of another zone.
 */
export async function lostZones(source: MysqlSource, query: MappedQuery): Promise<string[]> {
  const columns = new Set(DATES.flatMap((name) => query.columns[name] ?? []));
  const lost: string[] = [];
  for (const column of columns) if (await isZoneLost(source, query, column)) lost.push(column);
  return lost;
}

async function isZoneLost(
  source: MysqlSource,
  query: MappedQuery,
  column: string,
): Promise<boolean> {
  const local = [...(await datesOf(source, query, column))].filter(([, date]) => {
    const { text, fault } = mappedDate(date, query.dates);
    return text && !fault && parseMoment(text)?.offset === undefined;
  });
  if (local.length === 0) return false;
  for (const zone of OTHER_ZONES) {
    const there = await source.inZone(zone, () => datesOf(source, query, column));
    if (local.some(([key, date]) => (there.get(key) ?? date) !== date)) return true;
  }
  return false;
}

/** Returns the first dates of a column, by the keys of their rows. */
async function datesOf(
  source: MysqlSource,
  { query, columns }: MappedQuery,
  column: string,
): Promise<ReadonlyMap<string, string>> {
  const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;
  const rows = await source.rows(
    `SELECT ${quoted(columns.key as string)} AS k, ${quoted(column)} AS d FROM (${query}) AS q
    WHERE LENGTH(${quoted(column)}) > 0 LIMIT ${MOST_ROWS}`,
  );
  return new Map(rows.map(({ k, d }) => [String(k), String(d)]));
}
