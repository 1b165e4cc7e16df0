import type { RequestContext } from '../../../core/context.js';
import type { OrderKey } from '../../../core/keyset.js';
import { orderOf, within } from '../../../core/keyset.js';
import { type Page, type PageArgs, pageOf, windowOf } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { FieldPart, ModelDocument } from '../definition/model.document.js';
import { notFound } from '../definition/model.service.js';
import { changeModel } from '../definition/model-change.service.js';
import { differences } from './model-difference.js';
import type { ReturnModelInput } from './model-version.inputs.js';
import { ModelDifference, ModelVersion } from './model-version.types.js';

const { sql } = Prisma;

const ORDER = [
  { value: sql`number`, type: 'int', descending: true },
] as const satisfies readonly OrderKey[];

interface StoredVersion {
  readonly number: number;
  readonly document: string;
  readonly change: string;
  readonly accountId: number | null;
  readonly createdAt: Date;
}

const COLUMNS = sql`number, document::text AS document, change, account_id AS "accountId",
  created_at AS "createdAt"`;

/** Returns a page of the versions of a model, the newest first. */
export async function listVersions(
  context: RequestContext,
  modelId: number,
  page: PageArgs,
): Promise<Page<ModelVersion>> {
  const window = windowOf(page, `versions:${modelId}`, ORDER, 20);
  const rows = await context.rows<StoredVersion>(sql`
    SELECT ${COLUMNS} FROM model_version WHERE definition_id = ${modelId}::int
    AND ${within(ORDER, window)} ${orderOf(ORDER, window)} LIMIT ${window.size + 1}::int`);
  return pageOf(
    rows.map((row) => versionOf(modelId, row)),
    window,
    ({ number }) => [number],
    () => context.db.modelVersion.count({ where: { definitionId: modelId } }),
  );
}

const versionOf = (modelId: number, { document, ...row }: StoredVersion) =>
  Object.assign(new ModelVersion(), { ...row, modelId, document: JSON.parse(document) });

/** Returns the versions of these keys, `<model>-<number>`, to those who administer models. */
export async function versionsById(
  context: RequestContext,
  keys: readonly string[],
): Promise<ModelVersion[]> {
  if (!context.viewer.can('manage_models')) return [];
  const known = keys.filter((key) => /^\d{1,9}-\d{1,9}$/.test(key));
  const rows = await context.rows<StoredVersion & { modelId: number }>(sql`
    SELECT ${COLUMNS}, definition_id AS "modelId" FROM model_version
    WHERE definition_id || '-' || number = ANY(${known}::text[])
      AND definition_id = ANY(${known.map((key) => Number(key.split('-')[0]))}::int[])`);
  return rows.map(({ modelId, ...row }) => versionOf(modelId, row));
}

/** Returns a version of a model. Throws MODEL_NOT_FOUND. */
export async function versionNumbered(
  context: RequestContext,
  modelId: number,
  number: number,
): Promise<ModelVersion> {
  const [row] = await context.rows<StoredVersion>(sql`
    SELECT ${COLUMNS} FROM model_version
    WHERE definition_id = ${modelId}::int AND number = ${number}::int`);
  if (!row) throw notFound('version');
  return versionOf(modelId, row);
}

/**
 * Returns in what a version differs from another one, by default the one before it; nothing for the
 * first version. Throws MODEL_NOT_FOUND.
 */
export async function differencesOf(
  context: RequestContext,
  { modelId, number, document }: ModelVersion,
  since: number | null | undefined,
): Promise<ModelDifference[]> {
  const from = since ?? number - 1;
  if (from < 1) return [];
  const before = await versionNumbered(context, modelId, from);
  return differences(before.document, document).map((difference) =>
    Object.assign(new ModelDifference(), difference),
  );
}

/**
 * Makes a model what it was in an earlier version, as its next version. Fields that it did not have
 * go into the bin, others come back from there. Throws as `changeModel` does.
 */
export async function returnModel(
  context: RequestContext,
  { id, version, to, maxLost }: ReturnModelInput,
): Promise<void> {
  const { document: earlier } = await versionNumbered(context, id, to);
  const removedAt = context.now().toISOString();
  await changeModel(context, { id, version, maxLost, change: `returned to version ${to}` }, (now) =>
    asBefore(earlier, now, removedAt),
  );
}

/** Returns the earlier state, with all fields that there are now in use or in the bin. */
function asBefore(earlier: ModelDocument, now: ModelDocument, removedAt: string): ModelDocument {
  const known = new Map(now.fields.map((field) => [field.id, field]));
  const fields = earlier.fields.filter((field) => !field.removedAt);
  const wanted = new Set(fields.map(({ id }) => id));
  const binned = [...known.values()]
    .filter(({ id }) => !wanted.has(id))
    .map(
      (field): FieldPart => ({ ...field, groupId: null, removedAt: field.removedAt ?? removedAt }),
    );
  return { ...earlier, fields: [...fields, ...binned] };
}
