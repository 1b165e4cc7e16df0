import { globalId } from '../../../src/core/node.js';
import type { Role } from '../../../src/core/roles.js';
import { Viewer } from '../../../src/core/viewer.js';
import { careRightsOver } from '../../../src/domains/care/care.service.js';
import { errorCode, type RoleName } from '../../support/harness.js';
import { ASSIGN, BREAK, CARED_FOR, MY_AUDIT, REASON, UNASSIGN, useCare } from './use-care.js';

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
    const told = (await mails('care_assignment_alarm')).map(({ values }) => values);
    expect(new Set(told.map(({ name }) => name))).toStrictEqual(new Set(['The admin']));
    expect(new Set(told.map(({ count }) => count))).toStrictEqual(new Set(['5', '10', '15', '30']));
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
