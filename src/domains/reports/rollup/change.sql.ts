import { bucketNames } from '../catalogue/spread.js';
import { countsDays, type FactLog, type Spread, type Subject } from '../catalogue/subject.js';
import { clippedSql } from './bounds.js';
import { bucketSql, packColumns } from './bucket.sql.js';
import {
  cellNameSql,
  columnsOf,
  countsOf,
  ELIGIBLE,
  LANGUAGE,
  numberCase,
  numberedOf,
  quoted,
  quotedAll,
  setOf,
  spokenOf,
  sumOf,
} from './grid.sql.js';
import { gridName, latticeOf } from './lattice.js';
import { KEPT } from './sketch.js';

/** What stands before the names of counts as they were when cells counted them last. */
const WAS = 'was ';

/**
 * SQL that takes accounts from the log of a month, `$7` at most, and moves its cells by the difference of
 * what each adds to them: its facts now, less what came and plus what went since, as what it was
 * counted then and is now. Other parameters as those of `insertCellsSql`. Returns the names of the cells.
 *
 * A cell that is of the accounts in this log alone is made of them. Of others an account that went may have
 * been the largest, or among the least hashes: these stay, so that both are at least what they should be,
 * and the cell is noted in `report_loose`.
 */
export function changeCellsSql(subject: Subject, log: FactLog): string {
  const { name } = subject;
  const changed = changedSql(subject);
  const at = (cell: string) =>
    `${cell}.subject = '${name}' AND ${cell}.grid = made.grid AND ${cell}.date = made.date AND ${cell}.keys = made.keys`;
  return `WITH ${accountsSql(subject, log)}, ${factsSql(subject, log)}, ${sharesSql(subject)},
    ${changed.ctes}, stored AS MATERIALIZED (
      SELECT d.*, c.subject IS NOT NULL AS is_stored, coalesce(c.accounts, 0) + joined AS accounts,
        coalesce(c.eligible, 0) + counted AS eligible, c.sums AS old_sums, c.tops AS old_tops,
        c.buckets AS old_buckets, c.sketch AS old_sketch
      FROM delta d LEFT JOIN report_cell c ON c.subject = '${name}' AND c.grid = d.grid AND c.date = d.date
        AND c.keys = d.keys AND c.date >= $3::date AND c.date < $4::date
    ), made AS MATERIALIZED (SELECT ${changed.made} FROM stored),
    moved_cell AS (UPDATE report_cell c SET accounts = made.accounts, eligible = made.eligible,
        sums = made.sums, tops = made.tops, buckets = made.buckets,
        sketch = CASE WHEN made.is_same THEN c.sketch ELSE made.sketch END
      FROM made WHERE ${at('c')} AND made.accounts > 0),
    gone_cell AS (DELETE FROM report_cell c USING made WHERE ${at('c')} AND made.accounts <= 0),
    new_cell AS (INSERT INTO report_cell
        (subject, grid, date, keys, accounts, eligible, sums, tops, buckets, sketch, sketch_key)
      SELECT '${name}', grid, date, keys, accounts, eligible, sums, tops, buckets, sketch, $6::text
      FROM made WHERE NOT is_stored AND accounts > 0),
    loose_cell AS (INSERT INTO report_loose (subject, grid, date, keys)
      SELECT '${name}', grid, date, keys FROM made WHERE is_loose ON CONFLICT DO NOTHING)
    SELECT grid, date::text, keys FROM made`;
}

/** As an array, by which their rows are looked up whatever the planner thinks of how many they are. */
const PICKED = 'account_id = ANY(ARRAY(SELECT account_id FROM picked))';

/** SQL of the accounts that are taken from the log, and as what they are counted, then and now. */
function accountsSql({ name }: Subject, { table }: FactLog): string {
  const ofMonth = `day >= $3::date AND day < $4::date`;
  return `asked AS (SELECT $1::text, $2::timestamptz, $3::date AS first, $4::date AS last),
    picked AS MATERIALIZED (SELECT DISTINCT account_id FROM ${table} WHERE ${ofMonth} LIMIT $7::int),
    taken AS (DELETE FROM ${table} WHERE ${ofMonth} AND ${PICKED}
      RETURNING *),
    state AS MATERIALIZED (
      SELECT p.account_id, report_hash(decode($5, 'hex'), p.account_id) AS hash,
        e.id IS NOT NULL AS eligible, coalesce(m.eligible, false) AS was_eligible,
        l.code AS language, m.language AS was_language
      FROM picked p LEFT JOIN (${ELIGIBLE} AND id = ANY(ARRAY(SELECT account_id FROM picked))) e ON e.id = p.account_id
      LEFT JOIN account a ON a.id = p.account_id LEFT JOIN language l ON l.id = a.language_id
      LEFT JOIN report_member m
        ON m.subject = '${name}' AND m.month = $3::date AND m.account_id = p.account_id)`;
}

