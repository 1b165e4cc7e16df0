import { Role } from './role.js';

export type Capability =
  | 'read'
  | 'edit_posts'
  | 'delete_posts'
  | 'publish_posts'
  | 'edit_published_posts'
  | 'delete_published_posts'
  | 'upload_files'
  | 'edit_others_posts'
  | 'delete_others_posts'
  | 'read_private_posts'
  | 'edit_pages'
  | 'manage_categories'
  | 'unfiltered_html'
  | 'manage_options'
  | 'introspect';

const contributor: readonly Capability[] = ['read', 'edit_posts', 'delete_posts'];
const author: readonly Capability[] = [
  ...contributor,
  'publish_posts',
  'edit_published_posts',
  'delete_published_posts',
  'upload_files',
];
const editor: readonly Capability[] = [
  ...author,
  'edit_others_posts',
  'delete_others_posts',
  'read_private_posts',
  'edit_pages',
  'manage_categories',
  'unfiltered_html',
];

/** Which role owns which capability. Healthcare items use the capabilities of posts. */
export const CAPABILITIES: Readonly<Record<Role, readonly Capability[]>> = {
  [Role.ADMINISTRATOR]: [...editor, 'manage_options', 'introspect'],
  [Role.EDITOR]: editor,
  [Role.AUTHOR]: author,
  [Role.CONTRIBUTOR]: contributor,
  [Role.SUBSCRIBER]: ['read'],
  [Role.GUEST]: ['read'],
  [Role.CLINICIAN]: ['read', 'introspect'],
  [Role.ANALYST]: ['read', 'introspect'],
};

/** All capabilities of an account: the union over its roles. */
export function capabilitiesOf(roles: readonly Role[]): ReadonlySet<Capability> {
  return new Set(roles.flatMap((role) => CAPABILITIES[role] ?? []));
}
