import type { Route } from '../router.js';

/** What edition B's application has beside care. */
export const community: readonly Route[] = [
  { on: 'GET /v1/videos', run: 'ListVideos', open: true, edition: 'B' },
  { on: 'GET /v1/quote', run: 'GetQuoteOfTheDay', open: true, edition: 'B' },
  { on: 'GET /v1/healthcare/services', run: 'ListHealthcareServices', open: true, edition: 'B' },
  {
    on: 'GET /v1/healthcare/service-types',
    run: 'ListHealthcareServiceTypes',
    open: true,
    edition: 'B',
  },
  { on: 'POST /v1/ncsm', run: 'SubmitForm', edition: 'B', status: 201, open: true },
  { on: 'GET /v1/test_tp', run: 'TestThirdParties', edition: 'B' },
];
