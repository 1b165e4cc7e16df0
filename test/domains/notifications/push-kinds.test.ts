import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import webPush from 'web-push';
import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { settleUndelivered } from '../../../src/domains/dispatch/undelivered.service.js';
import { deliveryJobs } from '../../../src/domains/notifications/delivery/delivery.jobs.js';
import { DeliveryWorker } from '../../../src/domains/notifications/delivery/delivery.worker.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { makeAnswer, makeCarer, makeDevice, makeMedicine } from '../../support/factories.js';
import { errorCode, mutation, useService, type Variables } from '../../support/harness.js';
import { expoToken, fcmToken, Provider, subscription } from '../../support/provider.js';
import { whenOver } from '../../support/running.js';
import { going, SECOND } from './expo-deliveries.js';

const good = subscription('https://push.example.com/1');
/** A key of no point of the curve. */
const OFF_CURVE = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');

/** What phones, simulators and browsers were seen to send, or might, where they have no token. */
const JUNK: readonly unknown[] = [
  'undefined',
  'null',
  'NaN',
  'abc',
  'true',
  '0',
  0,
  -1,
  false,
  '[object Object]',
  '{}',
  '{"endpoint":"https://push.example.com/1"}',
  { ...good, keys: { ...good.keys, p256dh: OFF_CURVE } },
  { ...good, keys: { ...good.keys, auth: 'short' } },
  'https://fcm.googleapis.com/fcm/send/abc',
  ['a'],
  '740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad', // of APNs
  '740F4707BEBCF74F9B7C25D48E3358945F6AA01DA5DDB387462C7EAF61BB78AD',
  '<740f4707 bebcf74f 9b7c25d4 8e335894 5f6aa01d a5ddb387 462c7eaf 61bb78ad>',
  '80'.repeat(80), // of APNs, as long as it may become
  'ExponentPushToken[]',
  'ExponentPushToken[undefined]',
  'ExponentPushToken[object Object]',
  'ExponentPushToken[{{token}}]',
  'ExpoPushToken[abcdefghijklmnopqrstuv',
  'ExponentPushToken[undefinedundefined]',
  'ExponentPushToken[your-push-token-here]',
  'ExponentPushToken[YOUR_EXPO_PUSH_TOKEN]',
  'ExponentPushToken[ExpoPushTokenOfThePhone]',
  'ExpoPushToken[placeholder-for-now-1]',
  'ExponentPushToken[iPhoneSimulator-14Pro]',
  'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]',
  'ExponentPushToken[xxxxxxxx-xxxx-xxxx-xxxx]',
  'ExpoPushToken[0000000000000000000000]',
  'ExponentPushToken[nullnullnullnullnull]',
  'ExponentPushToken[tokentokentokentoken]',
  'ExponentPushToken[null-null-null-null-nu]',
  'ExponentPushToken[test-token-1234567]',
  'ExponentPushToken[fake_token_for_tests]',
  'ExponentPushToken[MOCK-push-token-abc1]',
  'ExponentPushToken[DEVICE_NOT_AVAILABLE]',
  'ExponentPushToken[NO_TOKEN_NO_TOKEN_NO]',
  'ExponentPushToken[invalid-until-granted]',
  'ExponentPushToken[unknown_of_this_phone]',
  'ExponentPushToken[web-not-supported-yet]',
  'ExponentPushToken[permission-denied-00]',
  '00000000-0000-0000-0000-000000000000',
  '00000000-0000-4000-8000-000000000000',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
  'simulator',
  'fcm:1',
  ':APA91b',
  'x'.repeat(163),
  `${'x'.repeat(22)}:${'y'.repeat(140)}`,
  fcmToken('phone').slice(0, 64),
  `undefined:APA91b${'Xy3_'.repeat(33)}`,
  `test-token-test-token1:APA91b${'Xy3_'.repeat(33)}`,
  `nullnullnullnullnullnu:APA91b${'Xy3_'.repeat(33)}`,
  `your-device-token:APA91b${'Xy3_'.repeat(33)}`,
  `EXAMPLE_installation_1:APA91b${'Xy3_'.repeat(33)}`,
  `AAAAxYz1_23:APA91b${'Xy3_'.repeat(33)}`, // the key of a server
  `eyJhbGciOiJIUzI1NiJ9.${randomBytes(60).toString('base64url')}.${randomBytes(32).toString('base64url')}`,
  `${fcmToken('phone')}=`,
  `${fcmToken('one')},${fcmToken('two')}`,
  '\u0000',
  '💊'.repeat(40),
  'x'.repeat(5_000),
];

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const vapid = webPush.generateVAPIDKeys();
/** The variables of each provider. */
const PROVIDERS = {
  EXPO: { EXPO_ACCESS_TOKEN: 'x' },
  FCM: {
    FCM_SERVICE_ACCOUNT: JSON.stringify({
      project_id: 'p',
      client_email: 'e',
      private_key: privateKey,
    }),
  },
  WEB: {
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: 'mailto:a@example.com',
  },
} as const satisfies Readonly<Record<string, Variables>>;
type Kind = keyof typeof PROVIDERS;
const KINDS: readonly Kind[] = ['EXPO', 'FCM', 'WEB'];
const SETS = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => KINDS.filter((_, i) => bits & (1 << i)));
const TOKENS: Readonly<Record<Kind, readonly unknown[]>> = {
  EXPO: [
    expoToken('a'),
    'ExpoPushToken[aBcDeFgHiJkLmNoPqRsT-_]',
    'F5741A13-BCDA-434B-A316-5DC0E6FFA94F',
  ],
  FCM: [
    fcmToken('a'),
    `cXyZ12-_abC:APA91b${'aB3_'.repeat(33)}ab`,
    `APA91b${'aB3-'.repeat(39)}`,
    `  ${fcmToken('b')}\n`,
  ],
  WEB: [good, JSON.stringify(subscription('https://push.example.com/2'))],
};

