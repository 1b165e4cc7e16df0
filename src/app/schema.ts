import { type GraphQLSchema, isObjectType } from 'graphql';
import { buildSchemaSync, getMetadataStorage } from 'type-graphql';
import { enforceAccess } from '../core/access.js';
import { AccountResolver } from '../domains/accounts/account.resolver.js';
import { ACCOUNT_ADMIN_RESOLVERS } from '../domains/accounts/account-admin.resolver.js';
import { AuditPersonResolver } from '../domains/accounts/audit-person.resolver.js';
import { AUDIT_RESOLVERS } from '../domains/audit/audit.resolver.js';
import { CARE_ASSIGNMENT_RESOLVERS } from '../domains/care/care-assignment.resolver.js';
import { CARE_RELATION_RESOLVERS } from '../domains/care/care-relation.resolver.js';
import { AuthorResolver } from '../domains/content/author/author.resolver.js';
import { ITEM_RESOLVERS } from '../domains/content/item/item.resolver.js';
import { MediaResolver } from '../domains/content/media/media.resolver.js';
import { RevisionResolver } from '../domains/content/revision/revision.resolver.js';
import { TermResolver } from '../domains/content/term/term.resolver.js';
import { FeedResolver } from '../domains/live/feed.resolver.js';
import { MailConnectionResolver } from '../domains/mail/connection.resolver.js';
import { DeviceResolver } from '../domains/notifications/device/device.resolver.js';
import { NotificationResolver } from '../domains/notifications/notification/notification.resolver.js';
import { PreferenceResolver } from '../domains/notifications/preference/preference.resolver.js';
import { PasswordResetResolver } from '../domains/passwords/reset.resolver.js';
import { PrivacyResolver } from '../domains/privacy/privacy.resolver.js';
import {
  CalendarEventResolver,
  CalendarResolver,
} from '../domains/reminders/calendar/calendar.resolver.js';
import { CaredForHomeResolver, HomeResolver } from '../domains/reminders/calendar/home.resolver.js';
import { DoseResolver } from '../domains/reminders/dose/dose.resolver.js';
import { AppointmentReminderResolver } from '../domains/reminders/reminder/appointment.resolver.js';
import { MedicineReminderResolver } from '../domains/reminders/reminder/reminder.resolver.js';
import { CareSettingResolver } from '../domains/reminders/setting/setting.resolver.js';
import { OwnProfileResolver } from '../domains/settings/own-profile.resolver.js';
import { SiteSettingResolver } from '../domains/settings/site-setting.resolver.js';
import { ApplicationPasswordResolver } from '../domains/sign-in/application-password/application-password.resolver.js';
import { SignInCodeResolver } from '../domains/sign-in/code/sign-in-code.resolver.js';
import { ProfileResolver } from '../domains/sign-in/proof/present-password.resolver.js';
import { IdentityResolver } from '../domains/sign-in/provider/identity.resolver.js';
import { SessionResolver } from '../domains/sign-in/session/session.resolver.js';
import { SiteResolver } from '../domains/site/site.resolver.js';

function noTopics(): never {
  throw new Error('Subscriptions of this service watch feeds.');
}

/**
 * Makes the schema of the service and puts its access rules into effect. It lists the resolvers of
 * all domains, one in each line.
 */
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
      SiteSettingResolver,
      TermResolver,
    ],
    validate: false,
    // type-graphql builds subscriptions only with a pubSub. The subscriptions here have their own
    // source.
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
 * Removes type-graphql's resolvers from fields that are plain properties or getters, so that
 * GraphQL reads them directly. Such a resolver costs more than the read, and a list of posts has
 * hundreds. Fields that a resolver class computes keep theirs.
 */
function readDirectly(schema: GraphQLSchema): GraphQLSchema {
  const { fieldResolvers, objectTypes } = getMetadataStorage();
  const names = new Map(objectTypes.map(({ target, name }) => [target, name]));
  const computed = new Set(
    fieldResolvers.flatMap(({ kind, getObjectType, schemaName }) =>
      kind === 'external' && getObjectType
        ? [`${names.get(getObjectType() as never)}.${schemaName}`]
        : [],
    ),
  );
  const roots = new Set([
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.has(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      if (!computed.has(`${type.name}.${field.name}`)) delete field.resolve;
  }
  return schema;
}
