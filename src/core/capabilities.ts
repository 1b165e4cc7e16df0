import { Role } from './roles.js';

/** A right of a role, such as `edit_posts`. */
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
  /** Care for the members assigned to the viewer. */
  | 'care_assigned'
  /**
   * Open the data of a member who is not assigned, for one hour. It is limited, audited, and the
   * member is notified.
   */
  | 'break_glass'
  /** Create reminders for every account and send messages to it, without reading its data. */
  | 'serve_any'
  | 'assign_care'
  | 'manage_accounts'
  /** Define content models. */
  | 'manage_models'
  /** Read and write items of all content models. */
  | 'edit_model_items'
  | 'read_audit'
  /** Read reports about all members together, without data about a single one. */
  | 'read_reports'
  /** Read the state of the service and of the services that it depends on. */
  | 'run_diagnostics'
  /** Change videos and quotes. */
  | 'edit_library'
  /** Change the directory of healthcare services and its types. */
  | 'edit_directory'
  /** Read what people sent by forms. */
  | 'read_forms';

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
  'edit_model_items',
  'edit_library',
  'edit_directory',
];

const administrator: readonly Capability[] = [
  ...editor,
  'manage_options',
  'manage_models',
  'introspect',
  'break_glass',
  'serve_any',
  'assign_care',
  'manage_accounts',
  'read_audit',
  'read_reports',
  'run_diagnostics',
  'read_forms',
];

/** The capabilities of each role. Healthcare items use the capabilities of posts. */
export const CAPABILITIES: Readonly<Record<Role, readonly Capability[]>> = {
  [Role.ADMINISTRATOR]: administrator,
  [Role.EDITOR]: editor,
  [Role.AUTHOR]: author,
  [Role.CONTRIBUTOR]: contributor,
  [Role.SUBSCRIBER]: ['read'],
  [Role.GUEST]: ['read'],
  [Role.CLINICIAN]: [
    'read',
    'introspect',
    'care_assigned',
    'break_glass',
    'run_diagnostics',
    'read_forms',
  ],
  [Role.ANALYST]: ['read', 'introspect', 'read_reports'],
};

/** Returns all capabilities of an account: the union over its roles. */
export function capabilitiesOf(roles: readonly Role[]): ReadonlySet<Capability> {
  return new Set(roles.flatMap((role) => CAPABILITIES[role] ?? []));
}

/** Returns the roles that have a capability. */
export const rolesWith = (capability: Capability): Role[] =>
  Object.values(Role).filter((role) => CAPABILITIES[role].includes(capability));
