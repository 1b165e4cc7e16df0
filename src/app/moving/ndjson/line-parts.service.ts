import { Prisma } from '../../../generated/prisma/client.js';
import type { Db } from '../../../platform/database/transaction.js';
import type { ImportRun, Mapped } from '../kind.js';
import { type Columns, columnOf, columnsOf, type LineKind, type Part } from '../lines/line.js';
import { insertRows } from './insertion.sql.js';

const { sql, raw } = Prisma;

/** Stands behind the digests of rows whose parts are noted: version 0.1.0 noted none. */
export const PARTS_MARK = '@parts';

/** The parts of a kind that are written as they stand in lines. */
export const plainParts = ({ parts = {} }: Pick<LineKind, 'parts'>): [string, Part][] =>
  Object.entries(parts).filter(([, { isCompleted }]) => !isCompleted);

/** The digests of parts of a row, by what tells them apart. */
type Digests = Readonly<Record<string, string>>;

/** A part of a kind, and where the digests of its rows are noted. */
interface NotedPart extends Part {
  readonly note: string;
  readonly kind: string;
}

/** Parts that a row has here under one key. */
interface PartHere {
  readonly owner: number;
  readonly key: string;
  readonly digest: string;
  /** Digests of the parts of its row were noted. */
  readonly isNoted: boolean;
  /** It is no younger than the last import of its row; null where that is not known. */
  readonly isOld: boolean | null;
}

/** A part of a line. */
interface GivenPart {
  readonly owner: number;
  readonly key: string;
  readonly columns: Columns;
}

/**
 * Writes the parts of rows that were written. A part that came by an import and is as it came then becomes
 * what the source has now, or goes where the source has it no more. What people have made, changed or
 * deleted here since stays so; with `overwrite` only what they have made. Version 0.1.0 did not note
 * what came: of its rows a part is made here that is younger than the import, or that has no instant.
 */
export async function writeParts(
  db: Db,
  kind: LineKind,
  written: readonly Mapped[],
  run: Pick<ImportRun, 'overwrite'>,
): Promise<void> {
  const ids = written.map(({ own }) => own.id);
  const known = await db.$queryRaw<{ id: number }[]>(sql`
    SELECT id FROM imported_row WHERE kind = ${kind.name} AND id = ANY(${ids}::int[])`);
  const again = new Set(known.map(({ id }) => id));
  for (const [name, plain] of plainParts(kind)) {
    const part = { ...plain, note: `${kind.name}.${name}`, kind: kind.name };
    const rows = written.flatMap(({ own: { id }, parts }) =>
      [(parts?.[name] ?? []) as Columns | readonly Columns[]]
        .flat()
        .map((one) => ({ ...columnsOf(part.fields, one), [part.of]: id })),
    );
    const ofNew = rows.filter((row) => !again.has(row[part.of] as number));
    const fresh = await insertRows(db, part, ofNew);
    if (fresh > 0)
      await noteAll(
        db,
        part,
        ids.filter((id) => !again.has(id)),
      );
    const others = rows.filter((row) => again.has(row[part.of] as number));
    if (again.size > 0) await merge(db, part, [...again], others, run.overwrite);
  }
}

/**
 * Returns SQL of what tells a row `p` from others of its owner; the same for all that go together. A hash:
 * notes outlive an account that is erased, and must not name it at a provider.
 */
const keyOf = ({ key = [] }: Part) =>
  raw(key.length > 0 ? `md5(concat_ws(' ', ${key.map((one) => `p."${columnOf(one)}"`)}))` : `''`);

/** Returns SQL of the digest of rows `p` with one key. */
const digestOf = ({ order, of, passing = [] }: Part) =>
  raw(
    `md5(string_agg((to_jsonb(p) - ARRAY['id', '${of}'${passing
      .map((name) => `, '${columnOf(name)}'`)
      .join('')}])::text, ',' ORDER BY ${order}))`,
  );

/** Notes the parts that rows have here now. */
const noteAll = (db: Db, part: NotedPart, ids: readonly number[]) =>
  db.$executeRaw(sql`
    INSERT INTO imported_row (kind, id, source_digest, own_digest)
    SELECT ${part.note}, owner, json_object_agg(key, digest)::text, ''
    FROM (SELECT p.${raw(part.of)} AS owner, ${keyOf(part)} AS key, ${digestOf(part)} AS digest
      FROM ${raw(part.table)} p WHERE p.${raw(part.of)} = ANY(${ids}::int[]) GROUP BY 1, 2) k
    GROUP BY owner`);

/** Makes the parts of rows that were imported before what the source has now. */
async function merge(
  db: Db,
  part: NotedPart,
  owners: readonly number[],
  rows: readonly Columns[],
  overwrite: boolean,
): Promise<void> {
  const given = await keyed(db, part, rows);
  const here = await partsHere(db, part, owners);
  const notes = await notesOf(db, part, owners);
  const inSource = new Set(given.map(placeOf));
  const isOurs = (one: PartHere) =>
    !(overwrite && inSource.has(placeOf(one))) && !isAsItCame(part, one, notes.get(one.owner));
  const ours = new Set(here.filter(isOurs).map(placeOf));
  const standing = new Set(here.map(placeOf));
  const isLeft = (one: GivenPart) =>
    ours.has(placeOf(one)) ||
    // Deleted here.
    (!overwrite && !standing.has(placeOf(one)) && one.key in (notes.get(one.owner) ?? {}));
  const taken = given.filter((one) => !isLeft(one));
  const going = here.filter((one) => !ours.has(placeOf(one)));
  await remove(db, part, going, new Set(taken.map(placeOf)));
  await insertRows(
    db,
    part,
    taken.map(({ columns }) => columns),
  );
  await noteAgain(db, part, owners, { given, taken, notes });
}

