import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { hold, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isServed } from '../../../platform/push/no-provider.js';
import { TOKEN_KINDS, type TokenKind } from '../../../platform/push/push-transport.js';
import {
  fingerprint,
  isPublicEndpoint,
  isWellFormed,
  kindOf,
  subscriptionOf,
} from '../../../platform/push/token.js';
import { holdSignIn } from '../../accounts/sign-in-lock.service.js';
import { recordAudit } from '../../audit/audit.service.js';
import { cancelDeliveries } from '../delivery/delivery.service.js';
import type { RegisterDeviceInput } from './device.inputs.js';
import { Device } from './device.types.js';
import { tellWithoutDevice } from './device-loss.service.js';

const { sql } = Prisma;
const KINDS = [...TOKEN_KINDS];

/**
 * Maximum number of devices of one account. A new device replaces dead ones first, then the one
 * that was not seen for longest.
 */
export const MOST_DEVICES = 20;

const SHOWN = {
  id: true,
  kind: true,
  platform: true,
  createdAt: true,
  lastSeenAt: true,
  suspendedAt: true,
  deadAt: true,
} as const;

/** Returns those of these devices that are the caller's. */
export async function devicesById(
  context: RequestContext,
  ids: readonly number[],
): Promise<Device[]> {
  const { db, viewer } = context;
  const where = { id: { in: [...ids] }, accountId: viewer.id, kind: { in: KINDS } };
  const rows = await db.device.findMany({ where, select: SHOWN });
  return rows.map((row) => deviceOf(context, row));
}

const deviceOf = ({ deps }: RequestContext, row: { kind: string }) =>
  Object.assign(new Device(), row, { isServed: isServed(deps.push[row.kind as TokenKind]) });

