import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { submitPoll } from '../../src/domains/polls/poll-answer.service.js';
import { errorCode, mutation, type Sending, useService } from '../support/harness.js';
import { CHOICE_NAMES } from './payloads.js';

const service = useService();
const HOUR = 60 * 60 * 1000;

const POLL =
  'databaseId version isOpen participantCount options { databaseId text votes } ' +
  'viewerSubmission { submittedAt options { text } } viewerAgreedAt';

interface Shown {
  readonly databaseId: number;
  readonly options: readonly { readonly databaseId: number; readonly votes: number | null }[];
}

async function makePoll(input: object = {}): Promise<Shown> {
  const { createPoll } = await service().data(
    `mutation($input: CreatePollInput!) { createPoll(input: $input) { poll { ${POLL} } } }`,
    { input: { question: 'How are you?', options: ['Well', 'Ill'], ...input } },
    'administrator',
  );
  return createPoll.poll;
}

const readPoll = async (id: number, as: Sending['as']) =>
  (
    await service().data(
      `query($id: ID!) { poll(id: $id) { ${POLL} } }`,
      { id },
      { as: as ?? 'anonymous' },
    )
  ).poll;

const post = (path: string, body: object, as: Sending['as'] = 'subscriber') =>
  service().rest('POST', path, { body, as, edition: 'B' });

