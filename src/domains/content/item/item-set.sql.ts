import { Prisma } from '../../../generated/prisma/client.js';
import type { Kind } from './item.kinds.js';
import type { Clause, OtherClause } from './item-clause.js';
import { termsOf } from './item-clause.sql.js';
import type { Source } from './item-filter.service.js';

const { sql, join, raw, empty } = Prisma;

/**
 * Which items a list is of: of some kinds, with one of some statuses, and by terms, formats, words,
 * authors and dates.
 */
export interface Combination {
  readonly kinds: readonly Kind[];
  readonly statuses: readonly string[];
  /** From where the items are read that changed since the sets were made. */
  readonly source: Source;
  readonly clauses: readonly (Clause | OtherClause)[];
  /** Whether one of the clauses suffices. */
  readonly either: boolean;
  /** The weeks of the items, by their Mondays, as `2026-01-05`; by default all. */
  readonly weeks?: readonly string[];
}

const NONE = raw('0::bit(2048)');
const BIT_OF = (id: string) => raw(`set_bit(0::bit(2048), ${id} & 2047, 1)`);

/** The pairs of a kind and a status. */
const statedBy = ({ kinds, statuses }: Combination) =>
  kinds.flatMap((kind) => statuses.map((status) => ({ kind, status, name: `${kind} ${status}` })));

/** Maximum number of changes that are not worked off: of more, to read each costs too much. */
const MOST_CHANGES = raw('20000');

/**
 * Returns the condition that the sets of items (the migration sets_of_items) can say which items a
 * combination has. They cannot on small sites, while they are made, and behind very many changes.
 */
export const haveSets = (combination: Combination): Prisma.Sql =>
  sql`(EXISTS (SELECT FROM item_set WHERE whole
      AND name = ANY(${statedBy(combination).map(({ name }) => name)}::text[]))
    AND EXISTS (SELECT FROM item_set WHERE name LIKE 'format %')
    AND NOT EXISTS (SELECT FROM item_set WHERE NOT whole
      AND (name LIKE 'format %' OR name LIKE 'week %'))
    AND NOT EXISTS (SELECT FROM item_change OFFSET ${MOST_CHANGES}))`;

/**
 * Returns the WITH of a statement that has the items of a combination in two tables: `part`, with
 * `bits` as in item_set_part, and `apart`, with `id` and `published_at` of those that were changed
 * since, and are not in `part`. `matching`: the condition on such an item of the source.
 */
export function withItems(combination: Combination, matching: Prisma.Sql): Prisma.Sql {
  const { clauses, weeks, source } = combination;
  const stated = statedBy(combination);
  const dated = sql` JOIN (SELECT part, bit_or(bits) AS bits FROM item_set_part
          WHERE name = ANY(${weeks?.map((week) => `week ${week}`)}::text[]) GROUP BY part) w USING (part)`;
  const tables = clauses.map(
    (clause, i) => sql`${at('wanted', i)} AS MATERIALIZED (${wanted(clause)}), `,
  );
  const joined = clauses.map(
    (clause, i) =>
      sql` LEFT JOIN (${setOf(combination, clause, at('wanted', i))}) ${at('s', i)} USING (part)`,
  );
  return sql`WITH ${tables.length > 0 ? join(tables, '') : empty}stated AS MATERIALIZED (
      SELECT n.*, s.name IS NOT NULL AS whole
      FROM unnest(${stated.map(({ name }) => name)}::text[], ${stated.map(({ kind }) => kind)}::text[],
        ${stated.map(({ status }) => status)}::text[]) n (name, kind, status)
        LEFT JOIN item_set s ON s.name = n.name AND s.whole
    ), noted AS MATERIALIZED (SELECT DISTINCT item_id FROM item_change
    ), part AS MATERIALIZED (
      SELECT part, b.bits & ${expressionOf(combination)} & ~coalesce(n.bits, ${NONE})${weeks ? sql` & w.bits` : empty} AS bits
      FROM (SELECT part, bit_or(bits) AS bits FROM (
            SELECT part, bits FROM stated s JOIN item_set_part USING (name) WHERE s.whole
            UNION ALL SELECT p.id >> 11, ${BIT_OF('p.id')} FROM stated s
            JOIN content_item p ON p.kind = s.kind AND p.status = s.status WHERE NOT s.whole) stated
          GROUP BY part) b${weeks ? dated : empty}
        LEFT JOIN (SELECT item_id >> 11 AS part, bit_or(${BIT_OF('item_id')}) AS bits
          FROM noted GROUP BY 1) n USING (part)${joined.length > 0 ? join(joined, '') : empty}
    ), apart AS MATERIALIZED (
      SELECT ${source.at}.id, ${source.at}.published_at FROM ${source.from}
      WHERE ${source.at}.id = ANY(ARRAY(SELECT item_id FROM noted)) AND ${matching}
    )`;
}

const at = (name: string, i: number) => raw(`${name}${i}`);

