import type { GraphQLResolveInfo } from 'graphql';
import { Args, ArgsType, Ctx, Field, Info, Resolver } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { IdField, Shared } from '../../../core/marks.js';
import { type Page, PageArgs } from '../../../core/paging.js';
import { POINTS, Points } from '../../../core/quota.js';
import { Query } from '../../../core/root-fields.js';
import { SearchText, Secret } from '../../../core/scalars.js';
import { searchPoints } from '../../../core/search.js';
import { selectionOf } from '../../../core/selection.js';
import { ItemKind } from '../content.enums.js';
import { mayReadAny } from './item.access.js';
import { anyItemById } from './item.service.js';
import { Item } from './item.types.js';
import { ContentItemConnection } from './item-kinds.types.js';
import { ContentOrder } from './item-list.inputs.js';
import { searchItems } from './item-list.service.js';

@ArgsType()
class ContentArgs {
  @IdField(['Post', 'Page', 'HealthcareItem'], { description: 'A post, page or healthcare item.' })
  id!: number;

  @Field(() => Secret, {
    nullable: true,
    description: 'The password that protects it. POST_PASSWORD_WRONG.',
  })
  password?: string | null;
}

@ArgsType()
class SearchArgs extends PageArgs {
  @Field(() => SearchText, {
    description: 'What the texts contain: all words, "quoted phrases" as one, no -words.',
  })
  query!: string;

  @Field(() => [ItemKind], { nullable: true, description: 'Which kinds. Default: all.' })
  kinds?: ItemKind[] | null;

  @Field(() => ContentOrder, {
    nullable: true,
    description: 'How they are ordered. Default: by RELEVANCE.',
  })
  orderBy?: ContentOrder | null;
}

/** Root fields of content of any kind. */
@Resolver()
export class ContentResolver {
  @Access(mayReadAny)
  @Shared()
  @Query(() => Item, {
    description: 'One item of content of any kind. POST_NOT_FOUND, FORBIDDEN, POST_PASSWORD_WRONG.',
  })
  async content(
    @Ctx() context: RequestContext,
    @Args(() => ContentArgs) { id, password }: ContentArgs,
  ): Promise<Item> {
    return anyItemById(context, id, { password: password ?? null });
  }

  @Access(anyone)
  @Rows(10)
  @Points(({ query }: { query: string }) => POINTS.read + searchPoints(query))
  @Shared()
  @Query(() => ContentItemConnection, {
    description:
      'What is published and has these words in title, content or excerpt, the best match first ' +
      'unless `orderBy` says otherwise; 10 items unless said otherwise. SEARCH_REQUIRED, CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async search(
    @Ctx() context: RequestContext,
    @Args(() => SearchArgs) args: SearchArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<Item>> {
    return searchItems(context, args, selectionOf(info));
  }
}
