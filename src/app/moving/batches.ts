import type { IdentifiedKind, Import, ImportedKind } from './kind.js';
import type { SourceRow } from './mysql-source.js';

/** Rows that are read and written at a time, and bytes of their texts; a longer row is alone. */
const AT_ONCE = 200;
const BYTES_AT_ONCE = 4 * 1024 * 1024;
/** The largest number that an id has here. */
export const LARGEST = 2 ** 31 - 1;

/** Returns a kind whose rows are read by their ids. Ids that are too large are refused. */
export const identified = (kind: IdentifiedKind): ImportedKind => ({
  ...kind,
  async rows(run) {
    const ids = await kind.ids(run);
    const tooLarge = ids.filter((id) => id > LARGEST);
    for (const id of tooLarge)
      run.report.leave({
        kind: kind.name,
        at: `${kind.from} ${id}`,
        outcome: 'refused',
        reason: 'its number is larger than 2,147,483,647',
      });
    run.report.tally(kind.name).read += tooLarge.length;
    const fitting = ids.filter((id) => id <= LARGEST);
    return { count: fitting.length, batches: read(run, kind, fitting) };
  },
});

async function* read(
  run: Import,
  kind: IdentifiedKind,
  ids: readonly number[],
): AsyncGenerator<readonly SourceRow[]> {
  for await (const part of batchesOf(run, kind, ids)) yield await kind.read(run, part);
}

/** Yields the ids of rows that are read together. Only `posts` has long texts. */
async function* batchesOf(
  { content }: Import,
  { from }: IdentifiedKind,
  ids: readonly number[],
): AsyncGenerator<readonly number[]> {
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const part = ids.slice(at, at + AT_ONCE);
    const bytes = from === 'posts' ? await content.lengths(part) : new Map<number, number>();
    let batch: number[] = [];
    let sum = 0;
    for (const id of part) {
      sum += bytes.get(id) ?? 0;
      if (batch.length > 0 && sum > BYTES_AT_ONCE) {
        yield batch;
        batch = [];
        sum = bytes.get(id) ?? 0;
      }
      batch.push(id);
    }
    yield batch;
  }
}

/** Yields what a generator does, which makes the next value while the one before is worked on. */
export async function* ahead<T>(values: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = values.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = values.next();
      // Where the work fails nobody waits for this one.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await values.return(undefined);
  }
}
