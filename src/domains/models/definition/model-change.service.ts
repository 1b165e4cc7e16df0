import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { hold } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { recordAudit } from '../../audit/audit.service.js';
import { targetOf } from '../field/list-rule.js';
import { followIndexes } from '../item/item-index.service.js';
import { followRules } from '../item/rule-change.service.js';
import {
  type FieldPart,
  type ModelDocument,
  type ModelRow,
  withOptions,
} from './model.document.js';
import { notFound } from './model.service.js';
import { judgeDocument } from './model-judgement.js';
import { STANDING_NAMES } from './model-kinds.js';

const { sql } = Prisma;

/** How long models and fields stay in the trash. */
export const BIN_LIFETIME = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns whether the time of a model or field in the trash is over: its items or values may be
 * deleted by half, so it is not restored.
 */
export const isEnded = (context: RequestContext, removedAt: Date | string) =>
  new Date(removedAt).getTime() < context.now().getTime() - BIN_LIFETIME;

/** A change of a model. */
export interface ModelChange {
  readonly id: number;
  /** The version that the caller has seen; without it the change is made to whatever there is. */
  readonly version?: number | null | undefined;
  /** What is done, in words: for the versions and the audit. */
  readonly change: string;
  /** How many values of items may be lost. Default: none. */
  readonly maxLost?: number | null | undefined;
  /** Whether the model is in the trash. */
  readonly inBin?: boolean;
}

/** Changes a document, inside the transaction. `newIds` makes ids of new groups and fields. */
export type Edit = (
  document: ModelDocument,
  newIds: NewIds,
) => ModelDocument | Promise<ModelDocument>;
type NewIds = (kind: 'group' | 'field', count?: number) => Promise<number[]>;

/**
 * Changes a model, its items with it, inside a transaction; makes its next version. Fields that point
 * at a model that is renamed follow it, in this model and in the others. Throws
 * MODEL_NOT_FOUND, also for one whose time in the trash is over, CONFLICT for another version,
 * MODEL_WOULD_LOSE for more lost values than allowed, MODEL_VALUES_MISSING when items lack what
 * becomes required, MODEL_EXISTS for a taken name, and what `judgeDocument` finds.
 */
export async function changeModel(
  inner: RequestContext,
  change: ModelChange,
  edit: Edit,
): Promise<void> {
  await hold(inner, 'models');
  const row = await lockedModel(inner, change);
  if (row.removedAt && isEnded(inner, row.removedAt)) throw notFound('model');
  const newIds: NewIds = (kind, count = 1) => newPartIds(inner, row.id, kind, count);
  const edited = await edit(row.document, newIds);
  const rename = { from: row.document.name, to: edited.name };
  const isFollowed = rename.from !== rename.to && !(await isTaken(inner, rename.from, row.id));
  const document = isFollowed ? pointingAt(edited, rename) : edited;
  judgeDocument(document);
  await refuseTaken(inner, document, row.id);
  const before = isFollowed ? pointingAt(row.document, rename) : row.document;
  await followRules(inner, { ...row, document: before }, document, change.maxLost ?? 0);
  await followIndexes(inner, row.id, row.document, document);
  await store(inner, row, document, change.change);
  if (isFollowed) await followRename(inner, row.id, rename);
}

/** The name of a model before and after a change. */
interface Rename {
  readonly from: string;
  readonly to: string;
}

/** Returns a document whose fields, those in the trash too, point at the new name of a model. */
function pointingAt(document: ModelDocument, { from, to }: Rename): ModelDocument {
  const pointsAt = (name: string, field: FieldPart) => {
    const target = field.type === 'pick' ? targetOf(field) : undefined;
    return target?.kind === 'model' && target.name === name;
  };
  const follow = (field: FieldPart): FieldPart => {
    if (!pointsAt(from, field)) return field;
    const named = { ...field, options: withOptions(field.options, [['pick_val', to]]) };
    // A post type of the name of standing content is that content.
    return pointsAt(to, named)
      ? named
      : { ...named, options: withOptions(named.options, [['pick_object', 'pod']]) };
  };
  return { ...document, fields: document.fields.map(follow) };
}

/** Returns a document of an earlier version with all renames of other models that it followed since. */
export async function followedSince(
  inner: RequestContext,
  definitionId: number,
  number: number,
  document: ModelDocument,
): Promise<ModelDocument> {
  const since = await inner.db.modelVersion.findMany({
    where: { definitionId, number: { gt: number }, change: { startsWith: FOLLOWS } },
    select: { change: true },
    orderBy: { number: 'asc' },
  });
  return since.reduce((followed, { change }) => {
    const [from = '', to = ''] = change.slice(FOLLOWS.length).split(' to ');
    return pointingAt(followed, { from, to });
  }, document);
}

/** How the change begins of a version that follows a rename. The two names have no spaces. */
const FOLLOWS = 'follows the rename of ';

/**
 * Makes the next version of all other models, those in the trash too, that point at a renamed one. Throws
 * MODEL_EXISTS when a model in the trash has the name too: whose items the fields hold is not known.
 */
