import { globalId } from '../../../src/core/node.js';
import { makeCarer } from '../../support/factories.js';
import { errorCode, type RoleName, useService } from '../../support/harness.js';

interface Page {
  readonly nodes: readonly { readonly id: string }[];
  readonly totalCount: number;
  readonly pageInfo: Readonly<Record<string, string | boolean>>;
}

describe('Care as a graph', () => {
  const service = useService();
  const idOf = async (name: string, role: RoleName = 'subscriber') =>
    (await service().account(role, name)).id;
  const ask = async (name: string, query: string, variables: object = {}, role?: RoleName) => {
    const headers = await service().session(role ?? 'subscriber', name);
    return (await service().graphql(query, variables, { headers })).body;
  };
  const memberIds = async (count: number) => {
    const ids: number[] = [];
    for (let i = 0; i < count; i++) ids.push(await idOf(`member${i}`));
    return ids;
  };
  const PAGE =
    '{ totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }';
  const ARGS = '$first: Int, $after: String, $last: Int, $before: String';
  const GIVEN = 'first: $first, after: $after, last: $last, before: $before';

  /** Visits a list forwards or backwards in pages of two. */
  const visit = async (read: (page: object) => Promise<Page>, forwards: boolean) => {
    const ids: string[] = [];
    let cursor: string | boolean | null = null;
    for (;;) {
      const { nodes, pageInfo, totalCount } = await read(
        forwards ? { first: 2, after: cursor } : { last: 2, before: cursor },
      );
      expect(totalCount).toBe(5);
      const found = nodes.map(({ id }) => id);
      ids.splice(forwards ? ids.length : 0, 0, ...found);
      expect(pageInfo[forwards ? 'hasPreviousPage' : 'hasNextPage']).toBe(cursor !== null);
      if (!pageInfo[forwards ? 'hasNextPage' : 'hasPreviousPage']) return ids;
      cursor = pageInfo[forwards ? 'endCursor' : 'startCursor'] as string;
    }
  };

  it('lists the members in care page by page both ways, each once', async () => {
    const ids = await memberIds(5);
    const carerId = await idOf('ben');
    for (const memberId of ids) await makeCarer(service(), { memberId, carerId });
    const query = `query(${ARGS}) { caredForMembers(${GIVEN}) ${PAGE} }`;
    const read = async (page: object) => (await ask('ben', query, page)).data.caredForMembers;
    const expected = ids.map((id) => globalId('CaredForMember', id));
    expect(await visit(read, true)).toStrictEqual(expected);
    expect(await visit(read, false)).toStrictEqual(expected);
  });

  it('lists assignments page by page both ways, each once', async () => {
    const ids = await memberIds(5);
    const clinicianId = await idOf('clara', 'clinician');
    const createdAt = new Date(service().now());
    const data = ids.map((memberId) => ({ memberId, clinicianId, createdAt }));
    await service().database.prisma.careAssignment.createMany({ data });
    const query = `query($clinicianId: ID, ${ARGS}) { careAssignments(filter: { clinicianId: $clinicianId }, ${GIVEN}) ${PAGE} }`;
    for (const id of [clinicianId, globalId('Account', clinicianId)]) {
      const read = async (page: object) =>
        (await ask('clara', query, { ...page, clinicianId: id }, 'clinician')).data.careAssignments;
      const expected = ids.map((member) => globalId('CareAssignment', `${member}-${clinicianId}`));
      expect(await visit(read, true)).toStrictEqual(expected);
      expect(await visit(read, false)).toStrictEqual(expected);
    }
  });

  it('reads each row again by its id, for those whom it is about', async () => {
    const [memberId, carerId] = [await idOf('mina'), await idOf('ben')];
    const clinicianId = await idOf('clara', 'clinician');
    const relation = await makeCarer(service(), { memberId, carerId });
    const now = new Date(service().now());
    const endsAt = new Date(service().now() + 60_000);
    const { prisma } = service().database;
    await prisma.careAssignment.create({ data: { memberId, clinicianId, createdAt: now } });
    const opening = { memberId, clinicianId, reason: 'x', createdAt: now, endsAt };
    const { id: glass } = await prisma.breakGlass.create({ data: opening });
    const invited = { memberId, to: 'x', toKey: 'x', right: 'see', codeHash: 'x' };
    const { id: invitation } = await prisma.careInvitation.create({
      data: { ...invited, createdAt: now, expiresAt: endsAt },
    });
    const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
    const keys = [
      ['CareRelation', relation, 'mina ben'],
      ['CareInvitation', invitation, 'mina'],
      ['CareAssignment', `${memberId}-${clinicianId}`, 'mina clara admin'],
      ['BreakGlass', glass, 'mina clara admin'],
      ['CaredForMember', memberId, 'ben clara'],
    ] as const;
    const ids = keys.map(([type, key]) => globalId(type, key));
    for (const [name, role] of [
      ['mina', 'subscriber'],
      ['ben', 'subscriber'],
      ['clara', 'clinician'],
      ['admin', 'administrator'],
      ['eve', 'subscriber'],
    ] as const) {
      const expected = keys.map(([type, , seen], i) =>
        seen.split(' ').includes(name) ? { __typename: type, id: ids[i] } : null,
      );
      expect((await ask(name, query, { ids }, role)).data.nodes, name).toStrictEqual(expected);
    }
    const odd = [`${memberId}-${clinicianId}-1`, `${memberId}`, `0${memberId}-${clinicianId}`];
    const found = await ask('mina', query, {
      ids: odd.map((key) => globalId('CareAssignment', key)),
    });
    expect(found.data.nodes).toStrictEqual([null, null, null]);
  });

  it('names rows by either id, and says which id is that of another type', async () => {
    const [memberId, carerId] = [await idOf('mina'), await idOf('ben')];
    const id = await makeCarer(service(), { memberId, carerId });
    const query =
      'mutation($id: ID!) { changeCareRight(input: { id: $id, right: EDIT }) { careRelation { ' +
      'id databaseId right } } }';
    for (const either of [id, String(id), globalId('CareRelation', id)])
      expect((await ask('mina', query, { id: either })).data.changeCareRight).toStrictEqual({
        careRelation: { id: globalId('CareRelation', id), databaseId: id, right: 'EDIT' },
      });
    for (const other of [globalId('CareInvitation', id), 'x', '']) {
      const body = await ask('mina', query, { id: other });
      expect([errorCode(body), body.data]).toStrictEqual(['ID_INVALID', { changeCareRight: null }]);
      expect(body.errors[0].extensions.problems[0].path).toStrictEqual(['input', 'id']);
    }
  });

  it('lets the carer end the relation that is shown with the member', async () => {
    const [memberId, carerId] = [await idOf('mina'), await idOf('ben')];
    await makeCarer(service(), { memberId, carerId });
    const shown = await ask('ben', '{ caredForMembers { nodes { careRelation { id } } } }');
    const { id } = shown.data.caredForMembers.nodes[0].careRelation;
    const end = 'mutation($id: ID!) { endCare(input: { id: $id }) { deletedCareRelationId } }';
    expect((await ask('ben', end, { id })).data.endCare.deletedCareRelationId).toBe(id);
    const rest = await ask('ben', '{ caredForMembers { totalCount } }');
    expect(rest.data.caredForMembers.totalCount).toBe(0);
  });
});
