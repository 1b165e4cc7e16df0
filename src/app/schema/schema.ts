// Over 300 lines: it lists every resolver of the domains, with an import for each.
import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { type BuildSchemaOptions, buildSchemaSync, getMetadataStorage } from 'type-graphql';
import { enforceAccess } from '../../core/access.js';
import { argumentMarksOf, internalValuesOf, markArguments } from '../../core/marks.js';
import { globalId, type NodeKey } from '../../core/node.js';
import { numberChanges } from '../../core/numbered-changes.js';
import type { Page } from '../../core/paging.js';
import { traceResolvers } from '../../core/traced-resolvers.js';
import { AccountResolver } from '../../domains/accounts/account.resolver.js';
import { AccountAdminResolver } from '../../domains/accounts/account-admin.resolver.js';
import { AuditPersonResolver } from '../../domains/accounts/audit-person.resolver.js';
import { OwnAccountResolver } from '../../domains/accounts/own-account.resolver.js';
import { AuditResolver } from '../../domains/audit/audit.resolver.js';
import { BreakGlassResolver } from '../../domains/break-glass/break-glass.resolver.js';
import { MemberLookupResolver } from '../../domains/break-glass/member-lookup.resolver.js';
import { CareAssignmentResolver } from '../../domains/care/care-assignment.resolver.js';
import { CARE_RELATION_RESOLVERS } from '../../domains/care/care-relation.resolver.js';
import { PolicyResolver } from '../../domains/consents/policy.resolver.js';
import {
  PolicyAgreementResolver,
  PolicyAgreementsResolver,
} from '../../domains/consents/policy-agreement.resolver.js';
import { PolicyViewerResolver } from '../../domains/consents/policy-viewer.resolver.js';
import { AuthorResolver } from '../../domains/content/author/author.resolver.js';
import { CONTENT_CHANGE_RESOLVERS } from '../../domains/content/change/change.resolver.js';
import { ITEM_RESOLVERS } from '../../domains/content/item/item.resolver.js';
import { MediaResolver } from '../../domains/content/media/media.resolver.js';
import { RevisionResolver } from '../../domains/content/revision/revision.resolver.js';
import { DefaultCategoryResolver, TermResolver } from '../../domains/content/term/term.resolver.js';
import { DiagnosticsResolver } from '../../domains/diagnostics/diagnostics.resolver.js';
import { DirectoryImportResolver } from '../../domains/directory/import/import.resolver.js';
import { HealthcareServiceResolver } from '../../domains/directory/service/healthcare-service.resolver.js';
import { HealthcareServiceTypeResolver } from '../../domains/directory/service-type/service-type.resolver.js';
import { EmbedResolver } from '../../domains/embeds/embed.resolver.js';
import { StagedUploadResolver } from '../../domains/files/upload/staged-upload.resolver.js';
import { FormResolver } from '../../domains/forms/form.resolver.js';
import { FeedResolver } from '../../domains/live/feed.resolver.js';
import { MailConnectionResolver } from '../../domains/mail/connection.resolver.js';
import { ModelResolver } from '../../domains/models/definition/model.resolver.js';
import { FIELD_LIST_RESOLVERS } from '../../domains/models/field/field-list.resolver.js';
import { ModelFieldResolver } from '../../domains/models/field/model-field.resolver.js';
import { ModelGroupResolver } from '../../domains/models/group/model-group.resolver.js';
import { MODEL_ITEM_RESOLVERS } from '../../domains/models/item/model-item.resolver.js';
import { POD_RESOLVERS } from '../../domains/models/pod/pod.resolver.js';
import { MODEL_VERSION_RESOLVERS } from '../../domains/models/version/model-version.resolver.js';
import { ChannelResolver } from '../../domains/notifications/channel/channel.resolver.js';
import { DeviceResolver } from '../../domains/notifications/device/device.resolver.js';
import { NOTIFICATION_RESOLVERS } from '../../domains/notifications/notification/notification.resolver.js';
import { PreferenceResolver } from '../../domains/notifications/preference/preference.resolver.js';
import { PasswordResetResolver } from '../../domains/passwords/reset.resolver.js';
import { PollResolver } from '../../domains/polls/poll.resolver.js';
import { PollViewerResolver } from '../../domains/polls/poll-viewer.resolver.js';
import { KnownAccountResolver } from '../../domains/privacy/known-account.resolver.js';
import { PrivacyResolver } from '../../domains/privacy/privacy.resolver.js';
import { QuoteResolver } from '../../domains/quotes/quote.resolver.js';
import {
  AmountTextResolver,
  DoseAmountResolver,
  EventAmountResolver,
} from '../../domains/reminders/amount/amount.resolver.js';
import {
  AppointmentEventResolver,
  CalendarResolver,
  DoseEventResolver,
} from '../../domains/reminders/calendar/calendar.resolver.js';
import {
  CaredForHomeResolver,
  HomeResolver,
  UnrecognizedResolver,
} from '../../domains/reminders/calendar/home.resolver.js';
import { MEMBER_FIELD_RESOLVERS } from '../../domains/reminders/calendar/member-fields.resolver.js';
import { CourseResolver } from '../../domains/reminders/course/course.resolver.js';
import { DoseResolver } from '../../domains/reminders/dose/dose.resolver.js';
import { PauseResolver } from '../../domains/reminders/pause/pause.resolver.js';
import { AppointmentReminderResolver } from '../../domains/reminders/reminder/appointment.resolver.js';
import { DoubtResolver } from '../../domains/reminders/reminder/doubt.resolver.js';
import { FhirDosageResolver } from '../../domains/reminders/reminder/fhir-dosage.resolver.js';
import { MedicineReminderResolver } from '../../domains/reminders/reminder/reminder.resolver.js';
import {
  DoseLimitResolver,
  LoggedDoseResolver,
} from '../../domains/reminders/safety/limit.resolver.js';
import { ScheduleResolver } from '../../domains/reminders/schedule/schedule.resolver.js';
import { CareSettingResolver } from '../../domains/reminders/setting/setting.resolver.js';
import {
  PackTextResolver,
  StockOutlookResolver,
  StockResolver,
  StockTextResolver,
} from '../../domains/reminders/stock/stock.resolver.js';
import { ReportEmbedResolver } from '../../domains/reports/embedded/report-embed.resolver.js';
import { ReportMailingResolver } from '../../domains/reports/mailing/report-mailing.resolver.js';
import { REPORT_RESOLVERS } from '../../domains/reports/report.resolver.js';
import { SavedReportResolver } from '../../domains/reports/saved/saved-report.resolver.js';
import { OwnProfileResolver } from '../../domains/settings/own-profile.resolver.js';
import { SiteSettingResolver } from '../../domains/settings/site-setting.resolver.js';
import { UserResolver } from '../../domains/settings/user.resolver.js';
import { ApplicationPasswordResolver } from '../../domains/sign-in/application-password/application-password.resolver.js';
import { SignInCodeResolver } from '../../domains/sign-in/code/sign-in-code.resolver.js';
import { PresentPasswordResolver } from '../../domains/sign-in/proof/present-password.resolver.js';
import { IdentityResolver } from '../../domains/sign-in/provider/identity.resolver.js';
import { OwnSessionResolver } from '../../domains/sign-in/session/own-session.resolver.js';
import { SessionResolver } from '../../domains/sign-in/session/session.resolver.js';
import { SuspensionResolver } from '../../domains/sign-in/suspension/suspension.resolver.js';
import { SiteResolver } from '../../domains/site/site.resolver.js';
import { VideoResolver } from '../../domains/videos/video.resolver.js';
import { isTracing } from '../../platform/tracing/tracing.js';
import { withQuickArguments } from './argument-instances.js';
import { BULK_RESOLVERS } from './bulk.js';
import { knowNodes, NodeResolver } from './node.resolver.js';
import { withQuery } from './payload-query.js';
import { RIGHTS_RESOLVERS } from './rights.js';

