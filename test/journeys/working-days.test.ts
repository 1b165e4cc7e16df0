// The working days of five roles with real clients, from accounts that an administrator makes. What may be
// done the client reads from what it shows, each change is one request, and afterwards the cache equals a
// fresh read without code of the client. No name of a role decides anything in the client.
import { useService } from '../support/harness.js';
import { CLIENTS } from './dashboard/clients.js';
import { Outgoing } from './dashboard/outgoing.js';
import {
  ALL,
  type Documents,
  documentsOf,
  nameOfChange,
  type Screens,
  type Shown,
} from './dashboard/screens.js';
import { Session } from './dashboard/session.js';

const MORNING = '2026-03-10T08:30:00Z';
const PASSWORD = 'correct horse battery';

/** A change, its input by what is shown, and where the screens say that it is allowed. */
type Step = readonly [
  mutation: string,
  input: (shown: Shown) => object,
  may?: (shown: Shown) => boolean,
];

/** Writes the documents of a role that sends these changes. */
const screensOf = (shown: string, changes: readonly string[], more: Partial<Screens> = {}) =>
  documentsOf({
    shown,
    ...more,
    changes: { ...Object.fromEntries(changes.map((name) => [name, ALL])), ...more.changes },
  });

const ADMINISTRATOR = screensOf(
  `
  viewer { id can { assignClinician updateSite } }
  accounts(first: 50) {
    totalCount
    nodes {
      id version name roles suspendedAt remindersStopped
      viewerCan { update setRoles suspend reinstate endSessions sendPasswordReset delete }
    }
  }
  careAssignments(first: 50) { totalCount nodes { id member { id } clinician { id } viewerCan { end } } }
  openBreakGlasses(first: 10) { totalCount nodes { id member { id } } }
  site { id title tagline }
  `,
  [
    'createUser',
    'updateUser',
    'setRoles',
    'assignMembers',
    'suspendUser',
    'reinstateUser',
    'unassignClinicians',
    'updateSite',
    'deleteUser',
  ],
);
const EDITOR = screensOf(
  `
  viewer { id can { createPost createPage createCategory createMedia } }
  posts(first: 20, filter: { statuses: [DRAFT, PENDING, PUBLISH, TRASH] }, orderBy: { field: TITLE, direction: ASC }) {
    totalCount
    nodes {
      id version title titleSource status isSticky categories { id name }
      autosave { id titleSource } editors { id account { id } }
      revisions(first: 5) { totalCount }
      viewerCan { edit publish trash restore delete }
    }
  }
  terms(taxonomy: CATEGORY, first: 20) { totalCount nodes { id name viewerCan { update delete } } }
  mediaItems(first: 20) { totalCount nodes { id title altText version viewerCan { update delete } } }
  contentChanges(first: 5) { version nodes { id what itemId } }
  `,
  [
    'createTerm',
    'createPost',
    'announceEditing',
    'autosavePost',
    'updatePost',
    'publishPosts',
    'trashPosts',
    'restorePosts',
    'createMedia',
    'updateMedia',
    'deleteMedia',
    'deletePosts',
    'deleteTerm',
  ],
);
const CARE = `
  caredForMembers(first: 10) {
    totalCount
    nodes { id right endsAt member { id name } home { id version today { id status title } week { id taken skipped rate } } }
  }
  notifications(first: 10) { totalCount unreadCount nodes { id kind readAt viewerCan { markRead delete } } }
`;
const CARERS = screensOf(
  `
  viewer { id }
  ${CARE}
  `,
  ['createMedicineReminder', 'takeDose', 'undoDose', 'endBreakGlass', 'acceptCareInvitation'],
  {
    changes: { breakGlass: `breakGlass { id } ${ALL}` },
    questions: { lookup: 'memberLookup(email: "otto@example.com") { memberId name }' },
  },
);
const MEMBER = screensOf(
  `
  viewer { id version name timeZone }
  memberHome { id version today { id status title } week { id taken skipped rate } }
  medicineReminders(first: 10) { totalCount nodes { id name version status viewerCan { update delete } } }
  careSettings { id version dayTimes { waking breakfast } }
  notificationPreference { id version lockScreenNames }
  careInvitations { id right to }
  `,
  [
    'createMedicineReminder',
    'updateCareSettings',
    'updateNotificationPreference',
    'inviteCarer',
    'updateMedicineReminder',
    'deleteMedicineReminder',
  ],
);

const named = (list: { nodes: Shown[] }, name: string) =>
  list.nodes.find((node) => (node.name ?? node.titleSource ?? node.title) === name);
const account = (shown: Shown, name: string) => named(shown.accounts, name);
const post = (shown: Shown, title: string) => named(shown.posts, title);

