import { globalId } from '../../../src/core/node.js';
import { transact } from '../../../src/core/transact.js';
import { eraseAccount } from '../../../src/domains/privacy/erasure.service.js';
import { errorCode, type RoleName } from '../../support/harness.js';
import { BREAK, REASON, useCare } from '../care/use-care.js';

const LOOKUP =
  'query($email: EmailAddress, $name: String, $reason: String) { memberLookup(email: $email, name: ' +
  '$name, reason: $reason) { memberId name emailHint } }';
const END =
  'mutation($input: EndBreakGlassInput!) { endBreakGlass(input: $input) { breakGlass { id endsAt } } }';
const OPEN =
  '{ openBreakGlasses { totalCount nodes { id reason member { name } clinician { name } } } }';

describe('A member who is looked up', () => {
  const { service, idOf, ask, actions } = useCare();
  const lookUp = async (variables: object, name = 'clara', role: RoleName = 'clinician') => {
    const body = await ask(name, LOOKUP, variables, role);
    return errorCode(body) ?? body.data.memberLookup;
  };

  it('is found by the whole address, or by the whole name with a reason, and the glass can be broken', async () => {
    const memberId = globalId('Account', await idOf('mina'));
    await idOf('minas brother');
    const mina = { memberId, name: 'The mina', emailHint: 'm…@example.com' };
    expect(await lookUp({ email: 'MINA@example.com' })).toStrictEqual([mina]);
    expect(await lookUp({ name: 'the MÍNA', reason: REASON })).toStrictEqual([mina]);
    for (const part of ['mina', 'The min', '%', 'The %'])
      expect(await lookUp({ name: part, reason: REASON }), part).toStrictEqual([]);
    expect(await lookUp({ email: 'ina@example.com' })).toStrictEqual([]);
    const body = await ask('clara', BREAK, { input: { memberId, reason: REASON } }, 'clinician');
    expect(errorCode(body)).toBeUndefined();
    expect(await actions('mina')).toStrictEqual(['care.break_glass', 'care.found', 'care.found']);
  });

  it('is named by one of both, a name never without a reason', async () => {
    await idOf('mina');
    const both = { email: 'mina@example.com', name: 'The mina', reason: REASON };
    for (const variables of [{}, { name: 'The mina' }, both, { reason: REASON }])
      expect(await lookUp(variables)).toBe('LOOKUP_INVALID');
    expect(
      await service().database.prisma.auditEvent.count({ where: { action: 'care.lookup' } }),
    ).toBe(0);
  });

  it('keeps the reason under the own key alone, which erasing deletes', async () => {
    await idOf('mina');
    await lookUp({ name: 'The mina', reason: REASON });
    const detailOf = async (wanted: string) => {
      const query = '{ auditEvents { nodes { action detail } } }';
      const { auditEvents } = (await ask('admin', query, {}, 'administrator')).data;
      return auditEvents.nodes.find(({ action }: { action: string }) => action === wanted).detail;
    };
    expect(await detailOf('care.lookup')).toStrictEqual({ by: 'name', found: 1 });
    expect(await detailOf('care.found')).toStrictEqual({ by: 'name', reason: REASON });
    await transact(await service().context(), async (inner) =>
      eraseAccount(inner, await idOf('mina')),
    );
    expect([await detailOf('care.lookup'), await detailOf('care.found')]).toStrictEqual([
      { by: 'name', found: 1 },
      null,
    ]);
  });

  it('is a member: staff are not found', async () => {
    await idOf('erin', 'editor');
    await idOf('ada', 'administrator');
    expect(await lookUp({ email: 'erin@example.com' })).toStrictEqual([]);
    expect(await lookUp({ email: 'ada@example.com' })).toStrictEqual([]);
  });

  it('is one of five of a name at most', async () => {
    for (let i = 0; i < 7; i++) await idOf(`m${i}`);
    await service().database.prisma.account.updateMany({ data: { name: 'Mina Muster' } });
    expect(await lookUp({ name: 'Mina Muster', reason: REASON })).toHaveLength(5);
  });

  it('is looked up 20 times an hour and 60 a day at most by one account, also at once', async () => {
    const start = Date.now();
    service().at(start);
    await idOf('clara', 'clinician');
    const tries = (count: number) =>
      Promise.all(Array.from({ length: count }, () => lookUp({ email: 'nobody@example.com' })));
    const done = (all: unknown[]) => all.filter((each) => each !== 'TOO_MANY_REQUESTS').length;
    expect(done(await tries(23))).toBe(20);
    const refused = { actorId: await idOf('clara'), action: 'care.lookup_refused' };
    expect(await service().database.prisma.auditEvent.count({ where: refused })).toBe(3);
    expect(await lookUp({ email: 'nobody@example.com' }, 'carl')).toStrictEqual([]);
    let sum = 20;
    for (let hour = 1; hour <= 4; hour++) {
      service().at(start + hour * 3_600_000 + hour);
      sum += done(await tries(21));
    }
    expect(sum).toBe(60);
  });
});

