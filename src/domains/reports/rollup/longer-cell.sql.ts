import type { Subject } from '../catalogue/subject.js';
import { LEAST_THRESHOLD } from '../privacy.js';

/**
 * SQL that joins the cells of days to those of weeks, and the cells of months to those of quarters,
 * before anything of them is hidden. `$1` is the first day, `$2` the day after the last. Sums of the
 * most that one account adds are at least the most that one adds. Where sketches lack or are of two
 * keys, the joined cell has none: then `accounts` reaches the threshold only where that of a part
 * does, and changes with that of any part, as the noise must. Eligible accounts are at least those of
 * the largest part, and all but those that are not eligible in some part.
 */
export function longerCellsSql({ name, counts }: Subject, longer: 'week' | 'quarter'): string {
  const of = longer === 'week' ? "grid ~ '^day( |$)'" : "grid !~ '^(day|week|quarter)( |$)'";
  const grid = longer === 'week' ? "'week' || substr(grid, 4)" : "trim('quarter ' || grid)";
  const added = (array: string) => counts.map((_, i) => `sum(${array}[${i + 1}])`).join(', ');
  return `INSERT INTO report_cell
      (subject, grid, date, keys, accounts, eligible, sums, tops, sketch, sketch_key)
    SELECT '${name}', grid, date, keys, accounts,
      CASE WHEN sketch_key IS NULL THEN eligible ELSE greatest(eligible, accounts - others) END,
      sums, tops, sketch, sketch_key FROM (SELECT grid, date, keys,
      CASE WHEN sketch_key IS NOT NULL THEN greatest(most, report_distinct(sketch))
        WHEN most >= ${LEAST_THRESHOLD} THEN together ELSE most END AS accounts, eligible, others,
      sums, tops, CASE WHEN sketch_key IS NOT NULL THEN sketch END AS sketch, sketch_key
    FROM (SELECT ${grid} AS grid, date_trunc('${longer}', date)::date AS date, keys,
        max(accounts) AS most, sum(accounts)::int AS together,
        max(coalesce(eligible, accounts)) AS eligible,
        sum(accounts - coalesce(eligible, accounts))::int AS others,
        ARRAY[${added('sums')}]::int8[] AS sums, ARRAY[${added('tops')}]::int8[] AS tops,
        report_union(sketch) AS sketch,
        CASE WHEN count(sketch_key) = count(*) AND min(sketch_key) = max(sketch_key)
          THEN min(sketch_key) END AS sketch_key
      FROM report_cell WHERE subject = '${name}' AND ${of} AND date >= $1::date AND date < $2::date
      GROUP BY 1, 2, 3) part) joined`;
}
