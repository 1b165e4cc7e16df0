import type { Route } from '../router.js';

export const polls: readonly Route[] = [
  { on: 'POST /v1/poll/submit', run: 'SubmitPoll', edition: 'B' },
  { on: 'POST /v1/poll/agree', run: 'AgreeToPoll', edition: 'B' },
  { on: 'POST /v1/agree_policy', run: 'AgreeToPolicy', edition: 'B' },
  { on: 'GET /pwreset/import_poll', run: 'ImportPolls', edition: 'B' },
];
