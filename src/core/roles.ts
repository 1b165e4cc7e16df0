import { registerEnumType } from 'type-graphql';

/**
 * The roles of accounts. Members are subscribers or guests. Being a carer is a relation between
 * accounts, not a role.
 */
export enum Role {
  ADMINISTRATOR = 'administrator',
  EDITOR = 'editor',
  AUTHOR = 'author',
  CONTRIBUTOR = 'contributor',
  SUBSCRIBER = 'subscriber',
  GUEST = 'guest',
  CLINICIAN = 'clinician',
  ANALYST = 'analyst',
}

registerEnumType(Role, {
  name: 'Role',
  description: 'What an account is to the service.',
  valuesConfig: {
    ADMINISTRATOR: {
      description:
        'Runs the service: all rights except reading health data without breaking the glass.',
    },
    EDITOR: { description: 'Publishes and edits all content.' },
    AUTHOR: { description: 'Publishes and edits own content.' },
    CONTRIBUTOR: { description: 'Writes own drafts; somebody else publishes them.' },
    SUBSCRIBER: { description: 'A member: the person cared for.' },
    GUEST: { description: 'A member who has not signed up yet.' },
    CLINICIAN: { description: 'Clinic staff, for the members assigned to them.' },
    ANALYST: { description: 'Reads reports in aggregate, and nothing about a person.' },
  },
});

/**
 * Returns whether an account with these roles is a member: a person who uses the service for their
 * own health.
 */
export const isMember = (roles: readonly string[]): boolean =>
  roles.includes(Role.SUBSCRIBER) || roles.includes(Role.GUEST);
