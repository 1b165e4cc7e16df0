import { readGlobalId } from '../../../src/core/node.js';
import { transact } from '../../../src/core/transact.js';
import { eraseAuditKey } from '../../../src/domains/audit/account-key.service.js';
import { errorCode, useService } from '../../support/harness.js';

const SET =
  'mutation($input: SetRolesInput!) { setRoles(input: $input) { account { databaseId roles } } }';
const LIST =
  'query($filter: AccountFilter, $first: Int, $after: String) { accounts(filter: $filter, ' +
  'first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { ' +
  'databaseId email roles } edges { cursor node { databaseId } } } }';
const AUDIT =
  'query($filter: AuditFilter, $first: Int, $after: String) { auditEvents(filter: ' +
  '$filter, first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } ' +
  'nodes { id at action detail actor { databaseId name } subject { databaseId name } } } }';
const MINE =
  'query($own: Boolean) { viewer { auditEvents(own: $own) { totalCount nodes { action actor { ' +
  'name } } } } }';

describe('Roles', () => {
  const service = useService();
  const setRoles = async (
    userId: number,
    roles: string[],
    as: 'administrator' | 'editor' = 'administrator',
  ) => service().ask(SET, { input: { userId, roles } }, { headers: await service().session(as) });

  it('are changed by administrators, in force at once, and audited with what they were', async () => {
    const { id } = await service().account('subscriber');
    expect(errorCode(await setRoles(id, ['EDITOR'], 'editor'))).toBe('FORBIDDEN');
    const { data } = await setRoles(id, ['EDITOR', 'EDITOR', 'SUBSCRIBER']);
    expect(data.setRoles.account).toStrictEqual({
      databaseId: id,
      roles: ['EDITOR', 'SUBSCRIBER'],
    });
    const draft = await service().rest('POST', '/v1/posts', {
      as: 'subscriber',
      body: { title: 'x' },
    });
    expect(draft.status).toBe(201);
    const { body } = await service().graphql(
      AUDIT,
      { filter: { action: 'roles.change' } },
      { as: 'administrator' },
    );
    const [event] = body.data.auditEvents.nodes;
    expect([event.subject.databaseId, event.detail]).toStrictEqual([
      id,
      { before: 'subscriber', after: 'editor subscriber' },
    ]);
  });

  it('of the own account are what the rest of the request goes by', async () => {
    await service().account('administrator', 'other');
    const { id: userId } = await service().account('administrator');
    const change = async (roles: string[]) =>
      service().ask(
        `mutation($input: SetRolesInput!) {
          setRoles(input: $input) { query { viewer { roles can { updateSite createPost } } accounts { totalCount } } }
          createUser(input: { username: "x", email: "x@example.com" }) { account { id } }
        }`,
        { input: { userId, roles } },
        { headers: await service().session('administrator') },
      );
    const { data, errors } = await change(['EDITOR']);
    expect(data.setRoles.query).toStrictEqual({
      viewer: { roles: ['EDITOR'], can: { updateSite: false, createPost: true } },
      accounts: null,
    });
    expect(errors.map(({ path }: { path: string[] }) => path.join('.')).sort()).toStrictEqual([
      'createUser',
      'setRoles.query.accounts',
    ]);
    expect(await service().database.prisma.account.count({ where: { username: 'x' } })).toBe(0);
  });

  it('need an account', async () => {
    expect(errorCode(await setRoles(4711, ['EDITOR']))).toBe('USER_NOT_FOUND');
  });

  it('open no way into the account of a member, by an application password made while they were others', async () => {
    const { id, username } = await service().account('subscriber');
    const headers = await service().session('administrator');
    const make = async () => {
      const query =
        'mutation($userId: ID!) { createApplicationPassword(input: { userId: $userId, name: ' +
        '"x" }) { password } }';
      return (await service().graphql(query, { userId: id }, { headers })).body;
    };
    expect(errorCode(await make())).toBe('FORBIDDEN');
    await setRoles(id, ['AUTHOR']);
    const { password } = (await make()).data.createApplicationPassword;
    await setRoles(id, ['SUBSCRIBER']);
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    expect(
      (await service().rest('GET', '/v1/medicine_reminder', { headers: { authorization } })).status,
    ).toBe(401);
    const body = {
      name: 'Metformin',
      medicine_type: 'pill',
      frequency_type: 'daily',
      start_date: '2026-11-22',
    };
    const own = await service().session('subscriber');
    expect(
      (await service().rest('POST', '/v1/medicine_reminder', { headers: own, body })).status,
    ).toBe(201);
    await setRoles(id, ['AUTHOR']);
    expect(errorCode(await make()), "what was a member's is still theirs").toBe('FORBIDDEN');
  });

  it('are never taken from the last administrator, also when two demote each other at once', async () => {
    const first = await service().account('administrator');
    expect(errorCode(await setRoles(first.id, ['EDITOR']))).toBe('LAST_ADMINISTRATOR');
    const second = await service().account('administrator', 'second');
    const demote = async (by: typeof first, of: typeof first) => {
      const headers = await service().session('administrator', by.username);
      return service().graphql(SET, { input: { userId: of.id, roles: ['EDITOR'] } }, { headers });
    };
    const both = await Promise.all([demote(first, second), demote(second, first)]);
    expect(
      both.some(({ body }) => body.errors),
      'one of them is refused',
    ).toBe(true);
    expect(
      await service().database.prisma.account.count({ where: { roles: { has: 'administrator' } } }),
    ).toBe(1);
  });
});

