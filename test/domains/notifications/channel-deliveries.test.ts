import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queueJob } from '../../../src/app/queues.js';
import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { settleUndelivered } from '../../../src/domains/dispatch/undelivered.service.js';
import { expandDue } from '../../../src/domains/notifications/delivery/delivery.service.js';
import { DeliveryWorker } from '../../../src/domains/notifications/delivery/delivery.worker.js';
import { LEASE } from '../../../src/domains/notifications/delivery/delivery-claim.service.js';
import { markDevicesDead } from '../../../src/domains/notifications/device/device-loss.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { openChannels } from '../../../src/platform/channel/channels.js';
import type { Database } from '../../../src/platform/database/database.js';
import { ConnectionError } from '../../../src/platform/database/database-errors.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { Outbox, outboxFile } from '../../../src/platform/push/push-outbox.js';
import { makeAnswer, makeCarer, makeDevice, makeMedicine } from '../../support/factories.js';
import { mutation, useService } from '../../support/harness.js';
import { whenOver } from '../../support/running.js';
import { standIn } from '../../support/stand-in.js';
import { going, MINUTE, SECOND } from './expo-deliveries.js';
import { MOBILE, ownChannels, useReceiver } from './own-channels.js';

const EVENING = Date.parse('2026-03-09T20:00:00Z');
const EIGHT = Date.parse('2026-03-10T08:00:00Z');

