import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { serviceContext } from '../../../core/service-context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isServed } from '../../../platform/push/no-provider.js';
import {
  CHANNEL_KINDS,
  isChannelKind,
  type RecipientKind,
  TOKEN_KINDS,
} from '../../../platform/push/push-transport.js';
import { queueNotice } from '../../mail/mail.service.js';
import { tellOfLostChannels } from '../channel/channel-loss.service.js';

const { sql } = Prisma;

/** A device whose token the provider has rejected permanently. */
export interface DeadDevice {
  /** Id of the device. */
  readonly id: number;
  /** When the failed message was sent. A device that was registered later is still in use. */
  readonly sentAt: Date;
  /** The hash of the token that it was sent to, where that is known: another one may be in use by now. */
  readonly tokenHash?: string | undefined;
}

/**
 * Marks devices and channels as dead, and deletes the tokens of devices; channels keep their
 * addresses, so that members see which they lost. A member who loses the last device is told by
 * mail, once; one who loses a channel by the other channels, devices and mail.
 */
export async function markDevicesDead(deps: Deps, deaths: readonly DeadDevice[]): Promise<void> {
  await transact(await serviceContext(deps, 'mark devices dead'), async (context) => {
    const ids = deaths.map(({ id }) => id);
    // Two devices of one account may die at the same time. The second transaction waits for the
    // lock on the account, and then finds the first device dead.
    await context.db.$queryRaw`
      SELECT id FROM account WHERE id IN (SELECT account_id FROM device
        WHERE id = ANY(${ids}::int[])) ORDER BY id FOR NO KEY UPDATE`;
    const affected = await context.rows<{ accountId: number; kind: RecipientKind }>(sql`
      UPDATE device v SET dead_at = ${context.now().toISOString()}::timestamptz,
        token = CASE WHEN v.kind = ANY(${[...CHANNEL_KINDS]}::text[]) THEN v.token ELSE '' END
      FROM unnest(${ids}::int[], ${deaths.map(({ sentAt }) => sentAt.toISOString())}::text[],
          ${deaths.map(({ tokenHash }) => tokenHash ?? '')}::text[]) AS g(id, sent_at, token_hash)
      WHERE v.id = g.id AND v.dead_at IS NULL AND v.last_seen_at <= g.sent_at::timestamptz
        AND g.token_hash IN ('', v.token_hash)
      RETURNING v.account_id AS "accountId", v.kind`);
    const channels = affected.flatMap(({ accountId, kind }) =>
      isChannelKind(kind) ? { accountId, kind } : [],
    );
    await tellOfLostChannels(context, channels);
    await tellWithoutDevice(
      context,
      affected.filter(({ kind }) => !isChannelKind(kind)).map(({ accountId }) => accountId),
    );
  });
}

/**
 * Mails members whose message was missed because the kind of their device has no provider, or because
 * the provider refused our key, once for each device until a message reaches it or it registers again,
 * if no other device of theirs gets pushes.
 */
export async function tellOfUnserved(deps: Deps, ids: readonly number[]): Promise<void> {
  await transact(await serviceContext(deps, 'tell of unserved devices'), async (context) => {
    const affected = await context.rows<{ accountId: number }>(sql`
      UPDATE device v SET unserved_at = ${context.now().toISOString()}::timestamptz
      WHERE v.id = ANY(${[...ids]}::int[]) AND v.unserved_at IS NULL
      RETURNING v.account_id AS "accountId"`);
    const accountIds = affected.map(({ accountId }) => accountId);
    await tellWithoutDevice(context, accountIds, 'device_unserved');
  });
}

/**
 * Mails those of these accounts that have no device left for pushes: none of a kind with a provider
 * that is not marked as unserved. Call it inside the transaction that removed a device.
 */
export async function tellWithoutDevice(
  context: RequestContext,
  accountIds: readonly number[],
  template: 'device_lost' | 'device_unserved' = 'device_lost',
): Promise<void> {
  if (accountIds.length === 0) return;
  const served = TOKEN_KINDS.filter((kind) => isServed(context.deps.push[kind]));
  const unreachable = await context.rows<Unreachable>(sql`
    SELECT a.email, a.email_proven_at AS "emailProvenAt", a.name, l.code AS language FROM account a
      JOIN language l ON l.id = a.language_id
    WHERE a.id = ANY(${[...accountIds]}::int[]) AND a.email <> ''
      AND NOT EXISTS (SELECT 1 FROM device v WHERE v.account_id = a.id AND v.dead_at IS NULL
        AND v.suspended_at IS NULL AND v.kind = ANY(${served}::text[]) AND v.unserved_at IS NULL)`);
  for (const { email, name, language, ...proof } of unreachable)
    await queueNotice(context, { to: email, template, language, values: { name } }, proof);
}

interface Unreachable {
  readonly email: string;
  readonly emailProvenAt: Date | null;
  readonly name: string;
  readonly language: string;
}
