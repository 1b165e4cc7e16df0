import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RequestContext } from '../../../src/core/context.js';
import type { Role } from '../../../src/core/roles.js';
import { Viewer } from '../../../src/core/viewer.js';
import {
  careRights,
  careRightsOver,
  INCLUDED_RIGHTS,
  resolveMember,
} from '../../../src/domains/care/care.service.js';
import { forgetInvitations } from '../../../src/domains/care/care-invitation.service.js';
import { type RoleName, useService } from '../../support/harness.js';

const DAY = 24 * 60 * 60 * 1000;
const INVITE =
  'mutation($input: InviteCarerInput!) { inviteCarer(input: $input) { id to right createdAt ' +
  'expiresAt } }';
const ACCEPT =
  'mutation($input: CareCodeInput!) { acceptCareInvitation(input: $input) { id right position ' +
  'member { id name } carer { id } } }';
const DECLINE = 'mutation($input: CareCodeInput!) { declineCareInvitation(input: $input) { id } }';
const WITHDRAW =
  'mutation($input: WithdrawCareInvitationInput!) { withdrawCareInvitation(input: $input) { id } }';
const CHANGE = 'mutation($input: ChangeCareInput!) { changeCare(input: $input) { id right } }';
const END = 'mutation($input: EndCareInput!) { endCare(input: $input) { id right } }';
const ORDER = 'mutation($input: OrderCarersInput!) { orderCarers(input: $input) { id position } }';
const ASSIGN =
  'mutation($input: AssignClinicianInput!) { assignClinician(input: $input) { member { id } ' +
  'clinician { id } } }';
const UNASSIGN =
  'mutation($input: AssignClinicianInput!) { unassignClinician(input: $input) { member { id } } }';
const BREAK =
  'mutation($input: BreakGlassInput!) { breakGlass(input: $input) { id reason createdAt endsAt ' +
  'member { id } } }';
const CARE_FOR =
  'query($first: PageSize, $after: Cursor) { careFor(first: $first, after: $after) { ' +
  'totalCount pageInfo { hasNextPage endCursor } nodes { right through endsAt member { id name ' +
  '} } } }';
const MY_AUDIT = '{ myAudit { nodes { action detail actor { id name } } } }';
const REASON = 'Unconscious in the emergency room';

