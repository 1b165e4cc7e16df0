import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  ArgsType,
  type ClassType,
  Ctx,
  Field,
  FieldResolver,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows, WEIGHTS, WeightAbove } from '../../../core/cost.js';
import { Judge, refusalsOf } from '../../../core/judgement.js';
import { POINTS, Points } from '../../../core/quota.js';
import { Cursor, PageNumber, PageSize, Secret } from '../../../core/scalars.js';
import { searchPoints } from '../../../core/search.js';
import { selectionOf } from '../../../core/selection.js';
import { accountsById } from '../../accounts/account.service.js';
import { Account } from '../../accounts/account.types.js';
import { Taxonomy, View } from '../content.enums.js';
import { mediaById } from '../media/media.service.js';
import { Media } from '../media/media.types.js';
import { USUAL_WORDS } from '../rendering/excerpt.js';
import { autosave, ownAutosaves } from '../revision/autosave.service.js';
import { newestRevisions } from '../revision/revision.service.js';
import { Revision } from '../revision/revision.types.js';
import { termsByItem } from '../term/term.service.js';
import { Term } from '../term/term.types.js';
import { rulesOf } from './item.access.js';
import {
  CreateHealthcareInput,
  CreatePageInput,
  CreatePostInput,
  DeleteItemInput,
  HealthcareFilter,
  type ItemChanges,
  ItemOrderInput,
  PageFilter,
  PostFilter,
  UpdateHealthcareInput,
  UpdatePageInput,
  UpdatePostInput,
} from './item.inputs.js';
import type { Kind } from './item.kinds.js';
import { type Connection, RESULTS } from './item.results.js';
import { itemById, listItems, parentOf } from './item.service.js';
import { editors, ITEM_CLASSES, type Item, Page, type WrittenItem } from './item.types.js';
import { createItem, deleteItem, refuseTemplate, updateItem } from './item-write.service.js';

@ArgsType()
class FetchingArgs {
  @Field(() => View, {
    nullable: true,
    description:
      'Scope under which the request is made; determines fields present in response. Default VIEW.',
  })
  as?: View | null;

  @Field(() => Secret, {
    nullable: true,
    description: 'The password for the post if it is password protected.',
  })
  password?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Words of an automatic excerpt, at most 1,000. Default 55.',
  })
  excerptLength?: number | null;
}

@ArgsType()
class ItemArgs extends FetchingArgs {
  @Field(() => Int, { description: 'Unique identifier for the post.' })
  id!: number;
}

@ArgsType()
class ListArgs extends FetchingArgs {
  @Field(() => PageSize, {
    nullable: true,
    description: 'Maximum number of items to be returned in result set. Default 10.',
  })
  first?: number | null;

  @Field(() => Cursor, {
    nullable: true,
    description: 'Go on behind this cursor; `offset` and `page` do not count beside it.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Offset the result set by a specific number of items.',
  })
  offset?: number | null;

  @Field(() => PageNumber, {
    nullable: true,
    description: 'Current page of the collection. Default 1.',
  })
  page?: number | null;

  @Field(() => ItemOrderInput, {
    nullable: true,
    description: 'How the items are ordered. Default: newest first.',
  })
  order?: ItemOrderInput | null;
}

/** The names and inputs of one kind of content in the schema. */
interface Face {
  readonly one: string;
  readonly many: string;
  /** What mutations end in: createPost. */
  readonly name: string;
  readonly filter: ClassType<object>;
  readonly create: ClassType<object>;
  readonly update: ClassType<{ id: number }>;
}

const FACES: Readonly<Record<Kind, Face>> = {
  post: {
    one: 'post',
    many: 'posts',
    name: 'Post',
    filter: PostFilter,
    create: CreatePostInput,
    update: UpdatePostInput,
  },
  page: {
    one: 'page',
    many: 'pages',
    name: 'Page',
    filter: PageFilter,
    create: CreatePageInput,
    update: UpdatePageInput,
  },
  healthcare: {
    one: 'healthcareItem',
    many: 'healthcareItems',
    name: 'HealthcareItem',
    filter: HealthcareFilter,
    create: CreateHealthcareInput,
    update: UpdateHealthcareInput,
  },
};

const WRITING =
  'FORBIDDEN_EDIT_OTHERS, FORBIDDEN_STICKY, FORBIDDEN_PUBLISH, AUTHOR_INVALID, ' +
  'TEMPLATE_UNKNOWN, PARENT_INVALID, FIELD_INVALID, META_INVALID, CONTENT_EMPTY';

/** TEMPLATE_UNKNOWN. */
const JudgeItem = () =>
  Judge((_context: RequestContext, { input }: { input: ItemChanges }) =>
    refusalsOf(() => refuseTemplate(input)),
  );

