import { worked } from '../../../domains/content/rendering/rendering.service.js';
import { languageOf } from '../accounts.js';
import type { LineKind } from './line.js';

/** Polls with their options. They count the answers of erased accounts too. */
export const POLL_LINES: LineKind = {
  name: 'poll',
  table: 'poll',
  fields: {
    externalId: 'text?',
    question: 'text',
    multiple: 'boolean',
    statement: 'text?',
    visibility: 'text',
    opensAt: 'instant',
    closesAt: 'instant?',
    participants: 'integer',
    version: 'integer',
    createdAt: 'instant',
  },
  parts: {
    options: {
      table: 'poll_option',
      of: 'poll_id',
      order: 'p.position',
      passing: ['votes'],
      isReferredTo: true,
      fields: { id: 'integer', position: 'integer', text: 'text', votes: 'integer' },
    },
  },
  judged: ['question', 'statement', 'opens_at', 'closes_at', 'visibility'],
};

/** What members answered to polls. */
export const ANSWER_LINES: LineKind = {
  name: 'answer',
  table: 'poll_submission',
  key: ['poll_id', 'account_id'],
  fields: {
    pollId: 'integer',
    accountId: 'integer',
    optionIds: 'integers',
    submittedAt: 'instant',
  },
};

/** Who agreed to the statements of polls. */
export const POLL_AGREEMENT_LINES: LineKind = {
  name: 'pollAgreement',
  table: 'poll_agreement',
  key: ['poll_id', 'account_id'],
  fields: { pollId: 'integer', accountId: 'integer', agreedAt: 'instant' },
};

/** Versions of the policy. They count the agreements of erased accounts too. */
export const POLICY_LINES: LineKind = {
  name: 'policy',
  table: 'policy',
  fields: {
    language: {
      type: 'text',
      sql: '(SELECT code FROM language l WHERE l.id = t.language_id)',
    },
    number: 'integer',
    title: 'text',
    text: 'text',
    effectiveAt: 'instant',
    agreed: 'integer',
    createdAt: 'instant',
  },
  judged: ['title', 'text', 'language_id'],
  filled: ['language_id', 'text'],
  fill: async ({ language, text }, { context }) => ({
    language_id: languageOf(String(language)),
    text: await worked(context, 'sanitiseHtml', String(text)),
  }),
};

/** Who agreed to which version of the policy. */
export const POLICY_AGREEMENT_LINES: LineKind = {
  name: 'policyAgreement',
  table: 'policy_agreement',
  key: ['policy_id', 'account_id'],
  fields: { policyId: 'integer', accountId: 'integer', agreedAt: 'instant' },
};
