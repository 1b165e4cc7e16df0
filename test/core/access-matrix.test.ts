import { RequestContext } from '../../src/core/context.js';
import { Role } from '../../src/core/roles.js';
import { Viewer } from '../../src/core/viewer.js';
import { careRights } from '../../src/domains/care/care.service.js';
import {
  type Caller,
  errorCode,
  type Harness,
  type RoleName,
  useService,
} from '../support/harness.js';
import { CALLERS, type Line, RELATIONS, type Relation, RIGHTS } from './access-matrix/rules.js';
import { fill, worldOf } from './access-matrix/world.js';
import { LINES, MEMBER_LINES, SESSION_LINES } from './access-matrix.js';

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
const codeOf = (body: any): string => errorCode(body) ?? 'data';

/** What a caller is answered; a subscription answers its first event, by server-sent events. */
async function answerOf(
  service: Harness,
  document: string,
  signedIn: Record<string, string>,
): Promise<string> {
  if (!document.startsWith('subscription'))
    return codeOf((await service.graphql(document, {}, { headers: signedIn })).body);
  const leaving = new AbortController();
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', 'content-type': 'application/json', ...signedIn },
    body: JSON.stringify({ query: document }),
    signal: leaving.signal,
  });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return codeOf(await response.json());
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const [, event] = /^data: (.+)\n/m.exec(text) ?? [];
    if (!event) continue;
    leaving.abort();
    return codeOf(JSON.parse(event));
  }
  return 'no event';
}

describe('Access to each field', () => {
  const service = useService();

  it('stands in the table: every root field has its line, and every line its field', () => {
    const { schema } = service().app;
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
    const lines = new Set([...LINES, ...SESSION_LINES].map(([field]) => field));
    expect(
      fields.filter((field) => !lines.has(field)),
      'fields without a line in test/core/access-matrix/',
    ).toStrictEqual([]);
    expect(
      [...lines, ...MEMBER_LINES.map(([field]) => field)].filter(
        (field) => !fields.includes(field),
      ),
      'lines without a field',
    ).toStrictEqual([]);
  });

  /** A test that a line holds for callers who sign in so. */
  const holds =
    (
      [field, document, rule, answer = 'data']: Line,
      signIn: (caller: Caller) => Promise<Record<string, string>>,
    ) =>
    async () => {
      expect(document).toMatch(new RegExp(`\\b${field}\\b`));
      const ids = await worldOf(service(), document);
      const roles = CALLERS.filter((caller) => caller !== 'anonymous');
      await service().accounts(roles.map((role) => [role, role]));
      const given: Record<string, string> = {};
      const expected: Record<string, string> = {};
      // Those who may come last: what they do may be done once only.
      const order = [...CALLERS].sort(
        (a, b) => Number(rule.may.includes(a)) - Number(rule.may.includes(b)),
      );
      let done = false;
      for (const caller of order) {
        const code = await answerOf(service(), fill(document, ids), await signIn(caller));
        const may = rule.may.includes(caller);
        // A second "delete", a second account of one name: refused for what it is, not for who
        // asks.
        const again = may && done && !/^(UNAUTHENTICATED|FORBIDDEN)/.test(code);
        given[caller] = again ? answer : code;
        expected[caller] = may
          ? answer
          : (rule[caller] ?? rule.others ?? 'an answer that the table lacks');
        done ||= may;
      }
      expect(given).toStrictEqual(expected);
    };
  const byPassword = (caller: Caller) => service().authorization(caller);
  const bySession = async (caller: Caller) =>
    caller === 'anonymous' ? {} : service().session(caller);

  for (const line of LINES)
    it(`${line[0]} is for whom the table says: ${line[1]}`, holds(line, byPassword));
  for (const line of SESSION_LINES) {
    const [field, document, { anonymous = 'FORBIDDEN' }] = line;
    it(`${field} by a session is for whom the table says: ${document}`, holds(line, bySession));
    const nobody = { may: [], others: 'FORBIDDEN', anonymous };
    it(
      `${field} by an application password is for nobody: ${document}`,
      holds([field, document, nobody], byPassword),
    );
  }
});

