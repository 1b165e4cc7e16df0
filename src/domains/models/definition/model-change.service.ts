import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { hold } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { recordAudit } from '../../audit/audit.service.js';
import { followIndexes } from '../item/item-index.service.js';
import { followRules } from '../item/rule-change.service.js';
import type { ModelDocument, ModelRow } from './model.document.js';
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
 * Changes a model, its items with it, inside a transaction; makes its next version. Throws
 * MODEL_NOT_FOUND, also for one whose time in the trash is over, CONFLICT for another version,
 * MODEL_WOULD_LOSE for more lost values than allowed, MODEL_VALUES_MISSING when items lack what
 * becomes required, and what `judgeDocument` finds.
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
  const document = await edit(row.document, newIds);
  judgeDocument(document);
  await refuseTaken(inner, document, row.id);
  await followRules(inner, row, document, change.maxLost ?? 0);
  await followIndexes(inner, row.id, row.document, document);
  await store(inner, row, document, change.change);
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
  const other = await db.modelDefinition.findFirst({
    where: { name, removedAt: null, ...(id !== undefined && { id: { not: id } }) },
    select: { id: true },
  });
  if (other)
    throw refuse('MODEL_EXISTS', `Pod ${name} already exists, choose another name.`, {
      param: 'name',
    });
}
