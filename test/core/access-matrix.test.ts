import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RequestContext } from '../../src/context.js';
import { careRights } from '../../src/domains/accounts/care.service.js';
import { Role } from '../../src/domains/accounts/role.js';
import { Viewer } from '../../src/domains/accounts/viewer.js';
import { registerDevice } from '../../src/domains/notifications/device.service.js';
import { calendar } from '../../src/domains/reminders/calendar.service.js';
import { logDose } from '../../src/domains/reminders/dose.service.js';
import { createAppointmentReminder, createMedicineReminder } from '../../src/domains/reminders/reminder.service.js';
import { type Harness, type RoleName, useService } from '../support/harness.js';
import { CALLERS, LINES, MEMBER_LINES, RELATIONS, type Relation, RIGHTS } from './access-matrix.js';

/** Puts the ids of a world into a document. */
const fill = (document: string, ids: Readonly<Record<string, unknown>>) =>
  document.replace(/\$(\w+)/g, (_, name: string) => {
    assert.ok(name in ids, `the world has no ${name}`);
    return JSON.stringify(ids[name]);
  });

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
const codeOf = (body: any): string => body.errors?.[0]?.extensions.code ?? 'data';

/** What a member has to be reminded of: a medicine that was due when today began, its occurrence, a dose that stands alone, an appointment. */
function remindersOf(contextOf: () => Promise<RequestContext>): Readonly<Record<string, () => Promise<unknown>>> {
  const medicine = async (context: RequestContext) => {
    const startDate = `${context.now().toISOString().slice(0, 10)}T00:00:00`;
    return (await createMedicineReminder(context, { name: 'x', frequencyType: 'daily', startDate })).id;
  };
  return {
    medicine: async () => medicine(await contextOf()),
    appointment: async () => (await createAppointmentReminder(await contextOf(), { title: 'x' })).id,
    occurrence: async () => {
      const context = await contextOf();
      await medicine(context);
      return (await calendar(context, {})).nodes[0]?.id;
    },
    dose: async () => {
      const context = await contextOf();
      return (await logDose(context, { reminderId: await medicine(context) })).id;
    },
  };
}

/** What a document names: things that the editor made for others to reach for, a bystander, and the accounts of the callers. */
async function worldOf(service: Harness, document: string): Promise<Record<string, unknown>> {
  const make = async (type: string, status = 'publish') => {
    const edition = type === 'healthcare' ? 'B' : 'A';
    const { body } = await service.rest('POST', `/v1/${type}`, { as: 'editor', edition, body: { title: 'x', status } });
    return body.id as number;
  };
  const account = async (role: RoleName, name?: string) => (await service.account(role, name)).id;
  const makers: Readonly<Record<string, () => Promise<unknown>>> = {
    ...remindersOf(async () => service.context('editor')),
    published: () => make('posts'),
    draft: () => make('posts', 'draft'),
    page: () => make('pages'),
    healthcare: () => make('healthcare'),
    tag: () => service.term('TAG', 'A tag'),
    bystander: () => account('subscriber', 'bystander'),
    subscriber: () => account('subscriber'),
    clinician: () => account('clinician'),
    editor: () => account('editor'),
  };
  const ids: Record<string, unknown> = {};
  for (const [, name = ''] of document.matchAll(/\$(\w+)/g)) ids[name] ??= await makers[name]?.();
  // An author is somebody who published.
  if ('editor' in ids) await make('posts');
  return ids;
}

