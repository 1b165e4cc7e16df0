import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { Prisma } from '../../generated/prisma/client.js';
import { FeedKind } from './feed.types.js';

export const feedName = (kind: FeedKind, memberId: number) => `${kind}:${memberId}`;

/**
 * Says, in the transaction of a change, that what members' feeds show has changed: their versions
 * move by one, and whoever watches them is told once the change is committed. One statement for any
 * number of members.
 */
export async function moveFeeds(
  context: RequestContext,
  kind: FeedKind,
  memberIds: readonly number[],
): Promise<void> {
  if (!context.inTransaction) throw new Error('A feed moves in the transaction of what changed.');
  if (memberIds.length === 0) return;
  await context.db.$executeRaw(
    feedMoves(kind, Prisma.sql`SELECT unnest(${[...memberIds]}::int[])`),
  );
  context.afterCommit(() => context.deps.live.nudge());
}

/**
 * The statement that moves the feeds of members, given as a query of their ids; for statements that
 * find those themselves.
 */
export const feedMoves = (kind: FeedKind, memberIds: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO feed (name, version)
  SELECT ${`${kind}:`}::text || id, 1 FROM (${memberIds}) AS moved(id) GROUP BY id
  ORDER BY id -- in one order, so that two changes never wait for each other
  ON CONFLICT (name) DO UPDATE SET version = feed.version + 1`;

/**
 * The present version of a member's feed, as part of a statement; `memberId` is an id or a column.
 * What shows it reads it no later than the rest, so that a watcher from that version on is told of
 * whatever is missing.
 */
export const feedVersion = (kind: FeedKind, memberId: Prisma.Sql | number): Prisma.Sql =>
  Prisma.sql`COALESCE((SELECT version FROM feed WHERE name = ${`${kind}:`}::text || (${memberId})::int), 0)`;

/** Forgets the feeds of a member. */
export async function forgetFeeds({ db }: RequestContext, memberId: number): Promise<void> {
  await db.feed.deleteMany({
    where: { name: { in: Object.values(FeedKind).map((kind) => feedName(kind, memberId)) } },
  });
}

/** The versions of feeds, for the hub. */
export async function feedVersions(
  { database }: Pick<Deps, 'database'>,
  names: readonly string[],
): Promise<Map<string, number>> {
  const { text, values } =
    Prisma.sql`SELECT name, version FROM feed WHERE name = ANY(${names}::text[])`;
  const rows = await database.query<{ name: string; version: number }>(text, values);
  return new Map(rows.map(({ name, version }) => [name, version]));
}
