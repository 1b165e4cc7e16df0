import type { RequestContext } from '../../core/context.js';
import { ownAccountsById } from '../../domains/accounts/own-account.service.js';
import { eventsById } from '../../domains/audit/audit-list.service.js';
import { openingsById } from '../../domains/break-glass/break-glass.service.js';
import { assignmentsById } from '../../domains/care/care-assignment.service.js';
import { invitationsById } from '../../domains/care/care-invitation.service.js';
import { caredForById, relationsById } from '../../domains/care/care-relation.service.js';
import { policiesById } from '../../domains/consents/policy.service.js';
import { agreementsByKey } from '../../domains/consents/policy-agreement.service.js';
import { contentChangesById } from '../../domains/content/change/change-list.service.js';
import { readableItems } from '../../domains/content/item/item.service.js';
import { visibleMediaById } from '../../domains/content/media/media.service.js';
import { readableRevisions } from '../../domains/content/revision/revision.service.js';
import { existingTermsById } from '../../domains/content/term/term.service.js';
import { servicesById } from '../../domains/directory/service/service-list.service.js';
import { serviceTypesById } from '../../domains/directory/service-type/type-tree.service.js';
import { uploadsById } from '../../domains/files/upload/staged-upload.service.js';
import { formsById } from '../../domains/forms/form.service.js';
import { submissionsById } from '../../domains/forms/submission-list.service.js';
import { modelNodes } from '../../domains/models/definition/model-list.service.js';
import { fieldNodes, groupNodes } from '../../domains/models/definition/model-node.service.js';
import { modelItemNodes } from '../../domains/models/item/model-item.service.js';
import { versionsById } from '../../domains/models/version/model-version.service.js';
import { channelsById } from '../../domains/notifications/channel/channel.service.js';
import { devicesById } from '../../domains/notifications/device/device.service.js';
import { notificationsById } from '../../domains/notifications/notification/notification-list.service.js';
import { pollOptionsById, pollsById } from '../../domains/polls/poll-list.service.js';
import { knownAccounts } from '../../domains/privacy/known-account.service.js';
import { quotesById } from '../../domains/quotes/quote.service.js';
import { AppointmentEvent, DoseEvent } from '../../domains/reminders/calendar/event.types.js';
import { eventsOfKind } from '../../domains/reminders/calendar/event-node.service.js';
import { homeNodes } from '../../domains/reminders/calendar/home.service.js';
import { remindersOf } from '../../domains/reminders/reminder/shown-reminder.service.js';
import { reportEmbedsById } from '../../domains/reports/embedded/report-embed.service.js';
import { savedReportsById } from '../../domains/reports/saved/saved-report.service.js';
import { applicationPasswordsById } from '../../domains/sign-in/application-password/application-password-list.service.js';
import { identitiesById } from '../../domains/sign-in/provider/identity.service.js';
import { sessionsById } from '../../domains/sign-in/session/own-session.service.js';
import { languagesById } from '../../domains/site/site.service.js';
import { videosById } from '../../domains/videos/video-list.service.js';

/**
 * Reads rows by their keys, in any order. Leaves out what the viewer may not read and what does not
 * exist.
 */
type NodeReader = (
  context: RequestContext,
  keys: readonly never[],
) => Promise<readonly (object & { readonly id: number | string })[]>;

/** How rows of each type that implements Node are read by their ids. */
export const NODES: Readonly<Record<string, NodeReader>> = {
  Account: knownAccounts,
  ApplicationPassword: applicationPasswordsById,
  AppointmentEvent: eventsOfKind(AppointmentEvent),
  AppointmentReminder: remindersOf('appointment'),
  AuditEvent: eventsById,
  BreakGlass: openingsById,
  CareAssignment: assignmentsById,
  CareInvitation: invitationsById,
  CareRelation: relationsById,
  ContentChange: contentChangesById,
  CaredForMember: caredForById,
  Channel: channelsById,
  Device: devicesById,
  DoseEvent: eventsOfKind(DoseEvent),
  Form: formsById,
  FormSubmission: submissionsById,
  HealthcareItem: readableItems('healthcare'),
  HealthcareService: servicesById,
  HealthcareServiceKind: serviceTypesById,
  Identity: identitiesById,
  Language: languagesById,
  Media: visibleMediaById,
  MedicineReminder: remindersOf('medicine'),
  MemberHome: homeNodes,
  Model: modelNodes,
  ModelField: fieldNodes,
  ModelGroup: groupNodes,
  ModelItem: modelItemNodes,
  ModelVersion: versionsById,
  Notification: notificationsById,
  Page: readableItems('page'),
  Policy: policiesById,
  PolicyAgreement: agreementsByKey,
  Poll: pollsById,
  PollOption: pollOptionsById,
  Post: readableItems('post'),
  Quote: quotesById,
  ReportEmbed: reportEmbedsById,
  SavedReport: savedReportsById,
  Revision: readableRevisions,
  Session: sessionsById,
  StagedUpload: uploadsById,
  Term: existingTermsById,
  Video: videosById,
  Viewer: ownAccountsById,
};