describe('A broken glass', () => {
  const { service, idOf, ask, rightsOf, actions, mails } = useCare();
  const open = async (by = 'clara', role: RoleName = 'clinician') => {
    const input = { memberId: await idOf('mina'), reason: REASON };
    const body = await ask(by, BREAK, { input }, role);
    return body.data.breakGlass.breakGlass.id as string;
  };
  const end = async (id: unknown, name: string, role: RoleName) =>
    ask(name, END, { input: { id } }, role);

  it('is told to the member by a notification without the reason', async () => {
    await open();
    const { nodes } = (await ask('mina', '{ notifications { nodes { kind title body } } }')).data
      .notifications;
    expect(nodes).toStrictEqual([
      {
        kind: 'RECORD_OPENED',
        title: 'Your record was opened',
        body: 'The clara, who is not assigned to you, opened your record and gave a reason.',
      },
    ]);
    expect(await mails('break_glass')).toHaveLength(1);
  });

  it('ends at once when the clinician or an administrator says so', async () => {
    const now = Date.now();
    service().at(now);
    const memberId = await idOf('mina');
    for (const [name, role] of [
      ['clara', 'clinician'],
      ['admin', 'administrator'],
    ] as const) {
      const id = await open();
      expect(await rightsOf('clara', memberId, 'clinician')).toBe('see');
      const { data } = await end(id, name, role);
      expect(data.endBreakGlass.breakGlass).toStrictEqual({
        id,
        endsAt: new Date(now).toISOString(),
      });
      expect(await rightsOf('clara', memberId, 'clinician')).toBe('');
      service().at(now + 60_000);
      expect((await end(id, name, role)).data.endBreakGlass.breakGlass.endsAt).toBe(
        new Date(now).toISOString(),
      );
      service().at(now);
    }
    expect(
      (await actions('mina')).filter((action: string) => action === 'care.break_glass_end'),
    ).toHaveLength(2);
  });

  it('is ended by nobody else', async () => {
    const id = await open();
    expect(errorCode(await end(id, 'carl', 'clinician'))).toBe('BREAK_GLASS_NOT_FOUND');
    expect(errorCode(await end(id, 'mina', 'subscriber'))).toBe('FORBIDDEN');
    expect(errorCode(await end(4711, 'admin', 'administrator'))).toBe('BREAK_GLASS_NOT_FOUND');
    expect(errorCode(await end(globalId('Post', 1), 'admin', 'administrator'))).toBe('ID_INVALID');
    expect(await rightsOf('clara', await idOf('mina'), 'clinician')).toBe('see');
  });

  it('is read by an administrator who is not part of it under the eyes of the member', async () => {
    const id = await open();
    const node = '{ node(id: "%") { ... on BreakGlass { reason } } }'.replace('%', id);
    const read = async () =>
      (await actions('mina')).filter((action: string) => action === 'care.break_glass_read').length;
    await ask('clara', node, {}, 'clinician');
    await ask('mina', node);
    expect(await read()).toBe(0);
    await ask('admin', node, {}, 'administrator');
    expect(await read()).toBe(1);
    await end(id, 'admin', 'administrator');
    await end(id, 'admin', 'administrator');
    expect(await read()).toBe(3);
  });

  it('stays in the audit with the id of a clinician who is erased, by which it is found', async () => {
    await open();
    const clinician = await idOf('clara', 'clinician');
    await idOf('admin', 'administrator');
    await transact(await service().context(), (inner) => eraseAccount(inner, clinician));
    const actorId = globalId('Account', clinician);
    const query = `{ auditEvents(filter: { actorId: "${actorId}", action: "care.break_glass" }) {
      nodes { actorId subjectId actor { name } } } }`;
    const { nodes } = (await ask('admin', query, {}, 'administrator')).data.auditEvents;
    const subjectId = globalId('Account', await idOf('mina'));
    expect(nodes).toStrictEqual([{ actorId, subjectId, actor: null }]);
  });

  it('is not ended by a clinician whose own record it opened', async () => {
    const input = { memberId: await idOf('carl', 'clinician'), reason: REASON };
    const { data } = await ask('clara', BREAK, { input }, 'clinician');
    const { id } = data.breakGlass.breakGlass;
    expect(errorCode(await end(id, 'carl', 'clinician'))).toBe('BREAK_GLASS_NOT_FOUND');
  });

  it('is listed to administrators while it is open, which is audited', async () => {
    const now = Date.now();
    service().at(now);
    const first = await open();
    const second = await open('carl');
    const list = async () =>
      (await ask('admin', OPEN, {}, 'administrator')).data.openBreakGlasses.nodes;
    expect(await list()).toStrictEqual([
      { id: second, reason: REASON, member: { name: 'The mina' }, clinician: { name: 'The carl' } },
      { id: first, reason: REASON, member: { name: 'The mina' }, clinician: { name: 'The clara' } },
    ]);
    const node = '{ node(id: "%") { ... on BreakGlass { reason } } }'.replace('%', first);
    expect((await ask('admin', node, {}, 'administrator')).data.node).toStrictEqual({
      reason: REASON,
    });
    expect((await ask('carl', node, {}, 'clinician')).data.node).toBeNull();
    await end(second, 'carl', 'clinician');
    expect(await list()).toHaveLength(1);
    service().at(now + 60 * 60 * 1000);
    expect(await list()).toStrictEqual([]);
    expect(
      await service().database.prisma.auditEvent.count({
        where: { action: 'care.break_glass_list' },
      }),
    ).toBe(3);
  });
});
