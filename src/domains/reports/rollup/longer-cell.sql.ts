import type { Subject } from '../catalogue/subject.js';

/**
 * SQL that joins the cells of days to those of weeks, and the cells of months to those of quarters,
 * before anything of them is hidden. `$1` is the first day, `$2` the day after the last. Sums of the
 * most that one account adds are at least the most that one adds.
 */
export function longerCellsSql({ name, counts }: Subject, longer: 'week' | 'quarter'): string {
  const of = longer === 'week' ? "grid ~ '^day( |$)'" : "grid !~ '^(day|week|quarter)( |$)'";
  const grid = longer === 'week' ? "'week' || substr(grid, 4)" : "trim('quarter ' || grid)";
  const added = (array: string) => counts.map((_, i) => `sum(${array}[${i + 1}])`).join(', ');
  return `INSERT INTO report_cell (subject, grid, date, keys, accounts, sums, tops, sketch)
    SELECT '${name}', grid, date, keys, greatest(accounts, report_distinct(sketch)), sums, tops,
      sketch
    FROM (SELECT ${grid} AS grid, date_trunc('${longer}', date)::date AS date, keys,
        max(accounts) AS accounts, ARRAY[${added('sums')}]::int8[] AS sums,
        ARRAY[${added('tops')}]::int8[] AS tops, report_union(sketch) AS sketch
      FROM report_cell WHERE subject = '${name}' AND ${of} AND date >= $1::date AND date < $2::date
      GROUP BY 1, 2, 3) joined`;
}
