import { globalId } from '../../../src/core/node.js';
import { issueResetCodes } from '../../../src/domains/passwords/reset-code.service.js';
import { makeMedicine, makeMember, postMedicine } from '../../support/factories.js';
import { errorCode, mutation, type RoleName, useService } from '../../support/harness.js';

const PASSWORD = 'correct horse';

describe('An administrator', () => {
  const service = useService();
  const act = async (name: string, input: object, fields: string, as: RoleName = 'administrator') =>
    service().ask(mutation(name, fields), { input }, { headers: await service().session(as) });
  const update = (input: object) =>
    act('updateUser', input, 'account { name email username timeZone language { code } }');
  const mailed = async (template: string) =>
    (await service().database.prisma.outgoingMail.findMany({ where: { template } })).map(
      ({ to }) => to,
    );
  const actions = async (subjectId: number) =>
    (
      await service().database.prisma.auditEvent.findMany({
        where: { subjectId },
        orderBy: { id: 'asc' },
      })
    ).map(({ action }) => action);

  describe('changes an account', () => {
    it('of which both addresses are told, and the old one signs in no more', async () => {
      const { user } = await makeMember(service(), { password: PASSWORD });
      const { data } = await update({
        userId: user.id,
        name: ' Mina M. ',
        email: 'New@example.com',
        language: 2,
        timeZone: 'Europe/Berlin',
      });
      expect(data.updateUser.account).toStrictEqual({
        name: 'Mina M.',
        email: 'New@example.com',
        username: 'New@example.com',
        timeZone: 'Europe/Berlin',
        language: { code: 'de' },
      });
      expect((await mailed('address_changed')).sort()).toStrictEqual([
        'New@example.com',
        'mina@example.com',
      ]);
      const login = async (username: string) =>
        (await service().rest('POST', '/v1/login', { body: { username, password: PASSWORD } }))
          .status;
      expect([await login('mina@example.com'), await login('new@example.com')]).toStrictEqual([
        401, 200,
      ]);
      expect(await actions(user.id)).toContain('account.update');
    });

    it('and keeps what is absent', async () => {
      const { user } = await makeMember(service(), { password: PASSWORD });
      const { data } = await update({ userId: user.id, name: null, email: null });
      expect(data.updateUser.account).toMatchObject({ name: 'mina', email: 'mina@example.com' });
      expect(await mailed('address_changed')).toStrictEqual([]);
    });

    it('whose reminders move with its zone', async () => {
      service().at('2026-03-10T09:00:00Z');
      const { id: userId } = await service().account('subscriber');
      await postMedicine(service(), { frequency_type: 'twice_a_day', start_date: '2026-03-08' });
      await update({ userId, timeZone: 'America/New_York' });
      const alerts = await service().database.prisma.reminderAlert.findMany({
        orderBy: { dueAt: 'asc' },
      });
      // That of 08:00 has come by the clock of before.
      expect(alerts[0]?.dueAt.toISOString()).toBe('2026-03-11T00:00:00.000Z');
    });

    it('which must be one, with an address and a name that nobody has', async () => {
      const { user } = await makeMember(service(), { password: PASSWORD });
      await service().account('author');
      expect(errorCode(await update({ userId: 4711, name: 'x' }))).toBe('USER_NOT_FOUND');
      expect(errorCode(await update({ userId: 4711, timeZone: 'Asia/Tokyo' }))).toBe(
        'USER_NOT_FOUND',
      );
      expect(errorCode(await update({ userId: globalId('Post', user.id) }))).toBe('ID_INVALID');
      const taken = { userId: user.id, email: 'AUTHOR@example.com' };
      expect(errorCode(await update(taken))).toBe('EMAIL_EXISTS');
      expect(errorCode(await update({ userId: user.id, language: 4711 }))).toBe('LANGUAGE_UNKNOWN');
    });
  });

  it('ends the sessions of an account, not its application passwords', async () => {
    const now = Date.now();
    service().at(now);
    const { id: userId } = await service().account('author');
    const headers = await service().session('author');
    const viewer = async (sent: Record<string, string>) =>
      (await service().ask('{ viewer { id } }', {}, { headers: sent })).data?.viewer ?? null;
    const { data } = await act('endSessionsOf', { userId }, 'endedSessions');
    expect(data.endSessionsOf.endedSessions).toBe(1);
    service().at(now + 1000);
    expect(await viewer(headers)).toBeNull();
    expect(await viewer(await service().authorization('author'))).not.toBeNull();
    const unknown = await act('endSessionsOf', { userId: 4711 }, 'endedSessions');
    expect(errorCode(unknown)).toBe('USER_NOT_FOUND');
    expect(await actions(userId)).toContain('session.end');
  });

  it('stays, whatever two do to each other at once', async () => {
    const WAYS = [
      ['suspendUser', {}],
      ['setRoles', { roles: ['EDITOR'] }],
      ['deleteUser', { content: 'HAND_OVER' }],
    ] as const;
    const { prisma } = service().database;
    const left = { roles: { has: 'administrator' }, suspendedAt: null };
    for (const [i, [first, input]] of WAYS.entries())
      for (const [j, [second, other]] of WAYS.entries()) {
        await prisma.account.updateMany({ data: { suspendedAt: new Date() } });
        const [a, b] = [`a${i}${j}`, `b${i}${j}`];
        const ids: number[] = [];
        const headers: Record<string, string>[] = [];
        for (const name of [a, b]) {
          ids.push((await service().account('administrator', name)).id);
          headers.push(await service().session('administrator', name));
        }
        const by = (k: number, name: string, more: object) =>
          service().ask(
            mutation(name, 'account { id }'),
            { input: { userId: ids[1 - k], ...more } },
            { headers: headers[k] as Record<string, string> },
          );
        const both = await Promise.all([by(0, first, input), by(1, second, other)]);
        expect(both.map(errorCode).filter(Boolean), `${first} ${second}`).toHaveLength(1);
        expect(both.map(errorCode)).not.toContain('INTERNAL_ERROR');
        expect(await prisma.account.count({ where: left }), `${first} ${second}`).toBe(1);
      }
  });

  it('gives an address once, when two give it at once', async () => {
    await service().account('administrator');
    const [one, two] = [await service().account('author'), await service().account('editor')];
    const both = await Promise.all(
      [one, two].map(({ id: userId }) => update({ userId, email: 'New@Example.com' })),
    );
    expect(both.map(errorCode).filter(Boolean)).toStrictEqual(['EMAIL_EXISTS']);
  });

  it('gives no account a name that another one signs in by', async () => {
    const create = (username: string, email: string) =>
      act('createUser', { username, email, password: PASSWORD }, 'account { databaseId }');
    const first = await create('mina@example.com', 'mina.m@example.com');
    const minaId = first.data.createUser.account.databaseId;
    expect(errorCode(await create('ben', 'Mina@Example.com'))).toBe('EMAIL_EXISTS');
    expect(errorCode(await create('MINA.M@example.com', 'ben@example.com'))).toBe(
      'USERNAME_EXISTS',
    );
    const { data } = await create('ben@example.com', 'ben@example.com');
    const userId = data.createUser.account.databaseId;
    expect(errorCode(await update({ userId, email: 'mina@example.com' }))).toBe('EMAIL_EXISTS');
    const own = await update({ userId: minaId, email: 'mina@example.com' });
    expect(own.data.updateUser.account.email).toBe('mina@example.com');
    const username = 'MINA@example.com';
    const signedIn = await service().rest('POST', '/v1/login', {
      body: { username, password: PASSWORD },
    });
    expect(signedIn.body.user.id).toBe(minaId);
  });

  it('has a code for a new password mailed', async () => {
    const { user } = await makeMember(service(), { password: PASSWORD });
    const send = (userId: number) => act('sendPasswordReset', { userId }, 'account { databaseId }');
    expect((await send(user.id)).data.sendPasswordReset.account.databaseId).toBe(user.id);
    await issueResetCodes(service().app.deps);
    expect(await mailed('password_reset')).toStrictEqual(['mina@example.com']);
    expect(errorCode(await send(4711))).toBe('USER_NOT_FOUND');
    const guest = await service().rest('POST', '/v1/guest', {
      edition: 'B',
      body: { language: 1 },
    });
    expect(errorCode(await send(guest.body.user.id))).toBe('EMAIL_REQUIRED');
    await act('suspendUser', { userId: user.id }, 'account { id }');
    expect(errorCode(await send(user.id))).toBe('ACCOUNT_SUSPENDED');
  });

  it('is mailed no code where nobody signs in by its address, as after an import, and viewerCan says so', async () => {
    const { user } = await makeMember(service(), { password: PASSWORD });
    const rights = 'account { viewerCan { sendPasswordReset } }';
    const right = async () =>
      (await act('updateUser', { userId: user.id }, rights)).data.updateUser.account.viewerCan
        .sendPasswordReset;
    expect(await right()).toBe(true);
    await service().database.prisma.account.update({
      where: { id: user.id },
      data: { emailKey: null },
    });
    expect(await right()).toBe(false);
    expect(errorCode(await act('sendPasswordReset', { userId: user.id }, 'account { id }'))).toBe(
      'EMAIL_REQUIRED',
    );
  });

  it('leaves an account without a role, which signs in and has no right of one', async () => {
    const { id: userId } = await service().account('editor');
    const { data } = await act('setRoles', { userId, roles: [] }, 'account { roles }');
    expect(data.setRoles.account.roles).toStrictEqual([]);
    const draft = await service().rest('POST', '/v1/posts', { as: 'editor', body: { title: 'x' } });
    expect(draft.status).toBe(403);
    const viewer = await service().data('{ viewer { roles isGuest } }', {}, 'editor');
    expect(viewer.viewer).toStrictEqual({ roles: [], isGuest: false });
  });

  describe('deletes an account', () => {
    const remove = (input: object) =>
      act('deleteUser', input, 'deletedAccountId account { databaseId name email }');
    /** An author with a post, a draft, a medium and a reminder. */
    const author = async () => {
      const { id } = await service().account('author');
      const post = await service().post({}, 'author');
      const draft = await service().post({ status: 'draft' }, 'author');
      const medium = await service().data(
        mutation('createMedia', 'media { databaseId }'),
        { input: { url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg' } },
        'author',
      );
      await makeMedicine(service(), {}, 'author');
      return { id, items: [post.id, draft.id], medium: medium.createMedia.media.databaseId };
    };
    const itemsOf = async (ids: number[]) =>
      (
        await service().database.prisma.contentItem.findMany({
          where: { id: { in: ids } },
          orderBy: { id: 'asc' },
        })
      ).map(({ authorId, status }) => [authorId, status]);

    it('whose content goes to an heir, and its data for good', async () => {
      const { id: userId, items, medium } = await author();
      const { id: heirId } = await service().account('editor');
      const { data } = await remove({ userId, content: 'HAND_OVER', heirId });
      expect(data.deleteUser).toStrictEqual({
        deletedAccountId: globalId('Account', userId),
        account: { databaseId: userId, name: 'The author', email: 'author@example.com' },
      });
      expect(await itemsOf(items)).toStrictEqual([
        [heirId, 'publish'],
        [heirId, 'draft'],
      ]);
      const { prisma } = service().database;
      expect((await prisma.media.findUnique({ where: { id: medium } }))?.authorId).toBe(heirId);
      expect(await prisma.reminder.count()).toBe(0);
      expect(await prisma.account.count({ where: { id: userId } })).toBe(0);
      expect(await mailed('account_deleted')).toStrictEqual(['author@example.com']);
      expect(await actions(userId)).toContain('account.erase');
      const filter = { action: 'account.delete' };
      const { auditEvents } = await service().data(
        'query($filter: AuditFilter) { auditEvents(filter: $filter) { nodes { actor { databaseId } detail } } }',
        { filter },
        'administrator',
      );
      const { id } = await service().account('administrator');
      expect(auditEvents.nodes).toStrictEqual([
        {
          actor: { databaseId: id },
          detail: { account: userId, content: 'hand over', heir: heirId },
        },
      ]);
    });

    it('whose content goes to the trash, as that of the administrator', async () => {
      const { id: userId, items } = await author();
      const { id } = await service().account('administrator');
      expect(errorCode(await remove({ userId, content: 'TRASH' }))).toBeUndefined();
      expect(await itemsOf(items)).toStrictEqual([
        [id, 'trash'],
        [id, 'trash'],
      ]);
      const answer = await service().rest('GET', `/v1/posts/${items[0]}`);
      expect(answer.status, 'the public reads it no more').not.toBe(200);
    });

    it('which is another one, with an heir who may write, or changes nothing', async () => {
      const { id: userId, items } = await author();
      const { id: own } = await service().account('administrator');
      const { id: reader } = await service().account('subscriber');
      const codeOf = async (input: object) =>
        errorCode(await remove({ userId, content: 'TRASH', ...input }));
      expect(await codeOf({ userId: own })).toBe('OWN_ACCOUNT');
      expect(await codeOf({ userId: 4711 })).toBe('USER_NOT_FOUND');
      expect(await codeOf({ userId: globalId('Post', 1) })).toBe('ID_INVALID');
      for (const heirId of [userId, reader, 4711])
        expect(await codeOf({ heirId })).toBe('AUTHOR_INVALID');
      expect((await itemsOf(items)).map(([, status]) => status)).toStrictEqual([
        'publish',
        'draft',
      ]);
    });

    it('once, when two do it at once', async () => {
      const { id: userId } = await service().account('subscriber');
      await service().account('administrator');
      const input = { userId, content: 'HAND_OVER' };
      const both = (await Promise.all([remove(input), remove(input)])).map(errorCode);
      expect(both.sort()).toStrictEqual(['USER_NOT_FOUND', undefined]);
    });
  });
});

describe('An author who erases the own account', () => {
  const service = useService();

  it('leaves media to the site', async () => {
    await service().account('administrator');
    const { id } = await service().account('author');
    const make = mutation('createMedia', 'media { databaseId }');
    const input = { url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg' };
    await service().data(make, { input }, 'author');
    await service().database.prisma.account.update({ where: { id }, data: { passwordHash: null } });
    const headers = await service().session('author');
    const body = await service().ask(
      mutation('eraseMyAccount', 'erasedAccountId'),
      { input: {} },
      { headers },
    );
    expect(errorCode(body)).toBeUndefined();
    expect(await service().database.prisma.media.count()).toBe(1);
  });
});

/** What everybody may see of an account that they may know. */
const PUBLIC = ['id', 'databaseId', 'name', 'slug', 'link', 'url', 'description'];

describe('What is shown of an account', () => {
  const service = useService();

  it('follows for each field from who asks', async () => {
    const { id: memberId } = await service().account('subscriber', 'member');
    const { prisma } = service().database;
    await service().account('subscriber', 'carer');
    const createdAt = new Date();
    const { id: carerId } = await service().account('subscriber', 'carer');
    await prisma.careRelation.create({
      data: { memberId, carerId, right: 'see', position: 1, createdAt },
    });
    const { id: clinicianId } = await service().account('clinician', 'assigned');
    await prisma.careAssignment.create({ data: { memberId, clinicianId, createdAt } });
    await service().opens(memberId, 'clinician');
    const type = service().app.schema.getType('Account');
    const all = Object.values(
      (type as unknown as { getFields(): Record<string, Field> }).getFields(),
    );
    const fields = all
      .filter(({ args }) => args.every(({ type: of }) => !String(of).endsWith('!')))
      .map(({ name, type: of }) => [name, String(of)] as const);
    const scalars = fields
      .filter(([, of]) =>
        /^\[?(ID|String|Boolean|Int|DateTime|EmailAddress|TimeZone|WebAddress|Role)\b/.test(of),
      )
      .map(([name]) => name);
    expect(scalars.length).toBeGreaterThan(12);
    const query = `{ account(id: ${memberId}) { ${scalars.join(' ')} language { code } } }`;
    const CALLERS: readonly (readonly [RoleName, string, 'all' | 'public' | 'nothing'])[] = [
      ['subscriber', 'member', 'all'],
      ['administrator', 'administrator', 'all'],
      ['subscriber', 'carer', 'public'],
      ['clinician', 'assigned', 'public'],
      ['clinician', 'clinician', 'public'],
      ['clinician', 'other clinician', 'nothing'],
      ['subscriber', 'stranger', 'nothing'],
      ['guest', 'guest', 'nothing'],
      ['editor', 'editor', 'nothing'],
      ['author', 'author', 'nothing'],
      ['contributor', 'contributor', 'nothing'],
      ['analyst', 'analyst', 'nothing'],
    ];
    for (const [role, name, sees] of CALLERS) {
      const { account } = await service().data(
        query,
        {},
        { headers: await service().session(role, name) },
      );
      const shown = Object.entries(account ?? {}).flatMap(([field, value]) =>
        value === null ? [] : [field],
      );
      if (sees === 'nothing') expect([name, account]).toStrictEqual([name, null]);
      else if (sees === 'public')
        expect(
          shown.filter((field) => !PUBLIC.includes(field)),
          name,
        ).toStrictEqual([]);
      else expect(shown, name).toContain('email');
    }
    expect((await service().data(query, {}, 'anonymous')).account).toBeNull();
  });

  it('is whom an editor may name as an author', async () => {
    await service().accounts([
      ['author', 'Ada'],
      ['contributor', 'Ben'],
      ['author', 'Eve'],
      ['subscriber', 'Mina'],
    ]);
    const { id } = await service().account('author', 'Eve');
    await service().database.prisma.account.update({
      where: { id },
      data: { suspendedAt: new Date() },
    });
    const names = async (search?: string) =>
      (
        await service().data(
          'query($search: String) { possibleAuthors(search: $search) { totalCount nodes { name email } } }',
          { search },
          'editor',
        )
      ).possibleAuthors.nodes.map(({ name, email }: Record<string, string>) => [name, email]);
    expect((await names()).map(([name]: string[]) => name)).toStrictEqual([
      'The Ada',
      'The Ben',
      'The editor',
    ]);
    expect(await names('BEN')).toStrictEqual([['The Ben', null]]);
  });
});

interface Field {
  readonly name: string;
  readonly type: unknown;
  readonly args: readonly { readonly type: unknown }[];
}
