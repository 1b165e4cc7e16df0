import type {
  FieldPart,
  GroupPart,
  ModelDocument,
  Options,
  OptionValue,
} from '../../domains/models/definition/model.document.js';
import { identified } from './batches.js';
import { noteParts } from './completion.service.js';
import type { Import, ImportedKind, Mapped } from './kind.js';
import { databaseOf, text } from './kind.js';
import type { SourceRow } from './mysql-source.js';
import { plainOf, unserialize } from './php.js';
import { utcOf } from './source-time.js';

/** SQL of whether the original finds a model, a group or a field. */
const IN_USE = "post_status IN ('publish', 'draft')";

/** What an object has of itself: the original reads no option of these names. */
const PRIMARY: ReadonlySet<string> = new Set([
  ...['object_type', 'object_storage_type', 'id', 'name'],
  ...['label', 'description', 'parent', 'weight'],
]);

/** The models of the original with their groups and fields, which keep their numbers. */
export const MODELS: ImportedKind = identified({
  name: 'model',
  from: 'posts',
  table: 'model_definition',
  columns: ['name', 'document', 'version', 'created_at', 'updated_at'],

  async ids(run) {
    const rows = await databaseOf(run).rows(
      `SELECT ID AS id, ${IN_USE} AS inUse FROM {posts} WHERE post_type = '_pods_pod' ORDER BY ID`,
    );
    for (const { id } of rows.filter(({ inUse }) => !Number(inUse)))
      run.report.leaveAll({
        ...{ kind: 'model', at: `posts ${id}`, outcome: 'skipped', count: 1 },
        reason: 'it is in the trash, or was never saved',
      });
    return rows.filter(({ inUse }) => Number(inUse)).map(({ id }) => Number(id));
  },
  read: (run, ids) =>
    databaseOf(run).rows('SELECT * FROM {posts} WHERE ID IN (?) ORDER BY ID', [ids]),

  async map(run, rows) {
    const parts = await partsOf(
      run,
      rows.map(({ ID }) => Number(ID)),
    );
    return rows.map((row) => modelOf(row, parts));
  },
  complete: noteParts,
});

/** A row of `posts` with the options that stand in its meta. */
interface DefinedPart {
  readonly row: SourceRow;
  readonly options: ReadonlyMap<string, OptionValue>;
}

/** Returns the groups and fields of models in their order, and the models' own options. */
async function partsOf(run: Import, models: readonly number[]): Promise<DefinedPart[]> {
  const source = databaseOf(run);
  const rows = await source.rows(
    `SELECT * FROM {posts} WHERE ID IN (?)
      OR (post_type IN ('_pods_group', '_pods_field') AND ${IN_USE} AND post_parent IN (?))
    ORDER BY menu_order, post_title, ID`,
    [models, models],
  );
  const meta = await source.rows(
    'SELECT post_id AS id, meta_key AS name, meta_value AS value FROM {postmeta} WHERE post_id IN (?) ORDER BY meta_id',
    [rows.map(({ ID }) => Number(ID))],
  );
  const values = new Map<number, Map<string, OptionValue[]>>();
  for (const { id, name, value } of meta) {
    const key = text(name);
    if (!key || key.startsWith('_') || PRIMARY.has(key)) continue;
    const own = values.get(Number(id)) ?? new Map<string, OptionValue[]>();
    values.set(Number(id), own.set(key, [...(own.get(key) ?? []), optionOf(text(value))]));
  }
  return rows.map((row) => ({ row, options: optionsOf(values.get(Number(row.ID)) ?? new Map()) }));
}

/** Returns options by their names: a list where one has several values, and none that is empty. */
function optionsOf(
  values: ReadonlyMap<string, readonly OptionValue[]>,
): ReadonlyMap<string, OptionValue> {
  const all = [...values].map(([name, own]): [string, OptionValue] => [
    name,
    own.length > 1 ? own : (own[0] as OptionValue),
  ]);
  return new Map(
    all.filter(([, value]) => value !== '' && !(Array.isArray(value) && !value.length)),
  );
}

/** Returns what an option holds: a text, or a list or object that is serialized in it. */
function optionOf(value: string): OptionValue {
  const read = /^a:\d/.test(value) ? unserialize(value) : undefined;
  return read instanceof Map ? (plainOf(read) as OptionValue) : value;
}

/** Returns the first value of what is one text, although its key may stand several times. */
function firstOf(options: ReadonlyMap<string, OptionValue>, name: string): string | undefined {
  const value = options.get(name);
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}

function modelOf(row: SourceRow, all: readonly DefinedPart[]): Mapped {
  const id = Number(row.ID);
  const own = all.find((one) => Number(one.row.ID) === id)?.options ?? new Map();
  const parts = all.filter((one) => Number(one.row.post_parent) === id);
  const groups = parts
    .filter((one) => one.row.post_type === '_pods_group')
    .map((one): GroupPart => partOf(one, []));
  const known = new Set(groups.map((group) => group.id));
  const fields = parts
    .filter((one) => one.row.post_type === '_pods_field')
    .map((one): FieldPart => {
      const group = Number(firstOf(one.options, 'group') ?? 0);
      return {
        ...partOf(one, ['type', 'group']),
        type: firstOf(one.options, 'type') ?? 'text',
        groupId: known.has(group) ? group : null,
      };
    });
  const created = utcOf(row.post_date_gmt) ?? new Date(0).toISOString();
  const document: ModelDocument = {
    name: text(row.post_name),
    label: text(row.post_title),
    description: text(row.post_content),
    type: firstOf(own, 'type') ?? 'post_type',
    storage: firstOf(own, 'storage') ?? 'meta',
    options: optionsWithout(own, ['type', 'storage']),
    groups,
    fields,
  };
  return {
    own: {
      id,
      name: document.name,
      document,
      version: 1,
      created_at: created,
      updated_at: utcOf(row.post_modified_gmt) ?? created,
    },
  };
}

const partOf = ({ row, options }: DefinedPart, own: readonly string[]): GroupPart => ({
  id: Number(row.ID),
  name: text(row.post_name),
  label: text(row.post_title),
  description: text(row.post_content),
  options: optionsWithout(options, own),
  weight: Number(row.menu_order),
});

const optionsWithout = (
  options: ReadonlyMap<string, OptionValue>,
  names: readonly string[],
): Options => [...options].filter(([name]) => !names.includes(name));
