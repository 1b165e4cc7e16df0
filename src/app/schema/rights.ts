import { canResolver, viewerCanResolver } from '../../core/rights.js';
import { Account } from '../../domains/accounts/account.types.js';
import { OwnAccount } from '../../domains/accounts/own-account.types.js';
import { refusalOfOwn } from '../../domains/accounts/person.service.js';
import { BreakGlass } from '../../domains/break-glass/break-glass.types.js';
import { refusalOfCare } from '../../domains/care/care.service.js';
import { CareAssignment } from '../../domains/care/care-assignment.types.js';
import { refusalOfRightChange } from '../../domains/care/care-relation.service.js';
import { CareInvitation, CareRelation } from '../../domains/care/care-relation.types.js';
import { refusalOfPolicyDeletion } from '../../domains/consents/policy.service.js';
import { Policy } from '../../domains/consents/policy.types.js';
import { Taxonomy } from '../../domains/content/content.enums.js';
import { Media } from '../../domains/content/media/media.types.js';
import { Revision } from '../../domains/content/revision/revision.types.js';
import { TERM_DELETION } from '../../domains/content/term/term.service.js';
import { Term, type TermRow } from '../../domains/content/term/term.types.js';
import { HealthcareService } from '../../domains/directory/service/healthcare-service.types.js';
import { HealthcareServiceType } from '../../domains/directory/service-type/service-type.types.js';
import { Form, FormSubmission } from '../../domains/forms/form.types.js';
import { Model } from '../../domains/models/definition/model.types.js';
import { ModelField } from '../../domains/models/field/model-field.types.js';
import { ModelGroup } from '../../domains/models/group/model-group.types.js';
import { ModelItem } from '../../domains/models/item/model-item.types.js';
import { refusalOfReminders } from '../../domains/notifications/channel/channel.service.js';
import { Channel } from '../../domains/notifications/channel/channel.types.js';
import { refusalOfCode } from '../../domains/notifications/channel/channel-proof.service.js';
import { Device } from '../../domains/notifications/device/device.types.js';
import { Notification } from '../../domains/notifications/notification/notification.types.js';
import { refusalOfReset } from '../../domains/passwords/reset.service.js';
import { Poll } from '../../domains/polls/poll.types.js';
import { Quote } from '../../domains/quotes/quote.types.js';
import { AppointmentReminder } from '../../domains/reminders/reminder/appointment-reminder.types.js';
import { MedicineReminder } from '../../domains/reminders/reminder/medicine-reminder.types.js';
import { CareSettings } from '../../domains/reminders/setting/setting.types.js';
import { ReportEmbed } from '../../domains/reports/embedded/report-embed.types.js';
import { refusalOfReportChange } from '../../domains/reports/saved/saved-report.service.js';
import { SavedReport } from '../../domains/reports/saved/saved-report.types.js';
import { ApplicationPassword } from '../../domains/sign-in/application-password/application-password.types.js';
import { refusalOfUnlinking } from '../../domains/sign-in/provider/identity.service.js';
import { Identity } from '../../domains/sign-in/provider/identity.types.js';
import { Session } from '../../domains/sign-in/session/session.types.js';
import { Video } from '../../domains/videos/video.types.js';

/** Returns the rights to change and to delete a row, by the mutations of its type. */
const changing = (type: string) => ({
  update: { mutation: `update${type}` },
  delete: { mutation: `delete${type}` },
});

const alone = (mutation: string, input = {}) => ({ mutation, input });

/**
 * What the viewer may do, by type: `viewerCan`, and `can` of the viewer. Content has a type of its
 * own, `ContentRights`.
 */
