import { bucketNames } from '../catalogue/spread.js';
import type { Subject } from '../catalogue/subject.js';
import { LEAST_THRESHOLD } from '../noise.js';

/**
 * SQL that joins the cells of days to those of weeks, and the cells of months to those of quarters,
 * before anything of them is hidden. `$1` is the first day, `$2` the day after the last. The
 * most that one account adds is at most the sum of that of all parts, and of as many parts as it
 * can be in: each but the first is one more than there are different accounts. Where sketches lack
 * or are of two keys, the joined cell has none: then `accounts` reaches the threshold only where
 * that of a part does, and changes with that of any part, as the noise must. Eligible accounts are
 * at least those of the largest part, and all but those that are not eligible in some part. Where
 * buckets lack in a part, the joined cell has none.
 */
export function longerCellsSql(subject: Subject, longer: Longer): string {
  const { of } = PARTS[longer];
  return joinedSql(
    subject,
    longer,
    `report_cell WHERE subject = '${subject.name}' AND ${of} AND date >= $1::date AND date < $2::date`,
  );
}

/**
 * SQL that deletes the cells of weeks or quarters that some cells are part of. `$1` names these: a
 * JSON list of objects with grid, date and keys.
 */
export const deleteLongerSql = ({ name }: Subject, longer: Longer): string =>
  `DELETE FROM report_cell c USING (${longerOf(longer)}) l
    WHERE c.subject = '${name}' AND c.grid = l.longer AND c.date = l.start AND c.keys = l.keys`;

/** SQL that joins these cells again. */
export const someLongerCellsSql = (subject: Subject, longer: Longer): string =>
  joinedSql(
    subject,
    longer,
    `(SELECT c.* FROM (${longerOf(longer)}) l JOIN report_cell c
      ON c.subject = '${subject.name}' AND c.grid = l.grid AND c.keys = l.keys
        AND c.date >= l.start AND c.date < l.start + interval '${longer === 'week' ? '1 week' : '3 months'}') c`,
  );

type Longer = 'week' | 'quarter';

/** Of which grids the cells are that are joined, and how the joined grid is named. */
const PARTS = {
  week: { of: "grid ~ '^day( |$)'", grid: "'week' || substr(grid, 4)" },
  quarter: { of: "grid !~ '^(day|week|quarter)( |$)'", grid: "trim('quarter ' || grid)" },
} as const;

const longerOf = (longer: Longer) =>
  `SELECT DISTINCT grid, ${PARTS[longer].grid} AS longer, date_trunc('${longer}', date)::date AS start, keys
    FROM (SELECT grid, date::date, ARRAY(SELECT jsonb_array_elements_text(keys)) AS keys
      FROM jsonb_to_recordset($1::jsonb) AS named(grid text, date text, keys jsonb)) part
    WHERE ${PARTS[longer].of}`;

/** SQL that joins cells. `from` is where they are. */
function joinedSql({ name, counts, spread }: Subject, longer: Longer, from: string): string {
  const { grid } = PARTS[longer];
  const folded = (fold: string, array: string) =>
    counts.map((_, i) => `${fold}(${array}[${i + 1}])`).join(', ');
  const tops = counts.map(
    (_, i) => `least(tops[${i + 1}], (1 + greatest(0, together - accounts)) * most_tops[${i + 1}])`,
  );
  const summed = (spread ? bucketNames(spread) : []).map((_, i) => `sum(buckets[${i + 1}])`);
  const buckets = spread
    ? `CASE WHEN count(buckets) = count(*) THEN ARRAY[${summed.join(', ')}]::int8[] END`
    : 'NULL::int8[]';
  return `INSERT INTO report_cell
      (subject, grid, date, keys, accounts, eligible, sums, tops, buckets, sketch, sketch_key)
    SELECT '${name}', grid, date, keys, accounts,
      CASE WHEN sketch_key IS NULL THEN eligible ELSE greatest(eligible, accounts - others) END,
      sums, ARRAY[${tops.join(', ')}]::int8[], buckets, sketch, sketch_key
    FROM (SELECT grid, date, keys, together, most_tops,
      CASE WHEN sketch_key IS NOT NULL THEN greatest(most, report_distinct(sketch))
        WHEN most >= ${LEAST_THRESHOLD} THEN together ELSE most END AS accounts, eligible, others,
      sums, tops, buckets, CASE WHEN sketch_key IS NOT NULL THEN sketch END AS sketch, sketch_key
    FROM (SELECT ${grid} AS grid, date_trunc('${longer}', date)::date AS date, keys,
        max(accounts) AS most, sum(accounts)::int AS together,
        max(coalesce(eligible, accounts)) AS eligible,
        sum(accounts - coalesce(eligible, accounts))::int AS others,
        ARRAY[${folded('sum', 'sums')}]::int8[] AS sums,
        ARRAY[${folded('sum', 'tops')}]::int8[] AS tops,
        ARRAY[${folded('max', 'tops')}]::int8[] AS most_tops,
        ${buckets} AS buckets, report_union(sketch) AS sketch,
        CASE WHEN count(sketch_key) = count(*) AND min(sketch_key) = max(sketch_key)
          THEN min(sketch_key) END AS sketch_key
      FROM ${from} GROUP BY 1, 2, 3) part) joined`;
}
