import { type EnumValue, enumType } from './enum-type.js';

/**
 * The roles of accounts. Members are subscribers or guests. Being a carer is a relation between
 * accounts, not a role.
 */
export const Role = enumType('Role', 'What an account is to the service.', {
  ADMINISTRATOR: [
    'administrator',
    'Runs the service: all rights except reading health data without breaking the glass.',
  ],
  EDITOR: ['editor', 'Publishes and edits all content.'],
  AUTHOR: ['author', 'Publishes and edits own content.'],
  CONTRIBUTOR: ['contributor', 'Writes own drafts; somebody else publishes them.'],
  SUBSCRIBER: ['subscriber', 'A member: the person cared for.'],
  GUEST: ['guest', 'A member who has not signed up yet.'],
  CLINICIAN: ['clinician', 'Clinic staff, for the members assigned to them.'],
  ANALYST: ['analyst', 'Reads reports in aggregate, and nothing about a person.'],
});
export type Role = EnumValue<typeof Role>;

/**
 * Returns whether an account with these roles is a member: a person who uses the service for their
 * own health.
 */
export const isMember = (roles: readonly string[]): boolean =>
  roles.includes(Role.SUBSCRIBER) || roles.includes(Role.GUEST);