describe.each(CLIENTS)('With %s the working day of', (_, openClient) => {
  const service = useService();
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0).reverse()) close();
  });

  /** Signs in, as somebody does in the morning. */
  async function signIn(username: string, password: string, documents: Documents) {
    const outgoing = new Outgoing();
    const session = await Session.start(service().url, { username, password }, outgoing.fetch);
    const read = async () => {
      const screens = await openClient(session, documents);
      closing.push(screens.close);
      return screens;
    };
    const { shown, change, ask } = await read();
    /** Sends a change, as one request, and holds what is shown against a fresh read. */
    async function act([name, input, may]: Step): Promise<Shown> {
      const before = shown();
      if (may) expect(may(before), `${name} is offered`).toBe(true);
      outgoing.sent.length = 0;
      const payload = await change(name, input(before));
      expect(outgoing.sent, `${name} is one request`).toStrictEqual([nameOfChange(name)]);
      const fresh = await read();
      expect(shown(), name).toStrictEqual(fresh.shown());
      expect(shown(), `${name} changes something`).not.toStrictEqual(before);
      return payload;
    }
    return { shown, act, ask };
  }

  const people = [
    ['Erin', ['EDITOR']],
    ['Clara', ['CLINICIAN']],
    ['Mina', ['SUBSCRIBER']],
    ['Otto', ['SUBSCRIBER']],
  ] as const;
  const user = (name: string, roles: readonly string[]): Step => [
    'createUser',
    () => ({
      username: name.toLowerCase(),
      email: `${name.toLowerCase()}@example.com`,
      name,
      password: PASSWORD,
      roles,
    }),
  ];
  async function start() {
    service().at(MORNING);
    const input = { username: 'ada', email: 'ada@example.com', name: 'Ada', password: PASSWORD };
    await service().data(
      'mutation($input: CreateUserInput!) { createUser(input: $input) { __typename } }',
      { input: { ...input, roles: ['ADMINISTRATOR'] } },
      { headers: await service().session('administrator') },
    );
    return signIn('ada', PASSWORD, ADMINISTRATOR);
  }
  /** Makes the people of the other days, as the administrator does. */
  async function staffed() {
    const administrator = await start();
    for (const [name, roles] of people) await administrator.act(user(name, roles));
    return administrator;
  }

  const assigned: Step = [
    'assignMembers',
    (all) => ({ ids: [account(all, 'Mina').id], clinicianId: account(all, 'Clara').id }),
    (all) => all.viewer.can.assignClinician,
  ];

  it('an administrator', async () => {
    const { act, shown } = await staffed();
    const userId = (name: string) => (all: Shown) => ({ userId: account(all, name).id });
    const may = (name: string, right: string) => (all: Shown) =>
      account(all, name).viewerCan[right];
    const steps: readonly Step[] = [
      [
        'updateUser',
        (all) => ({ ...userId('Otto')(all), name: 'Otto Weiss' }),
        may('Otto', 'update'),
      ],
      [
        'setRoles',
        (all) => ({ ...userId('Otto Weiss')(all), roles: ['AUTHOR'] }),
        may('Otto Weiss', 'setRoles'),
      ],
      assigned,
      ['suspendUser', userId('Mina'), may('Mina', 'suspend')],
      ['reinstateUser', userId('Mina'), may('Mina', 'reinstate')],
      [
        'unassignClinicians',
        (all) => ({ ids: all.careAssignments.nodes.map(({ id }: { id: string }) => id) }),
        (all) => all.careAssignments.nodes[0].viewerCan.end,
      ],
      [
        'updateSite',
        ({ site }) => ({ tagline: `${site.tagline} that rings` }),
        (all) => all.viewer.can.updateSite,
      ],
      [
        'deleteUser',
        (all) => ({ ...userId('Otto Weiss')(all), content: 'TRASH' }),
        may('Otto Weiss', 'delete'),
      ],
    ];
    for (const step of steps) await act(step);
    const own = account(shown(), 'Ada');
    expect([own.viewerCan.suspend, own.viewerCan.delete]).toStrictEqual([false, false]);
  });

  it('an editor', async () => {
    await staffed();
    const { act } = await signIn('erin', PASSWORD, EDITOR);
    const id = (title: string) => (all: Shown) => ({ id: post(all, title).id });
    const ids = (title: string) => (all: Shown) => ({ ids: [post(all, title).id] });
    const may = (title: string, right: string) => (all: Shown) => post(all, title).viewerCan[right];
    const steps: readonly Step[] = [
      [
        'createTerm',
        () => ({ taxonomy: 'CATEGORY', name: 'Advice' }),
        (all) => all.viewer.can.createCategory,
      ],
      [
        'createPost',
        (all) => ({
          title: 'Spring',
          status: 'PENDING',
          categoryIds: [named(all.terms, 'Advice').id],
        }),
        (all) => all.viewer.can.createPost,
      ],
      ['announceEditing', id('Spring'), may('Spring', 'edit')],
      ['autosavePost', (all) => ({ ...id('Spring')(all), title: 'Spring comes' })],
      [
        'updatePost',
        (all) => ({
          ...id('Spring')(all),
          title: 'Spring is here',
          version: post(all, 'Spring').version,
        }),
      ],
      ['publishPosts', ids('Spring is here'), may('Spring is here', 'publish')],
      ['updatePost', (all) => ({ ...id('Spring is here')(all), isSticky: true })],
      ['trashPosts', ids('Spring is here'), may('Spring is here', 'trash')],
      ['restorePosts', ids('Spring is here'), may('Spring is here', 'restore')],
      [
        'createMedia',
        () => ({ url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg', title: 'A picture' }),
        (all) => all.viewer.can.createMedia,
      ],
      [
        'updateMedia',
        (all) => ({ id: named(all.mediaItems, 'A picture').id, altText: 'A tree' }),
        (all) => named(all.mediaItems, 'A picture').viewerCan.update,
      ],
      [
        'deleteMedia',
        (all) => ({ id: named(all.mediaItems, 'A picture').id }),
        (all) => named(all.mediaItems, 'A picture').viewerCan.delete,
      ],
      ['deletePosts', ids('Spring is here'), may('Spring is here', 'delete')],
      [
        'deleteTerm',
        (all) => ({ id: named(all.terms, 'Advice').id }),
        (all) => named(all.terms, 'Advice').viewerCan.delete,
      ],
    ];
    for (const step of steps) await act(step);
  });

  const medicine = (memberId?: string): Step => [
    'createMedicineReminder',
    () => ({
      ...(memberId && { memberId }),
      name: 'Aspirin',
      frequency: 'daily',
      startsOn: '2026-03-10',
      startTime: '09:00',
    }),
  ];
  const dose = ({ caredForMembers }: Shown) => ({
    occurrenceId: caredForMembers.nodes[0].home.today[0].id,
  });

  it('a clinician, who breaks the glass for the patient who stands there', async () => {
    const administrator = await staffed();
    await administrator.act(assigned);
    const { act, shown, ask } = await signIn('clara', PASSWORD, CARERS);
    await act(medicine(shown().caredForMembers.nodes[0].member.id));
    await act(['takeDose', dose]);
    await act(['undoDose', dose]);
    const [{ memberId }] = (await ask('lookup')).memberLookup;
    const { breakGlass } = await act([
      'breakGlass',
      () => ({ memberId, reason: 'He stands here, unconscious' }),
    ]);
    expect(shown().caredForMembers.nodes.map(({ endsAt }: Shown) => endsAt !== null)).toContain(
      true,
    );
    await act(['endBreakGlass', () => ({ id: breakGlass.id })]);
    expect(shown().caredForMembers.totalCount).toBe(1);
  });

  it('a carer, and of the member who asked for one', async () => {
    await staffed();
    const mina = await signIn('mina', PASSWORD, MEMBER);
    await mina.act(medicine());
    await mina.act([
      'updateCareSettings',
      ({ careSettings: { version } }) => ({ dayTimes: { waking: '06:00' }, version }),
    ]);
    await mina.act([
      'updateNotificationPreference',
      ({ notificationPreference: { version } }) => ({ lockScreenNames: true, version }),
    ]);
    await mina.act(['inviteCarer', () => ({ to: 'otto@example.com', right: 'EDIT' })]);
    const [mail] = await service().mails();
    const code = /^\s*(\w{4}[- ]?\w{4})\s*$/m.exec(mail?.text ?? '')?.[1];
    const otto = await signIn('otto', PASSWORD, CARERS);
    await otto.act(['acceptCareInvitation', () => ({ code })]);
    await otto.act(['takeDose', dose]);
    await mina.act([
      'updateMedicineReminder',
      ({ medicineReminders: { nodes } }) => ({ id: nodes[0].id, name: 'Aspirin protect' }),
      ({ medicineReminders: { nodes } }) => nodes[0].viewerCan.update,
    ]);
    await mina.act([
      'deleteMedicineReminder',
      ({ medicineReminders: { nodes } }) => ({ id: nodes[0].id }),
      ({ medicineReminders: { nodes } }) => nodes[0].viewerCan.delete,
    ]);
  });
});
