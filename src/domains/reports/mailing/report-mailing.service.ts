import { rolesWith } from '../../../core/capabilities.js';
import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { deleteRow, firstOf } from '../../../core/row.js';
import { containing } from '../../../core/search.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { storedZoneOfAccount } from '../../accounts/member-zone.service.js';
import { recordAudit } from '../../audit/audit.service.js';
import { requireProof } from '../../sign-in/proof/email-proof.service.js';
import { ownReportOf } from '../saved/saved-report.service.js';
import type { SavedReport } from '../saved/saved-report.types.js';
import { dueOn, nextDay } from './mail-dates.js';
import { MOST_RECIPIENTS, type SetReportMailingInput } from './report-mailing.inputs.js';
import { MailEvery, ReportMailing, ReportRecipient } from './report-mailing.types.js';

const { sql } = Prisma;

/**
 * SQL condition on an account `a`: it may see a report of an owner, and gets mails. See also
 * `mayGet`, which decides the same of a row.
 */
const mayGetSql = (ownerId: number, isShared: boolean) =>
  sql`a.roles && ${rolesWith('introspect')}::text[] AND a.email_proven_at IS NOT NULL
    AND a.email IS NOT NULL AND a.suspended_at IS NULL AND (${isShared} OR a.id = ${ownerId})`;

type OwnReport = Pick<SavedReport, 'id' | 'isShared'>;

/** Returns who may get an own report: first who gets it, then by name. */
export async function possibleRecipients(
  context: RequestContext,
  { id, isShared }: OwnReport,
  search: string | null | undefined,
): Promise<ReportRecipient[]> {
  const named = search == null ? sql`TRUE` : sql`folded(a.name) LIKE ${containing(search)}`;
  const rows = await context.rows<ReportRecipient>(sql`
    SELECT a.id AS "accountId", a.name, false AS "isUnsubscribed"
    FROM account a LEFT JOIN report_mailing m ON m.report_id = ${id}::int
      LEFT JOIN report_mailing_recipient p ON p.mailing_id = m.id AND p.account_id = a.id
    WHERE ${mayGetSql(context.viewer.id, isShared)} AND ${named}
    ORDER BY p.id IS NULL, a.name, a.id LIMIT 200`);
  return rows.map((row) => Object.assign(new ReportRecipient(), row));
}

/** Returns how many of some accounts may get an own report. */
async function countPossible(
  context: RequestContext,
  { isShared }: OwnReport,
  ids: readonly number[],
): Promise<number> {
  const [row] = await context.rows<{
    count: number;
  }>(sql`SELECT count(*)::int AS count FROM account a
    WHERE ${mayGetSql(context.viewer.id, isShared)} AND a.id = ANY(${[...ids]}::int[])`);
  return row?.count ?? 0;
}

/** Returns when reports are mailed to whom. The caller decides who may know. */
export async function mailingsOfReports(
  { db }: RequestContext,
  reportIds: readonly number[],
): Promise<(ReportMailing | undefined)[]> {
  const rows = await db.reportMailing.findMany({
    where: { reportId: { in: [...reportIds] } },
    include: {
      recipients: {
        where: { accountId: { not: null } },
        select: { accountId: true, unsubscribedAt: true, account: { select: { name: true } } },
        orderBy: [{ account: { name: 'asc' } }, { id: 'asc' }],
      },
    },
  });
  const found = rows.map(({ recipients, ...row }) =>
    Object.assign(new ReportMailing(), row, {
      every: row.every as MailEvery,
      recipients: recipients.map(({ accountId, unsubscribedAt, account }) =>
        Object.assign(new ReportRecipient(), {
          accountId,
          name: account?.name ?? '',
          isUnsubscribed: unsubscribedAt !== null,
        }),
      ),
    }),
  );
  return reportIds.map((id) => found.find(({ reportId }) => reportId === id));
}

/**
 * Sets when an own report is mailed to whom. Who unsubscribed stays so, also when they were taken
 * off the list or the mails were ended in between. Throws as
 * `setReportMailing` of the graph says.
 */
