import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { AgreeToPollInput, SubmitPollInput } from './poll.inputs.js';
import { one, pollNotFound } from './poll.service.js';
import type { Poll } from './poll.types.js';

const { sql } = Prisma;

/**
 * Records the viewer's answer to a poll, once: a repetition changes nothing and returns the poll with
 * the first answer, also after it is closed. Throws POLL_NOT_FOUND, POLL_NOT_OPEN, POLL_CLOSED, and
 * POLL_OPTIONS_INVALID for options of another poll, none, or too many.
 */
export async function submitPoll(context: RequestContext, input: SubmitPollInput): Promise<Poll> {
  const poll = await answerable(context, input.pollId);
  if (poll.viewerSubmission) return poll;
  refuseClosed(context, poll);
  const optionIds = [...new Set(input.optionIds ?? input.answers ?? [])];
  refuseOptions(poll, optionIds);
  await transact(context, (inner) => record(inner, poll.id, optionIds));
  const answered = await one(context, poll.id);
  // Nothing was recorded: the poll was closed between the reading and the writing.
  if (!answered.viewerSubmission) refuseClosed(context, answered);
  return answered;
}

/**
 * Writes an answer and counts it, in one statement. The row of the poll is locked first, so that two
 * answers wait for each other instead of locking options in another order.
 */
async function record(
  context: RequestContext,
  pollId: number,
  optionIds: readonly number[],
): Promise<void> {
  const now = context.now().toISOString();
  await context.db.$executeRaw(sql`
    WITH open AS (
      SELECT id FROM poll WHERE id = ${pollId}::int AND opens_at <= ${now}::timestamptz
        AND (closes_at IS NULL OR closes_at > ${now}::timestamptz) FOR UPDATE),
    answer AS (
      INSERT INTO poll_submission (poll_id, account_id, option_ids, submitted_at)
      SELECT id, ${context.viewer.id}::int, ${[...optionIds]}::int[], ${now}::timestamptz FROM open
      ON CONFLICT (poll_id, account_id) DO NOTHING RETURNING poll_id),
    votes AS (
      UPDATE poll_option SET votes = votes + 1
      WHERE poll_id IN (SELECT poll_id FROM answer) AND id = ANY(${[...optionIds]}::int[]))
    UPDATE poll SET participants = participants + 1, version = version + 1
    WHERE id IN (SELECT poll_id FROM answer)`);
}

/**
 * Records that the viewer agrees to the statement of a poll, once. Throws POLL_NOT_FOUND,
 * POLL_NOT_OPEN, POLL_CLOSED, NOTHING_TO_AGREE for a poll without a statement.
 */
export async function agreeToPoll(
  context: RequestContext,
  { pollId }: AgreeToPollInput,
): Promise<Poll> {
  const poll = await answerable(context, pollId);
  if (poll.viewerAgreedAt) return poll;
  refuseClosed(context, poll);
  if (!poll.statement)
    throw refuse('NOTHING_TO_AGREE', 'This poll has no statement.', { param: 'pollId' });
  const data = { pollId, accountId: context.viewer.id, agreedAt: context.now() };
  await transact(context, ({ db }) =>
    db.pollAgreement.createMany({ data, skipDuplicates: true }).then(() => pollId),
  );
  return one(context, pollId);
}

/** Returns a poll that has opened, or that the viewer administers. Throws POLL_NOT_FOUND. */
async function answerable(context: RequestContext, id: number): Promise<Poll> {
  const poll = await one(context, id);
  if (poll.opensAt > context.now() && !context.viewer.can('manage_options')) throw pollNotFound();
  return poll;
}

function refuseClosed(context: RequestContext, { opensAt, isOpen }: Poll): void {
  if (isOpen) return;
  throw opensAt > context.now()
    ? refuse('POLL_NOT_OPEN', 'The poll is not open yet.', { param: 'pollId' })
    : refuse('POLL_CLOSED', 'The poll is closed.', { param: 'pollId' });
}

function refuseOptions({ options, multiple }: Poll, chosen: readonly number[]): void {
  const known = new Set(options.map(({ id }) => id));
  const fits = chosen.every((id) => known.has(id));
  const enough = options.length === 0 ? chosen.length === 0 : chosen.length > 0;
  if (fits && enough && (multiple || chosen.length <= 1)) return;
  const most = multiple ? 'at least one option' : 'one option';
  const needed = options.length === 0 ? 'no option' : most;
  throw refuse('POLL_OPTIONS_INVALID', `This poll takes ${needed} of its own.`, {
    param: 'optionIds',
  });
}
