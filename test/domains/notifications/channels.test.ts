import { globalId } from '../../../src/core/node.js';
import { resealChannels } from '../../../src/domains/notifications/channel/channel-keys.service.js';
import { pruneDeliveries } from '../../../src/domains/notifications/delivery/delivery-prune.service.js';
import { openAddress, sealAddress } from '../../../src/platform/channel/channel-address.js';
import { Keys } from '../../../src/platform/keys.js';
import { makeLog } from '../../../src/platform/log.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { makeDevice, makeMember } from '../../support/factories.js';
import { bearer, errorCode, type Harness, mutation, useService } from '../../support/harness.js';
import { whenOver } from '../../support/running.js';
import { going, MINUTE } from './expo-deliveries.js';
import { MOBILE, ownChannels, useReceiver } from './own-channels.js';

const DAY = 24 * 60 * MINUTE;

describe('A channel', () => {
  const { receiver, variables } = useReceiver();
  const service = useService(variables);
  const { act, refused, list, add, verified } = ownChannels(service, receiver);
  /** Proves the addresses of all accounts. */
  const prove = () =>
    service().database.prisma.account.updateMany({ data: { emailProvenAt: new Date() } });
  const stored = () => service().database.prisma.device.findMany({ include: { channel: true } });

  it('is added, proven by the code that comes through it, switched, and removed', async () => {
    expect((await service().data('{ channelKinds }')).channelKinds).toStrictEqual(['SMS', 'CHAT']);
    const added = await add('0151 12345678', 'SMS').catch(() => undefined);
    expect(added, 'nobody knows the country').toBeUndefined();
    const input = { kind: 'SMS', address: '0151 12345678', country: 'DE' };
    const channel = await act('addChannel', input);
    expect(channel).toMatchObject({ kind: 'SMS', address: MOBILE, verifiedAt: null });
    expect([channel.reminders, channel.lostAt]).toStrictEqual([false, null]);
    const [text] = receiver().texts;
    expect(text).toMatchObject({ channel: 'SMS', to: MOBILE, kind: 'VERIFICATION' });
    expect(text?.text).toMatch(/^\d{6} is the code with which you allow .+ reminders here\.$/);
    const { id } = channel;
    const proven = await act('verifyChannel', { id, code: ` ${receiver().code} ` });
    expect(proven).toMatchObject({ id, address: MOBILE, reminders: true });
    expect(proven.verifiedAt).not.toBeNull();
    const switched = await act('updateChannel', { id, reminders: false });
    expect(await list()).toStrictEqual([switched]);
    expect(switched.reminders).toBe(false);
    const read = 'query($id: ID!) { node(id: $id) { ... on Channel { address } } }';
    expect((await service().data(read, { id })).node).toStrictEqual({ address: MOBILE });
    expect((await service().data(read, { id }, 'contributor')).node).toBeNull();
    const remove = 'mutation($id: ID!) { removeChannel(input: { id: $id }) { deletedChannelId } }';
    expect((await service().data(remove, { id })).removeChannel.deletedChannelId).toBe(id);
    expect([await list(), await stored()]).toStrictEqual([[], []]);
  });

  it('tells what the member may do with it, as the mutations do', async () => {
    const rights = async () =>
      (await service().data('{ channels { viewerCan { sendCode update remove } } }')).channels[0]
        .viewerCan;
    const { id } = await add();
    expect(await rights()).toStrictEqual({ sendCode: true, update: false, remove: true });
    expect(await refused('updateChannel', { id, reminders: true })).toBe('CHANNEL_UNVERIFIED');
    await act('verifyChannel', { id, code: receiver().code });
    expect(await rights()).toStrictEqual({ sendCode: true, update: true, remove: true });
  });

  it('is switched once by two changes that are based on the same version', async () => {
    const id = await verified();
    const [{ version }] = await list();
    const change = { id, reminders: false, version };
    expect((await act('updateChannel', change)).version).toBe(version + 1);
    const { errors } = await service().ask(mutation('updateChannel', '__typename'), {
      input: { ...change, reminders: true },
    });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', version: version + 1 });
    expect((await list())[0].reminders).toBe(false);
  });

  it('is a handle of one line, as the member wrote it', async () => {
    expect(await add('  @mina:chat.example ', 'CHAT')).toMatchObject({
      address: '@mina:chat.example',
    });
    for (const address of [' ', 'a\nb', 'a\u2028b', 'a\u0007'])
      expect(await refused('addChannel', { kind: 'CHAT', address }), address).toMatch(
        /INVALID|BAD/,
      );
    expect(receiver().texts).toHaveLength(1);
  });

  it.each([
    ['no number', 'mina'],
    ['a number of no country', '030 901820'],
    ['a number that nobody has', '+49 1'],
    ['an extension', '+49 30 901820 ext 5'],
    ['a short number', '112'],
    ['a number of raised price', '+49 900 1234567'],
    ['a personal number, which may cost as much', '+44 70 1234 5678'],
    ['a free number', '+49 800 1234567'],
  ])('is refused for %s, and nobody gets a code', async (_, address) => {
    expect(await refused('addChannel', { kind: 'SMS', address })).toBe('CHANNEL_ADDRESS_INVALID');
    expect([receiver().texts, await stored()]).toStrictEqual([[], []]);
  });

  it('of the same address is the same channel; a proven one gets no second code', async () => {
    const { id } = await add();
    expect((await add('+49 151 1234 5678')).id).toBe(id);
    await act('verifyChannel', { id, code: receiver().code });
    expect(receiver().texts).toHaveLength(2);
    expect((await add()).id).toBe(id);
    expect(receiver().texts).toHaveLength(2);
    expect(await list()).toHaveLength(1);
  });

  it('is not proven by another code, an old one, or one that was tried five times', async () => {
    service().at(Date.parse('2026-03-10T08:00:00Z'));
    const { id } = await add();
    const first = receiver().code;
    const wrong = first === '000000' ? '000001' : '000000';
    for (let i = 0; i < 5; i++)
      expect(await refused('verifyChannel', { id, code: wrong })).toBe('CHANNEL_CODE_INVALID');
    expect(await refused('verifyChannel', { id, code: first }), 'used up').toBe(
      'CHANNEL_CODE_INVALID',
    );
    await act('sendChannelCode', { id });
    const second = receiver().code;
    service().at(service().now() + 10 * MINUTE);
    expect(await refused('verifyChannel', { id, code: second }), 'too old').toBe(
      'CHANNEL_CODE_INVALID',
    );
    await act('sendChannelCode', { id });
    const third = receiver().code;
    expect(await refused('verifyChannel', { id, code: second }), 'replaced').toBe(
      second === third ? undefined : 'CHANNEL_CODE_INVALID',
    );
    expect((await act('verifyChannel', { id, code: third })).reminders).toBe(true);
    expect(await refused('verifyChannel', { id, code: third }), 'used').toBe(
      'CHANNEL_CODE_INVALID',
    );
  });

  it('is counted by every try, however many come at once', async () => {
    const { id } = await add();
    const codes = Array.from({ length: 12 }, (_, i) => String(i).padStart(6, '0'));
    const wrong = codes.filter((code) => code !== receiver().code).slice(0, 10);
    await Promise.all(wrong.map((code) => refused('verifyChannel', { id, code })));
    const [row] = await stored();
    expect(row?.channel?.tries).toBe(5);
  });

  it('cannot be proven, changed or removed by others', async () => {
    const { id } = await add();
    const { code } = receiver();
    for (const [what, input] of [
      ['verifyChannel', { id, code }],
      ['sendChannelCode', { id }],
      ['updateChannel', { id, reminders: true }],
      ['removeChannel', { id }],
    ] as const)
      expect(await refused(what, input, 'contributor'), what).toBe('CHANNEL_NOT_FOUND');
    expect(await refused('updateChannel', { id, reminders: true })).toBe('CHANNEL_UNVERIFIED');
    expect(await list()).toMatchObject([{ verifiedAt: null, reminders: false }]);
    expect(receiver().texts).toHaveLength(1);
  });

  it('is no device: neither shown, removed, counted nor pushed out as one', async () => {
    const id = await verified();
    const [{ id: key = 0 } = {}] = await stored();
    expect((await service().data('{ devices { id } }')).devices).toStrictEqual([]);
    const read = 'query($id: ID!) { node(id: $id) { id } }';
    expect((await service().data(read, { id: globalId('Device', key) })).node).toBeNull();
    expect(await refused('removeDevice', { id: key })).toBe('DEVICE_NOT_FOUND');
    for (let i = 0; i < 21; i++) await makeDevice(service(), `${i}`);
    expect(await list()).toMatchObject([{ id }]);
    await act('sendChannelCode', { id });
    await act('verifyChannel', { id, code: receiver().code });
    await makeDevice(service(), '20');
    expect((await service().data('{ devices { id } }')).devices).toHaveLength(20);
  });

  it('is one of five at most', async () => {
    for (let i = 0; i < 5; i++) await add(`@${i}`, 'CHAT');
    expect(await refused('addChannel', { kind: 'CHAT', address: '@5' })).toBe('TOO_MANY');
    expect(receiver().texts).toHaveLength(5);
  });

  it('is one, where it is added twice at once', async () => {
    await service().account('subscriber');
    await Promise.all([add(), add(), add()]);
    expect(await list()).toHaveLength(1);
  });

  it('is not added when the code cannot be sent: nothing is changed', async () => {
    for (const [status, reason] of [
      [500, 'CHANNEL_UNREACHABLE'],
      [410, 'CHANNEL_ADDRESS_GONE'],
      [422, 'CHANNEL_ADDRESS_GONE'],
    ] as const) {
      receiver().reply = () => ({ status });
      expect(await refused('addChannel', { kind: 'SMS', address: MOBILE })).toBe(reason);
    }
    expect(await stored()).toStrictEqual([]);
  });

  it('cannot be used to flood somebody: codes are limited by number, account and address', async () => {
    service().limit();
    const accounts = await Promise.all(
      ['a', 'b', 'c'].map((name) => makeMember(service(), { email: `${name}@example.com` })),
    );
    const [a, b, c] = accounts.map(({ token }) => ({ token }));
    await prove();
    const { id } = await add(MOBILE, 'SMS', a);
    await act('sendChannelCode', { id }, a);
    await add(MOBILE, 'SMS', b);
    expect(await refused('addChannel', { kind: 'SMS', address: MOBILE }, c)).toBe(
      'TOO_MANY_REQUESTS',
    );
    for (let i = 0; i < 3; i++) await add(`@${i}`, 'CHAT', a);
    expect(await refused('addChannel', { kind: 'CHAT', address: '@3' }, a), 'the sixth').toBe(
      'TOO_MANY_REQUESTS',
    );
    expect(receiver().texts).toHaveLength(6);
  });

  it.each(['SMS', 'CHAT'])(
    'of kind %s is added by nobody who has not proven an e-mail address: nothing is sent',
    async (kind) => {
      const address = kind === 'SMS' ? MOBILE : '@mina';
      const guest = await service().rest('POST', '/v1/guest', {
        edition: 'B',
        body: { language: 1 },
      });
      const { token } = await makeMember(service());
      for (const by of [{ token: guest.body.token }, { token }])
        expect(await refused('addChannel', { kind, address }, by)).toBe('EMAIL_UNPROVEN');
      expect([receiver().texts, await stored()]).toStrictEqual([[], []]);
      await service().database.prisma.account.updateMany({
        where: { email: 'mina@example.com' },
        data: { emailProvenAt: new Date() },
      });
      const { id } = await add(address, kind, { token });
      await service().database.prisma.account.updateMany({ data: { emailProvenAt: null } });
      expect(await refused('sendChannelCode', { id }, { token }), 'a new code').toBe(
        'EMAIL_UNPROVEN',
      );
      expect(receiver().texts).toHaveLength(1);
    },
  );

  it('is added from a day after the account was made, or as the operator says', async () => {
    const other = await service().under({ ...receiver().variables, MESSAGES_ACCOUNT_HOURS: '24' });
    whenOver(() => other.stop());
    const made = Date.parse('2026-03-10T08:00:00Z');
    await service().account('subscriber');
    await service().database.prisma.account.updateMany({ data: { createdAt: new Date(made) } });
    const input = { kind: 'SMS', address: MOBILE };
    const add = mutation('addChannel', 'channel { kind }');
    other.at(made + 24 * 60 * MINUTE - 1);
    const { errors } = await other.ask(add, { input });
    expect(errors?.[0]).toMatchObject({
      message: expect.stringContaining('2026-03-11T08:00:00.000Z'),
      extensions: { code: 'ACCOUNT_TOO_YOUNG' },
    });
    expect(receiver().texts).toStrictEqual([]);
    other.at(made + 24 * 60 * MINUTE);
    expect((await other.data(add, { input })).addChannel.channel).toStrictEqual({ kind: 'SMS' });
  });

  it('is a number of a country that gets texts, as the operator says', async () => {
    const other = await service().under({ ...receiver().variables, MESSAGES_COUNTRIES: 'GB,US' });
    whenOver(() => other.stop());
    const add = mutation('addChannel', 'channel { id }');
    const code = async (from: Harness, address: string) =>
      errorCode(
        (await from.graphql(add, { input: { kind: 'SMS', address } }, { as: 'subscriber' })).body,
      );
    expect(await code(service(), '+53 5 1234567'), 'Cuba, by default').toBe(
      'CHANNEL_ADDRESS_INVALID',
    );
    expect(await code(other, MOBILE), 'Germany').toBe('CHANNEL_ADDRESS_INVALID');
    expect(receiver().texts).toStrictEqual([]);
    expect(await code(other, '+44 7400 123456')).toBeUndefined();
    const { id } = await service()
      .data('{ channels { id } }')
      .then(({ channels }) => channels[0]);
    const none = await service().under({ ...receiver().variables, MESSAGES_COUNTRIES: 'US' });
    whenOver(() => none.stop());
    const again = mutation('sendChannelCode', 'channel { id }');
    expect(
      errorCode((await none.graphql(again, { input: { id } }, { as: 'subscriber' })).body),
      'also where it was added before',
    ).toBe('CHANNEL_ADDRESS_INVALID');
    expect(receiver().texts).toHaveLength(1);
  });

  it('gets a code from one budget of all members: above it nobody gets any for an hour, and the operator is alarmed once', async () => {
    service().limit();
    service().at('2026-03-10T08:00:00Z');
    let logged = '';
    const log = makeLog('error', { write: (line) => (logged += line) });
    const other = await service().under({ ...receiver().variables, MESSAGES_CODES_PER_HOUR: '3' });
    whenOver(() => other.stop());
    const alarmed = await other.beside({ log });
    whenOver(() => alarmed.stop());
    const accounts = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) =>
        makeMember(service(), { email: `${name}@example.com` }),
      ),
    );
    await prove();
    const add = mutation('addChannel', 'channel { id }');
    const codes = async () => {
      const answers: unknown[] = [];
      for (const [i, { token }] of accounts.entries()) {
        const input = { kind: 'CHAT', address: `@${i}-${service().now()}` };
        answers.push(
          errorCode((await alarmed.graphql(add, { input }, { headers: bearer(token) })).body),
        );
      }
      return answers;
    };
    const limited = 'TOO_MANY_REQUESTS';
    expect(await codes()).toStrictEqual([undefined, undefined, undefined, limited, limited]);
    expect(receiver().texts).toHaveLength(3);
    expect(logged.match(/MESSAGES_CODES_PER_HOUR/g)).toHaveLength(1);
    expect(await registry.metrics()).toContain('care_channel_codes_left 0');
    service().at(service().now() + 60 * MINUTE);
    for (const account of accounts)
      account.token = (
        await service().rest('GET', `/v1/refreshToken`, {
          query: { refreshToken: account.refreshToken },
        })
      ).body.token;
    expect((await codes()).filter((code) => code === undefined)).toHaveLength(3);
  });

  it('goes after a day when nobody proves it', async () => {
    await add();
    await verified('@mina', 'CHAT');
    service().at(service().now() + DAY + 1);
    expect(await pruneDeliveries(service().app.deps, going)).toBe(1);
    expect(await list()).toMatchObject([{ kind: 'CHAT' }]);
  });

  it('is encrypted, and encrypted again when SECRET_KEY is replaced', async () => {
    await verified();
    const text = async () => JSON.stringify(await stored());
    expect(await text()).not.toContain(MOBILE.slice(-8));
    const before = (await stored())[0]?.token ?? '';
    const { database } = service().app.deps;
    const first = 'the first key of thirty-two characters';
    const second = 'the second key of thirty-two characters';
    const address = openAddress(service().app.deps.keys, before) ?? '';
    const token = sealAddress(new Keys(first), address);
    await database.prisma.device.updateMany({ data: { token } });
    const keys = new Keys(second, { previous: first });
    expect(await resealChannels({ database, keys: new Keys(second) })).toBe(0);
    expect(await resealChannels({ database, keys })).toBe(1);
    expect(await resealChannels({ database, keys })).toBe(0);
    expect(openAddress(new Keys(second), (await stored())[0]?.token ?? '')).toBe(MOBILE);
  });

  it('is in the export of the account, and goes with it', async () => {
    await service().account('administrator');
    const { token } = await makeMember(service(), {
      password: 'correct horse battery',
      language: 2,
    });
    await prove();
    await add('@mina', 'CHAT', { token });
    expect(receiver().texts[0]?.text, 'in the language of the member').toMatch(
      /^Mit dem Code \d{6} erlauben Sie Care, Ihnen hier Erinnerungen zu senden\.$/,
    );
    await verified(MOBILE, 'SMS', { token });
    const query = 'mutation { exportMyData { export { document } } }';
    const { document } = (await service().data(query, {}, { token })).exportMyData.export;
    expect(document.devices).toStrictEqual([]);
    expect(document.channels).toMatchObject([
      { kind: 'chat', address: '@mina', verifiedAt: null },
      { kind: 'sms', address: MOBILE, reminders: true },
    ]);
    expect(JSON.stringify(document.channels)).not.toContain('codeHash');
    const input = { password: 'correct horse battery' };
    const erase =
      'mutation($input: EraseMyAccountInput!) { eraseMyAccount(input: $input) { __typename } }';
    await service().data(erase, { input }, { token });
    expect(await service().database.prisma.channel.count()).toBe(0);
    expect(await stored()).toStrictEqual([]);
  });
});

describe('Without a webhook', () => {
  const service = useService();
  it('there are no channels, and the graph says so', async () => {
    expect((await service().data('{ channelKinds }')).channelKinds).toStrictEqual([]);
    const query =
      'mutation { addChannel(input: { kind: SMS, address: "+4915112345678" }) { channel { id } } }';
    const { errors } = await service().ask(query, {}, 'subscriber');
    expect(errors?.[0]?.extensions?.code).toBe('CHANNELS_NOT_CONFIGURED');
  });
});
