// Who may use which field, written by hand from the design (sections 5, 6 and 8) and behaviour.md (2.5, 5.1, 6.2, 8, 9). Whoever adds a
// root field adds its line here: the test fails until it is there, and again when the service answers otherwise.
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

/** Who may, and what the others are answered; one caller apart where it is answered something else. */
export type Rule = { readonly may: readonly Caller[]; readonly others?: string } & { readonly [C in Caller]?: string };

/** A field, a document that uses it (`$name` stands for an id of the world), who may, and what those who may are answered besides data. */
export type Line = readonly [field: string, document: string, rule: Rule, answer?: string];

const only = (may: string, others: string, anonymous = others): Rule => ({ may: may.split(' ') as Caller[], others, anonymous });
const EVERYONE: Rule = { may: CALLERS };
const SIGNED_IN: Rule = { may: CALLERS.slice(1), anonymous: 'UNAUTHENTICATED' };
const WRITERS = 'contributor author editor administrator';
const EDITORS = 'editor administrator';
const ADMINISTRATORS = only('administrator', 'FORBIDDEN', 'UNAUTHENTICATED');

const OF_THE_EDITOR = (others: string) => only(EDITORS, others, 'UNAUTHENTICATED');
const MINE = OF_THE_EDITOR('REMINDER_NOT_FOUND');
const MY_DOSE = OF_THE_EDITOR('OCCURRENCE_NOT_FOUND');

const PERSON = 'username: "new", email: "new@example.com"';
const REASON = 'reason: "Unconscious in the emergency room"';

