import type { RootRule } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import type { Viewer } from '../../../core/viewer.js';
import type { Taxonomy } from '../content.enums.js';
import type { TermArgs } from './term.inputs.js';
import { termsById } from './term.service.js';
import { HIERARCHICAL } from './term.types.js';

const NOT_FOUND: Refusal = { reason: 'TERM_NOT_FOUND', message: 'Term does not exist.' };
const FORBIDDEN_CREATE: Refusal = {
  reason: 'FORBIDDEN_CREATE_TERM',
  message: 'Sorry, you are not allowed to create terms in this taxonomy.',
};
const FORBIDDEN_EDIT: Refusal = {
  reason: 'FORBIDDEN_EDIT_TERM',
  message: 'Sorry, you are not allowed to edit this term.',
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

/** Whoever manages categories changes and deletes terms. */
export const mayChangeTerm: RootRule = async (
  context: RequestContext,
  { input }: { input: { id: number } },
) => {
  if (!(await context.loader(termsById).load(input.id))) return NOT_FOUND;
  return managesTerms(context.viewer) ? undefined : FORBIDDEN_EDIT;
};

/** A term is everyone's to read; with a taxonomy, under its own one. */
export const mayReadTerm: RootRule = async (
  context: RequestContext,
  { taxonomy, id }: TermArgs,
) => {
  const term = await context.loader(termsById).load(id);
  return term && (!taxonomy || term.taxonomy === taxonomy) ? undefined : NOT_FOUND;
};

const managesTerms = (viewer: Viewer) => viewer.can('manage_categories');
