import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Import } from '../kind.js';

const { sql, raw } = Prisma;

/** The largest key that is the number of a row here: behind it there is room for new numbers. */
export const LARGEST_KEY = 2_000_000_000;

/** Rows of a kind, and the table that they are in here. */
interface Numbered {
  readonly kind: string;
  readonly table: string;
}

/** What is known of a key. */
interface KnownKey {
  readonly key: string;
  /** The number that it got here, where it could not keep its own. */
  readonly given: number | null;
  /** The row with its number was imported from it. */
  readonly isOwn: boolean;
  /** A row has its number. */
  readonly isTaken: boolean;
}

/**
 * Returns the numbers here of rows by their keys in the original. A row keeps its number; when
 * another row has it, or its key is none, it gets a new one, which stays. With `check` new numbers are
 * below zero.
 */
export async function numberRows(
  run: Import,
  of: Numbered,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const known = await knownKeys(run.context, of, keys);
  const kept = new Map(known.map((one) => [one.key, numberOf(one)]));
  // In the order of the original: that of the statement depends on its plan.
  const homeless = keys.filter((key) => kept.get(key) === undefined);
  const given = run.check ? planned(run, homeless) : await give(run, of, homeless);
  return new Map(keys.map((key) => [key, kept.get(key) ?? (given.get(key) as number)]));
}

/** Returns the numbers here of rows that were imported before, by their keys in the original. */
export async function heldNumbers(
  context: RequestContext,
  of: Numbered,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const known = await knownKeys(context, of, keys);
  return new Map(
    known.flatMap((one): [string, number][] => {
      const number = one.given ?? (one.isOwn ? ownNumber(one.key) : undefined);
      return number === undefined ? [] : [[one.key, number]];
    }),
  );
}

const ownNumber = (key: string): number | undefined =>
  /^[1-9]\d{0,9}$/.test(key) && Number(key) <= LARGEST_KEY ? Number(key) : undefined;

const numberOf = ({ key, given, isOwn, isTaken }: KnownKey): number | undefined =>
  given ?? (isOwn || !isTaken ? ownNumber(key) : undefined);

/** Returns numbers that no row has. */
function planned({ counts }: Import, keys: readonly string[]): ReadonlyMap<string, number> {
  const before = counts.get('planned') ?? 0;
  counts.set('planned', before + keys.length);
  return new Map(keys.map((key, i) => [key, -1 - before - i]));
}

function knownKeys(
  { db }: RequestContext,
  { kind, table }: Numbered,
  keys: readonly string[],
): Promise<KnownKey[]> {
  const own = keys.map((key) => ownNumber(key) ?? 0);
  return db.$queryRaw<KnownKey[]>(sql`
    SELECT g.key, x.id AS given, t.id IS NOT NULL AS "isTaken",
      i.id IS NOT NULL AND o.id IS NULL AS "isOwn"
    FROM unnest(${keys}::text[], ${own}::int[]) AS g(key, own)
      -- LIMIT: each is looked up by its index, whatever statistics say; else all rows of a kind are read.
      LEFT JOIN LATERAL (SELECT id FROM imported_key WHERE kind = ${kind} AND source = g.key LIMIT 1) x ON TRUE
      LEFT JOIN LATERAL (SELECT id FROM imported_row WHERE kind = ${kind} AND id = g.own LIMIT 1) i ON TRUE
      LEFT JOIN LATERAL (SELECT id FROM imported_key WHERE kind = ${kind} AND id = g.own LIMIT 1) o ON TRUE
      LEFT JOIN LATERAL (SELECT id FROM ${raw(table)} WHERE id = g.own LIMIT 1) t ON TRUE`);
}

/** Gives keys new numbers of those that are reserved. They keep them. */
async function give(
  { context, counts }: Import,
  { kind }: Numbered,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const before = counts.get(`number ${kind}`) ?? 0;
  counts.set(`number ${kind}`, before + keys.length);
  const numbers = keys.map((_, i) => before + 1 + i);
  await transact(context, ({ db }) =>
    db.$executeRaw(sql`
      INSERT INTO imported_key (kind, source, id)
      SELECT ${kind}, key, id FROM unnest(${keys}::text[], ${numbers}::int[]) AS g(key, id)`),
  );
  return new Map(keys.map((key, i) => [key, numbers[i] as number]));
}

/**
 * Reserves numbers for rows that cannot keep their own, behind those of the original and of all rows.
 * They do not depend on how often a run was ended before: what is made here meanwhile gets later ones.
 */
export async function reserveNumbers(
  { context, counts }: Import,
  { kind, table }: Numbered,
  { largest, count }: { readonly largest: number; readonly count: number },
): Promise<void> {
  const name = `${table}_id_seq`;
  const [row] = await context.db.$queryRaw<{ base: number }[]>(sql`
    SELECT greatest(${largest}::int, (SELECT max(id) FROM ${raw(table)}),
      (SELECT max(id) FROM imported_key WHERE kind = ${kind})) AS base`);
  const base = row?.base ?? largest;
  counts.set(`number ${kind}`, base);
  await transact(context, ({ db }) =>
    db.$executeRaw(sql`
      SELECT setval(${name}::regclass, greatest(${base + count}::bigint, last_value)) FROM ${raw(name)}`),
  );
}
