import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { globalId } from '../../../core/node.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { parseMoment } from '../../../platform/moment.js';
import { isServed } from '../../../platform/push/no-provider.js';
import { isTooLarge, LARGEST_PAYLOAD } from '../../../platform/push/payload.js';
import {
  LATE_WINDOW,
  type PushContent,
  TOKEN_KINDS,
  type TokenKind,
} from '../../../platform/push/push-transport.js';
import { fingerprint } from '../../../platform/push/token.js';
import { instantOf } from '../../../platform/zone.js';
import { zoneOfAccount } from '../../accounts/member-zone.service.js';
import { recordAudits } from '../../audit/audit.service.js';
import { careRightsOver } from '../../care/care.service.js';
import { type QueuedNotification, queueMessages } from '../delivery/delivery.service.js';
import { registerDevice } from '../device/device.service.js';
import type { NotifyInput, SendNotificationInput } from './notification.inputs.js';
import type { NotificationKind, QueuedPush } from './notification.types.js';

const { sql } = Prisma;

/** Maximum number of accounts of one message, and of ids in one request. */
export const MOST_AT_ONCE = 1_000;
/** How far ahead a message may be planned, in milliseconds. */
const FARTHEST = 366 * 24 * 60 * 60_000;

/**
 * Registers a device for the caller when there is a token and no title. Otherwise sends a message:
 * see `sendNotification`.
 */
export async function notify(context: RequestContext, input: NotifyInput): Promise<QueuedPush> {
  const { title, body, data, pushToken, userId, userIds } = input;
  const named =
    typeof userId === 'number'
      ? [userId || context.viewer.id, ...(userIds ?? [])]
      : (userIds ?? []);
  if (pushToken && !title?.trim()) {
    if (named.some((id) => id !== context.viewer.id)) throw OUT_OF_REACH();
    await registerDevice(context, { token: pushToken });
    return answer([], { registered: true });
  }
  const sendAt = await momentOf(context, input.sendAt);
  const message = { title: title ?? '', body: body ?? null, data: data ?? null };
  const to = { pushToken: pushToken ?? null, recipientIds: named, sendAt };
  return sendNotification(context, { ...message, ...to });
}

/**
 * Queues a message for the caller, for other accounts, or for one device. Everything is checked
 * before anything is queued. Throws TITLE_REQUIRED, PUSH_TOO_LARGE, SEND_AT_INVALID, TOO_MANY.
 * Throws FORBIDDEN when an account or the device is unknown, or the caller may not message it.
 */
export async function sendNotification(
  context: RequestContext,
  input: SendNotificationInput,
): Promise<QueuedPush> {
  const { title, body, data } = input;
  refuseUntitled(title);
  const content = { title, body: body ?? '', data: data ?? {} };
  refuseTooLarge(content, 'fcm');
  refuseTooLarge(content, 'expo');
  const sendAt = input.sendAt ?? context.now();
  refuseFar(context, sendAt);
  const device = input.pushToken
    ? await deviceOf(context, input.pushToken, input.recipientIds ?? [])
    : undefined;
  const accountIds = recipients(context, input.recipientIds, device);
  await refuseOutOfReach(context, accountIds);
  await refuseForBrowsers(context, content, accountIds, device);
  return queue(context, 'message', content, { accountIds, sendAt, deviceId: device?.id });
}

/** Throws TITLE_REQUIRED for a blank title. */
export function refuseUntitled(title: string | null | undefined): void {
  if (!title?.trim())
    throw refuse('TITLE_REQUIRED', 'A message needs a title.', { param: 'title' });
}

/** Sends a test message to the caller's devices. */
export async function testPush(context: RequestContext): Promise<QueuedPush> {
  const content = {
    title: 'Test notification',
    body: 'Notifications reach this device.',
    data: {},
  };
  return queue(context, 'test', content, {
    accountIds: [context.viewer.id],
    sendAt: context.now(),
  });
}

interface Addressed {
  readonly accountIds: readonly number[];
  readonly sendAt: Date;
  readonly deviceId?: number | undefined;
}

async function queue(
  context: RequestContext,
  kind: NotificationKind,
  { title, body, data }: PushContent,
  { accountIds, sendAt, deviceId }: Addressed,
): Promise<QueuedPush> {
  const me = context.viewer.id;
  const text = Object.keys(data).length > 0 ? JSON.stringify(data) : '';
  const messages = accountIds.map((accountId) => ({
    accountId,
    title,
    body,
    data: text,
    messageId: randomUUID(),
    sendAt,
    ...(deviceId && { deviceId }),
  }));
  let queued: Pick<QueuedNotification, 'id' | 'devices'>[] | undefined;
  const id = await transact(
    context,
    async (inner) => {
      const queuedNow = await queueMessages(inner, { kind, createdBy: me }, messages);
      if (queuedNow.length < messages.length) throw OUT_OF_REACH();
      const others = queuedNow.filter(({ accountId }) => accountId !== me);
      await recordAudits(
        inner,
        others.map(({ accountId: subjectId, id }) => ({
          action: 'notification.send',
          subjectId,
          detail: { notification: id },
        })),
      );
      queued = queuedNow;
      return queuedNow[0]?.id ?? 0;
    },
    { replayable: true },
  );
  return answer(queued ?? (await queuedWith(context, id)));
}

/**
 * Returns what a repeated request queued the first time: the notification with this id, and those
 * that the same account created at the same moment with the same title and time.
 */
