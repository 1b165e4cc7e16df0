import { type GraphQLSchema, isObjectType } from 'graphql';
import { buildSchemaSync, getMetadataStorage } from 'type-graphql';
import { enforceAccess } from './access.js';
import { AccountResolver } from './domains/accounts/account.resolver.js';
import { ACCOUNT_ADMIN_RESOLVERS } from './domains/accounts/account-admin.resolver.js';
import { ApplicationPasswordResolver } from './domains/accounts/application-password.resolver.js';
import { AuditPersonResolver } from './domains/accounts/audit-person.resolver.js';
import { CARE_ASSIGNMENT_RESOLVERS } from './domains/accounts/care-assignment.resolver.js';
import { CARE_RELATION_RESOLVERS } from './domains/accounts/care-relation.resolver.js';
import { IdentityResolver } from './domains/accounts/identity.resolver.js';
import { ProfileResolver } from './domains/accounts/profile.resolver.js';
import { SessionResolver } from './domains/accounts/session.resolver.js';
import { SignInCodeResolver } from './domains/accounts/sign-in-code.resolver.js';
import { AUDIT_RESOLVERS } from './domains/audit/audit.resolver.js';
import { AuthorResolver } from './domains/content/author.resolver.js';
import { ITEM_RESOLVERS } from './domains/content/item.resolver.js';
import { MediaResolver } from './domains/content/media.resolver.js';
import { RevisionResolver } from './domains/content/revision.resolver.js';
import { TermResolver } from './domains/content/term.resolver.js';
import { FeedResolver } from './domains/feeds/feed.resolver.js';
import { MailConnectionResolver } from './domains/mail/connection.resolver.js';
import { DeviceResolver } from './domains/notifications/device.resolver.js';
import { NotificationResolver } from './domains/notifications/notification.resolver.js';
import { PreferenceResolver } from './domains/notifications/preference.resolver.js';
import { PasswordResetResolver } from './domains/passwords/reset.resolver.js';
import { PrivacyResolver } from './domains/privacy/privacy.resolver.js';
import { OwnProfileResolver } from './domains/profile/own-profile.resolver.js';
import { AppointmentReminderResolver } from './domains/reminders/appointment.resolver.js';
import { CalendarEventResolver, CalendarResolver } from './domains/reminders/calendar.resolver.js';
import { DoseResolver } from './domains/reminders/dose.resolver.js';
import { CaredForHomeResolver, HomeResolver } from './domains/reminders/home.resolver.js';
import { MedicineReminderResolver } from './domains/reminders/reminder.resolver.js';
import { CareSettingResolver } from './domains/reminders/setting.resolver.js';
import { SiteResolver } from './domains/site/site.resolver.js';

function noTopics(): never {
  throw new Error('Subscriptions of this service watch feeds.');
}

/** The one schema of the service, with its access rules in force. Every domain's resolvers stand here, one line each. */
export function makeSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [
      AccountResolver,
      ApplicationPasswordResolver,
      AuthorResolver,
      FeedResolver,
      IdentityResolver,
      ...ITEM_RESOLVERS,
      MediaResolver,
      RevisionResolver,
      OwnProfileResolver,
      PrivacyResolver,
      ProfileResolver,
      SessionResolver,
      SignInCodeResolver,
      ...ACCOUNT_ADMIN_RESOLVERS,
      ...AUDIT_RESOLVERS,
      AuditPersonResolver,
      ...CARE_ASSIGNMENT_RESOLVERS,
      ...CARE_RELATION_RESOLVERS,
      MailConnectionResolver,
      PasswordResetResolver,
      DeviceResolver,
      NotificationResolver,
      PreferenceResolver,
      AppointmentReminderResolver,
      CalendarResolver,
      CalendarEventResolver,
      CareSettingResolver,
      DoseResolver,
      HomeResolver,
      CaredForHomeResolver,
      MedicineReminderResolver,
      SiteResolver,
      TermResolver,
    ],
    validate: false,
    // Subscriptions are only built when there is one; ours bring their own source.
    pubSub: { subscribe: noTopics, publish: noTopics },
  });
  Object.assign(schema.getQueryType() ?? {}, { description: 'What can be asked.' });
  Object.assign(schema.getMutationType() ?? {}, {
    description: 'What can be changed. Each takes one `input` and answers what it changed.',
  });
  Object.assign(schema.getSubscriptionType() ?? {}, {
    description: 'What can be watched, over WebSocket and server-sent events.',
  });
  return enforceAccess(readDirectly(schema));
}

/**
 * Lets GraphQL itself read the properties and getters of our classes: the resolver that type-graphql puts around each costs more than
 * the read, and a list of posts has hundreds. What a resolver class computes stays.
 */
function readDirectly(schema: GraphQLSchema): GraphQLSchema {
  const { fieldResolvers, objectTypes } = getMetadataStorage();
  const names = new Map(objectTypes.map(({ target, name }) => [target, name]));
  const computed = new Set(
    fieldResolvers.flatMap(({ kind, getObjectType, schemaName }) =>
      kind === 'external' && getObjectType ? [`${names.get(getObjectType() as never)}.${schemaName}`] : [],
    ),
  );
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.has(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) if (!computed.has(`${type.name}.${field.name}`)) delete field.resolve;
  }
  return schema;
}