async function followRename(inner: RequestContext, id: number, rename: Rename): Promise<void> {
  const { from, to } = rename;
  const named = await inner.rows<{ id: number }>(sql`SELECT id FROM model_definition
    WHERE id <> ${id}::int AND document::text ILIKE ${`%${from}%`}`);
  const where = { id: { in: named.map((row) => row.id) } };
  // Each is locked by its update, and 'models', which is held, keeps the documents as they are.
  const rows = await inner.db.modelDefinition.findMany({ where, orderBy: { id: 'asc' } });
  const pointing = (rows as unknown as ModelRow[]).flatMap((row) => {
    const document = pointingAt(row.document, rename);
    const isSame = document.fields.every((field, i) => field === row.document.fields[i]);
    return isSame ? [] : [{ ...row, document }];
  });
  if (pointing.length > 0) await refuseNamesake(inner, id, from);
  for (const row of pointing) {
    const { document } = row;
    const version = row.version + 1;
    const data = { document: json(document), version, updatedAt: inner.now() };
    await inner.db.modelDefinition.update({ where: { id: row.id }, data, select: { id: true } });
    await recordVersion(inner, row.id, version, document, `${FOLLOWS}${from} to ${to}`);
  }
}

async function refuseNamesake(inner: RequestContext, id: number, name: string): Promise<void> {
  const removedAt = { gte: new Date(inner.now().getTime() - BIN_LIFETIME) };
  const where = { name, id: { not: id }, removedAt };
  if ((await inner.db.modelDefinition.count({ where })) > 0)
    throw refuse(
      'MODEL_EXISTS',
      `Fields point at ${name}, and another ${name} is in the trash. If they point at this one, ` +
        'restore the other one under another name first. If they point at the other one, delete ' +
        'this one, restore the other one, then restore this one under the new name.',
      { param: 'name' },
    );
}

/**
 * Returns a model, locked against other changes and against writes of its items. Throws
 * MODEL_NOT_FOUND, and CONFLICT for another version than `version`.
 */
export async function lockedModel(
  { db }: RequestContext,
  { id, version, inBin = false }: Pick<ModelChange, 'id' | 'version' | 'inBin'>,
): Promise<ModelRow> {
  await db.$queryRaw`SELECT id FROM model_definition WHERE id = ${id} FOR UPDATE`;
  const row = await db.modelDefinition.findUnique({ where: { id } });
  if (!row || (row.removedAt !== null) !== inBin) throw notFound('model');
  if (typeof version === 'number' && version !== row.version)
    throw refuse('CONFLICT', `The model has changed since: its version is ${row.version}.`, {
      param: 'version',
      detail: { version: row.version },
    });
  return row as unknown as ModelRow;
}

async function store(
  inner: RequestContext,
  row: ModelRow,
  document: ModelDocument,
  change: string,
): Promise<void> {
  const version = row.version + 1;
  const now = inner.now();
  await inner.db.modelDefinition.update({
    where: { id: row.id },
    data: {
      name: document.name,
      document: json(document),
      version,
      updatedAt: now,
      removedAt: null,
    },
    select: { id: true },
  });
  await recordVersion(inner, row.id, version, document, change);
}

/** Writes a version of a model, and audits the change. */
export async function recordVersion(
  inner: RequestContext,
  definitionId: number,
  number: number,
  document: ModelDocument,
  change: string,
): Promise<void> {
  const accountId = inner.viewer.id || null;
  const createdAt = inner.now();
  await inner.db.modelVersion.create({
    data: { definitionId, number, document: json(document), change, accountId, createdAt },
    select: { number: true },
  });
  const detail = { model: definitionId, version: number, change };
  await recordAudit(inner, { action: 'model.change', subjectId: null, detail });
}

/** Returns a document as Prisma takes it. */
export const json = (document: ModelDocument) => document as unknown as Prisma.InputJsonValue;

/** Makes ids of new parts of a model. */
export async function newPartIds(
  { db }: RequestContext,
  definitionId: number,
  kind: 'group' | 'field',
  count: number,
): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>(sql`
    INSERT INTO model_part (definition_id, kind)
    SELECT ${definitionId}::int, ${kind} FROM generate_series(1, ${count}::int) RETURNING id`);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/**
 * Throws MODEL_EXISTS when another model has the name, or the service itself has something of it
 * that the model does not extend.
 */
export async function refuseTaken(
  { db }: RequestContext,
  { name, type, options }: ModelDocument,
  id?: number,
): Promise<void> {
  if (STANDING_NAMES[type]?.includes(name) && !options.some(([own]) => own === 'object'))
    throw refuse('MODEL_EXISTS', `${name} already exists, try extending it instead.`, {
      param: 'name',
    });
  if (await isTaken({ db }, name, id))
    throw refuse('MODEL_EXISTS', `Pod ${name} already exists, choose another name.`, {
      param: 'name',
    });
}

/** Returns whether another model that is in use has a name. */
const isTaken = async (
  { db }: Pick<RequestContext, 'db'>,
  name: string,
  id?: number,
): Promise<boolean> =>
  (await db.modelDefinition.count({
    where: { name, removedAt: null, ...(id !== undefined && { id: { not: id } }) },
  })) > 0;
