import type { ClassType } from 'type-graphql';
import { bySession, capable, signedIn } from '../../core/access.js';
import { bulkResolver } from '../../core/bulk.js';
import type { RequestContext } from '../../core/context.js';
import { IdField } from '../../core/marks.js';
import type { Selection } from '../../core/selection.js';
import { accountsById } from '../../domains/accounts/account.service.js';
import { Account } from '../../domains/accounts/account.types.js';
import { ASSIGNMENT_END, assignmentTo } from '../../domains/care/care-assignment.service.js';
import { FACES } from '../../domains/content/item/item.faces.js';
import { KINDS, type Kind } from '../../domains/content/item/item.kinds.js';
import { itemsShown } from '../../domains/content/item/item.service.js';
import { ITEM_CLASSES } from '../../domains/content/item/item-kinds.types.js';
import { ITEM_VERBS } from '../../domains/content/item/item-verb.service.js';
import { MEDIA_DELETION } from '../../domains/content/media/media.service.js';
import { TERM_DELETION } from '../../domains/content/term/term.service.js';
import { SUBMISSION_DELETION } from '../../domains/forms/submission-list.service.js';
import { MODEL_ITEM_DELETION } from '../../domains/models/item/model-item-write.service.js';

const accountsShown = (context: RequestContext, ids: readonly number[]) =>
  Promise.all(ids.map((id) => context.loader(accountsById).load(id)));

/** Returns the four mutations of a kind of content. */
function contentMutations(kind: Kind) {
  const { one, many, name: type } = FACES[kind];
  const what = kind === 'healthcare' ? 'healthcare items' : many;
  const plural = many.charAt(0).toUpperCase() + many.slice(1);
  const common = { type, what, access: signedIn };
  const moved = {
    ...common,
    versions: 'optional' as const,
    result: {
      field: one,
      type: () => ITEM_CLASSES[kind] as ClassType<object>,
      read: (context: RequestContext, ids: readonly number[], selection: Selection) =>
        itemsShown(context, kind, ids, selection),
    },
  };
  return [
    bulkResolver({
      ...moved,
      name: `publish${plural}`,
      change: ITEM_VERBS[kind].publish,
      description:
        `Publishes ${what}; one whose date is to come is scheduled for it. Their texts stay as they ` +
        'are. Results: POST_NOT_FOUND, FORBIDDEN_EDIT, FORBIDDEN_PUBLISH, CONFLICT, ROLLED_BACK.',
    }),
    bulkResolver({
      ...moved,
      name: `trash${plural}`,
      change: ITEM_VERBS[kind].trash,
      description:
        `Moves ${what} to the trash. Results: POST_NOT_FOUND, FORBIDDEN_DELETE, ALREADY_TRASHED, ` +
        'CONFLICT, ROLLED_BACK.',
    }),
    bulkResolver({
      ...moved,
      name: `restore${plural}`,
      change: ITEM_VERBS[kind].restore,
      description:
        `Takes ${what} back from the trash, each as \`restore${type}\` does. Results: ` +
        'POST_NOT_FOUND, FORBIDDEN_EDIT, NOT_TRASHED, CONFLICT, ROLLED_BACK.',
    }),
    bulkResolver({
      ...common,
      versions: 'optional',
      name: `delete${plural}`,
      change: ITEM_VERBS[kind].delete,
      description:
        `Deletes ${what} for good, in the trash or not. Results: POST_NOT_FOUND, ` +
        'FORBIDDEN_DELETE, CONFLICT, ROLLED_BACK.',
    }),
  ] as const;
}

/** The mutations that change many rows at once: the one table of them. */
export const BULK_RESOLVERS = [
  ...(Object.keys(KINDS) as Kind[]).flatMap(contentMutations),
  bulkResolver({
    name: 'deleteMediaItems',
    type: 'Media',
    what: 'media',
    access: signedIn,
    change: MEDIA_DELETION,
    description:
      'Deletes the records of media for good. Results: MEDIA_NOT_FOUND, FORBIDDEN_EDIT, ROLLED_BACK.',
  }),
  bulkResolver({
    name: 'deleteTerms',
    type: 'Term',
    what: 'terms',
    access: signedIn,
    change: TERM_DELETION,
    description:
      'Deletes terms for good. Items lose them, and terms below them move up. Results: ' +
      'TERM_NOT_FOUND, FORBIDDEN_EDIT_TERM, TERM_IN_USE for the default category, ROLLED_BACK.',
  }),
  bulkResolver({
    name: 'deleteModelItems',
    type: 'ModelItem',
    what: 'items of models',
    access: capable('edit_model_items'),
    change: MODEL_ITEM_DELETION,
    versions: 'required',
    description:
      'Deletes items of models for good. For editors and administrators. Results: ' +
      'MODEL_NOT_FOUND, CONFLICT, ROLLED_BACK.',
  }),
  bulkResolver({
    name: 'deleteFormSubmissions',
    type: 'FormSubmission',
    what: 'submissions',
    access: capable('manage_options'),
    change: SUBMISSION_DELETION,
    description:
      'Deletes submissions for good. For administrators; audited one by one. Results: ' +
      'FORM_SUBMISSION_NOT_FOUND, ROLLED_BACK.',
  }),
  bulkResolver({
    name: 'assignMembers',
    type: 'Account',
    what: 'members',
    access: bySession(capable('assign_care')),
    change: assignmentTo,
    more: {
      clinicianId: IdField('Account', {
        description: 'An account with the role CLINICIAN. CLINICIAN_INVALID.',
      }),
    },
    result: { field: 'account', type: () => Account, read: accountsShown },
    description:
      'Assigns members to one clinician, each as `assignClinician` does; who is assigned already ' +
      'stays so, and is told nothing. For administrators. Results: MEMBER_NOT_FOUND, ' +
      'CLINICIAN_INVALID, ROLLED_BACK; FORBIDDEN by an application password.',
  }),
  bulkResolver({
    name: 'unassignClinicians',
    type: 'CareAssignment',
    what: 'assignments',
    access: capable('assign_care'),
    change: ASSIGNMENT_END,
    description:
      'Ends assignments of members to clinicians. For administrators; audited one by one. Results: ' +
      'CARE_NOT_FOUND, ROLLED_BACK.',
  }),
] as const;
