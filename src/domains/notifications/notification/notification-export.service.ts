import type { RequestContext } from '../../../core/context.js';

const WHAT_WAS_SAID = {
  id: true,
  kind: true,
  title: true,
  body: true,
  data: true,
  createdAt: true,
  sendAt: true,
} as const;

/** What the account was told, and what it is told later. */
export async function exportNotifications(
  { db }: RequestContext,
  accountId: number,
): Promise<object[]> {
  const select = { ...WHAT_WAS_SAID, readAt: true } as const;
  return db.notification.findMany({ where: { accountId }, orderBy: { id: 'asc' }, select });
}

/** What others were told of the account, and who. */
export async function exportNotices({ db }: RequestContext, accountId: number): Promise<object[]> {
  const select = { ...WHAT_WAS_SAID, accountId: true } as const;
  return db.notification.findMany({
    where: { aboutId: accountId },
    orderBy: { id: 'asc' },
    select,
  });
}

/** How the account wants to be told; null when it chose nothing. */
export async function exportNotificationPreference(
  { db }: RequestContext,
  accountId: number,
): Promise<object | null> {
  return db.notificationPreference.findUnique({ where: { accountId } });
}

/** The devices of the account, without the tokens by which they are reached. */
export async function exportDevices({ db }: RequestContext, accountId: number): Promise<object[]> {
  const select = {
    id: true,
    kind: true,
    platform: true,
    createdAt: true,
    lastSeenAt: true,
    suspendedAt: true,
    deadAt: true,
  } as const;
  return db.device.findMany({ where: { accountId }, orderBy: { id: 'asc' }, select });
}
