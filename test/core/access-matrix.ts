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
const MEDICINE = 'name: "Aspirin", frequencyType: "daily", startDate: "2026-03-01"';
const VIDEO =
  'title: "x", url: "https://youtu.be/dQw4w9WgXcQ", durationSeconds: 60, languageCode: "en"';
const FORM =
  'formId: "4711", name: "x", email: "x@example.com", phone: "+4930901820", platform: "ios", score: 1';
const APPOINTMENT = 'title: "Dentist", dateTime: "2099-03-01T10:00:00"';
const REASON = 'reason: "Unconscious in the emergency room"';

export const LINES: readonly Line[] = [
  // Any row: what a viewer may not read is null
  ['node', '{ node(id: "Tm90aWZpY2F0aW9uOjE") { id } }', EVERYONE],
  ['nodes', '{ nodes(ids: ["Tm90aWZpY2F0aW9uOjE"]) { id } }', EVERYONE],
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
    `mutation { createUser(input: { ${PERSON} }) { id } }`,
    only('administrator', 'FORBIDDEN'),
  ],
  ['applicationPasswords', '{ applicationPasswords { id } }', SIGNED_IN],
  ['presentApplicationPassword', '{ presentApplicationPassword { id } }', SIGNED_IN],
  [
    'revokeApplicationPassword',
    `mutation { revokeApplicationPassword(input: { id: "${UNKNOWN}" }) { id } }`,
    SIGNED_IN,
    'APPLICATION_PASSWORD_NOT_FOUND',
  ],
  ['updateProfile', 'mutation { updateProfile(input: { name: "x" }) { id email } }', SIGNED_IN],
  ['exportMyData', 'mutation { exportMyData { document } }', SIGNED_IN],
  // A guest has nothing to prove it by.
  [
    'eraseMyAccount',
    'mutation { eraseMyAccount(input: {}) }',
    only('guest', 'SIGN_IN_AGAIN', 'UNAUTHENTICATED'),
  ],

  // Ways in, and sessions; the callers sign in by application passwords
  [
    'signup',
    'mutation { signup(input: { email: "new@example.com", language: 1 }) { user { id email } } }',
    { may: CALLERS.filter((caller) => caller !== 'guest'), guest: 'FORBIDDEN' },
  ],
  ['guest', 'mutation { guest(input: { language: 1 }) { user { id } } }', EVERYONE],
  [
    'refreshToken',
    'mutation { refreshToken(input: { refreshToken: "x" }) { token } }',
    EVERYONE,
    'REFRESH_TOKEN_INVALID',
  ],
  [
    'requestSignInCode',
    'mutation { requestSignInCode(input: { email: "x@example.com" }) }',
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
    'mutation { confirmEmail(input: { code: "12345678" }) { id } }',
    SIGNED_IN,
    'SIGN_IN_AGAIN',
  ],
  [
    'signInWithProvider',
    'mutation { signInWithProvider(input: { provider: A, token: "x", language: 1 }) { token } }',
    EVERYONE,
    'PROVIDER_NOT_CONFIGURED',
  ],
  ['identities', '{ identities { id } }', SIGNED_IN],
  [
    'unlinkIdentity',
    'mutation { unlinkIdentity(input: { id: 1 }) { id } }',
    SIGNED_IN,
    'IDENTITY_NOT_FOUND',
  ],
  ['sessions', '{ sessions { id } }', SIGNED_IN],
  [
    'endSession',
    `mutation { endSession(input: { id: "${UNKNOWN}" }) { id } }`,
    SIGNED_IN,
    'SESSION_NOT_FOUND',
  ],
  ['signOut', 'mutation { signOut { id } }', SIGNED_IN, 'SESSION_NOT_FOUND'],
  ['signOutEverywhere', 'mutation { signOutEverywhere }', SIGNED_IN],
  [
    'requestPasswordReset',
    'mutation { requestPasswordReset(input: { email: "x@example.com" }) { message } }',
    EVERYONE,
  ],
  [
    'requestPasswordReset',
    'mutation { requestPasswordReset(input: {}) { message } }',
    EVERYONE,
    'RESET_EMAIL_REQUIRED',
  ],
  [
    'checkPasswordResetCode',
    'mutation { checkPasswordResetCode(input: { email: "x@example.com", code: "12345678" }) { ' +
      'message } }',
    EVERYONE,
    'RESET_CODE_WRONG',
  ],
  [
    'resetPassword',
    'mutation { resetPassword(input: { email: "x@example.com", code: "12345678", password: ' +
      '"long enough" }) { message } }',
    EVERYONE,
    'RESET_CODE_WRONG',
  ],
  [
    'resetPassword',
    'mutation { resetPassword(input: { email: "x@example.com", password: "long enough" }) { ' +
      'message } }',
    EVERYONE,
    'CODE_REQUIRED',
  ],

  // Reminders: one's own, see MEMBER_LINES for those of others
  ['medicineReminders', '{ medicineReminders { nodes { id } } }', SIGNED_IN],
  ['appointmentReminders', '{ appointmentReminders { nodes { id } } }', SIGNED_IN],
  ['medicineReminder', '{ medicineReminder(id: 4711) { id } }', SIGNED_IN, 'REMINDER_NOT_FOUND'],
  [
    'appointmentReminder',
    '{ appointmentReminder(id: 4711) { id } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  ['calendar', '{ calendar { nodes { id } } }', SIGNED_IN],
  ['adherence', '{ adherence { taken } }', SIGNED_IN],
  ['memberHome', '{ memberHome { memberId } }', SIGNED_IN],
  [
    'memberHomes',
    '{ memberHomes(memberIds: [$subscriber]) { memberId } }',
    only('subscriber', 'FORBIDDEN', 'UNAUTHENTICATED'),
  ],
  ['careSettings', '{ careSettings { timeZone } }', SIGNED_IN],
  [
    'updateCareSettings',
    'mutation { updateCareSettings(input: { timeZone: "Asia/Tokyo" }) { timeZone } }',
    SIGNED_IN,
  ],
  [
    'createMedicineReminder',
    `mutation { createMedicineReminder(input: { ${MEDICINE} }) { id } }`,
    SIGNED_IN,
  ],
  [
    'createAppointmentReminder',
    `mutation { createAppointmentReminder(input: { ${APPOINTMENT} }) { id } }`,
    SIGNED_IN,
  ],
  [
    'updateMedicineReminder',
    'mutation { updateMedicineReminder(input: { id: 4711 }) { id } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'updateAppointmentReminder',
    'mutation { updateAppointmentReminder(input: { id: 4711 }) { id } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'deleteMedicineReminder',
    'mutation { deleteMedicineReminder(input: { id: 4711 }) { deleted } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'deleteAppointmentReminder',
    'mutation { deleteAppointmentReminder(input: { id: 4711 }) { deleted } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'attendAppointment',
    'mutation { attendAppointment(input: { id: 4711, attended: true }) { id } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'logDose',
    'mutation { logDose(input: { reminderId: 4711 }) { id } }',
    SIGNED_IN,
    'REMINDER_NOT_FOUND',
  ],
  [
    'takeDose',
    'mutation { takeDose(input: { occurrenceId: "x" }) { id } }',
    SIGNED_IN,
    'OCCURRENCE_NOT_FOUND',
  ],
  [
    'skipDose',
    'mutation { skipDose(input: { occurrenceId: "x" }) { id } }',
    SIGNED_IN,
    'OCCURRENCE_NOT_FOUND',
  ],
  [
    'snoozeDose',
    'mutation { snoozeDose(input: { occurrenceId: "x" }) { id } }',
    SIGNED_IN,
    'OCCURRENCE_NOT_FOUND',
  ],
  [
    'undoDose',
    'mutation { undoDose(input: { occurrenceId: "x" }) { id } }',
    SIGNED_IN,
    'OCCURRENCE_NOT_FOUND',
  ],
  ['revokeCalendarFeed', 'mutation { revokeCalendarFeed }', SIGNED_IN],

  // Devices and notifications: one's own
  ['devices', '{ devices { id } }', SIGNED_IN],
  ['registerDevice', 'mutation { registerDevice(input: { token: "fcm:1" }) { id } }', SIGNED_IN],
  ['removeDevice', 'mutation { removeDevice(input: { token: "fcm:1" }) { deleted } }', EVERYONE],
  [
    'removeOwnDevice',
    'mutation { removeOwnDevice(input: { id: 4711 }) { deleted } }',
    SIGNED_IN,
    'DEVICE_NOT_FOUND',
  ],
  ['webPushPublicKey', '{ webPushPublicKey }', EVERYONE],
  ['notifications', '{ notifications { nodes { id } } }', SIGNED_IN],
  ['markNotificationsRead', 'mutation { markNotificationsRead(input: {}) { read } }', SIGNED_IN],
  [
    'deleteNotifications',
    'mutation { deleteNotifications(input: { ids: [4711] }) { deleted } }',
    SIGNED_IN,
  ],
  ['notificationPreference', '{ notificationPreference { quietStart } }', SIGNED_IN],
  [
    'updateNotificationPreference',
    'mutation { updateNotificationPreference(input: { lockScreenNames: true }) { ' +
      'lockScreenNames } }',
    SIGNED_IN,
  ],
  ['notify', 'mutation { notify(input: { title: "x" }) { queued } }', SIGNED_IN],
  [
    'sendNotification',
    'mutation { sendNotification(input: { title: "x" }) { queued } }',
    SIGNED_IN,
  ],
  [
    'sendNotification',
    'mutation { sendNotification(input: { title: "x", pushToken: "fcm:1" }) { queued } }',
    NOBODY,
  ],
  ['testPush', 'mutation { testPush { queued } }', SIGNED_IN],

  // Mail
  ['mailConnection', '{ mailConnection { __typename } }', only('administrator', 'FORBIDDEN')],
  [
    'disconnectOutlook',
    'mutation { disconnectOutlook { __typename } }',
    only('administrator', 'FORBIDDEN'),
  ],
  [
    'completeOutlook',
    'mutation { completeOutlook(input: { state: "x", code: "x" }) { title } }',
    EVERYONE,
    'FORBIDDEN',
  ],

  // Live
  ['changes', 'subscription { changes(feed: CALENDAR, since: -1) { version } }', SIGNED_IN],
  ['changes', 'subscription { changes(feed: NOTIFICATIONS, since: -1) { version } }', SIGNED_IN],
  [
    'changes',
    'subscription { changes(feed: CALENDAR, memberId: $bystander, since: -1) { version } }',
    NOBODY,
  ],
  [
    'changes',
    'subscription { changes(feed: NOTIFICATIONS, memberId: $bystander, since: -1) { version } }',
    NOBODY,
  ],
  ['accounts', '{ accounts { nodes { id email } } }', ADMINISTRATORS],
  ['updateSite', 'mutation { updateSite(input: { tagline: "x" }) { tagline } }', ADMINISTRATORS],

  // Audit
  ['auditEvents', '{ auditEvents { nodes { id } } }', ADMINISTRATORS],
  ['myAudit', '{ myAudit { nodes { id } } }', SIGNED_IN],

  // Care: see MEMBER_LINES for whose
  ['carers', '{ carers { id } }', SIGNED_IN],
  ['careFor', '{ careFor { nodes { right } } }', SIGNED_IN],
  ['careInvitations', '{ careInvitations { id } }', SIGNED_IN],
  ['careAssignments', '{ careAssignments { nodes { createdAt } } }', ADMINISTRATORS],
  [
    'withdrawCareInvitation',
    'mutation { withdrawCareInvitation(input: { id: 1 }) { id } }',
    SIGNED_IN,
    'CARE_INVITATION_NOT_FOUND',
  ],
  [
    'acceptCareInvitation',
    'mutation { acceptCareInvitation(input: { code: "X" }) { id } }',
    SIGNED_IN,
    'CARE_CODE_INVALID',
  ],
  [
    'declineCareInvitation',
    'mutation { declineCareInvitation(input: { code: "X" }) { id } }',
    SIGNED_IN,
    'CARE_CODE_INVALID',
  ],
  ['endCare', 'mutation { endCare(input: { id: 1 }) { id } }', SIGNED_IN, 'CARE_NOT_FOUND'],
  [
    'orderCarers',
    'mutation { orderCarers(input: { ids: [1] }) { id } }',
    SIGNED_IN,
    'CARE_ORDER_INVALID',
  ],
  [
    'unassignClinician',
    'mutation { unassignClinician(input: { memberId: $bystander, clinicianId: $clinician }) { ' +
      'createdAt } }',
    ADMINISTRATORS,
    'CARE_NOT_FOUND',
  ],
  [
    'breakGlass',
    `mutation { breakGlass(input: { memberId: $bystander, ${REASON} }) { id } }`,
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
  ['author', '{ author(id: $editor) { id name } }', EVERYONE],
  ['authors', '{ authors { nodes { id } } }', EVERYONE],
  ['term', '{ term(taxonomy: CATEGORY, id: 1) { id } }', EVERYONE],
  ['terms', '{ terms(taxonomy: CATEGORY) { nodes { id } } }', EVERYONE],

  // Media: the editor's
  ['mediaList', '{ mediaList { nodes { id } } }', EVERYONE],
  ['media', '{ media(id: $medium) { id } }', EVERYONE],
  ['media', '{ media(id: $hidden) { id } }', only(EDITORS, 'MEDIA_NOT_FOUND')],
  [
    'createMedia',
    'mutation { createMedia(input: { sourceUrl: "https://cdn.example/x.jpg", mimeType: ' +
      '"image/jpeg" }) { id } }',
    only('author editor administrator', 'FORBIDDEN_CREATE'),
  ],
  [
    'updateMedia',
    'mutation { updateMedia(input: { id: $medium, title: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'updateMedia',
    'mutation { updateMedia(input: { id: $hidden, title: "x" }) { id } }',
    only(EDITORS, 'MEDIA_NOT_FOUND'),
  ],
  [
    'deleteMedia',
    'mutation { deleteMedia(input: { id: $medium }) { __typename } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],

  // Content of the editor's that is not, and its editing
  ['post', '{ post(id: $draft) { id } }', only(EDITORS, 'FORBIDDEN')],
  ['post', '{ post(id: $published, as: EDIT) { id } }', only(EDITORS, 'FORBIDDEN_CONTEXT')],
  ['post', '{ post(id: 4711) { id } }', { may: CALLERS }, 'POST_NOT_FOUND'],
  ['page', '{ page(id: $page, as: EDIT) { id } }', only(EDITORS, 'FORBIDDEN_CONTEXT')],
  [
    'healthcareItem',
    '{ healthcareItem(id: $healthcare, as: EDIT) { id } }',
    only(EDITORS, 'FORBIDDEN_CONTEXT'),
  ],
  ['posts', '{ posts(as: EDIT) { nodes { id } } }', only(WRITERS, 'FORBIDDEN_CONTEXT')],
  ['pages', '{ pages(as: EDIT) { nodes { id } } }', only(EDITORS, 'FORBIDDEN_CONTEXT')],
  [
    'healthcareItems',
    '{ healthcareItems(as: EDIT) { nodes { id } } }',
    only(WRITERS, 'FORBIDDEN_CONTEXT'),
  ],
  [
    'posts',
    '{ posts(filter: { status: [DRAFT] }) { nodes { id } } }',
    only(WRITERS, 'FORBIDDEN_STATUS'),
  ],
  [
    'createPost',
    'mutation { createPost(input: { title: "x" }) { id } }',
    only(WRITERS, 'FORBIDDEN_CREATE'),
  ],
  [
    'createPost',
    'mutation { createPost(input: { title: "x", status: PUBLISH }) { id } }',
    {
      ...only('author editor administrator', 'FORBIDDEN_CREATE'),
      contributor: 'FORBIDDEN_PUBLISH',
    },
  ],
  [
    'createPage',
    'mutation { createPage(input: { title: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_CREATE'),
  ],
  [
    'createHealthcareItem',
    'mutation { createHealthcareItem(input: { title: "x" }) { id } }',
    only(WRITERS, 'FORBIDDEN_CREATE'),
  ],
  [
    'updatePost',
    'mutation { updatePost(input: { id: $draft, title: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'updatePage',
    'mutation { updatePage(input: { id: $page, title: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'updateHealthcareItem',
    'mutation { updateHealthcareItem(input: { id: $healthcare, title: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'autosavePost',
    'mutation { autosavePost(input: { id: $published, title: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'autosavePage',
    'mutation { autosavePage(input: { id: $page, title: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'autosaveHealthcareItem',
    'mutation { autosaveHealthcareItem(input: { id: $healthcare, title: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  [
    'revisions',
    '{ revisions(kind: POST, parent: $published) { nodes { id } } }',
    only(EDITORS, 'FORBIDDEN_READ'),
  ],
  [
    'revision',
    '{ revision(kind: POST, parent: $published, id: 1) { id } }',
    only(EDITORS, 'FORBIDDEN_READ'),
    'POST_NOT_FOUND',
  ],
  [
    'autosaves',
    '{ autosaves(kind: POST, parent: $published) { id } }',
    only(EDITORS, 'FORBIDDEN_READ'),
  ],
  [
    'autosave',
    '{ autosave(kind: POST, parent: $draft, id: 1) { id } }',
    only(EDITORS, 'FORBIDDEN_READ'),
    'NO_AUTOSAVE',
  ],
  [
    'deleteRevision',
    'mutation { deleteRevision(input: { kind: POST, parent: $draft, id: 4711, force: true }) { ' +
      'deleted } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
    'POST_NOT_FOUND',
  ],
  [
    'deletePost',
    'mutation { deletePost(input: { id: $draft }) { __typename } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  [
    'deletePage',
    'mutation { deletePage(input: { id: $page }) { __typename } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  [
    'deleteHealthcareItem',
    'mutation { deleteHealthcareItem(input: { id: $healthcare }) { __typename } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  [
    'createTerm',
    'mutation { createTerm(input: { taxonomy: TAG, name: "x" }) { id } }',
    only(WRITERS, 'FORBIDDEN_CREATE_TERM'),
  ],
  [
    'createTerm',
    'mutation { createTerm(input: { taxonomy: CATEGORY, name: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_CREATE_TERM'),
  ],
  [
    'updateTerm',
    'mutation { updateTerm(input: { id: $tag, name: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_EDIT_TERM'),
  ],
  [
    'deleteTerm',
    'mutation { deleteTerm(input: { id: $tag }) { deleted } }',
    only(EDITORS, 'FORBIDDEN_EDIT_TERM'),
  ],
];

