import { type GraphQLSchema, isInterfaceType } from 'graphql';
import { Arg, Ctx, ID, Resolver } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { refuse } from '../../core/errors.js';
import { type KeyKind, keyKindOf, Node, readKey, readNodeId } from '../../core/node.js';
import { Query } from '../../core/root-fields.js';
import { NODES } from './nodes.js';

/** Maximum number of nodes in one request. */
const MOST = 100;

/** Types of the rows that `node` and `nodes` read: rows do not know their type. */
const types = new WeakMap<object, string>();

/** Reads any row again by its global id. */
@Resolver()
export class NodeResolver {
  @Access(anyone)
  @Query(() => Node, {
    description: 'Reads a row by its global id. Null when the viewer may not read it. ID_INVALID.',
  })
  async node(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID, { description: 'A global id.' }) id: string,
  ): Promise<object | null> {
    const [node = null] = await readNodes(context, [id], 'id');
    return node;
  }

  @Access(anyone)
  @Rows(MOST, 'ids')
  @Query(() => [Node], {
    nullable: 'itemsAndList',
    description:
      'Reads rows by their global ids, at most 100, in the order of the ids. Null for each that ' +
      'the viewer may not read. ID_INVALID, TOO_MANY.',
  })
  async nodes(
    @Ctx() context: RequestContext,
    @Arg('ids', () => [ID], { description: 'Global ids, at most 100.' }) ids: string[],
  ): Promise<(object | null)[]> {
    if (ids.length > MOST) throw refuse('TOO_MANY', `At most ${MOST} ids.`, { param: 'ids' });
    return readNodes(context, ids, 'ids');
  }
}

/** Reads nodes in the order of their ids: one reader call for each type. */
async function readNodes(
  context: RequestContext,
  ids: readonly string[],
  param: string,
): Promise<(object | null)[]> {
  const asked = ids.map((id) => readNodeId(id, param));
  const found = new Map<string, object>();
  for (const type of new Set(asked.map((node) => node.type))) {
    const reader = NODES[type];
    const kind = keyKinds.get(type) ?? 'number';
    const keys = asked.flatMap(({ type: other, key }) => (other === type ? [key] : []));
    const read = keys.map((key) => readKey(key, kind)).filter((key) => key !== undefined);
    const rows = (await reader?.(context, read as never[])) ?? [];
    for (const row of rows) {
      types.set(row, type);
      found.set(`${type}:${row.id}`, row);
    }
  }
  return asked.map(({ type, key }) => found.get(`${type}:${key}`) ?? null);
}

/** What the keys of types are, by their names. */
const keyKinds = new Map<string, KeyKind>();

/**
 * Sets how the interface Node resolves its types, in place. Returns the schema. Throws when a type
 * of nodes has no reader.
 */
export function knowNodes(schema: GraphQLSchema): GraphQLSchema {
  const node = schema.getType('Node');
  if (!isInterfaceType(node)) return schema;
  node.resolveType = (row) => types.get(row as object);
  for (const type of schema.getPossibleTypes(node)) {
    const { name } = type;
    if (!NODES[name]) throw new Error(`app/schema/nodes.ts has no reader for ${name}.`);
    keyKinds.set(name, keyKindOf(type));
  }
  return schema;
}
