import type { Database } from '../../platform/database/database.js';
import { isStorable, storableText } from '../../platform/storable.js';
import { ahead } from './batches.js';
import type { ImportedKind, ImportRun, Left, Mapped, SourceRows, Verdict } from './kind.js';
import { isConflict } from './row-refusal.js';
import { DELETED, write } from './writing.service.js';

/** Is told of each step: so many rows of a kind are done. */
export type MovingProgress = (kind: string, done: number, all: number) => void;

/** What the import of a kind needs besides the run. */
export interface Manner {
  readonly database: Database;
  readonly check: boolean;
  readonly progress: MovingProgress;
}

/**
 * Imports the rows of a kind, and reports what became of each. Returns the numbers here of those that were
 * read, for `settleGone`.
 */
export async function importKind<Run extends ImportRun, Read extends object>(
  run: Run,
  kind: ImportedKind<Run, Read>,
  { database, progress }: Manner,
): Promise<readonly number[]> {
  const { report } = run;
  const { count, batches } = await kind.rows(run);
  let done = 0;
  const seen: number[] = [];
  const refused: Mapped[] = [];
  const settle = (one: Mapped, verdict: Verdict) => {
    note(run, kind, one, verdict);
    if (verdict.outcome !== 'refused') kind.took?.(run, one.own);
  };
  for await (const { rows, mapped } of ahead(mappedBatches(run, kind, batches))) {
    report.tally(kind.name).read += rows.length;
    const good = leaving(run, kind, rows, mapped);
    for (const [i, one] of mapped.entries()) seen.push(numberOf(one, rows[i]));
    const outcomes = await write(database, kind, good, run);
    for (const [i, verdict] of outcomes.entries()) {
      const one = good[i] as Mapped;
      if (isConflict(verdict) && refused.length < MOST_AGAIN) refused.push(one);
      else settle(one, verdict);
    }
    done += rows.length;
    progress(kind.name, done, count);
  }
  for (let at = 0; at < refused.length; at += AT_ONCE_AGAIN) {
    const again = refused.slice(at, at + AT_ONCE_AGAIN);
    const outcomes = await write(database, kind, again, run);
    for (const [i, verdict] of outcomes.entries()) settle(again[i] as Mapped, verdict);
  }
  return seen;
}

/** Rows that are tried again once all others are written, since what they need was another's before. */
const MOST_AGAIN = 1_000;
const AT_ONCE_AGAIN = 100;

/** Returns the number here of a row that was read; NaN for none. */
function numberOf(one: Mapped | Left, row: object = {}): number {
  if ('own' in one) return one.own.id;
  const { ID, id }: { readonly ID?: unknown; readonly id?: unknown } = row;
  return Number(one.id ?? ID ?? id);
}

/** Yields batches of rows with what they become. */
async function* mappedBatches<Run extends ImportRun, Read extends object>(
  run: Run,
  kind: ImportedKind<Run, Read>,
  batches: SourceRows<Read>['batches'],
): AsyncGenerator<{ rows: readonly Read[]; mapped: readonly (Mapped | Left)[] }> {
  for await (const rows of batches) yield { rows, mapped: await kind.map(run, rows) };
}

/** What reports and references need of a kind. */
type Named = Pick<ImportedKind, 'name' | 'from' | 'table' | 'isReferredTo' | 'placeOf'>;

/** Reports the rows that are left out, and returns the others. */
function leaving(
  { report }: ImportRun,
  kind: Named,
  rows: readonly object[],
  mapped: readonly (Mapped | Left)[],
): Mapped[] {
  return mapped.flatMap((one, i) => {
    if ('own' in one) return [storable(one)];
    const row: { readonly key?: unknown; readonly ID?: unknown; readonly id?: unknown } =
      rows[i] ?? {};
    const { outcome, reason, place: own } = one;
    const place = own ?? kind.placeOf?.(Number(row.id)) ?? row.key ?? row.ID ?? row.id;
    report.leave({ kind: kind.name, at: `${kind.from} ${place}`, outcome, reason });
    return [];
  });
}

function note(
  run: ImportRun,
  kind: Named,
  { own, remarks, place = String(kind.placeOf?.(own.id) ?? own.id) }: Mapped,
  { outcome, reason }: Verdict,
): void {
  const { report } = run;
  const at = `${kind.from} ${place}`;
  report.count(kind.name, outcome);
  if (reason) report.remark({ kind: kind.name, at, outcome, reason });
  if (outcome === 'imported' || outcome === 'changed')
    for (const said of remarks ?? []) report.remark({ kind: kind.name, at, outcome, reason: said });
  if (reason === DELETED) run.deleted.add(`${kind.table} ${own.id}`);
  else if (outcome !== 'refused') refer(run, kind, place, own.id);
}

/** Notes a row that is here, for rows that refer to it. */
function refer({ accounts, numbers }: ImportRun, kind: Named, place: string, id: number): void {
  if (kind.table === 'account') accounts.add(id);
  if (!kind.isReferredTo) return;
  const known = numbers.get(kind.name) ?? new Map<string, number>();
  numbers.set(kind.name, known.set(place, id));
}

/** Returns a row without what PostgreSQL cannot store: NUL and halves of characters. */
const storable = (mapped: Mapped): Mapped =>
  isClean([mapped.own, mapped.parts])
    ? mapped
    : {
        ...mapped,
        own: cleaned(mapped.own),
        ...(mapped.parts && { parts: cleaned(mapped.parts) }),
      };

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.values(value).every(isClean);
}

function cleaned<T>(value: T): T {
  if (typeof value === 'string') return storableText(value) as T;
  if (Array.isArray(value)) return value.map(cleaned) as T;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one)])) as T;
}
