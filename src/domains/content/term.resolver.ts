import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Access, type RootRule } from '../../access.js';
import type { RequestContext } from '../../context.js';
import { CreateTermInput } from './term.inputs.js';
import { createTerm } from './term.service.js';
import { HIERARCHICAL, Term } from './term.types.js';

/** Flat taxonomies grow by everyone who writes; hierarchical ones by those who manage categories. */
const mayCreate: RootRule = ({ viewer }: RequestContext, { input }: { input: CreateTermInput }) =>
  viewer.can(HIERARCHICAL.has(input.taxonomy) ? 'manage_categories' : 'edit_posts')
    ? undefined
    : { reason: 'FORBIDDEN_CREATE_TERM', message: 'Sorry, you are not allowed to create terms in this taxonomy.' };

@Resolver()
export class TermResolver {
  @Access(mayCreate)
  @Mutation(() => Term, { description: 'Makes a term. TERM_PARENT_INVALID, TERM_NAME_INVALID, FORBIDDEN_CREATE_TERM.' })
  async createTerm(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateTermInput, { description: 'The term to make.' }) input: CreateTermInput,
  ): Promise<Term> {
    return createTerm(context, input);
  }
}
