// Polls and policies.
import { type AccessTable, ADMINISTRATORS, EVERYONE, SIGNED_IN } from './rules.js';

export const polls: AccessTable = {
  lines: [
    ['polls', '{ polls { totalCount } }', SIGNED_IN],
    ['poll', '{ poll(id: 999999) { id } }', SIGNED_IN],
    ['pollResults', 'subscription { pollResults(id: 999999) { id } }', SIGNED_IN, 'POLL_NOT_FOUND'],
    [
      'createPoll',
      'mutation { createPoll(input: { question: "How are you?" }) { poll { id } } }',
      ADMINISTRATORS,
    ],
    [
      'updatePoll',
      'mutation { updatePoll(input: { id: 999999 }) { poll { id } } }',
      ADMINISTRATORS,
      'POLL_NOT_FOUND',
    ],
    [
      'deletePoll',
      'mutation { deletePoll(input: { id: 999999 }) { poll { id } } }',
      ADMINISTRATORS,
      'POLL_NOT_FOUND',
    ],
    [
      'submitPoll',
      'mutation { submitPoll(input: { pollId: 999999 }) { poll { id } } }',
      SIGNED_IN,
      'POLL_NOT_FOUND',
    ],
    [
      'agreeToPoll',
      'mutation { agreeToPoll(input: { pollId: 999999 }) { poll { id } } }',
      SIGNED_IN,
      'POLL_NOT_FOUND',
    ],
    [
      'importPolls',
      'mutation { importPolls(input: { dryRun: true }) { created } }',
      ADMINISTRATORS,
    ],
    ['policies', '{ policies { totalCount } }', EVERYONE],
    ['policy', '{ policy(id: 999999) { id } }', EVERYONE],
    ['policyInForce', '{ policyInForce { id } }', EVERYONE],
    ['policyToAgreeTo', '{ policyToAgreeTo { id } }', SIGNED_IN],
    [
      'createPolicy',
      'mutation { createPolicy(input: { languageId: 1, title: "Policy", text: "Be kind." }) { policy { id } } }',
      ADMINISTRATORS,
    ],
    [
      'deletePolicy',
      'mutation { deletePolicy(input: { id: 999999 }) { policy { id } } }',
      ADMINISTRATORS,
      'POLICY_NOT_FOUND',
    ],
    [
      'agreeToPolicy',
      'mutation { agreeToPolicy(input: { policyId: 999999 }) { policy { id } } }',
      SIGNED_IN,
      'NOTHING_TO_AGREE',
    ],
  ],
};
