import { DeliveryState } from '../../../src/domains/notifications/delivery/delivery.state.js';
import {
  claimDue,
  recordVerdicts,
} from '../../../src/domains/notifications/delivery/delivery-claim.service.js';
import { makeMember } from '../../support/factories.js';
import { type By, bearer, type Caller, errorCode, useService } from '../../support/harness.js';
import { expoToken, fcmToken, subscription } from '../../support/provider.js';

const DEVICES = '{ devices { id kind platform suspendedAt deadAt } }';
const REGISTER =
  'mutation($input: RegisterDeviceInput!) { registerDevice(input: $input) { device { id kind platform } } }';

describe('A device', () => {
  const service = useService();
  const notify = (body: object, as: Caller = 'subscriber', edition: 'A' | 'B' = 'A') =>
    service().rest('POST', '/v1/notify', { as, body, edition });
  const remove = (token: string, as: Caller = 'anonymous', edition: 'A' | 'B' = 'A') =>
    service().rest('DELETE', `/v1/push_token/${encodeURIComponent(token)}`, { as, edition });
  const devices = async (as: Caller = 'subscriber') =>
    (await service().graphql(DEVICES, {}, { as })).body.data.devices;
  const register = (input: object, as: Caller = 'subscriber') =>
    service().graphql(REGISTER, { input }, { as });
  const mails = () =>
    service().database.prisma.outgoingMail.findMany({ orderBy: { template: 'asc' } });
  const audited = async () =>
    (await service().database.prisma.auditEvent.findMany()).map(({ action }) => action);

  for (const edition of ['A', 'B'] as const) {
    it(`is registered by a token without a title, and removed by it (edition ${edition})`, async () => {
      const { status, body } = await notify({ push_token: expoToken('a') }, 'subscriber', edition);
      expect(status).toBe(202);
      expect(body).toStrictEqual({ id: null, queued: 0, registered: true });
      expect((await devices()).map(({ kind }: { kind: string }) => kind)).toStrictEqual(['EXPO']);
      const removed = await remove(expoToken('a'), 'subscriber', edition);
      expect([removed.status, removed.body]).toStrictEqual([200, { deleted: true }]);
      expect(await devices()).toStrictEqual([]);
      expect(await mails()).toStrictEqual([]);
    });
  }

  it('is known by what its token looks like', async () => {
    for (const token of [
      expoToken('a'),
      fcmToken('a'),
      JSON.stringify(subscription('https://push.example.com/1')),
    ])
      expect((await notify({ push_token: token })).status).toBe(202);
    expect((await notify({ push_token: subscription('https://push.example.com/2') })).status).toBe(
      202,
    );
    const kinds = (await devices()).map(({ kind }: { kind: string }) => kind);
    expect(kinds.sort()).toStrictEqual(['EXPO', 'FCM', 'WEB', 'WEB']);
  });

  it('is one device, however often and in however many ways it is registered', async () => {
    await notify({ push_token: fcmToken('fcm:1') });
    await Promise.all([1, 2, 3].map(() => notify({ push_token: fcmToken('fcm:1') })));
    await register({ token: fcmToken('fcm:1'), platform: 'android' });
    await notify({ push_token: fcmToken('fcm:1') });
    const all = await devices();
    expect(all.length).toBe(1);
    expect(all[0].platform).toBe('android');
  });

  it('replaces the token that the same installation had before', async () => {
    await register({ token: fcmToken('old'), installation: 'phone-1' });
    await register({ token: fcmToken('other'), installation: 'phone-2' });
    const { body } = await register({ token: fcmToken('new'), installation: 'phone-1' });
    expect(body.data.registerDevice.device.id).toBeTruthy();
    const rows = await service().database.prisma.device.findMany({
      orderBy: { token: 'asc' },
    });
    expect(rows.map(({ token }) => token)).toStrictEqual([fcmToken('new'), fcmToken('other')]);
  });

  it('is one device, however many tokens the same installation registers at the same time', async () => {
    await service().account('subscriber');
    const tokens = ['first', 'second', 'third'].map(fcmToken);
    const answers = await Promise.all(
      tokens.map((token) => register({ token, installation: 'phone-1' })),
    );
    expect(answers.map(({ body }) => body.errors)).toStrictEqual(tokens.map(() => undefined));
    expect((await devices()).length).toBe(1);
  });

  it('with a new token gets what was on its way to it, once: what waits, and what is being sent to the old token', async () => {
    for (const [name, token, holder] of [
      ['a token that nobody has', fcmToken('new'), undefined],
      ['a token of another kind', expoToken('new'), undefined],
      ['a token of another of the devices', fcmToken('new'), 'subscriber'],
      ['a token of somebody else', fcmToken('new'), 'contributor'],
    ] as const) {
      await service().clean();
      const { deps } = service().app;
      await register({ token: fcmToken('fcm:old'), installation: 'phone' });
      await service().graphql('mutation { testPush { deviceCount } }', {}, { as: 'subscriber' });
      const held = await claimDue(deps, 'fcm', 1);
      await service().graphql('mutation { testPush { deviceCount } }', {}, { as: 'subscriber' });
      if (holder) await notify({ push_token: token }, holder);
      await register({ token, installation: 'phone' });
      const dead = {
        state: DeliveryState.DEAD,
        nextAt: service().now(),
        code: '',
        ticket: '',
        attempted: true,
      } as const;
      await recordVerdicts(
        deps,
        held.id,
        held.deliveries.map(({ id }) => ({ id, ...dead })),
      );
      const claims = await Promise.all([claimDue(deps, 'fcm'), claimDue(deps, 'expo')]);
      const sent = claims
        .flatMap(({ deliveries }) => deliveries)
        .map((one) => `${one.token} ${one.messageId}`);
      expect(new Set(sent).size, name).toBe(2);
      expect([...new Set(sent.map((one) => one.split(' ')[0]))], name).toStrictEqual([token]);
      expect(sent, name).toHaveLength(2);
      expect((await devices()).length, name).toBe(1);
    }
  });

  describe('whose token another account registers', () => {
    const shared = fcmToken('shared');
    const password = 'correct horse battery';
    const OWN = '{ devices { id suspendedAt } }';
    const states = async () =>
      (await service().database.prisma.delivery.findMany({ orderBy: { id: 'asc' } })).map(
        ({ state }) => state,
      );
    const pass = () => service().at(service().now() + 1000);
    /** Signs a new member up, and returns who that is. */
    const signUp = async (name: string) => {
      pass();
      const { token } = await makeMember(service(), {
        email: `${name}@example.com`,
        name,
        password,
      });
      pass();
      return { token };
    };
    const registerAs = async (by: By, token = shared) => {
      const input = { token };
      expect((await service().ask(REGISTER, { input }, by)).errors).toBeUndefined();
      pass();
    };
    const count = async (by: By) => (await service().data(OWN, {}, by)).devices.length;
    const push = (by: By) =>
      service().data(
        'mutation { sendNotification(input: { title: "Hello" }) { deviceCount } }',
        {},
        by,
      );

    it('moves to it when it signed in since: that is audited, and who lost the last device is told', async () => {
      service().at('2026-03-09T20:00:00Z');
      const mina = await signUp('mina');
      await registerAs(mina);
      await push(mina);
      const omar = await signUp('omar');
      await service().database.prisma.outgoingMail.deleteMany();
      await registerAs(omar);
      expect([await count(mina), await count(omar)]).toStrictEqual([0, 1]);
      expect((await audited()).filter((action) => action.startsWith('device'))).toStrictEqual([
        'device.move',
      ]);
      expect((await mails()).map(({ template, to }) => [template, to])).toStrictEqual([
        ['device_lost', 'mina@example.com'],
      ]);
      expect(await states(), 'what was meant for one account never reaches another').toStrictEqual([
        'cancelled',
      ]);
    });

    it('stays with both otherwise: each gets its own messages, and nobody is mailed', async () => {
      service().at('2026-03-09T20:00:00Z');
      const omar = await signUp('omar');
      const mina = await signUp('mina');
      await service().database.prisma.outgoingMail.deleteMany();
      await registerAs(mina);
      // An older sign-in, a program without one, and one that registers again
      for (const by of [omar, 'contributor', 'contributor', omar, mina] as const)
        await registerAs(by);
      const everybody = [mina, omar, 'contributor'] as const;
      for (const by of everybody) {
        expect(await count(by)).toBe(1);
        expect((await push(by)).sendNotification.deviceCount).toBe(1);
        const { body } = await service().rest('POST', '/v1/push_notification', {
          ...(typeof by === 'string' ? { as: by } : { headers: bearer(by.token) }),
          body: { title: 'Hello', push_token: shared },
          edition: 'B',
        });
        expect(body.queued).toBe(1);
      }
      const claimed = (await claimDue(service().app.deps, 'fcm')).deliveries;
      expect(claimed.map(({ token }) => token)).toStrictEqual(Array(6).fill(shared));
      expect(new Set(claimed.map(({ accountId }) => accountId)).size).toBe(3);
      expect([await mails(), await audited()]).toMatchObject([
        [],
        expect.not.arrayContaining(['device.move']),
      ]);
    });

    it('is suspended for all that hold it when a stranger removes it, and removed for its own account alone', async () => {
      for (const as of ['subscriber', 'contributor'] as const) await registerAs(as);
      await remove(shared, 'contributor');
      expect([await count('subscriber'), await count('contributor')]).toStrictEqual([1, 0]);
      expect(await mails()).toStrictEqual([]);
      await registerAs('contributor');
      await remove(shared, 'anonymous');
      for (const as of ['subscriber', 'contributor'] as const)
        expect((await service().data(OWN, {}, as)).devices[0].suspendedAt).not.toBeNull();
      expect((await mails()).map(({ to }) => to).sort()).toStrictEqual([
        'contributor@example.com',
        'subscriber@example.com',
      ]);
    });

    it('moves from all that held it to the one that signed in last, which had it before', async () => {
      service().at('2026-03-09T20:00:00Z');
      const email = 'mina@example.com';
      const mina = await signUp('mina');
      const omar = await signUp('omar');
      await registerAs(omar);
      await registerAs(mina);
      expect([await count(mina), await count(omar)]).toStrictEqual([1, 1]);
      await push(omar);
      await service().database.prisma.outgoingMail.deleteMany();
      pass();
      const login = 'mutation($input: LoginInput!) { login(input: $input) { token } }';
      const signedIn = await service().data(
        login,
        { input: { username: email, password } },
        'anonymous',
      );
      pass();
      await registerAs({ token: signedIn.login.token });
      expect([await count(mina), await count(omar)]).toStrictEqual([1, 0]);
      expect((await mails()).map(({ template, to }) => [template, to])).toStrictEqual([
        ['device_lost', 'omar@example.com'],
      ]);
      await claimDue(service().app.deps, 'fcm');
      expect(await states()).toStrictEqual(['cancelled']);
    });
  });

  it('makes no room for a new one while there are dead ones that can', async () => {
    const start = Date.now();
    for (let i = 0; i < 20; i++) {
      service().at(start + i);
      await notify({ push_token: fcmToken(`fcm:${i}`) });
    }
    await service().database.prisma
      .$executeRaw`UPDATE device SET dead_at = last_seen_at, token = '' WHERE token <> ${fcmToken('fcm:0')}`;
    service().at(start + 20);
    await notify({ push_token: fcmToken('fcm:20') });
    const alive = await service().database.prisma.device.findMany({
      where: { deadAt: null },
      orderBy: { id: 'asc' },
    });
    expect(alive.map(({ token }) => token)).toStrictEqual([fcmToken('fcm:0'), fcmToken('fcm:20')]);
  });

  it('makes room for a new one beyond 20, the longest unseen first', async () => {
    const start = Date.now();
    for (let number = 0; number < 22; number++) {
      service().at(start + number);
      await notify({ push_token: fcmToken(`fcm:${number}`) });
    }
    const tokens = (await service().database.prisma.device.findMany()).map(({ token }) => token);
    expect(tokens).toHaveLength(20);
    expect(
      !tokens.includes(fcmToken('fcm:0')) &&
        !tokens.includes(fcmToken('fcm:1')) &&
        tokens.includes(fcmToken('fcm:21')),
    ).toBe(true);
  });

  it('is suspended when a stranger removes its token; its owner is told, and registering ends it', async () => {
    await notify({ push_token: fcmToken('mine') });
    for (const as of ['anonymous', 'contributor', 'anonymous'] as const)
      expect((await remove(fcmToken('mine'), as)).body).toStrictEqual({ deleted: true });
    const [device] = await devices();
    expect(device.suspendedAt).toBeTruthy();
    expect(
      (await mails()).map(({ template, to }) => [template, to]),
      'once, however often it is removed',
    ).toStrictEqual([['device_suspended', 'subscriber@example.com']]);
    expect(await audited()).toStrictEqual(['device.suspend']);
    const told = await service().graphql(
      '{ notifications { nodes { kind } } }',
      {},
      { as: 'subscriber' },
    );
    expect(told.body.data.notifications.nodes).toStrictEqual([{ kind: 'DEVICE_SUSPENDED' }]);
    const test = await service().rest('POST', '/v1/test_push', { as: 'subscriber', edition: 'B' });
    expect(test.body.queued).toBe(0);
    await notify({ push_token: fcmToken('mine') });
    expect((await devices())[0].suspendedAt).toBeNull();
    const again = await service().rest('POST', '/v1/test_push', { as: 'subscriber', edition: 'B' });
    expect(again.body.queued).toBe(1);
  });

  it("that is suspended is told of in the language of its owner's account", async () => {
    const { id } = await service().account('subscriber');
    const german = await service().database.prisma.language.findUniqueOrThrow({
      where: { code: 'de' },
    });
    await service().database.prisma.account.update({
      where: { id },
      data: { languageId: german.id },
    });
    await notify({ push_token: fcmToken('mine') });
    await remove(fcmToken('mine'), 'anonymous');
    const told = await service().graphql(
      '{ notifications { nodes { title } } }',
      {},
      { as: 'subscriber' },
    );
    expect(told.body.data.notifications.nodes).toStrictEqual([
      { title: 'Ein Gerät empfängt nichts mehr' },
    ]);
  });

  it('has the same answer for any token when it is removed: unknown, of any bytes, with slashes, huge', async () => {
    await notify({ push_token: fcmToken('known') });
    const tokens = [
      fcmToken('known'),
      'unknown',
      'a/b',
      'a%2Fb',
      'two words',
      ' ',
      'line\nbreak',
      '💊',
      '"\'`;--',
      '\u0001',
      '\u0000',
      'ñ',
      '{',
      '{"endpoint":null}',
      'x'.repeat(4096),
      '%',
    ];
    for (const token of tokens) {
      const { status, body, headers } = await remove(token);
      expect(
        [status, body, headers.get('allow')],
        JSON.stringify(token).slice(0, 30),
      ).toStrictEqual([200, { deleted: true }, 'DELETE']);
    }
    const raw = await service().rest('DELETE', '/v1/push_token/%FF%FE');
    expect([raw.status, raw.body]).toStrictEqual([200, { deleted: true }]);
  });

  it('of a browser is removed by its endpoint, or by the whole subscription', async () => {
    const first = subscription('https://push.example.com/1');
    for (const token of ['https://push.example.com/1', JSON.stringify(first)]) {
      await notify({ push_token: first });
      await remove(token, 'subscriber');
      expect(await devices()).toStrictEqual([]);
    }
  });

  it('is removed by its token as it is, although a path elsewhere may hold several slashes for one', async () => {
    const token = 'https://push.example.com/a//1';
    for (const path of [
      '/v1/push_token/',
      '/v1//push_token/',
      '//v1/push_token/',
      '/v1/push_token//',
    ]) {
      await notify({ push_token: subscription(token) });
      const { status } = await service().rest('DELETE', path + token, {
        as: 'subscriber',
        described: false,
      });
      expect([path, status, await devices()]).toStrictEqual([path, 200, []]);
    }
  });

  it('of a browser is refused with a subscription that cannot be sent to', async () => {
    const good = subscription('https://push.example.com/1');
    for (const endpoint of [
      'http://push.example.com/',
      'https://localhost/',
      'https://127.0.0.1/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
      'https://2130706433/',
      'x',
      '',
    ]) {
      const { status, body } = await notify({ push_token: { ...good, endpoint } });
      expect([status, body.code], endpoint).toStrictEqual([400, 'rest_invalid_param']);
      expect(body.data.details.push_token.code).toBe('rest_push_token_invalid');
    }
    expect(await devices()).toStrictEqual([]);
  });

  it('is registered by the signed in alone', async () => {
    const { status, body } = await notify({ push_token: fcmToken('x') }, 'anonymous');
    expect([status, body.code]).toStrictEqual([401, 'rest_forbidden']);
    expect(errorCode((await service().graphql(DEVICES)).body)).toBe('UNAUTHENTICATED');
  });

  it('is removed by id by its owner alone', async () => {
    await notify({ push_token: fcmToken('x') });
    const [{ id }] = await devices();
    const REMOVE = 'mutation($id: ID!) { removeDevice(input: { id: $id }) { deletedDeviceId } }';
    const stranger = await service().graphql(REMOVE, { id }, { as: 'contributor' });
    expect(errorCode(stranger.body)).toBe('DEVICE_NOT_FOUND');
    const removed = await service().data(REMOVE, { id });
    expect(removed.removeDevice.deletedDeviceId).toBe(id);
    expect(await devices()).toStrictEqual([]);
  });

  it('never shows its token, and browsers learn the key only when there is one', async () => {
    const { body } = await service().graphql(
      '{ __type(name: "Device") { fields { name } } }',
      {},
      { as: 'administrator' },
    );
    expect(JSON.stringify(body)).not.toContain('token');
    expect((await service().graphql('{ webPushPublicKey }')).body.data.webPushPublicKey).toBeNull();
  });
});
