import type { RequestContext } from '../../core/context.js';
import { gmtOffset } from '../../platform/zone.js';
import type { EditionFace } from '../edition.js';
import { keepFields, listOf } from '../fields.js';
import { failure, failureResponse, type RestRequest, type RestResponse } from '../message.js';
import { NAMESPACES } from '../routes/index.js';

/**
 * Answers the root, the namespace indexes and OPTIONS, by the table of routes alone. Returns
 * undefined for other requests.
 */
export async function describe(
  face: EditionFace,
  request: RestRequest,
  context: RequestContext,
): Promise<RestResponse | undefined> {
  const { method } = request;
  const path = request.path.toLowerCase();
  if (method === 'OPTIONS') return describeRoute(face, request, context, path);
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/') return describeRoot(face, request, context);
  return NAMESPACES[face.edition].includes(path.slice(1))
    ? describeNamespace(face, request, path.slice(1))
    : undefined;
}

async function describeRoute(
  { adapter, descriptor, root }: EditionFace,
  request: RestRequest,
  context: RequestContext,
  path: string,
): Promise<RestResponse | undefined> {
  const match = adapter.router.match(request.path);
  const body = descriptor.options(match?.group.path ?? path, root, match?.group);
  const methods = match
    ? await adapter.allowed(match, request, context)
    : [path === '/batch/v1' ? 'POST' : 'GET'];
  return (
    body && { status: 200, headers: methods.length > 0 ? { Allow: methods.join(', ') } : {}, body }
  );
}

function describeRoot(
  { descriptor, siteUrl, root }: EditionFace,
  { query }: RestRequest,
  context: RequestContext,
): RestResponse {
  const { title, tagline, timeZone, frontPageId, postsPageId, said } = context.site;
  const authorization = `${siteUrl}/${context.deps.config.ADMIN_DIR}/authorize-application.php`;
  const site = {
    title,
    tagline,
    timeZone,
    frontPageId,
    postsPageId,
    said,
    siteUrl,
    authorization,
    gmtOffset: gmtOffset(context.now(), timeZone),
  };
  return {
    status: 200,
    headers: { Allow: 'GET' },
    body: keepFields(descriptor.root(site, root), listOf(query._fields)),
  };
}

/** `namespace` in the query wins over the path. */
function describeNamespace(
  { descriptor, root }: EditionFace,
  { query }: RestRequest,
  own: string,
): RestResponse {
  const namespace = typeof query.namespace === 'string' && query.namespace ? query.namespace : own;
  const index = descriptor.index(namespace, root);
  if (!index) return failureResponse(UNKNOWN_NAMESPACE);
  const fields = listOf(query._fields);
  return {
    status: 200,
    headers: { Allow: 'GET' },
    body: keepFields(index, fields && [...fields, '_links']),
  };
}

const UNKNOWN_NAMESPACE = failure(
  404,
  'rest_invalid_namespace',
  'The specified namespace could not be found.',
);
