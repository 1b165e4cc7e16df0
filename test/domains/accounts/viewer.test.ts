import { randomUUID } from 'node:crypto';
import { globalId } from '../../../src/core/node.js';
import { makeCarer } from '../../support/factories.js';
import { type By, errorCode, type Harness, useService } from '../../support/harness.js';
import { PAGE_INFO, readBothWays } from '../../support/pages.js';

const START = Date.parse('2026-03-01T08:00:00Z');
const PASSWORD = 'correct horse battery';

/** Reads a node as a caller. Returns null for one that the caller may not read. */
const nodeOf = async (service: Harness, id: string, by?: By) =>
  (await service.data('query($id: ID!) { node(id: $id) { __typename id } }', { id }, by)).node;

describe('The viewer', () => {
  const service = useService();

  it('is null for the anonymous', async () => {
    expect(await service().data('{ viewer { id } }', {}, 'anonymous')).toStrictEqual({
      viewer: null,
    });
  });

  it('sees what others do not see of its account', async () => {
    const { id } = await service().account('editor');
    const { viewer } = await service().data(
      '{ viewer { databaseId username name email timeZone roles isGuest emailProvenAt createdAt ' +
        'language { code } account { databaseId name slug url description email } } }',
      {},
      'editor',
    );
    expect(viewer).toStrictEqual({
      databaseId: id,
      username: 'editor',
      name: 'The editor',
      email: 'editor@example.com',
      timeZone: null,
      roles: ['EDITOR'],
      isGuest: false,
      emailProvenAt: expect.any(String),
      createdAt: expect.any(String),
      language: { code: 'en' },
      account: {
        databaseId: id,
        name: 'The editor',
        slug: 'editor',
        url: null,
        description: '',
        email: 'editor@example.com',
      },
    });
  });

  it('and its account are nodes with ids of their own, read again by these', async () => {
    const { viewer } = await service().data('{ viewer { id account { id } } }');
    expect(await nodeOf(service(), viewer.id)).toStrictEqual({
      __typename: 'Viewer',
      id: viewer.id,
    });
    expect(await nodeOf(service(), viewer.account.id)).toStrictEqual({
      __typename: 'Account',
      id: viewer.account.id,
    });
    for (const by of ['anonymous', 'editor', 'administrator'] as const)
      expect(await nodeOf(service(), viewer.id, by), by).toBeNull();
  });

  it('is shown by the answer that signs it in, with its sessions', async () => {
    await service().data(
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { id } } }',
      { input: { username: 'mina', email: 'mina@example.com', password: PASSWORD, language: 2 } },
      'administrator',
    );
    const { login } = await service().data(
      'mutation($input: LoginInput!) { login(input: $input) { viewer { username email ' +
        'language { code } account { email } sessions { totalCount nodes { isCurrent } } ' +
        'identities { id } applicationPasswords { totalCount } usedApplicationPassword { id } } } }',
      { input: { username: 'mina', password: PASSWORD } },
      'anonymous',
    );
    expect(login.viewer).toStrictEqual({
      username: 'mina',
      email: 'mina@example.com',
      language: { code: 'de' },
      account: { email: 'mina@example.com' },
      sessions: { totalCount: 1, nodes: [{ isCurrent: false }] },
      identities: [],
      applicationPasswords: { totalCount: 0 },
      usedApplicationPassword: null,
    });
  });

  it('of a refresh is the account of the session, whoever else signed the request in', async () => {
    const guest = await service().data(
      'mutation { createGuestSession(input: { language: 1 }) { refreshToken viewer { databaseId } } }',
      {},
      'anonymous',
    );
    const { refreshToken, viewer } = guest.createGuestSession;
    const answer = await service().data(
      'mutation($input: RefreshTokenInput!) { refreshToken(input: $input) { viewer { databaseId ' +
        'isGuest sessions { totalCount } } } }',
      { input: { refreshToken } },
      'editor',
    );
    expect(answer.refreshToken.viewer).toStrictEqual({
      databaseId: viewer.databaseId,
      isGuest: true,
      sessions: { totalCount: 1 },
    });
  });

  const LISTS = {
    sessions: async (accountId: number) => {
      const { prisma } = service().database;
      // Two of one moment, so that the id decides between them.
      for (const minutes of [0, 1, 1, 2, 3]) {
        const at = new Date(START + minutes * 60_000);
        const row = { id: randomUUID(), accountId, createdAt: at, usedAt: at };
        await prisma.session.create({ data: row });
      }
    },
    applicationPasswords: async (accountId: number) => {
      const { prisma } = service().database;
      for (const minutes of [0, 1, 1, 2]) {
        const id = randomUUID();
        const createdAt = new Date(START + minutes * 60_000);
        await prisma.applicationPassword.create({
          data: { id, accountId, name: 'x', hash: id, createdAt },
        });
      }
    },
  };

  for (const [list, fill] of Object.entries(LISTS)) {
    it(`reads its ${list} in pages, from either end, and nobody else's`, async () => {
      service().at(START + 5 * 60_000);
      const { id } = await service().account('subscriber');
      await fill(id);
      await fill((await service().account('editor')).id);
      const headers = list === 'sessions' ? await service().authorization('subscriber') : {};
      const by = list === 'sessions' ? { headers } : ('subscriber' as const);
      const page = async (args: string) =>
        (
          await service().data(
            `{ viewer { ${list}(${args}) { totalCount nodes { id createdAt } ${PAGE_INFO} } } }`,
            {},
            by,
          )
        ).viewer[list];
      const whole = await page('first: 100');
      const times = whole.nodes.map(({ createdAt }: { createdAt: string }) => createdAt);
      expect(times).toStrictEqual([...times].sort().reverse());
      expect([whole.nodes.length, whole.totalCount]).toStrictEqual([5, 5]);
      const { forwards, backwards } = await readBothWays(page);
      expect(forwards).toStrictEqual(whole.nodes);
      expect(backwards).toStrictEqual(whole.nodes);
      for (const node of whole.nodes) {
        expect((await nodeOf(service(), node.id, by))?.id).toBe(node.id);
        expect(await nodeOf(service(), node.id, 'administrator'), 'of nobody else').toBeNull();
      }
    });
  }

  it('reads no node by a key that is no UUID', async () => {
    for (const type of ['Session', 'ApplicationPassword'])
      expect(await nodeOf(service(), globalId(type, 'x'))).toBeNull();
  });

  it('gives a language by its global id as by its number', async () => {
    const update = async (language: unknown) =>
      service().ask(
        'mutation($input: UpdateProfileInput!) { updateProfile(input: $input) { viewer { ' +
          'language { code } } } }',
        { input: { language } },
      );
    for (const language of [2, '2', globalId('Language', 2)])
      expect((await update(language)).data.updateProfile.viewer.language.code).toBe('de');
    for (const language of [globalId('Account', 2), 'x', -1]) {
      const { errors } = await update(language);
      expect(errors[0].extensions, String(language)).toMatchObject({
        code: 'ID_INVALID',
        problems: [{ path: ['input', 'language'], code: 'ID_INVALID' }],
      });
    }
  });
});

