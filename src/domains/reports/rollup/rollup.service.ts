import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { GRACE } from '../../reminders/calendar/occurrences.js';
import { SUBJECTS } from '../catalogue/catalogue.js';
import { renewCells } from './cells.service.js';
import { FACTS_KEPT, renewDoseFacts } from './dose-facts.service.js';

const HOUR = 60 * 60 * 1000;

/**
 * Brings the rollups up to date: what changed, and what was missed by the passing of time. Safe in
 * several processes. Afterwards reports hold what was known when it began.
 */
export async function renewRollups(context: RequestContext, stopping?: AbortSignal): Promise<void> {
  const now = context.now();
  await markMissed(context, now);
  await renewDoseFacts(context, stopping);
  await renewCells(context, stopping);
  if (stopping?.aborted) return;
  await context.db.$executeRaw`INSERT INTO report_state (subject, as_of) VALUES ('all', ${now})
    ON CONFLICT (subject) DO UPDATE SET as_of = greatest(report_state.as_of, excluded.as_of)`;
}

/** Marks the members whose doses may have been missed since the last time, once an hour. */
async function markMissed(context: RequestContext, now: Date): Promise<void> {
  const [state] = await context.rows<{ asOf: Date }>(
    Prisma.sql`SELECT as_of AS "asOf" FROM report_state WHERE subject = 'missed'`,
  );
  if (state && now.getTime() - state.asOf.getTime() < HOUR) return;
  const since = new Date((state?.asOf.getTime() ?? 0) - GRACE - HOUR);
  await context.db.$executeRaw`WITH due AS (
      INSERT INTO report_due SELECT DISTINCT account_id, ${since}::timestamptz FROM reminder
      WHERE kind = 'medicine' AND deleted_at IS NULL AND scheduled AND recognized
        AND (until_at IS NULL OR until_at >= ${since}::timestamptz))
    INSERT INTO report_state (subject, as_of) VALUES ('missed', ${now})
    ON CONFLICT (subject) DO UPDATE SET as_of = greatest(report_state.as_of, excluded.as_of)`;
}

/** Marks everything to be made again. */
export async function markAll(context: RequestContext): Promise<void> {
  await context.db.$executeRaw`INSERT INTO report_due SELECT id, '-infinity' FROM account`;
  await context.db.$executeRaw`INSERT INTO report_stale
    SELECT DISTINCT subject, date_trunc('month', date)::date FROM report_cell`;
  for (const { name, facts } of SUBJECTS)
    await context.db.$executeRawUnsafe(
      `INSERT INTO report_stale WITH site_zone AS (SELECT $1::text)
        SELECT DISTINCT '${name}', date_trunc('month', day)::date FROM (${facts}) f`,
      context.site.timeZone,
    );
}

/** How far building is. */
export interface Progress {
  readonly what: 'members' | 'months';
  readonly done: number;
  readonly of: number;
}

/**
 * Makes all facts and cells again. `show` is called after every 10 members and every month. Safe
 * beside the job and at any kill: what is not done stays marked. Returns how much was made.
 */
export async function rebuildRollups(
  context: RequestContext,
  show: (progress: Progress) => void,
): Promise<{ members: number; months: number }> {
  await markAll(context);
  const [members] = await countDue(context);
  await renewDoseFacts(context, undefined, (done) => show({ what: 'members', done, of: members }));
  const [, months] = await countDue(context);
  await renewCells(context, undefined, (done) => show({ what: 'months', done, of: months }));
  return { members, months };
}

async function countDue(context: RequestContext): Promise<[members: number, months: number]> {
  const [row] = await context.rows<{ members: number; months: number }>(Prisma.sql`
    SELECT (SELECT count(DISTINCT account_id)::int FROM report_due) AS members,
      (SELECT count(DISTINCT (subject, month))::int FROM report_stale) AS months`);
  return [row?.members ?? 0, row?.months ?? 0];
}

/** Deletes facts and cells older than five years. Returns how many facts. */
export async function pruneRollups(context: RequestContext): Promise<number> {
  const before = new Date(context.now().getTime() - FACTS_KEPT);
  const month = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1));
  const day = month.toISOString().slice(0, 10);
  await context.db.$executeRaw`DELETE FROM report_cell WHERE date < ${day}::date`;
  return context.db.$executeRaw`DELETE FROM dose_fact WHERE day < ${day}::date`;
}
