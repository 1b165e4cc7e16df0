import type { Route } from '../router.js';

/** What edition B's application has beside care. */
export const community: readonly Route[] = [
  { on: 'GET /v1/videos', run: 'ListVideos', edition: 'B' },
  { on: 'GET /v1/quote', run: 'GetQuoteOfTheDay', edition: 'B' },
  { on: 'GET /v1/healthcare/services', run: 'ListHealthcareServices', edition: 'B' },
  { on: 'GET /v1/healthcare/service-types', run: 'ListHealthcareServiceTypes', edition: 'B' },
  { on: 'POST /v1/ncsm', run: 'SubmitForm', edition: 'B', status: 201 },
  { on: 'GET /v1/test_tp', run: 'TestThirdParties', edition: 'B' },
];