/** Fields that application passwords are not enough for. */
const BY_SESSION = new Set(SESSION_LINES.map(([field]) => field));

const ROLES: Readonly<Record<Relation, Role>> = {
  own: Role.SUBSCRIBER,
  see: Role.SUBSCRIBER,
  answer: Role.SUBSCRIBER,
  edit: Role.GUEST,
  assigned: Role.CLINICIAN,
  glass: Role.CLINICIAN,
  clinician: Role.CLINICIAN,
  analyst: Role.ANALYST,
  administrator: Role.ADMINISTRATOR,
  opened: Role.ADMINISTRATOR,
  stranger: Role.SUBSCRIBER,
};

/** A member, and everybody who may be something to them. */
async function member(
  service: Harness,
): Promise<{ ids: Record<string, unknown>; people: Record<Relation, number> }> {
  const { prisma } = service.database;
  const people = {} as Record<Relation, number>;
  await service.accounts(RELATIONS.map((relation) => [ROLES[relation] as RoleName, relation]));
  for (const relation of RELATIONS)
    people[relation] = (await service.account(ROLES[relation] as RoleName, relation)).id;
  const [memberId, createdAt] = [people.own, new Date(service.now())];
  const care = (['see', 'answer', 'edit'] as const).map((right, i) => ({
    memberId,
    carerId: people[right],
    right,
    position: i + 1,
    createdAt,
  }));
  const relations = (
    await prisma.careRelation.createManyAndReturn({ data: care, select: { id: true } })
  ).map(({ id }) => id);
  const later = new Date(service.now() + 60_000);
  const invited = {
    memberId,
    to: 'x',
    toKey: 'x',
    right: 'see',
    codeHash: 'x',
    createdAt,
    expiresAt: later,
  };
  const { id: invitation } = await prisma.careInvitation.create({ data: invited });
  await prisma.careAssignment.create({
    data: { memberId, clinicianId: people.assigned, createdAt },
  });
  const opened = { memberId, reason: 'x', createdAt, endsAt: later };
  await prisma.breakGlass.createMany({
    data: [people.glass, people.opened].map((clinicianId) => ({ ...opened, clinicianId })),
  });
  return { ids: { member: memberId, relation: relations[0], relations, invitation }, people };
}

const at = (now: number) => new Date(now).toISOString();
const NOON = Date.parse('2026-03-10T12:00:00Z');
const DAY = 24 * 60 * 60 * 1000;

/**
 * What the member of `member` is reminded of: a medicine with a dose that is due and one that was
 * taken, a course that is to come, and an appointment.
 */
async function remindersOf(service: Harness): Promise<Record<string, unknown>> {
  const headers = await basic(service, 'own');
  const ask = async (document: string) =>
    (await service.graphql(document, {}, { headers })).body.data;
  const [yesterday, today] = [at(service.now() - DAY), at(service.now())];
  const medicine = `createMedicineReminder(input: { name: "x", frequency: "daily", startsOn: "${yesterday.slice(0, 10)}" }) { reminder { databaseId } }`;
  const appointment = `createAppointmentReminder(input: { title: "x", date: "${yesterday.slice(0, 10)}", time: "${yesterday.slice(11, 16)}" }) { reminder { databaseId } }`;
  const course =
    'course: createMedicineReminder(input: { name: "x", frequency: "daily", startsOn: "2098-03-01", endsOn: "2098-03-05" }) { reminder { databaseId } }';
  const made = await ask(`mutation { ${medicine} ${course} ${appointment} }`);
  const days = `from: "${yesterday.slice(0, 10)}", to: "${today.slice(0, 10)}"`;
  const { events } = (await ask(`{ calendar(${days}) { events { __typename occurrenceId } } }`))
    .calendar;
  const doses = (events as { __typename: string; occurrenceId: string }[]).filter(
    ({ __typename }) => __typename === 'DoseEvent',
  );
  const [taken, dose] = doses;
  await ask(
    `mutation { takeDose(input: { occurrenceId: "${taken?.occurrenceId}" }) { event { id } } }`,
  );
  return {
    medicine: made.createMedicineReminder.reminder.databaseId,
    course: made.course.reminder.databaseId,
    appointment: made.createAppointmentReminder.reminder.databaseId,
    taken: taken?.occurrenceId,
    dose: dose?.occurrenceId,
  };
}

