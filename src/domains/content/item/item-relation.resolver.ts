import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows, WEIGHTS, Weight, WeightAbove } from '../../../core/cost.js';
import { type Page as ListPage, PageArgs, windowOf } from '../../../core/paging.js';
import { selectionOf } from '../../../core/selection.js';
import { Account } from '../../accounts/account.types.js';
import { writerOf } from '../author/author.service.js';
import { Taxonomy } from '../content.enums.js';
import { mediaById } from '../media/media.service.js';
import { Media } from '../media/media.types.js';
import { USUAL_WORDS } from '../rendering/excerpt.js';
import { ownAutosaves } from '../revision/autosave.service.js';
import { Revision, RevisionConnection, readsContent } from '../revision/revision.types.js';
import { REVISION_ORDER, revisionPages } from '../revision/revision-list.service.js';
import { termsByItem } from '../term/term.service.js';
import { Term } from '../term/term.types.js';
import { Article } from './article.types.js';
import { excerptOf, parentOf } from './item.service.js';
import { Item } from './item.types.js';
import { HealthcareItem, Page, Post } from './item-kinds.types.js';
import { editors } from './item-part.types.js';

/** Returns the terms of an item, by name, of one taxonomy or of all. */
async function termsOf(
  context: RequestContext,
  { row }: Item,
  taxonomy?: Taxonomy | null,
): Promise<Term[]> {
  const terms = (await context.loader(termsByItem).load(row.id)) ?? [];
  return taxonomy ? terms.filter((term) => term.taxonomy === taxonomy) : terms;
}

/** What every kind of content refers to. */
@Resolver(() => Item)
export class ItemRelationResolver {
  @Access(editors)
  @FieldResolver(() => Revision, {
    nullable: true,
    description:
      'What the viewer typed and did not save into the item. Null when there is nothing, and for ' +
      'who may not edit the item.',
  })
  async autosave(
    @Ctx() context: RequestContext,
    @Root() { row }: Item,
  ): Promise<Revision | undefined> {
    return context.loader(ownAutosaves).load(row.id);
  }

  @Access(anyone)
  @FieldResolver(() => Media, {
    nullable: true,
    description:
      'The image that stands for it. Null when there is none, and when the viewer may not see it.',
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
    description: 'The terms that it is filed under, by name; of one vocabulary, or of all.',
  })
  async terms(
    @Ctx() context: RequestContext,
    @Root() item: Item,
    @Arg('taxonomy', () => Taxonomy, {
      nullable: true,
      description: 'Only terms of this vocabulary.',
    })
    taxonomy?: Taxonomy | null,
  ): Promise<Term[]> {
    return termsOf(context, item, taxonomy);
  }
}

/** What articles have beyond other content. */
@Resolver(() => Article)
export class ArticleResolver {
  @Access(anyone)
  @Weight(WEIGHTS.excerpt)
  @WeightAbove('words', USUAL_WORDS, WEIGHTS.renderedWords)
  @FieldResolver(() => String, {
    description:
      'Excerpt, as HTML: the one that was written, or else the first words of the content. Empty ' +
      'while a password protects it from a viewer who may not edit the item.',
  })
  async excerpt(
    @Ctx() context: RequestContext,
    @Root() article: Article,
    @Arg('words', () => Int, {
      nullable: true,
      description: 'So many words at most when it is made of the content, up to 1,000. Default 55.',
    })
    words?: number | null,
  ): Promise<string> {
    return excerptOf(context, article, words ?? USUAL_WORDS);
  }

  @Access(anyone)
  @FieldResolver(() => Account, { nullable: true, description: 'Who wrote it.' })
  async author(
    @Ctx() context: RequestContext,
    @Root() { row }: Article,
  ): Promise<Account | undefined> {
    return writerOf(context, row.authorId);
  }

  @Access(editors)
  @Rows(10)
  @FieldResolver(() => RevisionConnection, {
    nullable: true,
    description:
      'Its former states and the autosaves of its editors, newest first; 10 unless said ' +
      'otherwise. Null for who may not edit it. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async revisions(
    @Ctx() context: RequestContext,
    @Root() { row }: Article,
    @Args(() => PageArgs) args: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ListPage<Revision> | undefined> {
    const window = windowOf(args, 'revisions', REVISION_ORDER, 10);
    return context
      .loader(revisionPages)
      .load({ row, window, withContent: readsContent(selectionOf(info)) });
  }
}

/** The terms of a post, by vocabulary. */
@Resolver(() => Post)
export class PostTermResolver {
  @Access(anyone)
  @Rows(10)
  @FieldResolver(() => [Term], { description: 'Its categories, by name.' })
  async categories(@Ctx() context: RequestContext, @Root() post: Post): Promise<Term[]> {
    return termsOf(context, post, Taxonomy.CATEGORY);
  }

  @Access(anyone)
  @Rows(10)
  @FieldResolver(() => [Term], { description: 'Its tags, by name.' })
  async tags(@Ctx() context: RequestContext, @Root() post: Post): Promise<Term[]> {
    return termsOf(context, post, Taxonomy.TAG);
  }
}

/** The terms of a healthcare item, by vocabulary. */
@Resolver(() => HealthcareItem)
export class HealthcareTermResolver {
  @Access(anyone)
  @Rows(10)
  @FieldResolver(() => [Term], { description: 'Its categories, by name.' })
  async healthcareCategories(
    @Ctx() context: RequestContext,
    @Root() item: HealthcareItem,
  ): Promise<Term[]> {
    return termsOf(context, item, Taxonomy.HEALTHCARE_CATEGORY);
  }

  @Access(anyone)
  @Rows(10)
  @FieldResolver(() => [Term], { description: 'The languages that it is in, by name.' })
  async languages(@Ctx() context: RequestContext, @Root() item: HealthcareItem): Promise<Term[]> {
    return termsOf(context, item, Taxonomy.LANGUAGE);
  }

  @Access(anyone)
  @Rows(10)
  @FieldResolver(() => [Term], { description: 'The locations that it is about, by name.' })
  async locations(@Ctx() context: RequestContext, @Root() item: HealthcareItem): Promise<Term[]> {
    return termsOf(context, item, Taxonomy.LOCATION);
  }

  @Access(anyone)
  @Rows(10)
  @FieldResolver(() => [Term], { description: 'The fields of medicine that it is about, by name.' })
  async therapeuticAreas(
    @Ctx() context: RequestContext,
    @Root() item: HealthcareItem,
  ): Promise<Term[]> {
    return termsOf(context, item, Taxonomy.THERAPEUTIC_AREA);
  }
}

/** The page above a page. */
@Resolver(() => Page)
export class ParentResolver {
  @Access(anyone)
  @FieldResolver(() => Page, {
    nullable: true,
    description: 'The page above. Null at the top, and when the viewer may not read it.',
  })
  async parent(@Ctx() context: RequestContext, @Root() page: Page): Promise<Item | undefined> {
    return parentOf(context, page);
  }
}
