import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { deleteOnce, transact } from '../../../core/transact.js';
import { isGuest } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { inLanguage, type Spoken } from '../../../platform/language.js';
import { TOKEN_KINDS } from '../../../platform/push/push-transport.js';
import { fingerprint } from '../../../platform/push/token.js';
import { recordAudit } from '../../audit/audit.service.js';
import { queueNotice } from '../../mail/mail.service.js';
import { guardAddress } from '../../sign-in/limits/address-limits.service.js';
import { queueMessages } from '../delivery/delivery.service.js';
import { deviceNotFound } from './device.service.js';
import { RemovedDevice } from './device.types.js';

const { sql } = Prisma;

/**
 * Takes a device out of use by its token. The caller's own device is deleted. For any other token
 * the answer is the same: a registered device is suspended until it registers again, and its owners
 * are told, so nobody can silence another person without notice. Callers who have not signed up are
 * limited by address: TOO_MANY_REQUESTS.
 */
export async function removePushToken(
  context: RequestContext,
  token: string,
): Promise<RemovedDevice> {
  if (!context.viewer.id || isGuest(context.viewer))
    await guardAddress(context, 'pushTokenRemoval');
  const tokenHash = fingerprint(token);
  await transact(context, async (inner) => {
    const { count } = await inner.db.device.deleteMany({
      where: { tokenHash, accountId: context.viewer.id },
    });
    if (count === 0) await suspend(inner, tokenHash);
  });
  return Object.assign(new RemovedDevice(), { deleted: true });
}

/** What the owner of a suspended device is told. */
const SUSPENDED: Spoken<{ readonly title: string; readonly body: string }> = {
  en: {
    title: 'A device gets no more notifications',
    body:
      'Somebody who was not signed in removed one of your devices. Open the app on it to get ' +
      'notifications there again.',
  },
  de: {
    title: 'Ein Gerät empfängt nichts mehr',
    body:
      'Jemand hat, ohne angemeldet zu sein, eines Ihrer Geräte entfernt. Öffnen Sie dort die ' +
      'App, damit es wieder Mitteilungen empfängt.',
  },
};

/** Suspends the devices of a token, one for each account that holds it, and tells their owners. */
async function suspend(context: RequestContext, tokenHash: string): Promise<void> {
  const devices = await context.rows<{ id: number; accountId: number }>(sql`
    UPDATE device SET suspended_at = ${context.now().toISOString()}::timestamptz
    WHERE token_hash = ${tokenHash} AND suspended_at IS NULL AND dead_at IS NULL
      RETURNING id, account_id AS "accountId"`);
  for (const device of devices) await tellOfSuspension(context, device);
}

async function tellOfSuspension(
  context: RequestContext,
  { id, accountId }: { id: number; accountId: number },
): Promise<void> {
  const owner = await context.db.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { email: true, emailProvenAt: true, name: true, language: { select: { code: true } } },
  });
  await recordAudit(context, {
    action: 'device.suspend',
    subjectId: accountId,
    detail: { device: id },
  });
  await queueMessages(context, { kind: 'device_suspended' }, [
    {
      accountId,
      ...inLanguage(SUSPENDED, owner.language.code),
      messageId: randomUUID(),
      sendAt: context.now(),
    },
  ]);
  if (owner.email) {
    const mail = {
      to: owner.email,
      template: 'device_suspended',
      language: owner.language.code,
      values: { name: owner.name },
    } as const;
    await queueNotice(context, mail, owner);
  }
}

/** Deletes one of the caller's devices. Throws DEVICE_NOT_FOUND for any other. */
export async function removeDevice(context: RequestContext, id: number): Promise<void> {
  const where = { id, accountId: context.viewer.id, kind: { in: [...TOKEN_KINDS] } };
  await deleteOnce(context, async ({ db }) => {
    if ((await db.device.deleteMany({ where })).count === 0) throw deviceNotFound();
    return where;
  });
}
