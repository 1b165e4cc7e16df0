import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isOutage } from '../../../platform/database/database.js';
import { storedZone, type ZoneColumns } from '../../accounts/member-zone.service.js';
import { dueOn, type MailTimes } from './mail-dates.js';

/** Mailings that one statement reads. */
const BATCH = 1_000;

interface TimedMailing extends MailTimes, Omit<ZoneColumns, 'id'> {
  readonly id: number;
  readonly nextOn: string;
  readonly dueAt: Date;
}

/**
 * Renews the stored times of mails whose owner has other clocks since: by the profile, by what an
 * app told, by the site, or by newer data of a zone. The day of the next mail stays, so that none
 * is sent twice or left out. Safe to run in several processes. Throws temporary errors of the
 * database.
 */
export async function renewDueTimes(
  context: RequestContext,
  stopping?: AbortSignal,
): Promise<void> {
  for (let after = 0; !stopping?.aborted; ) {
    const mailings = await readTimes(context, after);
    for (const mailing of mailings) await renewOrLog(context, mailing);
    if (mailings.length < BATCH) return;
    after = mailings.at(-1)?.id ?? after;
  }
}

const readTimes = (context: RequestContext, after: number): Promise<TimedMailing[]> =>
  context.rows<TimedMailing>(Prisma.sql`
    SELECT m.id, m.every, m.day, m.hour, m.next_on AS "nextOn", m.due_at AS "dueAt",
      a.time_zone AS "timeZone", s.learned_zone AS "learnedZone"
    FROM report_mailing m JOIN saved_report r ON r.id = m.report_id
      JOIN account a ON a.id = r.account_id LEFT JOIN care_setting s ON s.account_id = a.id
    WHERE m.id > ${after}::int ORDER BY m.id LIMIT ${BATCH}::int`);

/** One mailing must not keep the others at other times. */
const renewOrLog = (context: RequestContext, mailing: TimedMailing): Promise<void> =>
  renewDueTime(context, mailing).catch((error: unknown) => {
    if (isOutage(error)) throw error;
    context.deps.log.error({ err: error, mailing: mailing.id }, 'time of a report not renewed');
  });

/** What was sent or set since it was read has another day or time, and stays. */
async function renewDueTime(context: RequestContext, mailing: TimedMailing): Promise<void> {
  const { id, nextOn, dueAt } = mailing;
  const renewed = dueOn(mailing, nextOn, storedZone(mailing, context.site.timeZone));
  if (renewed === dueAt.getTime()) return;
  await context.db.reportMailing.updateMany({
    where: { id, nextOn, dueAt },
    data: { dueAt: new Date(renewed) },
  });
}