/** What the tests of care share: people by name, and what they do. */
function useCare() {
  const service = useService();
  const account = (name: string, role: RoleName = 'subscriber') => service().account(role, name);
  const idOf = async (name: string, role?: RoleName) => (await account(name, role)).id;
  const ask = async (name: string, query: string, variables: object = {}, role?: RoleName) => {
    const headers = await service().session(role ?? 'subscriber', name);
    return (await service().graphql(query, variables, { headers })).body;
  };
  const contextOf = async (name: string, role: RoleName = 'subscriber') => {
    const viewer = new Viewer(await idOf(name, role), [role as Role]);
    const { deps, input } = await service().context();
    return new RequestContext(deps, { ...input, viewer });
  };
  const rightsOf = async (name: string, member: number, role?: RoleName) =>
    [...(await careRights(await contextOf(name, role), member))]
      .filter((right) => Object.hasOwn(INCLUDED_RIGHTS, right))
      .join(' ');
  const mails = async (template: string) => {
    const rows = await service().database.prisma.outgoingMail.findMany({
      where: { template },
      orderBy: { createdAt: 'asc' },
    });
    return rows.map(({ to, language, values }) => ({
      to,
      language,
      values: JSON.parse(values) as Record<string, string>,
    }));
  };
  const invite = async (member: string, to: string, right = 'SEE') =>
    ask(member, INVITE, { input: { to, right } });
  /** Makes somebody a carer of a member; answers the id of the relation. */
  const relate = async (member: string, carer: string, right = 'SEE'): Promise<number> => {
    await account(carer);
    await invite(member, `${carer}@example.com`, right);
    const code = (await mails('care_invitation')).at(-1)?.values.code;
    const { data } = await ask(carer, ACCEPT, { input: { code } });
    return data.acceptCareInvitation.id;
  };
  const actions = async (member: string) =>
    (await ask(member, MY_AUDIT.replace('myAudit', 'myAudit(own: true)'))).data.myAudit.nodes.map(
      ({ action }: { action: string }) => action,
    );
  return { service, account, idOf, ask, contextOf, rightsOf, mails, invite, relate, actions };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
const code = (body: any): string | undefined => body.errors?.[0]?.extensions.code;

describe('Inviting a carer', () => {
  const { service, account, idOf, ask, mails, invite, rightsOf, relate, actions } = useCare();

  it('mails a code that makes whoever has it a carer, with the right that the member chose', async () => {
    await account('ben');
    const { data } = await invite('mina', 'Ben@Example.com', 'ANSWER');
    const { createdAt, expiresAt, ...invitation } = data.inviteCarer;
    assert.deepEqual(invitation, { id: invitation.id, to: 'Ben@Example.com', right: 'ANSWER' });
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 14 * DAY);
    const [mail] = await mails('care_invitation');
    assert.equal(mail?.to, 'Ben@Example.com');
    assert.deepEqual(
      [mail?.language, mail?.values.name, mail?.values.right],
      ['en', 'The mina', 'answer'],
    );
    assert.match(mail?.values.code ?? '', /^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
    const accepted = await ask('ben', ACCEPT, {
      input: { code: ` ${mail?.values.code?.toLowerCase().replace('-', ' ')}` },
    });
    const { member, right, position } = accepted.data.acceptCareInvitation;
    assert.deepEqual(
      [member, right, position],
      [{ id: await idOf('mina'), name: 'The mina' }, 'ANSWER', 1],
    );
    assert.equal(await rightsOf('ben', await idOf('mina')), 'see answer');
    assert.deepEqual(await actions('mina'), ['care.accept', 'care.invite']);
  });

  it('answers the same whether or not there is such an account, by address and by user name', async () => {
    const now = Date.now();
    service().now = () => now; // who signs in is looked up once a second
    for (const name of ['mina', 'ben']) await account(name);
    for (const pair of [
      ['ben@example.com', 'nobody@example.com'],
      ['ben', 'nobody'],
    ]) {
      const [known, unknown] = await Promise.all(pair.map((to) => invite('mina', to)));
      assert.deepEqual(Object.keys(known.data.inviteCarer), Object.keys(unknown.data.inviteCarer));
      assert.equal(known.errors ?? unknown.errors, undefined);
    }
    const sent = (await mails('care_invitation')).map(({ to }) => to).sort();
    assert.deepEqual(sent, ['ben@example.com', 'ben@example.com', 'nobody@example.com']);
    const known = await service().statements(() => invite('mina', 'ben@example.com'));
    assert.equal(await service().statements(() => invite('mina', 'nobody@example.com')), known);
  });

  it('can be accepted by somebody who signs up afterwards', async () => {
    await invite('mina', 'new@example.com');
    const [mail] = await mails('care_invitation');
    await ask('late', ACCEPT, { input: { code: mail?.values.code } });
    assert.equal(await rightsOf('late', await idOf('mina')), 'see');
  });

  it('never mails to the address of an account whose user name looks like the address of somebody else', async () => {
    await service().database.prisma.account.update({
      where: { id: await idOf('eve') },
      data: { username: 'ben@example.com', usernameKey: 'ben@example.com' },
    });
    await invite('mina', 'ben@example.com');
    assert.deepEqual(
      (await mails('care_invitation')).map(({ to }) => to),
      ['ben@example.com'],
    );
  });

  it('works once, for 14 days, and not for oneself', async () => {
    await invite('mina', 'ben@example.com');
    const input = { code: (await mails('care_invitation'))[0]?.values.code };
    assert.equal(code(await ask('mina', ACCEPT, { input })), 'CARE_CODE_INVALID');
    const start = Date.now();
    service().now = () => start + 14 * DAY + 1000;
    assert.equal(code(await ask('ben', ACCEPT, { input })), 'CARE_CODE_INVALID');
    service().now = () => start + 14 * DAY - 1000;
    assert.equal(code(await ask('ben', ACCEPT, { input })), undefined);
    assert.equal(code(await ask('eve', ACCEPT, { input })), 'CARE_CODE_INVALID');
    assert.equal(code(await invite('mina', 'MINA@example.com')), 'CARE_SELF');
    assert.equal(code(await invite('mina', 'Mina')), 'CARE_SELF');
  });

  it('is accepted by one of two who try at once', async () => {
    await invite('mina', 'ben@example.com');
    const input = { code: (await mails('care_invitation'))[0]?.values.code };
    const both = await Promise.all(['ben', 'eve'].map((name) => ask(name, ACCEPT, { input })));
    assert.deepEqual(both.map(code).sort(), ['CARE_CODE_INVALID', undefined]);
  });

  it('keeps codes in the database only as what is of no use without the key', async () => {
    await invite('mina', 'ben@example.com');
    const plain = (await mails('care_invitation'))[0]?.values.code?.replace('-', '') ?? '';
    const [row] = await service().database.prisma.careInvitation.findMany();
    const { createHash } = await import('node:crypto');
    const hashes = ['hex', 'base64', 'base64url'].map((form) =>
      createHash('sha256')
        .update(plain)
        .digest(form as 'hex'),
    );
    assert.ok(![plain, ...hashes].includes(row?.codeHash ?? ''));
  });

  it('can be declined, and withdrawn by the member alone', async () => {
    const [first, second] = [
      await invite('mina', 'ben@example.com'),
      await invite('mina', 'eve@example.com'),
    ];
    const codes = (await mails('care_invitation')).map(({ values }) => values.code);
    const { data } = await ask('ben', DECLINE, { input: { code: codes[0] } });
    assert.equal(data.declineCareInvitation.id, first.data.inviteCarer.id);
    const input = { id: second.data.inviteCarer.id };
    assert.equal(code(await ask('eve', WITHDRAW, { input })), 'CARE_INVITATION_NOT_FOUND');
    assert.equal((await ask('mina', WITHDRAW, { input })).data.withdrawCareInvitation.id, input.id);
    for (const given of codes)
      assert.equal(code(await ask('eve', ACCEPT, { input: { code: given } })), 'CARE_CODE_INVALID');
    assert.deepEqual((await ask('mina', '{ careInvitations { id } }')).data.careInvitations, []);
  });

  it('stops whoever guesses codes after ten wrong ones in an hour, right ones included', async () => {
    await invite('mina', 'ben@example.com');
    const input = { code: (await mails('care_invitation'))[0]?.values.code };
    for (let i = 0; i < 10; i++) {
      assert.equal(
        code(await ask('ben', ACCEPT, { input: { code: `WRONG${i}` } })),
        'CARE_CODE_INVALID',
      );
    }
    assert.equal(code(await ask('ben', ACCEPT, { input })), 'TOO_MANY_REQUESTS');
    const later = Date.now() + 60 * 60 * 1000 + 1000;
    service().now = () => later;
    assert.equal(code(await ask('ben', ACCEPT, { input })), undefined);
  });

  it('is forgotten a month later, with the address that it went to', async () => {
    await invite('mina', 'ben@example.com');
    const forget = (days: number) =>
      forgetInvitations({ ...service().app.deps, clock: () => Date.now() + days * DAY });
    assert.equal(await forget(29), 0);
    assert.equal(await forget(31), 1);
  });

  it('is possible 20 times a day', async () => {
    for (let i = 0; i < 20; i++)
      assert.equal(code(await invite('mina', `carer${i}@example.com`)), undefined);
    assert.equal(code(await invite('mina', 'another@example.com')), 'CARE_TOO_MANY');
  });

  it('changes the right of somebody who cares already', async () => {
    const id = await relate('mina', 'ben', 'SEE');
    assert.equal(await relate('mina', 'ben', 'EDIT'), id);
    assert.equal(await rightsOf('ben', await idOf('mina')), 'see answer edit');
  });
});

describe('A relation of care', () => {
  const { service, idOf, ask, rightsOf, relate, actions, contextOf } = useCare();

  it('is changed by the member alone, and ends from either side', async () => {
    const id = await relate('mina', 'ben', 'SEE');
    const mina = await idOf('mina');
    assert.equal(
      code(await ask('ben', CHANGE, { input: { id, right: 'EDIT' } })),
      'CARE_NOT_FOUND',
    );
    assert.equal(
      (await ask('mina', CHANGE, { input: { id, right: 'EDIT' } })).data.changeCare.right,
      'EDIT',
    );
    assert.equal(await rightsOf('ben', mina), 'see answer edit');
    assert.equal((await ask('ben', END, { input: { id } })).data.endCare.right, 'EDIT');
    assert.equal(await rightsOf('ben', mina), '');
    const again = await relate('mina', 'ben');
    assert.equal(code(await ask('mina', END, { input: { id: again } })), undefined);
    assert.equal(await rightsOf('ben', mina), '');
    assert.deepEqual(await actions('mina'), [
      'care.end',
      'care.accept',
      'care.invite',
      'care.end',
      'care.change',
      'care.accept',
      'care.invite',
    ]);
  });

  it('looks to strangers as if it did not exist', async () => {
    const id = await relate('mina', 'ben');
    for (const [query, more] of [
      [CHANGE, { right: 'EDIT' }],
      [END, {}],
    ] as const) {
      const foreign = await ask('eve', query, { input: { id, ...more } });
      const unknown = await ask('eve', query, { input: { id: 99999, ...more } });
      assert.equal(code(foreign), 'CARE_NOT_FOUND');
      assert.deepEqual(foreign.errors[0].message, unknown.errors[0].message);
    }
  });

  it('has its place in the order that the member chooses', async () => {
    const ids = [
      await relate('mina', 'ben'),
      await relate('mina', 'eve'),
      await relate('mina', 'ida'),
    ];
    const foreign = await relate('ben', 'eve');
    const order = [ids[2], ids[0], ids[1]];
    const { data } = await ask('mina', ORDER, { input: { ids: order } });
    assert.deepEqual(
      data.orderCarers,
      order.map((id, i) => ({ id, position: i + 1 })),
    );
    assert.deepEqual(
      (await ask('mina', '{ carers { id } }')).data.carers,
      order.map((id) => ({ id })),
    );
    for (const wrong of [
      ids.slice(1),
      [...ids, foreign],
      [ids[0], ids[0], ids[1]],
      [ids[0], ids[1], foreign],
    ]) {
      assert.equal(code(await ask('mina', ORDER, { input: { ids: wrong } })), 'CARE_ORDER_INVALID');
    }
  });

  it('ends with the account of either', async () => {
    await relate('mina', 'ben');
    await relate('ben', 'mina');
    await service().database.prisma.account.delete({ where: { id: await idOf('ben') } });
    assert.equal(await service().database.prisma.careRelation.count(), 0);
    assert.equal(
      await service().database.prisma.careInvitation.count(),
      1,
      "the member's own stays",
    );
  });

  it('is decided by one statement for any number of members', async () => {
    await relate('mina', 'ben');
    const members = [await idOf('mina'), await idOf('ben'), 4711, 4712, 4713];
    const context = await contextOf('ben');
    let rights: ReadonlySet<string>[] = [];
    const count = await service().statements(
      async () => (rights = await careRightsOver(context, members)),
    );
    assert.equal(count, 1);
    assert.deepEqual(
      rights.map(({ size }) => size),
      [2, 5, 0, 0, 0],
    );
  });

  it('lists members and carers with the same statements for one and for many', async () => {
    const now = Date.now();
    service().now = () => now; // who signs in is looked up once a second
    await relate('mina', 'ben');
    const listed = (name: string, query: string) => service().statements(() => ask(name, query));
    const [carers, caredFor] = ['{ carers { carer { name } member { name } } }', CARE_FOR] as const;
    const before = [await listed('mina', carers), await listed('ben', caredFor)];
    for (const other of ['eve', 'ida']) await relate('mina', other);
    for (const other of ['eve', 'ida']) await relate(other, 'ben');
    assert.deepEqual([await listed('mina', carers), await listed('ben', caredFor)], before);
  });
});

describe('Members of a clinician', () => {
  const { service, idOf, ask, rightsOf, relate, mails, actions, contextOf } = useCare();
  const pair = async () => ({
    memberId: await idOf('mina'),
    clinicianId: await idOf('clara', 'clinician'),
  });

  it('are assigned by administrators, and the clinician has every right until it ends', async () => {
    const input = await pair();
    assert.equal(await rightsOf('clara', input.memberId, 'clinician'), '');
    for (const [name, role] of [
      ['clara', 'clinician'],
      ['mina', 'subscriber'],
      ['anna', 'analyst'],
      ['erin', 'editor'],
    ] as const) {
      assert.equal(code(await ask(name, ASSIGN, { input }, role)), 'FORBIDDEN', name);
    }
    for (const _twice of [1, 2]) {
      const { data } = await ask('admin', ASSIGN, { input }, 'administrator');
      assert.deepEqual(data.assignClinician, {
        member: { id: input.memberId },
        clinician: { id: input.clinicianId },
      });
    }
    assert.equal(await rightsOf('clara', input.memberId, 'clinician'), 'see answer edit');
    await ask('admin', UNASSIGN, { input }, 'administrator');
    assert.equal(await rightsOf('clara', input.memberId, 'clinician'), '');
    assert.equal(code(await ask('admin', UNASSIGN, { input }, 'administrator')), 'CARE_NOT_FOUND');
    assert.deepEqual(await actions('mina'), ['care.unassign', 'care.assign']);
  });

  it('are told by mail who assigned whom, once, and find it in their audit with its maker', async () => {
    const input = await pair();
    for (const _twice of [1, 2]) await ask('admin', ASSIGN, { input }, 'administrator');
    const [mail, ...more] = await mails('care_assigned');
    const { name, maker } = mail?.values ?? {};
    assert.deepEqual([mail?.to, name, maker], ['mina@example.com', 'The clara', 'The admin']);
    assert.deepEqual(more, [], 'the second changed nothing');
    const { nodes } = (await ask('mina', MY_AUDIT)).data.myAudit;
    assert.deepEqual(nodes, [
      {
        action: 'care.assign',
        detail: { clinician: input.clinicianId },
        actor: { id: await idOf('admin'), name: 'The admin' },
      },
    ]);
  });

  it('are assigned in any number, and administrators are told of the 5th, 10th, 15th and 30th', async () => {
    const now = Date.now();
    service().now = () => now;
    const clinicianId = await idOf('clara', 'clinician');
    const assigned = async (i: number, name = 'admin') => {
      const input = { memberId: await idOf(`member${i}`), clinicianId };
      return code(await ask(name, ASSIGN, { input }, 'administrator'));
    };
    const alarmed: number[] = [];
    const assign = async (i: number, name?: string) => {
      const before = (await mails('care_assignment_alarm')).length;
      assert.equal(await assigned(i, name), undefined);
      if ((await mails('care_assignment_alarm')).length > before) alarmed.push(i);
    };
    for (let i = 1; i <= 4; i++) await assign(i);
    await assign(100, 'other');
    assert.deepEqual(alarmed, [], 'of each maker by itself');
    for (let i = 5; i <= 31; i++) await assign(i);
    assert.deepEqual(alarmed, [5, 10, 15, 30]);
    const [mail] = await mails('care_assignment_alarm');
    assert.deepEqual([mail?.values.name, mail?.values.count], ['The admin', '5']);
    const { auditEvent } = service().database.prisma;
    assert.equal(await auditEvent.count({ where: { action: 'care.assign_alarm' } }), 4);
    const metrics = (await service().fetch('/metrics', {})).text;
    assert.match(metrics, /care_assignments_total [1-9]/);
    assert.match(metrics, /care_assignment_alarms_total [1-9]/);
  });

  it('are counted when they are assigned at once', async () => {
    const clinicianId = await idOf('clara', 'clinician');
    const ids: number[] = [];
    for (let i = 1; i <= 5; i++) ids.push(await idOf(`member${i}`));
    await idOf('admin', 'administrator');
    const assign = (memberId: number) =>
      ask('admin', ASSIGN, { input: { memberId, clinicianId } }, 'administrator');
    await Promise.all(ids.map(assign));
    assert.equal((await mails('care_assignment_alarm')).length, 1);
  });

  it('are lost to an account that is no clinician any more', async () => {
    const input = await pair();
    await ask('admin', ASSIGN, { input }, 'administrator');
    await ask(
      'clara',
      BREAK,
      { input: { memberId: await idOf('ben'), reason: REASON } },
      'clinician',
    );
    const context = await contextOf('clara', 'clinician');
    const former = context.as(new Viewer(input.clinicianId, ['subscriber' as Role]));
    const rights = await careRightsOver(former, [input.memberId, await idOf('ben')]);
    assert.deepEqual(
      rights.map(({ size }) => size),
      [0, 0],
    );
  });

  it('are assigned to clinicians only, and exist', async () => {
    const input = await pair();
    const wrong = { memberId: input.memberId, clinicianId: await idOf('ben') };
    assert.equal(
      code(await ask('admin', ASSIGN, { input: wrong }, 'administrator')),
      'CLINICIAN_INVALID',
    );
    const adminId = await idOf('admin', 'administrator');
    await service().database.prisma.account.update({
      where: { id: adminId },
      data: { roles: ['administrator', 'clinician'] },
    });
    const self = { ...input, clinicianId: adminId };
    assert.equal(
      code(await ask('admin', ASSIGN, { input: self }, 'administrator')),
      'CLINICIAN_INVALID',
      'oneself',
    );
    const nobody = { ...input, memberId: 4711 };
    assert.equal(
      code(await ask('admin', ASSIGN, { input: nobody }, 'administrator')),
      'MEMBER_NOT_FOUND',
    );
  });

  it('are listed to themselves, to their clinician and to administrators', async () => {
    const input = await pair();
    await ask('admin', ASSIGN, { input }, 'administrator');
    await ask(
      'admin',
      ASSIGN,
      { input: { ...input, memberId: await idOf('ben') } },
      'administrator',
    );
    const LIST =
      'query($filter: CareAssignmentFilter) { careAssignments(filter: $filter) { totalCount ' +
      'nodes { member { id } clinician { name } } } }';
    const seen = async (name: string, role: RoleName, filter: object) => {
      const body = await ask(name, LIST, { filter }, role);
      return code(body) ?? body.data.careAssignments.totalCount;
    };
    assert.equal(await seen('mina', 'subscriber', { memberId: input.memberId }), 1);
    assert.equal(await seen('clara', 'clinician', { clinicianId: input.clinicianId }), 2);
    assert.equal(await seen('admin', 'administrator', {}), 2);
    assert.equal(await seen('mina', 'subscriber', {}), 'FORBIDDEN');
    assert.equal(await seen('eve', 'subscriber', { memberId: input.memberId }), 'FORBIDDEN');
  });

  it('can be seen for an hour by breaking the glass: with a reason, audited, and the member is told', async () => {
    const [memberId, start] = [await idOf('mina'), Date.now()];
    service().now = () => start;
    const { data } = await ask(
      'clara',
      BREAK,
      { input: { memberId, reason: `  ${REASON} ` } },
      'clinician',
    );
    assert.equal(data.breakGlass.reason, REASON);
    assert.equal(
      Date.parse(data.breakGlass.endsAt) - Date.parse(data.breakGlass.createdAt),
      60 * 60 * 1000,
    );
    service().now = () => start + 60 * 60 * 1000 - 1;
    assert.equal(await rightsOf('clara', memberId, 'clinician'), 'see');
    service().now = () => start + 60 * 60 * 1000;
    assert.equal(await rightsOf('clara', memberId, 'clinician'), '');
    const [mail] = await mails('break_glass');
    assert.deepEqual([mail?.to, mail?.values.name], ['mina@example.com', 'The clara']);
    assert.ok(!JSON.stringify(mail).includes(REASON), 'mails are read by others too');
    const { nodes } = (await ask('mina', MY_AUDIT)).data.myAudit;
    assert.equal(nodes[0].action, 'care.break_glass');
    assert.equal(nodes[0].actor.name, 'The clara');
    assert.equal(nodes[0].detail.reason, REASON);
  });

  it('are opened ten times an hour at most, and administrators are told', async () => {
    const now = Date.now();
    service().now = () => now;
    const members: number[] = [];
    for (let i = 0; i < 11; i++)
      members.push((await service().account('subscriber', `member${i}`)).id);
    await idOf('admin', 'administrator');
    const alarms = async () =>
      (await mails('break_glass_alarm')).map(({ to, values }) => [to, values.name, values.count]);
    const opened = async (memberId?: number) =>
      ask('clara', BREAK, { input: { memberId, reason: REASON } }, 'clinician');
    const counts: number[] = [];
    for (const id of members.slice(0, 10)) {
      assert.equal(code(await opened(id)), undefined);
      counts.push((await alarms()).length);
    }
    assert.deepEqual(counts, [0, 0, 0, 0, 1, 1, 1, 1, 1, 1], 'the fifth within an hour is unusual');
    assert.deepEqual(await alarms(), [['admin@example.com', 'The clara', '5']]);
    for (let i = 0; i < 3; i++) {
      const refused = await opened(members[10]);
      assert.equal(code(refused), 'TOO_MANY_REQUESTS');
      assert.equal(refused.errors[0].extensions.retryAfter, 3600);
    }
    assert.equal((await alarms()).length, 2, 'of refusals administrators are told once an hour');
    assert.equal(await rightsOf('clara', members[10] as number, 'clinician'), '');
    const audited = (action: string) =>
      service().database.prisma.auditEvent.count({ where: { action } });
    assert.deepEqual(
      [await audited('care.break_glass_refused'), await audited('care.break_glass_alarm')],
      [3, 2],
    );
    assert.equal(
      code(
        await ask('carl', BREAK, { input: { memberId: members[10], reason: REASON } }, 'clinician'),
      ),
      undefined,
    );
    service().now = () => now + 60 * 60 * 1000;
    assert.equal(code(await opened(members[10])), undefined, 'an hour later');
    const metrics = (await service().fetch('/metrics', {})).text;
    assert.match(metrics, /care_break_glass_total\{outcome="refused"\} \d/);
    assert.match(metrics, /care_break_glass_alarms_total \d/);
  });

  it('are opened ten times an hour at most also by requests that come at once', async () => {
    const members: number[] = [];
    for (let i = 0; i < 14; i++) members.push(await idOf(`member${i}`));
    await idOf('clara', 'clinician');
    const input = (memberId: number) => ({ input: { memberId, reason: REASON } });
    const opening = members.map((id) => ask('clara', BREAK, input(id), 'clinician'));
    const codes = (await Promise.all(opening)).map(code);
    assert.equal(codes.filter((each) => each === undefined).length, 10, codes.join());
    assert.equal(codes.filter((each) => each === 'TOO_MANY_REQUESTS').length, 4);
    assert.equal(await service().database.prisma.breakGlass.count(), 10);
  });

  it('are opened 30 times a day at most, and the fifteenth time alarms', async () => {
    const start = Date.now();
    const memberId = await idOf('mina');
    await idOf('admin', 'administrator');
    const openedAt = async (hours: number) => {
      service().now = () => start + hours * 60 * 60 * 1000;
      return ask('clara', BREAK, { input: { memberId, reason: REASON } }, 'clinician');
    };
    const alarmed: number[] = [];
    for (let time = 1; time <= 30; time++) {
      assert.equal(code(await openedAt(time / 2)), undefined, String(time));
      if ((await mails('break_glass_alarm')).length > alarmed.length) alarmed.push(time);
    }
    assert.deepEqual(alarmed, [15]);
    const refused = await openedAt(16);
    assert.equal(code(refused), 'TOO_MANY_REQUESTS');
    assert.equal(refused.errors[0].extensions.retryAfter, 8.5 * 60 * 60);
    assert.equal(code(await openedAt(24.5)), undefined, 'a day after the first');
  });

  it('are opened by administrators as by clinicians, and read by them in no other way', async () => {
    const memberId = await idOf('mina');
    const see = 'query($memberId: Int!) { calendar(memberId: $memberId) { nodes { id } } }';
    assert.equal(code(await ask('admin', see, { memberId }, 'administrator')), 'FORBIDDEN');
    assert.equal(
      code(await ask('admin', BREAK, { input: { memberId, reason: REASON } }, 'administrator')),
      undefined,
    );
    assert.equal(code(await ask('admin', see, { memberId }, 'administrator')), undefined);
    assert.equal((await mails('break_glass')).length, 1);
  });

  it('are opened by clinicians and administrators alone, who must say why', async () => {
    const memberId = await idOf('mina');
    for (const [name, role] of [
      ['ben', 'subscriber'],
      ['anna', 'analyst'],
    ] as const) {
      assert.equal(
        code(await ask(name, BREAK, { input: { memberId, reason: REASON } }, role)),
        'FORBIDDEN',
      );
    }
    for (const reason of ['', 'too short', `${' '.repeat(20)}x`, 'x'.repeat(501)]) {
      assert.equal(
        code(await ask('clara', BREAK, { input: { memberId, reason } }, 'clinician')),
        'BAD_USER_INPUT',
      );
    }
    const unknown = await ask(
      'clara',
      BREAK,
      { input: { memberId: 4711, reason: REASON } },
      'clinician',
    );
    assert.equal(code(unknown), 'MEMBER_NOT_FOUND');
  });

  it("are shown on the carer's screen with all that grants the care, page by page", async () => {
    const input = await pair();
    await relate('mina', 'clara2');
    await ask('admin', ASSIGN, { input }, 'administrator');
    const [ben, eve] = [await idOf('ben'), await idOf('eve')];
    await ask('clara', BREAK, { input: { memberId: ben, reason: REASON } }, 'clinician');
    await ask('clara', BREAK, { input: { memberId: input.memberId, reason: REASON } }, 'clinician');
    await ask('clara', BREAK, { input: { memberId: eve, reason: REASON } }, 'clinician');
    const first = (await ask('clara', CARE_FOR, { first: 2 }, 'clinician')).data.careFor;
    assert.equal(first.totalCount, 3);
    assert.deepEqual(
      first.nodes.map(({ endsAt, ...node }: { endsAt: string | null }) => ({
        ...node,
        ends: endsAt !== null,
      })),
      [
        {
          right: 'EDIT',
          through: ['ASSIGNMENT', 'BREAK_GLASS'],
          member: { id: input.memberId, name: 'The mina' },
          ends: false,
        },
        {
          right: 'SEE',
          through: ['BREAK_GLASS'],
          member: { id: ben, name: 'The ben' },
          ends: true,
        },
      ],
    );
    const after = first.pageInfo.endCursor;
    const second = (await ask('clara', CARE_FOR, { first: 2, after }, 'clinician')).data.careFor;
    assert.deepEqual(
      second.nodes.map(({ member }: { member: { id: number } }) => member.id),
      [eve],
    );
    assert.equal(second.pageInfo.hasNextPage, false);
    assert.equal(code(await ask('clara', CARE_FOR, { after: 'x' }, 'clinician')), 'CURSOR_INVALID');
  });
});

describe('Whose data a request is about', () => {
  const { idOf, relate, contextOf } = useCare();

  it("is one's own, or of a member over whom one has the right; others and unknown ones are refused alike", async () => {
    await relate('mina', 'ben', 'ANSWER');
    const [mina, eve] = [await idOf('mina'), await idOf('eve')];
    const ben = await contextOf('ben');
    assert.equal(await resolveMember(ben, undefined, 'edit'), ben.viewer.id);
    assert.equal(await resolveMember(ben, null, 'edit'), ben.viewer.id);
    assert.equal(await resolveMember(ben, mina, 'answer'), mina);
    const refusals = await Promise.all(
      [mina, eve, 4711].map((id) => resolveMember(ben, id, 'edit').catch((error: Error) => error)),
    );
    assert.equal(new Set(refusals.map((error) => JSON.stringify(error))).size, 1);
    await assert.rejects(resolveMember(ben, 4711, 'see'), { extensions: { code: 'FORBIDDEN' } });
    const nobody = ben.as(new Viewer(0, []));
    await assert.rejects(resolveMember(nobody, mina, 'see'), {
      extensions: { code: 'UNAUTHENTICATED' },
    });
  });

  it('is anybody for an administrator who makes something for them, unless there is nobody', async () => {
    const admin = await contextOf('admin', 'administrator');
    const mina = await idOf('mina');
    for (const right of ['create', 'message'] as const)
      assert.equal(await resolveMember(admin, mina, right), mina);
    for (const right of ['see', 'answer', 'edit'] as const)
      await assert.rejects(resolveMember(admin, mina, right));
    await assert.rejects(resolveMember(admin, 4711, 'create'), {
      extensions: { code: 'FORBIDDEN' },
    });
  });
});
