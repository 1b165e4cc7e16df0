import { bucketNames } from '../catalogue/spread.js';
import type { Spread } from '../catalogue/subject.js';

/**
 * Buckets are added up four in a number, since each sum costs: a float holds 52 bits exactly, and the
 * facts of one account in a bucket of a month 13. More of them, which nobody has, would be cut anyway.
 */
const IN_A_PACK = 4;
const STEP = 8_192;
const PACK = 'pack ';

/** Returns whether a column is one of `packsOf`. */
export const isPack = (column: string): boolean => column.startsWith(PACK);

/** Returns the columns that hold the buckets of a spread. */
export const packsOf = (spread: Spread): readonly string[] =>
  Array.from(
    { length: Math.ceil(bucketNames(spread).length / IN_A_PACK) },
    (_, pack) => `${PACK}${pack}`,
  );

/** SQL of these columns for one fact. */
export const packColumns = (spread: Spread): readonly string[] =>
  packsOf(spread).map((name, pack) => {
    const powers = Array.from({ length: IN_A_PACK }, (_, i) => STEP ** i);
    const bucket = `${numberSql(spread)} - ${pack * IN_A_PACK}`;
    const cases = powers.map((power, i) => `WHEN ${i} THEN ${power}`).join(' ');
    return `(CASE ${bucket} ${cases} ELSE 0 END)::float8 AS "${name}"`;
  });

/** SQL of the number of the bucket of a fact, from 0 on; null for none. */
export const numberSql = ({ column, ends }: Spread): string =>
  `width_bucket("${column}", ARRAY[${ends.slice(1, -1).map((end) => end + 1)}]::int[])`;

/** SQL of the sum of a bucket, by its number. `before` stands before the names of the packs. */
export const bucketSql = (spread: Spread, bucket: number, before = ''): string => {
  const pack = `${before}${packsOf(spread)[Math.floor(bucket / IN_A_PACK)]}`;
  const power = STEP ** (bucket % IN_A_PACK);
  return `CASE WHEN "${pack}" = 0 THEN 0 ELSE (floor("${pack}" / ${power})::int8) % ${STEP} END`;
};
