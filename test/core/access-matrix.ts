// Who may use which field, written by hand: of content from docs/behaviour.md 2.5, 5.1, 6.2, 8, 9,
// of the other REST routes from docs/interface.md 10. Whoever adds a root field adds its line here:
// the test fails until it is there, and again when the service answers otherwise.
import type { Caller } from '../support/harness.js';

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

const only = (may: string, others: string, anonymous = others): Rule => ({
  may: may.split(' ') as Caller[],
  others,
  anonymous,
});
const EVERYONE: Rule = { may: CALLERS };
const SIGNED_IN: Rule = { may: CALLERS.slice(1), anonymous: 'UNAUTHENTICATED' };
const WRITERS = 'contributor author editor administrator';
const EDITORS = 'editor administrator';
const NOBODY: Rule = { may: [], others: 'FORBIDDEN', anonymous: 'UNAUTHENTICATED' };
const ADMINISTRATORS = only('administrator', 'FORBIDDEN', 'UNAUTHENTICATED');

const STAFF = only('clinician administrator', 'FORBIDDEN', 'UNAUTHENTICATED');
const LIBRARIANS = only(EDITORS, 'FORBIDDEN', 'UNAUTHENTICATED');

const PERSON = 'username: "new", email: "new@example.com"';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const MEDICINE = 'name: "Aspirin", frequency: "daily", startsOn: "2026-03-01"';
const APPOINTMENT = 'title: "Dentist", date: "2099-03-01", time: "10:00"';
const VIDEO =
  'title: "x", url: "https://youtu.be/dQw4w9WgXcQ", durationSeconds: 60, languageCode: "en"';
const FORM =
  'formId: "4711", name: "x", email: "x@example.com", phone: "+4930901820", platform: "ios", score: 1';
const REASON = 'reason: "Unconscious in the emergency room"';

