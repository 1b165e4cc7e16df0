import { Args, Ctx, FieldResolver, ID, Int, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg, RestDescription, Shared } from '../../../core/marks.js';
import { globalId } from '../../../core/node.js';
import { type Order, OrderBy } from '../../../core/ordering.js';
import type { Page } from '../../../core/paging.js';
import { payloadType } from '../../../core/payload.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { SiteSettings } from '../../site/site.types.js';
import { mayChangeTerm, mayCreateTerm, mayDeleteTerm, mayReadTerm } from './term.access.js';
import {
  CreateTermInput,
  DeleteTermInput,
  TermArgs,
  TermListArgs,
  UpdateTermInput,
} from './term.inputs.js';
import { createTerm, deleteTerm, termCounts, termsById, updateTerm } from './term.service.js';
import { Term, TermConnection } from './term.types.js';
import { listTerms, termList } from './term-list.service.js';

const CreateTermPayload = payloadType<{ term: Term }>('CreateTerm', {
  term: { type: () => Term, description: 'The new term.' },
});
const UpdateTermPayload = payloadType<{ term: Term }>('UpdateTerm', {
  term: { type: () => Term, description: 'The term as it is now.' },
});
const DeleteTermPayload = payloadType<{ deletedTermId: string; term: Term }>('DeleteTerm', {
  deletedTermId: { type: () => ID, description: 'Global id of the term that is gone.' },
  term: {
    type: () => Term,
    description: 'The term as it was. The terms below it are now below its `parent`.',
  },
});

@Resolver(() => Term)
export class TermResolver {
  @Access(anyone)
  @Rows(10)
  @Shared()
  @Query(() => TermConnection, {
    description:
      'Terms of a taxonomy, by name; 10 unless said otherwise. CURSOR_INVALID, PAGE_SIZES_BOTH, ' +
      'TOO_MANY, FORBIDDEN_CONTEXT.',
  })
  async terms(
    @Ctx() context: RequestContext,
    @Args(() => TermListArgs) args: TermListArgs,
    @OrderBy(termList) order: Order | null | undefined,
  ): Promise<Page<Term>> {
    return listTerms(context, args, order);
  }

  @Access(mayReadTerm)
  @Shared()
  @Query(() => Term, { description: 'One term. TERM_NOT_FOUND.' })
  async term(
    @Ctx() context: RequestContext,
    @Args(() => TermArgs) { id }: TermArgs,
  ): Promise<Term | undefined> {
    return context.loader(termsById).load(id);
  }

  @Access(mayCreateTerm)
  @Mutation(() => CreateTermPayload, {
    description: 'Makes a term. TERM_PARENT_INVALID, TERM_NAME_INVALID, FORBIDDEN_CREATE_TERM.',
  })
  async createTerm(
    @Ctx() context: RequestContext,
    @InputArg(CreateTermInput) input: CreateTermInput,
  ): Promise<{ term: Term }> {
    return { term: await createTerm(context, input) };
  }

  @Access(mayChangeTerm)
  @Mutation(() => UpdateTermPayload, {
    description:
      'Renames or moves a term. TERM_NOT_FOUND, FORBIDDEN_EDIT_TERM, TERM_PARENT_INVALID, ' +
      'TERM_NAME_INVALID.',
  })
  async updateTerm(
    @Ctx() context: RequestContext,
    @InputArg(UpdateTermInput) input: UpdateTermInput,
  ): Promise<{ term: Term }> {
    return { term: await updateTerm(context, input) };
  }

  @Access(mayDeleteTerm)
  @Mutation(() => DeleteTermPayload, {
    description: 'Deletes a term for good. TERM_NOT_FOUND, FORBIDDEN_EDIT_TERM, TERM_IN_USE.',
  })
  async deleteTerm(
    @Ctx() context: RequestContext,
    @InputArg(DeleteTermInput) input: DeleteTermInput,
  ): Promise<{ deletedTermId: string; term: Term }> {
    const term = await deleteTerm(context, input);
    return { deletedTermId: globalId('Term', term.id), term };
  }

  @Access(anyone)
  @FieldResolver(() => Term, {
    nullable: true,
    description: 'The term above it; null at the top and in flat taxonomies.',
  })
  async parent(
    @Ctx() context: RequestContext,
    @Root() { parentId }: Term,
  ): Promise<Term | undefined> {
    return parentId ? context.loader(termsById).load(parentId) : undefined;
  }

  @Access(anyone)
  @RestDescription('Number of published posts for the term.')
  @FieldResolver(() => Int, { description: 'How many published items bear the term.' })
  async count(@Ctx() context: RequestContext, @Root() { id }: Term): Promise<number> {
    return (await context.loader(termCounts).load(id)) ?? 0;
  }
}

/** The category of posts that are given none. It is here because `site` is below content. */
@Resolver(() => SiteSettings)
export class DefaultCategoryResolver {
  @Access(anyone)
  @FieldResolver(() => Term, {
    nullable: true,
    description: 'The category of posts that are given none. It cannot be deleted.',
  })
  async defaultCategory(
    @Ctx() context: RequestContext,
    @Root() { defaultCategoryId }: SiteSettings,
  ): Promise<Term | undefined> {
    return context.loader(termsById).load(defaultCategoryId);
  }
}
