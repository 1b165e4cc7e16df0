/** How much text is read at a time, and how many rows, at most. */
const BATCH = 2 * 2 ** 20;
const MOST = 2_000;
const FIRST = 20;

/**
 * Yields rows in the order of a key, some megabytes at a time. `read` returns the next rows behind one,
 * at most so many; `sizeOf` is the length of the texts of a row.
 */
export async function* inBatches<Row>(
  read: (last: Row | undefined, most: number) => Promise<Row[]>,
  sizeOf: (row: Row) => number,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  for (let most = FIRST; ; ) {
    const rows = await read(last, most);
    last = rows.at(-1);
    if (!last) return;
    yield rows;
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 0);
    const fitting = Math.floor((BATCH * rows.length) / Math.max(size, 1));
    most = Math.max(1, Math.min(fitting, most * 4, MOST));
  }
}