export const RIGHTS_RESOLVERS = [
  viewerCanResolver('Account', Account, {
    update: { mutation: 'updateUser' },
    setRoles: { mutation: 'setRoles' },
    suspend: { mutation: 'suspendUser', refuse: refusalOfOwn },
    reinstate: { mutation: 'reinstateUser' },
    endSessions: { mutation: 'endSessionsOf' },
    sendPasswordReset: { mutation: 'sendPasswordReset', refuse: refusalOfReset },
    delete: { mutation: 'deleteUser', refuse: refusalOfOwn },
  }),
  viewerCanResolver('ApplicationPassword', ApplicationPassword, {
    revoke: { mutation: 'revokeApplicationPassword' },
  }),
  viewerCanResolver('AppointmentReminder', AppointmentReminder, changing('AppointmentReminder')),
  viewerCanResolver('BreakGlass', BreakGlass, { end: { mutation: 'endBreakGlass' } }),
  viewerCanResolver('CareInvitation', CareInvitation, {
    withdraw: { mutation: 'withdrawCareInvitation' },
  }),
  viewerCanResolver('CareRelation', CareRelation, {
    changeRight: { mutation: 'changeCareRight', refuse: refusalOfRightChange },
    end: { mutation: 'endCare' },
  }),
  viewerCanResolver('CareSettings', CareSettings, {
    update: {
      mutation: 'updateCareSettings',
      refuse: (context, { memberId }) => refusalOfCare(context, memberId, 'edit'),
    },
  }),
  viewerCanResolver('CareAssignment', CareAssignment, { end: { mutation: 'unassignClinician' } }),
  viewerCanResolver('Channel', Channel, {
    sendCode: { mutation: 'sendChannelCode', refuse: refusalOfCode },
    update: { mutation: 'updateChannel', refuse: refusalOfReminders },
    remove: { mutation: 'removeChannel' },
  }),
  viewerCanResolver('Device', Device, { remove: { mutation: 'removeDevice' } }),
  viewerCanResolver('Form', Form, { update: { mutation: 'updateForm' } }),
  viewerCanResolver('FormSubmission', FormSubmission, {
    delete: { mutation: 'deleteFormSubmission' },
  }),
  viewerCanResolver('HealthcareService', HealthcareService, changing('HealthcareService')),
  viewerCanResolver(
    'HealthcareServiceKind',
    HealthcareServiceType,
    changing('HealthcareServiceType'),
  ),
  viewerCanResolver('Identity', Identity, {
    unlink: { mutation: 'unlinkIdentity', refuse: refusalOfUnlinking },
  }),
  viewerCanResolver('Media', Media, changing('Media')),
  viewerCanResolver('MedicineReminder', MedicineReminder, changing('MedicineReminder')),
  viewerCanResolver('Model', Model, {
    ...changing('Model'),
    createItem: { mutation: 'createModelItem' },
  }),
  viewerCanResolver('ModelField', ModelField, changing('ModelField')),
  viewerCanResolver('ModelGroup', ModelGroup, changing('ModelGroup')),
  viewerCanResolver('ModelItem', ModelItem, changing('ModelItem')),
  viewerCanResolver('Notification', Notification, {
    markRead: { mutation: 'markNotificationsRead' },
    delete: { mutation: 'deleteNotifications' },
  }),
  viewerCanResolver('Policy', Policy, {
    delete: { mutation: 'deletePolicy', refuse: refusalOfPolicyDeletion },
  }),
  viewerCanResolver('Poll', Poll, changing('Poll')),
  viewerCanResolver('Quote', Quote, changing('Quote')),
  viewerCanResolver('ReportEmbed', ReportEmbed, { revoke: { mutation: 'revokeReportEmbed' } }),
  viewerCanResolver('Revision', Revision, {
    restore: { mutation: 'restoreRevision' },
    delete: { mutation: 'deleteRevision' },
  }),
  viewerCanResolver('SavedReport', SavedReport, {
    update: {
      mutation: 'updateSavedReport',
      refuse: (_context, report) => refusalOfReportChange(report),
    },
    delete: {
      mutation: 'deleteSavedReport',
      refuse: (_context, report) => refusalOfReportChange(report),
    },
  }),
  viewerCanResolver('Session', Session, { end: { mutation: 'endSession' } }),
  viewerCanResolver('Term', Term, {
    update: { mutation: 'updateTerm' },
    delete: {
      mutation: 'deleteTerm',
      refuse: (context, term) => TERM_DELETION.refuse(context, term as TermRow),
    },
  }),
  viewerCanResolver('Video', Video, changing('Video')),
  canResolver(OwnAccount, {
    assignClinician: alone('assignClinician'),
    createCategory: alone('createTerm', { taxonomy: Taxonomy.CATEGORY }),
    createForm: alone('createForm'),
    createHealthcareItem: alone('createHealthcareItem'),
    createHealthcareService: alone('createHealthcareService'),
    createHealthcareServiceType: alone('createHealthcareServiceType'),
    createMedia: alone('createMedia'),
    createModel: alone('createModel'),
    createModelItem: alone('createModelItem'),
    createPage: alone('createPage'),
    createPolicy: alone('createPolicy'),
    createPoll: alone('createPoll'),
    createPost: alone('createPost'),
    createQuote: alone('createQuote'),
    createTag: alone('createTerm', { taxonomy: Taxonomy.TAG }),
    createVideo: alone('createVideo'),
    importHealthcareServices: alone('importHealthcareServices'),
    importPolls: alone('importPolls'),
    stagedUpload: alone('stagedUpload'),
    updateSite: alone('updateSite'),
  }),
] as const;
