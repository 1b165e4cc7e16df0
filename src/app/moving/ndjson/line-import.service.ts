import { Ajv } from 'ajv';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Db } from '../../../platform/database/transaction.js';
import type { ImportedKind, ImportRun, Left, Mapped, SourceRows, Verdict } from '../kind.js';
import {
  type Columns,
  columnOf,
  columnsOf,
  type Line,
  type LineKind,
  storedFields,
} from '../lines/line.js';
import { LINE_FORMATS, schemaOfLines } from '../lines/line.schema.js';
import { insertRows } from './insertion.sql.js';
import { PARTS_MARK, plainParts, writeParts } from './line-parts.service.js';
import { parentsFirst } from './parents-first.js';

const { sql, raw, join } = Prisma;

const ORPHAN = 'its parent is below it, or is not in the export: it has no parent here';

/** Returns how the lines of a kind are imported, which `rows` gives. */
export function importedLines(
  kind: LineKind,
  rows: SourceRows<Line>,
): ImportedKind<ImportRun, Line> {
  const { name, table, fields, filled = [], parent, own, unused, judged, bare } = kind;
  const faultIn = validatorOf(kind);
  const orphans = new Set<Line>();
  const placed = parent ? parentsFirst(rows.batches, parent, orphans) : rows.batches;
  return {
    ...{ name, from: name, table, ...(own && { own }), ...(unused && { unused }) },
    ...(judged && { judged }),
    ...(bare && { bare }),
    columns: [...new Set([...storedFields(fields).map(columnOf), ...filled])].map(quoted),
    rows: async () => ({ count: rows.count, batches: placed }),
    async map(run, lines) {
      const mapped: (Mapped | Left)[] = [];
      for (const line of lines) {
        const reason = faultIn(line) ?? kind.fault?.(line, run);
        if (reason) mapped.push({ outcome: 'refused', reason, ...placeOf(kind, line) });
        else mapped.push(await mappedOf(kind, line, run, orphans.has(line)));
      }
      return mapped;
    },
    ...(kind.key
      ? { write: (db, all, run) => writeByKey(db, kind, all, run) }
      : {
          ...(plainParts(kind).length > 0 && { mark: PARTS_MARK }),
          complete: async (db, written, run) => {
            await writeParts(db, kind, written, run);
            await kind.complete?.(db, written, run);
          },
        }),
  };
}

const quoted = (column: string) => `"${column}"`;

/** Returns a function that says what of a line does not fit its kind, and adds the fields that are null. */
function validatorOf(kind: LineKind): (line: Line) => string | undefined {
  const validate = new Ajv({ strict: false, useDefaults: true, formats: LINE_FORMATS }).compile(
    schemaOfLines(kind),
  );
  return (line) => {
    if (validate(line)) return undefined;
    const [{ instancePath = '', params = {}, message = '' } = {}] = validate.errors ?? [];
    const name = params.additionalProperty ? ` (${params.additionalProperty})` : '';
    return `its fields do not fit: ${instancePath.slice(1) || 'it'} ${message}${name}`;
  };
}

/** Returns the place of a line that is known by several numbers. */
function placeOf({ key, fields }: LineKind, line: Line): { readonly place?: string } {
  if (!key) return {};
  const named = key.map((column) => Object.keys(fields).find((name) => columnOf(name) === column));
  return { place: named.map((name) => line[name as string]).join(' ') };
}

async function mappedOf(
  kind: LineKind,
  line: Line,
  run: ImportRun,
  isOrphan: boolean,
): Promise<Mapped> {
  const { fields, parts = {}, parent, fill } = kind;
  const own = {
    id: Number(line.id ?? 0),
    ...columnsOf(fields, line),
    ...(await fill?.(line, run)),
    ...(isOrphan && { [columnOf(parent as string)]: null }),
  };
  return {
    own,
    parts: Object.fromEntries(Object.keys(parts).map((name) => [name, line[name]])),
    source: line,
    ...placeOf(kind, line),
    ...(isOrphan && { remarks: [ORPHAN] }),
  };
}

/** Writes rows that have a key of several columns. One that is here stays as it is. */
async function writeByKey(
  db: Db,
  kind: LineKind,
  all: readonly Mapped[],
  { check }: ImportRun,
): Promise<Verdict[]> {
  const { table, key = [], fields, filled = [] } = kind;
  const rows = all.map(({ own: { id: _, ...columns } }) => columns as Columns);
  const names = [...storedFields(fields).map(columnOf), ...filled];
  const same = names.map((name) => `t."${name}" IS NOT DISTINCT FROM g."${name}"`).join(' AND ');
  const here = await db.$queryRaw<{ place: number; same: boolean }[]>(sql`
    SELECT g.place::int AS place, ${raw(same)} AS same
    FROM (SELECT (jsonb_populate_record(NULL::${raw(table)}, one)).*, place
      FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS e(one, place)) g
    JOIN ${raw(table)} t ON ${join(
      key.map((name) => raw(`t."${name}" = g."${name}"`)),
      ' AND ',
    )}`);
  const known = new Map(here.map(({ place, same }) => [place - 1, same]));
  const fresh = rows.filter((_, i) => !known.has(i));
  if (!check && fresh.length > 0) await insertRows(db, { table }, fresh);
  return rows.map((_, i) => {
    const is = known.get(i);
    if (is === undefined) return { outcome: 'imported' };
    return is ? { outcome: 'unchanged' } : { outcome: 'skipped', reason: 'another is here' };
  });
}
