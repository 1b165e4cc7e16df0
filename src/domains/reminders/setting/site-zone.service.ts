import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { serviceContext } from '../../../core/service-context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { moveFeeds } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import { moveReminders } from '../reminder/replan.service.js';
import { holdMember, memberOf } from './member.service.js';

const { sql } = Prisma;
const BATCH = 200;
/** For so long after a change other processes may still plan by the zone before. */
const SETTLED_AFTER = 60_000;

/** Milliseconds of a run: jobs whose runs do not end count as hanging. */
const LONGEST_RUN = 60_000;

/** How far a pass over the members has come. */
interface ZonePass {
  /** The change of the zone that it follows, in milliseconds since 1970. */
  change: number;
  /** The last member that was looked at; 0 at the beginning. */
  after: number;
  settled: boolean;
  failed: number;
}

const newPass = (): ZonePass => ({ change: 0, after: 0, settled: false, failed: 0 });

/**
 * Lets the reminders that go by the site's zone follow when that has changed (`time_zone_source`
 * site): those of members of whom no other zone is known, as a change of an account's own zone
 * does. A transaction for each member. Returns how many members were looked at. Safe to run in
 * several processes, and again after a crash: it is done when a pass that began a minute after the
 * change has left nobody behind. Ends after a minute; the next run of the same `pass` goes on there.
 */
export async function followSiteZone(
  deps: Deps,
  {
    stopping,
    most = Number.POSITIVE_INFINITY,
    pass = newPass(),
  }: { stopping?: AbortSignal; most?: number; pass?: ZonePass } = {},
): Promise<number> {
  const { database } = deps;
  const [site] = await database.query<{ zoneChangedAt: Date | null }>(
    'SELECT zone_changed_at AS "zoneChangedAt" FROM site WHERE id = 1',
  );
  if (!site?.zoneChangedAt) return 0;
  const { zoneChangedAt } = site;
  const context = await serviceContext(deps, 'site zone');
  const change = zoneChangedAt.getTime();
  const ends = deps.clock() + LONGEST_RUN;
  if (pass.after === 0 || pass.change !== change)
    Object.assign(pass, {
      ...newPass(),
      change,
      settled: Math.abs(deps.clock() - change) >= SETTLED_AFTER,
    });
  let seen = 0;
  for (let isMore = true; isMore; ) {
    const members = await elsewhere(context, pass.after);
    for (const { id } of members) {
      if (stopping?.aborted || seen >= most || deps.clock() >= ends) return seen;
      seen++;
      pass.failed += await move(context, id);
      pass.after = id;
    }
    isMore = members.length === BATCH;
  }
  pass.after = 0;
  if (pass.settled && pass.failed === 0)
    await database.db.site.updateMany({
      where: { id: 1, zoneChangedAt },
      data: { zoneChangedAt: null },
    });
  return seen;
}

/** Returns the job, whose runs go on where the one before ended. */
export function siteZoneJob(deps: Deps): (stopping: AbortSignal) => Promise<number> {
  const pass = newPass();
  return (stopping) => followSiteZone(deps, { stopping, pass });
}

/**
 * The same for the first members, after which the request that changed the zone need not wait; the
 * job does the others.
 */
export async function followSiteZoneSoon(deps: Deps): Promise<void> {
  await followSiteZone(deps, { most: BATCH }).catch((error: unknown) =>
    deps.log.error({ err: error }, 'reminders not moved'),
  );
}

/**
 * Members with reminders by a zone of the site that is not its zone now, and perhaps others, whose
 * own zone is known by now.
 */
const elsewhere = (context: RequestContext, after: number) =>
  context.rows<{ id: number }>(sql`
    SELECT DISTINCT account_id AS id FROM reminder
    WHERE account_id > ${after}::int AND zone_source = 'site' AND deleted_at IS NULL
      AND zone <> ${context.site.timeZone}
    ORDER BY account_id LIMIT ${BATCH}::int`);

/**
 * Moves one member's reminders. Returns how many members failed: one must not keep the others where
 * they are.
 */
async function move(context: RequestContext, memberId: number): Promise<0 | 1> {
  try {
    await transact(context, async (inner) => {
      await holdMember(inner, memberId);
      const member = await memberOf(inner, memberId);
      if (member.zone !== context.site.timeZone) return;
      await moveReminders(inner, member, sql`zone_source = 'site'`);
      await moveFeeds(inner, FeedKind.CALENDAR, [memberId]);
    });
    return 0;
  } catch (error) {
    context.deps.log.error(
      { err: error, accountId: memberId },
      'reminders not moved to the zone of the site',
    );
    return 1;
  }
}
