import type { GraphQLResolveInfo } from 'graphql';
import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Int,
  Resolver,
  Root,
} from 'type-graphql';
import { Access, anyone, orDeleted } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { IdArg, InputArg, Internal } from '../../../core/marks.js';
import { globalId } from '../../../core/node.js';
import { payloadType } from '../../../core/payload.js';
import { POINTS, Points } from '../../../core/quota.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { PageNumber, PageSize } from '../../../core/scalars.js';
import { searchPoints } from '../../../core/search.js';
import { selectionOf } from '../../../core/selection.js';
import { Account } from '../../accounts/account.types.js';
import { writerOf } from '../author/author.service.js';
import { ItemKind } from '../content.enums.js';
import { readableItem } from '../item/item.service.js';
import { Item } from '../item/item.types.js';
import { ItemOrderInput } from '../item/item-list.inputs.js';
import { autosaveById, listAutosaves } from './autosave.service.js';
import {
  mayDeleteRevision,
  mayReadAutosaves,
  mayReadRevision,
  mayReadRevisions,
  mayRestoreRevision,
} from './revision.access.js';
import { DeleteRevisionInput, RestoreRevisionInput, RevisionFilter } from './revision.inputs.js';
import {
  deleteRevision,
  listRevisions,
  readableRevisions,
  restoreRevision,
  revisionById,
} from './revision.service.js';
import { Revision, RevisionList } from './revision.types.js';

// The arguments of the REST editions.

@ArgsType()
class ParentArgs {
  @Field(() => ItemKind, { description: 'The kind of the item.' })
  kind!: ItemKind;

  @Field(() => Int, { description: 'The ID for the parent of the revision.' })
  parent!: number;
}

@ArgsType()
class RevisionArgs extends ParentArgs {
  @Field(() => Int, { description: 'Unique identifier for the revision.' })
  id!: number;
}

@ArgsType()
class RevisionsArgs extends ParentArgs {
  @Field(() => PageSize, {
    nullable: true,
    description: 'Maximum number of items to be returned in result set. Default: all.',
  })
  first?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Offset the result set by a specific number of items; counts beside `first` alone.',
  })
  offset?: number | null;

  @Field(() => PageNumber, {
    nullable: true,
    description: 'Current page of the collection. Default 1.',
  })
  page?: number | null;

  @Field(() => ItemOrderInput, {
    nullable: true,
    description: 'How the revisions are ordered. Default: newest first.',
  })
  order?: ItemOrderInput | null;

  @Field(() => RevisionFilter, { nullable: true, description: 'Which revisions. Default: all.' })
  filter?: RevisionFilter | null;
}

/** What changed when a revision was deleted. */
const DeleteRevisionPayload = payloadType<object>('DeleteRevision', {
  deletedRevisionId: { type: () => ID, description: 'Global id that the revision had.' },
  item: { type: () => Item, nullable: true, description: 'The item that it was of.' },
  deleted: { type: () => Boolean, description: 'Always true.', internal: true },
  previous: { type: () => Revision, description: 'The revision as it was.', internal: true },
});

/** What `restoreRevision` changed. */
const RestoreRevisionPayload = payloadType<{ item: Item }>('RestoreRevision', {
  item: { type: () => Item, description: 'The item as it is now.' },
});

/** Root fields of revisions, and what a revision refers to. */
@Resolver(() => Revision)
export class RevisionResolver {
  @Access(mayReadRevision)
  @Query(() => Revision, {
    description: 'One revision or autosave. POST_NOT_FOUND, FORBIDDEN_READ.',
  })
  async revision(
    @Ctx() context: RequestContext,
    @IdArg('id', 'Revision', { description: 'The revision.' }) id: number,
  ): Promise<Revision | undefined> {
    return (await readableRevisions(context, [id]))[0];
  }

  @Access(mayRestoreRevision)
  @Mutation(() => RestoreRevisionPayload, {
    description:
      'Makes the texts of an item again what a revision or autosave has: title, content, excerpt ' +
      'and footnotes. The new state is kept as a revision, as after every change. POST_NOT_FOUND, ' +
      'FORBIDDEN_EDIT, CONFLICT, CONTENT_EMPTY.',
  })
  async restoreRevision(
    @Ctx() context: RequestContext,
    @InputArg(RestoreRevisionInput) input: RestoreRevisionInput,
  ): Promise<{ item: Item }> {
    return { item: await restoreRevision(context, input) };
  }

  @Access(orDeleted(mayDeleteRevision))
  @Mutation(() => DeleteRevisionPayload, {
    description: 'Deletes a revision or autosave for good. POST_NOT_FOUND, FORBIDDEN_DELETE.',
  })
  async deleteRevision(
    @Ctx() context: RequestContext,
    @InputArg(DeleteRevisionInput) input: DeleteRevisionInput,
  ): Promise<object> {
    const previous = await deleteRevision(context, input);
    const item = () => readableItem(context, previous.kind, previous.parentId);
    return { deletedRevisionId: globalId('Revision', input.id), item, deleted: true, previous };
  }

  @Access(anyone)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'Who saved it. Null when there is no such account any more.',
  })
  async author(
    @Ctx() context: RequestContext,
    @Root() { row }: Revision,
  ): Promise<Account | undefined> {
    return writerOf(context, row.authorId);
  }

  @Access(anyone)
  @FieldResolver(() => Item, { nullable: true, description: 'The item that it is of.' })
  async item(@Ctx() context: RequestContext, @Root() { row }: Revision): Promise<Item | undefined> {
    return readableItem(context, row.kind, row.itemId);
  }

  @Internal()
  @Access(mayReadRevisions)
  @Rows(100)
  @Points(({ filter }: RevisionsArgs) => POINTS.read + searchPoints(filter?.search))
  @Query(() => RevisionList, {
    nullable: false,
    description: 'Revisions and autosaves of an item.',
  })
  async revisions(
    @Ctx() context: RequestContext,
    @Args(() => RevisionsArgs) args: RevisionsArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RevisionList> {
    return listRevisions(context, args, selectionOf(info));
  }

  @Internal()
  @Access(mayReadRevisions)
  @Query(() => Revision, { nullable: false, description: 'One revision of an item.' })
  async revisionOf(
    @Ctx() context: RequestContext,
    @Args(() => RevisionArgs) { parent, id }: RevisionArgs,
  ): Promise<Revision> {
    return revisionById(context, parent, id);
  }

  @Internal()
  @Access(mayReadAutosaves)
  @Rows(100)
  @Query(() => [Revision], {
    nullable: false,
    description: 'The autosaves of an item, of all its editors.',
  })
  async autosaves(
    @Ctx() context: RequestContext,
    @Args(() => ParentArgs) { parent }: ParentArgs,
  ): Promise<Revision[]> {
    return listAutosaves(context, parent);
  }

  @Internal()
  @Access(mayReadRevisions)
  @Query(() => Revision, { nullable: false, description: 'One autosave of an item.' })
  async autosave(
    @Ctx() context: RequestContext,
    @Args(() => RevisionArgs) { parent, id }: RevisionArgs,
  ): Promise<Revision> {
    return autosaveById(context, parent, id);
  }
}
