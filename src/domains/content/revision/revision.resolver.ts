import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
} from 'type-graphql';
import { Access } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { POINTS, Points } from '../../../core/quota.js';
import { PageNumber, PageSize } from '../../../core/scalars.js';
import { searchPoints } from '../../../core/search.js';
import { selectionOf } from '../../../core/selection.js';
import { ItemKind } from '../content.enums.js';
import { ItemOrderInput } from '../item/item-list.inputs.js';
import { autosaveById, listAutosaves } from './autosave.service.js';
import { mayDeleteRevision, mayReadAutosaves, mayReadRevisions } from './revision.access.js';
import { DeleteRevisionInput, RevisionFilter } from './revision.inputs.js';
import { deleteRevision, listRevisions, revisionById } from './revision.service.js';
import { DeletedRevision, Revision, RevisionConnection } from './revision.types.js';

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

@Resolver()
export class RevisionResolver {
  @Access(mayReadRevisions)
  @Rows(100)
  @Points(({ filter }: RevisionsArgs) => POINTS.read + searchPoints(filter?.search))
  @Query(() => RevisionConnection, {
    description:
      'Revisions and autosaves of an item. REVISION_PARENT_INVALID, FORBIDDEN_READ, REVISION_PAGE_OUT_OF_RANGE, ' +
      'REVISION_OFFSET_OUT_OF_RANGE, SEARCH_REQUIRED, INCLUDE_REQUIRED.',
  })
  async revisions(
    @Ctx() context: RequestContext,
    @Args(() => RevisionsArgs) args: RevisionsArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RevisionConnection> {
    return listRevisions(context, args, selectionOf(info));
  }

  @Access(mayReadRevisions)
  @Query(() => Revision, {
    description:
      'One revision. REVISION_PARENT_INVALID, FORBIDDEN_READ, POST_NOT_FOUND, ' +
      'REVISION_PARENT_MISMATCH.',
  })
  async revision(
    @Ctx() context: RequestContext,
    @Args(() => RevisionArgs) { parent, id }: RevisionArgs,
  ): Promise<Revision> {
    return revisionById(context, parent, id);
  }

  @Access(mayDeleteRevision)
  @Mutation(() => DeletedRevision, {
    description:
      'Deletes a revision for good. REVISION_PARENT_INVALID, FORBIDDEN_DELETE, POST_NOT_FOUND, ' +
      'TRASH_NOT_SUPPORTED.',
  })
  async deleteRevision(
    @Ctx() context: RequestContext,
    @Arg('input', () => DeleteRevisionInput, { description: 'Which revision.' })
    input: DeleteRevisionInput,
  ): Promise<DeletedRevision> {
    return deleteRevision(context, input);
  }

  @Access(mayReadAutosaves)
  @Rows(100)
  @Query(() => [Revision], {
    description:
      'The autosaves of an item, of all its editors. REVISION_PARENT_INVALID, FORBIDDEN_READ.',
  })
  async autosaves(
    @Ctx() context: RequestContext,
    @Args(() => ParentArgs) { parent }: ParentArgs,
  ): Promise<Revision[]> {
    return listAutosaves(context, parent);
  }

  @Access(mayReadRevisions)
  @Query(() => Revision, {
    description: 'One autosave of an item. REVISION_PARENT_INVALID, FORBIDDEN_READ, NO_AUTOSAVE.',
  })
  async autosave(
    @Ctx() context: RequestContext,
    @Args(() => RevisionArgs) { parent, id }: RevisionArgs,
  ): Promise<Revision> {
    return autosaveById(context, parent, id);
  }
}
