import { tagOf as tagOfBody } from '../../platform/http/etag.js';
import { type Body, EncodedBody, type HeaderList } from '../../platform/http/send.js';
import type { RestResponse } from '../message.js';
import type { Labels } from './request-log.js';

/** A response whose body is finished bytes. */
export interface CachedResponse {
  readonly answered: RestResponse;
  readonly labels: Readonly<Labels>;
  readonly body: EncodedBody;
  /** Its ETag, if it has one. */
  readonly tag: string | undefined;
  /** Its headers for callers without an origin, once they were made. */
  head?: HeaderList;
}

/** Returns a response as it is kept: with its bytes and its ETag. */
export function cachedResponse(response: RestResponse, labels: Labels, body: Body): CachedResponse {
  const { status, headers } = response;
  const head = { status, headers: { ...headers }, body: undefined, isPublic: true } as const;
  const tag = tagOf(response, body);
  return { answered: head, labels: { ...labels }, body: new EncodedBody(body), tag };
}

/** Returns the ETag of a response; undefined for one that says itself how caches treat it. */
export const tagOf = ({ headers }: RestResponse, body: Body) =>
  'Cache-Control' in headers ? undefined : tagOfBody(body);
