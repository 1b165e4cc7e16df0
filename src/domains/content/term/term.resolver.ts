import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { PageNumber, PageSize } from '../../../core/scalars.js';
import { Taxonomy } from '../content.enums.js';
import { mayChangeTerm, mayCreateTerm, mayReadTerm } from './term.access.js';
import {
  CreateTermInput,
  DeleteTermInput,
  TermListFilter,
  UpdateTermInput,
} from './term.inputs.js';
import {
  createTerm,
  deleteTerm,
  listTerms,
  termCounts,
  termsById,
  updateTerm,
} from './term.service.js';
import { DeletedTerm, Term, TermConnection } from './term.types.js';

@ArgsType()
class TermArgs {
  @Field(() => Taxonomy, { description: 'The vocabulary that it belongs to.' })
  taxonomy!: Taxonomy;

  @Field(() => Int, { description: 'Unique identifier for the term.' })
  id!: number;
}

@ArgsType()
class TermsArgs {
  @Field(() => Taxonomy, { description: 'The vocabulary.' })
  taxonomy!: Taxonomy;

  @Field(() => PageSize, {
    nullable: true,
    description: 'Maximum number of items to be returned in result set. Default 10.',
  })
  first?: number | null;

  @Field(() => PageNumber, {
    nullable: true,
    description: 'Current page of the collection. Default 1.',
  })
  page?: number | null;

  @Field(() => TermListFilter, { nullable: true, description: 'Which terms. Default: all.' })
  filter?: TermListFilter | null;
}

@Resolver(() => Term)
export class TermResolver {
  @Access(anyone)
  @Rows(10)
  @Query(() => TermConnection, { description: 'Terms of a taxonomy, by name.' })
  async terms(
    @Ctx() context: RequestContext,
    @Args(() => TermsArgs) args: TermsArgs,
  ): Promise<TermConnection> {
    return listTerms(context, args);
  }

  @Access(mayReadTerm)
  @Query(() => Term, { nullable: true, description: 'One term. TERM_NOT_FOUND.' })
  async term(
    @Ctx() context: RequestContext,
    @Args(() => TermArgs) { id }: TermArgs,
  ): Promise<Term | undefined> {
    return context.loader(termsById).load(id);
  }

  @Access(mayCreateTerm)
  @Mutation(() => Term, {
    description: 'Makes a term. TERM_PARENT_INVALID, TERM_NAME_INVALID, FORBIDDEN_CREATE_TERM.',
  })
  async createTerm(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateTermInput, { description: 'The term to make.' })
    input: CreateTermInput,
  ): Promise<Term> {
    return createTerm(context, input);
  }

  @Access(mayChangeTerm)
  @Mutation(() => Term, {
    description:
      'Renames or moves a term. TERM_NOT_FOUND, FORBIDDEN_EDIT_TERM, TERM_PARENT_INVALID, ' +
      'TERM_NAME_INVALID.',
  })
  async updateTerm(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateTermInput, { description: 'What to change of which term.' })
    input: UpdateTermInput,
  ): Promise<Term> {
    return updateTerm(context, input);
  }

  @Access(mayChangeTerm)
  @Mutation(() => DeletedTerm, {
    description: 'Deletes a term for good. TERM_NOT_FOUND, FORBIDDEN_EDIT_TERM, TERM_IN_USE.',
  })
  async deleteTerm(
    @Ctx() context: RequestContext,
    @Arg('input', () => DeleteTermInput, { description: 'Which term.' }) input: DeleteTermInput,
  ): Promise<DeletedTerm> {
    return deleteTerm(context, input);
  }

  @Access(anyone)
  @FieldResolver(() => Int, { description: 'Number of published posts for the term.' })
  async count(@Ctx() context: RequestContext, @Root() { id }: Term): Promise<number> {
    return (await context.loader(termCounts).load(id)) ?? 0;
  }
}
