import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { transact } from '../../../src/core/transact.js';
import { eraseAuditKey } from '../../../src/domains/audit/account-key.service.js';
import { useService } from '../../support/harness.js';

const SET = 'mutation($input: SetRolesInput!) { setRoles(input: $input) { id roles } }';
const LIST =
  'query($filter: AccountFilter, $first: PageSize, $after: Cursor) { accounts(filter: $filter, ' +
  'first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { id ' +
  'email roles } edges { cursor node { id } } } }';
const AUDIT =
  'query($filter: AuditFilter, $first: PageSize, $after: Cursor) { auditEvents(filter: ' +
  '$filter, first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } ' +
  'nodes { id at action actorId subjectId detail actor { name } subject { name } } } }';
const MINE =
  'query($own: Boolean) { myAudit(own: $own) { totalCount nodes { action actor { name } } } }';

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
const code = (body: any): string | undefined => body.errors?.[0]?.extensions.code;

describe('Roles', () => {
  const service = useService();
  const setRoles = async (
    userId: number,
    roles: string[],
    as: 'administrator' | 'editor' = 'administrator',
  ) =>
    (
      await service().graphql(
        SET,
        { input: { userId, roles } },
        { headers: await service().session(as) },
      )
    ).body;

  it('are changed by administrators, in force at once, and audited with what they were', async () => {
    const { id } = await service().account('subscriber');
    assert.equal(code(await setRoles(id, ['EDITOR'], 'editor')), 'FORBIDDEN');
    const { data } = await setRoles(id, ['EDITOR', 'EDITOR', 'SUBSCRIBER']);
    assert.deepEqual(data.setRoles, { id, roles: ['EDITOR', 'SUBSCRIBER'] });
    const draft = await service().rest('POST', '/v1/posts', {
      as: 'subscriber',
      body: { title: 'x' },
    });
    assert.equal(draft.status, 201);
    const { body } = await service().graphql(
      AUDIT,
      { filter: { action: 'roles.change' } },
      { as: 'administrator' },
    );
    const [event] = body.data.auditEvents.nodes;
    assert.deepEqual(
      [event.subjectId, event.detail],
      [id, { before: 'subscriber', after: 'editor subscriber' }],
    );
  });

  it('need an account, and leave it one', async () => {
    assert.equal(code(await setRoles(4711, ['EDITOR'])), 'USER_NOT_FOUND');
    assert.equal(code(await setRoles((await service().account('author')).id, [])), 'ROLES_INVALID');
  });

  it('open no way into the account of a member, by an application password made while they were others', async () => {
    const { id, username } = await service().account('subscriber');
    const headers = await service().session('administrator');
    const make = async () => {
      const query =
        'mutation($userId: Int!) { createApplicationPassword(input: { userId: $userId, name: ' +
        '"x" }) { password } }';
      return (await service().graphql(query, { userId: id }, { headers })).body;
    };
    assert.equal(code(await make()), 'FORBIDDEN');
    await setRoles(id, ['AUTHOR']);
    const { password } = (await make()).data.createApplicationPassword;
    await setRoles(id, ['SUBSCRIBER']);
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    assert.equal(
      (await service().rest('GET', '/v1/medicine_reminder', { headers: { authorization } })).status,
      401,
    );
    const body = {
      name: 'Metformin',
      medicine_type: 'pill',
      frequency_type: 'daily',
      start_date: '2026-11-22',
    };
    const own = await service().session('subscriber');
    assert.equal(
      (await service().rest('POST', '/v1/medicine_reminder', { headers: own, body })).status,
      201,
    );
    await setRoles(id, ['AUTHOR']);
    assert.equal(code(await make()), 'FORBIDDEN', "what was a member's is still theirs");
  });

  it('are never taken from the last administrator, also when two demote each other at once', async () => {
    const first = await service().account('administrator');
    assert.equal(code(await setRoles(first.id, ['EDITOR'])), 'LAST_ADMINISTRATOR');
    const second = await service().account('administrator', 'second');
    const demote = async (by: typeof first, of: typeof first) => {
      const headers = await service().session('administrator', by.username);
      return service().graphql(SET, { input: { userId: of.id, roles: ['EDITOR'] } }, { headers });
    };
    const both = await Promise.all([demote(first, second), demote(second, first)]);
    assert.ok(
      both.some(({ body }) => body.errors),
      'one of them is refused',
    );
    assert.equal(
      await service().database.prisma.account.count({ where: { roles: { has: 'administrator' } } }),
      1,
    );
  });
});

