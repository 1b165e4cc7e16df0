import { RequestContext } from '../../../src/core/context.js';
import { globalId } from '../../../src/core/node.js';
import type { Role } from '../../../src/core/roles.js';
import { Viewer } from '../../../src/core/viewer.js';
import {
  careRights,
  careRightsOver,
  INCLUDED_RIGHTS,
  resolveMember,
} from '../../../src/domains/care/care.service.js';
import { forgetInvitations } from '../../../src/domains/care/care-invitation.service.js';
import { type Answer, errorCode, type RoleName, useService } from '../../support/harness.js';

const DAY = 24 * 60 * 60 * 1000;
const INVITE =
  'mutation($input: InviteCarerInput!) { inviteCarer(input: $input) { careInvitation { id to right createdAt ' +
  'expiresAt } } }';
const ACCEPT =
  'mutation($input: CareCodeInput!) { acceptCareInvitation(input: $input) { careRelation { id right ' +
  'member { name } carer { name } } } }';
const DECLINE =
  'mutation($input: CareCodeInput!) { declineCareInvitation(input: $input) { careInvitation { id } } }';
const WITHDRAW =
  'mutation($input: WithdrawCareInvitationInput!) { withdrawCareInvitation(input: $input) { careInvitation { id } } }';
const CHANGE =
  'mutation($input: ChangeCareRightInput!) { changeCareRight(input: $input) { careRelation { id right } } }';
const END =
  'mutation($input: EndCareInput!) { endCare(input: $input) { deletedCareRelationId careRelation { right } } }';
const ORDER =
  'mutation($input: OrderCarersInput!) { orderCarers(input: $input) { carers { id } } }';
const ASSIGN =
  'mutation($input: AssignClinicianInput!) { assignClinician(input: $input) { careAssignment { id member { name } ' +
  'clinician { name } } } }';
const UNASSIGN =
  'mutation($input: AssignClinicianInput!) { unassignClinician(input: $input) { deletedCareAssignmentId careAssignment { member { name } } } }';
const BREAK =
  'mutation($input: BreakGlassInput!) { breakGlass(input: $input) { breakGlass { id reason createdAt endsAt ' +
  'member { name } } } }';
const CARED_FOR =
  'query($first: Int, $after: String) { caredForMembers(first: $first, after: $after) { ' +
  'totalCount pageInfo { hasNextPage endCursor } nodes { right through endsAt member { name } ' +
  'careRelation { id } } } }';
const MY_AUDIT = '{ viewer { auditEvents { nodes { action detail actor { databaseId name } } } } }';
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
  const relate = async (member: string, carer: string, right = 'SEE'): Promise<string> => {
    await account(carer);
    await invite(member, `${carer}@example.com`, right);
    const code = (await mails('care_invitation')).at(-1)?.values.code;
    const { data } = await ask(carer, ACCEPT, { input: { code } });
    return data.acceptCareInvitation.careRelation.id;
  };
  const actions = async (member: string) =>
    (
      await ask(member, MY_AUDIT.replace('auditEvents', 'auditEvents(own: true)'))
    ).data.viewer.auditEvents.nodes.map(({ action }: { action: string }) => action);
  return { service, account, idOf, ask, contextOf, rightsOf, mails, invite, relate, actions };
}