export async function setReportMailing(
  context: RequestContext,
  { reportId, recipientIds, hour, ...input }: SetReportMailingInput,
): Promise<ReportMailing> {
  const times = { ...input, hour: hour ?? 7 };
  refuseTimes(times);
  const ids = [...new Set(recipientIds)];
  if (ids.length === 0 || ids.length > MOST_RECIPIENTS)
    throw refuse('TOO_MANY', `There are 1 to ${MOST_RECIPIENTS} recipients.`, {
      param: 'recipientIds',
    });
  await transact(
    context,
    async (inner) => {
      await requireProof(inner, { mails: true });
      const report = await ownReportOf(inner, reportId);
      const known = await countPossible(inner, report, ids);
      if (known < ids.length)
        throw refuse(
          'REPORT_RECIPIENT_INVALID',
          `Each recipient may see the report and has a proven address: ${ids.length - known} of ${ids.length} do not. Share the report, or choose them anew.`,
          { param: 'recipientIds' },
        );
      const zone = await storedZoneOfAccount(inner, inner.viewer.id);
      const nextOn = nextDay(times, inner.now().getTime(), zone);
      const data = { ...times, nextOn, dueAt: new Date(dueOn(times, nextOn, zone)) };
      const { id: mailingId } = await inner.db.reportMailing.upsert({
        where: { reportId },
        create: { reportId, ...data },
        update: data,
        select: { id: true },
      });
      const others = { mailingId, OR: [{ accountId: null }, { accountId: { notIn: ids } }] };
      await inner.db.reportMailingRecipient.deleteMany({
        where: { ...others, unsubscribedAt: null },
      });
      await inner.db.$executeRaw`
        INSERT INTO report_mailing_recipient (mailing_id, account_id, unsubscribed_at)
        SELECT ${mailingId}::int, a.id, u.at FROM unnest(${ids}::int[]) AS a(id)
          LEFT JOIN report_unsubscription u ON u.account_id = a.id AND u.report_id = ${reportId}::int
        ON CONFLICT DO NOTHING`;
      const detail = { report: reportId, every: times.every, recipients: ids.join(' ') };
      await recordAudit(inner, { action: 'report_mailing.set', detail });
      return reportId;
    },
    { replayable: true },
  );
  return mailingOf(context, reportId);
}

function refuseTimes({ every, day, hour }: { every: MailEvery; day: number; hour: number }): void {
  const most = every === MailEvery.WEEK ? 7 : 31;
  if (day < 1 || day > most)
    throw refuse('DATE_INVALID', `The day is 1 to ${most}.`, { param: 'day' });
  if (hour < 0 || hour > 23)
    throw refuse('DATE_INVALID', 'The hour is 0 to 23.', { param: 'hour' });
}

/** Ends the mails of an own report. Returns when they were sent to whom. */
export const deleteReportMailing = (
  context: RequestContext,
  reportId: number,
): Promise<ReportMailing> =>
  deleteRow(context, reportId, {
    read: async (inner) => {
      await ownReportOf(inner, reportId);
      return mailingOf(inner, reportId);
    },
    remove: (db) => db.reportMailing.deleteMany({ where: { reportId } }),
    about: ({ recipients }) => recipients.map(({ accountId }) => accountId),
    made: ({ recipients, ...row }) =>
      Object.assign(new ReportMailing(), row, {
        recipients: recipients.map((one) => Object.assign(new ReportRecipient(), one)),
      }),
  });

const mailingOf = async (context: RequestContext, reportId: number): Promise<ReportMailing> =>
  firstOf(await mailingsOfReports(context, [reportId]), () =>
    refuse('REPORT_MAILING_NOT_FOUND', 'The report is not mailed.', { param: 'reportId' }),
  );

/** Returns which reports the account gets by mail, or wants none of, for the export of its data. */
export async function exportReportMails(
  { db }: RequestContext,
  accountId: number,
): Promise<object[]> {
  const report = { select: { name: true } };
  const mails = await db.reportMailingRecipient.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    select: {
      unsubscribedAt: true,
      mailing: { select: { every: true, day: true, hour: true, report } },
    },
  });
  const ended = await db.reportUnsubscription.findMany({
    where: { accountId },
    orderBy: { reportId: 'asc' },
    select: { at: true, report },
  });
  return [...mails, ...ended.map(({ at, ...rest }) => ({ unsubscribedAt: at, ...rest }))];
}
