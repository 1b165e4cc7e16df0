import { bucketNames } from '../catalogue/spread.js';
import { countsDays, type Spread, type Subject } from '../catalogue/subject.js';
import { clippedSql } from './bounds.js';
import { bucketSql, packColumns, packsOf } from './bucket.sql.js';
import {
  CLOCK,
  cellNameSql,
  columnsOf,
  countsOf,
  ELIGIBLE,
  LANGUAGE,
  type Numbered,
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
 * SQL that counts accounts again in the cells of a month: it takes some that changed
 * (`report_change`), and moves the cells by the difference between what they add now, by their
 * facts, and what they added when they were counted last, by those in `report_member`. `$1` is the
 * site's zone, `$2` the present, `$3` the first day, `$4` the first of the next month, `$5` the key
 * of sketches in hexadecimal, `$6` its id, `$7` the maximum number of changes, `$8` under which
 * subject the cells stand. Returns the names of the cells.
 *
 * All is of one view of the database: what comes later is in `report_change` still. A cell that is
 * of these accounts alone is made of them. Of others an account that went may have been the
 * largest, or among the least hashes: these stay, so that both are at least what they should be,
 * and the month is noted in `report_loose`.
 */
export function changeCellsSql(subject: Subject): string {
  const changed = changedSql(subject);
  const at = (cell: string) =>
    `${cell}.subject = $8::text AND ${cell}.grid = made.grid AND ${cell}.date = made.date AND ${cell}.keys = made.keys`;
  return `WITH ${accountsSql(subject)}, ${factsSql(subject)}, ${memberSql(subject)}, ${sharesSql(subject)},
    ${changed.ctes}, stored AS MATERIALIZED (
      SELECT d.*, c.subject IS NOT NULL AS is_stored, coalesce(c.accounts, 0) + joined AS accounts,
        coalesce(c.eligible, 0) + counted AS eligible, c.sums AS old_sums, c.tops AS old_tops,
        c.buckets AS old_buckets, c.sketch AS old_sketch
      FROM delta d LEFT JOIN report_cell c ON c.subject = $8::text AND c.grid = d.grid AND c.date = d.date
        AND c.keys = d.keys AND c.date >= $3::date AND c.date < $4::date
    ), made AS MATERIALIZED (SELECT ${changed.made} FROM stored),
    moved_cell AS (UPDATE report_cell c SET accounts = made.accounts, eligible = made.eligible,
        sums = made.sums, tops = made.tops, buckets = made.buckets,
        sketch = CASE WHEN made.is_same THEN c.sketch ELSE made.sketch END
      FROM made WHERE ${at('c')} AND made.accounts > 0),
    gone_cell AS (DELETE FROM report_cell c USING made WHERE ${at('c')} AND made.accounts <= 0),
    new_cell AS (INSERT INTO report_cell
        (subject, grid, date, keys, accounts, eligible, sums, tops, buckets, sketch, sketch_key)
      SELECT $8::text, grid, date, keys, accounts, eligible, sums, tops, buckets, sketch, $6::text
      FROM made WHERE NOT is_stored AND accounts > 0),
    loose_month AS (INSERT INTO report_loose (subject, month)
      SELECT $8::text, $3::date FROM made WHERE is_loose LIMIT 1 ON CONFLICT DO NOTHING)
    SELECT grid, date::text, keys FROM made`;
}

/** As an array, by which their rows are looked up whatever the planner thinks of how many they are. */
const PICKED = 'account_id = ANY(ARRAY(SELECT account_id FROM picked))';

/** SQL of the accounts that are counted again, and as what they are counted, now and before. */
function accountsSql({ dimensions, isPublic }: Subject): string {
  const spoken = dimensions.some(({ name }) => name === LANGUAGE);
  return `asked AS (SELECT $1::text, $2::timestamptz, $3::date AS first, $4::date AS last),
    picked AS MATERIALIZED (SELECT DISTINCT account_id FROM (SELECT account_id FROM report_change
      WHERE subject = $8::text AND month = $3::date ORDER BY account_id LIMIT $7::int) c),
    taken AS (DELETE FROM report_change WHERE subject = $8::text AND month = $3::date AND ${PICKED}),
    member AS MATERIALIZED (SELECT * FROM report_member
      WHERE subject = $8::text AND month = $3::date AND ${PICKED}),
    state AS MATERIALIZED (
      SELECT p.account_id, report_hash(decode($5, 'hex'), p.account_id) AS hash,
        ${isPublic ? 'true' : 'e.id IS NOT NULL'} AS eligible, coalesce(m.eligible, false) AS was_eligible,
        ${spoken ? 'l.code' : 'NULL::text'} AS language, m.language AS was_language
      FROM picked p LEFT JOIN (${ELIGIBLE} AND id = ANY(ARRAY(SELECT account_id FROM picked))) e ON e.id = p.account_id
      LEFT JOIN account a ON a.id = p.account_id LEFT JOIN language l ON l.id = a.language_id
      LEFT JOIN member m ON m.account_id = p.account_id)`;
}

/**
 * The columns of facts as they are read, with their types, in the order in which `report_member`
 * keeps them.
 */
function factColumns({
  dimensions,
  counts,
  spread,
}: Subject): readonly (readonly [string, string])[] {
  const texts = dimensions.filter(({ name, time }) => !time && name !== LANGUAGE);
  const numbers = [...counts, ...(spread ? [spread.column] : [])];
  return [
    ['day', 'date'],
    ['hour', 'int'],
    ...texts.map(({ name }) => [name, 'text'] as const),
    ...numbers.map((name) => [name, 'int'] as const),
  ];
}

/** SQL of their facts, as they are and as they were counted last; each is there once now, or before. */
function factsSql(subject: Subject): string {
  const { counts, spread } = subject;
  const columns = factColumns(subject);
  const kept = columns.map(([name, type], i) => `(f ->> ${i})::${type} AS ${quoted(name)}`);
  const packs = spread ? packsOf(spread) : [];
  const added = [...counts, ...packs].flatMap((name) => [
    `${quoted(name)} * now AS ${quoted(name)}`,
    `${quoted(name)} * was AS ${quoted(WAS + name)}`,
  ]);
  const others = columnsOf(subject).filter((name) => !['weekday', 'day', 'hour'].includes(name));
  return `raw AS MATERIALIZED (
      SELECT account_id, ${quotedAll(columns.map(([name]) => name))}, 1 AS now, 0 AS was FROM (${subject.facts}) f
      WHERE ${PICKED} AND day >= $3::date AND day < $4::date
      UNION ALL SELECT account_id, ${kept.join(', ')}, 0, 1 FROM member, jsonb_array_elements(facts) AS f),
    fact AS (SELECT account_id, ${quotedAll(['day', 'hour', 'weekday', ...others])}, now, was, ${added.join(', ')}
      FROM (SELECT ${['*', 'extract(isodow FROM day)::int AS weekday', ...(spread ? packColumns(spread) : [])].join(', ')}
        FROM raw) f)`;
}

/** SQL that keeps as what accounts are counted, and of which facts. */
function memberSql(subject: Subject): string {
  const columns = quotedAll(factColumns(subject).map(([name]) => name));
  return `counted AS MATERIALIZED (SELECT account_id, jsonb_agg(jsonb_build_array(${columns})) AS facts
      FROM raw WHERE now = 1 GROUP BY account_id),
    member_kept AS (INSERT INTO report_member (subject, month, account_id, eligible, language, facts)
      SELECT $8::text, $3::date, account_id, eligible, language, facts FROM counted JOIN state USING (account_id)
      ON CONFLICT (subject, month, account_id) DO UPDATE
        SET eligible = excluded.eligible, language = excluded.language, facts = excluded.facts),
    member_gone AS (DELETE FROM report_member WHERE subject = $8::text AND month = $3::date AND ${PICKED}
      AND account_id <> ALL(ARRAY(SELECT account_id FROM counted)))`;
}

/**
 * SQL of what each account adds to the cells of the lattice and did add. Facts are first added up by account,
 * weekday and hour, which leaves a quarter of them for most grids.
 */
function sharesSql(subject: Subject): string {
  const grids = numberedOf(subject).filter(({ grid }) => !grid.includes(LANGUAGE));
  const coarse = coarseOf(subject);
  const shares = [false, true].map((isFine) => shareSql(subject, grids, isFine)).filter(Boolean);
  return `part AS (SELECT account_id, ${quotedAll(coarse)}, ${sumsOf(subject)}
      FROM fact GROUP BY account_id, ${quotedAll(coarse)}),
    share AS (${shares.join(' UNION ALL ')})`;
}

/**
 * SQL of that for grids with days or narrow dimensions, or for the others, which are made of facts
 * that are added up.
 */
function shareSql(subject: Subject, grids: readonly Numbered[], isFine: boolean): string {
  const names = columnsOf(subject);
  const coarse = coarseOf(subject);
  const fine = names.filter((name) => !coarse.includes(name));
  const own = grids.filter(({ grid }) => grid.some((name) => fine.includes(name)) === isFine);
  if (own.length === 0) return '';
  const columns = names.filter((name) => own.some(({ grid }) => grid.includes(name)));
  const shown = names.map((name) => (columns.includes(name) ? quoted(name) : nothing(name)));
  return `SELECT ${numberCase(own, columns)} AS g, account_id, ${shown.join(', ')}, ${sumsOf(subject)}
    FROM ${isFine ? 'fact' : 'part'} GROUP BY GROUPING SETS (${own.map(({ grid }) => setOf(grid)).join(', ')})`;
}

/** Returns the columns by which facts are first added up: all but days and narrow dimensions. */
const coarseOf = (subject: Subject) =>
  columnsOf(subject).filter(
    (name) =>
      name !== 'day' && !subject.dimensions.some((each) => each.name === name && each.isNarrow),
  );

const nothing = (name: string) =>
  `NULL::${name === 'day' ? 'date' : CLOCK.includes(name) ? 'int' : 'text'} AS ${quoted(name)}`;

/** How many facts there are and were, and each count of them. */
const sumsOf = (subject: Subject) =>
  [
    'sum(now)::int4 AS now, sum(was)::int4 AS was',
    ...countsOf(subject).flatMap((name) => [
      `${sumOf(name)} AS ${quoted(name)}`,
      `${sumOf(name, quoted(WAS + name))} AS ${quoted(WAS + name)}`,
    ]),
  ].join(', ');

/** What is moved in cells: counts, then buckets, as they are and as they were, cut at their bounds. */
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
  const spokenSteps =
    spoken.of.length === 0
      ? ''
      : `UNION ALL
        SELECT ${spoken.number}, ${names}, v.code, hash, inside AND v.now, was_inside AND v.was,
          eligible AND v.now, was_eligible AND v.was,
          ${columns((i) => `CASE WHEN v.now THEN now_${i} ELSE 0 END, CASE WHEN v.was THEN was_${i} ELSE 0 END`)}
        FROM sized CROSS JOIN LATERAL (
          SELECT language AS code, true AS now, language IS NOT DISTINCT FROM was_language AS was
          UNION ALL SELECT was_language, false, true WHERE was_language IS DISTINCT FROM language) v
        WHERE g IN (${spoken.of.join(', ')}) AND v.code IS NOT NULL`;
  const ctes = `sized AS MATERIALIZED (
      SELECT g, ${names}, hash, language, was_language, now > 0 AS inside, was > 0 AS was_inside,
        now > 0 AND eligible AS eligible, was > 0 AND was_eligible AS was_eligible, ${sized.join(', ')}
      FROM share JOIN state USING (account_id)
    ), step AS (
      SELECT g, ${names}, NULL::text AS language, hash, inside, was_inside, eligible, was_eligible,
        ${columns((i) => `now_${i}, was_${i}`)}
      FROM sized
      ${spokenSteps}
    ), moved AS (
      SELECT g, ${names}, language, sum(inside::int - was_inside::int)::int AS joined,
        sum(eligible::int - was_eligible::int)::int AS counted,
        (count(*) FILTER (WHERE inside))::int AS inside,
        ${array(0, counts.length, (i) => `sum(now_${i} - was_${i})`)} AS sums,
        ${array(0, counts.length, (i) => `max(now_${i})`)} AS tops,
        ${array(0, counts.length, (i) => `max(was_${i}) FILTER (WHERE now_${i} < was_${i})`)} AS fallen,
        ${array(counts.length, shared.length, (i) => `sum(now_${i} - was_${i})`)} AS buckets,
        (array_agg(hash ORDER BY hash) FILTER (WHERE inside))[1:${KEPT}] AS hashes,
        (array_agg(hash ORDER BY hash) FILTER (WHERE inside AND NOT was_inside))[1:${KEPT}] AS came,
        array_agg(hash ORDER BY hash) FILTER (WHERE was_inside AND NOT inside) AS went
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
  const least = (kept: string) =>
    `ARRAY(SELECT DISTINCT hash FROM unnest(old_sketch || came) AS hash ${kept} ORDER BY hash LIMIT ${KEPT})`;
  const made = `grid, date, keys, is_stored, accounts, eligible,
    ${added('sums', counts.length)} AS sums,
    CASE WHEN inside = accounts THEN tops
      ELSE ${array(1, counts.length + 1, (i) => `greatest(old_tops[${i}], tops[${i}])`)} END AS tops,
    ${spread ? added('buckets', shared.length - counts.length) : 'NULL::int8[]'} AS buckets,
    inside <> accounts AND came IS NULL AND went IS NULL AS is_same,
    CASE WHEN inside = accounts THEN hashes
      WHEN came IS NULL AND went IS NULL THEN NULL
      WHEN went IS NULL OR cardinality(old_sketch) >= ${KEPT} THEN ${least('')}
      ELSE ${least('WHERE hash <> ALL(went)')} END AS sketch,
    inside <> accounts AND accounts > 0 AND coalesce(${fell.join(' OR ')}
      OR cardinality(old_sketch) >= ${KEPT} AND went && old_sketch, false) AS is_loose`;
  return { ctes, made };
}