describe('Inviting a carer', () => {
  const { service, account, idOf, ask, mails, invite, rightsOf, relate, actions } = useCare();

  it('mails a code that makes whoever has it a carer, with the right that the member chose', async () => {
    await account('ben');
    const { data } = await invite('mina', 'Ben@Example.com', 'ANSWER');
    const { createdAt, expiresAt, ...invitation } = data.inviteCarer.careInvitation;
    expect(invitation).toStrictEqual({ id: invitation.id, to: 'Ben@Example.com', right: 'ANSWER' });
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(14 * DAY);
    const [mail] = await mails('care_invitation');
    expect(mail?.to).toBe('Ben@Example.com');
    expect([mail?.language, mail?.values.name, mail?.values.right]).toStrictEqual([
      'en',
      'The mina',
      'answer',
    ]);
    expect(mail?.values.code ?? '').toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
    const accepted = await ask('ben', ACCEPT, {
      input: { code: ` ${mail?.values.code?.toLowerCase().replace('-', ' ')}` },
    });
    const { member, carer, right } = accepted.data.acceptCareInvitation.careRelation;
    expect([member.name, carer.name, right]).toStrictEqual(['The mina', 'The ben', 'ANSWER']);
    expect(await rightsOf('ben', await idOf('mina'))).toBe('see answer');
    expect(await actions('mina')).toStrictEqual(['care.accept', 'care.invite']);
  });

  it('answers the same whether or not there is such an account, by address and by user name', async () => {
    const now = Date.now();
    service().at(now); // who signs in is looked up once a second
    for (const name of ['mina', 'ben']) await account(name);
    for (const pair of [
      ['ben@example.com', 'nobody@example.com'],
      ['ben', 'nobody'],
    ]) {
      const [known, unknown] = await Promise.all(pair.map((to) => invite('mina', to)));
      expect(Object.keys(known.data.inviteCarer.careInvitation)).toStrictEqual(
        Object.keys(unknown.data.inviteCarer.careInvitation),
      );
      expect(known.errors ?? unknown.errors).toBeUndefined();
    }
    const sent = (await mails('care_invitation')).map(({ to }) => to).sort();
    expect(sent).toStrictEqual(['ben@example.com', 'ben@example.com', 'nobody@example.com']);
    const known = await service().statements(() => invite('mina', 'ben@example.com'));
    expect(await service().statements(() => invite('mina', 'nobody@example.com'))).toBe(known);
  });

  it('can be accepted by somebody who signs up afterwards', async () => {
    await invite('mina', 'new@example.com');
    const [mail] = await mails('care_invitation');
    await ask('late', ACCEPT, { input: { code: mail?.values.code } });
    expect(await rightsOf('late', await idOf('mina'))).toBe('see');
  });

  it('never mails to the address of an account whose user name looks like the address of somebody else', async () => {
    await service().database.prisma.account.update({
      where: { id: await idOf('eve') },
      data: { username: 'ben@example.com', usernameKey: 'ben@example.com' },
    });
    await invite('mina', 'ben@example.com');
    expect((await mails('care_invitation')).map(({ to }) => to)).toStrictEqual(['ben@example.com']);
  });

  it('works once, for 14 days, and not for oneself', async () => {
    await invite('mina', 'ben@example.com');
    const input = { code: (await mails('care_invitation'))[0]?.values.code };
    expect(errorCode(await ask('mina', ACCEPT, { input }))).toBe('CARE_CODE_INVALID');
    const start = Date.now();
    service().at(start + 14 * DAY + 1000);
    expect(errorCode(await ask('ben', ACCEPT, { input }))).toBe('CARE_CODE_INVALID');
    service().at(start + 14 * DAY - 1000);
    expect(errorCode(await ask('ben', ACCEPT, { input }))).toBeUndefined();
    expect(errorCode(await ask('eve', ACCEPT, { input }))).toBe('CARE_CODE_INVALID');
    expect(errorCode(await invite('mina', 'MINA@example.com'))).toBe('CARE_SELF');
    expect(errorCode(await invite('mina', 'Mina'))).toBe('CARE_SELF');
  });

  it('is accepted by one of two who try at once', async () => {
    await invite('mina', 'ben@example.com');
    const input = { code: (await mails('care_invitation'))[0]?.values.code };
    const both = await Promise.all(['ben', 'eve'].map((name) => ask(name, ACCEPT, { input })));
    expect(both.map(errorCode).sort()).toStrictEqual(['CARE_CODE_INVALID', undefined]);
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
    expect([plain, ...hashes]).not.toContain(row?.codeHash ?? '');
  });

  it('can be declined, and withdrawn by the member alone', async () => {
    const [first, second] = [
      await invite('mina', 'ben@example.com'),
      await invite('mina', 'eve@example.com'),
    ];
    const pick = ({ data }: Answer['body']) => ({
      careInvitation: { id: data.inviteCarer.careInvitation.id },
    });
    const codes = (await mails('care_invitation')).map(({ values }) => values.code);
    const { data } = await ask('ben', DECLINE, { input: { code: codes[0] } });
    expect(data.declineCareInvitation).toMatchObject(pick(first));
    const input = pick(second).careInvitation;
    expect(errorCode(await ask('eve', WITHDRAW, { input }))).toBe('CARE_INVITATION_NOT_FOUND');
    expect((await ask('mina', WITHDRAW, { input })).data.withdrawCareInvitation).toStrictEqual({
      careInvitation: input,
    });
    for (const given of codes)
      expect(errorCode(await ask('eve', ACCEPT, { input: { code: given } }))).toBe(
        'CARE_CODE_INVALID',
      );
    expect((await ask('mina', '{ careInvitations { id } }')).data.careInvitations).toStrictEqual(
      [],
    );
  });

  it('stops whoever guesses codes after ten wrong ones in an hour, right ones included', async () => {
    await invite('mina', 'ben@example.com');
    const input = { code: (await mails('care_invitation'))[0]?.values.code };
    for (let i = 0; i < 10; i++) {
      expect(errorCode(await ask('ben', ACCEPT, { input: { code: `WRONG${i}` } }))).toBe(
        'CARE_CODE_INVALID',
      );
    }
    expect(errorCode(await ask('ben', ACCEPT, { input }))).toBe('TOO_MANY_REQUESTS');
    const later = Date.now() + 60 * 60 * 1000 + 1000;
    service().at(later);
    expect(errorCode(await ask('ben', ACCEPT, { input }))).toBeUndefined();
  });

  it('is forgotten a month later, with the address that it went to', async () => {
    await invite('mina', 'ben@example.com');
    const forget = (days: number) =>
      forgetInvitations({ ...service().app.deps, clock: () => Date.now() + days * DAY });
    expect(await forget(29)).toBe(0);
    expect(await forget(31)).toBe(1);
  });

  it('is possible 20 times a day', async () => {
    for (let i = 0; i < 20; i++)
      expect(errorCode(await invite('mina', `carer${i}@example.com`))).toBeUndefined();
    expect(errorCode(await invite('mina', 'another@example.com'))).toBe('CARE_TOO_MANY');
  });

  it('changes the right of somebody who cares already', async () => {
    const id = await relate('mina', 'ben', 'SEE');
    expect(await relate('mina', 'ben', 'EDIT')).toBe(id);
    expect(await rightsOf('ben', await idOf('mina'))).toBe('see answer edit');
  });
});