/** The queries and mutations of one kind of content, which differ in names and inputs alone. */
function itemResolver(kind: Kind) {
  const { one, many, name, filter, create, update } = FACES[kind];
  const node = ITEM_CLASSES[kind] as ClassType<Item>;
  const { connection, deletion } = RESULTS[kind];
  const rules = rulesOf(kind);

  @ArgsType()
  class FilteredArgs extends ListArgs {
    @Field(() => filter, {
      nullable: true,
      description: 'Which items. Default: all that are published.',
    })
    filter?: object | null;
  }

  @Resolver(() => node)
  class ItemResolver {
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

    @Access(rules.create)
    @JudgeItem()
    @Mutation(() => node, {
      name: `create${name}`,
      description: `Makes an item. FORBIDDEN_CREATE, ${WRITING}.`,
    })
    async create(
      @Ctx() context: RequestContext,
      @Arg('input', () => create, { description: 'The item to make.' }) input: object,
    ): Promise<Item> {
      return createItem(context, kind, input);
    }

    @Access(rules.update)
    @JudgeItem()
    @Mutation(() => node, {
      name: `update${name}`,
      description: `Changes what is given of an item and keeps a revision. POST_NOT_FOUND, FORBIDDEN_EDIT, CONFLICT, ${WRITING}.`,
    })
    async update(
      @Ctx() context: RequestContext,
      @Arg('input', () => update, { description: 'What to change of which item.' }) input: {
        id: number;
      },
    ): Promise<Item> {
      return updateItem(context, kind, input);
    }

    @Access(rules.update)
    @JudgeItem()
    @Mutation(() => Revision, {
      name: `autosave${name}`,
      description:
        'Saves what is being typed: into the item when it is the own draft, else beside it. ' +
        'POST_NOT_FOUND, FORBIDDEN_EDIT.',
    })
    async autosave(
      @Ctx() context: RequestContext,
      @Arg('input', () => update, { description: 'What is being typed into which item.' }) input: {
        id: number;
      },
    ): Promise<Revision> {
      return autosave(context, kind, input);
    }

    @Access(rules.delete)
    @Mutation(() => deletion, {
      name: `delete${name}`,
      description:
        'Moves an item to the bin, or with `force` deletes it for good. POST_NOT_FOUND, ' +
        'FORBIDDEN_DELETE, ALREADY_TRASHED.',
    })
    async delete(
      @Ctx() context: RequestContext,
      @Arg('input', () => DeleteItemInput, { description: 'Which item, and how.' })
      input: DeleteItemInput,
    ): Promise<object> {
      return deleteItem(context, kind, input);
    }

    @Access(editors)
    @FieldResolver(() => Revision, {
      nullable: true,
      description:
        'What the caller typed and did not save into the item; null when there is nothing. ' +
        'FORBIDDEN for who may not edit.',
    })
    async ownAutosave(
      @Ctx() context: RequestContext,
      @Root() { row }: Item,
    ): Promise<Revision | undefined> {
      return context.loader(ownAutosaves).load(row.id);
    }

    @Access(anyone)
    @FieldResolver(() => Media, {
      nullable: true,
      description:
        'The featured medium; null when there is none, and when the caller may not see it.',
    })
    async featuredMedia(
      @Ctx() context: RequestContext,
      @Root() { row }: Item,
    ): Promise<Media | undefined> {
      return row.featuredMediaId ? context.loader(mediaById).load(row.featuredMediaId) : undefined;
    }

    @Access(anyone)
    @Rows(10)
    @FieldResolver(() => [Term], {
      description: 'The terms assigned to the item, by name; of one taxonomy, or of all.',
    })
    async terms(
      @Ctx() context: RequestContext,
      @Root() { row }: Item,
      @Arg('taxonomy', () => Taxonomy, {
        nullable: true,
        description: 'Only terms of this taxonomy.',
      })
      taxonomy?: Taxonomy | null,
    ): Promise<Term[]> {
      const terms = (await context.loader(termsByItem).load(row.id)) ?? [];
      return taxonomy ? terms.filter((term) => term.taxonomy === taxonomy) : terms;
    }
  }
  return ItemResolver;
}

/** The author, of what has one. */
function authorResolver(node: ClassType<WrittenItem>) {
  @Resolver(() => node)
  class AuthorResolver {
    @Access(anyone)
    @FieldResolver(() => Account, { nullable: true, description: 'The author of the item.' })
    async author(
      @Ctx() context: RequestContext,
      @Root() { row }: WrittenItem,
    ): Promise<Account | undefined> {
      return context.loader(accountsById).load(row.authorId);
    }
  }
  return AuthorResolver;
}

/** What was saved of an item, of what keeps revisions: for those who may edit it. */
function historyResolver(node: ClassType<WrittenItem>) {
  @Resolver(() => node)
  class HistoryResolver {
    @Access(editors)
    @Rows(10)
    @FieldResolver(() => [Revision], {
      nullable: true,
      description:
        'The newest revisions and autosaves; `revisionCount` says how many there are. ' +
        'FORBIDDEN for who may not edit.',
    })
    async newestRevisions(
      @Ctx() context: RequestContext,
      @Root() { row }: WrittenItem,
      @Arg('first', () => PageSize, {
        nullable: true,
        description: 'How many at most. Default 10.',
      })
      first?: number | null,
    ): Promise<Revision[] | undefined> {
      return context.loader(newestRevisions(first ?? 10)).load(row.id);
    }
  }
  return HistoryResolver;
}

@Resolver(() => Page)
class ParentResolver {
  @Access(anyone)
  @FieldResolver(() => Page, {
    nullable: true,
    description: 'The page above; null at the top, and when the caller may not read it.',
  })
  async parent(@Ctx() context: RequestContext, @Root() page: Page): Promise<Item | undefined> {
    return parentOf(context, page);
  }
}

export const ITEM_RESOLVERS = [
  itemResolver('post'),
  itemResolver('page'),
  itemResolver('healthcare'),
  authorResolver(ITEM_CLASSES.post),
  authorResolver(ITEM_CLASSES.page),
  historyResolver(ITEM_CLASSES.post),
  historyResolver(ITEM_CLASSES.page),
  ParentResolver,
] as const;
