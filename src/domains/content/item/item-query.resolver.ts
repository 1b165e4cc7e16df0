import type { GraphQLResolveInfo } from 'graphql';
import { Args, ArgsType, type ClassType, Ctx, Field, Info, Resolver } from 'type-graphql';
import { Access } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { IdField, RestDescription, Shared } from '../../../core/marks.js';
import type { Page } from '../../../core/paging.js';
import { POINTS, Points } from '../../../core/quota.js';
import { Query } from '../../../core/root-fields.js';
import { searchPoints } from '../../../core/search.js';
import { selectionOf } from '../../../core/selection.js';
import { rulesOf } from './item.access.js';
import { FACES } from './item.faces.js';
import type { Kind } from './item.kinds.js';
import { itemById } from './item.service.js';
import type { Item } from './item.types.js';
import { ITEM_CLASSES, ITEM_CONNECTIONS } from './item-kinds.types.js';
import { type ContentOrder, FetchingArgs, ListArgs, type PageOrder } from './item-list.inputs.js';
import { listItems } from './item-list.service.js';

/** Returns the query of a list of one kind of content. Over 40 lines: it contains a class. */
export function listResolver(kind: Kind) {
  const { many, what, filter, order } = FACES[kind];
  const rules = rulesOf(kind);

  @ArgsType()
  class FilteredArgs extends ListArgs {
    @Field(() => filter, {
      nullable: true,
      description: `Which ${what}s. Default: all that are published.`,
    })
    filter?: object | null;

    @Field(() => order, {
      nullable: true,
      description: 'How they are ordered. Default: by PUBLISHED_AT, the newest first.',
    })
    orderBy?: ContentOrder | PageOrder | null;
  }

  @Resolver()
  class ItemListResolver {
    @Access(rules.list)
    @Rows(10)
    @Points(
      ({ filter }: { filter?: { search?: string | null } | null }) =>
        POINTS.read + searchPoints(filter?.search),
    )
    @Shared()
    @Query(() => ITEM_CONNECTIONS[kind], {
      name: many,
      description:
        `A list of ${what}s that the viewer may read. FORBIDDEN_STATUS, SEARCH_REQUIRED, ` +
        'TOO_MANY, CURSOR_INVALID, PAGE_SIZES_BOTH.',
    })
    async list(
      @Ctx() context: RequestContext,
      @Args(() => FilteredArgs) args: FilteredArgs,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Page<Item>> {
      return listItems(context, kind, args, selectionOf(info));
    }
  }
  return ItemListResolver;
}

/** Returns the query of one item of a kind. */
export function itemResolver(kind: Kind) {
  const { one, name, what } = FACES[kind];
  const node = ITEM_CLASSES[kind] as ClassType<Item>;
  const rules = rulesOf(kind);

  @ArgsType()
  class ItemArgs extends FetchingArgs {
    @RestDescription('Unique identifier for the post.')
    @IdField(name, { description: `The ${what}.` })
    id!: number;
  }

  @Resolver(() => node)
  class ItemResolver {
    @Access(rules.read)
    @Shared()
    @Query(() => node, {
      name: one,
      description: `One ${what}. POST_NOT_FOUND, FORBIDDEN, POST_PASSWORD_WRONG.`,
    })
    async read(
      @Ctx() context: RequestContext,
      @Args(() => ItemArgs) { id, ...fetching }: ItemArgs,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Item> {
      return itemById(context, kind, id, fetching, selectionOf(info));
    }
  }
  return ItemResolver;
}
