import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { fold } from '../../../core/folding.js';
import { firstOf, refuseStale } from '../../../core/row.js';
import { deleteOnce, hold, transact } from '../../../core/transact.js';
import type {
  CreateHealthcareServiceTypeInput,
  DeleteHealthcareServiceTypeInput,
  UpdateHealthcareServiceTypeInput,
} from './service-type.inputs.js';
import type { HealthcareServiceType } from './service-type.types.js';
import { pathOf, type TypeTree, typeOf, typeTree } from './type-tree.service.js';

/** How many types there are at most, and how many stand above one another. */
export const MOST_TYPES = 1_000;
const DEEPEST = 8;

/** Makes a type. Throws SERVICE_TYPE_NOT_FOUND, SERVICE_TYPE_PARENT_INVALID, TOO_MANY. */
export async function createServiceType(
  context: RequestContext,
  { name, description, parentId }: CreateHealthcareServiceTypeInput,
): Promise<HealthcareServiceType> {
  const id = await transact(
    context,
    async (inner) => {
      const tree = await heldTree(inner);
      if (tree.size >= MOST_TYPES)
        throw refuse('TOO_MANY', `There are ${MOST_TYPES} types: no more fit.`);
      refuseParent(tree, parentId);
      const data = {
        name,
        nameKey: fold(name),
        description: description ?? '',
        parentId: parentId ?? null,
      };
      return (await inner.db.serviceType.create({ data, select: { id: true } })).id;
    },
    { replayable: true },
  );
  return one(context, id);
}

/**
 * Changes what is given of a type. Services of it are found by the types above its new place.
 * Throws SERVICE_TYPE_NOT_FOUND, CONFLICT, SERVICE_TYPE_PARENT_INVALID.
 */
export async function updateServiceType(
  context: RequestContext,
  { id, version, name, description, parentId }: UpdateHealthcareServiceTypeInput,
): Promise<HealthcareServiceType> {
  await transact(
    context,
    async (inner) => {
      const tree = await heldTree(inner);
      const known = firstOf([tree.get(id)], notFound);
      refuseStale('type', known, version);
      if (parentId !== undefined) refuseParent(tree, parentId, id);
      const data = {
        ...(name && { name, nameKey: fold(name) }),
        ...(description !== undefined && { description: description ?? '' }),
        ...(parentId !== undefined && { parentId }),
        version: { increment: 1 },
      };
      await inner.db.serviceType.update({ where: { id }, data, select: { id: true } });
      if (parentId !== undefined && parentId !== known.parentId) await fileAgain(inner, id);
      return id;
    },
    { replayable: true },
  );
  return one(context, id);
}

/**
 * Deletes a type. The types below it move up, and its services become services of the type above.
 * Returns it as it was. Throws SERVICE_TYPE_NOT_FOUND.
 */
export async function deleteServiceType(
  context: RequestContext,
  { id }: DeleteHealthcareServiceTypeInput,
): Promise<HealthcareServiceType> {
  const row = await deleteOnce(context, async (inner) => {
    const type = firstOf([(await heldTree(inner)).get(id)], notFound);
    const { parentId } = type;
    await inner.db.serviceType.updateMany({ where: { parentId: id }, data: { parentId } });
    await inner.db.$executeRaw`
      UPDATE healthcare_service SET version = version + 1, type_ids = CASE
        WHEN ${parentId}::int IS NULL OR type_ids @> ARRAY[${parentId}::int]
          THEN array_remove(type_ids, ${id}::int)
        ELSE array_replace(type_ids, ${id}::int, ${parentId}::int) END
      WHERE type_ids @> ARRAY[${id}::int]`;
    await inner.db.serviceType.delete({ where: { id }, select: { id: true } });
    await fileAgain(inner, id);
    return type;
  });
  return typeOf(row);
}

/** Finds the types above each service again, of services under a type. One statement. */
async function fileAgain({ db }: RequestContext, typeId: number): Promise<void> {
  await db.$executeRaw`
    UPDATE service_search s SET type_ids = ARRAY(
      WITH RECURSIVE up AS (
        SELECT t.id, t.parent_id FROM service_type t
        WHERE t.id = ANY((SELECT h.type_ids FROM healthcare_service h WHERE h.id = s.id)::int[])
        UNION SELECT t.id, t.parent_id FROM service_type t JOIN up ON up.parent_id = t.id)
      SELECT up.id FROM up ORDER BY up.id)
    WHERE s.type_ids @> ARRAY[${typeId}::int]`;
}

/** Returns the tree, which nobody else changes until the transaction ends. */
async function heldTree(inner: RequestContext): Promise<TypeTree> {
  await hold(inner, 'service types');
  inner.clearLoaders();
  return typeTree(inner);
}

function refuseParent(tree: TypeTree, parentId: number | null | undefined, id?: number): void {
  if (parentId === null || parentId === undefined) return;
  if (!tree.has(parentId))
    throw refuse('SERVICE_TYPE_NOT_FOUND', 'There is no such type.', { param: 'parentId' });
  const above = pathOf(tree, parentId);
  const below = id === undefined ? 0 : depthBelow(tree, id);
  if (above.some((type) => type.id === id) || above.length + below >= DEEPEST)
    throw refuse(
      'SERVICE_TYPE_PARENT_INVALID',
      `A type is not below itself, and at most ${DEEPEST} stand above one another.`,
      { param: 'parentId' },
    );
}

function depthBelow(tree: TypeTree, id: number): number {
  const children = [...tree.values()].filter(({ parentId }) => parentId === id);
  return children.length === 0
    ? 0
    : 1 + Math.max(...children.map((child) => depthBelow(tree, child.id)));
}

async function one(context: RequestContext, id: number): Promise<HealthcareServiceType> {
  context.clearLoaders();
  return firstOf([(await typeTree(context)).get(id)], notFound);
}

const notFound = () =>
  refuse('SERVICE_TYPE_NOT_FOUND', 'There is no such type of services.', { param: 'id' });
