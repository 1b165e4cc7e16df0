import type { RequestContext } from '../../../core/context.js';
import { TOKEN_KINDS } from '../../../platform/push/push-transport.js';

const NOTIFICATION_FIELDS = {
  id: true,
  kind: true,
  title: true,
  body: true,
  data: true,
  createdAt: true,
  sendAt: true,
} as const;

/**
 * Returns the notifications of the account. A message that is still planned is its sender's, who may
 * take it back.
 */
export async function exportNotifications(
  { db }: RequestContext,
  accountId: number,
): Promise<object[]> {
  const select = { ...NOTIFICATION_FIELDS, readAt: true } as const;
  const where = { accountId, state: 'queued' };
  return exported(await db.notification.findMany({ where, orderBy: { id: 'asc' }, select }));
}

/** Returns the notifications about the account that others got, and who got them. */
export async function exportNotices({ db }: RequestContext, accountId: number): Promise<object[]> {
  const select = { ...NOTIFICATION_FIELDS, accountId: true } as const;
  return exported(
    await db.notification.findMany({
      where: { aboutId: accountId },
      orderBy: { id: 'asc' },
      select,
    }),
  );
}

const exported = (rows: readonly { readonly id: bigint }[]): object[] =>
  rows.map((row) => ({ ...row, id: Number(row.id) }));

/** Returns the account's notification preference; null when it has chosen nothing. */
export async function exportNotificationPreference(
  { db }: RequestContext,
  accountId: number,
): Promise<object | null> {
  return db.notificationPreference.findUnique({ where: { accountId } });
}

/** Returns the devices of the account, without their tokens. */
export async function exportDevices({ db }: RequestContext, accountId: number): Promise<object[]> {
  const omit = { accountId: true, token: true, tokenHash: true } as const;
  const where = { accountId, kind: { in: [...TOKEN_KINDS] } };
  return db.device.findMany({ where, orderBy: { id: 'asc' }, omit });
}

/** Returns what was sent to which device of the account. */
export async function exportDeliveries(
  { db }: RequestContext,
  accountId: number,
): Promise<object[]> {
  const omit = { claim: true, ticket: true, nextAt: true, news: true, lost: true } as const;
  const where = { device: { accountId } };
  const rows = await db.delivery.findMany({ where, orderBy: { id: 'asc' }, omit });
  return exported(rows.map((row) => ({ ...row, notificationId: Number(row.notificationId) })));
}
