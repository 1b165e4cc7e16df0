import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { serviceContext } from '../../../core/service-context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { queueMail } from '../../mail/mail.service.js';

const { sql } = Prisma;

/** A device that a provider says is gone. */
export interface Death {
  /** Of the device. */
  readonly id: number;
  /** When the message was sent that failed: a device that was registered since is alive. */
  readonly sentAt: Date;
}

/**
 * Takes dead devices out of use, tokens and all; a member whose last device that was is told by
 * mail, once.
 */
export async function buryDevices(deps: Deps, deaths: readonly Death[]): Promise<void> {
  await transact(await serviceContext(deps, 'bury devices'), async (context) => {
    const ids = deaths.map(({ id }) => id);
    // Two devices of one account may die at once: the second finds the account locked, and then the
    // first one dead.
    await context.db.$queryRaw`
      SELECT id FROM account WHERE id IN (SELECT account_id FROM device WHERE id = ANY(${ids}::int[])) ORDER BY id FOR NO KEY UPDATE`;
    const bereaved = await context.rows<{ accountId: number }>(sql`
      UPDATE device v SET dead_at = ${context.now().toISOString()}::timestamptz, token = ''
      FROM unnest(${ids}::int[], ${deaths.map(({ sentAt }) => sentAt.toISOString())}::text[]) AS g(id, sent_at)
      WHERE v.id = g.id AND v.dead_at IS NULL AND v.last_seen_at <= g.sent_at::timestamptz
      RETURNING v.account_id AS "accountId"`);
    await tellWithoutDevice(
      context,
      bereaved.map(({ accountId }) => accountId),
    );
  });
}

/**
 * Mails those of these accounts that have no device left which pushes go to; inside the transaction
 * that took the last one.
 */
export async function tellWithoutDevice(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<void> {
  if (accountIds.length === 0) return;
  const unreachable = await context.rows<{ email: string; name: string; language: string }>(sql`
    SELECT a.email, a.name, l.code AS language FROM account a JOIN language l ON l.id = a.language_id
    WHERE a.id = ANY(${[...accountIds]}::int[]) AND a.email <> ''
      AND NOT EXISTS (SELECT 1 FROM device v WHERE v.account_id = a.id AND v.dead_at IS NULL AND v.suspended_at IS NULL)`);
  for (const { email, name, language } of unreachable) {
    await queueMail(context, { to: email, template: 'device_lost', language, values: { name } });
  }
}