/**
 * What hands access on, or would outlive an application password: for whom the line says, signed in
 * by a session; by an application password for nobody (FORBIDDEN).
 */
export const SESSION_LINES: readonly Line[] = [
  [
    'createUser',
    `mutation { createUser(input: { ${PERSON}, roles: [EDITOR] }) { id } }`,
    only('administrator', 'FORBIDDEN'),
  ],
  [
    'createApplicationPassword',
    'mutation { createApplicationPassword(input: { userId: $author, name: "x" }) { id } }',
    only('author administrator', 'FORBIDDEN'),
  ],
  [
    'createApplicationPassword',
    'mutation { createApplicationPassword(input: { name: "x" }) { id } }',
    SIGNED_IN,
  ],
  [
    'changePassword',
    'mutation { changePassword(input: { newPassword: "long enough" }) { id } }',
    SIGNED_IN,
  ],
  ['createCalendarFeed', 'mutation { createCalendarFeed(input: {}) { url } }', SIGNED_IN],
  [
    'inviteCarer',
    'mutation { inviteCarer(input: { to: "x@example.com", right: SEE }) { id } }',
    SIGNED_IN,
  ],
  [
    'changeCare',
    'mutation { changeCare(input: { id: 1, right: SEE }) { id } }',
    SIGNED_IN,
    'CARE_NOT_FOUND',
  ],
  [
    'assignClinician',
    'mutation { assignClinician(input: { memberId: $subscriber, clinicianId: $clinician }) { ' +
      'createdAt } }',
    ADMINISTRATORS,
  ],
  [
    'setRoles',
    'mutation { setRoles(input: { userId: $bystander, roles: [AUTHOR] }) { id } }',
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
    'changeCare',
    'mutation { changeCare(input: { id: $relation, right: EDIT }) { id } }',
    'own',
    'CARE_NOT_FOUND',
  ],
  ['endCare', 'mutation { endCare(input: { id: $relation }) { id } }', 'own see', 'CARE_NOT_FOUND'],
  [
    'orderCarers',
    'mutation { orderCarers(input: { ids: $relations }) { id } }',
    'own',
    'CARE_ORDER_INVALID',
  ],
  [
    'withdrawCareInvitation',
    'mutation { withdrawCareInvitation(input: { id: $invitation }) { id } }',
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
    `mutation { breakGlass(input: { memberId: $member, ${REASON} }) { id } }`,
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
  ['medicineReminder', '{ medicineReminder(id: $medicine) { id } }', SEEING, 'REMINDER_NOT_FOUND'],
  [
    'appointmentReminder',
    '{ appointmentReminder(id: $appointment) { id } }',
    SEEING,
    'REMINDER_NOT_FOUND',
  ],
  ['calendar', '{ calendar(memberId: $member) { nodes { id } } }', SEEING, 'FORBIDDEN'],
  ['adherence', '{ adherence(memberId: $member) { taken } }', SEEING, 'FORBIDDEN'],
  ['memberHome', '{ memberHome(memberId: $member) { memberId } }', SEEING, 'FORBIDDEN'],
  ['memberHomes', '{ memberHomes(memberIds: [$member]) { memberId } }', SEEING, 'FORBIDDEN'],
  ['careSettings', '{ careSettings(memberId: $member) { timeZone } }', SEEING, 'FORBIDDEN'],
  [
    'changes',
    'subscription { changes(feed: CALENDAR, memberId: $member, since: -1) { version } }',
    SEEING,
    'FORBIDDEN',
  ],
  [
    'changes',
    'subscription { changes(feed: NOTIFICATIONS, memberId: $member, since: -1) { version } }',
    'own',
    'FORBIDDEN',
  ],
  [
    'sendNotification',
    'mutation { sendNotification(input: { title: "x", userIds: [$member] }) { queued } }',
    MESSAGING,
    'FORBIDDEN',
  ],
  [
    'notify',
    'mutation { notify(input: { title: "x", userId: $member }) { queued } }',
    MESSAGING,
    'FORBIDDEN',
  ],
  [
    'takeDose',
    'mutation { takeDose(input: { occurrenceId: $dose }) { id } }',
    ANSWERING,
    'OCCURRENCE_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'skipDose',
    'mutation { skipDose(input: { occurrenceId: $dose }) { id } }',
    ANSWERING,
    'OCCURRENCE_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'snoozeDose',
    'mutation { snoozeDose(input: { occurrenceId: $dose }) { id } }',
    ANSWERING,
    'OCCURRENCE_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'undoDose',
    'mutation { undoDose(input: { occurrenceId: $taken }) { id } }',
    ANSWERING,
    'OCCURRENCE_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'logDose',
    'mutation { logDose(input: { reminderId: $medicine }) { id } }',
    ANSWERING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'attendAppointment',
    'mutation { attendAppointment(input: { id: $appointment, attended: true }) { id } }',
    ANSWERING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'createMedicineReminder',
    `mutation { createMedicineReminder(input: { userId: $member, ${MEDICINE} }) { id } }`,
    CREATING,
    'FORBIDDEN',
  ],
  [
    'createAppointmentReminder',
    `mutation { createAppointmentReminder(input: { userId: $member, ${APPOINTMENT} }) { id } }`,
    CREATING,
    'FORBIDDEN',
  ],
  [
    'updateMedicineReminder',
    'mutation { updateMedicineReminder(input: { id: $medicine, name: "x" }) { id } }',
    EDITING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'updateAppointmentReminder',
    'mutation { updateAppointmentReminder(input: { id: $appointment, title: "x" }) { id } }',
    EDITING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'deleteMedicineReminder',
    'mutation { deleteMedicineReminder(input: { id: $medicine }) { deleted } }',
    EDITING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'deleteAppointmentReminder',
    'mutation { deleteAppointmentReminder(input: { id: $appointment }) { deleted } }',
    EDITING,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'updateCareSettings',
    'mutation { updateCareSettings(input: { memberId: $member, timeZone: "Asia/Tokyo" }) { ' +
      'timeZone } }',
    EDITING,
    'FORBIDDEN',
  ],
];
