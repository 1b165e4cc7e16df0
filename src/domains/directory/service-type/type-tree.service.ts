import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { HealthcareServiceType } from './service-type.types.js';

/** All types by id, in the order of their names. */
export type TypeTree = ReadonlyMap<number, HealthcareServiceType>;

/** Returns all types, with one statement for a request. */
export async function typeTree(context: RequestContext): Promise<TypeTree> {
  return (await context.loader(readTree).load('all')) as TypeTree;
}

async function readTree(context: RequestContext, keys: readonly 'all'[]): Promise<TypeTree[]> {
  const rows = await context.rows<HealthcareServiceType>(Prisma.sql`
    SELECT id, name, description, parent_id AS "parentId", version
    FROM service_type ORDER BY name_key, id`);
  const tree = new Map(rows.map((row) => [row.id, typeOf(row)]));
  return keys.map(() => tree);
}

/** Returns a type as GraphQL shows it. */
export const typeOf = (row: object): HealthcareServiceType =>
  Object.assign(new HealthcareServiceType(), row);

/** Returns a type and those above it, the topmost first. */
export function pathOf(tree: TypeTree, id: number): HealthcareServiceType[] {
  const path: HealthcareServiceType[] = [];
  let type = tree.get(id);
  while (type && !path.includes(type)) {
    path.unshift(type);
    type = tree.get(type.parentId ?? 0);
  }
  return path;
}

/** Returns all types: each one before those below it, and siblings by name. */
export async function listServiceTypes(context: RequestContext): Promise<HealthcareServiceType[]> {
  const tree = await typeTree(context);
  const below = (id: number | null): HealthcareServiceType[] =>
    [...tree.values()]
      .filter(({ parentId }) => parentId === id)
      .flatMap((type) => [type, ...below(type.id)]);
  return below(null);
}

/** Returns the types of these ids. */
export async function serviceTypesById(
  context: RequestContext,
  ids: readonly number[],
): Promise<HealthcareServiceType[]> {
  const tree = await typeTree(context);
  return ids.flatMap((id) => tree.get(id) ?? []);
}
