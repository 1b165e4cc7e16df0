import { globalId } from '../../../../src/core/node.js';
import { mutation } from '../../../support/harness.js';
import { type Call, refused, type Sent, type Stage } from '../calling.js';

/** A poll of two options that takes several; what names it. */
const poll = async ({ world }: Stage) => {
  const input = { question: 'Q', options: ['Yes', 'No'], statement: 'S' };
  const shown = 'poll { id databaseId options { id databaseId } }';
  return (await world.ask(mutation('createPoll', shown), { input })).createPoll.poll as {
    id: string;
    databaseId: number;
    options: { id: string; databaseId: number }[];
  };
};

const NAMES = [
  ...['answers', 'options', 'optionId', 'option', 'answer', 'answerId', 'answerIds', 'choice'],
  ...['choiceId', 'choices', 'choiceIds', 'value', 'values', 'selected', 'selection'],
];

const form = async ({ world }: Stage) => {
  const input = { name: 'Ask', scoreLeast: 0, scoreMost: 10 };
  const shown = 'form { id databaseId }';
  return (await world.ask(mutation('createForm', shown), { input })).createForm.form as {
    id: string;
    databaseId: number;
  };
};
const submission = { name: 'Mina', email: 'mina@example.com', phone: '030 901820' };

/** The newest submission, as staff reads it. */
const newest = async ({ world }: Stage) => {
  const shown =
    'name email phone phoneE164 platform score marks form { id name } asSent { field text }';
  const query = `{ formSubmissions(first: 1) { nodes { ${shown} } } }`;
  return (await world.ask(query)).formSubmissions.nodes[0];
};
const own = (name: string, values: readonly unknown[]) =>
  values.map((value) => [value, { [name]: value }] as const);

const SENT: NonNullable<Call['lines']> = {
  name: own('name', ['Mina', 'Ben']),
  email: own('email', ['mina@example.com', 'ben@example.com']),
  phone: own('phone', ['030 901820', '+49 30 901821']),
  platform: own('platform', ['ios', 'android']),
};

export const COMMUNITY: readonly Call[] = [
  {
    as: 'subscriber',
    name: 'submitPoll',
    make: async (stage) => ({ pollId: (await poll(stage)).id }),
    shown: 'poll { id viewerSubmission { options { id } } }',
    lines: {
      optionIds: async (stage, { pollId }) => {
        const query = 'query($id: ID!) { poll(id: $id) { options { id } } }';
        const { options } = (await stage.world.ask(query, { id: pollId })).poll;
        return options.map(({ id }: { id: string }) => [
          [id],
          { poll: { viewerSubmission: { options: [{ id }] } } },
        ]);
      },
    },
  },
  {
    as: 'subscriber',
    name: 'submitPoll',
    route: 'POST /v1/poll/submit',
    make: async (stage) => ({ pollId: (await poll(stage)).databaseId }),
    lines: Object.fromEntries(
      NAMES.map((name) => [
        name,
        async ({ service }: Stage, { pollId }: Sent) => {
          const where = { pollId: Number(pollId) };
          const found = await service.database.prisma.pollOption.findMany({ where });
          return found.map(({ id }) => [String(id), { option_ids: [id] }] as const);
        },
      ]),
    ),
  },
  {
    as: 'subscriber',
    name: 'agreeToPoll',
    make: async (stage) => ({ pollId: (await poll(stage)).id }),
  },
  {
    name: 'importPolls',
    shown: 'created',
    read: async ({ world }, _, { created }) => [
      created,
      (await world.ask('{ polls { nodes { id } } }')).polls.nodes.length,
    ],
    lines: {
      dryRun: [
        [true, [4, 0]],
        [false, [4, 4]],
      ],
    },
  },
  {
    name: 'submitForm',
    make: async (stage) => ({
      formId: (await form(stage)).id,
      ...submission,
      platform: 'ios',
      score: 1,
    }),
    read: newest,
    lines: {
      ...SENT,
      score: own('score', [2, 2.5]),
      country: [
        ['DE', { phoneE164: '+4930901820' }],
        ['AT', refused('PHONE_INVALID')],
      ],
    },
  },
  {
    name: 'fileSubmission',
    route: 'POST /v1/ncsm',
    make: async (stage) => {
      await form(stage);
      return { form: 'Ask', ...submission, platform: 'ios', score: '1' };
    },
    read: newest,
    lines: {
      ...SENT,
      country: [
        ['DE', { phoneE164: '+4930901820', marks: [] }],
        ['AT', { phoneE164: null, marks: ['phone'] }],
      ],
      score: [
        ['2', { score: 2 }],
        ['2.5', { score: 2.5 }],
      ],
      form: [
        ['Ask', { form: { name: 'Ask' }, marks: [] }],
        ['Other', { form: null, marks: ['form'] }],
      ],
    },
  },
  {
    name: 'importHealthcareServices',
    make: () => ({ csv: 'external_id,name\n1,One\n' }),
    shown: 'created',
    read: async ({ world }, _, { created }) => [
      created,
      (await world.ask('{ healthcareServices(first: 5) { nodes { name } } }')).healthcareServices
        .nodes,
    ],
    lines: {
      csv: ['One', 'Two'].map(
        (name) => [`external_id,name\n1,${name}\n`, [1, [{ name }]]] as const,
      ),
      dryRun: [
        [true, [1, []]],
        [false, [1, [{ name: 'One' }]]],
      ],
    },
  },
  {
    name: 'stagedUpload',
    make: () => ({ name: 'a.png', mimeType: 'image/png', bytes: 5 }),
    shown: 'upload { name mimeType bytes }',
    lines: {
      name: ['a.png', 'b.png'].map((name) => [name, { upload: { name } }] as const),
      mimeType: ['image/png', 'image/jpeg'].map(
        (mimeType) => [mimeType, { upload: { mimeType } }] as const,
      ),
      bytes: [5, 6].map((bytes) => [bytes, { upload: { bytes } }] as const),
    },
  },
  {
    name: 'setReportMailing',
    make: async ({ world }) => ({
      reportId: await world.savedReport(0),
      every: 'WEEK',
      day: 1,
      recipientIds: [world.own],
    }),
    shown: 'reportMailing { recipients { accountId } }',
    lines: {
      recipientIds: async ({ me, service }) => {
        const other = globalId('Account', (await service.account('author')).id);
        const recipients = [{ accountId: me }];
        return [
          [[me], { reportMailing: { recipients } }],
          [[me, other], refused('REPORT_RECIPIENT_INVALID')],
        ];
      },
    },
  },
  {
    as: 'subscriber',
    name: 'agreeToPolicy',
    make: async ({ world }) => {
      const input = { languageId: globalId('Language', 1), title: 'T', text: 'x' };
      const made = await world.ask(mutation('createPolicy', 'policy { id }'), { input });
      return { policyId: made.createPolicy.policy.id };
    },
    shown: 'policy { id viewerAgreedAt }',
  },
];
