import type { Deps, RequestContext } from '../../context.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { FeedKind } from './feed.types.js';

export const feedName = (kind: FeedKind, memberId: number) => `${kind}:${memberId}`;

/**
 * Says, in the transaction of a change, that what members' feeds show has changed: their versions move by one, and whoever watches
 * them is told once the change is committed. One statement for any number of members.
 */
export async function moveFeeds(context: RequestContext, kind: FeedKind, memberIds: readonly number[]): Promise<void> {
  if (!context.inTransaction) throw new Error('A feed moves in the transaction of what changed.');
  // In one order, so that two changes never wait for each other.
  const names = [...new Set(memberIds)].sort((a, b) => a - b).map((id) => feedName(kind, id));
  await context.db.$executeRaw`
    INSERT INTO feed (name, version) SELECT unnest(${names}::text[]), 1
    ON CONFLICT (name) DO UPDATE SET version = feed.version + 1`;
  context.afterCommit(() => context.deps.feeds.nudge());
}

/** The versions of feeds, for the hub. */
export async function feedVersions({ database }: Pick<Deps, 'database'>, names: readonly string[]): Promise<Map<string, number>> {
  const { text, values } = Prisma.sql`SELECT name, version FROM feed WHERE name = ANY(${names}::text[])`;
  const rows = await database.query<{ name: string; version: number }>(text, values);
  return new Map(rows.map(({ name, version }) => [name, version]));
}