describe('An account', () => {
  const service = useService();
  const known = async (id: number | string, by: By) =>
    (await service().data('query($id: ID!) { account(id: $id) { databaseId email } }', { id }, by))
      .account;

  it('is known to itself, to administrators with an audit, and else to nobody', async () => {
    const { id } = await service().account('subscriber');
    const whole = { databaseId: id, email: 'subscriber@example.com' };
    expect(await known(id, 'subscriber')).toStrictEqual(whole);
    expect(await known(globalId('Account', id), 'subscriber')).toStrictEqual(whole);
    for (const by of ['anonymous', 'guest', 'editor', 'clinician', 'analyst'] as const) {
      expect(await known(id, by), by).toBeNull();
      expect(await nodeOf(service(), globalId('Account', id), by), by).toBeNull();
    }
    const { prisma } = service().database;
    const audited = () => prisma.auditEvent.count({ where: { action: 'account.list' } });
    expect(await audited()).toBe(0);
    expect(await known(id, 'administrator')).toStrictEqual(whole);
    expect(await audited()).toBe(1);
    expect(await known(4711, 'administrator')).toBeNull();
  });

  it('of an author of published content is known to all, without what is its own', async () => {
    const { id } = await service().account('editor');
    await service().post({ status: 'draft' });
    expect(await known(id, 'anonymous'), 'by a draft').toBeNull();
    await service().post();
    for (const by of ['anonymous', 'subscriber'] as const)
      expect(await known(id, by)).toStrictEqual({ databaseId: id, email: null });
  });

  it('is known between a member and those who care for them', async () => {
    const { id: memberId } = await service().account('subscriber');
    const { id: carerId } = await service().account('author');
    const { id: clinicianId } = await service().account('clinician');
    await makeCarer(service(), { memberId, carerId });
    await service().database.prisma.careAssignment.create({
      data: { memberId, clinicianId, createdAt: new Date() },
    });
    for (const [id, by] of [
      [carerId, 'subscriber'],
      [clinicianId, 'subscriber'],
      [memberId, 'author'],
      [memberId, 'clinician'],
    ] as const)
      expect(await known(id, by), by).toStrictEqual({ databaseId: id, email: null });
    expect(await known(clinicianId, 'author'), 'not to each other').toBeNull();
  });

  it('is read by the same statements, for one as for many', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd'])
      ids.push(globalId('Account', (await service().account('subscriber', name)).id));
    const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    for (const by of ['editor', 'administrator'] as const) {
      await service().ask(query, { ids }, by);
      const one = await service().statements(() =>
        service().ask(query, { ids: ids.slice(0, 1) }, by),
      );
      expect(await service().statements(() => service().ask(query, { ids }, by)), by).toBe(one);
    }
  });

  it('is listed for administrators from either end', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await service().account('subscriber', name);
    await service().account('administrator');
    const page = async (args: string) =>
      (
        await service().data(
          `{ accounts(${args}) { nodes { id email } ${PAGE_INFO} } }`,
          {},
          'administrator',
        )
      ).accounts;
    const { nodes } = await page('first: 100');
    expect(nodes).toHaveLength(5);
    expect(await readBothWays(page)).toStrictEqual({ forwards: nodes, backwards: nodes });
  });

  it('gets roles by either form of its id', async () => {
    const { id: userId } = await service().account('subscriber');
    const headers = await service().session('administrator');
    const set =
      'mutation($input: SetRolesInput!) { setRoles(input: $input) { account { roles } } }';
    for (const id of [userId, globalId('Account', userId)]) {
      const { data } = await service().ask(
        set,
        { input: { userId: id, roles: ['AUTHOR'] } },
        { headers },
      );
      expect(data.setRoles.account).toStrictEqual({ roles: ['AUTHOR'] });
    }
    const wrong = { userId: globalId('Post', userId), roles: ['AUTHOR'] };
    expect(errorCode(await service().ask(set, { input: wrong }, { headers }))).toBe('ID_INVALID');
  });
});
