import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, errorCode, useService } from '../../support/harness.js';

const service = useService();
const WATCH =
  'subscription($id: ID!) { pollResults(id: $id) { participantCount options { votes } } }';
const ends: AbortController[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) end.abort();
  while (service().app.deps.live.watching > 0) await sleep(10);
});

interface Made {
  readonly id: string;
  readonly databaseId: number;
  readonly options: readonly { readonly databaseId: number }[];
}

async function makePoll(resultsVisibility: string): Promise<Made> {
  const { createPoll } = await service().data(
    'mutation($input: CreatePollInput!) { createPoll(input: $input) ' +
      '{ poll { id databaseId options { databaseId } } } }',
    { input: { question: 'How are you?', options: ['Well', 'Ill'], resultsVisibility } },
    'administrator',
  );
  return createPoll.poll;
}

const answer = ({ databaseId, options }: Made, as: Caller, option = 0) =>
  service().data(
    'mutation($input: SubmitPollInput!) { submitPoll(input: $input) { poll { id } } }',
    { input: { pollId: databaseId, optionIds: [options[option]?.databaseId] } },
    { as },
  );

const change = (field: string, input: object) =>
  service().data(
    `mutation($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) ` +
      `{ ${field}(input: $input) { poll { id } } }`,
    { input },
    'administrator',
  );

/** Watches over server-sent events. Each call answers the next event's body, null at the end. */
async function watching(id: string | number, as: Caller) {
  const end = new AbortController();
  ends.push(end);
  const response = await fetch(`${service().url}/graphql`, {
    method: 'POST',
    signal: AbortSignal.any([end.signal, AbortSignal.timeout(20_000)]),
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(await service().authorization(as)),
    },
    body: JSON.stringify({ query: WATCH, variables: { id } }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    for (;;) {
      const event = /event: (next|complete)\ndata:(.*)\n\n/.exec(text);
      if (event) {
        text = text.slice(event.index + event[0].length);
        return event[1] === 'next' ? JSON.parse(event[2] ?? '') : null;
      }
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) throw new Error(`the stream broke off after ${text}`);
      text += value;
    }
  };
}

const results = (...votes: number[]) => ({
  data: {
    pollResults: {
      participantCount: votes.reduce((sum, count) => sum + count, 0),
      options: votes.map((count) => ({ votes: count })),
    },
  },
});
const NONE = { data: { pollResults: null } };

describe('Who watches a poll', () => {
  it('is told the results as they are, and then after each answer', async () => {
    const poll = await makePoll('ALWAYS');
    await answer(poll, 'author');
    const next = await watching(poll.id, 'subscriber');
    expect(await next()).toStrictEqual(results(1, 0));
    await answer(poll, 'editor', 1);
    expect(await next()).toStrictEqual(results(1, 1));
    await answer(poll, 'editor', 0); // a repetition changes nothing, and is not told
    await answer(poll, 'subscriber');
    expect(await next()).toStrictEqual(results(2, 1));
  });

  it('must be someone who may see the results by the rule of the poll', async () => {
    const hidden = await makePoll('AFTER_ANSWERING');
    const codeFor = async (id: string | number, as: Caller) =>
      errorCode(await (await watching(id, as))());
    expect(await codeFor(hidden.id, 'subscriber')).toBe('FORBIDDEN');
    expect(await codeFor(hidden.id, 'anonymous')).toBe('UNAUTHENTICATED');
    expect(await codeFor(999_999, 'subscriber')).toBe('POLL_NOT_FOUND');
    const staff = await watching(hidden.id, 'clinician');
    expect(await staff()).toStrictEqual(results(0, 0));
    await answer(hidden, 'subscriber');
    expect(await staff()).toStrictEqual(results(1, 0));
    expect(await (await watching(hidden.id, 'subscriber'))()).toStrictEqual(results(1, 0));
  });

  it('is told nothing more once the rule or the poll has changed so, and the stream completes', async () => {
    const poll = await makePoll('ALWAYS');
    const [member, staff] = [
      await watching(poll.id, 'subscriber'),
      await watching(poll.id, 'clinician'),
    ];
    expect([await member(), await staff()]).toStrictEqual([results(0, 0), results(0, 0)]);
    await change('updatePoll', { id: poll.id, resultsVisibility: 'STAFF' });
    expect([await member(), await member()]).toStrictEqual([NONE, null]);
    expect(await staff()).toStrictEqual(results(0, 0));
    const fresh = await makePoll('ALWAYS');
    const last = await watching(fresh.id, 'subscriber');
    expect(await last()).toStrictEqual(results(0, 0));
    await change('deletePoll', { id: fresh.id });
    expect([await last(), await last()]).toStrictEqual([NONE, null]);
  });

  it('does not tell by its version how many answered', async () => {
    const poll = await makePoll('STAFF');
    const version = async () =>
      (await service().data('query($id: ID!) { poll(id: $id) { version } }', { id: poll.id })).poll
        .version;
    const before = await version();
    await answer(poll, 'author');
    expect(await version()).toBe(before);
  });
});