/** SQL of their facts: how often each counts now, and how often it did. */
function factsSql(subject: Subject, { facts }: FactLog): string {
  const parts = subject.spread ? packColumns(subject.spread) : [];
  const columns = ['f.*', 'extract(isodow FROM day)::int AS weekday', ...parts];
  return `fact AS (SELECT ${columns.join(', ')} FROM (
      SELECT f.*, 1 AS now, 1 AS was FROM (${subject.facts}) f
      WHERE ${PICKED}
      UNION ALL ${facts}) f WHERE day >= $3::date AND day < $4::date)`;
}

/**
 * SQL of what each account adds to the cells of the lattice and did add, cut at its bounds, as whom it is and was
 * counted; with the accounts of the month.
 */
function sharesSql(subject: Subject): string {
  const { name } = subject;
  const names = columnsOf(subject);
  const grids = numberedOf(subject).filter(({ grid }) => !grid.includes(LANGUAGE));
  const sums = countsOf(subject).flatMap((count) => [
    `${sumOf(count, `${quoted(count)} * now`)} AS ${quoted(count)}`,
    `${sumOf(count, `${quoted(count)} * was`)} AS ${quoted(WAS + count)}`,
  ]);
  const all = grids.findIndex(({ grid }) => grid.length === 0);
  return `share AS MATERIALIZED (
      SELECT ${numberCase(grids, names)} AS g, account_id, ${quotedAll(names)},
        sum(now) > 0 AS inside, sum(was) > 0 AS was_inside, ${sums.join(', ')}
      FROM fact GROUP BY GROUPING SETS (${grids.map(({ grid }) => setOf(grid)).join(', ')})),
    member AS (INSERT INTO report_member (subject, month, account_id, eligible, language)
      SELECT '${name}', $3::date, account_id, eligible, language FROM share JOIN state USING (account_id)
      WHERE g = ${grids[all]?.number} AND inside
      ON CONFLICT (subject, month, account_id) DO UPDATE
        SET eligible = excluded.eligible, language = excluded.language),
    member_gone AS (DELETE FROM report_member m USING picked p
      WHERE m.subject = '${name}' AND m.month = $3::date AND m.account_id = p.account_id
        AND NOT EXISTS (SELECT FROM share s
          WHERE s.g = ${grids[all]?.number} AND s.inside AND s.account_id = p.account_id))`;
}

/** What is moved in cells: counts, then buckets, as they are and as they were. */
function sharedOf(subject: Subject): readonly { readonly now: string; readonly was: string }[] {
  const { counts, spread } = subject;
  const lattice = latticeOf(subject).map(gridName);
  const clipped = (count: string, sql: string) => clippedSql(subject, count, lattice, sql);
  const buckets = spread ? bucketNames(spread).map((_, i) => i) : [];
  return [
    ...counts.map((count) => ({
      now: clipped(count, quoted(count)),
      was: clipped(count, quoted(WAS + count)),
    })),
    ...buckets.map((i) => ({
      now: clipped(spread?.count ?? '', bucketSql(spread as Spread, i)),
      was: clipped(spread?.count ?? '', bucketSql(spread as Spread, i, WAS)),
    })),
  ];
}

