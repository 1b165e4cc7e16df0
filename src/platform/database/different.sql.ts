/**
 * SQL of the different values of a column that an index begins with, as rows of `value`: one step of the
 * index for each value, however many rows have it.
 */
export const different = (table: string, column: string, where = 'TRUE') => `(
  WITH RECURSIVE step AS (
    (SELECT ${column} AS value FROM ${table} WHERE ${where} AND ${column} IS NOT NULL
      ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT (SELECT ${column} FROM ${table} WHERE ${where} AND ${column} > step.value
      ORDER BY ${column} LIMIT 1)
    FROM step WHERE step.value IS NOT NULL
  ) SELECT value FROM step WHERE value IS NOT NULL)`;