describe('A relation of care', () => {
  const { service, idOf, ask, rightsOf, relate, actions, contextOf } = useCare();

  it('is changed by the member alone, and ends from either side', async () => {
    const id = await relate('mina', 'ben', 'SEE');
    const mina = await idOf('mina');
    expect(errorCode(await ask('ben', CHANGE, { input: { id, right: 'EDIT' } }))).toBe(
      'CARE_NOT_FOUND',
    );
    expect(
      (await ask('mina', CHANGE, { input: { id, right: 'EDIT' } })).data.changeCareRight
        .careRelation.right,
    ).toBe('EDIT');
    expect(await rightsOf('ben', mina)).toBe('see answer edit');
    expect((await ask('ben', END, { input: { id } })).data.endCare).toStrictEqual({
      deletedCareRelationId: id,
      careRelation: { right: 'EDIT' },
    });
    expect(await rightsOf('ben', mina)).toBe('');
    const again = await relate('mina', 'ben');
    expect(errorCode(await ask('mina', END, { input: { id: again } }))).toBeUndefined();
    expect(await rightsOf('ben', mina)).toBe('');
    expect(await actions('mina')).toStrictEqual([
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
      const unknown = await ask('eve', query, {
        input: { id: globalId('CareRelation', 99999), ...more },
      });
      expect(errorCode(foreign)).toBe('CARE_NOT_FOUND');
      expect(foreign.errors[0].message).toStrictEqual(unknown.errors[0].message);
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
    expect(data.orderCarers.carers).toStrictEqual(order.map((id) => ({ id })));
    expect((await ask('mina', '{ carers { id } }')).data.carers).toStrictEqual(
      order.map((id) => ({ id })),
    );
    for (const wrong of [
      ids.slice(1),
      [...ids, foreign],
      [ids[0], ids[0], ids[1]],
      [ids[0], ids[1], foreign],
    ]) {
      expect(errorCode(await ask('mina', ORDER, { input: { ids: wrong } }))).toBe(
        'CARE_ORDER_INVALID',
      );
    }
  });

  it('ends with the account of either', async () => {
    await relate('mina', 'ben');
    await relate('ben', 'mina');
    await service().database.prisma.account.delete({ where: { id: await idOf('ben') } });
    expect(await service().database.prisma.careRelation.count()).toBe(0);
    expect(await service().database.prisma.careInvitation.count(), "the member's own stays").toBe(
      1,
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
    expect(count).toBe(1);
    expect(rights.map(({ size }) => size)).toStrictEqual([2, 5, 0, 0, 0]);
  });

  it('lists members and carers with the same statements for one and for many', async () => {
    const now = Date.now();
    service().at(now); // who signs in is looked up once a second
    await relate('mina', 'ben');
    const listed = (name: string, query: string) => service().statements(() => ask(name, query));
    const [carers, caredFor] = [
      '{ carers { carer { name } member { name } } }',
      CARED_FOR,
    ] as const;
    const before = [await listed('mina', carers), await listed('ben', caredFor)];
    for (const other of ['eve', 'ida']) await relate('mina', other);
    for (const other of ['eve', 'ida']) await relate(other, 'ben');
    expect([await listed('mina', carers), await listed('ben', caredFor)]).toStrictEqual(before);
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
    expect(await rightsOf('clara', input.memberId, 'clinician')).toBe('');
    for (const [name, role] of [
      ['clara', 'clinician'],
      ['mina', 'subscriber'],
      ['anna', 'analyst'],
      ['erin', 'editor'],
    ] as const) {
      expect(errorCode(await ask(name, ASSIGN, { input }, role)), name).toBe('FORBIDDEN');
    }
    for (const _twice of [1, 2]) {
      const { data } = await ask('admin', ASSIGN, { input }, 'administrator');
      expect(data.assignClinician.careAssignment).toStrictEqual({
        id: globalId('CareAssignment', `${input.memberId}-${input.clinicianId}`),
        member: { name: 'The mina' },
        clinician: { name: 'The clara' },
      });
    }
    expect(await rightsOf('clara', input.memberId, 'clinician')).toBe('see answer edit');
    await ask('admin', UNASSIGN, { input }, 'administrator');
    expect(await rightsOf('clara', input.memberId, 'clinician')).toBe('');
    expect(errorCode(await ask('admin', UNASSIGN, { input }, 'administrator'))).toBe(
      'CARE_NOT_FOUND',
    );
    expect(await actions('mina')).toStrictEqual(['care.unassign', 'care.assign']);
  });

  it('are told by mail who assigned whom, once, and find it in their audit with its maker', async () => {
    const input = await pair();
    for (const _twice of [1, 2]) await ask('admin', ASSIGN, { input }, 'administrator');
    const [mail, ...more] = await mails('care_assigned');
    const { name, maker } = mail?.values ?? {};
    expect([mail?.to, name, maker]).toStrictEqual(['mina@example.com', 'The clara', 'The admin']);
    expect(more, 'the second changed nothing').toStrictEqual([]);
    const { nodes } = (await ask('mina', MY_AUDIT)).data.viewer.auditEvents;
    expect(nodes).toStrictEqual([
      {
        action: 'care.assign',
        detail: { clinician: input.clinicianId },
        actor: { databaseId: await idOf('admin'), name: 'The admin' },
      },
    ]);
  });

  it('are assigned in any number, and administrators are told of the 5th, 10th, 15th and 30th', async () => {
    const now = Date.now();
    service().at(now);
    const clinicianId = await idOf('clara', 'clinician');
    const assigned = async (i: number, name = 'admin') => {
      const input = { memberId: await idOf(`member${i}`), clinicianId };
      return errorCode(await ask(name, ASSIGN, { input }, 'administrator'));
    };
    const alarmed: number[] = [];
    const assign = async (i: number, name?: string) => {
      const before = (await mails('care_assignment_alarm')).length;
      expect(await assigned(i, name)).toBeUndefined();
      if ((await mails('care_assignment_alarm')).length > before) alarmed.push(i);
    };
    for (let i = 1; i <= 4; i++) await assign(i);
    await assign(100, 'other');
    expect(alarmed, 'of each maker by itself').toStrictEqual([]);
    for (let i = 5; i <= 31; i++) await assign(i);
    expect(alarmed).toStrictEqual([5, 10, 15, 30]);
    const [mail] = await mails('care_assignment_alarm');
    expect([mail?.values.name, mail?.values.count]).toStrictEqual(['The admin', '5']);
    const { auditEvent } = service().database.prisma;
    expect(await auditEvent.count({ where: { action: 'care.assign_alarm' } })).toBe(4);
    const metrics = (await service().fetch('/metrics', {})).text;
    expect(metrics).toMatch(/care_assignments_total [1-9]/);
    expect(metrics).toMatch(/care_assignment_alarms_total [1-9]/);
  });

  it('are counted when they are assigned at once', async () => {
    const clinicianId = await idOf('clara', 'clinician');
    const ids: number[] = [];
    for (let i = 1; i <= 5; i++) ids.push(await idOf(`member${i}`));
    await idOf('admin', 'administrator');
    const assign = (memberId: number) =>
      ask('admin', ASSIGN, { input: { memberId, clinicianId } }, 'administrator');
    await Promise.all(ids.map(assign));
    expect(await mails('care_assignment_alarm')).toHaveLength(1);
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
    expect(rights.map(({ size }) => size)).toStrictEqual([0, 0]);
  });

  it('are assigned to clinicians only, and exist', async () => {
    const input = await pair();
    const wrong = { memberId: input.memberId, clinicianId: await idOf('ben') };
    expect(errorCode(await ask('admin', ASSIGN, { input: wrong }, 'administrator'))).toBe(
      'CLINICIAN_INVALID',
    );
    const adminId = await idOf('admin', 'administrator');
    await service().database.prisma.account.update({
      where: { id: adminId },
      data: { roles: ['administrator', 'clinician'] },
    });
    const self = { ...input, clinicianId: adminId };
    expect(errorCode(await ask('admin', ASSIGN, { input: self }, 'administrator')), 'oneself').toBe(
      'CLINICIAN_INVALID',
    );
    const nobody = { ...input, memberId: 4711 };
    expect(errorCode(await ask('admin', ASSIGN, { input: nobody }, 'administrator'))).toBe(
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
      'nodes { member { name } clinician { name } } } }';
    const seen = async (name: string, role: RoleName, filter: object) => {
      const body = await ask(name, LIST, { filter }, role);
      return errorCode(body) ?? body.data.careAssignments.totalCount;
    };
    expect(await seen('mina', 'subscriber', { memberId: input.memberId })).toBe(1);
    expect(await seen('clara', 'clinician', { clinicianId: input.clinicianId })).toBe(2);
    expect(await seen('admin', 'administrator', {})).toBe(2);
    expect(await seen('mina', 'subscriber', {})).toBe('FORBIDDEN');
    expect(await seen('eve', 'subscriber', { memberId: input.memberId })).toBe('FORBIDDEN');
  });

  it('can be seen for an hour by breaking the glass: with a reason, audited, and the member is told', async () => {
    const [memberId, start] = [await idOf('mina'), Date.now()];
    service().at(start);
    const { data } = await ask(
      'clara',
      BREAK,
      { input: { memberId, reason: `  ${REASON} ` } },
      'clinician',
    );
    const { reason, createdAt, endsAt } = data.breakGlass.breakGlass;
    expect(reason).toBe(REASON);
    expect(Date.parse(endsAt) - Date.parse(createdAt)).toBe(60 * 60 * 1000);
    service().at(start + 60 * 60 * 1000 - 1);
    expect(await rightsOf('clara', memberId, 'clinician')).toBe('see');
    service().at(start + 60 * 60 * 1000);
    expect(await rightsOf('clara', memberId, 'clinician')).toBe('');
    const [mail] = await mails('break_glass');
    expect([mail?.to, mail?.values.name]).toStrictEqual(['mina@example.com', 'The clara']);
    expect(JSON.stringify(mail), 'mails are read by others too').not.toContain(REASON);
    const { nodes } = (await ask('mina', MY_AUDIT)).data.viewer.auditEvents;
    expect(nodes[0].action).toBe('care.break_glass');
    expect(nodes[0].actor.name).toBe('The clara');
    expect(nodes[0].detail.reason).toBe(REASON);
  });

  it('are opened ten times an hour at most, and administrators are told', async () => {
    const now = Date.now();
    service().at(now);
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
      expect(errorCode(await opened(id))).toBeUndefined();
      counts.push((await alarms()).length);
    }
    expect(counts, 'the fifth within an hour is unusual').toStrictEqual([
      0, 0, 0, 0, 1, 1, 1, 1, 1, 1,
    ]);
    expect(await alarms()).toStrictEqual([['admin@example.com', 'The clara', '5']]);
    for (let i = 0; i < 3; i++) {
      const refused = await opened(members[10]);
      expect(errorCode(refused)).toBe('TOO_MANY_REQUESTS');
      expect(refused.errors[0].extensions.retryAfter).toBe(3600);
    }
    expect(await alarms(), 'of refusals administrators are told once an hour').toHaveLength(2);
    expect(await rightsOf('clara', members[10] as number, 'clinician')).toBe('');
    const audited = (action: string) =>
      service().database.prisma.auditEvent.count({ where: { action } });
    expect([
      await audited('care.break_glass_refused'),
      await audited('care.break_glass_alarm'),
    ]).toStrictEqual([3, 2]);
    expect(
      errorCode(
        await ask('carl', BREAK, { input: { memberId: members[10], reason: REASON } }, 'clinician'),
      ),
    ).toBeUndefined();
    service().at(now + 60 * 60 * 1000);
    expect(errorCode(await opened(members[10])), 'an hour later').toBeUndefined();
    const metrics = (await service().fetch('/metrics', {})).text;
    expect(metrics).toMatch(/care_break_glass_total\{outcome="refused"\} \d/);
    expect(metrics).toMatch(/care_break_glass_alarms_total \d/);
  });

  it('are opened ten times an hour at most also by requests that come at once', async () => {
    const members: number[] = [];
    for (let i = 0; i < 14; i++) members.push(await idOf(`member${i}`));
    await idOf('clara', 'clinician');
    const input = (memberId: number) => ({ input: { memberId, reason: REASON } });
    const opening = members.map((id) => ask('clara', BREAK, input(id), 'clinician'));
    const codes = (await Promise.all(opening)).map(errorCode);
    expect(
      codes.filter((each) => each === undefined),
      codes.join(),
    ).toHaveLength(10);
    expect(codes.filter((each) => each === 'TOO_MANY_REQUESTS')).toHaveLength(4);
    expect(await service().database.prisma.breakGlass.count()).toBe(10);
  });

  it('are opened 30 times a day at most, and the fifteenth time alarms', async () => {
    const start = Date.now();
    const memberId = await idOf('mina');
    await idOf('admin', 'administrator');
    const openedAt = async (hours: number) => {
      service().at(start + hours * 60 * 60 * 1000);
      return ask('clara', BREAK, { input: { memberId, reason: REASON } }, 'clinician');
    };
    const alarmed: number[] = [];
    for (let time = 1; time <= 30; time++) {
      expect(errorCode(await openedAt(time / 2)), String(time)).toBeUndefined();
      if ((await mails('break_glass_alarm')).length > alarmed.length) alarmed.push(time);
    }
    expect(alarmed).toStrictEqual([15]);
    const refused = await openedAt(16);
    expect(errorCode(refused)).toBe('TOO_MANY_REQUESTS');
    expect(refused.errors[0].extensions.retryAfter).toBe(8.5 * 60 * 60);
    expect(errorCode(await openedAt(24.5)), 'a day after the first').toBeUndefined();
  });

  it('are opened by administrators as by clinicians, and read by them in no other way', async () => {
    const memberId = await idOf('mina');
    const see = 'query($memberId: ID!) { calendar(memberId: $memberId) { events { id } } }';
    expect(errorCode(await ask('admin', see, { memberId }, 'administrator'))).toBe('FORBIDDEN');
    expect(
      errorCode(
        await ask('admin', BREAK, { input: { memberId, reason: REASON } }, 'administrator'),
      ),
    ).toBeUndefined();
    expect(errorCode(await ask('admin', see, { memberId }, 'administrator'))).toBeUndefined();
    expect(await mails('break_glass')).toHaveLength(1);
  });

  it('are opened by clinicians and administrators alone, who must say why', async () => {
    const memberId = await idOf('mina');
    for (const [name, role] of [
      ['ben', 'subscriber'],
      ['anna', 'analyst'],
    ] as const) {
      expect(errorCode(await ask(name, BREAK, { input: { memberId, reason: REASON } }, role))).toBe(
        'FORBIDDEN',
      );
    }
    for (const reason of ['', 'too short', `${' '.repeat(20)}x`, 'x'.repeat(501)]) {
      expect(
        errorCode(await ask('clara', BREAK, { input: { memberId, reason } }, 'clinician')),
      ).toBe('BAD_USER_INPUT');
    }
    const unknown = await ask(
      'clara',
      BREAK,
      { input: { memberId: 4711, reason: REASON } },
      'clinician',
    );
    expect(errorCode(unknown)).toBe('MEMBER_NOT_FOUND');
  });

  it("are shown on the carer's screen with all that grants the care, page by page", async () => {
    const input = await pair();
    await relate('mina', 'clara2');
    await ask('admin', ASSIGN, { input }, 'administrator');
    const [ben, eve] = [await idOf('ben'), await idOf('eve')];
    await ask('clara', BREAK, { input: { memberId: ben, reason: REASON } }, 'clinician');
    await ask('clara', BREAK, { input: { memberId: input.memberId, reason: REASON } }, 'clinician');
    await ask('clara', BREAK, { input: { memberId: eve, reason: REASON } }, 'clinician');
    const first = (await ask('clara', CARED_FOR, { first: 2 }, 'clinician')).data.caredForMembers;
    expect(first.totalCount).toBe(3);
    expect(
      first.nodes.map(({ endsAt, ...node }: { endsAt: string | null }) => ({
        ...node,
        ends: endsAt !== null,
      })),
    ).toStrictEqual([
      {
        right: 'EDIT',
        through: ['ASSIGNMENT', 'BREAK_GLASS'],
        member: { name: 'The mina' },
        careRelation: null,
        ends: false,
      },
      {
        right: 'SEE',
        through: ['BREAK_GLASS'],
        member: { name: 'The ben' },
        careRelation: null,
        ends: true,
      },
    ]);
    const after = first.pageInfo.endCursor;
    const second = (await ask('clara', CARED_FOR, { first: 2, after }, 'clinician')).data
      .caredForMembers;
    expect(
      second.nodes.map(({ member }: { member: { name: string } }) => member.name),
    ).toStrictEqual(['The eve']);
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect(errorCode(await ask('clara', CARED_FOR, { after: 'x' }, 'clinician'))).toBe(
      'CURSOR_INVALID',
    );
  });
});

describe('Whose data a request is about', () => {
  const { idOf, relate, contextOf } = useCare();

  it("is one's own, or of a member over whom one has the right; others and unknown ones are refused alike", async () => {
    await relate('mina', 'ben', 'ANSWER');
    const [mina, eve] = [await idOf('mina'), await idOf('eve')];
    const ben = await contextOf('ben');
    expect(await resolveMember(ben, undefined, 'edit')).toBe(ben.viewer.id);
    expect(await resolveMember(ben, null, 'edit')).toBe(ben.viewer.id);
    expect(await resolveMember(ben, mina, 'answer')).toBe(mina);
    const refusals = await Promise.all(
      [mina, eve, 4711].map((id) => resolveMember(ben, id, 'edit').catch((error: Error) => error)),
    );
    expect(new Set(refusals.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(await resolveMember(ben, 4711, 'see').catch((error) => error.extensions)).toStrictEqual({
      code: 'FORBIDDEN',
    });
    const nobody = ben.as(new Viewer(0, []));
    expect(
      await resolveMember(nobody, mina, 'see').catch((error) => error.extensions),
    ).toStrictEqual({ code: 'UNAUTHENTICATED' });
  });

  it('is anybody for an administrator who makes something for them, unless there is nobody', async () => {
    const admin = await contextOf('admin', 'administrator');
    const mina = await idOf('mina');
    for (const right of ['create', 'message'] as const)
      expect(await resolveMember(admin, mina, right)).toBe(mina);
    for (const right of ['see', 'answer', 'edit'] as const)
      await expect(resolveMember(admin, mina, right)).rejects.toThrow();
    expect(
      await resolveMember(admin, 4711, 'create').catch((error) => error.extensions),
    ).toStrictEqual({ code: 'FORBIDDEN' });
  });
});