/** The sets that a clause is about, and whether they are kept. */
function wanted(clause: Clause | OtherClause): Prisma.Sql {
  if ('formats' in clause)
    return sql`SELECT 0 AS root, 0 AS id, 'format ' || format AS name, true AS whole
      FROM unnest(${clause.formats}::text[]) format`;
  if ('shut' in clause) return sql`SELECT 0 AS root, 0 AS id, 'shut' AS name, true AS whole`;
  if ('after' in clause) return wholeWeeks(clause);
  if ('authors' in clause)
    return sql`SELECT 0 AS root, id, '' AS name, false AS whole FROM unnest(${clause.authors}::int[]) id`;
  const named =
    'words' in clause
      ? sql`SELECT root, id, ${clause.inTitle ? 'title ' : 'word '} || id AS name
          FROM unnest(${clause.words.flatMap((ids, root) => ids.map(() => root))}::int[],
            ${clause.words.flat()}::int[]) n (root, id)`
      : sql`SELECT root, id, 'term ' || id AS name FROM (${termsOf(clause)}) t`;
  return sql`SELECT n.*, s.name IS NOT NULL AS whole
    FROM (${named}) n LEFT JOIN item_set s ON s.name = n.name AND s.whole`;
}

type DateClause = Extract<OtherClause, { readonly after: unknown }>;
const DAY = 86_400_000;
/** A Monday, by days since 1970 in UTC. */
const MONDAY = 4;

/** The weeks that lie between two instants, and conditions on items that do too, but outside of these. */
function spanOf({ after, before }: DateClause) {
  const mondayBefore = (ms: number) => {
    const day = Math.floor(ms / DAY) - MONDAY;
    return new Date((day - (((day % 7) + 7) % 7) + MONDAY) * DAY);
  };
  const from = after && mondayBefore(after.getTime() + 7 * DAY);
  const to = before && mondayBefore(before.getTime());
  const since = after ? sql`p.published_at > ${after}` : sql`true`;
  const until = before ? sql`p.published_at < ${before}` : sql`true`;
  const edges =
    from && to && from >= to
      ? [sql`${since} AND ${until}`]
      : [
          ...(from ? [sql`${since} AND p.published_at < ${from}`] : []),
          ...(to ? [sql`p.published_at >= ${to} AND ${until}`] : []),
        ];
  // Behind the last week that has a name.
  const end = 'week ~';
  const nameOf = (monday: Date) =>
    monday.getUTCFullYear() > 9_999 ? end : `week ${monday.toISOString().slice(0, 10)}`;
  return { edges, first: from ? nameOf(from) : 'week ', end: to ? nameOf(to) : end };
}

function wholeWeeks(clause: DateClause): Prisma.Sql {
  const { first, end } = spanOf(clause);
  return sql`SELECT 0 AS root, 0 AS id, name, true AS whole FROM item_set
    WHERE name LIKE 'week %' AND name >= ${first} AND name < ${end}`;
}

/** The set of a clause. What terms and words with few items have is read from their rows. */
function setOf(
  combination: Combination,
  clause: Clause | OtherClause,
  table: Prisma.Sql,
): Prisma.Sql {
  const parts = sql`SELECT w.root, part, bits FROM ${table} w JOIN item_set_part USING (name)
      WHERE w.whole UNION ALL ${othersOf(combination, clause, table)}`;
  const roots = rootsOf(clause);
  return roots > 1
    ? sql`SELECT part, bit_and(bits) AS bits FROM (
        SELECT root, part, bit_or(bits) AS bits FROM (${parts}) filed GROUP BY root, part) roots
      GROUP BY part HAVING count(*) = ${roots}`
    : sql`SELECT part, bit_or(bits) AS bits FROM (${parts}) filed GROUP BY part`;
}

/** Returns of how many sets an item is in each; 1 where one of all suffices. */
function rootsOf(clause: Clause | OtherClause): number {
  if ('words' in clause) return clause.words.length;
  return 'every' in clause && clause.every ? clause.ids.length : 1;
}

function othersOf(
  { kinds, statuses }: Combination,
  clause: Clause | OtherClause,
  table: Prisma.Sql,
): Prisma.Sql {
  if ('words' in clause) return seldomWords(table, clause.words.length, clause.inTitle);
  if ('after' in clause) {
    const edges = spanOf(clause).edges.map(
      (condition) => sql`SELECT 0, p.id >> 11, ${BIT_OF('p.id')} FROM content_item p
        WHERE p.kind = ANY(${kinds}::text[]) AND p.status = ANY(${statuses}::text[]) AND ${condition}`,
    );
    return join(edges, ' UNION ALL ');
  }
  return 'authors' in clause
    ? sql`SELECT w.root, p.id >> 11, ${BIT_OF('p.id')} FROM ${table} w JOIN content_item p ON p.author_id = w.id`
    : sql`SELECT w.root, ct.item_id >> 11, ${BIT_OF('ct.item_id')}
      FROM ${table} w JOIN content_term ct ON ct.term_id = w.id WHERE NOT w.whole`;
}