describe('POST /v1/poll/submit', () => {
  it('records the answer, and shows the results to who has answered', async () => {
    const { databaseId: poll_id, options } = await makePoll();
    const [well, ill] = options.map(({ databaseId }) => databaseId);
    const { status, body } = await post('/v1/poll/submit', { poll_id, option_ids: [well] });
    expect([status, body]).toStrictEqual([
      200,
      {
        poll_id,
        option_ids: [well],
        submitted_at: body.submitted_at,
        results: [
          { option_id: well, text: 'Well', votes: 1 },
          { option_id: ill, text: 'Ill', votes: 0 },
        ],
      },
    ]);
    expect(Date.parse(body.submitted_at)).not.toBeNaN();
  });

  it('takes the options as `answers` too, and as a list of commas', async () => {
    const { databaseId: poll_id, options } = await makePoll({ multiple: true });
    const ids = options.map(({ databaseId }) => databaseId);
    const { body } = await post('/v1/poll/submit', { poll_id, answers: ids.join(',') });
    expect(body.option_ids).toStrictEqual(ids);
  });

  it('records participation for the poll alone, where there are options too', async () => {
    const { databaseId: poll_id } = await makePoll();
    const { status, body } = await post('/v1/poll/submit', { poll_id });
    expect([status, body.option_ids]).toStrictEqual([200, []]);
    expect(await readPoll(poll_id, 'subscriber')).toMatchObject({
      participantCount: 1,
      viewerSubmission: { options: [] },
    });
  });

  it('takes the options by several names, as ids or texts, one or several, in many forms', async () => {
    const texts = ['Très bien', 'Straße, 2', 'نعم', '1000000'];
    const forms: readonly (readonly [write: (ids: number[]) => unknown, chosen: number[]])[] = [
      [(ids) => ids[0], [0]],
      [(ids) => `${ids[0]}`, [0]],
      [(ids) => ` ${ids[0]} `, [0]],
      [(ids) => [ids[0], `${ids[2]}`], [0, 2]],
      [(ids) => `${ids[0]},${ids[1]}`, [0, 1]],
      [(ids) => JSON.stringify([ids[0], ids[1]]), [0, 1]],
      [(ids) => ({ id: ids[1] }), [1]],
      [(ids) => [{ option_id: ids[1] }, { text: 'tres bien' }], [1, 0]],
      [() => 'Très bien', [0]],
      [() => 'TRES  BIEN', [0]],
      [() => 'strasse, 2', [1]],
      [() => 'نعم', [2]],
      [() => ['نعم', 'Straße, 2'], [2, 1]],
      [() => 'très bien,نعم', [0, 2]],
      [() => 1_000_000, [3]],
      [() => ({ value: '1000000' }), [3]],
    ];
    for (const [at, name] of CHOICE_NAMES.entries())
      for (const [write, chosen] of forms.filter((_, i) => (i + at) % 4 === 0)) {
        const poll = await makePoll({ options: texts, multiple: true });
        const ids = poll.options.map(({ databaseId }) => databaseId);
        const pollId = name.includes('_') ? 'poll_id' : 'pollId';
        const sent = { [pollId]: poll.databaseId, [name]: write(ids) };
        const { status, body } = await post('/v1/poll/submit', sent);
        expect([status, body.option_ids], JSON.stringify(sent)).toStrictEqual([
          200,
          chosen.map((i) => ids[i]),
        ]);
      }
  });

  it('does not take an empty text for an answer, nor what an application marks as not chosen', async () => {
    const cases: readonly (readonly [write: (ids: number[]) => object, chosen: number[]])[] = [
      [() => ({ answer: '' }), []],
      [() => ({ choice: ' ', value: null }), []],
      [(ids) => ({ value: '', option: ids[1] }), [1]],
      [(ids) => ({ choices: ids.map((id, i) => ({ id, selected: i > 0 })) }), [1, 2]],
      [(ids) => ({ options: ids.map((id, i) => ({ id, checked: i === 0 ? 1 : 0 })) }), [0]],
      [(ids) => ({ selected: [{ id: ids[2], isSelected: 'true' }, { id: ids[0] }] }), [2, 0]],
    ];
    for (const [write, chosen] of cases) {
      const poll = await makePoll({ options: ['One', 'Two', 'Three'], multiple: true });
      const ids = poll.options.map(({ databaseId }) => databaseId);
      const sent = { poll_id: poll.databaseId, ...write(ids) };
      const { status, body } = await post('/v1/poll/submit', sent);
      expect([status, body.option_ids], JSON.stringify(sent)).toStrictEqual([
        200,
        chosen.map((i) => ids[i]),
      ]);
    }
  });

  it('refuses a text that is none of the options, by the name it was sent under', async () => {
    const { databaseId: poll_id } = await makePoll();
    for (const answer of ['Perhaps', ['Well', 'Perhaps'], {}, true, ',', '{"id":{}}', [], '%']) {
      const { status, body } = await post('/v1/poll/submit', { poll_id, answer });
      expect([status, body.data.details?.answer?.code], JSON.stringify(answer)).toStrictEqual([
        400,
        'rest_poll_invalid_options',
      ]);
    }
  });

  it('counts an account once: a second answer changes nothing and returns the first', async () => {
    const { databaseId: poll_id, options } = await makePoll();
    const [well, ill] = options.map(({ databaseId }) => databaseId);
    const first = await post('/v1/poll/submit', { poll_id, option_ids: [well] });
    const again = await post('/v1/poll/submit', { poll_id, option_ids: [ill] });
    expect([again.status, again.body]).toStrictEqual([200, first.body]);
    expect(await readPoll(poll_id, 'administrator')).toMatchObject({ participantCount: 1 });
  });

  it('counts exactly when many answer at once, each twice', async () => {
    const { databaseId: poll_id, options } = await makePoll({ multiple: true });
    const ids = options.map(({ databaseId }) => databaseId);
    const callers = ['subscriber', 'author', 'editor', 'clinician', 'analyst', 'guest'] as const;
    for (const caller of callers) await service().account(caller);
    const answers = await Promise.all(
      [...callers, ...callers].map((as, i) =>
        post('/v1/poll/submit', { poll_id, option_ids: i % 2 ? ids : [...ids].reverse() }, as),
      ),
    );
    expect(answers.map(({ status }) => status)).toStrictEqual(answers.map(() => 200));
    const { participantCount, options: counted } = await readPoll(poll_id, 'administrator');
    expect([participantCount, counted.map(({ votes }: { votes: number }) => votes)]).toStrictEqual([
      6,
      [6, 6],
    ]);
  });

  it('takes two statements: a reading, and a transaction of one', async () => {
    const made = await makePoll();
    await service().account('subscriber');
    const context = await service().context('subscriber');
    const answer = { pollId: made.databaseId, optionIds: [made.options[0]?.databaseId ?? 0] };
    expect(await service().statements(() => submitPoll(context, answer))).toBe(2);
  });

  it('records participation in a poll without options', async () => {
    const { databaseId: poll_id } = await makePoll({ options: [] });
    const { status, body } = await post('/v1/poll/submit', { poll_id }, 'guest');
    expect([status, body.option_ids, body.results]).toStrictEqual([200, [], []]);
  });

  it('refuses options of another poll, none, and several where one is to be chosen', async () => {
    const { databaseId: poll_id, options } = await makePoll();
    const other = await makePoll();
    const ids = options.map(({ databaseId }) => databaseId);
    for (const option_ids of [[other.options[0]?.databaseId], [], ids, [999_999]]) {
      const { status, body } = await post('/v1/poll/submit', { poll_id, option_ids });
      expect(
        [status, body.code, body.data.details?.option_ids?.code],
        JSON.stringify(option_ids),
      ).toStrictEqual([400, 'rest_invalid_param', 'rest_poll_invalid_options']);
    }
    expect(await readPoll(poll_id, 'subscriber')).toMatchObject({ viewerSubmission: null });
  });

  it('refuses unknown polls, and those that are not open yet, with 404', async () => {
    const later = new Date(service().now() + HOUR).toISOString();
    const { databaseId } = await makePoll({ opensAt: later });
    for (const poll_id of [databaseId, 999_999]) {
      const { status, body } = await post('/v1/poll/submit', { poll_id });
      expect([status, body.code]).toStrictEqual([404, 'rest_poll_invalid_id']);
    }
  });

  it('refuses answers to a closed poll with 409, but returns an answer that was given before', async () => {
    const now = service().now();
    const closesAt = new Date(now + HOUR).toISOString();
    const { databaseId: poll_id, options } = await makePoll({ closesAt });
    const body = { poll_id, option_ids: [options[0]?.databaseId] };
    await post('/v1/poll/submit', body);
    service().now = () => now + HOUR;
    expect((await post('/v1/poll/submit', body)).status).toBe(200);
    const late = await post('/v1/poll/submit', body, 'author');
    expect([late.status, late.body.code]).toStrictEqual([409, 'rest_poll_closed']);
  });

  it('is for accounts: anonymous callers are refused with 401', async () => {
    const { databaseId: poll_id } = await makePoll();
    const { status, body } = await post('/v1/poll/submit', { poll_id }, 'anonymous');
    expect([status, body.code]).toStrictEqual([401, 'rest_forbidden']);
  });

  it('needs poll_id, and exists in edition B alone', async () => {
    const { status, body } = await post('/v1/poll/submit', {});
    expect([status, body.code, body.data.params]).toStrictEqual([
      400,
      'rest_missing_callback_param',
      ['poll_id'],
    ]);
    const a = await service().rest('POST', '/v1/poll/submit', { edition: 'A', as: 'subscriber' });
    expect(a.status).toBe(404);
  });
});