/** SQL of the differences by cell, `delta`, and of what becomes of the stored cell by one, `made`. */
function changedSql(subject: Subject): { readonly ctes: string; readonly made: string } {
  const { counts, spread } = subject;
  const names = quotedAll(columnsOf(subject));
  const shared = sharedOf(subject);
  const columns = (of: (i: number) => string) => shared.map((_, i) => of(i)).join(', ');
  const array = (from: number, to: number, of: (i: number) => string) =>
    `ARRAY[${Array.from({ length: to - from }, (_, i) => of(from + i)).join(', ')}]::int8[]`;
  const sized = shared.map(({ now, was }, i) => `${now} AS now_${i}, ${was} AS was_${i}`);
  const spoken = spokenOf(subject, numberedOf(subject));
  const ctes = `sized AS MATERIALIZED (
      SELECT g, account_id, ${names}, hash, language, was_language, inside, was_inside,
        inside AND eligible AS eligible, was_inside AND was_eligible AS was_eligible, ${sized.join(', ')}
      FROM share JOIN state USING (account_id)
    ), step AS (
      SELECT g, ${names}, NULL::text AS language, hash, inside, was_inside, eligible, was_eligible,
        ${columns((i) => `now_${i}, was_${i}`)}
      FROM sized
      UNION ALL
      SELECT ${spoken.number}, ${names}, v.code, hash, inside AND v.now, was_inside AND v.was,
        eligible AND v.now, was_eligible AND v.was,
        ${columns((i) => `CASE WHEN v.now THEN now_${i} ELSE 0 END, CASE WHEN v.was THEN was_${i} ELSE 0 END`)}
      FROM sized CROSS JOIN LATERAL (
        SELECT language AS code, true AS now, language IS NOT DISTINCT FROM was_language AS was
        UNION ALL SELECT was_language, false, true WHERE was_language IS DISTINCT FROM language) v
      WHERE g IN (${spoken.of.join(', ')}) AND v.code IS NOT NULL
    ), moved AS (
      SELECT g, ${names}, language, sum(inside::int - was_inside::int)::int AS joined,
        sum(eligible::int - was_eligible::int)::int AS counted,
        (count(*) FILTER (WHERE inside))::int AS inside,
        ${array(0, counts.length, (i) => `sum(now_${i} - was_${i})`)} AS sums,
        ${array(0, counts.length, (i) => `max(now_${i})`)} AS tops,
        ${array(0, counts.length, (i) => `max(was_${i}) FILTER (WHERE now_${i} < was_${i})`)} AS fallen,
        ${array(counts.length, shared.length, (i) => `sum(now_${i} - was_${i})`)} AS buckets,
        array_agg(hash ORDER BY hash) FILTER (WHERE inside) AS hashes,
        array_agg(hash) FILTER (WHERE inside AND NOT was_inside) AS came,
        array_agg(hash) FILTER (WHERE was_inside AND NOT inside) AS went
      FROM step
      WHERE (inside, eligible, ${columns((i) => `now_${i}`)})
        IS DISTINCT FROM (was_inside, was_eligible, ${columns((i) => `was_${i}`)})
      GROUP BY g, ${names}, language
    ), delta AS MATERIALIZED (SELECT ${cellNameSql(numberedOf(subject), countsDays(subject))},
      joined, counted, inside, sums, tops, fallen, buckets, hashes, came, went FROM moved)`;
  const added = (list: string, length: number) =>
    array(1, length + 1, (i) => `coalesce(old_${list}[${i}], 0) + ${list}[${i}]`);
  const fell = counts.map(
    (_, i) => `fallen[${i + 1}] >= old_tops[${i + 1}] AND tops[${i + 1}] < old_tops[${i + 1}]`,
  );
  const made = `grid, date, keys, is_stored, accounts, eligible,
    ${added('sums', counts.length)} AS sums,
    CASE WHEN inside = accounts THEN tops
      ELSE ${array(1, counts.length + 1, (i) => `greatest(old_tops[${i}], tops[${i}])`)} END AS tops,
    ${spread ? added('buckets', shared.length - counts.length) : 'NULL::int8[]'} AS buckets,
    inside <> accounts AND came IS NULL AND went IS NULL AS is_same,
    CASE WHEN inside = accounts THEN hashes[1:${KEPT}]
      WHEN came IS NOT NULL OR went IS NOT NULL THEN ARRAY(
        SELECT DISTINCT hash FROM unnest(old_sketch || came) AS hash
        WHERE cardinality(old_sketch) >= ${KEPT} OR hash <> ALL(coalesce(went, '{}'))
        ORDER BY hash LIMIT ${KEPT}) END AS sketch,
    inside <> accounts AND accounts > 0 AND coalesce(${fell.join(' OR ')}
      OR cardinality(old_sketch) >= ${KEPT} AND went && old_sketch, false) AS is_loose`;
  return { ctes, made };
}
