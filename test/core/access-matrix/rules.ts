// The words of the access tables: callers, rules, relations, and the shape of a line.
import type { Caller } from '../../support/harness.js';

export const CALLERS = [
  'anonymous',
  'guest',
  'subscriber',
  'contributor',
  'author',
  'editor',
  'clinician',
  'analyst',
  'administrator',
] as const satisfies readonly Caller[];

/**
 * Who may, and what the others are answered; one caller apart where it is answered something else.
 */
export type Rule = { readonly may: readonly Caller[]; readonly others?: string } & {
  readonly [C in Caller]?: string;
};

/**
 * A field, a document that uses it (`$name` stands for an id of the world), who may, and what those
 * who may are answered besides data.
 */
export type Line = readonly [field: string, document: string, rule: Rule, answer?: string];

export const only = (may: string, others: string, anonymous = others): Rule => ({
  may: may.split(' ') as Caller[],
  others,
  anonymous,
});
export const EVERYONE: Rule = { may: CALLERS };
export const SIGNED_IN: Rule = { may: CALLERS.slice(1), anonymous: 'UNAUTHENTICATED' };
export const WRITERS = 'contributor author editor administrator';
export const EDITORS = 'editor administrator';
export const NOBODY: Rule = { may: [], others: 'FORBIDDEN', anonymous: 'UNAUTHENTICATED' };
export const ADMINISTRATORS = only('administrator', 'FORBIDDEN', 'UNAUTHENTICATED');

export const STAFF = only('clinician administrator', 'FORBIDDEN', 'UNAUTHENTICATED');
export const LIBRARIANS = only(EDITORS, 'FORBIDDEN', 'UNAUTHENTICATED');

export const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** What somebody is to a member. */
export const RELATIONS = [
  'own',
  'see',
  'answer',
  'edit',
  'assigned',
  'glass',
  'clinician',
  'analyst',
  'administrator',
  'opened', // an administrator who broke the glass
  'stranger',
] as const;
export type Relation = (typeof RELATIONS)[number];

/** What each may do for the member; fields of a member's data follow from it. */
export const RIGHTS: Readonly<Record<Relation, string>> = {
  own: 'message see answer edit create',
  see: 'message see',
  answer: 'message see answer',
  edit: 'message see answer edit create',
  assigned: 'message see answer edit create',
  glass: 'message see',
  clinician: '',
  analyst: '',
  administrator: 'message create',
  opened: 'message see answer edit create',
  stranger: '',
};

/**
 * A field with rows of a member: who of those above may, and what the others are answered; where it
 * is something else, what those are answered who see the row. `$member` and so on are the member's
 * ids.
 */
export type MemberLine = readonly [
  field: string,
  document: string,
  may: string,
  others: string,
  seeing?: string,
];

export const SEEING = 'own see answer edit assigned glass opened';
export const ANSWERING = 'own answer edit assigned opened';
export const EDITING = 'own edit assigned opened';
export const MESSAGING = `${SEEING} administrator`;
export const CREATING = `${EDITING} administrator`;

/** The lines of one part of the schema. */
export interface AccessTable {
  /** What callers get by an application password. */
  readonly lines: readonly Line[];
  /**
   * Fields that give access to others, or would outlive an application password. The line holds for
   * callers with a session; by an application password all get FORBIDDEN.
   */
  readonly session?: readonly Line[];
  /** Fields with rows of a member. */
  readonly members?: readonly MemberLine[];
}