/** Returns the caller's devices, last seen first. */
export async function ownDevices(context: RequestContext): Promise<Device[]> {
  const { db, viewer } = context;
  const rows = await db.device.findMany({
    where: { accountId: viewer.id, kind: { in: KINDS } },
    select: SHOWN,
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map((row) => deviceOf(context, row));
}

/**
 * Registers a device for the caller, or renews it. A suspended or dead device is in use again. A
 * device of another account moves to the caller where a sign-in shows that the phone changed hands:
 * the caller signed in after that account was last seen on it. Its deliveries for that account are
 * cancelled. Otherwise both accounts have the device, and each gets its own messages there. An
 * installation with a new token stays the same device: its deliveries go to the new token. That
 * includes a delivery that is being sent to the old token now, with the same message id. Throws
 * PUSH_TOKEN_INVALID for a token that cannot be sent to.
 */
export async function registerDevice(
  context: RequestContext,
  input: RegisterDeviceInput,
): Promise<Device> {
  const kind = kindOf(input.token);
  refuseToken(context, input.token, 'token');
  const accountId = context.viewer.id;
  const id = await transact(
    context,
    async (inner) => {
      await holdSignIn(inner);
      const known = await knownDevices(inner, input);
      const id = await storeDevice(inner, input, known, inner.now());
      for (const moved of known.moving) {
        await cancelDeliveries(inner, moved.id);
        if (moved.id !== id) await takeOverDeliveries(inner, { id, kind }, moved.id);
        await tellOfMove(inner, moved);
      }
      if (known.old) await takeOverDeliveries(inner, { id, kind }, known.old.id);
      await inner.db.$executeRaw`
        DELETE FROM device WHERE account_id = ${accountId} AND kind = ANY(${KINDS}::text[])
          AND id NOT IN (SELECT id FROM device WHERE account_id = ${accountId}
            AND kind = ANY(${KINDS}::text[]) ORDER BY dead_at IS NOT NULL,
            last_seen_at DESC, id DESC LIMIT ${MOST_DEVICES})`;
      return id;
    },
    { replayable: true },
  );
  const row = await context.db.device.findFirst({ where: { id, accountId }, select: SHOWN });
  if (!row) throw deviceNotFound();
  return deviceOf(context, row);
}

/** A device by its row. */
interface KnownDevice {
  readonly id: number;
  readonly accountId: number;
}

/** The rows that a registration finds, locked. */
interface KnownDevices {
  /** The caller's device of the token. */
  readonly own: KnownDevice | undefined;
  /** The devices of the token that move to the caller. */
  readonly moving: readonly KnownDevice[];
  /** The caller's device of the installation, with another token. */
  readonly old: { readonly id: number } | undefined;
}

async function knownDevices(
  context: RequestContext,
  { token, installation }: RegisterDeviceInput,
): Promise<KnownDevices> {
  const { id: accountId, sessionId = null } = context.viewer;
  const tokenHash = fingerprint(token);
  // The lock makes two simultaneous registrations of one installation result in one device: the
  // second finds the first.
  if (installation) await hold(context, `installation:${accountId}:${installation}`);
  const found = await context.rows<KnownDevice & { moves: boolean }>(sql`
    SELECT v.id, v.account_id AS "accountId", EXISTS (SELECT FROM session s
      WHERE s.id = ${sessionId}::uuid AND s.created_at > v.last_seen_at) AS moves
    FROM device v WHERE v.token_hash = ${tokenHash} ORDER BY v.id FOR UPDATE OF v`);
  const own = found.find((device) => device.accountId === accountId);
  const moving = found.filter((device) => device.accountId !== accountId && device.moves);
  const [old] = installation
    ? await context.rows<{ id: number }>(sql`
        SELECT id FROM device WHERE account_id = ${accountId} AND installation = ${installation}
          AND token_hash <> ${tokenHash} FOR UPDATE`)
    : [];
  return { own, moving, old };
}

/**
 * Writes the row of a registration: the caller's own of the token, else one that moves, else the
 * installation's, else a new one.
 */
async function storeDevice(
  { db, viewer }: RequestContext,
  { token, platform, installation }: RegisterDeviceInput,
  { own, moving, old }: KnownDevices,
  now: Date,
): Promise<number> {
  const accountId = viewer.id;
  const tokenHash = fingerprint(token);
  const ofToken = own ?? moving[0];
  if (old && ofToken)
    await db.device.update({
      where: { id: old.id },
      data: { installation: null },
      select: { id: true },
    });
  const data = {
    accountId,
    kind: kindOf(token),
    token,
    lastSeenAt: now,
    suspendedAt: null,
    deadAt: null,
    unservedAt: null,
    ...((platform || !own) && { platform: platform ?? '' }),
    ...((installation || !own) && { installation: installation || null }),
  };
  const row = ofToken ?? old;
  const { id } = await db.device.upsert({
    where: row ? { id: row.id } : { tokenHash_accountId: { tokenHash, accountId } },
    create: { ...data, tokenHash, createdAt: now },
    update: { ...data, tokenHash },
    select: { id: true },
  });
  return id;
}

/** What kinds of token are called to app developers. */
const CALLED: Readonly<Record<TokenKind, string>> = {
  expo: 'Expo push tokens',
  fcm: 'FCM registration tokens',
  web: 'Web Push subscriptions',
};

/**
 * Throws PUSH_TOKEN_INVALID for a text of a form that no provider issues, for a Web Push
 * subscription of an address that is not public, and for a kind without a provider; `param` is the
 * argument that holds it. Whether a provider knows the token is found out by the first push.
 */
export function refuseToken({ deps }: RequestContext, token: string, param: string): void {
  const invalid = (message: string) => refuse('PUSH_TOKEN_INVALID', message, { param });
  const kind = kindOf(token);
  if (!isWellFormed(token))
    throw invalid(
      kind === 'web'
        ? 'This Web Push subscription lacks an endpoint or usable keys: send what PushSubscription.toJSON() returns.'
        : 'This is no push token: send what Expo (ExponentPushToken[…]) or FCM gave the app, or a Web Push subscription. FCM makes tokens for iOS too; those of APNs are not taken.',
    );
  if (!isServed(deps.push[kind])) {
    const served = TOKEN_KINDS.filter((each) => isServed(deps.push[each]));
    throw invalid(
      `This service sends no pushes to ${CALLED[kind]}, only to ${served.map((each) => CALLED[each]).join(' and ')}.`,
    );
  }
  const loopback = deps.config.WEB_PUSH_LOOPBACK === 'on';
  if (kind === 'web' && !isPublicEndpoint(subscriptionOf(token)?.endpoint ?? '', { loopback }))
    throw invalid('The endpoint of this Web Push subscription is no public https address.');
}

/**
 * Moves the deliveries of an installation's former device row to its present one, and deletes the
 * former row if it is another one.
 */
async function takeOverDeliveries(
  inner: RequestContext,
  { id, kind }: { id: number; kind: string },
  oldId: number,
): Promise<void> {
  const now = inner.now().toISOString();
  await inner.db.$executeRaw`
    UPDATE delivery d SET device_id = ${id}::int,
      kind = CASE WHEN d.state = 'planned' THEN ${kind} ELSE d.kind END,
      claim = CASE WHEN d.state = 'planned' THEN NULL ELSE d.claim END,
      next_at = CASE WHEN d.state = 'planned' AND d.claim IS NOT NULL THEN ${now}::timestamptz
        ELSE d.next_at END
    WHERE d.device_id = ${oldId}::int AND NOT EXISTS (
      SELECT FROM delivery own WHERE own.notification_id = d.notification_id
        AND own.device_id = ${id}::int AND own.id <> d.id)`;
  if (oldId !== id) await inner.db.device.delete({ where: { id: oldId }, select: { id: true } });
}

/**
 * Audits that a device has moved from an account to the caller, and tells the account by mail if it
 * has no device left.
 */
async function tellOfMove(context: RequestContext, { id, accountId }: KnownDevice): Promise<void> {
  await recordAudit(context, {
    action: 'device.move',
    subjectId: accountId,
    detail: { device: id },
  });
  await tellWithoutDevice(context, [accountId]);
}

/** Returns the refusal for a device that the caller does not have. */
export const deviceNotFound = () =>
  refuse('DEVICE_NOT_FOUND', 'You have no such device.', { param: 'id' });
