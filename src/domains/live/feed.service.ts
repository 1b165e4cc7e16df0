import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { Prisma } from '../../generated/prisma/client.js';
import { FeedKind } from './feed.types.js';

/** Returns the name of a member's feed. All share that of content. */
export const feedName = (kind: FeedKind, memberId: number) =>
  `${kind}:${kind === FeedKind.CONTENT ? 0 : memberId}`;

/** The rows of which the version of the feed of content is the sum: a trigger moves one of them. */
const CONTENT_ROWS = Array.from({ length: 16 }, (_, n) => `${FeedKind.CONTENT}:${n}`);

/** Returns the kind and the member of a feed by its name. */
export function feedOf(name: string): { readonly kind: FeedKind; readonly memberId: number } {
  const [kind, memberId] = name.split(':');
  return { kind: kind as FeedKind, memberId: Number(memberId) };
}

/**
 * Increases the versions of members' feeds by one, in the transaction of the change. Watchers are
 * told after the commit. Uses one statement for any number of members.
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
  feedMoved(context);
}

/** Tells watchers after the commit, for statements that hold `feedMoves`. */
export const feedMoved = (context: RequestContext): void =>
  context.afterCommit(() => context.deps.live.nudge());

/**
 * Returns the statement that increases the versions of feeds. `memberIds` is a query of ids, for
 * statements that find the members themselves.
 */
export const feedMoves = (kind: FeedKind, memberIds: Prisma.Sql): Prisma.Sql => Prisma.sql`
  INSERT INTO feed (name, version)
  SELECT ${`${kind}:`}::text || id, 1 FROM (${memberIds}) AS moved(id) GROUP BY id
  ORDER BY id -- the same order everywhere prevents deadlocks
  ON CONFLICT (name) DO UPDATE SET version = feed.version + 1`;

/**
 * Returns SQL for the current version of a member's feed; `memberId` is an id or a column. Read it
 * in the same statement as the data, or before it: a watcher that starts at this version is then
 * told of every later change.
 */
export const feedVersion = (kind: FeedKind, memberId: Prisma.Sql | number): Prisma.Sql =>
  Prisma.sql`COALESCE((SELECT version FROM feed
    WHERE name = ${`${kind}:`}::text || (${memberId})::int), 0)`;

/** Returns SQL for the current version of the feed of content. */
export const contentVersion = (): Prisma.Sql =>
  Prisma.sql`(SELECT COALESCE(sum(version), 0)::int FROM feed WHERE name = ANY(${CONTENT_ROWS}::text[]))`;

/** Deletes the feeds of a member. */
export async function forgetFeeds({ db }: RequestContext, memberId: number): Promise<void> {
  const own = [FeedKind.CALENDAR, FeedKind.NOTIFICATIONS];
  await db.feed.deleteMany({
    where: { name: { in: own.map((kind) => feedName(kind, memberId)) } },
  });
}

/** Returns the versions of feeds by name, for the hub. */
export async function feedVersions(
  { database }: Pick<Deps, 'database'>,
  names: readonly string[],
): Promise<Map<string, number>> {
  const content = feedName(FeedKind.CONTENT, 0);
  const read = names.flatMap((name) => (name === content ? CONTENT_ROWS : [name]));
  const { text, values } = Prisma.sql`
    SELECT CASE WHEN name = ANY(${CONTENT_ROWS}::text[]) THEN ${content}::text ELSE name END AS name,
      sum(version)::int AS version
    FROM feed WHERE name = ANY(${read}::text[]) GROUP BY 1`;
  const rows = await database.query<{ name: string; version: number }>(text, values);
  return new Map(rows.map(({ name, version }) => [name, version]));
}
