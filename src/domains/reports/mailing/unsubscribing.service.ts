import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';

const PURPOSE = 'mails of a report';

/**
 * Returns the address at which somebody ends the mails of a report without signing in. It is
 * signed, so that nobody makes it for others, and holds for as long as the mails.
 */
export const unsubscribeAddress = ({ deps }: RequestContext, recipientId: number): string =>
  `${deps.siteUrl}/report-mails/${recipientId}.${deps.tokens.hashCode(PURPOSE, String(recipientId))}`;

/** What somebody gets by mail. */
export interface Subscription {
  readonly id: number;
  readonly name: string;
  readonly isUnsubscribed: boolean;
}

/** Returns what the end of such an address names; undefined for any other text. */
export async function subscriptionOf(
  context: RequestContext,
  token: string,
): Promise<Subscription | undefined> {
  const [, id = '', hash = ''] = /^([1-9]\d{0,9})\.([\w-]{43})$/.exec(token) ?? [];
  if (!context.deps.tokens.isCode(hash, PURPOSE, id) || Number(id) >= 2 ** 31) return undefined;
  const [found] = await context.rows<Subscription>(Prisma.sql`
    SELECT p.id, r.name, p.unsubscribed_at IS NOT NULL AS "isUnsubscribed"
    FROM report_mailing_recipient p JOIN report_mailing m ON m.id = p.mailing_id
      JOIN saved_report r ON r.id = m.report_id
    WHERE p.id = ${Number(id)}::int AND p.account_id IS NOT NULL`);
  return found;
}

/**
 * Ends the mails of a subscription, or lets them come again. That is kept of the report and the
 * account, so that nobody who mails the report anew undoes it.
 */
export const unsubscribe = (
  context: RequestContext,
  { id }: Subscription,
  wants: boolean,
): Promise<void> =>
  transact(context, async ({ db }) => {
    const at = context.now();
    await db.reportMailingRecipient.updateMany({
      where: { id },
      data: { unsubscribedAt: wants ? null : at },
    });
    const named = Prisma.sql`SELECT m.report_id, p.account_id FROM report_mailing_recipient p
      JOIN report_mailing m ON m.id = p.mailing_id WHERE p.id = ${id}::int`;
    if (wants)
      await db.$executeRaw`DELETE FROM report_unsubscription
        WHERE (report_id, account_id) IN (${named})`;
    else
      await db.$executeRaw`INSERT INTO report_unsubscription (report_id, account_id, at)
        SELECT *, ${at}::timestamptz FROM (${named}) n ON CONFLICT DO NOTHING`;
  });
