// Fields of a model by their restrictions, and who may read them.
import type { Caller } from '../../support/harness.js';

export const CALLERS: readonly Caller[] = [
  'anonymous',
  'guest',
  'subscriber',
  'contributor',
  'author',
  'editor',
  'clinician',
  'analyst',
  'administrator',
];

/** Fields by their restrictions, and who may read them. */
export const FIELDS: Readonly<Record<string, { options: Record<string, string>; who: string }>> = {
  open: { options: {}, who: 'everybody' },
  unrestricted: {
    options: { admin_only: '0', hidden: '0', restrict_role: '0', rest_read: '1' },
    who: 'everybody',
  },
  admins: { options: { admin_only: '1' }, who: 'administrator' },
  unseen: { options: { hidden: '1' }, who: 'editor administrator' },
  offline: { options: { rest_read: '0' }, who: 'editor administrator' },
  members: {
    options: { logged_in_only: '1' },
    who: 'subscriber contributor author editor clinician analyst administrator',
  },
  role: { options: { restrict_role: '1' }, who: 'administrator' },
  roles: {
    options: { restrict_role: '1', roles_allowed: 'editor, Clinician' },
    who: 'editor clinician administrator',
  },
  named: { options: { roles_allowed: 'analyst' }, who: 'analyst administrator' },
  capable: {
    options: { restrict_capability: '1', capability_allowed: 'publish_posts' },
    who: 'author editor administrator',
  },
  either: {
    options: {
      restrict_role: '1',
      roles_allowed: 'analyst',
      restrict_capability: '1',
      capability_allowed: 'edit_others_posts',
    },
    who: 'analyst editor administrator',
  },
  both: {
    options: {
      logged_in_only: '1',
      hidden: '1',
      restrict_role: '1',
      roles_allowed: 'guest,author',
    },
    who: 'administrator',
  },
};
export const NAMES = Object.keys(FIELDS);
/** Returns the names of the fields that a caller may read. */
export const allowed = (caller: Caller) =>
  NAMES.filter((name) => {
    const { who } = FIELDS[name] as { who: string };
    return who === 'everybody' || who.split(' ').includes(caller);
  });
