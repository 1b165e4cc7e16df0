import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';

const PURPOSE = 'mails of a report';

/** A report, and who gets it by mail. */
interface Mailed {
  readonly reportId: number;
  readonly accountId: number;
}

/**
 * Returns the address at which somebody ends the mails of a report without signing in. It is
 * signed, so that nobody makes it for others, and holds for as long as the report: also when they were
 * taken off the list in between, or the mails were ended and set anew.
 */
export function unsubscribeAddress(
  { deps }: RequestContext,
  { reportId, accountId }: Mailed,
): string {
  const who = `${reportId}-${accountId}`;
  return `${deps.siteUrl}/report-mails/${who}.${deps.tokens.hashCode(PURPOSE, who)}`;
}

/** What somebody gets by mail. */
export interface Subscription extends Mailed {
  /** The name of the report; null while it is not mailed to them. */
  readonly name: string | null;
  readonly isUnsubscribed: boolean;
}

/**
 * Returns what the end of such an address names; undefined for any other text. Mails of earlier
 * versions name the row of a recipient, which ends with its place on the list.
 */
export async function subscriptionOf(
  context: RequestContext,
  token: string,
): Promise<Subscription | undefined> {
  const [, who = '', hash = ''] =
    /^([1-9]\d{0,9}(?:-[1-9]\d{0,9})?)\.([\w-]{43})$/.exec(token) ?? [];
  const [first = 0, accountId] = who.split('-').map(Number);
  const isSigned = context.deps.tokens.isCode(hash, PURPOSE, who);
  if (!isSigned || Math.max(first, accountId ?? 0) >= 2 ** 31) return undefined;
  const named =
    accountId === undefined
      ? Prisma.sql`SELECT m.report_id, p.account_id FROM report_mailing_recipient p
          JOIN report_mailing m ON m.id = p.mailing_id WHERE p.id = ${first}::int`
      : Prisma.sql`SELECT ${first}::int, ${accountId}::int`;
  const [found] = await context.rows<Subscription>(Prisma.sql`
    SELECT r.id AS "reportId", a.id AS "accountId", CASE WHEN p.id IS NOT NULL THEN r.name END AS name,
      p.unsubscribed_at IS NOT NULL OR u.at IS NOT NULL AS "isUnsubscribed"
    FROM (${named}) n(report_id, account_id)
      JOIN saved_report r ON r.id = n.report_id JOIN account a ON a.id = n.account_id
      LEFT JOIN report_mailing m ON m.report_id = r.id
      LEFT JOIN report_mailing_recipient p ON p.mailing_id = m.id AND p.account_id = a.id
      LEFT JOIN report_unsubscription u ON u.report_id = r.id AND u.account_id = a.id`);
  return found;
}

/**
 * Ends the mails of a subscription, or lets them come again. That is kept of the report and the
 * account, so that nobody who mails the report anew undoes it.
 */
export const unsubscribe = (
  context: RequestContext,
  { reportId, accountId }: Mailed,
  wants: boolean,
): Promise<void> =>
  transact(context, async ({ db }) => {
    const at = context.now();
    await db.reportMailingRecipient.updateMany({
      where: { accountId, mailing: { reportId } },
      data: { unsubscribedAt: wants ? null : at },
    });
    const where = { reportId, accountId };
    if (wants) await db.reportUnsubscription.deleteMany({ where });
    else await db.reportUnsubscription.createMany({ data: { ...where, at }, skipDuplicates: true });
  });
