import { Arg, type ClassType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { PageSize } from '../../../core/scalars.js';
import { accountsById } from '../../accounts/account.service.js';
import { Account } from '../../accounts/account.types.js';
import { Taxonomy } from '../content.enums.js';
import { mediaById } from '../media/media.service.js';
import { Media } from '../media/media.types.js';
import { ownAutosaves } from '../revision/autosave.service.js';
import { newestRevisions } from '../revision/revision.service.js';
import { Revision } from '../revision/revision.types.js';
import { termsByItem } from '../term/term.service.js';
import { Term } from '../term/term.types.js';
import { parentOf } from './item.service.js';
import type { Item, WrittenItem } from './item.types.js';
import { Page } from './item-kinds.types.js';
import { editors } from './item-part.types.js';

/** What every kind of content refers to. */
export function relationResolver(node: ClassType<Item>) {
  @Resolver(() => node)
  class ItemRelationResolver {
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
  return ItemRelationResolver;
}

/** The author, for kinds that have one. */
export function authorResolver(node: ClassType<WrittenItem>) {
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

/** The revisions, for kinds that keep them. Those who may edit an item see them. */
export function historyResolver(node: ClassType<WrittenItem>) {
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

/** The page above a page. */
@Resolver(() => Page)
export class ParentResolver {
  @Access(anyone)
  @FieldResolver(() => Page, {
    nullable: true,
    description: 'The page above; null at the top, and when the caller may not read it.',
  })
  async parent(@Ctx() context: RequestContext, @Root() page: Page): Promise<Item | undefined> {
    return parentOf(context, page);
  }
}
