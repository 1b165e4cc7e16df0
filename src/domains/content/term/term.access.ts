import type { RootRule } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import type { Taxonomy } from '../content.enums.js';
import type { TermArgs } from './term.inputs.js';
import { refusalOfTermChange, termNotFound, termsById } from './term.service.js';
import { HIERARCHICAL } from './term.types.js';

const NOT_FOUND = termNotFound().refusal;
const FORBIDDEN_CREATE: Refusal = {
  reason: 'FORBIDDEN_CREATE_TERM',
  message: 'Sorry, you are not allowed to create terms in this taxonomy.',
};

/**
 * Everyone who writes may add terms to flat taxonomies. Terms of hierarchical ones, and all
 * changes, are for those who manage categories.
 */
export const mayCreateTerm: RootRule = (
  { viewer }: RequestContext,
  { input }: { input: { taxonomy: Taxonomy } },
) =>
  viewer.can(HIERARCHICAL.has(input.taxonomy) ? 'manage_categories' : 'edit_posts')
    ? undefined
    : FORBIDDEN_CREATE;

/**
 * Whoever manages categories deletes terms. That the term exists is for the service to see: a
 * deletion that is sent again is answered without it.
 */
export const mayDeleteTerm: RootRule = async (context: RequestContext, { input }: OfTerm) =>
  refusalOfTermChange(context.viewer) && refusalOfChange(context, input.id);

/** Whoever manages categories changes terms. */
export const mayChangeTerm: RootRule = (context: RequestContext, { input }: OfTerm) =>
  refusalOfChange(context, input.id);

interface OfTerm {
  readonly input: { readonly id: number };
}

async function refusalOfChange(context: RequestContext, id: number): Promise<Refusal | undefined> {
  if (!(await context.loader(termsById).load(id))) return NOT_FOUND;
  return refusalOfTermChange(context.viewer);
}

/** A term is everyone's to read; with a taxonomy, under its own one. */
export const mayReadTerm: RootRule = async (
  context: RequestContext,
  { taxonomy, id }: TermArgs,
) => {
  const term = await context.loader(termsById).load(id);
  return term && (!taxonomy || term.taxonomy === taxonomy) ? undefined : NOT_FOUND;
};