describe('POST /v1/poll/agree', () => {
  it('records that the statement is agreed to, once', async () => {
    const { databaseId: poll_id } = await makePoll({ statement: 'I take part.' });
    const first = await post('/v1/poll/agree', { poll_id });
    expect([first.status, first.body]).toStrictEqual([
      200,
      { poll_id, agreed_at: first.body.agreed_at },
    ]);
    expect((await post('/v1/poll/agree', { poll_id })).body).toStrictEqual(first.body);
  });

  it('is 404 for a poll without a statement', async () => {
    const { databaseId: poll_id } = await makePoll();
    const { status, body } = await post('/v1/poll/agree', { poll_id });
    expect([status, body.code]).toStrictEqual([404, 'rest_nothing_to_agree']);
  });
});

describe('The results of a poll', () => {
  const seenBy = async (id: number, as: Sending['as']) =>
    (await readPoll(id, as)).participantCount !== null;

  it('are shown by its rule; staff see them always', async () => {
    const now = service().now();
    const closesAt = new Date(now + HOUR).toISOString();
    const seen: Record<string, boolean[]> = {};
    for (const resultsVisibility of ['ALWAYS', 'AFTER_ANSWERING', 'AFTER_CLOSING', 'STAFF']) {
      service().now = () => now;
      const { databaseId: id, options } = await makePoll({ resultsVisibility, closesAt });
      await post('/v1/poll/submit', { poll_id: id, option_ids: [options[0]?.databaseId] });
      const open = [await seenBy(id, 'subscriber'), await seenBy(id, 'author')];
      const staff = [await seenBy(id, 'clinician'), await seenBy(id, 'administrator')];
      service().now = () => now + HOUR;
      seen[resultsVisibility] = [...open, ...staff, await seenBy(id, 'author')];
    }
    // Who answered, who did not, clinician, administrator, who did not after the closing
    expect(seen).toStrictEqual({
      ALWAYS: [true, true, true, true, true],
      AFTER_ANSWERING: [true, false, true, true, true],
      AFTER_CLOSING: [false, false, true, true, true],
      STAFF: [false, false, true, true, false],
    });
  });
});

