import type { Database } from '../../platform/database/database.js';
import type { Db } from '../../platform/database/transaction.js';

/** An item of a model of the original. */
export interface SourceKey {
  readonly modelId: number;
  readonly sourceId: number;
}

/** Which number an item of the original has here. */
export interface ItemNumbers {
  /** Returns the number here; undefined for an item that there is not. */
  of(modelId: number, sourceId: number): number | undefined;
  /** Returns the number in the original of an item with a number here. */
  sourceOf(id: number): number;
}

interface Numbered extends SourceKey {
  readonly id: number;
}

/**
 * Numbers items: those that have a number keep it; a new one gets the number that it has in the
 * original, or a new one when another item has it. A number in the original is a positive one up to 2^31 - 1.
 * With `check` nothing is written.
 */
export async function numberItems(
  { database, check }: { readonly database: Database; readonly check: boolean },
  keys: readonly SourceKey[],
): Promise<ItemNumbers> {
  const numbered = check
    ? (await plan(database.db, keys)).numbered
    : await database.transaction(async (db) => {
        const { numbered, added } = await plan(db, keys);
        await db.$executeRaw`
          INSERT INTO imported_item (definition_id, source_id, id)
          SELECT "modelId", "sourceId", id
          FROM jsonb_to_recordset(${JSON.stringify(added)}::jsonb) AS a("modelId" int, "sourceId" int, id int)`;
        const highest = highestOf(added.map(({ id }) => id));
        await db.$executeRaw`SELECT setval('model_item_id_seq',
          greatest(${highest}::bigint, last_value)) FROM model_item_id_seq`;
        return numbered;
      });
  const own = new Map(numbered.map((one) => [`${one.modelId} ${one.sourceId}`, one.id]));
  const sources = new Map(numbered.map(({ id, sourceId }) => [id, sourceId]));
  return {
    of: (modelId, sourceId) => own.get(`${modelId} ${sourceId}`),
    sourceOf: (id) => sources.get(id) ?? id,
  };
}

/** New numbers are below it, as `advanceSequences` has it. */
const HIGHEST = 2_000_000_000;

/** Returns the numbers of all items, and which ones are new. */
async function plan(
  db: Db,
  keys: readonly SourceKey[],
): Promise<{ readonly numbered: readonly Numbered[]; readonly added: readonly Numbered[] }> {
  const known = await db.$queryRaw<Numbered[]>`
    SELECT definition_id AS "modelId", source_id AS "sourceId", id FROM imported_item`;
  const present = await db.$queryRaw<{ id: number }[]>`SELECT id FROM model_item`;
  const [{ last = 0 } = {}] = await db.$queryRaw<{ last: number }[]>`
    SELECT last_value::int AS last FROM model_item_id_seq`;
  const numbers = new Set(known.map(({ modelId, sourceId }) => `${modelId} ${sourceId}`));
  const taken = new Set([...known, ...present].map(({ id }) => id));
  const fresh = keys.filter(({ modelId, sourceId }) => !numbers.has(`${modelId} ${sourceId}`));
  let next = highestOf([last, ...fresh.map(({ sourceId }) => sourceId), ...taken]);
  const added = fresh.map((key): Numbered => {
    const id = key.sourceId > 0 && !taken.has(key.sourceId) ? key.sourceId : ++next;
    taken.add(id);
    return { ...key, id };
  });
  return { numbered: [...known, ...added], added };
}

/** Returns the highest of numbers up to `HIGHEST`: behind higher ones there is no room. */
const highestOf = (numbers: readonly number[]): number =>
  numbers.reduce((most, one) => (one <= HIGHEST ? Math.max(most, one) : most), 0);