describe('A push token', () => {
  const service = useService();

  it.each(SETS.map((kinds) => [kinds.join(' and ') || 'no', kinds] as const))(
    'of a form that nobody issues is refused with %s provider; a good one is taken where its kind is served',
    async (_, kinds) => {
      const other = await service().under(
        Object.assign({}, ...kinds.map((kind) => PROVIDERS[kind])),
      );
      whenOver(() => other.stop());
      const register = mutation('registerDevice', 'device { kind isServed }');
      const refused = async (token: unknown) => {
        const { status, body } = await other.rest('POST', '/v1/notify', {
          as: 'subscriber',
          body: { push_token: token },
        });
        const graph = await other.graphql(register, { input: { token } }, { as: 'subscriber' });
        return [status, body.data?.details?.push_token?.code, errorCode(graph.body)];
      };
      for (const token of JUNK)
        expect(await refused(token), JSON.stringify(token).slice(0, 60)).toStrictEqual([
          400,
          'rest_push_token_invalid',
          'PUSH_TOKEN_INVALID',
        ]);
      const served = kinds.length === 0 ? KINDS : kinds;
      for (const kind of KINDS)
        for (const token of TOKENS[kind])
          expect(await refused(token), JSON.stringify(token)).toStrictEqual(
            served.includes(kind)
              ? [202, undefined, undefined]
              : [400, 'rest_push_token_invalid', 'PUSH_TOKEN_INVALID'],
          );
      const { devices } = await other.data('{ devices { kind isServed } }');
      expect(
        devices
          .map(({ kind, isServed }: { kind: Kind; isServed: boolean }) => [kind, isServed])
          .sort(),
      ).toStrictEqual(served.flatMap((kind) => TOKENS[kind].map(() => [kind, true])));
    },
  );
});

