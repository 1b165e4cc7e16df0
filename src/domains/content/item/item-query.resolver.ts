import type { GraphQLResolveInfo } from 'graphql';
import { Args, ArgsType, type ClassType, Ctx, Field, Info, Query, Resolver } from 'type-graphql';
import { Access } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows, WEIGHTS, WeightAbove } from '../../../core/cost.js';
import { POINTS, Points } from '../../../core/quota.js';
import { searchPoints } from '../../../core/search.js';
import { selectionOf } from '../../../core/selection.js';
import { USUAL_WORDS } from '../rendering/excerpt.js';
import { rulesOf } from './item.access.js';
import { FACES } from './item.faces.js';
import type { Kind } from './item.kinds.js';
import { type Connection, RESULTS } from './item.results.js';
import { itemById } from './item.service.js';
import type { Item } from './item.types.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import { ItemArgs, ListArgs } from './item-list.inputs.js';
import { listItems } from './item-list.service.js';

/** The query of a list of one kind of content. */
export function listResolver(kind: Kind) {
  const { many, filter } = FACES[kind];
  const { connection } = RESULTS[kind];
  const rules = rulesOf(kind);

  @ArgsType()
  class FilteredArgs extends ListArgs {
    @Field(() => filter, {
      nullable: true,
      description: 'Which items. Default: all that are published.',
    })
    filter?: object | null;
  }

  @Resolver()
  class ItemListResolver {
    @Access(rules.list)
    @Rows(10)
    @Points(
      ({ filter }: { filter?: { search?: string | null } | null }) =>
        POINTS.read + searchPoints(filter?.search),
    )
    @WeightAbove('excerptLength', USUAL_WORDS, WEIGHTS.renderedWords)
    @Query(() => connection, {
      name: many,
      description:
        'A list. FORBIDDEN_CONTEXT, FORBIDDEN_STATUS, PAGE_OUT_OF_RANGE, SEARCH_REQUIRED, ' +
        'INCLUDE_REQUIRED, CURSOR_INVALID.',
    })
    async list(
      @Ctx() context: RequestContext,
      @Args(() => FilteredArgs) args: FilteredArgs,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Connection<Item>> {
      return listItems(context, kind, args, selectionOf(info));
    }
  }
  return ItemListResolver;
}

/** The query of one item of a kind. */
export function itemResolver(kind: Kind) {
  const { one } = FACES[kind];
  const node = ITEM_CLASSES[kind] as ClassType<Item>;
  const rules = rulesOf(kind);

  @Resolver(() => node)
  class ItemResolver {
    @Access(rules.read)
    @WeightAbove('excerptLength', USUAL_WORDS, WEIGHTS.renderedWords)
    @Query(() => node, {
      name: one,
      description: 'One item. POST_NOT_FOUND, FORBIDDEN, FORBIDDEN_CONTEXT, POST_PASSWORD_WRONG.',
    })
    async read(
      @Ctx() context: RequestContext,
      @Args(() => ItemArgs) { id, ...fetching }: ItemArgs,
    ): Promise<Item> {
      return itemById(context, kind, id, fetching);
    }
  }
  return ItemResolver;
}
