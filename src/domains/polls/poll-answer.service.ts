import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { changeOnce } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { AgreeToPollInput, SubmitPollInput } from './poll.inputs.js';
import { pollNotFound } from './poll.service.js';
import type { Poll } from './poll.types.js';
import { choiceOf } from './poll-choice.js';
import { answeredRow, type PollRow, pollOf, readPollRows } from './poll-row.service.js';

const { sql } = Prisma;

/** How often a poll is read again because it changed between the reading and the writing. */
const ATTEMPTS = 5;

/**
 * Records the viewer's answer to a poll, once: a repetition changes nothing and returns the poll with
 * the first answer, also after it is closed. Uses two statements, and changes rows with the second
 * alone. The results are those that were read, with this answer. Without options it records that the
 * viewer took part. Throws POLL_NOT_FOUND, POLL_NOT_OPEN, POLL_CLOSED, and POLL_OPTIONS_INVALID for
 * options of another poll, an empty list of them, or too many; CONFLICT when the poll changes again
 * and again.
 */
export async function submitPoll(context: RequestContext, input: SubmitPollInput): Promise<Poll> {
  let isCounted = false;
  const poll = await attempt(context, input.pollId, async (inner, row) => {
    if (row.submittedAt) return row;
    refuseClosed(inner, row);
    const optionIds = chosenFrom(row, input);
    const now = inner.now();
    if (!(await recordAnswer(inner, row, optionIds, now))) return undefined;
    isCounted = true;
    return answeredRow(row, optionIds, now);
  });
  if (isCounted) context.deps.live.nudge();
  return poll;
}

/**
 * Records that the viewer agrees to the statement of a poll, once. Uses two statements. Throws
 * POLL_NOT_FOUND, POLL_NOT_OPEN, POLL_CLOSED, NOTHING_TO_AGREE for a poll without a statement,
 * CONFLICT when the poll changes again and again, and for a retry with the same Idempotency-Key
 * where the statement is another one since.
 */
export async function agreeToPoll(
  context: RequestContext,
  { pollId }: AgreeToPollInput,
): Promise<Poll> {
  const poll = await attempt(context, pollId, async (inner, row) => {
    if (row.agreedAt) return row;
    refuseClosed(inner, row);
    if (!row.statement)
      throw refuse('NOTHING_TO_AGREE', 'This poll has no statement.', { param: 'pollId' });
    const now = inner.now();
    return (await recordAgreement(inner, row, now)) ? { ...row, agreedAt: now } : undefined;
  });
  if (poll.viewerAgreedAt) return poll;
  throw refuse('CONFLICT', 'The statement of the poll has changed since.', { param: 'pollId' });
}

/** Judges and writes what somebody sends to a poll. Returns undefined where nothing was written. */
type Write = (inner: RequestContext, row: PollRow) => Promise<PollRow | undefined>;

/** Writes what is sent to a poll, once under an Idempotency-Key. Returns the poll. */
async function attempt(context: RequestContext, pollId: number, write: Write): Promise<Poll> {
  let row: PollRow | undefined;
  await changeOnce(context, async (inner) => {
    row = await written(inner, pollId, write);
    return pollId;
  });
  return pollOf(context, row ?? (await answerable(context, pollId)));
}

/**
 * Reads a poll and lets `write` judge and write. When that wrote nothing, the poll has changed, was
 * closed or was answered by the same account in the meantime, and all is done again.
 */
async function written(inner: RequestContext, pollId: number, write: Write): Promise<PollRow> {
  for (let i = 0; i < ATTEMPTS; i++) {
    const row = await write(inner, await answerable(inner, pollId));
    if (row) return row;
  }
  throw refuse('CONFLICT', 'The poll is being changed. Try again.', { param: 'pollId' });
}

/**
 * Returns the poll if it is as it was read, in a statement that answers it. Its row is locked: what
 * was committed before, a closing above all, is respected, and what comes later waits. Two answers
 * wait for each other here instead of locking options in another order.
 */
const unchanged = ({ id, version }: PollRow): Prisma.Sql =>
  sql`SELECT id FROM poll WHERE id = ${id}::int AND version = ${version}::int FOR UPDATE`;

/** Writes an answer and counts it. Returns whether it did. One statement, so one transaction. */
async function recordAnswer(
  context: RequestContext,
  row: PollRow,
  optionIds: readonly number[],
  now: Date,
): Promise<boolean> {
  const counted = await context.rows(sql`
    WITH unchanged AS (${unchanged(row)}),
    answer AS (
      INSERT INTO poll_submission (poll_id, account_id, option_ids, submitted_at)
      SELECT id, ${context.viewer.id}::int, ${[...optionIds]}::int[], ${now.toISOString()}::timestamptz
      FROM unchanged ON CONFLICT (poll_id, account_id) DO NOTHING RETURNING poll_id),
    votes AS (
      UPDATE poll_option SET votes = votes + 1
      WHERE poll_id IN (SELECT poll_id FROM answer) AND id = ANY(${[...optionIds]}::int[]))
    UPDATE poll SET participants = participants + 1
    WHERE id IN (SELECT poll_id FROM answer) RETURNING id`);
  return counted.length > 0;
}

/** Writes an agreement. Returns whether it did. One statement, so one transaction. */
async function recordAgreement(context: RequestContext, row: PollRow, now: Date): Promise<boolean> {
  const agreed = await context.rows(sql`
    WITH unchanged AS (${unchanged(row)})
    INSERT INTO poll_agreement (poll_id, account_id, agreed_at)
    SELECT id, ${context.viewer.id}::int, ${now.toISOString()}::timestamptz FROM unchanged
    ON CONFLICT (poll_id, account_id) DO NOTHING RETURNING poll_id AS id`);
  return agreed.length > 0;
}

/** Returns a poll that has opened, or that the viewer administers. Throws POLL_NOT_FOUND. */
async function answerable(context: RequestContext, id: number): Promise<PollRow> {
  const [row] = await readPollRows(context, sql`p.id = ${id}::int`);
  if (!row || (row.opensAt > context.now() && !context.viewer.can('manage_options')))
    throw pollNotFound();
  return row;
}

function refuseClosed(context: RequestContext, { opensAt, closesAt }: PollRow): void {
  const now = context.now();
  if (opensAt > now)
    throw refuse('POLL_NOT_OPEN', 'The poll is not open yet.', { param: 'pollId' });
  if (closesAt && closesAt <= now)
    throw refuse('POLL_CLOSED', 'The poll is closed.', { param: 'pollId' });
}

/** Returns the ids of the options that an answer chose, none without. Throws POLL_OPTIONS_INVALID. */
function chosenFrom({ options, multiple }: PollRow, input: SubmitPollInput): readonly number[] {
  const choice = choiceOf(input, options);
  if (!choice) return [];
  const { ids: chosen = [-1], param } = choice;
  const known = new Set(options.map(({ id }) => id));
  const fits = chosen.every((id) => known.has(id));
  const enough = options.length === 0 ? chosen.length === 0 : chosen.length > 0;
  if (fits && enough && (multiple || chosen.length <= 1)) return chosen;
  const most = multiple ? 'at least one option' : 'one option';
  const needed = options.length === 0 ? 'no option' : most;
  throw refuse('POLL_OPTIONS_INVALID', `This poll takes ${needed} of its own.`, {
    param,
  });
}
