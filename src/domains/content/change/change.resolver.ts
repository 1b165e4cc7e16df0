import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { type Filter, FilterBy } from '../../../core/filtering.js';
import { InputArg } from '../../../core/marks.js';
import { type Order, OrderBy } from '../../../core/ordering.js';
import { PageArgs } from '../../../core/paging.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { accountsById } from '../../accounts/account.service.js';
import { Account } from '../../accounts/account.types.js';
import { View } from '../content.enums.js';
import { mayEditAny } from '../item/item.access.js';
import { anyItemById, readableItem } from '../item/item.service.js';
import { Item } from '../item/item.types.js';
import { editors } from '../item/item-part.types.js';
import { AnnounceEditingInput } from './change.inputs.js';
import {
  AnnounceEditingPayload,
  ContentChange,
  ContentChangeConnection,
  ContentEditor,
} from './change.types.js';
import { CONTENT_CHANGE_ORDERS, listContentChanges } from './change-list.service.js';
import { announceEditing, editorsByItem } from './editing.service.js';

/** What was changed of content, and who edits it. */
@Resolver(() => ContentChange)
class ContentChangeResolver {
  @Access(capable('edit_posts'))
  @Rows(20)
  @Query(() => ContentChangeConnection, {
    description:
      'What was done to posts, pages and healthcare items within 30 days, the latest first; 20 ' +
      'unless said otherwise. Editors see all of it, others what concerns the items that they ' +
      'wrote. The feed CONTENT tells when there is more, which may ' +
      'stand below what is known: an instant is up to two minutes older than the commit. Read the ' +
      'first page again, or `since` two minutes before the latest. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async contentChanges(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(CONTENT_CHANGE_ORDERS) order: Order | null | undefined,
    @FilterBy(CONTENT_CHANGE_ORDERS) filter: Filter | null | undefined,
  ): Promise<ContentChangeConnection> {
    return listContentChanges(context, page, order, filter);
  }

  @Access(mayEditAny)
  @Mutation(() => AnnounceEditingPayload, {
    description:
      'Tells the others that the viewer edits an item, or does so no more. Say it again every ' +
      'minute: who says nothing for two minutes, and types nothing, edits no more. It locks ' +
      'nothing; `version` keeps changes apart. POST_NOT_FOUND, FORBIDDEN_EDIT.',
  })
  async announceEditing(
    @Ctx() context: RequestContext,
    @InputArg(AnnounceEditingInput) input: AnnounceEditingInput,
  ): Promise<{ content: Item }> {
    const content = await anyItemById(context, input.id, { as: View.EDIT });
    await announceEditing(context, content.row, input);
    return { content };
  }

  @Access(anyone)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'Who did it. Null for the service itself, and when the account is gone.',
  })
  async by(
    @Ctx() context: RequestContext,
    @Root() { byId }: ContentChange,
  ): Promise<Account | undefined> {
    return byId ? context.loader(accountsById).load(byId) : undefined;
  }

  @Access(anyone)
  @FieldResolver(() => Item, {
    nullable: true,
    description: 'The item as it is now. Null when it is gone, or the viewer may not read it.',
  })
  async item(
    @Ctx() context: RequestContext,
    @Root() { kind, itemNumber }: ContentChange,
  ): Promise<Item | undefined> {
    return readableItem(context, kind, itemNumber);
  }
}

/** Who edits an item of content. */
@Resolver(() => Item)
class ItemEditorResolver {
  @Access(editors)
  @Rows(3)
  @FieldResolver(() => [ContentEditor], {
    nullable: true,
    description:
      'Who edits it now, the first first: who said so by `announceEditing` or typed something ' +
      'within two minutes. Null for who may not edit it.',
  })
  async editors(
    @Ctx() context: RequestContext,
    @Root() { row }: Item,
  ): Promise<ContentEditor[] | undefined> {
    return context.loader(editorsByItem).load(row.id);
  }
}

/** The account of who edits an item. */
@Resolver(() => ContentEditor)
class ContentEditorResolver {
  @Access(anyone)
  @FieldResolver(() => Account, { nullable: true, description: 'Who edits it.' })
  async account(
    @Ctx() context: RequestContext,
    @Root() { accountId }: ContentEditor,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(accountId);
  }
}

export const CONTENT_CHANGE_RESOLVERS = [
  ContentChangeResolver,
  ItemEditorResolver,
  ContentEditorResolver,
] as const;