export const LINES: readonly Line[] = [
  // Accounts
  ['viewer', '{ viewer { id } }', EVERYONE],
  ['login', 'mutation { login(input: { username: "x", password: "y" }) { token } }', EVERYONE, 'INVALID_CREDENTIALS'],
  ['createUser', `mutation { createUser(input: { ${PERSON} }) { id } }`, only('administrator', 'FORBIDDEN')],
  [
    'createApplicationPassword',
    'mutation { createApplicationPassword(input: { userId: $subscriber, name: "x" }) { id } }',
    only('administrator', 'FORBIDDEN'),
  ],
  ['accounts', '{ accounts { nodes { id email } } }', ADMINISTRATORS],
  ['setRoles', 'mutation { setRoles(input: { userId: $bystander, roles: [AUTHOR] }) { id } }', ADMINISTRATORS],

  // Audit
  ['auditEvents', '{ auditEvents { nodes { id } } }', ADMINISTRATORS],
  ['myAudit', '{ myAudit { nodes { id } } }', SIGNED_IN],

  // Care: see MEMBER_LINES for whose
  ['carers', '{ carers { id } }', SIGNED_IN],
  ['careFor', '{ careFor { nodes { right } } }', SIGNED_IN],
  ['careInvitations', '{ careInvitations { id } }', SIGNED_IN],
  ['careAssignments', '{ careAssignments { nodes { createdAt } } }', ADMINISTRATORS],
  ['inviteCarer', 'mutation { inviteCarer(input: { to: "x@example.com", right: SEE }) { id } }', SIGNED_IN],
  [
    'withdrawCareInvitation',
    'mutation { withdrawCareInvitation(input: { id: 1 }) { id } }',
    SIGNED_IN,
    'CARE_INVITATION_NOT_FOUND',
  ],
  ['acceptCareInvitation', 'mutation { acceptCareInvitation(input: { code: "X" }) { id } }', SIGNED_IN, 'CARE_CODE_INVALID'],
  ['declineCareInvitation', 'mutation { declineCareInvitation(input: { code: "X" }) { id } }', SIGNED_IN, 'CARE_CODE_INVALID'],
  ['changeCare', 'mutation { changeCare(input: { id: 1, right: SEE }) { id } }', SIGNED_IN, 'CARE_NOT_FOUND'],
  ['endCare', 'mutation { endCare(input: { id: 1 }) { id } }', SIGNED_IN, 'CARE_NOT_FOUND'],
  ['orderCarers', 'mutation { orderCarers(input: { ids: [1] }) { id } }', SIGNED_IN, 'CARE_ORDER_INVALID'],
  [
    'assignClinician',
    'mutation { assignClinician(input: { memberId: $subscriber, clinicianId: $clinician }) { createdAt } }',
    ADMINISTRATORS,
  ],
  [
    'unassignClinician',
    'mutation { unassignClinician(input: { memberId: $bystander, clinicianId: $clinician }) { createdAt } }',
    ADMINISTRATORS,
    'CARE_NOT_FOUND',
  ],
  [
    'breakGlass',
    `mutation { breakGlass(input: { memberId: $bystander, ${REASON} }) { id } }`,
    only('clinician', 'FORBIDDEN', 'UNAUTHENTICATED'),
  ],

  // Reminders: the editor's, and those of a bystander who is nothing to anybody; see MEMBER_LINES for carers and clinicians
  ['medicineReminders', '{ medicineReminders { totalCount } }', SIGNED_IN],
  ['medicineReminders', '{ medicineReminders(memberId: $bystander) { totalCount } }', ADMINISTRATORS],
  ['appointmentReminders', '{ appointmentReminders { totalCount } }', SIGNED_IN],
  ['appointmentReminders', '{ appointmentReminders(memberId: $bystander) { totalCount } }', ADMINISTRATORS],
  ['medicineReminder', '{ medicineReminder(id: $medicine) { id } }', MINE],
  ['appointmentReminder', '{ appointmentReminder(id: $appointment) { id } }', MINE],
  ['medicineReminder', '{ medicineReminder(id: $appointment) { id } }', { ...SIGNED_IN }, 'REMINDER_NOT_FOUND'],
  ['createMedicineReminder', 'mutation { createMedicineReminder(input: { name: "x" }) { id } }', SIGNED_IN],
  [
    'createMedicineReminder',
    'mutation { createMedicineReminder(input: { name: "x", userId: $bystander }) { id } }',
    ADMINISTRATORS,
  ],
  ['createAppointmentReminder', 'mutation { createAppointmentReminder(input: { title: "x" }) { id } }', SIGNED_IN],
  [
    'createAppointmentReminder',
    'mutation { createAppointmentReminder(input: { title: "x", userId: $bystander }) { id } }',
    ADMINISTRATORS,
  ],
  ['updateMedicineReminder', 'mutation { updateMedicineReminder(input: { id: $medicine, name: "x" }) { id } }', MINE],
  ['updateAppointmentReminder', 'mutation { updateAppointmentReminder(input: { id: $appointment, title: "x" }) { id } }', MINE],
  ['deleteMedicineReminder', 'mutation { deleteMedicineReminder(input: { id: $medicine }) { __typename } }', MINE],
  ['deleteAppointmentReminder', 'mutation { deleteAppointmentReminder(input: { id: $appointment }) { __typename } }', MINE],

  // Calendar, doses, settings
  ['calendar', '{ calendar { nodes { id } } }', SIGNED_IN],
  ['calendar', '{ calendar(memberId: $bystander) { nodes { id } } }', ADMINISTRATORS],
  ['adherence', '{ adherence { taken } }', SIGNED_IN],
  ['adherence', '{ adherence(memberId: $bystander) { taken } }', ADMINISTRATORS],
  ['memberHome', '{ memberHome { unreadNotifications } }', SIGNED_IN],
  ['memberHome', '{ memberHome(memberId: $bystander) { memberId } }', ADMINISTRATORS],
  ['memberHomes', '{ memberHomes(memberIds: [$bystander]) { memberId } }', ADMINISTRATORS],
  ['takeDose', 'mutation { takeDose(input: { occurrenceId: $occurrence }) { id } }', MY_DOSE],
  ['skipDose', 'mutation { skipDose(input: { occurrenceId: $occurrence }) { id } }', MY_DOSE],
  ['snoozeDose', 'mutation { snoozeDose(input: { occurrenceId: $occurrence }) { id } }', MY_DOSE],
  ['undoDose', 'mutation { undoDose(input: { occurrenceId: $occurrence }) { id } }', MY_DOSE, 'NOTHING_LOGGED'],
  ['logDose', 'mutation { logDose(input: { reminderId: $medicine }) { id } }', MINE],
  ['attendAppointment', 'mutation { attendAppointment(input: { id: $appointment }) { id } }', MINE],
  ['careSettings', '{ careSettings { timeZone } }', SIGNED_IN],
  ['careSettings', '{ careSettings(memberId: $bystander) { timeZone } }', ADMINISTRATORS],
  ['updateCareSettings', 'mutation { updateCareSettings(input: { timeZone: "Asia/Tokyo" }) { timeZone } }', SIGNED_IN],
  ['updateCareSettings', 'mutation { updateCareSettings(input: { memberId: $bystander }) { timeZone } }', ADMINISTRATORS],
  ['createCalendarFeed', 'mutation { createCalendarFeed(input: {}) { titles } }', SIGNED_IN],
  ['revokeCalendarFeed', 'mutation { revokeCalendarFeed }', SIGNED_IN],

  // Notifications and devices
  ['notifications', '{ notifications { unreadCount } }', SIGNED_IN],
  ['notify', 'mutation { notify(input: { title: "x" }) { id } }', SIGNED_IN],
  ['notify', 'mutation { notify(input: { title: "x", userId: $bystander }) { id } }', ADMINISTRATORS],
  ['sendNotification', 'mutation { sendNotification(input: { title: "x" }) { id } }', SIGNED_IN],
  ['sendNotification', 'mutation { sendNotification(input: { title: "x", userIds: [$bystander] }) { id } }', ADMINISTRATORS],
  ['testPush', 'mutation { testPush { id } }', SIGNED_IN],
  ['markNotificationsRead', 'mutation { markNotificationsRead(input: {}) { read } }', SIGNED_IN],
  ['deleteNotifications', 'mutation { deleteNotifications(input: { ids: [1] }) { deleted } }', SIGNED_IN],
  ['devices', '{ devices { id } }', SIGNED_IN],
  ['registerDevice', 'mutation { registerDevice(input: { token: "ExponentPushToken[x]" }) { id } }', SIGNED_IN],
  ['removeDevice', 'mutation { removeDevice(input: { token: "ExponentPushToken[x]" }) { deleted } }', EVERYONE],
  ['removeOwnDevice', 'mutation { removeOwnDevice(input: { id: 4711 }) { deleted } }', SIGNED_IN, 'DEVICE_NOT_FOUND'],
  ['webPushPublicKey', '{ webPushPublicKey }', EVERYONE],
  ['notificationPreference', '{ notificationPreference { lockScreenNames } }', SIGNED_IN],
  [
    'updateNotificationPreference',
    'mutation { updateNotificationPreference(input: { lockScreenNames: true }) { lockScreenNames } }',
    SIGNED_IN,
  ],

  // Site
  ['site', '{ site { title } }', EVERYONE],
  ['languages', '{ languages { id } }', EVERYONE],

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

  // Content of the editor's that is not, and its editing
  ['post', '{ post(id: $draft) { id } }', only(EDITORS, 'FORBIDDEN')],
  ['post', '{ post(id: $published, as: EDIT) { id } }', only(EDITORS, 'FORBIDDEN_CONTEXT')],
  ['post', '{ post(id: 4711) { id } }', { may: CALLERS }, 'POST_NOT_FOUND'],
  ['page', '{ page(id: $page, as: EDIT) { id } }', only(EDITORS, 'FORBIDDEN_CONTEXT')],
  ['healthcareItem', '{ healthcareItem(id: $healthcare, as: EDIT) { id } }', only(EDITORS, 'FORBIDDEN_CONTEXT')],
  ['posts', '{ posts(as: EDIT) { nodes { id } } }', only(WRITERS, 'FORBIDDEN_CONTEXT')],
  ['pages', '{ pages(as: EDIT) { nodes { id } } }', only(EDITORS, 'FORBIDDEN_CONTEXT')],
  ['healthcareItems', '{ healthcareItems(as: EDIT) { nodes { id } } }', only(WRITERS, 'FORBIDDEN_CONTEXT')],
  ['posts', '{ posts(filter: { status: [DRAFT] }) { nodes { id } } }', only(WRITERS, 'FORBIDDEN_STATUS')],
  ['createPost', 'mutation { createPost(input: { title: "x" }) { id } }', only(WRITERS, 'FORBIDDEN_CREATE')],
  [
    'createPost',
    'mutation { createPost(input: { title: "x", status: PUBLISH }) { id } }',
    { ...only('author editor administrator', 'FORBIDDEN_CREATE'), contributor: 'FORBIDDEN_PUBLISH' },
  ],
  ['createPage', 'mutation { createPage(input: { title: "x" }) { id } }', only(EDITORS, 'FORBIDDEN_CREATE')],
  ['createHealthcareItem', 'mutation { createHealthcareItem(input: { title: "x" }) { id } }', only(WRITERS, 'FORBIDDEN_CREATE')],
  ['updatePost', 'mutation { updatePost(input: { id: $draft, title: "x" }) { id } }', only(EDITORS, 'FORBIDDEN_EDIT')],
  ['updatePage', 'mutation { updatePage(input: { id: $page, title: "x" }) { id } }', only(EDITORS, 'FORBIDDEN_EDIT')],
  [
    'updateHealthcareItem',
    'mutation { updateHealthcareItem(input: { id: $healthcare, title: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  ['autosavePost', 'mutation { autosavePost(input: { id: $published, title: "x" }) { id } }', only(EDITORS, 'FORBIDDEN_EDIT')],
  ['autosavePage', 'mutation { autosavePage(input: { id: $page, title: "x" }) { id } }', only(EDITORS, 'FORBIDDEN_EDIT')],
  [
    'autosaveHealthcareItem',
    'mutation { autosaveHealthcareItem(input: { id: $healthcare, title: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_EDIT'),
  ],
  ['revisions', '{ revisions(kind: POST, parent: $published) { nodes { id } } }', only(EDITORS, 'FORBIDDEN_READ')],
  ['revision', '{ revision(kind: POST, parent: $published, id: 1) { id } }', only(EDITORS, 'FORBIDDEN_READ'), 'POST_NOT_FOUND'],
  ['autosaves', '{ autosaves(kind: POST, parent: $published) { id } }', only(EDITORS, 'FORBIDDEN_READ')],
  ['autosave', '{ autosave(kind: POST, parent: $draft, id: 1) { id } }', only(EDITORS, 'FORBIDDEN_READ'), 'NO_AUTOSAVE'],
  [
    'deleteRevision',
    'mutation { deleteRevision(input: { kind: POST, parent: $draft, id: 4711, force: true }) { deleted } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
    'POST_NOT_FOUND',
  ],
  ['deletePost', 'mutation { deletePost(input: { id: $draft }) { __typename } }', only(EDITORS, 'FORBIDDEN_DELETE')],
  ['deletePage', 'mutation { deletePage(input: { id: $page }) { __typename } }', only(EDITORS, 'FORBIDDEN_DELETE')],
  [
    'deleteHealthcareItem',
    'mutation { deleteHealthcareItem(input: { id: $healthcare }) { __typename } }',
    only(EDITORS, 'FORBIDDEN_DELETE'),
  ],
  ['createTerm', 'mutation { createTerm(input: { taxonomy: TAG, name: "x" }) { id } }', only(WRITERS, 'FORBIDDEN_CREATE_TERM')],
  [
    'createTerm',
    'mutation { createTerm(input: { taxonomy: CATEGORY, name: "x" }) { id } }',
    only(EDITORS, 'FORBIDDEN_CREATE_TERM'),
  ],
  ['updateTerm', 'mutation { updateTerm(input: { id: $tag, name: "x" }) { id } }', only(EDITORS, 'FORBIDDEN_EDIT_TERM')],
  ['deleteTerm', 'mutation { deleteTerm(input: { id: $tag }) { deleted } }', only(EDITORS, 'FORBIDDEN_EDIT_TERM')],
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
  'stranger',
] as const;
export type Relation = (typeof RELATIONS)[number];

