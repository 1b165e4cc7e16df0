import type { Route } from '../router.js';

/** What edition B's application shows beside care: videos, the quote of the day. */
export const community: readonly Route[] = [
  { on: 'GET /v1/videos', run: 'ListVideos', edition: 'B' },
  { on: 'GET /v1/quote', run: 'GetQuoteOfTheDay', edition: 'B' },
];
