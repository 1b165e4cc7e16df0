import type { RequestContext } from '../../core/context.js';
import type { ListedPage } from '../../core/listing.js';
import { byNumber, byTime, Direction, orderedList } from '../../core/ordering.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { PollFilter } from './poll.inputs.js';
import type { Poll, PollOption } from './poll.types.js';
import { readPolls } from './poll-row.service.js';

const { sql, join } = Prisma;

/** Polls, those that opened last first. Administrators see those that are not open yet. */
export const pollList = orderedList<Poll, ListedPage & PollFilter>({
  noun: 'Poll',
  what: 'polls',
  choices: {
    OPENS_AT: byTime('By when they open.', sql`p.opens_at`, ({ opensAt }) => opensAt),
  },
  usual: { field: 'OPENS_AT', direction: Direction.DESC },
  ties: [byNumber(sql`p.id`, ({ id }) => id)],
  from: sql`poll p`,
  where: matchingPolls,
  read: readPolls,
});

/** Polls that the viewer may know of, and that the filter asks for. */
function matchingPolls(
  context: RequestContext,
  { open, unanswered, toAgreeTo }: PollFilter,
): Prisma.Sql {
  const now = context.now().toISOString();
  const opened = sql`p.opens_at <= ${now}::timestamptz`;
  const conditions = [
    context.viewer.can('manage_options') && !open ? sql`TRUE` : opened,
    ...(open ? [sql`(p.closes_at IS NULL OR p.closes_at > ${now}::timestamptz)`] : []),
    ...(unanswered
      ? [
          sql`NOT EXISTS (SELECT FROM poll_submission done
            WHERE done.poll_id = p.id AND done.account_id = ${context.viewer.id}::int)`,
        ]
      : []),
    ...(toAgreeTo
      ? [
          sql`p.statement IS NOT NULL AND NOT EXISTS (SELECT FROM poll_agreement done
            WHERE done.poll_id = p.id AND done.account_id = ${context.viewer.id}::int)`,
        ]
      : []),
  ];
  return join(conditions, ' AND ');
}

/** Returns the polls of these ids that the viewer may know of. */
export const pollsById = (context: RequestContext, ids: readonly number[]): Promise<Poll[]> =>
  context.viewer.id
    ? readPolls(context, sql`p.id = ANY(${[...ids]}::int[]) AND ${matchingPolls(context, {})}`)
    : Promise.resolve([]);

/** Returns the options of these ids, of polls that the viewer may know of. */
export async function pollOptionsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<PollOption[]> {
  if (!context.viewer.id) return [];
  const polls = await readPolls(
    context,
    sql`${matchingPolls(context, {})} AND p.id IN
      (SELECT o.poll_id FROM poll_option o WHERE o.id = ANY(${[...ids]}::int[]))`,
  );
  return polls.flatMap(({ options }) => options.filter(({ id }) => ids.includes(id)));
}
