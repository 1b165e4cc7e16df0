import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import {
  type ClassType,
  Ctx,
  Field,
  FieldResolver,
  Info,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { Access, accessOf, anyone, type RootRule } from './access.js';
import type { RequestContext } from './context.js';
import type { Refusal } from './errors.js';
import type { NodeKey } from './node.js';

/** A right of the viewer: to call a mutation, by the access rule that the mutation declares. */
interface Right<Row> {
  readonly mutation: string;
  /** What else refuses it, by the row: the same function that the mutation uses. */
  readonly refuse?: (
    context: RequestContext,
    row: Row,
  ) => Refusal | undefined | Promise<Refusal | undefined>;
  /** The input by which the rule decides. Default: the id of the row. */
  readonly input?: object;
}

interface Keyed {
  readonly id?: NodeKey;
}

type Rights<Row> = Readonly<Record<string, Right<Row>>>;

/** Makes the type of what the viewer may do. */
function rightsType<Row>(
  name: string,
  description: string,
  rights: Rights<Row>,
): ClassType<object> {
  @ObjectType(name, { description })
  class RightsType {}
  for (const [right, { mutation }] of Object.entries(rights)) {
    const about = `Whether the viewer may call \`${mutation}\`.`;
    Field(() => Boolean, { description: about })(RightsType.prototype, right);
    Access(anyone)(RightsType.prototype, right);
  }
  return RightsType;
}

/** Returns whether the viewer has each of some rights. */
async function decided<Row extends object>(
  schema: GraphQLSchema,
  context: RequestContext,
  row: Row,
  rights: Rights<Row>,
): Promise<Record<string, boolean>> {
  const mutations = schema.getMutationType()?.getFields() ?? {};
  const entries = Object.entries(rights).map(async ([right, { mutation, refuse, input }]) => {
    const field = mutations[mutation];
    if (!field) throw new Error(`There is no mutation ${mutation}.`);
    const rule = accessOf(field, 'Mutation') as RootRule;
    const refusal =
      (await rule(context, { input: input ?? { id: (row as Keyed).id } } as never)) ??
      (await refuse?.(context, row));
    return [right, !refusal] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the resolver of `viewerCan` of a type. */
export function viewerCanResolver<Row extends object>(
  type: string,
  node: ClassType<Row>,
  rights: Rights<Row>,
) {
  const Type = rightsType(`${type}Rights`, 'What the viewer may do with it.', rights);

  @Resolver(() => node)
  class ViewerCanResolver {
    @Access(anyone)
    @FieldResolver(() => Type, { description: 'What the viewer may do with it.' })
    viewerCan(
      @Ctx() context: RequestContext,
      @Root() row: object,
      @Info() { schema }: GraphQLResolveInfo,
    ): Promise<object> {
      return decided(schema, context, row as Row, rights);
    }
  }
  return ViewerCanResolver;
}

/** Returns the resolver of `can` of the viewer: rights to what concerns no row. */
export function canResolver<Viewer extends object>(
  viewer: ClassType<Viewer>,
  rights: Rights<object>,
) {
  const Type = rightsType(
    'ViewerRights',
    'What the viewer may do that concerns no object.',
    rights,
  );

  @Resolver(() => viewer)
  class CanResolver {
    @Access(anyone)
    @FieldResolver(() => Type, {
      description:
        'What the viewer may do that concerns no object. Of an object, its `viewerCan` says so.',
    })
    can(@Ctx() context: RequestContext, @Info() { schema }: GraphQLResolveInfo): Promise<object> {
      return decided(schema, context, {}, rights);
    }
  }
  return CanResolver;
}
