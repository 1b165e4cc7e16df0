import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { ImportedKind, ImportRun } from './kind.js';
import { markOf, presentOf, REMOVED } from './writing.service.js';

const { sql, raw } = Prisma;

/** Rows that are looked at together. */
const AT_ONCE = 10_000;
/**
 * Of so many rows and more that are gone, none is removed where they are more than half of those that were
 * imported before: a query that lost its rows is more likely than members who deleted them.
 */
const MANY = 20;

const REASONS = {
  removed: 'it is gone in the original: it was removed here too',
  changed: 'it is gone in the original, and was changed or used here: it stays',
  many: 'more than half of its kind is gone in the original: it stays',
  kept: 'it is gone in the original: it stays here',
} as const;

/** A row that was imported from this source and is still here. */
interface Imported {
  readonly id: number;
  readonly isUnchanged: boolean;
  readonly isUsed: boolean;
  /** Its key in the original, where that is not its number. */
  readonly source: string | null;
}

/**
 * Settles what is gone once a kind was read to its end. Rows that were imported from this source before,
 * and that it has no more, are removed where the kind says how, and are listed in any case. What people
 * have changed here stays without `overwrite`, and what was used here in any case. A row that comes
 * back is imported again.
 */
export async function settleGone<Run extends ImportRun, Read extends object>(
  run: Run,
  kind: ImportedKind<Run, Read>,
  seen: readonly number[],
): Promise<void> {
  const { gone, all } = await goneOf(run, kind, seen);
  const added = run.check ? 0 : (run.report.kinds.get(kind.name)?.imported ?? 0);
  const isMany = gone.length >= MANY && gone.length * 2 > all - added;
  for (const one of gone) {
    const isFree = !one.isUsed && (one.isUnchanged || run.overwrite);
    const fate = !kind.remove ? 'kept' : isMany ? 'many' : isFree ? 'removed' : 'changed';
    if (fate === 'removed') {
      if (!run.check) await remove(run, kind, one.id);
      run.report.count(kind.name, 'removed');
    }
    const place = one.source ?? kind.placeOf?.(one.id) ?? one.id;
    run.report.remark({
      ...{ kind: kind.name, at: `${kind.from} ${place}`, reason: REASONS[fate] },
      outcome: fate === 'removed' ? 'removed' : 'unchanged',
    });
  }
}

/**
 * Takes what a source brought at a former address for that of the present one. So what is gone is settled at
 * the next import, and not before somebody has read that the address has changed.
 */
export async function adoptFormer<Run extends ImportRun, Read extends object>(
  run: Run,
  kind: ImportedKind<Run, Read>,
): Promise<void> {
  const mark = markOf(run, kind);
  for (const origin of run.formerOrigins ?? []) {
    const former = markOf({ origin }, kind);
    await run.context.db.$executeRaw(sql`
      UPDATE imported_row SET source_digest = left(source_digest, -${former.length}::int) || ${mark}
      WHERE kind = ${kind.name} AND right(source_digest, ${former.length}::int) = ${former}`);
  }
}

/** Returns the rows that are gone in the source, and how many there are with the others. */
async function goneOf<Run extends ImportRun, Read extends object>(
  run: Run,
  kind: ImportedKind<Run, Read>,
  seen: readonly number[],
): Promise<{ readonly gone: readonly Imported[]; readonly all: number }> {
  const sorted = Int32Array.from(seen).sort();
  const gone: Imported[] = [];
  let [at, all] = [0, 0];
  for await (const rows of importedOf(run, kind)) {
    all += rows.length;
    for (const one of rows) {
      while (at < sorted.length && (sorted[at] as number) < one.id) at++;
      if (sorted[at] !== one.id) gone.push(one);
    }
  }
  return { gone, all };
}

/** Yields the rows of a kind that were imported from this source, by their numbers. */
async function* importedOf<Run extends ImportRun, Read extends object>(
  run: Run,
  kind: ImportedKind<Run, Read>,
): AsyncGenerator<readonly Imported[]> {
  const mark = markOf(run, kind);
  for (let after = -1; ; ) {
    const rows = await run.context.db.$queryRaw<Imported[]>(sql`
      SELECT i.id, x.source, ${presentOf(kind, 't')} = i.own_digest AS "isUnchanged",
        (${raw(kind.used ?? 'FALSE')}) AS "isUsed"
      FROM imported_row i JOIN ${raw(kind.table)} t ON t.id = i.id AND NOT (${raw(kind.unused ?? 'FALSE')})
        LEFT JOIN imported_key x ON x.kind = i.kind AND x.id = i.id
      WHERE i.kind = ${kind.name} AND i.id > ${after}::int
        AND right(i.source_digest, ${mark.length}::int) = ${mark}
      ORDER BY i.id LIMIT ${AT_ONCE}::int`);
    yield rows;
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Removes a row, and notes that it was not deleted by somebody here. */
const remove = <Run extends ImportRun, Read extends object>(
  run: Run,
  kind: ImportedKind<Run, Read>,
  id: number,
): Promise<void> =>
  transact(run.context, async (inner) => {
    await kind.remove?.(inner, id);
    await inner.db.$executeRaw(sql`
      UPDATE imported_row SET source_digest = ${REMOVED + markOf(run, kind)}
      WHERE kind = ${kind.name} AND id = ${id}::int`);
  });
