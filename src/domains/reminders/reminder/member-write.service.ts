import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { parseMoment } from '../../../platform/moment.js';
import { Turns } from '../../../platform/mutex.js';
import type { Circumstances } from '../alert/plan.js';
import { learnZone, type Member, memberOf } from '../setting/member.service.js';
import { moveReminders } from './replan.service.js';

/** Returns what the plan of a member's reminder is made from, besides its fields. */
export const circumstances = (
  context: RequestContext,
  { zones, usual, anchors }: Member,
): Circumstances => ({
  zones,
  usual,
  anchors,
  now: context.now().getTime(),
});

/**
 * Runs a write to a member's reminders in a transaction, and returns the id of the reminder that it
 * names.
 */
export async function write(
  context: RequestContext,
  accountId: number,
  change: (inner: RequestContext) => Promise<number>,
): Promise<number> {
  return turns.take(accountId, () => transact(context, change, { replayable: true }));
}

/**
 * Writes to one member's reminders wait for each other here, as long as one holds the member: what
 * an app sends at once takes one connection to the database.
 */
const turns = new Turns<number>();

/**
 * Learns from a request in which zone the member is. When it is another one than before, all
 * reminders move to it. Returns whether it is.
 */
export async function learnZoneFrom(
  inner: RequestContext,
  accountId: number,
  dates: readonly (string | null | undefined)[],
): Promise<boolean> {
  const moments = dates.map((date) => (date ? parseMoment(date) : undefined));
  const moved = await learnZone(inner, accountId, moments);
  if (moved) await moveReminders(inner, await memberOf(inner, accountId));
  return moved;
}
