import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Prisma } from '../../generated/prisma/client.js';
import { type Database, isLockTimeout, isRetryable } from '../../platform/database/database.js';
import type { Db } from '../../platform/database/transaction.js';
import type { ImportedKind, ImportRun, Left, Mapped, OwnRow, Verdict } from './kind.js';
import { isOfRow, reasonOf } from './row-refusal.js';

const { sql, raw } = Prisma;

/** A row to write, and what becomes of it. */
interface Decided extends Verdict {
  readonly mapped: Mapped;
  /** With the mark of its source. */
  readonly digest: string;
  /** The digest that is known of it has the mark of the source. */
  readonly isMarked: boolean;
  /** A source that has less of it brought it. */
  readonly isBare: boolean;
}

/** What is known of a row that was imported, and of one that is here. */
interface Known {
  readonly id: number;
  readonly sourceDigest: string | null;
  readonly ownDigest: string | null;
  readonly present: string | null;
  readonly isRenewed: boolean;
  readonly isBare: boolean;
}

/** What the statements of a kind need. */
type Written = Pick<ImportedKind, 'table' | 'columns' | 'own' | 'judged'>;

/** The statements of a kind: which columns tell whether a row was changed here. */
export const presentOf = ({ columns, own, judged: some }: Written, alias: string) => {
  const names = some ?? columns.filter((name) => name !== own?.column);
  const judged = names.map((name) => `${alias}.${name}`);
  return raw(`md5(jsonb_build_array(${judged.join(', ')})::text)`);
};

/** Returns what becomes of rows, without writing anything. */
async function decide<Run extends ImportRun, Read extends object>(
  db: Db,
  kind: ImportedKind<Run, Read>,
  rows: readonly Mapped[],
  run: Run,
): Promise<Decided[]> {
  if (kind.write) return decided(rows, await kind.write(db, rows, run));
  const ids = rows.map(({ own }) => own.id);
  const known = await db.$queryRaw<Known[]>(sql`
    SELECT g.id, i.source_digest AS "sourceDigest", i.own_digest AS "ownDigest",
      CASE WHEN t.id IS NOT NULL AND NOT (${raw(kind.unused ?? 'FALSE')}) THEN ${presentOf(kind, 't')} END AS present,
      coalesce(${raw(kind.renewed?.(run) ?? 'FALSE')}, FALSE) AS "isRenewed",
      coalesce(${raw(kind.bare ?? 'FALSE')}, FALSE) AS "isBare"
    FROM unnest(${ids}::int[]) AS g(id)
    -- LIMIT: the index is used also where statistics of the table are not up to date.
    LEFT JOIN LATERAL (SELECT * FROM imported_row WHERE kind = ${kind.name} AND id = g.id LIMIT 1) i ON TRUE
    LEFT JOIN LATERAL (SELECT * FROM ${raw(kind.table)} WHERE id = g.id LIMIT 1) t ON TRUE`);
  const byId = new Map(known.map((one) => [one.id, one]));
  return rows.map((mapped) => {
    const digest = digestOf(mapped);
    const known = byId.get(mapped.own.id);
    const verdict = verdictOf(kind, known, digest, run.overwrite);
    const marked = digest + markOf(run, kind);
    const isMarked = !run.origin || known?.sourceDigest === marked;
    if (kind.table === 'account' && verdict.outcome === 'unchanged' && !isMarked)
      noteFormer(run, known?.sourceDigest ?? '');
    return { mapped, digest: marked, isMarked, isBare: known?.isBare ?? false, ...verdict };
  });
}

/** The mark of an origin: eight letters of a digest of its address. */
const ORIGIN = /@[\w-]{8}$/;

/** Notes that the source had another address: an account with its password is the same. */
function noteFormer({ formerOrigins }: ImportRun, sourceDigest: string): void {
  const [mark] = ORIGIN.exec(sourceDigest) ?? [];
  if (mark) formerOrigins?.add(mark);
}

/** Returns what stands behind the digests of rows of a kind from a source; of an export the kind says it. */
export const markOf = <Run extends ImportRun, Read extends object>(
  { origin }: Pick<Run, 'origin'>,
  { isMapped, from, mark = '' }: Pick<ImportedKind<Run, Read>, 'isMapped' | 'from' | 'mark'>,
): string => (origin && isMapped ? `${origin} ${from}` : (origin ?? mark));

/** Stands in place of the digest of a row that was removed since it was gone in its source. */
export const REMOVED = 'removed';
/** Separates the digest of a row from the mark of its source. */
const MARK = '@';

/** Returns rows with what a writer of their own says of them. */
const decided = (rows: readonly Mapped[], verdicts: readonly Verdict[]): Decided[] =>
  rows.map((mapped, i) => ({
    ...{ mapped, digest: '', isMarked: true, isBare: false },
    ...(verdicts[i] as Verdict),
  }));

/** Why a row that is not here any more is skipped. */
export const DELETED = 'it was deleted here';

function verdictOf(
  { isSingle }: Pick<ImportedKind, 'isSingle'>,
  known: Known | undefined,
  digest: string,
  overwrite: boolean,
): Verdict {
  const isHere = Boolean(known?.present);
  if (!known?.sourceDigest) {
    if (!isHere) return { outcome: 'imported' };
    if (!isSingle)
      return { outcome: 'refused', reason: 'its number is taken by a row that was not imported' };
    return overwrite
      ? { outcome: 'changed' }
      : { outcome: 'skipped', reason: 'it was changed here before' };
  }
  const [before] = known.sourceDigest.split(MARK, 1);
  if (!isHere)
    return before === REMOVED ? { outcome: 'changed' } : { outcome: 'skipped', reason: DELETED };
  const isChangedHere = known.present !== known.ownDigest;
  const isRenewed = known.isRenewed && !isChangedHere;
  if (before === digest && !isRenewed && !(overwrite && isChangedHere))
    return { outcome: 'unchanged' };
  if (isChangedHere && !overwrite)
    return { outcome: 'skipped', reason: 'it was changed here and in the original' };
  return { outcome: 'changed' };
}