describe('A list of polls', () => {
  const list = async (filter: object, as: Sending['as'] = 'subscriber') =>
    (
      await service().data(
        'query($filter: PollFilter) { polls(filter: $filter) { totalCount nodes { databaseId } } }',
        { filter },
        { as: as ?? 'subscriber' },
      )
    ).polls.nodes.map(({ databaseId }: Shown) => databaseId);

  it('asks for those that are open, and for those that the viewer has not answered', async () => {
    const now = service().now();
    const at = (hours: number) => new Date(now + hours * HOUR).toISOString();
    const { databaseId: closed } = await makePoll({ opensAt: at(-3), closesAt: at(-1) });
    const open = await makePoll({ opensAt: at(-2) });
    const { databaseId: other } = await makePoll({ opensAt: at(-1) });
    const { databaseId: planned } = await makePoll({ opensAt: at(1) });
    const option_ids = [open.options[0]?.databaseId];
    await post('/v1/poll/submit', { poll_id: open.databaseId, option_ids });
    expect(await list({})).toStrictEqual([other, open.databaseId, closed]);
    expect(await list({ open: true })).toStrictEqual([other, open.databaseId]);
    expect(await list({ open: true, unanswered: true })).toStrictEqual([other]);
    expect(await list({}, 'administrator')).toContain(planned);
  });

  it('asks for those whose statement the viewer has not agreed to, as `viewer` does too', async () => {
    const { databaseId: agreed } = await makePoll({ statement: 'I take part.' });
    const { databaseId: asked } = await makePoll({ statement: 'I take part, too.' });
    await makePoll();
    const now = service().now();
    const closesAt = new Date(now + HOUR).toISOString();
    const { databaseId: closing } = await makePoll({ statement: 'Until then.', closesAt });
    await post('/v1/poll/agree', { poll_id: agreed });
    const { viewer } = await service().data(
      '{ viewer { pollsToAgreeTo { totalCount nodes { databaseId statement } } } }',
    );
    expect(viewer.pollsToAgreeTo).toStrictEqual({
      totalCount: 2,
      nodes: [
        { databaseId: closing, statement: 'Until then.' },
        { databaseId: asked, statement: 'I take part, too.' },
      ],
    });
    service().now = () => now + HOUR;
    expect(await list({ open: true, toAgreeTo: true })).toStrictEqual([asked]);
    expect(await list({ toAgreeTo: true })).toStrictEqual([closing, asked]);
  });

  it('is read by a constant number of statements', async () => {
    const count = () => service().statements(() => list({}));
    await makePoll();
    await list({});
    const one = await count();
    for (let i = 0; i < 5; i++) await makePoll();
    expect(await count()).toBe(one);
  });
});

