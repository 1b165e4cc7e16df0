import { SHARED } from '../core/response-cache.js';
import type { Sending } from './response-headers.js';

/**
 * Tells in `extensions.cost` of a response what the request has cost. Not where caches may keep the
 * response, which is the same for all; nor where nothing is charged.
 */
export function tellCost({ contextValue, response: { http, body } }: Sending): void {
  const cost = contextValue.quota.cost();
  if (!cost || body.kind !== 'single' || http.headers.get('cache-control') === SHARED) return;
  body.singleResult.extensions = { ...body.singleResult.extensions, cost };
}
