import { globalId } from '../../../src/core/node.js';
import { makeCarer, postMedicine } from '../../support/factories.js';
import { type Answer, errorCode, type RoleName, useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T08:05:00Z');
const REASON = 'Unconscious in the emergency room';

/** Who is something to Mina, and the role of their account. */
const PEOPLE = {
  mina: 'subscriber',
  seer: 'subscriber',
  answerer: 'guest',
  editor: 'subscriber',
  assigned: 'clinician',
  glass: 'clinician',
  idle: 'clinician',
  analyst: 'analyst',
  root: 'administrator', // who broke the glass, too
  admin: 'administrator',
  stranger: 'subscriber',
} as const satisfies Record<string, RoleName>;
type Person = keyof typeof PEOPLE;
const EVERYBODY = Object.keys(PEOPLE) as Person[];
// Whoever serves the site makes reminders for anybody, and reads none.
const SEE = ['mina', 'seer', 'answerer', 'editor', 'assigned', 'glass', 'root'];
const ANSWER = ['mina', 'answerer', 'editor', 'assigned', 'root'];
const EDIT = ['mina', 'editor', 'assigned', 'root'];
const CREATE = [...EDIT, 'admin'];
const MESSAGE = [...SEE, 'admin'];

describe("A member's carers and clinicians", () => {
  const service = useService();
  const headers = async (name: string) => {
    const { username, password } = await service().account(
      Object.hasOwn(PEOPLE, name) ? PEOPLE[name as Person] : 'subscriber',
      name,
    );
    return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  };
  /** A daily reminder that a member makes. */
  const prescribe = async (name: string, body: object = {}) =>
    postMedicine(
      service(),
      { name, start_date: '2026-01-01T08:00:00', ...body },
      { as: 'anonymous', headers: await headers(name) },
    );
  const ask = async (name: Person, query: string) =>
    service().ask(query, {}, { headers: await service().session(PEOPLE[name], name) });
  const rest = async (name: Person, method: string, path: string, more: object = {}) =>
    service().rest(method, path, { edition: 'B', headers: await headers(name), ...more });
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
  const codeOf = (body: any): string => errorCode(body) ?? 'data';
  const statusOf = ({ status, body }: Answer) => (status < 300 ? 'ok' : `${status} ${body.code}`);

  /**
   * Relations as people make them: invitations are accepted by their codes, an administrator
   * assigns, a glass is broken.
   */
  const meet = async () => {
    service().at(NOW);
    const ids = {} as Record<Person, number>;
    for (const name of EVERYBODY) ids[name] = (await service().account(PEOPLE[name], name)).id;
    for (const [name, right] of [
      ['seer', 'SEE'],
      ['answerer', 'ANSWER'],
      ['editor', 'EDIT'],
    ] as const) {
      await ask(
        'mina',
        `mutation { inviteCarer(input: { to: "${name}@example.com", right: ${right} }) { careInvitation { id } } }`,
      );
      const { outgoingMail } = service().database.prisma;
      const mail = await outgoingMail.findFirst({
        where: { template: 'care_invitation', to: `${name}@example.com` },
      });
      const { code } = JSON.parse(mail?.values ?? '{}');
      const accepted = await ask(
        name,
        `mutation { acceptCareInvitation(input: { code: "${code}" }) { careRelation { right } } }`,
      );
      expect(accepted.data.acceptCareInvitation.careRelation.right).toBe(right);
    }
    const pair = `memberId: ${ids.mina}, clinicianId: ${ids.assigned}`;
    expect(
      codeOf(
        await ask(
          'root',
          `mutation { assignClinician(input: { ${pair} }) { careAssignment { createdAt } } }`,
        ),
      ),
    ).toBe('data');
    const glass = `mutation { breakGlass(input: { memberId: ${ids.mina}, reason: "${REASON}" }) { breakGlass { id } } }`;
    for (const name of ['glass', 'root'] as const)
      expect(codeOf(await ask(name, glass))).toBe('data');
    const body = { name: 'Metformin', frequency_type: 'daily', start_date: '2026-03-09T08:00:00' };
    const { id: medicine } = (await rest('mina', 'POST', '/v1/medicine_reminder', { body })).body;
    const visit = { title: 'Dentist', date_time: '2026-03-11T07:00:00' };
    const { id: appointment } = (
      await rest('mina', 'POST', '/v1/appointment_reminder', { body: visit })
    ).body;
    const { events } = (
      await ask('mina', '{ calendar(from: "2026-03-10", to: "2026-03-10") { events { id } } }')
    ).data.calendar;
    return { ids, medicine, appointment, occurrence: events[0].id as string };
  };

  it('are told which right they lack', async () => {
    const { ids, medicine, occurrence } = await meet();
    const takes = 'Sorry, you are not allowed to do that: it takes the right to';
    const messageOf = async (name: Person, query: string) =>
      (await ask(name, query)).errors[0].message;
    const edit = `mutation { updateMedicineReminder(input: { id: ${medicine}, name: "x" }) { reminder { id } } }`;
    const take = `mutation { takeDose(input: { occurrenceId: "${occurrence}" }) { event { id } } }`;
    expect(await messageOf('answerer', edit)).toBe(`${takes} edit the member's reminders.`);
    expect(await messageOf('seer', take)).toBe(`${takes} answer for the member's doses.`);
    const see = `${takes} see the member's care.`;
    for (const id of [ids.mina, 4711]) {
      expect(
        await messageOf('stranger', `{ memberHomes(memberIds: [${id}]) { member { name } } }`),
      ).toBe(see);
      expect(await messageOf('stranger', `{ calendar(memberId: ${id}) { events { id } } }`)).toBe(
        see,
      );
    }
  });

  it('do over REST what their right allows; to strangers a path is 404 and a user_id 403', async () => {
    const { ids, medicine, appointment } = await meet();
    const body = { name: 'Metformin 500', user_id: ids.mina };
    const visit = { title: 'Dentist', date_time: '2026-03-18T10:00:00', user_id: ids.mina };
    const M = `/v1/medicine_reminder/${medicine}`;
    const A = `/v1/appointment_reminder/${appointment}`;
    const GONE = '404 rest_reminder_invalid_id';
    const NO = '403 rest_forbidden';
    const told = { title: 'Call me', user_id: ids.mina };
    const rows: [string, string, object, string[], string][] = [
      ['GET', M, {}, SEE, GONE],
      ['GET', A, {}, SEE, GONE],
      ['POST', M, { body: { description: 'With food' } }, EDIT, GONE],
      ['POST', A, { body: { description: 'Upstairs' } }, EDIT, GONE],
      ['POST', '/v1/medicine_reminder', { body }, CREATE, NO],
      ['POST', '/v1/appointment_reminder', { body: visit, edition: 'A' }, CREATE, NO],
      ['POST', '/v1/notify', { body: told }, MESSAGE, NO],
      ['POST', '/v1/notify', { body: { title: 'Call me', user_ids: [ids.mina] } }, MESSAGE, NO],
    ];
    for (const [method, path, more, may, refusal] of rows) {
      for (const name of EVERYBODY) {
        const given = statusOf(await rest(name, method, path, more));
        // Who sees a reminder and may not change it is told so.
        const expected = may.includes(name)
          ? 'ok'
          : refusal === GONE && SEE.includes(name)
            ? NO
            : refusal;
        expect(given, `${name}: ${method} ${path}`).toBe(expected);
      }
    }
    for (const name of EVERYBODY) {
      expect(
        (await rest(name, 'GET', '/v1/events')).body.length > 0,
        `${name} sees the own calendar`,
      ).toBe(name === 'mina');
      if (!EDIT.includes(name))
        expect(statusOf(await rest(name, 'DELETE', M)), name).not.toBe('ok');
    }
    expect(statusOf(await rest('assigned', 'DELETE', M))).toBe('ok');
    expect(statusOf(await rest('editor', 'DELETE', A))).toBe('ok');
  });

  it('do over GraphQL what their right allows', async () => {
    const { ids, medicine, appointment, occurrence } = await meet();
    const NO_REMINDER = 'REMINDER_NOT_FOUND';
    const NO_OCCURRENCE = 'OCCURRENCE_NOT_FOUND';
    const on = `input: { occurrenceId: "${occurrence}" }`;
    const rows: [string, string[], string][] = [
      [`{ medicineReminder(id: ${medicine}) { id } }`, SEE, NO_REMINDER],
      [`{ appointmentReminder(id: ${appointment}) { id } }`, SEE, NO_REMINDER],
      [`{ medicineReminders(memberId: ${ids.mina}) { totalCount } }`, SEE, 'FORBIDDEN'],
      [`{ calendar(memberId: ${ids.mina}) { events { id } } }`, SEE, 'FORBIDDEN'],
      [`{ adherence(memberId: ${ids.mina}) { taken } }`, SEE, 'FORBIDDEN'],
      [`{ memberHome(memberId: ${ids.mina}) { member { name } } }`, SEE, 'FORBIDDEN'],
      [`{ careSettings(memberId: ${ids.mina}) { timeZone } }`, SEE, 'FORBIDDEN'],
      [`mutation { snoozeDose(${on}) { event { id } } }`, ANSWER, NO_OCCURRENCE],
      [
        `mutation { takeDose(input: { occurrenceId: "${occurrence}", force: true }) { event { id } } }`,
        ANSWER,
        NO_OCCURRENCE,
      ],
      [
        `mutation { logDose(input: { reminderId: ${medicine} }) { event { id } } }`,
        ANSWER,
        NO_REMINDER,
      ],
      [
        `mutation { attendAppointment(input: { id: ${appointment} }) { event { id } } }`,
        ANSWER,
        NO_REMINDER,
      ],
      [
        `mutation { updateMedicineReminder(input: { id: ${medicine}, name: "x" }) { reminder { id } } }`,
        EDIT,
        NO_REMINDER,
      ],
      [
        `mutation { updateCareSettings(input: { memberId: ${ids.mina} }) { careSettings { timeZone } } }`,
        EDIT,
        'FORBIDDEN',
      ],
    ];
    for (const [query, may, refusal] of rows) {
      for (const name of EVERYBODY) {
        const expected = may.includes(name) ? 'data' : SEE.includes(name) ? 'FORBIDDEN' : refusal;
        expect(codeOf(await ask(name, query)), `${name}: ${query}`).toBe(expected);
      }
    }
    const unread = async (name: Person) =>
      (await ask(name, '{ notifications { unreadCount } }')).data.notifications.unreadCount;
    await ask(
      'seer',
      `mutation { sendNotification(input: { title: "Call me", recipientIds: [${ids.mina}] }) { deviceCount } }`,
    );
    const others = await Promise.all(
      (['seer', 'answerer', 'assigned', 'stranger'] as const).map(unread),
    );
    expect(others, "a member's notifications are nobody else's").toStrictEqual([0, 0, 0, 0]);
    const { unreadNotifications } = (await ask('mina', '{ memberHome { unreadNotifications } }'))
      .data.memberHome;
    expect(unreadNotifications).toBe(await unread('mina'));
    expect(unreadNotifications).toBeGreaterThan(0);
  });

  it('stop when the relation ends, the clinician is unassigned and the hour of the glass is over', async () => {
    const { ids, medicine } = await meet();
    const see = `{ medicineReminder(id: ${medicine}) { id } }`;
    const { carers } = (await ask('mina', '{ carers { id carer { name } } }')).data;
    const { id } = carers.find(
      ({ carer }: { carer: { name: string } }) => carer.name === 'The editor',
    );
    await ask('editor', `mutation { endCare(input: { id: "${id}" }) { careRelation { id } } }`);
    const pair = `memberId: ${ids.mina}, clinicianId: ${ids.assigned}`;
    await ask(
      'root',
      `mutation { unassignClinician(input: { ${pair} }) { careAssignment { createdAt } } }`,
    );
    service().at(NOW + 60 * 60_000);
    for (const name of ['editor', 'assigned', 'glass'] as const)
      expect(codeOf(await ask(name, see)), name).toBe('REMINDER_NOT_FOUND');
    expect(codeOf(await ask('seer', see))).toBe('data');
  });

  it('leave in the audit one row for each request, member and kind; the member leaves none', async () => {
    const { ids, medicine, occurrence } = await meet();
    const { auditEvent } = service().database.prisma;
    const traces = async (name: Person) => {
      const where = { actorId: ids[name], subjectId: ids.mina, action: { in: KINDS } };
      return (await auditEvent.findMany({ where, orderBy: { id: 'asc' } })).map(
        ({ action }) => action,
      );
    };
    const KINDS = ['reminder.read', 'reminder.write', 'dose.write', 'care_settings.write'];
    const look = `{ calendar(memberId: ${ids.mina}) { events { id } } medicineReminder(id: ${medicine}) { id } adherence(memberId: ${ids.mina}) { taken } }`;
    const write = (name: Person) =>
      ask(
        name,
        `mutation { a: updateMedicineReminder(input: { id: ${medicine}, name: "by ${name}" }) { reminder { id } } takeDose(input: { occurrenceId: "${occurrence}", force: true }) { event { id } } }`,
      );
    for (const name of ['mina', 'editor', 'assigned'] as const) {
      expect(codeOf(await ask(name, look))).toBe('data');
      expect(codeOf(await write(name))).toBe('data');
      await ask(
        name,
        `mutation { updateCareSettings(input: { memberId: ${ids.mina}, timeZone: "Europe/Berlin" }) { careSettings { timeZone } } }`,
      );
    }
    expect(await traces('mina')).toStrictEqual([]);
    for (const name of ['editor', 'assigned'] as const)
      expect(await traces(name)).toStrictEqual(
        [
          'reminder.read',
          'reminder.write',
          'dose.write',
          'care_settings.write',
          'reminder.read',
        ].slice(0, 4),
      );
    await ask('stranger', look);
    expect(await traces('stranger')).toStrictEqual([]);
  });

  it('see all their members at once in a constant number of statements', async () => {
    service().at(NOW);
    const { prisma } = service().database;
    const { id: carerId } = await service().account('subscriber', 'seer');
    const members: number[] = [];
    const more = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const { id: memberId } = await service().account('subscriber', `member ${members.length}`);
        await makeCarer(service(), { memberId, carerId });
        members.push(memberId);
      }
    };
    const look = async () => {
      const { data } = await ask(
        'seer',
        `{ memberHomes(memberIds: [${members}]) { member { name } unreadNotifications today { id } } }`,
      );
      expect(data.memberHomes.length).toBe(members.length);
    };
    await more(2);
    await look();
    const two = await service().statements(look);
    await more(18);
    expect(await service().statements(look)).toBe(two);
    expect(
      await prisma.auditEvent.count({ where: { actorId: carerId, action: 'reminder.read' } }),
    ).toBe(2 + 2 + 20);
    const { id: stranger } = await service().account('subscriber', 'stranger');
    const refused = await ask(
      'seer',
      `{ memberHomes(memberIds: [${members[0]}, ${stranger}]) { member { name } } }`,
    );
    expect(codeOf(refused)).toBe('FORBIDDEN');
    const ids = [members[0] ?? 0, stranger].map((id) => globalId('MemberHome', id));
    const nodes = `{ nodes(ids: ${JSON.stringify(ids)}) { id ... on MemberHome { member { name } } } }`;
    expect((await ask('seer', nodes)).data.nodes).toStrictEqual([
      { id: ids[0], member: { name: expect.any(String) } },
      null,
    ]);
  });

  it('see all whom they care for, with their homes, in one query and a constant number of statements', async () => {
    service().at(NOW);
    const { prisma } = service().database;
    const { id: carerId } = await service().account('clinician', 'assigned');
    const more = async (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        const { id: memberId } = await service().account('subscriber', `member ${n}`);
        const relation = { memberId, carerId, right: 'see', position: 1, createdAt: new Date(NOW) };
        const assignment = { memberId, clinicianId: carerId, createdAt: new Date(NOW) };
        await (n % 2
          ? prisma.careRelation.create({ data: relation })
          : prisma.careAssignment.create({ data: assignment }));
        service().at(NOW - 9 * 24 * 60 * 60_000);
        await prescribe(`member ${n}`);
        service().at(NOW);
      }
    };
    const screen = `{ caredForMembers { nodes { right through member { name } home {
      today { title status startsAt ... on DoseEvent { snoozedUntil } } nextAppointment { title } unreadNotifications
      week { taken skipped missed rate days { date taken missed } } } } } }`;
    const look = async () => (await ask('assigned', screen)).data.caredForMembers.nodes;
    await more(0, 2);
    expect(
      (await look()).map(
        (node: { home: { today: { title: string }[]; week: { missed: number } } }) => [
          node.home.today.map(({ title }) => title),
          node.home.week.missed > 5,
        ],
      ),
    ).toStrictEqual([
      [['member 0'], true],
      [['member 1'], true],
    ]);
    const two = await service().statements(look);
    await more(2, 20);
    expect((await look()).length).toBe(20);
    expect(await service().statements(look)).toBe(two);
  });

  it('see the homes of all others when one has more in a week than can be shown', async () => {
    service().at(NOW);
    const { id: carerId } = await service().account('subscriber', 'seer');
    for (const name of ['many', 'few']) {
      const { id: memberId } = await service().account('subscriber', name);
      await makeCarer(service(), { memberId, carerId });
    }
    for (let i = 0; i < 32; i++) await prescribe('many', { frequency_type: 'hourly' });
    const answer = await ask(
      'seer',
      '{ caredForMembers { nodes { member { name } home { today { id } } } } }',
    );
    expect(
      answer.data.caredForMembers.nodes.map((node: { home: object | null }) => node.home !== null),
    ).toStrictEqual([false, true]);
    expect(codeOf(answer)).toBe('TOO_MANY_EVENTS');
  });
});