describe('A reminder by channel', () => {
  const { receiver, variables } = useReceiver();
  const service = useService(variables);
  const { act, list, verified, deliver } = ownChannels(service, receiver);
  const texts = () => receiver().texts;
  beforeEach(() => service().at(EVENING));
  const states = async () =>
    (await service().database.prisma.delivery.findMany({ orderBy: { id: 'asc' } })).map(
      ({ kind, state, code }) => `${kind} ${state} ${code ?? ''}`.trim(),
    );
  const prefer = (input: object) =>
    service().data(
      mutation('updateNotificationPreference', 'notificationPreference { quietStart }'),
      { input },
    );
  /** Aspirin at eight, which is due. */
  const due = async () => {
    service().at(EVENING);
    await makeMedicine(service());
    await planDue(service().app.deps);
    service().at(EIGHT);
    await handOver(service().app.deps);
  };
  const pass = (milliseconds: number) => service().at(service().now() + milliseconds);

  it('comes once on each channel and device, under an id of its own, without a name', async () => {
    await verified();
    await verified('@mina', 'CHAT');
    await makeDevice(service());
    await due();
    await deliver();
    await new DeliveryWorker(service().app.deps, 'expo').run(going);
    await handOver(service().app.deps);
    await deliver();
    expect(await states()).toStrictEqual(
      expect.arrayContaining(['sms sent 204', 'chat sent 204', 'expo sent outbox']),
    );
    expect(await states()).toHaveLength(3);
    expect(texts().map(({ id: _, ...text }) => text)).toStrictEqual(
      [
        { channel: 'SMS', to: MOBILE },
        { channel: 'CHAT', to: '@mina' },
      ].map((to) => ({
        ...to,
        text: 'Reminder: It is time for your medicine.',
        kind: 'REMINDER',
        silent: false,
        due_at: '2026-03-10T08:00:00.000Z',
        expires_at: '2026-03-10T08:30:00.000Z',
      })),
    );
    expect(new Set(texts().map(({ id }) => id)).size).toBe(2);
  });

  it('names medicines and is silent as the member prefers', async () => {
    await verified();
    await prefer({ lockScreenNames: true, quietStart: '07:00', quietEnd: '09:00' });
    await due();
    await deliver();
    expect(texts()).toMatchObject([
      { text: 'Reminder: It is time for Aspirin.', silent: true, kind: 'REMINDER' },
    ]);
  });

  it('says an amount to its last decimal, on a channel and a device', async () => {
    await verified();
    await makeDevice(service());
    await prefer({ lockScreenNames: true });
    service().at(EVENING);
    for (const [name, amount] of Object.entries({ Digoxin: 0.0625, Desmopressin: 0.05 })) {
      const id = await makeMedicine(service(), { name });
      const input = { id, unit: 'mg', steps: [{ amount }] };
      await service().data(mutation('setDoseAmounts', '__typename'), { input });
    }
    await planDue(service().app.deps);
    service().at(EIGHT);
    await handOver(service().app.deps);
    await deliver();
    const { deps } = service().app;
    const folder = mkdtempSync(join(tmpdir(), 'care-test-'));
    whenOver(() => rmSync(folder, { recursive: true, force: true }));
    const push = { ...deps.push, expo: new Outbox(outboxFile(folder), 'expo') };
    await new DeliveryWorker({ ...deps, push }, 'expo').run(going);
    const words = 'It is time for Digoxin (0.0625 mg) and Desmopressin (0.05 mg).';
    expect(texts().map(({ text }) => text)).toStrictEqual([`Reminder: ${words}`]);
    expect(JSON.parse(readFileSync(outboxFile(folder), 'utf8')).body).toBe(words);
  });

  it('does not come on one that is not verified, or that the member switched off', async () => {
    const id = await verified();
    await act('addChannel', { kind: 'CHAT', address: '@mina' });
    await act('updateChannel', { id, reminders: false });
    texts().length = 0;
    await due();
    expect(await states()).toStrictEqual([]);
    await act('updateChannel', { id, reminders: true });
    service().at(EIGHT + 24 * 60 * MINUTE);
    await handOver(service().app.deps);
    await act('updateChannel', { id, reminders: false });
    await deliver();
    expect(await states(), 'switched off on its way').toStrictEqual(['sms cancelled']);
    expect(texts()).toStrictEqual([]);
  });

  it('is tried again under the same id when it fails, and waits as it is asked to', async () => {
    await verified();
    receiver().reply = (_, count) =>
      [{ status: 500 }, { status: 429, headers: { 'Retry-After': '40' } }, { drop: true }][
        count - 1
      ] ?? { status: 204 };
    await due();
    await deliver();
    pass(2500);
    await deliver();
    expect(await states()).toStrictEqual(['sms planned 429']);
    pass(39 * SECOND);
    await deliver();
    expect(texts()).toHaveLength(2);
    pass(SECOND);
    await deliver();
    pass(10 * SECOND);
    await deliver();
    expect(await states()).toStrictEqual(['sms sent 204']);
    expect(texts()).toHaveLength(4);
    expect(new Set(texts().map(({ id }) => id)).size).toBe(1);
    pass(MINUTE);
    await deliver();
    expect(texts()).toHaveLength(4);
  });

  it('comes again under the same id when the process died before it wrote that it was sent', async () => {
    await verified();
    await due();
    const { deps } = service().app;
    const query: Database['query'] = (text, values) =>
      text.includes('o.state')
        ? Promise.reject(new ConnectionError('killed'))
        : deps.database.query(text, values);
    const dying = { ...deps, database: standIn(deps.database, { query }) };
    receiver().reply = (_, count) => {
      if (count === 1) pass(LEASE + 1);
      return { status: 204 };
    };
    await expect(new DeliveryWorker(dying, 'sms').run(going)).rejects.toThrow('killed');
    expect(await states()).toStrictEqual(['sms planned']);
    await deliver();
    expect(await states()).toStrictEqual(['sms sent 204']);
    expect(texts()).toHaveLength(2);
    expect(new Set(texts().map(({ id }) => id)).size, 'the receiver can drop it').toBe(1);
  });

  it('is missed when the receiver fails until it expires: carers are told', async () => {
    await verified();
    const member = await service().account('subscriber');
    const carer = await service().account('contributor');
    await makeCarer(service(), { memberId: member.id, carerId: carer.id });
    await makeAnswer(service(), member.id);
    receiver().reply = () => ({ status: 401 });
    await due();
    for (let i = 0; i < 20 && (await states())[0]?.startsWith('sms planned'); i++) {
      await deliver();
      pass(5 * MINUTE);
    }
    expect(await states()).toStrictEqual(['sms missed 401']);
    expect(await settleUndelivered(service().app.deps)).toBe(1);
    await handOver(service().app.deps);
    const told = await service().database.prisma.notification.findMany({
      where: { kind: 'missed' },
    });
    expect(told.map(({ accountId }) => accountId)).toStrictEqual([carer.id]);
  });

  it('is missed when nobody delivered it before it expired: carers are told', async () => {
    await verified();
    const member = await service().account('subscriber');
    const carer = await service().account('contributor');
    await makeCarer(service(), { memberId: member.id, carerId: carer.id });
    await makeAnswer(service(), member.id);
    await due();
    pass(31 * MINUTE);
    await deliver();
    expect(await states()).toStrictEqual(['sms missed']);
    expect(await settleUndelivered(service().app.deps)).toBe(1);
    await handOver(service().app.deps);
    const told = await service().database.prisma.notification.findMany({
      where: { kind: 'missed' },
    });
    expect(told.map(({ accountId }) => accountId)).toStrictEqual([carer.id]);
  });

  it('whose address is gone switches the channel off; the member is told elsewhere, once', async () => {
    const id = await verified();
    await verified('@mina', 'CHAT');
    await makeDevice(service());
    receiver().reply = ({ channel }) => ({ status: channel === 'SMS' ? 410 : 204 });
    await due();
    await deliver();
    await deliver();
    expect(texts().map(({ channel, kind }) => `${channel} ${kind}`)).toStrictEqual([
      'SMS REMINDER',
      'CHAT REMINDER',
      'CHAT CHANNEL_LOST',
    ]);
    expect(texts()[2]?.text).toBe(
      'No more text messages: Your number does not take our text messages any more. They are ' +
        'switched off.',
    );
    expect(await states()).toContain('sms dead 410');
    expect((await states()).filter((state) => state.startsWith('expo'))).toHaveLength(2);
    const [lost] = await list();
    expect(lost).toMatchObject({ id, address: MOBILE });
    expect(lost.lostAt).not.toBeNull();
    const mails = await service().database.prisma.outgoingMail.findMany();
    expect(mails.map(({ template, to }) => [template, to])).toStrictEqual([
      ['channel_lost', 'subscriber@example.com'],
    ]);
    receiver().reply = () => ({ status: 204 });
    await act('sendChannelCode', { id });
    const proven = await act('verifyChannel', { id, code: receiver().code });
    expect([proven.lostAt, proven.reminders], 'in use again').toStrictEqual([null, true]);
  });

  it('does not spare the mail about the last device: a number is no device', async () => {
    await verified();
    await makeDevice(service());
    const device = await service().database.prisma.device.findFirstOrThrow({
      where: { kind: 'expo' },
    });
    await markDevicesDead(service().app.deps, [{ id: device.id, sentAt: new Date() }]);
    const mails = await service().database.prisma.outgoingMail.findMany();
    expect(mails.map(({ template }) => template)).toStrictEqual(['device_lost']);
  });

  it('is all that channels get: what people write goes to devices alone', async () => {
    await verified();
    await makeDevice(service());
    const sending = {
      as: 'subscriber',
      body: { title: 'Your results are here' },
      headers: { 'Idempotency-Key': 'results-1' },
    } as const;
    for (const time of ['first', 'again'])
      expect((await service().rest('POST', '/v1/notify', sending)).body.queued, time).toBe(1);
    await service().rest('POST', '/v1/notify', {
      as: 'subscriber',
      body: { title: 'Later', send_at: new Date(service().now() + MINUTE).toISOString() },
    });
    pass(2 * MINUTE);
    expect(await expandDue(service().app.deps)).toBe(1);
    expect(await states()).toStrictEqual(['expo planned', 'expo planned']);
  });

  it('is counted while it is due, and is missed when the webhook was taken away', async () => {
    await verified();
    await due();
    const { deps } = service().app;
    await queueJob(deps).run(going);
    expect(await registry.metrics()).toContain('care_queue_depth{queue="deliver sms"} 1\n');
    const none = openChannels(
      { MESSAGES_WEBHOOK_URL: undefined, MESSAGES_WEBHOOK_SECRET: undefined },
      deps.keys,
    );
    const without = { ...deps, push: { ...deps.push, ...none } };
    await new DeliveryWorker(without, 'sms').run(going);
    expect(await states(), 'another process may have it').toStrictEqual(['sms planned']);
    pass(10 * SECOND);
    await new DeliveryWorker(without, 'sms').run(going);
    expect(await states()).toStrictEqual(['sms missed not_configured']);
    expect(await settleUndelivered(deps), 'the member was told by nothing').toBe(1);
    expect(await registry.metrics()).toContain('care_push_turns_total{kind="sms",state="missed"}');
  });
});