const session = (service: Harness, relation: Relation) =>
  service.session(ROLES[relation] as RoleName, relation);

async function basic(service: Harness, relation: Relation): Promise<{ authorization: string }> {
  const { username, password } = await service.account(ROLES[relation] as RoleName, relation);
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

describe("Access to a member's rows", () => {
  const service = useService();

  it('follows from what one is to the member', async () => {
    const { people } = await member(service());
    const { deps, input } = await service().context();
    const rights: Record<string, string> = {};
    for (const relation of RELATIONS) {
      const viewer = new Viewer(people[relation], [ROLES[relation]]);
      rights[relation] = [
        ...(await careRights(new RequestContext(deps, { ...input, viewer }), people.own)),
      ].join(' ');
    }
    expect(rights).toStrictEqual(RIGHTS);
  });

  /** A document about a member of a new world. */
  const filledWith = async (document: string) => {
    await service().clean();
    service().at(NOON);
    const { ids } = await member(service());
    const reminders = /\$(medicine|course|appointment|taken|dose)\b/.test(document)
      ? await remindersOf(service())
      : {};
    return fill(document, { ...ids, ...reminders });
  };

  /** Returns how many events about the member of `member` somebody has left in the audit. */
  const traces = async (relation: Relation) => {
    const [actorId = 0, subjectId = 0] = await Promise.all(
      [relation, 'own' as const].map(
        async (who) => (await service().account(ROLES[who] as RoleName, who)).id,
      ),
    );
    return service().database.prisma.auditEvent.count({ where: { actorId, subjectId } });
  };

  const reads = MEMBER_LINES.filter(
    ([, document, may]) => document.startsWith('{') && may.split(' ').includes('see'),
  );
  for (const [field, document, may] of reads)
    it(`${field} is audited about the member: ${document}`, async () => {
      const filled = await filledWith(document);
      const others = may.split(' ').filter((relation) => relation !== 'own') as Relation[];
      const unseen: Relation[] = [];
      for (const relation of others) {
        await answerOf(service(), filled, await basic(service(), relation));
        if ((await traces(relation)) === 0) unseen.push(relation);
      }
      expect(unseen).toStrictEqual([]);
    });

  for (const [field, document, may, others, seeing = others] of MEMBER_LINES) {
    it(`${field} is for ${may}: ${document}`, async () => {
      const given = {} as Record<Relation, string>;
      let filled: string | undefined;
      // Those who may come last, each to a world of their own if they change it: the others change
      // nothing.
      const permitted = (relation: Relation) => may.split(' ').includes(relation);
      for (const relation of [...RELATIONS].sort(
        (a, b) => Number(permitted(a)) - Number(permitted(b)),
      )) {
        filled ??= await filledWith(document);
        const signIn = BY_SESSION.has(field) ? session : basic;
        given[relation] = await answerOf(service(), filled, await signIn(service(), relation));
        if (permitted(relation) && document.startsWith('mutation')) filled = undefined;
      }
      const answer = (relation: Relation) => (RIGHTS[relation].includes('see') ? seeing : others);
      const expected = RELATIONS.map((relation) => [
        relation,
        permitted(relation) ? 'data' : answer(relation),
      ]);
      expect(given).toStrictEqual(Object.fromEntries(expected));
    });
  }
});