describe('The list of accounts', () => {
  const service = useService();
  const list = async (variables: object) =>
    (await service().graphql(LIST, variables, { as: 'administrator' })).body.data.accounts;

  it('is found by name, user name, e-mail and role, page by page, and its reading is audited', async () => {
    for (const name of ['Mina', 'Ben', '100%']) await service().account('subscriber', name);
    await service().account('editor', 'Minerva');
    const ids = (page: { nodes: { databaseId: number }[] }) => page.nodes.length;
    expect(ids(await list({ filter: { search: 'MIN' } })), 'with the administrator').toBe(3);
    expect(ids(await list({ filter: { search: 'min', role: 'SUBSCRIBER' } }))).toBe(1);
    expect(ids(await list({ filter: { search: 'the ben' } }))).toBe(1);
    expect(ids(await list({ filter: { search: '0%@' } }))).toBe(1);
    expect(ids(await list({ filter: { search: '%' } })), 'a percent sign is a percent sign').toBe(
      1,
    );
    const seen: number[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({ first: 2, after });
      expect(page.totalCount).toBe(5);
      seen.push(...page.nodes.map(({ databaseId }: { databaseId: number }) => databaseId));
      ({ hasNextPage: more, endCursor: after } = page.pageInfo);
    }
    expect(seen).toStrictEqual([...new Set(seen)].sort((a, b) => a - b));
    expect(seen).toHaveLength(5);
    const { body } = await service().graphql(
      AUDIT,
      { filter: { action: 'account.list' } },
      { as: 'administrator' },
    );
    expect(body.data.auditEvents.totalCount, 'once for each of the queries above').toBe(8);
  });

  it('takes the same statements for one account and for many', async () => {
    const now = Date.now();
    service().at(now); // who signs in is looked up once a second
    await list({});
    const one = await service().statements(() => list({ first: 1 }));
    for (const name of ['a', 'b', 'c', 'd']) await service().account('subscriber', name);
    expect(await service().statements(() => list({}))).toBe(one);
  });
});

