import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { refuse } from '../../core/errors.js';
import type { FeedMove } from '../../core/live.js';
import { Prisma } from '../../generated/prisma/client.js';
import { watchingOf } from '../live/watching.service.js';
import { pollNotFound } from './poll.service.js';
import type { Poll } from './poll.types.js';
import { pollsById } from './poll-list.service.js';

const PREFIX = 'poll:';
const idOf = (name: string) => Number(name.slice(PREFIX.length));

/** Returns whether the viewer sees the results: they are null in what others read. */
const isShown = ({ participantCount }: Poll) => participantCount !== null;

/**
 * Watches the results of a poll: its present state is told first, then each change. Throws
 * POLL_NOT_FOUND, FORBIDDEN for who may not see the results now, TOO_MANY_SUBSCRIPTIONS.
 */
export async function watchPoll(
  context: RequestContext,
  pollId: number,
): Promise<AsyncIterableIterator<FeedMove>> {
  const [poll] = await pollsById(context, [pollId]);
  if (!poll) throw pollNotFound();
  if (!isShown(poll))
    throw refuse('FORBIDDEN', 'The results of this poll are not shown to you now.', {
      param: 'pollId',
    });
  // No version is below 0: the first one that is read is told.
  return context.deps.live.watch([{ name: `${PREFIX}${pollId}`, since: -1 }], watchingOf(context));
}

/**
 * Returns the poll of a move with its results. Null when it is gone or its results are not shown to
 * the viewer any more: it is then watched no more.
 */
export async function movedPoll(context: RequestContext, move: FeedMove): Promise<Poll | null> {
  const [poll] = await pollsById(context, [idOf(move.name)]);
  if (poll && isShown(poll)) return poll;
  move.leave();
  return null;
}

/**
 * Returns the versions of polls among watched feeds by name, for the hub: they count changes and
 * answers, from 1; a poll that is gone has none. Uses one statement, and none without polls.
 */
export async function pollVersions(
  { database }: Pick<Deps, 'database'>,
  names: readonly string[],
): Promise<Map<string, number>> {
  const ids = names.filter((name) => name.startsWith(PREFIX)).map(idOf);
  if (ids.length === 0) return new Map();
  const { text, values } = Prisma.sql`
    SELECT id, 1 + version + participants AS version FROM poll WHERE id = ANY(${ids}::int[])`;
  const rows = await database.query<{ id: number; version: number }>(text, values);
  return new Map(rows.map(({ id, version }) => [`${PREFIX}${id}`, version]));
}