describe('A device whose kind has no provider any more', () => {
  const service = useService();
  const outbox = () => join(service().app.deps.config.DATA_DIR, 'push-outbox.jsonl');

  /** A member with these devices and a carer, and Aspirin that is due where Expo alone is served. */
  const begin = async (...tokens: string[]) => {
    service().at('2026-03-09T20:00:00Z');
    rmSync(outbox(), { force: true });
    const member = await service().account('subscriber');
    const carer = await service().account('contributor');
    await makeCarer(service(), { memberId: member.id, carerId: carer.id });
    await makeAnswer(service(), member.id);
    for (const push_token of tokens)
      await service().rest('POST', '/v1/notify', { as: 'subscriber', body: { push_token } });
    await makeDevice(service(), 'carer', 'contributor');
    const provider = await Provider.start(({ json }) => ({
      body: { data: json.map(() => ({ status: 'ok', id: 't' })) },
    }));
    const other = await service().under({ EXPO_URL: provider.url });
    whenOver(async () => {
      await other.stop();
      await provider.stop();
    });
    const { deps } = other.app;
    await makeMedicine(other);
    await planDue(deps);
    other.at('2026-03-10T08:00:00Z');
    await handOver(deps);
    const deliver = async () => {
      for (const kind of ['expo', 'fcm', 'web'] as const)
        await new DeliveryWorker(deps, kind).run(going);
      const missed = await settleUndelivered(deps);
      await handOver(deps);
      return missed;
    };
    const mails = async () =>
      (await service().database.prisma.outgoingMail.findMany()).map(({ template }) => template);
    const states = async () =>
      (await service().database.prisma.delivery.findMany({ orderBy: { id: 'asc' } })).map(
        ({ kind, state, code }) => `${kind} ${state} ${code ?? ''}`.trim(),
      );
    return { other, deps, deliver, mails, states };
  };

  it('misses its reminder: nothing goes to the outbox, and member, carers and metrics say so', async () => {
    const { other, deps, deliver, mails, states } = await begin(fcmToken('phone'));
    expect(await deliver(), 'another process may have the provider').toBe(0);
    expect(await states()).toStrictEqual(['fcm planned']);
    other.at(other.now() + 10 * SECOND);
    expect(await deliver()).toBe(1);
    await deliver();
    expect(await states()).toStrictEqual(['fcm missed not_configured', 'expo accepted']);
    expect(existsSync(outbox())).toBe(false);
    expect((await other.data('{ devices { kind isServed } }')).devices).toStrictEqual([
      { kind: 'FCM', isServed: false },
    ]);
    expect(await mails()).toStrictEqual(['device_unserved']);
    const told = await other.data('{ notifications { nodes { kind title } } }', {}, 'contributor');
    expect(told.notifications.nodes).toMatchObject([{ kind: 'MISSED' }]);
    await deliveryJobs(deps)
      .find(({ name }) => name === 'count unserved devices')
      ?.run(going);
    const metrics = await registry.metrics();
    expect(metrics).toContain('care_push_unserved_devices{kind="fcm"} 1');
    expect(metrics).toContain('care_push_turns_total{kind="fcm",state="missed"}');
  });

  it('is not counted among those that a message goes to, and its member is mailed once', async () => {
    const { other, deliver, mails } = await begin(fcmToken('phone'));
    for (let i = 0; i < 3; i++) {
      const { body } = await other.rest('POST', '/v1/test_push', {
        as: 'subscriber',
        edition: 'B',
      });
      expect(body.queued).toBe(0);
      other.at(other.now() + 10 * SECOND);
      await deliver();
    }
    expect(await mails()).toStrictEqual(['device_unserved']);
  });

  it('is no reason for a mail, or to tell carers, where another device of the member is reached', async () => {
    const { other, deliver, mails, states } = await begin(fcmToken('phone'), expoToken('tablet'));
    await deliver();
    other.at(other.now() + 10 * SECOND);
    expect(await deliver()).toBe(0);
    expect((await states()).sort()).toStrictEqual(['expo accepted', 'fcm missed not_configured']);
    expect(await mails()).toStrictEqual([]);
  });
});
