import { Prisma } from '../../../generated/prisma/client.js';
import { columnOf, type Fields, type LineKind, type Part, typeOf } from './line.js';

const { raw, sql } = Prisma;

/** An instant in UTC with milliseconds, such as 2026-03-10T10:00:00.000Z. */
const INSTANT = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** SQL of a value as it stands in a line. */
const SHOWN: Readonly<Record<string, (column: string) => string>> = {
  decimal: (column) => `${column}::text`,
  instant: (column) => `to_char(${column} AT TIME ZONE 'UTC', ${INSTANT})`,
  instants: (column) => `ARRAY(SELECT to_char(at AT TIME ZONE 'UTC', ${INSTANT})
    FROM unnest(${column}) WITH ORDINALITY AS u(at, place) ORDER BY place)`,
};

function selected(fields: Fields, row: string): string[] {
  return Object.entries(fields).map(([name, field]) => {
    const column = typeof field === 'string' ? `${row}."${columnOf(name)}"` : field.sql;
    const shown = SHOWN[typeOf(field).replace('?', '')]?.(column) ?? column;
    return `${shown} AS "${name}"`;
  });
}

function selectedPart(name: string, { table, of, order, fields, isOne, isList }: Part): string {
  const rows = `SELECT ${selected(fields, 'p').join(', ')} FROM ${table} p WHERE p.${of} = t.id ORDER BY ${order}`;
  if (isOne) return `(SELECT row_to_json(o) FROM (${rows}) o) AS "${name}"`;
  const value = isList ? `o."${Object.keys(fields)[0]}"` : 'row_to_json(o)';
  return `(SELECT COALESCE(json_agg(${value}), '[]') FROM (${rows}) o) AS "${name}"`;
}

/** Returns the columns by which the rows of a kind are ordered. */
export const keyOf = ({ key }: LineKind): readonly string[] => key ?? ['id'];

/** Returns a statement of how many rows a kind has, and of the bytes of the largest. */
export const countOf = ({ table, where = 'TRUE' }: LineKind): Prisma.Sql =>
  raw(`SELECT count(*)::int AS count FROM ${table} t WHERE ${where}`);

/**
 * Returns a statement of the next lines of a kind behind a key, in its order: the text of each, and the
 * numbers of its key.
 */
export function linesBehind(
  kind: LineKind,
  behind: readonly number[] | undefined,
  most: number,
): Prisma.Sql {
  const { name, table, where = 'TRUE', fields, parts = {} } = kind;
  const key = keyOf(kind).map((column) => `t.${column}`);
  const columns = [
    `'${name}'::text AS kind`,
    ...(kind.key ? [] : ['t.id']),
    ...selected(fields, 't'),
    ...Object.entries(parts).map(([part, one]) => selectedPart(part, one)),
  ];
  const further = behind
    ? sql`(${raw(key.join(', '))}) > (${Prisma.join([...behind])})`
    : sql`TRUE`;
  return sql`
    SELECT (SELECT row_to_json(o) FROM (SELECT ${raw(columns.join(',\n      '))}) o)::text AS line,
      ${raw(`ARRAY[${key.join(', ')}]`)} AS key
    FROM ${raw(table)} t WHERE (${raw(where)}) AND ${further}
    ORDER BY ${raw(key.join(', '))} LIMIT ${most}::int`;
}
