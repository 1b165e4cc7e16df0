import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeliveryState } from '../../../src/domains/notifications/delivery/delivery.state.js';
import {
  claimDue,
  recordVerdicts,
} from '../../../src/domains/notifications/delivery/delivery-claim.service.js';
import { type Caller, useService } from '../../support/harness.js';
import { subscription } from '../../support/provider.js';

const DEVICES = '{ devices { id kind platform suspendedAt deadAt } }';
const REGISTER =
  'mutation($input: RegisterDeviceInput!) { registerDevice(input: $input) { id kind platform } }';

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
      const { status, body } = await notify(
        { push_token: 'ExponentPushToken[a]' },
        'subscriber',
        edition,
      );
      assert.equal(status, 202);
      assert.deepEqual(body, { id: null, queued: 0, registered: true });
      assert.deepEqual(
        (await devices()).map(({ kind }: { kind: string }) => kind),
        ['EXPO'],
      );
      const removed = await remove('ExponentPushToken[a]', 'subscriber', edition);
      assert.deepEqual([removed.status, removed.body], [200, { deleted: true }]);
      assert.deepEqual(await devices(), []);
      assert.deepEqual(await mails(), []);
    });
  }

  it('is known by what its token looks like', async () => {
    for (const token of [
      'ExponentPushToken[a]',
      'fcm:token_1',
      JSON.stringify(subscription('https://push.example.com/1')),
    ])
      assert.equal((await notify({ push_token: token })).status, 202);
    assert.equal(
      (await notify({ push_token: subscription('https://push.example.com/2') })).status,
      202,
    );
    const kinds = (await devices()).map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(kinds.sort(), ['EXPO', 'FCM', 'WEB', 'WEB']);
  });

  it('is one device, however often and in however many ways it is registered', async () => {
    await notify({ push_token: 'fcm:1' });
    await Promise.all([1, 2, 3].map(() => notify({ push_token: 'fcm:1' })));
    await register({ token: 'fcm:1', platform: 'android' });
    await notify({ push_token: 'fcm:1' });
    const all = await devices();
    assert.equal(all.length, 1);
    assert.equal(all[0].platform, 'android');
  });

  it('replaces the token that the same installation had before', async () => {
    await register({ token: 'old', installation: 'phone-1' });
    await register({ token: 'other', installation: 'phone-2' });
    const { body } = await register({ token: 'new', installation: 'phone-1' });
    assert.ok(body.data.registerDevice.id);
    const rows = await service().database.prisma.device.findMany({ orderBy: { token: 'asc' } });
    assert.deepEqual(
      rows.map(({ token }) => token),
      ['new', 'other'],
    );
  });

  it('is one device, however many tokens the same installation registers at the same time', async () => {
    await service().account('subscriber');
    const tokens = ['first', 'second', 'third'];
    const answers = await Promise.all(
      tokens.map((token) => register({ token, installation: 'phone-1' })),
    );
    assert.deepEqual(
      answers.map(({ body }) => body.errors),
      tokens.map(() => undefined),
    );
    assert.equal((await devices()).length, 1);
  });

  it('with a new token gets what was on its way to it, once: what waits, and what is being sent to the old token', async () => {
    for (const [name, token, holder] of [
      ['a token that nobody has', 'fcm:new', undefined],
      ['a token of another kind', 'ExponentPushToken[new]', undefined],
      ['a token of another of the devices', 'fcm:new', 'subscriber'],
      ['a token of somebody else', 'fcm:new', 'contributor'],
    ] as const) {
      await service().clean();
      const { deps } = service().app;
      await register({ token: 'fcm:old', installation: 'phone' });
      await service().graphql('mutation { testPush { id } }', {}, { as: 'subscriber' });
      const held = await claimDue(deps, 'fcm', 1);
      await service().graphql('mutation { testPush { id } }', {}, { as: 'subscriber' });
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
      assert.equal(new Set(sent).size, 2, name);
      assert.deepEqual([...new Set(sent.map((one) => one.split(' ')[0]))], [token], name);
      assert.equal(sent.length, 2, name);
      assert.equal((await devices()).length, 1, name);
    }
  });

  it('moves to whoever registers its token, is audited, and the account that lost its last device is told', async () => {
    await notify({ push_token: 'shared' }, 'subscriber');
    await service().graphql('mutation { testPush { id } }', {}, { as: 'subscriber' });
    await notify({ push_token: 'shared' }, 'contributor');
    assert.deepEqual(await devices('subscriber'), []);
    assert.equal((await devices('contributor')).length, 1);
    assert.deepEqual(await audited(), ['device.move']);
    const [mail] = await mails();
    assert.deepEqual(
      [mail?.template, mail?.to, mail?.language],
      ['device_lost', 'subscriber@example.com', 'en'],
    );
    const [delivery] = await service().database.prisma.delivery.findMany();
    assert.equal(
      delivery?.state,
      'cancelled',
      'what was meant for one account never reaches another',
    );
  });

  it('makes no room for a new one while there are dead ones that can', async () => {
    const start = Date.now();
    for (let i = 0; i < 20; i++) {
      service().now = () => start + i;
      await notify({ push_token: `fcm:${i}` });
    }
    await service().database.prisma
      .$executeRaw`UPDATE device SET dead_at = last_seen_at, token = '' WHERE token <> 'fcm:0'`;
    service().now = () => start + 20;
    await notify({ push_token: 'fcm:20' });
    const alive = await service().database.prisma.device.findMany({
      where: { deadAt: null },
      orderBy: { id: 'asc' },
    });
    assert.deepEqual(
      alive.map(({ token }) => token),
      ['fcm:0', 'fcm:20'],
    );
  });

  it('makes room for a new one beyond 20, the longest unseen first', async () => {
    const start = Date.now();
    for (let number = 0; number < 22; number++) {
      service().now = () => start + number;
      await notify({ push_token: `token-${number}` });
    }
    const tokens = (await service().database.prisma.device.findMany()).map(({ token }) => token);
    assert.equal(tokens.length, 20);
    assert.ok(
      !tokens.includes('token-0') && !tokens.includes('token-1') && tokens.includes('token-21'),
    );
  });

  it('is suspended when a stranger removes its token; its owner is told, and registering ends it', async () => {
    await notify({ push_token: 'mine' });
    for (const as of ['anonymous', 'contributor', 'anonymous'] as const)
      assert.deepEqual((await remove('mine', as)).body, { deleted: true });
    const [device] = await devices();
    assert.ok(device.suspendedAt);
    assert.deepEqual(
      (await mails()).map(({ template, to }) => [template, to]),
      [['device_suspended', 'subscriber@example.com']],
      'once, however often it is removed',
    );
    assert.deepEqual(await audited(), ['device.suspend']);
    const told = await service().graphql(
      '{ notifications { nodes { kind } } }',
      {},
      { as: 'subscriber' },
    );
    assert.deepEqual(told.body.data.notifications.nodes, [{ kind: 'device_suspended' }]);
    const test = await service().rest('POST', '/v1/test_push', { as: 'subscriber', edition: 'B' });
    assert.equal(test.body.queued, 0);
    await notify({ push_token: 'mine' });
    assert.equal((await devices())[0].suspendedAt, null);
    const again = await service().rest('POST', '/v1/test_push', { as: 'subscriber', edition: 'B' });
    assert.equal(again.body.queued, 1);
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
    await notify({ push_token: 'mine' });
    await remove('mine', 'anonymous');
    const told = await service().graphql(
      '{ notifications { nodes { title } } }',
      {},
      { as: 'subscriber' },
    );
    assert.deepEqual(told.body.data.notifications.nodes, [
      { title: 'Ein Gerät empfängt nichts mehr' },
    ]);
  });

  it('has the same answer for any token when it is removed: unknown, of any bytes, with slashes, huge', async () => {
    await notify({ push_token: 'known' });
    const tokens = [
      'known',
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
      assert.deepEqual(
        [status, body, headers.get('allow')],
        [200, { deleted: true }, 'DELETE'],
        JSON.stringify(token).slice(0, 30),
      );
    }
    const raw = await service().rest('DELETE', '/v1/push_token/%FF%FE');
    assert.deepEqual([raw.status, raw.body], [200, { deleted: true }]);
  });

  it('can be named by a token of any bytes', async () => {
    const tokens = ['a/b', 'a%2Fb', '💊💊', '"\'`;--', '\u0001', '<b>', 'ü'.repeat(2048)];
    for (const push_token of tokens) {
      assert.equal((await notify({ push_token })).status, 202, push_token.slice(0, 20));
      assert.equal((await devices()).length, 1);
      await remove(push_token, 'subscriber');
      assert.deepEqual(await devices(), [], push_token.slice(0, 20));
    }
  });

  it('of a browser is removed by its endpoint, or by the whole subscription', async () => {
    const first = subscription('https://push.example.com/1');
    for (const token of ['https://push.example.com/1', JSON.stringify(first)]) {
      await notify({ push_token: first });
      await remove(token, 'subscriber');
      assert.deepEqual(await devices(), []);
    }
  });

  it('is refused with tokens that are none, and with subscriptions that cannot be sent to', async () => {
    const good = subscription('https://push.example.com/1');
    for (const push_token of [
      'x'.repeat(4097),
      '\u0000',
      true,
      [],
      ['a'],
      { endpoint: 1 },
      { ...good, keys: {} },
      '{',
      '{}',
    ]) {
      const { status } = await notify({ push_token });
      assert.equal(status, 400, JSON.stringify(push_token).slice(0, 40));
    }
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
      assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], endpoint);
      assert.equal(body.data.details.push_token.code, 'rest_push_token_invalid');
    }
    assert.deepEqual(await devices(), []);
  });

  it('is registered by the signed in alone', async () => {
    const { status, body } = await notify({ push_token: 'x' }, 'anonymous');
    assert.deepEqual([status, body.code], [401, 'rest_forbidden']);
    assert.equal(
      (await service().graphql(DEVICES)).body.errors[0].extensions.code,
      'UNAUTHENTICATED',
    );
  });

  it('is removed by id by its owner alone', async () => {
    await notify({ push_token: 'x' });
    const [{ id }] = await devices();
    const REMOVE = 'mutation($id: Int!) { removeOwnDevice(input: { id: $id }) { deleted } }';
    const stranger = await service().graphql(REMOVE, { id }, { as: 'contributor' });
    assert.equal(stranger.body.errors[0].extensions.code, 'DEVICE_NOT_FOUND');
    assert.equal(
      (await service().graphql(REMOVE, { id }, { as: 'subscriber' })).body.data.removeOwnDevice
        .deleted,
      true,
    );
  });

  it('never shows its token, and browsers learn the key only when there is one', async () => {
    const { body } = await service().graphql(
      '{ __type(name: "Device") { fields { name } } }',
      {},
      { as: 'administrator' },
    );
    assert.ok(!JSON.stringify(body).includes('token'));
    assert.equal(
      (await service().graphql('{ webPushPublicKey }')).body.data.webPushPublicKey,
      null,
    );
  });
});
