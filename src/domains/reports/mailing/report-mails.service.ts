import type { GraphQLSchema } from 'graphql';
import { capabilitiesOf } from '../../../core/capabilities.js';
import type { RequestContext } from '../../../core/context.js';
import type { Role } from '../../../core/roles.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isOutage } from '../../../platform/database/database.js';
import { storedZoneOfAccount } from '../../accounts/member-zone.service.js';
import { queueMail } from '../../mail/mail.service.js';
import { problemOf } from '../saved/saved-document.js';
import { addressOf } from '../saved/saved-report.service.js';
import { renewDueTimes } from './due-times.service.js';
import { dueOn, type MailTimes, nextDay } from './mail-dates.js';
import { unsubscribeAddress } from './unsubscribing.service.js';

/** Mailings of one run of the job. */
const MOST = 200;
/** Mailings that fail in one run. */
const MOST_FAILED = 1_000;

interface DueMailing extends MailTimes {
  readonly id: number;
  readonly nextOn: string;
  readonly reportId: number;
  readonly name: string;
  readonly query: string;
  readonly isShared: boolean;
  readonly ownerId: number;
  readonly maker: string;
  readonly roles: Role[];
  readonly isSuspended: boolean;
  readonly email: string | null;
  readonly language: string;
}

interface Recipient {
  readonly id: number;
  readonly accountId: number | null;
  readonly email: string | null;
  readonly roles: Role[] | null;
  readonly isProven: boolean | null;
  readonly language: string | null;
  readonly isUnsubscribed: boolean;
}

/** SQL of the mailings that are due: see `Queue`. */
export const WAITING_MAILINGS = `
  SELECT due_at AS since FROM report_mailing WHERE due_at <= $1::timestamptz ORDER BY due_at`;

/**
 * Queues the mails of the reports that are due, by the clocks that their owners have now. Each
 * mailing is one transaction that also notes its next day, so that it is mailed once, whatever
 * process dies when. What was missed while no process ran is mailed once, and late. A mailing that fails is passed over, at most 1,000 in a run. One
 * whose owner lost the right, or whose report asks for what is gone, ends, and its owner is told.
 * Returns how many were done. Throws temporary errors of the database, which no mailing causes.
 */
export async function mailReports(
  context: RequestContext,
  schema: GraphQLSchema,
  stopping?: AbortSignal,
): Promise<number> {
  await renewDueTimes(context, stopping);
  const failed: number[] = [];
  let done = 0;
  while (done < MOST && failed.length < MOST_FAILED && !stopping?.aborted) {
    const taken = { id: 0 };
    try {
      const more = await transact(context, async (inner) => {
        const mailing = await takeDue(inner, failed);
        if (!mailing) return false;
        taken.id = mailing.id;
        await mailOne(inner, mailing, schema);
        return true;
      });
      if (!more) break;
      done++;
    } catch (error) {
      if (taken.id === 0 || isOutage(error)) throw error;
      failed.push(taken.id);
      context.deps.log.error({ err: error, mailing: taken.id }, 'report not mailed');
    }
  }
  return done;
}

async function takeDue(
  context: RequestContext,
  failed: readonly number[],
): Promise<DueMailing | undefined> {
  const [row] = await context.rows<DueMailing>(Prisma.sql`
    SELECT m.id, m.every, m.day, m.hour, m.next_on AS "nextOn", r.id AS "reportId", r.name, r.query,
      r.is_shared AS "isShared", a.id AS "ownerId", a.name AS maker, a.roles, a.email,
      a.suspended_at IS NOT NULL AS "isSuspended",
      l.code AS language
    FROM report_mailing m JOIN saved_report r ON r.id = m.report_id
      JOIN account a ON a.id = r.account_id JOIN language l ON l.id = a.language_id
    WHERE m.due_at <= ${context.now()}::timestamptz AND m.id <> ALL(${[...failed]}::int[])
    ORDER BY m.due_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED`);
  return row;
}