describe('Reading the audit', () => {
  const service = useService();
  const happen = async (count: number) => {
    const { id } = await service().account('editor');
    const headers = await service().session('administrator');
    for (let i = 0; i < count; i++) {
      const roles = i % 2 ? ['EDITOR'] : ['EDITOR', 'AUTHOR'];
      await service().graphql(SET, { input: { userId: id, roles } }, { headers });
    }
    return id;
  };

  it('is for administrators, newest first, by filters, with stable pages', async () => {
    const start = Date.parse('2026-05-01T08:00:00Z');
    service().at(start);
    const subjectId = await happen(5);
    service().at(start + 60_000);
    await happen(2);
    const page = async (filter: object, more: object = {}) =>
      (await service().ask(AUDIT, { filter, ...more }, 'administrator')).data.auditEvents;
    expect((await page({ action: 'roles.change' })).totalCount).toBe(7);
    expect((await page({ action: 'roles.change', to: '2026-05-01T08:01:00Z' })).totalCount).toBe(5);
    expect((await page({ action: 'roles.change', from: '2026-05-01T08:01:00Z' })).totalCount).toBe(
      2,
    );
    expect((await page({ action: 'roles.change', subjectId: subjectId + 1000 })).totalCount).toBe(
      0,
    );
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const listed: Awaited<ReturnType<typeof page>> = await page(
        { action: 'roles.change', subjectId },
        { first: 3, after },
      );
      seen.push(...listed.nodes.map(({ id }: { id: string }) => id));
      ({ hasNextPage: more, endCursor: after } = listed.pageInfo);
    }
    expect(new Set(seen).size).toBe(7);
    const keys = seen.map((id) => Number(readGlobalId(id)?.key));
    expect(keys).toStrictEqual([...keys].sort((a, b) => b - a));
    expect(errorCode(await service().ask(AUDIT, { after: 'WzFd' }, 'administrator'))).toBe(
      'CURSOR_INVALID',
    );
    expect(errorCode(await service().ask(AUDIT, {}, 'editor'))).toBe('FORBIDDEN');
  });

  it('is an event itself, once for each query', async () => {
    const subjectId = await happen(1);
    await service().ask(AUDIT, { filter: { subjectId } }, 'administrator');
    const { nodes } = (
      await service().ask(AUDIT, { filter: { action: 'audit.read' } }, 'administrator')
    ).data.auditEvents;
    expect(
      nodes.map((node: { subject: { databaseId: number } | null }) => node.subject?.databaseId),
    ).toStrictEqual([undefined, subjectId]);
  });

  it('shows members who looked at their data, and what they did themselves when they ask for it', async () => {
    const { id } = await service().account('subscriber');
    const headers = await service().session('administrator');
    await service().graphql(
      SET,
      { input: { userId: id, roles: ['SUBSCRIBER', 'AUTHOR'] } },
      { headers },
    );
    await service().ask(AUDIT, { filter: { subjectId: id } }, 'administrator');
    await service().graphql(
      'mutation($input: InviteCarerInput!) { inviteCarer(input: $input) { careInvitation { id } } }',
      { input: { to: 'ben@example.com', right: 'SEE' } },
      { headers: await service().session('subscriber') },
    );
    const seen = async (own: boolean) =>
      (await service().ask(MINE, { own }, 'subscriber')).data.viewer.auditEvents.nodes.map(
        ({ action }: { action: string }) => action,
      );
    expect(await seen(false)).toStrictEqual(['audit.read', 'roles.change']);
    expect(await seen(true)).toStrictEqual(['care.invite', 'audit.read', 'roles.change']);
    expect(
      (await service().ask(MINE, {}, 'editor')).data.viewer.auditEvents.totalCount,
      "nobody else's",
    ).toBe(0);
  });

  it('shows no detail any more when the key of the account is erased', async () => {
    const subjectId = await happen(1);
    await transact(await service().context('administrator'), (inner) =>
      eraseAuditKey(inner, subjectId),
    );
    const { nodes } = (
      await service().ask(AUDIT, { filter: { action: 'roles.change' } }, 'administrator')
    ).data.auditEvents;
    expect([nodes[0].subject.databaseId, nodes[0].detail]).toStrictEqual([subjectId, null]);
  });

  it('takes the same statements for one event and for many', async () => {
    await happen(1);
    const filter = { action: 'roles.change' };
    await service().ask(AUDIT, { filter }, 'administrator');
    const one = await service().statements(() => service().ask(AUDIT, { filter }, 'administrator'));
    await happen(6);
    expect(
      await service().statements(() => service().ask(AUDIT, { filter }, 'administrator')),
    ).toBe(one);
  });
});