const placeOf = ({ owner, key }: { readonly owner: number; readonly key: string }) =>
  `${owner} ${key}`;

/** Whether a part came by an import, and was not changed here since. */
function isAsItCame({ key, isOne }: Part, one: PartHere, noted: Digests | undefined): boolean {
  if (one.isNoted) return noted?.[one.key] === one.digest;
  // Parts that go together, such as the amounts of a dose, belong to what the row says.
  return one.isOld ?? (!key && !isOne);
}

/** Returns rows of lines with their keys. */
async function keyed(db: Db, part: Part, rows: readonly Columns[]): Promise<GivenPart[]> {
  if (rows.length === 0) return [];
  const keys = await db.$queryRaw<{ key: string }[]>(sql`
    SELECT ${keyOf(part)} AS key
    FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS e(one, place),
      LATERAL jsonb_populate_record(NULL::${raw(part.table)}, e.one) p ORDER BY e.place`);
  return rows.map((columns, i) => ({
    owner: columns[part.of] as number,
    key: keys[i]?.key ?? '',
    columns,
  }));
}

const partsHere = (db: Db, part: NotedPart, owners: readonly number[]): Promise<PartHere[]> =>
  db.$queryRaw<PartHere[]>(sql`
    SELECT p.${raw(part.of)} AS owner, ${keyOf(part)} AS key, ${digestOf(part)} AS digest,
      bool_or(right(i.source_digest, ${PARTS_MARK.length}) = ${PARTS_MARK}) AS "isNoted",
      bool_and(${raw(part.madeAt ? `p.${columnOf(part.madeAt)} <= i.imported_at` : 'NULL')}) AS "isOld"
    FROM ${raw(part.table)} p JOIN imported_row i ON i.kind = ${part.kind} AND i.id = p.${raw(part.of)}
    WHERE p.${raw(part.of)} = ANY(${owners}::int[]) GROUP BY 1, 2`);

async function notesOf(
  db: Db,
  { note }: NotedPart,
  owners: readonly number[],
): Promise<Map<number, Digests>> {
  const rows = await db.$queryRaw<{ id: number; digests: Digests }[]>(sql`
    SELECT id, source_digest::json AS digests FROM imported_row
    WHERE kind = ${note} AND id = ANY(${owners}::int[])`);
  return new Map(rows.map(({ id, digests }) => [id, digests]));
}

/** Deletes parts. The only one of a row stays where another takes its place: other rows may refer to it. */
async function remove(
  db: Db,
  part: NotedPart,
  going: readonly PartHere[],
  taken: ReadonlySet<string>,
): Promise<void> {
  const gone = going.filter((one) => !(part.isOne && taken.has(placeOf(one))));
  if (gone.length > 0)
    await db.$executeRaw(sql`
      DELETE FROM ${raw(part.table)} p USING unnest(${gone.map(({ owner }) => owner)}::int[],
        ${gone.map(({ key }) => key)}::text[]) AS g(owner, key)
      WHERE p.${raw(part.of)} = g.owner AND ${keyOf(part)} = g.key`);
}

/** Notes each part of the source, of now or before, that is still there. */
async function noteAgain(
  db: Db,
  part: NotedPart,
  owners: readonly number[],
  {
    given,
    taken,
    notes,
  }: Readonly<{ given: GivenPart[]; taken: GivenPart[] }> & {
    readonly notes: ReadonlyMap<number, Digests>;
  },
): Promise<void> {
  const present = await partsHere(db, part, owners);
  const digests = new Map(present.map((one) => [placeOf(one), one.digest]));
  const come = new Set(taken.map(placeOf));
  const all = owners.map((owner) => {
    const ofOwner = given.filter((one) => one.owner === owner);
    const entries = ofOwner.flatMap((one) => {
      const place = placeOf(one);
      const digest = come.has(place) ? digests.get(place) : notes.get(owner)?.[one.key];
      return digest ? [[one.key, digest] as const] : [];
    });
    return { owner, digests: Object.fromEntries(entries) };
  });
  const noted = all.filter(({ digests }) => Object.keys(digests).length > 0);
  await db.$executeRaw(sql`
    DELETE FROM imported_row WHERE kind = ${part.note} AND id = ANY(${owners}::int[])`);
  if (noted.length > 0)
    await db.$executeRaw(sql`
      INSERT INTO imported_row (kind, id, source_digest, own_digest)
      SELECT ${part.note}, owner, digests::text, ''
      FROM jsonb_to_recordset(${JSON.stringify(noted)}::jsonb) AS n(owner int, digests jsonb)`);
}