async function queuedWith(
  context: RequestContext,
  id: number,
): Promise<Pick<QueuedNotification, 'id' | 'devices'>[]> {
  const served = TOKEN_KINDS.filter((kind) => isServed(context.deps.push[kind]));
  return context.rows(sql`
    SELECT n.id, count(v.id)::int AS devices
    FROM notification first JOIN notification n ON n.created_by = first.created_by
      AND n.created_at = first.created_at
      AND n.title = first.title AND n.send_at = first.send_at
    LEFT JOIN device v ON v.account_id = n.account_id AND (n.device_id IS NULL
      OR v.id = n.device_id)
      AND v.kind = ANY(${served}::text[]) AND v.dead_at IS NULL AND v.suspended_at IS NULL
    WHERE first.id = ${id} GROUP BY n.id ORDER BY n.id`);
}

function answer(
  queued: readonly Pick<QueuedNotification, 'id' | 'devices'>[],
  { registered = false } = {},
): QueuedPush {
  const deviceCount = queued.reduce((devices, one) => devices + one.devices, 0);
  const notificationIds = queued.map(({ id }) => globalId('Notification', id));
  return { id: queued[0]?.id ?? null, notificationIds, deviceCount, registered };
}

/**
 * Returns the accounts of a message: the given ones, else the caller. For a device, its own
 * account; FORBIDDEN when another account is given too.
 */
function recipients(
  { viewer }: RequestContext,
  ids: readonly number[] | null | undefined,
  device: { accountId: number } | undefined,
): number[] {
  refuseTooMany(ids ?? [], 'recipientIds');
  const named = [...new Set(ids)];
  if (!device) return named.length > 0 ? named : [viewer.id];
  if (named.some((id) => id !== device.accountId)) throw OUT_OF_REACH();
  return [device.accountId];
}

/** Throws TOO_MANY when a request has more ids than allowed. */
export function refuseTooMany(ids: readonly number[], param: string): void {
  if (ids.length > MOST_AT_ONCE)
    throw refuse('TOO_MANY', `At most ${MOST_AT_ONCE} ids can be named at once.`, { param });
}

const OUT_OF_REACH = () => refuse('FORBIDDEN', 'Sorry, you are not allowed to do that.');

async function refuseOutOfReach(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<void> {
  const rights = await context.loader(careRightsOver).loadMany(accountIds);
  for (const right of rights) {
    if (right instanceof Error) throw right;
    if (!right?.has('message')) throw OUT_OF_REACH();
  }
}

interface TokenHolder {
  readonly id: number;
  readonly accountId: number;
}

/**
 * Returns the device of a token if it can get pushes. Where several accounts hold the token, it is
 * that of the first one in `named`, else the caller's, else the last seen of somebody within reach.
 * Throws FORBIDDEN for an unknown one, as for one that the caller may not message.
 */
async function deviceOf(
  context: RequestContext,
  token: string,
  named: readonly number[],
): Promise<TokenHolder> {
  const devices = await context.db.device.findMany({
    where: { tokenHash: fingerprint(token), deadAt: null, suspendedAt: null },
    select: { id: true, accountId: true },
    orderBy: { lastSeenAt: 'desc' },
  });
  const device =
    devices.find(({ accountId }) => named.includes(accountId)) ??
    devices.find(({ accountId }) => accountId === context.viewer.id) ??
    (await firstWithinReach(context, devices));
  if (!device) throw OUT_OF_REACH();
  return device;
}

async function firstWithinReach(
  context: RequestContext,
  devices: readonly TokenHolder[],
): Promise<TokenHolder | undefined> {
  const rights = await context
    .loader(careRightsOver)
    .loadMany(devices.map(({ accountId }) => accountId));
  return devices.find((_, i) => {
    const right = rights[i];
    if (right instanceof Error) throw right;
    return right?.has('message');
  });
}

function refuseTooLarge(content: PushContent, kind: TokenKind): void {
  if (!isTooLarge(kind, { ...content, id: '-'.repeat(22) })) return;
  throw refuse(
    'PUSH_TOO_LARGE',
    `Title, body and data are too large for a push: as JSON, with the id of the message, they may have ${LARGEST_PAYLOAD[kind].toLocaleString('en')} bytes.`,
  );
}

/**
 * Throws PUSH_TOO_LARGE when a recipient has a browser and the message does not fit into one record
 * of Web Push, which is a little smaller than the limit of other transports.
 */
async function refuseForBrowsers(
  context: RequestContext,
  content: PushContent,
  accountIds: readonly number[],
  device: { id: number } | undefined,
): Promise<void> {
  if (!isTooLarge('web', { ...content, id: '-'.repeat(22) })) return;
  const where = {
    accountId: { in: [...accountIds] },
    kind: 'web',
    deadAt: null,
    ...(device && { id: device.id }),
  };
  if (await context.db.device.findFirst({ where, select: { id: true } }))
    refuseTooLarge(content, 'web');
}

/**
 * Returns the given time, else now. A time without an offset is in the zone in which the caller's
 * reminders are planned. Throws SEND_AT_INVALID.
 */
export async function momentOf(
  context: RequestContext,
  sendAt: string | null | undefined,
): Promise<Date> {
  const now = context.now();
  if (!sendAt?.trim()) return now;
  const moment = parseMoment(sendAt);
  if (!moment?.clock)
    throw refuseTime('sendAt must be a date and time such as 2026-03-01T08:00:00.');
  const at = instantOf(
    moment,
    moment.offset === undefined ? await zoneOfAccount(context, context.viewer.id) : 'UTC',
  );
  refuseFar(context, at);
  return at;
}

/** Throws SEND_AT_INVALID for a time that is too long ago or too far ahead. */
export function refuseFar(context: RequestContext, at: Date): void {
  const ahead = at.getTime() - context.now().getTime();
  if (ahead <= -LATE_WINDOW || ahead > FARTHEST)
    throw refuseTime('A message can be sent from 30 minutes ago to 366 days ahead.');
}

const refuseTime = (message: string) => refuse('SEND_AT_INVALID', message, { param: 'sendAt' });