export const LINES: readonly Line[] = [
  // Any row: what a viewer may not read is null
  ['node', '{ node(id: "Tm90aWZpY2F0aW9uOjE") { id } }', EVERYONE],
  ['nodes', '{ nodes(ids: ["Tm90aWZpY2F0aW9uOjE"]) { id } }', EVERYONE],
  // Polls and policies
  ['polls', '{ polls { totalCount } }', SIGNED_IN],
  ['poll', '{ poll(id: 999999) { id } }', SIGNED_IN],
  [
    'createPoll',
    'mutation { createPoll(input: { question: "How are you?" }) { poll { id } } }',
    ADMINISTRATORS,
  ],
  [
    'updatePoll',
    'mutation { updatePoll(input: { id: 999999 }) { poll { id } } }',
    ADMINISTRATORS,
    'POLL_NOT_FOUND',
  ],
  [
    'deletePoll',
    'mutation { deletePoll(input: { id: 999999 }) { poll { id } } }',
    ADMINISTRATORS,
    'POLL_NOT_FOUND',
  ],
  [
    'submitPoll',
    'mutation { submitPoll(input: { pollId: 999999 }) { poll { id } } }',
    SIGNED_IN,
    'POLL_NOT_FOUND',
  ],
  [
    'agreeToPoll',
    'mutation { agreeToPoll(input: { pollId: 999999 }) { poll { id } } }',
    SIGNED_IN,
    'POLL_NOT_FOUND',
  ],
  ['importPolls', 'mutation { importPolls(input: { dryRun: true }) { created } }', ADMINISTRATORS],
  ['policies', '{ policies { totalCount } }', EVERYONE],
  ['policy', '{ policy(id: 999999) { id } }', EVERYONE],
  ['policyInForce', '{ policyInForce { id } }', EVERYONE],
  ['policyToAgreeTo', '{ policyToAgreeTo { id } }', SIGNED_IN],
  [
    'createPolicy',
    'mutation { createPolicy(input: { languageId: 1, title: "Policy", text: "Be kind." }) { policy { id } } }',
    ADMINISTRATORS,
  ],
  [
    'deletePolicy',
    'mutation { deletePolicy(input: { id: 999999 }) { policy { id } } }',
    ADMINISTRATORS,
    'POLICY_NOT_FOUND',
  ],
  [
    'agreeToPolicy',
    'mutation { agreeToPolicy(input: { policyId: 999999 }) { policy { id } } }',
    SIGNED_IN,
    'NOTHING_TO_AGREE',
  ],
  // Accounts
  ['viewer', '{ viewer { id } }', EVERYONE],
  [
    'login',
    'mutation { login(input: { username: "x", password: "y" }) { token } }',
    EVERYONE,
    'INVALID_CREDENTIALS',
  ],
  [
    'createUser',
    `mutation { createUser(input: { ${PERSON} }) { account { databaseId } } }`,
    only('administrator', 'FORBIDDEN'),
  ],
  ['account', '{ account(id: $editor) { id name } }', EVERYONE],
  [
    'revokeApplicationPassword',
    `mutation { revokeApplicationPassword(input: { id: "${UNKNOWN}" }) { applicationPassword { id } } }`,
    SIGNED_IN,
    'APPLICATION_PASSWORD_NOT_FOUND',
  ],
  [
    'updateProfile',
    'mutation { updateProfile(input: { name: "x" }) { viewer { id email } } }',
    SIGNED_IN,
  ],
  ['exportMyData', 'mutation { exportMyData { export { document } } }', SIGNED_IN],
  // A guest has nothing to prove it by.
  [
    'eraseMyAccount',
    'mutation { eraseMyAccount(input: {}) { erasedAccountId } }',
    only('guest', 'SIGN_IN_AGAIN', 'UNAUTHENTICATED'),
  ],

  // Ways in, and sessions; the callers sign in by application passwords
  [
    'signUp',
    'mutation { signUp(input: { email: "new@example.com", language: 1 }) { viewer { id email } } }',
    { may: CALLERS.filter((caller) => caller !== 'guest'), guest: 'FORBIDDEN' },
  ],
  [
    'createGuestSession',
    'mutation { createGuestSession(input: { language: 1 }) { viewer { id } } }',
    EVERYONE,
  ],
  [
    'refreshToken',
    'mutation { refreshToken(input: { refreshToken: "x" }) { token } }',
    EVERYONE,
    'REFRESH_TOKEN_INVALID',
  ],
  [
    'requestSignInCode',
    'mutation { requestSignInCode(input: { email: "x@example.com" }) { expiresIn } }',
    EVERYONE,
  ],
  [
    'signInWithCode',
    'mutation { signInWithCode(input: { email: "x@example.com", code: "12345678" }) { token } }',
    EVERYONE,
    'SIGN_IN_CODE_INVALID',
  ],
  // The accounts have no password and no session, so nobody proves to be the owner.
  [
    'confirmEmail',
    'mutation { confirmEmail(input: { code: "12345678" }) { viewer { id } } }',
    SIGNED_IN,
    'SIGN_IN_AGAIN',
  ],
  [
    'signInWithProvider',
    'mutation { signInWithProvider(input: { provider: A, token: "x", language: 1 }) { token } }',
    EVERYONE,
    'PROVIDER_NOT_CONFIGURED',
  ],
  [
    'unlinkIdentity',
    'mutation { unlinkIdentity(input: { id: 1 }) { identity { id } } }',
    SIGNED_IN,
    'IDENTITY_NOT_FOUND',
  ],
  [
    'endSession',
    `mutation { endSession(input: { id: "${UNKNOWN}" }) { session { id } } }`,
    SIGNED_IN,
    'SESSION_NOT_FOUND',
  ],
  ['signOut', 'mutation { signOut { session { id } } }', SIGNED_IN, 'SESSION_NOT_FOUND'],
  ['signOutEverywhere', 'mutation { signOutEverywhere { endedSessions } }', SIGNED_IN],
  [
    'requestPasswordReset',
    'mutation { requestPasswordReset(input: { email: "x@example.com" }) { expiresIn } }',
    EVERYONE,
  ],
  [
    'requestPasswordReset',
    'mutation { requestPasswordReset(input: { email: "" }) { expiresIn } }',
    EVERYONE,
    'RESET_EMAIL_REQUIRED',
  ],
  [
    'checkPasswordResetCode',
    'mutation { checkPasswordResetCode(input: { email: "x@example.com", code: "12345678" }) { ' +
      'expiresAt } }',
    EVERYONE,
    'RESET_CODE_WRONG',
  ],
  [
    'resetPassword',
    'mutation { resetPassword(input: { email: "x@example.com", code: "12345678", password: ' +
      '"long enough" }) { endedSessions } }',
    EVERYONE,
    'RESET_CODE_WRONG',
  ],
  [
    'resetPassword',
    'mutation { resetPassword(input: { email: "x@example.com", code: "", password: "long enough" }) { ' +
      'endedSessions } }',
    EVERYONE,
    'CODE_REQUIRED',
  ],

  // Reminders: one's own, see MEMBER_LINES for those of others
  ['medicineReminders', '{ medicineReminders { nodes { id } } }', SIGNED_IN],
  ['appointmentReminders', '{ appointmentReminders { nodes { id } } }', SIGNED_IN],
  ['reminder', '{ reminder(id: 4711) { id } }', SIGNED_IN, 'REMINDER_NOT_FOUND'],
  ['medicineReminder', '{ medicineReminder(id: 4711) { id } }', SIGNED_IN, 'REMINDER_NOT_FOUND'],
  [
    'appointmentReminder',
    '{ appointmentReminder(id: 4711) { id } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  ['calendar', '{ calendar { events { id } } }', SIGNED_IN],
  ['adherence', '{ adherence { taken } }', SIGNED_IN],
  ['memberHome', '{ memberHome { version } }', SIGNED_IN],
  [
    'memberHomes',
    '{ memberHomes(memberIds: [$subscriber]) { version } }',
    only('subscriber', 'FORBIDDEN', 'UNAUTHENTICATED'),
  ],
  ['careSettings', '{ careSettings { timeZone } }', SIGNED_IN],
  [
    'updateCareSettings',
    'mutation { updateCareSettings(input: { timeZone: "Asia/Tokyo" }) { careSettings { timeZone } } }',
    SIGNED_IN,
  ],
  [
    'createMedicineReminder',
    `mutation { createMedicineReminder(input: { ${MEDICINE} }) { reminder { id } } }`,
    SIGNED_IN,
  ],
  [
    'createAppointmentReminder',
    `mutation { createAppointmentReminder(input: { ${APPOINTMENT} }) { reminder { id } } }`,
    SIGNED_IN,
  ],
  [
    'updateMedicineReminder',
    'mutation { updateMedicineReminder(input: { id: 4711 }) { reminder { id } } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'updateAppointmentReminder',
    'mutation { updateAppointmentReminder(input: { id: 4711 }) { reminder { id } } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'deleteMedicineReminder',
    'mutation { deleteMedicineReminder(input: { id: 4711 }) { deletedReminderId } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'deleteAppointmentReminder',
    'mutation { deleteAppointmentReminder(input: { id: 4711 }) { deletedReminderId } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'attendAppointment',
    'mutation { attendAppointment(input: { id: 4711, attended: true }) { event { id } } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'logDose',
    'mutation { logDose(input: { reminderId: 4711 }) { event { id } } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'takeDose',
    'mutation { takeDose(input: { occurrenceId: "x" }) { event { id } } }',
    SIGNED_IN,
    'OCCURRENCE_NOT_FOUND',
  ],
  [
    'skipDose',
    'mutation { skipDose(input: { occurrenceId: "x" }) { event { id } } }',
    SIGNED_IN,
    'OCCURRENCE_NOT_FOUND',
  ],
  [
    'snoozeDose',
    'mutation { snoozeDose(input: { occurrenceId: "x" }) { event { id } } }',
    SIGNED_IN,
    'OCCURRENCE_NOT_FOUND',
  ],
  [
    'undoDose',
    'mutation { undoDose(input: { occurrenceId: "x" }) { event { id } } }',
    SIGNED_IN,
    'OCCURRENCE_NOT_FOUND',
  ],
  ['revokeCalendarFeed', 'mutation { revokeCalendarFeed { wasRevoked } }', SIGNED_IN],

  // Devices and notifications: one's own
  ['devices', '{ devices { id } }', SIGNED_IN],
  [
    'registerDevice',
    'mutation { registerDevice(input: { token: "fcm:1" }) { device { id } } }',
    SIGNED_IN,
  ],
  [
    'removeDevice',
    'mutation { removeDevice(input: { id: 4711 }) { deletedDeviceId } }',
    SIGNED_IN,
    'DEVICE_NOT_FOUND',
  ],
  ['webPushPublicKey', '{ webPushPublicKey }', EVERYONE],
  ['notifications', '{ notifications { nodes { id } } }', SIGNED_IN],
  [
    'markNotificationsRead',
    'mutation { markNotificationsRead(input: {}) { unreadCount } }',
    SIGNED_IN,
  ],
  [
    'deleteNotifications',
    'mutation { deleteNotifications(input: { ids: [4711] }) { deletedNotificationIds } }',
    SIGNED_IN,
  ],
  ['notificationPreference', '{ notificationPreference { quietStart } }', SIGNED_IN],
  [
    'updateNotificationPreference',
    'mutation { updateNotificationPreference(input: { lockScreenNames: true }) { notificationPreference { ' +
      'lockScreenNames } } }',
    SIGNED_IN,
  ],
  [
    'sendNotification',
    'mutation { sendNotification(input: { title: "x" }) { deviceCount } }',
    SIGNED_IN,
  ],
  [
    'sendNotification',
    'mutation { sendNotification(input: { title: "x", recipientIds: [4711] }) { deviceCount } }',
    NOBODY,
  ],
  ['testPush', 'mutation { testPush { deviceCount } }', SIGNED_IN],

  // Mail
  ['mailConnection', '{ mailConnection { __typename } }', only('administrator', 'FORBIDDEN')],
  [
    'disconnectOutlook',
    'mutation { disconnectOutlook { __typename } }',
    only('administrator', 'FORBIDDEN'),
  ],

  // Live
  [
    'changes',
    'subscription { changes(subjects: [{ feed: CALENDAR, since: -1 }]) { version } }',
    SIGNED_IN,
  ],
  [
    'changes',
    'subscription { changes(subjects: [{ feed: NOTIFICATIONS, since: -1 }]) { version } }',
    SIGNED_IN,
  ],
  [
    'changes',
    'subscription { changes(subjects: [{ feed: CALENDAR, memberId: $bystander, since: -1 }]) { version } }',
    NOBODY,
  ],
  [
    'changes',
    'subscription { changes(subjects: [{ feed: NOTIFICATIONS, memberId: $bystander, since: -1 }]) { version } }',
    NOBODY,
  ],
  ['accounts', '{ accounts { nodes { id email } } }', ADMINISTRATORS],
  [
    'updateSite',
    'mutation { updateSite(input: { tagline: "x" }) { site { tagline } } }',
    ADMINISTRATORS,
  ],

  // Audit
  ['auditEvents', '{ auditEvents { nodes { id } } }', ADMINISTRATORS],

  // Care: see MEMBER_LINES for whose
  ['carers', '{ carers { id } }', SIGNED_IN],
  ['caredForMembers', '{ caredForMembers { nodes { right } } }', SIGNED_IN],
  ['careInvitations', '{ careInvitations { id } }', SIGNED_IN],
  ['careAssignments', '{ careAssignments { nodes { createdAt } } }', ADMINISTRATORS],
  [
    'withdrawCareInvitation',
    'mutation { withdrawCareInvitation(input: { id: 1 }) { careInvitation { id } } }',
    SIGNED_IN,
    'CARE_INVITATION_NOT_FOUND',
  ],
  [
    'acceptCareInvitation',
    'mutation { acceptCareInvitation(input: { code: "X" }) { careRelation { id } } }',
    SIGNED_IN,
    'CARE_CODE_INVALID',
  ],
  [
    'declineCareInvitation',
    'mutation { declineCareInvitation(input: { code: "X" }) { careInvitation { id } } }',
    SIGNED_IN,
    'CARE_CODE_INVALID',
  ],
  [
    'endCare',
    'mutation { endCare(input: { id: 1 }) { careRelation { id } } }',
    SIGNED_IN,
    'CARE_NOT_FOUND',
  ],
  [
    'orderCarers',
    'mutation { orderCarers(input: { ids: [1] }) { carers { id } } }',
    SIGNED_IN,
    'CARE_ORDER_INVALID',
  ],
  [
    'unassignClinician',
    'mutation { unassignClinician(input: { memberId: $bystander, clinicianId: $clinician }) { careAssignment { ' +
      'createdAt } } }',
    ADMINISTRATORS,
    'CARE_NOT_FOUND',
  ],
  [
    'breakGlass',
    `mutation { breakGlass(input: { memberId: $bystander, ${REASON} }) { breakGlass { id } } }`,
    only('clinician administrator', 'FORBIDDEN', 'UNAUTHENTICATED'),
  ],

  // Site
  ['site', '{ site { title } }', EVERYONE],
  ['languages', '{ languages { id } }', EVERYONE],

  // Videos and quotes
  ['videos', '{ videos { nodes { id } } }', EVERYONE],
  ['quoteOfTheDay', '{ quoteOfTheDay { date } }', EVERYONE, 'QUOTE_NOT_FOUND'],
  ['quotes', '{ quotes { nodes { id } } }', LIBRARIANS],
  ['createVideo', `mutation { createVideo(input: { ${VIDEO} }) { video { id } } }`, LIBRARIANS],
  [
    'updateVideo',
    'mutation { updateVideo(input: { id: "4711", title: "x" }) { video { id } } }',
    LIBRARIANS,
    'VIDEO_NOT_FOUND',
  ],
  [
    'deleteVideo',
    'mutation { deleteVideo(input: { id: "4711" }) { video { id } } }',
    LIBRARIANS,
    'VIDEO_NOT_FOUND',
  ],
  [
    'createQuote',
    'mutation { createQuote(input: { text: "x", languageCode: "en" }) { quote { id } } }',
    LIBRARIANS,
  ],
  [
    'updateQuote',
    'mutation { updateQuote(input: { id: "4711", text: "x" }) { quote { id } } }',
    LIBRARIANS,
    'QUOTE_NOT_FOUND',
  ],
  [
    'deleteQuote',
    'mutation { deleteQuote(input: { id: "4711" }) { quote { id } } }',
    LIBRARIANS,
    'QUOTE_NOT_FOUND',
  ],

  // The directory
  ['healthcareServices', '{ healthcareServices { nodes { id } } }', EVERYONE],
  ['healthcareService', '{ healthcareService(id: "4711") { id } }', EVERYONE],
  ['healthcareServiceTypes', '{ healthcareServiceTypes { id } }', EVERYONE],
  [
    'createHealthcareService',
    'mutation { createHealthcareService(input: { name: "x" }) { service { id } } }',
    LIBRARIANS,
  ],
  [
    'updateHealthcareService',
    'mutation { updateHealthcareService(input: { id: "4711" }) { service { id } } }',
    LIBRARIANS,
    'SERVICE_NOT_FOUND',
  ],
  [
    'deleteHealthcareService',
    'mutation { deleteHealthcareService(input: { id: "4711" }) { service { id } } }',
    LIBRARIANS,
    'SERVICE_NOT_FOUND',
  ],
  [
    'createHealthcareServiceType',
    'mutation { createHealthcareServiceType(input: { name: "x" }) { type { id } } }',
    LIBRARIANS,
  ],
  [
    'updateHealthcareServiceType',
    'mutation { updateHealthcareServiceType(input: { id: "4711" }) { type { id } } }',
    LIBRARIANS,
    'SERVICE_TYPE_NOT_FOUND',
  ],
  [
    'deleteHealthcareServiceType',
    'mutation { deleteHealthcareServiceType(input: { id: "4711" }) { type { id } } }',
    LIBRARIANS,
    'SERVICE_TYPE_NOT_FOUND',
  ],
  [
    'importHealthcareServices',
    'mutation { importHealthcareServices(input: { csv: "external_id" }) { failed } }',
    LIBRARIANS,
  ],

  // Forms
  [
    'submitForm',
    `mutation { submitForm(input: { ${FORM} }) { receivedAt } }`,
    EVERYONE,
    'FORM_NOT_FOUND',
  ],
  ['forms', '{ forms { id } }', STAFF],
  ['formSubmissions', '{ formSubmissions { nodes { id } } }', STAFF],
  [
    'createForm',
    'mutation { createForm(input: { name: "x", scoreLeast: 0, scoreMost: 9 }) { form { id } } }',
    ADMINISTRATORS,
  ],
  [
    'updateForm',
    'mutation { updateForm(input: { id: "4711", open: false }) { form { id } } }',
    ADMINISTRATORS,
    'FORM_NOT_FOUND',
  ],
  [
    'deleteFormSubmission',
    'mutation { deleteFormSubmission(input: { id: "4711" }) { submission { id } } }',
    ADMINISTRATORS,
    'FORM_SUBMISSION_NOT_FOUND',
  ],

  // Diagnostics
  ['diagnostics', '{ diagnostics { thirdParties { ok } } }', STAFF],

  // Content that is published, for everyone
  ['posts', '{ posts { nodes { id } } }', EVERYONE],
  ['pages', '{ pages { nodes { id } } }', EVERYONE],
  ['healthcareItems', '{ healthcareItems { nodes { id } } }', EVERYONE],
  ['post', '{ post(id: $published) { id } }', EVERYONE],
  ['page', '{ page(id: $page) { id } }', EVERYONE],
  ['healthcareItem', '{ healthcareItem(id: $healthcare) { id } }', EVERYONE],
  ['content', '{ content(id: $page) { id } }', EVERYONE],
  ['search', '{ search(query: "x") { nodes { id } } }', EVERYONE],
  ['author', '{ author(id: $editor) { id name } }', EVERYONE],
  ['authors', '{ authors { nodes { id } } }', EVERYONE],
  ['term', '{ term(id: 1) { id } }', EVERYONE],
  ['terms', '{ terms(taxonomy: CATEGORY) { nodes { id } } }', EVERYONE],

  // Media: the editor's
  ['mediaItems', '{ mediaItems { nodes { id } } }', EVERYONE],
  ['mediaItem', '{ mediaItem(id: $medium) { id } }', EVERYONE],
  ['mediaItem', '{ mediaItem(id: $hidden) { id } }', only(EDITORS, 'MEDIA_NOT_FOUND')],
  [
    'createMedia',
    'mutation { createMedia(input: { url: "https://cdn.example/x.jpg", mimeType: ' +
      '"image/jpeg" }) { media { id } } }',
    only('author editor administrator', 'FORBIDDEN_CREATE'),
  ],
  [
    'updateMedia',
    'mutation { updateMedia(input: { id: $medium, title: "x" }) { media { id } } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'updateMedia',
    'mutation { updateMedia(input: { id: $hidden, title: "x" }) { media { id } } }',
    only(EDITORS, 'MEDIA_NOT_FOUND'),
  ],
  [
    'deleteMedia',
    'mutation { deleteMedia(input: { id: $medium }) { __typename } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],

  // Content of the editor's that is not, and its editing
  ['post', '{ post(id: $draft) { id } }', only(EDITORS, 'FORBIDDEN')],
  ['post', '{ post(id: 4711) { id } }', { may: CALLERS }, 'POST_NOT_FOUND'],
  ['content', '{ content(id: $draft) { id } }', only(EDITORS, 'FORBIDDEN')],
  [
    'posts',
    '{ posts(filter: { statuses: [DRAFT] }) { nodes { id } } }',
    only(WRITERS, 'FORBIDDEN_STATUS'),
  ],
  [
    'createPost',
    'mutation { createPost(input: { title: "x" }) { post { id } } }',
    only(WRITERS, 'FORBIDDEN_CREATE'),
  ],
  [
    'createPost',
    'mutation { createPost(input: { title: "x", status: PUBLISH }) { post { id } } }',
    {
      ...only('author editor administrator', 'FORBIDDEN_CREATE'),
      contributor: 'FORBIDDEN_PUBLISH',
    },
  ],
  [
    'createPage',
    'mutation { createPage(input: { title: "x" }) { page { id } } }',
    only(EDITORS, 'FORBIDDEN_CREATE'),
  ],
  [
    'createHealthcareItem',
    'mutation { createHealthcareItem(input: { title: "x" }) { healthcareItem { id } } }',
    only(WRITERS, 'FORBIDDEN_CREATE'),
  ],
  [
    'updatePost',
    'mutation { updatePost(input: { id: $draft, title: "x" }) { post { id } } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'updatePage',
    'mutation { updatePage(input: { id: $page, title: "x" }) { page { id } } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'updateHealthcareItem',
    'mutation { updateHealthcareItem(input: { id: $healthcare, title: "x" }) { healthcareItem { id } } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'autosavePost',
    'mutation { autosavePost(input: { id: $published, title: "x" }) { post { id } } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'autosavePage',
    'mutation { autosavePage(input: { id: $page, title: "x" }) { page { id } } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'autosaveHealthcareItem',
    'mutation { autosaveHealthcareItem(input: { id: $healthcare, title: "x" }) { healthcareItem { id } } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  ['revision', '{ revision(id: $revision) { id } }', only(EDITORS, 'FORBIDDEN_READ')],
  ['revision', '{ revision(id: 4711) { id } }', { may: CALLERS }, 'POST_NOT_FOUND'],
  [
    'deleteRevision',
    'mutation { deleteRevision(input: { id: $revision }) { deletedRevisionId } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  [
    'trashPost',
    'mutation { trashPost(input: { id: $draft }) { post { id } } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  [
    'deletePost',
    'mutation { deletePost(input: { id: $draft }) { deletedPostId } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  [
    'trashPage',
    'mutation { trashPage(input: { id: $page }) { page { id } } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  [
    'deletePage',
    'mutation { deletePage(input: { id: $page }) { deletedPageId } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  [
    'trashHealthcareItem',
    'mutation { trashHealthcareItem(input: { id: $healthcare }) { healthcareItem { id } } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  [
    'deleteHealthcareItem',
    'mutation { deleteHealthcareItem(input: { id: $healthcare }) { deletedHealthcareItemId } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  [
    'createTerm',
    'mutation { createTerm(input: { taxonomy: TAG, name: "x" }) { term { id } } }',
    only(WRITERS, 'FORBIDDEN_CREATE_TERM'),
  ],
  [
    'createTerm',
    'mutation { createTerm(input: { taxonomy: CATEGORY, name: "x" }) { term { id } } }',
    only(EDITORS, 'FORBIDDEN_CREATE_TERM'),
  ],
  [
    'updateTerm',
    'mutation { updateTerm(input: { id: $tag, name: "x" }) { term { id } } }',
    only(EDITORS, 'FORBIDDEN_EDIT_TERM'),
  ],
  [
    'deleteTerm',
    'mutation { deleteTerm(input: { id: $tag }) { deletedTermId } }',
    only(EDITORS, 'FORBIDDEN_EDIT_TERM'),
  ],

  // Content models: definitions are the administrators', items the editors'; public ones are read by all
  ['models', '{ models { totalCount } }', EVERYONE],
  ['model', '{ model(name: "nothing") { name } }', EVERYONE, 'MODEL_NOT_FOUND'],
  ['modelItem', '{ modelItem(id: 4711) { id } }', EVERYONE, 'MODEL_NOT_FOUND'],
  [
    'modelFieldChange',
    '{ modelFieldChange(id: 4711) { lost } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'createModel',
    'mutation { createModel(input: { name: "x", type: POST_TYPE }) { model { id options { name } } } }',
    ADMINISTRATORS,
  ],
  [
    'updateModel',
    'mutation { updateModel(input: { id: 4711, version: 1 }) { model { id } } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'deleteModel',
    'mutation { deleteModel(input: { id: 4711, version: 1, itemCount: 0 }) { databaseId } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'restoreModel',
    'mutation { restoreModel(input: { id: 4711 }) { model { id } } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'returnModel',
    'mutation { returnModel(input: { id: 4711, version: 1, to: 1 }) { model { id } } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'createModelGroup',
    'mutation { createModelGroup(input: { modelId: 4711, version: 1, label: "x" }) { model { id } } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'updateModelGroup',
    'mutation { updateModelGroup(input: { id: 4711, version: 1 }) { model { id } } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'deleteModelGroup',
    'mutation { deleteModelGroup(input: { id: 4711, version: 1 }) { model { id } } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'createModelField',
    'mutation { createModelField(input: { modelId: 4711, version: 1, label: "x", type: TEXT }) { ' +
      'model { id } } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'updateModelField',
    'mutation { updateModelField(input: { id: 4711, version: 1 }) { model { id } } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'deleteModelField',
    'mutation { deleteModelField(input: { id: 4711, version: 1 }) { model { id } } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'restoreModelField',
    'mutation { restoreModelField(input: { id: 4711, version: 1 }) { model { id } } }',
    ADMINISTRATORS,
    'MODEL_NOT_FOUND',
  ],
  [
    'createModelItem',
    'mutation { createModelItem(input: { modelId: 4711, values: [] }) { item { id } } }',
    only(EDITORS, 'FORBIDDEN', 'UNAUTHENTICATED'),
    'MODEL_NOT_FOUND',
  ],
  [
    'updateModelItem',
    'mutation { updateModelItem(input: { id: 4711, version: 1, values: [] }) { item { id } } }',
    only(EDITORS, 'FORBIDDEN', 'UNAUTHENTICATED'),
    'MODEL_NOT_FOUND',
  ],
  [
    'deleteModelItem',
    'mutation { deleteModelItem(input: { id: 4711, version: 1 }) { item { id } } }',
    only(EDITORS, 'FORBIDDEN', 'UNAUTHENTICATED'),
    'MODEL_NOT_FOUND',
  ],
];

/**
 * What hands access on, or would outlive an application password: for whom the line says, signed in
 * by a session; by an application password for nobody (FORBIDDEN).
 */
export const SESSION_LINES: readonly Line[] = [
  [
    'createUser',
    `mutation { createUser(input: { ${PERSON}, roles: [EDITOR] }) { account { databaseId } } }`,
    only('administrator', 'FORBIDDEN'),
  ],
  [
    'createApplicationPassword',
    'mutation { createApplicationPassword(input: { userId: $author, name: "x" }) { password } }',
    only('author administrator', 'FORBIDDEN'),
  ],
  [
    'createApplicationPassword',
    'mutation { createApplicationPassword(input: { name: "x" }) { password } }',
    SIGNED_IN,
  ],
  [
    'changePassword',
    'mutation { changePassword(input: { newPassword: "long enough" }) { viewer { id } } }',
    SIGNED_IN,
  ],
  [
    'createCalendarFeed',
    'mutation { createCalendarFeed(input: {}) { calendarFeed { url } } }',
    SIGNED_IN,
  ],
  [
    'inviteCarer',
    'mutation { inviteCarer(input: { to: "x@example.com", right: SEE }) { careInvitation { id } } }',
    SIGNED_IN,
  ],
  [
    'changeCareRight',
    'mutation { changeCareRight(input: { id: 1, right: SEE }) { careRelation { id } } }',
    SIGNED_IN,
    'CARE_NOT_FOUND',
  ],
  [
    'assignClinician',
    'mutation { assignClinician(input: { memberId: $subscriber, clinicianId: $clinician }) { careAssignment { ' +
      'createdAt } } }',
    ADMINISTRATORS,
  ],
  [
    'setRoles',
    'mutation { setRoles(input: { userId: $bystander, roles: [AUTHOR] }) { account { databaseId } } }',
    ADMINISTRATORS,
  ],
  [
    'connectOutlook',
    'mutation { connectOutlook { __typename } }',
    only('administrator', 'FORBIDDEN'),
    'OUTLOOK_NOT_CONFIGURED',
  ],
];

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

const SEEING = 'own see answer edit assigned glass opened';
const ANSWERING = 'own answer edit assigned opened';
const EDITING = 'own edit assigned opened';
const MESSAGING = `${SEEING} administrator`;
const CREATING = `${EDITING} administrator`;

export const MEMBER_LINES: readonly MemberLine[] = [
  [
    'changeCareRight',
    'mutation { changeCareRight(input: { id: $relation, right: EDIT }) { careRelation { id } } }',
    'own',
    'CARE_NOT_FOUND',
  ],
  [
    'endCare',
    'mutation { endCare(input: { id: $relation }) { careRelation { id } } }',
    'own see',
    'CARE_NOT_FOUND',
  ],
  [
    'orderCarers',
    'mutation { orderCarers(input: { ids: $relations }) { carers { id } } }',
    'own',
    'CARE_ORDER_INVALID',
  ],
  [
    'withdrawCareInvitation',
    'mutation { withdrawCareInvitation(input: { id: $invitation }) { careInvitation { id } } }',
    'own',
    'CARE_INVITATION_NOT_FOUND',
  ],
  [
    'careAssignments',
    '{ careAssignments(filter: { memberId: $member }) { nodes { createdAt } } }',
    'own administrator opened',
    'FORBIDDEN',
  ],
  [
    'auditEvents',
    '{ auditEvents(filter: { subjectId: $member }) { nodes { id } } }',
    'administrator opened',
    'FORBIDDEN',
  ],
  [
    'breakGlass',
    `mutation { breakGlass(input: { memberId: $member, ${REASON} }) { breakGlass { id } } }`,
    'assigned glass clinician administrator opened',
    'FORBIDDEN',
  ],
  [
    'medicineReminders',
    '{ medicineReminders(memberId: $member) { nodes { id } } }',
    SEEING,
    'FORBIDDEN',
  ],
  [
    'appointmentReminders',
    '{ appointmentReminders(memberId: $member) { nodes { id } } }',
    SEEING,
    'FORBIDDEN',
  ],
  ['reminder', '{ reminder(id: $appointment) { id } }', SEEING, 'REMINDER_NOT_FOUND'],
  ['medicineReminder', '{ medicineReminder(id: $medicine) { id } }', SEEING, 'REMINDER_NOT_FOUND'],
  [
    'appointmentReminder',
    '{ appointmentReminder(id: $appointment) { id } }',
    SEEING,
    'REMINDER_NOT_FOUND',
  ],
  ['calendar', '{ calendar(memberId: $member) { events { id } } }', SEEING, 'FORBIDDEN'],
  ['adherence', '{ adherence(memberId: $member) { taken } }', SEEING, 'FORBIDDEN'],
  ['memberHome', '{ memberHome(memberId: $member) { version } }', SEEING, 'FORBIDDEN'],
  ['memberHomes', '{ memberHomes(memberIds: [$member]) { version } }', SEEING, 'FORBIDDEN'],
  ['careSettings', '{ careSettings(memberId: $member) { timeZone } }', SEEING, 'FORBIDDEN'],
  [
    'changes',
    'subscription { changes(subjects: [{ feed: CALENDAR, memberId: $member, since: -1 }]) { version } }',
    SEEING,
    'FORBIDDEN',
  ],
  [
    'changes',
    'subscription { changes(subjects: [{ feed: NOTIFICATIONS, memberId: $member, since: -1 }]) { version } }',
    'own',
    'FORBIDDEN',
  ],
  [
    'sendNotification',
    'mutation { sendNotification(input: { title: "x", recipientIds: [$member] }) { deviceCount } }',
    MESSAGING,
    'FORBIDDEN',
  ],
  [
    'takeDose',
    'mutation { takeDose(input: { occurrenceId: $dose }) { event { id } } }',
    ANSWERING,
    'OCCURRENCE_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'skipDose',
    'mutation { skipDose(input: { occurrenceId: $dose }) { event { id } } }',
    ANSWERING,
    'OCCURRENCE_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'snoozeDose',
    'mutation { snoozeDose(input: { occurrenceId: $dose }) { event { id } } }',
    ANSWERING,
    'OCCURRENCE_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'undoDose',
    'mutation { undoDose(input: { occurrenceId: $taken }) { event { id } } }',
    ANSWERING,
    'OCCURRENCE_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'logDose',
    'mutation { logDose(input: { reminderId: $medicine }) { event { id } } }',
    ANSWERING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'attendAppointment',
    'mutation { attendAppointment(input: { id: $appointment, attended: true }) { event { id } } }',
    ANSWERING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'createMedicineReminder',
    `mutation { createMedicineReminder(input: { memberId: $member, ${MEDICINE} }) { reminder { id } } }`,
    CREATING,
    'FORBIDDEN',
  ],
  [
    'createAppointmentReminder',
    `mutation { createAppointmentReminder(input: { memberId: $member, ${APPOINTMENT} }) { reminder { id } } }`,
    CREATING,
    'FORBIDDEN',
  ],
  [
    'updateMedicineReminder',
    'mutation { updateMedicineReminder(input: { id: $medicine, name: "x" }) { reminder { id } } }',
    EDITING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'updateAppointmentReminder',
    'mutation { updateAppointmentReminder(input: { id: $appointment, title: "x" }) { reminder { id } } }',
    EDITING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'deleteMedicineReminder',
    'mutation { deleteMedicineReminder(input: { id: $medicine }) { deletedReminderId } }',
    EDITING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'deleteAppointmentReminder',
    'mutation { deleteAppointmentReminder(input: { id: $appointment }) { deletedReminderId } }',
    EDITING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'updateCareSettings',
    'mutation { updateCareSettings(input: { memberId: $member, timeZone: "Asia/Tokyo" }) { ' +
      'careSettings { timeZone } } }',
    EDITING,
    'FORBIDDEN',
  ],
];
