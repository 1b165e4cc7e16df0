import type { RequestContext } from '../core/context.js';
import { inOperation } from '../platform/tracing/tracing.js';
import { batch } from './batch.js';
import { withCredential } from './credential.js';
import { describe } from './descriptor/describing.js';
import type { EditionFace } from './edition.js';
import { keepFields, listOf } from './fields.js';
import type { Labels } from './http/request-log.js';
import { failureResponse, type RestRequest, type RestResponse } from './message.js';

/** Whoever asks is told of the interface. */
const OPEN = { route: { open: true }, operation: { isQuery: true } } as const;

/**
 * Answers a request: by an operation, as a batch, or from the table of routes. Writes into `labels`
 * what the log and the metrics call it.
 */
export async function respond(
  face: EditionFace,
  request: RestRequest,
  context: RequestContext,
  labels: Labels,
): Promise<RestResponse> {
  const { adapter, root } = face;
  const { method, path } = request;
  const plan = await adapter.plan(request, context);
  if (path.toLowerCase() === '/batch/v1' && method === 'POST') {
    labels.route = '/batch/v1';
    const { status, body } = await batch(adapter, request, context, root);
    return {
      status,
      headers: { Allow: 'POST' },
      body: status === 207 ? keepFields(body, listOf(request.query._fields)) : body,
    };
  }
  if ('code' in plan || 'namespace' in request.query) {
    const described = await describe(face, request, context);
    if (described) labels.route = method === 'OPTIONS' ? 'options' : 'index';
    if (described) return withCredential(context, OPEN, async () => described);
  }
  if ('code' in plan) return withCredential(context, undefined, async () => failureResponse(plan));
  labels.route = plan.match.group.path;
  labels.operation = plan.endpoint.operation.name;
  const { operation } = plan.endpoint;
  const kind = operation.isQuery ? 'query' : 'mutation';
  const run = () => inOperation(kind, operation.name, () => adapter.run(plan, context, root));
  return operation.issuesTokens ? run() : withCredential(context, plan.endpoint, run);
}