function noTopics(): never {
  throw new Error('Subscriptions of this service watch feeds.');
}

/**
 * Makes the whole schema, with what is marked internal, and puts its access rules into effect. It
 * lists the resolvers of all domains, one in each line, and is over 40 lines for that reason.
 * `servedSchema` is what GraphQL callers see.
 */
export function makeSchema(): GraphQLSchema {
  const options: BuildSchemaOptions = {
    resolvers: [
      AccountResolver,
      ApplicationPasswordResolver,
      AuthorResolver,
      FeedResolver,
      IdentityResolver,
      KnownAccountResolver,
      ...ITEM_RESOLVERS,
      ...CONTENT_CHANGE_RESOLVERS,
      ...BULK_RESOLVERS,
      ...RIGHTS_RESOLVERS,
      ...REPORT_RESOLVERS,
      MediaResolver,
      StagedUploadResolver,
      RevisionResolver,
      OwnAccountResolver,
      OwnProfileResolver,
      UserResolver,
      OwnSessionResolver,
      SuspensionResolver,
      PrivacyResolver,
      PresentPasswordResolver,
      SessionResolver,
      SignInCodeResolver,
      AccountAdminResolver,
      AuditResolver,
      AuditPersonResolver,
      CareAssignmentResolver,
      BreakGlassResolver,
      MemberLookupResolver,
      ...CARE_RELATION_RESOLVERS,
      MailConnectionResolver,
      ModelResolver,
      ModelFieldResolver,
      ModelGroupResolver,
      ...MODEL_ITEM_RESOLVERS,
      ...FIELD_LIST_RESOLVERS,
      ...MODEL_VERSION_RESOLVERS,
      ...POD_RESOLVERS,
      PasswordResetResolver,
      ChannelResolver,
      DeviceResolver,
      PolicyResolver,
      PolicyViewerResolver,
      PolicyAgreementsResolver,
      PolicyAgreementResolver,
      PollResolver,
      PollViewerResolver,
      ...NOTIFICATION_RESOLVERS,
      PreferenceResolver,
      AppointmentReminderResolver,
      CalendarResolver,
      AppointmentEventResolver,
      DoseEventResolver,
      ...MEMBER_FIELD_RESOLVERS,
      CareSettingResolver,
      DefaultCategoryResolver,
      DoseResolver,
      CourseResolver,
      PauseResolver,
      DoseAmountResolver,
      FhirDosageResolver,
      EventAmountResolver,
      AmountTextResolver,
      DoseLimitResolver,
      LoggedDoseResolver,
      StockResolver,
      StockOutlookResolver,
      StockTextResolver,
      PackTextResolver,
      HomeResolver,
      UnrecognizedResolver,
      DoubtResolver,
      CaredForHomeResolver,
      MedicineReminderResolver,
      ScheduleResolver,
      DiagnosticsResolver,
      DirectoryImportResolver,
      HealthcareServiceResolver,
      HealthcareServiceTypeResolver,
      EmbedResolver,
      FormResolver,
      NodeResolver,
      QuoteResolver,
      SavedReportResolver,
      ReportEmbedResolver,
      ReportMailingResolver,
      SiteResolver,
      SiteSettingResolver,
      TermResolver,
      VideoResolver,
    ],
    validate: false,
    skipCheck: true, // a whole introspection at each start; the tests validate the schema
    // type-graphql builds subscriptions only with a pubSub. The subscriptions here have their own
    // source.
    pubSub: { subscribe: noTopics, publish: noTopics },
  };
  const schema = withQuickArguments(() => buildSchemaSync(options));
  Object.assign(schema.getQueryType() ?? {}, { description: 'What can be asked.' });
  Object.assign(schema.getMutationType() ?? {}, {
    description: 'What can be changed. Each takes one `input` and answers what it changed.',
  });
  Object.assign(schema.getSubscriptionType() ?? {}, {
    description: 'What can be watched, over WebSocket and server-sent events.',
  });
  const enforced = numberChanges(
    enforceAccess(withQuery(knowNodes(resolveByClass(readDirectly(marked(schema)))))),
  );
  return isTracing() ? traceResolvers(enforced) : enforced;
}

