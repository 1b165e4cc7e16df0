import type { RequestContext } from '../../../core/context.js';
import type { Subject } from '../catalogue/subject.js';
import { monthAfter } from '../period.js';
import { forgetChanges, forgetMembers, type SubjectMonth } from './month.service.js';

/** Returns under which subject the cells of a month stand while they are made. Triggers name it too. */
export const buildingOf = (subject: string) => `${subject}+`;

/** Returns by what the cells of a month are being made; null when they are not. */
export async function builtBy(
  { db }: RequestContext,
  { subject, month }: SubjectMonth,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ by: string }[]>`SELECT made_by AS by FROM report_building
    WHERE subject = ${subject} AND month = ${month}::date`;
  return row?.by ?? null;
}

/**
 * Begins to make the cells of a month: all accounts with a fact are to be counted, and from now on those that
 * change. Marks and changes of before are deleted first, so that what comes meanwhile is not lost.
 */
export async function beginBuilding(
  context: RequestContext,
  { facts }: Subject,
  of: SubjectMonth,
  { by, zone }: { readonly by: string; readonly zone: string },
): Promise<void> {
  const { subject, month } = of;
  await forgetChanges(context, of);
  await stopBuilding(context, of);
  await context.db.$executeRaw`INSERT INTO report_building (subject, month, made_by, started_at)
    VALUES (${subject}, ${month}::date, ${by}, ${context.now()}::timestamptz)`;
  await context.db.$executeRawUnsafe(
    `INSERT INTO report_change (subject, month, account_id)
      WITH asked AS (SELECT $1::text, $2::timestamptz, $3::date AS first, $4::date AS last)
      SELECT DISTINCT $5::text, $3::date, account_id FROM (${facts}) f
      WHERE day >= $3::date AND day < $4::date`,
    zone,
    context.now(),
    month,
    monthAfter(month, 1),
    buildingOf(subject),
  );
}

/**
 * Shows the cells that were made instead of those that there were. Returns how many milliseconds it
 * took to make them.
 */
export async function endBuilding(context: RequestContext, of: SubjectMonth): Promise<number> {
  const { subject, month } = of;
  const { db } = context;
  const name = buildingOf(subject);
  const next = monthAfter(month, 1);
  await db.$executeRaw`DELETE FROM report_cell
    WHERE subject = ${subject} AND date >= ${month}::date AND date < ${next}::date
      AND grid !~ '^(week|quarter)( |$)'`;
  await forgetMembers(context, of);
  await db.$executeRaw`UPDATE report_cell SET subject = ${subject}
    WHERE subject = ${name} AND date >= ${month}::date AND date < ${next}::date`;
  await db.$executeRaw`UPDATE report_member SET subject = ${subject}
    WHERE subject = ${name} AND month = ${month}::date`;
  await db.$executeRaw`UPDATE report_loose SET subject = ${subject}
    WHERE subject = ${name} AND month = ${month}::date`;
  const [row] = await db.$queryRaw<{ startedAt: Date }[]>`DELETE FROM report_building
    WHERE subject = ${subject} AND month = ${month}::date RETURNING started_at AS "startedAt"`;
  return context.now().getTime() - (row?.startedAt ?? context.now()).getTime();
}

/**
 * Moves changes that would be lost to where they are counted. A transaction may note its account for the
 * cells of a month that are being made, and commit after these are shown; or for cells that follow, and
 * commit after they were made again and follow no more. Where the cells of the month follow now, the
 * account is counted again; else the month is made again.
 */
export async function takeOverChanges({ db }: RequestContext): Promise<void> {
  await db.$executeRaw`WITH late AS (
      DELETE FROM report_change c USING report_month m, LATERAL (VALUES (m.subject || '+'),
        (CASE WHEN m.logged_by IS NULL THEN m.subject END)) AS noted (subject)
      WHERE c.subject = noted.subject AND c.month = m.month AND NOT EXISTS (SELECT FROM report_building b
        WHERE b.subject = m.subject AND b.month = m.month)
      RETURNING m.subject, m.month, c.account_id, m.logged_by IS NOT NULL AS follows, m.closed
    ), followed AS (
      INSERT INTO report_change (subject, month, account_id)
      SELECT DISTINCT subject, month, account_id FROM late WHERE follows AND NOT closed
    )
    INSERT INTO report_stale (subject, month)
    SELECT DISTINCT subject, month FROM late WHERE NOT follows AND NOT closed`;
}

/** Forgets what was made of the cells of a month. */
export async function stopBuilding(context: RequestContext, of: SubjectMonth): Promise<void> {
  const { subject, month } = of;
  const { db } = context;
  const building = { subject: buildingOf(subject), month };
  const stopped = await db.$executeRaw`DELETE FROM report_building
    WHERE subject = ${subject} AND month = ${month}::date`;
  if (stopped === 0) return;
  await db.$executeRaw`DELETE FROM report_cell WHERE subject = ${building.subject}
    AND date >= ${month}::date AND date < ${monthAfter(month, 1)}::date`;
  await forgetChanges(context, building);
  await forgetMembers(context, building);
}