describe('The list of accounts', () => {
  const service = useService();
  const list = async (variables: object) =>
    (await service().graphql(LIST, variables, { as: 'administrator' })).body.data.accounts;

  it('is found by name, user name, e-mail and role, page by page, and its reading is audited', async () => {
    for (const name of ['Mina', 'Ben', '100%']) await service().account('subscriber', name);
    await service().account('editor', 'Minerva');
    const ids = (page: { nodes: { id: number }[] }) => page.nodes.length;
    assert.equal(ids(await list({ filter: { search: 'MIN' } })), 3, 'with the administrator');
    assert.equal(ids(await list({ filter: { search: 'min', role: 'SUBSCRIBER' } })), 1);
    assert.equal(ids(await list({ filter: { search: 'the ben' } })), 1);
    assert.equal(ids(await list({ filter: { search: '0%@' } })), 1);
    assert.equal(
      ids(await list({ filter: { search: '%' } })),
      1,
      'a percent sign is a percent sign',
    );
    const seen: number[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({ first: 2, after });
      assert.equal(page.totalCount, 5);
      seen.push(...page.nodes.map(({ id }: { id: number }) => id));
      ({ hasNextPage: more, endCursor: after } = page.pageInfo);
    }
    assert.deepEqual(
      seen,
      [...new Set(seen)].sort((a, b) => a - b),
    );
    assert.equal(seen.length, 5);
    const { body } = await service().graphql(
      AUDIT,
      { filter: { action: 'account.list' } },
      { as: 'administrator' },
    );
    assert.equal(body.data.auditEvents.totalCount, 8, 'once for each of the queries above');
  });

  it('takes the same statements for one account and for many', async () => {
    const now = Date.now();
    service().now = () => now; // who signs in is looked up once a second
    await list({});
    const one = await service().statements(() => list({ first: 1 }));
    for (const name of ['a', 'b', 'c', 'd']) await service().account('subscriber', name);
    assert.equal(await service().statements(() => list({})), one);
  });
});

describe('Reading the audit', () => {
  const service = useService();
  const ask = async (
    query: string,
    variables: object = {},
    as: 'administrator' | 'subscriber' | 'editor' = 'administrator',
  ) => (await service().graphql(query, variables, { as })).body;
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
    service().now = () => start;
    const subjectId = await happen(5);
    service().now = () => start + 60_000;
    await happen(2);
    const page = async (filter: object, more: object = {}) =>
      (await ask(AUDIT, { filter, ...more })).data.auditEvents;
    assert.equal((await page({ action: 'roles.change' })).totalCount, 7);
    assert.equal(
      (await page({ action: 'roles.change', to: '2026-05-01T08:01:00Z' })).totalCount,
      5,
    );
    assert.equal(
      (await page({ action: 'roles.change', from: '2026-05-01T08:01:00Z' })).totalCount,
      2,
    );
    assert.equal(
      (await page({ action: 'roles.change', subjectId: subjectId + 1000 })).totalCount,
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
    assert.equal(new Set(seen).size, 7);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => Number(b) - Number(a)),
    );
    assert.equal(code(await ask(AUDIT, { after: 'WzFd' })), 'CURSOR_INVALID');
    assert.equal(code(await ask(AUDIT, {}, 'editor')), 'FORBIDDEN');
  });

  it('is an event itself, once for each query', async () => {
    const subjectId = await happen(1);
    await ask(AUDIT, { filter: { subjectId } });
    const { nodes } = (await ask(AUDIT, { filter: { action: 'audit.read' } })).data.auditEvents;
    assert.deepEqual(
      nodes.map((node: { subjectId: number | null }) => node.subjectId),
      [null, subjectId],
    );
  });

  it('shows members who looked at their data, and what they did themselves when they ask for it', async () => {
    const { id } = await service().account('subscriber');
    const headers = await service().session('administrator');
    await service().graphql(
      SET,
      { input: { userId: id, roles: ['SUBSCRIBER', 'AUTHOR'] } },
      { headers },
    );
    await ask(AUDIT, { filter: { subjectId: id } });
    await service().graphql(
      'mutation($input: InviteCarerInput!) { inviteCarer(input: $input) { id } }',
      { input: { to: 'ben@example.com', right: 'SEE' } },
      { headers: await service().session('subscriber') },
    );
    const seen = async (own: boolean) =>
      (await ask(MINE, { own }, 'subscriber')).data.myAudit.nodes.map(
        ({ action }: { action: string }) => action,
      );
    assert.deepEqual(await seen(false), ['audit.read', 'roles.change']);
    assert.deepEqual(await seen(true), ['care.invite', 'audit.read', 'roles.change']);
    assert.equal((await ask(MINE, {}, 'editor')).data.myAudit.totalCount, 0, "nobody else's");
  });

  it('shows no detail any more when the key of the account is erased', async () => {
    const subjectId = await happen(1);
    await transact(await service().context('administrator'), (inner) =>
      eraseAuditKey(inner, subjectId),
    );
    const { nodes } = (await ask(AUDIT, { filter: { action: 'roles.change' } })).data.auditEvents;
    assert.deepEqual([nodes[0].subjectId, nodes[0].detail], [subjectId, null]);
  });

  it('takes the same statements for one event and for many', async () => {
    await happen(1);
    const filter = { action: 'roles.change' };
    await ask(AUDIT, { filter });
    const one = await service().statements(() => ask(AUDIT, { filter }));
    await happen(6);
    assert.equal(await service().statements(() => ask(AUDIT, { filter })), one);
  });
});