/**
 * Puts the marks of arguments and of values of enums on the schema. type-graphql has no place for
 * them.
 */
function marked(schema: GraphQLSchema): GraphQLSchema {
  const { queries, mutations, subscriptions, fieldResolvers, enums } = getMetadataStorage();
  const roots = [
    [schema.getQueryType(), queries],
    [schema.getMutationType(), mutations],
    [schema.getSubscriptionType(), subscriptions],
  ] as const;
  for (const [type, handlers] of roots)
    for (const handler of handlers) {
      const field = type?.getFields()[handler.schemaName];
      if (field) markArguments(field, argumentMarksOf(handler));
    }
  const { objectTypes, interfaceTypes } = getMetadataStorage();
  const names = new Map(
    [...objectTypes, ...interfaceTypes].map((type) => [type.target, type.name]),
  );
  for (const handler of fieldResolvers)
    for (const type of typesWith(schema, names.get(handler.getObjectType?.() as never) ?? '')) {
      const field = type.getFields()[handler.schemaName];
      if (field) markArguments(field, argumentMarksOf(handler));
    }
  for (const { enumObj, name } of enums) {
    const type = schema.getType(name);
    if (!isEnumType(type)) continue;
    const internal = internalValuesOf(enumObj);
    for (const value of type.getValues())
      if (internal.includes(value.name))
        Object.assign(value, { extensions: { ...value.extensions, internal: true } });
  }
  return inheritMarks(schema);
}