describe('A change of a poll', () => {
  const update = (input: object) =>
    service().ask(
      'mutation($input: UpdatePollInput!) { updatePoll(input: $input) { poll { version } } }',
      { input },
      'administrator',
    );

  it('keeps the options once there are answers, and names the version that it is based on', async () => {
    const { databaseId: id, options } = await makePoll();
    expect((await update({ id, version: 0, options: ['Yes', 'No'] })).errors).toBeUndefined();
    expect(errorCode(await update({ id, version: 0, question: 'Other?' }))).toBe('CONFLICT');
    const [option] = (await readPoll(id, 'administrator')).options;
    expect(option.databaseId).not.toBe(options[0]?.databaseId);
    await post('/v1/poll/submit', { poll_id: id, option_ids: [option.databaseId] });
    expect(errorCode(await update({ id, options: ['A', 'B'] }))).toBe('POLL_ANSWERED');
  });

  it('keeps the question: an empty one is refused, as of a new poll', async () => {
    const { databaseId: id } = await makePoll();
    expect(errorCode(await update({ id, question: '' }))).toBe('POLL_QUESTION_REQUIRED');
    const making = service().ask(
      mutation('createPoll', 'poll { databaseId }'),
      { input: { question: '' } },
      'administrator',
    );
    expect(errorCode(await making)).toBe('POLL_QUESTION_REQUIRED');
  });

  it('to another statement forgets who has agreed to the former one', async () => {
    const { databaseId: id } = await makePoll({ statement: 'I take part.' });
    const agreed = async () => (await readPoll(id, 'subscriber')).viewerAgreedAt !== null;
    await post('/v1/poll/agree', { poll_id: id });
    await update({ id, statement: 'I take part.', question: 'How?' });
    expect(await agreed(), 'the same text').toBe(true);
    await update({ id, statement: 'I take part, and my answers are shared.' });
    expect(await agreed(), 'another text').toBe(false);
    const { status } = await post('/v1/poll/agree', { poll_id: id });
    expect([status, await agreed()]).toStrictEqual([200, true]);
  });

  it('is refused when the poll would close before it opens', async () => {
    const { databaseId: id } = await makePoll();
    const closesAt = new Date(service().now() - HOUR).toISOString();
    expect(errorCode(await update({ id, closesAt }))).toBe('POLL_TIMES_INVALID');
  });
});