describe('Access to each field', () => {
  const service = useService();

  it('stands in the table: every root field has its line, and every line its field', () => {
    const { schema } = service().app;
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
    const lines = new Set(LINES.map(([field]) => field));
    assert.deepEqual(
      fields.filter((field) => !lines.has(field)),
      [],
      'fields without a line in access-matrix.ts',
    );
    assert.deepEqual(
      [...lines, ...MEMBER_LINES.map(([field]) => field)].filter((field) => !fields.includes(field)),
      [],
      'lines without a field',
    );
  });

  for (const [field, document, rule, answer = 'data'] of LINES) {
    it(`${field} is for whom the table says: ${document}`, async () => {
      assert.match(document, new RegExp(`\\b${field}\\b`));
      const ids = await worldOf(service(), document);
      const given: Record<string, string> = {};
      const expected: Record<string, string> = {};
      // Those who may come last: what they do may be done once only.
      const order = [...CALLERS].sort((a, b) => Number(rule.may.includes(a)) - Number(rule.may.includes(b)));
      let done = false;
      for (const caller of order) {
        const code = codeOf((await service().graphql(fill(document, ids), {}, { as: caller })).body);
        const may = rule.may.includes(caller);
        // A second "delete", a second account of one name: refused for what it is, not for who asks.
        const again = may && done && !/^(UNAUTHENTICATED|FORBIDDEN)/.test(code);
        given[caller] = again ? answer : code;
        expected[caller] = may ? answer : (rule[caller] ?? rule.others ?? 'an answer that the table lacks');
        done ||= may;
      }
      assert.deepEqual(given, expected);
    });
  }
});

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
  stranger: Role.SUBSCRIBER,
};

/** A member with what a document names, and everybody who may be something to them. */
async function member(
  service: Harness,
  document = '',
): Promise<{ ids: Record<string, unknown>; people: Record<Relation, number> }> {
  const { prisma } = service.database;
  const people = {} as Record<Relation, number>;
  for (const relation of RELATIONS) people[relation] = (await service.account(ROLES[relation] as RoleName, relation)).id;
  const [memberId, createdAt] = [people.own, new Date(service.now())];
  const care = (['see', 'answer', 'edit'] as const).map((right, i) => ({
    memberId,
    carerId: people[right],
    right,
    position: i + 1,
    createdAt,
  }));
  const relations = (await prisma.careRelation.createManyAndReturn({ data: care, select: { id: true } })).map(({ id }) => id);
  const later = new Date(service.now() + 60_000);
  const invited = { memberId, to: 'x', right: 'see', codeHash: 'x', createdAt, expiresAt: later };
  const { id: invitation } = await prisma.careInvitation.create({ data: invited });
  await prisma.careAssignment.create({ data: { memberId, clinicianId: people.assigned, createdAt } });
  await prisma.breakGlass.create({ data: { memberId, clinicianId: people.glass, reason: 'x', createdAt, endsAt: later } });
  const ids: Record<string, unknown> = { member: memberId, relation: relations[0], relations, invitation };
  const { deps, input } = await service.context();
  const own = async () => new RequestContext(deps, { ...input, viewer: new Viewer(memberId, [Role.SUBSCRIBER]) });
  const makers = {
    ...remindersOf(own),
    device: async () => (await registerDevice(await own(), { token: 'ExponentPushToken[y]' })).id,
  };
  for (const [name, make] of Object.entries(makers)) if (document.includes(`$${name}`)) ids[name] = await make();
  return { ids, people };
}

describe("Access to a member's rows", () => {
  const service = useService();

  it('follows from what one is to the member', async () => {
    const { people } = await member(service());
    const { deps, input } = await service().context();
    const rights: Record<string, string> = {};
    for (const relation of RELATIONS) {
      const viewer = new Viewer(people[relation], [ROLES[relation]]);
      rights[relation] = [...(await careRights(new RequestContext(deps, { ...input, viewer }), people.own))].join(' ');
    }
    assert.deepEqual(rights, RIGHTS);
  });

  for (const [field, document, may, others, seeing = others] of MEMBER_LINES) {
    it(`${field} is for ${may}: ${document}`, async () => {
      const given: Record<string, string> = {};
      for (const relation of RELATIONS) {
        await service().clean();
        const { ids } = await member(service(), document);
        const { username, password } = await service().account(ROLES[relation] as RoleName, relation);
        const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
        given[relation] = codeOf((await service().graphql(fill(document, ids), {}, { headers })).body);
      }
      const expected = RELATIONS.map((relation) => [
        relation,
        may.split(' ').includes(relation) ? 'data' : RIGHTS[relation] ? seeing : others,
      ]);
      assert.deepEqual(given, Object.fromEntries(expected));
    });
  }
});