/** Puts marks on the inherited fields of inputs: type-graphql leaves them with their class. */
function inheritMarks(schema: GraphQLSchema): GraphQLSchema {
  const { inputTypes } = getMetadataStorage();
  for (const { target, name } of inputTypes) {
    const type = schema.getType(name);
    if (!isInputObjectType(type)) continue;
    const fields = type.getFields();
    for (let above = target; typeof above === 'function'; above = Object.getPrototypeOf(above)) {
      const declared = inputTypes.find((known) => known.target === above)?.fields ?? [];
      for (const { schemaName, extensions } of declared) {
        const field = fields[schemaName];
        if (field) Object.assign(field, { extensions: { ...extensions, ...field.extensions } });
      }
    }
  }
  return schema;
}

/**
 * Lets interfaces know the type of a row by its class. type-graphql knows those types alone that
 * implement an interface without another one between.
 */
function resolveByClass(schema: GraphQLSchema): GraphQLSchema {
  const names = new Map<unknown, string>(
    getMetadataStorage().objectTypes.map(({ target, name }) => [target, name]),
  );
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInterfaceType(type)) continue;
    const { resolveType } = type;
    type.resolveType = (row: object, ...rest) =>
      names.get(row.constructor) ?? resolveType?.(row, ...rest);
  }
  return schema;
}

/** Returns the object type of a name; of an interface, also the types that have its fields. */
function typesWith(schema: GraphQLSchema, name: string) {
  const type = schema.getType(name);
  if (isObjectType(type)) return [type];
  if (!isInterfaceType(type)) return [];
  const { interfaces, objects } = schema.getImplementations(type);
  return [type, ...interfaces, ...objects];
}

type SourceObject = Readonly<Record<string, unknown>>;

/**
 * Removes type-graphql's resolvers from fields that are plain properties or getters, so that
 * GraphQL reads them directly. Such a resolver costs more than the read, and a list of posts has
 * hundreds. Fields that a resolver class computes keep theirs. A field with another name than its
 * property reads the property, and so does one whose property may be promised; `totalCount` counts
 * when it is selected, and `id` of a Node is its global id.
 */
function readDirectly(schema: GraphQLSchema): GraphQLSchema {
  const { fieldResolvers, objectTypes, interfaceTypes } = getMetadataStorage();
  const names = new Map<unknown, string>(
    [...objectTypes, ...interfaceTypes].map(({ target, name }) => [target, name]),
  );
  const computed = new Set(
    fieldResolvers.flatMap(({ kind, getObjectType, schemaName }) =>
      kind === 'external' && getObjectType ? [`${names.get(getObjectType())}.${schemaName}`] : [],
    ),
  );
  for (const { target, name: typeName } of objectTypes) {
    const type = schema.getType(typeName);
    if (!isObjectType(type)) continue;
    const isNode = type.getInterfaces().some(({ name }) => name === 'Node');
    for (const field of Object.values(type.getFields())) {
      if (ancestorsOf(target).some((type) => computed.has(`${names.get(type)}.${field.name}`)))
        continue;
      delete field.resolve;
      const property = propertyOf(target, field.name);
      if (isNode && field.name === 'id')
        field.resolve = ({ id }: SourceObject) => globalId(typeName, id as NodeKey);
      else if (property !== field.name || field.extensions.promised)
        field.resolve = (row: SourceObject) => row[property];
      else if (field.name === 'totalCount') field.resolve = counted;
    }
  }
  return schema;
}

const counted = ({ totalCount }: Page<unknown>) =>
  typeof totalCount === 'function' ? totalCount() : totalCount;

/** Returns a class and what it extends. */
function ancestorsOf(target: unknown): unknown[] {
  return typeof target === 'function'
    ? [target, ...ancestorsOf(Object.getPrototypeOf(target))]
    : [];
}

/** Returns the property of a class, or of what it extends, that a field shows. */
function propertyOf(target: unknown, fieldName: string): string {
  const { objectTypes, interfaceTypes } = getMetadataStorage();
  for (const type of ancestorsOf(target)) {
    const metadata = [...objectTypes, ...interfaceTypes].find((known) => known.target === type);
    const field = metadata?.fields?.find(({ schemaName }) => schemaName === fieldName);
    if (field) return field.name;
  }
  return fieldName;
}
