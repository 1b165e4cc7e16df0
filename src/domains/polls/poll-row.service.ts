import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { Poll, PollOption, PollSubmission, ResultsVisibility } from './poll.types.js';

const { sql } = Prisma;

/** A poll as it is stored, with what the viewer answered. Votes are there for everybody. */
export interface PollRow {
  readonly id: number;
  readonly question: string;
  readonly multiple: boolean;
  readonly statement: string | null;
  readonly resultsVisibility: ResultsVisibility;
  readonly opensAt: Date;
  readonly closesAt: Date | null;
  readonly participants: number;
  readonly version: number;
  readonly options: readonly {
    readonly id: number;
    readonly text: string;
    readonly votes: number;
  }[];
  readonly optionIds: readonly number[] | null;
  readonly submittedAt: Date | null;
  readonly agreedAt: Date | null;
}

/** Returns polls as the viewer may see them, in one statement: see `readPollRows`. */
export async function readPolls(
  context: RequestContext,
  matching: Prisma.Sql,
  rest?: Prisma.Sql,
): Promise<Poll[]> {
  const rows = await readPollRows(context, matching, rest);
  return rows.map((row) => pollOf(context, row));
}

/**
 * Returns polls with what the viewer answered, in one statement. `matching` is a condition on a row
 * `p` of `poll`; `rest` orders and limits.
 */
export function readPollRows(
  context: RequestContext,
  matching: Prisma.Sql,
  rest: Prisma.Sql = Prisma.empty,
): Promise<PollRow[]> {
  const me = context.viewer.id;
  return context.rows<PollRow>(sql`
    SELECT p.id, p.question, p.multiple, p.statement, p.visibility AS "resultsVisibility",
      p.opens_at AS "opensAt",
      p.closes_at AS "closesAt", p.participants, p.version, s.option_ids AS "optionIds",
      s.submitted_at AS "submittedAt", a.agreed_at AS "agreedAt",
      (SELECT coalesce(json_agg(json_build_object('id', o.id, 'text', o.text, 'votes', o.votes)
        ORDER BY o.position), '[]')
        FROM poll_option o WHERE o.poll_id = p.id) AS options
    FROM poll p
      LEFT JOIN poll_submission s ON s.poll_id = p.id AND s.account_id = ${me}::int
      LEFT JOIN poll_agreement a ON a.poll_id = p.id AND a.account_id = ${me}::int
    WHERE ${matching} ${rest}`);
}

/** Returns a poll as the viewer may see it now. */
export function pollOf(context: RequestContext, row: PollRow): Poll {
  const now = context.now();
  const isClosed = row.closesAt !== null && row.closesAt <= now;
  const seen = seesResults(context, row, isClosed);
  const options = row.options.map(({ votes, ...option }) =>
    Object.assign(new PollOption(), option, { votes: seen ? votes : null }),
  );
  const { optionIds, submittedAt } = row;
  return Object.assign(new Poll(), {
    ...row,
    options,
    isOpen: row.opensAt <= now && !isClosed,
    participantCount: seen ? row.participants : null,
    viewerAgreedAt: row.agreedAt,
    viewerSubmission: optionIds
      ? Object.assign(new PollSubmission(), {
          optionIds,
          submittedAt,
          options: options.filter(({ id }) => optionIds.includes(id)),
        })
      : null,
  });
}

/** Returns a row as it is with an answer of the viewer, which is counted. */
export const answeredRow = (
  row: PollRow,
  optionIds: readonly number[],
  submittedAt: Date,
): PollRow => ({
  ...row,
  optionIds,
  submittedAt,
  participants: row.participants + 1,
  options: row.options.map((option) =>
    optionIds.includes(option.id) ? { ...option, votes: option.votes + 1 } : option,
  ),
});

/** Returns whether the viewer sees the results of a poll. */
function seesResults(
  { viewer }: RequestContext,
  { resultsVisibility, submittedAt }: PollRow,
  isClosed: boolean,
): boolean {
  if (viewer.can('run_diagnostics') || resultsVisibility === ResultsVisibility.ALWAYS) return true;
  if (resultsVisibility === ResultsVisibility.STAFF) return false;
  return (
    isClosed || (resultsVisibility === ResultsVisibility.AFTER_ANSWERING && submittedAt !== null)
  );
}
