import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { numberKey } from '../../../core/node.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { FieldPart, GroupPart, ModelDocument, ModelRow } from './model.document.js';

const { sql } = Prisma;

interface StoredModel extends Omit<ModelRow, 'document'> {
  readonly document: string;
}

const COLUMNS = sql`d.id, d.document::text AS document, d.version,
  d.created_at AS "createdAt", d.updated_at AS "updatedAt", d.removed_at AS "removedAt"`;

const rowOf = <T extends StoredModel>(row: T) => ({
  ...row,
  document: JSON.parse(row.document) as ModelDocument,
});

async function read(context: RequestContext, where: Prisma.Sql): Promise<ModelRow[]> {
  const rows = await context.rows<StoredModel>(
    sql`SELECT ${COLUMNS} FROM model_definition d WHERE ${where}`,
  );
  return rows.map(rowOf);
}

/** Loads models by id, for `context.loader`. Undefined for those in the trash. */
export async function modelsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(ModelRow | undefined)[]> {
  const rows = await read(context, sql`d.id = ANY(${ids}::int[]) AND d.removed_at IS NULL`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

/** Loads models by id, also those in the trash, for `context.loader`. */
export const anyModelsById = async (
  context: RequestContext,
  ids: readonly number[],
): Promise<(ModelRow | undefined)[]> => {
  const rows = await read(context, sql`d.id = ANY(${ids}::int[])`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
};

/** Loads models by name, in any case, for `context.loader`. */
export async function modelsByName(
  context: RequestContext,
  names: readonly string[],
): Promise<(ModelRow | undefined)[]> {
  const wanted = names.map((name) => name.toLowerCase());
  const rows = await read(context, sql`d.name = ANY(${wanted}::text[]) AND d.removed_at IS NULL`);
  const found = new Map(rows.map((row) => [row.document.name, row]));
  return wanted.map((name) => found.get(name));
}

/** Returns all models that are not in the trash, by label. */
export async function allModels(context: RequestContext): Promise<ModelRow[]> {
  const rows = await read(context, sql`d.removed_at IS NULL`);
  return rows.sort((a, b) => a.document.label.localeCompare(b.document.label, 'en') || a.id - b.id);
}

/** A group or a field with the model that it belongs to. */
export interface PartRow<T extends GroupPart = GroupPart | FieldPart> {
  readonly model: ModelRow;
  readonly part: T;
  /** Its place among those of its model, from 0. */
  readonly position: number;
}

async function partsById<T extends GroupPart>(
  context: RequestContext,
  ids: readonly number[],
  partsOf: (document: ModelDocument) => readonly T[],
  among = sql`d.removed_at IS NULL`,
): Promise<(PartRow<T> | undefined)[]> {
  const models = await context.rows<StoredModel>(sql`
    SELECT DISTINCT ${COLUMNS} FROM model_part p JOIN model_definition d ON d.id = p.definition_id
    WHERE p.id = ANY(${ids}::int[]) AND ${among}`);
  const found = new Map<number, PartRow<T>>();
  for (const model of models.map(rowOf))
    partsOf(model.document).forEach((part, position) => {
      found.set(part.id, { model, part, position });
    });
  return ids.map((id) => found.get(id));
}

/** Loads groups by id, for `context.loader`. */
export const groupsById = (context: RequestContext, ids: readonly number[]) =>
  partsById(context, ids, ({ groups }) => groups);

/** Loads fields in use by id, for `context.loader`. */
export const fieldsById = (context: RequestContext, ids: readonly number[]) =>
  partsById(context, ids, ({ fields }) => fields.filter(({ removedAt }) => !removedAt));

/** Loads fields by id, also those in the trash, for `context.loader`. */
export const anyFieldsById = (context: RequestContext, ids: readonly number[]) =>
  partsById(context, ids, ({ fields }) => fields);

/** Loads groups and fields by id, also those of models in the trash, for `context.loader`. */
export const anyPartsById = (context: RequestContext, ids: readonly number[]) =>
  partsById<GroupPart>(context, ids, ({ groups, fields }) => [...groups, ...fields], sql`TRUE`);

const NOT_FOUND = {
  model: 'Pod not found.',
  group: 'Group not found.',
  field: 'Field not found.',
  item: 'Item not found.',
  version: 'Version not found.',
};

/** Makes the error for what there is not. REST answers 404. */
export const notFound = (what: keyof typeof NOT_FOUND) =>
  refuse('MODEL_NOT_FOUND', NOT_FOUND[what]);

/** How a model is named: by its number or by its name. */
export interface ModelKey {
  readonly id?: number | null;
  readonly name?: string | null;
}

/** Returns a model by number or name. Throws MODEL_NOT_FOUND. */
export async function modelOf(context: RequestContext, { id, name }: ModelKey): Promise<ModelRow> {
  const model =
    typeof id === 'number'
      ? await context.loader(modelsById).load(id)
      : await context.loader(modelsByName).load((name ?? '').toLowerCase());
  if (!model) throw notFound('model');
  return model;
}

/** How a new group or field names its model. REST sends the number as text, or the name. */
export interface Belonging {
  readonly modelId?: number | null;
  readonly modelKey?: string | null;
  readonly model?: string | null;
}

/** Returns the number or name of the model that something is to belong to; undefined for none. */
export function belongingOf({ modelId, modelKey, model }: Belonging): ModelKey | undefined {
  if (typeof modelId === 'number') return { id: modelId };
  if (modelKey) return { id: numberKey(modelKey) ?? 0 };
  return model ? { name: model } : undefined;
}

/**
 * Returns the model that something is to belong to. Throws MODEL_NAME_REQUIRED when none is named.
 */
export async function modelFor(context: RequestContext, input: Belonging): Promise<ModelRow> {
  const key = belongingOf(input);
  if (!key) throw refuse('MODEL_NAME_REQUIRED', 'Pod ID or name is required.');
  return modelOf(context, key);
}
