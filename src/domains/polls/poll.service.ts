import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { createRow, deleteRow, firstOf, refuseStale } from '../../core/row.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { CreatePollInput, UpdatePollInput } from './poll.inputs.js';
import { MOST_OPTIONS, type Poll, ResultsVisibility } from './poll.types.js';
import { pollOf, readPollRows, readPolls } from './poll-row.service.js';

const { sql } = Prisma;

/** The refusal of a poll that does not exist. */
export const pollNotFound = () =>
  refuse('POLL_NOT_FOUND', 'There is no such poll.', { param: 'pollId' });

/** Throws POLL_QUESTION_REQUIRED, POLL_TIMES_INVALID, TOO_MANY. */
export function refusePoll({
  question,
  opensAt,
  closesAt,
  options,
}: Partial<CreatePollInput>): void {
  if (question === '')
    throw refuse('POLL_QUESTION_REQUIRED', 'A poll has a question.', { param: 'question' });
  if (opensAt && closesAt && closesAt <= opensAt)
    throw refuse('POLL_TIMES_INVALID', 'A poll closes after it opens.', { param: 'closesAt' });
  if ((options?.length ?? 0) > MOST_OPTIONS)
    throw refuse('TOO_MANY', `A poll has at most ${MOST_OPTIONS} options.`, { param: 'options' });
}

/** Makes a poll. Throws POLL_QUESTION_REQUIRED, POLL_TIMES_INVALID, TOO_MANY. */
export async function createPoll(context: RequestContext, input: CreatePollInput): Promise<Poll> {
  const { question, options, multiple, closesAt, statement, resultsVisibility } = input;
  const opensAt = input.opensAt ?? context.now();
  refusePoll({ ...input, opensAt });
  const data = {
    question,
    multiple: multiple ?? false,
    opensAt,
    closesAt: closesAt ?? null,
    statement: statement || null,
    visibility: resultsVisibility ?? ResultsVisibility.AFTER_ANSWERING,
    createdAt: context.now(),
    options: { create: (options ?? []).map((text, position) => ({ text, position })) },
  };
  return createRow(context, one, (db) => db.poll.create({ data }));
}

/** Returns a poll. Throws POLL_NOT_FOUND. */
export const one = async (context: RequestContext, id: number): Promise<Poll> =>
  firstOf(await readPolls(context, sql`p.id = ${id}::int`), pollNotFound);

/**
 * Changes what is given of a poll. Nobody has agreed to a statement that becomes another text.
 * Throws POLL_NOT_FOUND, CONFLICT, POLL_QUESTION_REQUIRED, POLL_TIMES_INVALID, TOO_MANY, and
 * POLL_ANSWERED for other options of a poll that has answers.
 */
export async function updatePoll(context: RequestContext, input: UpdatePollInput): Promise<Poll> {
  const { id, version, options } = input;
  await transact(
    context,
    async (inner) => {
      const known = await heldPoll(inner, id);
      refuseStale('poll', known, version);
      refusePoll({ ...input, ...timesOf(input, known) } as CreatePollInput);
      if (options && known.participants > 0)
        throw refuse('POLL_ANSWERED', 'The poll has answers: its options stay.', {
          param: 'options',
        });
      await inner.db.poll.update({ where: { id }, data: changesOf(input), select: { id: true } });
      if (options) await replaceOptions(inner, id, options);
      const { statement } = input;
      if (statement !== undefined && (statement || null) !== known.statement)
        await inner.db.pollAgreement.deleteMany({ where: { pollId: id } });
      return id;
    },
    { replayable: true },
  );
  context.deps.live.nudge();
  return one(context, id);
}

/** What a change of a poll is judged by. */
interface HeldPoll {
  readonly opensAt: Date;
  readonly closesAt: Date | null;
  readonly statement: string | null;
  readonly version: number;
  readonly participants: number;
}

/** Returns a poll, held against answers and other changes. Throws POLL_NOT_FOUND. */
async function heldPoll(inner: RequestContext, id: number): Promise<HeldPoll> {
  const rows = await inner.rows<HeldPoll>(sql`
    SELECT opens_at AS "opensAt", closes_at AS "closesAt", statement, version, participants
    FROM poll WHERE id = ${id}::int FOR UPDATE`);
  return firstOf(rows, pollNotFound);
}

const timesOf = (input: UpdatePollInput, known: { opensAt: Date; closesAt: Date | null }) => ({
  opensAt: input.opensAt ?? known.opensAt,
  closesAt: input.closesAt === undefined ? known.closesAt : input.closesAt,
});

const changesOf = ({
  question,
  opensAt,
  closesAt,
  statement,
  resultsVisibility,
}: UpdatePollInput) => ({
  ...(question && { question }),
  ...(opensAt && { opensAt }),
  ...(closesAt !== undefined && { closesAt }),
  ...(statement !== undefined && { statement: statement || null }),
  ...(resultsVisibility && { visibility: resultsVisibility }),
  version: { increment: 1 },
});

/** Gives a poll other options. For a poll without answers, in the transaction of its change. */
async function replaceOptions(
  { db }: RequestContext,
  pollId: number,
  options: readonly string[],
): Promise<void> {
  await db.pollOption.deleteMany({ where: { pollId } });
  await db.pollOption.createMany({
    data: options.map((text, position) => ({ pollId, text, position })),
  });
}

/** Deletes a poll with its answers. Returns it as it was. Throws POLL_NOT_FOUND. */
export async function deletePoll(context: RequestContext, id: number): Promise<Poll> {
  const poll = await deleteRow(context, id, {
    read: async (inner) => firstOf(await readPollRows(inner, sql`p.id = ${id}::int`), pollNotFound),
    remove: (db, where) => db.poll.deleteMany({ where }),
    made: (row) => pollOf(context, row),
  });
  context.deps.live.nudge();
  return poll;
}