/** What each may do for the member; fields of a member's data follow from it. */
export const RIGHTS: Readonly<Record<Relation, string>> = {
  own: 'see answer edit',
  see: 'see',
  answer: 'see answer',
  edit: 'see answer edit',
  assigned: 'see answer edit',
  glass: 'see',
  clinician: '',
  analyst: '',
  administrator: 'see answer edit',
  stranger: '',
};

/**
 * A field with rows of a member: who of those above may, and what the others are answered; `seeing` what those are answered who may see it
 * and no more. `$member` and so on are the member's ids.
 */
export type MemberLine = readonly [field: string, document: string, may: string, others: string, seeing?: string];

const having = (right: string) => RELATIONS.filter((relation) => RIGHTS[relation].split(' ').includes(right)).join(' ');
const [SEE, ANSWER, EDIT] = [having('see'), having('answer'), having('edit')];
const FOR_OCCURRENCE = 'input: { occurrenceId: $occurrence }';

export const MEMBER_LINES: readonly MemberLine[] = [
  ['changeCare', 'mutation { changeCare(input: { id: $relation, right: EDIT }) { id } }', 'own', 'CARE_NOT_FOUND'],
  ['endCare', 'mutation { endCare(input: { id: $relation }) { id } }', 'own see', 'CARE_NOT_FOUND'],
  ['orderCarers', 'mutation { orderCarers(input: { ids: $relations }) { id } }', 'own', 'CARE_ORDER_INVALID'],
  [
    'withdrawCareInvitation',
    'mutation { withdrawCareInvitation(input: { id: $invitation }) { id } }',
    'own',
    'CARE_INVITATION_NOT_FOUND',
  ],
  [
    'careAssignments',
    '{ careAssignments(filter: { memberId: $member }) { nodes { createdAt } } }',
    'own administrator',
    'FORBIDDEN',
  ],
  ['auditEvents', '{ auditEvents(filter: { subjectId: $member }) { nodes { id } } }', 'administrator', 'FORBIDDEN'],
  [
    'breakGlass',
    `mutation { breakGlass(input: { memberId: $member, ${REASON} }) { id } }`,
    'assigned glass clinician',
    'FORBIDDEN',
  ],

  ['medicineReminders', '{ medicineReminders(memberId: $member) { totalCount } }', SEE, 'FORBIDDEN'],
  ['appointmentReminders', '{ appointmentReminders(memberId: $member) { totalCount } }', SEE, 'FORBIDDEN'],
  ['medicineReminder', '{ medicineReminder(id: $medicine) { id } }', SEE, 'REMINDER_NOT_FOUND'],
  ['appointmentReminder', '{ appointmentReminder(id: $appointment) { id } }', SEE, 'REMINDER_NOT_FOUND'],
  [
    'createMedicineReminder',
    'mutation { createMedicineReminder(input: { name: "x", userId: $member }) { id } }',
    EDIT,
    'FORBIDDEN',
  ],
  [
    'createAppointmentReminder',
    'mutation { createAppointmentReminder(input: { title: "x", userId: $member }) { id } }',
    EDIT,
    'FORBIDDEN',
  ],
  [
    'updateMedicineReminder',
    'mutation { updateMedicineReminder(input: { id: $medicine, name: "x" }) { id } }',
    EDIT,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'updateAppointmentReminder',
    'mutation { updateAppointmentReminder(input: { id: $appointment, title: "x" }) { id } }',
    EDIT,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'deleteMedicineReminder',
    'mutation { deleteMedicineReminder(input: { id: $medicine }) { __typename } }',
    EDIT,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  [
    'deleteAppointmentReminder',
    'mutation { deleteAppointmentReminder(input: { id: $appointment }) { __typename } }',
    EDIT,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  ['calendar', '{ calendar(memberId: $member) { nodes { id } } }', SEE, 'FORBIDDEN'],
  ['adherence', '{ adherence(memberId: $member) { taken } }', SEE, 'FORBIDDEN'],
  ['memberHome', '{ memberHome(memberId: $member) { memberId } }', SEE, 'FORBIDDEN'],
  ['memberHomes', '{ memberHomes(memberIds: [$member]) { memberId } }', SEE, 'FORBIDDEN'],
  ['takeDose', `mutation { takeDose(${FOR_OCCURRENCE}) { id } }`, ANSWER, 'OCCURRENCE_NOT_FOUND', 'FORBIDDEN'],
  ['skipDose', `mutation { skipDose(${FOR_OCCURRENCE}) { id } }`, ANSWER, 'OCCURRENCE_NOT_FOUND', 'FORBIDDEN'],
  ['snoozeDose', `mutation { snoozeDose(${FOR_OCCURRENCE}) { id } }`, ANSWER, 'OCCURRENCE_NOT_FOUND', 'FORBIDDEN'],
  ['undoDose', 'mutation { undoDose(input: { occurrenceId: $dose }) { id } }', ANSWER, 'OCCURRENCE_NOT_FOUND', 'FORBIDDEN'],
  ['logDose', 'mutation { logDose(input: { reminderId: $medicine }) { id } }', ANSWER, 'REMINDER_NOT_FOUND', 'FORBIDDEN'],
  [
    'attendAppointment',
    'mutation { attendAppointment(input: { id: $appointment }) { id } }',
    ANSWER,
    'REMINDER_NOT_FOUND',
    'FORBIDDEN',
  ],
  ['careSettings', '{ careSettings(memberId: $member) { timeZone } }', SEE, 'FORBIDDEN'],
  ['updateCareSettings', 'mutation { updateCareSettings(input: { memberId: $member }) { timeZone } }', EDIT, 'FORBIDDEN'],
  ['notify', 'mutation { notify(input: { title: "x", userId: $member }) { id } }', SEE, 'FORBIDDEN'],
  ['sendNotification', 'mutation { sendNotification(input: { title: "x", userIds: [$member] }) { id } }', SEE, 'FORBIDDEN'],
  ['removeOwnDevice', 'mutation { removeOwnDevice(input: { id: $device }) { deleted } }', 'own', 'DEVICE_NOT_FOUND'],
];