/** By groups, whose arrays are known before the rows are read: so that their index is always used. */
function seldomWords(table: Prisma.Sql, groups: number, inTitle = false): Prisma.Sql {
  const found = Array.from({ length: groups }, (_, root) => {
    const words = sql`(SELECT coalesce(array_agg(id), '{}') FROM ${table} WHERE NOT whole AND root = ${root}::int)`;
    const elsewhere = sql` OR s.excerpt_words && ${words} OR s.content_words && ${words}`;
    return sql`SELECT ${root}::int, s.id >> 11, ${BIT_OF('s.id')} FROM item_search s
      WHERE s.title_words && ${words}${inTitle ? empty : elsewhere}`;
  });
  return join(found, ' UNION ALL ');
}

function expressionOf({ clauses, either }: Combination): Prisma.Sql {
  if (clauses.length === 0) return sql`~${NONE}`;
  const bits = clauses.map(
    (clause, i) =>
      sql`${'excluded' in clause && clause.excluded ? raw('~') : empty}(coalesce(${at('s', i)}.bits, ${NONE}))`,
  );
  return sql`(${join(bits, either ? ' | ' : ' & ')})`;
}

/** Returns SELECT of how many items there are, behind `withItems`. */
export const SUM = raw(`SELECT (coalesce((SELECT sum(bit_count(bits)) FROM part), 0)
  + (SELECT count(*) FROM apart))::int`);

/** A week of a list in the order of dates. */
export interface WeekPlace {
  /** Its Monday; null when the list has ended before. */
  readonly week: string | null;
  /** How many items of the list precede the week, and how many are in it. */
  readonly before: number | null;
  readonly n: number | null;
}

/** Which items of a list in the order of dates. */
interface Places {
  /** The number of the first, and of that behind the last. */
  readonly from: number;
  readonly to: number;
  readonly descending: boolean;
  /**
   * The instant of a cursor, in ISO 8601. Weeks before its own, in the order of the list, are left out;
   * numbers begin behind its own week, all of whose items may precede the cursor.
   */
  readonly behind: string | undefined;
}

/**
 * Returns a statement of the weeks, as `WeekPlace`, that have the items from one number to another of a
 * combination, in the order of dates. No row without sets.
 */
export function weeksWith(
  combination: Combination,
  matching: Prisma.Sql,
  { from, to, descending, behind }: Places,
): Prisma.Sql {
  const order = raw(`week ${descending ? 'DESC' : 'ASC'}`);
  const weekOf = (at: Prisma.Sql) =>
    sql`to_char(date_trunc('week', ${at} AT TIME ZONE 'UTC'), 'YYYY-MM-DD')`;
  const first = behind === undefined ? undefined : weekOf(sql`${behind}::text::timestamptz`);
  const later = raw(descending ? '<=' : '>=');
  return sql`${withItems(combination, matching)}, weekly AS (
      SELECT week, sum(n)::int AS n FROM (
        SELECT substr(w.name, 6) AS week, bit_count(w.bits & p.bits) AS n
        FROM part p JOIN item_set_part w USING (part)
        WHERE w.name LIKE 'week %'${first ? sql` AND substr(w.name, 6) ${later} ${first}` : empty}
        UNION ALL SELECT ${weekOf(raw('published_at'))}, 1
        FROM apart) counted${first ? sql` WHERE week ${later} ${first}` : empty} GROUP BY week
    ), placed AS (
      SELECT week, n, (sum(n) OVER (ORDER BY ${order}))::int - n AS before FROM weekly
    )
    SELECT p.week, p.before, p.n FROM (VALUES (true)) list LEFT JOIN placed p
      ON p.before + p.n > ${from}::int
        AND p.before < ${to}::int${first ? sql` + coalesce((SELECT n FROM weekly WHERE week = ${first}), 0)` : empty}
    WHERE ${haveSets(combination)} ORDER BY ${order}`;
}

/** Returns SELECT of the ids of the items, behind `withItems`, for some thousands at most. */
export const IDS = raw(`SELECT (p.part << 11) + w.word * 64 + b.byte * 8 + bit AS id
  FROM part p
    CROSS JOIN LATERAL (SELECT word, substring(p.bits FROM word * 64 + 1 FOR 64) AS bits
      FROM generate_series(0, 31) word OFFSET 0) w
    CROSS JOIN LATERAL (SELECT byte, substring(w.bits FROM byte * 8 + 1 FOR 8) AS bits
      FROM generate_series(0, 7) byte WHERE w.bits <> 0::bit(64) OFFSET 0) b
    CROSS JOIN LATERAL generate_series(0, 7) bit
  WHERE b.bits <> 0::bit(8) AND get_bit(b.bits, bit) = 1
  UNION ALL SELECT id FROM apart`);
