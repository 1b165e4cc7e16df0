import type { RequestContext } from '../../../core/context.js';
import { descending } from '../../../core/keyset.js';
import { listPage } from '../../../core/listing.js';
import type { Page, PageArgs } from '../../../core/paging.js';
import { firstOf } from '../../../core/row.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { FieldPart, ModelDocument } from '../definition/model.document.js';
import { notFound } from '../definition/model.service.js';
import { changeModel, followedSince, isEnded } from '../definition/model-change.service.js';
import { differences } from './model-difference.js';
import type { ReturnModelInput } from './model-version.inputs.js';
import { ModelDifference, ModelVersion } from './model-version.types.js';

const { sql } = Prisma;

interface StoredVersion {
  readonly modelId: number;
  readonly number: number;
  readonly document: string;
  readonly change: string;
  readonly accountId: number | null;
  readonly createdAt: Date;
}

const COLUMNS = sql`definition_id AS "modelId", number, document::text AS document, change, account_id AS "accountId",
  created_at AS "createdAt"`;

/** Returns a page of the versions of a model, the newest first. */
export const listVersions = (
  context: RequestContext,
  modelId: number,
  page: PageArgs,
): Promise<Page<ModelVersion>> =>
  listPage(context, page, {
    name: `versions:${modelId}`,
    order: [descending(sql`number`, 'int')],
    from: sql`model_version`,
    where: sql`definition_id = ${modelId}::int`,
    read: readVersions,
    keysOf: ({ number }) => [number],
  });

async function readVersions(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<ModelVersion[]> {
  const rows = await context.rows<StoredVersion>(
    sql`SELECT ${COLUMNS} FROM model_version WHERE ${condition} ${rest}`,
  );
  return rows.map(versionOf);
}

const versionOf = ({ document, ...row }: StoredVersion) =>
  Object.assign(new ModelVersion(), { ...row, document: JSON.parse(document) });

/** Returns the versions of these keys, `<model>-<number>`, to those who administer models. */
export async function versionsById(
  context: RequestContext,
  keys: readonly string[],
): Promise<ModelVersion[]> {
  if (!context.viewer.can('manage_models')) return [];
  const known = keys.filter((key) => /^\d{1,9}-\d{1,9}$/.test(key));
  return readVersions(
    context,
    sql`definition_id || '-' || number = ANY(${known}::text[])
      AND definition_id = ANY(${known.map((key) => Number(key.split('-')[0]))}::int[])`,
  );
}

/** Returns a version of a model. Throws MODEL_NOT_FOUND. */
export async function versionNumbered(
  context: RequestContext,
  modelId: number,
  number: number,
): Promise<ModelVersion> {
  const found = await readVersions(
    context,
    sql`definition_id = ${modelId}::int AND number = ${number}::int`,
  );
  return firstOf(found, () => notFound('version'));
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
 * go into the trash, others come back from there but for those whose time in it is over. Fields that
 * followed the rename of a model since still point at that model. Throws as `changeModel` does.
 */
export async function returnModel(
  context: RequestContext,
  { id, version, to, maxLost }: ReturnModelInput,
): Promise<void> {
  const change = { id, version, maxLost, change: `returned to version ${to}` };
  const back = async (inner: RequestContext) => {
    const { document: earlier } = await versionNumbered(inner, id, to);
    await changeModel(inner, change, async (now) =>
      asBefore(inner, await followedSince(inner, id, to, earlier), now),
    );
    return id;
  };
  await transact(context, back, { replayable: true });
}

/** Returns the earlier state, with all fields that there are now in use or in the trash. */
function asBefore(
  context: RequestContext,
  earlier: ModelDocument,
  now: ModelDocument,
): ModelDocument {
  const removedAt = context.now().toISOString();
  const known = new Map(now.fields.map((field) => [field.id, field]));
  // What the document has no more was deleted for good: its time is over as well.
  const ended = ({ id }: FieldPart) =>
    !known.has(id) || isEnded(context, known.get(id)?.removedAt ?? removedAt);
  const fields = earlier.fields.filter((field) => !field.removedAt && !ended(field));
  const wanted = new Set(fields.map(({ id }) => id));
  const binned = [...known.values()]
    .filter(({ id }) => !wanted.has(id))
    .map(
      (field): FieldPart => ({ ...field, groupId: null, removedAt: field.removedAt ?? removedAt }),
    );
  return { ...earlier, fields: [...fields, ...binned] };
}