const digestOf = ({ own, parts, source }: Mapped): string =>
  createHash('sha256')
    .update(JSON.stringify(source ?? [own, parts]))
    .digest('base64')
    .slice(0, 22);

/**
 * Writes rows in one transaction, and notes them; with `check` it only tells what becomes of them. A row
 * that the database refuses is left out, and the others are written.
 */
export async function write<Run extends ImportRun, Read extends object>(
  database: Database,
  kind: ImportedKind<Run, Read>,
  rows: readonly Mapped[],
  run: Run,
): Promise<(Decided | Left)[]> {
  try {
    return await repeated(() =>
      run.check ? decide(database.db, kind, rows, run) : writeTogether(database, kind, rows, run),
    );
  } catch (error) {
    if (!isOfRow(error)) throw error;
    const [row] = rows;
    if (rows.length === 1 && row) return [{ outcome: 'refused', reason: reasonOf(error) }];
    const half = Math.ceil(rows.length / 2);
    const first = await write(database, kind, rows.slice(0, half), run);
    return [...first, ...(await write(database, kind, rows.slice(half), run))];
  }
}

/** A batch is written so often while the work of others stands against it. */
const ATTEMPTS = 5;
/** Milliseconds of the first pause between two attempts; each further one is twice as long. */
const PAUSE = 100;

/** Does the work again after a deadlock, a serialization failure or a lock that was not free in time. */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isPassing = isRetryable(error) || isLockTimeout(error);
      if (!isPassing || attempt === ATTEMPTS) throw error;
      await setTimeout(PAUSE * 2 ** (attempt - 1));
    }
  }
}

const writeTogether = <Run extends ImportRun, Read extends object>(
  database: Database,
  kind: ImportedKind<Run, Read>,
  rows: readonly Mapped[],
  run: Run,
): Promise<Decided[]> =>
  database.transaction(async (db) => {
    const all = await decide(db, kind, rows, run);
    if (kind.write) return all;
    await mark(db, kind, all);
    const written = all.filter(({ outcome }) => outcome === 'imported' || outcome === 'changed');
    if (written.length === 0) return all;
    await upsert(
      db,
      kind,
      written.map(({ mapped }) => mapped.own),
    );
    const changed = all.filter(({ outcome }) => outcome === 'changed');
    if (changed.length > 0)
      await kind.clear?.(
        db,
        changed.map(({ mapped }) => mapped.own.id),
        run,
      );
    await forget(db, kind, written);
    await kind.complete?.(
      db,
      written.map(({ mapped }) => mapped),
      run,
    );
    const noted = written.map(({ mapped, digest }) => ({ id: mapped.own.id, digest }));
    await db.$executeRaw`
      INSERT INTO imported_row (kind, id, source_digest, own_digest)
      SELECT ${kind.name}, g.id, g.digest, ${presentOf(kind, 't')}
      FROM jsonb_to_recordset(${JSON.stringify(noted)}::jsonb) AS g(id int, digest text)
      JOIN ${raw(kind.table)} t ON t.id = g.id
      ON CONFLICT (kind, id) DO UPDATE SET source_digest = excluded.source_digest,
        own_digest = excluded.own_digest, imported_at = now()`;
    return all;
  });

/** Marks what is unchanged as of this source, where an earlier version imported it. */
async function mark(db: Db, { name }: { readonly name: string }, all: readonly Decided[]) {
  const rows = all
    .filter(({ outcome, isMarked }) => outcome === 'unchanged' && !isMarked)
    .map(({ mapped, digest }) => ({ id: mapped.own.id, digest }));
  if (rows.length > 0)
    await db.$executeRaw`
      UPDATE imported_row i SET source_digest = g.digest
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS g(id int, digest text)
      WHERE i.kind = ${name} AND i.id = g.id`;
}

/** Forgets when rows were imported that came from a source that has less of them. */
async function forget(db: Db, { name }: { readonly name: string }, written: readonly Decided[]) {
  const ids = written.filter(({ isBare }) => isBare).map(({ mapped }) => mapped.own.id);
  if (ids.length > 0)
    await db.$executeRaw`
      UPDATE imported_row SET imported_at = '-infinity'
      WHERE kind = ${name} AND id = ANY(${ids}::int[])`;
}

async function upsert(db: Db, kind: Written, rows: readonly OwnRow[]): Promise<void> {
  const { table, own } = kind;
  const columns = raw(kind.columns.join(', '));
  const changes = kind.columns.map((name) =>
    name === own?.column
      ? `${name} = CASE WHEN ${own.once} THEN t.${name} ELSE excluded.${name} END`
      : `${name} = excluded.${name}`,
  );
  await db.$executeRaw`
    INSERT INTO ${raw(table)} AS t (id, ${columns})
    SELECT id, ${columns} FROM jsonb_populate_recordset(NULL::${raw(table)}, ${JSON.stringify(rows)}::jsonb)
    ON CONFLICT (id) DO UPDATE SET ${raw(changes.join(', '))}`;
}
