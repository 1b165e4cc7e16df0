import { setTimeout as sleep } from 'node:timers/promises';
import { createPoll, deletePoll, updatePoll } from '../../../src/domains/polls/poll.service.js';
import { ResultsVisibility } from '../../../src/domains/polls/poll.types.js';
import { submitPoll } from '../../../src/domains/polls/poll-answer.service.js';
import { useService } from '../../support/harness.js';

// The embedded database runs one statement at a time.
const onServer = process.env.TEST_DATABASE_URL ? describe : describe.skip;

onServer('A poll that is closed while it is answered', () => {
  const service = useService();

  async function makePoll() {
    const input = { question: '?', options: ['Yes', 'No'] };
    const resultsVisibility = ResultsVisibility.AFTER_CLOSING;
    const context = await service().context('administrator');
    const { id, options } = await createPoll(context, { ...input, resultsVisibility });
    return { id, optionIds: [options[0]?.id ?? 0] };
  }
  type Made = Awaited<ReturnType<typeof makePoll>>;

  const reason = (error: { refusal?: { reason: string } }) => error.refusal?.reason ?? `${error}`;
  const answer = async ({ id, optionIds }: Made) =>
    submitPoll(await service().context('subscriber'), { pollId: id, optionIds }).then(
      ({ viewerSubmission }) => (viewerSubmission ? 'counted' : 'lost'),
      reason,
    );
  const close = async ({ id }: Made) => {
    const context = await service().context('administrator');
    return updatePoll(context, { id, closesAt: context.now() }).then(() => 'closed', reason);
  };
  const remove = async ({ id }: Made) =>
    deletePoll(await service().context('administrator'), id).then(() => 'deleted', reason);

  const queued = async (count: number) => {
    const text = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    for (let i = 0; i < 12_000; i++) {
      if ((await service().database.query<{ n: number }>(text))[0]?.n === count) return;
      await sleep(5);
    }
    throw new Error(`${count} did not come to wait`);
  };

  /** Lets two requests wait for the row of a poll, in this order, and then go on. */
  async function inOrder(
    poll: Made,
    ...requests: ((poll: Made) => Promise<string>)[]
  ): Promise<string[]> {
    const results: Promise<string>[] = [];
    await service().database.prisma.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT id FROM poll WHERE id = ${poll.id} FOR UPDATE`;
        for (const request of requests) {
          results.push(request(poll));
          await queued(results.length);
        }
      },
      { timeout: 15_000 },
    );
    return Promise.all(results);
  }

  /** Answers as they are counted, in three places. */
  const counted = async ({ id }: Made) => {
    const text = `SELECT participants, (SELECT count(*)::int FROM poll_submission WHERE poll_id = $1) AS answers,
      (SELECT sum(votes)::int FROM poll_option WHERE poll_id = $1) AS votes FROM poll WHERE id = $1`;
    const [row] = await service().database.query<Record<string, number>>(text, [id]);
    return row && Object.values(row);
  };

  it('counts no answer that was read before the closing and comes to be written after it', async () => {
    const poll = await makePoll();
    expect(await inOrder(poll, close, answer)).toStrictEqual(['closed', 'POLL_CLOSED']);
    expect(await counted(poll)).toStrictEqual([0, 0, 0]);
  });

  it('keeps an answer that was written before the closing', async () => {
    const poll = await makePoll();
    expect(await inOrder(poll, answer, close)).toStrictEqual(['counted', 'closed']);
    expect(await counted(poll)).toStrictEqual([1, 1, 1]);
  });

  it('counts one answer of an account that answers twice at once', async () => {
    const poll = await makePoll();
    expect(await inOrder(poll, answer, answer)).toStrictEqual(['counted', 'counted']);
    expect(await counted(poll)).toStrictEqual([1, 1, 1]);
  });

  it('counts an answer to a poll whose question is changed in the meantime', async () => {
    const poll = await makePoll();
    const change = async ({ id }: Made) => {
      const context = await service().context('administrator');
      return (await updatePoll(context, { id, question: 'Really?' })).question;
    };
    expect(await inOrder(poll, change, answer)).toStrictEqual(['Really?', 'counted']);
    expect(await counted(poll)).toStrictEqual([1, 1, 1]);
  });

  it('finds no poll that is deleted in the meantime, and leaves nothing of it', async () => {
    const poll = await makePoll();
    expect(await inOrder(poll, remove, answer)).toStrictEqual(['deleted', 'POLL_NOT_FOUND']);
    expect(await service().database.prisma.pollSubmission.count()).toBe(0);
  });
});
