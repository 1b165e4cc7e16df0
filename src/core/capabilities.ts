import { Role } from './roles.js';

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
  | 'introspect'
  /** Cares for the members assigned to them. */
  | 'care_assigned'
  /** Opens, for an hour, the care of a member who is not theirs: limited, audited, and told. */
  | 'break_glass'
  /** Makes reminders for every account and sends it messages, without a look at what it has. */
  | 'serve_any'
  | 'assign_care'
  | 'manage_accounts'
  | 'read_audit'
  /** Reads what is known of all members together, and of none alone. */
  | 'read_reports'
  /** Sees how the service and its third parties are. */
  | 'run_diagnostics';

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

const administrator: readonly Capability[] = [
  ...editor,
  'manage_options',
  'introspect',
  'break_glass',
  'serve_any',
  'assign_care',
  'manage_accounts',
  'read_audit',
  'read_reports',
  'run_diagnostics',
];

/** Which role owns which capability. Healthcare items use the capabilities of posts. */
export const CAPABILITIES: Readonly<Record<Role, readonly Capability[]>> = {
  [Role.ADMINISTRATOR]: administrator,
  [Role.EDITOR]: editor,
  [Role.AUTHOR]: author,
  [Role.CONTRIBUTOR]: contributor,
  [Role.SUBSCRIBER]: ['read'],
  [Role.GUEST]: ['read'],
  [Role.CLINICIAN]: ['read', 'introspect', 'care_assigned', 'break_glass', 'run_diagnostics'],
  [Role.ANALYST]: ['read', 'introspect', 'read_reports'],
};

/** All capabilities of an account: the union over its roles. */
export function capabilitiesOf(roles: readonly Role[]): ReadonlySet<Capability> {
  return new Set(roles.flatMap((role) => CAPABILITIES[role] ?? []));
}

/** The roles that own a capability. */
export const rolesWith = (capability: Capability): Role[] =>
  Object.values(Role).filter((role) => CAPABILITIES[role].includes(capability));