async function mailOne(
  context: RequestContext,
  mailing: DueMailing,
  schema: GraphQLSchema,
): Promise<void> {
  const { id, nextOn, ownerId } = mailing;
  const now = context.now().getTime();
  const zone = await storedZoneOfAccount(context, ownerId);
  // The owner has moved west since times were renewed: the day has not come to that hour yet.
  const isEarly = dueOn(mailing, nextOn, zone) > now;
  const next = isEarly ? nextOn : nextDay(mailing, now, zone);
  await context.db.reportMailing.updateMany({
    where: { id },
    data: { nextOn: next, dueAt: new Date(dueOn(mailing, next, zone)) },
  });
  if (isEarly || mailing.isSuspended) return;
  const may = capabilitiesOf(mailing.roles).has('introspect');
  if (may && problemOf(schema, mailing.query) === null) return mailRecipients(context, mailing);
  await context.db.reportMailing.deleteMany({ where: { id } });
  await tellOwner(context, mailing);
}

async function mailRecipients(context: RequestContext, mailing: DueMailing): Promise<void> {
  const { name, maker, reportId, ownerId } = mailing;
  const recipients = await readRecipients(context, mailing.id);
  const lost = recipients.filter((one) => !mayGet(mailing, one));
  for (const one of recipients) {
    if (!mayGet(mailing, one) || one.isUnsubscribed) continue;
    await queueMail(context, {
      to: one.email,
      template: 'report_ready',
      language: one.language,
      values: {
        name,
        maker,
        link: addressOf(context.deps.siteUrl, reportId),
        unsubscribe: unsubscribeAddress(context, { reportId, accountId: one.accountId }),
      },
      fromId: ownerId,
    });
  }
  if (lost.length === 0) return;
  const where = { id: { in: lost.map(({ id }) => id) } };
  await context.db.reportMailingRecipient.deleteMany({ where });
  await tellOwner(context, mailing, lost.length);
}

const readRecipients = (context: RequestContext, mailingId: number): Promise<Recipient[]> =>
  context.rows<Recipient>(Prisma.sql`
    SELECT p.id, a.id AS "accountId", a.email, a.roles, a.email_proven_at IS NOT NULL AS "isProven",
      l.code AS language, p.unsubscribed_at IS NOT NULL OR u.at IS NOT NULL
        OR a.suspended_at IS NOT NULL AS "isUnsubscribed"
    FROM report_mailing_recipient p JOIN report_mailing m ON m.id = p.mailing_id
      LEFT JOIN account a ON a.id = p.account_id
      LEFT JOIN report_unsubscription u ON u.report_id = m.report_id AND u.account_id = a.id
      LEFT JOIN language l ON l.id = a.language_id
    WHERE p.mailing_id = ${mailingId} ORDER BY p.id`);

/** Somebody who is there. */
type Reached = Recipient & Readonly<Record<'email' | 'language', string> & { accountId: number }>;

/** Returns whether somebody is there, may see the report and has a proven address. */
const mayGet = ({ isShared, ownerId }: DueMailing, one: Recipient): one is Reached =>
  one.email !== null &&
  one.isProven === true &&
  capabilitiesOf(one.roles ?? []).has('introspect') &&
  (isShared || one.accountId === ownerId);

/** Tells the owner that a report is not mailed any more, or that some were taken off the list. */
async function tellOwner(context: RequestContext, mailing: DueMailing, lost?: number) {
  const { email, language, name, reportId } = mailing;
  if (email === null) return;
  const to = { to: email, language };
  const values = { name, link: addressOf(context.deps.siteUrl, reportId) };
  if (lost === undefined)
    return queueMail(context, { ...to, template: 'report_not_mailed', values });
  return queueMail(context, {
    ...to,
    template: 'report_recipients_lost',
    values: { ...values, count: String(lost) },
  });
}