describe('GET /pwreset/import_poll', () => {
  let polls: Server;
  let answer: unknown;
  let address: string;
  beforeAll(async () => {
    polls = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
    await new Promise<void>((done) => polls.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(polls.address() as AddressInfo).port}/polls`;
  });
  afterAll(() => new Promise((done) => polls.close(done)));

  const sample = (as: Sending['as'] = 'administrator') =>
    service().rest('GET', '/pwreset/import_poll', { as, edition: 'B' });

  it('imports the sample that comes along, once, where no address is configured', async () => {
    const counts = { created: 4, updated: 0, unchanged: 0, failed: 0 };
    const { status, body } = await sample();
    expect([status, body]).toStrictEqual([200, counts]);
    expect((await sample()).body).toStrictEqual({ ...counts, created: 0, unchanged: 4 });
  });

  it('is for administrators', async () => {
    expect((await sample('anonymous')).status).toBe(401);
    expect((await sample('editor')).status).toBe(403);
  });

  it('tells what it would do in a dry run, which changes nothing', async () => {
    const dryRun = async () =>
      (
        await service().data(
          mutation('importPolls', 'created updated unchanged failed'),
          { input: { dryRun: true } },
          'administrator',
        )
      ).importPolls;
    const counts = { created: 4, updated: 0, unchanged: 0, failed: 0 };
    for (let i = 0; i < 2; i++) expect(await dryRun()).toStrictEqual(counts);
    expect(await service().database.prisma.poll.count()).toBe(0);
    await sample();
    const { polls: listed } = await service().data('{ polls { nodes { id question } } }');
    const { id } = listed.nodes[0];
    await service().data(
      mutation('updatePoll', 'poll { id }'),
      { input: { id, question: 'Changed?' } },
      'administrator',
    );
    expect(await dryRun()).toStrictEqual({ ...counts, created: 0, updated: 1, unchanged: 3 });
    const { poll } = await service().data('query($id: ID!) { poll(id: $id) { question } }', { id });
    expect(poll.question).toBe('Changed?');
  });

  it('imports from the configured address, and counts what it cannot read', async () => {
    const beside = await service().beside({
      config: { ...service().app.deps.config, POLL_IMPORT_URL: address },
    });
    const run = async () =>
      (await beside.rest('GET', '/pwreset/import_poll', { as: 'administrator', edition: 'B' }))
        .body;
    try {
      answer = [
        { id: 1, question: 'One?', options: [{ text: 'Yes' }, 'No'] },
        { id: 2, question: '' },
        { id: 3, question: 'Three?', opens_at: 'yesterday' },
        'nothing',
      ];
      expect(await run()).toStrictEqual({ created: 1, updated: 0, unchanged: 0, failed: 3 });
      answer = { polls: [{ id: '1', question: 'One, again?', options: ['Yes', 'No'] }] };
      expect(await run()).toStrictEqual({ created: 0, updated: 1, unchanged: 0, failed: 0 });
      const stated = (statement: string) => {
        answer = [{ id: 1, question: 'One, again?', options: ['Yes', 'No'], statement }];
        return run();
      };
      await stated('I take part.');
      const { polls } = await service().data('{ polls { nodes { databaseId } } }');
      const [{ databaseId: poll_id }] = polls.nodes;
      await post('/v1/poll/agree', { poll_id });
      const agreements = () => service().database.prisma.pollAgreement.count();
      await stated('I take part.');
      expect(await agreements(), 'to the same statement').toBe(1);
      expect(await stated('I share my answers.')).toMatchObject({ updated: 1 });
      expect(await agreements(), 'to another one').toBe(0);
      answer = '<html>';
      expect(await run()).toMatchObject({ code: 'import_failed', data: { status: 502 } });
    } finally {
      await beside.stop();
    }
  });

  it('takes a constant number of statements, and of an id that comes twice the first', async () => {
    const beside = await service().beside({
      config: { ...service().app.deps.config, POLL_IMPORT_URL: address },
    });
    const run = async () =>
      (await beside.rest('GET', '/pwreset/import_poll', { as: 'administrator', edition: 'B' }))
        .body;
    const some = (from: number, count: number, question: string) =>
      Array.from({ length: count }, (_, i) => {
        const id = from + i;
        return { id, question: `${question} ${id}`, options: [`Yes ${question}`, `No ${id}`] };
      });
    try {
      const statements: number[] = [];
      const importing = async (polls: object[]) => {
        answer = polls;
        let counts = {};
        statements.push(
          await service().statements(async () => {
            counts = await run();
          }),
        );
        return counts;
      };
      await importing(some(0, 1, 'First'));
      const none = { created: 0, updated: 0, unchanged: 0, failed: 0 };
      expect(await importing(some(1, 1, 'A'))).toStrictEqual({ ...none, created: 1 });
      expect(await importing(some(2, 30, 'A'))).toStrictEqual({ ...none, created: 30 });
      expect(await importing(some(1, 31, 'B'))).toStrictEqual({ ...none, updated: 31 });
      expect(new Set(statements.slice(1)).size).toBe(1);
      answer = [{ id: 1, question: 'C', options: ['Yes'] }, ...some(1, 1, 'D'), { id: '\ud800' }];
      expect(await run()).toStrictEqual({ ...none, updated: 1, failed: 2 });
      const { polls: listed } = await service().data(
        '{ polls(first: 50) { nodes { question options { text } } } }',
      );
      expect(listed.nodes).toContainEqual({ question: 'C', options: [{ text: 'Yes' }] });
      expect(listed.nodes).toContainEqual({
        question: 'B 7',
        options: [{ text: 'Yes B' }, { text: 'No 7' }],
      });
    } finally {
      await beside.stop();
    }
  });

  it('keeps the options of a poll that has answers', async () => {
    const beside = await service().beside({
      config: { ...service().app.deps.config, POLL_IMPORT_URL: address },
    });
    try {
      const run = async () =>
        (await beside.rest('GET', '/pwreset/import_poll', { as: 'administrator', edition: 'B' }))
          .body;
      answer = [{ id: 1, question: 'One?', options: ['Yes', 'No'] }];
      await run();
      const { polls: listed } = await service().data(`{ polls { nodes { ${POLL} } } }`);
      const [poll] = listed.nodes as Shown[];
      const option_ids = [poll?.options[0]?.databaseId];
      await post('/v1/poll/submit', { poll_id: poll?.databaseId, option_ids });
      answer = [{ id: 1, question: 'One?', options: ['Yes', 'Never'] }];
      expect(await run()).toMatchObject({ updated: 0, failed: 1 });
      expect((await readPoll(poll?.databaseId ?? 0, 'subscriber')).options).toMatchObject([
        { text: 'Yes', votes: 1 },
        { text: 'No', votes: 0 },
      ]);
    } finally {
      await beside.stop();
    }
  });
});
